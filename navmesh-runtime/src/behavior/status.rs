//! What a tick of a node comes to.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Tick;

/// Whether a node is done, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Done, and it worked.
    Success,
    /// Done, and it did not work.
    Failure,
    /// Not done: to be ticked again.
    Running,
}

impl Status {
    /// Whether the node is done, either way.
    #[inline]
    pub const fn is_done(self) -> bool {
        !matches!(self, Self::Running)
    }

    /// The name used in traces.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failure => "failure",
            Self::Running => "running",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A status and, for turn-based games, whether the agent's turn is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Whether the node is done, and how.
    pub status: Status,
    /// Whether what was done costs the turn. A sequence or selector goes no
    /// further in this tick after a child that ends the turn, and resumes with
    /// the next child in the next.
    pub ends_turn: bool,
}

impl Outcome {
    /// Success that costs no turn.
    pub const SUCCESS: Self = Self::new(Status::Success);
    /// Failure that costs no turn.
    pub const FAILURE: Self = Self::new(Status::Failure);
    /// Running without costing a turn.
    pub const RUNNING: Self = Self::new(Status::Running);

    /// An outcome that costs no turn.
    #[inline]
    pub const fn new(status: Status) -> Self {
        Self {
            status,
            ends_turn: false,
        }
    }

    /// The same status, and the turn is over.
    #[must_use]
    #[inline]
    pub const fn ending_turn(self) -> Self {
        Self {
            status: self.status,
            ends_turn: true,
        }
    }

    /// The same, also ending the turn when `ends_turn`.
    #[inline]
    pub(super) const fn or_turn(self, ends_turn: bool) -> Self {
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

/// What an action may return: a [`Status`], an [`Outcome`], a `bool` (success
/// or failure), `()` (success), or a `Result` of one of these, in which an
/// error is a failure with a traced reason.
pub trait IntoOutcome {
    /// The outcome; a reason, if there is one, goes to the trace of `tick`.
    fn into_outcome<C>(self, tick: &mut Tick<'_, C>) -> Outcome;
}

impl IntoOutcome for Outcome {
    #[inline]
    fn into_outcome<C>(self, _: &mut Tick<'_, C>) -> Outcome {
        self
    }
}

impl IntoOutcome for Status {
    #[inline]
    fn into_outcome<C>(self, _: &mut Tick<'_, C>) -> Outcome {
        self.into()
    }
}

impl IntoOutcome for bool {
    #[inline]
    fn into_outcome<C>(self, _: &mut Tick<'_, C>) -> Outcome {
        self.into()
    }
}

impl IntoOutcome for () {
    #[inline]
    fn into_outcome<C>(self, _: &mut Tick<'_, C>) -> Outcome {
        Outcome::SUCCESS
    }
}

impl<O: IntoOutcome, E: fmt::Display> IntoOutcome for Result<O, E> {
    fn into_outcome<C>(self, tick: &mut Tick<'_, C>) -> Outcome {
        match self {
            Ok(outcome) => outcome.into_outcome(tick),
            Err(error) => {
                tick.because_with(|| error.to_string());
                Outcome::FAILURE
            }
        }
    }
}
