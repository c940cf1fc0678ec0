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

use super::csr::Buckets;

/// The number of no node and of no edge.
pub const NONE: u32 = u32::MAX;

/// An edge of a graph, or a shortcut.
#[derive(Debug, Clone, Copy)]
pub struct Edge {
    pub from: u32,
    pub to: u32,
    pub cost: f32,
    /// The two edges that a shortcut stands for. For an edge of the graph, the
    /// second is [`NONE`] and the first is what the caller stored, or [`NONE`] if
    /// nothing needs to be known about it. A shortcut over such an edge has the
    /// parts of its other edge.
    pub parts: [u32; 2],
}

/// The parts of an edge about which nothing needs to be known.
const PLAIN: [u32; 2] = [NONE; 2];

/// An edge as its node sees it.
#[derive(Debug, Clone, Copy)]
pub struct Half {
    /// The node at the other end.
    pub node: u32,
    pub cost: f32,
    pub edge: u32,
}

/// The edges of a graph and its shortcuts, each with the less important of its
/// ends.
#[derive(Debug, Clone, Default)]
pub struct Hierarchy {
    /// Where each edge leads from and to, and its [`parts`](Edge::parts).
    ends: Vec<[u32; 2]>,
    parts: Vec<[u32; 2]>,
    /// Edges to more important nodes, then edges from them.
    halves: [Vec<Half>; 2],
    /// The halves of each node, by its place in the order.
    of: [Buckets; 2],
    /// The nodes, the least important first, and the place of each.
    pub order: Vec<u32>,
    places: Vec<u32>,
}

/// A node at which a route may begin or end, and the cost of getting there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seed {
    pub node: u32,
    pub cost: f32,
}

/// For each node that is not yet contracted, its edges to and from other such nodes,
/// as linked lists.
struct Waiting {
    /// The first edge from each node, then the first to each.
    first: [Vec<u32>; 2],
    /// An edge, and the next of its list.
    all: Vec<(Half, u32)>,
}

impl Hierarchy {
    /// Contracts the nodes of a graph, those of the least level first. `choose` receives
    /// a node, its edges to nodes that are contracted later, and its edges from such
    /// nodes, both sorted by the other node. It appends the pairs (an edge to the node,
    /// an edge from it) that need a shortcut.
    pub fn contract(
        edges: &[Edge],
        levels: &[u32],
        mut choose: impl FnMut(u32, [&[Half]; 2], &mut Vec<[usize; 2]>),
    ) -> Self {
        let nodes = levels.len();
        let mut order: Vec<u32> = (0..nodes as u32).collect();
        order.sort_by_key(|&node| levels[node as usize]);
        let mut places = vec![0; nodes];
        for (place, &node) in (0..).zip(&order) {
            places[node as usize] = place;
        }
        let mut this = Self {
            order,
            places,
            ..Self::default()
        };
        let mut waiting = Waiting {
            first: [(); 2].map(|()| vec![NONE; nodes]),
            all: Vec::with_capacity(edges.len()),
        };
        for &edge in edges.iter().filter(|edge| edge.from != edge.to) {
            this.add(edge, &mut waiting);
        }
        let (mut own, mut pairs) = (Vec::new(), Vec::new());
        for place in 0..nodes {
            let node = this.order[place];
            for side in 0..2 {
                own.clear();
                let mut next = waiting.first[side][node as usize];
                while let Some(&(half, after)) = waiting.all.get(next as usize) {
                    own.push(half);
                    next = after;
                }
                // The cheapest edge to each node, the first of equal ones.
                own.sort_unstable_by_key(|half| (half.node, half.cost.to_bits(), half.edge));
                own.dedup_by_key(|half| half.node);
                this.halves[side].extend(&own);
                this.of[side].push(own.len());
            }
            pairs.clear();
            choose(
                node,
                [false, true].map(|side| this.up(node, side)),
                &mut pairs,
            );
            for &[a, b] in &pairs {
                let (out, into) = (this.up(node, false), this.up(node, true));
                let (a, b) = (into[a], out[b]);
                if a.node == b.node {
                    continue;
                }
                let shortcut = Edge {
                    from: a.node,
                    to: b.node,
                    cost: a.cost + b.cost,
                    parts: match (this.parts[a.edge as usize], this.parts[b.edge as usize]) {
                        // Nothing is stored of a walk between two nodes, so a shortcut over it
                        // unpacks to the same as its other half.
                        (PLAIN, other) | (other, PLAIN) => other,
                        _ => [a.edge, b.edge],
                    },
                };
                this.add(shortcut, &mut waiting);
            }
        }
        this
    }

    /// Adds an edge to those of the end that is contracted first.
    fn add(&mut self, edge: Edge, waiting: &mut Waiting) {
        let Edge { from, to, cost, .. } = edge;
        let [leaves, lands] = [from, to].map(|node| self.places[node as usize]);
        let (side, node, other) = if leaves < lands {
            (0, from, to)
        } else {
            (1, to, from)
        };
        let half = Half {
            node: other,
            cost,
            edge: self.ends.len() as u32,
        };
        self.ends.push([from, to]);
        self.parts.push(edge.parts);
        let first = &mut waiting.first[side][node as usize];
        let next = std::mem::replace(first, waiting.all.len() as u32);
        waiting.all.push((half, next));
    }

    /// Whether nothing needs to be known about an edge.
    pub fn is_plain(&self, edge: u32) -> bool {
        self.parts.get(edge as usize) == Some(&PLAIN)
    }

    /// The end of an edge that is the more important one; for `backwards`, of an
    /// edge that leads from there.
    pub fn above(&self, edge: u32, backwards: bool) -> Option<u32> {
        let [from, to] = *self.ends.get(edge as usize)?;
        Some(if backwards { from } else { to })
    }

    /// Appends to `route` what the caller stored for each edge of the graph that an
    /// edge stands for, in order. `None` once `route` has more than two entries for each
    /// node. A shortest route passes a node twice only over edges that cost nothing, but
    /// a forged file can have shortcuts that lead in circles, of which a few stand for
    /// 2^32 edges. `stack` is memory.
    pub fn unpack(&self, edge: u32, stack: &mut Vec<u32>, route: &mut Vec<u32>) -> Option<()> {
        stack.clear();
        stack.push(edge);
        while let Some(edge) = stack.pop() {
            match self.parts.get(edge as usize).copied() {
                Some(PLAIN) | None => {}
                Some([first, NONE]) => route.push(first),
                // The first part is on top, so that edges come in order.
                Some([first, second]) => stack.extend([second, first]),
            }
            if route.len() > 2 * self.order.len() {
                return None;
            }
        }
        Some(())
    }

    /// The edges from a node to more important ones; with `backwards`, the edges
    /// from more important nodes to it.
    #[inline]
    pub fn up(&self, node: u32, backwards: bool) -> &[Half] {
        let side = usize::from(backwards);
        let place = self.places[node as usize] as usize;
        &self.halves[side][self.of[side].range(place)]
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        let halves: usize = self.halves.iter().map(Vec::len).sum();
        self.ends.len() * 2 * size_of::<[u32; 2]>()
            + halves * size_of::<Half>()
            + self.order.len() * 4 * size_of::<u32>()
    }
}
