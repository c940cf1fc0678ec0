//! A question and the ways it can be ill-posed.

use glam::Vec2;

use super::Filter;

/// A question: how to get from one position to another.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Query {
    /// Feet at the start, world units.
    pub from: Vec2,
    /// Feet at the goal, world units.
    pub to: Vec2,
    /// What to leave out or make dearer.
    pub filter: Filter,
    /// Whether to find a path to the reachable point nearest to the goal when
    /// the goal itself cannot be reached.
    pub or_nearest: bool,
}

impl Query {
    /// A question without filter, for the whole way or none.
    pub fn new(from: Vec2, to: Vec2) -> Self {
        Self {
            from,
            to,
            filter: Filter::default(),
            or_nearest: false,
        }
    }

    /// The same under a filter.
    #[must_use]
    pub fn with_filter(mut self, filter: Filter) -> Self {
        self.filter = filter;
        self
    }

    /// The same, but where the goal cannot be reached, the outcome is a path
    /// to the reachable point nearest to it
    /// ([`PathOutcome::Nearest`](super::PathOutcome::Nearest)).
    #[must_use]
    pub fn or_nearest(mut self) -> Self {
        self.or_nearest = true;
        self
    }
}

/// Why a question cannot be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// A position is not finite.
    #[error("the start or the goal has a coordinate that is not finite")]
    Position,
    /// A number in the filter makes no sense.
    #[error("filter: {0}")]
    Filter(&'static str),
    /// [`step`](super::PathFinder::step) was called before
    /// [`start`](super::PathFinder::start).
    #[error("no search was started; call `start` before `step`")]
    NotStarted,
    /// A search was started in one layer and stepped in another.
    #[error("the search was started in another layer; call `start` again")]
    OtherLayer,
}
