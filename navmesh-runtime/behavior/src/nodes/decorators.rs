//! Decorators, which change the result of their one child, and leaves with a fixed result.

use serde::{Deserialize, Serialize};

use super::{
    AlwaysFail, AlwaysSucceed, Cooldown, ForceFailure, ForceSuccess, Invert, Repeat, Timeout,
    not_seconds,
};
use crate::builder::Builder;
use crate::context::Context;
use crate::node::Node;
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
    fn memory(&self) -> u16 {
        1
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
    fn memory(&self) -> u16 {
        1
    }

    fn mistake(&self) -> Option<String> {
        not_seconds("its time", self.seconds)
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
    fn lasting_memory(&self) -> u16 {
        1
    }

    fn mistake(&self) -> Option<String> {
        not_seconds("its time", self.seconds)
    }

    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        let (now, succeeded) = (tick.now(), tick.recall::<u64>(0));
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

/// Decorators: each takes exactly one child.
impl<C: Context> Builder<C> {
    /// Opens a repeater without end: it is always running, and starts its
    /// child again whenever that completes, at most once per tick.
    pub fn repeat(self, name: &str) -> Self {
        self.repeat_times(name, 0)
    }

    /// Opens a repeater that succeeds when its child has completed `count`
    /// times; 0 stands for never.
    pub fn repeat_times(self, name: &str, count: u32) -> Self {
        self.open(name, Repeat { count })
    }

    /// Opens a timeout: ticks its child. A child that is still running
    /// `seconds` after its first tick is aborted, and the timeout fails.
    pub fn timeout(self, name: &str, seconds: f32) -> Self {
        self.open(name, Timeout { seconds })
    }

    /// Opens a cooldown: after its child has succeeded, it fails at once until
    /// `seconds` have passed. A failure starts no cooldown. Survives reset.
    pub fn cooldown(self, name: &str, seconds: f32) -> Self {
        self.open(name, Cooldown { seconds })
    }

    /// Opens an inverter: success becomes failure, and failure success.
    pub fn invert(self, name: &str) -> Self {
        self.open(name, Invert {})
    }

    /// Opens a node that succeeds when its child completes, either way. In
    /// turn-based games, `turn` decides whether that ends the turn.
    pub fn force_success(self, name: &str, turn: TurnRule) -> Self {
        self.open(name, ForceSuccess { turn })
    }

    /// Opens a node that fails when its child completes, either way.
    pub fn force_failure(self, name: &str, turn: TurnRule) -> Self {
        self.open(name, ForceFailure { turn })
    }
}
