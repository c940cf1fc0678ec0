//! Baked levels for agents to move in, with geometry that shares no code with
//! baker or runtime.

use glam::{DVec2, Vec2};
use navmesh_bake::{Collision, Level, Material, PassDirection, Piece, Shape};
use navmesh_bake::{NoProgress, Settings, bake};
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, Layer, NavMesh};

use super::drawn::Drawn;
use super::fixtures::fixture;
use super::{Geometry, Tiles, in_a_shaft};

/// A small random number generator (`SplitMix64`).
pub struct Random(pub u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, end: u32) -> u32 {
        (self.word() % u64::from(end.max(1))) as u32
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.word() >> 11) as f64 / (1_u64 << 53) as f64)
    }

    pub fn chance(&mut self, p: f64) -> bool {
        self.between(0.0, 1.0) < p
    }
}

/// The kind of agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Ground,
    Air,
    Both,
}

/// A baked level and its geometry.
pub struct BakedLevel {
    pub mesh: NavMesh,
    world: Box<dyn Geometry>,
    size: DVec2,
}

impl BakedLevel {
    fn new(level: &Level, world: Box<dyn Geometry>, kind: Kind, air_control: bool) -> Self {
        let mut agent = match kind {
            Kind::Air => AgentProfile::air("agent", 16.0),
            _ => AgentProfile::ground("agent", 16.0),
        };
        if kind == Kind::Both {
            agent.edges = agent.edges | EdgeSet::FLY;
        }
        agent.air_control = air_control;
        let settings = Settings::for_agents(vec![agent]);
        Self {
            mesh: bake(level, &settings, &NoProgress).unwrap(),
            world,
            size: level.bounds.max,
        }
    }

    pub fn tiles(tiles: &Tiles, kind: Kind, air_control: bool) -> Self {
        Self::new(&tiles.level(), Box::new(tiles.clone()), kind, air_control)
    }

    pub fn fixture(name: &str, kind: Kind, air_control: bool) -> Self {
        let level = fixture(name);
        Self::new(&level, Box::new(Drawn::new(&level)), kind, air_control)
    }

    pub fn hills(random: &mut Random, kind: Kind, air_control: bool) -> Self {
        let level = crossed_hills(random);
        Self::new(&level, Box::new(Drawn::new(&level)), kind, air_control)
    }

    pub fn layer(&self) -> &Layer {
        &self.mesh.layers()[0]
    }

    fn body(&self) -> DVec2 {
        DVec2::from(self.layer().profile().body.map(f64::from))
    }

    /// Whether the body is inside something by more than rounding.
    pub fn is_blocked(&self, feet: Vec2) -> bool {
        self.world.blocked(feet.as_dvec2(), self.body(), 2e-3)
    }

    /// Whether a body that falls from `from` may be at `feet`: it is free
    /// there, or it fell into a hazard below a shaft that has no vertices.
    pub fn may_fall_to(&self, feet: Vec2, from: Vec2) -> bool {
        let spacing = f64::from(self.layer().grid().spacing);
        let (world, body) = (&*self.world, self.body());
        !self.is_blocked(feet)
            || in_a_shaft(world, from.as_dvec2(), body, spacing)
                && !world.solid_at(feet.as_dvec2(), body, 2e-3)
    }

    /// Whether something carries the body.
    pub fn is_supported(&self, feet: Vec2) -> bool {
        self.world.supported(feet.as_dvec2(), self.body(), 2e-2)
    }

    /// A random point of the level.
    pub fn anywhere(&self, random: &mut Random) -> Vec2 {
        let at = DVec2::new(
            random.between(0.0, self.size.x),
            random.between(0.0, self.size.y),
        );
        at.as_vec2()
    }

    /// A random point at which the body is free.
    pub fn somewhere(&self, random: &mut Random) -> Vec2 {
        for _ in 0..1000 {
            let at = self.anywhere(random);
            let inside = at.x >= 6.0 && f64::from(at.x) <= self.size.x - 6.0 && at.y >= 16.0;
            if inside && !self.world.blocked(at.as_dvec2(), self.body(), -0.05) {
                return at;
            }
        }
        Vec2::new(6.0, -16.0)
    }
}

/// Boxes, steps low enough to walk, slopes of every angle and one-way tops, not
/// on a grid.
fn hills(random: &mut Random) -> Level {
    let (width, height) = (256.0, 144.0);
    let piece = |points: &[[f64; 2]], material| Piece {
        shape: Shape::Convex(points.iter().map(|p| DVec2::from(*p)).collect()),
        material,
        origin: 0,
    };
    let slab = |x: f64, y: f64, w: f64, h: f64| [[x, y], [x + w, y], [x + w, y + h], [x, y + h]];
    let solid = Material::Solid;
    let gap = random.between(0.0, width);
    let mut pieces = vec![
        piece(&slab(0.0, height - 8.0, gap, 8.0), solid),
        piece(&slab(gap + 20.0, height - 8.0, width, 8.0), solid),
    ];
    for _ in 0..6 + random.below(12) {
        let x = random.between(-10.0, width - 10.0).floor();
        let y = height - 8.0 - 8.0 * f64::from(random.below(14));
        let w = random.between(4.0, 70.0).floor();
        pieces.push(match random.below(5) {
            0 => piece(&slab(x, y, w, 8.0), solid),
            1 => piece(&slab(x, y - 3.0, w, 3.0), solid),
            2 => {
                let h = random.between(3.0, 40.0).floor();
                piece(&[[x, y], [x + w, y], [x + w, y - h]], solid)
            }
            3 => {
                let h = random.between(3.0, 40.0).floor();
                piece(&[[x, y], [x + w, y], [x, y - h]], solid)
            }
            _ => piece(&slab(x, y, w, 2.0), Material::OneWay(PassDirection::Up)),
        });
    }
    let mut level = Level::in_memory("hills", Collision::Shapes(pieces), width, height);
    level.tile_size = Some([16, 16]);
    level
}

/// Such hills, of which some are one-way, slopes among them.
pub fn crossed_hills(random: &mut Random) -> Level {
    let mut level = hills(random);
    if let Collision::Shapes(pieces) = &mut level.collision {
        for piece in pieces {
            if random.chance(0.2) {
                piece.material = Material::OneWay(PassDirection::Up);
            }
        }
    }
    level
}
