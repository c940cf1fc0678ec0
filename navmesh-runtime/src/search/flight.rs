//! Searching for agents that fly: jump-point search.
//!
//! Fly edges join free vertices to their eight neighbours, diagonally only
//! where all four vertices of the square are free. Straight stretches are
//! scanned in whole words of the bit planes; only vertices at which a
//! shortest path may have to turn become nodes.

use std::f64::consts::SQRT_2;

use super::Location;
use super::cost_model::CostModel;
use super::nodes::{NONE, Node, Nodes};
use super::open_list::OpenList;
use super::path::{Path, Step, StepKind};
use super::planes::{Overlay, Planes};
use super::problem::{Problem, Progress};
use crate::mesh::{Cell, Layer, VertexId};

/// Scratch memory of flight searches.
#[derive(Debug, Clone, Default)]
pub(super) struct Flight {
    nodes: Nodes,
    open: OpenList,
    end: u32,
    pub(super) expanded: u32,
}

/// Steps of a straight flight, as columns and rows.
type Direction = (i32, i32);

/// Length of the shortest flight over free vertices, in spacings.
pub(super) fn octile(a: Cell, b: Cell) -> f64 {
    let (x, y) = (a.column.abs_diff(b.column), a.row.abs_diff(b.row));
    f64::from(x.abs_diff(y)) + SQRT_2 * f64::from(x.min(y))
}

impl Flight {
    /// Begins a search.
    pub(super) fn start(&mut self, layer: &Layer, limits: &CostModel, problem: &Problem) {
        self.nodes.clear();
        self.open.clear();
        self.expanded = 0;
        self.end = NONE;
        if let (Location::Air(start), Some(Location::Air(goal))) = (problem.start, problem.goal) {
            self.reach(layer, limits, start, goal, 0.0, NONE);
        }
    }

    fn reach(
        &mut self,
        layer: &Layer,
        limits: &CostModel,
        at: Cell,
        goal: Cell,
        cost: f64,
        parent: u32,
    ) {
        let vertex = layer.grid().vertex(at);
        if let Some(index) = self.nodes.improve(u64::from(vertex.0), cost, parent) {
            let ahead = octile(at, goal) * unit(layer, limits);
            let key = self.open.push(index, cost, ahead);
            self.nodes.set_key(index, key);
        }
    }

    /// Goes on with a search, for at most so many nodes.
    pub(super) fn step(
        &mut self,
        layer: &Layer,
        limits: &CostModel,
        overlay: &Overlay,
        problem: &Problem,
        budget: u32,
    ) -> Progress {
        let (Some(planes), Some(Location::Air(goal))) = (overlay.planes(layer), problem.goal)
        else {
            return Progress::Exhausted;
        };
        let unit = unit(layer, limits);
        let mut left = budget;
        loop {
            if left == 0 && self.open.least().is_some() {
                return Progress::Paused;
            }
            let Some(open) = self.open.pop() else {
                return Progress::Exhausted;
            };
            let Some(&node) = self.nodes.get(open.node) else {
                continue;
            };
            if node.key != open.key {
                continue;
            }
            left -= 1;
            self.expanded += 1;
            let at = cell_of(layer, &node);
            if at == goal {
                self.end = open.node;
                return Progress::Found;
            }
            let parent = self.nodes.get(node.parent).map(|p| cell_of(layer, p));
            let (directions, count) = directions(planes, at, parent);
            for &direction in &directions[..count] {
                if let Some(next) = jump(planes, at, direction, goal) {
                    let cost = node.cost + octile(at, next) * unit;
                    self.reach(layer, limits, next, goal, cost, open.node);
                }
            }
        }
    }

    /// The path found to the goal.
    pub(super) fn path_to_goal(&self, layer: &Layer, limits: &CostModel, path: &mut Path) {
        path.expanded = self.expanded;
        let Some(mut node) = self.nodes.get(self.end) else {
            return;
        };
        path.cost = node.cost;
        path.end = layer.grid().position(cell_of(layer, node));
        path.start = path.end;
        while let Some(parent) = self.nodes.get(node.parent) {
            let [from, to] = [parent, node].map(|n| layer.grid().position(cell_of(layer, n)));
            path.push_back_to_front(fly(limits, from, to));
            path.start = from;
            node = parent;
        }
        path.steps.reverse();
    }
}

/// A flight as a step.
pub(super) fn fly(limits: &CostModel, from: glam::Vec2, to: glam::Vec2) -> Step {
    let length = from.as_dvec2().distance(to.as_dvec2());
    Step {
        kind: StepKind::Fly,
        from,
        to,
        duration: (length / limits.speed) as f32,
        platform: None,
        link: None,
    }
}

/// Seconds for one spacing.
fn unit(layer: &Layer, limits: &CostModel) -> f64 {
    f64::from(layer.grid().spacing) / limits.speed
}

fn cell_of(layer: &Layer, node: &Node) -> Cell {
    layer.grid().cell(VertexId(node.id as u32))
}

/// One step on; may wrap round below zero, which is outside any grid.
#[inline]
fn moved(at: Cell, (x, y): Direction) -> Cell {
    Cell {
        column: at.column.wrapping_add_signed(x),
        row: at.row.wrapping_add_signed(y),
    }
}

/// The directions in which a shortest path through a node can go on.
fn directions(planes: Planes<'_>, at: Cell, parent: Option<Cell>) -> ([Direction; 8], usize) {
    let mut found = [(0, 0); 8];
    let mut count = 0;
    let mut add = |direction| {
        if let Some(slot) = found.get_mut(count) {
            *slot = direction;
            count += 1;
        }
    };
    let Some(parent) = parent else {
        let all = [
            (1, 0),
            (-1, 0),
            (0, 1),
            (0, -1),
            (1, 1),
            (1, -1),
            (-1, 1),
            (-1, -1),
        ];
        return (all, 8);
    };
    let sign = |to: u32, from: u32| (i64::from(to) - i64::from(from)).signum() as i32;
    let (x, y) = (sign(at.column, parent.column), sign(at.row, parent.row));
    let is_free = |x, y| {
        let cell = moved(at, (x, y));
        planes.is_free(cell.column, cell.row)
    };
    add((x, y));
    if x != 0 && y != 0 {
        add((x, 0));
        add((0, y));
    } else {
        // Past the end of a wall, paths can come round it.
        for side in [-1, 1] {
            let (behind, beside, ahead) = if y == 0 {
                ((-x, side), (0, side), (x, side))
            } else {
                ((side, -y), (side, 0), (side, y))
            };
            if !is_free(behind.0, behind.1) && is_free(beside.0, beside.1) {
                add(beside);
                add(ahead);
            }
        }
    }
    (found, count)
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
        let next = moved(at, (x, y));
        let is_open = planes.is_free(next.column, at.row)
            && planes.is_free(at.column, next.row)
            && planes.is_free(next.column, next.row);
        if !is_open {
            return None;
        }
        at = next;
        if at == goal
            || planes.across(at, x > 0, goal).is_some()
            || planes.along(at, y > 0, goal).is_some()
        {
            return Some(at);
        }
    }
}
