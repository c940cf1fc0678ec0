//! Numbers that several reports derive from a layer.

use std::collections::BTreeMap;
use std::ops::Range;

use navmesh_runtime::mesh::{BitGrid, Cell, EdgeSet, Grid, Layer, PlatformKind, StepKind, Terrain};
use schemars::JsonSchema;
use serde::Serialize;

/// The number of edges of each kind in a layer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EdgeCounts {
    /// Undirected: neighbouring vertices of one floor.
    pub floor: u64,
    /// Undirected: adjacent and diagonal free vertices; 0 for agents that do
    /// not fly.
    pub fly: u64,
    /// By the names of [`StepKind::LINKS`].
    #[serde(flatten)]
    links: BTreeMap<&'static str, u64>,
}

impl EdgeCounts {
    /// The number of directed links of a kind. Walls and ceilings are counted
    /// like floors, by undirected neighbours.
    pub fn of(&self, kind: StepKind) -> u64 {
        self.links.get(kind.name()).copied().unwrap_or_default()
    }
}

/// Counts the edges of a layer.
pub fn edge_counts(layer: &Layer) -> EdgeCounts {
    let edges = layer.profile().edges;
    EdgeCounts {
        floor: if edges.walks() {
            edges_along(layer, PlatformKind::Floor)
        } else {
            0
        },
        fly: if edges.contains(EdgeSet::FLY) {
            fly_edges(&layer.parts().blocked)
        } else {
            0
        },
        links: (StepKind::LINKS.into_iter())
            .map(|kind| (kind.name(), links_of(layer, kind)))
            .collect(),
    }
}

fn links_of(layer: &Layer, kind: StepKind) -> u64 {
    match kind {
        StepKind::WallClimb => edges_along(layer, PlatformKind::Wall),
        StepKind::CeilingClimb => edges_along(layer, PlatformKind::Ceiling),
        _ => layer.links().iter().filter(|l| l.kind == kind).count() as u64,
    }
}

/// Neighbouring vertices of the platforms of a kind.
fn edges_along(layer: &Layer, kind: PlatformKind) -> u64 {
    let platforms = layer.platforms().filter(|p| p.kind == kind);
    platforms
        .map(|p| u64::from(p.vertices.saturating_sub(1)))
        .sum()
}

/// Adjacent and diagonal pairs of free vertices; a diagonal pair counts only
/// when the whole square between the two is free.
fn fly_edges(blocked: &BitGrid) -> u64 {
    let columns = blocked.columns() as usize;
    let mut free_above = vec![0u64; blocked.stride()];
    let mut count = 0;
    for row in 0..blocked.rows() {
        let mut free: Vec<u64> = blocked.row(row).iter().map(|w| !w).collect();
        // Past the last column no bit is blocked, and none is a vertex.
        if let (Some(last), used @ 1..) = (free.last_mut(), columns % 64) {
            *last &= (1 << used) - 1;
        }
        let down: Vec<u64> = free.iter().zip(&free_above).map(|(a, b)| a & b).collect();
        // Horizontal pairs, then vertical pairs; two vertical pairs side by
        // side are a free square with its two diagonals.
        count += neighbours(&free)
            + down.iter().map(|w| u64::from(w.count_ones())).sum::<u64>()
            + 2 * neighbours(&down);
        free_above = free;
    }
    count
}

/// Pairs of set bits side by side.
fn neighbours(row: &[u64]) -> u64 {
    // The last bit of a word is beside the first bit of the next one.
    let next = row.iter().skip(1).chain([&0]);
    (row.iter().zip(next))
        .map(|(word, next)| u64::from((word & (word >> 1 | next << 63)).count_ones()))
        .sum()
}

/// `OnFloor` vertices whose own point is blocked, as `[column, row]`: fly
/// edges do not use them.
pub fn buried(layer: &Layer) -> Vec<[u32; 2]> {
    cells(layer.grid())
        .filter(|cell| layer.terrain(*cell) == Terrain::OnFloor)
        .map(|Cell { column, row }| [column, row])
        .filter(|[column, row]| layer.parts().blocked.get(*column, *row))
        .collect()
}

/// The number of vertices of a type.
pub fn terrain_count(layer: &Layer, terrain: Terrain) -> u64 {
    let cells = cells(layer.grid());
    cells.filter(|cell| layer.terrain(*cell) == terrain).count() as u64
}

/// All cells of a grid, row by row.
pub fn cells(grid: &Grid) -> impl Iterator<Item = Cell> + use<> {
    let columns = grid.columns;
    (0..grid.rows).flat_map(move |row| (0..columns).map(move |column| Cell { column, row }))
}

/// The longest runs of columns with the same value.
pub fn runs<T: Copy + PartialEq>(
    columns: u32,
    value: impl Fn(u32) -> T,
) -> impl Iterator<Item = (Range<u32>, T)> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let first = start;
        let of_run = (first < columns).then(|| value(first))?;
        start = (first + 1..columns)
            .find(|&column| value(column) != of_run)
            .unwrap_or(columns);
        Some((first..start, of_run))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_cover_all_columns() {
        let values = [1, 1, 2, 1, 3, 3];
        let found: Vec<_> = runs(6, |column| values[column as usize]).collect();
        assert_eq!(found, [(0..2, 1), (2..3, 2), (3..4, 1), (4..6, 3)]);
        assert_eq!(runs(0, |_| 1).count(), 0);
    }
}
