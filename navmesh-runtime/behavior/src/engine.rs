//! How nodes are ticked.
//!
//! Everything rests on one invariant: **a completed node is clean**. When a
//! node returns success or failure, it and all nodes below it are idle: their
//! cursors are 0, their run memory is 0, their guards are released. Each kind
//! cleans up what it used itself, so a parent never has to reset a child.
//!
//! The cursor of a running node is not 0; [`Run::abort`] finds the running
//! nodes of a subtree by their cursors alone.
//!
//! The functions recurse as deep as the tree, which the builder limits.
//! `TRACED` is a constant, so that an untraced tick contains no code for
//! tracing.

use super::context::Context;
use super::memory::{self, Guard, Pool};
use super::node::{self, NodeKind, TurnRule};
use super::score::Score;
use super::status::{Outcome, Status};
use super::task::Task;
use super::tick::{Children, Nodes, Tick};
use super::trace::TraceEvent;
use super::tree::{Extra, Flow, Step, Tree};
use crate::coordination::{TokenState, Waypoint};

/// The cursor of a running node that stores nothing else in it.
pub const RUNNING: u32 = 1;

/// Flag in the cursor of a reactive composite: the next tick starts at its
/// child. A tree has far fewer nodes than this number.
pub const CONTINUES: u32 = 1 << 31;

/// Cursors of `with_token`. Run memory: when it began to wait. `TAKEN`: its token
/// was taken since the last tick, and its child is aborted.
const ASKING: u32 = RUNNING;
const HOLDING: u32 = 2;
const TAKEN: u32 = 3;

/// Cursors of `with_waypoint`. Run memory: when it began to wait. `USED`: the child has
/// shown that it can use the waypoint. Lasting memory: the index of the waypoint of the
/// last success, plus 1; and when the child last failed to use a waypoint, or 0 if it has
/// used one since.
const LOOKING: u32 = RUNNING;
const CLAIMED: u32 = 2;
const USED: u32 = 3;
const FALLBACK: u32 = 4;

/// Seconds after which a `with_waypoint` whose child could use no waypoint tries all of
/// them again, because a door may have opened. Each try is a search for a path: with ten
/// waypoints, at most five searches a second.
const RETRY: f32 = 2.0;

/// One tick in progress.
pub struct Run<'a, 'w, C: Context> {
    pub tree: &'a Tree<C>,
    pub tick: Tick<'a, 'w, C>,
}

impl<C: Context> Run<'_, '_, C> {
    /// Ticks one node.
    #[expect(
        clippy::inline_always,
        reason = "the hot path: one call per node is measurable"
    )]
    #[inline(always)]
    pub fn visit<const TRACED: bool>(&mut self, at: usize) -> Outcome {
        let tree = self.tree;
        self.visit_step::<TRACED>(at, &tree.steps[at], true)
    }

    /// Ticks one node. If not `may_run`, the node is known to be idle.
    #[expect(clippy::inline_always, reason = "part of `visit`")]
    #[inline(always)]
    fn visit_step<const TRACED: bool>(
        &mut self,
        at: usize,
        step: &Step<C>,
        may_run: bool,
    ) -> Outcome {
        let trace = self.tick.trace.as_mut().filter(|_| TRACED);
        let visit = trace.map(|trace| trace.enter(at as u32));
        // Most nodes are leaves.
        let outcome = match (&step.task, step.flow) {
            (Some(task), _) => self.leaf(at, &**task, step.has_memory, may_run),
            (None, Flow::Resume) => self.resume::<TRACED>(at, step),
            (None, Flow::Restart) => self.restart::<TRACED>(at, step),
            (None, Flow::Other) => self.step::<TRACED>(at),
        };
        if TRACED && let (Some(trace), Some(visit)) = (self.tick.trace.as_mut(), visit) {
            trace.leave(visit, outcome);
        }
        outcome
    }

    #[inline(never)]
    fn step<const TRACED: bool>(&mut self, at: usize) -> Outcome {
        let tree = self.tree;
        let end = tree.nodes[at].end as usize;
        match &tree.nodes[at].kind {
            // These are never `Flow::Other`, and a leaf has a task.
            NodeKind::Task(_)
            | NodeKind::Sequence { .. }
            | NodeKind::Selector { .. }
            | NodeKind::ReactiveSequence
            | NodeKind::ReactiveSelector => Outcome::FAILURE,
            NodeKind::Race => self.race::<TRACED>(at, end),
            NodeKind::Parallel { success, failure } => {
                self.parallel::<TRACED>(at, end, u32::from(*success), u32::from(*failure))
            }
            NodeKind::Repeat { count } => self.repeat::<TRACED>(at, *count),
            NodeKind::Timeout { seconds } => self.timeout::<TRACED>(at, *seconds),
            NodeKind::Cooldown { seconds } => self.cooldown::<TRACED>(at, *seconds),
            NodeKind::Invert => self.invert::<TRACED>(at),
            NodeKind::ForceSuccess { turn } => self.force::<TRACED>(at, true, *turn),
            NodeKind::ForceFailure { turn } => self.force::<TRACED>(at, false, *turn),
            NodeKind::AlwaysSucceed { turn } => fixed(true, *turn, false),
            NodeKind::AlwaysFail { turn } => fixed(false, *turn, false),
            NodeKind::WithToken { wait, .. } => self.with_token::<TRACED>(at, *wait),
            NodeKind::WithWaypoint {
                wait, no_repeat, ..
            } => self.with_waypoint::<TRACED>(at, *wait, *no_repeat),
            NodeKind::Composite(_) => self.composite(at),
            NodeKind::StateMachine { .. } => self.state_machine::<TRACED>(at),
            NodeKind::Emit { signal } => self.emit(at, signal),
        }
    }

    #[expect(clippy::inline_always, reason = "part of `visit`")]
    #[inline(always)]
    fn leaf(&mut self, at: usize, task: &dyn Task<C>, has_memory: bool, may_run: bool) -> Outcome {
        self.tick.node = at as u32;
        let outcome = task.tick(&mut self.tick);
        let is_running = outcome.status == Status::Running;
        // Most leaves are idle before and after, and need no write.
        if is_running | may_run {
            self.tick.memory.cursors[at] = u32::from(is_running);
        }
        if has_memory && !is_running {
            self.forget(at);
        }
        outcome
    }

    fn invert<const TRACED: bool>(&mut self, at: usize) -> Outcome {
        let mut outcome = self.visit::<TRACED>(at + 1);
        outcome.status = match outcome.status {
            Status::Success => Status::Failure,
            Status::Failure => Status::Success,
            Status::Running => Status::Running,
        };
        self.mark(at, outcome)
    }

    fn force<const TRACED: bool>(&mut self, at: usize, success: bool, turn: TurnRule) -> Outcome {
        let mut outcome = self.visit::<TRACED>(at + 1);
        if outcome.status.is_done() {
            outcome = fixed(success, turn, outcome.ends_turn);
        }
        self.mark(at, outcome)
    }

    /// Sequence and selector: continues with the next child on `onward`,
    /// completes on the opposite.
    #[inline(never)]
    fn resume<const TRACED: bool>(&mut self, at: usize, step: &Step<C>) -> Outcome {
        let (end, onward, one) = (step.end as usize, step.onward, step.one);
        let tree = self.tree;
        let steps = &tree.steps[..end];
        let resumed = self.tick.memory.cursors[at];
        // Only the child that is resumed may be running.
        let mut may_run = resumed != 0;
        let mut child = if may_run { resumed as usize } else { at + 1 };
        let mut ends_turn = false;
        while let Some(step) = steps.get(child) {
            let outcome = self.visit_step::<TRACED>(child, step, may_run);
            may_run = false;
            ends_turn = outcome.ends_turn;
            if outcome.status != onward {
                let is_running = outcome.status == Status::Running;
                let cursor = if is_running { child as u32 } else { 0 };
                if cursor != resumed {
                    self.tick.memory.cursors[at] = cursor;
                }
                return outcome;
            }
            child = step.end as usize;
            if (one || ends_turn) && child < end {
                self.tick.memory.cursors[at] = child as u32;
                return Outcome::RUNNING.or_turn(ends_turn);
            }
        }
        if resumed != 0 {
            self.tick.memory.cursors[at] = 0;
        }
        Outcome::from(onward).or_turn(ends_turn)
    }

    /// Reactive sequence and selector: starts at the first child in each tick;
    /// a running child that is not reached again is aborted. After a child that
    /// ended the turn, the next tick starts at the child that follows: a turn
    /// has one action.
    #[inline(never)]
    fn restart<const TRACED: bool>(&mut self, at: usize, step: &Step<C>) -> Outcome {
        let (end, onward) = (step.end as usize, step.onward);
        let tree = self.tree;
        let steps = &tree.steps[..end];
        let cursor = self.tick.memory.cursors[at];
        // The child that may be running; all others are idle.
        let running = (cursor & !CONTINUES) as usize;
        let mut child = if cursor & CONTINUES == 0 {
            at + 1
        } else {
            running
        };
        while let Some(step) = steps.get(child) {
            let outcome = self.visit_step::<TRACED>(child, step, child == running);
            let next = step.end as usize;
            if outcome.status == onward && !(outcome.ends_turn && next < end) {
                child = next;
                if next >= end {
                    self.tick.memory.cursors[at] = 0;
                    return outcome;
                }
                continue;
            }
            let goes_on = outcome.status == onward;
            // The child that the next tick starts at may go on running.
            if running != 0 && running != child && !(goes_on && running == next) {
                self.abort_running(running);
            }
            let (cursor, outcome) = if goes_on {
                (next as u32 | CONTINUES, Outcome::RUNNING.ending_turn())
            } else if outcome.status == Status::Running {
                (child as u32, outcome)
            } else {
                (0, outcome)
            };
            self.tick.memory.cursors[at] = cursor;
            return outcome;
        }
        self.tick.memory.cursors[at] = 0;
        Outcome::from(onward)
    }

    /// Ticks every child. After one that ended the turn the tick is over, and
    /// the next starts at the child that follows.
    fn race<const TRACED: bool>(&mut self, at: usize, end: usize) -> Outcome {
        let mut winner: Option<(usize, Status)> = None;
        let first = (at + 1).max(self.tick.memory.cursors[at] as usize);
        let mut child = first;
        let ends_turn = loop {
            let outcome = self.visit::<TRACED>(child);
            let is_earlier = winner.is_none_or(|(winner, _)| child < winner);
            if outcome.status.is_done() && is_earlier {
                winner = Some((child, outcome.status));
            }
            child = self.tree.nodes[child].end as usize;
            if child >= end {
                child = at + 1;
            }
            if outcome.ends_turn || child == first {
                break outcome.ends_turn;
            }
        };
        let Some((_, status)) = winner else {
            // A start at the first child is stored as any running node's.
            let next = if ends_turn { child } else { at + 1 };
            self.tick.memory.cursors[at] = next as u32;
            return Outcome::RUNNING.or_turn(ends_turn);
        };
        self.abort_children(at);
        self.tick.memory.cursors[at] = 0;
        Outcome::from(status).or_turn(ends_turn)
    }

    /// Run memory: one bit per child that completed, then one bit per child
    /// that succeeded.
    fn parallel<const TRACED: bool>(
        &mut self,
        at: usize,
        end: usize,
        success: u32,
        failure: u32,
    ) -> Outcome {
        let run = self.tree.extents.run(at);
        let (first, words) = (run.start, run.len() / 2);
        // As in a race, a child that ends the turn ends the tick.
        let resumed = self.tick.memory.cursors[at] as usize;
        let start = (at + 1).max(resumed);
        let all = node::children(&self.tree.nodes, at).count();
        let skipped = node::children(&self.tree.nodes, at).take_while(|c| *c < start);
        let (mut child, mut k, mut ends_turn) = (start, skipped.count(), false);
        for _ in 0..all {
            let (word, bit) = (first + k / 64, 1 << (k % 64));
            if self.tick.memory.run[word] & bit == 0 {
                let outcome = self.visit::<TRACED>(child);
                ends_turn = outcome.ends_turn;
                if outcome.status.is_done() {
                    self.tick.memory.run[word] |= bit;
                }
                if outcome.status == Status::Success {
                    self.tick.memory.run[word + words] |= bit;
                }
            }
            k += 1;
            child = self.tree.nodes[child].end as usize;
            if child >= end {
                (child, k) = (at + 1, 0);
            }
            if ends_turn {
                break;
            }
        }
        let count = |words: &[u64]| words.iter().map(|w| w.count_ones()).sum::<u32>();
        let done = count(&self.tick.memory.run[first..first + words]);
        let succeeded = count(&self.tick.memory.run[first + words..first + 2 * words]);
        // 0 stands for all children.
        let threshold = |given: u32| if given == 0 { all as u32 } else { given };
        let status = if succeeded >= threshold(success) {
            Status::Success
        } else if done - succeeded >= threshold(failure) || done as usize == all {
            Status::Failure
        } else {
            let next = if ends_turn { child } else { at + 1 };
            self.tick.memory.cursors[at] = next as u32;
            return Outcome::RUNNING.or_turn(ends_turn);
        };
        self.abort_children(at);
        self.clear(at);
        Outcome::from(status).or_turn(ends_turn)
    }

    /// Run memory: how often the child has completed.
    fn repeat<const TRACED: bool>(&mut self, at: usize, count: u32) -> Outcome {
        let outcome = self.visit::<TRACED>(at + 1);
        if outcome.status.is_done() {
            // Also counted without an end: a reloaded tree may have one.
            let completed = &mut self.run_words(at)[0];
            *completed += 1;
            if count > 0 && *completed >= u64::from(count) {
                self.clear(at);
                return Outcome::SUCCESS.or_turn(outcome.ends_turn);
            }
        }
        self.tick.memory.cursors[at] = RUNNING;
        Outcome::RUNNING.or_turn(outcome.ends_turn)
    }

    /// Run memory: when it began.
    fn timeout<const TRACED: bool>(&mut self, at: usize, seconds: f32) -> Outcome {
        self.tick.node = at as u32;
        let is_over = self.tick.reached(0, seconds);
        let outcome = self.visit::<TRACED>(at + 1);
        if outcome.status != Status::Running {
            self.clear(at);
            return outcome;
        }
        if !is_over {
            self.tick.memory.cursors[at] = RUNNING;
            return outcome;
        }
        self.abort_running(at + 1);
        self.tick.set_reason(|| "timed out");
        self.clear(at);
        Outcome::FAILURE.or_turn(outcome.ends_turn)
    }

    /// Lasting memory: when the child last succeeded.
    fn cooldown<const TRACED: bool>(&mut self, at: usize, seconds: f32) -> Outcome {
        let (now, succeeded) = (self.tick.memory.now, self.lasting_words(at)[0]);
        if self.tick.memory.cursors[at] == 0 && succeeded != 0 {
            if !memory::reached(succeeded, now, seconds) {
                self.tick.set_reason(|| "cooling down");
                return Outcome::FAILURE;
            }
            self.lasting_words(at)[0] = 0;
        }
        let outcome = self.visit::<TRACED>(at + 1);
        if outcome.status == Status::Success {
            self.lasting_words(at)[0] = memory::stamp(now);
        }
        self.mark(at, outcome)
    }

    fn composite(&mut self, at: usize) -> Outcome {
        let tree = self.tree;
        let Extra::Composite {
            composite,
            children,
        } = &tree.extras[at]
        else {
            return Outcome::FAILURE;
        };
        self.tick.node = at as u32;
        let mut children = Children::new(self.tick.reborrow(), tree, *children);
        let outcome = composite.tick(&mut children);
        // A composite may drop the outcome of a child that ended the turn.
        let outcome = outcome.or_turn(children.is_turn_over);
        if outcome.status == Status::Running {
            self.tick.memory.cursors[at] = RUNNING;
        } else {
            self.abort_children(at);
            self.clear(at);
        }
        outcome
    }

    /// Ticks the current state, then goes to the state that follows from its signal
    /// or its end. That is ticked next time, so a cycle cannot take for ever.
    ///
    /// The cursor is the node of the state.
    fn state_machine<const TRACED: bool>(&mut self, at: usize) -> Outcome {
        let tree = self.tree;
        let Extra::States(states) = &tree.extras[at] else {
            return Outcome::FAILURE;
        };
        let cursor = self.tick.memory.cursors[at] as usize;
        let current = if cursor == 0 { at + 1 } else { cursor };
        let outcome = self.visit::<TRACED>(current);
        let signal = self.tick.memory.signal;
        let next = if let Some(signal) = signal.filter(|s| s.machine as usize == at) {
            self.tick.memory.signal = None;
            self.abort_running(current);
            Some(signal.next)
        } else if outcome.status == Status::Running {
            self.tick.memory.cursors[at] = current as u32;
            return outcome;
        } else {
            let ended = usize::from(outcome.status == Status::Failure);
            let state = states.iter().find(|state| state.node as usize == current);
            state.and_then(|state| state.after[ended])
        };
        let Some(next) = next else {
            self.tick.memory.cursors[at] = 0;
            return outcome;
        };
        self.tick.memory.cursors[at] = next;
        let [from, to] = [current, next as usize].map(|node| &tree.nodes[node].name);
        self.tick.set_reason(|| format!("{from} -> {to}"));
        Outcome::RUNNING.or_turn(outcome.ends_turn)
    }

    /// Running, so that nothing after it runs until its state ends. Of several
    /// signals in a tick the first counts: another is emitted again in the next tick,
    /// if its node is still running then.
    fn emit(&mut self, at: usize, name: &str) -> Outcome {
        if let Extra::Signal(signal) = &self.tree.extras[at] {
            self.tick.memory.signal.get_or_insert(*signal);
        }
        self.tick.set_reason(|| format!("emits {name}"));
        self.mark(at, Outcome::RUNNING)
    }

    /// Ticks the tree from its root. Before anything else can take effect, what
    /// runs with a token that a higher priority has taken is aborted.
    #[inline]
    pub fn visit_root<const TRACED: bool>(&mut self) -> Outcome {
        let tree = self.tree;
        // Left by a task that panicked.
        self.tick.memory.signal = None;
        for &at in &tree.token_nodes {
            self.give_way(at as usize);
        }
        self.visit::<TRACED>(0)
    }

    /// Aborts the child of a `with_token` whose token was taken. The agent with the
    /// higher priority gets the token when it is dropped here: after the child has
    /// stopped, so the two never act at the same time.
    fn give_way(&mut self, at: usize) {
        let tree = self.tree;
        if let Extra::Token(rank) = &tree.extras[at]
            && self.tick.memory.cursors[at] == HOLDING
        {
            let priority = rank(self.tick.context);
            if self.token_state(at, priority) != TokenState::Held {
                self.abort_running(at + 1);
                *self.guard(at) = None;
                self.tick.memory.cursors[at] = TAKEN;
            }
        }
    }

    /// Renews the priority of a `with_token`; the state of its token then.
    fn token_state(&mut self, at: usize, priority: i32) -> TokenState {
        match self.guard(at) {
            Some(Guard::Token(token)) => token.state(priority),
            _ => TokenState::Lost,
        }
    }

    fn with_token<const TRACED: bool>(&mut self, at: usize, wait: f32) -> Outcome {
        let tree = self.tree;
        let Extra::Token(rank) = &tree.extras[at] else {
            return Outcome::FAILURE;
        };
        let cursor = self.tick.memory.cursors[at];
        if cursor == TAKEN {
            self.tick.set_reason(|| "token taken by a higher priority");
            return self.complete(at, Outcome::FAILURE);
        }
        if cursor != HOLDING {
            let priority = rank(self.tick.context);
            let mut state = self.token_state(at, priority);
            let pool = self.tick.memory.pools.get(tree.extents.guards(at).start);
            let Some(Pool::Token(pool)) = pool else {
                self.tick
                    .set_reason(|| "no such token pool: the state was made without pools");
                return Outcome::FAILURE;
            };
            let mut is_new = false;
            if state == TokenState::Lost
                && let Some(token) = pool.claim(priority)
            {
                state = token.state(priority);
                is_new = true;
                *self.guard(at) = Some(Guard::Token(token));
            }
            if state == TokenState::Held {
                self.tick.memory.cursors[at] = HOLDING;
            } else if self.still_waiting(at, ASKING, wait)
                || (is_new && state == TokenState::Promised)
            {
                // A holder gives way in its next tick, so a new promise is
                // worth one more tick, however short the wait.
                self.tick.set_reason(|| "no token free");
                return Outcome::RUNNING;
            } else {
                self.tick.set_reason(|| "no token in time");
                return self.complete(at, Outcome::FAILURE);
            }
        }
        let outcome = self.visit::<TRACED>(at + 1);
        self.complete(at, outcome)
    }

    fn with_waypoint<const TRACED: bool>(
        &mut self,
        at: usize,
        wait: f32,
        no_repeat: bool,
    ) -> Outcome {
        let tree = self.tree;
        let Extra::Waypoint { score, arrive } = &tree.extras[at] else {
            return Outcome::FAILURE;
        };
        let guard = tree.extents.guards(at).start;
        if self.tick.memory.cursors[at] <= LOOKING {
            self.claim(at, score, no_repeat, wait);
            if let Some(Guard::Waypoint(claim)) = &self.tick.memory.guards[guard] {
                arrive(self.tick.context, claim.waypoint());
                self.tick.memory.cursors[at] = CLAIMED;
            } else if self.still_waiting(at, LOOKING, wait) {
                self.tick.set_reason(|| "no suitable waypoint free");
                return Outcome::RUNNING;
            } else {
                self.tick.memory.cursors[at] = FALLBACK;
            }
        }
        if self.tick.memory.cursors[at] == FALLBACK {
            let fallback = tree.nodes[at + 1].end as usize;
            if fallback >= tree.nodes[at].end as usize {
                self.tick.set_reason(|| "no waypoint in time");
                return self.complete(at, Outcome::FAILURE);
            }
            let outcome = self.visit::<TRACED>(fallback);
            return self.complete(at, outcome);
        }
        let others_plan = std::mem::take(&mut self.tick.memory.is_planning);
        let outcome = self.visit::<TRACED>(at + 1);
        if outcome.status == Status::Failure {
            if self.tick.memory.cursors[at] == CLAIMED {
                self.leave_out(at);
            }
        } else if outcome.status == Status::Success || !self.tick.memory.is_planning {
            self.tick.memory.cursors[at] = USED;
            self.lasting_words(at)[1] = 0;
        }
        self.tick.memory.is_planning |= others_plan;
        if outcome.status == Status::Success
            && no_repeat
            && let Some(Guard::Waypoint(claim)) = self.guard(at)
        {
            self.lasting_words(at)[0] = u64::from(claim.waypoint().index) + 1;
        }
        self.complete(at, outcome)
    }

    /// Claims the best free waypoint, if one is suitable, except those that the child could
    /// not use, for instance because no path led there. Where only such are left, all count
    /// again once the node begins [`RETRY`] seconds later. They do not count while it waits:
    /// it would never come to its fallback.
    fn claim(&mut self, at: usize, score: &Score<C>, no_repeat: bool, wait: f32) {
        let extents = &self.tree.extents;
        let memory = &mut *self.tick.memory;
        let guard = extents.guards(at).start;
        let Some(Pool::Waypoint(pool, left_out)) = memory.pools.get(guard) else {
            return;
        };
        let words = &mut memory.lasting[extents.lasting(at)];
        let last = words[0].checked_sub(1).filter(|_| no_repeat);
        let last = last.map(|index| index as u32);
        let view = &*self.tick.context;
        let best = |left_out: &[bool]| {
            let score = |waypoint: &Waypoint| match left_out.get(waypoint.index as usize) {
                Some(true) => f32::NAN,
                _ => score.of(view, waypoint),
            };
            let claim = pool.claim_best(last, score);
            if claim.is_some() || wait < f32::INFINITY {
                return claim;
            }
            // Without a limit, the node would wait for ever where the last
            // waypoint is the only one.
            let last = pool.waypoints().get(last? as usize)?;
            (score(last) >= 0.0).then(|| pool.claim(last.index))?
        };
        let failed = words[1];
        let mut claim = best(if failed == 0 { &[] } else { left_out });
        let may_retry = memory.cursors[at] == 0 || wait == f32::INFINITY;
        if claim.is_none() && may_retry && memory::reached(failed, memory.now, RETRY) {
            words[1] = 0;
            claim = best(&[]);
        }
        memory.guards[guard] = claim.map(Guard::Waypoint);
    }

    /// Remembers that the child could not use its waypoint.
    fn leave_out(&mut self, at: usize) {
        let guard = self.tree.extents.guards(at).start;
        let memory = &mut *self.tick.memory;
        let failed = &mut memory.lasting[self.tree.extents.lasting(at)][1];
        if let Some(Pool::Waypoint(_, left_out)) = memory.pools.get_mut(guard)
            && let Some(Guard::Waypoint(claim)) = &memory.guards[guard]
        {
            if *failed == 0 {
                left_out.fill(false);
            }
            if let Some(one) = left_out.get_mut(claim.waypoint().index as usize) {
                *one = true;
            }
        }
        *failed = memory::stamp(memory.now);
    }

    /// Whether a node that got no token or waypoint has time left, counted
    /// from its first tick.
    fn still_waiting(&mut self, at: usize, cursor: u32, wait: f32) -> bool {
        self.tick.memory.cursors[at] = cursor;
        self.tick.node = at as u32;
        !self.tick.reached(0, wait)
    }

    /// Ends a node that holds a token or waypoint, and releases it, unless it is
    /// running.
    fn complete(&mut self, at: usize, outcome: Outcome) -> Outcome {
        if outcome.status.is_done() {
            *self.guard(at) = None;
            self.clear(at);
        }
        outcome
    }

    /// What a node holds of a pool.
    fn guard(&mut self, at: usize) -> &mut Option<Guard> {
        &mut self.tick.memory.guards[self.tree.extents.guards(at).start]
    }

    /// What a node remembers while it is running.
    fn run_words(&mut self, at: usize) -> &mut [u64] {
        &mut self.tick.memory.run[self.tree.extents.run(at)]
    }

    /// A node's lasting memory.
    fn lasting_words(&mut self, at: usize) -> &mut [u64] {
        &mut self.tick.memory.lasting[self.tree.extents.lasting(at)]
    }

    /// Stores whether a node is running.
    #[inline]
    fn mark(&mut self, at: usize, outcome: Outcome) -> Outcome {
        self.tick.memory.cursors[at] = u32::from(outcome.status == Status::Running);
        outcome
    }

    /// Makes a node idle, and zeroes its own run memory.
    fn clear(&mut self, at: usize) {
        self.tick.memory.cursors[at] = 0;
        self.forget(at);
    }

    fn forget(&mut self, at: usize) {
        self.run_words(at).fill(0);
    }

    fn abort_children(&mut self, at: usize) {
        for node in (at + 1..self.tree.nodes[at].end as usize).rev() {
            self.abort_one(node);
        }
    }

    #[inline]
    pub fn abort_running(&mut self, at: usize) {
        if self.tick.memory.cursors[at] != 0 {
            self.abort(at);
        }
    }

    /// Aborts all running nodes of a subtree: children before their parents,
    /// and later siblings before earlier ones. That is preorder in reverse.
    #[cold]
    #[inline(never)]
    pub fn abort(&mut self, at: usize) {
        self.abort_children(at);
        self.abort_one(at);
    }

    pub fn abort_one(&mut self, at: usize) {
        if self.tick.memory.cursors[at] == 0 {
            return;
        }
        let tree = self.tree;
        // Idle from here on, so that nothing can abort it twice.
        self.tick.memory.cursors[at] = 0;
        self.tick.node = at as u32;
        if let Some(task) = &tree.steps[at].task {
            task.abort(&mut self.tick);
        }
        match &tree.extras[at] {
            Extra::None | Extra::Task(_) | Extra::States(_) | Extra::Signal(_) => {}
            Extra::Composite { composite, .. } => composite.abort(&mut self.tick),
            Extra::Token(_) | Extra::Waypoint { .. } => *self.guard(at) = None,
        }
        self.forget(at);
        if let Some(trace) = self.tick.trace.as_mut() {
            trace.note(at as u32, TraceEvent::Aborted);
        }
    }
}

impl<C: Context> Nodes<C> for Tree<C> {
    fn child(&self, parent: u32, index: usize) -> Option<usize> {
        node::children(&self.nodes, parent as usize).nth(index)
    }

    fn visit_child(&self, tick: Tick<'_, '_, C>, at: usize) -> Outcome {
        let is_traced = tick.trace.is_some();
        let mut run = Run { tree: self, tick };
        if is_traced {
            run.visit::<true>(at)
        } else {
            run.visit::<false>(at)
        }
    }

    fn abort_child(&self, tick: Tick<'_, '_, C>, at: usize) {
        Run { tree: self, tick }.abort(at);
    }
}

#[inline]
fn fixed(success: bool, turn: TurnRule, ends_turn: bool) -> Outcome {
    let ends_turn = match turn {
        TurnRule::Keep => ends_turn,
        TurnRule::Ends => true,
        TurnRule::Continues => false,
    };
    Outcome::from(success).or_turn(ends_turn)
}
