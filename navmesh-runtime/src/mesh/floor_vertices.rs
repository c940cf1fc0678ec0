//! The `OnFloor` vertices of platforms.

use std::ops::Range;

use glam::Vec2;

use super::bits::BitGrid;
use super::grid::{Cell, Grid};
use super::ids::{PlatformId, VertexId};
use super::platform::{Platform, PlatformKind, Platforms};

pub struct FloorVertices {
    /// One bit for each vertex of the grid.
    pub plane: BitGrid,
    /// The number of vertices of each platform.
    pub counts: Vec<u32>,
    /// The feet at each vertex, platform by platform; several for a vertex that
    /// several platforms pass through. Empty without `with_spots`.
    pub spots: Vec<FloorVertex>,
}

/// The feet at an `OnFloor` vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FloorVertex {
    pub vertex: VertexId,
    pub platform: PlatformId,
    /// The y of the feet in its column.
    pub height: f32,
}

/// Finds the vertex of every column that a platform spans.
///
/// The time is in proportion to the points of surfaces and the vertices of the grid, because
/// the platforms of a layer are in the grid and not much longer than its rows.
pub fn floor_vertices(platforms: &Platforms, grid: &Grid, with_spots: bool) -> FloorVertices {
    let mut search = Search {
        grid,
        with_spots,
        plane: BitGrid::new(grid.columns, grid.rows),
        spots: Vec::new(),
    };
    let counts = platforms.iter().map(|platform| search.platform(platform));
    FloorVertices {
        counts: counts.collect(),
        plane: search.plane,
        spots: search.spots,
    }
}

/// The vertices of the platforms so far.
struct Search<'a> {
    grid: &'a Grid,
    with_spots: bool,
    plane: BitGrid,
    spots: Vec<FloorVertex>,
}

impl Search<'_> {
    /// Adds the vertices of a platform, and returns their number.
    fn platform(&mut self, platform: Platform<'_>) -> u32 {
        if platform.kind != PlatformKind::Floor {
            return 0;
        }
        let mut count = 0;
        let columns = platform.columns(self.grid);
        // The first column that has no vertex yet.
        let mut column = columns.start;
        for (i, &a) in platform.surface.iter().enumerate() {
            // Of several points with the same x, the last counts. The last
            // point of the surface is a segment of its own.
            let next = platform.surface.get(i + 1).copied();
            let end = next.map_or(columns.end, |b| {
                let end = self.grid.columns_before(b.x, false);
                end.clamp(columns.start, columns.end)
            });
            if end > column {
                count += self.segment(platform.id, a, next, column..end);
                column = end;
            }
        }
        count
    }

    /// Adds the vertices of a segment in some columns, and returns their number.
    fn segment(
        &mut self,
        platform: PlatformId,
        a: Vec2,
        next: Option<Vec2>,
        columns: Range<u32>,
    ) -> u32 {
        let grid = self.grid;
        let spot = |cell, height| FloorVertex {
            vertex: grid.vertex(cell),
            platform,
            height,
        };
        // On level ground all vertices are in one row.
        if next.is_none_or(|b| a.y == b.y) {
            let Some(row) = grid.row_at(a.y) else {
                return 0;
            };
            if self.plane.is_clear(row, columns.start, columns.end) {
                self.plane.set_run(row, columns.start, columns.end);
                if self.with_spots {
                    let spots = columns.clone().map(|c| spot(Cell::new(c, row), a.y));
                    self.spots.extend(spots);
                }
                return columns.len() as u32;
            }
        }
        let mut count = 0;
        for c in columns {
            let x = grid.column_x(c);
            let y = match next {
                Some(b) if a.x < x => a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x)),
                _ => a.y,
            };
            let cell = grid.cell_at(Vec2::new(x, y));
            let spots = cell.filter(|_| self.with_spots);
            self.spots.extend(spots.map(|cell| spot(cell, y)));
            // Where a one-way top is just above a floor, both pass through one vertex, which
            // then counts for the first platform.
            if let Some(cell) = cell.filter(|cell| !self.plane.get(cell.column, cell.row)) {
                self.plane.set(cell.column, cell.row, true);
                count += 1;
            }
        }
        count
    }
}

#[cfg(test)]
#[path = "floor_vertices_test.rs"]
mod tests;
