//! The `OnFloor` vertices of platforms.

use std::ops::Range;

use glam::Vec2;

use super::bits::BitGrid;
use super::error::MeshError;
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
/// For any platforms, even those of a forged file, the time is in proportion
/// to the points of surfaces and the vertices of the grid: segments above or
/// below the grid are skipped as a whole.
pub fn floor_vertices(
    platforms: &Platforms,
    grid: &Grid,
    with_spots: bool,
) -> Result<FloorVertices, MeshError> {
    let mut search = Search {
        grid,
        with_spots,
        plane: BitGrid::new(grid.columns, grid.rows),
        spots: Vec::new(),
        strays_left: grid.vertices() + 4 * platforms.points(),
    };
    let counts = platforms.iter().map(|platform| search.platform(platform));
    let counts = counts.collect::<Result<_, _>>()?;
    Ok(FloorVertices {
        plane: search.plane,
        counts,
        spots: search.spots,
    })
}

/// The vertices of the platforms so far.
struct Search<'a> {
    grid: &'a Grid,
    with_spots: bool,
    plane: BitGrid,
    spots: Vec<FloorVertex>,
    /// How many more positions of the feet may be outside of the grid, or at the vertex
    /// of another platform. Only a forged file has more.
    strays_left: usize,
}

impl Search<'_> {
    /// Adds the vertices of a platform, and returns their number.
    fn platform(&mut self, platform: Platform<'_>) -> Result<u32, MeshError> {
        if platform.kind != PlatformKind::Floor {
            return Ok(0);
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
                count += self.segment(platform.id, a, next, column..end)?;
                column = end;
            }
        }
        Ok(count)
    }

    /// Adds the vertices of a segment in some columns, and returns their number.
    fn segment(
        &mut self,
        platform: PlatformId,
        a: Vec2,
        next: Option<Vec2>,
        columns: Range<u32>,
    ) -> Result<u32, MeshError> {
        let grid = self.grid;
        let spot = |cell, height| FloorVertex {
            vertex: grid.vertex(cell),
            platform,
            height,
        };
        // On level ground all vertices are in one row.
        if next.is_none_or(|b| a.y == b.y) {
            let Some(row) = grid.row_at(a.y) else {
                return Ok(0);
            };
            if self.plane.is_clear(row, columns.start, columns.end) {
                self.plane.set_run(row, columns.start, columns.end);
                if self.with_spots {
                    let spots = columns.clone().map(|c| spot(Cell::new(c, row), a.y));
                    self.spots.extend(spots);
                }
                return Ok(columns.len() as u32);
            }
        }
        let run = next.map_or(columns.clone(), |b| inside(a, b, grid, columns));
        let mut count = 0;
        for c in run {
            let x = grid.column_x(c);
            let y = match next {
                Some(b) if a.x < x => a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x)),
                _ => a.y,
            };
            let cell = grid.cell_at(Vec2::new(x, y));
            let spots = cell.filter(|_| self.with_spots);
            self.spots.extend(spots.map(|cell| spot(cell, y)));
            // A platform may reach beyond the grid. Where a one-way top is just above a
            // floor, both pass through one vertex, which then counts for the first
            // platform.
            if let Some(cell) = cell.filter(|cell| !self.plane.get(cell.column, cell.row)) {
                self.plane.set(cell.column, cell.row, true);
                count += 1;
            } else {
                let what = "runs along the outside of the grid, or over other platforms";
                let left = self.strays_left.checked_sub(1);
                self.strays_left = left.ok_or_else(|| MeshError::of("platform", platform, what))?;
            }
        }
        Ok(count)
    }
}

/// The part of `columns` in which a segment may lie between the top and the
/// bottom of the grid, and possibly one more at either end.
fn inside(a: Vec2, b: Vec2, grid: &Grid, columns: Range<u32>) -> Range<u32> {
    let row =
        |p: Vec2| f64::from(p.y - grid.origin.y) * f64::from(grid.y_axis.down() / grid.spacing);
    let (from, to) = (row(a), row(b));
    let (top, bottom) = (-0.01, f64::from(grid.rows) + 0.01);
    if from.max(to) < top || from.min(to) > bottom {
        return columns.start..columns.start;
    }
    if from == to || a.x >= b.x {
        return columns;
    }
    // The parts of the segment at which it crosses the two lines.
    let along = |line: f64| (line - from) / (to - from);
    let (enter, leave) = (along(top).min(along(bottom)), along(top).max(along(bottom)));
    let column = |t: f64| {
        let x = f64::from(a.x) + f64::from(b.x - a.x) * t.clamp(0.0, 1.0);
        (x - f64::from(grid.origin.x)) / f64::from(grid.spacing) - 0.5
    };
    let first = (column(enter) - 1.0).floor().max(0.0) as u32;
    let end = (column(leave) + 2.0).ceil().max(0.0) as u32;
    let first = first.clamp(columns.start, columns.end);
    first..end.clamp(first, columns.end)
}

#[cfg(test)]
#[path = "floor_vertices_test.rs"]
mod tests;
