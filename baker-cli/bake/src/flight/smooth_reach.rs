//! How far a body with bounded acceleration gets, whatever its motion is: what is tested before
//! one is looked for.

use crate::flight::funnel::FunnelGate;
use crate::flight::smooth_motion::{SmoothLimits, reversed};
use crate::geometry::Interval;

/// How far to the right a body can get in some seconds that begins and ends
/// with speeds in these intervals, whatever is in its way.
fn farthest(seconds: f64, limits: &SmoothLimits, [start, end]: [f64; 2]) -> f64 {
    let (rate, top) = (limits.acceleration, limits.speed);
    let (start, end) = (start.min(top), end.min(top));
    // The body speeds up to `peak` and slows down again, which takes all the time:
    // (peak - start) + (peak - end) = rate * seconds.
    let peak = (0.5 * (rate * seconds + start + end)).min(top);
    let peak = peak.max(start).max(end.min(start + rate * seconds));
    let (up, down) = ((peak - start) / rate, (peak - end).max(0.0) / rate);
    let ramps = 0.5 * (start + peak) * up + 0.5 * (end.min(peak) + peak) * down;
    ramps + peak * (seconds - up - down).max(0.0)
}

/// Whether there may be a motion that passes every gate in turn: `false` only if there is none.
/// Compares where the body can be at each gate with what is free there, whatever its speed is,
/// in both directions of time. Takes far less time than to look for a motion.
pub fn may_pass(gates: &[FunnelGate], limits: &SmoothLimits) -> bool {
    may_arrive(gates, limits) && may_arrive(&reversed(gates), &limits.reversed())
}

/// The same in one direction of time.
fn may_arrive(gates: &[FunnelGate], limits: &SmoothLimits) -> bool {
    let (Some(first), Some(last)) = (gates.first(), gates.last()) else {
        return false;
    };
    let slack = 1e-6 * limits.speed; // for rounding
    let ends = [limits.start, limits.reversed().start];
    let (mut x, mut before) = (first.x, Interval::at(0.0));
    for (i, pair) in gates.windows(2).enumerate() {
        let (gate, next) = (&pair[0], &pair[1]);
        let so_far = distances(next.time - first.time, ends[0], limits);
        let rest = distances(last.time - next.time, ends[1], limits);
        let from_end = Interval::new(last.x.lo + rest.lo, last.x.hi + rest.hi);
        x = Interval::new(x.lo + so_far.lo - before.lo, x.hi + so_far.hi - before.hi)
            .intersection(&next.x.grown(slack))
            .intersection(&from_end.grown(slack));
        if i + 2 < gates.len() {
            let free = gate.free.intersection(&next.free);
            x = x.intersection(&free.grown(slack));
        }
        if x.is_empty() {
            return false;
        }
        before = so_far;
    }
    true
}

/// The least and the greatest distance to the right that a body can get in some seconds, which
/// begins with one of these speeds and ends with any.
fn distances(seconds: f64, speeds: Interval, limits: &SmoothLimits) -> Interval {
    let [left, right] = [-speeds.lo, speeds.hi].map(|speed| {
        let speed = speed.min(limits.speed);
        let gaining = ((limits.speed - speed) / limits.acceleration).min(seconds);
        let gained = (speed + 0.5 * limits.acceleration * gaining) * gaining;
        gained + limits.speed * (seconds - gaining)
    });
    Interval::new(-left, right)
}

/// Whether a motion over a distance in some seconds keeps to the limits, if
/// nothing is in its way.
pub fn may_reach(distance: f64, seconds: f64, limits: &SmoothLimits) -> bool {
    let slack = 1e-6 * (limits.speed * seconds + distance.abs()); // for rounding
    distance <= farthest(seconds, limits, [limits.start.hi, limits.end.hi]) + slack
        && -distance <= farthest(seconds, limits, [-limits.start.lo, -limits.end.lo]) + slack
}
