//! Motions of two or three stretches, found exactly where the search from step to step fails.

use glam::DVec2;

use crate::flight::smooth_motion::{Legs, Node, SmoothLimits, SmoothMotion};
use crate::flight::state_set::Polygon;
use crate::geometry::Interval;

/// Moments at which [`few_stretches`] lets a motion bend, at most: a motion that may bend at one
/// of them mostly may at the next, too.
const MOST_BENDS: usize = 12;

/// A motion of two stretches, or of three that begins at rest. With the times of its bends
/// given, which are nodes, two numbers describe it, and every condition on it is linear in
/// these. So it is found if there is any, but each pair of bends takes as long as a whole search
/// from step to step.
pub fn few_stretches(
    nodes: &[Node],
    ends: [f64; 2],
    limits: &SmoothLimits,
    most_legs: usize,
) -> Option<SmoothMotion> {
    let begin = nodes.first()?.time;
    let seconds = nodes.last()?.time - begin;
    let bends = nodes.get(1..nodes.len() - 1)?.iter();
    let every = bends.len().div_ceil(MOST_BENDS).max(1);
    let bends: Vec<f64> = bends.step_by(every).map(|node| node.time - begin).collect();
    let mut all: Vec<[Part; 3]> = Vec::new();
    for &bend in bends.iter().filter(|_| most_legs >= 2) {
        let stretches = [[0.0, bend], [bend, seconds]].map(Part::Acceleration);
        all.push([Part::Speed, stretches[0], stretches[1]]);
    }
    if limits.start.contains(0.0) && most_legs >= 3 {
        for (i, &bend) in bends.iter().enumerate() {
            for &next in &bends[i + 1..] {
                all.push([[0.0, bend], [bend, next], [next, seconds]].map(Part::Acceleration));
            }
        }
    }
    let mut polygon = Polygon::default();
    all.into_iter()
        .find_map(|parts| of_parts(nodes, ends, limits, parts, &mut polygon))
}

/// What describes a motion: a speed at take-off, or an acceleration between two times.
#[derive(Debug, Clone, Copy)]
enum Part {
    Speed,
    Acceleration([f64; 2]),
}

impl Part {
    /// The distance and the speed that one unit of it adds until some time.
    fn adds(self, time: f64) -> DVec2 {
        match self {
            Self::Speed => DVec2::new(time, 1.0),
            Self::Acceleration([begin, end]) => {
                let gained = time.clamp(begin, end) - begin;
                DVec2::new(gained * (time - begin - 0.5 * gained), gained)
            }
        }
    }
}

/// The motion that these parts describe, of which the last follows from the end of the motion.
fn of_parts(
    nodes: &[Node],
    [start, end]: [f64; 2],
    limits: &SmoothLimits,
    parts: [Part; 3],
    polygon: &mut Polygon,
) -> Option<SmoothMotion> {
    let begin = nodes.first()?.time;
    let seconds = nodes.last()?.time - begin;
    let top = Interval::at(0.0).grown(limits.speed);
    let accelerations = Interval::at(0.0).grown(limits.acceleration);
    let [x, y, z] = parts.map(|part| match part {
        Part::Speed => limits.start.intersection(&top),
        Part::Acceleration(_) => accelerations,
    });
    // The last number is `known + per · (the other two)`.
    let [p, q, r] = parts.map(|part| part.adds(seconds).x);
    let (known, per) = ((end - start) / r, DVec2::new(-p / r, -q / r));
    let corners = [(x.lo, y.lo), (x.hi, y.lo), (x.hi, y.hi), (x.lo, y.hi)];
    polygon.corners.clear();
    polygon.corners.extend(corners.map(DVec2::from));
    polygon.keep(per, known, z);
    for node in nodes.get(1..nodes.len() - 1)? {
        let [p, q, r] = parts.map(|part| part.adds(node.time - begin).x);
        polygon.keep(DVec2::new(p, q) + r * per, start + r * known, node.x);
        if polygon.corners.len() < 3 {
            return None;
        }
    }
    let mut times = vec![0.0];
    for part in parts {
        if let Part::Acceleration([_, until]) = part {
            let [p, q, r] = parts.map(|part| part.adds(until).y);
            let speeds = if until < seconds {
                top
            } else {
                top.intersection(&limits.end)
            };
            polygon.keep(DVec2::new(p, q) + r * per, r * known, speeds);
            times.push(until);
        }
    }
    if polygon.corners.len() < 3 {
        return None;
    }
    let numbers = polygon.corners.iter().sum::<DVec2>() / polygon.corners.len() as f64;
    let numbers = [numbers.x, numbers.y, known + per.dot(numbers)];
    let speeds: Vec<f64> = (times.iter())
        .map(|time| {
            let added = parts.iter().zip(numbers);
            added
                .map(|(part, number)| number * part.adds(*time).y)
                .sum()
        })
        .collect();
    let mut legs = Legs::default();
    for (times, speeds) in times.windows(2).zip(speeds.windows(2)) {
        legs.push(times[1] - times[0], speeds[0], speeds[1]);
    }
    Some(SmoothMotion {
        start_speed: *speeds.first()?,
        legs: legs.list,
    })
}
