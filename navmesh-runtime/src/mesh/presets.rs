//! Agents to begin with: one that runs and jumps, one that flies. Feature A1.

use super::{AgentProfile, EdgeSet};

/// Seconds from take-off to the apex of a preset's jump.
const JUMP_TIME: f32 = 0.36;

impl AgentProfile {
    /// The preset `ground`, sized for tiles of side `tile` (world units): it
    /// walks, jumps a little over three tiles high and six across, and drops.
    ///
    /// ```
    /// use navmesh_runtime::mesh::{AgentProfile, EdgeSet};
    ///
    /// let mut grunt = AgentProfile::ground("grunt", 16.0);
    /// grunt.run_speed = 60.0;
    /// assert!(grunt.validate().is_ok());
    /// assert!(!AgentProfile::air("bat", 16.0).edges.walks());
    /// ```
    pub fn ground(name: &str, tile: f32) -> Self {
        let jump_height = 3.25 * tile;
        let (gravity, jump_speed) = jump_from(jump_height, JUMP_TIME);
        Self {
            name: name.to_owned(),
            body: [0.75 * tile, tile],
            run_speed: 5.625 * tile,
            acceleration: 37.5 * tile,
            deceleration: 56.25 * tile,
            jump_height,
            gravity,
            jump_speed,
            max_jump: [6.0 * tile, jump_height],
            max_drop: [6.0 * tile, 15.0 * tile],
            air_control: true,
            step_height: 0.25 * tile,
            max_slope: 50.0,
            edges: EdgeSet::FLOOR | EdgeSet::JUMP | EdgeSet::DROP | EdgeSet::PORTAL,
            max_fall_speed: None,
            air_jumps: 0,
            climb_speed: 0.0,
            ignores_hazards: false,
        }
    }

    /// The preset `air`, sized for tiles of side `tile` (world units): it
    /// flies.
    pub fn air(name: &str, tile: f32) -> Self {
        Self {
            body: [0.75 * tile, 0.75 * tile],
            run_speed: 5.0 * tile,
            edges: EdgeSet::FLY,
            ..Self::ground(name, tile)
        }
    }
}

/// Gravity (units/s²) and launch speed (units/s) of a jump `height` high that
/// takes `time` seconds to its apex: `g = 2h / t²`, `v = g·t`.
pub fn jump_from(height: f32, time: f32) -> (f32, f32) {
    let (height, time) = (f64::from(height), f64::from(time));
    let gravity = 2.0 * height / (time * time);
    (gravity as f32, (gravity * time) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    // A1: the presets are whole, and what they say of their jump is true.
    #[test]
    fn presets_make_sense_at_any_size() {
        for tile in [0.5, 16.0, 64.0] {
            for agent in [
                AgentProfile::ground("a", tile),
                AgentProfile::air("b", tile),
            ] {
                agent.validate().unwrap();
                let apex = agent.jump_speed * agent.jump_speed / (2.0 * agent.gravity);
                assert!((apex - agent.jump_height).abs() < 1e-4 * tile);
                assert!(agent.max_jump[1] <= agent.jump_height);
            }
        }
        assert!(AgentProfile::ground("a", 16.0).edges.walks());
        assert_eq!(AgentProfile::air("b", 16.0).edges, EdgeSet::FLY);
    }
}
