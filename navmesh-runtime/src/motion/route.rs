//! The steps an agent follows, and how far it has got.

use glam::Vec2;

use super::airborne::Airborne;
use crate::mesh::{AgentProfile, Layer, LinkId};
use crate::search::free_space::FreeSpace;
use crate::search::regions::{Rect, TOUCH, arc_inside, contains, segment_inside};
use crate::search::{Step, StepKind};

/// Steps of a path, and which of them the agent is on.
#[derive(Debug, Clone)]
pub struct Route {
    pub steps: Vec<Step>,
    /// The index of the step the agent is on.
    pub cursor: usize,
    /// Counts the routes of the agent.
    pub version: u32,
    /// The next link, and the horizontal velocity with which it is taken; `None`
    /// after the agent's limits have changed.
    pub take_off: Option<(LinkId, f64)>,
}

impl Route {
    pub fn new() -> Self {
        Self {
            // Grows to the longest path once; most have fewer steps than 8.
            steps: Vec::with_capacity(8),
            cursor: 0,
            version: 0,
            take_off: None,
        }
    }

    /// The step the agent is on.
    pub fn current(&self) -> Option<&Step> {
        self.steps.get(self.cursor)
    }

    /// The step that ended last.
    pub fn previous(&self) -> Option<&Step> {
        self.steps.get(self.cursor.checked_sub(1)?)
    }

    /// The step after that.
    pub fn following(&self) -> Option<&Step> {
        self.steps.get(self.cursor + 1)
    }

    /// The current step and those after it.
    pub fn remaining(&self) -> &[Step] {
        self.steps.get(self.cursor..).unwrap_or_default()
    }

    /// Goes on to the next step.
    pub fn advance(&mut self) {
        self.cursor += 1;
    }

    /// Goes on to the step after a link, if the route has it.
    pub fn advance_past(&mut self, link: LinkId) {
        let mut ahead = self.remaining().iter();
        if let Some(at) = ahead.position(|step| step.link == Some(link)) {
            self.cursor += at + 1;
        }
    }

    pub fn clear(&mut self) {
        self.steps.clear();
        self.cursor = 0;
        self.take_off = None;
    }

    /// Follows other steps from their beginning.
    pub fn replace(&mut self, lead: Option<Step>, steps: &[Step]) {
        self.clear();
        self.version = self.version.wrapping_add(1);
        self.steps.extend(lead);
        self.steps.extend_from_slice(steps);
    }

    /// The horizontal velocity with which a link is taken, units/s. It is needed
    /// in every step of the run-up, and computed once for each link.
    pub fn take_off(&mut self, link: LinkId, compute: impl FnOnce() -> f64) -> f64 {
        match self.take_off {
            Some((known, velocity)) if known == link => velocity,
            _ => {
                let velocity = compute();
                self.take_off = Some((link, velocity));
                velocity
            }
        }
    }

    /// Replaces flights along the grid by straight ones, as far as the body
    /// can see.
    pub fn pull_straight(&mut self, space: &FreeSpace<'_>) {
        let is_flight = |step: &Step| step.kind == StepKind::Fly;
        let mut pairs = self.steps.windows(2);
        if !pairs.any(|pair| pair.iter().all(is_flight)) {
            return;
        }
        self.steps.dedup_by(|step, last| {
            let joins = is_flight(last) && is_flight(step) && space.sees(last.from, step.to);
            if joins {
                // No step of a path has no length; the bound keeps the
                // quotient finite all the same.
                let length = last.from.distance(last.to).max(1e-6);
                last.duration *= last.from.distance(step.to) / length;
                last.to = step.to;
            }
            joins
        });
    }
}

/// A straight flight as a step.
pub fn flight(from: Vec2, to: Vec2, speed: f32) -> Step {
    Step::fly(from, to, from.distance(to) / speed)
}

/// Whether a step of a path leads through a door, as an agent with this profile moves
/// along it. The doors are the feet positions that they cover.
pub fn crosses_door(
    step: &Step,
    layer: &Layer,
    doors: &(impl Iterator<Item = Rect> + Clone),
    profile: &AgentProfile,
) -> bool {
    let doors = || doors.clone();
    if doors().next().is_none() {
        return false;
    }
    match (step.kind, step.link.and_then(|id| layer.link(id))) {
        (kind, Some(link)) if kind.is_airborne() => {
            let down = layer.grid().y_axis.down();
            let Some(airborne) = Airborne::along(link, layer, profile) else {
                return true;
            };
            doors().any(|door| arc_inside(door, link, &airborne.trajectory, down) > TOUCH)
        }
        (StepKind::Floor, _) => {
            let Some(platform) = step.platform.and_then(|id| layer.platform(id)) else {
                return true;
            };
            let (low, high) = (step.from.x.min(step.to.x), step.from.x.max(step.to.x));
            let surface = platform.surface;
            let first = surface.partition_point(|p| p.x < low).saturating_sub(1);
            let part = surface.get(first..).unwrap_or_default();
            part.windows(2).take_while(|w| w[0].x <= high).any(|w| {
                let [a, b] = [w[0], w[1]].map(|p| {
                    if (low..=high).contains(&p.x) {
                        p
                    } else {
                        platform.clamp(p.x.clamp(low, high))
                    }
                });
                doors().any(|door| segment_inside(door, a, b).is_some())
            })
        }
        (StepKind::Portal, _) => {
            doors().any(|door| contains(door, step.from) || contains(door, step.to))
        }
        _ => doors().any(|door| segment_inside(door, step.from, step.to).is_some()),
    }
}
