//! A character that the move and slide of avian2d moves.

use crate::tiles::merged;

use std::cell::RefCell;
use std::time::Duration;

use avian2d::math::Vector;
use avian2d::prelude::{
    Collider, MoveAndSlide, MoveAndSlideConfig, MoveAndSlideHitResponse, PhysicsPlugins, Position,
    RigidBody, SpatialQueryFilter,
};
use bevy::MinimalPlugins;
use bevy::app::App;
use bevy::ecs::entity::Entity;
use bevy::ecs::system::SystemState;
use bevy::transform::TransformPlugin;
use glam::Vec2;
use navmesh_runtime::mesh::Layer;
use navmesh_runtime::motion::{BodyCommand, BodyState};

/// Distance that the engine keeps from everything, world units. 0.005 to 0.05 will
/// do. With 0.001, bodies get stuck on floors, as casts are not exact. With 0.16 they
/// fall off where the mesh lets them take off.
const SKIN: f32 = 0.02;
/// How far below a one-way top the feet may be that still stand on it.
const SLOP: f32 = 0.01;

/// The colliders of a level. y grows downwards.
pub struct World {
    app: App,
    physics: RefCell<SystemState<MoveAndSlide<'static, 'static>>>,
    /// Colliders that carry from above only, and their heights.
    tops: Vec<(Entity, f32)>,
}

impl World {
    /// From square tiles: `#` is solid, `-` carries from above.
    pub fn from_tiles(rows: &[Vec<u8>], side: f32) -> Self {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, PhysicsPlugins::default()));
        app.finish();
        let world = app.world_mut();
        let mut tops = Vec::new();
        for tile in [b'#', b'-'] {
            for [min, max] in merged(rows, tile) {
                let (min, max) = (min * side, max * side);
                let size = max - min;
                let solid = world.spawn((
                    RigidBody::Static,
                    Collider::rectangle(size.x, size.y),
                    Position::new(vector(0.5 * (min + max))),
                ));
                if tile == b'-' {
                    tops.push((solid.id(), min.y));
                }
            }
        }
        let physics = RefCell::new(SystemState::new(world));
        Self { app, physics, tops }
    }
}

/// The glam of Bevy is older than that of rapier2d, which the runtime has here.
fn vector(of: Vec2) -> Vector {
    of.to_array().into()
}

/// A character, with the feet at `feet`.
pub struct Character<'a> {
    world: &'a World,
    config: MoveAndSlideConfig,
    /// Width and height.
    body: Vec2,
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
        let config = MoveAndSlideConfig {
            skin_width: SKIN,
            ..Default::default()
        };
        Self {
            world,
            config,
            body: profile.body.into(),
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

    /// The same with a smaller body than baked, for instance 0.9 times as large.
    #[must_use]
    pub fn sized(mut self, share: f32) -> Self {
        self.body *= share;
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
        self.slide(dt);
        // Below the top by more than a body that stands on it.
        if self
            .through
            .is_some_and(|top| self.position.y > top + 2.0 * SLOP)
        {
            self.through = None;
        }
    }

    /// Moves by the velocity, until it collides: across, and then up or down. In one
    /// movement, a body sometimes stops in the middle of a floor, and a floor that it
    /// leaves still stops its fall.
    fn slide(&mut self, dt: f32) {
        self.velocity.x = self.push(Vec2::new(self.velocity.x, 0.0), dt).x;
        let fall = (self.velocity.y + self.gravity * dt).min(self.max_fall);
        self.velocity.y = self.push(Vec2::new(0.0, fall), dt).y;
        // Something has stopped the fall.
        self.grounded = fall > 0.0 && self.velocity.y < 0.5 * fall;
    }

    /// Moves with a velocity. Returns what is left of it after collisions.
    fn push(&mut self, velocity: Vec2, dt: f32) -> Vec2 {
        let mut physics = self.world.physics.borrow_mut();
        let physics = physics.get(self.world.app.world()).unwrap();
        // One-way tops count only for a body above them.
        let (feet, through) = (self.position.y, self.through);
        let carries = |top: f32| {
            let is_dropped = through.is_some_and(|at| (at - top).abs() < SLOP);
            feet <= top + SLOP && !is_dropped
        };
        let others = self.world.tops.iter().filter(|(_, top)| !carries(*top));
        let others = others.map(|(entity, _)| *entity);
        // Smaller by the skin on every side, so that the body rests where the mesh says.
        let shape = self.body - 2.0 * SKIN;
        let up = Vec2::new(0.0, -0.5 * self.body.y);
        let moved = physics.move_and_slide(
            &Collider::rectangle(shape.x, shape.y),
            vector(self.position + up),
            0.0,
            vector(velocity),
            Duration::from_secs_f32(dt),
            &self.config,
            &SpatialQueryFilter::from_excluded_entities(others),
            |_| MoveAndSlideHitResponse::Accept,
        );
        self.position = Vec2::from(moved.position.to_array()) - up;
        moved.projected_velocity.to_array().into()
    }
}
