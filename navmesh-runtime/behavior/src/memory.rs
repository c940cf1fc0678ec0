//! The memory of the nodes of one agent's tree between ticks.

use std::ops::Range;

use glam::Vec2;

use crate::coordination::{Token, TokenPool, WaypointClaim, WaypointPool};

/// A value that fits into one word of memory: `u64`, `i64`, `u32`, `bool`, `f32`,
/// `f64`, [`Vec2`]. Unused memory reads as the zero value: `0`, `false`, the zero
/// vector.
pub trait Word: Packed {}

mod packed {
    /// Conversions of the types that fit into one word.
    pub trait Packed: Copy {
        /// Packs the value.
        fn to_word(self) -> u64;
        /// Unpacks a value.
        fn from_word(word: u64) -> Self;
    }
}
use packed::Packed;

macro_rules! word {
    ($($type:ty: $value:ident => $to:expr, $word:ident => $from:expr;)*) => {$(
        impl Word for $type {}
        impl Packed for $type {
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

/// How many words of run memory, words of lasting memory and guards of an agent's
/// [`Memory`] a node needs, or come before those of a node.
pub type Extent = [u32; 3];

/// Where the memory and guards of each node lie in an agent's [`Memory`]: those of
/// the next node follow.
pub struct Extents(Box<[Extent]>);

impl Extents {
    /// Of nodes that need this much.
    pub fn new(sizes: &[Extent]) -> Self {
        let mut next = Extent::default();
        let mut starts = vec![next];
        for [run, lasting, guards] in sizes {
            next = [next[0] + run, next[1] + lasting, next[2] + guards];
            starts.push(next);
        }
        Self(starts.into())
    }

    /// What all nodes need together.
    pub fn total(&self) -> [usize; 3] {
        let total = self.0.last().copied().unwrap_or_default();
        total.map(|count| count as usize)
    }

    #[inline]
    pub fn run(&self, node: usize) -> Range<usize> {
        self.range(node, 0)
    }

    #[inline]
    pub fn lasting(&self, node: usize) -> Range<usize> {
        self.range(node, 1)
    }

    #[inline]
    pub fn guards(&self, node: usize) -> Range<usize> {
        self.range(node, 2)
    }

    #[inline]
    fn range(&self, node: usize, part: usize) -> Range<usize> {
        self.0[node][part] as usize..self.0[node + 1][part] as usize
    }
}

/// The memory of all nodes of one agent's tree.
pub struct Memory {
    /// One per node: 0 when the node is idle. When it is running: the current
    /// child of a composite, or a value that depends on the node's kind.
    pub cursors: Box<[u32]>,
    /// Words that are zeroed when their node completes or is aborted.
    pub run: Box<[u64]>,
    /// Words that only restart zeroes.
    pub lasting: Box<[u64]>,
    pub guards: Box<[Option<Guard>]>,
    /// The pool of each guard; empty when the state was made without pools.
    pub pools: Box<[Pool]>,
    /// A signal that its state machine has not received yet.
    pub signal: Option<Signal>,
    /// Whether a task of this tick waits for a path.
    pub is_planning: bool,
    /// Seconds since the state was made.
    pub now: f64,
}

/// A signal on its way to a state machine: the machine's node, and that of the
/// state that follows.
#[derive(Clone, Copy)]
pub struct Signal {
    pub machine: u32,
    pub next: u32,
}

/// What a node holds of a pool while it runs.
pub enum Guard {
    Token(Token),
    Waypoint(WaypointClaim),
}

/// Where a node gets what it holds.
pub enum Pool {
    Token(TokenPool),
    /// With the waypoints that the node leaves out while its lasting memory says so,
    /// by index.
    Waypoint(WaypointPool, Box<[bool]>),
}

/// Packs a start time. 0 stands for "not started", so a stamp is never 0.
#[inline]
pub fn stamp(now: f64) -> u64 {
    // The sign bit is free: the clock starts at 0 and never runs backwards.
    now.to_bits() | 1 << 63
}

/// Whether `seconds` have passed since a stamp.
///
/// Frame times are rounded: ten times 0.1 s add up to slightly less or more
/// than 1 s. The slack of one millionth covers the rounding of f32 frame times
/// (at most 6e-8 of each) with room to spare, and is far below one frame for
/// any wait shorter than an hour.
#[inline]
pub fn reached(stamp: u64, now: f64, seconds: f32) -> bool {
    let start = f64::from_bits(stamp & !(1 << 63));
    stamp != 0 && (now - start) * 1.000_001 >= f64::from(seconds)
}
