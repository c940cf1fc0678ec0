//! An agent's limits in the numbers the bake works with.

use glam::DVec2;
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, Fall};

/// An agent's limits: world units and seconds, speeds as magnitudes.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// Width and height of the body.
    pub body: DVec2,
    /// Greatest horizontal speed.
    pub run_speed: f64,
    /// Greatest launch speed upwards.
    pub jump_speed: f64,
    /// Downward acceleration.
    pub gravity: f64,
    /// Furthest across and highest up a jump may end.
    pub max_jump: DVec2,
    /// Furthest across and deepest down a drop may end.
    pub max_drop: DVec2,
    /// Whether horizontal speed may change in the air.
    pub air_control: bool,
    /// Highest step walked.
    pub step_height: f64,
    /// Steepest floor walked, as rise over run.
    pub slope: f64,
    /// Edges it may use.
    pub edges: EdgeSet,
    /// How it falls.
    pub fall: Fall,
    /// Launches in the air.
    pub air_jumps: u8,
    /// Speed of climbing.
    pub climb_speed: f64,
}

impl Limits {
    /// The limits of a (validated) profile.
    pub fn of(profile: &AgentProfile) -> Self {
        let pair = |v: [f32; 2]| DVec2::new(f64::from(v[0]), f64::from(v[1]));
        Self {
            body: pair(profile.body),
            run_speed: f64::from(profile.run_speed),
            jump_speed: f64::from(profile.jump_speed),
            gravity: f64::from(profile.gravity),
            max_jump: pair(profile.max_jump),
            max_drop: pair(profile.max_drop),
            air_control: profile.air_control,
            step_height: f64::from(profile.step_height),
            // libm, because the platform's tan may differ in the last place.
            slope: libm::tan(f64::from(profile.max_slope).to_radians()),
            edges: profile.edges,
            fall: profile.fall(),
            air_jumps: profile.air_jumps,
            climb_speed: f64::from(profile.climb_speed),
        }
    }

    /// Whether it jumps.
    pub fn jumps(&self) -> bool {
        self.edges.contains(EdgeSet::JUMP) && self.jump_speed > 0.0
    }

    /// Whether it drops.
    pub fn drops(&self) -> bool {
        self.edges.contains(EdgeSet::DROP)
    }

    /// Whether it falls through the one-way platforms it stands on.
    pub fn drops_through(&self) -> bool {
        self.edges.contains(EdgeSet::DROP_THROUGH)
    }

    /// Whether it takes off from anything at all, to land elsewhere.
    pub fn takes_off(&self) -> bool {
        self.jumps() || self.drops() || self.drops_through()
    }

    /// Whether it climbs by edges of a kind.
    pub fn climbs(&self, edge: EdgeSet) -> bool {
        self.climb_speed > 0.0 && self.edges.contains(edge)
    }

    /// Whether it climbs anything.
    pub fn climbs_anything(&self) -> bool {
        self.climb_speed > 0.0 && !self.edges.intersection(EdgeSet::CLIMB).is_empty()
    }

    /// Whether it needs floors at all.
    pub fn stands(&self) -> bool {
        self.edges.walks()
    }
}
