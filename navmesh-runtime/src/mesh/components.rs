//! Strongly connected components of platforms and links.

use super::Link;

/// Tarjan's algorithm, without recursion. Returns each platform's component;
/// numbers are in topological order: a link never leads to a lower number.
pub(super) fn strong(links: &[Link], link_ends: &[u32]) -> Vec<u32> {
    const UNSEEN: u32 = u32::MAX;
    let count = link_ends.len();
    let start = |p: usize| if p == 0 { 0 } else { link_ends[p - 1] };
    let mut index = vec![UNSEEN; count];
    let mut low = vec![0u32; count];
    let mut component = vec![UNSEEN; count];
    let mut open = Vec::new();
    let mut calls: Vec<(u32, u32)> = Vec::new();
    let (mut next_index, mut next_component) = (0, 0);
    for root in 0..count {
        if index[root] != UNSEEN {
            continue;
        }
        calls.push((root as u32, start(root)));
        index[root] = next_index;
        low[root] = next_index;
        next_index += 1;
        open.push(root);
        while let Some((platform, at)) = calls.last_mut() {
            let p = *platform as usize;
            if *at < link_ends[p] {
                let to = links[*at as usize].to_platform.index();
                *at += 1;
                if index[to] == UNSEEN {
                    index[to] = next_index;
                    low[to] = next_index;
                    next_index += 1;
                    open.push(to);
                    calls.push((to as u32, start(to)));
                } else if component[to] == UNSEEN {
                    low[p] = low[p].min(index[to]);
                }
                continue;
            }
            calls.pop();
            if let Some((parent, _)) = calls.last() {
                let parent = *parent as usize;
                low[parent] = low[parent].min(low[p]);
            }
            if low[p] == index[p] {
                while let Some(member) = open.pop() {
                    component[member] = next_component;
                    if member == p {
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
    component
}
