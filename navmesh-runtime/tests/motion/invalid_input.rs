//! Invalid input to agents, queues and doors: nothing panics, every agent reports
//! what is wrong, and works again once that is corrected.

use crate::levels;
use crate::worlds;

use glam::Vec2;
use levels::{Dice, Level, profile, sent, walking, with_doors};
use navmesh_runtime::mesh::{
    AgentProfile, BitGrid, EdgeSet, Grid, Layer, LayerParts, NavMesh, NavMeshParts, Platforms,
    Provenance, Units, YAxis,
};
use navmesh_runtime::motion::{Activity, BodyState, Environment, NavAgent, PathQueue, Stranded};
use navmesh_runtime::search::Doors;
use navmesh_runtime::search::{Filter, PathFinder, PathOutcome, Query, Rect, SnapTo};
use navmesh_runtime::shared::PathSource;

const NUMBERS: [f32; 12] = [
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    f32::MIN,
    1e30,
    -1.0,
    -0.0,
    f32::MIN_POSITIVE,
    1e-45,
    1.0,
    150.0,
];

fn number(dice: &mut Dice) -> f32 {
    NUMBERS[dice.below(NUMBERS.len() as u32) as usize]
}

fn point(dice: &mut Dice) -> Vec2 {
    Vec2::new(number(dice), number(dice))
}

/// A layer of one vertex, free or blocked, without a floor.
fn mesh_without_floor(edges: EdgeSet, is_blocked: bool) -> NavMesh {
    let mut profile = profile(edges);
    if edges & EdgeSet::CLIMB != EdgeSet::NONE {
        profile.climb_speed = 40.0;
    }
    let grid = worlds::grid(1, 1);
    let mut blocked = BitGrid::new(1, 1);
    blocked.set(0, 0, is_blocked);
    worlds::one_layer(
        grid,
        LayerParts {
            profile,
            blocked,
            platforms: Platforms::new::<Vec<Vec2>>([]).unwrap(),
            links: Vec::new(),
            barriers: Vec::new(),
            air: Vec::new(),
            lines: Vec::new(),
        },
    )
}

/// Sends random invalid input to an agent, its doors and its queue.
fn send_invalid_input(layer: &Layer, seed: u64) {
    let dice = &mut Dice(seed);
    let (mut queue, mut finder, mut doors) = (PathQueue::new(), PathFinder::new(), Doors::new());
    let mut agent = NavAgent::new(layer, point(dice));
    for _ in 0..200 {
        match dice.below(11) {
            0..=2 => agent.go_to(point(dice)),
            3 => agent.teleport(point(dice)),
            4 | 5 => {
                let near = agent.pose().position + Vec2::splat(0.1);
                let body = BodyState {
                    position: if dice.chance(0.5) { near } else { point(dice) },
                    velocity: point(dice),
                    grounded: dice.chance(0.5),
                };
                let environment = with_doors(layer, &doors);
                agent.drive_with(environment, &mut finder, body, number(dice));
            }
            6 => agent.set_tolerance(number(dice)),
            7 => {
                let profile = AgentProfile {
                    run_speed: number(dice),
                    acceleration: number(dice),
                    gravity: number(dice),
                    ..agent.profile().clone()
                };
                let before = agent.profile().clone();
                if agent.set_profile(profile).is_err() {
                    assert_eq!(*agent.profile(), before);
                }
            }
            8 => {
                let mut filter = Filter::default();
                filter.caution = number(dice);
                if dice.chance(0.7) {
                    filter.caution = 0.0;
                }
                let mut own = Doors::new();
                own.close_region(Rect::new(point(dice), point(dice)));
                filter.close_doors(&own);
                agent.set_filter(filter);
            }
            9 => {
                let door = doors.close_region(Rect::new(point(dice), point(dice)));
                doors.open_region(door);
                doors.open_region(door);
            }
            _ => agent.set_filter(Filter::default()),
        }
        let environment = with_doors(layer, &doors);
        let dt = number(dice);
        if dice.chance(0.5) {
            agent.step(environment, &mut queue, dt);
            queue.work(layer, dice.below(3));
        } else {
            agent.step(environment, &mut finder, dt);
        }
        assert!(agent.pose().velocity.is_finite(), "{agent:?}");
        assert!(
            agent.pose().position.is_finite()
                || matches!(
                    agent.pose().activity,
                    Activity::Stranded(Stranded::NotFinite) | Activity::Disabled
                ),
            "{agent:?}"
        );
        layer.snap(point(dice), SnapTo::FloorBelow(f32::INFINITY));
        let _ = queue.ask(layer, &mut None, &Query::new(point(dice), point(dice)));
    }
    agent.cancel_requests(&mut queue);
    while !queue.is_empty() {
        queue.work(layer, 1000);
    }
}

#[test]
fn invalid_input_never_panics_and_does_no_harm() {
    let only = [
        walking(),
        EdgeSet::FLY,
        EdgeSet::FLOOR,
        EdgeSet::DROP,
        walking() | EdgeSet::FLY,
    ];
    for (edges, seed) in only.into_iter().zip(0..) {
        let level = Level::random(12, 8, edges, &mut Dice(seed));
        for round in 0..20 {
            send_invalid_input(level.layer(), 100 * seed + round);
        }
        // It works again at a valid position.
        let mut agent = NavAgent::new(level.layer(), Vec2::NAN);
        let (environment, mut finder) = (Environment::new(level.layer()), PathFinder::new());
        let pose = agent.step(environment, &mut finder, 0.1);
        assert_eq!(pose.activity, Activity::Stranded(Stranded::NotFinite));
        agent.teleport(level.somewhere(&mut Dice(seed)));
        let pose = agent.step(environment, &mut finder, 0.1);
        assert_ne!(pose.activity, Activity::Stranded(Stranded::NotFinite));
    }
}

#[test]
fn an_agent_without_a_place_is_stranded() {
    for edges in [
        walking(),
        EdgeSet::FLY,
        EdgeSet::CLIMB,
        EdgeSet::WALL_CLIMB,
        EdgeSet::PORTAL,
    ] {
        for is_blocked in [false, true] {
            let mesh = mesh_without_floor(edges, is_blocked);
            let layer = &mesh.layers()[0];
            for seed in 0..10 {
                send_invalid_input(layer, seed);
            }
            let mut agent = sent(layer, [4.0, 8.0], [4.0, 8.0]);
            let pose = agent.step(Environment::new(layer), &mut PathFinder::new(), 0.1);
            let hovers = edges == EdgeSet::FLY && !is_blocked;
            assert_eq!(
                matches!(pose.activity, Activity::Stranded(_)),
                !hovers,
                "{edges:?} {pose:?}"
            );
        }
    }
}

/// A mesh of a few floors anywhere, or nothing where that is not valid.
fn absurd_mesh(dice: &mut Dice) -> Option<NavMesh> {
    const FAR: [f32; 9] = [0.0, 1.0, 4.0, 9e8, -9e8, 1e-45, 3e38, -3e38, 1e5];
    let pick = |dice: &mut Dice, from: &[f32]| from[dice.below(from.len() as u32) as usize];
    let spacing = pick(dice, &[8.0, 8.0, 1.0, 1e-30, 1e6, 1e30]);
    // Most numbers are mild, so that many meshes are valid.
    let coordinate = |dice: &mut Dice| match dice.below(6) {
        0 => pick(dice, &FAR),
        1 => pick(dice, &FAR) * f32::EPSILON,
        _ => dice.below(40) as f32,
    };
    let origin = Vec2::new(coordinate(dice), coordinate(dice));
    let floors: Vec<Vec<Vec2>> = (0..=dice.below(3))
        .map(|_| {
            let points = (0..2 + dice.below(3)).map(|_| coordinate(dice));
            let mut x: Vec<f32> = points.collect();
            x.sort_by(f32::total_cmp);
            let y = x.iter().map(|_| coordinate(dice));
            let y: Vec<f32> = y.collect();
            x.into_iter().zip(y).map(Vec2::from).collect()
        })
        .collect();
    let parts = NavMeshParts {
        provenance: Provenance::default(),
        units: Units::default(),
        grid: Grid {
            origin,
            spacing,
            columns: 6,
            rows: 5,
            y_axis: YAxis::Down,
        },
        layers: vec![LayerParts {
            profile: profile(walking()),
            blocked: BitGrid::new(6, 5),
            platforms: Platforms::new(floors).ok()?,
            links: Vec::new(),
            barriers: Vec::new(),
            air: Vec::new(),
            lines: Vec::new(),
        }],
        markers: Vec::new(),
    };
    NavMesh::new(parts).ok()
}

/// Slopes steeper than numbers can say, floors 2³² rows below, and the like.
#[test]
fn absurd_levels_do_no_harm() {
    let dice = &mut Dice(19);
    let mut valid = 0_u32;
    for _ in 0..10_000 {
        let Some(mesh) = absurd_mesh(dice) else {
            continue;
        };
        valid += 1;
        let layer = &mesh.layers()[0];
        let (environment, mut finder) = (Environment::new(layer), PathFinder::new());
        for floor in layer.platforms() {
            let above = Vec2::new(0.0, -layer.grid().spacing);
            let middle = floor.clamp(f32::midpoint(floor.left().x, floor.right().x));
            for (start, end) in [
                (floor.left(), floor.right()),
                (middle, floor.left()),
                (middle + above, middle),
                (floor.left() + above * 20.0, floor.right()),
            ] {
                let mut agent = sent(layer, start, end);
                for dt in [0.0, 1e-3, 0.1, 10.0, 0.1, 1e5] {
                    agent.step(environment, &mut finder, dt);
                    let is_finite =
                        agent.pose().velocity.is_finite() && agent.pose().position.is_finite();
                    assert!(is_finite, "{agent:?} {floor:?}");
                }
            }
        }
        send_invalid_input(layer, u64::from(valid));
    }
    assert!(valid > 1000, "{valid}");
}

/// Tickets that were cancelled, cancelled twice, or dropped, in one queue for two
/// layers.
#[test]
fn a_queue_answers_only_its_own_tickets() {
    let levels = [3, 4].map(|seed| Level::random(16, 10, walking(), &mut Dice(seed)));
    let mut queue = PathQueue::new();
    let mut finder = PathFinder::new();
    let dice = &mut Dice(9);
    let mut tickets = Vec::new();
    for i in 0..2000 {
        let level = &levels[i % 2];
        let layer = level.layer();
        match dice.below(6) {
            0 | 1 => {
                let query = Query::new(level.somewhere(dice), level.somewhere(dice));
                let mut ticket = None;
                let outcome = queue.ask(layer, &mut ticket, &query);
                assert_eq!(outcome, Ok(PathOutcome::BudgetExhausted));
                tickets.push((ticket.unwrap(), query));
            }
            2 | 3 if !tickets.is_empty() => {
                let at = dice.below(tickets.len() as u32) as usize;
                let (ticket, query) = tickets[at].clone();
                let mut own = Some(ticket);
                let reply = queue.ask(layer, &mut own, &query);
                if let Some(start) = reply
                    .ok()
                    .and_then(|reply| reply.path())
                    .map(|path| path.start)
                {
                    // The queue may have answered for either layer.
                    let starts = levels.each_ref().map(|level| {
                        let outcome = finder.find(level.layer(), &query).unwrap();
                        outcome.path().map(|path| path.start)
                    });
                    assert!(starts.contains(&Some(start)), "{query:?} {start}");
                }
                if own != Some(ticket) {
                    tickets.swap_remove(at);
                }
            }
            4 if !tickets.is_empty() => {
                let at = dice.below(tickets.len() as u32) as usize;
                let (ticket, _) = tickets.swap_remove(at);
                queue.cancel(ticket);
                queue.cancel(ticket);
            }
            _ => {
                if dice.chance(0.02) {
                    queue = PathQueue::new();
                }
                queue.work(layer, dice.below(40));
            }
        }
    }
}
