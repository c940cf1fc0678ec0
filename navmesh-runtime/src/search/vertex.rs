//! Searching the vertex graph: plain A*.
//!
//! For agents that both walk and fly, and for fliers where jump points are of
//! no use: where areas cost more, and where the nearest reachable point is
//! wanted. Nodes are free vertices in the air, and links as in the ground
//! search. Whoever stands at an `OnFloor` vertex is also in the air at its
//! *contact* ([`Layer::contact`]), and the other way round.

use super::Location;
use super::cost_model::CostModel;
use super::flight::octile;
use super::nearest::{Nearest, nearest_between};
use super::nodes::{NONE, Nodes};
use super::open_list::OpenList;
use super::planes::{Overlay, Planes};
use super::problem::{Problem, Progress};
use crate::mesh::{Cell, EdgeSet, FloorVertex, Layer, Platform, PlatformId, Takeoff, VertexId};

/// What a node stands for; a node's id is this and an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A free vertex.
    Air = 0,
    /// A place on the floor at an `OnFloor` vertex, walked to; never looked at
    /// by itself.
    Floor = 1,
    /// A takeoff.
    Link = 2,
    /// The goal, on a platform.
    Goal = 3,
}

const fn id(kind: Kind, index: u32) -> u64 {
    (kind as u64) << 32 | index as u64
}

pub(super) fn split(id: u64) -> (Kind, u32) {
    let kind = match id >> 32 {
        0 => Kind::Air,
        1 => Kind::Floor,
        2 => Kind::Link,
        _ => Kind::Goal,
    };
    (kind, id as u32)
}

/// Scratch memory of searches over vertices.
#[derive(Debug, Clone, Default)]
pub(super) struct Vertices {
    pub(super) nodes: Nodes,
    open: OpenList,
    pub(super) end: u32,
    /// The nearest point's platform, if it is on one, and the node it was
    /// reached from.
    pub(super) nearest: Nearest<(Option<PlatformId>, u32)>,
    pub(super) expanded: u32,
}

/// What every part of a step needs.
struct Context<'a> {
    layer: &'a Layer,
    limits: &'a mut CostModel,
    planes: Planes<'a>,
    problem: &'a Problem,
}

impl Context<'_> {
    /// The least cost from a place to the goal.
    fn ahead(&self, cell: Option<Cell>, x: f32) -> f64 {
        if let (false, Some(cell), Some(Location::Air(goal))) =
            (self.limits.edges.walks(), cell, self.problem.goal)
        {
            return octile(cell, goal) * f64::from(self.layer.grid().spacing) / self.limits.speed;
        }
        // On foot, heights may cost nothing.
        self.limits.ahead(x, self.problem.target)
    }

    fn position(&self, cell: Cell) -> glam::Vec2 {
        self.layer.grid().position(cell)
    }
}

impl Vertices {
    /// Begins a search.
    pub(super) fn start(
        &mut self,
        layer: &Layer,
        limits: &mut CostModel,
        overlay: &Overlay,
        problem: &Problem,
    ) {
        self.nodes.clear();
        self.open.clear();
        self.nearest.clear();
        self.expanded = 0;
        self.end = NONE;
        let Some(planes) = overlay.planes(layer) else {
            return;
        };
        let mut context = Context {
            layer,
            limits,
            planes,
            problem,
        };
        match problem.start {
            Location::Floor(spot) => {
                let x = spot.position.x;
                self.arrive(&mut context, spot.platform, x, 0.0, NONE);
            }
            Location::Air(cell) => self.float(&context, cell, 0.0, NONE),
        }
    }

    /// Goes on with a search, for at most so many nodes.
    pub(super) fn step(
        &mut self,
        layer: &Layer,
        limits: &mut CostModel,
        overlay: &Overlay,
        problem: &Problem,
        budget: u32,
    ) -> Progress {
        let Some(planes) = overlay.planes(layer) else {
            return Progress::Exhausted;
        };
        let mut context = Context {
            layer,
            limits,
            planes,
            problem,
        };
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
            match split(node.id) {
                (Kind::Air, vertex) => {
                    let cell = layer.grid().cell(VertexId(vertex));
                    if problem.goal == Some(Location::Air(cell)) {
                        self.end = open.node;
                        return Progress::Found;
                    }
                    self.fly_on(&mut context, cell, node.cost, open.node);
                }
                (Kind::Link, index) => {
                    let Some(takeoff) = layer.all_takeoffs().get(index as usize) else {
                        continue;
                    };
                    let Some(extra) = context.limits.surcharge(layer, takeoff) else {
                        continue;
                    };
                    let cost = node.cost + f64::from(takeoff.duration) + extra;
                    let (platform, x) = (takeoff.to_platform, takeoff.to_x);
                    self.arrive(&mut context, platform, x, cost, open.node);
                }
                (Kind::Goal, _) => {
                    self.end = open.node;
                    return Progress::Found;
                }
                (Kind::Floor, _) => {}
            }
        }
    }

    /// Pushes a vertex in the air.
    fn float(&mut self, context: &Context<'_>, cell: Cell, cost: f64, parent: u32) {
        let vertex = context.layer.grid().vertex(cell);
        if let Some(index) = self.nodes.improve(id(Kind::Air, vertex.0), cost, parent) {
            let ahead = context.ahead(Some(cell), context.layer.grid().column_x(cell.column));
            let key = self.open.push(index, cost, ahead);
            self.nodes.set_key(index, key);
        }
    }

    /// Relaxes the neighbours of a vertex in the air, and the floor it
    /// touches.
    fn fly_on(&mut self, context: &mut Context<'_>, at: Cell, cost: f64, node: u32) {
        let from = context.position(at);
        if context.problem.or_nearest {
            self.nearest
                .offer(context.problem.target, from, cost, (None, node));
        }
        let planes = context.planes;
        for y in -1..=1 {
            for x in -1..=1 {
                let next = Cell {
                    column: at.column.wrapping_add_signed(x),
                    row: at.row.wrapping_add_signed(y),
                };
                let is_open = (x, y) != (0, 0)
                    && planes.is_free(next.column, next.row)
                    && planes.is_free(at.column, next.row)
                    && planes.is_free(next.column, at.row);
                if !is_open {
                    continue;
                }
                if let Some(time) = context.limits.fly(from, context.position(next)) {
                    self.float(context, next, cost + time, node);
                }
            }
        }
        if !context.limits.edges.walks() {
            return;
        }
        let below = Cell {
            row: at.row.saturating_add(1),
            ..at
        };
        for cell in [at, below] {
            if cell.row >= context.layer.grid().rows {
                continue;
            }
            let layer = context.layer;
            for (number, spot) in layer.floor_spots(layer.grid().vertex(cell)) {
                let Some((_, time)) = touch(context, spot).filter(|(air, _)| *air == at) else {
                    continue;
                };
                let cost = cost + time;
                if let Some(index) = self.nodes.improve(id(Kind::Floor, number), cost, node) {
                    let x = layer.grid().column_x(cell.column);
                    self.arrive(context, spot.platform, x, cost, index);
                }
            }
        }
    }

    /// Relaxes everything that can be walked to from a point of a platform.
    fn arrive(
        &mut self,
        context: &mut Context<'_>,
        platform: PlatformId,
        x: f32,
        cost: f64,
        parent: u32,
    ) {
        let layer = context.layer;
        let Some(surface) = layer.platform(platform) else {
            return;
        };
        let (low, high) = context.limits.walkable(&surface, x);
        if let Some(goal) = context.problem.goal_on(platform) {
            let goal_x = goal.position.x;
            let total = cost + context.limits.walk(&surface, x, goal_x);
            if (low..=high).contains(&goal_x)
                && let Some(index) = self.nodes.improve(id(Kind::Goal, 0), total, parent)
            {
                let key = self.open.push(index, total, 0.0);
                self.nodes.set_key(index, key);
            }
        }
        if context.problem.or_nearest {
            let target = context.problem.target;
            let point = nearest_between(&surface, target, low, high);
            let cost = cost + context.limits.walk(&surface, x, point.x);
            self.nearest
                .offer(target, point, cost, (Some(platform), parent));
        }
        let (first, takeoffs) = layer.takeoffs(platform);
        let (left, right) = takeoffs.split_at(takeoffs.partition_point(|t| t.along < x));
        for (i, t) in (first + left.len()..).zip(right) {
            if t.along > high || !self.relax_link(context, i, &surface, t, x, cost, parent) {
                break;
            }
        }
        for (i, t) in (first..first + left.len()).zip(left).rev() {
            if t.along < low || !self.relax_link(context, i, &surface, t, x, cost, parent) {
                break;
            }
        }
        let grid = layer.grid();
        let columns = surface.columns(grid);
        let middle = columns
            .clone()
            .find(|&c| grid.column_x(c) >= x)
            .unwrap_or(columns.end);
        for column in middle..columns.end {
            let here = grid.column_x(column);
            if here > high || !self.relax_floor(context, &surface, column, x, cost, parent) {
                break;
            }
        }
        for column in (columns.start..middle).rev() {
            let here = grid.column_x(column);
            if here < low || !self.relax_floor(context, &surface, column, x, cost, parent) {
                break;
            }
        }
    }

    /// As in the ground search: `false` when the takeoff was reached as
    /// cheaply before.
    #[expect(
        clippy::too_many_arguments,
        reason = "one step of the search, inside it"
    )]
    fn relax_link(
        &mut self,
        context: &mut Context<'_>,
        index: usize,
        platform: &Platform<'_>,
        takeoff: &Takeoff,
        x: f32,
        cost: f64,
        parent: u32,
    ) -> bool {
        let cost = cost + context.limits.walk(platform, x, takeoff.along);
        let Some(node) = self
            .nodes
            .improve(id(Kind::Link, index as u32), cost, parent)
        else {
            return false;
        };
        if context
            .problem
            .is_dead_end(context.layer, takeoff.to_platform)
        {
            return true;
        }
        if let Some(extra) = context.limits.surcharge(context.layer, takeoff) {
            let landing = cost + f64::from(takeoff.duration) + extra;
            let key = self
                .open
                .push(node, landing, context.ahead(None, takeoff.to_x));
            self.nodes.set_key(node, key);
        }
        true
    }

    /// The same for the `OnFloor` vertex of a column, from which one can take
    /// to the air.
    fn relax_floor(
        &mut self,
        context: &mut Context<'_>,
        platform: &Platform<'_>,
        column: u32,
        x: f32,
        cost: f64,
        parent: u32,
    ) -> bool {
        let grid = context.layer.grid();
        let here = grid.column_x(column);
        let cost = cost + context.limits.walk(platform, x, here);
        let vertex = platform
            .height_at(here)
            .and_then(|y| grid.cell_at(glam::Vec2::new(here, y)))
            .map(|cell| grid.vertex(cell));
        let spot = vertex.and_then(|vertex| context.layer.floor_spot_on(platform.id(), vertex));
        let Some((number, spot)) = spot else {
            // Outside the grid there is nothing to fly in, but farther on
            // there may be.
            return true;
        };
        let this = id(Kind::Floor, number);
        if parent != NONE && self.nodes.get(parent).is_some_and(|p| p.id == this) {
            // This is where the sweep comes from.
            return true;
        }
        let Some(node) = self.nodes.improve(this, cost, parent) else {
            return false;
        };
        if let Some((cell, time)) = touch(context, spot) {
            self.float(context, cell, cost + time, node);
        }
        true
    }
}

/// Feet at an `OnFloor` vertex.
pub(super) fn standing(layer: &Layer, spot: FloorVertex) -> glam::Vec2 {
    let grid = layer.grid();
    glam::Vec2::new(grid.column_x(grid.cell(spot.vertex).column), spot.height)
}

/// The contact of a place on the floor and what it costs to go there or back,
/// if neither is closed.
fn touch(context: &Context<'_>, spot: FloorVertex) -> Option<(Cell, f64)> {
    if !context.limits.edges.contains(EdgeSet::FLY) {
        return None;
    }
    let (cell, gap) = context.layer.contact(spot)?;
    if !context.planes.is_free(cell.column, cell.row) {
        return None;
    }
    let feet = standing(context.layer, spot);
    if context.limits.is_closed(spot.platform, feet.x) {
        return None;
    }
    if gap == 0.0 {
        return Some((cell, 0.0));
    }
    Some((cell, context.limits.fly(feet, context.position(cell))?))
}
