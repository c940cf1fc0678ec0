//! What a game sets on an agent, and what surrounds the agent in a step.

use crate::mesh::{AgentProfile, Fall, Layer, LinkId, time_scale};
use crate::search::free_space::FreeSpace;
use crate::search::{Doors, Filter, MAX_CLOCK, Query};

static ALL_OPEN: Doors = Doors::new();

/// A layer of a mesh and the doors of its level: what an agent moves in.
#[derive(Debug, Clone, Copy)]
pub struct Environment<'a> {
    /// The layer baked for the agent.
    pub layer: &'a Layer,
    /// The doors of the level.
    pub doors: &'a Doors,
}

impl<'a> Environment<'a> {
    /// A layer without doors.
    pub fn new(layer: &'a Layer) -> Self {
        Self {
            layer,
            doors: &ALL_OPEN,
        }
    }
}

/// Whether an agent can act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    Free,
    /// It falls, and lies where it lands.
    Stunned,
    /// It stays where it is.
    Disabled,
}

/// What a game sets on an agent.
#[derive(Debug, Clone)]
pub struct Settings {
    pub profile: AgentProfile,
    /// Whether the game set the profile; otherwise it is the layer's.
    pub has_own_profile: bool,
    pub filter: Filter,
    /// Whether to go as near as possible to a destination out of reach.
    pub allow_partial_path: bool,
    /// Greatest distance between a reported body and its planned position,
    /// world units.
    pub tolerance: f32,
    pub control: Control,
    /// Seconds on the clock of the level at the begin of the step, if its paths may lead over
    /// platforms that move.
    pub clock: Clock,
    /// Seconds for which a path may lead through a breakable door.
    pub break_cost: Option<f32>,
}

/// Seconds on the clock of a level, or none.
#[derive(Debug, Clone, Copy)]
pub struct Clock(f64);

impl Clock {
    pub const NONE: Self = Self(f64::NAN);

    /// The time of a game; none if it is no number, negative or years.
    pub fn new(seconds: f64) -> Self {
        let is_valid = (0.0..MAX_CLOCK).contains(&seconds);
        if is_valid { Self(seconds) } else { Self::NONE }
    }

    pub fn is_none(self) -> bool {
        self.0.is_nan()
    }

    pub fn seconds(self) -> Option<f64> {
        (!self.is_none()).then_some(self.0)
    }
}

impl Settings {
    pub fn new(layer: &Layer) -> Self {
        Self {
            profile: layer.profile().clone(),
            has_own_profile: false,
            filter: Filter::default(),
            allow_partial_path: false,
            tolerance: layer.grid().spacing / 2.0,
            control: Control::Free,
            clock: Clock::NONE,
            break_cost: None,
        }
    }

    /// Whether the agent is disabled or stunned.
    pub fn is_disabled(&self) -> bool {
        self.control != Control::Free
    }

    /// Makes a query one for an agent with these settings, which avoids some links at an
    /// extra cost in seconds.
    pub fn apply_to(
        &self,
        query: &mut Query,
        Environment { layer, doors }: Environment<'_>,
        avoided: impl Iterator<Item = (LinkId, f32)>,
    ) {
        query.departure = self.clock.seconds();
        query.allow_partial_path = self.allow_partial_path;
        query.filter.clone_from(&self.filter);
        query.filter.replace_jumps = true;
        match self.break_cost {
            Some(price) => (query.filter).close_doors_but_breakable(doors, layer, price),
            None => query.filter.close_doors(doors),
        }
        query.filter.avoided.clear();
        query.filter.avoided.extend(avoided);
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
