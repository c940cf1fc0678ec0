//! Decorators, which change the result of their one child, and leaves with a fixed result.

use serde::{Deserialize, Serialize};

use super::{
    AlwaysFail, AlwaysSucceed, Cooldown, ForceFailure, ForceSuccess, Invert, Repeat, Timeout,
    check_seconds,
};
use crate::blackboard::Schema;
use crate::context::Context;
use crate::node::{BindError, Node};
use crate::status::{Outcome, Status};
use crate::tick::{self, Tick};

/// Whether a `force_*` or `always_*` node ends the turn, in turn-based games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnRule {
    /// If the child did; a node without a child does not.
    #[default]
    Keep,
    /// It ends the turn.
    Ends,
    /// It does not end the turn.
    Continues,
}

impl TurnRule {
    /// The outcome of a node whose child has completed, or that has none.
    fn apply(self, status: Status, ends_turn: bool) -> Outcome {
        let ends_turn = match self {
            Self::Keep => ends_turn,
            Self::Ends => true,
            Self::Continues => false,
        };
        Outcome { status, ends_turn }
    }

    fn force<C: Context>(self, tick: &mut Tick<'_, '_, C>, status: Status) -> Outcome {
        let outcome = tick.visit_child(tick.node + 1);
        if outcome.status == Status::Running {
            return outcome;
        }
        self.apply(status, outcome.ends_turn)
    }
}

/// Run memory: how often the child has completed.
impl<C: Context> Node<C> for Repeat {
    fn memory(&self) -> [u16; 2] {
        [1, 0]
    }

    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        let outcome = tick.visit_child(tick.node + 1);
        if outcome.status.is_done() {
            // Also counted without an end: a reloaded tree may have one.
            let completed = tick.recall::<u64>(0) + 1;
            tick.remember(0, completed);
            if self.count > 0 && completed >= u64::from(self.count) {
                return Outcome::SUCCESS.or_turn(outcome.ends_turn);
            }
        }
        Outcome::RUNNING.or_turn(outcome.ends_turn)
    }
}

/// Run memory: when it began.
impl<C: Context> Node<C> for Timeout {
    fn memory(&self) -> [u16; 2] {
        [1, 0]
    }

    fn bind(&mut self, _: &mut Schema) -> Result<(), BindError> {
        check_seconds("its time", self.seconds)
    }

    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        let is_over = tick.reached(0, self.seconds);
        let outcome = tick.visit_child(tick.node + 1);
        if outcome.status.is_done() || !is_over {
            return outcome;
        }
        tick.abort_running(tick.node + 1);
        tick.set_reason(|| "timed out");
        Outcome::FAILURE.or_turn(outcome.ends_turn)
    }
}

/// Lasting memory: when the child last succeeded.
impl<C: Context> Node<C> for Cooldown {
    fn memory(&self) -> [u16; 2] {
        [0, 1]
    }

    fn bind(&mut self, _: &mut Schema) -> Result<(), BindError> {
        check_seconds("its time", self.seconds)
    }

    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        let (now, succeeded) = (tick.now, tick.recall::<u64>(0));
        if tick.memory.cursors[tick.node] == 0 && succeeded != 0 {
            if !tick::reached(succeeded, now, self.seconds) {
                tick.set_reason(|| "cooling down");
                return Outcome::FAILURE;
            }
            tick.remember(0, 0_u64);
        }
        let outcome = tick.visit_child(tick.node + 1);
        if outcome.status == Status::Success {
            tick.remember(0, tick::stamp(now));
        }
        outcome
    }
}

impl<C: Context> Node<C> for Invert {
    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        let Outcome { status, ends_turn } = tick.visit_child(tick.node + 1);
        let status = match status {
            Status::Success => Status::Failure,
            Status::Failure => Status::Success,
            Status::Running => Status::Running,
        };
        Outcome { status, ends_turn }
    }
}

impl<C: Context> Node<C> for ForceSuccess {
    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        self.turn.force(tick, Status::Success)
    }
}

impl<C: Context> Node<C> for ForceFailure {
    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        self.turn.force(tick, Status::Failure)
    }
}

impl<C: Context> Node<C> for AlwaysSucceed {
    fn tick(&self, _: &mut Tick<'_, '_, C>) -> Outcome {
        self.turn.apply(Status::Success, false)
    }
}

impl<C: Context> Node<C> for AlwaysFail {
    fn tick(&self, _: &mut Tick<'_, '_, C>) -> Outcome {
        self.turn.apply(Status::Failure, false)
    }
}
