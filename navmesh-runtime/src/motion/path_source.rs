//! The source of an agent's paths.

use glam::Vec2;

use crate::mesh::Layer;
use crate::search::{NoPath, PathFinder, PathOutcome, Query, QueryError, Step};

/// A request to a [`PathSource`] that is not answered yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ticket {
    /// The identity of the queue.
    pub(super) queue: usize,
    pub(super) slot: u32,
    pub(super) generation: u32,
}

/// The answer to a request.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Reply<'a> {
    /// Not found yet: ask again with the same ticket.
    Pending,
    /// A path.
    Path {
        /// Where it begins: feet, world units.
        start: Vec2,
        /// Its steps.
        steps: &'a [Step],
        /// Seconds it takes, weighted by the filter's cost areas.
        cost: f64,
        /// Why it ends short of the goal, if it does.
        short: Option<NoPath>,
    },
    /// There is no path, and why.
    NoPath(NoPath),
    /// The query is invalid.
    Rejected(QueryError),
}

impl<'a> Reply<'a> {
    pub(super) fn from_outcome(outcome: Result<PathOutcome<'a>, QueryError>) -> Self {
        let path = |path: &'a crate::search::Path, short| Reply::Path {
            start: path.start(),
            steps: path.steps(),
            cost: path.cost(),
            short,
        };
        match outcome {
            Ok(PathOutcome::Found(found)) => path(found, None),
            Ok(PathOutcome::Nearest(found, why)) => path(found, Some(why)),
            Ok(PathOutcome::NoPath(why)) => Self::NoPath(why),
            Ok(PathOutcome::BudgetExhausted) => Self::Pending,
            Err(error) => Self::Rejected(error),
        }
    }
}

/// Finds paths for agents: at once ([`PathFinder`]) or in turn
/// ([`PathQueue`](super::PathQueue)). A game may implement it to search on other
/// threads.
pub trait PathSource {
    /// Requests a path, or asks for the answer to the request of a ticket. When
    /// the reply is [`Reply::Pending`], `ticket` holds the request's ticket;
    /// later calls with that ticket do not read `query`.
    fn ask<'a>(
        &'a mut self,
        layer: &Layer,
        ticket: &mut Option<Ticket>,
        query: &Query,
    ) -> Reply<'a>;

    /// Replaces the query of a request, which keeps its place in the order.
    /// Returns `false`, and changes nothing, when work on the request has begun
    /// or the source keeps no order.
    fn amend(&mut self, _: Ticket, _: &Query) -> bool {
        false
    }

    /// Takes a request back. Does nothing when it no longer exists.
    fn cancel(&mut self, ticket: Ticket);
}

impl PathSource for PathFinder {
    fn ask<'a>(&'a mut self, layer: &Layer, _: &mut Option<Ticket>, query: &Query) -> Reply<'a> {
        Reply::from_outcome(self.find(layer, query))
    }

    fn cancel(&mut self, _: Ticket) {}
}
