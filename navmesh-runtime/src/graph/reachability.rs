//! An index of which components can be reached from which.

use std::ops::Range;

use super::csr::CsrGraph;

/// Greatest number of intervals that a component keeps.
///
/// It bounds the index at 48 · 8 bytes a component, and a look-up at six
/// comparisons. With shorter lists more components that are out of reach seem to
/// be in reach; longer ones cost memory and loading time in every level, but change
/// the answer only in those with hundreds of one-way drops.
const MAX_INTERVALS: usize = 48;

/// Which components can be reached from which, as a *tree cover*.
///
/// A forest over the components gives each a number such that every subtree
/// is an interval of numbers. Every component keeps the intervals that it can
/// reach: its own subtree, and those of the components that its other edges
/// lead to. A list that grows too long is shortened by closing its narrowest
/// gaps, so that it has numbers that cannot be reached. (R. Agrawal et al.,
/// "Efficient management of transitive relationships in large data and knowledge
/// bases", 1989; with a limit on the intervals, S. Seufert et al., "FERRARI:
/// flexible and efficient reachability range assignment for graph indexing", 2013.)
#[derive(Debug, Clone, Default)]
pub struct ReachabilityIndex {
    number: Vec<u32>,
    /// Where the intervals of each component are.
    spans: Vec<Range<u32>>,
    intervals: Vec<[u32; 2]>,
}

impl ReachabilityIndex {
    /// Builds the index of components in topological order.
    pub fn new(edges: &CsrGraph) -> Self {
        let count = edges.nodes();
        let (number, size) = number_subtrees(edges);
        let mut this = Self {
            number,
            spans: vec![0..0; count],
            intervals: Vec::new(),
        };
        let mut list: Vec<[u32; 2]> = Vec::new();
        // Edges lead to components with larger numbers, so their lists are known.
        for node in (0..count).rev() {
            list.clear();
            let own = this.number[node];
            list.push([own, own + size[node] - 1]);
            for &to in edges.from(node) {
                list.extend_from_slice(this.reached_from(to));
            }
            list.sort_unstable();
            join_touching(&mut list);
            if list.len() > MAX_INTERVALS {
                close_gaps(&mut list);
            }
            let start = this.intervals.len() as u32;
            this.intervals.extend_from_slice(&list);
            this.spans[node] = start..this.intervals.len() as u32;
        }
        this
    }

    /// The number of a component, counted from 0.
    pub fn number(&self, component: u32) -> Option<u32> {
        self.number.get(component as usize).copied()
    }

    /// The intervals of numbers, with both ends, of the components that may be reached
    /// from a component; none for one that does not exist.
    pub fn reached_from(&self, component: u32) -> &[[u32; 2]] {
        let span = self.spans.get(component as usize).cloned();
        let span = span.unwrap_or_default();
        &self.intervals[span.start as usize..span.end as usize]
    }

    /// Whether component `to` may be reached from component `from`. `false` is certain.
    /// `true` is wrong only in levels with hundreds of one-way drops that branch and join
    /// again.
    pub fn may_reach(&self, from: u32, to: u32) -> bool {
        // Components are in topological order.
        from <= to
            && self.number(to).is_some_and(|number| {
                let list = self.reached_from(from);
                let after = list.partition_point(|interval| interval[0] <= number);
                after > 0 && number <= list[after - 1][1]
            })
    }
}

/// Numbers the components so that every subtree of a forest over them is an interval
/// of numbers. Returns the numbers, and the sizes of the subtrees.
fn number_subtrees(edges: &CsrGraph) -> (Vec<u32>, Vec<u32>) {
    let count = edges.nodes();
    // The parent of a component is the last of the components that lead to
    // it. This makes deep trees, and so few and long intervals.
    let mut parent = vec![u32::MAX; count];
    for from in 0..count {
        for &to in edges.from(from) {
            parent[to as usize] = from as u32;
        }
    }
    let mut size = vec![1_u32; count];
    for node in (0..count).rev() {
        if let Some(up) = parent.get(node).filter(|&&p| p != u32::MAX) {
            size[*up as usize] += size[node];
        }
    }
    // Parents come before their children, so one pass numbers all.
    let mut number = vec![0_u32; count];
    let mut free = vec![0_u32; count];
    let mut next_root = 0;
    for node in 0..count {
        let slot = match parent[node] {
            u32::MAX => &mut next_root,
            up => &mut free[up as usize],
        };
        number[node] = *slot;
        *slot += size[node];
        free[node] = number[node] + 1;
    }
    (number, size)
}

/// Joins intervals that overlap or touch.
fn join_touching(list: &mut Vec<[u32; 2]>) {
    list.dedup_by(|next, kept| {
        let joined = next[0] <= kept[1].saturating_add(1);
        if joined {
            kept[1] = kept[1].max(next[1]);
        }
        joined
    });
}

/// Closes the narrowest gaps until [`MAX_INTERVALS`] are left.
fn close_gaps(list: &mut Vec<[u32; 2]>) {
    let mut gaps: Vec<(u32, u32)> = list
        .windows(2)
        .zip(1..)
        .map(|(pair, i)| (pair[1][0] - pair[0][1], i))
        .collect();
    gaps.sort_unstable();
    gaps.truncate(list.len() - MAX_INTERVALS);
    for (_, i) in gaps {
        let i = i as usize;
        // The interval after the gap then begins where the one before ends.
        list[i][0] = list[i - 1][1];
    }
    join_touching(list);
}

#[cfg(test)]
mod tests {
    use super::super::components::strong_components;
    use super::super::csr::pair;
    use super::*;
    use crate::random::unit;

    /// `count` random edges from a node below the first bound to one between
    /// the second bound and the third.
    fn random(count: usize, bounds: [u32; 3], mut state: u64) -> Vec<u64> {
        let mut noise =
            |from: u32, end: u32| from + (unit(&mut state) * f64::from(end - from)) as u32;
        let [a, b, c] = bounds;
        (0..count).map(|_| pair(noise(0, a), noise(b, c))).collect()
    }

    /// Compares every pair of nodes with a plain search; returns for how many the index
    /// does not know that there is no way.
    fn check(nodes: usize, mut pairs: Vec<u64>) -> usize {
        let edges = CsrGraph::new(nodes, &mut pairs);
        let (component, count) = strong_components(&edges);
        let mut between: Vec<u64> = pairs
            .iter()
            .map(|&edge| [edge >> 32, edge & u64::from(u32::MAX)])
            .map(|ends| ends.map(|node| component[node as usize]))
            .filter(|[a, b]| a != b)
            .map(|[a, b]| pair(a, b))
            .collect();
        let index = ReachabilityIndex::new(&CsrGraph::new(count as usize, &mut between));
        let mut vague = 0;
        for from in 0..nodes {
            let mut reached = vec![false; nodes];
            let mut open = vec![from as u32];
            while let Some(node) = open.pop() {
                if !std::mem::replace(&mut reached[node as usize], true) {
                    open.extend(edges.from(node as usize));
                }
            }
            for to in 0..nodes {
                let may_reach = index.may_reach(component[from], component[to]);
                assert!(may_reach || !reached[to], "{from} {to}");
                vague += usize::from(may_reach && !reached[to]);
            }
        }
        vague
    }

    #[test]
    fn the_index_agrees_with_a_plain_search() {
        for seed in 1..40 {
            for (nodes, edges) in [(1, 0), (2, 1), (9, 6), (60, 40), (60, 70), (60, 200)] {
                let pairs = random(edges, [nodes, 0, nodes], seed);
                assert_eq!(check(nodes as usize, pairs), 0);
            }
        }
    }

    #[test]
    fn shortened_lists_are_never_wrong() {
        // Each of the first 200 leads to about a hundred of the other 600.
        assert!(check(800, random(20_000, [200, 200, 800], 5)) > 0);
    }
}
