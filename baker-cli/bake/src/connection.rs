//! Links during a bake: y points down, and platforms are indices.

use std::cmp::Ordering;

use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{Link, PlatformId, StepKind, TrajectoryParams};

use crate::agent_limits::AgentLimits;

/// Greatest tolerance that is stored, in seconds: a quarter of a second is
/// about human reaction time, and no agent starts a jump later than that.
/// Links that need no timing (steps, portals) have this tolerance.
pub const MAX_TOLERANCE: f32 = 0.25;

/// How many times its duration a link without a tolerance counts where links are
/// compared. A body that physics moves fails such a link one time in several, so one
/// that is a little quicker is of no use. In 14 levels, with 1.5 one jump in 16 has no
/// tolerance, with 1 three in five, and with 2 one in 37.
pub const FRAGILE: f64 = 1.5;

/// A tolerance, in seconds, that is large enough: three frames at 60 Hz. A link with less
/// counts [`NARROW`] times its duration. With 1.1, a short jump over spikes replaces the jump
/// at full speed, which has three times the tolerance.
pub const ENOUGH: f32 = 3.0 / 64.0;
pub const NARROW: f64 = 1.25;

/// A position on a platform where a link may start or end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Endpoint {
    /// x of the feet, on the lattice.
    pub x: f64,
    /// y of the feet, y down.
    pub y: f64,
    /// Index of the platform.
    pub platform: u32,
}

impl Endpoint {
    pub fn new(p: DVec2, platform: u32) -> Self {
        let DVec2 { x, y } = p;
        Self { x, y, platform }
    }

    pub fn point(&self) -> DVec2 {
        DVec2::new(self.x, self.y)
    }
}

/// A point of the bake (y down) in 32 bits, in a world where one unit downwards adds
/// `down` to y.
pub fn signed_point(p: DVec2, down: f32) -> Vec2 {
    Vec2::new(p.x as f32, p.y as f32 * down)
}

/// Orders positions from left to right, then top to bottom.
pub fn reading_order(a: DVec2, b: DVec2) -> Ordering {
    a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
}

/// A link that is kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Connection {
    pub from: Endpoint,
    pub to: Endpoint,
    pub kind: StepKind,
    pub params: TrajectoryParams,
    /// Seconds it takes.
    pub duration: f64,
    /// How late, in seconds, an agent may start and still succeed.
    pub tolerance: f32,
}

impl Connection {
    /// A link that is walked, onto a platform from which no walk leads back. `None`
    /// when the duration cannot be stored.
    pub fn one_way_step(from: Endpoint, to: Endpoint, limits: &AgentLimits) -> Option<Self> {
        // Walking is timed by its horizontal distance, as along a platform.
        let seconds = ((to.x - from.x).abs() / limits.run_speed) as f32;
        Self::steady(from, to, StepKind::OneWayStep, seconds)
    }

    /// A link along a straight line that takes `seconds`. `None` when the duration
    /// cannot be stored.
    pub fn steady(from: Endpoint, to: Endpoint, kind: StepKind, seconds: f32) -> Option<Self> {
        Some(Self {
            from,
            to,
            kind,
            params: TrajectoryParams::steady(seconds).ok()?,
            duration: f64::from(seconds),
            tolerance: MAX_TOLERANCE,
        })
    }

    /// The same with other numbers of platforms; `None` where one has none.
    pub fn renumbered(mut self, number: impl Fn(u32) -> Option<u32>) -> Option<Self> {
        self.from.platform = number(self.from.platform)?;
        self.to.platform = number(self.to.platform)?;
        Some(self)
    }

    /// Whether a body that is a little off can follow it.
    pub fn is_tolerant(&self) -> bool {
        self.tolerance > 0.0
    }

    /// What it costs where links are compared: its duration, or more than that with little
    /// tolerance or none.
    pub fn cost(&self) -> f64 {
        let factor = if !self.is_tolerant() {
            FRAGILE
        } else if self.tolerance < ENOUGH {
            NARROW
        } else {
            1.0
        };
        factor * self.duration
    }

    /// The link as the mesh stores it, in a world where one unit downwards adds `down`
    /// to y.
    pub fn to_link(self, down: f32) -> Link {
        let (from, to) = (&self.from, &self.to);
        Link {
            kind: self.kind,
            from_platform: PlatformId(from.platform),
            to_platform: PlatformId(to.platform),
            from: signed_point(from.point(), down),
            to: signed_point(to.point(), down),
            duration: self.duration as f32,
            tolerance: self.tolerance,
            params: self.params,
        }
    }

    /// The platforms on which the link starts and ends. Links are sorted by
    /// them.
    pub fn platforms(&self) -> (u32, u32) {
        (self.from.platform, self.to.platform)
    }
}
