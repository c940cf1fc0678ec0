//! How much memory a mesh takes, before it is built.

use crate::mesh::{EdgeSet, Grid, LayerParts, PlatformKind};

/// The fewest bytes of a file whose layers take so much memory, so that a few
/// forged bytes cannot take all there is: one byte for 4 KiB, beyond the first
/// 64 MiB. A level of 5,000 × 5,000 vertices for three agents stays below that,
/// so that only enormous, empty levels are padded.
pub fn smallest_file<'a>(layers: impl IntoIterator<Item = &'a LayerParts>, grid: &Grid) -> u64 {
    let memory = layers.into_iter().map(|layer| layer_memory(layer, grid));
    memory.sum::<u64>().saturating_sub(64 << 20).div_ceil(4096)
}

/// About how many bytes the planes and indices of a layer take that files store
/// in much less: regular terrain and long floors compress to almost nothing.
/// Not counted is what takes a limited number of bytes for each byte of a file,
/// such as links.
fn layer_memory(layer: &LayerParts, grid: &Grid) -> u64 {
    let (blocked, platforms) = (&layer.blocked, &layer.platforms);
    let flies = layer.profile.edges.contains(EdgeSet::FLY);
    let climbs = platforms.iter().any(|p| p.kind != PlatformKind::Floor);
    let plane = blocked.stride() as u64 * 8 * u64::from(blocked.rows());
    // Blocked and `OnFloor` vertices; for some agents walls and ceilings.
    let planes = plane * (2 + 2 * u64::from(climbs));
    if !flies {
        return planes;
    }
    let rows = 0..blocked.filled_rows();
    let runs: u64 = rows.map(|row| 1 + blocked.runs(row).count() as u64).sum();
    let spots: u64 = platforms.iter().map(|p| p.columns(grid).len() as u64).sum();
    // Where air is not stored, each run of free vertices is a cell or two, with their
    // portals, and each square of 4 × 4 vertices, two bits a vertex, holds its cells. A
    // floor spot, and the vertex above it while regions are joined to floors.
    let cells = if layer.air.is_empty() { runs } else { 0 };
    planes + 2 * plane + 200 * cells + 24 * spots
}
