//! What a node sees while it is ticked.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut};

use super::blackboard::Blackboard;
use super::context::Context;
use super::memory::{self, Extents, Memory, Word};
use super::status::Outcome;
use super::trace::Trace;

/// One tick of one agent's tree, as its nodes see it.
pub struct Tick<'a, 'w, C: Context> {
    /// The game's view, as it was passed to the tick.
    pub context: &'a mut C::View<'w>,
    /// The agent's blackboard.
    pub board: &'a mut Blackboard,
    /// Seconds since the last tick.
    pub dt: f32,
    /// Where each node's memory lies.
    pub(crate) extents: &'a Extents,
    pub(crate) memory: &'a mut Memory,
    /// The node that is being ticked; `recall` and `remember` refer to it.
    pub(crate) node: u32,
    pub(crate) trace: Option<&'a mut Trace>,
}

impl<'w, C: Context> Tick<'_, 'w, C> {
    /// Seconds on the agent's clock: the sum of all its ticks' `dt`.
    #[inline]
    pub fn now(&self) -> f64 {
        self.memory.now
    }

    /// Reads a word of this node's memory; it is zero when a run starts. A
    /// word beyond [`Task::memory`](super::Task::memory) is always zero.
    #[inline]
    pub fn recall<W: Word>(&self, word: u16) -> W {
        let at = self.run_word(word);
        W::from_word(at.map_or(0, |at| self.memory.run[at]))
    }

    /// Writes a word of this node's memory. A word beyond
    /// [`Task::memory`](super::Task::memory) is not stored.
    #[inline]
    pub fn remember<W: Word>(&mut self, word: u16, value: W) {
        if let Some(at) = self.run_word(word) {
            self.memory.run[at] = value.to_word();
        }
    }

    /// Reads a word of this node's lasting memory, which only restart zeroes.
    #[inline]
    pub fn recall_lasting<W: Word>(&self, word: u16) -> W {
        let at = self.lasting_word(word);
        W::from_word(at.map_or(0, |at| self.memory.lasting[at]))
    }

    /// Writes a word of this node's lasting memory.
    #[inline]
    pub fn remember_lasting<W: Word>(&mut self, word: u16, value: W) {
        if let Some(at) = self.lasting_word(word) {
            self.memory.lasting[at] = value.to_word();
        }
    }

    /// Whether `seconds` have passed since the first call in this run. Uses
    /// the given word of the node's memory.
    #[inline]
    pub fn reached(&mut self, word: u16, seconds: f32) -> bool {
        let mut start: u64 = self.recall(word);
        if start == 0 {
            start = memory::stamp(self.memory.now);
            self.remember(word, start);
        }
        memory::reached(start, self.memory.now, seconds)
    }

    /// Records in the trace why this node is about to return its status: a text
    /// or a `String`, which is only built when the tick is traced.
    #[inline]
    pub fn set_reason<R: Into<Cow<'static, str>>>(&mut self, reason: impl FnOnce() -> R) {
        if let Some(trace) = self.trace.as_mut() {
            trace.reason = Some(reason().into());
        }
    }

    #[inline]
    fn run_word(&self, word: u16) -> Option<usize> {
        let at = self.extents.run(self.node as usize).nth(word.into());
        debug_assert!(at.is_some(), "the node did not ask for memory word {word}");
        at
    }

    #[inline]
    fn lasting_word(&self, word: u16) -> Option<usize> {
        let at = self.extents.lasting(self.node as usize).nth(word.into());
        debug_assert!(at.is_some(), "the node did not ask for lasting word {word}");
        at
    }

    /// The same tick for a shorter time.
    pub(crate) fn reborrow(&mut self) -> Tick<'_, 'w, C> {
        Tick {
            context: &mut *self.context,
            board: &mut *self.board,
            extents: self.extents,
            memory: &mut *self.memory,
            node: self.node,
            dt: self.dt,
            trace: self.trace.as_deref_mut(),
        }
    }
}

/// What a [`Composite`](super::Composite) may do with other nodes of its tree.
/// A trait, so that this file does not depend on the engine, which implements
/// it.
pub trait Nodes<C: Context> {
    /// The number of a node's child.
    fn child(&self, parent: u32, index: usize) -> Option<usize>;
    fn visit_child(&self, tick: Tick<'_, '_, C>, at: usize) -> Outcome;
    fn abort_child(&self, tick: Tick<'_, '_, C>, at: usize);
}

/// A [`Composite`](super::Composite)'s view of its children, and of everything
/// that a [`Tick`] offers.
pub struct Children<'a, 'w, C: Context> {
    tick: Tick<'a, 'w, C>,
    nodes: &'a dyn Nodes<C>,
    count: usize,
    /// Whether a child has ended the turn in this tick.
    pub(crate) is_turn_over: bool,
}

impl<'a, 'w, C: Context> Children<'a, 'w, C> {
    pub(crate) fn new(tick: Tick<'a, 'w, C>, nodes: &'a dyn Nodes<C>, count: u32) -> Self {
        Self {
            tick,
            nodes,
            count: count as usize,
            is_turn_over: false,
        }
    }

    /// The number of children.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Ticks a child, by its index. An index beyond the last child fails. After
    /// a child that ended the turn, this returns running in the rest of the tick
    /// and ticks nothing: a turn has one action.
    pub fn visit(&mut self, child: usize) -> Outcome {
        if self.is_turn_over {
            return Outcome::RUNNING;
        }
        let Some(at) = self.nodes.child(self.tick.node, child) else {
            return Outcome::FAILURE;
        };
        let outcome = self.nodes.visit_child(self.tick.reborrow(), at);
        self.is_turn_over = outcome.ends_turn;
        outcome
    }

    /// Aborts a child, if it is running.
    pub fn abort(&mut self, child: usize) {
        if let Some(at) = self.nodes.child(self.tick.node, child) {
            self.nodes.abort_child(self.tick.reborrow(), at);
        }
    }
}

impl<'a, 'w, C: Context> Deref for Children<'a, 'w, C> {
    type Target = Tick<'a, 'w, C>;
    fn deref(&self) -> &Self::Target {
        &self.tick
    }
}

impl<C: Context> DerefMut for Children<'_, '_, C> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.tick
    }
}
