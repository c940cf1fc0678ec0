//! How nodes are ticked.
//!
//! One invariant carries it all: **a node that is done leaves no trace**. When
//! a node returns success or failure, it and everything below it is idle: all
//! cursors 0, all run memory 0, all guards released. So "a parent resets a
//! child when it completes" costs nothing extra: each kind cleans up the little
//! it has, and a parent need not look.
//!
//! A node that is running has a cursor other than 0; [`Run::abort`] finds the
//! running nodes of a subtree by that alone.
//!
//! The functions recurse as deep as the tree does, which its builder limits.
//! `TRACED` is a constant, so that an untraced tick has no trace of tracing.

use super::node::Kind;
use super::status::{Outcome, Status};
use super::tick::{Children, Nodes, Tick};
use super::timing;
use super::trace::TraceEvent;
use super::tree::TurnRule;
use super::tree::{Flow, Step};
use super::{Context, Task, Tree};

/// The cursor of a running node that has nothing else to keep there.
pub(super) const RUNNING: u32 = 1;

/// One tick under way: the tree, and what its nodes see.
pub(super) struct Run<'a, 'w, C: ?Sized + Context> {
    pub(super) tree: &'a Tree<C>,
    pub(super) tick: Tick<'a, C::In<'w>>,
}

impl<C: ?Sized + Context> Run<'_, '_, C> {
    /// Ticks one node.
    #[expect(clippy::inline_always, reason = "the hot path: a call a node is felt")]
    #[inline(always)]
    pub(super) fn visit<const TRACED: bool>(&mut self, at: usize) -> Outcome {
        let tree = self.tree;
        self.visit_step::<TRACED>(at, &tree.steps[at], true)
    }

    /// Ticks one node, which `may_run` already; when not, it is known to be
    /// idle.
    #[expect(clippy::inline_always, reason = "the hot path: a call a node is felt")]
    #[inline(always)]
    fn visit_step<const TRACED: bool>(
        &mut self,
        at: usize,
        step: &Step<C>,
        may_run: bool,
    ) -> Outcome {
        if TRACED {
            return self.visit_traced(at);
        }
        // Most nodes are leaves, and a branch that is nearly always guessed
        // right is cheaper than a jump table.
        if let Some(task) = &step.task {
            return self.leaf(at, &**task, step.has_memory, may_run);
        }
        match step.flow {
            Flow::Walk => self.walk::<false>(at, step),
            Flow::Anew => self.walk_anew::<false>(at, step),
            Flow::Other => self.step::<false>(at),
        }
    }

    fn visit_traced(&mut self, at: usize) -> Outcome {
        let entry = self.tick.trace.as_mut().map(|trace| trace.enter(at as u32));
        let outcome = self.step::<true>(at);
        if let (Some(trace), Some(entry)) = (self.tick.trace.as_mut(), entry) {
            trace.leave(entry, outcome);
        }
        outcome
    }

    #[inline(never)]
    fn step<const TRACED: bool>(&mut self, at: usize) -> Outcome {
        let tree = self.tree;
        let step = &tree.steps[at];
        if let Some(task) = &step.task {
            return self.leaf(at, &**task, step.has_memory, true);
        }
        let end = step.end as usize;
        match tree.nodes[at].kind {
            // A leaf has a task.
            Kind::Leaf { .. } => Outcome::FAILURE,
            Kind::Sequence { .. } | Kind::Selector { .. } => self.walk::<TRACED>(at, step),
            Kind::ReactiveSequence | Kind::ReactiveSelector => self.walk_anew::<TRACED>(at, step),
            Kind::Race => self.race::<TRACED>(at, end),
            Kind::Parallel { success, failure } => {
                self.parallel::<TRACED>(at, end, u32::from(success), u32::from(failure))
            }
            Kind::Repeat { count } => self.repeat::<TRACED>(at, count),
            Kind::Timeout { seconds } => self.timeout::<TRACED>(at, seconds),
            Kind::Cooldown { seconds } => self.cooldown::<TRACED>(at, seconds),
            Kind::Invert => self.invert::<TRACED>(at),
            Kind::Force { success, turn } => self.force::<TRACED>(at, success, turn),
            Kind::Always { success, turn } => fixed(success, turn, false),
            Kind::WithToken { spec } => self.with_token::<TRACED>(at, spec),
            Kind::WithWaypoint { spec } => self.with_waypoint::<TRACED>(at, spec),
            Kind::Custom { node } => self.custom(at, node),
        }
    }

    #[expect(clippy::inline_always, reason = "part of `visit`")]
    #[inline(always)]
    fn leaf(&mut self, at: usize, task: &dyn Task<C>, has_memory: bool, may_run: bool) -> Outcome {
        self.tick.node = at as u32;
        let outcome = task.tick(&mut self.tick);
        let is_running = outcome.status == Status::Running;
        // Most leaves are idle before and after: nothing to write.
        if is_running | may_run {
            self.tick.parts.cursors[at] = u32::from(is_running);
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

    /// Sequence and selector with memory: on to the next child on `onward`,
    /// done on the opposite.
    #[inline(never)]
    fn walk<const TRACED: bool>(&mut self, at: usize, step: &Step<C>) -> Outcome {
        let (end, onward, one) = (step.end as usize, step.onward, step.one);
        let tree = self.tree;
        let steps = &tree.steps[..end];
        let resumed = self.tick.parts.cursors[at];
        // Of the children only the one that is resumed may be running.
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
                    self.tick.parts.cursors[at] = cursor;
                }
                return outcome;
            }
            child = step.end as usize;
            if (one || ends_turn) && child < end {
                self.tick.parts.cursors[at] = child as u32;
                return Outcome::RUNNING.or_turn(ends_turn);
            }
        }
        if resumed != 0 {
            self.tick.parts.cursors[at] = 0;
        }
        Outcome::new(onward).or_turn(ends_turn)
    }

    /// Reactive sequence and selector: from the first child on each tick;
    /// what was running and is not reached again is aborted.
    #[inline(never)]
    fn walk_anew<const TRACED: bool>(&mut self, at: usize, step: &Step<C>) -> Outcome {
        let (end, onward) = (step.end as usize, step.onward);
        let tree = self.tree;
        let steps = &tree.steps[..end];
        let running = self.tick.parts.cursors[at] as usize;
        let mut child = at + 1;
        let mut ends_turn = false;
        while let Some(step) = steps.get(child) {
            let outcome = self.visit_step::<TRACED>(child, step, child == running);
            let outcome = outcome.or_turn(ends_turn);
            ends_turn = outcome.ends_turn;
            if outcome.status == onward {
                child = step.end as usize;
                continue;
            }
            if running != 0 && running != child {
                self.abort_running(running);
            }
            let is_running = outcome.status == Status::Running;
            let cursor = if is_running { child } else { 0 };
            if cursor != running {
                self.tick.parts.cursors[at] = cursor as u32;
            }
            return outcome;
        }
        if running != 0 {
            self.tick.parts.cursors[at] = 0;
        }
        Outcome::new(onward).or_turn(ends_turn)
    }

    fn race<const TRACED: bool>(&mut self, at: usize, end: usize) -> Outcome {
        let mut winner = None;
        let mut ends_turn = false;
        let mut child = at + 1;
        while child < end {
            let outcome = self.visit::<TRACED>(child);
            ends_turn |= outcome.ends_turn;
            if outcome.status.is_done() && winner.is_none() {
                winner = Some(outcome.status);
            }
            child = self.tree.nodes[child].end as usize;
        }
        let Some(status) = winner else {
            self.tick.parts.cursors[at] = RUNNING;
            return Outcome::RUNNING.or_turn(ends_turn);
        };
        self.abort_children(at);
        self.tick.parts.cursors[at] = 0;
        Outcome::new(status).or_turn(ends_turn)
    }

    /// Memory: a bit a child that is done, then a bit a child that succeeded.
    fn parallel<const TRACED: bool>(
        &mut self,
        at: usize,
        end: usize,
        success: u32,
        failure: u32,
    ) -> Outcome {
        let first = self.tree.extents[at].run as usize;
        let words = (self.tree.extents[at + 1].run as usize - first) / 2;
        let (mut child, mut k, mut ends_turn) = (at + 1, 0, false);
        while child < end {
            let (word, bit) = (first + k / 64, 1 << (k % 64));
            if self.tick.parts.run[word] & bit == 0 {
                let outcome = self.visit::<TRACED>(child);
                ends_turn |= outcome.ends_turn;
                if outcome.status.is_done() {
                    self.tick.parts.run[word] |= bit;
                }
                if outcome.status == Status::Success {
                    self.tick.parts.run[word + words] |= bit;
                }
            }
            k += 1;
            child = self.tree.nodes[child].end as usize;
        }
        let count = |words: &[u64]| words.iter().map(|w| w.count_ones()).sum::<u32>();
        let done = count(&self.tick.parts.run[first..first + words]);
        let succeeded = count(&self.tick.parts.run[first + words..first + 2 * words]);
        // 0 stands for all of them.
        let threshold = |given: u32| if given == 0 { k as u32 } else { given };
        let status = if succeeded >= threshold(success) {
            Status::Success
        } else if done - succeeded >= threshold(failure) || done as usize == k {
            Status::Failure
        } else {
            self.tick.parts.cursors[at] = RUNNING;
            return Outcome::RUNNING.or_turn(ends_turn);
        };
        self.abort_children(at);
        self.forget(at);
        self.tick.parts.cursors[at] = 0;
        Outcome::new(status).or_turn(ends_turn)
    }

    /// Memory: how often the child completed.
    fn repeat<const TRACED: bool>(&mut self, at: usize, count: u32) -> Outcome {
        let outcome = self.visit::<TRACED>(at + 1);
        if outcome.status.is_done() && count > 0 {
            let word = self.tree.extents[at].run as usize;
            self.tick.parts.run[word] += 1;
            if self.tick.parts.run[word] >= u64::from(count) {
                self.forget(at);
                self.tick.parts.cursors[at] = 0;
                return Outcome::SUCCESS.or_turn(outcome.ends_turn);
            }
        }
        self.tick.parts.cursors[at] = RUNNING;
        Outcome::RUNNING.or_turn(outcome.ends_turn)
    }

    /// Memory: when it began.
    fn timeout<const TRACED: bool>(&mut self, at: usize, seconds: f32) -> Outcome {
        let word = self.tree.extents[at].run as usize;
        if self.tick.parts.run[word] == 0 {
            self.tick.parts.run[word] = timing::stamp(self.tick.parts.now);
        }
        let outcome = self.visit::<TRACED>(at + 1);
        if outcome.status == Status::Running {
            if !timing::reached(self.tick.parts.run[word], self.tick.parts.now, seconds) {
                self.tick.parts.cursors[at] = RUNNING;
                return outcome;
            }
            self.abort_running(at + 1);
            self.tick.set_reason("timed out");
        }
        self.tick.parts.run[word] = 0;
        self.tick.parts.cursors[at] = 0;
        match outcome.status {
            Status::Running => Outcome::FAILURE.or_turn(outcome.ends_turn),
            _ => outcome,
        }
    }

    /// Lasting memory: when the child last succeeded.
    fn cooldown<const TRACED: bool>(&mut self, at: usize, seconds: f32) -> Outcome {
        let word = self.tree.extents[at].lasting as usize;
        if self.tick.parts.cursors[at] == 0 && self.tick.parts.lasting[word] != 0 {
            if !timing::reached(self.tick.parts.lasting[word], self.tick.parts.now, seconds) {
                self.tick.set_reason("cooling down");
                return Outcome::FAILURE;
            }
            self.tick.parts.lasting[word] = 0;
        }
        let outcome = self.visit::<TRACED>(at + 1);
        if outcome.status == Status::Success {
            self.tick.parts.lasting[word] = timing::stamp(self.tick.parts.now);
        }
        self.mark(at, outcome)
    }

    fn custom(&mut self, at: usize, node: u32) -> Outcome {
        let tree = self.tree;
        let custom = &tree.customs[node as usize];
        self.tick.node = at as u32;
        let mut children = Children::new(self, at as u32, custom.children);
        let outcome = custom.composite.tick(&mut children);
        if outcome.status == Status::Running {
            self.tick.parts.cursors[at] = RUNNING;
        } else {
            self.abort_children(at);
            self.forget(at);
            self.tick.parts.cursors[at] = 0;
        }
        outcome
    }

    /// Notes whether a node is running.
    #[inline]
    pub(super) fn mark(&mut self, at: usize, outcome: Outcome) -> Outcome {
        self.tick.parts.cursors[at] = u32::from(outcome.status == Status::Running);
        outcome
    }

    /// Zeroes a node's own run memory.
    pub(super) fn forget(&mut self, at: usize) {
        let (from, to) = (self.tree.extents[at].run, self.tree.extents[at + 1].run);
        self.tick.parts.run[from as usize..to as usize].fill(0);
    }

    fn abort_children(&mut self, at: usize) {
        for node in (at + 1..self.tree.nodes[at].end as usize).rev() {
            self.abort_one(node);
        }
    }

    #[inline]
    pub(super) fn abort_running(&mut self, at: usize) {
        if self.tick.parts.cursors[at] != 0 {
            self.abort(at);
        }
    }

    /// Aborts whatever runs in a subtree: children before their parents, and
    /// of siblings the later one first. That is preorder read backwards.
    #[cold]
    #[inline(never)]
    pub(super) fn abort(&mut self, at: usize) {
        for node in (at..self.tree.nodes[at].end as usize).rev() {
            self.abort_one(node);
        }
    }

    pub(super) fn abort_one(&mut self, at: usize) {
        if self.tick.parts.cursors[at] == 0 {
            return;
        }
        let tree = self.tree;
        // Idle from here on, so that nothing can abort it twice.
        self.tick.parts.cursors[at] = 0;
        self.tick.node = at as u32;
        match tree.nodes[at].kind {
            Kind::Leaf { .. } => {
                if let Some(task) = &tree.steps[at].task {
                    task.abort(&mut self.tick);
                }
            }
            Kind::Custom { node } => tree.customs[node as usize].composite.abort(&mut self.tick),
            Kind::WithToken { .. } | Kind::WithWaypoint { .. } => self.release(at),
            _ => {}
        }
        self.forget(at);
        if let Some(trace) = self.tick.trace.as_mut() {
            trace.note(at as u32, TraceEvent::Aborted);
        }
    }
}

impl<'a, 'w, C: ?Sized + Context> Nodes<'a, C::In<'w>> for Run<'a, 'w, C> {
    fn tick(&self) -> &Tick<'a, C::In<'w>> {
        &self.tick
    }

    fn tick_mut(&mut self) -> &mut Tick<'a, C::In<'w>> {
        &mut self.tick
    }

    fn child(&self, parent: u32, number: usize) -> Option<usize> {
        self.tree.children(parent as usize).nth(number)
    }

    fn visit_child(&mut self, at: usize) -> Outcome {
        if self.tick.trace.is_some() {
            self.visit::<true>(at)
        } else {
            self.visit::<false>(at)
        }
    }

    fn abort_child(&mut self, at: usize) {
        self.abort(at);
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
