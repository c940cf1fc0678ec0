//! Path results: paths and their steps.

use glam::Vec2;

use crate::mesh::{Link, LinkId, PlatformId, PlatformKind, Ride, StepKind, TICKS};

/// One motion of a path: a walk, a climb, a flight or a link.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Step {
    /// The kind of motion.
    pub kind: StepKind,
    /// Feet at the start of the step, world units.
    pub from: Vec2,
    /// Feet at the end of the step, world units.
    pub to: Vec2,
    /// Duration in seconds.
    pub duration: f32,
    /// The platform that the agent walks or climbs along, or that a link leaves;
    /// `None` in flight.
    pub platform: Option<PlatformId>,
    /// The link that the step follows, if any.
    pub link: Option<LinkId>,
    pub(crate) ride: Option<Ride>,
}

impl Step {
    /// When a ride on a platform that moves begins, in seconds on the clock of the level; `None`
    /// for other steps.
    pub fn departure(&self) -> Option<f64> {
        Some(f64::from(self.ride?.depart) / TICKS)
    }

    /// A walk or climb along a platform of some kind.
    pub(crate) fn walk(
        kind: PlatformKind,
        platform: PlatformId,
        [from, to]: [Vec2; 2],
        duration: f32,
    ) -> Self {
        Self {
            kind: StepKind::from(kind),
            from,
            to,
            duration,
            platform: Some(platform),
            link: None,
            ride: None,
        }
    }

    pub(crate) fn link(id: LinkId, link: &Link, duration: f32) -> Self {
        Self {
            kind: link.kind.of_step(),
            from: link.from,
            to: link.to,
            duration,
            platform: Some(link.from_platform),
            link: Some(id),
            ride: None,
        }
    }

    pub(crate) const fn fly(from: Vec2, to: Vec2, duration: f32) -> Self {
        Self {
            kind: StepKind::Fly,
            from,
            to,
            duration,
            platform: None,
            link: None,
            ride: None,
        }
    }
}

/// A path from one position to another.
///
/// Each step starts where the one before ends. A walk along one platform is one
/// step, however many vertices it passes; so is a flight in one direction.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Path {
    /// The start, world units: the place nearest to the start of the query at which
    /// the agent can be.
    pub start: Vec2,
    /// The end, world units.
    pub end: Vec2,
    /// The steps in order; empty when start and end are the same.
    pub steps: Vec<Step>,
    /// The duration in seconds, with the extra cost of the filter's areas and
    /// caution.
    pub cost: f64,
    pub(crate) expanded: u32,
}

impl Path {
    /// Becomes a copy of another path, in its own memory where that suffices.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        let mut steps = std::mem::take(&mut self.steps);
        steps.clear();
        steps.extend_from_slice(&other.steps);
        *self = Self { steps, ..*other };
    }

    pub(crate) fn clear(&mut self) {
        self.steps.clear();
        self.cost = 0.0;
        self.expanded = 0;
    }

    /// Adds a step before the others, which are written from the goal backwards.
    pub(crate) fn push_back_to_front(&mut self, step: Step) {
        if step.from == step.to && step.link.is_none() {
            return;
        }
        // A straight flight is one step, and so is a walk. The tolerance of the
        // cross product is the sine of the angle: flights along a grid turn by
        // 45 degrees or not at all, so only rounding must pass.
        if let Some(next) = self.steps.last_mut() {
            let merges = match step.kind {
                StepKind::Fly => {
                    let (a, b) = (step.to - step.from, next.to - next.from);
                    next.kind == StepKind::Fly
                        && a.perp_dot(b).abs() <= 1e-5 * a.length() * b.length()
                        && a.dot(b) > 0.0
                }
                StepKind::Floor => {
                    next.kind == StepKind::Floor
                        && next.platform == step.platform
                        && next.link.is_none()
                        && step.link.is_none()
                }
                _ => false,
            };
            if merges {
                next.from = step.from;
                next.duration += step.duration;
                return;
            }
        }
        self.steps.push(step);
    }
}
