//! Searches shared by agents with one destination.

use crate::mesh::Layer;
use crate::search::Query;
use crate::search::goal_tree::{Arrivals, FromTree, GoalTree};

/// How many requests for one goal have to wait before a search backwards from
/// it begins. A lower number begins searches that too few agents share to pay
/// for them; with a higher one, crowds of up to that size are searched for one
/// by one. Chosen by the part `one goal` of `cargo bench -p navmesh-runtime
/// --bench motion`, which prints both costs for crowds of 6 to 1,000.
const CROWD: usize = 16;

/// How many waiting requests are looked through for a crowd. A crowd spread
/// over more of the queue is not recognized; a longer look costs every request
/// that is searched for alone.
pub(super) const WINDOW: usize = 64;

/// How many goals are kept. Each holds a search over the whole layer in memory,
/// and each is compared with every request.
const MOST_GOALS: usize = 4;

/// The goals of crowds and the searches from them. A goal is kept, over frames
/// too, until its place is needed for another.
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
    /// The clock at the last use.
    used: u64,
}

impl Crowds {
    /// The goal from which a query can be answered: a known one, or a new one
    /// when a crowd waits for it.
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
        let has_same_goal = |other: &&Query| other.has_goal_of(query);
        // The query itself no longer waits, but belongs to the crowd.
        let others = waiting().filter(has_same_goal).take(CROWD - 1).count();
        if others + 1 < CROWD {
            return None;
        }
        let index = self.place(layer, waiting)?;
        self.arrivals.prepare(layer);
        let goal = &mut self.goals[index];
        goal.used = self.clock;
        goal.tree.start(layer, &self.arrivals, query);
        Some(index)
    }

    /// The place for a new goal: that of the goal unused for the longest time,
    /// unless a request waits for it.
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

    /// Looks for a path from the start of a query to a goal. Returns the nodes
    /// looked at as well.
    pub(super) fn find(
        &mut self,
        layer: &Layer,
        goal: usize,
        query: &Query,
        budget: u32,
    ) -> (FromTree<'_>, u32) {
        match self.goals.get_mut(goal) {
            Some(goal) if goal.tree.serves(layer, query) => {
                // The queue may have searched in another layer meanwhile.
                self.arrivals.prepare(layer);
                goal.tree.find(layer, &self.arrivals, query, budget)
            }
            _ => (FromTree::NotApplicable, 0),
        }
    }
}
