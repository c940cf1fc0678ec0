//! Finds connected platforms and what separates others, for `lint`, `diff` and `explain`.

use glam::Vec2;
use navmesh_runtime::mesh::{Layer, Platform, PlatformId, SpawnMarker};
use navmesh_runtime::search::SnapTo;

use super::groups::connected;

/// Whether a spawn is for the agent of a layer: it names this agent or none.
pub(super) fn is_for(spawn: &SpawnMarker<'_>, layer: &Layer) -> bool {
    let name = &layer.profile().name;
    spawn.agent.is_none_or(|agent| agent == name)
}

/// The component of the platform on which an agent that appears at a position
/// comes to rest; `None` when it hovers or has no place.
pub(super) fn home_component(layer: &Layer, position: Vec2) -> Option<u32> {
    let platform = layer.snap(position, SnapTo::Rest)?.platform?;
    layer.link_graph().component(platform)
}

/// The number of platforms in each component.
pub(super) fn component_sizes(layer: &Layer) -> Vec<u32> {
    let mut sizes = vec![0; layer.link_graph().components()];
    for platform in layer.platforms() {
        sizes[platform.component as usize] += 1;
    }
    sizes
}

/// The part of the air in which an agent that appears at a position hovers.
pub(super) fn home_region(layer: &Layer, position: Vec2) -> Option<u32> {
    let rest = layer.snap(position, SnapTo::Rest);
    let hovering = rest.filter(|rest| rest.platform.is_none())?;
    let vertex = layer.snap(hovering.position, SnapTo::PathEnd);
    let vertex = vertex.filter(|vertex| vertex.platform.is_none())?;
    layer.air_region(layer.grid().nearest_cell(vertex.position))
}

/// Groups of platforms that are connected among themselves by links in either
/// direction, or by the air. Groups and members are in ascending order.
pub(super) fn joined(layer: &Layer, platforms: &[PlatformId]) -> Vec<Vec<PlatformId>> {
    let index = |id: PlatformId| platforms.binary_search(&id).ok();
    let graph = layer.link_graph();
    let links = layer.links().iter();
    let by_links = links.filter_map(|l| Some((index(l.from_platform)?, index(l.to_platform)?)));
    // Platforms of one component are connected, even if only by the air.
    let mut by_component: Vec<(Option<u32>, usize)> = (platforms.iter().enumerate())
        .map(|(i, id)| (graph.component(*id), i))
        .collect();
    by_component.sort_unstable();
    let by_component = by_component.windows(2).filter(|w| w[0].0 == w[1].0);
    let pairs = by_links.chain(by_component.map(|w| (w[0].1, w[1].1)));
    let groups = connected(platforms.len(), pairs);
    let ids = |group: Vec<usize>| group.into_iter().map(|i| platforms[i]).collect();
    groups.into_iter().map(ids).collect()
}

pub(super) fn middle(platform: &Platform<'_>) -> Vec2 {
    let (low, high) = platform.extent();
    platform.at(f32::midpoint(low, high))
}

/// The points of two platforms that are nearest to each other, one of them a corner.
pub(super) fn closest_points(a: &Platform<'_>, b: &Platform<'_>) -> Option<[Vec2; 2]> {
    let from_a = a.surface.iter().map(|p| [*p, b.at(b.along(*p))]);
    let from_b = b.surface.iter().map(|p| [a.at(a.along(*p)), *p]);
    let far = |[p, q]: &[Vec2; 2]| p.distance_squared(*q);
    from_a
        .chain(from_b)
        .min_by(|x, y| far(x).total_cmp(&far(y)))
}

/// The corners of least and greatest x and y of a platform.
pub(super) fn bounds(platform: &Platform<'_>) -> [Vec2; 2] {
    bounds_of([*platform]).unwrap_or_default()
}

/// The corners of least and greatest x and y around the surfaces of platforms.
pub(super) fn bounds_of<'a>(
    platforms: impl IntoIterator<Item = Platform<'a>>,
) -> Option<[Vec2; 2]> {
    let points = platforms.into_iter().flat_map(|p| p.surface);
    points.map(|point| [*point; 2]).reduce(union)
}

/// The corners around what two pairs of corners are around.
pub(super) fn union(a: [Vec2; 2], b: [Vec2; 2]) -> [Vec2; 2] {
    [a[0].min(b[0]), a[1].max(b[1])]
}
