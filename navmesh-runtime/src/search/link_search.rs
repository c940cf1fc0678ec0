//! A* over the links of a layer, and for agents that fly over its free vertices
//! too.
//!
//! A link is a node: reached where it takes off, expanded where it lands. From a
//! landing, the takeoffs of that platform are relaxed outwards, to both sides,
//! until one is met that was reached at least as cheaply before: whatever lies
//! beyond it was, too, by walking on from there. So a platform costs about as
//! much time as it has links, not the product of those that arrive and leave.
//!
//! Free vertices are nodes when their occupancy is given. An agent that stands at an
//! `OnFloor` vertex is also in the air at its contact ([`Layer::contact`]), and
//! the other way round. Flights alone are searched in any direction
//! ([`any_angle`](super::any_angle)), except where areas cost more or the nearest
//! reachable point is wanted.

use glam::Vec2;

use super::cost_model::CostModel;
use super::endpoints::Endpoints;
use super::frontier::{Frontier, NONE, Node, NodeId, NodeStore};
use super::locate::Location;
use super::path::Path;
use super::path_writer::{PathWriter, standing};
use crate::graph::route_search::Estimate;
use crate::mesh::{
    BitGrid, Cell, EdgeSet, FloorVertex, Layer, Platform, PlatformId, Takeoff, VertexId, fly_step,
};

/// The memory of a search, which it keeps from query to query. On foot, the
/// nodes are in an array; in the air, in a hash table.
#[derive(Debug, Clone, Default)]
pub struct LinkSearch<S> {
    frontier: Frontier<S>,
    /// Whether the start was relaxed.
    has_begun: bool,
    /// The cost of the cheapest path to a goal on a platform so far; infinite
    /// before there is one. Links that cannot improve it are not queued.
    goal_cost: f64,
    /// The handle of the goal, once it is found.
    end: u32,
    nearest: Option<Nearest>,
    pub expanded: u32,
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

/// What a search works on.
pub struct SearchContext<'a> {
    pub layer: &'a Layer,
    pub costs: &'a mut CostModel,
    pub ends: &'a Endpoints,
    /// The vertices to fly through; `None` for agents on foot.
    pub occupancy: Option<&'a BitGrid>,
    /// Estimates costs with the index of the layer.
    pub estimate: &'a mut Estimate,
}

/// The reached point nearest to the target.
#[derive(Debug, Clone, Copy)]
struct Nearest {
    distance: f32,
    cost: f64,
    position: Vec2,
    /// The platform it is on, if it is not in the air.
    platform: Option<PlatformId>,
    /// The node it was reached from.
    parent: u32,
}

/// A point of a platform that a search has reached.
#[derive(Clone, Copy)]
struct Reached<'a> {
    platform: Platform<'a>,
    along: f32,
    /// From and to which coordinate the agent can walk from there.
    low: f32,
    high: f32,
    cost: f64,
    node: u32,
}

impl SearchContext<'_> {
    /// The least cost from the landing of a takeoff to the goal; infinite where it is
    /// known that no route leads there.
    #[inline]
    fn ahead_of_link(&mut self, index: usize, takeoff: &Takeoff) -> f64 {
        match self.costs.routes(self.layer) {
            Some(routes) if self.estimate.is_set() => {
                let landing = routes.landings.get(index);
                let ahead = landing.map_or(f64::INFINITY, |&node| {
                    self.estimate.ahead(&routes.routes, node)
                });
                if self.ends.allow_partial_path {
                    // Places without a route to the goal are searched last.
                    ahead.min(f64::from(f32::MAX))
                } else {
                    ahead
                }
            }
            _ if (self.ends).is_dead_end(self.layer, takeoff.to_platform) => f64::INFINITY,
            _ => self.costs.ahead(takeoff.to_x, self.ends.target),
        }
    }

    /// The least cost from a vertex to the goal.
    fn ahead_of(&self, cell: Cell) -> f64 {
        let grid = self.layer.grid();
        match self.ends.goal {
            Some(Location::Air(goal)) if !self.costs.edges.walks() => {
                f64::from(grid.position(cell).distance(goal)) / self.costs.limits.run_speed
            }
            // On foot, heights may cost nothing.
            _ => self
                .costs
                .ahead(grid.column_x(cell.column), self.ends.target),
        }
    }

    /// The contact of a place on the floor and the cost of flying there or back,
    /// if neither is closed.
    fn contact(&self, spot: FloorVertex) -> Option<(Cell, f64)> {
        if !self.costs.edges.contains(EdgeSet::FLY) {
            return None;
        }
        let (cell, gap) = self.layer.contact(spot)?;
        if !self.occupancy?.is_free(cell.column, cell.row) {
            return None;
        }
        let feet = standing(self.layer, spot);
        if self.costs.is_closed(spot.platform, feet.x) {
            return None;
        }
        if gap == 0.0 {
            return Some((cell, 0.0));
        }
        let air = self.layer.grid().position(cell);
        Some((cell, self.costs.fly(feet, air)?))
    }
}

impl<S: NodeStore> LinkSearch<S> {
    /// Forgets the last search.
    pub fn start(&mut self, layer: &Layer) {
        self.frontier.clear(layer.all_takeoffs().len());
        self.has_begun = false;
        self.nearest = None;
        self.goal_cost = f64::INFINITY;
        self.expanded = 0;
        self.end = NONE;
    }

    /// Expands at most `budget` nodes more.
    pub fn step(&mut self, mut context: SearchContext<'_>, budget: u32) -> Progress {
        let context = &mut context;
        let layer = context.layer;
        if !std::mem::replace(&mut self.has_begun, true) {
            match context.ends.start {
                Location::Floor(spot) => {
                    self.arrive(context, spot.platform, layer.along(spot), 0.0, NONE);
                }
                Location::Air(at) => {
                    let cell = layer.grid().nearest_cell(at);
                    self.float(context, cell, 0.0, NONE);
                }
            }
        }
        let mut left = budget;
        loop {
            // With an empty queue the search is over, whatever is left; so below, there
            // is a node only while `left` is above 0.
            if left == 0 && self.frontier.least().is_some() {
                return Progress::Paused;
            }
            let Some((handle, node)) = self.frontier.pop() else {
                return Progress::Exhausted;
            };
            match node.id {
                NodeId::Goal => {
                    self.end = handle;
                    return Progress::Found;
                }
                NodeId::Link(index) => {
                    let Some(takeoff) = layer.all_takeoffs().get(index as usize) else {
                        continue;
                    };
                    let Some(time) = context.costs.link_cost(layer, takeoff) else {
                        continue;
                    };
                    let cost = node.cost + time;
                    let (platform, along) = (takeoff.to_platform, takeoff.to_along);
                    self.arrive(context, platform, along, cost, handle);
                }
                NodeId::Air(vertex) => {
                    let cell = layer.grid().cell(VertexId(vertex));
                    let here = layer.grid().position(cell);
                    if context.ends.goal == Some(Location::Air(here)) {
                        self.expanded += 1;
                        self.end = handle;
                        return Progress::Found;
                    }
                    self.fly_on(context, cell, handle, node);
                }
                NodeId::Floor(_) => continue,
            }
            left -= 1;
            self.expanded += 1;
        }
    }

    /// Relaxes everything that can be walked to from a point of a platform.
    fn arrive(
        &mut self,
        context: &mut SearchContext<'_>,
        platform: PlatformId,
        along: f32,
        cost: f64,
        node: u32,
    ) {
        let layer = context.layer;
        let Some(platform) = layer.platform(platform) else {
            return;
        };
        let (low, high) = context.costs.walkable(&platform, along);
        let at = Reached {
            platform,
            along,
            low,
            high,
            cost,
            node,
        };
        let (first, takeoffs) = layer.takeoffs(platform.id);
        let middle = takeoffs.partition_point(|t| t.along < along);
        let (left, right) = takeoffs.split_at(middle);
        // If a takeoff at this very place was reached as cheaply before, then so was
        // everything that can be walked to from here. Relaxing it again would gain no more
        // than rounding, and could make the path lead through a portal and back.
        let here = right.first().filter(|takeoff| takeoff.along == along);
        if let Some(takeoff) = here
            && !self.relax_link(context, &at, first + middle, takeoff)
        {
            return;
        }
        if let Some(Location::Floor(goal)) = context.ends.goal
            && goal.platform == platform.id
        {
            let there = platform.along(goal.position);
            let total = cost + context.costs.walk(&platform, along, there);
            if (low..=high).contains(&there)
                && let Some(handle) = self.frontier.nodes.improve(NodeId::Goal, total, node)
            {
                self.goal_cost = total;
                self.frontier.push(handle, total, 0.0);
            }
        }
        if context.ends.allow_partial_path {
            let point = platform.nearest_between(context.ends.target, low, high);
            let walk = context.costs.walk(&platform, along, platform.along(point));
            self.offer(context, point, Some(platform.id), cost + walk, node);
        }
        let rest = (first + middle..).zip(right);
        for (i, takeoff) in rest.skip(usize::from(here.is_some())) {
            if takeoff.along > high || !self.relax_link(context, &at, i, takeoff) {
                break;
            }
        }
        for (i, takeoff) in (first..first + middle).zip(left).rev() {
            if takeoff.along < low || !self.relax_link(context, &at, i, takeoff) {
                break;
            }
        }
        if context.occupancy.is_some() {
            self.relax_floor(context, &at);
        }
    }

    /// Notes that a takeoff can be walked to. Returns `false` when it was
    /// reached as cheaply before.
    #[inline]
    fn relax_link(
        &mut self,
        context: &mut SearchContext<'_>,
        at: &Reached<'_>,
        index: usize,
        takeoff: &Takeoff,
    ) -> bool {
        let cost = at.cost + context.costs.walk(&at.platform, at.along, takeoff.along);
        let id = NodeId::Link(index as u32);
        let Some(handle) = self.frontier.nodes.improve(id, cost, at.node) else {
            return false;
        };
        if let Some(time) = context.costs.link_cost(context.layer, takeoff) {
            let landing = cost + time;
            let ahead = context.ahead_of_link(index, takeoff);
            // An infinite estimate is never less, so links from which the goal cannot be
            // reached are not queued.
            if landing + ahead < self.goal_cost {
                self.frontier.push(handle, landing, ahead);
            }
        }
        true
    }

    /// Notes that the `OnFloor` vertices of a platform can be walked to, outwards
    /// as with takeoffs.
    fn relax_floor(&mut self, context: &SearchContext<'_>, at: &Reached<'_>) {
        let grid = context.layer.grid();
        let columns = at.platform.columns(grid);
        let middle = columns
            .clone()
            .find(|&c| grid.column_x(c) >= at.along)
            .unwrap_or(columns.end);
        for column in middle..columns.end {
            if grid.column_x(column) > at.high || !self.relax_vertex(context, at, column) {
                break;
            }
        }
        for column in (columns.start..middle).rev() {
            if grid.column_x(column) < at.low || !self.relax_vertex(context, at, column) {
                break;
            }
        }
    }

    fn relax_vertex(&mut self, context: &SearchContext<'_>, at: &Reached<'_>, column: u32) -> bool {
        let grid = context.layer.grid();
        let x = grid.column_x(column);
        let vertex = at
            .platform
            .height_at(x)
            .and_then(|y| grid.cell_at(Vec2::new(x, y)))
            .map(|cell| grid.vertex(cell));
        let spot = vertex.and_then(|v| context.layer.floor_spot_on(at.platform.id, v));
        let Some((number, spot)) = spot else {
            // Outside the grid there is nothing to fly in, but farther on there
            // may be.
            return true;
        };
        let id = NodeId::Floor(number);
        if self.frontier.nodes.get(at.node).is_some_and(|n| n.id == id) {
            // The sweep starts at this vertex.
            return true;
        }
        let cost = at.cost + context.costs.walk(&at.platform, at.along, x);
        let Some(handle) = self.frontier.nodes.improve(id, cost, at.node) else {
            return false;
        };
        if let Some((cell, time)) = context.contact(spot) {
            self.float(context, cell, cost + time, handle);
        }
        true
    }

    /// Notes that a vertex in the air can be reached.
    fn float(&mut self, context: &SearchContext<'_>, cell: Cell, cost: f64, parent: u32) {
        let id = NodeId::Air(context.layer.grid().vertex(cell).0);
        if let Some(handle) = self.frontier.nodes.improve(id, cost, parent) {
            self.frontier.push(handle, cost, context.ahead_of(cell));
        }
    }

    /// Relaxes the vertices that can be flown to from one, and the floor it touches.
    fn fly_on(&mut self, context: &mut SearchContext<'_>, at: Cell, handle: u32, node: Node) {
        let (layer, Some(occupancy)) = (context.layer, context.occupancy) else {
            return;
        };
        let grid = layer.grid();
        let cost = node.cost;
        let from = grid.position(at);
        if context.ends.allow_partial_path {
            self.offer(context, from, None, cost, handle);
        }
        for y in -1..=1 {
            for x in -1..=1 {
                if let Some(next) = fly_step(occupancy, at, [x, y]).filter(|next| *next != at)
                    && let Some(time) = context.costs.fly(from, grid.position(next))
                {
                    self.float(context, next, cost + time, handle);
                }
            }
        }
        if !context.costs.edges.walks() {
            return;
        }
        let below = Cell {
            row: at.row.saturating_add(1),
            ..at
        };
        // A floor that is higher than its vertex, or whose vertex is blocked, is left to
        // the vertex above: see `Layer::contact`.
        for cell in [at, below] {
            if cell.row >= grid.rows {
                continue;
            }
            for (number, spot) in layer.floor_spots(grid.vertex(cell)) {
                let Some((_, time)) = context.contact(spot).filter(|(air, _)| *air == at) else {
                    continue;
                };
                let (cost, id) = (cost + time, NodeId::Floor(number));
                if let Some(handle) = self.frontier.nodes.improve(id, cost, handle) {
                    let x = grid.column_x(cell.column);
                    self.arrive(context, spot.platform, x, cost, handle);
                }
            }
        }
    }

    /// Keeps the point nearer to the target; of two equally near ones, the one
    /// that costs less.
    fn offer(
        &mut self,
        context: &SearchContext<'_>,
        position: Vec2,
        platform: Option<PlatformId>,
        cost: f64,
        parent: u32,
    ) {
        let distance = context.ends.target.distance(position);
        let is_better = self.nearest.is_none_or(|best| {
            (distance.total_cmp(&best.distance))
                .then(cost.total_cmp(&best.cost))
                .is_lt()
        });
        if is_better {
            self.nearest = Some(Nearest {
                distance,
                cost,
                position,
                platform,
                parent,
            });
        }
    }

    /// Writes the path to the goal, or to the reached point nearest to it.
    /// Returns `false` when there is no such path.
    pub fn path(
        &self,
        layer: &Layer,
        costs: &CostModel,
        ends: &Endpoints,
        to_goal: bool,
        path: &mut Path,
    ) -> bool {
        let end = if to_goal {
            let node = self.frontier.nodes.get(self.end);
            node.zip(ends.goal).map(|(node, goal)| Nearest {
                distance: 0.0,
                cost: node.cost,
                position: goal.position(),
                platform: goal.platform(),
                parent: node.parent,
            })
        } else {
            self.nearest
        };
        let Some(end) = end else {
            return false;
        };
        path.cost = end.cost;
        let writer = PathWriter::new(layer, costs, path, end.position, end.platform);
        writer.trace(&self.frontier.nodes, end.parent, ends.start);
        true
    }
}
