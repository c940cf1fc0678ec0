//! What an agent's motion is limited by.

use crate::mesh::{AgentProfile, Fall, Layer};
use crate::search::Filter;
use crate::search::resolve::time_scale;

use super::SpeedProfile;

/// The limits an agent moves under: those it was baked with, or tighter ones
/// (a wounded agent, a slow one among fast ones). The body is the layer's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MotionProfile {
    /// Greatest speed on the floor and in flight, and across in jumps,
    /// units/s.
    pub run_speed: f32,
    /// How fast speed grows, units/s².
    pub acceleration: f32,
    /// How fast speed shrinks, units/s².
    pub deceleration: f32,
    /// Downward acceleration in jumps and drops, units/s².
    pub gravity: f32,
    /// Greatest upward launch speed, units/s; 0 for an agent that does not
    /// jump.
    pub jump_speed: f32,
}

impl From<&AgentProfile> for MotionProfile {
    fn from(profile: &AgentProfile) -> Self {
        Self {
            run_speed: profile.run_speed,
            acceleration: profile.acceleration,
            deceleration: profile.deceleration,
            gravity: profile.gravity,
            jump_speed: profile.jump_speed,
        }
    }
}

/// A limit that makes no sense.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("{parameter} is {value}, but {rule}")]
pub struct MotionProfileError {
    /// The field.
    pub parameter: &'static str,
    /// What it was.
    pub value: f32,
    /// What it must be.
    pub rule: &'static str,
}

impl MotionProfile {
    /// Checks that every number is finite and in its range.
    ///
    /// # Errors
    /// Names the first that is not.
    pub fn validate(&self) -> Result<(), MotionProfileError> {
        let positive = [
            ("run_speed", self.run_speed),
            ("acceleration", self.acceleration),
            ("deceleration", self.deceleration),
            ("gravity", self.gravity),
        ];
        for (parameter, value) in positive {
            if !(value > 0.0 && value < 1e9) {
                return Err(MotionProfileError {
                    parameter,
                    value,
                    rule: "it must be a finite number above 0",
                });
            }
        }
        if !(self.jump_speed >= 0.0 && self.jump_speed < 1e9) {
            return Err(MotionProfileError {
                parameter: "jump_speed",
                value: self.jump_speed,
                rule: "it must be a finite number, 0 or more",
            });
        }
        Ok(())
    }

    /// The limits of running, no faster than a filter allows.
    pub(super) fn pace(&self, filter: &Filter) -> SpeedProfile {
        let most = filter.run_speed.unwrap_or(f32::INFINITY);
        SpeedProfile {
            speed: f64::from(self.run_speed.min(most)),
            acceleration: f64::from(self.acceleration),
            deceleration: f64::from(self.deceleration),
        }
    }

    /// These limits, no greater than a filter's.
    pub(super) fn within(&self, filter: &Filter) -> Self {
        let most = |own: f32, limit: Option<f32>| limit.map_or(own, |limit| own.min(limit));
        Self {
            run_speed: most(self.run_speed, filter.run_speed),
            jump_speed: most(self.jump_speed, filter.jump_speed),
            ..*self
        }
    }

    /// How much faster than baked this agent passes through a baked arc: the
    /// curve stays the same when time shrinks with the root of gravity.
    pub(super) fn time_scale(&self, layer: &Layer) -> f64 {
        time_scale(self.gravity, layer.profile())
    }

    /// How it falls: as baked, in so much less time.
    pub(super) fn fall(&self, layer: &Layer) -> Fall {
        Fall {
            gravity: f64::from(self.gravity),
            max_speed: layer.profile().fall().max_speed * self.time_scale(layer),
        }
    }

    /// Makes a filter leave out what is beyond these limits, unless it can be
    /// made another way.
    pub(super) fn tighten(&self, layer: &Layer, filter: &mut Filter) {
        let baked = layer.profile();
        // Under more gravity, what was baked asks for more speed.
        let faster = self.time_scale(layer).max(1.0) as f32;
        let tighter = |own: f32, asked: Option<f32>, baked: f32| {
            let most = own.min(asked.unwrap_or(f32::INFINITY));
            (most < baked * faster).then_some(most)
        };
        filter.run_speed = tighter(self.run_speed, filter.run_speed, baked.run_speed);
        filter.jump_speed = tighter(self.jump_speed, filter.jump_speed, baked.jump_speed);
        filter.gravity = (self.gravity != baked.gravity).then_some(self.gravity);
        filter.resolve = true;
    }
}
