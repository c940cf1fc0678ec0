//! The baked level, and the pools that its enemies share.

use std::error::Error;
use std::sync::Arc;

use glam::Vec2;
use navmesh_behavior::{Aggression, Pools, TokenPool, WaypointPool};
use navmesh_runtime::asset;
use navmesh_runtime::mesh::{EdgeSet, Layer, LayerId, Marker, NavMesh};
use navmesh_runtime::search::{Doors, Snap, SnapTo, line_of_sight};

use super::body::Kind;

/// `fixtures/arena.tmx`, baked; `just arena-asset` bakes it again.
pub const ARENA: &[u8] = include_bytes!("../../levels/arena.navmesh");
/// `fixtures/rooms.tmx`, baked; `just arena-asset` bakes it again.
pub const ROOMS: &[u8] = include_bytes!("../../levels/rooms.navmesh");

/// The height of the middle of a body above its feet, in world units.
const CHEST: f32 = 10.0;

/// The level, and the pools of its enemies.
pub struct Stage {
    pub mesh: Arc<NavMesh>,
    pub pools: Pools,
    /// The size of each pool of tokens.
    pub aggression: Aggression,
    walker: LayerId,
    flyer: Option<LayerId>,
    shot: LayerId,
}

impl Stage {
    /// Loads a baked level; `aggression` sets the number of tokens.
    ///
    /// The player moves in the first layer whose agent walks. The layer with the
    /// smallest body says where a shot can fly.
    pub fn load(asset: &[u8], aggression: Aggression) -> Result<Self, Box<dyn Error>> {
        let mesh = asset::decode(asset)?;
        let first = |wanted: EdgeSet| {
            let is_it = |layer: &&Layer| layer.profile().edges & wanted != EdgeSet::NONE;
            let name = &mesh.layers().iter().find(is_it)?.profile().name;
            mesh.layer_id(name)
        };
        let walker = first(EdgeSet::FLOOR).ok_or("no agent of the level walks")?;
        let flyer = first(EdgeSet::FLY);
        let size = |layer: &&Layer| layer.profile().body[0] * layer.profile().body[1];
        let smallest = mesh
            .layers()
            .iter()
            .min_by(|a, b| size(a).total_cmp(&size(b)));
        let shot = smallest.and_then(|layer| mesh.layer_id(&layer.profile().name));
        let mut pools = Pools::from(&mesh);
        for name in ["melee", "ranged"] {
            pools.tokens.insert(name.into(), TokenPool::new(aggression));
        }
        for name in ["ground", "air"] {
            let none = || WaypointPool::new([Vec2::ZERO; 0]);
            pools.waypoints.entry(name.into()).or_insert_with(none);
        }
        Ok(Self {
            pools,
            aggression,
            walker,
            flyer,
            shot: shot.unwrap_or(walker),
            mesh: Arc::new(mesh),
        })
    }

    /// Sets how many enemies may attack at once.
    pub fn set_aggression(&mut self, aggression: Aggression) {
        self.aggression = aggression;
        for pool in self.pools.tokens.values() {
            pool.set_limit(aggression);
        }
    }

    /// The layer of the player.
    pub fn floor_layer(&self) -> &Layer {
        self.layer(self.walker)
    }

    /// The layer in which the grid shows what is solid, for shots and sight.
    pub fn shot_layer(&self) -> &Layer {
        self.layer(self.shot)
    }

    /// The layer of a kind of enemy. In a level without its own layer, it moves
    /// like the player, or in the first layer whose agent flies.
    pub fn layer_of(&self, kind: Kind) -> Result<&Layer, &'static str> {
        if let Some(own) = self.mesh.layer_named(kind.layer()) {
            Ok(own)
        } else if kind.flies() {
            let flyer = self.flyer.ok_or("no agent of the level flies")?;
            Ok(self.layer(flyer))
        } else {
            Ok(self.floor_layer())
        }
    }

    fn layer(&self, id: LayerId) -> &Layer {
        self.mesh.layer(id).expect("`load` found it in this mesh")
    }

    /// The markers of a class, in the level's order.
    pub fn markers(&self, class: &str) -> impl Iterator<Item = &Marker> {
        self.mesh.markers().iter().filter(move |m| m.class == class)
    }

    /// Whether a character at `from` sees a character at `to`.
    pub fn sees(&self, from: Vec2, to: Vec2) -> bool {
        self.is_clear(self.chest(from), self.chest(to))
    }

    /// What is seen and shot at of a character at a position.
    pub fn chest(&self, at: Vec2) -> Vec2 {
        at - Vec2::new(0.0, CHEST * self.mesh.down())
    }

    /// Whether a shot can fly from one position to another.
    pub fn is_clear(&self, from: Vec2, to: Vec2) -> bool {
        line_of_sight(self.shot_layer(), &Doors::new(), from, to)
    }

    /// Where the player starts in a level without markers for it: at the first
    /// spawn that is not for an enemy, or on the first platform.
    pub fn start(&self) -> Vec2 {
        let mut spawns = self.markers("spawn");
        let spawn = spawns.find(|marker| Kind::named(&marker.name).is_none());
        let platform = self.floor_layer().platforms().next();
        let middle = platform.map(|p| p.left().midpoint(p.right()));
        let spawn = spawn.map(|marker| marker.position);
        spawn.or(middle).unwrap_or_default()
    }

    /// A random place on a random platform of the walkers.
    pub fn random_place(&self, seed: &mut u64) -> Vec2 {
        let mut platforms = self.floor_layer().platforms();
        let wanted = (random(seed) * platforms.len() as f32) as usize;
        let along = random(seed);
        let platform = platforms.nth(wanted.min(platforms.len() - 1));
        platform.map_or(Vec2::ZERO, |p| p.left().lerp(p.right(), along))
    }

    /// The floor straight below a position.
    pub fn floor_beneath(&self, at: Vec2) -> Option<Snap> {
        self.floor_layer()
            .snap(at, SnapTo::FloorBelow(f32::INFINITY))
    }

    /// The left and right end of the platform below a position.
    pub fn platform_ends(&self, at: Vec2) -> Option<[Vec2; 2]> {
        self.floor_layer().platform_ends(at)
    }

    /// The nearest position on the floor below or on a wall beside a position.
    pub fn nearest_surface(&self, at: Vec2) -> Vec2 {
        let chest = self.chest(at);
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

/// The next random number from 0 to 1.
pub fn random(seed: &mut u64) -> f32 {
    // SplitMix64: any seed will do, also 0.
    *seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *seed;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 40) as f32 / (1_u32 << 24) as f32
}
