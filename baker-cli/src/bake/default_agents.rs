//! Agents for levels that come without a configuration.

use navmesh_runtime::mesh::AgentProfile;
pub use navmesh_runtime::mesh::jump_from;

/// The agents `ground` and `air`, sized for tiles of side `tile` (world
/// units): one that walks, jumps a little over three tiles high and six
/// across, and one that flies.
pub fn default_agents(tile: f32) -> Vec<AgentProfile> {
    vec![default_ground("ground", tile), default_air("air", tile)]
}

/// The ground agent of [`default_agents`], with the given name.
pub fn default_ground(name: &str, tile: f32) -> AgentProfile {
    AgentProfile::ground(name, tile)
}

/// The air agent of [`default_agents`], with the given name.
pub fn default_air(name: &str, tile: f32) -> AgentProfile {
    AgentProfile::air(name, tile)
}
