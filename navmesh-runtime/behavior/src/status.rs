//! The result of ticking a node.

use std::fmt;

use crate::context::Context;
use crate::tick::Tick;

/// Whether a node has completed, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Completed, and it worked.
    Success,
    /// Completed, and it did not work.
    Failure,
    /// Not completed: tick it again.
    Running,
}

impl Status {
    /// Whether the node has completed, either way.
    #[inline]
    pub const fn is_done(self) -> bool {
        !matches!(self, Self::Running)
    }
}

/// The name used in traces.
impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Success => "success",
            Self::Failure => "failure",
            Self::Running => "running",
        })
    }
}

/// A status and, for turn-based games, whether the agent's turn is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Whether the node has completed, and how.
    pub status: Status,
    /// Whether the action uses up the agent's turn. After a child that ends the turn, a
    /// sequence or selector ticks no further child in this tick; the next tick resumes
    /// with the next child.
    pub ends_turn: bool,
}

impl Outcome {
    /// Success that does not end the turn.
    pub const SUCCESS: Self = Self::new(Status::Success);
    /// Failure that does not end the turn.
    pub const FAILURE: Self = Self::new(Status::Failure);
    /// Running, without ending the turn.
    pub const RUNNING: Self = Self::new(Status::Running);
    /// Success that ends the turn.
    pub const TURN_TAKEN: Self = Self::SUCCESS.or_turn(true);

    #[inline]
    const fn new(status: Status) -> Self {
        Self {
            status,
            ends_turn: false,
        }
    }

    /// The same status; the turn is also over if `ends_turn`.
    #[inline]
    pub(crate) const fn or_turn(self, ends_turn: bool) -> Self {
        Self {
            status: self.status,
            ends_turn: self.ends_turn | ends_turn,
        }
    }
}

impl From<Status> for Outcome {
    #[inline]
    fn from(status: Status) -> Self {
        Self::new(status)
    }
}

impl From<bool> for Outcome {
    #[inline]
    fn from(success: bool) -> Self {
        if success {
            Self::SUCCESS
        } else {
            Self::FAILURE
        }
    }
}

impl From<()> for Outcome {
    #[inline]
    fn from((): ()) -> Self {
        Self::SUCCESS
    }
}

/// What an action may return: a [`Status`], an [`Outcome`], a `bool`, `()`, or a `Result`
/// of one of these.
pub trait IntoOutcome {
    /// Converts to an outcome; an error becomes the reason in the trace.
    fn into_outcome<C: Context>(self, tick: &mut Tick<'_, '_, C>) -> Outcome;
}

impl<O: Into<Outcome>> IntoOutcome for O {
    #[inline]
    fn into_outcome<C: Context>(self, _: &mut Tick<'_, '_, C>) -> Outcome {
        self.into()
    }
}

impl<O: IntoOutcome, E: fmt::Display> IntoOutcome for Result<O, E> {
    fn into_outcome<C: Context>(self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        match self {
            Ok(outcome) => outcome.into_outcome(tick),
            Err(error) => {
                tick.set_reason(|| error.to_string());
                Outcome::FAILURE
            }
        }
    }
}
