//! In which order to contract the nodes of a graph, and which shortcuts that needs:
//! the part of a [`Hierarchy`] that takes long to find and little room to store.
//!
//! A node is contracted by adding an edge (a shortcut) for each pair of its
//! neighbours whose shortest route leads through it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::hierarchy::{Edge, Half, Hierarchy, NONE};

/// The order in which the nodes of a graph are contracted, and its shortcuts.
#[derive(Debug, Clone, PartialEq)]
pub struct Contraction {
    /// For each node, its place in the order. Nodes at the same place are not joined,
    /// so that it does not matter which comes first.
    pub levels: Vec<u32>,
    /// The shortcuts, each by the number of pairs of edges between the one before and
    /// it. The pairs are those of an edge from a more important node to a node and one
    /// from there to a more important node: in the order in which nodes are contracted,
    /// then by the node from which the first comes, then by that to which the second
    /// leads.
    pub gaps: Vec<u32>,
    /// Whether the hubs of the nodes take little enough memory to be kept.
    pub has_labels: bool,
}

/// Nodes that a search for a detour settles before it gives up. An unnecessary
/// shortcut costs only time and memory. In a level of 100,000 links, 40 nodes leave
/// out 2 % more of the edges and take 20 % longer; 10 nodes leave 6 % more edges.
const DETOUR_NODES: u32 = 20;

impl Contraction {
    /// Looks for a good order of the nodes of a graph; `None` when that takes more than
    /// `most` pairs of edges. Costs are not negative.
    pub fn find(nodes: usize, edges: &[Edge], most: u64) -> Option<Self> {
        let mut builder = Builder::new(nodes, edges);
        let mut queue: BinaryHeap<Reverse<(u64, u32)>> = (0..nodes as u32)
            .map(|node| Reverse((builder.priority(node), node)))
            .collect();
        // The node that each shortcut replaces, and its ends.
        let mut shortcuts = Vec::new();
        while let Some(Reverse((_, node))) = queue.pop() {
            // Contracting a node changes the priorities around it. They are computed again only
            // when their node is next: most never matter.
            let now = builder.priority(node);
            if builder.pairs > most {
                return None;
            }
            // Priorities near the least are as good. To look for the very least takes twice
            // as long in dense graphs, and leaves out 2 % more of the shortcuts.
            if queue
                .peek()
                .is_some_and(|Reverse((next, _))| *next + *next / 3 < now)
            {
                queue.push(Reverse((now, node)));
                continue;
            }
            for half in builder.contract(node).iter().flatten() {
                let known = &builder.edges[half.edge as usize];
                if known.replaces != NONE {
                    shortcuts.push((known.replaces, known.edge.from, known.edge.to));
                }
            }
        }
        shortcuts.sort_unstable();
        let mut this = Self {
            levels: builder.level,
            gaps: Vec::new(),
            has_labels: true,
        };
        let (mut passed, mut next) = (0_u64, 0);
        Hierarchy::contract(edges, &this.levels, |node, [out, into], pairs| {
            let first = shortcuts.partition_point(|shortcut| shortcut.0 < node);
            let own = shortcuts[first..].iter().take_while(|s| s.0 == node);
            let at = |halves: &[Half], end: &u32| halves.binary_search_by_key(end, |h| h.node).ok();
            pairs.extend(own.filter_map(|(_, from, to)| Some([at(into, from)?, at(out, to)?])));
            for &mut [a, b] in pairs {
                let pair = passed + (a * out.len() + b) as u64;
                // A shortcut that is not needed does no harm.
                while pair - next > u64::from(u32::MAX) {
                    this.gaps.push(u32::MAX);
                    next += 1 << 32;
                }
                this.gaps.push((pair - next) as u32);
                next = pair + 1;
            }
            passed += (out.len() * into.len()) as u64;
        });
        Some(this)
    }

    /// Contracts a graph of `nodes` nodes. `None` if this is the contraction of another
    /// graph.
    pub fn hierarchy(&self, nodes: usize, edges: &[Edge]) -> Option<Hierarchy> {
        if self.levels.len() != nodes {
            return None;
        }
        let mut shortcuts = self.gaps.iter().scan(0_u64, |after, &gap| {
            let pair = *after + u64::from(gap);
            *after = pair + 1;
            Some(pair)
        });
        let (mut next, mut passed) = (shortcuts.next(), 0);
        let hierarchy = Hierarchy::contract(edges, &self.levels, |_, [out, into], pairs| {
            let end = passed + (out.len() * into.len()) as u64;
            while let Some(pair) = next.filter(|pair| *pair < end) {
                let pair = (pair - passed) as usize;
                pairs.push([pair / out.len(), pair % out.len()]);
                next = shortcuts.next();
            }
            passed = end;
        });
        next.is_none().then_some(hierarchy)
    }
}

/// A graph of which some nodes have been contracted.
struct Builder {
    edges: Vec<Known>,
    out: Vec<Vec<Half>>,
    into: Vec<Vec<Half>>,
    level: Vec<u32>,
    detours: Detours,
    /// The shortcuts that the last node needs.
    shortcuts: Vec<Known>,
    /// The pairs of edges that were looked at so far.
    pairs: u64,
}

/// An edge or a shortcut.
#[derive(Debug, Clone, Copy)]
struct Known {
    edge: Edge,
    /// The number of edges of the graph that it stands for.
    hops: u32,
    /// The node that it replaces; [`NONE`] for an edge.
    replaces: u32,
}

/// The memory of the searches for detours.
struct Detours {
    cost: Vec<f32>,
    reached: Vec<u32>,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Builder {
    fn new(nodes: usize, edges: &[Edge]) -> Self {
        let mut this = Self {
            edges: Vec::with_capacity(edges.len()),
            out: vec![Vec::new(); nodes],
            into: vec![Vec::new(); nodes],
            level: vec![0; nodes],
            detours: Detours {
                cost: vec![f32::INFINITY; nodes],
                reached: Vec::new(),
                queue: BinaryHeap::new(),
            },
            shortcuts: Vec::new(),
            pairs: 0,
        };
        for &edge in edges {
            this.add(Known {
                edge,
                hops: 1,
                replaces: NONE,
            });
        }
        this
    }

    /// Adds an edge, unless one between the same nodes costs no more.
    fn add(&mut self, known: Known) {
        let Edge { from, to, cost, .. } = known.edge;
        if from == to {
            return;
        }
        let half = |node| Half {
            node,
            cost,
            edge: self.edges.len() as u32,
        };
        for (list, half) in [
            (&mut self.out[from as usize], half(to)),
            (&mut self.into[to as usize], half(from)),
        ] {
            match list.iter_mut().find(|old| old.node == half.node) {
                Some(old) if old.cost <= cost => return,
                Some(old) => *old = half,
                None => list.push(half),
            }
        }
        self.edges.push(known);
    }

    /// Finds the shortcuts that replace a node, and returns its priority. Nodes of
    /// less priority are contracted first: those that need few shortcuts for the
    /// edges that they remove, and evenly over the graph.
    fn priority(&mut self, node: u32) -> u64 {
        self.find_shortcuts(node);
        // The weights of RoutingKit's contraction hierarchies (J. Dibbelt et al.), in
        // thousandths. Both counts begin at 1 for nodes without edges.
        let (mut edges, mut hops) = (1, 1);
        let ends = [&self.out, &self.into].map(|halves| &halves[node as usize]);
        for half in ends.into_iter().flatten() {
            edges += 1;
            hops += u64::from(self.edges[half.edge as usize].hops);
        }
        let new_edges = self.shortcuts.len() as u64;
        let new_hops: u64 = self.shortcuts.iter().map(|s| u64::from(s.hops)).sum();
        1000 * (u64::from(self.level[node as usize]))
            + 1000 * new_edges / edges
            + 1000 * new_hops / hops
    }

    /// Replaces the node whose priority was computed last by its shortcuts. Returns
    /// its edges: those that leave it, and those that lead to it.
    fn contract(&mut self, node: u32) -> [Vec<Half>; 2] {
        let out = std::mem::take(&mut self.out[node as usize]);
        let into = std::mem::take(&mut self.into[node as usize]);
        let next = self.level[node as usize] + 1;
        for (halves, others) in [(&out, &mut self.into), (&into, &mut self.out)] {
            for half in halves {
                others[half.node as usize].retain(|back| back.node != node);
                let level = &mut self.level[half.node as usize];
                *level = next.max(*level);
            }
        }
        let mut shortcuts = std::mem::take(&mut self.shortcuts);
        for shortcut in shortcuts.drain(..) {
            self.add(shortcut);
        }
        self.shortcuts = shortcuts;
        [out, into]
    }

    /// Finds the pairs of edges, to a node and on from it, for which the rest of the
    /// graph offers no detour at the same cost.
    fn find_shortcuts(&mut self, node: u32) {
        self.shortcuts.clear();
        let (out, into) = (&self.out[node as usize], &self.into[node as usize]);
        self.pairs += (out.len() * into.len()) as u64;
        let furthest = out.iter().map(|half| half.cost).fold(0.0, f32::max);
        for a in into {
            // Nothing leads on but back to where the edge comes from.
            if out.iter().all(|b| b.node == a.node) {
                continue;
            }
            let limit = a.cost + furthest;
            self.detours.search(&self.out, a.node, node, limit);
            for b in out.iter().filter(|b| b.node != a.node) {
                let cost = a.cost + b.cost;
                if self.detours.cost[b.node as usize] > cost {
                    let hops = [a, b].map(|half| self.edges[half.edge as usize].hops);
                    self.shortcuts.push(Known {
                        edge: Edge {
                            from: a.node,
                            to: b.node,
                            cost,
                            parts: [NONE; 2],
                        },
                        hops: hops[0].saturating_add(hops[1]),
                        replaces: node,
                    });
                }
            }
        }
    }
}

impl Detours {
    /// Sets the cost of some nodes near `from` on routes that avoid a node.
    fn search(&mut self, out: &[Vec<Half>], from: u32, avoid: u32, limit: f32) {
        for node in self.reached.drain(..) {
            self.cost[node as usize] = f32::INFINITY;
        }
        self.queue.clear();
        self.cost[from as usize] = 0.0;
        self.reached.push(from);
        self.queue.push(Reverse((0, from)));
        let mut left = DETOUR_NODES;
        while let Some(Reverse((key, node))) = self.queue.pop() {
            let cost = f32::from_bits(key);
            if cost > self.cost[node as usize] {
                continue;
            }
            if left == 0 || cost > limit {
                break;
            }
            left -= 1;
            for half in &out[node as usize] {
                let total = cost + half.cost;
                let known = &mut self.cost[half.node as usize];
                if half.node != avoid && total < *known && total <= limit {
                    if known.is_infinite() {
                        self.reached.push(half.node);
                    }
                    *known = total;
                    // Costs are not negative, so their bits sort as they do.
                    self.queue.push(Reverse((total.to_bits(), half.node)));
                }
            }
        }
    }
}
