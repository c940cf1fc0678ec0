//! Measures loading, the index of routes and path queries on foot, beside
//! `pathfinding::astar` over the same links, and prints one table.
//!
//! `cargo bench -p navbake --bench queries [-- FILE|SIDE...]`: baked files, of
//! which the first layer on foot is used, or generated levels of so many tiles a
//! side; by default one of 250 and one of 500.
//!
//! Each query is timed several times and its least time counts; the table has
//! the average and the worst of these. The peer is what a game would write in an
//! hour: a node for each link, whose successors are all links of the platform that
//! it lands on, and the distance across as the estimate. It always searches
//! without a filter, so that its times compare with every row.

mod levels;

use std::hint::black_box;
use std::time::Instant;

use baker_cli::bake::{NoProgress, Settings, bake};
use levels::Noise;
use navmesh_runtime::asset;
use navmesh_runtime::glam::Vec2;
use navmesh_runtime::mesh::{
    AgentProfile, EdgeSet, Layer, LayerParts, LinkKind, NavMesh, NavMeshParts,
};
use navmesh_runtime::search::{
    CostArea, Doors, Filter, Location, PathFinder, PathOutcome, Query, Rect, locate,
};
use pathfinding::prelude::astar;

/// Repetitions of each query.
const TIMES: usize = 3;

fn main() {
    // Cargo adds arguments of its own.
    let mut given: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with('-'))
        .collect();
    if given.is_empty() {
        given = vec!["250".to_owned(), "500".to_owned()];
    }
    for level in given {
        let mesh = match level.parse() {
            Ok(side) => generated(side),
            Err(_) => asset::load(&level).expect("the argument is a baked file or a number"),
        };
        let on_foot = |layer: &&Layer| {
            let edges = layer.profile().edges;
            edges.walks() && !edges.contains(EdgeSet::FLY)
        };
        match mesh.layers().iter().find(on_foot) {
            Some(layer) => measure(&level, &mesh, layer),
            None => println!("{level}: no layer on foot"),
        }
    }
}

/// A generated level in which jumps reach the next row of ledges.
fn generated(side: usize) -> NavMesh {
    let mut agent = AgentProfile::ground("ground", 16.0);
    agent.jump_height = 68.0;
    agent.gravity = 800.0;
    agent.jump_speed = (2.0_f32 * 800.0 * 68.0).sqrt();
    agent.max_jump = [160.0, 68.0];
    agent.max_drop = [160.0, 300.0];
    let level = levels::tile_level(side, 4, 30);
    bake(&level, &Settings::for_agents(vec![agent]), &NoProgress).expect("the level is valid")
}

/// Seconds of the fastest of some runs.
fn least<T>(times: usize, mut run: impl FnMut() -> T) -> f64 {
    let seconds = (0..times).map(|_| {
        let begin = Instant::now();
        black_box(run());
        begin.elapsed().as_secs_f64()
    });
    seconds.fold(f64::INFINITY, f64::min)
}

fn measure(name: &str, mesh: &NavMesh, layer: &Layer) {
    let links = layer.links().len();
    let parts = alone(mesh, layer);
    let bytes = asset::encode(&NavMesh::new(parts.clone()).expect("the layer was valid before"));
    let load = least(9, || asset::decode(&bytes));
    let mut copies = vec![parts; 9];
    let check = least(9, || NavMesh::new(copies.pop()?).ok());
    println!(
        "{name}: {} platforms, {links} links, {} bytes ({:.1} a link)",
        layer.platforms().len(),
        bytes.len(),
        bytes.len() as f64 / links as f64,
    );
    println!(
        "  load {:.3} ms, {:.0} ns a link; of this, checks and indices {:.3} ms",
        load * 1e3,
        load / links as f64 * 1e9,
        check * 1e3,
    );
    let count = if links > 100_000 { 100 } else { 1000 };
    let queries = queries(mesh, layer, count);
    let peer = Peer::new(layer);
    let peer_runs = run(&queries, |query| peer.find(layer, query));
    let peer_average = peer_runs.average;
    let mut finder = PathFinder::new();
    let row = |name: &str, runs: &Runs| {
        println!(
            "  {name:<28} {:>10.2} µs  worst {:>10.2} µs  {:>6.1} times as fast as the peer",
            runs.average * 1e6,
            runs.worst * 1e6,
            peer_average / runs.average,
        );
    };
    row("pathfinding::astar", &peer_runs);
    let mut find = |query: &Query| match finder.find(layer, query) {
        Ok(PathOutcome::Found(path)) => path.cost,
        _ => f64::INFINITY,
    };
    row("without the index", &run(&queries, &mut find));
    let begin = Instant::now();
    let size = layer.index_routes();
    println!(
        "  index built in {:.0} ms, {:.2} MB",
        begin.elapsed().as_secs_f64() * 1e3,
        size as f64 / 1e6
    );
    let indexed = run(&queries, &mut find);
    row("with the index", &indexed);
    for (name, filter, speed) in filters(mesh, layer) {
        let filtered: Vec<Query> = queries
            .iter()
            .map(|query| {
                let mut query = query.clone().with_filter(filter.clone());
                if speed < 1.0 {
                    let mut slow = layer.profile().clone();
                    slow.run_speed *= speed;
                    query.profile = Some(slow);
                }
                query
            })
            .collect();
        row(&name, &run(&filtered, &mut find));
    }
    let pairs = peer_runs.costs.iter().zip(&indexed.costs);
    let unequal = pairs
        .filter(|(a, b)| (*a - *b).abs() > 1e-5 * (1.0 + *a))
        .count();
    println!(
        "  {} of {} paths cost as much as those of the peer",
        queries.len() - unequal,
        queries.len()
    );
}

/// The parts of a mesh with one layer only.
fn alone(mesh: &NavMesh, layer: &Layer) -> NavMeshParts {
    let layer = LayerParts {
        profile: layer.profile().clone(),
        blocked: layer.blocked().clone(),
        platforms: layer.platforms().clone(),
        links: layer.links().to_vec(),
        barriers: layer.barriers().to_vec(),
    };
    NavMeshParts {
        provenance: mesh.provenance().clone(),
        units: mesh.units(),
        grid: *mesh.grid(),
        layers: vec![layer],
        markers: Vec::new(),
    }
}

struct Runs {
    average: f64,
    worst: f64,
    costs: Vec<f64>,
}

fn run(queries: &[Query], mut find: impl FnMut(&Query) -> f64) -> Runs {
    let costs: Vec<f64> = queries.iter().map(&mut find).collect();
    let times: Vec<f64> = queries
        .iter()
        .map(|query| least(TIMES, || find(black_box(query))))
        .collect();
    Runs {
        average: times.iter().sum::<f64>() / times.len() as f64,
        worst: times.iter().copied().fold(0.0, f64::max),
        costs,
    }
}

/// A random position in a level.
fn somewhere(mesh: &NavMesh, noise: &mut Noise) -> Vec2 {
    let grid = mesh.grid();
    let mut unit = || noise.below(1 << 24) as f32 / (1 << 24) as f32;
    let size = Vec2::new(grid.columns as f32, grid.rows as f32 * mesh.down());
    grid.origin + size * grid.spacing * Vec2::new(unit(), unit())
}

/// Queries between random positions that have a path.
fn queries(mesh: &NavMesh, layer: &Layer, count: usize) -> Vec<Query> {
    let (mut noise, mut finder) = (Noise(5), PathFinder::new());
    // Only to find the queries faster.
    let indexed = layer.clone();
    indexed.index_routes();
    let mut queries = Vec::new();
    while queries.len() < count {
        let query = Query::new(somewhere(mesh, &mut noise), somewhere(mesh, &mut noise));
        if let Ok(PathOutcome::Found(_)) = finder.find(&indexed, &query) {
            queries.push(query);
        }
    }
    queries
}

/// Filters and slower agents, by name, with the factor of the speed.
fn filters(mesh: &NavMesh, layer: &Layer) -> Vec<(String, Filter, f32)> {
    let mut noise = Noise(7);
    let mut area = || {
        let corner = somewhere(mesh, &mut noise);
        Rect::new(corner, corner + Vec2::splat(96.0))
    };
    let mut doors = Doors::new();
    for _ in 0..10 {
        doors.close_region(area());
    }
    let mut closed = Filter::default();
    closed.close_doors(&doors);
    let mut swamps = Filter::default();
    swamps.costs.extend((0..10).map(|_| CostArea {
        area: area(),
        factor: 3.0,
    }));
    let mut no_drop = Filter::default();
    no_drop.edges = layer
        .profile()
        .edges
        .without(EdgeSet::DROP_THROUGH)
        .without(EdgeSet::PORTAL);
    let mut careful = Filter::default();
    careful.caution = 0.5;
    let mut resolves = Filter::default();
    resolves.resolve = true;
    [
        ("10 closed doors", closed, 1.0),
        ("10 cost areas", swamps, 1.0),
        ("forbidden edges", no_drop, 1.0),
        ("caution", careful, 1.0),
        ("slower agent", Filter::default(), 0.8),
        ("slower agent, other jumps", resolves, 0.8),
    ]
    .map(|(name, filter, speed)| (name.to_owned(), filter, speed))
    .into()
}

/// A search over the links of a layer.
struct Peer {
    /// For each platform, its links: number, take-off and landing along their
    /// platforms, platform of the landing, x of the landing, nanoseconds.
    links: Vec<Vec<Jump>>,
    all: Vec<Jump>,
    speed: f64,
    top_speed: f64,
}

#[derive(Clone, Copy)]
struct Jump {
    number: usize,
    from: f32,
    to: f32,
    platform: usize,
    x: f32,
    time: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Node {
    Start,
    Link(usize),
    Goal,
}

impl Peer {
    fn new(layer: &Layer) -> Self {
        let along = |id, position| layer.platform(id).map_or(0.0, |p| p.along(position));
        let all: Vec<Jump> = (0..)
            .zip(layer.links())
            .map(|(number, link)| Jump {
                number,
                from: along(link.from_platform, link.from),
                to: along(link.to_platform, link.to),
                platform: link.to_platform.index(),
                x: link.to.x,
                time: (f64::from(link.duration) * 1e9) as u64,
            })
            .collect();
        let mut links = vec![Vec::new(); layer.platforms().len()];
        for (jump, link) in all.iter().zip(layer.links()) {
            links[link.from_platform.index()].push(*jump);
        }
        let speed = f64::from(layer.profile().run_speed);
        let speeds = layer.links().iter().filter(|l| l.kind != LinkKind::Portal);
        let speeds = speeds.map(|l| f64::from((l.to.x - l.from.x).abs() / l.duration));
        Self {
            links,
            all,
            speed,
            top_speed: speeds.fold(speed, f64::max),
        }
    }

    fn find(&self, layer: &Layer, query: &Query) -> f64 {
        let place = |position| match locate(layer, position) {
            Some(Location::Floor(spot)) => (spot.platform.index(), spot.position.x),
            _ => panic!("queries have paths"),
        };
        let (start, goal) = (place(query.from), place(query.to));
        let walk = |a: f32, b: f32| (f64::from((a - b).abs()) / self.speed * 1e9) as u64;
        let next = |node: &Node| {
            let (platform, x) = match *node {
                Node::Start => start,
                Node::Link(number) => (self.all[number].platform, self.all[number].to),
                Node::Goal => (usize::MAX, 0.0),
            };
            let links = self.links.get(platform).map_or(&[][..], |links| links);
            let links = links
                .iter()
                .map(move |jump| (Node::Link(jump.number), walk(x, jump.from) + jump.time));
            let end = (platform == goal.0).then(|| (Node::Goal, walk(x, goal.1)));
            links.chain(end)
        };
        let ahead = |node: &Node| {
            let x = match *node {
                Node::Start => start.1,
                Node::Link(number) => self.all[number].x,
                Node::Goal => goal.1,
            };
            (f64::from((x - goal.1).abs()) / self.top_speed * 0.999_999e9) as u64
        };
        let found = astar(&Node::Start, next, ahead, |node| *node == Node::Goal);
        found.map_or(f64::INFINITY, |(_, cost)| cost as f64 / 1e9)
    }
}
