//! What is asked, once positions are places.

use glam::Vec2;

use super::Location;
use crate::mesh::{FloorSpot, Layer, PlatformId, Reachability};

/// What is asked, once positions are places.
#[derive(Debug, Clone, Copy)]
pub(super) struct Problem {
    pub(super) start: Location,
    /// `None` when only the nearest reachable point is looked for.
    pub(super) goal: Option<Location>,
    /// Where the goal is, or would be.
    pub(super) target: Vec2,
    /// Its component, where that is known.
    pub(super) goal_component: Option<u32>,
    /// What was asked for, if the goal is only the point nearest to that which
    /// may be reachable.
    pub(super) original_target: Option<Vec2>,
    /// Whether to keep track of the point nearest to the target.
    pub(super) or_nearest: bool,
}

impl Problem {
    /// The goal, if it is on this platform.
    pub(super) fn goal_on(&self, platform: PlatformId) -> Option<FloorSpot> {
        match self.goal {
            Some(Location::Floor(spot)) if spot.platform == platform => Some(spot),
            _ => None,
        }
    }

    /// Whether nothing that follows from being on a platform can matter: the
    /// goal cannot be reached from there, and nothing else is looked for.
    pub(super) fn is_dead_end(&self, layer: &Layer, platform: PlatformId) -> bool {
        let (Some(goal), false) = (self.goal_component, self.or_nearest) else {
            return false;
        };
        let graph = layer.link_graph();
        graph
            .component(platform)
            .is_some_and(|from| from != goal && graph.reachability(from, goal) == Reachability::No)
    }
}

/// How a search stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// It has reached the goal.
    Found,
    /// It has looked at everything.
    Exhausted,
    /// It has used up its budget.
    Paused,
}
