//! `[[agent]]`: one agent, and the defaults of the keys it leaves out.

use std::fmt::Display;

use navmesh_runtime::mesh::{AgentProfile, EdgeSet};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::config::error::InvalidValue;

/// Seconds to the apex of a jump, if the table gives only its height. The
/// presets have the same value.
const JUMP_TIME: f32 = 0.36;

/// The longest time to the apex of a jump, seconds. Greater numbers are milliseconds,
/// with which agents would hardly fall.
const MAX_JUMP_TIME: f32 = 60.0;

/// Where the keys that a table leaves out come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    // Walks, jumps and drops.
    #[default]
    Ground,
    // Flies.
    Air,
}

/// A kind of body. Lengths in world units, times in seconds.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("not" = {"required": ["gravity", "jump_time"]}))]
pub struct AgentTable {
    /// The name by which a game asks for its layer.
    #[schemars(length(min = 1))]
    pub name: String,
    /// The defaults of the keys that are left out.
    #[serde(default)]
    #[schemars(extend("default" = "ground"))]
    preset: Preset,
    /// Width and height.
    #[serde(default, deserialize_with = "exactly")]
    #[schemars(extend("items" = {"type": "number", "exclusiveMinimum": 0}))]
    body: Option<[f32; 2]>,
    /// Units/s; for fliers the speed of flight.
    #[schemars(extend("exclusiveMinimum" = 0))]
    run_speed: Option<f32>,
    /// Units/s².
    #[schemars(extend("exclusiveMinimum" = 0))]
    acceleration: Option<f32>,
    /// Units/s².
    #[schemars(extend("exclusiveMinimum" = 0))]
    deceleration: Option<f32>,
    /// Apex above the take-off; 0 for an agent that cannot jump.
    #[schemars(range(min = 0))]
    jump_height: Option<f32>,
    /// Seconds from take-off to apex; or give gravity.
    #[schemars(extend("exclusiveMinimum" = 0, "maximum" = MAX_JUMP_TIME))]
    jump_time: Option<f32>,
    /// Units/s²; or give `jump_time`.
    #[schemars(extend("exclusiveMinimum" = 0))]
    gravity: Option<f32>,
    /// Farthest across, highest up.
    #[serde(default, deserialize_with = "exactly")]
    #[schemars(extend("items" = {"type": "number", "minimum": 0}))]
    max_jump: Option<[f32; 2]>,
    /// Farthest across, deepest down.
    #[serde(default, deserialize_with = "exactly")]
    #[schemars(extend("items" = {"type": "number", "minimum": 0}))]
    max_drop: Option<[f32; 2]>,
    /// Whether it can change its horizontal speed in the air.
    air_control: Option<bool>,
    /// How fast it changes its horizontal speed in the air, units/s²; inf: at once. Without it,
    /// 8 times the run speed per second.
    #[schemars(extend("exclusiveMinimum" = 0))]
    air_acceleration: Option<f32>,
    /// Steps up to this height are walked, not jumped.
    #[schemars(range(min = 0))]
    step_height: Option<f32>,
    /// The steepest slope that is walked, degrees.
    #[schemars(extend("minimum" = 0, "exclusiveMaximum" = 90))]
    max_slope: Option<f32>,
    /// The kinds of movement.
    #[serde(default)]
    #[schemars(schema_with = "edge_names")]
    edges: Option<EdgeSet>,
    /// Greatest speed of a fall, units/s. Without it, the speed has no limit.
    #[schemars(extend("exclusiveMinimum" = 0))]
    max_fall_speed: Option<f32>,
    /// Launches in the air: 1 for a double jump.
    #[schemars(range(max = 3))]
    air_jumps: Option<u8>,
    /// Units/s on ladders, walls and ceilings.
    #[schemars(range(min = 0))]
    climb_speed: Option<f32>,
    /// Whether it moves through hazards unharmed.
    ignores_hazards: Option<bool>,
}

fn edge_names(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<_> = EdgeSet::ALL.names().collect();
    json_schema!({"type": "array", "minItems": 1, "items": {"enum": names}})
}

/// A list of exactly so many numbers. As an array, TOML may have more.
pub fn exactly<'de, D, T, const N: usize>(from: D) -> Result<Option<[T; N]>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let list = Vec::<T>::deserialize(from)?;
    <[T; N]>::try_from(list)
        .map(Some)
        .map_err(|list| D::Error::custom(format!("{} numbers, not {N}", list.len())))
}

/// Least `max_fall_speed`, in seconds of gravity. Slower falls are a mistake in the
/// unit: they last minutes, and the bake grows with them. `fixtures/ledges.tmx`,
/// which bakes in 0.1 s, takes 1 s at this limit and 27 s at a 40th of it.
const LEAST_FALL: f32 = 1.0 / 200.0;

impl AgentTable {
    /// The profile that this table describes, with its preset scaled to a tile of
    /// this side.
    pub fn resolve(&self, tile: f32) -> Result<AgentProfile, InvalidValue> {
        let name = &self.name;
        if name.is_empty() || name.chars().any(char::is_control) {
            let problem = "an agent's name is empty or has control characters";
            let help = "use a name that can be printed on one line";
            return Err(InvalidValue::new("name", problem, help));
        }
        let preset = match self.preset {
            Preset::Ground => AgentProfile::ground(name, tile),
            Preset::Air => AgentProfile::air(name, tile),
        };
        let profile = self.fill(preset, tile)?;
        if profile.edges == EdgeSet::NONE {
            let known: Vec<_> = EdgeSet::ALL.names().collect();
            let help = format!("list some of {}", known.join(", "));
            return Err(self.error("edges", " has no edges", help));
        }
        profile
            .validate()
            .map_err(|e| InvalidValue::new(self.key_of(e.parameter), e.to_string(), ""))?;
        let least = profile.gravity * LEAST_FALL;
        match profile.max_fall_speed {
            Some(speed) if speed < least => {
                let problem = format!(": max_fall_speed is {speed}, less than gravity / 200");
                let least = least + 0.005;
                let help = format!("it is in world units a second; {least:.2} or more");
                Err(self.error("max_fall_speed", problem, help))
            }
            _ => Ok(profile),
        }
    }

    /// The error for a key; the problem follows the agent's name.
    fn error(&self, key: &str, problem: impl Display, help: impl Into<String>) -> InvalidValue {
        InvalidValue::new(key, format!("agent {:?}{problem}", self.name), help)
    }

    /// The preset's profile with the keys of this table.
    fn fill(&self, preset: AgentProfile, tile: f32) -> Result<AgentProfile, InvalidValue> {
        let (jump_height, gravity, jump_speed) = self.jump(&preset)?;
        let body = self.body.unwrap_or(preset.body);
        let run_speed = self.run_speed.unwrap_or(preset.run_speed);
        // A faster agent reaches its speed in the same time.
        let speed_ratio = run_speed / preset.run_speed;
        let air_jumps = self.air_jumps.unwrap_or(preset.air_jumps);
        let jumps = f32::from(air_jumps) + 1.0;
        // The default limits allow a jump over level ground with all launches,
        // each one at the apex of the launch before. The rise of n launches takes
        // n · jump_speed / gravity seconds, and the fall from their height
        // √n · jump_speed / gravity.
        let level_jump = run_speed * (jumps + jumps.sqrt()) * jump_speed / gravity;
        let max_jump = [preset.max_jump[0].max(level_jump), jump_height * jumps];
        let max_drop = [preset.max_drop[0].max(level_jump), preset.max_drop[1]];
        let edges = self.edges.unwrap_or(preset.edges);
        // The climb speed of an agent that climbs is two fifths of the preset's run
        // speed. The choice hardly matters: with a tenth to all of the run speed, an
        // agent reaches the same places, and in two real levels with ladders the number
        // of jumps differs by 4 %. Near the run speed, there are a tenth fewer drops.
        let climbs = edges & EdgeSet::CLIMB != EdgeSet::NONE;
        let climb_speed = if climbs { 0.4 * preset.run_speed } else { 0.0 };
        let air_control = self.air_control.unwrap_or(preset.air_control);
        // `inf` is no limit. Without air control there is nothing to limit.
        let air_acceleration = (self.air_acceleration)
            .or_else(|| Some(preset.air_acceleration? * speed_ratio).filter(|_| air_control))
            .filter(|acceleration| *acceleration != f32::INFINITY);
        Ok(AgentProfile {
            body,
            run_speed,
            acceleration: (self.acceleration).unwrap_or(preset.acceleration * speed_ratio),
            deceleration: (self.deceleration).unwrap_or(preset.deceleration * speed_ratio),
            jump_height,
            gravity,
            jump_speed,
            max_jump: self.max_jump.unwrap_or(max_jump),
            max_drop: self.max_drop.unwrap_or(max_drop),
            air_control,
            air_acceleration,
            // A step is at most half the body.
            step_height: self.step_height.unwrap_or((tile / 4.0).min(body[1] / 2.0)),
            max_slope: self.max_slope.unwrap_or(preset.max_slope),
            edges,
            max_fall_speed: self.max_fall_speed.or(preset.max_fall_speed),
            air_jumps,
            climb_speed: self.climb_speed.unwrap_or(climb_speed),
            ignores_hazards: self.ignores_hazards.unwrap_or(preset.ignores_hazards),
            ..preset
        })
    }

    /// Jump height, gravity and launch speed, from the jump height and either
    /// gravity or the time to the apex.
    fn jump(&self, preset: &AgentProfile) -> Result<(f32, f32, f32), InvalidValue> {
        let height = self.jump_height.unwrap_or(preset.jump_height);
        if !(height.is_finite() && height >= 0.0) {
            let problem = format!(": jump_height is {height}, but it must be a number, 0 or more");
            return Err(self.error("jump_height", problem, ""));
        }
        match (self.gravity, self.jump_time) {
            (Some(_), Some(_)) => {
                let problem = " has both gravity and jump_time, which imply each other";
                Err(self.error("gravity", problem, "leave one of the two out"))
            }
            (_, Some(_)) if height == 0.0 => {
                let help = "leave jump_time out; gravity sets how fast the agent falls";
                Err(self.error("jump_time", " has a jump_time but does not jump", help))
            }
            (Some(gravity), None) => {
                // Gravity is validated with the whole profile, later: it may
                // still be negative here.
                let square = 2.0 * f64::from(gravity) * f64::from(height);
                Ok((height, gravity, square.max(0.0).sqrt() as f32))
            }
            // An agent that cannot jump falls with the preset's gravity.
            (None, None) if height == 0.0 => Ok((height, preset.gravity, 0.0)),
            (None, time) => {
                let seconds = time.unwrap_or(JUMP_TIME);
                if !(seconds > 0.0 && seconds <= MAX_JUMP_TIME) {
                    let rule = format!("it must be a number above 0, at most {MAX_JUMP_TIME}");
                    let problem = format!(": jump_time is {seconds}, but {rule}");
                    return Err(self.error("jump_time", problem, "jump_time is in seconds"));
                }
                let (gravity, speed) = AgentProfile::jump_from(height, seconds);
                Ok((height, gravity, speed))
            }
        }
    }

    /// The key that sets a parameter. `parameter` is the name that the
    /// profile's validation gives.
    fn key_of<'a>(&self, parameter: &'a str) -> &'a str {
        match parameter.split(' ').next().unwrap_or(parameter) {
            "gravity" if self.gravity.is_none() => "jump_time",
            "jump_speed" => "jump_height",
            "climb_speed" if self.climb_speed.is_none() => "edges",
            key => key,
        }
    }
}
