//! The character controller of rapier2d.

use crate::tiles::merged;

use glam::Vec2;
use navmesh_runtime::mesh::Layer;
use navmesh_runtime::motion::{BodyCommand, BodyState};
use navmesh_runtime::search::StepKind;
use rapier2d::control::{CharacterLength, KinematicCharacterController};
use rapier2d::math::Pose;
use rapier2d::pipeline::CollisionPipeline;
use rapier2d::prelude::{
    BroadPhaseBvh, Collider, ColliderBuilder, ColliderHandle, ColliderSet, Cuboid, IslandManager,
    NarrowPhase, QueryFilter, RigidBodySet,
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
/// Marks the colliders that carry from above only.
const ONE_WAY: u128 = 1;

/// The colliders of a level. y grows downwards.
pub struct World {
    bodies: RigidBodySet,
    colliders: ColliderSet,
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
}

impl World {
    /// From square tiles: `#` is solid, `-` carries from above.
    pub fn from_tiles(rows: &[Vec<u8>], side: f32) -> Self {
        let mut colliders = ColliderSet::new();
        for (tile, mark) in [(b'#', 0), (b'-', ONE_WAY)] {
            for [min, max] in merged(rows, tile) {
                let (min, max) = (min * side, max * side);
                let half = 0.5 * (max - min);
                let at = 0.5 * (min + max);
                let solid = ColliderBuilder::cuboid(half.x, half.y).translation(at);
                colliders.insert(solid.user_data(mark));
            }
        }
        let mut world = Self {
            bodies: RigidBodySet::new(),
            colliders,
            broad_phase: BroadPhaseBvh::new(),
            narrow_phase: NarrowPhase::new(),
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
    /// The height of the one-way top through which it drops.
    through: Option<f32>,
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
            on_floor: profile.deceleration,
            in_the_air,
            gravity: profile.gravity,
            max_fall: profile.max_fall_speed.unwrap_or(f32::INFINITY),
            position,
            velocity: Vec2::ZERO,
            grounded: true,
            through: None,
        }
    }

    /// What it reports to its agent.
    pub fn state(&self) -> BodyState {
        BodyState {
            position: self.position,
            velocity: self.velocity,
            grounded: self.grounded,
        }
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
            self.velocity.y = jump.velocity.y;
            if jump.kind == StepKind::DropThrough {
                self.through = Some(self.position.y);
            }
        }
        let rate = if self.grounded {
            self.on_floor
        } else {
            self.in_the_air
        };
        let change = rate * dt;
        self.velocity.x += (command.velocity.x - self.velocity.x).clamp(-change, change);
        self.slide(command.jump.is_some(), dt);
        // Below the top by more than a body that stands on it.
        if self
            .through
            .is_some_and(|top| self.position.y > top + 2.0 * SLOP)
        {
            self.through = None;
        }
    }

    /// Moves by the velocity, until it collides: across, and then up or down.
    fn slide(&mut self, jumps: bool, dt: f32) {
        let moved = self.push(Vec2::new(self.velocity.x * dt, 0.0), dt, &|_| false);
        if moved.is_stopped {
            self.velocity.x = 0.0;
        }
        let (feet, through) = (self.position.y, self.through);
        let is_below = |top: f32| {
            let is_dropped = through.is_some_and(|at| (at - top).abs() < SLOP);
            feet <= top + SLOP && !is_dropped
        };
        // On a floor the controller gets no movement down: a cast of a shape that
        // rests on a floor sometimes misses it. Without a movement, the controller
        // moves a shape out of what it overlaps.
        if self.grounded && !jumps && self.push(Vec2::ZERO, dt, &is_below).is_grounded {
            return;
        }
        self.velocity.y = (self.velocity.y + self.gravity * dt).min(self.max_fall);
        // A one-way top counts only for a body that comes down on it.
        let falls = self.velocity.y >= 0.0;
        let by = Vec2::new(0.0, self.velocity.y * dt);
        let moved = self.push(by, dt, &|top| falls && is_below(top));
        // Not what the controller counts as grounded: a body beside an edge is, too.
        self.grounded = moved.is_stopped && falls;
        if moved.is_stopped {
            self.velocity.y = 0.0;
        }
    }

    /// Moves along an axis, with a shape that is thinner across the axis: it does
    /// not touch what the body moves along.
    fn push(&mut self, by: Vec2, dt: f32, carries: &dyn Fn(f32) -> bool) -> Moved {
        let counts = |_: ColliderHandle, collider: &Collider| {
            collider.user_data != ONE_WAY || carries(collider.compute_aabb().mins.y)
        };
        let World {
            bodies,
            colliders,
            broad_phase,
            narrow_phase,
        } = self.world;
        let queries = broad_phase.as_query_pipeline(
            narrow_phase.query_dispatcher(),
            bodies,
            colliders,
            QueryFilter::new().predicate(&counts),
        );
        let across = if by.x == 0.0 { Vec2::X } else { Vec2::Y };
        let shape = Cuboid::new(self.half - OFFSET - THINNER * across);
        let centre = self.position - Vec2::new(0.0, self.half.y);
        let mut is_stopped = false;
        let moved = self.controller.move_shape(
            dt,
            &queries,
            &shape,
            &Pose::from_translation(centre),
            by,
            |collision| is_stopped |= collision.hit.normal1.dot(by) < -0.7 * by.length(),
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
