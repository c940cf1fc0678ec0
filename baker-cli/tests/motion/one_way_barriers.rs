//! Agents that move differently from what was baked (slower, weaker, or
//! falling) respect one-way walls and ceilings.

use crate::common;
use crate::random_cases;

use common::{Geometry, Tiles, rich_tiles};
use glam::{DVec2, Vec2};
use navmesh_bake::{NoProgress, Settings, bake};
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, Layer, LayerParts, NavMesh, NavMeshParts};
use navmesh_runtime::motion::{Airborne, Environment as Place, NavAgent};
use navmesh_runtime::search::PathFinder;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

fn mesh(tiles: &Tiles) -> NavMesh {
    let mut agent = AgentProfile::ground("ground", 16.0);
    // Jumps do not matter here, and take most of the time with a limit.
    agent.air_acceleration = None;
    agent.edges = EdgeSet::FLOOR | EdgeSet::JUMP | EdgeSet::DROP;
    let settings = Settings::for_agents(vec![agent]);
    bake(&tiles.level(), &settings, &NoProgress).unwrap()
}

/// Whether a body that moves a little goes through a one-way tile against its
/// direction: its back or its head comes from beyond the tile to where it
/// overlaps it by more than `skin`.
fn comes_back(tiles: &Tiles, from: Vec2, to: Vec2, body: DVec2, skin: f64) -> bool {
    // Touching a corner between two points of the motion does not count.
    const GRAZE: f64 = 5e-2;
    let (a, b) = (from.as_dvec2(), to.as_dvec2());
    tiles.one_ways().into_iter().any(|(way, min, max)| {
        let (from, to, line) = match way {
            '>' => (a.x, b.x, max.x + 0.5 * body.x - skin),
            '<' => (-a.x, -b.x, -(min.x - 0.5 * body.x) - skin),
            _ => (a.y, b.y, max.y + body.y - skin),
        };
        if from < line || to >= line {
            return false;
        }
        let at = a.lerp(b, (from - line) / (from - to));
        // Also at the end: between two points it may go past the tile first and then aside.
        [at, b].into_iter().all(|at| {
            if way == 'v' {
                at.x + 0.5 * body.x - GRAZE > min.x && at.x - 0.5 * body.x + GRAZE < max.x
            } else {
                at.y - GRAZE > min.y && at.y - body.y + GRAZE < max.y
            }
        })
    })
}

/// Where a motion leads through a one-way tile against its direction. Floors
/// end just before such tiles, so an overlap within rounding proves nothing; it
/// counts if the overlap is also found with a larger tolerance.
fn goes_through(tiles: &Tiles, points: &[Vec2], body: DVec2) -> Option<Vec2> {
    let first = |skin| {
        let mut moves = points.windows(2);
        moves.find(|pair| comes_back(tiles, pair[0], pair[1], body, skin))
    };
    let (touched, crossed) = (first(0.0), first(1e-3));
    touched.and(crossed).map(|pair| pair[1])
}

/// Makes every link that an agent of some speed and jump can make, and lists
/// those that lead through a one-way tile.
fn ways(tiles: &Tiles, layer: &Layer, profile: &AgentProfile) -> (usize, Vec<String>) {
    let body = DVec2::from(layer.profile().body.map(f64::from));
    let (mut other, mut wrong) = (0, Vec::new());
    for link in layer.links().iter().filter(|link| link.kind.is_airborne()) {
        let Some(mut way) = Airborne::along(link, layer, profile) else {
            continue;
        };
        other += usize::from((way.duration() - f64::from(link.duration)).abs() > 1e-4);
        let dt = way.duration() / 400.0;
        let mut points = vec![way.position()];
        while way.advance(dt).is_none() {
            points.push(way.position());
        }
        if let Some(at) = goes_through(tiles, &points, body) {
            wrong.push(format!("{link:?} at {at}"));
        }
    }
    (other, wrong)
}

fn without_gates(mesh: &NavMesh) -> NavMesh {
    let layers = mesh.layers().iter().map(|layer| LayerParts {
        barriers: Vec::new(),
        air: Vec::new(),
        ..layer.parts().clone()
    });
    NavMesh::new(NavMeshParts {
        provenance: mesh.provenance().clone(),
        units: mesh.units(),
        grid: *mesh.grid(),
        layers: layers.collect(),
        markers: Vec::new(),
    })
    .unwrap()
}

/// On many levels; without the barriers of the mesh the check fails.
#[test]
fn jumps_that_were_not_baked_respect_one_way_walls() {
    let mut runner = TestRunner::deterministic();
    let (mut made, mut wrong_without) = (0, 0);
    for i in 0..20_u8 {
        let tiles = rich_tiles(10..24, 6..12, 16)
            .new_tree(&mut runner)
            .unwrap()
            .current();
        let mesh = mesh(&tiles);
        let layer = &mesh.layers()[0];
        let baked = layer.profile().clone();
        let part = f32::from(i % 5) / 5.0;
        let profile = AgentProfile {
            run_speed: baked.run_speed * (0.4 + 0.5 * part),
            jump_speed: baked.jump_speed * (1.0 - 0.2 * part),
            ..baked.clone()
        };
        let (other, wrong) = ways(&tiles, layer, &profile);
        assert!(wrong.is_empty(), "{wrong:#?}\n{:#?}", tiles.lines());
        made += other;
        let bare = without_gates(&mesh);
        wrong_without += ways(&tiles, &bare.layers()[0], &profile).1.len();
    }
    assert!(made > 180, "{made}");
    assert!(
        wrong_without > 1,
        "{wrong_without} ways went through without gates"
    );
}

proptest! {
    #![proptest_config(random_cases::cases(24))]

    /// A body that falls from anywhere, or is thrown, passes no one-way tile in
    /// the wrong direction.
    #[test]
    fn falls_respect_one_way_walls(
        tiles in rich_tiles(8..20, 6..12, 16),
        spots in proptest::collection::vec((-1.0f32..1.0, -0.5f32..3.0), 60),
    ) {
        let mesh = mesh(&tiles);
        let layer = &mesh.layers()[0];
        let body = DVec2::from(layer.profile().body.map(f64::from));
        let mut finder = PathFinder::new();
        // In the air, near where the tiles stop a body.
        let lines = tiles.one_ways().into_iter().map(|(way, min, max)| match way {
            '>' => Vec2::new(max.x as f32 + 6.0, min.y as f32),
            '<' => Vec2::new(min.x as f32 - 6.0, min.y as f32),
            _ => Vec2::new(min.x as f32 + 8.0, max.y as f32),
        });
        let lines: Vec<Vec2> = lines.collect();
        for ((x, y), line) in spots.iter().zip(lines.iter().cycle()) {
            let at = *line + Vec2::new(x * x * x * 8.0, y * 16.0);
            if tiles.blocked(at.as_dvec2(), body, 0.0) {
                continue;
            }
            let mut agent = NavAgent::new(layer, at);
            let mut fall = || agent.step(Place::new(layer), &mut finder, 0.01).position;
            let points: Vec<Vec2> = std::iter::repeat_with(&mut fall).take(400).collect();
            let through = goes_through(&tiles, &points, body);
            prop_assert!(through.is_none(), "{at}: {through:?}\n{:#?}", tiles.lines());
            let mut thrown = NavAgent::new(layer, at);
            thrown.step(Place::new(layer), &mut finder, 0.0);
            thrown.launch(Vec2::new(x * 250.0, y * 150.0 - 200.0));
            let mut fly = || thrown.step(Place::new(layer), &mut finder, 0.01).position;
            let points: Vec<Vec2> = std::iter::repeat_with(&mut fly).take(400).collect();
            let through = goes_through(&tiles, &points, body);
            prop_assert!(through.is_none(), "thrown from {at}: {through:?}\n{:#?}", tiles.lines());
        }
    }
}

/// It would land a quarter of a unit behind the wall.
#[test]
fn a_one_way_wall_stops_a_thrown_body_just_before_it_lands() {
    let rows = [
        "####..........v",
        "...##----------",
        "..............>",
        "...........#.>>",
        "H----.......#>#",
        "H##............",
        "...............",
        "..........vvvv#",
        "##############.",
    ];
    let tiles = Tiles::new(16, &rows);
    let mesh = mesh(&tiles);
    let layer = &mesh.layers()[0];
    let body = DVec2::from(layer.profile().body.map(f64::from));
    let mut finder = PathFinder::new();
    let mut thrown = NavAgent::new(layer, Vec2::new(231.829_76, 57.847_836));
    thrown.step(Place::new(layer), &mut finder, 0.0);
    thrown.launch(Vec2::new(-69.2, 192.3));
    let mut fly = || thrown.step(Place::new(layer), &mut finder, 0.01).position;
    let points: Vec<Vec2> = std::iter::repeat_with(&mut fly).take(100).collect();
    assert_eq!(goes_through(&tiles, &points, body), None, "{points:?}");
}

/// Where a body that is pushed along the floor comes to a stop.
fn pushed(tiles: &Tiles, from: DVec2, side: f64, body: DVec2, flies: bool) -> f64 {
    let mut at = from;
    loop {
        let next = at + DVec2::new(side * 0.25, 0.0);
        let (min, max) = (
            next - DVec2::new(0.5 * body.x, body.y),
            next + DVec2::new(0.5 * body.x, 0.0),
        );
        let slack = DVec2::splat(1e-3);
        let is_closed =
            flies && tiles.overlaps(min + slack, max - slack, |tile| "<>v".contains(tile));
        let goes_back = comes_back(tiles, at.as_vec2(), next.as_vec2(), body, 0.0);
        if is_closed
            || goes_back
            || tiles.blocked(next, body, 1e-3)
            || !tiles.supported(next, body, 1e-3)
        {
            return at.x;
        }
        at = next;
    }
}

#[test]
fn a_platform_ends_where_a_body_cannot_be_pushed_on() {
    let mut runner = TestRunner::deterministic();
    let strategy = rich_tiles(12..24, 8..14, 16);
    let (mut asked, mut beyond) = (0, 0);
    for _ in 0..random_cases::times(60) {
        let tiles = strategy.new_tree(&mut runner).unwrap().current();
        let mut agents = vec![
            AgentProfile::ground("ground", 16.0),
            AgentProfile::ground("air", 16.0),
        ];
        agents[0].edges = EdgeSet::FLOOR | EdgeSet::JUMP | EdgeSet::DROP;
        agents[1].edges = EdgeSet::FLY;
        agents[0].air_acceleration = None;
        let mesh = bake(&tiles.level(), &Settings::for_agents(agents), &NoProgress).unwrap();
        for layer in mesh.layers() {
            let flies = layer.profile().edges.contains(EdgeSet::FLY);
            let body = DVec2::from(layer.profile().body.map(f64::from));
            for platform in layer.platforms() {
                let middle = platform.left().midpoint(platform.right());
                let above = middle - Vec2::new(0.0, 3.0);
                let ends = layer.platform_ends(above).unwrap();
                for (end, side) in ends.into_iter().zip([-1.0, 1.0]) {
                    let stop = pushed(&tiles, middle.as_dvec2(), side, body, flies);
                    // The level ends where its tiles do.
                    let stop = stop.clamp(0.0, tiles.width());
                    assert!(
                        (f64::from(end.x) - stop).abs() <= 0.26 && end.y == middle.y,
                        "{} from {middle}: {end}, not {stop}\n{}",
                        layer.profile().name,
                        tiles.lines().join("\n"),
                    );
                    asked += 1;
                }
                beyond += usize::from(ends != [platform.left(), platform.right()]);
            }
        }
    }
    let enough = asked > random_cases::share(2000) && beyond > random_cases::share(20);
    assert!(enough, "{asked} {beyond}");
}
