//! The baked level, and the pools that its enemies share.

use std::error::Error;

use glam::Vec2;
use navmesh_runtime::asset;
use navmesh_runtime::coordination::{Aggression, Pools, TokenPool};
use navmesh_runtime::mesh::{FloorSpot, Layer, Marker, NavMesh};
use navmesh_runtime::search::{Doors, line_of_sight};

use super::player::random;

/// `fixtures/arena.tmx`, baked; `just arena-asset` bakes it again.
const ASSET: &[u8] = include_bytes!("../arena.navmesh");

/// The height of eyes above feet, in world units, and of the middle of the
/// body that is looked at.
const EYES: f32 = 10.0;

/// The level, and the pools of its enemies.
pub struct Stage {
    pub mesh: NavMesh,
    pub pools: Pools,
}

impl Stage {
    /// Loads the level; `aggression` sets the number of tokens.
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

    /// A layer whose existence `load` has checked.
    pub fn layer(&self, name: &str) -> &Layer {
        self.mesh
            .layer_named(name)
            .expect("checked when it was loaded")
    }

    /// The markers of a class, in the level's order.
    pub fn markers(&self, class: &str) -> impl Iterator<Item = &Marker> {
        self.mesh.markers().iter().filter(move |m| m.class == class)
    }

    /// Whether a character at `from` sees a character at `to`.
    pub fn sees(&self, from: Vec2, to: Vec2) -> bool {
        let eyes = Vec2::new(0.0, -EYES * self.mesh.down());
        self.is_clear(from + eyes, to + eyes)
    }

    /// Whether a shot can fly from one position to another.
    pub fn is_clear(&self, from: Vec2, to: Vec2) -> bool {
        line_of_sight(self.layer("shot"), &Doors::new(), from, to)
    }

    /// A random place on a random platform of the walkers.
    pub fn random_place(&self, seed: &mut u64) -> Vec2 {
        let platforms = self.layer("walker").platforms();
        let wanted = (random(seed) * platforms.len() as f32) as usize;
        let along = random(seed);
        let platform = platforms.iter().nth(wanted.min(platforms.len() - 1));
        platform.map_or(Vec2::ZERO, |p| p.left().lerp(p.right(), along))
    }

    /// The floor straight below a position.
    pub fn floor_beneath(&self, at: Vec2) -> Option<FloorSpot> {
        self.layer("walker").floor_below(at, f32::INFINITY)
    }

    /// The left and right end of the platform below a position.
    pub fn platform_edges(&self, at: Vec2) -> Option<(Vec2, Vec2)> {
        let platform = self.floor_beneath(at)?.platform;
        let platform = self.layer("walker").platform(platform)?;
        Some((platform.left(), platform.right()))
    }

    /// The nearest position on the floor below or on a wall beside a position.
    pub fn nearest_surface(&self, at: Vec2) -> Vec2 {
        let chest = at - Vec2::new(0.0, EYES * self.mesh.down());
        let floor = self.floor_beneath(at).map(|spot| spot.position);
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
