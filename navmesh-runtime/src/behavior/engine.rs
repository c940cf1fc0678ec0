//! How nodes are ticked.
//!
//! One invariant carries it all: **a node that is done leaves no trace**. When
//! a node returns success or failure, it and everything below it is idle: all
//! cursors 0, all run memory 0, all guards released. So "a parent resets a
//! child when it completes" costs nothing extra: each kind cleans up the little
//! it has, and a parent need not look.
//!
//! A node that is running has a cursor other than 0; [`Tick::abort`] finds the
//! running nodes of a subtree by that alone.
//!
//! The functions recurse as deep as the tree does, which its builder limits.
//! `TRACED` is a constant, so that an untraced tick has no trace of tracing.

use super::node::Kind;
use super::status::{Outcome, Status};
use super::tick::{Children, Tick};
use super::timing;
use super::trace::Event;
use super::tree::TurnRule;

/// The cursor of a running node that has nothing else to keep there.
pub(super) const RUNNING: u32 = 1;

impl<C> Tick<'_, C> {
    /// Ticks one node.
    #[inline]
    pub(super) fn visit<const TRACED: bool>(&mut self, at: usize) -> Outcome {
        if !TRACED {
            return self.step::<false>(at);
        }
        let entry = self.trace.as_mut().map(|trace| trace.enter(at as u32));
        self.reason = None;
        let outcome = self.step::<true>(at);
        let reason = self.reason.take();
        if let (Some(trace), Some(entry)) = (self.trace.as_mut(), entry) {
            trace.leave(entry, outcome, reason);
        }
        outcome
    }

    fn step<const TRACED: bool>(&mut self, at: usize) -> Outcome {
        let tree = self.tree;
        let node = tree.nodes[at];
        let end = node.end as usize;
        match node.kind {
            Kind::Leaf { task, memory } => {
                self.node = at as u32;
                let outcome = tree.leaves[task as usize].task.tick(self);
                if outcome.status == Status::Running {
                    self.cursors[at] = RUNNING;
                } else {
                    self.cursors[at] = 0;
                    if memory {
                        self.forget(at);
                    }
                }
                outcome
            }
            Kind::Sequence { one, .. } => self.walk::<TRACED>(at, end, one, Status::Success),
            Kind::Selector { one, .. } => self.walk::<TRACED>(at, end, one, Status::Failure),
            Kind::ReactiveSequence => self.walk_anew::<TRACED>(at, end, Status::Success),
            Kind::ReactiveSelector => self.walk_anew::<TRACED>(at, end, Status::Failure),
            Kind::Race => self.race::<TRACED>(at, end),
            Kind::Parallel { success, failure } => {
                self.parallel::<TRACED>(at, end, u32::from(success), u32::from(failure))
            }
            Kind::Repeat { count } => self.repeat::<TRACED>(at, count),
            Kind::Timeout { seconds } => self.timeout::<TRACED>(at, seconds),
            Kind::Cooldown { seconds } => self.cooldown::<TRACED>(at, seconds),
            Kind::Invert => {
                let mut outcome = self.visit::<TRACED>(at + 1);
                outcome.status = match outcome.status {
                    Status::Success => Status::Failure,
                    Status::Failure => Status::Success,
                    Status::Running => Status::Running,
                };
                self.mark(at, outcome)
            }
            Kind::Force { success, turn } => {
                let mut outcome = self.visit::<TRACED>(at + 1);
                if outcome.status.is_done() {
                    outcome = fixed(success, turn, outcome.ends_turn);
                }
                self.mark(at, outcome)
            }
            Kind::Always { success, turn } => fixed(success, turn, false),
            Kind::WithToken { spec } => self.with_token::<TRACED>(at, spec),
            Kind::WithWaypoint { spec } => self.with_waypoint::<TRACED>(at, spec),
            Kind::Custom { node } => self.custom(at, node),
        }
    }

    /// Sequence and selector with memory: on to the next child on `onward`,
    /// done on the opposite.
    #[inline]
    fn walk<const TRACED: bool>(
        &mut self,
        at: usize,
        end: usize,
        one: bool,
        onward: Status,
    ) -> Outcome {
        let mut child = match self.cursors[at] {
            0 => at + 1,
            child => child as usize,
        };
        let mut ends_turn = false;
        while child < end {
            let outcome = self.visit::<TRACED>(child);
            ends_turn = outcome.ends_turn;
            if outcome.status == Status::Running {
                self.cursors[at] = child as u32;
                return outcome;
            }
            if outcome.status != onward {
                self.cursors[at] = 0;
                return outcome;
            }
            child = self.tree.nodes[child].end as usize;
            if (one || ends_turn) && child < end {
                self.cursors[at] = child as u32;
                return Outcome::RUNNING.or_turn(ends_turn);
            }
        }
        self.cursors[at] = 0;
        Outcome::new(onward).or_turn(ends_turn)
    }

    /// Reactive sequence and selector: from the first child on each tick;
    /// what was running and is not reached again is aborted.
    #[inline]
    fn walk_anew<const TRACED: bool>(&mut self, at: usize, end: usize, onward: Status) -> Outcome {
        let running = self.cursors[at] as usize;
        let mut child = at + 1;
        let mut ends_turn = false;
        while child < end {
            let outcome = self.visit::<TRACED>(child).or_turn(ends_turn);
            ends_turn = outcome.ends_turn;
            if outcome.status == onward {
                child = self.tree.nodes[child].end as usize;
                continue;
            }
            if running != 0 && running != child {
                self.abort_running(running);
            }
            self.cursors[at] = if outcome.status == Status::Running {
                child as u32
            } else {
                0
            };
            return outcome;
        }
        self.cursors[at] = 0;
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
            self.cursors[at] = RUNNING;
            return Outcome::RUNNING.or_turn(ends_turn);
        };
        self.abort_children(at);
        self.cursors[at] = 0;
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
            if self.run[word] & bit == 0 {
                let outcome = self.visit::<TRACED>(child);
                ends_turn |= outcome.ends_turn;
                if outcome.status.is_done() {
                    self.run[word] |= bit;
                }
                if outcome.status == Status::Success {
                    self.run[word + words] |= bit;
                }
            }
            k += 1;
            child = self.tree.nodes[child].end as usize;
        }
        let count = |words: &[u64]| words.iter().map(|w| w.count_ones()).sum::<u32>();
        let done = count(&self.run[first..first + words]);
        let succeeded = count(&self.run[first + words..first + 2 * words]);
        // 0 stands for all of them.
        let threshold = |given: u32| if given == 0 { k as u32 } else { given };
        let status = if succeeded >= threshold(success) {
            Status::Success
        } else if done - succeeded >= threshold(failure) || done as usize == k {
            Status::Failure
        } else {
            self.cursors[at] = RUNNING;
            return Outcome::RUNNING.or_turn(ends_turn);
        };
        self.abort_children(at);
        self.forget(at);
        self.cursors[at] = 0;
        Outcome::new(status).or_turn(ends_turn)
    }

    /// Memory: how often the child completed.
    fn repeat<const TRACED: bool>(&mut self, at: usize, count: u32) -> Outcome {
        let outcome = self.visit::<TRACED>(at + 1);
        if outcome.status.is_done() && count > 0 {
            let word = self.tree.extents[at].run as usize;
            self.run[word] += 1;
            if self.run[word] >= u64::from(count) {
                self.forget(at);
                self.cursors[at] = 0;
                return Outcome::SUCCESS.or_turn(outcome.ends_turn);
            }
        }
        self.cursors[at] = RUNNING;
        Outcome::RUNNING.or_turn(outcome.ends_turn)
    }

    /// Memory: when it began.
    fn timeout<const TRACED: bool>(&mut self, at: usize, seconds: f32) -> Outcome {
        let word = self.tree.extents[at].run as usize;
        if self.run[word] == 0 {
            self.run[word] = timing::stamp(self.now);
        }
        let outcome = self.visit::<TRACED>(at + 1);
        if outcome.status == Status::Running {
            if !timing::reached(self.run[word], self.now, seconds) {
                self.cursors[at] = RUNNING;
                return outcome;
            }
            self.abort_running(at + 1);
            self.because("timed out");
        }
        self.run[word] = 0;
        self.cursors[at] = 0;
        match outcome.status {
            Status::Running => Outcome::FAILURE.or_turn(outcome.ends_turn),
            _ => outcome,
        }
    }

    /// Lasting memory: when the child last succeeded.
    fn cooldown<const TRACED: bool>(&mut self, at: usize, seconds: f32) -> Outcome {
        let word = self.tree.extents[at].lasting as usize;
        if self.cursors[at] == 0 && self.lasting[word] != 0 {
            if !timing::reached(self.lasting[word], self.now, seconds) {
                self.because("cooling down");
                return Outcome::FAILURE;
            }
            self.lasting[word] = 0;
        }
        let outcome = self.visit::<TRACED>(at + 1);
        if outcome.status == Status::Success {
            self.lasting[word] = timing::stamp(self.now);
        }
        self.mark(at, outcome)
    }

    fn custom(&mut self, at: usize, node: u32) -> Outcome {
        let tree = self.tree;
        let custom = &tree.customs[node as usize];
        let mut children = Children::new(self, at, custom.children);
        let outcome = custom.composite.tick(&mut children);
        if outcome.status == Status::Running {
            self.cursors[at] = RUNNING;
        } else {
            self.abort_children(at);
            self.forget(at);
            self.cursors[at] = 0;
        }
        outcome
    }

    /// Notes whether a node is running.
    #[inline]
    pub(super) fn mark(&mut self, at: usize, outcome: Outcome) -> Outcome {
        self.cursors[at] = u32::from(outcome.status == Status::Running);
        outcome
    }

    /// Zeroes a node's own run memory.
    pub(super) fn forget(&mut self, at: usize) {
        let (from, to) = (self.tree.extents[at].run, self.tree.extents[at + 1].run);
        self.run[from as usize..to as usize].fill(0);
    }

    fn abort_children(&mut self, at: usize) {
        for node in (at + 1..self.tree.nodes[at].end as usize).rev() {
            self.abort_one(node);
        }
    }

    #[inline]
    pub(super) fn abort_running(&mut self, at: usize) {
        if self.cursors[at] != 0 {
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
        if self.cursors[at] == 0 {
            return;
        }
        let tree = self.tree;
        // Idle from here on, so that nothing can abort it twice.
        self.cursors[at] = 0;
        self.node = at as u32;
        match tree.nodes[at].kind {
            Kind::Leaf { task, .. } => tree.leaves[task as usize].task.abort(self),
            Kind::Custom { node } => tree.customs[node as usize].composite.abort(self),
            Kind::WithToken { .. } | Kind::WithWaypoint { .. } => self.release(at),
            _ => {}
        }
        self.forget(at);
        if let Some(trace) = self.trace.as_mut() {
            trace.note(at as u32, Event::Aborted, self.reason.take());
        }
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
