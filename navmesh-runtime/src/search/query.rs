//! Path queries, their outcomes and their errors.

use glam::Vec2;

use super::filter::Filter;
use super::free_space::FreeSpace;
use super::locate::{Location, locate};
use super::path::{Path, Step};
use crate::mesh::{AgentProfile, Layer, MarkerId, ProfileError};

/// The last second of clocks: more than a year. Ticks of later seconds do not fit into 32 bits.
pub const MAX_CLOCK: f64 = 6e7;

/// A path query: from one position to another.
///
/// ```
/// # use glam::Vec2;
/// # use navmesh_runtime::mesh::Layer;
/// use navmesh_runtime::search::Query;
///
/// # fn flee(layer: &Layer, me: Vec2, exit: Vec2) -> Query {
/// let mut slow = layer.profile().clone();
/// slow.run_speed *= 0.5;
/// Query { profile: Some(slow), allow_partial_path: true, ..Query::new(me, exit) }
/// # }
/// ```
#[derive(Debug, PartialEq)]
pub struct Query {
    /// Feet at the start, world units.
    pub from: Vec2,
    /// Feet at the goal, world units.
    pub to: Vec2,
    /// What the path may not use, and what costs more.
    pub filter: Filter,
    /// The limits of the agent, when they are not those that the
    /// layer was baked for: `None` stands for [`Layer::profile`]. Only limits
    /// that are tighter than baked change the path: edges, speeds, the reach of
    /// jumps and drops, and gravity, under which every jump takes another time.
    /// The size of the body and the floors it can walk on are the layer's.
    ///
    /// [`Layer::profile`]: crate::mesh::Layer::profile
    pub profile: Option<AgentProfile>,
    /// Whether to find a path to the reachable point nearest to the goal when
    /// the goal itself cannot be reached: [`PathOutcome::Nearest`].
    pub allow_partial_path: bool,
    /// When the agent is at the start, in seconds on the clock of the level, at least 0. Then
    /// paths may lead over platforms that move, if the agent has the limits that the layer was
    /// baked for, and a start or a goal on such a platform at that time is a place on it. `None`,
    /// as for a new query, for paths without such rides.
    pub departure: Option<f64>,
}

impl Clone for Query {
    fn clone(&self) -> Self {
        let mut query = Self::new(self.from, self.to);
        query.clone_from(self);
        query
    }

    /// Copies without allocating where the capacity suffices.
    fn clone_from(&mut self, source: &Self) {
        let mut filter = std::mem::take(&mut self.filter);
        let mut profile = self.profile.take();
        filter.clone_from(&source.filter);
        profile.clone_from(&source.profile);
        *self = Self {
            filter,
            profile,
            ..*source
        };
    }
}

impl Query {
    /// The flight from the end of `path`, the answer to this query, to the goal
    /// itself. A path through the air ends at a free vertex; where the body is
    /// free between that vertex and a goal in the air, agents go on to the goal. That
    /// is not known of a goal beyond the last free vertex before a wall.
    pub fn final_flight(&self, layer: &Layer, path: &Path) -> Option<Step> {
        let (from, to) = (path.end, self.to);
        let closed = [self.filter.closed.as_slice(), &[]];
        let profile = self.profile.as_ref().unwrap_or(layer.profile());
        let edges = self.filter.edges & profile.edges & layer.profile().edges;
        let is_air = matches!(locate(layer, to, edges), Some(Location::Air(_)));
        let is_open = is_air && from != to && FreeSpace::new(layer, closed).sees(from, to);
        let speed = profile.run_speed.min(layer.profile().run_speed);
        is_open.then(|| Step::fly(from, to, from.distance(to) / speed))
    }

    /// A query without a filter, for a path to the goal itself.
    pub fn new(from: Vec2, to: Vec2) -> Self {
        Self {
            from,
            to,
            filter: Filter::default(),
            profile: None,
            allow_partial_path: false,
            departure: None,
        }
    }

    /// Checks every number.
    pub(crate) fn check(&self) -> Result<(), QueryError> {
        if !self.from.is_finite() {
            return Err(QueryError::Position);
        }
        self.check_goal()
    }

    /// Checks every number that does not concern the start.
    pub(crate) fn check_goal(&self) -> Result<(), QueryError> {
        if !self.to.is_finite() {
            return Err(QueryError::Position);
        }
        self.filter.check().map_err(QueryError::Filter)?;
        let profile = self.profile.as_ref().map_or(Ok(()), AgentProfile::validate);
        profile.map_err(
            |ProfileError {
                 parameter, rule, ..
             }| QueryError::Profile { parameter, rule },
        )
    }

    /// Whether another query has the same goal, under the same filter and limits,
    /// so that both can share a search backwards from it.
    pub(crate) fn has_goal_of(&self, other: &Self) -> bool {
        self.to == other.to && self.filter == other.filter && self.profile == other.profile
    }

    /// Whether its paths may lead over platforms that move.
    pub(crate) fn may_ride(&self, layer: &Layer) -> bool {
        let has_clock = self
            .departure
            .is_some_and(|time| (0.0..MAX_CLOCK).contains(&time));
        has_clock && !layer.moving_platforms().is_empty()
    }

    /// Whether the index of a layer has the path, so that no search is needed.
    pub(crate) fn is_indexed(&self, layer: &Layer) -> bool {
        let plain = Filter {
            replace_jumps: self.filter.replace_jumps,
            ..Filter::default()
        };
        let profile = self.profile.as_ref();
        (layer.routes(0).is_some() || layer.flights().is_some())
            && self.filter == plain
            && profile.is_none_or(|own| own == layer.profile())
    }
}

/// Why a query cannot be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// A position is not finite.
    #[error("the start or the goal has a coordinate that is not finite")]
    Position,
    /// A number in the filter is out of range.
    #[error("filter: {0}")]
    Filter(&'static str),
    /// A value of [`Query::profile`] is out of range.
    #[error("profile: {parameter}: {rule}")]
    Profile {
        /// The parameter as the configuration spells it.
        parameter: &'static str,
        /// What it must be.
        rule: &'static str,
    },
    /// [`step`](super::PathFinder::step) was called before
    /// [`start`](super::PathFinder::start).
    #[error("no search was started; call `start` before `step`")]
    NotStarted,
    /// A search was started in one layer and stepped in another.
    #[error("the search was started in another layer; call `start` again")]
    OtherLayer,
}

/// The outcome of a path search.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
#[must_use]
pub enum PathOutcome<'a> {
    /// A path to the goal; none is cheaper.
    Found(&'a Path),
    /// The goal cannot be reached, for the given reason. This is the cheapest
    /// path to the reachable point nearest to it in a straight line (to one of
    /// them when several are equally near). Only for queries with
    /// [`Query::allow_partial_path`](super::Query::allow_partial_path).
    Nearest(&'a Path, NoPath),
    /// There is no path, and why.
    NoPath(NoPath),
    /// Not done within its budget: step again.
    BudgetExhausted,
}

impl<'a> PathOutcome<'a> {
    /// The path, to the goal or to the point nearest to it.
    pub fn path(&self) -> Option<&'a Path> {
        match self {
            Self::Found(path) | Self::Nearest(path, _) => Some(path),
            Self::NoPath(_) | Self::BudgetExhausted => None,
        }
    }
}

/// Why there is no path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoPath {
    /// The agent cannot be at the start, nor within two spacings of it.
    #[error("the start is not on navigable ground")]
    StartNotNavigable,
    /// The agent cannot be at the goal, nor within two spacings of it.
    #[error("the goal is not on navigable ground")]
    GoalNotNavigable,
    /// A closed door covers the start, or the filter excludes its terrain or all
    /// edges of the agent.
    #[error("a closed door or the filter excludes the start")]
    StartClosed,
    /// A closed door covers the goal, or the filter excludes its terrain.
    #[error("a closed door or the filter excludes the goal")]
    GoalClosed,
    /// No baked edges lead from the start to the goal, under any filter.
    #[error("the goal is not connected to the start")]
    Disconnected,
    /// A breakable door is in the way, and the agent
    /// [may break it](crate::motion::NavAgent::set_break_cost).
    #[error("the door of marker {0} has to be broken first")]
    BlockedBy(MarkerId),
    /// Everything that can be reached under the filter and the limits of the
    /// agent was searched.
    #[error("closed doors, the filter or the agent's limits leave no way to the goal")]
    Exhausted,
}
