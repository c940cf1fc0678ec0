//! Nodes that tick all of their children in every tick. After a child that ends the turn
//! the tick is over, and the next starts at the child that follows: that is their cursor.

use super::{Parallel, Race};
use crate::builder::Builder;
use crate::context::Context;
use crate::node::Node;
use crate::status::{Outcome, Status};
use crate::tick::{FAILED, RUNNING, SUCCEEDED, Tick, child_of};

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

impl<C: Context> Node<C> for Parallel {
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
        // 0 stands for all children.
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

/// Ticks every child that has not completed for good, and passes on the outcome. Returns
/// the cursor of a node that goes on, and whether a child has ended the turn.
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

impl<C: Context> Builder<C> {
    /// Opens a race: ticks every child in every tick. The first child to
    /// complete decides (in a tie, the first in order); the others are
    /// aborted.
    pub fn race(self, name: &str) -> Self {
        self.open(name, Race {})
    }

    /// Opens a parallel: in each tick, ticks every child that has not
    /// completed. It succeeds when `success` children have succeeded, and fails
    /// when `failure` children have failed or all have completed; the others
    /// are aborted. 0 stands for all children.
    pub fn parallel(self, name: &str, success: u16, failure: u16) -> Self {
        self.open(name, Parallel { success, failure })
    }
}
