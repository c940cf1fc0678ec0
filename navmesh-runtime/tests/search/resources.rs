//! What a search may cost: operations and memory in proportion to the layer.

use crate::worlds;

use glam::Vec2;
use navmesh_runtime::mesh::EdgeSet;
use navmesh_runtime::search::{PathFinder, Query};
use worlds::{Dice, Plan};

/// The most nodes that a search of a random world expands, of so many that there
/// are, and the memory that the finder takes.
fn worst(columns: u32, edges: EdgeSet) -> (u64, u64, u64) {
    let plan = Plan::noisy(columns, 40, edges);
    let mesh = worlds::mesh(plan, 1, &mut Dice(4));
    let layer = &mesh.layers()[0];
    // Nodes are vertices in the air, and the two ends of links.
    let nodes = (mesh.grid().columns * mesh.grid().rows) as usize
        + 2 * layer.links().len()
        + layer.platforms().len();
    let grid = mesh.grid();
    let size = Vec2::new(grid.columns as f32, grid.rows as f32) * grid.spacing;
    let mut expanded = 0;
    let memory = allocation_counter::measure(|| {
        let (mut finder, mut dice) = (PathFinder::new(), Dice(7));
        for _ in 0..100 {
            let mut somewhere = || grid.origin + size * Vec2::new(dice.unit(), dice.unit());
            // Of goals that cannot be reached, all places are searched.
            let query = Query {
                allow_partial_path: true,
                ..Query::new(somewhere(), somewhere())
            };
            let _ = finder.find(layer, &query).unwrap();
            expanded = expanded.max(u64::from(finder.expanded()));
        }
    });
    (expanded, nodes as u64, memory.bytes_max)
}

#[test]
fn a_search_expands_each_node_at_most_once_and_its_memory_is_linear() {
    let foot = EdgeSet::ALL - EdgeSet::CLIMB - EdgeSet::FLY;
    for edges in [foot, EdgeSet::FLY, foot | EdgeSet::FLY] {
        let worlds = [90, 180, 360].map(|columns| worst(columns, edges));
        for (expanded, nodes, memory) in worlds {
            assert!(expanded <= nodes, "{edges:?}: {expanded} of {nodes}");
            assert!(
                memory <= 128 * nodes + 65_536,
                "{edges:?}: {memory} bytes, {nodes}"
            );
        }
        for pair in worlds.windows(2) {
            let (some, twice) = (pair[0].2, pair[1].2);
            assert!(
                twice < some * 7 / 2,
                "{edges:?}: {some} bytes, then {twice}"
            );
        }
    }
}
