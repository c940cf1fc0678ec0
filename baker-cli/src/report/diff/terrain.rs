//! Vertices that became something else.

use std::collections::BTreeMap;

use navmesh_runtime::mesh::{BitGrid, Cell, Grid, Layer, Terrain};
use serde::Serialize;

use super::{Frame, point};

/// How vertices of one agent changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct TerrainDiff {
    /// Vertices compared: those that lie in both grids. `None` when the
    /// vertices of the two grids do not fall together.
    pub compared: Option<u64>,
    /// How many of them changed.
    pub changed: u64,
    /// Where, largest first.
    pub regions: Vec<Region>,
}

impl TerrainDiff {
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.changed == 0
    }
}

/// A rectangle of cells in which vertices changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Region {
    /// Its corner of least x and y, world units of the new file.
    pub min: [f64; 2],
    /// Its corner of greatest x and y.
    pub max: [f64; 2],
    /// Vertices changed in it.
    pub vertices: u64,
    /// How many became what.
    pub became: BTreeMap<&'static str, u64>,
}

/// A vertex's type as reports call it.
pub(super) const fn name(terrain: Terrain) -> &'static str {
    match terrain {
        Terrain::InAir => "in_air",
        Terrain::OnFloor => "on_floor",
        Terrain::OnWall => "on_wall",
        Terrain::OnCeiling => "on_ceiling",
        Terrain::InsideGeometry => "inside_geometry",
    }
}

pub(super) fn compare(old: &Layer, new: &Layer, frame: &Frame) -> TerrainDiff {
    let Some(offset) = frame.cells else {
        return TerrainDiff::default();
    };
    let grid = new.grid();
    let mut changed = BitGrid::new(grid.columns, grid.rows);
    let mut compared = 0;
    for row in 0..grid.rows {
        for column in 0..grid.columns {
            let cell = Cell { column, row };
            if let Some(before) = before(cell, offset, old.grid()) {
                compared += 1;
                if old.terrain(before) != new.terrain(cell) {
                    changed.set(column, row, true);
                }
            }
        }
    }
    TerrainDiff {
        compared: Some(compared),
        changed: changed.count_ones(),
        regions: regions(changed, new),
    }
}

/// The cell of the old grid where a cell of the new one is.
pub(super) fn before(cell: Cell, offset: [i64; 2], old: &Grid) -> Option<Cell> {
    let at = |v: u32, by: i64, end: u32| u32::try_from(i64::from(v) - by).ok().filter(|v| *v < end);
    Some(Cell {
        column: at(cell.column, offset[0], old.columns)?,
        row: at(cell.row, offset[1], old.rows)?,
    })
}

/// Gathers changed cells at most two apart.
fn regions(mut changed: BitGrid, new: &Layer) -> Vec<Region> {
    let grid = new.grid();
    let mut regions = Vec::new();
    for row in 0..grid.rows {
        for column in 0..grid.columns {
            if !changed.get(column, row) {
                continue;
            }
            changed.set(column, row, false);
            let mut open = vec![Cell { column, row }];
            let (mut min, mut max) = ([column, row], [column, row]);
            let mut became = BTreeMap::new();
            let mut vertices = 0;
            while let Some(cell) = open.pop() {
                vertices += 1;
                *became.entry(name(new.terrain(cell))).or_default() += 1;
                min = [min[0].min(cell.column), min[1].min(cell.row)];
                max = [max[0].max(cell.column), max[1].max(cell.row)];
                for down in -2..=2 {
                    for across in -2..=2 {
                        let (c, r) = (
                            cell.column.wrapping_add_signed(across),
                            cell.row.wrapping_add_signed(down),
                        );
                        if changed.get(c, r) {
                            changed.set(c, r, false);
                            open.push(Cell { column: c, row: r });
                        }
                    }
                }
            }
            let [min, max] = rectangle(grid, min, max);
            regions.push(Region {
                min,
                max,
                vertices,
                became,
            });
        }
    }
    regions.sort_by_key(|region| std::cmp::Reverse(region.vertices));
    regions
}

/// What cells cover, world units: least and greatest x and y.
pub(super) fn rectangle(grid: &Grid, min: [u32; 2], max: [u32; 2]) -> [[f64; 2]; 2] {
    let half = grid.spacing * 0.5;
    let up = grid.y_axis.down() * -grid.spacing;
    let (left, right) = (grid.column_x(min[0]) - half, grid.column_x(max[0]) + half);
    let (top, bottom) = (grid.row_y(min[1]) + up, grid.row_y(max[1]));
    [
        point(glam::Vec2::new(left, top.min(bottom))),
        point(glam::Vec2::new(right, top.max(bottom))),
    ]
}
