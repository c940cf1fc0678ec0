//! Steering a body in the air: the motion across of a jump, smoothed so that a
//! body with bounded acceleration can follow it.
//!
//! The legs of a trajectory have constant speeds, and no body changes from one
//! to the next at once. The average of the trajectory over a window as long as
//! the change of speed takes needs no more than that acceleration, and begins
//! to turn half a window before the trajectory does.

use super::airborne::Airborne;
use crate::mesh::TrajectoryParams;

const MAX_LEGS: usize = TrajectoryParams::MAX_LEGS;

/// Limits of a body's motion across.
#[derive(Debug, Clone, Copy)]
pub(super) struct AirLimits {
    /// Greatest speed, units/s.
    pub(super) speed: f64,
    /// Greatest change of speed, units/s²; may be infinite.
    pub(super) acceleration: f64,
}

/// The motion across of a jump or a drop, in seconds after take-off.
#[derive(Debug, Clone, Copy)]
pub(super) struct AirCourse {
    /// Seconds and speed of each leg.
    legs: [[f64; 2]; MAX_LEGS],
    count: usize,
    from: f64,
    limits: AirLimits,
    /// Seconds over which the motion is averaged.
    window: f64,
    pub(super) duration: f64,
}

/// Where a body comes down, as far as it can be predicted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prediction {
    pub(super) x: f64,
    /// Units/s.
    pub(super) velocity: f64,
    /// Greatest distance across from the trajectory on the way.
    pub(super) deviation: f64,
}

impl AirCourse {
    pub(super) fn new(airborne: &Airborne, limits: AirLimits) -> Self {
        let scale = airborne.time_scale();
        let mut legs = [[0.0; 2]; MAX_LEGS];
        let (mut count, mut window) = (0_usize, 0.0_f64);
        for leg in airborne.trajectory().legs() {
            // A leg that takes no time says nothing about the motion.
            if leg.duration < 1e-4 {
                continue;
            }
            let speed = leg.speed * scale;
            if let Some([_, before]) = count.checked_sub(1).map(|last| legs[last]) {
                window = window.max((speed - before).abs() / limits.acceleration);
            }
            legs[count] = [leg.duration / scale, speed];
            count += 1;
        }
        let duration = airborne.duration();
        Self {
            legs,
            count,
            from: airborne.take_off().x.into(),
            limits,
            window: window.min(duration),
            duration,
        }
    }

    /// The trajectory itself: its x, and the integral of its x, from take-off.
    /// Before the take-off and after the landing the speed does not change.
    fn exact(&self, t: f64) -> [f64; 2] {
        let legs = &self.legs[..self.count];
        let (mut x, mut sum, mut left) = (0.0, 0.0, t);
        for (i, [seconds, speed]) in legs.iter().enumerate() {
            let is_last = i + 1 == legs.len();
            let spent = if is_last { left } else { left.min(*seconds) };
            sum += spent * (x + 0.5 * speed * spent);
            x += speed * spent;
            left -= spent;
            if left <= 0.0 {
                break;
            }
        }
        [x, sum]
    }

    /// Position across and velocity at a time after take-off.
    pub(super) fn at(&self, t: f64) -> [f64; 2] {
        let half = 0.5 * self.window.max(1e-6);
        let ([x, sum], [before, sum_before]) = (self.exact(t + half), self.exact(t - half));
        let width = 2.0 * half;
        [self.from + (sum - sum_before) / width, (x - before) / width]
    }

    /// The velocity across that a body at `x` should have after a step of `dt`
    /// seconds that begins `t` seconds after take-off.
    pub(super) fn steer(&self, t: f64, x: f64, velocity: f64, dt: f64) -> f64 {
        let [target, speed] = self.at(t + dt);
        let AirLimits {
            speed: top,
            acceleration,
        } = self.limits;
        let behind = target - speed * dt - x;
        let wanted = speed + behind.signum() * closing_speed(behind.abs(), 0.0, acceleration, dt);
        let change = acceleration * dt;
        (wanted.clamp(velocity - change, velocity + change)).clamp(-top, top)
    }

    /// Follows a body from the take-off to the landing. Calls `see` with the time
    /// and the x of every step.
    pub(super) fn predict(
        &self,
        x: f64,
        velocity: f64,
        dt: f64,
        mut see: impl FnMut(f64, f64),
    ) -> Prediction {
        let (mut t, mut x, mut velocity, mut deviation) = (0.0, x, velocity, 0.0_f64);
        while t < self.duration - 1e-9 {
            let dt = dt.min(self.duration - t);
            velocity = self.steer(t, x, velocity, dt);
            x += velocity * dt;
            t += dt;
            see(t, x);
            deviation = deviation.max((self.from + self.exact(t)[0] - x).abs());
        }
        Prediction {
            x,
            velocity,
            deviation,
        }
    }
}

/// The greatest speed at which a body may close a distance in steps of `dt`
/// seconds, so that it can slow down to `end` there.
pub(super) fn closing_speed(distance: f64, end: f64, deceleration: f64, dt: f64) -> f64 {
    let reach = distance / dt;
    if !deceleration.is_finite() {
        return reach;
    }
    // A body that slows down by d·dt in every step covers v²/2d + v·dt/2.
    let half = 0.5 * deceleration * dt;
    let speed = (half * half + 2.0 * deceleration * distance + end * end).sqrt() - half;
    if end > 0.0 {
        speed.max(end)
    } else {
        speed.min(reach)
    }
}
