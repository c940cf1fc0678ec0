//! Flying along cubic curves.
//!
//! A curve leads from the agent's position and velocity to the next vertex of
//! the route. Its end velocity points from the point before that vertex to the
//! point after it (Catmull-Rom). The curve is used when it stays within the
//! limits on speed and acceleration, touches nothing, and lets the agent brake
//! along the next edge. Otherwise, curves with a lower end speed are tried,
//! down to a stop. An agent with a velocity from which no curve is free, because
//! it got another route, brakes first.

use glam::{DVec2, Vec2};

use super::kinematics::SpeedProfile;
use crate::mesh::SLACK;
use crate::search::free_space::FreeSpace;

/// Shares of full speed with which a vertex is passed, best first; the last
/// stops there. Each share costs a curve and its check against the geometry;
/// with fewer, agents slow down more than they have to.
const TIGHTER: [f64; 6] = [1.0, 0.8, 0.6, 0.4, 0.2, 0.0];

/// Factor between the durations tried for a curve: a curve takes at most 8 %
/// longer than necessary.
const LONGER: f64 = 1.08;

/// How many durations are tried for a straight part of a long edge, up to 2.3
/// times the shortest. When none fits, a curve along the whole edge follows, so
/// more durations are not worth their time.
const FEW_DURATIONS: u32 = 12;

/// How many durations are tried for a curve to a vertex, up to 5.9 times the
/// shortest. With fewer, agents that have to turn stop before they turn.
const DURATIONS: u32 = 24;

/// A cubic from one position and velocity to another (Hermite), in time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlightCurve {
    from: DVec2,
    pub to: DVec2,
    start: DVec2,
    /// The velocity at its end, units/s.
    pub end: DVec2,
    /// Its duration.
    pub seconds: f64,
}

impl FlightCurve {
    /// A curve that begins at `from` with velocity `start`, and ends at `to`
    /// with velocity `end` after `seconds`.
    pub fn new(from: DVec2, start: DVec2, to: DVec2, end: DVec2, seconds: f64) -> Self {
        Self {
            from,
            to,
            start,
            end,
            seconds,
        }
    }

    /// A curve from rest to rest.
    pub fn at_rest(from: DVec2, to: DVec2, limits: &SpeedProfile) -> Self {
        let rest = DVec2::ZERO;
        Self::quickest(from, rest, to, rest, limits, DURATIONS).unwrap_or_else(|| {
            let seconds = 2.0 * from.distance(to) / limits.speed;
            Self::new(from, rest, to, rest, seconds)
        })
    }

    /// A curve that brakes in a straight line.
    pub fn braking(from: DVec2, start: DVec2, limits: &SpeedProfile) -> Self {
        let seconds = (start.length() / limits.acceleration).max(1e-6);
        let to = from + start * (0.5 * seconds);
        Self::new(from, start, to, DVec2::ZERO, seconds)
    }

    /// Position at time `t`, clamped to the curve.
    pub fn position(&self, t: f64) -> DVec2 {
        if t >= self.seconds {
            return self.to;
        }
        let s = (t / self.seconds).max(0.0);
        let [_, p1, p2, _] = self.hull();
        let r = 1.0 - s;
        self.from * (r * r * r) + (p1 * r + p2 * s) * (3.0 * r * s) + self.to * (s * s * s)
    }

    /// The control points of its Bézier form. The curve lies in their hull.
    fn hull(&self) -> [DVec2; 4] {
        let third = self.seconds / 3.0;
        let (from, to) = (self.from, self.to);
        [from, from + self.start * third, to - self.end * third, to]
    }

    /// Velocity at time `t`, clamped to the curve.
    pub fn velocity(&self, t: f64) -> DVec2 {
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
    pub fn accelerations(&self) -> [DVec2; 2] {
        let (middle, twice) = (self.middle(), 2.0 / self.seconds);
        [(middle - self.start) * twice, (self.end - middle) * twice]
    }

    /// Whether the curve stays within a speed and an acceleration along its
    /// whole length. Control points bound the speed, so a curve that is only
    /// just slow enough may be refused.
    pub fn keeps_to(&self, speed: f64, acceleration: f64) -> bool {
        let [a, b] = self.accelerations();
        // Without the slack, straight flights at full speed would be refused.
        let most = (acceleration * SLACK).powi(2);
        // Negated, so that a curve with a NaN is refused.
        if !(a.length_squared() <= most && b.length_squared() <= most) {
            return false;
        }
        let most = (speed * SLACK).powi(2);
        let middle = self.middle();
        // The control points of the two halves of the velocity, which bound it more
        // tightly than those of the whole.
        let points = [
            self.start,
            (self.start + middle) / 2.0,
            (self.start + middle * 2.0 + self.end) / 4.0,
            (middle + self.end) / 2.0,
            self.end,
        ];
        points.iter().all(|v| v.length_squared() <= most)
    }

    /// Whether the body touches nothing along it.
    pub fn is_clear(&self, space: &FreeSpace<'_>) -> bool {
        let [p0, p1, p2, p3] = self.hull();
        let length = p0.distance(p1) + p1.distance(p2) + p2.distance(p3);
        space.has_motion(length, self.seconds, &|t0, t1| {
            let [from, to] = [t0, t1].map(|t| self.position(t));
            let [start, end] = [t0, t1].map(|t| self.velocity(t));
            let [p0, p1, p2, p3] = Self::new(from, start, to, end, t1 - t0).hull();
            (p0.min(p1).min(p2.min(p3)), p0.max(p1).max(p2.max(p3)))
        })
    }

    /// Whether it stays on a straight line from one point to another.
    fn is_on(&self, from: DVec2, to: DVec2) -> bool {
        let along = to - from;
        let length = along.length();
        self.hull().iter().all(|&p| {
            let (ahead, aside) = (along.dot(p - from), along.perp_dot(p - from));
            aside.abs() <= 1e-6 * length && (-1e-9..=length * length + 1e-6).contains(&ahead)
        })
    }

    /// The quickest curve that stays within the limits. It tries at most
    /// `durations` durations, each [`LONGER`] times the one before.
    fn quickest(
        from: DVec2,
        start: DVec2,
        to: DVec2,
        end: DVec2,
        limits: &SpeedProfile,
        durations: u32,
    ) -> Option<Self> {
        let length = from.distance(to);
        let least = (length / limits.speed).max(start.distance(end) / limits.acceleration);
        let mut curve = Self::new(from, start, to, end, least.max(1e-6));
        if start == DVec2::ZERO && end == DVec2::ZERO {
            // From rest to rest, the speed is greatest in the middle (1.5 times the
            // mean), the acceleration at the ends (6 times the length over the square
            // of the duration).
            let least = (6.0 * length / limits.acceleration).sqrt();
            curve.seconds = curve.seconds.max(1.5 * length / limits.speed).max(least);
        }
        // Constant acceleration on a straight line takes this long. Where
        // there is just room to brake, hardly any other duration keeps to the
        // limits.
        let steady = 2.0 * length / (start.length() + end.length());
        for _ in 0..durations {
            let next = curve.seconds * LONGER;
            for seconds in [curve.seconds, steady] {
                let this = Self { seconds, ..curve };
                let is_due = (curve.seconds..next).contains(&seconds);
                if is_due && this.keeps_to(limits.speed, limits.acceleration) {
                    return Some(this);
                }
            }
            curve.seconds = next;
        }
        None
    }
}

/// Plans the next curve of a flight along an edge of the route, which goes on
/// to `next` if there is such a point. A flight along a long edge is divided
/// where full speed is reached and where braking begins. `None` when no curve
/// from this velocity is free and within the limits.
///
/// Also returns the curve that stops the agent after it, if it does not end at rest.
/// Both are free, so a new destination never makes an agent stop at once.
///
/// `is_known` is whether the edge itself is known to be free. Then a curve that
/// stays on it needs no check.
pub fn next_curve(
    at: DVec2,
    velocity: DVec2,
    [from, to]: [Vec2; 2],
    next: Option<Vec2>,
    limits: &SpeedProfile,
    space: &FreeSpace<'_>,
    is_known: bool,
) -> Option<(FlightCurve, Option<FlightCurve>)> {
    let edge = to.as_dvec2() - at;
    // The distance needed to reach full speed or to lose it.
    let ramp = limits.stopping_distance(limits.speed);
    let is_clear = |curve: &FlightCurve| {
        is_known && curve.is_on(from.as_dvec2(), to.as_dvec2()) || curve.is_clear(space)
    };
    // Braking takes one ramp. A corner is rounded from a greater distance, so
    // that the curve has room to turn: from one ramp, an agent almost stops at
    // corners of the tests; from 2 or 8, it does not.
    let tail = if next.is_some() { 4.0 * ramp } else { ramp };
    let full = edge.normalize_or_zero() * limits.speed;
    let cruises = velocity.distance(full) < 1e-3 * limits.speed;
    // At full speed there is no ramp, and a shorter straight part is not worth a curve.
    // How short is not critical: with 0 or 1 ramps, all tests of flights pass.
    let lead = if cruises { 0.5 * ramp } else { ramp };
    if edge.length() > lead + tail {
        let target = if cruises {
            to.as_dvec2() - full * (tail / limits.speed)
        } else {
            at + full * (ramp / limits.speed)
        };
        let brake = FlightCurve::braking(target, full, limits);
        if let Some(curve) =
            FlightCurve::quickest(at, velocity, target, full, limits, FEW_DURATIONS)
            && is_clear(&curve)
            && is_clear(&brake)
        {
            return Some((curve, Some(brake)));
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
        let curve = FlightCurve::quickest(at, velocity, target, end, limits, DURATIONS);
        let Some(curve) = curve.filter(is_clear) else {
            continue;
        };
        let Some(next) = next.filter(|_| end != DVec2::ZERO) else {
            return Some((curve, None));
        };
        let (stop, rest) = (next.as_dvec2(), DVec2::ZERO);
        let brake = FlightCurve::quickest(target, end, stop, rest, limits, DURATIONS);
        if let Some(brake) = brake.filter(|brake| brake.is_clear(space)) {
            return Some((curve, Some(brake)));
        }
    }
    None
}

#[cfg(test)]
#[path = "flight_curve_test.rs"]
mod tests;
