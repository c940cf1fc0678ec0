//! Filters, doors and cost areas in a level built by hand:
//!
//! ```text
//!                        140      220
//!                         --- 2 ---            y = 40
//!   4      100           140                300
//!   --- 0 ---             -------- 1 --------  y = 80
//! ```
//!
//! with jumps 0 → 1 and 1 → 2 and drops 2 → 1.

use crate::soak;
use crate::worlds;

use StepKind::{Drop, Floor, Fly, Jump};
use glam::Vec2;
use navmesh_runtime::mesh::{
    BitGrid, EdgeSet, Launch, LayerParts, Link, LinkId, NavMesh, PlatformId, Platforms, StepKind,
    TrajectoryParams,
};
use navmesh_runtime::search::{
    CostArea, Doors, Filter, NoPath, Path, PathFinder, PathOutcome, Query, QueryError, Rect,
};
use proptest::prelude::*;
use worlds::Dice;

const SPEED: f64 = 90.0;

fn level(edges: EdgeSet) -> NavMesh {
    let grid = worlds::grid(40, 20);
    let profile = worlds::profile("grunt", edges);
    let line = |a: f32, b: f32, y: f32| vec![Vec2::new(a, y), Vec2::new(b, y)];
    let surfaces = [
        line(4.0, 100.0, 80.0),
        line(140.0, 300.0, 80.0),
        line(140.0, 220.0, 40.0),
    ];
    let link = |from: (u32, f32, f32), to: (u32, f32, f32), speed: f32| {
        let launch = Launch {
            time: 0.0,
            speed: speed.into(),
        };
        let params = TrajectoryParams::new(&[launch], &[]).unwrap();
        let (a, b) = (Vec2::new(from.1, from.2), Vec2::new(to.1, to.2));
        let arc = params.between(a, b, 800.0, 1.0).unwrap();
        Link {
            kind: if speed > 0.0 {
                StepKind::Jump
            } else {
                StepKind::Drop
            },
            from_platform: PlatformId(from.0),
            to_platform: PlatformId(to.0),
            from: a,
            to: b,
            duration: arc.duration as f32,
            tolerance: 0.0,
            params,
        }
    };
    let mut links = vec![
        link((0, 100.0, 80.0), (1, 140.0, 80.0), 200.0),
        link((1, 150.0, 80.0), (2, 150.0, 40.0), 300.0),
        link((2, 220.0, 40.0), (1, 230.0, 80.0), 0.0),
    ];
    links.retain(|link| {
        let edge = link.kind.of_step().name();
        edges.names().any(|name| name == edge)
    });
    worlds::one_layer(
        grid,
        LayerParts {
            profile,
            blocked: BitGrid::new(40, 20),
            platforms: Platforms::new(surfaces).unwrap(),
            links,
            barriers: vec![],
            air: vec![],
            lines: Vec::new(),
        },
    )
}

fn on_foot() -> EdgeSet {
    EdgeSet::ALL - EdgeSet::CLIMB - EdgeSet::FLY
}

fn ask(mesh: &NavMesh, from: [f32; 2], to: [f32; 2], filter: Filter) -> Result<Path, NoPath> {
    let query = Query {
        filter,
        ..Query::new(from.into(), to.into())
    };
    match PathFinder::new().find(&mesh.layers()[0], &query).unwrap() {
        PathOutcome::Found(path) => Ok(path.clone()),
        PathOutcome::NoPath(why) => Err(why),
        other => panic!("{other:?}"),
    }
}

fn door(a: [f32; 2], b: [f32; 2]) -> Filter {
    let mut doors = Doors::new();
    doors.close_region(Rect::new(a.into(), b.into()));
    let mut filter = Filter::default();
    filter.close_doors(&doors);
    filter
}

fn kinds(path: &Path) -> Vec<StepKind> {
    path.steps.iter().map(|step| step.kind).collect()
}

#[track_caller]
fn assert_cost(path: &Path, expected: f64) {
    assert!(
        (path.cost - expected).abs() < 1e-5,
        "{} is not {expected}",
        path.cost
    );
}

#[test]
fn a_walk_is_one_step_and_costs_its_length() {
    let mesh = level(on_foot());
    let path = ask(&mesh, [10.0, 80.0], [90.0, 80.0], Filter::default()).unwrap();
    assert_eq!(kinds(&path), [Floor]);
    assert_cost(&path, 80.0 / SPEED);
    // Positions near the floor are located on it.
    let path = ask(&mesh, [10.0, 75.0], [102.0, 90.0], Filter::default()).unwrap();
    assert_eq!(
        (path.start, path.end),
        (Vec2::new(10.0, 80.0), Vec2::new(100.0, 80.0))
    );
    let path = ask(&mesh, [10.0, 80.0], [10.0, 80.0], Filter::default()).unwrap();
    assert!(path.steps.is_empty() && path.cost == 0.0);
}

#[test]
fn a_path_walks_jumps_and_walks() {
    let mesh = level(on_foot());
    let path = ask(&mesh, [10.0, 80.0], [210.0, 40.0], Filter::default()).unwrap();
    assert_eq!(kinds(&path), [Floor, Jump, Floor, Jump, Floor]);
    assert_eq!(path.steps[1].link, Some(LinkId(0)));
    assert_eq!(path.steps[4].platform, Some(PlatformId(2)));
}

#[test]
fn the_reason_for_no_path_is_reported() {
    let mesh = level(on_foot());
    let open = Filter::default;
    let back = ask(&mesh, [200.0, 80.0], [10.0, 80.0], open());
    assert_eq!(back, Err(NoPath::Disconnected));
    let from_nowhere = ask(&mesh, [10.0, 20.0], [20.0, 80.0], open());
    assert_eq!(from_nowhere, Err(NoPath::StartNotNavigable));
    let to_nowhere = ask(&mesh, [20.0, 80.0], [10.0, 20.0], open());
    assert_eq!(to_nowhere, Err(NoPath::GoalNotNavigable));
    let mut no_jumps = open();
    no_jumps.edges = EdgeSet::FLOOR | EdgeSet::DROP;
    let without = ask(&mesh, [10.0, 80.0], [200.0, 80.0], no_jumps);
    assert_eq!(without, Err(NoPath::Exhausted));
    let mut no_floor = open();
    no_floor.keep_off_floor = true;
    assert!(ask(&mesh, [10.0, 80.0], [20.0, 80.0], no_floor).is_err());
}

#[test]
fn a_path_to_the_nearest_point_ends_there() {
    let mesh = level(on_foot());
    let mut finder = PathFinder::new();
    let back = Query {
        allow_partial_path: true,
        ..Query::new(Vec2::new(200.0, 40.0), Vec2::new(10.0, 80.0))
    };
    let PathOutcome::Nearest(path, NoPath::Disconnected) =
        finder.find(&mesh.layers()[0], &back).unwrap()
    else {
        panic!("expected a path to the nearest point");
    };
    assert_eq!(path.end, Vec2::new(140.0, 80.0));
    assert_eq!(kinds(path), [Floor, Drop, Floor]);
    let off = Query {
        allow_partial_path: true,
        ..Query::new(Vec2::new(10.0, 80.0), Vec2::new(90.0, 0.0))
    };
    let outcome = finder.find(&mesh.layers()[0], &off).unwrap();
    assert!(matches!(
        outcome,
        PathOutcome::Nearest(_, NoPath::GoalNotNavigable)
    ));
}

#[test]
fn a_path_avoids_a_closed_door() {
    let mesh = level(on_foot());
    // The body is 12 wide: feet between 174 and 196 are in the door.
    let closed = || door([180.0, 60.0], [190.0, 90.0]);
    let path = ask(&mesh, [145.0, 80.0], [250.0, 80.0], closed()).unwrap();
    assert_eq!(kinds(&path), [Floor, Jump, Floor, Drop, Floor]);
    let walk = ask(&mesh, [145.0, 80.0], [174.0, 80.0], closed()).unwrap();
    assert_cost(&walk, 29.0 / SPEED);
    assert_eq!(
        ask(&mesh, [175.0, 80.0], [145.0, 80.0], closed()),
        Err(NoPath::StartClosed)
    );
    assert_eq!(
        ask(&mesh, [145.0, 80.0], [195.0, 80.0], closed()),
        Err(NoPath::GoalClosed)
    );
    // Above the head (16), or below the feet: not on the path.
    for free in [
        door([180.0, 50.0], [190.0, 64.0]),
        door([180.0, 80.0], [190.0, 90.0]),
    ] {
        assert_eq!(
            kinds(&ask(&mesh, [145.0, 80.0], [250.0, 80.0], free).unwrap()),
            [Floor]
        );
    }
}

#[test]
fn a_door_in_the_air_closes_links_through_it() {
    let mesh = level(on_foot());
    // The jump over the gap rises 25 at its middle, x = 120.
    let through = door([118.0, 40.0], [122.0, 60.0]);
    assert_eq!(
        ask(&mesh, [10.0, 80.0], [150.0, 80.0], through),
        Err(NoPath::Exhausted)
    );
    for free in [
        door([118.0, 81.0], [122.0, 99.0]),
        door([118.0, 0.0], [122.0, 38.0]),
    ] {
        assert!(ask(&mesh, [10.0, 80.0], [150.0, 80.0], free).is_ok());
    }
}

#[test]
fn cost_areas_multiply_time_inside() {
    let mesh = level(on_foot());
    let area = |a: [f32; 2], b: [f32; 2], factor| CostArea {
        area: Rect::new(a.into(), b.into()),
        factor,
    };
    let mut filter = Filter::default();
    filter.costs.push(area([160.0, 70.0], [170.0, 90.0], 3.0));
    let path = ask(&mesh, [150.0, 80.0], [180.0, 80.0], filter.clone()).unwrap();
    assert_cost(&path, (30.0 + 2.0 * 10.0) / SPEED);
    assert!((f64::from(path.steps[0].duration) - 30.0 / SPEED).abs() < 1e-6);
    // Overlapping areas add up.
    filter.costs.push(area([165.0, 70.0], [200.0, 90.0], 2.0));
    let path = ask(&mesh, [150.0, 80.0], [180.0, 80.0], filter).unwrap();
    assert_cost(&path, (30.0 + 2.0 * 10.0 + 15.0) / SPEED);
    // A jump that is inside all the time.
    let plain = ask(&mesh, [100.0, 80.0], [140.0, 80.0], Filter::default()).unwrap();
    let mut filter = Filter::default();
    filter.costs.push(area([0.0, 0.0], [400.0, 200.0], 4.0));
    let path = ask(&mesh, [100.0, 80.0], [140.0, 80.0], filter.clone()).unwrap();
    assert_cost(&path, 4.0 * plain.cost);
    // Its own time counts, for an agent under another gravity too.
    let mut own = worlds::profile("grunt", on_foot());
    own.gravity *= 0.8;
    let cost = |filter: Filter| {
        let mut query = Query::new(Vec2::new(100.0, 80.0), Vec2::new(140.0, 80.0));
        (query.filter, query.profile) = (filter, Some(own.clone()));
        let mut finder = PathFinder::new();
        let outcome = finder.find(&mesh.layers()[0], &query).unwrap();
        let PathOutcome::Found(path) = outcome else {
            panic!("{outcome:?}")
        };
        path.cost
    };
    let light = cost(Filter::default());
    assert!((light - plain.cost).abs() > 1e-3, "{light}");
    assert!((cost(filter.clone()) - 4.0 * light).abs() < 1e-6);
    // With a high factor, the path leads over platform 2 instead.
    let mut filter = Filter::default();
    filter.costs.push(area([180.0, 70.0], [190.0, 90.0], 50.0));
    let path = ask(&mesh, [145.0, 80.0], [250.0, 80.0], filter).unwrap();
    assert!(kinds(&path).contains(&Jump));
}

#[test]
fn filters_apply_to_flights() {
    let mesh = level(EdgeSet::FLY);
    let at = |column, row| {
        let cell = navmesh_runtime::mesh::Cell { column, row };
        mesh.grid().position(cell).to_array()
    };
    let straight = ask(&mesh, at(1, 5), at(30, 5), Filter::default()).unwrap();
    assert_eq!(kinds(&straight), [Fly]);
    assert_cost(&straight, 29.0 * 8.0 / SPEED);
    // Along platform 0 only.
    let mut low = Filter::default();
    low.keep_to_floor = true;
    assert!(ask(&mesh, at(1, 9), at(11, 9), low.clone()).is_ok());
    assert_eq!(
        ask(&mesh, at(1, 9), at(20, 9), low.clone()),
        Err(NoPath::Exhausted)
    );
    assert_eq!(
        ask(&mesh, at(1, 5), at(2, 5), low),
        Err(NoPath::StartClosed)
    );
    // A wall of expensive air from the top to just above the bottom row.
    let mut filter = Filter::default();
    let area = Rect::new(Vec2::new(120.0, -9.0), Vec2::new(124.0, 153.0));
    filter.costs.push(CostArea {
        area,
        factor: 1000.0,
    });
    let round = ask(&mesh, at(1, 17), at(30, 17), filter.clone()).unwrap();
    assert_cost(&round, (25.0 + 4.0 * 2.0_f64.sqrt()) * 8.0 / SPEED);
    filter.costs[0].factor = 1.5;
    let through = ask(&mesh, at(1, 17), at(30, 17), filter).unwrap();
    assert_cost(&through, (29.0 * 8.0 + 4.0 * 0.5) / SPEED);
}

#[test]
fn filtered_flights_begin_and_end_between_vertices() {
    let mesh = level(EdgeSet::FLY);
    let corner = |column, row| {
        let cell = navmesh_runtime::mesh::Cell { column, row };
        mesh.grid().position(cell)
    };
    let (from, to) = (corner(4, 5) + Vec2::new(-3.0, 1.0), corner(25, 5) + 2.5);
    // It is flown around.
    let mut filter = Filter::default();
    filter.costs.push(CostArea {
        area: Rect::new(Vec2::new(120.0, 38.0), Vec2::new(124.0, 60.0)),
        factor: 1000.0,
    });
    let path = ask(&mesh, from.to_array(), to.to_array(), filter.clone()).unwrap();
    assert_eq!((path.start, path.end), (from, to));
    let (first, last) = (path.steps[0], path.steps[path.steps.len() - 1]);
    assert_eq!((first.from, last.to), (from, to));
    assert!(path.steps.windows(2).all(|pair| pair[0].to == pair[1].from));
    let length: f32 = path.steps.iter().map(|s| s.from.distance(s.to)).sum();
    assert_cost(&path, f64::from(length) / SPEED);
    // Not to a vertex and back.
    let near = from + Vec2::new(2.5, 1.0);
    let path = ask(&mesh, from.to_array(), near.to_array(), filter).unwrap();
    assert_eq!(path.steps.len(), 1);
    assert_cost(&path, f64::from(from.distance(near)) / SPEED);
}

#[test]
fn an_agent_that_walks_and_flies_uses_the_filtered_edges() {
    let mesh = level(EdgeSet::ALL - EdgeSet::CLIMB);
    let (from, to) = ([10.0, 80.0], [145.0, 80.0]);
    let both = ask(&mesh, from, to, Filter::default()).unwrap();
    assert!(kinds(&both).contains(&Fly) || kinds(&both).contains(&Jump));
    let mut filter = Filter::default();
    filter.edges = EdgeSet::FLOOR | EdgeSet::JUMP;
    let foot = ask(&mesh, from, to, filter.clone()).unwrap();
    assert!(kinds(&foot).contains(&Jump));
    assert!(both.cost <= foot.cost + 1e-6);
    filter.edges = EdgeSet::FLOOR | EdgeSet::FLY;
    let wings = ask(&mesh, from, to, filter.clone()).unwrap();
    assert_eq!(kinds(&wings), [Floor, Fly, Floor]);
    filter.edges = EdgeSet::FLY;
    assert_eq!(kinds(&ask(&mesh, from, to, filter).unwrap()), [Fly]);
}

#[test]
fn queries_out_of_range_are_rejected() {
    let mesh = level(on_foot());
    let layer = &mesh.layers()[0];
    let mut finder = PathFinder::new();
    let here = Vec2::new(10.0, 80.0);
    assert_eq!(finder.step(layer, 1), Err(QueryError::NotStarted));
    let nan = Query::new(here, Vec2::new(f32::NAN, 0.0));
    assert_eq!(finder.find(layer, &nan), Err(QueryError::Position));
    let mut filter = Filter::default();
    filter.costs.push(CostArea {
        area: Rect::new(here, here),
        factor: 0.5,
    });
    let cheap = Query {
        filter,
        ..Query::new(here, here)
    };
    let error = finder.find(layer, &cheap).unwrap_err();
    assert!(error.to_string().contains("factor"), "{error}");
    finder.start(layer, &Query::new(here, here)).unwrap();
    let other = worlds::large(EdgeSet::FLY);
    assert_eq!(
        finder.step(&other.layers()[0], 9),
        Err(QueryError::OtherLayer)
    );
    // An equal layer of another mesh is another layer.
    let twin = level(on_foot());
    assert_eq!(
        finder.step(&twin.layers()[0], 9),
        Err(QueryError::OtherLayer)
    );
    assert!(finder.step(&layer.clone(), 9).is_ok());
    assert!(finder.step(layer, 9).is_ok());
}

proptest! {
    #![proptest_config(soak::cases(100))]

    /// No path leads through a closed door.
    #[test]
    fn no_path_leads_through_a_closed_door(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let plan = worlds::Plan {
            columns: 40,
            rows: 20,
            links: 4,
            edges: [on_foot(), EdgeSet::ALL - EdgeSet::CLIMB][dice.below(2) as usize],
            ..worlds::Plan::random(&mut dice)
        };
        let mesh = worlds::mesh(plan, 1, &mut dice);
        if dice.chance(0.5) {
            mesh.layers()[0].index_routes();
        }
        let (layer, down) = (&mesh.layers()[0], mesh.down());
        let size = Vec2::new(40.0, 20.0) * mesh.grid().spacing;
        let mut somewhere = || {
            mesh.grid().origin + size * Vec2::new(dice.unit(), down * dice.unit())
        };
        let mut finder = PathFinder::new();
        for _ in 0..4 {
            let mut doors = Doors::new();
            for _ in 0..3 {
                let corner = somewhere();
                doors.close_region(Rect::new(corner, corner + size * 0.06));
            }
            let mut filter = Filter::default();
            filter.close_doors(&doors);
            let query = Query { filter, allow_partial_path: true, ..Query::new(somewhere(), somewhere()) };
            let outcome = finder.find(layer, &query).unwrap();
            for step in outcome.path().map_or(&[][..], |path| &path.steps[..]) {
                for i in 0..=100_u8 {
                    let t = f32::from(i) / 100.0;
                    let feet = match (step.link, step.platform) {
                        (Some(link), _) => {
                            let link = layer.link(link).unwrap();
                            let gravity = f64::from(layer.profile().gravity);
                            let arc = link.params.between(link.from, link.to, gravity, down).unwrap();
                            let offset = arc.offset(arc.duration * f64::from(t)).as_vec2();
                            link.from + Vec2::new(offset.x, -down * offset.y)
                        }
                        (None, Some(platform)) => {
                            layer.platform(platform).unwrap().clamp(step.from.lerp(step.to, t).x)
                        }
                        (None, None) => step.from.lerp(step.to, t),
                    };
                    let [width, height] = layer.profile().body;
                    let head = feet.y - down * height;
                    for door in doors.closed() {
                        let deep = (feet.x + width / 2.0 - door.min.x)
                            .min(door.max.x - feet.x + width / 2.0)
                            .min(feet.y.max(head) - door.min.y)
                            .min(door.max.y - feet.y.min(head));
                        prop_assert!(deep < 1e-2, "{deep} inside {door:?} at {feet} of {step:?}");
                    }
                }
            }
        }
    }
}

/// Under far more gravity than baked, a jump takes next to no time. Its cost must
/// not become less than nothing by rounding: the search would then go round in
/// circles.
#[test]
fn jumps_that_take_next_to_no_time_cost_no_less_than_nothing() {
    let grid = worlds::grid(40, 20);
    let mut profile = worlds::profile("moth", on_foot());
    profile.gravity = 1e-7;
    profile.run_speed = 1.0;
    profile.jump_speed = 1.0;
    let gravity = f64::from(profile.gravity);
    let link = |kind, from: u32, to: u32, y: [f32; 2], speed: f64| {
        let launch = Launch { time: 0.0, speed };
        Link {
            kind,
            from_platform: PlatformId(from),
            to_platform: PlatformId(to),
            from: Vec2::new(150.0, y[0]),
            to: Vec2::new(150.0, y[1]),
            duration: 0.0,
            tolerance: 0.0,
            params: TrajectoryParams::new(&[launch], &[]).unwrap(),
        }
    };
    let up = (2.0 * gravity * 41.0).sqrt();
    let mesh = worlds::one_layer(
        grid,
        LayerParts {
            profile: profile.clone(),
            blocked: BitGrid::new(40, 20),
            platforms: Platforms::new([40.0, 80.0].map(|y| {
                let line = [4.0, 300.0].map(|x| Vec2::new(x, y));
                line.to_vec()
            }))
            .unwrap(),
            links: vec![
                link(StepKind::Drop, 0, 1, [40.0, 80.0], 0.0),
                link(StepKind::Jump, 1, 0, [80.0, 40.0], up),
            ],
            barriers: vec![],
            air: vec![],
            lines: Vec::new(),
        },
    );
    profile.gravity = 9e8;
    profile.run_speed = 9e8;
    profile.jump_speed = 9e8;
    for i in 0..100_u8 {
        let start = Vec2::new(10.0 + 1.3 * f32::from(i), 80.0);
        let mut query = Query::new(start, Vec2::new(290.0, 40.0));
        query.profile = Some(profile.clone());
        let mut finder = PathFinder::new();
        let outcome = finder.find(&mesh.layers()[0], &query).unwrap();
        let path = outcome.path().unwrap();
        assert_eq!(kinds(path), [Floor, Jump, Floor]);
        let walked = f64::from(290.0 - start.x);
        assert!((walked..walked + 0.01).contains(&path.cost), "{path:?}");
    }
}
