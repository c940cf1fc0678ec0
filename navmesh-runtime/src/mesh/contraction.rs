//! Contraction hierarchies: shortest routes in a directed graph that does not
//! change.
//!
//! Nodes are removed one by one, the least important first. When a node is
//! removed, an edge (a shortcut) is added for each pair of its neighbours whose
//! shortest route led through it. Every shortest route of the graph then has a
//! twin that first climbs from less to more important nodes and then descends,
//! so a search from both ends that only climbs meets at the top after a few
//! nodes. (R. Geisberger et al., "Contraction hierarchies: faster and simpler
//! hierarchical routing in road networks", 2008.)

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::groups::Groups;

/// The number of no node and of no edge.
pub(crate) const NONE: u32 = u32::MAX;

/// An edge of the graph, or a shortcut.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) cost: f32,
    /// The two edges that a shortcut stands for. For an edge of the graph, the
    /// second is [`NONE`] and the first is what the caller stored, or [`NONE`] if
    /// nothing needs to be known about it. A shortcut over such an edge has the
    /// parts of its other edge.
    pub(crate) parts: [u32; 2],
}

/// An edge as its node sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Half {
    /// The node at the other end.
    pub(crate) node: u32,
    pub(crate) cost: f32,
    pub(crate) edge: u32,
}

/// The edges of a graph and its shortcuts, each with the less important of its
/// ends.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hierarchy {
    /// Where each edge leads from and to, and its [`parts`](Edge::parts).
    ends: Vec<[u32; 2]>,
    parts: Vec<[u32; 2]>,
    /// Edges to more important nodes, then edges from them.
    halves: [(Groups, Vec<Half>); 2],
    /// The nodes, the most important first.
    order: Vec<u32>,
}

/// The parts of an edge about which nothing needs to be known.
const PLAIN: [u32; 2] = [NONE; 2];

/// Nodes that a search for a detour settles before it gives up. An unnecessary
/// shortcut costs only time and memory. In a level of 100,000 links, 40 nodes leave
/// out 2 % more of the edges and take 20 % longer; 10 nodes leave 6 % more edges.
const DETOUR_NODES: u32 = 20;

/// For each node, the more important nodes through which shortest routes lead, and
/// what it costs to get there: a route between two nodes is shortest over one of
/// the nodes (hubs) that both have. (I. Abraham et al., "Hierarchical hub labelings
/// for shortest paths", 2012.)
#[derive(Debug, Clone)]
pub(crate) struct Labels {
    /// The labels of each node on routes from it, then on routes to it.
    of: [Groups; 2],
    all: [Vec<Label>; 2],
    /// The next part of the route of each label.
    steps: [Vec<LabelStep>; 2],
}

/// A hub, by its place in the order of the nodes, and the cost of getting there.
#[derive(Debug, Clone, Copy)]
struct Label {
    hub: u32,
    cost: f32,
}

/// The first edge on the way to a hub, or the last one from it, and the label of the
/// node beyond it for the same hub. Edges about which nothing needs to be known are
/// left out. Both are [`NONE`] at the hub.
#[derive(Debug, Clone, Copy)]
struct LabelStep {
    edge: u32,
    next: u32,
}

const AT_HUB: LabelStep = LabelStep {
    edge: NONE,
    next: NONE,
};

/// The cheapest route between two nodes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meeting {
    /// The node at which it begins.
    pub(crate) from: u32,
    /// The labels of the hub that it leads over.
    labels: [u32; 2],
}

/// A node at which a route may begin or end, and the cost of getting there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Seed {
    pub(crate) node: u32,
    pub(crate) cost: f32,
}

/// The memory of [`Labels::meet`]: the least cost from each hub to the goal. To find
/// a hub in it does not wait for the hub before, as a merge of two lists does.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hubs {
    /// For each hub, the lookup for which the cost is, the cost, and the number of its
    /// label.
    list: Vec<(u32, f32, u32)>,
    /// Counts lookups, so that a new one need not clear the list.
    round: u32,
}

impl Hubs {
    fn begin(&mut self, hubs: usize) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.list.fill((0, 0.0, NONE));
            self.round = 1;
        }
        if self.list.len() < hubs {
            self.list.resize(hubs, (0, 0.0, NONE));
        }
    }

    #[inline]
    fn get(&self, hub: u32) -> Option<(f32, u32)> {
        let &(round, cost, label) = self.list.get(hub as usize)?;
        (round == self.round).then_some((cost, label))
    }

    #[inline]
    fn improve(&mut self, hub: u32, cost: f32, label: u32) {
        let round = self.round;
        if let Some(slot) = self.list.get_mut(hub as usize)
            && (slot.0 != round || cost < slot.1)
        {
            *slot = (round, cost, label);
        }
    }
}

/// Greatest number of labels: 12 MB. A level of 250 × 250 tiles and 25,000 links
/// has 400,000, one of 1000 × 1000 tiles 15 million; there, searching the hierarchy
/// is fast enough.
const MOST_LABELS: usize = 1_000_000;

/// The shortest routes of a graph.
#[derive(Debug, Clone, Default)]
pub(crate) struct Routes {
    pub(crate) hierarchy: Hierarchy,
    /// `None` where they would take too much memory.
    pub(crate) labels: Option<Labels>,
}

impl Routes {
    /// The routes of a graph of `nodes` nodes. Costs are not negative.
    pub(crate) fn new(nodes: usize, edges: impl IntoIterator<Item = Edge>) -> Self {
        let hierarchy = Hierarchy::new(nodes, edges, u64::MAX).unwrap_or_default();
        let labels = Labels::new(&hierarchy, MOST_LABELS);
        Self { hierarchy, labels }
    }

    /// As [`new`](Self::new); `None` where the labels would take too much memory, or
    /// more than `most` pairs of edges would have to be looked at.
    pub(crate) fn labelled(
        nodes: usize,
        edges: impl IntoIterator<Item = Edge>,
        most: u64,
    ) -> Option<Self> {
        let hierarchy = Hierarchy::new(nodes, edges, most)?;
        let labels = Some(Labels::new(&hierarchy, MOST_LABELS)?);
        Some(Self { hierarchy, labels })
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.hierarchy.order.len()
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.hierarchy.bytes() + self.labels.as_ref().map_or(0, Labels::bytes)
    }
}

struct Builder {
    edges: Vec<Edge>,
    /// The number of edges of the graph that each edge stands for.
    hops: Vec<u32>,
    out: Vec<Vec<Half>>,
    into: Vec<Vec<Half>>,
    level: Vec<u32>,
    detours: Detours,
    /// The shortcuts that the last node needs, each with its hops.
    shortcuts: Vec<(Edge, u32)>,
    /// The pairs of edges that were looked at so far.
    pairs: u64,
}

/// The memory of the searches for detours.
struct Detours {
    cost: Vec<f32>,
    reached: Vec<u32>,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Hierarchy {
    /// Contracts a graph of `nodes` nodes; `None` when that takes more than `most` pairs
    /// of edges.
    fn new(nodes: usize, edges: impl IntoIterator<Item = Edge>, most: u64) -> Option<Self> {
        let mut builder = Builder {
            edges: Vec::new(),
            hops: Vec::new(),
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
        for edge in edges {
            builder.add(edge, 1);
        }
        let mut queue: BinaryHeap<Reverse<(u64, u32)>> = (0..nodes as u32)
            .map(|node| Reverse((builder.priority(node), node)))
            .collect();
        let mut order = Vec::with_capacity(nodes);
        let mut kept = [const { Vec::new() }; 2];
        while let Some(Reverse((_, node))) = queue.pop() {
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
            let [out, into] = builder.contract(node);
            kept[0].push(out);
            kept[1].push(into);
            order.push(node);
        }
        let halves = kept.map(|kept| {
            let mut of = vec![Vec::new(); nodes];
            for (&node, halves) in order.iter().zip(kept) {
                of[node as usize] = halves;
            }
            let mut groups = Groups::default();
            for halves in &of {
                groups.push(halves.len());
            }
            (groups, of.concat())
        });
        order.reverse();
        Some(Self {
            ends: builder.edges.iter().map(|e| [e.from, e.to]).collect(),
            parts: builder.edges.iter().map(|e| e.parts).collect(),
            halves,
            order,
        })
    }

    /// The end of an edge that is the more important one; for `backwards`, of an
    /// edge that leads from there.
    pub(crate) fn above(&self, edge: u32, backwards: bool) -> Option<u32> {
        let [from, to] = *self.ends.get(edge as usize)?;
        Some(if backwards { from } else { to })
    }

    /// Calls `see` with what the caller stored for each edge of the graph that an
    /// edge stands for, in order. `stack` is memory.
    pub(crate) fn unpack(&self, edge: u32, stack: &mut Vec<u32>, mut see: impl FnMut(u32)) {
        stack.clear();
        stack.push(edge);
        while let Some(edge) = stack.pop() {
            match self.parts.get(edge as usize).copied() {
                Some(PLAIN) | None => {}
                Some([first, NONE]) => see(first),
                Some([first, second]) => stack.extend([second, first]),
            }
        }
    }

    /// The edges from a node to more important ones; with `backwards`, the edges
    /// from more important nodes to it.
    #[inline]
    pub(crate) fn up(&self, node: u32, backwards: bool) -> &[Half] {
        let (groups, halves) = &self.halves[usize::from(backwards)];
        &halves[groups.range(node as usize)]
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        let halves: usize = self.halves.iter().map(|(_, halves)| halves.len()).sum();
        self.ends.len() * 2 * size_of::<[u32; 2]>()
            + halves * size_of::<Half>()
            + self.order.len() * 3 * size_of::<u32>()
    }
}

impl Labels {
    /// The labels of all nodes; `None` when there are more than `limit`.
    fn new(hierarchy: &Hierarchy, limit: usize) -> Option<Self> {
        let nodes = hierarchy.order.len();
        let mut lists: [Vec<Vec<(Label, u32)>>; 2] =
            [vec![Vec::new(); nodes], vec![Vec::new(); nodes]];
        let mut cost = vec![(f32::INFINITY, NONE); nodes];
        let (mut hubs, mut total) = (Vec::new(), 0);
        for (rank, &node) in (0..).zip(&hierarchy.order) {
            for backwards in [false, true] {
                // All hubs of the nodes above, at the least cost.
                for half in hierarchy.up(node, backwards) {
                    for (label, _) in &lists[usize::from(backwards)][half.node as usize] {
                        let known = &mut cost[label.hub as usize];
                        let total = half.cost + label.cost;
                        if known.0.is_infinite() {
                            hubs.push(label.hub);
                        }
                        if total < known.0 {
                            *known = (total, half.edge);
                        }
                    }
                }
                hubs.sort_unstable();
                // Without those that are reached as cheaply through other hubs.
                let list = hubs.iter().filter_map(|&hub| {
                    let (least, edge) = cost[hub as usize];
                    let hub_node = hierarchy.order[hub as usize] as usize;
                    let others = &lists[usize::from(!backwards)][hub_node];
                    let is_beaten = others.iter().any(|(other, _)| {
                        other.hub != hub && cost[other.hub as usize].0 + other.cost <= least
                    });
                    (!is_beaten).then_some((Label { hub, cost: least }, edge))
                });
                let mut list: Vec<_> = list.collect();
                list.push((
                    Label {
                        hub: rank,
                        cost: 0.0,
                    },
                    NONE,
                ));
                for hub in hubs.drain(..) {
                    cost[hub as usize].0 = f32::INFINITY;
                }
                total += list.len();
                lists[usize::from(backwards)][node as usize] = list;
            }
            if total > limit {
                return None;
            }
        }
        let grouped = |lists: &Vec<Vec<_>>| {
            let mut groups = Groups::default();
            for list in lists {
                groups.push(list.len());
            }
            groups
        };
        let of = [grouped(&lists[0]), grouped(&lists[1])];
        let all = lists
            .each_ref()
            .map(|lists| lists.iter().flatten().map(|label| label.0).collect());
        let step = |side: usize, (label, edge): &(Label, u32)| {
            let above = hierarchy.above(*edge, side == 1);
            let next = above.and_then(|node| {
                let labels = &lists[side][node as usize];
                let at = labels.binary_search_by_key(&label.hub, |(label, _)| label.hub);
                Some((of[side].range(node as usize).start + at.ok()?) as u32)
            });
            LabelStep {
                edge: *edge,
                next: next.unwrap_or(NONE),
            }
        };
        let steps = [0, 1].map(|side| {
            let labels = lists[side].iter().flatten();
            let steps: Vec<_> = labels.map(|label| step(side, label)).collect();
            let is_plain = |step: &LabelStep| {
                let parts = hierarchy.parts.get(step.edge as usize);
                parts.is_some_and(|parts| *parts == PLAIN)
            };
            let without_plain = |mut step: LabelStep| {
                while is_plain(&step) {
                    step = steps.get(step.next as usize).copied().unwrap_or(AT_HUB);
                }
                step
            };
            steps.iter().copied().map(without_plain).collect()
        });
        Some(Self { of, all, steps })
    }

    /// The labels of a node, and the number of the first: on routes from it, or with
    /// `backwards` on routes to it.
    fn on(&self, node: u32, backwards: bool) -> (usize, &[Label]) {
        let side = usize::from(backwards);
        let range = self.of[side].range(node as usize);
        (range.start, self.all[side].get(range).unwrap_or_default())
    }

    /// The shortest route from one of some nodes to one of others that costs less
    /// than `limit`, with the costs before and after the route.
    pub(crate) fn meet(
        &self,
        hubs: &mut Hubs,
        from: impl IntoIterator<Item = Seed>,
        to: impl IntoIterator<Item = Seed>,
        limit: f32,
    ) -> Option<Meeting> {
        hubs.begin(self.of[0].len());
        for seed in to {
            let (first, labels) = self.on(seed.node, true);
            for (label, number) in labels.iter().zip(first as u32..) {
                hubs.improve(label.hub, seed.cost + label.cost, number);
            }
        }
        let (mut least, mut best) = (limit, None);
        for seed in from {
            let (first, labels) = self.on(seed.node, false);
            for (label, number) in labels.iter().zip(first as u32..) {
                if let Some((rest, other)) = hubs.get(label.hub)
                    && seed.cost + label.cost + rest < least
                {
                    least = seed.cost + label.cost + rest;
                    best = Some(Meeting {
                        from: seed.node,
                        labels: [number, other],
                    });
                }
            }
        }
        best
    }

    /// Appends the edges of a route, in order.
    pub(crate) fn route(&self, meeting: Meeting, edges: &mut Vec<u32>) {
        for (side, label) in meeting.labels.into_iter().enumerate() {
            let first = edges.len();
            let step = |label: u32| self.steps[side].get(label as usize).copied();
            let mut next = step(label);
            while let Some(LabelStep { edge, next: label }) = next.filter(|s| s.edge != NONE) {
                edges.push(edge);
                next = step(label);
            }
            if side == 1 {
                edges[first..].reverse();
            }
        }
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        let labels: usize = self.all.iter().map(Vec::len).sum();
        labels * (size_of::<Label>() + size_of::<LabelStep>())
    }
}

impl Builder {
    /// Adds an edge, unless one between the same nodes costs no more.
    fn add(&mut self, edge: Edge, hops: u32) {
        let Edge { from, to, cost, .. } = edge;
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
        self.edges.push(edge);
        self.hops.push(hops);
    }

    /// Finds the shortcuts that replace a node, and returns its priority. Nodes of
    /// less priority are contracted first: those that need few shortcuts for the
    /// edges that they remove, and evenly over the graph.
    fn priority(&mut self, node: u32) -> u64 {
        self.find_shortcuts(node);
        let (mut edges, mut hops) = (1, 1);
        let ends = [&self.out, &self.into].map(|halves| &halves[node as usize]);
        for half in ends.into_iter().flatten() {
            edges += 1;
            hops += u64::from(self.hops[half.edge as usize]);
        }
        let new_edges = self.shortcuts.len() as u64;
        let new_hops: u64 = self.shortcuts.iter().map(|s| u64::from(s.1)).sum();
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
        for (edge, hops) in shortcuts.drain(..) {
            self.add(edge, hops);
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
            if out.iter().all(|b| b.node == a.node) {
                continue;
            }
            let limit = a.cost + furthest;
            self.detours.search(&self.out, a.node, node, limit);
            for b in out.iter().filter(|b| b.node != a.node) {
                let cost = a.cost + b.cost;
                if self.detours.cost[b.node as usize] > cost {
                    let parts = |half: &Half| self.edges[half.edge as usize].parts;
                    let edge = Edge {
                        from: a.node,
                        to: b.node,
                        cost,
                        parts: match (parts(a), parts(b)) {
                            (PLAIN, other) | (other, PLAIN) => other,
                            _ => [a.edge, b.edge],
                        },
                    };
                    let hops = [a, b].map(|half| self.hops[half.edge as usize]);
                    self.shortcuts.push((edge, hops[0].saturating_add(hops[1])));
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
