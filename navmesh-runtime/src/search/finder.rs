//! The path finder: locates start and goal, and tries searches in order.

use glam::Vec2;

use super::closed_air::ClosedAir;
use super::cost_model::CostModel;
use super::endpoints::Endpoints;
use super::filter::Filter;
use super::flight_search::{FlightSearch, Space};
use super::free_space::FreeSpace;
use super::frontier::{HashedNodes, LinkNodes};
use super::index_lookup::{IndexLookup, seeds, write_flight};
use super::link_search::{LinkSearch, Progress, SearchContext};
use super::locate::{Location, free_vertex, locate};
use super::occupancy::OccupancyOverlay;
use super::path::Path;
use super::path_writer::fly_to_ends;
use super::query::{NoPath, PathOutcome, Query, QueryError};
use super::rides::{RideSearch, ends_aboard};
use crate::graph::route_search::Estimate;
use crate::mesh::{Air, Cell, EdgeSet, Layer};

/// Finds paths and owns the memory for it: once that has grown to the size that
/// a level needs, queries allocate nothing, except those of fliers when another door is
/// closed. Keep one per thread and use it for
/// every agent and every layer. Fliers that have one goal share a search from there; of
/// flights that are equally long they may then get another.
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
    flight: FlightSearch,
    closed_air: ClosedAir,
    lookup: IndexLookup,
    estimate: Estimate,
    overlay: OccupancyOverlay,
    costs: CostModel,
    /// For queries with a departure.
    rides: Option<Box<RideSearch>>,
    /// The query whose rides are to be searched when the search without them has ended.
    to_ride: Option<Box<Query>>,
    path: Path,
    state: State,
    /// The identity of the layer of the current search.
    layer: usize,
}

/// The state of the current search.
#[derive(Debug, Clone, Copy, Default)]
enum State {
    /// No search was started.
    #[default]
    Idle,
    /// It runs. The other strategies are those to try after this one.
    Running(Strategy, &'static [Strategy], Endpoints),
    /// It has ended with a path to the goal.
    Found,
    /// It has ended with a path to the point nearest to the goal.
    Nearest(NoPath),
    /// It has ended without a path.
    NoPath(NoPath),
}

/// A way to find a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strategy {
    /// Looks the route up in the index of the layer. What a filter changes costs
    /// more than in the index, so a route that the filter does not change is the
    /// cheapest under the filter, too.
    LookUpRoute,
    /// Looks the flight up in the index of the layer, and uses it if no closed door
    /// crosses it.
    LookUpFlight,
    /// Searches the air for the shortest flight.
    Flight,
    /// Searches all that can be reached, for the goal or, if the query allows it, for
    /// the point nearest to it.
    Search,
    /// Searches for the nearest point where [`aim_short`](PathFinder::aim_short) chose
    /// one without a search, but the filter closes the path to it.
    SearchNearest,
}

/// The strategies in the order in which they are tried: each that
/// [applies](PathFinder::applies), until one finds a path.
const STRATEGIES: [Strategy; 5] = [
    Strategy::LookUpRoute,
    Strategy::LookUpFlight,
    Strategy::Flight,
    Strategy::Search,
    Strategy::SearchNearest,
];

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
        let limits = &self.costs.limits;
        let is_baked = !limits.are_tighter && !limits.change_motion();
        let may_ride = query.may_ride(layer) && is_baked && self.costs.edges.walks();
        self.to_ride = may_ride.then(|| Box::new(query.clone()));
        self.state = match self.locate_ends(layer, query) {
            Ok(ends) => self.try_next(layer, &STRATEGIES, ends),
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
        while let State::Running(strategy, others, ends) = self.state {
            let before = self.expanded_by(strategy);
            let progress = self.expand(layer, strategy, &ends, left);
            let now = self.expanded_by(strategy);
            left = left.saturating_sub(now - before);
            self.path.expanded = now;
            self.state = match progress {
                Progress::Paused => return Ok(PathOutcome::BudgetExhausted),
                Progress::Found => {
                    self.trace(layer, strategy, &ends, true);
                    if ends.original_target.is_some() {
                        State::Nearest(ends.reason)
                    } else {
                        State::Found
                    }
                }
                Progress::Exhausted => match self.try_next(layer, others, ends) {
                    State::NoPath(why)
                        if ends.allow_partial_path && self.trace(layer, strategy, &ends, false) =>
                    {
                        State::Nearest(why)
                    }
                    next => next,
                },
            };
        }
        if let Some(query) = self.to_ride.take() {
            self.ride(layer, &query);
        }
        Ok(match self.state {
            State::Found => PathOutcome::Found(&self.path),
            State::Nearest(why) => PathOutcome::Nearest(&self.path, why),
            State::NoPath(why) => PathOutcome::NoPath(why),
            State::Idle | State::Running(..) => PathOutcome::BudgetExhausted,
        })
    }

    /// Takes the path with rides if it is faster than that without them. From and to a platform
    /// that moves, there is no other.
    fn ride(&mut self, layer: &Layer, query: &Query) {
        let [from, to] = ends_aboard(layer, query);
        let limit = match self.state {
            _ if from.is_some() || to.is_some() => f64::INFINITY,
            State::Found => self.path.cost,
            State::NoPath(NoPath::Disconnected | NoPath::Exhausted) | State::Nearest(_) => {
                f64::INFINITY
            }
            _ => return,
        };
        let rides = self.rides.get_or_insert_default();
        if let Some(mut path) = rides.find(layer, query, limit) {
            path.expanded += self.path.expanded;
            (self.path, self.state) = (path, State::Found);
        } else if from.is_some() {
            self.state = State::NoPath(NoPath::Disconnected);
        }
    }

    /// The number of nodes that the current or last search has expanded.
    pub fn expanded(&self) -> u32 {
        self.path.expanded
    }

    /// Builds an index of the cheapest routes, unless it exists, for queries
    /// like `query`: with its [profile](Query::profile), and with the edges,
    /// caution and [`replace_jumps`](super::Filter::replace_jumps) of its filter. Returns its size
    /// in bytes of memory; 0 for layers of agents that both walk and fly, and for the
    /// ninth kind of agent in a layer. Agents that only fly share one index.
    ///
    /// [`Layer::index_routes`] is for agents as they were baked. This is for the others:
    /// their queries, from any finder or queue and with any doors closed, then take
    /// microseconds, too. Where a door or a cost area changes the route, the index
    /// guides the search. The positions of `query` do not matter. A
    /// [`NavAgent`](crate::motion::NavAgent) always sets `replace_jumps`.
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

    /// Locates start and goal.
    ///
    /// # Errors
    /// When it is known without a search that there is no path.
    fn locate_ends(&mut self, layer: &Layer, query: &Query) -> Result<Endpoints, NoPath> {
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
        let reason = match (goal, open_goal) {
            (None, _) => NoPath::GoalNotNavigable,
            (_, None) => NoPath::GoalClosed,
            _ if is_disconnected() => NoPath::Disconnected,
            // The reason that a search reports when it finds no path.
            _ => NoPath::Exhausted,
        };
        if reason != NoPath::Exhausted && !query.allow_partial_path {
            return Err(reason);
        }
        let mut ends = Endpoints {
            start,
            goal: open_goal,
            beside_vertices: [None; 2],
            target: goal.map_or(query.to, |place| place.position()),
            goal_component,
            original_target: None,
            allow_partial_path: query.allow_partial_path,
            reason,
        };
        self.estimate.clear();
        if !flies {
            self.costs.choose_routes(layer);
        }
        let knows_nearest = !walks || !flies && self.costs.can_look_up();
        if reason != NoPath::Exhausted && knows_nearest {
            self.aim_short(layer, &mut ends);
        }
        self.costs.aim(layer, ends.target);
        Ok(ends)
    }

    /// Starts the first of some strategies that applies.
    fn try_next(
        &mut self,
        layer: &Layer,
        mut strategies: &'static [Strategy],
        mut ends: Endpoints,
    ) -> State {
        while let Some((&strategy, others)) = strategies.split_first() {
            if self.applies(layer, strategy, &ends) {
                self.begin(layer, strategy, &mut ends);
                return State::Running(strategy, others, ends);
            }
            strategies = others;
        }
        State::NoPath(ends.reason)
    }

    /// Whether a strategy may find a path where those before it found none.
    fn applies(&self, layer: &Layer, strategy: Strategy, ends: &Endpoints) -> bool {
        let Filter {
            keep_off_floor,
            keep_to_floor,
            costs: areas,
            ..
        } = &self.costs.filter;
        let edges = self.costs.edges;
        let on_foot = !edges.contains(EdgeSet::FLY);
        let looks_up_route = on_foot && ends.may_be_joined() && self.costs.can_look_up();
        // For a shortest flight, every stretch must cost the same.
        let flies = !on_foot && !edges.walks() && !keep_to_floor && areas.is_empty();
        let is_aimed_short = ends.original_target.is_some();
        match strategy {
            Strategy::LookUpRoute => looks_up_route,
            Strategy::LookUpFlight => {
                flies && ends.may_be_joined() && layer.flights().is_some() && !keep_off_floor
            }
            Strategy::Flight => flies,
            // At the costs of the bake, a route that is not in the index does not exist. So a
            // search after these may only be needed to find the nearest point.
            Strategy::Search if looks_up_route => {
                !is_aimed_short && (ends.allow_partial_path || !self.costs.are_baked(layer))
            }
            // A flight also leads to the nearest point.
            Strategy::Search | Strategy::SearchNearest if flies => false,
            Strategy::Search => true,
            Strategy::SearchNearest => is_aimed_short,
        }
    }

    /// Prepares a strategy.
    fn begin(&mut self, layer: &Layer, strategy: Strategy, ends: &mut Endpoints) {
        if strategy == Strategy::SearchNearest {
            *ends = Endpoints {
                goal: None,
                target: ends.original_target.unwrap_or(ends.target),
                goal_component: None,
                original_target: None,
                allow_partial_path: true,
                beside_vertices: [ends.beside_vertices[0], None],
                ..*ends
            };
            self.costs.aim(layer, ends.target);
        }
        match strategy {
            Strategy::LookUpRoute | Strategy::LookUpFlight => {}
            Strategy::Flight => self.begin_flight(layer, ends),
            _ if self.costs.edges.contains(EdgeSet::FLY) => {
                let places = [Some(&mut ends.start), ends.goal.as_mut()];
                for (place, exact) in places.into_iter().zip(&mut ends.beside_vertices) {
                    if let Some(Location::Air(at)) = place {
                        *exact = (*exact).or(Some(*at));
                        *at = nearest_vertex(layer, *at);
                    }
                }
                self.overlay.prepare(layer, &self.costs);
                self.in_the_air.start(layer);
            }
            _ => {
                if ends.may_be_joined() && !self.costs.are_baked(layer) {
                    self.begin_estimate(layer, ends);
                }
                self.on_foot.start(layer);
            }
        }
    }

    /// Prepares the search for the shortest flight to the goal or, if that cannot be
    /// reached and the query allows it, to the nearest point.
    fn begin_flight(&mut self, layer: &Layer, ends: &mut Endpoints) {
        self.closed_air.prepare(layer, &self.costs);
        let grid = layer.grid();
        let (Some(air), Location::Air(start)) = (self.closed_air.air(layer), ends.start) else {
            return;
        };
        let region = air.region_at(grid.y_down(start));
        let goal = match ends.goal {
            Some(Location::Air(goal)) => Some(grid.y_down(goal)),
            _ => None,
        };
        let mut goal = goal.filter(|&goal| air.region_at(goal) == region);
        if goal.is_none() && (ends.allow_partial_path || ends.original_target.is_some()) {
            let target = ends.original_target.unwrap_or(ends.target);
            goal = region.and_then(|region| air.nearest_in(region, grid.y_down(target)));
            ends.original_target = Some(target);
        }
        ends.goal = goal.map(|goal| Location::Air(grid.y_up(goal)));
        let rounding = Air::rounding(grid);
        let [from, to] = [Some(grid.y_down(start)), goal].map(|at| air.nearest(at?, rounding));
        let ends = from.zip(to).map(|(from, to)| [from, to]);
        let space = Space {
            air,
            layer: layer.identity(),
            closed: self.closed_air.boxes(),
        };
        self.flight.start(space, ends, rounding);
    }

    /// Prepares the estimate of costs with the index of a layer, if it has one.
    fn begin_estimate(&mut self, layer: &Layer, ends: &Endpoints) {
        if let (Some(index), Some(Location::Floor(goal))) = (self.costs.routes(layer), ends.goal)
            && let Some(gain) = self.costs.most_gain()
        {
            let seeds = seeds(&self.costs, layer, index, goal);
            let seeds = seeds.into_iter().flatten();
            self.estimate.begin(&index.routes, seeds, gain);
        }
    }

    /// Replaces an unreachable goal by the point nearest to it that the agent may reach,
    /// where that is known. A filter can make it unreachable; then a search decides.
    fn aim_short(&self, layer: &Layer, ends: &mut Endpoints) {
        let target = ends.target;
        let nearest = match ends.start {
            Location::Floor(start) => {
                let spot = layer.nearest_reachable(start.platform, target);
                spot.map(Location::Floor)
            }
            Location::Air(start) => layer.air.as_ref().and_then(|air| {
                let grid = layer.grid();
                let nearest = air.nearest_in(layer.region_at(start)?, grid.y_down(target))?;
                Some(Location::Air(grid.y_up(nearest)))
            }),
        };
        if let Some(place) = nearest.filter(|&place| !self.is_closed(layer, place)) {
            ends.original_target = Some(target);
            ends.goal = Some(place);
            ends.target = place.position();
            ends.goal_component = component(layer, place);
            ends.allow_partial_path = false;
        }
    }

    /// Whether the filter excludes a place.
    fn is_closed(&self, layer: &Layer, place: Location) -> bool {
        match place {
            Location::Floor(spot) => self.costs.is_closed(spot.platform, layer.along(spot)),
            Location::Air(at) => {
                let terrain = layer.terrain(layer.grid().nearest_cell(at));
                self.costs.filter.excludes(terrain) || self.costs.covers(at)
            }
        }
    }

    /// Expands at most `budget` nodes.
    fn expand(
        &mut self,
        layer: &Layer,
        strategy: Strategy,
        ends: &Endpoints,
        budget: u32,
    ) -> Progress {
        let (costs, path) = (&mut self.costs, &mut self.path);
        let found = match strategy {
            Strategy::LookUpRoute | Strategy::LookUpFlight if budget == 0 => {
                return Progress::Paused;
            }
            Strategy::LookUpRoute => self.lookup.route(layer, costs, ends, path),
            Strategy::LookUpFlight => self.lookup.flight(layer, costs, ends, path),
            Strategy::Flight => {
                let air = self.closed_air.air(layer);
                return air.map_or(Progress::Exhausted, |air| self.flight.step(air, budget));
            }
            _ => {
                let flies = costs.edges.contains(EdgeSet::FLY);
                let occupancy = self.overlay.occupancy(layer);
                let context = SearchContext {
                    layer,
                    costs,
                    ends,
                    occupancy: occupancy.filter(|_| flies),
                    estimate: &mut self.estimate,
                };
                return if flies {
                    self.in_the_air.step(context, budget)
                } else {
                    self.on_foot.step(context, budget)
                };
            }
        };
        found.map_or(Progress::Exhausted, |()| Progress::Found)
    }

    fn expanded_by(&self, strategy: Strategy) -> u32 {
        match strategy {
            Strategy::LookUpRoute | Strategy::LookUpFlight => self.path.expanded,
            Strategy::Flight => self.flight.expanded,
            _ if self.costs.edges.contains(EdgeSet::FLY) => self.in_the_air.expanded,
            _ => self.on_foot.expanded,
        }
    }

    /// Writes the path to the goal, or to the point nearest to it. Returns
    /// `false` when there is no such path.
    fn trace(
        &mut self,
        layer: &Layer,
        strategy: Strategy,
        ends: &Endpoints,
        to_goal: bool,
    ) -> bool {
        let (costs, path) = (&self.costs, &mut self.path);
        match strategy {
            // The path was written when it was found.
            Strategy::LookUpRoute | Strategy::LookUpFlight => to_goal,
            Strategy::Flight => {
                write_flight(layer, costs, ends.start, self.flight.points(), path);
                to_goal
            }
            _ if costs.edges.contains(EdgeSet::FLY) => {
                let is_found = (self.in_the_air).path(layer, costs, ends, to_goal, path);
                if is_found && !costs.filter.keep_to_floor {
                    let [start, end] = ends.beside_vertices;
                    fly_to_ends(layer, costs, [start, end.filter(|_| to_goal)], path);
                }
                is_found
            }
            _ => self.on_foot.path(layer, costs, ends, to_goal, path),
        }
    }
}

/// The component of the link graph, or of the air, in which a place is.
fn component(layer: &Layer, place: Location) -> Option<u32> {
    match place {
        Location::Floor(spot) => layer.graph().component(spot.platform),
        Location::Air(at) => layer.graph().of_region(layer.region_at(at)?),
    }
}

/// The vertex at which a search over vertices begins: the nearest that can be flown to.
fn nearest_vertex(layer: &Layer, at: Vec2) -> Vec2 {
    let (grid, space) = (layer.grid(), FreeSpace::new(layer, [&[], &[]]));
    let Cell { column, row } = grid.nearest_cell(at);
    let around = |at: u32, count: u32| at.saturating_sub(1)..count.min(at.saturating_add(2));
    let cells = around(row, grid.rows)
        .flat_map(|row| around(column, grid.columns).map(move |column| Cell { column, row }));
    let is_free = |cell: &Cell| !layer.blocked().get(cell.column, cell.row);
    let free = cells.filter(is_free).map(|cell| grid.position(cell));
    let seen = free.filter(|&vertex| space.sees(at, vertex));
    let nearest = seen.min_by(|a, b| at.distance(*a).total_cmp(&at.distance(*b)));
    let other = || Some(grid.position(free_vertex(layer, at, 2.0 * grid.spacing, |_| true)?));
    nearest.or_else(other).unwrap_or(at)
}
