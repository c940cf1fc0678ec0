//! Finds connected platforms and what separates others, for `lint`, `diff` and `explain`.

use glam::Vec2;
use navmesh_runtime::mesh::{Layer, Platform, PlatformId, SpawnMarker};
use navmesh_runtime::search::SnapTo;

/// Whether a spawn is for the agent of a layer: it names this agent or none.
pub fn is_for(spawn: &SpawnMarker<'_>, layer: &Layer) -> bool {
    let name = &layer.profile().name;
    spawn.agent.is_none_or(|agent| agent == name)
}

/// The component of the platform on which an agent that appears at a position
/// comes to rest; `None` when it hovers or has no place.
pub fn home_component(layer: &Layer, position: Vec2) -> Option<u32> {
    let platform = layer.snap(position, SnapTo::Rest)?.platform?;
    layer.link_graph().component(platform)
}

/// The number of platforms in each component.
pub fn component_sizes(layer: &Layer) -> Vec<u32> {
    let mut sizes = vec![0; layer.link_graph().components()];
    for platform in layer.platforms() {
        sizes[platform.component as usize] += 1;
    }
    sizes
}

/// The part of the air in which an agent that appears at a position hovers.
pub fn home_region(layer: &Layer, position: Vec2) -> Option<u32> {
    let rest = layer.snap(position, SnapTo::Rest);
    let hovering = rest.filter(|rest| rest.platform.is_none())?;
    let vertex = layer.snap(hovering.position, SnapTo::PathEnd);
    let vertex = vertex.filter(|vertex| vertex.platform.is_none())?;
    layer.air_region(layer.grid().nearest_cell(vertex.position))
}

/// Groups of platforms that are connected among themselves by links in either
/// direction, or by the air. Groups and members are in ascending order.
pub fn joined(layer: &Layer, platforms: &[PlatformId]) -> Vec<Vec<PlatformId>> {
    let graph = layer.link_graph();
    let links = layer.links().iter();
    let mut pairs: Vec<(usize, usize)> = links
        .filter_map(|link| {
            let from = platforms.binary_search(&link.from_platform).ok()?;
            Some((from, platforms.binary_search(&link.to_platform).ok()?))
        })
        .collect();
    // Platforms of one component are connected, even if only by the air.
    let mut by_component: Vec<(Option<u32>, usize)> = (platforms.iter().enumerate())
        .map(|(i, id)| (graph.component(*id), i))
        .collect();
    by_component.sort_unstable();
    let same = by_component
        .windows(2)
        .filter(|pair| pair[0].0 == pair[1].0);
    pairs.extend(same.map(|pair| (pair[0].1, pair[1].1)));
    let mut groups = Vec::new();
    for group in connected(platforms.len(), pairs) {
        groups.push(group.into_iter().map(|i| platforms[i]).collect());
    }
    groups
}

pub fn middle(platform: &Platform<'_>) -> Vec2 {
    let (low, high) = platform.extent();
    platform.at(f32::midpoint(low, high))
}

/// The points of two platforms that are nearest to each other, one of them a corner.
pub fn closest_points(a: &Platform<'_>, b: &Platform<'_>) -> Option<[Vec2; 2]> {
    let from_a = a.surface.iter().map(|p| [*p, b.at(b.along(*p))]);
    let from_b = b.surface.iter().map(|p| [a.at(a.along(*p)), *p]);
    let pairs = from_a.chain(from_b);
    let apart = pairs.map(|[p, q]| (p.distance_squared(q), [p, q]));
    let closest = apart.min_by(|(gap, _), (other, _)| gap.total_cmp(other));
    closest.map(|(_, points)| points)
}

/// The corners of least and greatest x and y of a platform.
pub fn bounds(platform: &Platform<'_>) -> [Vec2; 2] {
    bounds_of([*platform]).unwrap_or_default()
}

/// The corners of least and greatest x and y around the surfaces of platforms.
pub fn bounds_of<'a>(platforms: impl IntoIterator<Item = Platform<'a>>) -> Option<[Vec2; 2]> {
    let points = platforms.into_iter().flat_map(|p| p.surface);
    let bounds = points.map(|point| [*point; 2]);
    bounds.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
}

/// Partitions the nodes `0..count` into groups that pairs of nodes connect.
/// Groups are in the order of their least member; members are sorted.
pub fn connected(count: usize, pairs: impl IntoIterator<Item = (usize, usize)>) -> Vec<Vec<usize>> {
    // Each node points to a smaller node of its group, the least to itself.
    let mut parent: Vec<usize> = (0..count).collect();
    for (a, b) in pairs {
        let (a, b) = (least(&mut parent, a), least(&mut parent, b));
        parent[a.max(b)] = a.min(b);
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut group_of = vec![0; count];
    for node in 0..count {
        let first = least(&mut parent, node);
        if first == node {
            group_of[node] = groups.len();
            groups.push(Vec::new());
        }
        groups[group_of[first]].push(node);
    }
    groups
}

fn least(parent: &mut [usize], mut node: usize) -> usize {
    while parent[node] != node {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    node
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_connect_nodes_whatever_their_order() {
        let groups = connected(6, [(4, 2), (0, 5), (5, 4)]);
        assert_eq!(groups, [vec![0, 2, 4, 5], vec![1], vec![3]]);
    }
}
