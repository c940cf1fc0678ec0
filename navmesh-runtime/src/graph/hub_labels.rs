//! Shortest routes by looking up hubs.
//!
//! A hub of a node is a more important node through which shortest routes lead. A
//! route between two nodes is shortest over one of the hubs that both have. (I.
//! Abraham et al., "Hierarchical hub labelings for shortest paths", 2012.)

use super::epoch_array::EpochArray;
use super::hierarchy::{Hierarchy, NONE, Seed};

/// Greatest number of labels: 16 MB. A level of 250 × 250 tiles and 25,000 links
/// has 400,000, one of 1000 × 1000 tiles 15 million; there, searching the hierarchy
/// is fast enough.
const MOST_LABELS: usize = 1_000_000;

/// For each node, its hubs and what it costs to get there: first on routes from the
/// node, then on routes to it.
#[derive(Debug, Clone)]
pub struct Labels([Side; 2]);

#[derive(Debug, Clone)]
struct Side {
    /// The first label of each node, and the end of its labels.
    of: Vec<[u32; 2]>,
    all: Vec<Label>,
    /// The next part of the route of each label.
    steps: Vec<Step>,
}

/// A hub, by its number, and the cost of getting there. The most important node has
/// number 0.
#[derive(Debug, Clone, Copy)]
struct Label {
    hub: u32,
    cost: f32,
}

/// The first edge on the way to a hub, or the last one from it, and the label of the
/// node beyond it for the same hub. Edges about which nothing needs to be known are
/// left out. Both are [`NONE`] at the hub.
#[derive(Debug, Clone, Copy)]
struct Step {
    edge: u32,
    next: u32,
}

const AT_HUB: Step = Step {
    edge: NONE,
    next: NONE,
};

/// The cheapest route between two nodes.
#[derive(Debug, Clone, Copy)]
pub struct Meeting {
    /// The node at which it begins.
    pub(crate) from: u32,
    /// The labels of the hub that it leads over.
    labels: [u32; 2],
}

/// The memory of [`Labels::meet`]: the least cost from each hub to the goal, and the
/// number of its label. To find a hub in it does not wait for the hub before, as a
/// merge of two lists does.
pub type Hubs = EpochArray<(f32, u32)>;

/// The cheapest way found from a node to a hub: the cost, the first edge, and the
/// label of the node beyond it.
#[derive(Debug, Clone, Copy)]
struct Way {
    cost: f32,
    edge: u32,
    label: u32,
}

impl Labels {
    /// The labels of all nodes; `None` when they would take too much memory.
    pub fn new(hierarchy: &Hierarchy) -> Option<Self> {
        let order = &hierarchy.order;
        let mut sides = [(); 2].map(|()| Side {
            of: vec![[0; 2]; order.len()],
            all: Vec::new(),
            steps: Vec::new(),
        });
        let unknown = Way {
            cost: f32::INFINITY,
            edge: NONE,
            label: NONE,
        };
        let mut ways = vec![unknown; order.len()];
        let mut hubs = Vec::new();
        for (number, &node) in (0..).zip(order.iter().rev()) {
            for backwards in [false, true] {
                let [mut side, mut other] = sides.each_mut();
                if backwards {
                    std::mem::swap(&mut side, &mut other);
                }
                // All hubs of the nodes above, at the least cost.
                for half in hierarchy.up(node, backwards) {
                    let [first, end] = side.of[half.node as usize];
                    for label in first..end {
                        let Label { hub, cost } = side.all[label as usize];
                        let (way, cost) = (&mut ways[hub as usize], half.cost + cost);
                        // Not where the sum of two huge costs is infinite.
                        if cost < way.cost {
                            if way.cost.is_infinite() {
                                hubs.push(hub);
                            }
                            let edge = half.edge;
                            *way = Way { cost, edge, label };
                        }
                    }
                }
                hubs.sort_unstable();
                let first = side.all.len() as u32;
                // Without those that are reached as cheaply through other hubs.
                for &hub in &hubs {
                    let Way { cost, edge, label } = ways[hub as usize];
                    let hub_node = order[order.len() - 1 - hub as usize];
                    let is_beaten = other.on(hub_node).1.iter().any(|onwards| {
                        onwards.hub != hub && ways[onwards.hub as usize].cost + onwards.cost <= cost
                    });
                    if is_beaten {
                        continue;
                    }
                    side.all.push(Label { hub, cost });
                    side.steps.push(if hierarchy.is_plain(edge) {
                        side.steps[label as usize]
                    } else {
                        Step { edge, next: label }
                    });
                }
                for hub in hubs.drain(..) {
                    ways[hub as usize].cost = f32::INFINITY;
                }
                let (hub, cost) = (number, 0.0);
                side.all.push(Label { hub, cost });
                side.steps.push(AT_HUB);
                side.of[node as usize] = [first, side.all.len() as u32];
            }
            if sides.iter().map(|side| side.all.len()).sum::<usize>() > MOST_LABELS {
                return None;
            }
        }
        Some(Self(sides))
    }

    /// The shortest route from one of some nodes to one of others that costs less
    /// than `limit`, with the costs before and after the route.
    pub fn meet(
        &self,
        hubs: &mut Hubs,
        from: impl IntoIterator<Item = Seed>,
        to: impl IntoIterator<Item = Seed>,
        limit: f32,
    ) -> Option<Meeting> {
        let Self([leaving, landing]) = self;
        hubs.begin(leaving.of.len());
        for seed in to {
            let (first, labels) = landing.on(seed.node);
            for (label, number) in labels.iter().zip(first..) {
                let cost = seed.cost + label.cost;
                if hubs.get(label.hub).is_none_or(|known| cost < known.0) {
                    hubs.set(label.hub, (cost, number));
                }
            }
        }
        let (mut least, mut best) = (limit, None);
        for seed in from {
            let (first, labels) = leaving.on(seed.node);
            for (label, number) in labels.iter().zip(first..) {
                if let Some(&(rest, other)) = hubs.get(label.hub)
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
    pub fn route(&self, meeting: Meeting, edges: &mut Vec<u32>) {
        let [to_hub, from_hub] = meeting.labels;
        let [leaving, landing] = &self.0;
        leaving.collect(to_hub, edges);
        let first = edges.len();
        landing.collect(from_hub, edges);
        edges[first..].reverse();
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        let sides = self.0.iter().map(|side| {
            size_of_val(&*side.of) + size_of_val(&*side.all) + size_of_val(&*side.steps)
        });
        sides.sum()
    }
}

impl Side {
    /// The labels of a node, and the number of the first.
    #[inline]
    fn on(&self, node: u32) -> (u32, &[Label]) {
        let [first, end] = self.of.get(node as usize).copied().unwrap_or_default();
        let labels = self.all.get(first as usize..end as usize);
        (first, labels.unwrap_or_default())
    }

    /// Appends the edges between a node and the hub of one of its labels, from the node.
    fn collect(&self, label: u32, edges: &mut Vec<u32>) {
        let mut next = label;
        while let Some(step) = self.steps.get(next as usize)
            && step.edge != NONE
        {
            edges.push(step.edge);
            next = step.next;
        }
    }
}
