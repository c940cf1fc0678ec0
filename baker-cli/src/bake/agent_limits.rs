//! An agent's limits as the bake computes with them.

use glam::DVec2;
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, Fall};

/// The limits of an [`AgentProfile`] in f64: world units, seconds, speeds as
/// magnitudes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AgentLimits {
    /// Width and height of the body.
    pub(crate) body: DVec2,
    /// Greatest horizontal speed.
    pub(crate) run_speed: f64,
    /// Greatest increase of speed on the floor.
    pub(crate) acceleration: f64,
    /// Greatest decrease of speed on the floor.
    pub(crate) deceleration: f64,
    /// Greatest upward speed at take-off.
    pub(crate) jump_speed: f64,
    /// Downward acceleration.
    pub(crate) gravity: f64,
    /// Greatest distance across and upwards of a jump.
    pub(crate) max_jump: DVec2,
    /// Greatest distance across and downwards of a drop.
    pub(crate) max_drop: DVec2,
    /// Whether horizontal speed may change in the air.
    pub(crate) air_control: bool,
    /// Greatest change of horizontal speed in the air; `None` for speeds that
    /// change at once, or not at all.
    pub(crate) air_acceleration: Option<f64>,
    /// Highest step walked.
    pub(crate) step_height: f64,
    /// Steepest floor walked, as rise over run.
    pub(crate) slope: f64,
    /// Edges it may use.
    pub(crate) edges: EdgeSet,
    /// Gravity and greatest falling speed.
    pub(crate) fall: Fall,
    /// Number of jumps in the air.
    pub(crate) air_jumps: u8,
    /// Speed of climbing.
    pub(crate) climb_speed: f64,
}

impl AgentLimits {
    /// The limits of a validated profile.
    pub(crate) fn of(profile: &AgentProfile) -> Self {
        let pair = |v: [f32; 2]| DVec2::new(f64::from(v[0]), f64::from(v[1]));
        Self {
            body: pair(profile.body),
            run_speed: f64::from(profile.run_speed),
            acceleration: f64::from(profile.acceleration),
            deceleration: f64::from(profile.deceleration),
            jump_speed: f64::from(profile.jump_speed),
            gravity: f64::from(profile.gravity),
            max_jump: pair(profile.max_jump),
            max_drop: pair(profile.max_drop),
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

    /// Whether it jumps.
    pub(crate) fn jumps(&self) -> bool {
        self.edges.contains(EdgeSet::JUMP) && self.jump_speed > 0.0
    }

    /// Whether it drops.
    pub(crate) fn drops(&self) -> bool {
        self.edges.contains(EdgeSet::DROP)
    }

    /// Whether it drops through one-way platforms.
    pub(crate) fn drops_through(&self) -> bool {
        self.edges.contains(EdgeSet::DROP_THROUGH)
    }

    /// Whether it makes any motion through the air from one platform to
    /// another.
    pub(crate) fn takes_off(&self) -> bool {
        self.jumps() || self.drops() || self.drops_through()
    }

    /// Whether the agent can use a kind of climbing edge.
    pub(crate) fn climbs(&self, edge: EdgeSet) -> bool {
        self.climb_speed > 0.0 && self.edges.contains(edge)
    }

    /// Whether it climbs anything.
    pub(crate) fn climbs_anything(&self) -> bool {
        self.climb_speed > 0.0 && self.edges & EdgeSet::CLIMB != EdgeSet::NONE
    }
}
