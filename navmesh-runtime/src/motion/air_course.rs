//! Steering a body in the air: the motion across of a jump, such that a body with
//! bounded acceleration can follow it.
//!
//! A smooth trajectory is followed as it is. No body can follow a trajectory that
//! changes its speed at once, so its average over a window is followed: the window is
//! as long as the change of speed takes. The average needs no more than the body's
//! acceleration, and begins to turn half a window before the trajectory does.

use super::airborne::Airborne;
use super::kinematics::{SpeedProfile, closing_speed};
use crate::mesh::{Acceleration, TrajectoryParams};

const MAX_LEGS: usize = TrajectoryParams::MAX_LEGS;
/// Shortest step of a prediction, seconds.
const LEAST_STEP: f64 = 1.0 / 240.0;
/// Most steps of a prediction: ten seconds of the shortest ones. Only under very
/// little gravity does a flight take longer; its steps are longer then.
const MOST_STEPS: f64 = 2400.0;

/// The motion across of a jump or a drop, in seconds after take-off.
#[derive(Debug, Clone, Copy)]
pub struct AirCourse {
    pub flight: Airborne,
    rows: [Acceleration; MAX_LEGS],
    count: usize,
    limits: SpeedProfile,
    /// Seconds over which the motion is averaged; 0 if its speed does not jump.
    window: f64,
    pub duration: f64,
}

/// Where a body comes down, as far as it can be predicted.
#[derive(Debug, Clone, Copy)]
pub struct Prediction {
    pub x: f64,
    /// Units/s.
    pub velocity: f64,
    /// Greatest distance across from the trajectory on the way.
    pub deviation: f64,
}

impl AirCourse {
    pub fn new(flight: Airborne, limits: SpeedProfile) -> Self {
        let scale = flight.time_scale;
        let mut rows = [Acceleration::default(); MAX_LEGS];
        let (mut count, mut window) = (0_usize, 0.0_f64);
        for row in flight.trajectory.accelerations() {
            // A row that takes no time says nothing about the motion.
            if row.duration < 1e-4 {
                continue;
            }
            let row = Acceleration {
                duration: row.duration / scale,
                speed: row.speed * scale,
                acceleration: row.acceleration * scale * scale,
            };
            if let Some(before) = count.checked_sub(1).map(|last| rows[last]) {
                let jump = (row.speed - before.speed_after(before.duration)).abs();
                // Less is rounding.
                if jump > 1e-3 * limits.speed {
                    window = window.max(jump / limits.acceleration);
                }
            }
            rows[count] = row;
            count += 1;
        }
        let duration = flight.duration();
        Self {
            flight,
            rows,
            count,
            limits,
            window: window.min(duration),
            duration,
        }
    }

    /// The trajectory itself: its x, its speed, and the integral of its x, from
    /// take-off. Before the take-off and after the landing the speed does not
    /// change.
    fn exact(&self, t: f64) -> [f64; 3] {
        let rows = &self.rows[..self.count];
        let speed = rows.first().map_or(0.0, |row| row.speed);
        if t <= 0.0 {
            return [speed * t, speed, 0.5 * speed * t * t];
        }
        let (mut x, mut speed, mut sum, mut left) = (0.0, speed, 0.0, t);
        for row in rows {
            let spent = left.min(row.duration);
            // The integral of x + speed t + acceleration t² / 2.
            sum += spent * (x + spent * (0.5 * row.speed + row.acceleration * spent / 6.0));
            x += row.distance_after(spent);
            speed = row.speed_after(spent);
            left -= spent;
            if left <= 0.0 {
                break;
            }
        }
        [
            x + speed * left,
            speed,
            sum + left * (x + 0.5 * speed * left),
        ]
    }

    fn is_averaged(&self) -> bool {
        self.window >= 1e-6
    }

    /// Position across and velocity at a time after take-off.
    pub fn at(&self, t: f64) -> [f64; 2] {
        let from = f64::from(self.flight.from.x);
        if !self.is_averaged() {
            let [x, speed, _] = self.exact(t);
            return [from + x, speed];
        }
        let half = 0.5 * self.window;
        let ([x, _, sum], [before, _, sum_before]) = (self.exact(t + half), self.exact(t - half));
        let width = self.window;
        [from + (sum - sum_before) / width, (x - before) / width]
    }

    /// The velocity across that a body at `x` should have in a step of `dt`
    /// seconds that begins `t` seconds after take-off.
    pub fn steer(&self, t: f64, x: f64, velocity: f64, dt: f64) -> f64 {
        self.steer_between([t, t + dt].map(|t| self.at(t)[0]), x, velocity, dt)
    }

    /// The same, from where the course is at the begin of the step to where it is at its end.
    fn steer_between(&self, [now, next]: [f64; 2], x: f64, velocity: f64, dt: f64) -> f64 {
        let (top, acceleration) = (self.limits.speed, self.limits.acceleration);
        let (behind, speed) = (now - x, (next - now) / dt);
        let wanted = speed + behind.signum() * closing_speed(behind.abs(), 0.0, acceleration, dt);
        let change = acceleration * dt;
        (wanted.clamp(velocity - change, velocity + change)).clamp(-top, top)
    }

    /// Follows a body that moves in steps of `dt` seconds from the take-off to the
    /// landing. Calls `see` with the time and the x of every step. The cost is
    /// bounded: long flights are followed in longer steps.
    pub fn predict(
        &self,
        x: f64,
        velocity: f64,
        dt: f64,
        mut see: impl FnMut(f64, f64),
    ) -> Prediction {
        let from = f64::from(self.flight.from.x);
        let dt = dt.max(LEAST_STEP).max(self.duration / MOST_STEPS);
        let (mut t, mut x, mut velocity, mut deviation) = (0.0, x, velocity, 0.0_f64);
        let mut now = self.at(0.0)[0];
        while t < self.duration - 1e-9 {
            let dt = dt.min(self.duration - t);
            let next = self.at(t + dt)[0];
            velocity = self.steer_between([now, next], x, velocity, dt);
            x += velocity * dt;
            t += dt;
            now = next;
            see(t, x);
            let exact = if self.is_averaged() {
                from + self.exact(t)[0]
            } else {
                now
            };
            deviation = deviation.max((exact - x).abs());
        }
        Prediction {
            x,
            velocity,
            deviation,
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;
    use crate::mesh::Fall;

    #[test]
    fn a_prediction_takes_few_steps_however_long_the_flight_is() {
        let limits = SpeedProfile::even(90.0, 700.0);
        for (gravity, steps) in [(800.0, 30), (1e-4, 2400), (1e-8, 2400), (1e-22, 2400)] {
            let fall = Fall::from(gravity);
            let to = Vec2::new(10.0, 100.0);
            let flight = Airborne::fall(Vec2::ZERO, 10.0, to, 90.0, fall, 1.0).unwrap();
            let course = AirCourse::new(flight, limits);
            let mut seen = 0;
            let end = course.predict(0.0, 90.0, 1.0 / 60.0, |_, _| seen += 1);
            assert!(seen <= steps + 10, "{gravity}: {seen} steps");
            // In steps of years, it may be anywhere.
            assert!(
                gravity < 1e-8 || (end.x - 10.0).abs() < 2.0,
                "{gravity}: {end:?}"
            );
        }
    }
}
