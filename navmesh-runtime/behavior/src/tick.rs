//! One tick of one agent's tree: how nodes are ticked and aborted, and the memory that
//! this changes.
//!
//! Everything rests on one invariant: **a completed node is clean**. When a node returns
//! success or failure, it and all nodes below it are idle: their cursors are 0, their run
//! memory is 0, and they hold nothing of a pool. [`Tick::visit_step`] cleans up the node
//! itself; a node aborts the children that it leaves running, so a parent never has to
//! reset a child.
//!
//! The functions recurse as deep as the tree, which the builder limits.

use std::borrow::Cow;

use glam::Vec2;
use navmesh_runtime::shared::unit;

use crate::blackboard::Blackboard;
use crate::context::Context;
use crate::nodes::machine::Signal;
use crate::nodes::sharing::Hold;
use crate::status::{Outcome, Status};
use crate::trace::Trace;
use crate::tree::{Step, Tree};

/// The memory of all nodes of one agent's tree between ticks.
pub struct Memory {
    /// One per node. 0: idle. Below [`RUNNING`]: running, and the value is the number of
    /// its current child, which may have the flag [`CONTINUES`]. With the bit of
    /// [`RUNNING`]: running, in a state that depends on the node's kind. From [`FAILED`]:
    /// idle, and the parent is a parallel that has this result.
    pub cursors: Box<[u32]>,
    /// The words that nodes remember: of each node those that are zeroed when it completes
    /// or is aborted, and then those that only restart zeroes.
    pub words: Box<[u64]>,
    /// One per node that uses a pool.
    pub holds: Box<[Hold]>,
    /// A signal that its state machine has not received yet.
    pub signal: Option<Signal>,
    /// Whether a task of this tick waits for a path.
    pub is_planning: bool,
}

/// The cursor of a running node that stores nothing else in it. Other states of running
/// nodes are this plus a small number. A tree has far fewer nodes.
pub const RUNNING: u32 = 1 << 30;

/// Flag in the cursor of a reactive composite: the next tick starts at its child.
pub const CONTINUES: u32 = 1 << 31;

/// The cursors of a parallel's children that have completed.
pub const FAILED: u32 = u32::MAX - 1;
pub const SUCCEEDED: u32 = u32::MAX;

/// The child that a cursor refers to.
#[inline]
pub const fn child_of(cursor: u32) -> Option<usize> {
    let child = cursor & !CONTINUES;
    if child == 0 || child >= RUNNING {
        return None;
    }
    Some(child as usize)
}

/// Whether a node with this cursor is running.
#[inline]
pub const fn is_running(cursor: u32) -> bool {
    cursor != 0 && cursor < FAILED
}

/// A value that fits into one word of memory: `u64`, `i64`, `u32`, `bool`, `f32`, `f64`,
/// [`Vec2`]. Unused memory reads as the zero value.
pub trait Word: Copy {
    fn to_word(self) -> u64;
    fn from_word(word: u64) -> Self;
}

macro_rules! word {
    ($($type:ty: $value:ident => $to:expr, $word:ident => $from:expr;)*) => {$(
        impl Word for $type {
            fn to_word(self) -> u64 {
                let $value = self;
                $to
            }
            fn from_word($word: u64) -> Self {
                $from
            }
        }
    )*};
}
word! {
    u64: value => value, word => word;
    i64: value => value as u64, word => word as i64;
    u32: value => u64::from(value), word => word as u32;
    bool: value => u64::from(value), word => word != 0;
    f32: value => u64::from(value.to_bits()), word => f32::from_bits(word as u32);
    f64: value => value.to_bits(), word => f64::from_bits(word);
    Vec2: value => value.x.to_word() | value.y.to_word() << 32,
        word => Vec2::new(f32::from_word(word), f32::from_word(word >> 32));
}

/// Packs a start time. 0 stands for "not started", so a stamp is never 0.
#[inline]
pub fn stamp(now: f64) -> u64 {
    // The sign bit is free: the clock starts at 0 and never runs backwards.
    now.to_bits() | 1 << 63
}

/// Whether `seconds` have passed since a stamp.
///
/// Frame times are rounded: ten times 0.1 s add up to slightly less or more than 1 s. The
/// slack of one millionth covers the rounding of f32 frame times (at most 6e-8 of each)
/// with room to spare, and is far below one frame for any wait shorter than an hour.
#[inline]
pub fn reached(stamp: u64, now: f64, seconds: f32) -> bool {
    let start = f64::from_bits(stamp & !(1 << 63));
    stamp != 0 && (now - start) * 1.000_001 >= f64::from(seconds)
}

/// One tick of one agent's tree, as its nodes see it.
pub struct Tick<'a, 'w, C: Context> {
    /// The game's view, as it was passed to the tick.
    pub context: &'a mut C::View<'w>,
    /// The agent's blackboard.
    pub board: &'a mut Blackboard,
    /// Where the agent goes when its navigation starts, world units.
    pub destination: &'a mut Option<Vec2>,
    /// Seconds since the last tick.
    pub dt: f32,
    /// Seconds on the agent's clock: the sum of all its ticks' `dt`.
    pub now: f64,
    pub(crate) tree: &'a Tree<C>,
    pub(crate) memory: &'a mut Memory,
    pub(crate) seed: &'a mut u64,
    /// The node that is being ticked; its memory and children are those meant.
    pub(crate) node: usize,
    /// Whether a child of this composite of the game has ended the turn.
    pub(crate) is_turn_over: bool,
    pub(crate) trace: Option<&'a mut Trace>,
}

impl<C: Context> Tick<'_, '_, C> {
    /// Reads a word of this node's memory, which is zero when a run starts, unless it is
    /// one of the [lasting](crate::Node::memory) words: a `u64`, `i64`, `u32`,
    /// `bool`, `f32`, `f64` or [`Vec2`]. A word that the node did not ask for is always
    /// zero.
    #[inline]
    pub fn recall<W: Word>(&self, word: u16) -> W {
        let at = self.tree.steps[self.node].word(word);
        W::from_word(at.map_or(0, |at| self.memory.words[at]))
    }

    /// Writes a word of this node's memory. A word that the node did not ask for is not
    /// stored.
    #[inline]
    pub fn remember<W: Word>(&mut self, word: u16, value: W) {
        if let Some(at) = self.tree.steps[self.node].word(word) {
            self.memory.words[at] = value.to_word();
        }
    }

    /// Whether `seconds` have passed since the first call in this run. Uses the given
    /// word of the node's memory.
    #[inline]
    pub fn reached(&mut self, word: u16, seconds: f32) -> bool {
        let mut start: u64 = self.recall(word);
        if start == 0 {
            start = stamp(self.now);
            self.remember(word, start);
        }
        reached(start, self.now, seconds)
    }

    /// Records in the trace why this node is about to return its status: a text or a
    /// `String`, which is only built when the tick is traced.
    #[inline]
    pub fn set_reason<R: Into<Cow<'static, str>>>(&mut self, reason: impl FnOnce() -> R) {
        if let Some(trace) = self.trace.as_mut() {
            trace.reason = Some(reason().into());
        }
    }

    /// Ticks a child, by its index; `None` if there is no such child. After a child that
    /// ended the turn, this returns running in the rest of the tick and ticks nothing: a
    /// turn has one action.
    pub fn visit(&mut self, child: usize) -> Option<Outcome> {
        let at = self.tree.children(self.node).nth(child)?;
        if self.is_turn_over {
            return Some(Outcome::RUNNING);
        }
        let outcome = self.visit_child(at);
        self.is_turn_over = outcome.ends_turn;
        Some(outcome)
    }
}

/// What the nodes of this crate use.
impl<C: Context> Tick<'_, '_, C> {
    /// Ticks the tree from its root. Before anything else can take effect, what runs with
    /// a token that a higher priority has taken is aborted.
    #[inline]
    pub(crate) fn visit_root<const TRACED: bool>(&mut self) -> Outcome {
        let tree = self.tree;
        // Left by a task that panicked.
        self.memory.signal = None;
        for at in &tree.sharing {
            self.node = *at;
            tree.steps[*at].node.prepare(self);
        }
        self.visit_step::<TRACED>(0, &tree.steps[0], true)
    }

    /// Ticks a child by its node number, and returns to this node.
    pub(crate) fn visit_child(&mut self, child: usize) -> Outcome {
        let (tree, node) = (self.tree, self.node);
        let step = &tree.steps[child];
        let outcome = if self.trace.is_some() {
            self.visit_step::<true>(child, step, true)
        } else {
            self.visit_step::<false>(child, step, true)
        };
        self.node = node;
        outcome
    }

    /// Ticks the node `at`. If not `may_run`, it is known to be idle. Afterwards
    /// `self.node` is any node. `TRACED` is a constant, so that an untraced tick contains
    /// nearly no code for tracing.
    #[expect(
        clippy::inline_always,
        reason = "the hot path: one call per node is measurable"
    )]
    #[inline(always)]
    pub(crate) fn visit_step<const TRACED: bool>(
        &mut self,
        at: usize,
        step: &Step<C>,
        may_run: bool,
    ) -> Outcome {
        let trace = self.trace.as_mut().filter(|_| TRACED);
        let visit = trace.map(|trace| trace.enter(at as u32));
        self.node = at;
        let outcome = step.node.tick(self);
        if outcome.status == Status::Running {
            let cursor = &mut self.memory.cursors[at];
            if *cursor == 0 {
                *cursor = RUNNING;
            }
        } else {
            // Most nodes are idle before and after, and need no write.
            if may_run {
                self.memory.cursors[at] = 0;
            }
            if step.run > 0 {
                self.forget(step);
            }
        }
        if TRACED && let (Some(trace), Some(visit)) = (self.trace.as_mut(), visit) {
            trace.leave(visit, outcome);
        }
        outcome
    }

    /// Zeroes the memory of a run. Few nodes have any, so it is kept out of the hot path.
    #[cold]
    #[inline(never)]
    fn forget(&mut self, step: &Step<C>) {
        let start = step.words as usize;
        self.memory.words[start..start + usize::from(step.run)].fill(0);
    }

    /// The agent's next random number, from 0 to 1.
    pub(crate) fn random(&mut self) -> f32 {
        unit(self.seed) as f32
    }

    /// Aborts what is running below a node.
    pub(crate) fn abort_children(&mut self, at: usize) {
        for node in (at + 1..self.tree.steps[at].end as usize).rev() {
            self.abort_one(node);
        }
    }

    #[inline]
    pub(crate) fn abort_running(&mut self, at: usize) {
        if self.memory.cursors[at] != 0 {
            self.abort_all(at);
        }
    }

    /// Aborts all running nodes of a subtree: children before their parents, and later
    /// siblings before earlier ones. That is preorder in reverse.
    #[cold]
    #[inline(never)]
    pub(crate) fn abort_all(&mut self, at: usize) {
        self.abort_children(at);
        self.abort_one(at);
    }

    pub(crate) fn abort_one(&mut self, at: usize) {
        // Idle from here on, so that nothing can abort it twice.
        let cursor = std::mem::take(&mut self.memory.cursors[at]);
        if !is_running(cursor) {
            return;
        }
        let step = &self.tree.steps[at];
        self.node = at;
        step.node.abort(self);
        self.forget(step);
        if let Some(trace) = self.trace.as_mut() {
            trace.note(at as u32, None);
        }
    }
}
