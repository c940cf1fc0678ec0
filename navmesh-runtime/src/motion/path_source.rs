//! The source of an agent's paths.

use crate::mesh::Layer;
use crate::search::{PathFinder, PathOutcome, Query, QueryError};

/// A request to a source of paths that is not answered yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ticket {
    pub(crate) queue: usize,
    pub(crate) slot: u32,
    pub(crate) generation: u32,
}

/// Finds paths for agents: at once ([`PathFinder`]) or in turn
/// ([`PathQueue`](super::PathQueue)). Not part of the public interface.
pub trait PathSource {
    /// Requests a path, or returns the answer to the request of a ticket. When
    /// the reply is [`PathOutcome::BudgetExhausted`], `ticket` holds the
    /// request's ticket; later calls with that ticket do not read `query`.
    ///
    /// # Errors
    /// If the query is invalid.
    fn ask<'a>(
        &'a mut self,
        layer: &Layer,
        ticket: &mut Option<Ticket>,
        query: &Query,
    ) -> Result<PathOutcome<'a>, QueryError>;

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
    fn ask<'a>(
        &'a mut self,
        layer: &Layer,
        _: &mut Option<Ticket>,
        query: &Query,
    ) -> Result<PathOutcome<'a>, QueryError> {
        self.find(layer, query)
    }

    fn cancel(&mut self, _: Ticket) {}
}
