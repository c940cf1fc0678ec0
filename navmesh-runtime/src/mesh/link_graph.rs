//! Which platforms and regions of air are connected, and in which direction.

use super::ids::PlatformId;
use super::moving_platform::MovingPlatform;
use crate::graph::components::strong_components;
use crate::graph::csr::{Buckets, CsrGraph, pair};
use crate::graph::reachability::ReachabilityIndex;

/// The components of a layer and the connections from one to another.
///
/// A component is a set of platforms (and, for agents that fly, regions of
/// air) such that an agent that uses every baked link can go from any of them
/// to any other. Components are numbered in topological order: no link leads
/// from a component to one with a smaller number.
///
#[cfg_attr(feature = "write", doc = "```")]
#[cfg_attr(not(feature = "write"), doc = "```text")]
/// # fn print_dead_ends(layer: &navmesh_runtime::mesh::Layer) {
/// let graph = layer.link_graph();
/// for platform in layer.platforms() {
///     if graph.successors(platform.component).is_empty() {
///         println!("no link leaves the surroundings of platform {}", platform.id);
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
    edges: CsrGraph,
    index: ReachabilityIndex,
    /// The platforms, grouped by the number that the index gives their component.
    by_number: (Buckets, Vec<PlatformId>),
}

impl LinkGraph {
    /// `links` are the platforms that each link joins, those that leave a platform
    /// one after the other. `contacts` are the regions of air to which agents that both
    /// walk and fly take off and from which they land, platform by platform. Over each of
    /// `moving`, rides lead from floors to floors.
    pub(crate) fn new(
        platforms: usize,
        links: impl Iterator<Item = [PlatformId; 2]>,
        regions: u32,
        contacts: impl Iterator<Item = (PlatformId, u32)>,
        moving: &[MovingPlatform],
    ) -> Self {
        // So most duplicates are found without sorting.
        let mut last = vec![u32::MAX; platforms];
        let mut pairs = Vec::new();
        links.for_each(|[PlatformId(from), PlatformId(to)]| {
            let last = last.get_mut(to as usize);
            if from != to && last.is_some_and(|last| std::mem::replace(last, from) != from) {
                pairs.push(pair(from, to));
            }
        });
        // Nearly all vertices of a platform are below the same region.
        let mut last = None;
        for (platform, region) in contacts {
            if last.replace((platform, region)) != Some((platform, region)) {
                let node = platforms as u32 + region;
                pairs.extend([pair(platform.0, node), pair(node, platform.0)]);
            }
        }
        let first = platforms as u32 + regions;
        for (node, on) in (first..).zip(moving) {
            pairs.extend(on.boards.iter().map(|board| pair(board.platform.0, node)));
            pairs.extend(on.exits.iter().map(|exit| {
                let from = exit.start.map_or(node, |(from, _)| from.0);
                pair(from, exit.platform.0)
            }));
        }
        let nodes = first as usize + moving.len();
        let (components, count) = strong_components(&CsrGraph::new(nodes, &mut pairs));
        for edge in &mut pairs {
            let [from, to] = [*edge >> 32, *edge].map(|node| components[node as u32 as usize]);
            *edge = pair(from, to);
        }
        pairs.retain(|&edge| edge >> 32 != edge & u64::from(u32::MAX));
        let edges = CsrGraph::new(count as usize, &mut pairs);
        let index = ReachabilityIndex::new(&edges);
        let numbers = components.iter().take(platforms);
        let numbers = numbers.map(|&c| index.number(c).unwrap_or_default() as usize);
        Self {
            by_number: Buckets::sorted(count as usize, numbers.zip((0..).map(PlatformId))),
            index,
            components,
            platforms,
            edges,
        }
    }

    /// The number of components.
    pub fn components(&self) -> usize {
        self.edges.nodes()
    }

    /// The component of a platform.
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
        // CsrGraph lead to larger numbers, so one pass in order sees them all.
        for from in 0..self.components() {
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
        for from in (0..self.components()).rev() {
            let successors = self.edges.from(from);
            leading[from] |= successors.iter().any(|&to| leading[to as usize]);
        }
        leading
    }

    /// Whether one component may be reached from another, from an index that
    /// was built when the layer was loaded. Certain when false.
    pub(crate) fn may_reach(&self, from: u32, to: u32) -> bool {
        self.index.may_reach(from, to)
    }

    /// The platforms that may be reached from a component. Only those that it lacks are
    /// certain.
    pub(crate) fn reachable(&self, component: u32) -> impl Iterator<Item = PlatformId> {
        let (groups, platforms) = &self.by_number;
        let intervals = self.index.reached_from(component).iter();
        let lists = intervals.map(|&[first, last]| {
            let [first, last] = [first, last].map(|number| groups.range(number as usize));
            platforms.get(first.start..last.end).unwrap_or_default()
        });
        lists.flatten().copied()
    }

    /// The component of every platform.
    pub(crate) fn of_platforms(&self) -> &[u32] {
        &self.components[..self.platforms]
    }

    /// The component of a region of air.
    pub(crate) fn of_region(&self, region: u32) -> Option<u32> {
        let node = self.platforms + region as usize;
        self.components.get(node).copied()
    }

    fn marked(&self, components: impl IntoIterator<Item = u32>) -> Vec<bool> {
        let mut marks = vec![false; self.components()];
        for component in components {
            if let Some(mark) = marks.get_mut(component as usize) {
                *mark = true;
            }
        }
        marks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn components_are_numbered_along_the_links() {
        // A ring of 1 and 3, entered from 4 and left to 0; 2 stands alone.
        let links = [[1, 3], [3, 1], [4, 3], [1, 0]].map(|link| link.map(PlatformId));
        let graph = LinkGraph::new(5, links.into_iter(), 0, std::iter::empty(), &[]);
        let of = |platform| graph.component(PlatformId(platform)).unwrap();
        assert_eq!((graph.components(), of(1)), (4, of(3)));
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
            assert_eq!(graph.may_reach(of(1), c as u32), expected.0);
        }
    }
}
