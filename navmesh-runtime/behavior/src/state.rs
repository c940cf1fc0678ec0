//! What one agent is doing in its tree.

use std::fmt;
use std::sync::Arc;

use super::blackboard::Blackboard;
use super::context::Context;
use super::engine::Run;
use super::error::{self, BuildError};
use super::memory::{Guard, Memory, Pool};
use super::node::NodeKind;
use super::status::Outcome;
use super::tick::Tick;
use super::trace::Trace;
use super::tree::Tree;
use crate::coordination::{Pools, WaypointClaim};

/// What one agent is doing in its tree. It is small, and it allocates only when
/// it is made or [moved to another tree](Self::migrate).
///
/// Dropping it returns every token and waypoint it holds, but cannot call
/// [`Task::abort`](super::Task::abort) for lack of a view. Call
/// [`reset`](Self::reset) first if the tasks need it.
pub struct TreeState<C: Context> {
    /// What the numbers in `memory` refer to.
    pub(crate) tree: Arc<Tree<C>>,
    pub(crate) memory: Memory,
    /// The agent's blackboard.
    pub board: Blackboard,
}

impl<C: Context> Tree<C> {
    /// The state of a new agent. If the tree uses pools, call
    /// [`state_in`](Self::state_in): without pools those nodes fail.
    pub fn state(self: &Arc<Self>) -> TreeState<C> {
        TreeState::new(Arc::clone(self), Box::default())
    }

    /// The state of a new agent, bound to the pools of its level.
    ///
    /// # Errors
    /// If the tree names a pool that `pools` does not have.
    pub fn state_in(self: &Arc<Self>, pools: &Pools) -> Result<TreeState<C>, BuildError> {
        Ok(TreeState::new(Arc::clone(self), bind(self, pools)?))
    }
}

/// The pools of the nodes that hold something, in their order.
pub fn bind<C: Context>(tree: &Tree<C>, pools: &Pools) -> Result<Box<[Pool]>, BuildError> {
    let mut bound = Vec::new();
    for (at, node) in tree.nodes.iter().enumerate() {
        let (what, name, pool) = match &node.kind {
            NodeKind::WithToken { pool, .. } => {
                let found = pools.tokens(pool).cloned();
                ("token pool", pool, found.map(Pool::Token))
            }
            NodeKind::WithWaypoint { pool, .. } => {
                let found = pools.waypoints(pool).cloned().map(|pool| {
                    let left_out = vec![false; pool.waypoints().len()];
                    Pool::Waypoint(pool, left_out.into())
                });
                ("waypoint pool", pool, found)
            }
            _ => continue,
        };
        bound.push(pool.ok_or_else(|| {
            let similar = match node.kind {
                NodeKind::WithToken { .. } => {
                    error::similar(name, pools.token_pools().map(|p| p.0))
                }
                _ => error::similar(name, pools.waypoint_pools().map(|p| p.0)),
            };
            let hint = similar.unwrap_or_else(|| "add it to the pools of the level".into());
            let path = tree.paths().swap_remove(at);
            BuildError::of_node(path, error::unknown(what, name, &hint))
        })?);
    }
    Ok(bound.into())
}

/// A frame time that does not stop the clock or turn it back.
fn valid(dt: f32) -> f32 {
    if dt.is_finite() { dt.max(0.0) } else { 0.0 }
}

impl<C: Context> TreeState<C> {
    pub(crate) fn new(tree: Arc<Tree<C>>, pools: Box<[Pool]>) -> Self {
        let [run, lasting, guards] = tree.extents.total();
        Self {
            memory: Memory {
                cursors: vec![0; tree.nodes.len()].into(),
                run: vec![0; run].into(),
                lasting: vec![0; lasting].into(),
                guards: (0..guards).map(|_| None).collect(),
                pools,
                signal: None,
                is_planning: false,
                now: 0.0,
            },
            board: Blackboard::new(tree.schema.clone()),
            tree,
        }
    }

    /// Ticks the tree once; `dt` is the time since the last tick, in seconds.
    /// After the root has completed, the next tick starts the tree again.
    /// Allocates nothing, unless the game's own tasks do. A `dt` that is
    /// negative or not finite counts as 0.
    pub fn tick(&mut self, context: &mut C::View<'_>, dt: f32) -> Outcome {
        self.advance(dt);
        self.open(context, valid(dt), None).visit_root::<false>()
    }

    /// Ticks the tree once and records which nodes ran.
    pub fn tick_traced(
        &mut self,
        context: &mut C::View<'_>,
        dt: f32,
        trace: &mut Trace,
    ) -> Outcome {
        self.advance(dt);
        trace.begin(self.memory.now);
        let mut run = self.open(context, valid(dt), Some(trace));
        let outcome = run.visit_root::<true>();
        trace.finish(outcome);
        outcome
    }

    /// For turn-based games: ticks the tree until an action ends the turn, the
    /// root completes, or `most` ticks are done. Returns the last outcome. The
    /// clock advances by 1 in total, so that times count turns.
    pub fn take_turn(&mut self, context: &mut C::View<'_>, most: u32) -> Outcome {
        let mut outcome = self.tick(context, 1.0);
        for _ in 1..most {
            if outcome.ends_turn || outcome.status.is_done() {
                break;
            }
            outcome = self.tick(context, 0.0);
        }
        outcome
    }

    /// Restores the tree to its first state: aborts what is running, children
    /// before parents, and returns tokens and waypoints. Lasting memory
    /// (cooldowns, the last waypoint), the blackboard and the clock are kept.
    /// Call it when the agent is disabled.
    pub fn reset(&mut self, context: &mut C::View<'_>) {
        self.open(context, 0.0, None).abort(0);
    }

    /// Resets, and clears lasting memory too. The blackboard and the clock are
    /// kept.
    pub fn restart(&mut self, context: &mut C::View<'_>) {
        self.reset(context);
        self.memory.lasting.fill(0);
    }

    /// Advances the clock without a tick, so that cooldowns continue while an
    /// agent is disabled.
    pub fn advance(&mut self, dt: f32) {
        self.memory.now += f64::from(valid(dt));
    }

    /// The tree that the agent runs.
    pub fn tree(&self) -> &Arc<Tree<C>> {
        &self.tree
    }

    /// Seconds on the agent's clock.
    pub fn now(&self) -> f64 {
        self.memory.now
    }

    /// Whether a node, by its number, is running; node 0 is the root.
    pub fn is_node_running(&self, node: u32) -> bool {
        let cursor = self.memory.cursors.get(node as usize);
        cursor.is_some_and(|cursor| *cursor != 0)
    }

    /// The waypoint that the agent has claimed; the innermost, if nodes are
    /// nested.
    pub fn waypoint(&self) -> Option<&WaypointClaim> {
        let mut guards = self.memory.guards.iter().rev();
        guards.find_map(|guard| match guard {
            Some(Guard::Waypoint(claim)) => Some(claim),
            _ => None,
        })
    }

    /// How many tokens the agent holds.
    pub fn tokens_held(&self) -> usize {
        let held =
            |guard: &&Option<Guard>| matches!(guard, Some(Guard::Token(token)) if token.is_held());
        self.memory.guards.iter().filter(held).count()
    }

    pub(crate) fn open<'a, 'w>(
        &'a mut self,
        context: &'a mut C::View<'w>,
        dt: f32,
        trace: Option<&'a mut Trace>,
    ) -> Run<'a, 'w, C> {
        let tree = &*self.tree;
        Run {
            tree,
            tick: Tick {
                context,
                board: &mut self.board,
                extents: &tree.extents,
                memory: &mut self.memory,
                node: 0,
                dt,
                trace,
            },
        }
    }
}

impl<C: Context> fmt::Debug for TreeState<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let running = self.memory.cursors.iter().zip(0u32..);
        let running: Vec<u32> = running.filter(|(c, _)| **c != 0).map(|(_, i)| i).collect();
        f.debug_struct("TreeState")
            .field("tree", &self.tree.name)
            .field("now", &self.memory.now)
            .field("running", &running)
            .field("board", &self.board)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_of_eleven_nodes_takes_at_most_256_bytes() {
        let leaves = |b| (0..10).fold(b, |b: super::super::Builder<()>, _| b.action("", |_| ()));
        let tree = Tree::<()>::builder("").sequence("").inside(leaves);
        let state = tree.build().expect("a valid tree").state();
        let memory = &state.memory;
        let heap = size_of_val(&*memory.cursors)
            + size_of_val(&*memory.run)
            + size_of_val(&*memory.lasting)
            + size_of_val(&*memory.guards);
        let size = size_of::<TreeState<()>>() + heap;
        assert!(size <= 256, "{size} bytes");
    }
}
