//! What one agent is doing in its tree.

use std::fmt;

use super::engine::Run;
use super::trace::Trace;
use super::{Blackboard, Context, Outcome, Tick, Tree};
use crate::coordination::{Pools, Token, TokenPool, UnknownPool, WaypointClaim, WaypointPool};

/// What one agent is doing in its tree: compact, and it allocates only when it
/// is made.
///
/// Dropping it gives back every token and waypoint it holds. The leaves that
/// were running are not told, for want of a context: call
/// [`reset`](Self::reset) first if they should be.
pub struct TreeState {
    /// The tree it belongs to.
    pub(super) tree: u64,
    pub(super) parts: Parts,
    pub(super) board: Blackboard,
}

/// What the engine works on.
pub(super) struct Parts {
    /// Per node: 0 when idle; when running, a composite's current child, or
    /// what else its kind keeps there.
    pub(super) cursors: Box<[u32]>,
    /// Words that a node's reset zeroes.
    pub(super) run: Box<[u64]>,
    /// Words that only restart zeroes.
    pub(super) lasting: Box<[u64]>,
    pub(super) guards: Box<[Option<Guard>]>,
    pub(super) pools: Bound,
    /// Seconds since the state was made.
    pub(super) now: f64,
}

/// What a node holds of a pool while it runs.
pub(super) enum Guard {
    Token(Token),
    Waypoint(WaypointClaim),
}

/// The pools of a state, in the order its tree names them.
#[derive(Default)]
pub(super) struct Bound {
    tokens: Box<[TokenPool]>,
    waypoints: Box<[WaypointPool]>,
}

impl Bound {
    pub(super) fn new<C: ?Sized + Context>(
        tree: &Tree<C>,
        pools: &Pools,
    ) -> Result<Self, UnknownPool> {
        let tokens = tree.token_pools.iter();
        let waypoints = tree.waypoint_pools.iter();
        Ok(Self {
            tokens: tokens
                .map(|name| pools.tokens(name).cloned().ok_or(("token", name)))
                .collect::<Result<_, _>>()
                .map_err(|(what, name)| unknown(tree, what, name))?,
            waypoints: waypoints
                .map(|name| pools.waypoints(name).cloned().ok_or(("waypoint", name)))
                .collect::<Result<_, _>>()
                .map_err(|(what, name)| unknown(tree, what, name))?,
        })
    }

    pub(super) fn tokens(&self, pool: u32) -> Option<&TokenPool> {
        self.tokens.get(pool as usize)
    }

    pub(super) fn waypoints(&self, pool: u32) -> Option<&WaypointPool> {
        self.waypoints.get(pool as usize)
    }
}

fn unknown<C: ?Sized + Context>(tree: &Tree<C>, what: &'static str, name: &str) -> UnknownPool {
    let user = tree
        .nodes
        .iter()
        .position(|node| tree.pool_of(node.kind) == Some((what, name)));
    UnknownPool {
        path: user.map_or_else(String::new, |node| tree.paths().swap_remove(node)),
        what,
        name: name.to_owned(),
    }
}

/// A frame time that cannot stop or turn back the clock.
fn sane(dt: f32) -> f32 {
    if dt.is_finite() { dt.max(0.0) } else { 0.0 }
}

impl TreeState {
    pub(super) fn new<C: ?Sized + Context>(tree: &Tree<C>) -> Self {
        let last = tree.extents.last().copied().unwrap_or_default();
        Self {
            tree: tree.id,
            parts: Parts {
                cursors: vec![0; tree.nodes.len()].into(),
                run: vec![0; last.run as usize].into(),
                lasting: vec![0; last.lasting as usize].into(),
                guards: (0..last.guard).map(|_| None).collect(),
                pools: Bound::default(),
                now: 0.0,
            },
            board: Blackboard::new(tree.schema.clone()),
        }
    }

    pub(super) fn in_pools<C: ?Sized + Context>(
        tree: &Tree<C>,
        pools: &Pools,
    ) -> Result<Self, UnknownPool> {
        let bound = Bound::new(tree, pools)?;
        let mut this = Self::new(tree);
        this.parts.pools = bound;
        Ok(this)
    }

    /// Ticks the tree once, `dt` seconds after the last time. A tree whose root
    /// completed begins anew with the next tick. Nothing is allocated, unless
    /// the game's own leaves do. A `dt` that is negative or not finite
    /// counts as 0.
    ///
    /// # Panics
    /// When the state was made for another tree. (After a tree was reloaded,
    /// [`migrate`](Self::migrate) its states.)
    pub fn tick<C: ?Sized + Context>(
        &mut self,
        tree: &Tree<C>,
        context: &mut C::In<'_>,
        dt: f32,
    ) -> Outcome {
        let dt = sane(dt);
        self.parts.now += f64::from(dt);
        let mut run = self.open(tree, context, dt, None);
        run.visit::<false>(0)
    }

    /// Ticks the tree once and records what ran.
    ///
    /// # Panics
    /// Like [`tick`](Self::tick).
    pub fn tick_traced<C: ?Sized + Context>(
        &mut self,
        tree: &Tree<C>,
        context: &mut C::In<'_>,
        dt: f32,
        trace: &mut Trace,
    ) -> Outcome {
        let dt = sane(dt);
        self.parts.now += f64::from(dt);
        trace.begin(self.parts.now);
        let mut run = self.open(tree, context, dt, Some(trace));
        let outcome = run.visit::<true>(0);
        trace.finish(outcome);
        outcome
    }

    /// For turn-based games: ticks the tree until an action ends the turn, the
    /// root completes, or `most` ticks are done, and answers the last outcome.
    /// The clock advances by 1 in all, so that times count turns.
    ///
    /// # Panics
    /// Like [`tick`](Self::tick).
    pub fn take_turn<C: ?Sized + Context>(
        &mut self,
        tree: &Tree<C>,
        context: &mut C::In<'_>,
        most: u32,
    ) -> Outcome {
        let mut outcome = self.tick(tree, context, 1.0);
        for _ in 1..most {
            if outcome.ends_turn || outcome.status.is_done() {
                break;
            }
            outcome = self.tick(tree, context, 0.0);
        }
        outcome
    }

    /// Restores the tree to its first state: what runs is aborted, children
    /// before parents, and tokens and waypoints are given back. Lasting memory
    /// (cooldowns, the last waypoint), the blackboard and the clock stay. Call
    /// it when the agent is disabled.
    ///
    /// # Panics
    /// Like [`tick`](Self::tick).
    pub fn reset<C: ?Sized + Context>(&mut self, tree: &Tree<C>, context: &mut C::In<'_>) {
        self.open(tree, context, 0.0, None).abort(0);
    }

    /// Aborts at once what runs under a token that a higher priority has taken
    /// since this agent's last tick. Answers whether there was such.
    ///
    /// Without it the agent learns of the theft in its next tick, so the
    /// robber's first frame can be the victim's last. Where that frame would
    /// be seen, call it for all agents after all have been ticked. The
    /// `with_token` node fails in the next tick, as it would anyway.
    ///
    /// # Panics
    /// Like [`tick`](Self::tick).
    pub fn give_way<C: ?Sized + Context>(
        &mut self,
        tree: &Tree<C>,
        context: &mut C::In<'_>,
    ) -> bool {
        let is_robbed =
            |guard: &Option<Guard>| matches!(guard, Some(Guard::Token(token)) if !token.is_held());
        if !self.parts.guards.iter().any(is_robbed) {
            return false;
        }
        let mut run = self.open(tree, context, 0.0, None);
        for node in 0..tree.nodes.len() {
            let (from, to) = (tree.extents[node].guard, tree.extents[node + 1].guard);
            let mut guards = run.tick.parts.guards[from as usize..to as usize].iter();
            if guards.any(is_robbed) {
                // The node itself keeps the lost token, to tell by.
                run.abort_running(node + 1);
            }
        }
        true
    }

    /// Resets, and clears lasting memory too. The blackboard and the clock
    /// stay.
    ///
    /// # Panics
    /// Like [`tick`](Self::tick).
    pub fn restart<C: ?Sized + Context>(&mut self, tree: &Tree<C>, context: &mut C::In<'_>) {
        self.reset(tree, context);
        self.parts.lasting.fill(0);
    }

    /// Lets time pass without a tick: cooldowns go on while an agent is
    /// disabled.
    pub fn advance(&mut self, dt: f32) {
        self.parts.now += f64::from(sane(dt));
    }

    /// Seconds on the agent's clock.
    pub fn now(&self) -> f64 {
        self.parts.now
    }

    /// The agent's blackboard.
    pub fn board(&self) -> &Blackboard {
        &self.board
    }

    /// The agent's blackboard, to write to.
    pub fn board_mut(&mut self) -> &mut Blackboard {
        &mut self.board
    }

    /// Whether anything is running.
    pub fn is_running(&self) -> bool {
        self.parts
            .cursors
            .first()
            .is_some_and(|cursor| *cursor != 0)
    }

    /// Whether a node, by its number, is running.
    pub fn is_node_running(&self, node: u32) -> bool {
        self.parts
            .cursors
            .get(node as usize)
            .is_some_and(|cursor| *cursor != 0)
    }

    /// The waypoint the agent has claimed: the innermost, if nodes are nested.
    pub fn waypoint(&self) -> Option<&WaypointClaim> {
        self.parts
            .guards
            .iter()
            .rev()
            .find_map(|guard| match guard {
                Some(Guard::Waypoint(claim)) => Some(claim),
                _ => None,
            })
    }

    /// How many tokens the agent holds.
    pub fn tokens_held(&self) -> usize {
        let held =
            |guard: &&Option<Guard>| matches!(guard, Some(Guard::Token(token)) if token.is_held());
        self.parts.guards.iter().filter(held).count()
    }

    /// Bytes of memory it takes, text on the blackboard aside.
    pub fn size_in_bytes(&self) -> usize {
        size_of::<Self>()
            + size_of_val(&*self.parts.cursors)
            + size_of_val(&*self.parts.run)
            + size_of_val(&*self.parts.lasting)
            + size_of_val(&*self.parts.guards)
            + size_of_val(&*self.parts.pools.tokens)
            + size_of_val(&*self.parts.pools.waypoints)
            + self.board.size_in_bytes()
    }

    pub(super) fn open<'a, 'w, C: ?Sized + Context>(
        &'a mut self,
        tree: &'a Tree<C>,
        context: &'a mut C::In<'w>,
        dt: f32,
        trace: Option<&'a mut Trace>,
    ) -> Run<'a, 'w, C> {
        assert!(
            self.tree == tree.id,
            "this state was made for another tree than {:?}; `migrate` states when a tree is rebuilt",
            tree.name
        );
        Run {
            tree,
            tick: Tick {
                context,
                board: &mut self.board,
                extents: &tree.extents,
                parts: &mut self.parts,
                node: 0,
                dt,
                trace,
            },
        }
    }
}

impl fmt::Debug for TreeState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let running = self.parts.cursors.iter().zip(0u32..);
        let running: Vec<u32> = running.filter(|(c, _)| **c != 0).map(|(_, i)| i).collect();
        f.debug_struct("TreeState")
            .field("now", &self.parts.now)
            .field("running", &running)
            .field("board", &self.board)
            .finish_non_exhaustive()
    }
}
