//! Nodes to look at, the most promising first.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A node to look at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Open {
    /// Lower bound of a path through it.
    pub(super) key: f32,
    /// The part of that which is still ahead.
    ahead: f32,
    pub(super) node: u32,
}

impl Ord for Open {
    /// The greatest is looked at first: the least key; among equals (a level
    /// crossed at full speed is one plateau of them) the one nearest to the
    /// goal; then the least node, so that the order is always the same.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.key.total_cmp(&self.key))
            .then(other.ahead.total_cmp(&self.ahead))
            .then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Open {}

/// A priority queue that keeps its memory from search to search.
#[derive(Debug, Clone, Default)]
pub(super) struct OpenList {
    heap: BinaryHeap<Open>,
}

impl OpenList {
    pub(super) fn clear(&mut self) {
        self.heap.clear();
    }

    /// Adds a node reached at cost `so_far` with at least `ahead` to go, and
    /// returns its key. Keys are rounded to `f32`, which makes plateaus flat.
    pub(super) fn push(&mut self, node: u32, so_far: f64, ahead: f64) -> f32 {
        let key = (so_far + ahead) as f32;
        self.heap.push(Open {
            key,
            ahead: ahead as f32,
            node,
        });
        key
    }

    pub(super) fn pop(&mut self) -> Option<Open> {
        self.heap.pop()
    }

    /// The key of what is popped next.
    pub(super) fn least(&self) -> Option<f32> {
        self.heap.peek().map(|open| open.key)
    }
}
