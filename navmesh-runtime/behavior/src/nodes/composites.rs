//! Composites: sequences and selectors tick their children in order until one decides,
//! races and parallels tick all of them in every tick.

use serde::{Deserialize, Serialize};

use super::check_most;
use crate::context::Context;
use crate::node::Node;
use crate::status::{Outcome, Status};
use crate::tick::{CONTINUES, FAILED, RUNNING, SUCCEEDED, Tick, child_of};

/// How many children a sequence or selector ticks in one tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// As many as complete: the next child is ticked in the same tick.
    #[default]
    Eager,
    /// At most one. If it completes and there are more, the node is running.
    /// Reactive composites start over in each tick and are always eager.
    OneChildPerTick,
}

/// A sequence or selector: continues with the next child when one has completed with
/// `onward`, and completes on the opposite. A running child is resumed.
pub struct Ordered {
    pub pace: Option<Pace>,
    pub onward: Status,
}

impl<C: Context> Node<C> for Ordered {
    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        if tick.trace.is_some() {
            return traced(|| resume::<true, C>(tick, self.pace, self.onward));
        }
        resume::<false, C>(tick, self.pace, self.onward)
    }
}

/// One that starts at its first child in every tick.
pub struct Reactive {
    pub onward: Status,
}

impl<C: Context> Node<C> for Reactive {
    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        if tick.trace.is_some() {
            return traced(|| restart::<true, C>(tick, self.onward));
        }
        restart::<false, C>(tick, self.onward)
    }
}

/// Keeps the code of a traced tick apart from that of other ticks.
#[cold]
#[inline(never)]
fn traced(walk: impl FnOnce() -> Outcome) -> Outcome {
    walk()
}

/// Continues with the next child on `onward`, completes on the opposite. The cursor is the
/// child that is resumed.
#[expect(
    clippy::inline_always,
    reason = "a call less for each walk is measurable"
)]
#[inline(always)]
fn resume<const TRACED: bool, C: Context>(
    tick: &mut Tick<'_, '_, C>,
    pace: Option<Pace>,
    onward: Status,
) -> Outcome {
    let (tree, at) = (tick.tree, tick.node);
    let end = tree.steps[at].end as usize;
    let steps = &tree.steps[..end];
    let one_per_tick = pace.unwrap_or(tree.pace) == Pace::OneChildPerTick;
    let cursor = tick.memory.cursors[at];
    let resumed = child_of(cursor);
    // Only the child that is resumed may be running.
    let mut may_run = resumed.is_some();
    let mut child = resumed.unwrap_or(at + 1);
    let mut ends_turn = false;
    while let Some(step) = steps.get(child) {
        let outcome = tick.visit_step::<TRACED>(child, step, may_run);
        may_run = false;
        ends_turn = outcome.ends_turn;
        if outcome.status != onward {
            if outcome.status == Status::Running && child as u32 != cursor {
                tick.memory.cursors[at] = child as u32;
            }
            return outcome;
        }
        child = step.end as usize;
        if (one_per_tick || ends_turn) && child < end {
            tick.memory.cursors[at] = child as u32;
            return Outcome::RUNNING.or_turn(ends_turn);
        }
    }
    Outcome::from(onward).or_turn(ends_turn)
}

/// Starts at the first child in each tick; a running child that is not reached again is
/// aborted. After a child that ended the turn, the next tick starts at the child that
/// follows: a turn has one action.
#[expect(
    clippy::inline_always,
    reason = "a call less for each walk is measurable"
)]
#[inline(always)]
fn restart<const TRACED: bool, C: Context>(tick: &mut Tick<'_, '_, C>, onward: Status) -> Outcome {
    let (tree, at) = (tick.tree, tick.node);
    let end = tree.steps[at].end as usize;
    let steps = &tree.steps[..end];
    let cursor = tick.memory.cursors[at];
    // The child that may be running; all others are idle.
    let running = child_of(cursor).unwrap_or(0);
    let mut child = if cursor & CONTINUES == 0 {
        at + 1
    } else {
        running
    };
    while let Some(step) = steps.get(child) {
        let outcome = tick.visit_step::<TRACED>(child, step, child == running);
        let next = step.end as usize;
        let goes_on = outcome.status == onward && next < end;
        if goes_on && !outcome.ends_turn {
            child = next;
            continue;
        }
        // The child that the next tick starts at may go on running.
        if running != 0 && running != child && !(goes_on && running == next) {
            tick.abort_running(running);
        }
        if goes_on {
            tick.memory.cursors[at] = next as u32 | CONTINUES;
            return Outcome::RUNNING.or_turn(true);
        }
        if outcome.status == Status::Running {
            tick.memory.cursors[at] = child as u32;
        }
        return outcome;
    }
    Outcome::from(onward)
}

pub struct Race;

impl<C: Context> Node<C> for Race {
    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        let at = tick.node;
        let mut winner: Option<(usize, Status)> = None;
        let (next, ends_turn) = visit_all(tick, at, |_, child, outcome| {
            let is_earlier = winner.is_none_or(|(winner, _)| child < winner);
            if outcome.status.is_done() && is_earlier {
                winner = Some((child, outcome.status));
            }
        });
        let Some((_, status)) = winner else {
            tick.memory.cursors[at] = next;
            return Outcome::RUNNING.or_turn(ends_turn);
        };
        tick.abort_children(at);
        Outcome::from(status).or_turn(ends_turn)
    }
}

/// How many children must succeed and fail; 0 stands for all.
pub struct Parallel {
    pub success: u16,
    pub failure: u16,
}

impl<C: Context> Node<C> for Parallel {
    fn check(&self, children: usize) -> Result<(), String> {
        check_most(
            "a threshold is",
            self.success.max(self.failure).into(),
            children,
        )
    }

    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        let (tree, at) = (tick.tree, tick.node);
        let (next, ends_turn) = visit_all(tick, at, |tick, child, outcome| {
            tick.memory.cursors[child] = match outcome.status {
                Status::Success => SUCCEEDED,
                Status::Failure => FAILED,
                Status::Running => return,
            };
        });
        let (mut all, mut succeeded, mut failed) = (0, 0, 0);
        for child in tree.children(at) {
            let cursor = tick.memory.cursors[child];
            all += 1;
            succeeded += u32::from(cursor == SUCCEEDED);
            failed += u32::from(cursor == FAILED);
        }
        let [success, failure] = [self.success, self.failure].map(|given| match given {
            0 => all,
            given => u32::from(given),
        });
        let status = if succeeded >= success {
            Status::Success
        } else if failed >= failure || succeeded + failed == all {
            Status::Failure
        } else {
            tick.memory.cursors[at] = next;
            return Outcome::RUNNING.or_turn(ends_turn);
        };
        tick.abort_children(at);
        Outcome::from(status).or_turn(ends_turn)
    }
}

/// Ticks every child that has not completed for good, and passes on the outcome. After a
/// child that ended the turn the tick is over, and the next starts at the child that
/// follows. Returns the cursor of a node that goes on, and whether a child has ended the
/// turn.
fn visit_all<C: Context>(
    tick: &mut Tick<'_, '_, C>,
    at: usize,
    mut visited: impl FnMut(&mut Tick<'_, '_, C>, usize, Outcome),
) -> (u32, bool) {
    let tree = tick.tree;
    let first = child_of(tick.memory.cursors[at]).unwrap_or(at + 1);
    let mut child = first;
    loop {
        let step = &tree.steps[child];
        let mut ends_turn = false;
        if tick.memory.cursors[child] < FAILED {
            let outcome = tick.visit_child(child);
            ends_turn = outcome.ends_turn;
            visited(tick, child, outcome);
        }
        child = step.end as usize;
        if child >= tree.steps[at].end as usize {
            child = at + 1;
        }
        if ends_turn {
            return (child as u32, true);
        }
        if child == first {
            return (RUNNING, false);
        }
    }
}
