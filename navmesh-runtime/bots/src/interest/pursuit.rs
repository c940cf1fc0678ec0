//! Going to where a moving target will be, and straight to what is visible.

use glam::Vec2;

use super::routes::{MOST_POINTS, duration, sample_step};
use navmesh_runtime::mesh::{Layer, StepKind};
use navmesh_runtime::motion::NavAgent;
use navmesh_runtime::search::{Doors, PathFinder, Query, QueryError, Rect, SnapTo, Step};
use navmesh_runtime::shared::{FreeSpace, baked_trajectory, grown, segment_inside};

/// Where and when two agents meet: world units, and seconds from now.
type Meeting = (Vec2, f64);

/// Where a target will be: positions (feet, world units) at times (seconds from
/// now), in order of time. Between two of them it moves straight; after the last it
/// stays there.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    points: Vec<Point>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Point {
    time: f64,
    position: Vec2,
    /// Whether it gets there in a jump or a drop.
    is_landing: bool,
}

/// A stay is divided into parts of this share of the course, whose ends are looked
/// at, and the first part with a meeting is halved this often: a meeting is found to
/// 1/128 of the course.
const PARTS: f64 = 8.0;
const HALVINGS: u32 = 4;

impl Course {
    /// A target at rest.
    fn resting(position: Vec2) -> Self {
        let mut course = Self { points: Vec::new() };
        course.push(0.0, position, false);
        course
    }

    fn push(&mut self, time: f64, position: Vec2, is_landing: bool) {
        self.points.push(Point {
            time,
            position,
            is_landing,
        });
    }

    /// A target that follows steps from where it is now; without steps it rests.
    pub fn along(position: Vec2, steps: &[Step]) -> Self {
        let mut course = Self::resting(position);
        course.follow(steps);
        course
    }

    /// Goes on from the end along steps. The first may have begun.
    fn follow(&mut self, steps: &[Step]) {
        let (mut now, mut at) = (self.seconds(), self.at(f64::INFINITY));
        for (i, step) in steps.iter().enumerate() {
            // Of the first step, a part is over.
            let length = step.from.distance(step.to);
            let rest = if i == 0 && length > 0.0 {
                (at.distance(step.to) / length).min(1.0)
            } else {
                1.0
            };
            if i > 0 && at != step.from {
                self.push(now, step.from, false);
            }
            now += f64::from(step.duration * rest);
            if step.kind == StepKind::Portal {
                self.push(now, at, false);
            }
            at = step.to;
            self.push(now, at, step.kind.is_airborne());
        }
    }

    /// An agent that follows its path, after the jump or the portal that it is in.
    pub fn of_agent(agent: &NavAgent) -> Self {
        let position = agent.pose().position;
        let mut course = Self::resting(position);
        if let Some(flight) = agent.airborne() {
            let left = flight.duration() - flight.elapsed();
            course.push(left.max(0.0), flight.to, true);
        } else if let Some((left, exit)) = agent.portal_exit() {
            course.push(left, position, false);
            course.push(left, exit, false);
        }
        course.follow(agent.remaining_path());
        course
    }

    /// A target whose path is not known: it goes on with its velocity (units/s), for
    /// some seconds at most, as long as it is where agents of this layer can be.
    pub fn straight(layer: &Layer, position: Vec2, velocity: Vec2, seconds: f64) -> Self {
        // A tenth of a second: less than the body's width at the speeds of games.
        const STEP: f64 = 0.1;
        let mut course = Self::resting(position);
        let near = 2.0 * layer.grid().spacing;
        for i in 1..=(seconds / STEP).min(1e3) as u32 {
            let time = STEP * f64::from(i);
            let ahead = position + velocity * time as f32;
            let place = layer
                .snap(ahead, SnapTo::PathEnd)
                .map(|place| place.position);
            match place.filter(|place| place.distance(ahead) <= near) {
                Some(place) => course.push(time, place, false),
                None => break,
            }
        }
        course
    }

    /// When it ends, seconds from now.
    fn seconds(&self) -> f64 {
        self.points.last().map_or(0.0, |point| point.time)
    }

    /// The position at a time, seconds from now.
    pub fn at(&self, time: f64) -> Vec2 {
        let next = self.points.partition_point(|point| point.time <= time);
        let before = next.checked_sub(1).and_then(|i| self.points.get(i));
        match (before, self.points.get(next)) {
            (Some(a), Some(b)) => {
                let share = (time - a.time) / (b.time - a.time);
                a.position.lerp(b.position, share as f32)
            }
            (Some(point), None) | (None, Some(point)) => point.position,
            (None, None) => Vec2::ZERO,
        }
    }

    /// Finds where an agent meets the target first: the earliest position of the course
    /// that the agent reaches no later than the target, by the duration of its path
    /// (not by the straight line). Where it reaches none in time, the last position
    /// that it reaches at all. Returns the position (feet, world units) and the duration
    /// of the agent's path there (seconds); `None` when it reaches no position.
    ///
    /// A target is met where it stands, walks, climbs or flies, not in a jump or a drop:
    /// no path leads to a position in the air, and the floor below is another place. The
    /// first meeting is the one from which the agent can follow it to its next jump: for
    /// agents that walk and fly, positions between vertices are rounded, so a few earlier
    /// ones may seem to be in time.
    ///
    /// An agent as quick as its target can follow it from where they meet, so the
    /// meeting is found by halving: to 1/128 of the course, with 13 path searches and
    /// at most two more for each jump before the meeting. For a slower agent it may be a
    /// later one. `from`, filter and profile of the agent are those of `query`.
    ///
    /// # Errors
    /// When the query holds a number that is out of range.
    pub fn intercept(
        &self,
        layer: &Layer,
        finder: &mut PathFinder,
        query: &Query,
    ) -> Result<Option<Meeting>, QueryError> {
        let mut query = query.clone();
        // The duration of the agent's path to where the target is at a time, if it has
        // one, and whether the agent is there in time.
        let mut meet = |time: f64| -> Result<Option<(Meeting, bool)>, QueryError> {
            query.to = self.at(time);
            let path = finder.find(layer, &query)?.path();
            Ok(path.map(duration).map(|seconds| {
                // Both may go the same way from where they meet. Their times are then equal
                // but for the rounding of durations, which are `f32`.
                ((query.to, seconds), seconds <= time * (1.0 + 1e-6))
            }))
        };
        let mut last = None;
        // The stays between two flights: the times at which the target can be met.
        for stay in self.points.chunk_by(|_, next| !next.is_landing) {
            let (start, end) = (stay[0].time, stay[stay.len() - 1].time);
            let parts = (PARTS * (end - start) / self.seconds()).ceil().max(0.0);
            let time = |i: u32| start + (end - start) * f64::from(i) / parts.max(1.0);
            for i in 0..=parts as u32 {
                let Some((meeting, is_in_time)) = meet(time(i))? else {
                    continue;
                };
                last = Some(meeting);
                if !is_in_time {
                    continue;
                }
                let (mut early, mut late) = (time(i.saturating_sub(1)), time(i));
                for _ in 0..if i > 0 { HALVINGS } else { 0 } {
                    let middle = f64::midpoint(early, late);
                    match meet(middle)? {
                        Some((meeting, true)) => (late, last) = (middle, Some(meeting)),
                        _ => early = middle,
                    }
                }
                return Ok(last);
            }
        }
        Ok(last)
    }
}

/// The direction to a target for looks and throws, of length 1: that of the first
/// leg of the path that is not a portal. In a jump, a drop or a portal, this is the
/// first leg of [`NavAgent::remaining_path`] beyond it. A path of portals alone heads
/// for its exit. Zero for an empty path.
pub fn heading(position: Vec2, path: &[Step]) -> Vec2 {
    // Not from the position: in a portal, that is at the entrance, and the path begins
    // at the exit.
    let leg = path.iter().find_map(|step| {
        let leg = step.to - step.from;
        (step.kind != StepKind::Portal && leg.length_squared() > 0.0).then_some(leg)
    });
    let exit = path.last().map_or(position, |step| step.to);
    leg.unwrap_or(exit - position).normalize_or_zero()
}

/// Whether a body moves straight from one position to another (feet, world units):
/// neither geometry, a closed door nor a one-way wall or ceiling is in the way.
/// One-way floors do not count.
fn is_open(layer: &Layer, doors: &Doors, from: Vec2, to: Vec2) -> bool {
    let space = FreeSpace::new(layer, [doors.closed(), &[]]);
    space.sees(from, to) && space.passes(from.as_dvec2(), to.as_dvec2())
}

/// The point that an agent that flies or dashes goes straight to: the target, when
/// the body can move straight there; otherwise the farthest point along its path
/// that it can move straight to, within half a spacing: in a jump, a point of the
/// baked trajectory. `None` when there is none.
pub fn shortcut(
    layer: &Layer,
    doors: &Doors,
    from: Vec2,
    path: &[Step],
    target: Vec2,
) -> Option<Vec2> {
    if !(from.is_finite() && target.is_finite()) {
        return None;
    }
    if is_open(layer, doors, from, target) {
        return Some(target);
    }
    let mut points = Vec::new();
    for step in path.iter().rev() {
        points.clear();
        sample_motion(layer, step, 0.5 * layer.grid().spacing, &mut points);
        points.push(step.to);
        let mut seen = points.iter().rev();
        // A body that is already there has nothing to gain.
        if let Some(&at) = seen.find(|at| is_open(layer, doors, from, **at)) {
            return (at != from).then_some(at);
        }
    }
    None
}

/// Like [`sample_step`], but along the trajectory of a jump or a drop.
fn sample_motion(layer: &Layer, step: &Step, gap: f32, points: &mut Vec<Vec2>) {
    let link = step.link.and_then(|id| layer.link(id));
    let Some(arc) = link.and_then(|link| baked_trajectory(layer, link)) else {
        sample_step(layer, step, gap, points);
        return;
    };
    let down = layer.grid().y_axis.down();
    let at = |time: f64| arc.position(step.from, down, time).as_vec2();
    for pair in arc.knots().windows(2) {
        let length = (at(pair[1]) - at(pair[0])).abs().element_sum();
        // In a piece of a parabola, the greatest speed is at most twice the mean.
        let count = (2.0 * length / gap).ceil().clamp(1.0, MOST_POINTS) as u32;
        let time = |i: u32| pair[0] + (pair[1] - pair[0]) * f64::from(i) / f64::from(count);
        points.extend((0..count).map(|i| at(time(i))));
    }
}

/// A dash: a short, quick motion of limited length, straight or around one corner.
/// Each leg is tested with the body.
///
/// ```
/// # use glam::Vec2;
/// # use navmesh_runtime::mesh::Layer;
/// use navmesh_bots::interest::Dash;
/// use navmesh_runtime::search::Doors;
///
/// # fn tick(layer: &Layer, me: Vec2, goat: Vec2, seen_later: Vec2) -> Option<Vec2> {
/// let doors = Doors::new();
/// let mut dash = Dash::plan(layer, &doors, me, goat, 96.0)?;
/// dash.advance(600.0 / 60.0); // units: speed times seconds
/// // It sees farther now, or the target has moved:
/// if let Some(other) = Dash::plan(layer, &doors, dash.position, seen_later, dash.left) {
///     dash = other;
/// }
/// # Some(dash.position)
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dash {
    /// The position now: feet, world units. The dash is over when it is at the end.
    pub position: Vec2,
    /// In a straight dash, and on the second leg, the end.
    corner: Vec2,
    /// Where it ends.
    pub end: Vec2,
    /// The length that it may still have: with it, the rest can be planned again.
    pub left: f32,
}

impl Dash {
    /// Plans a dash from one position to another (feet, world units): straight;
    /// otherwise around a corner, along the longer axis first; otherwise along the
    /// shorter axis first. `None` when all three are blocked.
    ///
    /// A dash is at most `length` long (world units) and ends before its target if
    /// that is farther away. For agents that walk, space beyond the last free vertex
    /// before a wall, which is less than a spacing, counts as blocked.
    pub fn plan(layer: &Layer, doors: &Doors, from: Vec2, to: Vec2, length: f32) -> Option<Self> {
        let off = to - from;
        // What rounding leaves of a dash is none.
        let has_length = length > 1e-3 * layer.grid().spacing;
        if !(off.length().is_finite() && has_length) || off == Vec2::ZERO {
            return None;
        }
        let (across, along) = (off * Vec2::X, off * Vec2::Y);
        let legs = if off.x.abs() >= off.y.abs() {
            [off, across, along]
        } else {
            [off, along, across]
        };
        legs.into_iter().find_map(|first| {
            let (corner, end) = shortened(from, from + first, to, length);
            let is_free = is_open(layer, doors, from, corner) && is_open(layer, doors, corner, end);
            is_free.then_some(Self {
                position: from,
                corner,
                end,
                left: length,
            })
        })
    }

    /// Moves on by a length (world units) and returns the position.
    pub fn advance(&mut self, length: f32) -> Vec2 {
        // Rounding may make the legs longer than the length: a dash that has used up
        // its length is at its end.
        let mut length = length.max(0.0);
        if length >= self.left {
            length = f32::INFINITY;
        }
        for _ in 0..2 {
            let to = self.corner - self.position;
            if length < to.length() {
                self.position += to.normalize_or_zero() * length;
                self.left -= length;
                break;
            }
            length -= to.length();
            self.left = (self.left - to.length()).max(0.0);
            // The first leg is over.
            (self.position, self.corner) = (self.corner, self.end);
        }
        self.position
    }

    /// The first of some things that the body touches on what is left of the dash: a
    /// block to break, a geyser. With the length until then, world units.
    pub fn first_hit(&self, layer: &Layer, things: &[Rect]) -> Option<(usize, f32)> {
        let first_leg = self.position.distance(self.corner);
        let legs = [
            (self.position, self.corner, 0.0),
            (self.corner, self.end, first_leg),
        ];
        let hits = legs.into_iter().flat_map(|(from, to, before)| {
            things.iter().enumerate().filter_map(move |(index, thing)| {
                let (enter, _) = segment_inside(grown(*thing, layer), from, to)?;
                Some((index, before + enter as f32 * from.distance(to)))
            })
        });
        hits.min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)))
    }
}

/// The corner and the end of a way over a corner that is at most `length` long.
fn shortened(from: Vec2, corner: Vec2, to: Vec2, length: f32) -> (Vec2, Vec2) {
    let first = from.distance(corner);
    if first >= length {
        let end = from + (corner - from) * (length / first);
        return (end, end);
    }
    let (second, left) = (corner.distance(to), length - first);
    if second > left {
        return (corner, corner + (to - corner) * (left / second));
    }
    (corner, to)
}
