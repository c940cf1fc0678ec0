//! Levels with every kind of tile, for agents of every kind.

use navmesh_bake::{NoProgress, Settings, bake};
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, NavMesh};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::common::baked_level::Random;
use crate::common::{Tiles, draw, rich_tiles};

/// Agents that walk, climb, fly, walk and fly, and jump twice.
fn profile(kind: u32) -> AgentProfile {
    let mut agent = if kind == 2 {
        AgentProfile::air("agent", 16.0)
    } else {
        AgentProfile::ground("agent", 16.0)
    };
    match kind {
        1 => {
            agent.edges = agent.edges | EdgeSet::CLIMB | EdgeSet::DROP_THROUGH;
            agent.climb_speed = 40.0;
        }
        3 => agent.edges = agent.edges | EdgeSet::FLY,
        4 => {
            agent.air_jumps = 1;
            agent.max_fall_speed = Some(150.0);
            agent.edges = agent.edges | EdgeSet::DROP_THROUGH;
        }
        _ => {}
    }
    agent
}

/// A level in two states, baked for one agent.
pub(crate) struct LevelStates {
    pub(super) states: [(Tiles, NavMesh); 2],
}

impl LevelStates {
    pub(crate) fn new(seed: u64, kind: u32) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        let tiles = draw(&mut runner, &rich_tiles(10..22, 7..12, 16));
        let random = &mut Random(seed);
        let mut edited = tiles.clone();
        for _ in 0..6 {
            let row = random.below(edited.rows.len() as u32 - 1) as usize;
            let column = random.below(edited.columns() as u32) as usize;
            let tile = &mut edited.rows[row][column];
            *tile = if *tile == '.' { '#' } else { '.' };
        }
        Self {
            states: [tiles, edited].map(|tiles| {
                let settings = Settings::for_agents(vec![profile(kind)]);
                let mesh = bake(&tiles.level(), &settings, &NoProgress).unwrap();
                (tiles, mesh)
            }),
        }
    }
}
