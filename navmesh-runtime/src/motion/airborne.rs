//! Jumps, drops and falls, followed by their closed form.

use glam::{DVec2, Vec2};

use crate::mesh::Limits;
use crate::mesh::{AgentProfile, Fall, Launch, Layer, Leg, Link, Trajectory, TrajectoryParams};
use crate::search::replacement::trajectory_within;

/// A jump, drop or fall that has begun. Where it is follows from the time
/// since take-off alone, so the length of steps does not matter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Airborne {
    /// Its curve, in baked time.
    pub(crate) trajectory: Trajectory,
    /// Feet at the take-off, world units.
    pub(crate) from: Vec2,
    /// Feet at the landing, world units.
    #[doc(hidden)]
    pub to: Vec2,
    down: f32,
    /// Seconds of the trajectory that pass in a second.
    pub(crate) time_scale: f64,
    /// Seconds of the trajectory so far.
    elapsed: f64,
}

impl Airborne {
    /// The motion along a trajectory of the layer's agent.
    pub(crate) fn new(trajectory: Trajectory, from: Vec2, to: Vec2, down: f32) -> Self {
        Self {
            trajectory,
            from,
            to,
            down,
            time_scale: 1.0,
            elapsed: 0.0,
        }
    }

    /// The motion along a jump or drop link as an agent of these limits makes
    /// it; `None` when it cannot.
    ///
    /// - With the limits the layer was baked for, or greater ones, it is the
    ///   baked trajectory.
    /// - Under another gravity it is the same curve, which was checked against
    ///   the geometry: under `k²` times the gravity, every speed is `k` times
    ///   as great and every time `k` times as short.
    /// - Where that takes more speed or launch than the agent has, another
    ///   trajectory between the same ends is tried: the direct one, the baked
    ///   one with slower legs, or one as high as the agent can jump. It is
    ///   taken when it keeps to the limits, and the layer's free vertices and
    ///   platforms prove that nothing is in its way.
    pub fn along(link: &Link, layer: &Layer, profile: &AgentProfile) -> Option<Self> {
        let limits = Limits::new(profile, layer.profile());
        let trajectory = trajectory_within(layer, link, &limits, true)?;
        Some(Self {
            trajectory,
            from: link.from,
            to: link.to,
            down: layer.grid().y_axis.down(),
            time_scale: limits.time_scale,
            elapsed: 0.0,
        })
    }

    /// The same motion with another trajectory, in baked time, between other
    /// ends.
    pub(crate) fn with(&self, trajectory: Trajectory, [from, to]: [Vec2; 2]) -> Self {
        Self {
            trajectory,
            from,
            to,
            elapsed: 0.0,
            ..*self
        }
    }

    /// A fall from rest: first level to the x `over` at a speed, then down to `to`.
    /// `None` when `to` is not below `from`.
    pub(crate) fn fall(
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
        Some(Self {
            trajectory: params.trajectory(across, -depth, fall).ok()?,
            from,
            to,
            down,
            time_scale: 1.0,
            elapsed: 0.0,
        })
    }

    /// Advances the motion by some seconds. Returns the seconds that are left after the
    /// landing; `None` while it is in the air.
    pub fn advance(&mut self, seconds: f64) -> Option<f64> {
        let end = self.trajectory.duration;
        let elapsed = self.elapsed + seconds * self.time_scale;
        self.elapsed = elapsed.min(end);
        (elapsed >= end).then(|| (elapsed - end) / self.time_scale)
    }

    /// Feet now, world units.
    pub fn position(&self) -> Vec2 {
        if self.elapsed >= self.trajectory.duration {
            return self.to;
        }
        let offset = self.trajectory.offset(self.elapsed);
        let offset = DVec2::new(offset.x, -f64::from(self.down) * offset.y);
        (self.from.as_dvec2() + offset).as_vec2()
    }

    /// Velocity now, units/s.
    pub fn velocity(&self) -> Vec2 {
        let v = self.trajectory.velocity(self.elapsed) * self.time_scale;
        DVec2::new(v.x, -f64::from(self.down) * v.y).as_vec2()
    }

    /// Seconds since take-off.
    pub fn elapsed(&self) -> f64 {
        self.elapsed / self.time_scale
    }

    /// Goes to another time after take-off, seconds.
    pub(crate) fn seek(&mut self, elapsed: f64) {
        self.elapsed = (elapsed * self.time_scale).clamp(0.0, self.trajectory.duration);
    }

    /// The upward speeds with which it launches, units/s, and when, in seconds
    /// after take-off.
    pub(crate) fn launches(&self) -> impl Iterator<Item = Launch> + use<'_> {
        let scale = self.time_scale;
        self.trajectory.launches().iter().map(move |launch| Launch {
            time: launch.time / scale,
            speed: launch.speed * scale,
        })
    }

    /// Seconds from take-off to landing.
    pub fn duration(&self) -> f64 {
        self.trajectory.duration / self.time_scale
    }
}
