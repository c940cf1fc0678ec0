//! Decorators, which change the result of their one child, and leaves with a fixed result.

use serde::{Deserialize, Serialize};

use super::check_seconds;
use crate::blackboard::{NamedKey, Schema};
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
}

/// Starts the child again when it completes, until it completes with the status `until`, which
/// is a success, or has completed `count` times, which is `at_last`. Run memory: how often it
/// has completed.
pub struct Again {
    pub until: Option<Status>,
    /// 0 stands for never.
    pub count: u32,
    pub at_last: Status,
}

impl<C: Context> Node<C> for Again {
    fn memory(&self) -> [u16; 2] {
        [1, 0]
    }

    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        let Outcome { status, ends_turn } = tick.visit_child(tick.node + 1);
        if Some(status) == self.until {
            return Outcome::SUCCESS.or_turn(ends_turn);
        }
        if status.is_done() {
            // Also counted without an end: a reloaded tree may have one.
            let completed = tick.recall::<u64>(0).saturating_add(1);
            tick.remember(0, completed);
            if self.count > 0 && completed >= u64::from(self.count) {
                return Outcome::from(self.at_last).or_turn(ends_turn);
            }
        }
        Outcome::RUNNING.or_turn(ends_turn)
    }
}

/// Run memory: when it began.
pub struct Delay {
    pub seconds: f32,
}

impl<C: Context> Node<C> for Delay {
    fn memory(&self) -> [u16; 2] {
        [1, 0]
    }

    fn bind(&mut self, _: &mut Schema) -> Result<(), BindError> {
        check_seconds("its time", self.seconds)
    }

    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        if tick.reached(0, self.seconds) {
            tick.visit_child(tick.node + 1)
        } else {
            Outcome::RUNNING
        }
    }
}

/// A part of the tree's file.
pub struct Subtree;

impl<C: Context> Node<C> for Subtree {
    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        tick.visit_child(tick.node + 1)
    }
}

/// Run memory: when it began.
pub struct Timeout {
    pub seconds: f32,
}

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

/// Lasting memory: when the child last succeeded. A shared cooldown has it on the blackboard,
/// in microseconds on the agent's clock.
pub struct Cooldown {
    pub seconds: f32,
    pub shared: Option<NamedKey<i64>>,
}

impl<C: Context> Node<C> for Cooldown {
    fn memory(&self) -> [u16; 2] {
        [0, 1]
    }

    fn bind(&mut self, schema: &mut Schema) -> Result<(), BindError> {
        if let Some(key) = &mut self.shared {
            key.bind(schema)?;
        }
        check_seconds("its time", self.seconds)
    }

    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        let now = tick.now;
        if tick.memory.cursors[tick.node] == 0 {
            let succeeded = match &self.shared {
                Some(key) => tick
                    .board
                    .get(key)
                    .map_or(0, |at| tick::stamp(at as f64 / 1e6)),
                None => tick.recall(0),
            };
            if succeeded != 0 && !tick::reached(succeeded, now, self.seconds) {
                tick.set_reason(|| "cooling down");
                return Outcome::FAILURE;
            }
            tick.remember(0, 0_u64);
        }
        let outcome = tick.visit_child(tick.node + 1);
        if outcome.status == Status::Success {
            if let Some(key) = &self.shared {
                // The key is the tree's own.
                let _ = tick.board.set(key, (now * 1e6) as i64);
            } else {
                tick.remember(0, tick::stamp(now));
            }
        }
        outcome
    }
}

pub struct Invert;

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

/// Completes with its status when its child completes.
pub struct Force {
    pub status: Status,
    pub turn: TurnRule,
}

impl<C: Context> Node<C> for Force {
    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        let outcome = tick.visit_child(tick.node + 1);
        if outcome.status == Status::Running {
            return outcome;
        }
        self.turn.apply(self.status, outcome.ends_turn)
    }
}

/// A leaf with a fixed result.
pub struct Always {
    pub status: Status,
    pub turn: TurnRule,
}

impl<C: Context> Node<C> for Always {
    fn tick(&self, _: &mut Tick<'_, '_, C>) -> Outcome {
        self.turn.apply(self.status, false)
    }
}
