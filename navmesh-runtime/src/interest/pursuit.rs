//! Going to where a moving target will be, and straight to what is visible.

use glam::Vec2;

use super::routes::sample_step;
use crate::mesh::Layer;
use crate::motion::NavAgent;
use crate::search::free_space::FreeSpace;
use crate::search::{Doors, PathFinder, Query, QueryError, Step, StepKind, locate};

/// Where a target will be: positions (feet, world units) at times (seconds from
/// now), in order of time. Between two of them it moves straight; after the last it
/// stays there.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    points: Vec<(f64, Vec2)>,
}

impl Course {
    /// A target at rest.
    pub fn resting(position: Vec2) -> Self {
        Self {
            points: vec![(0.0, position)],
        }
    }

    /// A target that follows steps from where it is now.
    pub fn along(position: Vec2, steps: &[Step]) -> Self {
        let mut course = Self::resting(position);
        let (mut now, mut at) = (0.0, position);
        for (i, step) in steps.iter().enumerate() {
            // Of the first step, a part is over.
            let length = step.from.distance(step.to);
            let rest = if i == 0 && length > 0.0 {
                (at.distance(step.to) / length).min(1.0)
            } else {
                1.0
            };
            if i > 0 && at != step.from {
                course.points.push((now, step.from));
            }
            now += f64::from(step.duration * rest);
            if step.kind == StepKind::Portal {
                course.points.push((now, at));
            }
            at = step.to;
            course.points.push((now, at));
        }
        course
    }

    /// An agent that follows its path.
    pub fn of_agent(agent: &NavAgent) -> Self {
        Self::along(agent.position(), agent.remaining_path())
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
            let place = locate(layer, ahead).map(|place| place.position(layer));
            match place.filter(|place| place.distance(ahead) <= near) {
                Some(place) => course.points.push((time, place)),
                None => break,
            }
        }
        course
    }

    /// When it ends, seconds from now.
    pub fn seconds(&self) -> f64 {
        self.points.last().map_or(0.0, |(time, _)| *time)
    }

    /// The position at a time, seconds from now.
    pub fn at(&self, time: f64) -> Vec2 {
        let next = self.points.partition_point(|(at, _)| *at <= time);
        let before = next.checked_sub(1).and_then(|i| self.points.get(i));
        match (before, self.points.get(next)) {
            (Some(&(a, from)), Some(&(b, to))) => from.lerp(to, ((time - a) / (b - a)) as f32),
            (Some((_, at)), None) | (None, Some((_, at))) => *at,
            (None, None) => Vec2::ZERO,
        }
    }
}

/// Where and when an agent meets a moving target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Meeting {
    /// Feet, world units.
    pub position: Vec2,
    /// The duration of the agent's path there, seconds.
    pub seconds: f64,
}

/// Parts of a course whose ends are looked at, and how often the first part with a
/// meeting is halved: a meeting is found to 1/128 of the course.
const PARTS: u32 = 8;
const HALVINGS: u32 = 4;

/// Finds where an agent meets a target first: the earliest position of its course
/// that the agent reaches no later than the target, by the duration of its path
/// (not by the straight line). Where it reaches none in time, the end of the course,
/// or with no path there, the last position that it reaches.
///
/// An agent as quick as its target can follow it from where they meet, so the
/// meeting is found by halving the course: to 1/128 of it, with 13 path searches. For
/// a slower agent it may be a later one, and also where the target stays on a floor
/// for less than an eighth of its course: no path leads to a target in the air.
/// `from`, filter and profile of the agent are those of
/// `query`. `None` when the agent reaches no position of the course.
///
/// # Errors
/// When the query holds a number that is out of range.
pub fn intercept(
    layer: &Layer,
    finder: &mut PathFinder,
    query: &Query,
    course: &Course,
) -> Result<Option<Meeting>, QueryError> {
    let mut query = query.clone();
    let mut meet = |time: f64| -> Result<Option<Meeting>, QueryError> {
        query.to = course.at(time);
        let path = finder.find(layer, &query)?.path();
        Ok(path.map(|path| Meeting {
            position: query.to,
            seconds: path.steps.iter().map(|s| f64::from(s.duration)).sum(),
        }))
    };
    let mut last = None;
    for i in 0..=PARTS {
        let time = |i: u32| course.seconds() * f64::from(i) / f64::from(PARTS);
        let Some(meeting) = meet(time(i))? else {
            continue;
        };
        last = Some(meeting);
        if meeting.seconds > time(i) {
            continue;
        }
        let (mut early, mut late) = (time(i.saturating_sub(1)), time(i));
        for _ in 0..if i > 0 { HALVINGS } else { 0 } {
            let middle = f64::midpoint(early, late);
            match meet(middle)?.filter(|meeting| meeting.seconds <= middle) {
                Some(meeting) => (late, last) = (middle, Some(meeting)),
                None => early = middle,
            }
        }
        break;
    }
    Ok(last)
}

/// Whether a body moves straight from one position to another (feet, world units):
/// neither geometry, a closed door nor a one-way wall or ceiling is in the way.
/// One-way floors do not count.
pub(super) fn is_open(layer: &Layer, doors: &Doors, from: Vec2, to: Vec2) -> bool {
    let space = FreeSpace::new(layer, [doors.closed(), &[]]);
    space.sees(from, to) && space.passes(from.as_dvec2(), to.as_dvec2())
}

/// The point that an agent that flies or dashes goes straight to: the target, when
/// the body can move straight there; otherwise the farthest point along its path
/// that it can move straight to, within half a spacing. `None` when there is none.
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
    let gap = 0.5 * layer.grid().spacing;
    let mut points = Vec::new();
    for step in path.iter().rev() {
        points.clear();
        sample_step(layer, step, gap, &mut points);
        points.push(step.to);
        let seen = points.iter().rev();
        let seen = seen.copied().find(|&at| is_open(layer, doors, from, at));
        // A body that is already there has nothing to gain.
        if let Some(at) = seen {
            return (at != from).then_some(at);
        }
    }
    None
}

/// The direction to a target for looks and throws, of length 1: that of the first
/// leg of the path. A path into a portal heads for its exit, as if the portal had no
/// length. Zero for an empty path.
pub fn heading(position: Vec2, path: &[Step]) -> Vec2 {
    let mut at = position;
    for step in path {
        if step.kind == StepKind::Portal {
            // What lies beyond counts from the exit on.
            at = step.to;
            continue;
        }
        let along = step.to - at;
        if along.length_squared() > 0.0 {
            return along.normalize();
        }
        at = step.to;
    }
    (at - position).normalize_or_zero()
}
