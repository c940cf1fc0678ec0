//! Strongly connected components.

/// Directed edges, sorted by the node they leave.
#[derive(Debug, Clone, Default)]
pub(super) struct Arcs {
    /// Where the edges of each node end.
    pub(super) ends: Vec<u32>,
    /// The node each edge leads to.
    pub(super) to: Vec<u32>,
}

impl Arcs {
    /// Edges from sorted numbers: the node they leave in the upper half, the
    /// one they lead to in the lower.
    pub(super) fn new(nodes: usize, pairs: &[u64]) -> Self {
        let mut ends = vec![0; nodes];
        for (i, pair) in (1..).zip(pairs) {
            ends[(pair >> 32) as usize] = i;
        }
        let mut end = 0;
        for e in &mut ends {
            end = end.max(*e);
            *e = end;
        }
        Self {
            ends,
            to: pairs.iter().map(|&pair| pair as u32).collect(),
        }
    }

    /// Where the edges of a node begin and end.
    fn range(&self, node: usize) -> std::ops::Range<usize> {
        let start = if node == 0 { 0 } else { self.ends[node - 1] };
        start as usize..self.ends[node] as usize
    }

    /// The nodes that edges of a node lead to.
    pub(super) fn from(&self, node: usize) -> &[u32] {
        &self.to[self.range(node)]
    }
}

/// Tarjan's algorithm, without recursion. Returns each node's component and
/// their number; components are numbered in topological order: an edge never
/// leads to a lower number.
pub(super) fn strong(arcs: &Arcs) -> (Vec<u32>, u32) {
    const UNSEEN: u32 = u32::MAX;
    let count = arcs.ends.len();
    let mut index = vec![UNSEEN; count];
    let mut low = vec![0u32; count];
    let mut component = vec![UNSEEN; count];
    let mut open = Vec::new();
    let mut calls: Vec<(usize, usize)> = Vec::new();
    let (mut next_index, mut next_component) = (0, 0);
    for root in 0..count {
        if index[root] != UNSEEN {
            continue;
        }
        calls.push((root, arcs.range(root).start));
        index[root] = next_index;
        low[root] = next_index;
        next_index += 1;
        open.push(root);
        while let Some((node, at)) = calls.last_mut() {
            let node = *node;
            if *at < arcs.ends[node] as usize {
                let to = arcs.to[*at] as usize;
                *at += 1;
                if index[to] == UNSEEN {
                    index[to] = next_index;
                    low[to] = next_index;
                    next_index += 1;
                    open.push(to);
                    calls.push((to, arcs.range(to).start));
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
    // Tarjan closes sinks first; turn the numbers round.
    for c in &mut component {
        *c = next_component - 1 - *c;
    }
    (component, next_component)
}
