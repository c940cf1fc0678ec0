//! Flying along cubics. Feature A4.
//!
//! From where the agent is, with the velocity it has, to the next vertex, with
//! a velocity in the direction from the point before that vertex to the point
//! after (Catmull-Rom). A curve is taken when it keeps to the speed and the
//! acceleration, touches nothing, and leaves a way to go on: braking along the
//! next edge. Otherwise it is tightened: its end gets slower, down to a stop.

use glam::{DVec2, Vec2};

use super::kinematics::SpeedProfile;
use crate::search::free_space::FreeSpace;

/// Slack for limits that a curve meets exactly.
const SLACK: f64 = 1.0 + 1e-4;

/// Shares of full speed to pass a vertex with, best first.
const TIGHTER: [f64; 6] = [1.0, 0.8, 0.6, 0.4, 0.2, 0.0];

/// A cubic from one position and velocity to another (Hermite), in time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FlightCurve {
    from: DVec2,
    to: DVec2,
    start: DVec2,
    end: DVec2,
    seconds: f64,
}

impl FlightCurve {
    /// Begins at `from` with velocity `start`, and is at `to` with velocity
    /// `end` after `seconds`.
    pub(super) fn new(from: DVec2, start: DVec2, to: DVec2, end: DVec2, seconds: f64) -> Self {
        Self {
            from,
            to,
            start,
            end,
            seconds,
        }
    }

    /// Seconds it takes.
    pub(super) fn duration(&self) -> f64 {
        self.seconds
    }

    /// Its end.
    pub(super) fn end(&self) -> (DVec2, DVec2) {
        (self.to, self.end)
    }

    /// Position at time `t`, clamped to the curve.
    pub(super) fn position(&self, t: f64) -> DVec2 {
        if t >= self.seconds {
            return self.to;
        }
        let s = (t / self.seconds).max(0.0);
        let third = self.seconds / 3.0;
        let (p1, p2) = (self.from + self.start * third, self.to - self.end * third);
        let r = 1.0 - s;
        self.from * (r * r * r) + (p1 * r + p2 * s) * (3.0 * r * s) + self.to * (s * s * s)
    }

    /// Velocity at time `t`, clamped to the curve.
    pub(super) fn velocity(&self, t: f64) -> DVec2 {
        if t >= self.seconds {
            return self.end;
        }
        let s = (t / self.seconds).max(0.0);
        let r = 1.0 - s;
        self.start * (r * r) + self.middle() * (2.0 * r * s) + self.end * (s * s)
    }

    /// The middle control point of the velocity, itself a parabola.
    fn middle(&self) -> DVec2 {
        (self.to - self.from) * (3.0 / self.seconds) - self.start - self.end
    }

    /// Acceleration at its beginning and its end; it is linear between them.
    pub(super) fn accelerations(&self) -> [DVec2; 2] {
        let (middle, twice) = (self.middle(), 2.0 / self.seconds);
        [(middle - self.start) * twice, (self.end - middle) * twice]
    }

    /// Whether it keeps to a speed and an acceleration all the way. The speed
    /// is bounded by control points, so a curve that keeps to it closely may
    /// be refused.
    pub(super) fn keeps_to(&self, speed: f64, acceleration: f64) -> bool {
        let [a, b] = self.accelerations();
        let most = (acceleration * SLACK).powi(2);
        if !(a.length_squared() <= most && b.length_squared() <= most) {
            return false;
        }
        let most = (speed * SLACK).powi(2);
        let middle = self.middle();
        let points = [
            self.start,
            (self.start + middle) / 2.0,
            (self.start + middle * 2.0 + self.end) / 4.0,
            (middle + self.end) / 2.0,
            self.end,
        ];
        points.iter().all(|v| v.length_squared() <= most)
    }

    /// Whether the body touches nothing on the way.
    pub(super) fn is_clear(&self, space: &FreeSpace<'_>) -> bool {
        let third = self.seconds / 3.0;
        let (p1, p2) = (self.from + self.start * third, self.to - self.end * third);
        let length = self.from.distance(p1) + p1.distance(p2) + p2.distance(self.to);
        space.has_motion(length, self.seconds, &|t0, t1| {
            let third = (t1 - t0) / 3.0;
            let (p0, p3) = (self.position(t0), self.position(t1));
            // A piece of a cubic lies in the hull of its control points.
            let (p1, p2) = (
                p0 + self.velocity(t0) * third,
                p3 - self.velocity(t1) * third,
            );
            (p0.min(p1).min(p2.min(p3)), p0.max(p1).max(p2.max(p3)))
        })
    }

    /// Whether it stays on a straight line from one point to another.
    fn is_on(&self, from: DVec2, to: DVec2) -> bool {
        let third = self.seconds / 3.0;
        let along = to - from;
        let length = along.length();
        let hull = [
            self.from,
            self.from + self.start * third,
            self.to - self.end * third,
            self.to,
        ];
        hull.iter().all(|&p| {
            let (ahead, aside) = (along.dot(p - from), along.perp_dot(p - from));
            aside.abs() <= 1e-6 * length && (-1e-9..=length * length + 1e-6).contains(&ahead)
        })
    }

    /// The quickest of a series of durations that keeps to the limits.
    fn quickest(
        from: DVec2,
        start: DVec2,
        to: DVec2,
        end: DVec2,
        limits: &FlightLimits,
        longest: u32,
    ) -> Option<Self> {
        let length = from.distance(to);
        let least = (length / limits.speed).max(start.distance(end) / limits.acceleration);
        let mut cubic = Self::new(from, start, to, end, least.max(1e-6));
        if start == DVec2::ZERO && end == DVec2::ZERO {
            // From rest to rest: greatest in the middle is the speed, at the
            // ends the acceleration.
            let least = (6.0 * length / limits.acceleration).sqrt();
            cubic.seconds = cubic.seconds.max(1.5 * length / limits.speed).max(least);
        }
        // Straight on, constant acceleration takes this long. Where there is
        // just room to brake, hardly any other duration will do.
        let steady = 2.0 * length / (start.length() + end.length());
        for _ in 0..longest {
            let next = cubic.seconds * 1.08;
            for seconds in [cubic.seconds, steady] {
                let this = Self { seconds, ..cubic };
                let is_due = (cubic.seconds..next).contains(&seconds);
                if is_due && this.keeps_to(limits.speed, limits.acceleration) {
                    return Some(this);
                }
            }
            cubic.seconds = next;
        }
        None
    }
}

/// How fast an agent may fly, and how fast that may change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FlightLimits {
    speed: f64,
    acceleration: f64,
}

impl From<SpeedProfile> for FlightLimits {
    fn from(pace: SpeedProfile) -> Self {
        Self {
            speed: pace.speed,
            acceleration: pace.acceleration.min(pace.deceleration),
        }
    }
}

impl FlightLimits {
    /// How long a way it takes to reach full speed, or to lose it.
    fn ramp(&self) -> f64 {
        self.speed * self.speed / (2.0 * self.acceleration)
    }
}

/// Plans the next cubic of a flight along an edge of the route, after which it
/// goes on to `next` if there is such a point. A flight along a long edge is
/// cut where full speed is reached and where braking begins.
///
/// Edges are free, whoever found them; only the way to the first vertex of a
/// route, which is short, may not be. `is_known` says that this is none.
pub(super) fn next_curve(
    at: DVec2,
    velocity: DVec2,
    [from, to]: [Vec2; 2],
    next: Option<Vec2>,
    limits: &FlightLimits,
    space: &FreeSpace<'_>,
    is_known: bool,
) -> FlightCurve {
    let edge = to.as_dvec2() - at;
    let ramp = limits.ramp();
    let is_clear = |cubic: &FlightCurve| {
        is_known && cubic.is_on(from.as_dvec2(), to.as_dvec2()) || cubic.is_clear(space)
    };
    // Braking takes one ramp; a corner is rounded from farther off.
    let tail = if next.is_some() { 4.0 * ramp } else { ramp };
    let full = edge.normalize_or_zero() * limits.speed;
    let cruises = velocity.distance(full) < 1e-3 * limits.speed;
    let lead = if cruises { 0.5 * ramp } else { ramp };
    if edge.length() > lead + tail {
        let target = if cruises {
            to.as_dvec2() - full * (tail / limits.speed)
        } else {
            at + full * (ramp / limits.speed)
        };
        if let Some(cubic) = FlightCurve::quickest(at, velocity, target, full, limits, 12)
            && is_clear(&cubic)
        {
            return cubic;
        }
    }
    let target = to.as_dvec2();
    let heading = next.map_or(DVec2::ZERO, |next| {
        (next.as_dvec2() - at).normalize_or_zero() * limits.speed
    });
    for share in TIGHTER {
        let end = heading * share;
        if end == DVec2::ZERO && share > 0.0 {
            continue;
        }
        let Some(cubic) = FlightCurve::quickest(at, velocity, target, end, limits, 24) else {
            continue;
        };
        let goes_on = || {
            let Some(next) = next.filter(|_| share > 0.0) else {
                return true;
            };
            let next = next.as_dvec2();
            FlightCurve::quickest(target, end, next, DVec2::ZERO, limits, 24)
                .is_some_and(|brake| brake.is_clear(space))
        };
        if is_clear(&cubic) && goes_on() {
            return cubic;
        }
    }
    // Not even braking on the way is clear: stop, and take the straight edge.
    let rest = DVec2::ZERO;
    FlightCurve::quickest(at, rest, target, rest, limits, 24).unwrap_or_else(|| {
        FlightCurve::new(at, rest, target, rest, 2.0 * edge.length() / limits.speed)
    })
}

#[cfg(test)]
#[path = "flight_curve_test.rs"]
mod tests;
