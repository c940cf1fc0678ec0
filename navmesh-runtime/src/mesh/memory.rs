//! How much memory a layer takes, before it is built.

use super::edge_set::EdgeSet;
use super::grid::Grid;
use super::layer::LayerParts;
use super::platform::PlatformKind;

/// About how many bytes the planes and indices of a layer take that files store
/// in much less: regular terrain and long floors compress to almost nothing.
/// Not counted is what takes a limited number of bytes for each byte of a file,
/// such as links.
pub(crate) fn layer_memory(layer: &LayerParts, grid: &Grid) -> u64 {
    let (blocked, platforms) = (&layer.blocked, &layer.platforms);
    let flies = layer.profile.edges.contains(EdgeSet::FLY);
    let climbs = platforms.iter().any(|p| p.kind != PlatformKind::Floor);
    let plane = blocked.stride() as u64 * 8 * u64::from(blocked.rows());
    // Blocked and `OnFloor` vertices; for some agents columns, walls and
    // ceilings.
    let planes = plane * (2 + u64::from(flies) + 2 * u64::from(climbs));
    if !flies {
        return planes;
    }
    let rows = 0..blocked.filled_rows();
    let runs: u64 = rows.map(|row| 1 + blocked.runs(row).count() as u64).sum();
    let spots: u64 = platforms.iter().map(|p| p.columns(grid).len() as u64).sum();
    // A run of free vertices, and its region while regions are searched; a floor
    // spot, and the vertex above it while regions are joined to floors.
    planes + 24 * runs + 24 * spots
}
