//! Room in time between a motion through the air and what it passes.
//!
//! The gates of a motion say when the feet pass each height. A body of a game passes
//! it at another time: its launch is a little slower than planned, and it moves in
//! steps, across first and then up or down. So with room, a motion keeps to what is
//! free at a height for as long as such a body may be there.

use crate::flight::funnel::FunnelGate;
use crate::flight::vertical_motion::VerticalMotion;
use crate::geometry::Interval;

/// Seconds in which a body moves less than the rounding of its position.
const ROUNDING: f64 = 1e-9;

/// A span of time in which the feet stay inside an interval.
struct Stay {
    begin: f64,
    end: f64,
    x: Interval,
}

/// The gates of a motion that is also free for a body whose launch is that of
/// `slower`, and whose horizontal motion is up to `ahead` seconds ahead. From the
/// moment at which such a body may land, the feet are inside `landing`. `None` when
/// a body of this `speed` has no room.
pub fn gates_with_room(
    gates: &[FunnelGate],
    [motion, slower]: [&VerticalMotion; 2],
    ahead: f64,
    landing: Interval,
    speed: f64,
) -> Option<Vec<FunnelGate>> {
    let (first, last) = (gates.first()?, gates.last()?);
    let passed: Vec<[f64; 2]> = gates
        .iter()
        .map(|gate| {
            let other = slower.when_as_high(motion, gate.time);
            [gate.time.min(other), gate.time.max(other)]
        })
        .collect();
    let mut stays: Vec<Stay> = Vec::with_capacity(gates.len());
    for (gate, pair) in gates.iter().zip(passed.windows(2)) {
        let end = pair[1][1] + ahead;
        match stays.last_mut() {
            Some(stay) if stay.x == gate.free => stay.end = end,
            _ => stays.push(Stay {
                begin: pair[0][0],
                end,
                x: gate.free,
            }),
        }
    }
    stays.push(Stay {
        begin: passed.last()?[0],
        end: f64::INFINITY,
        x: landing,
    });
    // Three lists in order, which the stable sort merges.
    let mut times: Vec<f64> = gates.iter().map(|gate| gate.time).collect();
    times.extend(stays.iter().map(|stay| stay.begin));
    times.extend(stays.iter().map(|stay| stay.end));
    times.retain(|time| (first.time..=last.time).contains(time));
    times.sort_by(f64::total_cmp);
    times.dedup();

    let mut out: Vec<FunnelGate> = Vec::with_capacity(times.len());
    let mut planned = gates.iter().peekable();
    // The stays that overlap the time until the next moment: they begin and end in order.
    let mut open = 0..0;
    let mut reached = (first.time, first.x);
    for (i, &time) in times.iter().enumerate() {
        let next = times.get(i + 1).copied();
        let free = next.map_or(last.free, |next| {
            while stays.get(open.end).is_some_and(|stay| stay.begin <= time) {
                open.end += 1;
            }
            while stays.get(open.start).is_some_and(|stay| stay.end < next) {
                open.start += 1;
            }
            let open = stays.get(open.clone()).unwrap_or_default().iter();
            open.fold(Interval::EVERYTHING, |x, stay| x.intersection(&stay.x))
        });
        let before = out.last().map_or(Interval::EVERYTHING, |gate| gate.free);
        let mut x = before;
        if next.is_some() {
            x = x.intersection(&free);
        }
        let way = speed * (time - reached.0);
        let mut inside = reached.1.grown(way).intersection(&x);
        let gate = planned.next_if(|gate| gate.time <= time);
        if let Some(gate) = gate {
            // A gate where the body cannot be elsewhere changes nothing.
            let binds = inside.intersection(&gate.x.grown(ROUNDING * speed)) != inside;
            if !binds && free == before && next.is_some() {
                continue;
            }
            x = x.intersection(&gate.x);
            inside = inside.intersection(&x);
        } else if free == before {
            continue;
        }
        reached = (time, inside);
        if inside.is_empty() || free.is_empty() {
            return None;
        }
        out.push(FunnelGate { time, x, free });
    }
    Some(out)
}
