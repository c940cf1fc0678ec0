//! Nodes of searches over the grid, found by their key.

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// A node of a search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// What it stands for.
    pub(super) id: u64,
    /// The cost of getting there.
    pub(super) cost: f64,
    /// The key it was last pushed with.
    pub(super) key: f32,
    /// The index of the node before, or [`NONE`].
    pub(super) parent: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    query: u32,
    index: u32,
}

/// A hash table that is emptied by counting up, and takes memory for the
/// nodes a search meets rather than for every vertex there is.
#[derive(Debug, Clone, Default)]
pub(super) struct Nodes {
    list: Vec<Node>,
    slots: Vec<Slot>,
    query: u32,
}

impl Nodes {
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.query = self.query.wrapping_add(1);
        if self.query == 0 {
            self.slots.fill(Slot::default());
            self.query = 1;
        }
    }

    pub(super) fn get(&self, index: u32) -> Option<&Node> {
        self.list.get(index as usize)
    }

    pub(super) fn set_key(&mut self, index: u32, key: f32) {
        if let Some(node) = self.list.get_mut(index as usize) {
            node.key = key;
        }
    }

    /// Notes that `id` can be reached at a cost. Its index, or `None` when it
    /// was reached as cheaply before.
    pub(super) fn improve(&mut self, id: u64, cost: f64, parent: u32) -> Option<u32> {
        if self.list.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let node = Node {
            id,
            cost,
            key: f32::NAN,
            parent,
        };
        let slot = self.find(id);
        if self.slots[slot].query == self.query {
            let index = self.slots[slot].index;
            let known = &mut self.list[index as usize];
            if known.cost <= cost {
                return None;
            }
            *known = node;
            return Some(index);
        }
        let index = self.list.len() as u32;
        self.slots[slot] = Slot {
            query: self.query,
            index,
        };
        self.list.push(node);
        Some(index)
    }

    /// The slot of an id, or the empty one where it belongs.
    fn find(&self, id: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (id.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & mask;
        loop {
            let Slot { query, index } = self.slots[slot];
            if query != self.query || self.list[index as usize].id == id {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(256);
        self.slots.clear();
        self.slots.resize(size, Slot::default());
        self.query = self.query.max(1);
        for index in 0..self.list.len() {
            let slot = self.find(self.list[index].id);
            self.slots[slot] = Slot {
                query: self.query,
                index: index as u32,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_found_again_until_cleared() {
        let mut nodes = Nodes::default();
        for round in 0..3 {
            nodes.clear();
            for id in 0..2000_u64 {
                assert_eq!(
                    nodes.improve(id << 7, 5.0, NONE),
                    Some(id as u32),
                    "{round}"
                );
            }
            for id in 0..2000_u64 {
                assert_eq!(nodes.improve(id << 7, 5.0, NONE), None);
                assert_eq!(nodes.improve(id << 7, 4.0, 1), Some(id as u32));
                assert_eq!(nodes.get(id as u32).unwrap().parent, 1);
            }
        }
    }
}
