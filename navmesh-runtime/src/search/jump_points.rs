//! Jump-point search, for agents that fly.
//!
//! Fly edges join free vertices to their eight neighbours, diagonally only
//! where all four vertices of the square are free. Straight lines are scanned in
//! whole words of the bit planes; only vertices at which a shortest path may
//! have to turn become nodes. After Harabor and Grastien, "Online Graph Pruning
//! for Pathfinding on Grid Maps" (2011), in the variant that cuts no corners.

use super::cost_model::CostModel;
use super::frontier::{Frontier, HashedNodes, NONE, Node, NodeId, NodeStore as _};
use super::locate::Location;
use super::path::Path;
use super::path_writer::PathWriter;
use super::planes::Planes;
use super::problem::{Problem, Progress};
use crate::mesh::{Cell, Layer, VertexId, fly_step, octile};

/// The memory of a search, which it keeps from query to query.
#[derive(Debug, Clone, Default)]
pub(super) struct JumpPoints {
    frontier: Frontier<HashedNodes>,
    /// The handle of the goal, once it is found.
    end: u32,
    pub(super) expanded: u32,
}

/// A direction of flight, as steps in columns and rows.
type Direction = (i32, i32);

impl JumpPoints {
    /// Begins a search.
    pub(super) fn start(&mut self, layer: &Layer, costs: &CostModel, problem: &Problem) {
        self.frontier.clear(0);
        self.expanded = 0;
        self.end = NONE;
        if let (Location::Air(start), Some(Location::Air(goal))) = (problem.start, problem.goal) {
            self.reach(layer, costs, start, goal, 0.0, NONE);
        }
    }

    fn reach(
        &mut self,
        layer: &Layer,
        costs: &CostModel,
        at: Cell,
        goal: Cell,
        cost: f64,
        parent: u32,
    ) {
        let id = NodeId::Air(layer.grid().vertex(at).0);
        if let Some(handle) = self.frontier.nodes.improve(id, cost, parent) {
            let ahead = octile(at, goal) * seconds_per_spacing(layer, costs);
            self.frontier.push(handle, cost, ahead);
        }
    }

    /// Expands at most `budget` nodes more.
    pub(super) fn step(
        &mut self,
        layer: &Layer,
        costs: &CostModel,
        planes: Option<Planes<'_>>,
        problem: &Problem,
        budget: u32,
    ) -> Progress {
        let (Some(planes), Some(Location::Air(goal))) = (planes, problem.goal) else {
            return Progress::Exhausted;
        };
        let unit = seconds_per_spacing(layer, costs);
        let mut left = budget;
        loop {
            // With an empty queue the search is over, whatever is left.
            if left == 0 && self.frontier.least().is_some() {
                return Progress::Paused;
            }
            let Some((handle, node)) = self.frontier.pop() else {
                return Progress::Exhausted;
            };
            left -= 1;
            self.expanded += 1;
            let Some(at) = cell_of(layer, node) else {
                continue;
            };
            if at == goal {
                self.end = handle;
                return Progress::Found;
            }
            let parent = self.frontier.nodes.get(node.parent);
            let parent = parent.and_then(|parent| cell_of(layer, parent));
            directions(planes, at, parent, |direction| {
                if let Some(next) = jump(planes, at, direction, goal) {
                    let cost = node.cost + octile(at, next) * unit;
                    self.reach(layer, costs, next, goal, cost, handle);
                }
            });
        }
    }

    /// Writes the path to the goal. Returns `false` when it was not found.
    pub(super) fn path_to_goal(
        &self,
        layer: &Layer,
        costs: &CostModel,
        problem: &Problem,
        path: &mut Path,
    ) -> bool {
        let (Some(end), Some(goal)) = (self.frontier.nodes.get(self.end), problem.goal) else {
            return false;
        };
        path.cost = end.cost;
        let writer = PathWriter::new(layer, costs, path, goal.position(layer), None);
        writer.trace(&self.frontier.nodes, end.parent, problem.start);
        true
    }
}

pub(super) fn seconds_per_spacing(layer: &Layer, costs: &CostModel) -> f64 {
    f64::from(layer.grid().spacing) / costs.speed
}

fn cell_of(layer: &Layer, node: Node) -> Option<Cell> {
    match node.id {
        NodeId::Air(vertex) => Some(layer.grid().cell(VertexId(vertex))),
        _ => None,
    }
}

/// Calls `see` with the directions in which a shortest path through a node can go on.
fn directions(planes: Planes<'_>, at: Cell, parent: Option<Cell>, mut see: impl FnMut(Direction)) {
    let Some(parent) = parent else {
        let straight = [(1, 0), (-1, 0), (0, 1), (0, -1)].into_iter();
        let diagonal = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
        return straight.chain(diagonal).for_each(see);
    };
    let sign = |to: u32, from: u32| (i64::from(to) - i64::from(from)).signum() as i32;
    let (x, y) = (sign(at.column, parent.column), sign(at.row, parent.row));
    let is_free = |x, y| {
        let column = at.column.wrapping_add_signed(x);
        planes.rows.is_free(column, at.row.wrapping_add_signed(y))
    };
    see((x, y));
    if x != 0 && y != 0 {
        see((x, 0));
        see((0, y));
    } else {
        // Past the end of a wall, paths can come round it.
        for side in [-1, 1] {
            let (behind, beside, ahead) = if y == 0 {
                ((-x, side), (0, side), (x, side))
            } else {
                ((side, -y), (side, 0), (side, y))
            };
            if !is_free(behind.0, behind.1) && is_free(beside.0, beside.1) {
                see(beside);
                see(ahead);
            }
        }
    }
}

/// The next node in a direction.
fn jump(planes: Planes<'_>, from: Cell, (x, y): Direction, goal: Cell) -> Option<Cell> {
    if y == 0 {
        let column = planes.across(from, x > 0, goal)?;
        return Some(Cell { column, ..from });
    }
    if x == 0 {
        let row = planes.along(from, y > 0, goal)?;
        return Some(Cell { row, ..from });
    }
    let mut at = from;
    loop {
        at = fly_step(planes.rows, at, [x, y])?;
        if at == goal
            || planes.across(at, x > 0, goal).is_some()
            || planes.along(at, y > 0, goal).is_some()
        {
            return Some(at);
        }
    }
}
