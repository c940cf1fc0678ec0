//! Settings of a bake.

use navmesh_runtime::mesh::{AgentProfile, Units};

use crate::error::BakeError;
use crate::level::Rect;

/// What a bake needs besides the level.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The agents to bake for, at least one; lengths in world units.
    pub agents: Vec<AgentProfile>,
    /// Side of a grid cell in world units; `None` takes the largest divisor
    /// of the tile size that is not larger than any body.
    pub spacing: Option<f32>,
    /// Factor for leaving out links. A move is no link when the links that are
    /// kept offer a route at this factor times its cost or less. 1 drops a move
    /// only when a route costs no more than the move.
    pub link_stretch: f32,
    /// Whether the index of routes is stored in the file, so that building it after
    /// loading takes a quarter of the time or less.
    pub index_routes: bool,
    /// How pixels become world units.
    pub units: Units,
    /// Bakes only this part of the level (level pixels); `None` for a
    /// `nav_area` marker, or else the whole level.
    pub area: Option<Rect>,
}

impl Settings {
    /// Settings for these agents, with the defaults of a configuration that
    /// sets nothing else.
    pub fn for_agents(agents: Vec<AgentProfile>) -> Self {
        Self {
            agents,
            spacing: None,
            link_stretch: 1.25,
            index_routes: false,
            units: Units::default(),
            area: None,
        }
    }

    /// Checks the numbers of `[level]`.
    ///
    /// # Errors
    /// The key of the first invalid one, its value, and the rule that it breaks.
    pub fn check_numbers(&self) -> Result<(), (&'static str, f32, &'static str)> {
        const POSITIVE: &str = "it must be a finite number above 0";
        const STRETCH: &str = "it must be 1 or more: how many times longer a route may take";
        let scale = self.units.pixels_per_unit;
        let spacing = self.spacing.unwrap_or(1.0);
        for (name, value, least, rule) in [
            ("pixels_per_unit", scale, f32::MIN_POSITIVE, POSITIVE),
            ("spacing", spacing, f32::MIN_POSITIVE, POSITIVE),
            ("link_stretch", self.link_stretch, 1.0, STRETCH),
        ] {
            if !(value.is_finite() && value >= least) {
                return Err((name, value, rule));
            }
        }
        Ok(())
    }
}

/// Checks everything that does not depend on the level.
pub fn check(settings: &Settings) -> Result<(), BakeError> {
    if settings.agents.is_empty() {
        return Err(BakeError::NoAgents);
    }
    for agent in &settings.agents {
        agent.validate()?;
    }
    (settings.check_numbers()).map_err(|(name, value, rule)| BakeError::Setting {
        name,
        value,
        rule,
    })
}

/// The agents `ground` and `air`, for levels without a configuration. They are
/// sized for tiles of side `tile` (world units): one walks, jumps a little over
/// three tiles high and six across, and one flies.
pub fn default_agents(tile: f32) -> Vec<AgentProfile> {
    vec![
        AgentProfile::ground("ground", tile),
        AgentProfile::air("air", tile),
    ]
}
