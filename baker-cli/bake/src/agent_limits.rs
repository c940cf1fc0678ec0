//! An agent's limits as the bake computes with them.

use glam::DVec2;
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, Fall, PlatformKind};

/// The limits of an [`AgentProfile`] in f64, mostly under its names: seconds, speeds as
/// magnitudes, and lengths in the units of the profile, or in level pixels if they are
/// those of [`Layout::limits`](crate::layout::Layout::limits).
#[derive(Debug, Clone, PartialEq)]
pub struct AgentLimits {
    pub body: DVec2,
    pub run_speed: f64,
    pub acceleration: f64,
    pub deceleration: f64,
    pub jump_speed: f64,
    pub max_jump: DVec2,
    pub max_drop: DVec2,
    pub air_control: bool,
    /// Greatest change of horizontal speed in the air; `None` for speeds that
    /// change at once, or not at all.
    pub air_acceleration: Option<f64>,
    pub step_height: f64,
    /// Steepest floor walked, as rise over run.
    pub slope: f64,
    pub edges: EdgeSet,
    pub fall: Fall,
    pub air_jumps: u8,
    pub climb_speed: f64,
}

impl AgentLimits {
    /// The limits of a validated profile.
    pub fn of(profile: &AgentProfile) -> Self {
        Self {
            body: DVec2::from(profile.body.map(f64::from)),
            run_speed: f64::from(profile.run_speed),
            acceleration: f64::from(profile.acceleration),
            deceleration: f64::from(profile.deceleration),
            jump_speed: f64::from(profile.jump_speed),
            max_jump: DVec2::from(profile.max_jump.map(f64::from)),
            max_drop: DVec2::from(profile.max_drop.map(f64::from)),
            air_control: profile.air_control,
            air_acceleration: (profile.air_acceleration)
                .filter(|_| profile.air_control)
                .map(f64::from),
            step_height: f64::from(profile.step_height),
            // libm, because the platform's tan may differ in the last digit,
            // and bakes must be equal on every machine.
            slope: libm::tan(f64::from(profile.max_slope).to_radians()),
            edges: profile.edges,
            fall: Fall::from(profile),
            air_jumps: profile.air_jumps,
            climb_speed: f64::from(profile.climb_speed),
        }
    }

    /// The same limits in units of which `factor` make one.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        let (gravity, max_speed) = (self.fall.gravity * factor, self.fall.max_speed * factor);
        Self {
            body: self.body * factor,
            run_speed: self.run_speed * factor,
            acceleration: self.acceleration * factor,
            deceleration: self.deceleration * factor,
            jump_speed: self.jump_speed * factor,
            max_jump: self.max_jump * factor,
            max_drop: self.max_drop * factor,
            air_acceleration: self.air_acceleration.map(|most| most * factor),
            step_height: self.step_height * factor,
            fall: Fall { gravity, max_speed },
            climb_speed: self.climb_speed * factor,
            ..self
        }
    }

    pub fn jumps(&self) -> bool {
        self.edges.contains(EdgeSet::JUMP) && self.jump_speed > 0.0
    }

    pub fn drops(&self) -> bool {
        self.edges.contains(EdgeSet::DROP)
    }

    pub fn drops_through(&self) -> bool {
        self.edges.contains(EdgeSet::DROP_THROUGH)
    }

    /// The greatest distance across and up of motions with jumps, or without.
    pub fn reach(&self, jumps: bool) -> DVec2 {
        if jumps {
            self.max_jump
        } else {
            DVec2::new(self.max_drop.x, 0.0)
        }
    }

    /// Whether it makes any motion through the air from one platform to
    /// another.
    pub fn takes_off(&self) -> bool {
        self.jumps() || self.drops() || self.drops_through()
    }

    /// Whether the agent can use a kind of climbing edge.
    pub fn climbs(&self, edge: EdgeSet) -> bool {
        self.climb_speed > 0.0 && self.edges.contains(edge)
    }

    /// The speed along platforms of a kind.
    pub fn speed_on(&self, kind: PlatformKind) -> f64 {
        match kind {
            PlatformKind::Floor => self.run_speed,
            _ => self.climb_speed,
        }
    }

    pub fn climbs_anything(&self) -> bool {
        self.climb_speed > 0.0 && self.edges & EdgeSet::CLIMB != EdgeSet::NONE
    }
}
