//! The character controller of rapier2d.

use crate::one_way::{Bottom, rectangle, rest};
use crate::tiles::merged;

use glam::Vec2;
use navmesh_runtime::mesh::Layer;
use navmesh_runtime::motion::{BodyCommand, BodyState};
use rapier2d::control::{CharacterAutostep, CharacterLength, KinematicCharacterController};
use rapier2d::math::Pose;
use rapier2d::pipeline::CollisionPipeline;
use rapier2d::prelude::{
    BroadPhaseBvh, Capsule, Collider, ColliderBuilder, ColliderHandle, ColliderSet, Cuboid,
    IslandManager, NarrowPhase, QueryFilter, RigidBodySet, Shape,
};

/// Distance that the controller keeps from everything, world units. The shape is
/// smaller by this on every side, so that the body rests where the mesh says.
/// Casts of a shape against the floor of a level are off by up to 0.01.
const OFFSET: f32 = 0.036;
/// By how much thinner the shape is across its movement than a body that keeps the
/// offset. With more than 0.04, bodies fall off where the mesh lets them take off.
const THINNER: f32 = 0.025;
/// How far below a one-way top the feet may be that still stand on it.
const SLOP: f32 = 0.01;
/// How far above its floor a body is, to be moved down to it.
const LIFT: f32 = 0.2;
/// The same on slopes, where the body rests a little deeper.
const SLOP_ON_SLOPES: f32 = 0.1;

/// The colliders of a level. y grows downwards.
pub struct World {
    bodies: RigidBodySet,
    colliders: ColliderSet,
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
    /// The corners of colliders that carry from above only. The user data of such a
    /// collider is its number here and 1; that of the others is 0.
    one_way: Vec<Vec<Vec2>>,
}

impl World {
    /// From square tiles: `#` is solid, `-` carries from above.
    pub fn from_tiles(rows: &[Vec<u8>], side: f32) -> Self {
        let mut pieces = Vec::new();
        for tile in [b'#', b'-'] {
            for [min, max] in merged(rows, tile) {
                let (min, max) = (min * side, max * side);
                let half = 0.5 * (max - min);
                let solid = ColliderBuilder::cuboid(half.x, half.y);
                let solid = solid.translation(0.5 * (min + max));
                pieces.push((solid, (tile == b'-').then(|| rectangle(min, max))));
            }
        }
        Self::new(pieces)
    }

    /// From the corners of convex shapes, and whether they carry from above only.
    pub fn from_shapes(shapes: Vec<(Vec<Vec2>, bool)>) -> Self {
        let pieces = shapes.into_iter().filter_map(|(corners, is_one_way)| {
            let solid = ColliderBuilder::convex_hull(&corners)?;
            Some((solid, is_one_way.then_some(corners)))
        });
        Self::new(pieces)
    }

    fn new(pieces: impl IntoIterator<Item = (ColliderBuilder, Option<Vec<Vec2>>)>) -> Self {
        let mut colliders = ColliderSet::new();
        let mut one_way = Vec::new();
        for (piece, corners) in pieces {
            let is_one_way = corners.is_some();
            one_way.extend(corners);
            let mark = if is_one_way { one_way.len() as u128 } else { 0 };
            colliders.insert(piece.user_data(mark));
        }
        let mut world = Self {
            bodies: RigidBodySet::new(),
            colliders,
            broad_phase: BroadPhaseBvh::new(),
            narrow_phase: NarrowPhase::new(),
            one_way,
        };
        // Queries use the tree that a step builds.
        CollisionPipeline::new().step(
            0.0,
            &mut IslandManager::new(),
            &mut world.broad_phase,
            &mut world.narrow_phase,
            &mut world.bodies,
            &mut world.colliders,
            &(),
            &(),
        );
        world
    }
}

/// A character, with the feet at `feet`.
pub struct Character<'a> {
    world: &'a World,
    controller: KinematicCharacterController,
    /// Half of the body.
    half: Vec2,
    /// Whether it is a capsule.
    is_round: bool,
    /// The cosine of the steepest floor.
    steepest: f32,
    /// How far below a one-way top the feet may be that still stand on it.
    slop: f32,
    /// How far down it is kept on the floor.
    snaps: Option<f32>,
    /// Units/s².
    on_floor: f32,
    in_the_air: f32,
    gravity: f32,
    max_fall: f32,
    /// The feet.
    pub position: Vec2,
    /// Units/s.
    pub velocity: Vec2,
    /// Whether it stands on something.
    pub grounded: bool,
    /// The one-way tops through which it drops.
    through: Vec<usize>,
}

impl<'a> Character<'a> {
    /// A character that stands at `position`, with the body and the limits of an
    /// agent, and an acceleration in the air.
    pub fn new(world: &'a World, layer: &Layer, in_the_air: f32, position: Vec2) -> Self {
        let profile = layer.profile();
        Self {
            world,
            controller: KinematicCharacterController {
                up: Vec2::NEG_Y,
                offset: CharacterLength::Absolute(OFFSET),
                snap_to_ground: None,
                ..Default::default()
            },
            half: 0.5 * Vec2::from(profile.body),
            is_round: false,
            steepest: 0.7,
            slop: SLOP,
            snaps: None,
            on_floor: profile.deceleration,
            in_the_air,
            gravity: profile.gravity,
            max_fall: profile.max_fall_speed.unwrap_or(f32::INFINITY),
            position,
            velocity: Vec2::ZERO,
            grounded: true,
            through: Vec::new(),
        }
    }

    /// The same with a smaller body than baked, for instance 0.9 times as large.
    #[must_use]
    pub fn sized(mut self, share: f32) -> Self {
        self.half *= share;
        self
    }

    /// The same for levels with slopes and steps: the controller holds it on the floor
    /// and lets it walk up steps, as high as the agent can. It is a capsule that is
    /// `round` units wide, or a box.
    #[must_use]
    pub fn on_hills(mut self, layer: &Layer, round: Option<f32>) -> Self {
        let profile = layer.profile();
        let step = CharacterLength::Absolute(profile.step_height + OFFSET);
        let steepest = (profile.max_slope + 0.5).to_radians();
        self.snaps = Some(profile.step_height);
        self.controller.autostep = Some(CharacterAutostep {
            max_height: step,
            min_width: CharacterLength::Absolute(0.1),
            include_dynamic_bodies: false,
        });
        self.controller.max_slope_climb_angle = steepest;
        self.controller.min_slope_slide_angle = steepest;
        self.steepest = steepest.cos();
        self.slop = SLOP_ON_SLOPES;
        self.is_round = round.is_some();
        self.half.x = round.map_or(self.half.x, |width| 0.5 * width);
        self
    }

    /// What it reports to its agent.
    pub fn state(&self) -> BodyState {
        BodyState {
            position: self.position,
            velocity: self.velocity,
            grounded: self.grounded,
        }
    }

    /// How far its feet are below the place where they rest on a one-way top.
    fn depth(&self, one_way: usize) -> f32 {
        let bottom = Bottom {
            feet: self.position,
            half: self.half.x,
            is_round: self.is_round,
        };
        self.position.y - rest(&self.world.one_way[one_way], bottom)
    }

    /// A step of `dt` seconds, with the command of its agent.
    pub fn step(&mut self, command: BodyCommand, dt: f32) {
        if command.exact {
            self.velocity = command.velocity;
            self.position += command.velocity * dt;
            self.grounded = false;
            return;
        }
        if let Some(jump) = command.jump {
            self.velocity.y = jump.y;
            if command.drop_through {
                let tops = 0..self.world.one_way.len();
                let carries = |top: &usize| self.depth(*top).abs() < 2.0 * self.slop;
                self.through = tops.filter(carries).collect();
            }
        }
        let rate = if self.grounded {
            self.on_floor
        } else {
            self.in_the_air
        };
        let change = rate * dt;
        self.velocity.x += (command.velocity.x - self.velocity.x).clamp(-change, change);
        self.slide(command, dt);
        // Below the top by more than a body that stands on it.
        let mut through = std::mem::take(&mut self.through);
        through.retain(|top| self.depth(*top) <= 2.0 * self.slop);
        self.through = through;
    }

    /// Moves by the velocity, until it collides: across, and then up or down.
    fn slide(&mut self, command: BodyCommand, dt: f32) {
        let stands = self.grounded && command.jump.is_none();
        // Along slopes as fast as the command says: a controller that moves across into
        // a slope loses the part of the movement that leads into it.
        let slope = if stands && command.velocity.x != 0.0 {
            command.velocity.y / command.velocity.x
        } else {
            0.0
        };
        let by = self.velocity.x * dt * Vec2::new(1.0, slope);
        let before = self.position.x;
        let falls = self.velocity.y >= 0.0 && command.jump.is_none();
        self.push(by, stands || falls, dt);
        if (self.position.x - before).abs() < 0.5 * by.x.abs() {
            self.velocity.x = 0.0;
        }
        if stands && self.stays(dt) {
            return;
        }
        self.velocity.y = (self.velocity.y + self.gravity * dt).min(self.max_fall);
        // A one-way top counts only for a body that comes down on it.
        let falls = self.velocity.y >= 0.0;
        let by = Vec2::new(0.0, self.velocity.y * dt);
        let moved = self.push(by, falls, dt);
        // Not what the controller counts as grounded: a body beside an edge is, too.
        self.grounded = moved.is_stopped && falls;
        if moved.is_stopped {
            self.velocity.y = 0.0;
        }
    }

    /// Whether a body that stood on a floor is still on it.
    fn stays(&mut self, dt: f32) -> bool {
        // On a floor the controller gets no movement down: a cast of a shape that
        // rests on a floor sometimes misses it. Without a movement, the controller
        // moves a shape out of what it overlaps.
        let Some(step) = self.snaps else {
            return self.push(Vec2::ZERO, true, dt).is_grounded;
        };
        // On slopes, `is_grounded` is true beside steep sides too. A cast from above the
        // floor does not miss it.
        let before = self.position;
        self.position.y -= LIFT;
        let down = Vec2::new(0.0, step + LIFT);
        let moved = self.push(down, true, dt);
        if !moved.is_stopped {
            self.position = before;
        }
        moved.is_stopped
    }

    /// Moves along an axis, with a shape that is thinner across the axis: it does
    /// not touch what the body moves along. One-way tops may carry it or not.
    fn push(&mut self, by: Vec2, tops_carry: bool, dt: f32) -> Moved {
        let counts = |_: ColliderHandle, collider: &Collider| match collider.user_data {
            0 => true,
            mark => {
                let top = mark as usize - 1;
                tops_carry && self.depth(top) <= self.slop && !self.through.contains(&top)
            }
        };
        let World {
            bodies,
            colliders,
            broad_phase,
            narrow_phase,
            ..
        } = self.world;
        let queries = broad_phase.as_query_pipeline(
            narrow_phase.query_dispatcher(),
            bodies,
            colliders,
            QueryFilter::new().predicate(&counts),
        );
        let across = if by.x == 0.0 { Vec2::X } else { Vec2::Y };
        let half = self.half - OFFSET - THINNER * across;
        let shape: &dyn Shape = if self.is_round {
            let core = Vec2::new(0.0, half.y - half.x);
            &Capsule::new(-core, core, half.x)
        } else {
            &Cuboid::new(half)
        };
        let centre = self.position - Vec2::new(0.0, self.half.y);
        let mut is_stopped = false;
        let moved = self.controller.move_shape(
            dt,
            &queries,
            shape,
            &Pose::from_translation(centre),
            by,
            |collision| {
                is_stopped |= collision.hit.normal1.dot(by) < -self.steepest * by.length();
            },
        );
        self.position += moved.translation;
        Moved {
            is_stopped,
            is_grounded: moved.grounded,
        }
    }
}

/// What a movement along an axis met.
struct Moved {
    is_stopped: bool,
    is_grounded: bool,
}
