//! Directed graphs.

use super::groups::Groups;

/// A directed edge as one number, as that sorts faster than two.
pub const fn pair(from: u32, to: u32) -> u64 {
    (from as u64) << 32 | to as u64
}

/// Directed edges, grouped by the node they leave and sorted.
#[derive(Debug, Clone, Default)]
pub struct Edges {
    nodes: Groups,
    /// The node each edge leads to.
    to: Vec<u32>,
}

impl Edges {
    /// Sorts the [`pair`]s and removes duplicates.
    pub fn new(nodes: usize, pairs: &mut Vec<u64>) -> Self {
        // Sorted by the second node, and then by the first.
        for key in [|pair: u64| pair as u32, |pair: u64| (pair >> 32) as u32] {
            let items = pairs.iter().map(|&pair| (key(pair) as usize, pair));
            *pairs = Groups::sorted(nodes, items).1;
        }
        pairs.dedup();
        Self {
            nodes: Groups::new(nodes, pairs.iter().map(|pair| (pair >> 32) as usize)),
            to: pairs.iter().map(|&pair| pair as u32).collect(),
        }
    }

    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The nodes that the edges of a node lead to; none for a node that does
    /// not exist.
    pub fn from(&self, node: usize) -> &[u32] {
        &self.to[self.nodes.range(node)]
    }
}

/// Tarjan's algorithm for strongly connected components (R. Tarjan, "Depth-first
/// search and linear graph algorithms", 1972), without recursion so that a long
/// chain of platforms cannot overflow the stack. Returns each node's component and
/// the number of components; components are in topological order.
pub fn strong_components(edges: &Edges) -> (Vec<u32>, u32) {
    const UNSEEN: u32 = u32::MAX;
    let count = edges.nodes();
    let mut index = vec![UNSEEN; count];
    let mut low = vec![0u32; count];
    let mut component = vec![UNSEEN; count];
    let mut open = Vec::new();
    // Nodes being visited, each with the number of its edges that were
    // followed.
    let mut calls: Vec<(usize, usize)> = Vec::new();
    let (mut next_index, mut next_component) = (0, 0);
    for root in 0..count {
        if index[root] != UNSEEN {
            continue;
        }
        calls.push((root, 0));
        while let Some((node, followed)) = calls.last_mut() {
            let node = *node;
            if *followed == 0 && index[node] == UNSEEN {
                index[node] = next_index;
                low[node] = next_index;
                next_index += 1;
                open.push(node);
            }
            if let Some(&to) = edges.from(node).get(*followed) {
                *followed += 1;
                let to = to as usize;
                if index[to] == UNSEEN {
                    calls.push((to, 0));
                // Still open, so it leads to this node: a cycle.
                } else if component[to] == UNSEEN {
                    low[node] = low[node].min(index[to]);
                }
                continue;
            }
            calls.pop();
            if let Some(&(parent, _)) = calls.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == index[node] {
                while let Some(member) = open.pop() {
                    component[member] = next_component;
                    if member == node {
                        break;
                    }
                }
                next_component += 1;
            }
        }
    }
    // Tarjan's algorithm numbers sinks first; reverse that.
    for c in &mut component {
        *c = next_component - 1 - *c;
    }
    (component, next_component)
}
