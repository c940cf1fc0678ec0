//! Bots that choose targets by interest.

#[path = "../../src/interest/cells.rs"]
mod cells;
#[path = "../../../tests/search/oracle.rs"]
mod oracle;
#[path = "../../../tests/support/random.rs"]
mod random;
#[path = "../../../tests/support/worlds.rs"]
mod worlds;

mod field;
mod habits;
mod moves;
mod near_parts;
mod routes;
mod trees;

use glam::Vec2;
use navmesh_runtime::mesh::{EdgeSet, NavMesh};
use navmesh_runtime::mesh::{Platform, PlatformId, Platforms};
use worlds::{Dice, Plan, portal, somewhere};

/// A random level for agents on foot (with portals), in the air, or both.
fn world(kind: u32, dice: &mut Dice) -> NavMesh {
    let edges = [
        EdgeSet::FLOOR | EdgeSet::JUMP | EdgeSet::DROP | EdgeSet::PORTAL,
        EdgeSet::FLY,
        EdgeSet::ALL - EdgeSet::CLIMB,
    ];
    let plan = Plan {
        columns: 20 + dice.below(20),
        rows: 8 + dice.below(12),
        links: 4,
        noise: 0.25,
        tidy: true,
        edges: edges[kind as usize % 3],
        ..Plan::random(dice)
    };
    let mut parts = worlds::parts(plan, 1, dice);
    let layer = &mut parts.layers[0];
    if kind % 3 == 1 {
        // Floors of random levels have nothing to do with their vertices.
        layer.platforms = Platforms::new([[Vec2::ZERO; 0]; 0]).unwrap();
    }
    let count = layer.platforms.len() as u32;
    let middle = |p: Platform<'_>| p.clamp(p.left().midpoint(p.right()).x);
    if count > 0 && layer.profile.edges.contains(EdgeSet::PORTAL) {
        for _ in 0..3 {
            let mut place = || {
                let id = PlatformId(dice.below(count));
                (id, middle(layer.platforms.get(id).unwrap()))
            };
            let (from, to) = (place(), place());
            layer.links.push(portal(from, to, 0.0));
        }
        layer.links.sort_by_key(|link| link.from_platform);
    }
    NavMesh::new(parts).unwrap()
}
