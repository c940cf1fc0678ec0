//! What can be reached from where, without searching.

use super::components::Arcs;

/// Whether one place can be reached from another by an agent that uses every
/// baked edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reachability {
    /// No.
    No,
    /// Yes.
    Yes,
    /// The index does not tell; a search will. Happens only in levels with
    /// hundreds of one-way drops that branch and join again.
    Maybe,
}

/// Most intervals a component keeps.
const MOST: usize = 48;

/// Which components can be reached from which.
///
/// A tree cover: a forest over the components gives each a number such that a
/// subtree is an interval of numbers; every component keeps the intervals
/// that it can reach, its own subtree and those of whatever its other edges
/// lead to. Lists that grow long are shortened by closing their narrowest
/// gaps; from then on they say "no" reliably and "yes" no more.
#[derive(Debug, Clone, Default)]
pub(super) struct ReachIndex {
    number: Vec<u32>,
    spans: Vec<Span>,
    intervals: Vec<[u32; 2]>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Span {
    start: u32,
    length: u16,
    exact: bool,
}

impl ReachIndex {
    /// Builds the index of components that are numbered in topological order
    /// and joined by `arcs`.
    pub(super) fn new(arcs: &Arcs) -> Self {
        let count = arcs.ends.len();
        // The last component that leads to one is its parent, which makes
        // deep trees.
        let mut parent = vec![u32::MAX; count];
        for from in 0..count {
            for &to in arcs.from(from) {
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
        let mut this = Self {
            number,
            spans: vec![Span::default(); count],
            intervals: Vec::new(),
        };
        let mut list: Vec<[u32; 2]> = Vec::new();
        for node in (0..count).rev() {
            list.clear();
            let own = this.number[node];
            list.push([own, own + size[node] - 1]);
            let mut exact = true;
            for &to in arcs.from(node) {
                let span = this.spans[to as usize];
                exact &= span.exact;
                list.extend_from_slice(this.list(span));
            }
            list.sort_unstable();
            join_touching(&mut list);
            if list.len() > MOST {
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
    pub(super) fn reaches(&self, from: u32, to: u32) -> Reachability {
        if from == to {
            return Reachability::Yes;
        }
        // Numbers follow the edges.
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

/// Makes one of intervals that overlap or touch.
fn join_touching(list: &mut Vec<[u32; 2]>) {
    list.dedup_by(|next, kept| {
        let joined = next[0] <= kept[1].saturating_add(1);
        if joined {
            kept[1] = kept[1].max(next[1]);
        }
        joined
    });
}

/// Closes the narrowest gaps until few enough intervals are left.
fn close_gaps(list: &mut Vec<[u32; 2]>) {
    let mut gaps: Vec<(u32, u32)> = list
        .windows(2)
        .zip(1..)
        .map(|(pair, i)| (pair[1][0] - pair[0][1], i))
        .collect();
    gaps.sort_unstable();
    gaps.truncate(list.len() - MOST);
    for (_, i) in gaps {
        let i = i as usize;
        // The interval after the gap reaches back over it.
        list[i][0] = list[i - 1][1];
    }
    join_touching(list);
}

#[cfg(test)]
mod tests {
    use super::super::components::strong;
    use super::*;

    /// `count` random pairs of a number below the first bound and one from
    /// the second bound up to the third.
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

    fn pair(from: u32, to: u32) -> u64 {
        u64::from(from) << 32 | u64::from(to)
    }

    /// Compares every pair of nodes with a plain search; returns how often
    /// the index does not tell.
    fn check(nodes: usize, mut pairs: Vec<u64>) -> usize {
        pairs.sort_unstable();
        let arcs = Arcs::new(nodes, &pairs);
        let (component, count) = strong(&arcs);
        let mut between: Vec<u64> = pairs
            .iter()
            .map(|&edge| {
                [
                    component[(edge >> 32) as usize],
                    component[edge as u32 as usize],
                ]
            })
            .filter(|[a, b]| a != b)
            .map(|[a, b]| pair(a, b))
            .collect();
        between.sort_unstable();
        between.dedup();
        let index = ReachIndex::new(&Arcs::new(count as usize, &between));
        let mut vague = 0;
        for from in 0..nodes {
            let mut seen = vec![false; nodes];
            let mut open = vec![from];
            seen[from] = true;
            while let Some(node) = open.pop() {
                for &to in arcs.from(node) {
                    if !std::mem::replace(&mut seen[to as usize], true) {
                        open.push(to as usize);
                    }
                }
            }
            for to in 0..nodes {
                match index.reaches(component[from], component[to]) {
                    Reachability::Yes => assert!(seen[to], "{from} {to}"),
                    Reachability::No => assert!(!seen[to], "{from} {to}"),
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
    fn long_lists_are_shortened_and_still_never_wrong() {
        // Each of the first 200 leads to some hundred of the other 600.
        let vague = check(800, random(20_000, [200, 200, 800], 5));
        assert!(vague > 0);
    }
}
