//! Paths are the cheapest ones: compared with Dijkstra's algorithm over the whole
//! graph.

use crate::oracle;
use crate::soak;
use crate::worlds;

use glam::Vec2;
use navmesh_runtime::mesh::{AgentProfile, Cell, EdgeSet, Layer, Link, NavMesh, StepKind};
use navmesh_runtime::search::{
    Doors, Filter, NoPath, Path, PathFinder, PathOutcome, Query, Rect, SnapTo,
};
use oracle::{Rules, check_flight, costs, graph, node, place};
use proptest::prelude::*;
use worlds::{Dice, Plan, somewhere};

/// Checks that each step of a path starts where the one before ends, that the
/// cost is the sum of the durations, and that its edges exist.
fn check_path(path: &Path, layer: &Layer, plain: bool) {
    let mut at = path.start;
    let mut total = 0.0;
    for (i, step) in path.steps.iter().enumerate() {
        assert_eq!(step.from, at, "step {i} of {path:?}");
        at = step.to;
        total += f64::from(step.duration);
        match step.kind {
            StepKind::Floor => {
                let platform = layer.platform(step.platform.unwrap()).unwrap();
                let ends = platform.left().x..=platform.right().x;
                let is_on = |at: Vec2| ends.contains(&at.x);
                assert!(is_on(step.from) && is_on(step.to));
            }
            StepKind::Jump | StepKind::Drop => {
                let link = layer.link(step.link.unwrap()).unwrap();
                assert_eq!((link.from, link.to), (step.from, step.to));
                assert_eq!(step.kind == StepKind::Jump, link.kind == StepKind::Jump);
            }
            _ => {}
        }
        if let Some(next) = path.steps.get(i + 1) {
            let both = |kind| step.kind == kind && next.kind == kind;
            assert!(
                !(both(StepKind::Floor) && step.platform == next.platform),
                "one walk is one step"
            );
        }
    }
    assert_eq!(at, path.end);
    if plain {
        assert!(
            (total - path.cost).abs() <= 1e-4 * (1.0 + total),
            "{total} {path:?}"
        );
    }
}

/// Closed doors anywhere in a level.
fn doors(mesh: &NavMesh, count: u32, dice: &mut Dice) -> Doors {
    let mut doors = Doors::new();
    for _ in 0..count {
        let corner = somewhere(mesh, dice);
        let size = Vec2::new(dice.between(1.0, 30.0), dice.between(1.0, 90.0));
        doors.close_region(Rect::new(corner, corner + size));
    }
    doors
}

/// Whether a body at a vertex overlaps no closed door.
fn keeps_open(mesh: &NavMesh, doors: &Doors) -> impl Fn(Cell) -> bool + use<> {
    let doors = doors.closed().to_vec();
    let (grid, down) = (*mesh.grid(), mesh.down());
    let [width, height] = mesh.layers()[0].profile().body;
    move |cell| {
        let feet = grid.position(cell);
        let head = feet.y - down * height;
        doors.iter().all(|door| {
            feet.x + width / 2.0 <= door.min.x
                || feet.x - width / 2.0 >= door.max.x
                || feet.y.max(head) <= door.min.y
                || feet.y.min(head) >= door.max.y
        })
    }
}

/// Compares a query with the oracle. Returns whether there was a path.
fn compare(
    finder: &mut PathFinder,
    mesh: &NavMesh,
    query: &Query,
    rules: &Rules<'_>,
) -> Result<bool, TestCaseError> {
    compare_with_doors(finder, mesh, query, rules, &[])
}

/// The same where doors are closed.
fn compare_with_doors(
    finder: &mut PathFinder,
    mesh: &NavMesh,
    query: &Query,
    rules: &Rules<'_>,
    closed: &[Rect],
) -> Result<bool, TestCaseError> {
    let layer = &mesh.layers()[0];
    let place = |position| place(layer, position, rules.edges);
    let outcome = finder.find(layer, query).unwrap();
    let walks = rules.edges.walks();
    let (start, goal) = match (place(query.from), place(query.to)) {
        // Fliers begin and end anywhere, so there may be a place where no vertex is near.
        (None, _) | (_, None) if !walks => return Ok(false),
        (None, _) => {
            prop_assert_eq!(outcome, PathOutcome::NoPath(NoPath::StartNotNavigable));
            return Ok(false);
        }
        (_, None) => {
            let missing = matches!(
                outcome,
                PathOutcome::NoPath(NoPath::GoalNotNavigable | NoPath::StartClosed)
                    | PathOutcome::Nearest(_, NoPath::GoalNotNavigable)
            );
            prop_assert!(missing, "{:?}", outcome);
            return Ok(false);
        }
        (Some(start), Some(goal)) => (start, goal),
    };
    let graph = graph(layer, mesh.grid(), rules, &[start, goal]);
    let reached = costs(&graph, node(layer, start));
    match (outcome, reached.get(&node(layer, goal))) {
        // Fliers find the shortest path in any direction, also between two vertices beside
        // a door.
        (PathOutcome::Found(path), least) if !walks => {
            check_flight(path, layer, closed);
            let aside = path.start.distance(start.position) + path.end.distance(goal.position);
            let aside = f64::from(aside) / f64::from(rules.speed);
            let most = least.map_or(f64::INFINITY, |least| least * 1.0001 + 1e-4);
            prop_assert!(least.is_some() || !closed.is_empty(), "{path:?}");
            prop_assert!(path.cost <= most + aside, "{most}: {path:?}");
            Ok(true)
        }
        (PathOutcome::NoPath(_), Some(_)) if !walks && !closed.is_empty() => Ok(false),
        (PathOutcome::Found(path), Some(&least)) => {
            check_path(path, layer, query.filter.costs.is_empty());
            prop_assert!(
                (path.cost - least).abs() <= 1e-4 * (1e-3 + least),
                "{} but the least is {least}: {path:?}",
                path.cost
            );
            Ok(true)
        }
        (PathOutcome::NoPath(_), None) => Ok(false),
        (PathOutcome::Nearest(path, _), None) => {
            check_path(path, layer, query.filter.costs.is_empty());
            Ok(false)
        }
        (outcome, least) => {
            prop_assert!(false, "{outcome:?} but the least is {least:?}");
            Ok(false)
        }
    }
}

/// A random mesh, half of the time with an index of the cheapest routes.
fn mesh(plan: Plan, dice: &mut Dice) -> NavMesh {
    let mesh = worlds::mesh(plan, 1, dice);
    if dice.chance(0.5) {
        mesh.layers()[0].index_routes();
    }
    mesh
}

fn plan(edges: EdgeSet, dice: &mut Dice) -> Plan {
    Plan {
        columns: 5 + dice.below(70),
        rows: 5 + dice.below(30),
        links: 1 + dice.below(6),
        edges,
        ..Plan::random(dice)
    }
}

const WALKS: [EdgeSet; 3] = [EdgeSet::FLOOR, EdgeSet::JUMP, EdgeSet::DROP];

fn on_foot() -> EdgeSet {
    WALKS.into_iter().fold(EdgeSet::NONE, |all, one| all | one)
}

proptest! {
    #![proptest_config(soak::cases(60))]

    #[test]
    fn ground_paths_are_the_cheapest(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let mesh = mesh(plan(on_foot(), &mut dice), &mut dice);
        let mut finder = PathFinder::new();
        for _ in 0..10 {
            let query = Query::new(somewhere(&mesh, &mut dice), somewhere(&mesh, &mut dice));
            compare(&mut finder, &mesh, &query, &Rules::plain(&mesh.layers()[0]))?;
        }
    }

    #[test]
    fn flights_are_the_cheapest(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let plan = Plan {
            columns: 5 + dice.below(150),
            ..plan(EdgeSet::FLY, &mut dice)
        };
        let mesh = worlds::mesh(plan, 1, &mut dice);
        let mut finder = PathFinder::new();
        for _ in 0..4 {
            let query = Query::new(somewhere(&mesh, &mut dice), somewhere(&mesh, &mut dice));
            compare(&mut finder, &mesh, &query, &Rules::plain(&mesh.layers()[0]))?;
        }
    }

    #[test]
    fn paths_on_foot_and_in_the_air_are_the_cheapest(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let mesh = worlds::mesh(plan(EdgeSet::ALL - EdgeSet::CLIMB, &mut dice), 1, &mut dice);
        let mut finder = PathFinder::new();
        for _ in 0..4 {
            let query = Query::new(somewhere(&mesh, &mut dice), somewhere(&mesh, &mut dice));
            compare(&mut finder, &mesh, &query, &Rules::plain(&mesh.layers()[0]))?;
        }
    }

    #[test]
    fn edges_and_limits_exclude_links(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let all = [on_foot(), EdgeSet::ALL - EdgeSet::CLIMB][dice.below(2) as usize];
        let mesh = mesh(plan(all, &mut dice), &mut dice);
        let layer = &mesh.layers()[0];
        let mut finder = PathFinder::new();
        for _ in 0..6 {
            let mut filter = Filter::default();
            let mut dropped = EdgeSet::NONE;
            for kind in WALKS.into_iter().chain([EdgeSet::FLY]) {
                if dice.chance(0.2) {
                    dropped = dropped | kind;
                }
            }
            filter.edges = EdgeSet::ALL - EdgeSet::CLIMB - dropped;
            let limit = |dice: &mut Dice, most: f32| dice.chance(0.5).then(|| most * dice.unit());
            // Limits wider than baked bind nothing.
            let baked = layer.profile();
            let jump_speed = limit(&mut dice, 450.0).filter(|v| *v < baked.jump_speed);
            let run_speed = limit(&mut dice, 120.0).filter(|v| *v < baked.run_speed);
            let max_jump = dice.chance(0.5).then(|| [80.0 * dice.unit(), 100.0 * dice.unit()]);
            let max_drop = dice.chance(0.5).then(|| [80.0 * dice.unit(), 100.0 * dice.unit()]);
            let profile = AgentProfile {
                jump_speed: jump_speed.unwrap_or(baked.jump_speed),
                run_speed: run_speed.unwrap_or(baked.run_speed),
                max_jump: max_jump.unwrap_or(baked.max_jump),
                max_drop: max_drop.unwrap_or(baked.max_drop),
                ..baked.clone()
            };
            let speed = profile.run_speed;
            let allows = |link: &navmesh_runtime::mesh::Link| {
                let within = |limit: f32, value: f32| value <= limit * (1.0 + 1e-4) + f32::EPSILON;
                let d = link.to - link.from;
                let up = -d.y * mesh.down();
                let arc = link
                    .params
                    .between(link.from, link.to, f64::from(layer.profile().gravity), mesh.down())
                    .unwrap();
                let jump = link.kind == StepKind::Jump;
                jump_speed.is_none_or(|v| link.params.launches().all(|l| within(v, l.speed as f32)))
                    && run_speed.is_none_or(|v| within(v, arc.top_speed() as f32))
                    && max_jump.is_none_or(|m| !jump || (within(m[0], d.x.abs()) && within(m[1], up)))
                    && max_drop.is_none_or(|m| (jump || within(m[0], d.x.abs())) && within(m[1], -up))
            };
            let rules = Rules {
                edges: layer.profile().edges & filter.edges,
                speed,
                link: &allows,
                ..Rules::plain(layer)
            };
            if rules.edges == EdgeSet::NONE {
                continue;
            }
            let mut query = Query { filter, ..Query::new(somewhere(&mesh, &mut dice), somewhere(&mesh, &mut dice)) };
            query.profile = Some(profile);
            compare(&mut finder, &mesh, &query, &rules)?;
        }
    }

    #[test]
    fn no_flight_leads_through_a_closed_door(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let mesh = worlds::mesh(
            Plan { noise: 0.2, ..plan(EdgeSet::FLY, &mut dice) },
            1,
            &mut dice,
        );
        let layer = &mesh.layers()[0];
        let grid = mesh.grid();
        let mut finder = PathFinder::new();
        for _ in 0..4 {
            let doors = doors(&mesh, 1 + dice.below(4), &mut dice);
            let open = keeps_open(&mesh, &doors);
            let mut filter = Filter::default();
            filter.close_doors(&doors);
            let [width, height] = layer.profile().body;
            // A body smaller than the spacing could slip through between
            // two vertices; bakers do not make such grids.
            if width < grid.spacing || height < grid.spacing {
                continue;
            }
            let rules = Rules { vertex: &open, ..Rules::plain(layer) };
            let query = Query { filter, ..Query::new(somewhere(&mesh, &mut dice), somewhere(&mesh, &mut dice)) };
            let closed = [query.from, query.to].iter().any(|&p| {
                layer.snap(p, SnapTo::PathEnd).is_some_and(|place| {
                    place.platform.is_none() && !open(layer.grid().nearest_cell(place.position))
                })
            });
            if !closed {
                compare_with_doors(&mut finder, &mesh, &query, &rules, doors.closed())?;
            }
        }
    }

    /// Under another gravity every link takes another time, so the cheapest path
    /// may be another one.
    #[test]
    fn paths_are_cheapest_under_any_gravity(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let mesh = mesh(plan(on_foot(), &mut dice), &mut dice);
        let layer = &mesh.layers()[0];
        let mut finder = PathFinder::new();
        for _ in 0..4 {
            let baked = layer.profile();
            let gravity = baked.gravity * dice.between(0.1, 8.0);
            let factor = f64::from(baked.gravity / gravity).sqrt();
            let time = |link: &Link| f64::from(link.duration) * factor;
            // With the speeds to follow every link, or with those baked.
            let faster = if dice.chance(0.5) { factor.recip().max(1.0) as f32 } else { 1.0 };
            let profile = AgentProfile {
                gravity,
                run_speed: baked.run_speed * faster * 1.001,
                jump_speed: baked.jump_speed * faster * 1.001,
                ..baked.clone()
            };
            let (run_speed, jump_speed) = (f64::from(profile.run_speed), f64::from(profile.jump_speed));
            let can_follow = |link: &Link| {
                let gravity = f64::from(baked.gravity);
                let arc = link.params.between(link.from, link.to, gravity, mesh.down()).unwrap();
                let launch = arc.launches().iter().fold(0.0_f64, |most, l| most.max(l.speed));
                let tolerated = 1.0 + 1e-4;
                arc.top_speed() <= run_speed * factor * tolerated
                    && launch <= jump_speed * factor * tolerated
            };
            let rules = Rules { time: &time, link: &can_follow, ..Rules::plain(layer) };
            let mut query = Query::new(somewhere(&mesh, &mut dice), somewhere(&mesh, &mut dice));
            query.profile = Some(profile);
            compare(&mut finder, &mesh, &query, &rules)?;
        }
    }

    #[test]
    fn paths_without_a_goal_end_at_the_nearest_reachable_point(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let edges = [on_foot(), EdgeSet::FLY, EdgeSet::ALL - EdgeSet::CLIMB][dice.below(3) as usize];
        let mesh = mesh(Plan { noise: 0.5, ..plan(edges, &mut dice) }, &mut dice);
        let layer = &mesh.layers()[0];
        let walks = edges.walks();
        let mut finder = PathFinder::new();
        for _ in 0..4 {
            let body = layer.profile().body;
            let fits = body.iter().all(|side| *side >= mesh.grid().spacing);
            let count = if fits && !walks { dice.below(4) } else { 0 };
            let doors = doors(&mesh, count, &mut dice);
            let open = keeps_open(&mesh, &doors);
            let mut filter = Filter::default();
            filter.close_doors(&doors);
            let query = Query { filter, ..Query::new(somewhere(&mesh, &mut dice), somewhere(&mesh, &mut dice)) };
            let Some(start) = layer.snap(query.from, SnapTo::PathEnd) else {
                continue;
            };
            let path = match finder.find(layer, &Query { allow_partial_path: true, ..query.clone() }).unwrap() {
                PathOutcome::Nearest(path, _) => path,
                PathOutcome::Found(_) => continue,
                other => {
                    prop_assert_eq!(other, PathOutcome::NoPath(NoPath::StartClosed));
                    continue;
                }
            };
            check_path(path, layer, true);
            let goal = layer.snap(query.to, SnapTo::PathEnd);
            let target = goal.map_or(query.to, |place| place.position);
            let rules = Rules { vertex: &open, ..Rules::plain(layer) };
            let graph = graph(layer, mesh.grid(), &rules, &[start]);
            let mut nearest = f32::INFINITY;
            for (reached, _) in costs(&graph, node(layer, start)) {
                nearest = nearest.min(match reached {
                    oracle::Node::Air(column, row) => {
                        let cell = Cell { column, row };
                        let at = mesh.grid().position(cell);
                        at.distance(target)
                    }
                    oracle::Node::Port(platform, _) => {
                        let platform = layer.platforms().nth(platform as usize).unwrap();
                        let (a, b) = (platform.left().x, platform.right().x);
                        (0..=200)
                            .map(|i| platform.clamp(a + (b - a) * i as f32 / 200.0))
                            .map(|p| p.distance(target))
                            .fold(f32::INFINITY, f32::min)
                    }
                });
            }
            let found = path.end.distance(target);
            prop_assert!(found <= nearest * 1.0001 + 1e-3, "{found} {nearest} {path:?}");
        }
    }
}

/// The random levels above do have paths.
#[test]
fn random_worlds_have_paths() {
    let mut dice = Dice(3);
    let mut found = [0; 3];
    for (i, edges) in [on_foot(), EdgeSet::FLY, EdgeSet::ALL - EdgeSet::CLIMB]
        .into_iter()
        .enumerate()
    {
        for _ in 0..20 {
            let mesh = worlds::mesh(plan(edges, &mut dice), 1, &mut dice);
            let mut finder = PathFinder::new();
            for _ in 0..10 {
                let query = Query::new(somewhere(&mesh, &mut dice), somewhere(&mesh, &mut dice));
                let outcome = finder.find(&mesh.layers()[0], &query).unwrap();
                if outcome.path().is_some_and(|path| path.steps.len() > 2) {
                    found[i] += 1;
                }
            }
        }
    }
    assert!(found.iter().all(|&n| n > 30), "{found:?}");
}

/// A finder that shares a search between the flights to a goal begins another when doors
/// close or open, or the level is another.
#[test]
fn flights_to_one_goal_cost_as_much_as_those_of_a_new_finder() {
    let dice = &mut Dice(11);
    let meshes = [7, 8].map(|seed| {
        let plan = Plan {
            edges: EdgeSet::FLY,
            ..Plan::random(&mut Dice(seed))
        };
        worlds::mesh(plan, 1, &mut Dice(seed))
    });
    let mut finder = PathFinder::new();
    let (mut found, mut shared) = (0, 0);
    for round in 0..12 {
        let mesh = &meshes[round % 2];
        let layer = &mesh.layers()[0];
        let goals = [somewhere(mesh, dice), somewhere(mesh, dice)];
        let mut closed = Filter::default();
        closed.close_doors(&doors(mesh, 3, dice));
        let filters = [Filter::default(), closed];
        for turn in 0..600 {
            let query = Query {
                filter: filters[turn / 3 % 2].clone(),
                allow_partial_path: turn % 5 == 0,
                ..Query::new(somewhere(mesh, dice), goals[turn % 2])
            };
            let cost = |outcome: PathOutcome<'_>| outcome.path().map(|path| path.cost);
            let mut alone = PathFinder::new();
            let expected = cost(alone.find(layer, &query).unwrap());
            let actual = cost(finder.find(layer, &query).unwrap());
            assert_eq!(expected.is_some(), actual.is_some(), "{query:?}");
            let (a, b) = (expected.unwrap_or(0.0), actual.unwrap_or(0.0));
            assert!((a - b).abs() <= 1e-5 * (1.0 + a), "{a} {b}: {query:?}");
            found += u32::from(actual.is_some());
            shared += u32::from(finder.expanded() == 0 && actual.is_some());
        }
    }
    assert!(found > 1000 && shared > 500, "{found} {shared}");
}
