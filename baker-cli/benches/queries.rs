//! Measures baking, loading, path queries and crowds beside peers, and prints one
//! table.
//!
//! `cargo bench -p navbake-benches --bench queries [-- FILE|SIDE...]`: baked files, of
//! which the first layer on foot and the first that only flies are used, or
//! generated levels of so many tiles a side; by default one of 250 and one of 500.
//!
//! Each query is timed several times and its least time counts; the table has
//! the average and the worst of these. The peers are what a game would write in an
//! hour with `pathfinding::astar`. On foot: a node for each link, whose successors
//! are all links of the platform that it lands on, and the distance across as the
//! estimate. In the air: a node for each free vertex with up to eight neighbours,
//! and the octile distance. They always search without a filter, so that their times
//! compare with every row.

mod levels;

use std::hint::black_box;
use std::time::Instant;

use levels::Noise;
use navmesh_bake::{NoProgress, Settings, bake};
use navmesh_runtime::asset;
use navmesh_runtime::glam::Vec2;
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, Layer, NavMesh, NavMeshParts, StepKind};
use navmesh_runtime::motion::PathQueue;
use navmesh_runtime::search::{
    CostArea, Doors, Filter, NoPath, PathFinder, PathOutcome, Query, Rect, SnapTo,
};
use navmesh_runtime::shared::PathSource;
use pathfinding::prelude::astar;

/// Repetitions of each query. With fewer, what else runs on the machine shows.
const TIMES: usize = 5;

/// Nodes that a queue may look at in a frame.
const NODES_A_FRAME: u32 = 4_000;

fn main() {
    // Cargo adds arguments of its own.
    let mut given: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with('-'))
        .collect();
    if given.is_empty() {
        given = vec!["250".to_owned(), "500".to_owned()];
    }
    let mut noise = vec![known_work()];
    println!("| what | peer | ours | times as fast | worst |");
    println!("|---|---|---|---|---|");
    for level in given {
        let begin = Instant::now();
        let mesh = match level.parse() {
            Ok(side) => {
                let mesh = generated(side);
                let seconds = begin.elapsed().as_secs_f64();
                println!("| **{level}**: bake | | {seconds:.2} s | | |");
                mesh
            }
            Err(_) => asset::load(&level).expect("the argument is a baked file or a number"),
        };
        let has = |layer: &&Layer, walks, flies| {
            let edges = layer.profile().edges;
            edges.walks() == walks && edges.contains(EdgeSet::FLY) == flies
        };
        if let Some(layer) = mesh.layers().iter().find(|layer| has(layer, true, false)) {
            on_foot(&level, &mesh, layer);
            noise.push(known_work());
        }
        if let Some(layer) = mesh.layers().iter().find(|layer| has(layer, false, true)) {
            in_the_air(&level, &mesh, layer);
            noise.push(known_work());
        }
    }
    noise.sort_by(f64::total_cmp);
    println!(
        "\nNoise: the same work took {:.1} to {:.1} ms between the sections.",
        noise[0] * 1e3,
        noise[noise.len() - 1] * 1e3,
    );
}

/// Seconds of some work that is the same every time.
fn known_work() -> f64 {
    let begin = Instant::now();
    let mut noise = Noise(3);
    for _ in 0..10_000_000 {
        black_box(noise.below(7));
    }
    begin.elapsed().as_secs_f64()
}

fn row(what: &str, peer: Option<f64>, runs: &Runs) {
    let micros = |seconds: f64| format!("{:.2} µs", seconds * 1e6);
    let times = peer.map(|peer| format!("{:.1}", peer / runs.average));
    println!(
        "| {what} | {} | {} | {} | {} |",
        peer.map(micros).unwrap_or_default(),
        micros(runs.average),
        times.unwrap_or_default(),
        micros(runs.worst),
    );
}

/// A generated level in which jumps reach the next row of ledges.
fn generated(side: usize) -> NavMesh {
    let mut agent = AgentProfile::ground("ground", 16.0);
    agent.jump_height = 68.0;
    agent.gravity = 800.0;
    agent.jump_speed = (2.0_f32 * 800.0 * 68.0).sqrt();
    agent.max_jump = [160.0, 68.0];
    agent.max_drop = [160.0, 300.0];
    let agents = vec![agent, AgentProfile::air("air", 16.0)];
    let level = levels::tile_level(side, 4, 30);
    bake(&level, &Settings::for_agents(agents), &NoProgress).expect("the level is valid")
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

fn on_foot(name: &str, mesh: &NavMesh, layer: &Layer) {
    let links = layer.links().len();
    let parts = alone(mesh, layer);
    let bytes = asset::encode(&NavMesh::new(parts.clone()).expect("the layer was valid before"));
    let load = least(9, || asset::decode(&bytes));
    let sums = least(9, || asset::verify(&bytes));
    let mut copies = vec![parts; 9];
    let check = least(9, || NavMesh::new(copies.pop()?).ok());
    println!(
        "| **{name}**, on foot: {} platforms, {links} links, {:.1} bytes a link | | | | |",
        layer.platforms().len(),
        bytes.len() as f64 / links as f64,
    );
    println!(
        "| load, {:.0} ns a link: checksums {:.3} ms, columns {:.3} ms, checks and indices {:.3} ms | | \
         {:.3} ms | | |",
        load / links as f64 * 1e9,
        sums * 1e3,
        (load - sums - check).max(0.0) * 1e3,
        check * 1e3,
        load * 1e3,
    );
    let is_large = links > 100_000;
    let count = if is_large { 100 } else { 1000 };
    let queries = queries(mesh, layer, count, true);
    if queries.is_empty() {
        return;
    }
    let peer = Peer::new(layer);
    let out_of_reach = self::queries(mesh, layer, count, false);
    let vain = run(&out_of_reach, |query| peer.find(layer, query));
    let peer_runs = run(&queries, |query| peer.find(layer, query));
    let peer_average = Some(peer_runs.average);
    let mut finder = PathFinder::new();
    let mut find = |query: &Query| match finder.find(layer, query) {
        Ok(PathOutcome::Found(path) | PathOutcome::Nearest(path, _)) => path.cost,
        _ => f64::INFINITY,
    };
    let searched = run(&queries, &mut find);
    row("query without the index", peer_average, &searched);
    let to_nearest = |name, find: &mut dyn FnMut(&Query) -> f64| {
        if !out_of_reach.is_empty() {
            row(name, Some(vain.average), &run(&out_of_reach, find));
        }
    };
    to_nearest("goal out of reach, without the index", &mut find);
    crowd("without the index", layer, &queries);
    index(mesh, layer);
    let indexed = run(&queries, &mut find);
    row("**query with the index**", peer_average, &indexed);
    to_nearest("goal out of reach", &mut find);
    let mut kinds = Vec::new();
    for (name, filter, speed) in filters(mesh, layer) {
        let filtered: Vec<Query> = queries
            .iter()
            .map(|query| {
                let mut query = Query {
                    filter: filter.clone(),
                    ..query.clone()
                };
                if speed < 1.0 {
                    let mut slow = layer.profile().clone();
                    slow.run_speed *= speed;
                    query.profile = Some(slow);
                }
                query
            })
            .collect();
        row(&name, peer_average, &run(&filtered, &mut find));
        kinds.push((name, filtered));
    }
    // The finder keeps what it computed for the last filters.
    let mut finder = PathFinder::new();
    for (name, filtered) in kinds
        .iter()
        .filter(|(_, kind)| is_own_kind(layer, &kind[0]))
    {
        let begin = Instant::now();
        let indexed = finder.index_routes(layer, &filtered[0]);
        let seconds = begin.elapsed().as_secs_f64();
        let runs = run(filtered, |query| match finder.find(layer, query) {
            Ok(PathOutcome::Found(path)) => path.cost,
            _ => f64::INFINITY,
        });
        let size = indexed.unwrap_or_default() as f64 / 1e6;
        let name = format!("{name}, own index ({seconds:.2} s, {size:.2} MB)");
        row(&name, peer_average, &runs);
    }
    crowd("with the index", layer, &queries);
    check_costs(&peer_runs, &indexed);
}

/// Whether agents that ask like a query differ from that of the bake in more than
/// doors and areas.
fn is_own_kind(layer: &Layer, query: &Query) -> bool {
    query.profile.is_some()
        || query.filter.caution > 0.0
        || !query.filter.edges.contains(layer.profile().edges)
}

fn in_the_air(name: &str, mesh: &NavMesh, layer: &Layer) {
    println!(
        "| **{name}**, in the air: {} vertices | | | | |",
        layer.grid().columns * layer.grid().rows
    );
    let queries = queries(mesh, layer, 100, true);
    if queries.is_empty() {
        return;
    }
    let peer = run(&queries, |query| flight_of_peer(layer, query));
    let mut finder = PathFinder::new();
    let mut find = |query: &Query| match finder.find(layer, query) {
        Ok(PathOutcome::Found(path)) => path.cost,
        _ => f64::INFINITY,
    };
    let searched = run(&queries, &mut find);
    row("flight without the index", Some(peer.average), &searched);
    crowd("in the air, without the index", layer, &queries);
    check_costs(&peer, &searched);
    if index(mesh, layer) == 0 {
        return;
    }
    let indexed = run(&queries, &mut find);
    row("**flight with the index**", Some(peer.average), &indexed);
    crowd("in the air, with the index", layer, &queries);
    check_costs(&peer, &indexed);
}

/// Builds the index of a layer, and that of a copy from a file which stores it. Prints
/// how long that takes. Returns the size of the index.
fn index(mesh: &NavMesh, layer: &Layer) -> usize {
    let begin = Instant::now();
    let size = layer.index_routes();
    println!(
        "| building the index, {:.2} MB | | {:.3} s | | |",
        size as f64 / 1e6,
        begin.elapsed().as_secs_f64(),
    );
    let mut stored = NavMesh::new(alone(mesh, layer)).expect("the layer was valid before");
    let without = asset::encode(&stored).len();
    if let Some(id) = stored.layer_id(&layer.profile().name) {
        stored.store_index(id);
    }
    let bytes = asset::encode(&stored);
    let mut copies: Vec<_> = (0..9).map(|_| asset::decode(&bytes)).collect();
    let built = least(9, || Some(copies.pop()?.ok()?.layers()[0].index_routes()));
    println!(
        "| building it from a file that stores it, in {} of {} bytes | | {:.2} ms | | |",
        bytes.len() - without,
        bytes.len(),
        built * 1e3,
    );
    size
}

fn check_costs(peer: &Runs, ours: &Runs) {
    let pairs = || peer.costs.iter().zip(&ours.costs);
    let equal = pairs().filter(|(a, b)| (*a - *b).abs() <= 1e-5 * (1.0 + *a));
    let equal = equal.count();
    println!(
        "| {equal} of {} paths cost as much as the peer's | | | | |",
        pairs().count()
    );
}

/// Many agents with new destinations in one frame, which a queue answers within a
/// budget for each frame.
fn crowd(name: &str, layer: &Layer, queries: &[Query]) {
    const COUNT: usize = 10_000;
    let mut queue = PathQueue::new();
    let mut tickets = vec![None; COUNT];
    for (ticket, query) in tickets.iter_mut().zip(queries.iter().cycle()) {
        let _ = black_box(queue.ask(layer, ticket, query));
    }
    let (mut frames, mut seconds) = (0, 0.0);
    while !queue.is_empty() {
        let begin = Instant::now();
        queue.work(layer, NODES_A_FRAME);
        seconds += begin.elapsed().as_secs_f64();
        frames += 1;
    }
    println!(
        "| {COUNT} destinations {name}: {frames} frames of {NODES_A_FRAME} nodes | | {:.2} µs each | | |",
        seconds / COUNT as f64 * 1e6,
    );
}

/// The parts of a mesh with one layer only.
fn alone(mesh: &NavMesh, layer: &Layer) -> NavMeshParts {
    NavMeshParts {
        provenance: mesh.provenance().clone(),
        units: mesh.units(),
        grid: *mesh.grid(),
        layers: vec![layer.parts().clone()],
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

/// Queries between random positions that have a path; none, in a level in which
/// hardly any two have. If not `in_reach`, those that have none, for the path to the
/// nearest point.
fn queries(mesh: &NavMesh, layer: &Layer, count: usize, in_reach: bool) -> Vec<Query> {
    let (mut noise, mut finder) = (Noise(5), PathFinder::new());
    // Only to find the queries faster.
    let indexed = layer.clone();
    if layer.profile().edges.walks() {
        indexed.index_routes();
    }
    let mut queries = Vec::new();
    for tries in 1.. {
        if queries.len() == count {
            return queries;
        }
        if tries > 10_000 * (queries.len() + 1) {
            break;
        }
        let mut query = Query::new(somewhere(mesh, &mut noise), somewhere(mesh, &mut noise));
        let outcome = finder.find(&indexed, &query);
        let is_wanted = match outcome {
            Ok(PathOutcome::Found(_)) => in_reach,
            Ok(PathOutcome::NoPath(why)) => !in_reach && why == NoPath::Disconnected,
            _ => false,
        };
        query.allow_partial_path = !in_reach;
        queries.extend(is_wanted.then_some(query));
    }
    println!("| no such routes | | | | |");
    Vec::new()
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
    no_drop.edges = layer.profile().edges - EdgeSet::DROP_THROUGH - EdgeSet::PORTAL;
    let mut careful = Filter::default();
    careful.caution = 0.5;
    let mut resolves = Filter::default();
    resolves.replace_jumps = true;
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

/// The cost of a flight, by a search over the free vertices.
fn flight_of_peer(layer: &Layer, query: &Query) -> f64 {
    let place = |position| {
        let place = layer
            .snap(position, SnapTo::PathEnd)
            .expect("queries have paths");
        let cell = layer.grid().nearest_cell(place.position);
        (cell.column, cell.row)
    };
    let (start, goal) = (place(query.from), place(query.to));
    let step = f64::from(layer.grid().spacing / layer.profile().run_speed) * 1e9;
    let (straight, diagonal) = (step as u64, (step * std::f64::consts::SQRT_2) as u64);
    let is_free = |column, row| !layer.parts().blocked.get(column, row);
    let next = |&(column, row): &(u32, u32)| {
        let ways = (0..9_u32).filter(|way| *way != 4).filter_map(move |way| {
            let (x, y) = (
                (column + way % 3).checked_sub(1)?,
                (row + way / 3).checked_sub(1)?,
            );
            let is_open = x < layer.grid().columns
                && y < layer.grid().rows
                && is_free(x, y)
                && is_free(column, y)
                && is_free(x, row);
            let is_straight = x == column || y == row;
            is_open.then_some(((x, y), if is_straight { straight } else { diagonal }))
        });
        ways.collect::<Vec<_>>()
    };
    let ahead = |&(column, row): &(u32, u32)| {
        let (x, y) = (column.abs_diff(goal.0), row.abs_diff(goal.1));
        let (long, short) = (u64::from(x.max(y)), u64::from(x.min(y)));
        (long - short) * straight + short * diagonal
    };
    let found = astar(&start, next, ahead, |node| *node == goal);
    found.map_or(f64::INFINITY, |(_, cost)| cost as f64 / 1e9)
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
                platform: link.to_platform.0 as usize,
                x: link.to.x,
                time: (f64::from(link.duration) * 1e9) as u64,
            })
            .collect();
        let mut links = vec![Vec::new(); layer.platforms().len()];
        for (jump, link) in all.iter().zip(layer.links()) {
            links[link.from_platform.0 as usize].push(*jump);
        }
        let speed = f64::from(layer.profile().run_speed);
        let speeds = layer.links().iter().filter(|l| l.kind != StepKind::Portal);
        let speeds = speeds.map(|l| f64::from((l.to.x - l.from.x).abs() / l.duration));
        Self {
            links,
            all,
            speed,
            top_speed: speeds.fold(speed, f64::max),
        }
    }

    fn find(&self, layer: &Layer, query: &Query) -> f64 {
        let place = |position| {
            let place = layer
                .snap(position, SnapTo::PathEnd)
                .expect("queries have paths");
            let platform = place.platform.expect("queries are on foot");
            (platform.0 as usize, place.position.x)
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
