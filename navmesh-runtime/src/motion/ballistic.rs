//! Jumps and drops: arcs followed by their closed form. Feature A5.

use glam::{DVec2, Vec2};

use super::MotionProfile;
use crate::mesh::{Arc, Fall, Layer, Link, Program};

/// Slack for limits that an arc meets exactly, as rounding left it.
const SLACK: f64 = 1.0 + 1e-4;

/// A motion through the air that has begun.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ballistic {
    arc: Arc,
    from: Vec2,
    to: Vec2,
    down: f32,
    /// Seconds of the arc that pass in a second.
    haste: f64,
    /// Seconds of the arc so far.
    elapsed: f64,
}

/// Why an agent cannot follow a link.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BeyondLimits {
    /// It would have to move across faster than it can.
    #[error("it needs a speed of {needed} units/s across, and {limit} is the most")]
    TooFast {
        /// Units/s.
        needed: f32,
        /// Units/s.
        limit: f32,
    },
    /// It would have to leave the floor faster than it can.
    #[error("it needs a launch of {needed} units/s, and {limit} is the most")]
    TooHigh {
        /// Units/s.
        needed: f32,
        /// Units/s.
        limit: f32,
    },
    /// There is no arc between its ends.
    #[error(transparent)]
    NoArc(#[from] crate::mesh::ArcError),
}

impl Ballistic {
    /// The motion of a link as this agent makes it.
    ///
    /// An agent with another gravity than the baked one follows the very
    /// curve that was checked against geometry: with `k²` times the gravity,
    /// every speed is `k` times as great and every time `k` times as short.
    ///
    /// # Errors
    /// When that takes more speed than the agent has.
    pub fn along(
        link: &Link,
        layer: &Layer,
        profile: &MotionProfile,
    ) -> Result<Self, BeyondLimits> {
        let down = layer.grid().y_axis.down();
        let arc = link.arc(layer.profile().fall(), down)?;
        let haste = profile.haste(layer);
        // What was baked was checked by the baker; only tighter limits bind.
        let across = arc.top_speed() * haste;
        let limit = f64::from(profile.run_speed);
        if across > limit * SLACK && profile.run_speed < layer.profile().run_speed {
            return Err(BeyondLimits::TooFast {
                needed: across as f32,
                limit: profile.run_speed,
            });
        }
        let launch = arc
            .launches()
            .iter()
            .fold(0.0_f64, |most, l| most.max(l[1]))
            * haste;
        let limit = f64::from(profile.jump_speed);
        if launch > limit * SLACK && profile.jump_speed < layer.profile().jump_speed {
            return Err(BeyondLimits::TooHigh {
                needed: launch as f32,
                limit: profile.jump_speed,
            });
        }
        Ok(Self {
            arc,
            from: link.from,
            to: link.to,
            down,
            haste,
            elapsed: 0.0,
        })
    }

    /// A fall straight down, from rest; `None` when `to` is not below `from`.
    pub fn fall(from: Vec2, to: Vec2, fall: impl Into<Fall>, down: f32) -> Option<Self> {
        let depth = (f64::from(to.y) - f64::from(from.y)) * f64::from(down);
        if depth <= 0.0 {
            return None;
        }
        let program = Program::new(&[[0.0, 0.0]], &[]).ok()?;
        let across = f64::from(to.x) - f64::from(from.x);
        let arc = program.arc(across, -depth, fall).ok()?;
        Some(Self {
            arc,
            from,
            to,
            down,
            haste: 1.0,
            elapsed: 0.0,
        })
    }

    /// Moves on. The time that is left after the landing, if it has landed.
    pub fn advance(&mut self, seconds: f64) -> Option<f64> {
        let end = self.arc.duration();
        let elapsed = self.elapsed + seconds * self.haste;
        self.elapsed = elapsed.min(end);
        (elapsed >= end).then(|| (elapsed - end) / self.haste)
    }

    /// Feet now, world units.
    pub fn position(&self) -> Vec2 {
        if self.elapsed >= self.arc.duration() {
            return self.to;
        }
        let offset = self.arc.offset(self.elapsed);
        let offset = DVec2::new(offset.x, -f64::from(self.down) * offset.y);
        (self.from.as_dvec2() + offset).as_vec2()
    }

    /// Velocity now, units/s.
    pub fn velocity(&self) -> Vec2 {
        let v = self.arc.velocity(self.elapsed) * self.haste;
        DVec2::new(v.x, -f64::from(self.down) * v.y).as_vec2()
    }

    /// Where it lands.
    pub fn landing(&self) -> Vec2 {
        self.to
    }

    /// Seconds from take-off to landing.
    pub fn duration(&self) -> f64 {
        self.arc.duration() / self.haste
    }

    /// Seconds since take-off.
    pub fn elapsed(&self) -> f64 {
        self.elapsed / self.haste
    }
}
