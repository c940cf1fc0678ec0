//! The limits of an agent.

use super::edge_set::EdgeSet;
use super::error::MeshError;
use super::fall::Fall;
use super::trajectory::TrajectoryParams;

/// Seconds from take-off to the apex of a preset's jump.
#[cfg(any(test, feature = "write"))]
const JUMP_TIME: f32 = 0.36;

/// A preset's acceleration in the air, in run speeds per second: a body turns
/// from full speed to full speed the other way in a quarter of a second, as in
/// most platformers.
#[cfg(any(test, feature = "write"))]
const AIR_ACCELERATION: f32 = 8.0;

/// An agent: the size of its body, its speeds, how it jumps and falls, and
/// which edges it may use.
///
/// The baker writes a layer for every profile. Searches and agents take limits
/// from here too: pass a changed copy to move slower, or jump lower, than was
/// baked.
///
/// Lengths are world units and speeds units per second. All are magnitudes,
/// for both directions of y. Lengths and speeds are finite, at least 0 and
/// less than 10⁹; [`validate`](Self::validate) checks all ranges.
#[derive(Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AgentProfile {
    /// The name in levels, queries and reports; unique in a mesh.
    pub name: String,
    /// Width and height of the body, a box; above 0.
    pub body: [f32; 2],
    /// Greatest horizontal speed on the floor and in the air; for agents that
    /// fly, their speed in every direction. Above 0.
    pub run_speed: f32,
    /// Greatest increase of speed, units/s²; above 0.
    pub acceleration: f32,
    /// Greatest decrease of speed, units/s²; above 0.
    pub deceleration: f32,
    /// Greatest height of an apex above take-off; 0 for an agent that cannot
    /// jump.
    pub jump_height: f32,
    /// Downward acceleration in jumps and drops, units/s²; above 0.
    pub gravity: f32,
    /// Greatest upward launch speed: `sqrt(2 · gravity · jump_height)`.
    pub jump_speed: f32,
    /// How far across and how far up a jump may end.
    pub max_jump: [f32; 2],
    /// How far across and how far down a drop may end. The second also limits
    /// jumps that land lower than they start.
    pub max_drop: [f32; 2],
    /// Whether horizontal speed may change in the air.
    pub air_control: bool,
    /// Greatest change of horizontal speed in the air, units/s², above 0, for
    /// agents with air control; `None` for speeds that change at once.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub air_acceleration: Option<f32>,
    /// Greatest height of a step that is walked up or down without a jump;
    /// less than the height of the body.
    pub step_height: f32,
    /// Steepest floor that can be walked on, degrees: 0 or more, less than 90.
    pub max_slope: f32,
    /// Edges the agent may use.
    pub edges: EdgeSet,
    /// Greatest falling speed, above 0; `None` for no limit.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub max_fall_speed: Option<f32>,
    /// How many times it can jump again in the air: 1 for a double jump. At
    /// most [`MAX_AIR_JUMPS`](Self::MAX_AIR_JUMPS).
    #[cfg_attr(feature = "serde", serde(default))]
    pub air_jumps: u8,
    /// Speed on ladders, walls and ceilings; above 0 when `edges` has a kind
    /// of climbing.
    #[cfg_attr(feature = "serde", serde(default))]
    pub climb_speed: f32,
    /// Whether it may pass through hazards.
    #[cfg_attr(feature = "serde", serde(default))]
    pub ignores_hazards: bool,
}

/// A value of an [`AgentProfile`] that is out of its range.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("agent {agent:?}: {parameter} is {value}, but {rule}")]
pub struct ProfileError {
    /// The agent's name.
    pub agent: String,
    /// The parameter, as configurations spell it.
    pub parameter: &'static str,
    /// Its value.
    pub value: f32,
    /// The rule that the value breaks.
    pub rule: &'static str,
}

impl From<ProfileError> for MeshError {
    fn from(error: ProfileError) -> Self {
        error.to_string().into()
    }
}

impl Clone for AgentProfile {
    fn clone(&self) -> Self {
        Self {
            name: self.name.clone(),
            ..*self
        }
    }

    /// Copies without allocating when the name fits.
    fn clone_from(&mut self, source: &Self) {
        let mut name = std::mem::take(&mut self.name);
        name.clone_from(&source.name);
        *self = Self { name, ..*source };
    }
}

impl AgentProfile {
    /// Most jumps in the air: a trajectory has room for them and for the
    /// launch from the floor.
    pub const MAX_AIR_JUMPS: u8 = TrajectoryParams::MAX_LAUNCHES as u8 - 1;

    /// The preset `ground` for tiles of side `tile` (world units): it walks,
    /// jumps a little over three tiles high and six tiles across, and drops. In
    /// the air it accelerates by 8 times its run speed per second. Needs the feature
    /// `write`.
    ///
    /// ```
    /// use navmesh_runtime::mesh::{AgentProfile, EdgeSet};
    ///
    /// let mut grunt = AgentProfile::ground("grunt", 16.0);
    /// grunt.run_speed = 60.0;
    /// assert!(grunt.validate().is_ok());
    /// assert!(!AgentProfile::air("bat", 16.0).edges.walks());
    /// ```
    #[cfg(any(test, feature = "write"))]
    pub fn ground(name: &str, tile: f32) -> Self {
        let run_speed = 5.625 * tile;
        let jump_height = 3.25 * tile;
        let (gravity, jump_speed) = Self::jump_from(jump_height, JUMP_TIME);
        Self {
            name: name.to_owned(),
            body: [0.75 * tile, tile],
            run_speed,
            acceleration: 37.5 * tile,
            deceleration: 56.25 * tile,
            jump_height,
            gravity,
            jump_speed,
            max_jump: [6.0 * tile, jump_height],
            max_drop: [6.0 * tile, 15.0 * tile],
            air_control: true,
            air_acceleration: Some(AIR_ACCELERATION * run_speed),
            step_height: 0.25 * tile,
            max_slope: 50.0,
            edges: EdgeSet::FLOOR | EdgeSet::JUMP | EdgeSet::DROP | EdgeSet::PORTAL,
            max_fall_speed: None,
            air_jumps: 0,
            climb_speed: 0.0,
            ignores_hazards: false,
        }
    }

    /// The preset `air` for tiles of side `tile` (world units): it flies. Needs
    /// the feature `write`.
    #[cfg(any(test, feature = "write"))]
    pub fn air(name: &str, tile: f32) -> Self {
        let run_speed = 5.0 * tile;
        Self {
            body: [0.75 * tile, 0.75 * tile],
            run_speed,
            air_acceleration: Some(AIR_ACCELERATION * run_speed),
            edges: EdgeSet::FLY,
            ..Self::ground(name, tile)
        }
    }

    /// Gravity (units/s²) and launch speed (units/s) of a jump that reaches
    /// `height` after `time` seconds: `g = 2h / t²`, `v = g·t`. Needs the feature
    /// `write`.
    #[cfg(any(test, feature = "write"))]
    pub fn jump_from(height: f32, time: f32) -> (f32, f32) {
        let (height, time) = (f64::from(height), f64::from(time));
        let gravity = 2.0 * height / (time * time);
        (gravity as f32, (gravity * time) as f32)
    }

    /// The greatest acceleration with which it steers in the air; `None` when
    /// it does not steer, or changes its speed at once.
    pub(crate) fn steering(&self) -> Option<f64> {
        (self.air_acceleration)
            .filter(|_| self.air_control)
            .map(f64::from)
    }

    /// Whether the agent can climb.
    pub(crate) fn climbs(&self) -> bool {
        self.climb_speed > 0.0 && self.edges & EdgeSet::CLIMB != EdgeSet::NONE
    }

    /// Checks that every value is in its range.
    ///
    /// # Errors
    /// The first value that is not.
    pub fn validate(&self) -> Result<(), ProfileError> {
        const POSITIVE: &str = "it must be a finite number above 0";
        const NOT_NEGATIVE: &str = "it must be a finite number, 0 or more";
        const TOO_GREAT: &str = "it must be less than 1,000,000,000";
        let check = |parameter, value: f32, ok: bool, rule| {
            // The limit keeps squares of speeds and lengths well inside f32.
            let is_too_great = value.is_finite() && value >= 1e9;
            if ok && value.is_finite() && !is_too_great {
                return Ok(());
            }
            Err(ProfileError {
                agent: self.name.clone(),
                parameter,
                value,
                rule: if is_too_great { TOO_GREAT } else { rule },
            })
        };
        let positive = |parameter, value| check(parameter, value, value > 0.0, POSITIVE);
        let not_negative = |parameter, value| check(parameter, value, value >= 0.0, NOT_NEGATIVE);
        positive("body width", self.body[0])?;
        positive("body height", self.body[1])?;
        positive("run_speed", self.run_speed)?;
        positive("acceleration", self.acceleration)?;
        positive("deceleration", self.deceleration)?;
        positive("gravity", self.gravity)?;
        not_negative("jump_height", self.jump_height)?;
        not_negative("jump_speed", self.jump_speed)?;
        not_negative("max_jump across", self.max_jump[0])?;
        not_negative("max_jump up", self.max_jump[1])?;
        not_negative("max_drop across", self.max_drop[0])?;
        not_negative("max_drop down", self.max_drop[1])?;
        not_negative("step_height", self.step_height)?;
        if let Some(acceleration) = self.air_acceleration {
            check(
                "air_acceleration",
                acceleration,
                acceleration > 0.0,
                "it must be above 0; for no limit, write `inf` in navbake.toml or `None` in code",
            )?;
        }
        if let Some(speed) = self.max_fall_speed {
            positive("max_fall_speed", speed)?;
        }
        check(
            "air_jumps",
            f32::from(self.air_jumps),
            self.air_jumps <= Self::MAX_AIR_JUMPS,
            "it must be at most 3",
        )?;
        not_negative("climb_speed", self.climb_speed)?;
        check(
            "climb_speed",
            self.climb_speed,
            self.climb_speed > 0.0 || self.edges & EdgeSet::CLIMB == EdgeSet::NONE,
            "it must be above 0 for an agent with an edge of climbing",
        )?;
        check(
            "climb_speed",
            self.climb_speed,
            !(self.climbs() && self.edges.contains(EdgeSet::FLY)),
            "an agent that flies cannot have edges of climbing",
        )?;
        check(
            "step_height",
            self.step_height,
            self.step_height < self.body[1],
            "it must be less than the body's height",
        )?;
        check(
            "max_slope",
            self.max_slope,
            (0.0..90.0).contains(&self.max_slope),
            "it must be at least 0 and less than 90 degrees",
        )
    }
}

/// The gravity and the greatest falling speed of an agent.
impl From<&AgentProfile> for Fall {
    fn from(profile: &AgentProfile) -> Self {
        Self {
            gravity: f64::from(profile.gravity),
            max_speed: profile.max_fall_speed.map_or(f64::INFINITY, f64::from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_which_limit_was_passed() {
        let rule_for = |width: f32| {
            let mut agent = AgentProfile::ground("a", 16.0);
            agent.body[0] = width;
            agent.validate().unwrap_err().rule
        };
        assert!(rule_for(0.0).ends_with("above 0"));
        assert!(rule_for(1e9).contains("less than 1,000,000,000"));
        assert!(rule_for(f32::INFINITY).ends_with("finite number above 0"));
        let mut agent = AgentProfile::ground("a", 16.0);
        agent.air_acceleration = Some(f32::INFINITY);
        assert!(agent.validate().unwrap_err().rule.contains("for no limit"));
    }

    #[test]
    fn presets_are_valid_for_any_tile_size() {
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
