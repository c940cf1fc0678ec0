//! Where agents get their paths from.

use glam::Vec2;

use crate::mesh::Layer;
use crate::search::{NoPath, PathFinder, PathOutcome, Query, QueryError, Step};

/// A question put to a [`PathSource`] that has not been answered yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ticket {
    /// The queue that gave it.
    pub(super) queue: usize,
    pub(super) slot: u32,
    pub(super) generation: u32,
}

/// An answer, or none yet.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Reply<'a> {
    /// Ask again with the same ticket.
    Pending,
    /// A path.
    Path {
        /// Where it begins.
        start: Vec2,
        /// Its steps.
        steps: &'a [Step],
        /// Seconds it takes, with what the filter's cost areas add.
        cost: f64,
        /// Why it ends short of the goal, if it does.
        short: Option<NoPath>,
    },
    /// There is none, and why.
    NoPath(NoPath),
    /// The question makes no sense.
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

/// Answers questions for paths: at once ([`PathFinder`]) or in turn
/// ([`PathQueue`](super::PathQueue)).
pub trait PathSource {
    /// Asks. While the answer is [`Reply::Pending`], `ticket` stands for the
    /// question, and the query of later calls is not looked at.
    fn ask<'a>(
        &'a mut self,
        layer: &Layer,
        ticket: &mut Option<Ticket>,
        query: &Query,
    ) -> Reply<'a>;

    /// Puts another question in the place of one that waits, and says whether it
    /// could. It cannot once that is being worked on or answered: whoever asked
    /// then hears that answer first.
    fn amend(&mut self, _: Ticket, _: &Query) -> bool {
        false
    }

    /// Takes a question back.
    fn cancel(&mut self, ticket: Ticket);
}

impl PathSource for PathFinder {
    fn ask<'a>(&'a mut self, layer: &Layer, _: &mut Option<Ticket>, query: &Query) -> Reply<'a> {
        Reply::from_outcome(self.find(layer, query))
    }

    fn cancel(&mut self, _: Ticket) {}
}
