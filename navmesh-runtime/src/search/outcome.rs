//! What a search can say.

use super::Path;

/// What a search says.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
#[must_use]
pub enum PathOutcome<'a> {
    /// A path to the goal; none is cheaper.
    Found(&'a Path),
    /// The goal cannot be reached, for the given reason. This is the cheapest
    /// path to the reachable point nearest to it in a straight line (to one of
    /// them when several are equally near). Only for queries with
    /// [`Query::or_nearest`](super::Query::or_nearest).
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

    /// The name that `navbake path --json` prints.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Found(_) => "found",
            Self::Nearest(..) => "partial",
            Self::NoPath(_) => "no_path",
            Self::BudgetExhausted => "budget_exhausted",
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
    /// The filter rules the start out.
    #[error("the start is closed by the filter")]
    StartClosed,
    /// The filter rules the goal out.
    #[error("the goal is closed by the filter")]
    GoalClosed,
    /// No baked edges lead from the start to the goal; no filter is needed
    /// to see that.
    #[error("the goal is not connected to the start")]
    Disconnected,
    /// Everything that can be reached under the filter was searched.
    #[error("no way leads to the goal")]
    Exhausted,
}
