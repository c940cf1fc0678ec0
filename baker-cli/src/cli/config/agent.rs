//! One `[[agent]]`, and the defaults of what it leaves out.

use std::ops::Range;

use navmesh_runtime::mesh::{AgentProfile, EdgeSet};
use serde::Deserialize;
use toml::Spanned;

/// What an agent starts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Preset {
    /// Walks, jumps and drops.
    #[default]
    Ground,
    /// Flies.
    Air,
}

/// `[[agent]]`. Lengths in world units, times in seconds.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AgentTable {
    pub(super) name: Spanned<String>,
    #[serde(default)]
    preset: Preset,
    body: Option<Spanned<[f32; 2]>>,
    run_speed: Option<Spanned<f32>>,
    acceleration: Option<Spanned<f32>>,
    deceleration: Option<Spanned<f32>>,
    jump_height: Option<Spanned<f32>>,
    jump_time: Option<Spanned<f32>>,
    gravity: Option<Spanned<f32>>,
    max_jump: Option<Spanned<[f32; 2]>>,
    max_drop: Option<Spanned<[f32; 2]>>,
    air_control: Option<bool>,
    step_height: Option<Spanned<f32>>,
    max_slope: Option<Spanned<f32>>,
    edges: Option<Spanned<EdgeSet>>,
}

/// What is wrong with an agent, and where.
#[derive(Debug)]
pub(super) struct Fault {
    /// Bytes of the file it is about; `None` for the whole table.
    pub(super) span: Option<Range<usize>>,
    pub(super) message: String,
}

/// What a preset says, in tiles, for an agent that says nothing itself.
struct Defaults {
    body: [f64; 2],
    run_speed: f64,
    edges: EdgeSet,
}

/// Tiles per second², for the preset's own run speed.
const ACCELERATION: f64 = 37.5;
const DECELERATION: f64 = 56.25;
/// Tiles.
const JUMP_HEIGHT: f64 = 3.25;
/// Seconds.
const JUMP_TIME: f64 = 0.36;
/// Tiles across, for jumps and drops.
const REACH: f64 = 6.0;
/// Tiles.
const DROP_DEPTH: f64 = 15.0;
/// Degrees.
const MAX_SLOPE: f32 = 50.0;

impl Preset {
    fn defaults(self) -> Defaults {
        match self {
            Self::Ground => Defaults {
                body: [0.75, 1.0],
                run_speed: 5.625,
                edges: EdgeSet::FLOOR | EdgeSet::JUMP | EdgeSet::DROP,
            },
            Self::Air => Defaults {
                body: [0.75, 0.75],
                run_speed: 5.0,
                edges: EdgeSet::FLY,
            },
        }
    }
}

impl AgentTable {
    /// The agent of a preset, scaled from a tile of this side in world units.
    pub(super) fn derived(name: &str, preset: Preset, tile: f32) -> AgentProfile {
        let table = Self {
            name: Spanned::new(0..0, name.to_string()),
            preset,
            body: None,
            run_speed: None,
            acceleration: None,
            deceleration: None,
            jump_height: None,
            jump_time: None,
            gravity: None,
            max_jump: None,
            max_drop: None,
            air_control: None,
            step_height: None,
            max_slope: None,
            edges: None,
        };
        table.fill(f64::from(tile), Jump::of_preset(f64::from(tile)))
    }

    /// The profile this table and its preset describe.
    pub(super) fn resolve(&self, tile: f32) -> Result<AgentProfile, Fault> {
        let name = self.name.get_ref();
        if name.is_empty() || name.chars().any(char::is_control) {
            return Err(Fault {
                span: Some(self.name.span()),
                message: "an agent's name must be text that can be printed on one line".into(),
            });
        }
        let tile = f64::from(tile);
        let profile = self.fill(tile, self.jump(tile)?);
        if profile.edges.is_empty() {
            let known: Vec<_> = EdgeSet::all().names().collect();
            return Err(Fault {
                span: self.edges.as_ref().map(Spanned::span),
                message: format!(
                    "agent {name:?} may use no edges; list some of {}",
                    known.join(", ")
                ),
            });
        }
        profile.validate().map_err(|e| Fault {
            span: self.span_of(e.parameter),
            message: e.to_string(),
        })?;
        Ok(profile)
    }

    /// Gravity and launch speed from jump height and time to apex:
    /// g = 2h/t², v = g·t.
    fn jump(&self, tile: f64) -> Result<Jump, Fault> {
        let preset = Jump::of_preset(tile);
        let name = self.name.get_ref();
        let fault = |at: &Spanned<f32>, message: String| Fault {
            span: Some(at.span()),
            message,
        };
        if let (Some(gravity), Some(_)) = (&self.gravity, &self.jump_time) {
            return Err(fault(
                gravity,
                format!(
                    "agent {name:?} gives both gravity and jump_time, and each follows from the \
                     other; leave one out"
                ),
            ));
        }
        let get = |value: &Option<Spanned<f32>>| value.as_ref().map(|v| f64::from(*v.get_ref()));
        let height = get(&self.jump_height).unwrap_or(preset.height);
        // An agent that cannot jump still falls: with the preset's gravity.
        if height == 0.0 {
            if let Some(time) = &self.jump_time {
                return Err(fault(
                    time,
                    format!(
                        "agent {name:?} does not jump, so jump_time means nothing; leave it out, \
                         and set gravity if it should fall otherwise"
                    ),
                ));
            }
            return Ok(Jump {
                height,
                gravity: get(&self.gravity).unwrap_or(preset.gravity),
                speed: 0.0,
            });
        }
        if let Some(gravity) = get(&self.gravity) {
            // Checked with the rest of the profile; until then no root of it.
            let speed = (2.0 * gravity * height).max(0.0).sqrt();
            return Ok(Jump {
                height,
                gravity,
                speed,
            });
        }
        let time = get(&self.jump_time).unwrap_or(JUMP_TIME);
        match &self.jump_time {
            Some(at) if !(time.is_finite() && time > 0.0) => Err(fault(
                at,
                format!("agent {name:?}: jump_time is {time}, but it must be a number above 0"),
            )),
            _ => Ok(Jump::from_time(height, time)),
        }
    }

    fn fill(&self, tile: f64, jump: Jump) -> AgentProfile {
        let preset = self.preset.defaults();
        let number = |value: &Option<Spanned<f32>>, default: f64| {
            value.as_ref().map_or(default as f32, |v| *v.get_ref())
        };
        let pair = |value: &Option<Spanned<[f32; 2]>>, default: [f64; 2]| {
            (value.as_ref()).map_or(default.map(|v| v as f32), |v| *v.get_ref())
        };
        let body = pair(&self.body, preset.body.map(|v| v * tile));
        let run_speed = number(&self.run_speed, preset.run_speed * tile);
        // A faster agent reaches its speed in the same time.
        let pace = f64::from(run_speed) / preset.run_speed;
        // No default limit is shorter than the jump over level ground.
        let level_jump = f64::from(run_speed) * 2.0 * jump.speed / jump.gravity;
        let reach = (REACH * tile).max(level_jump);
        AgentProfile {
            name: self.name.get_ref().clone(),
            body,
            run_speed,
            acceleration: number(&self.acceleration, ACCELERATION * pace),
            deceleration: number(&self.deceleration, DECELERATION * pace),
            jump_height: jump.height as f32,
            gravity: jump.gravity as f32,
            jump_speed: jump.speed as f32,
            max_jump: pair(&self.max_jump, [reach, jump.height]),
            max_drop: pair(&self.max_drop, [reach, DROP_DEPTH * tile]),
            air_control: self.air_control.unwrap_or(true),
            step_height: number(
                &self.step_height,
                (tile / 4.0).min(f64::from(body[1]) / 2.0),
            ),
            max_slope: self.max_slope.as_ref().map_or(MAX_SLOPE, |v| *v.get_ref()),
            edges: self.edges.as_ref().map_or(preset.edges, |v| *v.get_ref()),
        }
    }

    /// Where a parameter, as the profile's check names it, stands in the file.
    fn span_of(&self, parameter: &str) -> Option<Range<usize>> {
        let key = parameter.split(' ').next().unwrap_or(parameter);
        let number = |value: &Option<Spanned<f32>>| value.as_ref().map(Spanned::span);
        let pair = |value: &Option<Spanned<[f32; 2]>>| value.as_ref().map(Spanned::span);
        match key {
            "body" => pair(&self.body),
            "run_speed" => number(&self.run_speed),
            "acceleration" => number(&self.acceleration),
            "deceleration" => number(&self.deceleration),
            "gravity" => number(&self.gravity).or_else(|| number(&self.jump_time)),
            "jump_height" | "jump_speed" => number(&self.jump_height),
            "max_jump" => pair(&self.max_jump),
            "max_drop" => pair(&self.max_drop),
            "step_height" => number(&self.step_height),
            "max_slope" => number(&self.max_slope),
            _ => None,
        }
    }
}

/// A jump: apex above take-off, downward acceleration, launch speed.
#[derive(Debug, Clone, Copy)]
struct Jump {
    height: f64,
    gravity: f64,
    speed: f64,
}

impl Jump {
    fn of_preset(tile: f64) -> Self {
        Self::from_time(JUMP_HEIGHT * tile, JUMP_TIME)
    }

    /// g = 2h/t², v = g·t.
    fn from_time(height: f64, time: f64) -> Self {
        let speed = 2.0 * height / time;
        Self {
            height,
            gravity: speed / time,
            speed,
        }
    }
}
