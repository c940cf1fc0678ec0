//! Running along a line: accelerate, hold, decelerate, in closed form.
//!
//! The way to a target is a trapezoid of speed over time (a triangle when it
//! is too short to reach full speed), so where the agent is after any time is
//! a formula: one step of a tenth of a second ends where ten of a hundredth
//! do. Feature A3.

use crate::mesh::AgentProfile;

/// How fast an agent may move along a line, and how fast that may change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SpeedProfile {
    /// Greatest speed, units/s.
    pub(super) speed: f64,
    /// How fast speed grows, units/s².
    pub(super) acceleration: f64,
    /// How fast speed shrinks, units/s².
    pub(super) deceleration: f64,
}

/// Where something is on a line, and how fast it moves along it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Runner {
    /// Position, units.
    pub(super) at: f64,
    /// Signed speed, units/s.
    pub(super) velocity: f64,
}

impl Runner {
    /// A runner at rest.
    pub(super) fn standing(at: f64) -> Self {
        Self { at, velocity: 0.0 }
    }
}

/// Where a run goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Target {
    /// Position, units.
    pub(super) at: f64,
    /// Speed to have on reaching it, units/s; 0 to stop there. It is reached
    /// slower when the way is too short.
    pub(super) speed: f64,
    /// Between which positions the runner may be while it turns round. At
    /// either of them it stops at once.
    pub(super) bounds: [f64; 2],
}

/// A piece of motion at constant acceleration, in the direction of the target.
#[derive(Debug, Clone, Copy)]
struct Phase {
    seconds: f64,
    speed: f64,
    acceleration: f64,
}

impl From<&AgentProfile> for SpeedProfile {
    fn from(profile: &AgentProfile) -> Self {
        Self {
            speed: f64::from(profile.run_speed),
            acceleration: f64::from(profile.acceleration),
            deceleration: f64::from(profile.deceleration),
        }
    }
}

impl SpeedProfile {
    /// How far a runner goes until it stands.
    pub(super) fn stopping_distance(&self, speed: f64) -> f64 {
        speed * speed / (2.0 * self.deceleration)
    }

    /// Moves a runner towards a target for `seconds`. The time that is left
    /// when it got there, or `None` while it is under way.
    ///
    /// Whatever is known of the way decides the motion: below full speed and
    /// farther than the stopping distance, accelerate; at full speed and
    /// farther, hold; within the stopping distance, decelerate; overshot,
    /// stop at once. A runner that moves away from its target decelerates
    /// first.
    pub(super) fn advance(&self, runner: &mut Runner, target: Target, seconds: f64) -> Option<f64> {
        let mut left = seconds;
        let ahead = target.at - runner.at;
        let side = if ahead == 0.0 {
            // Already there, whatever the speed: overshot, or just arrived.
            runner.velocity = limit(runner.velocity, target.speed);
            return Some(left);
        } else {
            ahead.signum()
        };
        if runner.velocity * side < 0.0 {
            let (turning, covered) = self.turn(*runner, side, target.bounds);
            if left < turning {
                let speed = runner.velocity.abs();
                runner.at -= side * left * (speed - 0.5 * self.deceleration * left);
                runner.velocity = -side * (speed - self.deceleration * left);
                return None;
            }
            runner.at -= side * covered;
            runner.velocity = 0.0;
            left -= turning;
        }
        let distance = (target.at - runner.at).abs();
        let (phases, end_speed) = self.phases(runner.velocity.abs(), distance, target.speed);
        let mut covered = 0.0;
        for phase in phases {
            let t = left.min(phase.seconds);
            covered += t * (phase.speed + 0.5 * phase.acceleration * t);
            if left < phase.seconds {
                // Rounding must not carry it past the target.
                runner.at += side * covered.min(distance);
                runner.velocity = side * (phase.speed + phase.acceleration * t).max(0.0);
                return None;
            }
            left -= t;
        }
        runner.at = target.at;
        runner.velocity = side * end_speed;
        Some(left)
    }

    /// How long a runner that moves away from its target brakes until it
    /// stands, and how far it gets.
    fn turn(&self, runner: Runner, side: f64, bounds: [f64; 2]) -> (f64, f64) {
        let speed = runner.velocity.abs();
        let bound = if side > 0.0 { bounds[0] } else { bounds[1] };
        let room = ((runner.at - bound) * side).max(0.0);
        let brake = self.deceleration;
        let stopping = self.stopping_distance(speed);
        if stopping <= room {
            return (speed / brake, stopping);
        }
        let root = (speed * speed - 2.0 * brake * room).max(0.0).sqrt();
        ((speed - root) / brake, room)
    }

    /// The motion over a distance ahead, and the speed at its end.
    fn phases(&self, speed: f64, distance: f64, wanted: f64) -> ([Phase; 3], f64) {
        let (up, down) = (self.acceleration, self.deceleration);
        let none = Phase {
            seconds: 0.0,
            speed: 0.0,
            acceleration: 0.0,
        };
        let end = wanted.clamp(0.0, self.speed);
        let square = speed * speed;
        if square - end * end >= 2.0 * down * distance {
            // Within the stopping distance: what it cannot shed in time, it
            // loses at once.
            let root = (square - 2.0 * down * distance).max(0.0).sqrt();
            let brake = Phase {
                seconds: (speed - root) / down,
                speed,
                acceleration: -down,
            };
            return ([brake, none, none], root.min(end));
        }
        if speed > self.speed {
            // Faster than it may be, and no need to stop yet.
            let slow = (square - self.speed * self.speed) / (2.0 * down);
            let brake = Phase {
                seconds: (speed - self.speed) / down,
                speed,
                acceleration: -down,
            };
            let (rest, end) = self.phases(self.speed, (distance - slow).max(0.0), wanted);
            return ([brake, rest[1], rest[2]], end);
        }
        // The speed at which braking must follow on accelerating.
        let peak = (2.0 * up * down * distance + down * square + up * end * end) / (up + down);
        let peak = peak.sqrt();
        if peak < end {
            let reached = (square + 2.0 * up * distance).sqrt();
            let rise = Phase {
                seconds: (reached - speed) / up,
                speed,
                acceleration: up,
            };
            return ([rise, none, none], reached);
        }
        let top = peak.min(self.speed).max(speed);
        let rising = (top * top - square) / (2.0 * up);
        let falling = (top * top - end * end) / (2.0 * down);
        let rise = Phase {
            seconds: (top - speed) / up,
            speed,
            acceleration: up,
        };
        let hold = Phase {
            seconds: ((distance - rising - falling) / top).max(0.0),
            speed: top,
            acceleration: 0.0,
        };
        let fall = Phase {
            seconds: (top - end) / down,
            speed: top,
            acceleration: -down,
        };
        ([rise, hold, fall], end)
    }
}

/// A velocity of at most so much speed.
fn limit(velocity: f64, speed: f64) -> f64 {
    velocity.clamp(-speed.abs(), speed.abs())
}

#[cfg(test)]
#[path = "kinematics_test.rs"]
mod tests;
