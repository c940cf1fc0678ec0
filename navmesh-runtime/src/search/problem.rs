//! What a search looks for, and how it ends.

use glam::Vec2;

use super::locate::Location;
use crate::mesh::{Layer, PlatformId};

/// A query after its positions were located in the layer.
#[derive(Debug, Clone, Copy)]
pub struct Problem {
    pub start: Location,
    /// `None` when only the nearest reachable point is wanted.
    pub goal: Option<Location>,
    /// Where the goal is, or would be.
    pub target: Vec2,
    /// The component of the goal, where it is known.
    pub goal_component: Option<u32>,
    /// The target of the query, when `target` is only the nearest point that
    /// may be reachable.
    pub original_target: Option<Vec2>,
    /// Whether to keep track of the reached point nearest to the target.
    pub allow_partial_path: bool,
}

impl Problem {
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

/// The state of a search after some of its nodes were expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// It has reached the goal.
    Found,
    /// It has expanded every node that can be reached.
    Exhausted,
    /// It has used up its budget.
    Paused,
}
