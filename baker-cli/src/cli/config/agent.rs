//! One `[[agent]]`, and the defaults of what it leaves out.

use std::ops::Range;

use navmesh_runtime::mesh::{AgentProfile, EdgeSet};
use serde::Deserialize;
use toml::Spanned;

use crate::bake::{default_air, default_ground, jump_from};

/// Seconds to the apex of a jump, where the table gives only its height.
const JUMP_TIME: f32 = 0.36;

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
    max_fall_speed: Option<Spanned<f32>>,
    air_jumps: Option<Spanned<u8>>,
    climb_speed: Option<Spanned<f32>>,
    ignores_hazards: Option<bool>,
}

/// What is wrong with an agent, and where.
#[derive(Debug)]
pub(super) struct Fault {
    /// Bytes of the file it is about; `None` for the whole table.
    pub(super) span: Option<Range<usize>>,
    pub(super) message: String,
}

impl Preset {
    /// The agent of the preset, scaled from a tile of this side.
    fn profile(self, name: &str, tile: f32) -> AgentProfile {
        match self {
            Self::Ground => default_ground(name, tile),
            Self::Air => default_air(name, tile),
        }
    }
}

impl AgentTable {
    /// The profile this table and its preset describe.
    pub(super) fn resolve(&self, tile: f32) -> Result<AgentProfile, Fault> {
        let name = self.name.get_ref();
        if name.is_empty() || name.chars().any(char::is_control) {
            return Err(Fault {
                span: Some(self.name.span()),
                message: "an agent's name must be text that can be printed on one line".into(),
            });
        }
        let profile = self.fill(self.preset.profile(name, tile), tile)?;
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

    /// The preset's profile with what the table says laid over it.
    fn fill(&self, preset: AgentProfile, tile: f32) -> Result<AgentProfile, Fault> {
        let (jump_height, gravity, jump_speed) = self.jump(&preset)?;
        let number = |value: &Option<Spanned<f32>>, default: f32| {
            value.as_ref().map_or(default, |v| *v.get_ref())
        };
        let pair = |value: &Option<Spanned<[f32; 2]>>, default: [f32; 2]| {
            value.as_ref().map_or(default, |v| *v.get_ref())
        };
        let body = pair(&self.body, preset.body);
        let run_speed = number(&self.run_speed, preset.run_speed);
        // A faster agent reaches its speed in the same time.
        let pace = run_speed / preset.run_speed;
        let air_jumps = (self.air_jumps.as_ref()).map_or(preset.air_jumps, |v| *v.get_ref());
        let jumps = f32::from(air_jumps) + 1.0;
        // No default limit is shorter than the jumps over level ground, each
        // begun at the apex of the one before.
        let level_jump = run_speed * (jumps + jumps.sqrt()) * jump_speed / gravity;
        let max_jump = [preset.max_jump[0].max(level_jump), jump_height * jumps];
        let max_drop = [preset.max_drop[0].max(level_jump), preset.max_drop[1]];
        Ok(AgentProfile {
            body,
            run_speed,
            acceleration: number(&self.acceleration, preset.acceleration * pace),
            deceleration: number(&self.deceleration, preset.deceleration * pace),
            jump_height,
            gravity,
            jump_speed,
            max_jump: pair(&self.max_jump, max_jump),
            max_drop: pair(&self.max_drop, max_drop),
            air_control: self.air_control.unwrap_or(preset.air_control),
            // A small body gets a step it can take.
            step_height: number(&self.step_height, (tile / 4.0).min(body[1] / 2.0)),
            max_slope: number(&self.max_slope, preset.max_slope),
            edges: self.edges.as_ref().map_or(preset.edges, |v| *v.get_ref()),
            max_fall_speed: (self.max_fall_speed.as_ref())
                .map_or(preset.max_fall_speed, |v| Some(*v.get_ref())),
            air_jumps,
            climb_speed: self.climb_speed(&preset),
            ignores_hazards: self.ignores_hazards.unwrap_or(preset.ignores_hazards),
            ..preset
        })
    }

    /// The speed of climbing: two fifths of the preset's run speed for an
    /// agent that lists an edge that is climbed and does not say.
    fn climb_speed(&self, preset: &AgentProfile) -> f32 {
        let edges = self.edges.as_ref().map_or(preset.edges, |v| *v.get_ref());
        let climbs = !edges.intersection(EdgeSet::CLIMB).is_empty();
        let default = if climbs { 0.4 * preset.run_speed } else { 0.0 };
        self.climb_speed.as_ref().map_or(default, |v| *v.get_ref())
    }

    /// Jump height, gravity and launch speed, from jump height and either
    /// gravity or the time to the apex.
    fn jump(&self, preset: &AgentProfile) -> Result<(f32, f32, f32), Fault> {
        let name = self.name.get_ref();
        let fault = |at: &Spanned<f32>, message: String| {
            Err(Fault {
                span: Some(at.span()),
                message,
            })
        };
        let height = (self.jump_height.as_ref()).map_or(preset.jump_height, |v| *v.get_ref());
        match (&self.gravity, &self.jump_time) {
            (Some(gravity), Some(_)) => fault(
                gravity,
                format!(
                    "agent {name:?} gives both gravity and jump_time, and each follows from the \
                     other; leave one out"
                ),
            ),
            (_, Some(time)) if height == 0.0 => fault(
                time,
                format!(
                    "agent {name:?} does not jump, so jump_time means nothing; leave it out, \
                     and set gravity if it should fall otherwise"
                ),
            ),
            (Some(gravity), None) => {
                let gravity = *gravity.get_ref();
                // Checked with the rest of the profile; until then no root
                // of a negative number.
                let square = 2.0 * f64::from(gravity) * f64::from(height);
                Ok((height, gravity, square.max(0.0).sqrt() as f32))
            }
            // An agent that cannot jump still falls: with the preset's gravity.
            (None, None) if height == 0.0 => Ok((height, preset.gravity, 0.0)),
            (None, time) => {
                let seconds = time.as_ref().map_or(JUMP_TIME, |v| *v.get_ref());
                if let (Some(time), false) = (time, seconds.is_finite() && seconds > 0.0) {
                    let rule = "but it must be a number above 0";
                    return fault(
                        time,
                        format!("agent {name:?}: jump_time is {seconds}, {rule}"),
                    );
                }
                let (gravity, speed) = jump_from(height, seconds);
                Ok((height, gravity, speed))
            }
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
            "max_fall_speed" => number(&self.max_fall_speed),
            "air_jumps" => self.air_jumps.as_ref().map(Spanned::span),
            "climb_speed" => {
                (number(&self.climb_speed)).or_else(|| self.edges.as_ref().map(Spanned::span))
            }
            _ => None,
        }
    }
}
