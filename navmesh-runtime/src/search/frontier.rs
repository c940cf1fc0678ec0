//! What every search keeps: the nodes it has reached, and those to expand.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::graph::epoch_array::EpochArray;

/// The handle of no node: the parent of a node that a search started from.
pub const NONE: u32 = u32::MAX;

/// What a node stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeId {
    /// A free vertex, by the number of its [`VertexId`](crate::mesh::VertexId).
    Air(u32),
    /// A place on the floor at a vertex, from which a flight can start, by its
    /// number in the layer. Reached by walking, never expanded by itself.
    Floor(u32),
    /// A link, by the index of its takeoff. It is reached where it takes off,
    /// and expanded where it lands.
    Link(u32),
    /// The goal, on a platform.
    Goal,
}

/// A node that a search has reached.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    pub id: NodeId,
    /// The cost of getting there, seconds.
    pub cost: f64,
    /// The key it was queued with last; an entry of the queue with another key is
    /// outdated.
    key: u32,
    /// The handle of the node before, or [`NONE`].
    pub parent: u32,
}

/// Where a search keeps its nodes. Handles are valid until the next search.
pub trait NodeStore {
    /// Forgets all nodes, and makes room for a layer's takeoffs.
    fn clear(&mut self, takeoffs: usize);

    /// Notes that a node can be reached at a cost. Returns its handle, or
    /// `None` when it was reached as cheaply before.
    fn improve(&mut self, id: NodeId, cost: f64, parent: u32) -> Option<u32>;

    /// The node of a handle.
    fn get(&self, handle: u32) -> Option<Node>;

    fn set_key(&mut self, handle: u32, key: u32);
}

/// Nodes of a search over links alone: an array with a place for each takeoff.
#[derive(Debug, Clone, Default)]
pub struct LinkNodes {
    records: EpochArray<Record>,
    /// The handle of the goal; handles below it are takeoffs.
    goal: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Record {
    cost: f64,
    key: u32,
    parent: u32,
}

impl NodeStore for LinkNodes {
    fn clear(&mut self, takeoffs: usize) {
        self.goal = takeoffs as u32;
        self.records.begin(takeoffs + 1);
    }

    #[inline]
    fn improve(&mut self, id: NodeId, cost: f64, parent: u32) -> Option<u32> {
        let handle = match id {
            NodeId::Link(takeoff) => takeoff,
            NodeId::Goal => self.goal,
            NodeId::Air(_) | NodeId::Floor(_) => return None,
        };
        if (self.records.get(handle)).is_some_and(|known| known.cost <= cost) {
            return None;
        }
        // Its entry in the queue is outdated from here on, even where the caller does
        // not queue it again.
        let key = NOT_QUEUED;
        self.records.set(handle, Record { cost, key, parent });
        Some(handle)
    }

    #[inline]
    fn get(&self, handle: u32) -> Option<Node> {
        self.records.get(handle).map(|record| Node {
            id: if handle == self.goal {
                NodeId::Goal
            } else {
                NodeId::Link(handle)
            },
            cost: record.cost,
            key: record.key,
            parent: record.parent,
        })
    }

    #[inline]
    fn set_key(&mut self, handle: u32, key: u32) {
        if let Some(record) = self.records.get_mut(handle) {
            record.key = key;
        }
    }
}

/// Nodes of a search that flies: a hash table, which takes memory for the nodes
/// a search reaches rather than for every vertex of the level.
#[derive(Debug, Clone, Default)]
pub struct HashedNodes {
    list: Vec<Node>,
    /// The handle of the node in each slot.
    slots: EpochArray<u32>,
}

impl HashedNodes {
    /// The slot of a node, or the empty one where it belongs.
    fn find(&self, id: NodeId) -> u32 {
        let key = match id {
            NodeId::Air(index) => u64::from(index),
            NodeId::Floor(index) => 1 << 32 | u64::from(index),
            NodeId::Link(index) => 2 << 32 | u64::from(index),
            NodeId::Goal => 3 << 32,
        };
        // The number of slots is a power of two, and not 0: `improve` grows the table
        // before it looks for a node.
        let mask = self.slots.len() as u32 - 1;
        // Fibonacci hashing: 2^64 over the golden ratio spreads neighbouring
        // vertices over the whole table.
        let mut slot = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32 & mask;
        while let Some(&handle) = self.slots.get(slot)
            && self.list[handle as usize].id != id
        {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(256);
        self.slots.begin(size);
        for handle in 0..self.list.len() {
            let slot = self.find(self.list[handle].id);
            self.slots.set(slot, handle as u32);
        }
    }
}

impl NodeStore for HashedNodes {
    fn clear(&mut self, _takeoffs: usize) {
        self.list.clear();
        self.slots.begin(0);
    }

    fn improve(&mut self, id: NodeId, cost: f64, parent: u32) -> Option<u32> {
        // At most half full, so that a node is found after few slots.
        if self.list.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let node = Node {
            id,
            cost,
            key: NOT_QUEUED,
            parent,
        };
        let slot = self.find(id);
        if let Some(&handle) = self.slots.get(slot) {
            let known = &mut self.list[handle as usize];
            if known.cost <= cost {
                return None;
            }
            *known = node;
            return Some(handle);
        }
        let handle = self.list.len() as u32;
        self.slots.set(slot, handle);
        self.list.push(node);
        Some(handle)
    }

    #[inline]
    fn get(&self, handle: u32) -> Option<Node> {
        self.list.get(handle as usize).copied()
    }

    #[inline]
    fn set_key(&mut self, handle: u32, key: u32) {
        if let Some(node) = self.list.get_mut(handle as usize) {
            node.key = key;
        }
    }
}

/// A node to expand: its key, the part of the key that is still ahead, and its
/// handle. The least is expanded first: the least key; among equal keys (a level
/// crossed at full speed is one plateau of them) the node nearest to the goal; then
/// the least handle, so that the order is always the same.
type Open = Reverse<(u32, u32, u32)>;

/// The key of a node that is not queued.
const NOT_QUEUED: u32 = u32::MAX;

/// Seconds as a key: numbers that are not negative sort like their bits. They are
/// rounded to `f32`, which keeps plateaus flat.
#[inline]
fn key_of(seconds: f64) -> u32 {
    // Adding zero turns -0.0, whose bits are greater than any other, into 0.0.
    ((seconds as f32).max(0.0) + 0.0).to_bits()
}

/// The nodes of a search and the queue of those to expand. It keeps its memory
/// from search to search.
#[derive(Debug, Clone, Default)]
pub struct Frontier<S> {
    pub nodes: S,
    queue: BinaryHeap<Open>,
}

impl<S: NodeStore> Frontier<S> {
    /// Forgets all nodes, and makes room for a layer's takeoffs.
    pub fn clear(&mut self, takeoffs: usize) {
        self.nodes.clear(takeoffs);
        self.queue.clear();
    }

    /// Queues a node that continues at cost `so_far` with at least `ahead` to
    /// go.
    #[inline]
    pub fn push(&mut self, handle: u32, so_far: f64, ahead: f64) {
        let key = key_of(so_far + ahead);
        self.queue.push(Reverse((key, key_of(ahead), handle)));
        self.nodes.set_key(handle, key);
    }

    /// Takes the most promising node out of the queue.
    #[inline]
    pub fn pop(&mut self) -> Option<(u32, Node)> {
        loop {
            let Reverse((key, _, handle)) = self.queue.pop()?;
            // A node reached more cheaply since was queued again.
            if let Some(node) = self.nodes.get(handle)
                && node.key == key
            {
                return Some((handle, node));
            }
        }
    }

    /// The least key in the queue.
    #[inline]
    pub fn least(&self) -> Option<f32> {
        let Reverse((key, ..)) = self.queue.peek()?;
        Some(f32::from_bits(*key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashed_nodes_are_found_until_they_are_cleared() {
        let mut nodes = HashedNodes::default();
        for round in 0..3 {
            nodes.clear(0);
            for i in 0..2000 {
                let id = NodeId::Air(i << 7);
                assert_eq!(nodes.improve(id, 5.0, NONE), Some(i), "{round}");
            }
            for i in 0..2000 {
                let id = NodeId::Air(i << 7);
                assert_eq!(nodes.improve(id, 5.0, NONE), None);
                assert_eq!(nodes.improve(id, 4.0, 1), Some(i));
                assert_eq!(nodes.get(i).unwrap().parent, 1);
            }
        }
    }

    #[test]
    fn a_node_that_was_improved_is_popped_once() {
        let mut frontier = Frontier::<LinkNodes>::default();
        frontier.nodes.clear(3);
        for (id, cost) in [(0, 4.0), (1, 3.0), (0, 2.0)] {
            let handle = frontier.nodes.improve(NodeId::Link(id), cost, NONE);
            frontier.push(handle.unwrap(), cost, 0.5);
        }
        let order: Vec<u32> = std::iter::from_fn(|| frontier.pop().map(|(at, _)| at)).collect();
        assert_eq!(order, [0, 1]);
    }
}
