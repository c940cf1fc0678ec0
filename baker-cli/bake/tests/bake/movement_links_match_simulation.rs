//! The same checks for other movement: one-way walls and ceilings, hazards,
//! dropping through, jumps in the air, a greatest speed of fall, climbing, and
//! speeds that change at once in the air.

use crate::common;
use crate::random_cases;

use common::replay::{body_of, holds, point, replay};
use common::{Geometry as _, Tiles, rich_tiles};
use glam::DVec2;
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, Layer, Link, PlatformKind};
use proptest::prelude::*;

/// An agent with some kinds of movement.
fn agent(edges: EdgeSet, air_jumps: u8, max_fall_speed: Option<f32>) -> AgentProfile {
    let mut agent = AgentProfile::ground("ground", 16.0);
    agent.air_acceleration = None;
    agent.edges = EdgeSet::FLOOR | EdgeSet::JUMP | EdgeSet::DROP | edges;
    agent.air_jumps = air_jumps;
    agent.max_fall_speed = max_fall_speed;
    if edges & EdgeSet::CLIMB != EdgeSet::NONE {
        agent.climb_speed = 40.0;
    }
    let jumps = f32::from(air_jumps) + 1.0;
    agent.max_jump = [jumps * agent.max_jump[0], jumps * agent.max_jump[1]];
    agent
}

fn any_agent() -> impl Strategy<Value = AgentProfile> {
    let extra = [
        EdgeSet::DROP_THROUGH,
        EdgeSet::LADDER,
        EdgeSet::WALL_CLIMB,
        EdgeSet::CEILING_CLIMB,
    ];
    (
        proptest::sample::subsequence(extra.to_vec(), 0..=4),
        0u8..3,
        proptest::option::of(60.0f32..400.0),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(extra, air_jumps, fall, air_control, ignores_hazards)| {
            let edges = extra.into_iter().fold(EdgeSet::NONE, |all, e| all | e);
            let mut agent = agent(edges, air_jumps, fall);
            agent.air_control = air_control;
            agent.ignores_hazards = ignores_hazards;
            agent
        })
}

proptest! {
    #![proptest_config(random_cases::cases(12))]

    /// Every link can be replayed, whatever the agent can do.
    #[test]
    fn every_baked_link_can_be_made(
        world in rich_tiles(6..20, 5..12, 16),
        agent in any_agent(),
        thin in any::<bool>(),
    ) {
        let mesh = world.baked(agent, if thin { 1.1 } else { 1.0 });
        let wrong = replay(&world, &mesh, &mesh.layers()[0]);
        prop_assert!(wrong.is_empty(), "{:#?}\n{:#?}", wrong, world.lines());
    }

    /// A climbed platform can be held on to from end to end, and everything
    /// that can be held on to is on one.
    #[test]
    fn climbed_platforms_are_what_can_be_held_on_to(world in rich_tiles(6..20, 5..12, 16)) {
        let mesh = world.baked(agent(EdgeSet::CLIMB, 0, None), 1.1);
        let layer = &mesh.layers()[0];
        for platform in layer.platforms().filter(|p| p.kind != PlatformKind::Floor) {
            let (low, high) = platform.extent();
            // No line leads through a one-way tile in both directions.
            let (a, b) = (point(platform.left()), point(platform.right()));
            let body = body_of(layer.profile());
            let tops = world.heights().into_iter().flat_map(|top| {
                let carried = world.one_way_x(top, body, 1e-3).into_iter();
                carried.map(move |across| (top, across))
            });
            for (top, (left, right)) in tops {
                // Ladders lead through; feet on the top are above it.
                let through = platform.kind == PlatformKind::Wall
                    && left < a.x && a.x < right
                    && a.y < top - 1e-4 && b.y > top + 1e-4;
                prop_assert!(!through, "{platform:?} through the top {top}\n{:#?}", world.lines());
            }
            for (way, min, max) in world.one_ways() {
                let (line, at, span) = match way {
                    '>' => ((a.x, b.x), max.x + 0.5 * body.x, (min.y, max.y + body.y)),
                    '<' => ((a.x, b.x), min.x - 0.5 * body.x, (min.y, max.y + body.y)),
                    _ => ((a.y, b.y), max.y + body.y, (min.x - 0.5 * body.x, max.x + 0.5 * body.x)),
                };
                let across = if way == 'v' { a.x } else { a.y };
                // The point of the barrier belongs to the side from which it is
                // closed.
                let (before, beyond) = match way {
                    '<' => (1e-4, 1e-3),
                    _ => (-1e-3, -1e-4),
                };
                let through = line.0 < at + before
                    && line.1 > at + beyond
                    && span.0 + 1e-3 < across
                    && across < span.1 - 1e-3;
                prop_assert!(!through, "{platform:?} through {way} at {min}\n{:#?}", world.lines());
            }
            for i in 0..=40u8 {
                let p = point(platform.at(low + (high - low) * f32::from(i) / 40.0));
                let body = body_of(layer.profile());
                prop_assert!(!world.blocked(p, body, 1e-3), "{platform:?} at {p}");
                // The ends touch only corners, and so does the line past a gap
                // exactly as high as the body.
                let held = i == 0 || i == 40 || [0.0, 0.02, -0.02].iter().any(|by| {
                    let p = p + DVec2::new(0.0, *by);
                    holds(&world, layer.profile(), platform.kind, p)
                });
                prop_assert!(held, "{platform:?} at {p}\n{:#?}", world.lines());
            }
        }
        prop_assert_eq!(missed(&world, layer), Vec::<String>::new(), "{:#?}", world.lines());
    }
}

/// A wall ends one lattice point below the top of the ladder beside it. Of the
/// jumps from there, some rise over this top and land on it, and some stay below
/// it, by more than a skin, and pass beneath it.
#[test]
fn jumps_from_the_end_of_a_wall_do_not_sink_through_the_ladder_beside_it() {
    let rows = [
        ".....", ".....", "....#", "#H...", ".H...", ".H...", ".H...", "#####",
    ];
    let world = Tiles::new(16, &rows);
    let edges = EdgeSet::LADDER | EdgeSet::WALL_CLIMB;
    let mut agent = agent(edges, 0, None);
    agent.air_control = false;
    let mesh = world.baked(agent, 1.0);
    let layer = &mesh.layers()[0];
    let from_the_end = |link: &&Link| {
        let kind = layer.platform(link.from_platform).map(|p| p.kind);
        kind == Some(PlatformKind::Wall) && 48.0 < link.from.y && link.from.y < 48.001
    };
    let links = || layer.links().iter().filter(from_the_end);
    assert!(
        links().any(|link| link.to.y == 48.0),
        "none lands on the top"
    );
    assert!(links().any(|link| link.to.y == 112.0), "none passes it");
    assert_eq!(replay(&world, &mesh, layer), Vec::<String>::new());
}

/// Positions beside walls, beneath ceilings and on ladders at which a body is
/// free and can hold on, but which lie on no platform of that kind. Searched
/// tile by tile.
fn missed(world: &Tiles, layer: &Layer) -> Vec<String> {
    let body = body_of(layer.profile());
    let side = f64::from(world.side);
    let mut missed = Vec::new();
    let mut check = |kind: PlatformKind, p: DVec2| {
        let (width, height) = (world.width(), world.rows.len() as f64 * side);
        let inside = p.x > 0.0 && p.x < width && p.y > 0.0 && p.y < height;
        // A passage exactly as high as the body needs no ceiling to climb, nor
        // a wall to stay at one height.
        let stands = world.supported(p, body, 1e-6)
            || (kind == PlatformKind::Ceiling
                && world.blocked(p + DVec2::new(0.0, 0.01), body, 1e-6))
            || (kind == PlatformKind::Wall
                && [0.01, -0.01]
                    .iter()
                    .all(|by| world.blocked(p + DVec2::new(0.0, *by), body, 1e-6)));
        if !inside
            || stands
            || world.blocked(p, body, 1e-6)
            || !holds(world, layer.profile(), kind, p)
        {
            return;
        }
        let on = layer.platforms().any(|platform| {
            let nearest = platform.at(platform.along(p.as_vec2()));
            platform.kind == kind && point(nearest).distance(p) < 1e-2
        });
        if !on {
            let near = layer.platforms().filter(|q| q.kind == kind);
            let near: Vec<_> = near.map(|q| (q.left(), q.right())).collect();
            missed.push(format!("{kind:?} at {p} {near:?}"));
        }
    };
    for (r, line) in world.rows.iter().enumerate() {
        for (c, tile) in line.iter().enumerate() {
            let (x, y) = (c as f64 * side, r as f64 * side);
            if *tile == '#' {
                for step in 1..8u8 {
                    let along = f64::from(step) / 8.0;
                    let feet = y + (side + body.y) * along;
                    check(PlatformKind::Wall, DVec2::new(x - 0.5 * body.x, feet));
                    check(
                        PlatformKind::Wall,
                        DVec2::new(x + side + 0.5 * body.x, feet),
                    );
                    let across = x - 0.5 * body.x + (side + body.x) * along;
                    check(PlatformKind::Ceiling, DVec2::new(across, y + side + body.y));
                }
            }
            let alone = |c: i64| c < 0 || world.tile(c as usize, r as i64) != 'H';
            if *tile == 'H' && alone(c as i64 - 1) && alone(c as i64 + 1) {
                for step in 1..8u8 {
                    let p = DVec2::new(x + 0.5 * side, y + side * f64::from(step) / 8.0);
                    check(PlatformKind::Ladder, p);
                }
            }
        }
    }
    missed
}
