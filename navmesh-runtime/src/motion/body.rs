//! The body of an agent as its engine sees it.

use glam::Vec2;

use super::movement::Movement;
use super::report::Facing;
use crate::mesh::Layer;

/// Speed across below which an agent keeps looking where it looked, units/s.
/// On a slope or at the end of a curve, rounding leaves less than this.
const TURNING_SPEED: f32 = 1e-3;

/// Where the body is, and how it moves.
#[derive(Debug, Clone)]
pub struct Body {
    /// Feet, world units.
    pub position: Vec2,
    /// Units/s.
    pub velocity: Vec2,
    pub facing: Facing,
    /// Where the engine reported the body since the last step.
    pub reported: Option<Vec2>,
    /// Whether that took the agent off its path.
    pub has_drifted: bool,
}

impl Body {
    pub fn new(position: Vec2) -> Self {
        Self {
            position,
            velocity: Vec2::ZERO,
            facing: Facing::default(),
            reported: None,
            has_drifted: false,
        }
    }

    pub fn halt(&mut self) {
        self.velocity = Vec2::ZERO;
    }

    pub fn teleport(&mut self, position: Vec2) {
        self.position = position;
        self.halt();
    }

    /// Takes the position at which the engine reports the body, and on a floor the
    /// velocity too. Returns `false` when the position is farther from the planned one
    /// than `tolerance`.
    pub fn report(
        &mut self,
        position: Vec2,
        velocity: Vec2,
        tolerance: f32,
        movement: &mut Movement,
    ) -> bool {
        self.reported = Some(position);
        // False for positions that are not finite, too.
        let is_near = position.distance(self.position) <= tolerance;
        if is_near && let Movement::Floor(_, runner) = movement {
            runner.at = f64::from(position.x);
            if velocity.x.is_finite() {
                // A body that moves as planned changes nothing.
                runner.velocity += f64::from(velocity.x) - f64::from(self.velocity.x);
                self.velocity.x = velocity.x;
            }
            self.position = position;
        }
        is_near
    }

    /// Moves to where a movement is now.
    pub fn follow(&mut self, movement: &Movement, layer: &Layer) {
        match movement.state(layer) {
            Some((position, velocity)) => (self.position, self.velocity) = (position, velocity),
            None => self.halt(),
        }
        self.look_along(self.velocity);
    }

    pub fn look_along(&mut self, velocity: Vec2) {
        if velocity.x.abs() > TURNING_SPEED {
            self.facing = if velocity.x < 0.0 {
                Facing::Left
            } else {
                Facing::Right
            };
        }
    }

    /// Replaces the velocity by the one that takes the body from where it was
    /// reported to where it should be. The velocity at the end of each step
    /// would miss every curve by a little more.
    pub fn steer_from(&mut self, reported: Vec2, seconds: f64) {
        let ahead = self.position.as_dvec2() - reported.as_dvec2();
        let velocity = (ahead / seconds).as_vec2();
        // A step of no time and a report that is not finite have no velocity.
        if velocity.is_finite() {
            self.velocity = velocity;
        }
    }
}
