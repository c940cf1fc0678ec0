//! What follows from a layer and every report tells.

use navmesh_runtime::mesh::{
    BitGrid, EdgeSet, Grid, Layer, Link, LinkKind, PlatformKind, Terrain, Trajectory,
};
use serde::Serialize;

/// How many edges of each kind a layer has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct EdgeCounts {
    /// Undirected: neighbouring vertices of one platform.
    pub floor: u64,
    /// Undirected: adjacent and diagonal free vertices; 0 for agents that do
    /// not fly.
    pub fly: u64,
    /// Directed jumps.
    pub jump: u64,
    /// Directed drops.
    pub drop: u64,
    /// Directed drops through the one-way platform stood on.
    pub drop_through: u64,
    /// Directed steps onto ladders and off them.
    pub ladder: u64,
    /// Undirected: neighbouring vertices of one wall.
    pub wall_climb: u64,
    /// Undirected: neighbouring vertices of one ceiling.
    pub ceiling_climb: u64,
    /// Directed ways through portals.
    pub portal: u64,
    /// Directed steps through one-way gates.
    pub pass: u64,
}

/// Counts the edges of a layer.
pub fn edge_counts(layer: &Layer) -> EdgeCounts {
    let links_of = |kind| layer.links().iter().filter(|l| l.kind == kind).count() as u64;
    let along = |kind| -> u64 {
        let platforms = layer.platforms().iter().filter(|p| p.kind() == kind);
        platforms
            .map(|p| u64::from(p.vertices().saturating_sub(1)))
            .sum()
    };
    EdgeCounts {
        floor: along(PlatformKind::Floor),
        fly: if layer.profile().edges.contains(EdgeSet::FLY) {
            fly_edges(layer.blocked())
        } else {
            0
        },
        jump: links_of(LinkKind::Jump),
        drop: links_of(LinkKind::Drop),
        drop_through: links_of(LinkKind::DropThrough),
        ladder: links_of(LinkKind::Ladder),
        wall_climb: along(PlatformKind::Wall),
        ceiling_climb: along(PlatformKind::Ceiling),
        portal: links_of(LinkKind::Portal),
        pass: links_of(LinkKind::OneWayStep),
    }
}

/// Adjacent and diagonal pairs of free vertices; a diagonal pair counts only
/// when the whole square between them is free.
fn fly_edges(blocked: &BitGrid) -> u64 {
    let columns = blocked.columns() as usize;
    let mut free_above = vec![0u64; blocked.stride()];
    let mut count = 0;
    for row in 0..blocked.rows() {
        let mut free: Vec<u64> = blocked.row(row).iter().map(|w| !w).collect();
        if let (Some(last), used @ 1..) = (free.last_mut(), columns % 64) {
            *last &= (1 << used) - 1;
        }
        let down: Vec<u64> = free.iter().zip(&free_above).map(|(a, b)| a & b).collect();
        // Two vertices beside each other, then two above each other; two
        // such pairs side by side are a free square with its two diagonals.
        count += neighbours(&free)
            + down.iter().map(|w| u64::from(w.count_ones())).sum::<u64>()
            + 2 * neighbours(&down);
        free_above = free;
    }
    count
}

/// Pairs of set bits side by side.
fn neighbours(row: &[u64]) -> u64 {
    let next = |i: usize| row.get(i + 1).copied().unwrap_or(0);
    (row.iter().enumerate())
        .map(|(i, &word)| u64::from((word & (word >> 1 | next(i) << 63)).count_ones()))
        .sum()
}

/// `OnFloor` vertices whose own point is blocked, as `[column, row]`: no fly
/// edge may use them.
pub(super) fn buried(layer: &Layer, grid: &Grid) -> Vec<[u32; 2]> {
    let mut found = Vec::new();
    for row in 0..grid.rows {
        for run in layer.floor().runs(row) {
            found.extend(
                run.filter(|&column| layer.blocked().get(column, row))
                    .map(|column| [column, row]),
            );
        }
    }
    found
}

/// How many vertices there are of each type.
pub(super) fn terrain_count(layer: &Layer, grid: &Grid, terrain: Terrain) -> u64 {
    let floor = layer.floor().count_ones();
    match terrain {
        Terrain::OnFloor => floor,
        Terrain::InsideGeometry => layer.blocked().count_ones() - buried(layer, grid).len() as u64,
        Terrain::InAir => {
            let others = [Terrain::InsideGeometry, Terrain::OnWall, Terrain::OnCeiling];
            let others = others.map(|terrain| terrain_count(layer, grid, terrain));
            grid.len() as u64 - floor - others.iter().sum::<u64>()
        }
        Terrain::OnWall => vertices_on(layer, PlatformKind::Wall),
        Terrain::OnCeiling => vertices_on(layer, PlatformKind::Ceiling),
    }
}

/// How many vertices the platforms of a kind have.
fn vertices_on(layer: &Layer, kind: PlatformKind) -> u64 {
    let platforms = layer.platforms().iter().filter(|p| p.kind() == kind);
    platforms.map(|p| u64::from(p.vertices())).sum()
}

/// How many components a layer's platforms fall into, and how many platforms
/// the largest holds.
pub(super) fn components(layer: &Layer) -> (usize, usize) {
    let mut sizes: Vec<usize> = Vec::new();
    for platform in layer.platforms().iter() {
        let component = platform.component() as usize;
        if sizes.len() <= component {
            sizes.resize(component + 1, 0);
        }
        sizes[component] += 1;
    }
    (sizes.len(), sizes.into_iter().max().unwrap_or(0))
}

/// The arc of a link, if it follows one.
pub(super) fn arc_of(link: &Link, layer: &Layer, grid: &Grid) -> Option<Trajectory> {
    link.trajectory(layer.profile().fall(), grid.y_axis.down())
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    // N4: flying joins adjacent and diagonal vertices, corners never cut.
    #[test]
    fn fly_edges_are_those_found_one_by_one() {
        let mut blocked = BitGrid::new(130, 9);
        let mut seed = 7u32;
        for row in 0..9 {
            for column in 0..130 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                blocked.set(column, row, seed >> 30 == 0);
            }
        }
        let free = |c: u32, r: u32| c < 130 && r < 9 && !blocked.get(c, r);
        let mut expected = 0;
        for row in 0..9 {
            for column in 0..130 {
                let here = free(column, row);
                let (right, below) = (free(column + 1, row), free(column, row + 1));
                expected += u64::from(here && right) + u64::from(here && below);
                if here && right && below && free(column + 1, row + 1) {
                    expected += 2;
                }
            }
        }
        assert_eq!(fly_edges(&blocked), expected);
    }
}
