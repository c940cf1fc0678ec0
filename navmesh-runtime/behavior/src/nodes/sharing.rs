//! Nodes that hold a token or a waypoint of a pool while their child runs.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{NodeKind, check_seconds};
use crate::blackboard::Schema;
use crate::builder::Builder;
use crate::context::Context;
use crate::coordination::{
    Pools, Request, Token, TokenPool, TokenState, Waypoint, WaypointClaim, WaypointPool,
};
use crate::error::BuildError;
use crate::node::{BindError, Node};
use crate::score::Score;
use crate::status::{Outcome, Status};
use crate::tick::{self, RUNNING, Tick};
use crate::tree::Tree;

/// The priority with which an agent claims a token.
pub type RankFn<C> = Arc<dyn Fn(&<C as Context>::View<'_>) -> i32 + Send + Sync>;

/// The priority of a [`NodeKind::WithToken`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Priority {
    /// Always this number.
    Fixed(i32),
    /// The registry's function of that name, such as `on_screen`. In code
    /// [`Builder::priority`] sets it.
    Named(String),
}

impl Default for Priority {
    fn default() -> Self {
        Self::Fixed(0)
    }
}

impl Priority {
    /// A function that returns its number, or 0 if it has a name.
    pub(crate) fn fixed<C: Context>(&self) -> RankFn<C> {
        let rank = match self {
            Self::Fixed(rank) => *rank,
            Self::Named(_) => 0,
        };
        Arc::new(move |_| rank)
    }

    /// Whether it has no form in a tree file.
    pub(crate) fn is_closure(&self) -> bool {
        *self == Self::Named(String::new())
    }
}

/// What a node holds of its pool, which is one of tokens or one of waypoints.
#[derive(Default)]
pub struct Hold {
    tokens: Option<TokenPool>,
    waypoints: Option<WaypointPool>,
    pub token: Option<Token>,
    pub claim: Option<WaypointClaim>,
    /// By index, the waypoints that the node leaves out while its lasting memory says so.
    left_out: Box<[bool]>,
}

/// What a node holds, in a saved game.
#[derive(Serialize, Deserialize)]
pub struct SavedHold {
    token: Option<Request>,
    claim: Option<u32>,
    left_out: Box<[bool]>,
}

impl Hold {
    /// Returns what the node holds to its pool.
    fn release(&mut self) {
        (self.token, self.claim) = (None, None);
    }

    /// Its form in a saved game.
    pub fn save(&self) -> SavedHold {
        SavedHold {
            token: self.token.as_ref().and_then(Token::save),
            claim: self.claim.as_ref().map(|claim| claim.index),
            left_out: self.left_out.clone(),
        }
    }

    /// Takes what it held when the game was saved, or says why it cannot.
    pub fn restore(&mut self, saved: SavedHold) -> Result<(), &'static str> {
        if let (Some(pool), Some(token)) = (&self.tokens, saved.token) {
            let token = pool.restore(token);
            self.token = Some(token.ok_or("a token is that of another agent")?);
        }
        if let (Some(pool), Some(index)) = (&self.waypoints, saved.claim) {
            let claim = pool.claim_one(index);
            self.claim = Some(claim.ok_or("a waypoint is not there or not free")?);
        }
        if self.left_out.len() == saved.left_out.len() {
            self.left_out = saved.left_out;
        }
        Ok(())
    }

    /// Takes over what the same node held in the tree before.
    pub fn adopt(&mut self, old: &mut Self) {
        (self.token, self.claim) = (old.token.take(), old.claim.take());
        if self.left_out.len() == old.left_out.len() {
            self.left_out.copy_from_slice(&old.left_out);
        }
    }
}

impl NodeKind {
    /// The name of the pool of which its nodes hold a token or waypoint.
    pub(crate) fn pool(&self) -> Option<&str> {
        match self {
            Self::WithToken { pool, .. } | Self::WithWaypoint { pool, .. } => Some(pool),
            _ => None,
        }
    }
}

/// Finds the pools of the nodes that use one, in the order of the nodes.
pub fn bind<C: Context>(tree: &Tree<C>, pools: &Pools) -> Result<Box<[Hold]>, BuildError> {
    let mut holds = Vec::new();
    for &at in &tree.sharing {
        let mut hold = Hold::default();
        let found = match &tree.nodes[at].kind {
            NodeKind::WithToken { pool, .. } => pools.find_tokens(pool).map(|pool| {
                pool.reserve();
                hold.tokens = Some(pool.clone());
            }),
            kind => pools
                .find_waypoints(kind.pool().unwrap_or_default())
                .map(|pool| {
                    hold.left_out = vec![false; pool.waypoints().len()].into();
                    hold.waypoints = Some(pool.clone());
                }),
        };
        found.map_err(|what| BuildError::of_node(tree.paths().swap_remove(at), what))?;
        holds.push(hold);
    }
    Ok(holds.into())
}

impl<C: Context> Tick<'_, '_, C> {
    fn hold(&mut self, at: usize) -> &mut Hold {
        &mut self.memory.holds[self.tree.steps[at].hold as usize]
    }

    /// Whether a node that got no token or waypoint has time left, counted from its first
    /// tick.
    fn still_waits(&mut self, at: usize, wait: f32) -> bool {
        self.memory.cursors[at] = RUNNING;
        !self.reached(0, wait)
    }

    /// Ends a node that holds a token or waypoint, and releases it, unless it is running.
    fn release_if_done(&mut self, at: usize, outcome: Outcome) -> Outcome {
        if outcome.status.is_done() {
            self.hold(at).release();
            self.memory.cursors[at] = 0;
        }
        outcome
    }
}

/// Cursors of `with_token`, which is [`RUNNING`] while it waits. `TAKEN`: its token was
/// taken since the last tick, and its child is aborted.
const HOLDING: u32 = RUNNING + 1;
const TAKEN: u32 = RUNNING + 2;

/// Runs its child with a token. Run memory: when it began to wait.
pub struct TokenNode<C: Context> {
    pub wait: f32,
    pub rank: RankFn<C>,
}

impl<C: Context> Node<C> for TokenNode<C> {
    fn memory(&self) -> [u16; 2] {
        [1, 0]
    }

    fn bind(&mut self, _: &mut Schema) -> Result<(), BindError> {
        check_seconds("its wait", self.wait)
    }

    /// Aborts the child if the token was taken. The agent with the higher priority gets the
    /// token when it is dropped here: after the child has stopped, so the two never act at
    /// the same time.
    fn prepare(&self, tick: &mut Tick<'_, '_, C>) {
        let at = tick.node;
        if tick.memory.cursors[at] != HOLDING {
            return;
        }
        let priority = (self.rank)(tick.context);
        let token = tick.hold(at).token.as_mut();
        if token.is_none_or(|token| token.state(priority) != TokenState::Held) {
            tick.abort_running(at + 1);
            tick.hold(at).release();
            tick.memory.cursors[at] = TAKEN;
        }
    }

    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        let at = tick.node;
        let cursor = tick.memory.cursors[at];
        if cursor == TAKEN {
            tick.set_reason(|| "token taken by a higher priority");
            return tick.release_if_done(at, Outcome::FAILURE);
        }
        if cursor != HOLDING
            && let Some(outcome) = self.ask(tick, at)
        {
            return tick.release_if_done(at, outcome);
        }
        let outcome = tick.visit_child(at + 1);
        tick.release_if_done(at, outcome)
    }

    fn abort(&self, tick: &mut Tick<'_, '_, C>) {
        tick.hold(tick.node).release();
    }
}

impl<C: Context> TokenNode<C> {
    /// Asks for a token; the outcome if there is none yet.
    fn ask(&self, tick: &mut Tick<'_, '_, C>, at: usize) -> Option<Outcome> {
        let priority = (self.rank)(tick.context);
        let hold = tick.hold(at);
        let Some(pool) = &hold.tokens else {
            return Some(Outcome::FAILURE);
        };
        let is_new = hold.token.is_none();
        let token = hold.token.get_or_insert_with(|| pool.claim(priority));
        let mut state = token.state(priority);
        if state == TokenState::Lost {
            *token = pool.claim(priority);
            state = token.state(priority);
        }
        if state == TokenState::Held {
            tick.memory.cursors[at] = HOLDING;
            return None;
        }
        // A holder gives way in its next tick, so a new promise is worth one more tick,
        // however short the wait.
        if tick.still_waits(at, self.wait) || (is_new && state == TokenState::Promised) {
            tick.set_reason(|| "no token free");
            return Some(Outcome::RUNNING);
        }
        tick.set_reason(|| "no token in time");
        Some(Outcome::FAILURE)
    }
}

/// Cursors of `with_waypoint`, which is [`RUNNING`] while it looks for one. `USED`: the
/// child has shown that it can use the waypoint.
const CLAIMED: u32 = RUNNING + 1;
const USED: u32 = RUNNING + 2;
const FALLBACK: u32 = RUNNING + 3;

/// Lasting memory of `with_waypoint`: the index of the waypoint of the last success, plus
/// 1; and when the child last failed to use a waypoint, or 0 if it has used one since.
const LAST: u16 = 1;
const FAILED_AT: u16 = 2;

/// Seconds after which a `with_waypoint` whose child could use no waypoint tries all of
/// them again, because a door may have opened. Each try is a search for a path: with ten
/// waypoints, at most five searches a second.
const RETRY: f32 = 2.0;

/// Runs its child at a waypoint. Run memory: when it began to wait.
pub struct WaypointNode<C: Context> {
    pub wait: f32,
    pub score: Score<C>,
}

impl<C: Context> Node<C> for WaypointNode<C> {
    fn memory(&self) -> [u16; 2] {
        [1, 2]
    }

    fn bind(&mut self, _: &mut Schema) -> Result<(), BindError> {
        check_seconds("its wait", self.wait)?;
        Ok(self.score.def.check()?)
    }

    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        let (tree, at) = (tick.tree, tick.node);
        let NodeKind::WithWaypoint { no_repeat, .. } = tree.nodes[at].kind else {
            return Outcome::FAILURE;
        };
        let cursor = tick.memory.cursors[at];
        if cursor == 0 || cursor == RUNNING {
            self.claim(tick, at, no_repeat);
            if let Some(claim) = &tick.memory.holds[tree.steps[at].hold as usize].claim {
                *tick.destination = Some(claim.position);
                tick.memory.cursors[at] = CLAIMED;
            } else if tick.still_waits(at, self.wait) {
                tick.set_reason(|| "no suitable waypoint free");
                return Outcome::RUNNING;
            } else {
                tick.memory.cursors[at] = FALLBACK;
            }
        }
        let outcome = if tick.memory.cursors[at] == FALLBACK {
            if let Some(fallback) = tree.children(at).nth(1) {
                tick.visit_child(fallback)
            } else {
                tick.set_reason(|| "no waypoint in time");
                Outcome::FAILURE
            }
        } else {
            Self::visit_claimed(tick, at, no_repeat)
        };
        tick.release_if_done(at, outcome)
    }

    fn abort(&self, tick: &mut Tick<'_, '_, C>) {
        tick.hold(tick.node).release();
    }
}

impl<C: Context> WaypointNode<C> {
    /// Claims the best free waypoint, if one is suitable, except those that the child could
    /// not use, for instance because no path led there. Where only such are left, all count
    /// again once the node begins [`RETRY`] seconds later. They do not count while it waits:
    /// it would never come to its fallback.
    fn claim(&self, tick: &mut Tick<'_, '_, C>, at: usize, no_repeat: bool) {
        let last = tick.recall::<u32>(LAST).checked_sub(1);
        let last = last.filter(|_| no_repeat);
        let failed: u64 = tick.recall(FAILED_AT);
        let may_retry = tick.memory.cursors[at] == 0 || self.wait == f32::INFINITY;
        let now = tick.now;
        let hold = &mut tick.memory.holds[tick.tree.steps[at].hold as usize];
        let Some(pool) = &hold.waypoints else {
            return;
        };
        let view = &*tick.context;
        let left_out = if failed == 0 { &[] } else { &*hold.left_out };
        hold.claim = self.claim_best(view, pool, last, left_out);
        if hold.claim.is_none() && may_retry && tick::reached(failed, now, RETRY) {
            hold.claim = self.claim_best(view, pool, last, &[]);
            tick.remember(FAILED_AT, 0_u64);
        }
    }

    /// Claims the best free waypoint but the last one and those that are left out.
    fn claim_best(
        &self,
        view: &C::View<'_>,
        pool: &WaypointPool,
        last: Option<u32>,
        left_out: &[bool],
    ) -> Option<WaypointClaim> {
        let claim = pool.claim(last, |waypoint| self.score_in(view, waypoint, left_out));
        if claim.is_some() || self.wait < f32::INFINITY {
            return claim;
        }
        // Without a limit, the node would wait for ever where the last
        // waypoint is the only one.
        pool.claim(None, |waypoint| match last {
            Some(last) if last == waypoint.index => self.score_in(view, waypoint, left_out),
            _ => f32::NAN,
        })
    }

    fn score_in(&self, view: &C::View<'_>, waypoint: &Waypoint, left_out: &[bool]) -> f32 {
        match left_out.get(waypoint.index as usize) {
            Some(true) => f32::NAN,
            _ => self.score.of(view, waypoint),
        }
    }

    /// Ticks the child of a node that has a waypoint.
    fn visit_claimed(tick: &mut Tick<'_, '_, C>, at: usize, no_repeat: bool) -> Outcome {
        let others_plan = std::mem::take(&mut tick.memory.is_planning);
        let outcome = tick.visit_child(at + 1);
        match outcome.status {
            Status::Failure => {
                if tick.memory.cursors[at] == CLAIMED {
                    Self::leave_out(tick, at);
                }
            }
            Status::Running if tick.memory.is_planning => {}
            Status::Running | Status::Success => {
                tick.memory.cursors[at] = USED;
                tick.remember(FAILED_AT, 0_u64);
            }
        }
        tick.memory.is_planning |= others_plan;
        if outcome.status == Status::Success
            && no_repeat
            && let Some(claim) = &tick.hold(at).claim
        {
            let index = claim.index;
            tick.remember(LAST, index + 1);
        }
        outcome
    }

    /// Remembers that the child could not use its waypoint.
    fn leave_out(tick: &mut Tick<'_, '_, C>, at: usize) {
        let failed: u64 = tick.recall(FAILED_AT);
        let Hold {
            claim, left_out, ..
        } = tick.hold(at);
        if failed == 0 {
            left_out.fill(false);
        }
        let index = claim.as_ref().map(|claim| claim.index as usize);
        if let Some(one) = index.and_then(|index| left_out.get_mut(index)) {
            *one = true;
        }
        tick.remember(FAILED_AT, tick::stamp(tick.now));
    }
}

/// Nodes that share: they hold a token or a waypoint while their child runs.
impl<C: Context> Builder<C> {
    /// Sets the priority of the [`NodeKind::WithToken`] opened last. The function is called
    /// in each tick; an agent with a higher priority may take the token
    /// of one with a lower. Usually, agents on screen come first.
    ///
    /// `name` is the function's name in tree files; with an empty name the tree
    /// cannot be saved as one.
    pub fn priority(
        mut self,
        name: &str,
        rank: impl Fn(&C::View<'_>) -> i32 + Send + Sync + 'static,
    ) -> Self {
        // A node that was just opened is the last one.
        let (node, step) = (self.nodes.last_mut(), self.steps.last_mut());
        if let (Some(node), Some(step)) = (node, step)
            && let NodeKind::WithToken { wait, priority, .. } = &mut node.kind
        {
            *priority = Priority::Named(name.to_owned());
            let (wait, rank) = (*wait, Arc::new(rank));
            step.node = Box::new(TokenNode { wait, rank });
            return self;
        }
        self.misplaced("a priority", "with_token")
    }

    /// Opens a node that runs its first child at a waypoint of the named pool
    /// that no other agent uses. If it gets none, it runs its second child
    /// instead, if there is one.
    ///
    /// In each tick until it has one, it scores every free waypoint and claims
    /// the best. That becomes the [destination](crate::Tick::destination), and the first
    /// child runs in the same tick. If the child fails in this tick, or as soon as an
    /// [`AgentTask`](crate::AgentTask) finds that no path leads there, the node fails,
    /// and leaves out this waypoint until its child could use another one. When all are
    /// left out, it tries them again, at the earliest two seconds after the last failure.
    ///
    /// `wait` seconds after its first tick without a waypoint, the fallback runs instead;
    /// without a fallback the node fails.
    pub fn with_waypoint(
        self,
        name: &str,
        pool: &str,
        wait: f32,
        score: impl Into<Score<C>>,
    ) -> Self {
        let score = score.into();
        let kind = NodeKind::WithWaypoint {
            pool: pool.to_owned(),
            wait,
            utility: score.def.clone(),
            no_repeat: false,
        };
        self.add(name, kind, Box::new(WaypointNode { wait, score }))
    }

    /// Lets the `with_waypoint` opened last leave out, next time, the waypoint
    /// at which its child last succeeded. Survives reset.
    pub fn no_repeat(mut self) -> Self {
        if let Some(node) = self.nodes.last_mut()
            && let NodeKind::WithWaypoint { no_repeat, .. } = &mut node.kind
        {
            *no_repeat = true;
            return self;
        }
        self.misplaced("`no_repeat`", "with_waypoint")
    }

    fn misplaced(mut self, what: &'static str, after: &'static str) -> Self {
        let what = format!(" cannot be followed by {what}, which must directly follow `{after}`");
        self.note(self.last(), what);
        self
    }
}
