//! Constructs horizontal motions of bounded acceleration.
//!
//! A motion with one acceleration is looked for first, see [`one_stretch`]. For
//! the others: at any moment, the states (x, speed) from which the rest of a
//! motion is possible form a convex set, because the motion is linear in its
//! acceleration and every condition on it is an interval. The sets are computed
//! backwards from the landing, as polygons, in steps of constant acceleration.
//! Then the motion is followed forwards: each acceleration is kept for as long
//! as the states stay inside the sets, so that a motion has few stretches.
//!
//! In an opening exactly as wide as the body, these sets are points. There the body moves
//! straight up or down, see [`held_motion`].

use glam::DVec2;
use navmesh_runtime::mesh::{Leg, TrajectoryParams};

use crate::flight::funnel::FunnelGate;
use crate::geometry::Interval;

/// Seconds in a step, at most: two steps of a game at 60 Hz. In ten levels, half
/// of it connects three pairs of platforms in 12,000 that this does not, and not
/// ten that this does; a bake takes up to half as long again.
const STEP: f64 = 1.0 / 30.0;

/// Most corners of a polygon. With 8, bodies of the tests that steer at 30 Hz
/// fail three jumps in 200 that they make with 12; with 16, a bake takes up to a
/// tenth longer.
const MAX_CORNERS: usize = 12;

/// How the accelerations of a motion are chosen: as close to 0 as possible, or in
/// the middle of what is possible; and for which share of the time for which one
/// could be kept. One kept until the last moment leaves no choice afterwards.
const STYLES: [(bool, f64); 6] = [
    (true, 1.0),
    (false, 1.0),
    (true, 0.7),
    (false, 0.7),
    (true, 0.4),
    (false, 0.4),
];

/// How many styles are tried before one succeeds, by how often the motion has to
/// change the side to which it bends, at least; none for more changes. In a level
/// without limits, 97 % of the motions that were found with one change need at most
/// four styles. With two, one in 250 was found at all, and with three none of 4,900;
/// to look for those took a fortieth of the time of a bake.
const STYLES_BY_CHANGES: [usize; 3] = [STYLES.len(), 4, 2];

/// Seconds of motion by which places are wider than they are. Where the body is held by a
/// slope and a wall there is a single x, and a set of states without area counts as empty.
/// This is less than the skin, at a speed of up to 38 details a second.
const HELD: f64 = 1e-7;

/// Moments at which [`few_stretches`] lets a motion bend, at most: a motion that may bend at one
/// of them mostly may at the next, too.
const MOST_BENDS: usize = 12;

/// Stretches and turns of a motion for which no other style is tried: a body
/// speeds up, runs and slows down.
const ENOUGH: usize = 3;

/// The limits of a motion.
#[derive(Debug, Clone, Copy)]
pub struct SmoothLimits {
    /// Greatest speed.
    pub speed: f64,
    /// Greatest acceleration.
    pub acceleration: f64,
    /// Speeds at take-off.
    pub start: Interval,
    /// Speeds at the landing.
    pub end: Interval,
    /// Distance from walls, where there is room.
    pub clearance: f64,
    /// How a motion of several stretches is looked for.
    pub search: Search,
}

/// How a motion of several stretches is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Search {
    /// From step to step, at a distance from walls by which the body can bend in a step.
    Steps,
    /// Only as parts at rest and one stretch before and after these. It may come up to walls.
    OneStretch,
    /// By [`few_stretches`]. It may come up to walls.
    FewStretches,
}

impl SmoothLimits {
    /// Those of the same motion back in time.
    fn reversed(&self) -> Self {
        let [start, end] = [self.end, self.start].map(|v| Interval::new(-v.hi, -v.lo));
        Self {
            start,
            end,
            ..*self
        }
    }
}

/// A motion of few stretches of constant acceleration.
#[derive(Debug, Clone, PartialEq)]
pub struct SmoothMotion {
    /// Speed at take-off.
    pub start_speed: f64,
    /// The stretches, each with its mean speed.
    pub legs: Vec<Leg>,
}

impl SmoothMotion {
    /// Speed at the landing.
    fn end_speed(&self) -> f64 {
        let legs = self.legs.iter();
        legs.fold(self.start_speed, |speed, leg| 2.0 * leg.speed - speed)
    }
}

/// A moment of a motion, and where the feet may be.
struct Node {
    time: f64,
    x: Interval,
}

/// The stretches of a motion so far, and how often it turned back.
#[derive(Default)]
struct Legs {
    list: Vec<Leg>,
    turns: usize,
}

impl Legs {
    /// Adds a stretch of constant acceleration between two speeds.
    fn push(&mut self, duration: f64, from: f64, to: f64) {
        self.turns += usize::from(from * to < 0.0);
        let speed = 0.5 * (from + to);
        self.list.push(Leg { duration, speed });
    }

    /// A turn counts as much as a stretch.
    fn score(&self) -> usize {
        self.list.len() + self.turns
    }
}

/// The last stretch of a motion.
#[derive(Debug, Clone, Copy)]
struct Landing {
    seconds: f64,
    acceleration: f64,
    speed: f64,
}

/// A part of a motion that is at rest across, because it has no room there.
struct Rest {
    /// The indices of the gates at which it begins and ends.
    begin: usize,
    end: usize,
    /// Where it may be.
    x: Interval,
}

/// Finds a motion that passes every gate in turn. The first and last gates are
/// points.
pub fn smooth_motion(mut gates: Vec<FunnelGate>, limits: &SmoothLimits) -> Option<SmoothMotion> {
    // Seen from the take-off, so that rounding does not depend on where in the level it is.
    let origin = gates.first()?.x.lo;
    for gate in &mut gates {
        for x in [&mut gate.x, &mut gate.free] {
            *x = Interval::new(x.lo - origin, x.hi - origin);
        }
    }
    let rests = rests(&gates, limits)?;
    if rests.is_empty() {
        motion_through(&nodes(&gates, limits), limits, TrajectoryParams::MAX_LEGS)
    } else {
        held_motion(&gates, &rests, limits)
    }
}

/// Where a motion has no room, in as few parts as possible.
fn rests(gates: &[FunnelGate], limits: &SmoothLimits) -> Option<Vec<Rest>> {
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

/// The same gates back in time.
fn reversed(gates: &[FunnelGate]) -> Vec<FunnelGate> {
    let end = gates.last().map_or(0.0, |gate| gate.time);
    let until = gates.iter().enumerate().rev();
    until
        .map(|(i, gate)| FunnelGate {
            time: end - gate.time,
            x: gate.x,
            free: gates[i.saturating_sub(1)].free,
        })
        .collect()
}

/// A motion with some parts at rest.
fn held_motion(
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

/// A motion of so many stretches at most through the nodes. The first and last one are
/// points.
fn motion_through(nodes: &[Node], limits: &SmoothLimits, most_legs: usize) -> Option<SmoothMotion> {
    let (start, end) = (nodes.first()?.x.lo, nodes.last()?.x.lo);
    let total = nodes.last()?.time - nodes.first()?.time;
    if total <= 0.0 {
        return None;
    }
    if let Some(motion) = one_stretch(nodes, [start, end], limits) {
        return Some(motion);
    }
    if limits.search == Search::OneStretch {
        return None;
    }
    let most_styles = *STYLES_BY_CHANGES.get(changes_of_side(nodes, [start, end]))?;
    let sets = sets_before(nodes, end, limits)?;
    let speeds = sets
        .last()?
        .along(DVec2::new(start, 0.0), DVec2::new(0.0, 1.0))?;
    let speeds = speeds.intersection(&limits.start);
    if speeds.is_empty() {
        return None;
    }
    if limits.search == Search::FewStretches {
        return few_stretches(nodes, [start, end], limits, most_legs);
    }
    // The speed that needs no acceleration, if there is room for it, and some
    // others.
    let inner = inner(speeds);
    let steady = ((end - start) / total).clamp(inner.lo, inner.hi);
    let mut best: Option<(usize, SmoothMotion)> = None;
    // At rest, the body may touch a wall.
    let rest = Some(0.0).filter(|rest| speeds.contains(*rest));
    let others = [inner.middle(), inner.lo, inner.hi];
    let course = Course {
        nodes,
        sets: &sets,
        end,
        limits,
        most_legs,
    };
    // All styles have the same choice at take-off.
    let speeds = [steady].into_iter().chain(rest).chain(others);
    let mut starts: Vec<(f64, Option<Vec<Interval>>)> = speeds.map(|v| (v, None)).collect();
    let mut ranges = Vec::new();
    for (tried, style) in STYLES.into_iter().enumerate() {
        if best.is_none() && tried == most_styles {
            break;
        }
        for (speed, choice) in &mut starts {
            let speed = *speed;
            let state = DVec2::new(start, speed);
            let choice = choice.get_or_insert_with(|| {
                course.choice(0, state, &mut ranges);
                ranges.clone()
            });
            ranges.clone_from(choice);
            let least = best.as_ref().map_or(usize::MAX, |(least, _)| *least);
            let Some(legs) = course.follow(state, &mut ranges, style, least) else {
                continue;
            };
            let score = legs.score();
            if best.as_ref().is_none_or(|(least, _)| score < *least) {
                let (start_speed, legs) = (speed, legs.list);
                best = Some((score, SmoothMotion { start_speed, legs }));
            }
            if score <= 2 {
                return best.map(|(_, motion)| motion);
            }
        }
        if best.as_ref().is_some_and(|(score, _)| *score <= ENOUGH) {
            break;
        }
    }
    best.map(|(_, motion)| motion)
}

/// The motion with one acceleration from take-off to landing, if there is one: as
/// close to 0 as possible. Its acceleration follows from its speed at take-off,
/// so that every condition is an interval of that speed.
fn one_stretch(
    nodes: &[Node],
    [start, end]: [f64; 2],
    limits: &SmoothLimits,
) -> Option<SmoothMotion> {
    let (first, last) = (nodes.first()?, nodes.last()?);
    let seconds = last.time - first.time;
    let steady = (end - start) / seconds;
    // With one acceleration, the mean of the speeds at take-off and landing is
    // `steady`: each differs from it by half of what the acceleration adds.
    let most = 0.5 * limits.acceleration * seconds;
    let top = Interval::new(-limits.speed, limits.speed);
    let landing = limits.end.intersection(&top);
    let mut speeds = (limits.start)
        .intersection(&top)
        .intersection(&Interval::new(steady - most, steady + most))
        .intersection(&Interval::new(
            2.0 * steady - landing.hi,
            2.0 * steady - landing.lo,
        ));
    for node in nodes.get(1..nodes.len() - 1)? {
        // x = start + steady · t²/T + speed · (t - t²/T)
        let t = node.time - first.time;
        let bent = t * t / seconds;
        let (at, per) = (start + steady * bent, t - bent);
        if per > 0.0 {
            let allowed = Interval::new((node.x.lo - at) / per, (node.x.hi - at) / per);
            speeds = speeds.intersection(&allowed);
        } else if !node.x.contains(at) {
            return None;
        }
        if speeds.is_empty() {
            return None;
        }
    }
    if speeds.is_empty() {
        return None;
    }
    let speeds = inner(speeds);
    let start_speed = steady.clamp(speeds.lo, speeds.hi);
    let leg = Leg {
        duration: seconds,
        speed: steady,
    };
    Some(SmoothMotion {
        start_speed,
        legs: vec![leg],
    })
}

/// A motion of two stretches, or of three that begins at rest. With the times of its bends
/// given, which are nodes, two numbers describe it, and every condition on it is linear in
/// these. So it is found if there is any, but each pair of bends takes as long as a whole search
/// by [`Course::follow`].
fn few_stretches(
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

/// How often any motion through the nodes changes the side to which it bends, at
/// least: as often as the shortest line through them, which is followed from
/// corner to corner.
fn changes_of_side(nodes: &[Node], [start, end]: [f64; 2]) -> usize {
    let last = nodes.len() - 1;
    let (mut changes, mut side) = (0, 0.0);
    let (mut at, mut x) = (0, start);
    'corners: loop {
        // The speeds that lead through all nodes so far, and where they touch.
        let mut speeds = [f64::NEG_INFINITY, f64::INFINITY];
        let mut corners = [at; 2];
        for (i, node) in nodes.iter().enumerate().skip(at + 1) {
            let seconds = node.time - nodes[at].time;
            let inside = if i == last { Interval::at(end) } else { node.x };
            let [least, most] = [inside.lo, inside.hi].map(|there| (there - x) / seconds);
            let bend = if least > speeds[1] {
                1
            } else if most < speeds[0] {
                0
            } else {
                if least >= speeds[0] {
                    (speeds[0], corners[0]) = (least, i);
                }
                if most <= speeds[1] {
                    (speeds[1], corners[1]) = (most, i);
                }
                continue;
            };
            at = corners[bend];
            x = if bend == 1 {
                nodes[at].x.hi
            } else {
                nodes[at].x.lo
            };
            let before = std::mem::replace(&mut side, if bend == 1 { 1.0 } else { -1.0 });
            changes += usize::from(before * side < 0.0);
            continue 'corners;
        }
        return changes;
    }
}

/// The inner nine tenths of an interval. At its ends, rounding would lead out
/// of the sets.
fn inner(x: Interval) -> Interval {
    x.grown(-0.05 * x.len())
}

/// The moments between which the acceleration is constant: every gate, and at
/// least every [`STEP`].
fn nodes(gates: &[FunnelGate], limits: &SmoothLimits) -> Vec<Node> {
    let ends = [&gates[0], &gates[gates.len() - 1]].map(|gate| gate.x);
    let mut nodes = vec![Node {
        time: gates[0].time,
        x: ends[0],
    }];
    for pair in gates.windows(2) {
        let (gate, next) = (&pair[0], &pair[1]);
        let (count, deviation) = steps(next.time - gate.time, limits);
        let step = (next.time - gate.time) / count;
        let deviation = if limits.search == Search::Steps {
            deviation
        } else {
            0.0
        };
        let away = limits.clearance + deviation;
        let free = gate.free;
        // Only as far from a wall as both ends of the motion are.
        let mut lo = free.lo + away;
        let mut hi = free.hi - away;
        for Interval { lo: x, .. } in ends {
            if free.contains(x) {
                (lo, hi) = (lo.min(x), hi.max(x));
            }
        }
        let inside = Interval::new(lo.max(free.lo + deviation), hi.min(free.hi - deviation));
        let at = nodes.len() - 1;
        nodes[at].x = nodes[at].x.intersection(&inside);
        for k in 1..=count as u32 {
            nodes.push(Node {
                time: gate.time + step * f64::from(k),
                x: inside,
            });
        }
        let at = nodes.len() - 1;
        nodes[at].time = next.time;
        nodes[at].x = nodes[at].x.intersection(&next.x);
    }
    if let [first, inner @ .., last] = nodes.as_mut_slice() {
        // The motion begins and ends where it is asked to, also without room beside it.
        [first.x, last.x] = ends;
        for node in inner {
            node.x = node.x.grown(HELD * limits.speed);
        }
    }
    nodes
}

/// Into how many steps some seconds are divided, and how far a motion is at most from the
/// line between the ends of one, because it is a parabola.
fn steps(seconds: f64, limits: &SmoothLimits) -> (f64, f64) {
    let count = (seconds / STEP).ceil().max(1.0);
    (
        count,
        0.125 * limits.acceleration * (seconds / count).powi(2),
    )
}

/// For each node but the last, from the last one back to the first: the states
/// from which the rest of the motion is possible.
fn sets_before(nodes: &[Node], end: f64, limits: &SmoothLimits) -> Option<Vec<StateSet>> {
    let speeds = limits
        .end
        .intersection(&Interval::new(-limits.speed, limits.speed));
    let mut polygon = Polygon {
        corners: Vec::with_capacity(2 * MAX_CORNERS),
        spare: Vec::with_capacity(2 * MAX_CORNERS),
    };
    polygon.corners.push(DVec2::new(end, speeds.lo));
    polygon.corners.push(DVec2::new(end, speeds.hi));
    let mut sets = Vec::with_capacity(nodes.len());
    for (i, pair) in nodes.windows(2).enumerate().rev() {
        let seconds = pair[1].time - pair[0].time;
        polygon.step_back(seconds, limits.acceleration);
        let (least, most) = polygon.bounds();
        // At take-off x is a single point: a set cut down to it would be empty.
        let x = if i > 0 {
            pair[0].x
        } else {
            Interval::EVERYTHING
        };
        for (extent, normal, limit) in [
            (most.y, DVec2::Y, limits.speed),
            (-least.y, DVec2::NEG_Y, limits.speed),
            (most.x, DVec2::X, x.hi),
            (-least.x, DVec2::NEG_X, -x.lo),
        ] {
            if extent > limit {
                polygon.cut(normal, limit);
            }
        }
        polygon.simplify();
        if polygon.corners.len() < 3 {
            return None;
        }
        // Filled in place: a set put together before takes longer to move than to fill.
        sets.push(StateSet::EMPTY);
        if let Some(set) = sets.last_mut() {
            set.fill(&polygon.corners);
        }
    }
    Some(sets)
}

/// The sets of a motion, and where it lands.
struct Course<'a> {
    nodes: &'a [Node],
    /// See [`sets_before`].
    sets: &'a [StateSet],
    end: f64,
    limits: &'a SmoothLimits,
    most_legs: usize,
}

impl Course<'_> {
    /// For each node after `at` except the last, the accelerations that lead to it
    /// from a state at the node `at`.
    fn ranges(&self, at: usize, state: DVec2) -> impl Iterator<Item = Interval> {
        let begin = self.nodes[at].time;
        let last = self.nodes.len() - 1;
        let sets = self.sets[..last - 1 - at].iter().rev();
        let after = self.nodes[at + 1..last].iter().zip(sets);
        after.map(move |(node, set)| {
            let t = node.time - begin;
            let from = DVec2::new(state.x + state.y * t, state.y);
            let along = set.along(from, DVec2::new(0.5 * t * t, t));
            along.unwrap_or(Interval::NOTHING)
        })
    }

    /// Replaces the contents of `out` by the accelerations that may be kept from
    /// a state at the node `at` to each of the nodes after it, except the last.
    /// Ends at the first node that none leads to.
    fn choice(&self, at: usize, state: DVec2, out: &mut Vec<Interval>) {
        out.clear();
        let most = self.limits.acceleration;
        let mut range = Interval::new(-most, most);
        for next in self.ranges(at, state) {
            range = range.intersection(&next);
            if range.is_empty() {
                break;
            }
            out.push(range);
        }
    }

    /// Whether an acceleration may be kept from a state at the node `at` to the
    /// last node.
    fn keeps(&self, at: usize, state: DVec2, acceleration: f64) -> bool {
        self.ranges(at, state)
            .all(|range| range.contains(acceleration))
    }

    /// Follows a motion from node to node, and keeps each acceleration for as long
    /// as its style says, see [`STYLES`]. `ranges` is the choice at take-off. Gives
    /// up when the motion will have `most` stretches and turns or more.
    fn follow(
        &self,
        mut state: DVec2,
        ranges: &mut Vec<Interval>,
        (gentle, share): (bool, f64),
        most: usize,
    ) -> Option<Legs> {
        let nodes = self.nodes;
        let last = nodes.len() - 1;
        let mut at = 0;
        let mut legs = Legs::default();
        loop {
            if at + ranges.len() + 1 == last {
                let landing = self.landing(at, state);
                let kept = (ranges.last()).is_none_or(|range| range.contains(landing.acceleration));
                if kept && self.may_land(landing) {
                    legs.push(landing.seconds, state.y, landing.speed);
                    return Some(legs);
                }
                // Leaves time for a last stretch of small acceleration.
                ranges.truncate((2 * ranges.len()).div_ceil(3));
            }
            ranges.truncate((share * ranges.len() as f64).ceil() as usize);
            let range = inner(*ranges.last()?);
            let acceleration = if gentle {
                0.0_f64.clamp(range.lo, range.hi)
            } else {
                range.middle()
            };
            let next = at + ranges.len();
            let seconds = nodes[next].time - nodes[at].time;
            let before = state.y;
            state.x += (state.y + 0.5 * acceleration * seconds) * seconds;
            state.y += acceleration * seconds;
            at = next;
            legs.push(seconds, before, state.y);
            if legs.score() + 1 >= most {
                return None;
            }
            if legs.list.len() + 1 >= self.most_legs || legs.score() + 2 >= most {
                // The last stretch has to land.
                let landing = self.landing(at, state);
                let lands = self.may_land(landing) && self.keeps(at, state, landing.acceleration);
                legs.push(landing.seconds, state.y, landing.speed);
                return lands.then_some(legs);
            }
            self.choice(at, state, ranges);
        }
    }

    /// The stretch of one acceleration that lands.
    fn landing(&self, at: usize, state: DVec2) -> Landing {
        let seconds = self.nodes[self.nodes.len() - 1].time - self.nodes[at].time;
        let missing = self.end - state.x - state.y * seconds;
        let acceleration = 2.0 * missing / (seconds * seconds);
        Landing {
            seconds,
            acceleration,
            speed: state.y + acceleration * seconds,
        }
    }

    /// Whether the acceleration and the speed at the landing are allowed.
    fn may_land(&self, landing: Landing) -> bool {
        let slack = 1e-9 * self.limits.speed; // for rounding
        self.limits.end.grown(slack).contains(landing.speed)
            && landing.acceleration.abs() <= self.limits.acceleration
    }
}

/// A convex set of states (x, speed), by its corners in order: anticlockwise
/// where speeds grow upwards.
#[derive(Debug, Default)]
struct Polygon {
    corners: Vec<DVec2>,
    /// Memory for the next corners.
    spare: Vec<DVec2>,
}

impl Polygon {
    /// Replaces the set by the states that an acceleration of at most `most`
    /// either way, constant for some seconds, leads into it: the states before
    /// with no acceleration, moved by every multiple from -1 to 1 of what the
    /// greatest one does.
    fn step_back(&mut self, seconds: f64, most: f64) {
        for state in &mut self.corners {
            state.x -= state.y * seconds;
        }
        // An edge moves to the side that it faces. A corner between edges that
        // move to different sides becomes an edge.
        let by = DVec2::new(0.5 * seconds, -1.0) * (most * seconds);
        let Some(&last) = self.corners.last() else {
            return;
        };
        self.spare.clear();
        let count = self.corners.len();
        let mut before = facing(by, last - self.corners[count.saturating_sub(2)], 1.0);
        let mut at = last;
        for &next in &self.corners {
            let after = facing(by, next - at, before);
            self.spare.push(at + before * by);
            if after != before {
                self.spare.push(at + after * by);
            }
            (at, before) = (next, after);
        }
        std::mem::swap(&mut self.corners, &mut self.spare);
    }

    /// The corners of the rectangle around the set.
    fn bounds(&self) -> (DVec2, DVec2) {
        let first = self.corners.first().copied().unwrap_or_default();
        let corners = self.corners.iter();
        corners.fold((first, first), |(least, most), &state| {
            let least = DVec2::new(lesser(state.x, least.x), lesser(state.y, least.y));
            let most = DVec2::new(greater(state.x, most.x), greater(state.y, most.y));
            (least, most)
        })
    }

    /// Keeps the part whose product with `normal` is at most `most`.
    fn cut(&mut self, normal: DVec2, most: f64) {
        let Some(&last) = self.corners.last() else {
            return;
        };
        self.spare.clear();
        let (mut a, mut over_a) = (last, normal.dot(last) - most);
        for &b in &self.corners {
            let over_b = normal.dot(b) - most;
            if (over_a < 0.0 && over_b > 0.0) || (over_a > 0.0 && over_b < 0.0) {
                self.spare.push(a.lerp(b, over_a / (over_a - over_b)));
            }
            if over_b <= 0.0 {
                self.spare.push(b);
            }
            (a, over_a) = (b, over_b);
        }
        std::mem::swap(&mut self.corners, &mut self.spare);
    }

    /// Keeps the part whose product with `normal`, and `known` added, is within a range.
    fn keep(&mut self, normal: DVec2, known: f64, range: Interval) {
        self.cut(normal, range.hi - known);
        self.cut(-normal, known - range.lo);
    }

    /// Leaves out the corners with the least area until few are left.
    fn simplify(&mut self) {
        while let &[.., before, last] = self.corners.as_slice()
            && self.corners.len() > MAX_CORNERS
        {
            let (mut before, mut at) = (before, last);
            // The corner before the one with this index; the last one before 0.
            let (mut least, mut after) = (f64::INFINITY, 0);
            for (i, &next) in self.corners.iter().enumerate() {
                let area = (at - before).perp_dot(next - at).abs();
                if area < least {
                    (least, after) = (area, i);
                }
                (before, at) = (at, next);
            }
            let count = self.corners.len();
            self.corners.remove((after + count - 1) % count);
        }
    }
}

/// The sign of the side of `by` to which an edge turns, or else `otherwise`.
fn facing(by: DVec2, edge: DVec2, otherwise: f64) -> f64 {
    let turn = by.perp_dot(edge);
    if turn == 0.0 {
        otherwise
    } else {
        turn.signum()
    }
}

/// A convex set of states, by its sides. Each side is a vector that points out of
/// the set, and its greatest product with a state of the set; the rest of the
/// arrays is 0. Coordinates are apart, so that the compiler uses vector
/// instructions: most time of a bake is spent here.
#[derive(Debug)]
struct StateSet {
    x: [f64; MAX_CORNERS],
    y: [f64; MAX_CORNERS],
    most: [f64; MAX_CORNERS],
}

impl StateSet {
    const EMPTY: Self = Self {
        x: [0.0; MAX_CORNERS],
        y: [0.0; MAX_CORNERS],
        most: [0.0; MAX_CORNERS],
    };

    /// Adds the sides between at most [`MAX_CORNERS`] corners to an empty set.
    fn fill(&mut self, corners: &[DVec2]) {
        let mut a = corners.last().copied().unwrap_or_default();
        let sides = self.x.iter_mut().zip(&mut self.y).zip(&mut self.most);
        for (((x, y), most), &b) in sides.zip(corners) {
            // A side turned clockwise points outwards, because corners are anticlockwise.
            let outwards = DVec2::new(b.y - a.y, a.x - b.x);
            (*x, *y, *most) = (outwards.x, outwards.y, outwards.dot(a));
            a = b;
        }
    }

    /// The factors `f` for which `from + f · by` lies inside.
    fn along(&self, from: DVec2, by: DVec2) -> Option<Interval> {
        let mut lo = [f64::NEG_INFINITY; MAX_CORNERS];
        let mut hi = [f64::INFINITY; MAX_CORNERS];
        let mut is_outside = false;
        for i in 0..MAX_CORNERS {
            let room = self.most[i] - (self.x[i] * from.x + self.y[i] * from.y);
            let rate = self.x[i] * by.x + self.y[i] * by.y;
            let factor = room / rate;
            hi[i] = if rate > 0.0 { factor } else { f64::INFINITY };
            lo[i] = if rate < 0.0 {
                factor
            } else {
                f64::NEG_INFINITY
            };
            // Unused sides have rate and room 0, so they exclude nothing.
            is_outside |= rate == 0.0 && room < 0.0;
        }
        let lo = lo.into_iter().reduce(greater).unwrap_or(f64::NAN);
        let hi = hi.into_iter().reduce(lesser).unwrap_or(f64::NAN);
        let inside = Interval::new(lo, hi);
        (!is_outside && !inside.is_empty() && inside.len().is_finite()).then_some(inside)
    }
}

/// Faster than `f64::min`, which also looks for NaN.
fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// Faster than `f64::max`, which also looks for NaN.
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(start: f64, end: f64) -> SmoothLimits {
        SmoothLimits {
            speed: 90.0,
            acceleration: 720.0,
            start: Interval::new(-start, start),
            end: Interval::new(-end, end),
            clearance: 1.0,
            search: Search::Steps,
        }
    }

    fn gate(time: f64, x: (f64, f64), free: (f64, f64)) -> FunnelGate {
        FunnelGate {
            time,
            x: Interval::new(x.0, x.1),
            free: Interval::new(free.0, free.1),
        }
    }

    #[test]
    fn a_straight_motion_has_one_leg() {
        let wide = (-200.0, 200.0);
        let gates = [gate(0.0, (0.0, 0.0), wide), FunnelGate::point(0.7, 50.0)];
        let motion = smooth_motion(gates.to_vec(), &limits(90.0, 90.0)).unwrap();
        assert_eq!(motion.legs.len(), 1);
        assert!((motion.start_speed - 50.0 / 0.7).abs() < 1e-9);
    }

    #[test]
    fn what_needs_more_acceleration_is_refused() {
        let wide = (-200.0, 200.0);
        let gates = [gate(0.0, (0.0, 0.0), wide), FunnelGate::point(0.1, 8.0)];
        assert!(smooth_motion(gates.to_vec(), &limits(0.0, 90.0)).is_none());
        assert!(smooth_motion(gates.to_vec(), &limits(90.0, 90.0)).is_some());
    }

    /// Out of a shaft in which the body moves by 4 units at most, and then far: it has to speed
    /// up above the shaft, but can only do so if it moves already.
    #[test]
    fn few_stretches_are_found_out_of_a_shaft() {
        let limits = SmoothLimits {
            clearance: 0.0,
            search: Search::FewStretches,
            ..limits(90.0, 90.0)
        };
        let shaft = gate(0.0, (138.0, 138.0), (134.0, 138.0));
        let above = gate(0.06, (134.0, 138.0), (70.0, 138.0));
        let to = |x| vec![shaft, above, FunnelGate::point(0.66, x)];
        let motion = smooth_motion(to(86.0), &limits).unwrap();
        assert!(motion.legs.len() <= 3, "{motion:?}");
        assert!(may_pass(&to(86.0), &limits));
        // At full speed it would get to 80 after it has left the shaft at the left.
        assert!(smooth_motion(to(79.0), &limits).is_none());
        assert!(!may_pass(&to(79.0), &limits));
    }
}
