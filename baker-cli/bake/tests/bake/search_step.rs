//! What a bake finds and what it costs follow the geometry, not the grid.

use crate::common;
use crate::random_cases;

use common::Noise;
use common::reachable::{Pairs, baked, closure};
use common::rows;
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
