//! The level that agents move in: a mesh, its doors, and the path searches of
//! all agents.

use std::path::Path as FilePath;
use std::sync::Arc;

use glam::Vec2;

use crate::asset::{self, AssetError};
use crate::mesh::{Layer, NavMesh};
use crate::motion::crowd::Crowd;
use crate::motion::queue::{PathSource, Ticket};
use crate::motion::{BodyCommand, BodyState, Environment, NavAgent, PathQueue, Pose};
use crate::search::removal::without;
use crate::search::{
    Doors, Path, PathFinder, PathOutcome, Query, QueryError, Rect, SnapTo, line_of_sight,
};

/// A level in play: its mesh, its doors, and the path searches of all agents in it.
///
/// A game has one for each level. Agents are values of the game, which
/// [`update`](NavAgent::update) or [`drive`](NavAgent::drive) in it:
///
/// ```no_run
/// use navmesh_runtime::Navigator;
/// use navmesh_runtime::glam::Vec2;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut nav = Navigator::load("level.navmesh")?;
/// let mut enemy = nav.agent("ground", Vec2::new(56.0, 272.0))?;
/// enemy.go_to(Vec2::new(616.0, 160.0));
/// loop {
///     let pose = enemy.update(&mut nav, 1.0 / 60.0);
///     println!("{} at {}", pose.activity.name(), pose.position);
/// #   break;
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Navigator {
    /// The level as it was given.
    whole: Arc<NavMesh>,
    /// Without what was removed.
    mesh: Arc<NavMesh>,
    removed: Vec<Rect>,
    doors: Doors,
    /// Answers at once.
    finder: PathFinder,
    /// One for each layer while searches have a budget, else none.
    queues: Vec<PathQueue>,
    budget: u32,
    /// The agents that keep apart.
    crowd: Crowd,
    clock: Option<f64>,
}

/// A level was not baked for an agent of that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the level was not baked for an agent {name:?}, but for {}", known.join(", "))]
pub struct UnknownAgent {
    /// The name that was given.
    pub name: String,
    /// The names of the agents that the level was baked for.
    pub known: Vec<String>,
}

impl Navigator {
    /// Reads a level from a file and builds its
    /// [indices of routes](Self::index_routes).
    ///
    /// # Errors
    /// When the file cannot be read or is not a valid asset. The message begins
    /// with the path.
    pub fn load(path: impl AsRef<FilePath>) -> Result<Self, AssetError> {
        let this = Self::new(asset::load(path)?);
        this.index_routes();
        Ok(this)
    }

    /// A level without indices of routes. Its doors are open, but for those with the
    /// property `closed`.
    pub fn new(mesh: impl Into<Arc<NavMesh>>) -> Self {
        let mesh = mesh.into();
        Self {
            doors: Doors::from_mesh(&mesh),
            whole: Arc::clone(&mesh),
            mesh,
            removed: Vec::new(),
            finder: PathFinder::new(),
            queues: Vec::new(),
            budget: 0,
            crowd: Crowd::default(),
            clock: None,
        }
    }

    /// Builds the index of routes of every layer that can have one: paths are found in
    /// microseconds then, and cost the same as without. See
    /// [`Layer::index_routes`] for the time that it takes.
    pub fn index_routes(&self) {
        for layer in self.mesh.layers() {
            layer.index_routes();
        }
    }

    /// Builds the indices of routes on another thread, or at once where there are no
    /// threads. Agents search without them until they are ready. Among paths that cost
    /// the same, a search may find another than the index, so a replay of a game
    /// that needs equal runs uses [`index_routes`](Self::index_routes).
    pub fn index_routes_in_background(&self) {
        let mesh = Arc::clone(&self.mesh);
        let index = move || {
            mesh.layers().iter().for_each(|layer| {
                layer.index_routes();
            });
        };
        if std::thread::Builder::new().spawn(index).is_err() {
            self.index_routes();
        }
    }

    /// The mesh of the level, without what was [removed](Self::remove).
    pub fn mesh(&self) -> &Arc<NavMesh> {
        &self.mesh
    }

    /// Replaces the mesh by another version of the level, for instance after an edit. Doors
    /// keep their state if the new mesh has a door of the same name, and what was
    /// [removed](Self::remove) stays removed.
    ///
    /// In their next step, agents go on with what they do, and with their paths, as far as
    /// the new version has the same platforms and links. An agent whose floor has gone, or the
    /// end of its jump, falls as after a [launch](NavAgent::launch); agents whose paths have
    /// gone plan again. All keep their destinations, and those that found no path try again.
    pub fn set_mesh(&mut self, mesh: impl Into<Arc<NavMesh>>) {
        self.whole = mesh.into();
        self.doors = self.doors.in_mesh(&self.whole);
        self.take_out_removed();
    }

    /// Takes everything solid in a region (world units) out of the level: ground that
    /// crumbles, a bridge that falls. Floors, ladders, walls and ceilings there are gone, and
    /// the links that begin or end on them. Agents on them fall in their next step, keep
    /// their destinations and find other ways; see [`set_mesh`](Self::set_mesh).
    ///
    /// The region should contain all of what is gone, to its lower side: what is beneath is
    /// not in the mesh, so agents do not stand on the ground that it would uncover. Where
    /// one could jump only now, there is no link. To bake the level again finds both.
    ///
    /// A region that is not finite removes nothing. It takes the time of loading a mesh.
    /// For something that stands in the way, use [`Doors::close_region`].
    pub fn remove(&mut self, region: Rect) {
        let region = Rect::new(region.min, region.max);
        if region.min.is_finite() && region.max.is_finite() {
            self.removed.push(region);
            self.take_out_removed();
        }
    }

    /// Puts back what [`remove`](Self::remove) took out of a region. One that was removed
    /// twice must be restored twice. Returns `false` when it was not removed. No agent should
    /// be where the ground comes back: it would be moved out to the nearest place.
    pub fn restore(&mut self, region: Rect) -> bool {
        let region = Rect::new(region.min, region.max);
        let Some(at) = self.removed.iter().position(|&removed| removed == region) else {
            return false;
        };
        self.removed.remove(at);
        self.take_out_removed();
        true
    }

    /// The regions that were [removed](Self::remove), in that order.
    pub fn removed(&self) -> &[Rect] {
        &self.removed
    }

    fn take_out_removed(&mut self) {
        let left = without(&self.whole, &self.removed);
        self.mesh = left.unwrap_or_else(|| Arc::clone(&self.whole));
        // Agents make their requests again in the new layers.
        self.queues = self.queues_of_layers(!self.queues.is_empty());
    }

    fn queues_of_layers(&self, wanted: bool) -> Vec<PathQueue> {
        let layers = self.mesh.layers().iter().filter(|_| wanted);
        layers.map(|_| PathQueue::new()).collect()
    }

    /// An agent with its feet at a position (world units), with the limits that it was
    /// baked with under this name. See [`NavAgent::new`].
    ///
    /// # Errors
    /// When the level was not baked for an agent of that name.
    pub fn agent(&self, name: &str, position: Vec2) -> Result<NavAgent, UnknownAgent> {
        let unknown = || UnknownAgent {
            name: name.to_owned(),
            known: (self.mesh.layers().iter())
                .map(|layer| layer.profile().name.clone())
                .collect(),
        };
        let layer = self.mesh.layer_named(name).ok_or_else(unknown)?;
        Ok(NavAgent::new(layer, position))
    }

    /// Sets the time of the level, in seconds from 0 to 6e7, at which the next updates of
    /// agents begin; the places of [platforms that move](crate::mesh::Schedule) follow from it.
    /// Agents ride on them from then on. A game that pauses sets the same time again, and may
    /// set it back. With `None`, as in the beginning, no agent rides.
    pub fn set_clock(&mut self, seconds: impl Into<Option<f64>>) {
        self.clock = seconds.into();
    }

    /// The doors of the level.
    pub fn doors(&self) -> &Doors {
        &self.doors
    }

    /// The doors of the level, to open and close them. Agents plan again around a door
    /// that closes.
    pub fn doors_mut(&mut self) -> &mut Doors {
        &mut self.doors
    }

    /// The layer that an agent moves in; `None` when the level was not baked for it.
    pub fn layer_of(&self, agent: &NavAgent) -> Option<&Layer> {
        self.index_of(agent)
            .and_then(|at| self.mesh.layers().get(at))
    }

    fn index_of(&self, agent: &NavAgent) -> Option<usize> {
        let mut layers = self.mesh.layers().iter();
        // Numbers are compared faster than names.
        let known = layers.position(|layer| layer.identity() == agent.layer_identity());
        known.or_else(|| self.mesh.layer_id(agent.name()).map(|id| id.0 as usize))
    }

    /// What an agent moves in: its layer and the doors. `None` when the level was not
    /// baked for it.
    pub fn environment_of(&self, agent: &NavAgent) -> Option<Environment<'_>> {
        let (layer, doors) = (self.layer_of(agent)?, &self.doors);
        Some(Environment { layer, doors })
    }

    /// Finds the path that an agent would take to a position (feet, world units), at
    /// once, under its filter and limits. `None` when the level was not baked for it.
    ///
    /// # Errors
    /// If a position is not finite, or a number of the agent's filter is invalid.
    pub fn find_path(
        &mut self,
        agent: &NavAgent,
        to: Vec2,
    ) -> Option<Result<PathOutcome<'_>, QueryError>> {
        let at = self.index_of(agent)?;
        let layer = self.mesh.layers().get(at)?;
        let doors = &self.doors;
        let query = agent.query(to, Environment { layer, doors });
        Some(self.finder.find(layer, &query))
    }

    /// The place of an agent that is nearest to the body of a target, whose feet are at a
    /// position (world units): where an agent that walks or climbs waits for it. `body` is
    /// the width and height of the target; without it, the target is as large as the agent.
    /// `None` when the level was not baked for the agent or has no floor. See
    /// [`SnapTo::Target`].
    pub fn place_of_target(
        &self,
        agent: &NavAgent,
        target: Vec2,
        body: Option<[f32; 2]>,
    ) -> Option<Vec2> {
        let place = (self.layer_of(agent)?).snap(target, SnapTo::Target { body });
        place.map(|place| place.position)
    }

    /// Finds the path on which an agent would [drive](NavAgent::drive) a body to a position
    /// (feet, world units), at once; see [`NavAgent::driven_path`]. `None` when there is no
    /// path, or the level was not baked for the agent.
    pub fn find_driven_path(
        &mut self,
        agent: &NavAgent,
        body: BodyState,
        to: Vec2,
        dt: f32,
    ) -> Option<Path> {
        let environment = Environment {
            layer: self.mesh.layers().get(self.index_of(agent)?)?,
            doors: &self.doors,
        };
        agent.driven_path(environment, &mut self.finder, body, to, dt)
    }

    /// Whether nothing solid and no closed door is on the line between two points, for
    /// the layer of an agent; see [`line_of_sight`].
    pub fn line_of_sight(&self, agent: &NavAgent, from: Vec2, to: Vec2) -> bool {
        self.layer_of(agent)
            .is_some_and(|layer| line_of_sight(layer, &self.doors, from, to))
    }

    /// Bounds the path searches of a frame: [`work`](Self::work) looks at no more
    /// than this number of nodes of the search, and agents follow the path they have
    /// until the next one is found. 2,000 nodes take about a millisecond. With `None`, as
    /// in the beginning, agents get their paths at once.
    pub fn set_budget(&mut self, nodes: Option<u32>) {
        self.budget = nodes.unwrap_or(0);
        if nodes.is_some() == self.queues.is_empty() {
            self.queues = self.queues_of_layers(nodes.is_some());
        }
    }

    /// Answers the waiting requests of agents within the
    /// [budget](Self::set_budget), which layers with requests share equally. Call it
    /// once in each frame. Returns how many requests were answered.
    pub fn work(&mut self) -> u32 {
        let busy = self.queues.iter().filter(|queue| !queue.is_empty()).count();
        let share = (self.budget / (busy as u32).max(1)).max(1);
        let queues = self.queues.iter_mut().zip(self.mesh.layers());
        queues.map(|(queue, layer)| queue.work(layer, share)).sum()
    }

    /// The number of agents that wait for a path.
    pub fn waiting(&self) -> usize {
        self.queues.iter().map(PathQueue::len).sum()
    }

    /// Takes back the request of an agent that is removed from the game, so that no
    /// search is made for it, and no other agent waits for it.
    pub fn forget(&mut self, agent: &mut NavAgent) {
        if let Some((_, mut paths, crowd)) = self.split(agent) {
            agent.leave_crowd(crowd);
            agent.cancel_requests(&mut paths);
        }
    }

    /// What a step of an agent needs. For an agent that the level was not baked for, the
    /// layer is another one, in which it does not move. `None` without any layer.
    fn split(&mut self, agent: &NavAgent) -> Option<(Environment<'_>, Paths<'_>, &mut Crowd)> {
        let at = self.index_of(agent).unwrap_or(0);
        let environment = Environment {
            layer: self.mesh.layers().get(at)?,
            doors: &self.doors,
        };
        let paths = match self.queues.get_mut(at) {
            Some(queue) => Paths::InTurn(queue),
            None => Paths::AtOnce(&mut self.finder),
        };
        Some((environment, paths, &mut self.crowd))
    }
}

/// Where an agent gets its paths.
enum Paths<'a> {
    AtOnce(&'a mut PathFinder),
    InTurn(&'a mut PathQueue),
}

impl PathSource for Paths<'_> {
    fn ask<'a>(
        &'a mut self,
        layer: &Layer,
        ticket: &mut Option<Ticket>,
        query: &Query,
    ) -> Result<PathOutcome<'a>, QueryError> {
        match self {
            Self::AtOnce(finder) => finder.ask(layer, ticket, query),
            Self::InTurn(queue) => queue.ask(layer, ticket, query),
        }
    }

    fn amend(&mut self, ticket: Ticket, query: &Query) -> bool {
        match self {
            Self::AtOnce(finder) => finder.amend(ticket, query),
            Self::InTurn(queue) => queue.amend(ticket, query),
        }
    }

    fn cancel(&mut self, ticket: Ticket) {
        match self {
            Self::AtOnce(finder) => finder.cancel(ticket),
            Self::InTurn(queue) => queue.cancel(ticket),
        }
    }
}

/// Moving in a level. An agent either moves itself ([`update`](Self::update)) or is
/// the pilot of a body that a physics engine moves ([`drive`](Self::drive)).
impl NavAgent {
    /// Moves on by `dt` seconds, exactly along its path. A `dt` that is not a finite
    /// number above 0 moves nothing. In a level that was not baked for this agent, it is
    /// [`Stranded::WrongLayer`](crate::motion::Stranded::WrongLayer).
    pub fn update(&mut self, nav: &mut Navigator, dt: f32) -> Pose {
        self.set_clock(nav.clock);
        match nav.split(self) {
            Some((environment, mut paths, crowd)) => {
                self.among(environment, crowd, None, dt, |agent| {
                    agent.step(environment, &mut paths, dt)
                })
            }
            None => self.pose(),
        }
    }

    /// One step of an agent whose body a physics engine moves. The game reports the
    /// body, and moves it by the command for `dt` seconds. See
    /// [`drive_with`](Self::drive_with).
    pub fn drive(&mut self, nav: &mut Navigator, body: BodyState, dt: f32) -> BodyCommand {
        self.set_clock(nav.clock);
        match nav.split(self) {
            Some((environment, mut paths, crowd)) => {
                self.among(environment, crowd, Some(body), dt, |agent| {
                    agent.drive_with(environment, &mut paths, body, dt)
                })
            }
            None => BodyCommand::default(),
        }
    }

    /// Sends it to a position and plans at once, but does not move. Returns whether
    /// there is a path; without one, the agent has no destination. With a
    /// [budget](Navigator::set_budget) the path is found later, and the result is `true`; it
    /// is as well for an agent that cannot stop before its next jump, which plans when it has
    /// taken off.
    pub fn try_go_to(&mut self, nav: &mut Navigator, destination: Vec2) -> bool {
        self.set_clock(nav.clock);
        nav.split(self).is_some_and(|(environment, mut paths, _)| {
            self.start(environment, &mut paths, destination)
        })
    }
}
