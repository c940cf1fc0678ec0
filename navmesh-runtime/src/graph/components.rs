//! Strongly connected components.

use super::csr::CsrGraph;

/// Tarjan's algorithm for strongly connected components (R. Tarjan, "Depth-first
/// search and linear graph algorithms", 1972), without recursion so that a long
/// chain of platforms cannot overflow the stack. Returns each node's component and
/// the number of components; components are in topological order.
pub fn strong_components(edges: &CsrGraph) -> (Vec<u32>, u32) {
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
