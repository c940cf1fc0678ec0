//! An index of which components can be reached from which.

use super::graph::Edges;

/// Whether a place can be reached from another by an agent that uses every
/// baked edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reachability {
    /// No path exists.
    No,
    /// A path exists.
    Yes,
    /// The index cannot decide; a path search can. This happens only in levels
    /// with hundreds of one-way drops that branch and join again.
    Maybe,
}

/// Greatest number of intervals that a component keeps.
///
/// It bounds the index at 48 · 8 bytes a component, and a look-up at six
/// comparisons. Shorter lists answer `Maybe` more often; longer ones cost
/// memory and loading time in every level, but change the answer only in
/// those with hundreds of one-way drops.
const MAX_INTERVALS: usize = 48;

/// Which components can be reached from which, as a *tree cover*.
///
/// A forest over the components gives each a number such that every subtree
/// is an interval of numbers. Every component keeps the intervals that it can
/// reach: its own subtree, and those of the components that its other edges
/// lead to. A list that grows too long is shortened by closing its narrowest
/// gaps; from then on a number inside it means `Maybe`, one outside still
/// means `No`. (R. Agrawal et al., "Efficient management of transitive
/// relationships in large data and knowledge bases", 1989; with a limit on the
/// intervals, S. Seufert et al., "FERRARI: flexible and efficient reachability
/// range assignment for graph indexing", 2013.)
#[derive(Debug, Clone, Default)]
pub(super) struct ReachabilityIndex {
    number: Vec<u32>,
    spans: Vec<Span>,
    intervals: Vec<[u32; 2]>,
}

/// Where the intervals of a component are, and whether none of their gaps was
/// closed.
#[derive(Debug, Clone, Copy, Default)]
struct Span {
    start: u32,
    length: u16,
    exact: bool,
}

impl ReachabilityIndex {
    /// Builds the index of components in topological order.
    pub(super) fn new(edges: &Edges) -> Self {
        let count = edges.nodes();
        let (number, size) = number_subtrees(edges);
        let mut this = Self {
            number,
            spans: vec![Span::default(); count],
            intervals: Vec::new(),
        };
        let mut list: Vec<[u32; 2]> = Vec::new();
        // Edges lead to components with larger numbers, so their lists are known.
        for node in (0..count).rev() {
            list.clear();
            let own = this.number[node];
            list.push([own, own + size[node] - 1]);
            let mut exact = true;
            for &to in edges.from(node) {
                let span = this.spans[to as usize];
                exact &= span.exact;
                list.extend_from_slice(this.list(span));
            }
            list.sort_unstable();
            join_touching(&mut list);
            if list.len() > MAX_INTERVALS {
                close_gaps(&mut list);
                exact = false;
            }
            this.spans[node] = Span {
                start: this.intervals.len() as u32,
                length: list.len() as u16,
                exact,
            };
            this.intervals.extend_from_slice(&list);
        }
        this
    }

    fn list(&self, span: Span) -> &[[u32; 2]] {
        &self.intervals[span.start as usize..][..usize::from(span.length)]
    }

    /// Whether component `to` can be reached from component `from`.
    pub(super) fn reachability(&self, from: u32, to: u32) -> Reachability {
        if from == to {
            return Reachability::Yes;
        }
        // Components are in topological order.
        if to < from {
            return Reachability::No;
        }
        let (Some(&span), Some(&number)) =
            (self.spans.get(from as usize), self.number.get(to as usize))
        else {
            return Reachability::No;
        };
        let list = self.list(span);
        let after = list.partition_point(|interval| interval[0] <= number);
        let inside = after > 0 && number <= list[after - 1][1];
        match (inside, span.exact) {
            (false, _) => Reachability::No,
            (true, true) => Reachability::Yes,
            (true, false) => Reachability::Maybe,
        }
    }
}

/// Numbers the components so that every subtree of a forest over them is an interval
/// of numbers. Returns the numbers, and the sizes of the subtrees.
fn number_subtrees(edges: &Edges) -> (Vec<u32>, Vec<u32>) {
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
    use super::super::graph::{pair, strong_components};
    use super::*;

    /// `count` random edges from a node below the first bound to one between
    /// the second bound and the third.
    fn random(count: usize, bounds: [u32; 3], seed: u64) -> Vec<u64> {
        let mut state = seed | 1;
        let mut noise = |from: u32, end: u32| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            from + (state % u64::from(end - from)) as u32
        };
        let [a, b, c] = bounds;
        (0..count).map(|_| pair(noise(0, a), noise(b, c))).collect()
    }

    /// Compares every pair of nodes with a plain search; returns how often
    /// the index answered `Maybe`.
    fn check(nodes: usize, mut pairs: Vec<u64>) -> usize {
        let edges = Edges::new(nodes, &mut pairs);
        let (component, count) = strong_components(&edges);
        let mut between: Vec<u64> = pairs
            .iter()
            .map(|&edge| [edge >> 32, edge & u64::from(u32::MAX)])
            .map(|ends| ends.map(|node| component[node as usize]))
            .filter(|[a, b]| a != b)
            .map(|[a, b]| pair(a, b))
            .collect();
        let index = ReachabilityIndex::new(&Edges::new(count as usize, &mut between));
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
                match index.reachability(component[from], component[to]) {
                    Reachability::Yes => assert!(reached[to], "{from} {to}"),
                    Reachability::No => assert!(!reached[to], "{from} {to}"),
                    Reachability::Maybe => vague += 1,
                }
            }
        }
        vague
    }

    #[test]
    fn the_index_agrees_with_a_plain_search() {
        for seed in 1..40 {
            for (nodes, edges) in [(1, 0), (2, 1), (9, 6), (60, 40), (60, 70), (60, 200)] {
                let pairs = random(edges, [nodes, 0, nodes], seed * 0x9E37_79B9);
                assert_eq!(check(nodes as usize, pairs), 0);
            }
        }
    }

    #[test]
    fn shortened_lists_are_never_wrong() {
        // Each of the first 200 leads to about a hundred of the other 600.
        let vague = check(800, random(20_000, [200, 200, 800], 5));
        assert!(vague > 0);
    }
}
