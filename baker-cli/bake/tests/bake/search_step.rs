//! What a bake finds and what it costs follow the geometry, not the grid.

use crate::common;
use crate::random_cases;
use crate::units::moved;

use common::reachable::{Detail, Pairs, View, baked, can_do, closure};
use common::state_lattice::can_do_smoothly;
use common::{Noise, Tiles, rows};
use glam::DVec2;
use navmesh_bake::{NoProgress, Settings, bake};
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, NavMesh};

/// A level of odd tiles, with slopes.
fn odd_tiles(seed: u64) -> Vec<String> {
    let mut noise = Noise::new(seed);
    let kinds: Vec<char> = "####/\\-".chars().collect();
    let mut row = |_| {
        let tile = |noise: &mut Noise| match noise.below(5) {
            0 => kinds[noise.below(kinds.len())],
            _ => '.',
        };
        (0..20).map(|_| tile(&mut noise)).collect()
    };
    let mut rows: Vec<String> = (0..11).map(&mut row).collect();
    rows.push("#".repeat(20));
    rows
}

fn small_agent() -> AgentProfile {
    AgentProfile {
        body: [4.0, 6.0],
        ..AgentProfile::ground("small", 7.0)
    }
}

fn mesh(rows: &[String], agent: &AgentProfile, spacing: f32) -> NavMesh {
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut settings = Settings::for_agents(vec![agent.clone()]);
    (settings.spacing, settings.link_stretch) = (Some(spacing), 1.0);
    bake(&rows::level("odd", 7, &rows), &settings, &NoProgress).unwrap()
}

fn reachable(mesh: &NavMesh) -> Pairs {
    closure(&baked(&mesh.layers()[0]))
}

// A body of 4 px among tiles of 7 px has a grid of 1 px. With 3.5 px, the number of
// cells is a twelfth. The number of links is that of the moves that are tried.
#[test]
fn a_finer_grid_finds_the_same_links() {
    let plain = small_agent();
    let no_air_control = AgentProfile {
        air_control: false,
        ..plain.clone()
    };
    let air_jump = AgentProfile {
        air_jumps: 1,
        ..plain.clone()
    };
    let climber = AgentProfile {
        edges: plain.edges | EdgeSet::CLIMB,
        climb_speed: 20.0,
        ..plain.clone()
    };
    let kinds = [
        (plain, 20),
        (no_air_control, 20),
        (air_jump, 5),
        (climber, 3),
    ];
    for (agent, count) in kinds {
        let mut links = [0, 0];
        for seed in 0..u64::from(random_cases::times(count)) {
            let rows = odd_tiles(seed + 1 + random_cases::offset());
            let meshes = [1.0, 3.5].map(|spacing| mesh(&rows, &agent, spacing));
            let [fine, coarse] = meshes.each_ref().map(reachable);
            let lost: Vec<_> = fine.symmetric_difference(&coarse).collect();
            assert!(lost.is_empty(), "{seed} {lost:?}\n{rows:#?}");
            for (sum, mesh) in links.iter_mut().zip(&meshes) {
                *sum += mesh.layers()[0].links().len();
            }
        }
        println!("links with a spacing of 1 and 3.5: {links:?}");
        assert!(links[0].abs_diff(links[1]) * 50 <= links[1], "{links:?}");
    }
}

/// Every gap that is one tile wide or high is exactly as wide or high as the body. All
/// ways that exhaustive searches find are baked, and the same with every spacing and offset.
#[test]
fn gaps_as_large_as_the_body_are_passed_with_every_spacing() {
    let steers = AgentProfile {
        body: [16.0, 16.0],
        max_jump: [1000.0, 1000.0],
        max_drop: [1000.0, 1000.0],
        ..AgentProfile::ground("exact", 16.0)
    };
    let turns_at_once = AgentProfile {
        air_acceleration: None,
        ..steers.clone()
    };
    let no_air_control = AgentProfile {
        air_control: false,
        ..steers.clone()
    };
    let mut pairs = 0;
    for number in 0..u64::from(random_cases::times(20)) {
        let mut noise = Noise::new(3 * (number + random_cases::offset()) + 11);
        let mut rows = vec![vec!['.'; 14]; 9];
        for tile in rows.iter_mut().flatten() {
            *tile = if noise.below(5) < 2 { '#' } else { '.' };
        }
        let world = Tiles { side: 16, rows };
        for agent in [&steers, &turns_at_once, &no_air_control] {
            let baked = |spacing: f32, by: DVec2| {
                let mut settings = Settings::for_agents(vec![agent.clone()]);
                settings.spacing = Some(spacing);
                let level = moved(&world.level(), |p| p + by, false);
                bake(&level, &settings, &NoProgress).unwrap()
            };
            let mesh = baked(16.0, DVec2::ZERO);
            let (layer, expected) = (&mesh.layers()[0], reachable(&mesh));
            let can = if agent.air_acceleration.is_some() && agent.air_control {
                can_do_smoothly(&world, layer)
            } else {
                let take_offs = if agent.air_control { 0.0 } else { 4.0 };
                let (launches, dt) = (16, 1.0 / 60.0);
                let detail = Detail {
                    take_offs,
                    launches,
                    dt,
                };
                can_do(&world, layer, detail, View::Strict)
            };
            let can = closure(&can);
            let lost: Vec<_> = can.difference(&expected).collect();
            assert!(lost.is_empty(), "{lost:?} {agent:?}\n{:#?}", world.lines());
            pairs += can.len();
            for spacing in [1.0, 2.3, 4.1, 16.0 / 3.0, 7.0, 11.9, 15.0] {
                let by = 0.01 * DVec2::new(noise.below(1000) as f64, noise.below(1000) as f64);
                let found = reachable(&baked(spacing, by));
                let other: Vec<_> = found.symmetric_difference(&expected).collect();
                assert!(
                    other.is_empty(),
                    "{spacing} {by} {other:?} {agent:?}\n{:#?}",
                    world.lines()
                );
            }
        }
    }
    println!("0 of {pairs} pairs lost");
    assert!(pairs > random_cases::share(1500), "{pairs}");
}

// At the walls of a slot, a body has no run-up to leave it. The tile at the right cuts
// the slot's free space into pieces of which some are low.
#[test]
fn a_slot_one_tile_wide_is_left() {
    let rows = [
        ".........",
        ".........",
        "........#",
        "...#.#...",
        "....#....",
        ".........",
    ];
    let rows = rows.map(str::to_owned);
    let pairs = reachable(&mesh(&rows, &small_agent(), 3.5));
    assert_eq!(pairs.len(), 12, "{pairs:?}");
}
