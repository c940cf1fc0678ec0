//! The start and the goal of a search.

use glam::Vec2;

use super::locate::Location;
use super::query::NoPath;
use crate::mesh::{Layer, PlatformId};

/// The ends of a query, located in its layer.
#[derive(Debug, Clone, Copy)]
pub struct Endpoints {
    pub start: Location,
    /// `None` when only the nearest reachable point is wanted.
    pub goal: Option<Location>,
    /// Where an agent that only flies starts and ends, when `start` and `goal` are the
    /// vertices beside these positions.
    pub beside_vertices: [Option<Vec2>; 2],
    /// Where the goal is, or would be.
    pub target: Vec2,
    /// The component of the goal, where it is known.
    pub goal_component: Option<u32>,
    /// The target of the query, when `target` is only the nearest point that
    /// may be reachable.
    pub original_target: Option<Vec2>,
    /// Whether to keep track of the reached point nearest to the target.
    pub allow_partial_path: bool,
    /// The reason to report when the goal is not reached.
    pub reason: NoPath,
}

impl Endpoints {
    /// Whether there may be a path to the goal, or to the point that replaces it.
    pub fn may_be_joined(&self) -> bool {
        self.reason == NoPath::Exhausted || self.original_target.is_some()
    }

    /// Whether the search need not continue from a platform: the goal cannot be
    /// reached from there, and no nearest point is wanted.
    pub fn is_dead_end(&self, layer: &Layer, platform: PlatformId) -> bool {
        let (Some(goal), false) = (self.goal_component, self.allow_partial_path) else {
            return false;
        };
        let graph = layer.graph();
        graph
            .component(platform)
            .is_some_and(|from| !graph.may_reach(from, goal))
    }
}
