//! The `OnFloor` vertices of platforms.

use glam::Vec2;

use super::bits::BitGrid;
use super::error::MeshError;
use super::grid::{Cell, Grid};
use super::ids::{PlatformId, VertexId};
use super::platform::{PlatformKind, Platforms};

/// All `OnFloor` vertices of a layer.
pub(super) struct FloorVertices {
    /// One bit for each vertex of the grid.
    pub(super) plane: BitGrid,
    /// The number of vertices of each platform.
    pub(super) counts: Vec<u32>,
    /// The feet at each vertex, platform by platform; several for a vertex that
    /// several platforms pass through. Empty unless asked for.
    pub(super) spots: Vec<FloorVertex>,
}

/// The feet at an `OnFloor` vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FloorVertex {
    pub(crate) vertex: VertexId,
    pub(crate) platform: PlatformId,
    /// The y of the feet in its column.
    pub(crate) height: f32,
}

/// Finds the vertex of every column that a platform spans.
///
/// For any platforms, even those of a forged file, the time is in proportion
/// to the points of surfaces and the vertices of the grid: segments above or
/// below the grid are skipped as a whole.
pub(super) fn floor_vertices(
    platforms: &Platforms,
    grid: &Grid,
    with_spots: bool,
) -> Result<FloorVertices, MeshError> {
    let mut floor = BitGrid::new(grid.columns, grid.rows);
    let mut counts = Vec::with_capacity(platforms.len());
    let mut spots = Vec::new();
    let mut strays = 0;
    for platform in platforms.iter() {
        if platform.kind != PlatformKind::Floor {
            counts.push(0);
            continue;
        }
        let spot = |cell, height| FloorVertex {
            vertex: grid.vertex(cell),
            platform: platform.id,
            height,
        };
        let mut count = 0;
        let columns = platform.columns(grid);
        let surface = platform.surface;
        // The first column that has no vertex yet.
        let mut column = columns.start;
        for (i, &a) in surface.iter().enumerate() {
            // Of several points with the same x, the last counts. The last
            // point of the surface is a segment of its own.
            let b = surface.get(i + 1).copied().unwrap_or(a);
            let last = i + 1 == surface.len();
            let end = if last {
                columns.end
            } else {
                grid.columns_before(b.x, false)
                    .clamp(columns.start, columns.end)
            };
            if end <= column {
                continue;
            }
            let run = inside(a, b, grid, column..end);
            column = end;
            // On level ground all vertices are in one row.
            let ends = [run.start, run.end.max(1) - 1].map(|c| grid.column_x(c));
            let row = if last || a.y == b.y {
                let cells = ends.map(|x| grid.cell_at(Vec2::new(x, a.y)));
                cells[0].zip(cells[1]).map(|(first, _)| first.row)
            } else {
                None
            };
            if let Some(row) = row
                && floor.is_clear(row, run.start, run.end)
            {
                floor.set_run(row, run.start, run.end);
                count += run.len() as u32;
                if with_spots {
                    spots.extend(run.map(|column| spot(Cell { column, row }, a.y)));
                }
                continue;
            }
            for c in run {
                let x = grid.column_x(c);
                let y = if a.x < x && !last {
                    a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x))
                } else {
                    a.y
                };
                let cell = grid.cell_at(Vec2::new(x, y));
                // A platform may reach beyond the grid. Where a one-way top is
                // just above a floor, both pass through one vertex, which then
                // counts for the first platform. Only a forged file has more of
                // these cases than the limit below.
                let free = cell.filter(|cell| !floor.get(cell.column, cell.row));
                let Some(cell) = free else {
                    spots.extend(cell.filter(|_| with_spots).map(|cell| spot(cell, y)));
                    strays += 1;
                    if strays > grid.vertices() + 4 * platforms.points() {
                        let what = "runs along the outside of the grid, or over other platforms";
                        return Err(MeshError::of("platform", platform.id, what));
                    }
                    continue;
                };
                floor.set(cell.column, cell.row, true);
                if with_spots {
                    spots.push(spot(cell, y));
                }
                count += 1;
            }
        }
        counts.push(count);
    }
    Ok(FloorVertices {
        plane: floor,
        counts,
        spots,
    })
}

/// The part of `columns` in which a segment may lie between the top and the
/// bottom of the grid, and possibly one more at either end.
fn inside(a: Vec2, b: Vec2, grid: &Grid, columns: std::ops::Range<u32>) -> std::ops::Range<u32> {
    let row =
        |p: Vec2| f64::from(p.y - grid.origin.y) * f64::from(grid.y_axis.down() / grid.spacing);
    let (from, to) = (row(a), row(b));
    let (top, bottom) = (-0.01, f64::from(grid.rows) + 0.01);
    let nothing = columns.start..columns.start;
    if from.max(to) < top || from.min(to) > bottom {
        return nothing;
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
