//! What a bake needs besides the level.

use navmesh_runtime::mesh::{AgentProfile, Units};

use crate::source::Rect;

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
    /// How pixels become world units.
    pub units: Units,
    /// Bakes only this part of the level (level pixels); `None` for a
    /// `nav_area` marker, or else the whole level.
    pub area: Option<Rect>,
    /// A description, in any form, of how the level was read (collision rules,
    /// palette). It is part of the settings' fingerprint and has no other use.
    pub reading: String,
}

impl Settings {
    /// Settings for these agents, with the defaults of a configuration that
    /// sets nothing else.
    pub fn for_agents(agents: Vec<AgentProfile>) -> Self {
        Self {
            agents,
            spacing: None,
            link_stretch: 1.1,
            units: Units::default(),
            area: None,
            reading: String::new(),
        }
    }
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
