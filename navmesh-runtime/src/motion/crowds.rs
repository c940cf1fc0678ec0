//! Searches shared by agents with one destination.

use crate::mesh::Layer;
use crate::search::Query;
use crate::search::goal_tree::{Arrivals, FromTree, GoalTree};

/// How many requests for one goal have to wait before a search backwards from
/// it begins. A lower number begins searches that cost more than those of the few
/// agents that share them; with a higher one, crowds of up to that size are searched for one
/// by one. Chosen by the part `one goal` of `cargo bench -p navmesh-runtime
/// --bench motion`, which prints both costs for crowds of 6 to 1,000.
const CROWD: usize = 16;

/// How many waiting requests are looked through for a crowd. A crowd spread
/// over more of the queue is not recognized; a longer look costs every request
/// that is searched for alone.
pub const WINDOW: usize = 64;

/// How many goals are kept. Each holds a search over the whole layer in memory,
/// and each is compared with every request.
const MOST_GOALS: usize = 4;

/// The goals of crowds and the searches from them. A goal is kept, over frames
/// too, until its place is needed for another.
#[derive(Debug, Default)]
pub struct Crowds {
    arrivals: Arrivals,
    /// The one used last is the first.
    goals: Vec<GoalTree>,
}

impl Crowds {
    /// Whether a query can be answered from a goal: a known one, or a new one when a
    /// crowd waits for it. Makes that goal the first.
    pub fn serve<'a, W: Iterator<Item = &'a Query>>(
        &mut self,
        layer: &Layer,
        query: &Query,
        waiting: impl Fn() -> W,
    ) -> bool {
        let known = |goal: &GoalTree| goal.serves(layer, query);
        if let Some(index) = self.goals.iter().position(known) {
            self.goals[..=index].rotate_right(1);
            return true;
        }
        let has_same_goal = |other: &&Query| other.has_goal_of(query);
        // The query itself no longer waits, but belongs to the crowd.
        let others = waiting().filter(has_same_goal).take(CROWD - 1).count();
        if others + 1 < CROWD {
            return false;
        }
        if self.goals.len() < MOST_GOALS {
            self.goals.push(GoalTree::default());
        }
        // It takes the place of the goal unused for the longest time, unless a request
        // waits for that.
        let is_idle = |goal: &GoalTree| !waiting().any(|query| goal.serves(layer, query));
        let Some(index) = self.goals.iter().rposition(is_idle) else {
            return false;
        };
        self.goals[..=index].rotate_right(1);
        self.arrivals.prepare(layer);
        self.goals[0].start(layer, &self.arrivals, query);
        true
    }

    /// Looks for a path from the start of a query to the first goal. Returns the nodes
    /// looked at as well.
    pub fn find(&mut self, layer: &Layer, query: &Query, budget: u32) -> (FromTree<'_>, u32) {
        match self.goals.first_mut() {
            Some(goal) if goal.serves(layer, query) => {
                // The queue may have searched in another layer meanwhile.
                self.arrivals.prepare(layer);
                goal.find(layer, &self.arrivals, query, budget)
            }
            _ => (FromTree::NotApplicable, 0),
        }
    }
}
