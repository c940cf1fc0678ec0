//! What a node sees while it is ticked.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut};

use super::memory::Word;
use super::state::Parts;
use super::timing;
use super::trace::Trace;
use super::{Blackboard, Outcome, Tree};

/// One tick of one agent's tree, as its nodes see it.
pub struct Tick<'a, C> {
    /// The game's own context.
    pub context: &'a mut C,
    /// The agent's blackboard.
    pub board: &'a mut Blackboard,
    pub(super) tree: &'a Tree<C>,
    pub(super) parts: &'a mut Parts,
    /// The node whose code runs: it decides what `recall` refers to.
    pub(super) node: u32,
    pub(super) dt: f32,
    pub(super) trace: Option<&'a mut Trace>,
}

impl<C> Tick<'_, C> {
    /// Seconds since the last tick.
    #[inline]
    pub fn dt(&self) -> f32 {
        self.dt
    }

    /// Seconds on the agent's clock: the sum of all its ticks' `dt`.
    #[inline]
    pub fn now(&self) -> f64 {
        self.parts.now
    }

    /// A word of this node's memory, which is zero at the beginning of each
    /// run. A word it did not ask for is always zero.
    #[inline]
    pub fn recall<W: Word>(&self, word: u16) -> W {
        let at = self.run_word(word);
        W::from_word(at.map_or(0, |at| self.parts.run[at]))
    }

    /// Writes a word of this node's memory. One it did not ask for is not
    /// kept.
    #[inline]
    pub fn remember<W: Word>(&mut self, word: u16, value: W) {
        if let Some(at) = self.run_word(word) {
            self.parts.run[at] = value.to_word();
        }
    }

    /// A word of this node's lasting memory, which only restart zeroes.
    #[inline]
    pub fn recall_lasting<W: Word>(&self, word: u16) -> W {
        let at = self.lasting_word(word);
        W::from_word(at.map_or(0, |at| self.parts.lasting[at]))
    }

    /// Writes a word of this node's lasting memory.
    #[inline]
    pub fn remember_lasting<W: Word>(&mut self, word: u16, value: W) {
        if let Some(at) = self.lasting_word(word) {
            self.parts.lasting[at] = value.to_word();
        }
    }

    /// Whether `seconds` have passed since this node first asked in this run.
    /// Takes up the given word of its memory.
    #[inline]
    pub fn reached(&mut self, word: u16, seconds: f32) -> bool {
        let mut start: u64 = self.recall(word);
        if start == 0 {
            start = timing::stamp(self.parts.now);
            self.remember(word, start);
        }
        timing::reached(start, self.parts.now, seconds)
    }

    /// Gives the trace a reason for what this node is about to return.
    #[inline]
    pub fn because(&mut self, reason: &'static str) {
        if let Some(trace) = self.trace.as_mut() {
            trace.reason = Some(Cow::Borrowed(reason));
        }
    }

    /// Like [`because`](Self::because); the text is only made when somebody
    /// reads it.
    #[inline]
    pub fn because_with(&mut self, reason: impl FnOnce() -> String) {
        if let Some(trace) = self.trace.as_mut() {
            trace.reason = Some(Cow::Owned(reason()));
        }
    }

    /// Whether this tick is traced.
    pub fn is_traced(&self) -> bool {
        self.trace.is_some()
    }

    fn run_word(&self, word: u16) -> Option<usize> {
        let extents = &self.tree.extents;
        let at = extents[self.node as usize].run + u32::from(word);
        let inside = at < extents[self.node as usize + 1].run;
        debug_assert!(inside, "the node did not ask for memory word {word}");
        inside.then_some(at as usize)
    }

    fn lasting_word(&self, word: u16) -> Option<usize> {
        let extents = &self.tree.extents;
        let at = extents[self.node as usize].lasting + u32::from(word);
        let inside = at < extents[self.node as usize + 1].lasting;
        debug_assert!(inside, "the node did not ask for lasting word {word}");
        inside.then_some(at as usize)
    }
}

/// A user-defined node's view of its children, and of everything a [`Tick`]
/// offers.
pub struct Children<'t, 'a, C> {
    tick: &'t mut Tick<'a, C>,
    node: u32,
    count: usize,
}

impl<'t, 'a, C> Children<'t, 'a, C> {
    pub(super) fn new(tick: &'t mut Tick<'a, C>, at: usize, count: u32) -> Self {
        tick.node = at as u32;
        Self {
            tick,
            node: at as u32,
            count: count as usize,
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Ticks one. One that is past the last fails.
    pub fn visit(&mut self, child: usize) -> Outcome {
        let Some(at) = self.find(child) else {
            return Outcome::FAILURE;
        };
        let outcome = if self.tick.trace.is_some() {
            self.tick.visit::<true>(at)
        } else {
            self.tick.visit::<false>(at)
        };
        self.tick.node = self.node;
        outcome
    }

    /// Whether one was running when it was last ticked.
    pub fn is_running(&self, child: usize) -> bool {
        self.find(child)
            .is_some_and(|at| self.tick.parts.cursors[at] != 0)
    }

    /// Aborts one, if it is running.
    pub fn abort(&mut self, child: usize) {
        if let Some(at) = self.find(child) {
            self.tick.abort(at);
            self.tick.node = self.node;
        }
    }

    fn find(&self, child: usize) -> Option<usize> {
        if child >= self.count {
            return None;
        }
        let nodes = &self.tick.tree.nodes;
        let first = self.node as usize + 1;
        Some((0..child).fold(first, |at, _| nodes[at].end as usize))
    }
}

impl<'a, C> Deref for Children<'_, 'a, C> {
    type Target = Tick<'a, C>;
    fn deref(&self) -> &Self::Target {
        self.tick
    }
}

impl<C> DerefMut for Children<'_, '_, C> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.tick
    }
}
