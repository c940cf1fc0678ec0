//! Motions that are at rest across for a part of their time, because an opening is exactly as
//! wide as the body.

use navmesh_runtime::mesh::{Leg, TrajectoryParams};

use crate::flight::funnel::FunnelGate;
use crate::flight::smooth_motion::{
    Node, SmoothLimits, SmoothMotion, motion_through, nodes, reversed, steps,
};
use crate::geometry::Interval;

/// Seconds of motion by which places are wider than they are. Where the body is held by a
/// slope and a wall there is a single x, and a set of states without area counts as empty.
/// This is less than the skin, at a speed of up to 38 details a second.
pub const HELD: f64 = 1e-7;

/// A part of a motion that is at rest across, because it has no room there.
pub struct Rest {
    /// The indices of the gates at which it begins and ends.
    pub begin: usize,
    pub end: usize,
    /// Where it may be.
    pub x: Interval,
}

/// Where a motion has no room, in as few parts as possible.
pub fn rests(gates: &[FunnelGate], limits: &SmoothLimits) -> Option<Vec<Rest>> {
    let mut rests: Vec<Rest> = Vec::new();
    for (begin, pair) in gates.windows(2).enumerate() {
        let (_, deviation) = steps(pair[1].time - pair[0].time, limits);
        if pair[0].free.len() + 2.0 * HELD * limits.speed >= 2.0 * deviation {
            continue;
        }
        let end = begin + 1;
        if let Some(before) = rests.last_mut() {
            let x = before
                .x
                .intersection(&open_through(&gates[before.end..=end]));
            if !x.is_empty() {
                (before.end, before.x) = (end, x);
                continue;
            }
        }
        let x = open_through(pair);
        if x.is_empty() {
            return None;
        }
        rests.push(Rest { begin, end, x });
    }
    for rest in &mut rests {
        rest.x = Interval::at(rest.x.middle());
    }
    Some(rests)
}

/// Where a body may be all the way from the first of some gates to the last.
fn open_through(gates: &[FunnelGate]) -> Interval {
    let between = gates.windows(2).map(|pair| pair[0].free);
    let at = gates.iter().map(|gate| gate.x);
    at.chain(between)
        .fold(Interval::EVERYTHING, |all, x| all.intersection(&x))
}

/// A motion with some parts at rest.
pub fn held_motion(
    gates: &[FunnelGate],
    rests: &[Rest],
    limits: &SmoothLimits,
) -> Option<SmoothMotion> {
    let (first, last) = (rests.first()?, rests.last()?);
    let ahead = &gates[last.end..];
    // How many stretches are left for what is before the first rest and after the last one.
    // A rest is one, and two lead from one to the next.
    let left = (TrajectoryParams::MAX_LEGS + 2).checked_sub(3 * rests.len())?;
    let after = usize::from(!stays(ahead, last, limits));
    // Found from its end back to its begin, because only the speed at which a motion begins
    // is exact.
    let back = reversed(&gates[..=first.begin]);
    let most_legs = left.saturating_sub(after);
    let (before, back) = leave(&back, first, &limits.reversed(), most_legs)?;
    let left = left.checked_sub(back.legs.len())?;
    let (after, ahead) = leave(ahead, last, limits, left)?;
    let mut motion = SmoothMotion {
        start_speed: -back.end_speed(),
        legs: Vec::with_capacity(TrajectoryParams::MAX_LEGS),
    };
    motion.legs.extend(back.legs.iter().rev().map(|leg| Leg {
        speed: -leg.speed,
        ..*leg
    }));
    for (i, rest) in rests.iter().enumerate() {
        let mut duration = gates[rest.end].time - gates[rest.begin].time;
        if i == 0 {
            duration += before;
        }
        if i == rests.len() - 1 {
            duration += after;
        }
        motion.legs.push(Leg {
            duration,
            speed: 0.0,
        });
        if let Some(next) = rests.get(i + 1) {
            let mut gates = gates[rest.end..=next.begin].to_vec();
            gates.first_mut()?.x = rest.x;
            gates.last_mut()?.x = next.x;
            let legs = from_rest_to_rest(&nodes(&gates, limits), limits)?;
            motion.legs.extend(legs);
        }
    }
    motion.legs.extend(ahead.legs);
    Some(motion)
}

/// Whether a body may stay at rest to the last gate.
fn stays(gates: &[FunnelGate], rest: &Rest, limits: &SmoothLimits) -> bool {
    limits.end.contains(0.0) && open_through(gates).contains(rest.x.lo)
}

/// The motion of so many stretches at most that leads away from a rest, and for how many seconds
/// it rests longer: until the end if it may, or else not at all or as long as it may.
fn leave(
    gates: &[FunnelGate],
    rest: &Rest,
    limits: &SmoothLimits,
    most_legs: usize,
) -> Option<(f64, SmoothMotion)> {
    let (begin, last) = (gates.first()?.time, gates.len() - 1);
    if stays(gates, rest, limits) {
        let motion = SmoothMotion {
            start_speed: 0.0,
            legs: Vec::new(),
        };
        return Some((gates[last].time - begin, motion));
    }
    let limits = SmoothLimits {
        start: Interval::at(0.0),
        ..*limits
    };
    let latest = (1..last)
        .rev()
        .find(|at| open_through(&gates[..=*at]).contains(rest.x.lo));
    [0].into_iter().chain(latest).find_map(|at| {
        let mut gates = gates[at..].to_vec();
        gates[0].x = rest.x;
        let motion = motion_through(&nodes(&gates, &limits), &limits, most_legs)?;
        Some((gates[0].time - begin, motion))
    })
}

/// The two stretches of a motion that begins and ends at rest: it speeds up, and slows down.
/// It turns in the middle of its time if it may.
fn from_rest_to_rest(nodes: &[Node], limits: &SmoothLimits) -> Option<[Leg; 2]> {
    let (first, last) = (nodes.first()?, nodes.last()?);
    let seconds = last.time - first.time;
    let mean = (last.x.lo - first.x.lo) / seconds;
    let speed = 2.0 * mean;
    let times = nodes.iter().map(|node| node.time - first.time);
    let mut turns = [0.5 * seconds].into_iter().chain(times);
    let turn = turns.find(|turn| {
        let least = speed.abs() / limits.acceleration;
        let is_slow = *turn >= least && seconds - turn >= least;
        is_slow
            && speed.abs() <= limits.speed
            && nodes.iter().all(|node| {
                let time = node.time - first.time;
                let x = if time < *turn {
                    first.x.lo + mean / turn * time * time
                } else {
                    last.x.lo - mean / (seconds - turn) * (seconds - time).powi(2)
                };
                node.x.contains(x)
            })
    })?;
    Some([turn, seconds - turn].map(|duration| Leg {
        duration,
        speed: mean,
    }))
}
