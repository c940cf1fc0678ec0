//! Agents that want to get to the same place, and share the work.

use crate::mesh::Layer;
use crate::search::Query;
use crate::search::arrivals::Arrivals;
use crate::search::goal_tree::{FromTree, GoalTree};

/// How many have to ask for one goal before a search backwards from it is
/// begun. Measured (`cargo bench -p navmesh-runtime --bench motion`).
const CROWD: usize = 16;

/// Among how many of those who wait a crowd is looked for.
pub(super) const WINDOW: usize = 64;

/// How many goals are kept at once.
const MOST_GOALS: usize = 4;

/// What is known of the goals of crowds. A goal is kept, over frames too,
/// until its place is needed for another.
#[derive(Debug, Default)]
pub(super) struct Crowds {
    arrivals: Arrivals,
    goals: Vec<Goal>,
    /// Counts up with every use.
    clock: u64,
}

#[derive(Debug, Default)]
struct Goal {
    tree: GoalTree,
    used: u64,
}

impl Crowds {
    /// The goal that a question can be answered from: one that is known, or a
    /// new one if a crowd waits for it.
    pub(super) fn goal_of<'a, W: Iterator<Item = &'a Query>>(
        &mut self,
        layer: &Layer,
        query: &Query,
        waiting: impl Fn() -> W,
    ) -> Option<usize> {
        self.clock += 1;
        let known = |goal: &Goal| goal.tree.serves(layer, query);
        if let Some(index) = self.goals.iter().position(known) {
            self.goals[index].used = self.clock;
            return Some(index);
        }
        let is_same = |other: &&Query| other.has_goal_of(query);
        // Who asks is one of them.
        if waiting().filter(is_same).take(CROWD - 1).count() + 1 < CROWD {
            return None;
        }
        let index = self.place(layer, waiting)?;
        self.arrivals.prepare(layer);
        let goal = &mut self.goals[index];
        goal.used = self.clock;
        goal.tree.start(layer, &self.arrivals, query);
        Some(index)
    }

    /// Where a new goal can go: in place of the one that was not used for the
    /// longest time, unless somebody waits for it.
    fn place<'a, W: Iterator<Item = &'a Query>>(
        &mut self,
        layer: &Layer,
        waiting: impl Fn() -> W,
    ) -> Option<usize> {
        if self.goals.len() < MOST_GOALS {
            self.goals.push(Goal::default());
            return Some(self.goals.len() - 1);
        }
        let is_wanted = |goal: &Goal| waiting().any(|query| goal.tree.serves(layer, query));
        let idle = (0..).zip(&self.goals).filter(|(_, goal)| !is_wanted(goal));
        idle.min_by_key(|(_, goal)| goal.used).map(|(i, _)| i)
    }

    /// Looks for a path from the start of a query to its goal.
    pub(super) fn find(
        &mut self,
        layer: &Layer,
        goal: usize,
        query: &Query,
        budget: u32,
    ) -> (FromTree<'_>, u32) {
        match self.goals.get_mut(goal) {
            Some(goal) if goal.tree.serves(layer, query) => {
                // Meanwhile another layer may have been asked about.
                self.arrivals.prepare(layer);
                goal.tree.find(layer, &self.arrivals, query, budget)
            }
            _ => (FromTree::NotApplicable, 0),
        }
    }
}
