//! The baked level, and what its enemies share.

use std::error::Error;

use glam::Vec2;
use navmesh_runtime::asset;
use navmesh_runtime::coordination::{Aggression, Pools, TokenPool};
use navmesh_runtime::mesh::{Layer, Marker, NavMesh};
use navmesh_runtime::motion::platform_edges;
use navmesh_runtime::search::{Doors, line_of_sight};

/// `fixtures/arena.tmx`, baked; `just arena-asset` bakes it anew.
const ASSET: &[u8] = include_bytes!("../arena.navmesh");

/// How high eyes are above feet, and the middle of what is looked at.
const EYES: f32 = 10.0;

/// The level, and the pools of its enemies.
pub struct Stage {
    pub mesh: NavMesh,
    pub pools: Pools,
}

impl Stage {
    /// The arena, for enemies of so much aggression.
    pub fn load(aggression: Aggression) -> Result<Self, Box<dyn Error>> {
        let mesh = asset::decode(ASSET)?;
        for layer in ["walker", "flyer", "shot"] {
            mesh.layer_named(layer).ok_or("the arena lacks a layer")?;
        }
        let pools = Pools::new()
            .with_tokens("melee", TokenPool::new(aggression))
            .with_tokens("ranged", TokenPool::new(aggression))
            .with_waypoints_of(&mesh);
        Ok(Self { mesh, pools })
    }

    /// A layer that `load` made sure of.
    pub fn layer(&self, name: &str) -> &Layer {
        self.mesh
            .layer_named(name)
            .expect("checked when it was loaded")
    }

    /// The markers of a class, in the level's order.
    pub fn markers(&self, class: &str) -> impl Iterator<Item = &Marker> {
        self.mesh.markers().iter().filter(move |m| m.class == class)
    }

    /// Whether who stands at one place sees who stands at another.
    pub fn sees(&self, from: Vec2, to: Vec2) -> bool {
        let eyes = Vec2::new(0.0, -EYES * self.mesh.down());
        self.is_clear(from + eyes, to + eyes)
    }

    /// Whether nothing is in the way of a shot.
    pub fn is_clear(&self, from: Vec2, to: Vec2) -> bool {
        line_of_sight(self.layer("shot"), &Doors::new(), from, to)
    }

    /// The nearest place on floor beneath a position or on a wall beside it.
    pub fn nearest_surface(&self, at: Vec2) -> Vec2 {
        let chest = at - Vec2::new(0.0, EYES * self.mesh.down());
        let floor = platform_edges(self.layer("walker"), at).map(|e| e.beneath);
        let walls = [-1.0, 1.0].map(|side| {
            let reach = (1..40).map(|step| chest + Vec2::X * side * step as f32 * 4.0);
            reach.take_while(|p| self.is_clear(chest, *p)).last()
        });
        floor
            .into_iter()
            .chain(walls.into_iter().flatten())
            .min_by(|a, b| a.distance(at).total_cmp(&b.distance(at)))
            .unwrap_or(at)
    }
}
