//! Jumps and drops: arcs followed by their closed form. Feature A5.

use glam::{DVec2, Vec2};

use crate::mesh::{AgentProfile, Fall, Launch, Layer, Leg, Link, Trajectory, TrajectoryParams};
use crate::search::limits::{Limits, top_launch};
use crate::search::resolve::trajectory_within;

/// A motion through the air that has begun.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ballistic {
    arc: Trajectory,
    from: Vec2,
    to: Vec2,
    down: f32,
    /// Seconds of the arc that pass in a second.
    time_scale: f64,
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
    NoArc(#[from] crate::mesh::TrajectoryError),
}

impl Ballistic {
    /// The motion of a link as this agent makes it.
    ///
    /// - With the limits it was baked for, or greater ones, it is the baked
    ///   arc.
    /// - With another gravity it is the very curve that was checked against
    ///   geometry: under `k²` times the gravity, every speed is `k` times as
    ///   great and every time `k` times as short.
    /// - Where that takes more speed or launch than the agent has, another
    ///   arc is sought between the same ends: the direct one, the baked one
    ///   with slower legs, or as high as it can jump. It is taken when it
    ///   keeps to the limits and the layer's free vertices and platforms
    ///   prove that nothing is in its way.
    ///
    /// # Errors
    /// When there is no such arc: what the baked one needs.
    pub fn along(link: &Link, layer: &Layer, profile: &AgentProfile) -> Result<Self, BeyondLimits> {
        let limits = Limits::new(profile, layer.profile());
        let arc = trajectory_within(layer, link, &limits, true)?;
        let arc = arc.map_err(|baked| beyond(&baked, &limits))?;
        Ok(Self {
            arc,
            from: link.from,
            to: link.to,
            down: layer.grid().y_axis.down(),
            time_scale: limits.time_scale,
            elapsed: 0.0,
        })
    }

    /// A fall from rest: level over to an x at a speed, then down. `None`
    /// when `to` is not below `from`.
    pub(super) fn fall(
        from: Vec2,
        over: f32,
        to: Vec2,
        speed: f32,
        fall: Fall,
        down: f32,
    ) -> Option<Self> {
        let depth = (f64::from(to.y) - f64::from(from.y)) * f64::from(down);
        if depth <= 0.0 {
            return None;
        }
        let aside = over - from.x;
        let level = aside.abs() / speed;
        let let_go = Launch {
            time: level.into(),
            speed: 0.0,
        };
        let over = Leg {
            duration: level.into(),
            speed: (speed * aside.signum()).into(),
        };
        let legs = if level > 0.0 { &[over][..] } else { &[] };
        let params = TrajectoryParams::new(&[let_go], legs).ok()?;
        let across = f64::from(to.x) - f64::from(from.x);
        let arc = params.trajectory(across, -depth, fall).ok()?;
        Some(Self {
            arc,
            from,
            to,
            down,
            time_scale: 1.0,
            elapsed: 0.0,
        })
    }

    /// Moves on. The time that is left after the landing, if it has landed.
    pub fn advance(&mut self, seconds: f64) -> Option<f64> {
        let end = self.arc.duration();
        let elapsed = self.elapsed + seconds * self.time_scale;
        self.elapsed = elapsed.min(end);
        (elapsed >= end).then(|| (elapsed - end) / self.time_scale)
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
        let v = self.arc.velocity(self.elapsed) * self.time_scale;
        DVec2::new(v.x, -f64::from(self.down) * v.y).as_vec2()
    }

    /// The motion itself, in baked time.
    pub(super) fn arc(&self) -> &Trajectory {
        &self.arc
    }

    /// Where it lands.
    pub fn landing(&self) -> Vec2 {
        self.to
    }

    /// Seconds from take-off to landing.
    pub fn duration(&self) -> f64 {
        self.arc.duration() / self.time_scale
    }

    /// Seconds since take-off.
    pub fn elapsed(&self) -> f64 {
        self.elapsed / self.time_scale
    }
}

/// What a baked trajectory needs that an agent does not have.
fn beyond(baked: &Trajectory, limits: &Limits) -> BeyondLimits {
    let real = |speed: f64| (speed * limits.time_scale) as f32;
    if baked.top_speed() > limits.across {
        BeyondLimits::TooFast {
            needed: real(baked.top_speed()),
            limit: real(limits.across),
        }
    } else {
        BeyondLimits::TooHigh {
            needed: real(top_launch(baked)),
            limit: real(limits.up),
        }
    }
}
