//! Asking for paths.

use super::cost_model::CostModel;
use super::flight::Flight;
use super::ground::Ground;
use super::locate::locate_among;
use super::planes::Overlay;
use super::problem::{Problem, Progress};
use super::vertex::Vertices;
use super::{Location, NoPath, Path, PathOutcome, Query, QueryError};
use crate::mesh::{EdgeSet, Layer, Reachability};

/// Finds paths, and owns the memory that takes: once it has grown to the size
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
/// match finder.find(layer, &Query::new(me, player).or_nearest())? {
///     PathOutcome::Found(path) | PathOutcome::Nearest(path, _) => {
///         for step in path.steps() {
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
    ground: Ground,
    flight: Flight,
    vertices: Vertices,
    overlay: Overlay,
    limits: CostModel,
    path: Path,
    state: State,
    /// The layer of the present search.
    layer: usize,
}

/// How far the present search is.
#[derive(Debug, Clone, Copy, Default)]
enum State {
    /// There is none.
    #[default]
    Idle,
    /// It runs.
    Running(Method, Problem, NoPath),
    /// It is over.
    Done(Verdict),
}

/// Which search runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    Ground,
    Flight,
    Vertices,
}

/// How a search ended.
#[derive(Debug, Clone, Copy)]
enum Verdict {
    Found,
    Nearest(NoPath),
    NoPath(NoPath),
}

impl PathFinder {
    /// A finder without memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Finds the cheapest path, however long it takes.
    ///
    /// # Errors
    /// When the query holds a number that makes no sense.
    pub fn find(&mut self, layer: &Layer, query: &Query) -> Result<PathOutcome<'_>, QueryError> {
        self.start(layer, query)?;
        self.step(layer, u32::MAX)
    }

    /// Begins a search; [`step`](Self::step) does the work. A search that was
    /// under way is given up.
    ///
    /// # Errors
    /// When the query holds a number that makes no sense.
    pub fn start(&mut self, layer: &Layer, query: &Query) -> Result<(), QueryError> {
        self.state = State::Idle;
        query.check()?;
        self.path.clear();
        self.path.expanded = 0;
        self.layer = layer.identity();
        self.limits.prepare(layer, query);
        self.state = match self.begin(layer, query) {
            Ok(running) => running,
            Err(why) => State::Done(Verdict::NoPath(why)),
        };
        Ok(())
    }

    /// Goes on with the search that [`start`](Self::start) began, for at
    /// most `budget` nodes. Once it is over, says the same again.
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
            let progress = match method {
                Method::Ground => self.ground.step(layer, &mut self.limits, &problem, left),
                Method::Flight => {
                    self.flight
                        .step(layer, &self.limits, &self.overlay, &problem, left)
                }
                Method::Vertices => {
                    self.vertices
                        .step(layer, &mut self.limits, &self.overlay, &problem, left)
                }
            };
            left -= self.expanded_by(method) - before;
            match progress {
                Progress::Paused => {
                    self.path.expanded = self.expanded_by(method);
                    return Ok(PathOutcome::BudgetExhausted);
                }
                Progress::Found => {
                    self.trace_to_goal(layer, method, &problem);
                    self.state = State::Done(if problem.original_target.is_some() {
                        Verdict::Nearest(why)
                    } else {
                        Verdict::Found
                    });
                }
                Progress::Exhausted if problem.original_target.is_some() => {
                    // Something closed is in the way.
                    let nearest = Problem {
                        goal: None,
                        target: problem.original_target.unwrap_or(problem.target),
                        goal_component: None,
                        original_target: None,
                        or_nearest: true,
                        ..problem
                    };
                    self.limits.aim(layer, nearest.target);
                    self.state = self.search_vertices(layer, nearest, why);
                }
                Progress::Exhausted if method == Method::Flight && problem.or_nearest => {
                    // Jump points do not tell which vertex is nearest.
                    self.state = self.search_vertices(layer, problem, NoPath::Exhausted);
                }
                Progress::Exhausted => {
                    self.path.expanded = self.expanded_by(method);
                    let is_nearest =
                        problem.or_nearest && self.trace_to_nearest(layer, method, &problem);
                    self.state = State::Done(if is_nearest {
                        Verdict::Nearest(why)
                    } else {
                        Verdict::NoPath(why)
                    });
                }
            }
        }
        Ok(match self.state {
            State::Done(Verdict::Found) => PathOutcome::Found(&self.path),
            State::Done(Verdict::Nearest(why)) => PathOutcome::Nearest(&self.path, why),
            State::Done(Verdict::NoPath(why)) => PathOutcome::NoPath(why),
            State::Idle | State::Running(..) => PathOutcome::BudgetExhausted,
        })
    }

    /// Nodes the present or last search has looked at so far.
    pub fn expanded(&self) -> u32 {
        self.path.expanded
    }

    /// Finds where start and goal are, and decides how to search; or says
    /// why there is nothing to search.
    fn begin(&mut self, layer: &Layer, query: &Query) -> Result<State, NoPath> {
        let edges = self.limits.edges;
        let flies = self.limits.edges.contains(EdgeSet::FLY);
        let walks = self.limits.edges.walks();
        let find = |position| locate_among(layer, position, edges);
        let start = find(query.from).ok_or(NoPath::StartNotNavigable)?;
        let goal = find(query.to);
        if !(flies || walks) || self.is_closed(layer, start) {
            return Err(NoPath::StartClosed);
        }
        let mut why = NoPath::Exhausted;
        let open_goal = match goal {
            None => {
                why = NoPath::GoalNotNavigable;
                None
            }
            Some(place) if self.is_closed(layer, place) => {
                why = NoPath::GoalClosed;
                None
            }
            Some(place) => Some(place),
        };
        let component = |place| match place {
            Location::Floor(spot) => layer.link_graph().component(spot.platform),
            Location::Air(cell) => layer.air_component(cell),
        };
        let goal_component = open_goal.and_then(component);
        if let (Some(from), Some(to)) = (component(start), goal_component)
            && layer.link_graph().reachability(from, to) == Reachability::No
        {
            why = NoPath::Disconnected;
        }
        if why != NoPath::Exhausted && !query.or_nearest {
            return Err(why);
        }
        let mut problem = Problem {
            start,
            goal: open_goal,
            target: goal.map_or(query.to, |place| place.position(layer)),
            goal_component,
            original_target: None,
            or_nearest: query.or_nearest,
        };
        if why != NoPath::Exhausted && flies && !walks {
            self.aim_short(layer, &mut problem);
        }
        self.limits.aim(layer, problem.target);
        if !flies {
            self.ground.start(layer, &mut self.limits, &problem);
            return Ok(State::Running(Method::Ground, problem, why));
        }
        self.overlay.prepare(layer, &self.limits);
        // Jump points need a goal, and every step to cost the same.
        let knows_goal = why == NoPath::Exhausted || problem.original_target.is_some();
        if walks || !knows_goal || !self.limits.filter.costs.is_empty() {
            return Ok(self.search_vertices(layer, problem, why));
        }
        self.flight.start(layer, &self.limits, &problem);
        Ok(State::Running(Method::Flight, problem, why))
    }

    /// An agent that flies can reach at most the free region it is in. So the
    /// point of that nearest to a goal elsewhere is known without a search, and
    /// is the nearest reachable one if it can be reached at all.
    fn aim_short(&self, layer: &Layer, problem: &mut Problem) {
        let (Location::Air(start), Some(air)) = (problem.start, layer.air()) else {
            return;
        };
        let grid = layer.grid();
        let off = (problem.target - grid.origin).as_dvec2() / f64::from(grid.spacing);
        let (column, row) = (off.x - 0.5, off.y * f64::from(grid.y_axis.down()) - 1.0);
        let nearest = |region| air.nearest_in(region, column, row);
        let Some(cell) = air.region(start).and_then(nearest) else {
            return;
        };
        if self.is_closed(layer, Location::Air(cell)) {
            return;
        }
        problem.original_target = Some(problem.target);
        problem.goal = Some(Location::Air(cell));
        problem.target = grid.position(cell);
        problem.goal_component = layer.air_component(cell);
        problem.or_nearest = false;
    }

    fn search_vertices(&mut self, layer: &Layer, problem: Problem, why: NoPath) -> State {
        self.vertices
            .start(layer, &mut self.limits, &self.overlay, &problem);
        State::Running(Method::Vertices, problem, why)
    }

    /// Whether the filter rules a place out.
    fn is_closed(&self, layer: &Layer, place: Location) -> bool {
        match place {
            Location::Floor(spot) => self.limits.is_closed(spot.platform, layer.along(spot)),
            Location::Air(cell) => {
                !self.limits.filter.terrain.contains(layer.terrain(cell))
                    || self.limits.covers(layer.grid().position(cell))
            }
        }
    }

    fn expanded_by(&self, method: Method) -> u32 {
        match method {
            Method::Ground => self.ground.expanded,
            Method::Flight => self.flight.expanded,
            Method::Vertices => self.vertices.expanded,
        }
    }

    fn trace_to_goal(&mut self, layer: &Layer, method: Method, problem: &Problem) {
        let (limits, path) = (&self.limits, &mut self.path);
        match method {
            Method::Ground => self.ground.path_to_goal(layer, limits, problem, path),
            Method::Flight => self.flight.path_to_goal(layer, limits, path),
            Method::Vertices => self.vertices.path_to_goal(layer, limits, problem, path),
        }
    }

    fn trace_to_nearest(&mut self, layer: &Layer, method: Method, problem: &Problem) -> bool {
        let (limits, path) = (&self.limits, &mut self.path);
        match method {
            Method::Ground => self.ground.path_to_nearest(layer, limits, problem, path),
            Method::Vertices => self.vertices.path_to_nearest(layer, limits, problem, path),
            Method::Flight => false,
        }
    }
}
