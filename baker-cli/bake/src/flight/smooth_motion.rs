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

use crate::flight::few_stretches::few_stretches;
use crate::flight::funnel::FunnelGate;
use crate::flight::held_motion::{HELD, held_motion, rests};
use crate::flight::state_set::{MAX_CORNERS, Polygon, StateSet};
use crate::geometry::Interval;

/// Seconds in a step, at most: two steps of a game at 60 Hz. In ten levels, half
/// of it connects three pairs of platforms in 12,000 that this does not, and not
/// ten that this does; a bake takes up to half as long again.
const STEP: f64 = 1.0 / 30.0;

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
    pub fn reversed(&self) -> Self {
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
    pub fn end_speed(&self) -> f64 {
        let legs = self.legs.iter();
        legs.fold(self.start_speed, |speed, leg| 2.0 * leg.speed - speed)
    }
}

/// A moment of a motion, and where the feet may be.
pub struct Node {
    pub time: f64,
    pub x: Interval,
}

/// The stretches of a motion so far, and how often it turned back.
#[derive(Default)]
pub struct Legs {
    pub list: Vec<Leg>,
    pub turns: usize,
}

impl Legs {
    /// Adds a stretch of constant acceleration between two speeds.
    pub fn push(&mut self, duration: f64, from: f64, to: f64) {
        self.turns += usize::from(from * to < 0.0);
        let speed = 0.5 * (from + to);
        self.list.push(Leg { duration, speed });
    }

    /// A turn counts as much as a stretch.
    pub fn score(&self) -> usize {
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

/// The same gates back in time.
pub fn reversed(gates: &[FunnelGate]) -> Vec<FunnelGate> {
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

/// A motion of so many stretches at most through the nodes. The first and last one are
/// points.
pub fn motion_through(
    nodes: &[Node],
    limits: &SmoothLimits,
    most_legs: usize,
) -> Option<SmoothMotion> {
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
pub fn nodes(gates: &[FunnelGate], limits: &SmoothLimits) -> Vec<Node> {
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
pub fn steps(seconds: f64, limits: &SmoothLimits) -> (f64, f64) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flight::smooth_reach::may_pass;

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
