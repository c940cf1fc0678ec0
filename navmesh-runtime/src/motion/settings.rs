//! What a game sets on an agent: limits, filter, tolerance.

use super::environment::Environment;
use crate::mesh::{AgentProfile, Fall, Layer, LinkId, time_scale};
use crate::search::free_space::FreeSpace;
use crate::search::{Doors, Filter, Query};

/// What a game sets on an agent.
#[derive(Debug, Clone)]
pub struct Settings {
    pub profile: AgentProfile,
    /// Whether the game set the profile; otherwise it is the layer's.
    pub has_own_profile: bool,
    pub filter: Filter,
    /// Links that its body failed to follow, with their extra cost in seconds.
    pub avoided: Vec<(LinkId, f32)>,
    /// Whether to go as near as possible to a destination out of reach.
    pub allow_partial_path: bool,
    /// Greatest distance between a reported body and its planned position,
    /// world units.
    pub tolerance: f32,
    /// Whether the agent is disabled or stunned.
    pub is_disabled: bool,
}

impl Settings {
    pub fn new(layer: &Layer) -> Self {
        Self {
            profile: layer.profile().clone(),
            has_own_profile: false,
            filter: Filter::default(),
            avoided: Vec::new(),
            allow_partial_path: false,
            tolerance: layer.grid().spacing / 2.0,
            is_disabled: false,
        }
    }

    /// Makes a query one for an agent with these settings.
    pub fn apply_to(&self, query: &mut Query, doors: &Doors) {
        query.allow_partial_path = self.allow_partial_path;
        query.filter.clone_from(&self.filter);
        query.filter.resolve = true;
        query.filter.close_doors(doors);
        query.filter.avoided.clone_from(&self.avoided);
        match &mut query.profile {
            Some(profile) => profile.clone_from(&self.profile),
            none => *none = Some(self.profile.clone()),
        }
    }

    /// The baked fall with its time scaled to the agent's own gravity.
    pub fn fall(&self, layer: &Layer) -> Fall {
        let baked = layer.profile();
        Fall {
            gravity: f64::from(self.profile.gravity),
            max_speed: Fall::from(baked).max_speed * time_scale(&self.profile, baked),
        }
    }

    /// Where the body can fly now.
    pub fn free_space<'a>(&'a self, environment: Environment<'a>) -> FreeSpace<'a> {
        let closed = [environment.doors.closed(), &self.filter.closed];
        FreeSpace::new(environment.layer, closed)
    }
}
