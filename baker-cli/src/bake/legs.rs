//! Drawing a motion through portals with as few changes of speed as can be.

use super::FunnelGate;
use crate::geometry::Interval;

/// A horizontal motion: `[seconds, speed]` per leg, at most three.
pub type Legs = Vec<[f64; 2]>;

/// Most portals at which the first of two bends is tried.
const MOST_BENDS: usize = 32;

/// Finds legs of constant speed, at most `speed` either way, that pass every
/// portal in turn: one leg if one is enough, else two, else three, changing
/// speed only at portals. Among equals the one that bends where there is most
/// room. The first and last portals are points.
pub fn fewest_legs(portals: &[FunnelGate], speed: f64) -> Option<Legs> {
    let last = portals.len().checked_sub(1)?;
    let (start, end) = (portals[0], portals[last]);
    let total = end.time - start.time;
    if total <= 0.0 {
        return None;
    }
    // Where one leg from the start can be, and from where one leg reaches
    // the end, at each portal.
    let ahead = cones(portals, speed, 0, start.x.lo);
    if ahead.get(last).is_some_and(|x| x.contains(end.x.lo)) {
        return Some(vec![[total, (end.x.lo - start.x.lo) / total]]);
    }
    let behind = cones_back(portals, speed, end.x.lo);
    let bend = (1..last)
        .filter_map(|i| {
            let room = ahead.get(i)?.intersection(&behind[i]);
            (!room.is_empty()).then_some((i, room))
        })
        .max_by(|a, b| a.1.len().total_cmp(&b.1.len()).then(b.0.cmp(&a.0)));
    if let Some((i, room)) = bend {
        return Some(polyline(&[
            (start.time, start.x.lo),
            (portals[i].time, room.middle()),
            (end.time, end.x.lo),
        ]));
    }
    // Three legs: try a few places for the first bend at each portal, until
    // the second has some room.
    let enough = 1e-3 * speed * total;
    let every = last.div_ceil(MOST_BENDS).max(1);
    let mut best: Option<(f64, Legs)> = None;
    for (i, first) in ahead.iter().enumerate().take(last).skip(1).step_by(every) {
        for x in [first.middle(), first.lo, first.hi] {
            let cone = cones(portals, speed, i, x);
            for (j, room) in cone.iter().enumerate().skip(i + 1) {
                let room = room.intersection(&behind[j]);
                if room.is_empty() || best.as_ref().is_some_and(|(r, _)| *r >= room.len()) {
                    continue;
                }
                let points = [
                    (start.time, start.x.lo),
                    (portals[i].time, x),
                    (portals[j].time, room.middle()),
                    (end.time, end.x.lo),
                ];
                best = Some((room.len(), polyline(&points)));
            }
            if best.as_ref().is_some_and(|(room, _)| *room >= enough) {
                return best.map(|(_, legs)| legs);
            }
        }
    }
    best.map(|(_, legs)| legs)
}

/// For each portal from `from` on, the places one leg starting at `x` can
/// reach through all portals before it; shorter than the portals when it
/// cannot go on.
fn cones(portals: &[FunnelGate], speed: f64, from: usize, x: f64) -> Vec<Interval> {
    let mut out = vec![Interval::new(f64::INFINITY, f64::NEG_INFINITY); from];
    out.push(Interval::new(x, x));
    let mut speeds = Interval::new(-speed, speed);
    for portal in &portals[from + 1..] {
        let seconds = portal.time - portals[from].time;
        if seconds > 0.0 {
            let allowed = Interval::new((portal.x.lo - x) / seconds, (portal.x.hi - x) / seconds);
            speeds = speeds.intersection(&allowed);
        } else if !portal.x.contains(x) {
            break;
        }
        if speeds.is_empty() {
            break;
        }
        let place = Interval::new(x + speeds.lo * seconds, x + speeds.hi * seconds);
        out.push(place.intersection(&portal.x));
    }
    out
}

/// The same towards the end: for each portal, the places from which one leg
/// reaches `x` at the last one.
fn cones_back(portals: &[FunnelGate], speed: f64, x: f64) -> Vec<Interval> {
    let empty = Interval::new(f64::INFINITY, f64::NEG_INFINITY);
    let mut out = vec![empty; portals.len()];
    let Some((last, before)) = portals.split_last() else {
        return out;
    };
    out[before.len()] = Interval::new(x, x);
    let mut speeds = Interval::new(-speed, speed);
    for (i, portal) in before.iter().enumerate().rev() {
        let seconds = last.time - portal.time;
        if seconds > 0.0 {
            let allowed = Interval::new((x - portal.x.hi) / seconds, (x - portal.x.lo) / seconds);
            speeds = speeds.intersection(&allowed);
        } else if !portal.x.contains(x) {
            break;
        }
        if speeds.is_empty() {
            break;
        }
        let place = Interval::new(x - speeds.hi * seconds, x - speeds.lo * seconds);
        out[i] = place.intersection(&portal.x);
    }
    out
}

/// The legs between points `(time, x)`, without empty ones.
fn polyline(points: &[(f64, f64)]) -> Legs {
    points
        .windows(2)
        .filter(|w| w[1].0 > w[0].0)
        .map(|w| [w[1].0 - w[0].0, (w[1].1 - w[0].1) / (w[1].0 - w[0].0)])
        .collect()
}
