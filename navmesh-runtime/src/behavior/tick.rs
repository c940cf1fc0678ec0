//! What a node sees while it is ticked.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut};

use super::memory::Word;
use super::node::Extent;
use super::state::Parts;
use super::timing;
use super::trace::Trace;
use super::{Blackboard, Outcome};

/// One tick of one agent's tree, as its nodes see it; `X` is the game's own
/// context (of a tree over `C`, that is `C` itself, or what it stands for when
/// it is a [`Borrowed`](super::Borrowed)).
pub struct Tick<'a, X> {
    /// The game's own context.
    pub context: &'a mut X,
    /// The agent's blackboard.
    pub board: &'a mut Blackboard,
    /// Where each node's memory lies.
    pub(super) extents: &'a [Extent],
    pub(super) parts: &'a mut Parts,
    /// The node whose code runs: it decides what `recall` refers to.
    pub(super) node: u32,
    pub(super) dt: f32,
    pub(super) trace: Option<&'a mut Trace>,
}

impl<X> Tick<'_, X> {
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
    pub fn set_reason(&mut self, reason: &'static str) {
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
        let extents = self.extents;
        let at = extents[self.node as usize].run + u32::from(word);
        let inside = at < extents[self.node as usize + 1].run;
        debug_assert!(inside, "the node did not ask for memory word {word}");
        inside.then_some(at as usize)
    }

    fn lasting_word(&self, word: u16) -> Option<usize> {
        let extents = self.extents;
        let at = extents[self.node as usize].lasting + u32::from(word);
        let inside = at < extents[self.node as usize + 1].lasting;
        debug_assert!(inside, "the node did not ask for lasting word {word}");
        inside.then_some(at as usize)
    }
}

/// What a user-defined node needs of the tree it is in. Behind a trait, because
/// a [`Tick`] knows the context it is given, but not the tree's name for it.
pub(super) trait Nodes<'a, X> {
    fn tick(&self) -> &Tick<'a, X>;
    fn tick_mut(&mut self) -> &mut Tick<'a, X>;
    /// The number of a node's child.
    fn child(&self, parent: u32, number: usize) -> Option<usize>;
    fn visit_child(&mut self, at: usize) -> Outcome;
    fn abort_child(&mut self, at: usize);
}

/// A user-defined node's view of its children, and of everything a [`Tick`]
/// offers.
pub struct Children<'t, 'a, X: 'a> {
    nodes: &'t mut dyn Nodes<'a, X>,
    node: u32,
    count: usize,
}

impl<'t, 'a, X: 'a> Children<'t, 'a, X> {
    pub(super) fn new(nodes: &'t mut dyn Nodes<'a, X>, node: u32, count: u32) -> Self {
        Self {
            nodes,
            node,
            count: count as usize,
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Ticks one. One that is past the last fails.
    pub fn visit(&mut self, child: usize) -> Outcome {
        let Some(at) = self.nodes.child(self.node, child) else {
            return Outcome::FAILURE;
        };
        let outcome = self.nodes.visit_child(at);
        self.nodes.tick_mut().node = self.node;
        outcome
    }

    /// Whether one was running when it was last ticked.
    pub fn is_running(&self, child: usize) -> bool {
        let at = self.nodes.child(self.node, child);
        at.is_some_and(|at| self.nodes.tick().parts.cursors[at] != 0)
    }

    /// Aborts one, if it is running.
    pub fn abort(&mut self, child: usize) {
        if let Some(at) = self.nodes.child(self.node, child) {
            self.nodes.abort_child(at);
            self.nodes.tick_mut().node = self.node;
        }
    }
}

impl<'a, X: 'a> Deref for Children<'_, 'a, X> {
    type Target = Tick<'a, X>;
    fn deref(&self) -> &Self::Target {
        self.nodes.tick()
    }
}

impl<'a, X: 'a> DerefMut for Children<'_, 'a, X> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.nodes.tick_mut()
    }
}
