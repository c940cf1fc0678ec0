//! The path finder: locates start and goal, chooses a search and runs it.

use glam::Vec2;

use super::cost_model::CostModel;
use super::frontier::{HashedNodes, LinkNodes};
use super::link_search::{LinkSearch, SearchContext};
use super::locate::{Location, locate};
use super::path::{Path, Step};
use super::path_writer::{PathWriter, drop_detours};
use super::planes::Overlay;
use super::problem::{Problem, Progress};
use super::query::{NoPath, PathOutcome, Query, QueryError};
use super::regions::{Rect, segment_inside};
use crate::graph::hierarchy::Seed;
use crate::graph::route_search::{Estimate, RouteSearch};
use crate::mesh::{
    Cell, EdgeSet, FloorSpot, Layer, RouteIndex, Seeds, Stretch, direction, octile, turn,
};

/// Finds paths and owns the memory for it: once that has grown to the size that
/// a level needs, queries allocate nothing. Keep one per thread and use it for
/// every agent and every layer.
///
/// ```
/// # use glam::Vec2;
/// # use navmesh_runtime::mesh::Layer;
/// use navmesh_runtime::search::{PathOutcome, PathFinder, Query};
///
/// # fn chase(layer: &Layer, me: Vec2, player: Vec2) -> Result<(), Box<dyn std::error::Error>> {
/// let mut finder = PathFinder::new();
/// match finder.find(layer, &Query { allow_partial_path: true, ..Query::new(me, player) })? {
///     PathOutcome::Found(path) | PathOutcome::Nearest(path, _) => {
///         for step in &path.steps {
///             println!("{} to {}", step.kind.name(), step.to);
///         }
///     }
///     PathOutcome::NoPath(why) => println!("{why}"),
///     _ => {}
/// }
/// # Ok(())
/// # }
/// ```
///
/// A search can be spread over frames:
///
/// ```
/// # use navmesh_runtime::mesh::Layer;
/// # use navmesh_runtime::search::{PathOutcome, PathFinder, Query, QueryError};
/// # fn think(finder: &mut PathFinder, layer: &Layer, query: &Query) -> Result<(), QueryError> {
/// finder.start(layer, query)?;
/// while let PathOutcome::BudgetExhausted = finder.step(layer, 200)? {
///     // the next frame
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default)]
pub struct PathFinder {
    on_foot: LinkSearch<LinkNodes>,
    in_the_air: LinkSearch<HashedNodes>,
    routes: RouteSearch,
    flight: Flight,
    estimate: Estimate,
    overlay: Overlay,
    costs: CostModel,
    path: Path,
    state: State,
    /// The identity of the layer of the current search.
    layer: usize,
}

/// The memory of flights that are looked up.
#[derive(Debug, Clone, Default)]
struct Flight {
    /// The nodes of the index next to the start and to the goal.
    ends: [Vec<Seed>; 2],
    /// Where it begins, turns and ends.
    cells: Vec<Cell>,
}

/// The state of the current search.
#[derive(Debug, Clone, Copy, Default)]
enum State {
    /// No search was started.
    #[default]
    Idle,
    /// It runs. The reason is the one to report when the goal is not reached.
    Running(Method, Problem, NoPath),
    /// It has ended with a path to the goal.
    Found,
    /// It has ended with a path to the point nearest to the goal.
    Nearest(NoPath),
    /// It has ended without a path.
    NoPath(NoPath),
}

/// The search that runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    /// Looks the route up in the index of the layer. What a filter changes costs
    /// more than in the index, so a route that the filter does not change is the
    /// cheapest under the filter, too. If it does, [`OnFoot`](Self::OnFoot) searches.
    Indexed,
    OnFoot,
    InTheAir,
    /// [`InTheAir`](Self::InTheAir) from one jump point to the next.
    JumpPoints,
}

impl PathFinder {
    /// A finder without memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Finds the cheapest path, without a limit on the number of expanded
    /// nodes.
    ///
    /// # Errors
    /// When the query holds a number that is out of range.
    pub fn find(&mut self, layer: &Layer, query: &Query) -> Result<PathOutcome<'_>, QueryError> {
        self.start(layer, query)?;
        self.step(layer, u32::MAX)
    }

    /// Starts a search, which [`step`](Self::step) runs. A search that has not
    /// ended is abandoned.
    ///
    /// # Errors
    /// When the query holds a number that is out of range.
    pub fn start(&mut self, layer: &Layer, query: &Query) -> Result<(), QueryError> {
        self.state = State::Idle;
        query.check()?;
        self.path.clear();
        self.layer = layer.identity();
        self.costs.prepare(layer, query);
        self.state = match self.begin(layer, query) {
            Ok((method, problem, why)) => self.run(layer, method, problem, why),
            Err(why) => State::NoPath(why),
        };
        Ok(())
    }

    /// Runs the search that [`start`](Self::start) began, for at most `budget`
    /// nodes. After its end, returns the same outcome again.
    ///
    /// # Errors
    /// When no search was started, or it was started in another layer.
    pub fn step(&mut self, layer: &Layer, budget: u32) -> Result<PathOutcome<'_>, QueryError> {
        if let State::Idle = self.state {
            return Err(QueryError::NotStarted);
        }
        if self.layer != layer.identity() {
            return Err(QueryError::OtherLayer);
        }
        let mut left = budget;
        while let State::Running(method, problem, why) = self.state {
            let before = self.expanded_by(method);
            let progress = self.expand(layer, method, &problem, left);
            let now = self.expanded_by(method);
            left = left.saturating_sub(now - before);
            self.path.expanded = now;
            self.state = match progress {
                Progress::Paused => return Ok(PathOutcome::BudgetExhausted),
                Progress::Found => {
                    self.trace(layer, method, &problem, true);
                    if problem.original_target.is_some() {
                        State::Nearest(why)
                    } else {
                        State::Found
                    }
                }
                Progress::Exhausted if method == Method::Indexed && layer.flights().is_some() => {
                    // A closed door crosses the flight that the index has, or it has
                    // none.
                    self.run(layer, Method::JumpPoints, problem, why)
                }
                Progress::Exhausted if problem.original_target.is_some() => {
                    // The filter closes the path to the point that `aim_short` chose.
                    let nearest = Problem {
                        goal: None,
                        target: problem.original_target.unwrap_or(problem.target),
                        goal_component: None,
                        original_target: None,
                        allow_partial_path: true,
                        ..problem
                    };
                    self.costs.aim(layer, nearest.target);
                    let method = match problem.start {
                        Location::Floor(_) => Method::OnFoot,
                        Location::Air(_) => Method::InTheAir,
                    };
                    self.run(layer, method, nearest, why)
                }
                Progress::Exhausted
                    if method == Method::Indexed
                        && (problem.allow_partial_path || !self.costs.are_baked(layer)) =>
                {
                    // At the costs of the bake, a route that is not in the index does
                    // not exist: a search is left to find the nearest point only.
                    if !self.costs.are_baked(layer) {
                        self.begin_estimate(layer, &problem);
                    }
                    self.run(layer, Method::OnFoot, problem, NoPath::Exhausted)
                }
                Progress::Exhausted
                    if method == Method::JumpPoints && problem.allow_partial_path =>
                {
                    // Not every vertex is a jump point, so the nearest reachable
                    // one is not known yet.
                    self.run(layer, Method::InTheAir, problem, NoPath::Exhausted)
                }
                Progress::Exhausted => {
                    let is_near =
                        problem.allow_partial_path && self.trace(layer, method, &problem, false);
                    if is_near {
                        State::Nearest(why)
                    } else {
                        State::NoPath(why)
                    }
                }
            };
        }
        Ok(match self.state {
            State::Found => PathOutcome::Found(&self.path),
            State::Nearest(why) => PathOutcome::Nearest(&self.path, why),
            State::NoPath(why) => PathOutcome::NoPath(why),
            State::Idle | State::Running(..) => PathOutcome::BudgetExhausted,
        })
    }

    /// The number of nodes that the current or last search has expanded.
    pub fn expanded(&self) -> u32 {
        self.path.expanded
    }

    /// Builds an index of the cheapest routes, unless it exists, for queries
    /// like `query`: with its [profile](Query::profile), and with the edges,
    /// caution and [`resolve`](super::Filter::resolve) of its filter. Returns its size
    /// in bytes of memory; 0 for layers of agents that both walk and fly, and for the
    /// ninth kind of agent in a layer. Agents that only fly share one index.
    ///
    /// [`Layer::index_routes`] is for agents as they were baked. This is for the others:
    /// their queries, from any finder or queue and with any doors closed, then take
    /// microseconds, too. Where a door or a cost area changes the route, the index
    /// guides the search. The positions of `query` do not matter. A
    /// [`NavAgent`](crate::motion::NavAgent) always sets `resolve`.
    ///
    /// ```
    /// # use glam::Vec2;
    /// # use navmesh_runtime::mesh::Layer;
    /// # use navmesh_runtime::search::{PathFinder, Query, QueryError};
    /// # fn load(layer: &Layer) -> Result<(), QueryError> {
    /// let mut careful = Query::new(Vec2::ZERO, Vec2::ZERO);
    /// careful.filter.caution = 0.5;
    /// PathFinder::new().index_routes(layer, &careful)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When the query holds a number that is out of range.
    pub fn index_routes(&mut self, layer: &Layer, query: &Query) -> Result<usize, QueryError> {
        query.check()?;
        let mut query = query.clone();
        query.filter.forget_places();
        self.state = State::Idle;
        self.costs.prepare(layer, &query);
        Ok(self.costs.index_routes(layer))
    }

    /// Locates start and goal and chooses a search.
    ///
    /// # Errors
    /// When it is known without a search that there is no path.
    fn begin(&mut self, layer: &Layer, query: &Query) -> Result<(Method, Problem, NoPath), NoPath> {
        let edges = self.costs.edges;
        let (flies, walks) = (edges.contains(EdgeSet::FLY), edges.walks());
        let start = locate(layer, query.from, edges).ok_or(NoPath::StartNotNavigable)?;
        let goal = locate(layer, query.to, edges);
        if !(flies || walks) || self.is_closed(layer, start) {
            return Err(NoPath::StartClosed);
        }
        let open_goal = goal.filter(|&place| !self.is_closed(layer, place));
        let goal_component = open_goal.and_then(|place| component(layer, place));
        let is_disconnected = || {
            let ends = component(layer, start).zip(goal_component);
            ends.is_some_and(|(from, to)| !layer.graph().may_reach(from, to))
        };
        let why = match (goal, open_goal) {
            (None, _) => NoPath::GoalNotNavigable,
            (_, None) => NoPath::GoalClosed,
            _ if is_disconnected() => NoPath::Disconnected,
            // The reason that a search reports when it finds no path.
            _ => NoPath::Exhausted,
        };
        if why != NoPath::Exhausted && !query.allow_partial_path {
            return Err(why);
        }
        let mut problem = Problem {
            start,
            goal: open_goal,
            target: goal.map_or(query.to, |place| place.position(layer)),
            goal_component,
            original_target: None,
            allow_partial_path: query.allow_partial_path,
        };
        let mut can_look_up = false;
        if !flies {
            self.estimate.clear();
            self.costs.choose_routes(layer);
            can_look_up = self.costs.can_look_up();
        }
        if why != NoPath::Exhausted && (can_look_up || !walks) {
            self.aim_short(layer, &mut problem);
        }
        self.costs.aim(layer, problem.target);
        // Jump points need a goal, and every step to cost the same.
        let has_goal = why == NoPath::Exhausted || problem.original_target.is_some();
        let filter = &self.costs.filter;
        let is_all_open = !filter.keep_off_floor && !filter.keep_to_floor;
        let method = if !flies {
            if has_goal && can_look_up {
                Method::Indexed
            } else {
                if has_goal {
                    self.begin_estimate(layer, &problem);
                }
                Method::OnFoot
            }
        } else if walks || !has_goal || !self.costs.filter.costs.is_empty() {
            Method::InTheAir
        } else if layer.flights().is_some() && is_all_open {
            Method::Indexed
        } else {
            Method::JumpPoints
        };
        Ok((method, problem, why))
    }

    /// Prepares the estimate of costs with the index of a layer, if it has one.
    fn begin_estimate(&mut self, layer: &Layer, problem: &Problem) {
        if let (Some(index), Some(Location::Floor(goal))) = (self.costs.routes(layer), problem.goal)
            && let Some(gain) = self.costs.most_gain()
        {
            let seeds = self.seeds(layer, index, goal);
            self.estimate
                .begin(&index.routes, seeds.into_iter().flatten(), gain);
        }
    }

    /// The nodes of the index next to a place.
    fn seeds(&self, layer: &Layer, index: &RouteIndex, spot: FloorSpot) -> Seeds {
        let kind = layer.kind(spot.platform);
        let speed = self.costs.index_speed(layer, kind);
        index.seeds(spot.platform, layer.along(spot), speed as f32)
    }

    /// Looks the cheapest route up in the index of the layer and writes its path.
    fn look_up(&mut self, layer: &Layer, problem: &Problem) -> Progress {
        let (Some(index), Location::Floor(start), Some(Location::Floor(goal))) =
            (self.costs.routes(layer), problem.start, problem.goal)
        else {
            return Progress::Exhausted;
        };
        let (from, to) = (layer.along(start), layer.along(goal));
        let walk = layer.platform(start.platform).filter(|platform| {
            let (low, high) = self.costs.walkable(platform, from);
            start.platform == goal.platform && (low..=high).contains(&to)
        });
        let walk = walk.map(|platform| self.costs.walk(&platform, from, to));
        let seeds = [start, goal].map(|spot| self.seeds(layer, index, spot));
        // Where the agent can walk to the goal, only a quicker route counts.
        let limit = walk.map_or(f32::INFINITY, |walk| walk as f32);
        let [from_nodes, to_nodes] = seeds.map(|seeds| seeds.into_iter().flatten());
        let found = (self.routes).find(&index.routes, from_nodes, to_nodes, limit);
        let is_found = found.is_some();
        let route = found.map_or(&[][..], |(_, route)| {
            drop_detours(layer, route);
            route
        });
        let (costs, path) = (&mut self.costs, &mut self.path);
        path.clear();
        let (mut at, mut along) = (start, from);
        for &number in route {
            let cost = index.costs.get(number as usize);
            let Some(((takeoff, link), cost)) = layer.takeoff(number).zip(cost) else {
                return Progress::Exhausted;
            };
            let kind = layer.kind(at.platform);
            let walk = costs.indexed_walk(layer, (at.platform, kind), along, takeoff.along);
            let time = costs.indexed_link(layer, takeoff, *cost);
            let (Some(walk), Some(time)) = (walk, time) else {
                return Progress::Exhausted;
            };
            if at.position != link.from {
                let ends = [at.position, link.from];
                path.steps
                    .push(Step::walk(kind, at.platform, ends, walk as f32));
            }
            let duration = costs.duration(layer, takeoff.link, link);
            path.steps.push(Step::link(takeoff.link, link, duration));
            path.cost += walk + time;
            at = FloorSpot {
                platform: takeoff.to_platform,
                position: link.to,
            };
            along = takeoff.to_along;
        }
        let kind = layer.kind(at.platform);
        let last = if is_found {
            costs.indexed_walk(layer, (at.platform, kind), along, to)
        } else {
            // Every other way costs at least as much as the walk.
            walk
        };
        let Some(last) = last else {
            return Progress::Exhausted;
        };
        if at.position != goal.position {
            let length = (f64::from(to) - f64::from(along)).abs();
            let duration = (length / costs.limits.speed_on(kind)) as f32;
            let ends = [at.position, goal.position];
            path.steps
                .push(Step::walk(kind, at.platform, ends, duration));
        }
        path.cost += last;
        (path.start, path.end) = (start.position, goal.position);
        path.expanded = route.len() as u32;
        Progress::Found
    }

    /// Looks the shortest flight up in the index of the layer and writes its path.
    fn look_up_flight(&mut self, layer: &Layer, problem: &Problem) -> Progress {
        let (Some(index), Location::Air(start), Some(Location::Air(goal))) =
            (layer.flights(), problem.start, problem.goal)
        else {
            return Progress::Exhausted;
        };
        let blocked = layer.blocked();
        let Flight { ends, cells } = &mut self.flight;
        cells.clear();
        cells.push(start);
        if let Some(corner) = index.direct(blocked, start, goal) {
            cells.extend([corner, goal]);
            self.path.expanded = 1;
        } else {
            for (seeds, at) in ends.iter_mut().zip([start, goal]) {
                seeds.clear();
                index.seeds(blocked, at, |seed| seeds.push(seed));
            }
            let [from, to] = ends.each_ref().map(|seeds| seeds.iter().copied());
            let found = self.routes.find(&index.routes, from, to, f32::INFINITY);
            let Some((first, route)) = found else {
                return Progress::Exhausted;
            };
            self.path.expanded = 1 + route.len() as u32;
            // A flight goes on as it came, where that is free.
            let (mut at, mut heading) = (start, None);
            let (both, last) = ([true; 2], Some(goal));
            let stretches = route.iter().map(|&stored| Stretch::unpack(stored));
            let cell = |node: u32| index.cells.get(node as usize).copied();
            let nodes = stretches.map(|stretch| (cell(stretch.to), stretch.ways));
            let first = std::iter::once((cell(first), both));
            for (next, [diagonal_first, straight_first]) in first.chain(nodes).chain([(last, both)])
            {
                let Some(next) = next else {
                    return Progress::Exhausted;
                };
                let straight = turn(next, at);
                let goes_on = straight != at && heading == Some(direction(at, straight));
                let corner = if straight_first && (goes_on || !diagonal_first) {
                    straight
                } else {
                    turn(at, next)
                };
                cells.extend([corner, next]);
                if next != at {
                    let from = if corner == next { at } else { corner };
                    heading = Some(direction(from, next));
                }
                at = next;
            }
        }
        let grid = layer.grid();
        // A door also closes the diagonals beside the vertices that it covers.
        let reach = Vec2::splat(grid.spacing);
        let mut doors = self.costs.doors.iter();
        let is_crossed = doors.any(|door| {
            let near = Rect::new(door.min - reach, door.max + reach);
            cells.windows(2).any(|pair| {
                let [from, to] = [pair[0], pair[1]].map(|cell| grid.position(cell));
                segment_inside(near, from, to).is_some()
            })
        });
        if is_crossed {
            return Progress::Exhausted;
        }
        let length: f64 = cells.windows(2).map(|pair| octile(pair[0], pair[1])).sum();
        let (costs, path) = (&self.costs, &mut self.path);
        path.cost = length * costs.seconds_per_spacing(layer);
        let mut writer = PathWriter::new(layer, costs, path, grid.position(goal), None);
        for &cell in cells.iter().rev() {
            writer.move_from(grid.position(cell), None);
        }
        writer.finish(problem.start);
        Progress::Found
    }

    /// Replaces an unreachable goal by the point nearest to it that the agent may reach,
    /// where that is known. A filter can make it unreachable; then a search decides.
    fn aim_short(&self, layer: &Layer, problem: &mut Problem) {
        let target = problem.target;
        let nearest = match problem.start {
            Location::Floor(start) => {
                let spot = layer.nearest_reachable(start.platform, target);
                spot.map(Location::Floor)
            }
            Location::Air(start) => layer.air.as_ref().and_then(|air| {
                let at = layer.grid().in_spacings(target.as_dvec2());
                let cell = air.nearest_in(air.region(start)?, at.x, at.y);
                cell.map(Location::Air)
            }),
        };
        if let Some(place) = nearest.filter(|&place| !self.is_closed(layer, place)) {
            problem.original_target = Some(target);
            problem.goal = Some(place);
            problem.target = place.position(layer);
            problem.goal_component = component(layer, place);
            problem.allow_partial_path = false;
        }
    }

    /// Whether the filter excludes a place.
    fn is_closed(&self, layer: &Layer, place: Location) -> bool {
        match place {
            Location::Floor(spot) => self.costs.is_closed(spot.platform, layer.along(spot)),
            Location::Air(cell) => {
                self.costs.filter.excludes(layer.terrain(cell))
                    || self.costs.covers(layer.grid().position(cell))
            }
        }
    }

    /// Starts a search of some method.
    fn run(&mut self, layer: &Layer, method: Method, problem: Problem, why: NoPath) -> State {
        if matches!(method, Method::InTheAir | Method::JumpPoints) {
            self.overlay.prepare(layer, &self.costs);
        }
        match method {
            Method::Indexed => {}
            Method::OnFoot => self.on_foot.start(layer),
            Method::InTheAir | Method::JumpPoints => self.in_the_air.start(layer),
        }
        State::Running(method, problem, why)
    }

    /// Expands at most `budget` nodes.
    fn expand(&mut self, layer: &Layer, method: Method, to: &Problem, budget: u32) -> Progress {
        let planes = self.overlay.planes(layer);
        let context = SearchContext {
            layer,
            costs: &mut self.costs,
            problem: to,
            planes: planes.filter(|_| method != Method::OnFoot),
            jumps: method == Method::JumpPoints,
            estimate: &mut self.estimate,
        };
        match method {
            Method::Indexed if budget == 0 => Progress::Paused,
            Method::Indexed if layer.flights().is_some() => self.look_up_flight(layer, to),
            Method::Indexed => self.look_up(layer, to),
            Method::OnFoot => self.on_foot.step(context, budget),
            Method::InTheAir | Method::JumpPoints => self.in_the_air.step(context, budget),
        }
    }

    fn expanded_by(&self, method: Method) -> u32 {
        match method {
            Method::Indexed => self.path.expanded,
            Method::OnFoot => self.on_foot.expanded,
            Method::InTheAir | Method::JumpPoints => self.in_the_air.expanded,
        }
    }

    /// Writes the path to the goal, or to the point nearest to it. Returns
    /// `false` when there is no such path.
    fn trace(&mut self, layer: &Layer, method: Method, problem: &Problem, to_goal: bool) -> bool {
        let (costs, path) = (&self.costs, &mut self.path);
        match method {
            // The path was written when the route was found.
            Method::Indexed => true,
            Method::OnFoot => self.on_foot.path(layer, costs, problem, to_goal, path),
            Method::InTheAir | Method::JumpPoints => {
                (self.in_the_air).path(layer, costs, problem, to_goal, path)
            }
        }
    }
}

/// The component of the link graph, or of the air, in which a place is.
fn component(layer: &Layer, place: Location) -> Option<u32> {
    match place {
        Location::Floor(spot) => layer.graph().component(spot.platform),
        Location::Air(cell) => layer.air_component(cell),
    }
}
