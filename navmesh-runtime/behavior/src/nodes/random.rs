//! Nodes that depend on the agent's random numbers.

use super::{check_most, check_seconds};
use crate::blackboard::Schema;
use crate::context::Context;
use crate::error::{require, require_finite};
use crate::node::{BindError, Node};
use crate::nodes::composites::Pace;
use crate::status::{Outcome, Status};
use crate::tick::{RUNNING, Tick, child_of};

/// A sequence or selector that ticks its children in a random order. Run memory: a bit for
/// each child that has completed.
pub struct Shuffled {
    /// 1 for children without one.
    pub weights: Vec<f32>,
    pub onward: Status,
}

impl<C: Context> Node<C> for Shuffled {
    fn memory(&self) -> [u16; 2] {
        [1, 0]
    }

    fn bind(&mut self, _: &mut Schema) -> Result<(), BindError> {
        for weight in &self.weights {
            require_finite("a weight", *weight)?;
        }
        Ok(())
    }

    fn check(&self, children: usize) -> Result<(), String> {
        check_most("the number of weights is", self.weights.len(), children)
    }

    /// Continues with a random child that has not completed on `onward`, completes on the
    /// opposite. The cursor is the child that is resumed.
    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        let (tree, at) = (tick.tree, tick.node);
        let mut completed: u64 = tick.recall(0);
        let mut resumed = child_of(tick.memory.cursors[at]);
        let mut ends_turn = false;
        while let Some(child) = resumed
            .take()
            .or_else(|| pick(tick, &self.weights, completed))
        {
            let outcome = tick.visit_child(child);
            ends_turn = outcome.ends_turn;
            if outcome.status != self.onward {
                if outcome.status == Status::Running {
                    tick.memory.cursors[at] = child as u32;
                }
                return outcome;
            }
            let index = tree.children(at).position(|other| other == child);
            completed |= 1 << index.unwrap_or(0);
            tick.remember(0, completed);
            let is_last = completed.count_ones() as usize >= tree.children(at).count();
            if !is_last && (ends_turn || tree.pace == Pace::OneChildPerTick) {
                tick.memory.cursors[at] = RUNNING;
                return Outcome::RUNNING.or_turn(ends_turn);
            }
        }
        Outcome::from(self.onward).or_turn(ends_turn)
    }
}

/// A random one of the children that have not completed, by their weights; `None` when
/// none is left that has a weight.
fn pick<C: Context>(tick: &mut Tick<'_, '_, C>, weights: &[f32], completed: u64) -> Option<usize> {
    let (tree, at) = (tick.tree, tick.node);
    let left = tree.children(at).enumerate();
    let left = left.filter(|(index, _)| completed >> index & 1 == 0);
    let left = left.map(|(index, child)| (child, weights.get(index).copied().unwrap_or(1.0)));
    let left = left.filter(|(_, weight)| *weight > 0.0);
    let sum: f64 = left.clone().map(|(_, weight)| f64::from(weight)).sum();
    let mut rest = f64::from(tick.random()) * sum;
    // Rounding may leave a little of the sum: that is the last child's.
    let last = left.clone().last();
    for (child, weight) in left {
        rest -= f64::from(weight);
        if rest < 0.0 {
            return Some(child);
        }
    }
    Some(last?.0)
}

/// Run memory: when it began, and for how many seconds it runs.
pub struct RandomWait {
    pub least: f32,
    pub most: f32,
}

impl<C: Context> Node<C> for RandomWait {
    fn memory(&self) -> [u16; 2] {
        [2, 0]
    }

    fn bind(&mut self, _: &mut Schema) -> Result<(), BindError> {
        check_seconds("`least`", self.least)?;
        let Self { least, most } = self;
        let expected = format!("a finite number, {least} (`least`) or more");
        let is_valid = most.is_finite() && most >= least;
        Ok(require(is_valid, "`most`", most, &expected)?)
    }

    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        if tick.recall::<u64>(0) == 0 {
            let seconds = self.least + tick.random() * (self.most - self.least);
            tick.remember(1, seconds);
        }
        let seconds = tick.recall(1);
        if tick.reached(0, seconds) {
            Outcome::SUCCESS
        } else {
            Outcome::RUNNING
        }
    }
}
