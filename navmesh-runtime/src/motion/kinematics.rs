//! Motion along a line: accelerate, hold, decelerate, in closed form.
//!
//! Speed over time is a trapezoid, or a triangle when the distance is too short
//! to reach full speed. The position after any time is therefore a formula: one
//! step of a tenth of a second ends where ten steps of a hundredth end.

use crate::mesh::{Acceleration, AgentProfile};

/// Greatest speed and accelerations along a line, all above 0 on a floor and in flight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpeedProfile {
    /// Greatest speed, units/s.
    pub speed: f64,
    /// Greatest rate at which speed grows, units/s².
    pub acceleration: f64,
    /// Greatest rate at which speed shrinks, units/s².
    pub deceleration: f64,
}

/// A position and a velocity on a line.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Runner {
    /// Position, units.
    pub at: f64,
    /// Units/s; negative towards smaller positions.
    pub velocity: f64,
}

impl Runner {
    /// A runner at rest.
    pub fn standing(at: f64) -> Self {
        Self { at, velocity: 0.0 }
    }
}

/// The end of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Target {
    /// Position, units.
    pub at: f64,
    /// Speed to have at the end in the direction of the run, units/s, up to the greatest
    /// one; 0 or less to stop there, for instance for a jump back over the floor. When the
    /// run is too short to reach it, the speed at the end is lower.
    pub speed: f64,
    /// The positions between which the runner may turn round. At either of them
    /// it stops at once.
    pub bounds: [f64; 2],
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
    /// Where one acceleration limits every change of velocity.
    pub fn even(speed: f32, acceleration: f64) -> Self {
        Self {
            speed: f64::from(speed),
            acceleration,
            deceleration: acceleration,
        }
    }

    /// Of an agent in flight, which turns and brakes at the lower of its accelerations.
    pub fn of_flight(profile: &AgentProfile) -> Self {
        let acceleration = profile.acceleration.min(profile.deceleration);
        Self::even(profile.run_speed, f64::from(acceleration))
    }

    /// Distance in which a runner of this speed comes to rest, units.
    pub fn stopping_distance(&self, speed: f64) -> f64 {
        speed * speed / (2.0 * self.deceleration)
    }

    /// Moves a runner towards a target for `seconds`. Returns the seconds that
    /// are left at the target, `None` while the runner is on its way.
    ///
    /// A runner farther away than its stopping distance accelerates to full
    /// speed and holds it; within that distance it decelerates. One that moves away from
    /// its target, or is too fast to have the right speed there, comes to rest first, beyond
    /// the target if need be, and then runs back.
    pub fn advance(&self, runner: &mut Runner, mut target: Target, seconds: f64) -> Option<f64> {
        let mut left = seconds;
        let ahead = target.at - runner.at;
        // At the target, a runner that is too fast moves away from it.
        let side = if ahead == 0.0 {
            runner.velocity.signum()
        } else {
            ahead.signum()
        };
        let is_coming = runner.velocity * side > 0.0;
        let overshoots = is_coming && self.overshoots(runner.velocity, ahead.abs(), target.speed);
        if ahead == 0.0 && !overshoots {
            let most = target.speed.max(0.0);
            runner.velocity = runner.velocity.clamp(-most, most);
            return Some(left);
        }
        if overshoots || runner.velocity * side < 0.0 {
            let heading = runner.velocity.signum();
            let (turning, covered) = self.turn(*runner, target.bounds);
            if left < turning {
                let speed = runner.velocity.abs();
                runner.at += heading * left * (speed - 0.5 * self.deceleration * left);
                runner.velocity = heading * (speed - self.deceleration * left);
                return None;
            }
            runner.at += heading * covered;
            runner.velocity = 0.0;
            left -= turning;
            if overshoots {
                // From the other side, the wanted velocity is the opposite speed.
                target.speed = -target.speed;
            }
        }
        let ahead = target.at - runner.at;
        let (side, distance) = (ahead.signum(), ahead.abs());
        let (phases, end_speed) = self.phases(runner.velocity.abs(), distance, target.speed);
        let mut covered = 0.0;
        for phase in phases {
            let t = left.min(phase.duration);
            covered += phase.distance_after(t);
            if left < phase.duration {
                // Rounding must not carry the runner past the target.
                runner.at += side * covered.min(distance);
                runner.velocity = side * phase.speed_after(t).max(0.0);
                return None;
            }
            left -= t;
        }
        runner.at = target.at;
        runner.velocity = side * end_speed;
        Some(left)
    }

    /// Whether a runner is too fast to slow down over a distance to the speed that it should
    /// have there.
    fn overshoots(&self, velocity: f64, distance: f64, wanted: f64) -> bool {
        // Of a speed that is right but for rounding, 3e-5 at most is left at the target.
        const ROUNDING: f64 = 1e-9;
        let (square, end) = (velocity * velocity, wanted.clamp(0.0, self.speed));
        square * (1.0 - ROUNDING) > end * end + 2.0 * self.deceleration * distance
    }

    /// Moves a runner to a target, and returns how long it takes, seconds.
    pub fn run(&self, runner: &mut Runner, target: Target) -> f64 {
        // An hour, with the precision of a nanosecond.
        const LONG: f64 = 3600.0;
        let ahead = target.at - runner.at;
        let speed = runner.velocity * ahead.signum();
        if speed > 0.0 && self.overshoots(speed, ahead.abs(), target.speed) {
            // An estimate for a body that is a little too fast, without the way back.
            let (phases, end) = self.phases(speed, ahead.abs(), target.speed);
            *runner = Runner {
                at: target.at,
                velocity: ahead.signum() * end,
            };
            return phases.iter().map(|phase| phase.duration).sum();
        }
        LONG - self.advance(runner, target, LONG).unwrap_or(0.0)
    }

    /// Seconds and distance in which a runner comes to rest.
    fn turn(&self, runner: Runner, bounds: [f64; 2]) -> (f64, f64) {
        let speed = runner.velocity.abs();
        let bound = bounds[usize::from(runner.velocity > 0.0)];
        let room = ((bound - runner.at) * runner.velocity.signum()).max(0.0);
        let brake = self.deceleration;
        let stopping = self.stopping_distance(speed);
        if stopping <= room {
            return (speed / brake, stopping);
        }
        let root = (speed * speed - 2.0 * brake * room).max(0.0).sqrt();
        ((speed - root) / brake, room)
    }

    /// The phases of motion over a distance ahead, and the speed at its end.
    fn phases(&self, speed: f64, distance: f64, wanted: f64) -> ([Acceleration; 3], f64) {
        let (up, down) = (self.acceleration, self.deceleration);
        let none = Acceleration::default();
        let end = wanted.clamp(0.0, self.speed);
        let square = speed * speed;
        if square - end * end >= 2.0 * down * distance {
            // Within the stopping distance, up to rounding.
            let root = (square - 2.0 * down * distance).max(0.0).sqrt();
            let brake = phase((speed - root) / down, speed, -down);
            return ([brake, none, none], root.min(end));
        }
        if speed > self.speed {
            // Too fast, but still farther away than the stopping distance.
            let slow = (square - self.speed * self.speed) / (2.0 * down);
            let brake = phase((speed - self.speed) / down, speed, -down);
            let (rest, end) = self.phases(self.speed, (distance - slow).max(0.0), wanted);
            return ([brake, rest[1], rest[2]], end);
        }
        // The speed at which the runner must stop accelerating and brake: the distances
        // of both, (peak² - speed²) / 2 up and (peak² - end²) / 2 down, make up the whole.
        let peak = (2.0 * up * down * distance + down * square + up * end * end) / (up + down);
        let peak = peak.sqrt();
        if peak < end {
            let reached = (square + 2.0 * up * distance).sqrt();
            return (
                [phase((reached - speed) / up, speed, up), none, none],
                reached,
            );
        }
        let top = peak.min(self.speed).max(speed);
        let rising = (top * top - square) / (2.0 * up);
        let falling = (top * top - end * end) / (2.0 * down);
        let rise = phase((top - speed) / up, speed, up);
        let hold = phase(((distance - rising - falling) / top).max(0.0), top, 0.0);
        let fall = phase((top - end) / down, top, -down);
        ([rise, hold, fall], end)
    }
}

fn phase(duration: f64, speed: f64, acceleration: f64) -> Acceleration {
    Acceleration {
        duration,
        speed,
        acceleration,
    }
}

/// The greatest speed at which a body may close a distance in a step of `dt` seconds,
/// so that it can slow down to `end` there in steps of any length, also in shorter ones.
pub fn closing_speed(distance: f64, end: f64, deceleration: f64, dt: f64) -> f64 {
    if !deceleration.is_finite() {
        return distance / dt;
    }
    // The distance is v dt + (v² - end²) / 2 deceleration.
    let q = deceleration * dt;
    let root = (q * q + end * end + 2.0 * deceleration * distance).sqrt();
    (root - q).max(end)
}

/// The nearest x to another one that is a margin inside two edges; between those of a link
/// that reaches beyond its platform, which a mesh allows by rounding.
pub fn within([left, right]: [f64; 2], x: f64, margin: f64) -> f64 {
    let (left, right) = (left.min(right), left.max(right));
    let margin = margin.min(0.25 * (right - left));
    x.clamp(left + margin, right - margin)
}
