//! Agents for levels that come without a configuration.

use navmesh_runtime::mesh::{AgentProfile, EdgeSet};

/// The agents `ground` and `air`, sized for tiles of side `tile` (world
/// units): one that walks, jumps a little over three tiles high and six
/// across, and one that flies.
pub fn default_agents(tile: f32) -> Vec<AgentProfile> {
    vec![default_ground("ground", tile), default_air("air", tile)]
}

/// The ground agent of [`default_agents`], under a name.
pub fn default_ground(name: &str, tile: f32) -> AgentProfile {
    let mut profile = AgentProfile {
        name: name.to_owned(),
        body: [0.75 * tile, tile],
        run_speed: 5.625 * tile,
        acceleration: 37.5 * tile,
        deceleration: 56.25 * tile,
        jump_height: 3.25 * tile,
        gravity: 0.0,
        jump_speed: 0.0,
        max_jump: [6.0 * tile, 3.25 * tile],
        max_drop: [6.0 * tile, 15.0 * tile],
        air_control: true,
        step_height: 0.25 * tile,
        max_slope: 50.0,
        edges: EdgeSet::FLOOR | EdgeSet::JUMP | EdgeSet::DROP | EdgeSet::PORTAL,
        max_fall_speed: None,
        air_jumps: 0,
        climb_speed: 0.0,
        ignores_hazards: false,
    };
    (profile.gravity, profile.jump_speed) = jump_from(profile.jump_height, 0.36);
    profile
}

/// The air agent of [`default_agents`], under a name.
pub fn default_air(name: &str, tile: f32) -> AgentProfile {
    AgentProfile {
        body: [0.75 * tile, 0.75 * tile],
        run_speed: 5.0 * tile,
        edges: EdgeSet::FLY,
        ..default_ground(name, tile)
    }
}

/// Gravity and launch speed of a jump `height` high that takes `time` seconds
/// to its apex: `g = 2h / t²`, `v = g·t`.
pub fn jump_from(height: f32, time: f32) -> (f32, f32) {
    let (height, time) = (f64::from(height), f64::from(time));
    let gravity = 2.0 * height / (time * time);
    (gravity as f32, (gravity * time) as f32)
}
