//! Which platforms and regions of air are connected, and in which direction.

use super::reachability::ReachabilityIndex;
use super::{Air, Cell, Link, PlatformId, Reachability};

/// The components of a layer and what leads from one to another.
///
/// A component is a set of platforms (and, for agents that fly, regions of
/// air) such that an agent that uses every baked link can go from any of them
/// to any other. Components are numbered in topological order: no link leads
/// from a component to one with a smaller number.
///
/// ```
/// # fn print_dead_ends(layer: &navmesh_runtime::mesh::Layer) {
/// let graph = layer.link_graph();
/// for platform in layer.platforms().iter() {
///     if graph.successors(platform.component()).is_empty() {
///         println!("no link leaves the surroundings of platform {}", platform.id());
///     }
/// }
/// # }
/// ```
#[derive(Debug, Clone, Default)]
pub struct LinkGraph {
    /// The component of every platform, then of every region of air.
    components: Vec<u32>,
    platforms: usize,
    /// The edges between components.
    edges: Edges,
    index: ReachabilityIndex,
}

impl LinkGraph {
    /// `contacts` are the vertices at which agents that both walk and fly
    /// take off and land.
    pub(super) fn new(
        platforms: usize,
        links: &[Link],
        air: Option<&Air>,
        contacts: &[(PlatformId, Cell)],
    ) -> Self {
        let regions = air.map_or(0, Air::regions);
        let mut pairs: Vec<u64> = links
            .iter()
            .filter(|link| link.from_platform != link.to_platform)
            .map(|link| pair(link.from_platform.0, link.to_platform.0))
            .collect();
        for &(platform, cell) in contacts {
            if let Some(region) = air.and_then(|air| air.region(cell)) {
                let node = platforms as u32 + region;
                pairs.extend([pair(platform.0, node), pair(node, platform.0)]);
            }
        }
        let nodes = platforms + regions as usize;
        let (components, count) = strong_components(&Edges::new(nodes, &mut pairs));
        let component = |node: u64| components[node as u32 as usize];
        for edge in &mut pairs {
            *edge = pair(component(*edge >> 32), component(*edge));
        }
        pairs.retain(|&edge| edge >> 32 != edge & u64::from(u32::MAX));
        let edges = Edges::new(count as usize, &mut pairs);
        Self {
            index: ReachabilityIndex::new(&edges),
            components,
            platforms,
            edges,
        }
    }

    /// How many components there are.
    pub fn len(&self) -> usize {
        self.edges.ends.len()
    }

    /// Whether there are no components: the layer is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The component of a platform; the same as
    /// [`Platform::component`](super::Platform::component).
    pub fn component(&self, platform: PlatformId) -> Option<u32> {
        self.of_platforms().get(platform.index()).copied()
    }

    /// The components that a single link (or portal) leads to from a
    /// component, in order and without itself.
    pub fn successors(&self, component: u32) -> &[u32] {
        self.edges.from(component as usize)
    }

    /// For each component, whether it can be reached from any of `starts`;
    /// true for these themselves. Takes time in proportion to the graph.
    pub fn reached_from(&self, starts: impl IntoIterator<Item = u32>) -> Vec<bool> {
        let mut reached = self.marked(starts);
        // Edges lead to larger numbers, so one pass in order sees them all.
        for from in 0..self.len() {
            if reached[from] {
                for &to in self.edges.from(from) {
                    reached[to as usize] = true;
                }
            }
        }
        reached
    }

    /// For each component, whether any of `goals` can be reached from it; true
    /// for these themselves. Takes time in proportion to the graph.
    pub fn leading_to(&self, goals: impl IntoIterator<Item = u32>) -> Vec<bool> {
        let mut leading = self.marked(goals);
        for from in (0..self.len()).rev() {
            let successors = self.edges.from(from);
            leading[from] |= successors.iter().any(|&to| leading[to as usize]);
        }
        leading
    }

    /// Whether one component can be reached from another, from an index that
    /// was built when the layer was loaded.
    pub fn reachability(&self, from: u32, to: u32) -> Reachability {
        self.index.reachability(from, to)
    }

    /// The component of every platform.
    pub(super) fn of_platforms(&self) -> &[u32] {
        &self.components[..self.platforms]
    }

    /// The component of a region of air.
    pub(super) fn of_region(&self, region: u32) -> Option<u32> {
        let node = self.platforms + region as usize;
        self.components.get(node).copied()
    }

    fn marked(&self, components: impl IntoIterator<Item = u32>) -> Vec<bool> {
        let mut marks = vec![false; self.len()];
        for component in components {
            if let Some(mark) = marks.get_mut(component as usize) {
                *mark = true;
            }
        }
        marks
    }
}

/// Which of `count` nodes can be reached from `starts`, themselves included,
/// by a plain search of any graph. For graphs that [`LinkGraph`] does not
/// hold: only some of the links, links in both directions, or edges that are
/// added one by one.
///
/// ```
/// use navmesh_runtime::mesh::flood;
///
/// let edges = [vec![1], vec![2], vec![1], vec![0]];
/// let reached = flood(4, [0], |node| edges[node as usize].iter().copied());
/// assert_eq!(reached, [true, true, true, false]);
/// ```
pub fn flood<I: IntoIterator<Item = u32>>(
    count: usize,
    starts: impl IntoIterator<Item = u32>,
    successors: impl Fn(u32) -> I,
) -> Vec<bool> {
    let mut reached = vec![false; count];
    let mut open: Vec<u32> = starts.into_iter().collect();
    while let Some(node) = open.pop() {
        if let Some(slot) = reached.get_mut(node as usize)
            && !std::mem::replace(slot, true)
        {
            open.extend(successors(node));
        }
    }
    reached
}

/// A directed edge as one number, as that sorts faster than two.
pub(super) const fn pair(from: u32, to: u32) -> u64 {
    (from as u64) << 32 | to as u64
}

/// Directed edges, grouped by the node they leave and sorted.
#[derive(Debug, Clone, Default)]
pub(super) struct Edges {
    /// Where the edges of each node end in `to`.
    ends: Vec<u32>,
    /// The node each edge leads to.
    to: Vec<u32>,
}

impl Edges {
    /// Sorts the [`pair`]s and removes duplicates.
    pub(super) fn new(nodes: usize, pairs: &mut Vec<u64>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let mut ends = vec![0; nodes];
        for (i, pair) in (1..).zip(pairs.iter()) {
            ends[(pair >> 32) as usize] = i;
        }
        let mut end = 0;
        for e in &mut ends {
            end = end.max(*e);
            *e = end;
        }
        let to = pairs.iter().map(|&pair| pair as u32).collect();
        Self { ends, to }
    }

    /// How many nodes there are.
    pub(super) fn nodes(&self) -> usize {
        self.ends.len()
    }

    /// The nodes that the edges of a node lead to; none for a node that does
    /// not exist.
    pub(super) fn from(&self, node: usize) -> &[u32] {
        let end = |i: usize| self.ends.get(i).map_or(0, |&end| end as usize);
        let start = node.checked_sub(1).map_or(0, end);
        self.to.get(start..end(node)).unwrap_or_default()
    }
}

/// Tarjan's algorithm for strongly connected components, without recursion
/// so that a long chain of platforms cannot overflow the stack. Returns each
/// node's component and the number of components; components are in
/// topological order.
pub(super) fn strong_components(edges: &Edges) -> (Vec<u32>, u32) {
    const UNSEEN: u32 = u32::MAX;
    let count = edges.nodes();
    let mut index = vec![UNSEEN; count];
    let mut low = vec![0u32; count];
    let mut component = vec![UNSEEN; count];
    let mut open = Vec::new();
    // Nodes being visited, each with how many of its edges were followed.
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

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;

    use crate::mesh::{LinkKind, TrajectoryParams};

    fn link(from: u32, to: u32) -> Link {
        Link {
            kind: LinkKind::Portal,
            from_platform: PlatformId(from),
            to_platform: PlatformId(to),
            from: Vec2::ZERO,
            to: Vec2::ZERO,
            duration: 0.0,
            tolerance: 0.0,
            params: TrajectoryParams::steady(0.0).unwrap(),
        }
    }

    #[test]
    fn components_are_numbered_along_the_links() {
        // A ring of 1 and 3, entered from 4 and left to 0; 2 stands alone.
        let links = [(1, 3), (3, 1), (4, 3), (1, 0)].map(|(a, b)| link(a, b));
        let graph = LinkGraph::new(5, &links, None, &[]);
        let of = |platform| graph.component(PlatformId(platform)).unwrap();
        assert_eq!((graph.len(), of(1)), (4, of(3)));
        assert!(of(4) < of(1) && of(1) < of(0));
        assert_eq!(graph.successors(of(4)), [of(1)]);
        assert_eq!(graph.component(PlatformId(5)), None);
        let ahead = graph.reached_from([of(1)]);
        let behind = graph.leading_to([of(1)]);
        for (platform, expected) in [
            (0, (true, false)),
            (1, (true, true)),
            (2, (false, false)),
            (4, (false, true)),
        ] {
            let c = of(platform) as usize;
            assert_eq!((ahead[c], behind[c]), expected, "{platform}");
            let reaches = graph.reachability(of(1), c as u32) == Reachability::Yes;
            assert_eq!(reaches, expected.0);
        }
    }
}
