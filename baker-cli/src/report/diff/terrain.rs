//! Vertices whose type changed, and one-way barriers that were added or
//! removed.

use std::collections::BTreeMap;

use glam::{UVec2, Vec2};
use navmesh_runtime::mesh::{BitGrid, Cell, Grid, Layer, OneWayBarrier, Terrain};
use serde::Serialize;

use super::alignment::Alignment;
use crate::report::counts::cells;
use crate::report::format::point;
use crate::report::records::BarrierRecord;

/// How the vertices of one agent changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct TerrainDiff {
    /// The number of vertices compared: those that lie in both grids. `None`
    /// when the vertices of the two grids do not coincide.
    pub compared: Option<u64>,
    /// How many of them changed.
    pub changed: u64,
    /// Where they are, the largest area first.
    pub regions: Vec<ChangedArea>,
}

/// A rectangle of cells in which vertices changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChangedArea {
    /// The corner with the least x and y, world units of the new file.
    pub min: [f64; 2],
    /// The corner with the greatest x and y.
    pub max: [f64; 2],
    /// How many vertices changed in it.
    pub vertices: u64,
    /// How many of them have which type now.
    pub became: BTreeMap<&'static str, u64>,
}

/// The name of a vertex type in reports.
const fn name(terrain: Terrain) -> &'static str {
    match terrain {
        Terrain::InAir => "in_air",
        Terrain::OnFloor => "on_floor",
        Terrain::OnWall => "on_wall",
        Terrain::OnCeiling => "on_ceiling",
        Terrain::InsideGeometry => "inside_geometry",
    }
}

pub(super) fn compare(old: &Layer, new: &Layer, alignment: &Alignment) -> TerrainDiff {
    if alignment.cells.is_none() {
        return TerrainDiff::default();
    }
    let grid = new.grid();
    let mut changed = BitGrid::new(grid.columns, grid.rows);
    let mut compared = 0;
    for cell in cells(grid) {
        if let Some(before) = alignment.old_cell(cell, old.grid()) {
            compared += 1;
            if old.terrain(before) != new.terrain(cell) {
                changed.set(cell.column, cell.row, true);
            }
        }
    }
    TerrainDiff {
        compared: Some(compared),
        changed: changed.count_ones(),
        regions: areas(changed, new),
    }
}

/// Groups changed cells that are at most two cells apart.
fn areas(mut changed: BitGrid, new: &Layer) -> Vec<ChangedArea> {
    let grid = new.grid();
    let mut areas = Vec::new();
    for first in cells(grid) {
        if !changed.get(first.column, first.row) {
            continue;
        }
        changed.set(first.column, first.row, false);
        let mut open = vec![first];
        let mut bounds = CellBounds::default();
        let mut became = BTreeMap::new();
        while let Some(cell) = open.pop() {
            bounds.add(cell);
            *became.entry(name(new.terrain(cell))).or_default() += 1;
            for (down, across) in (-2..=2).flat_map(|d| (-2..=2).map(move |a| (d, a))) {
                let near = Cell {
                    column: cell.column.wrapping_add_signed(across),
                    row: cell.row.wrapping_add_signed(down),
                };
                if changed.get(near.column, near.row) {
                    changed.set(near.column, near.row, false);
                    open.push(near);
                }
            }
        }
        let [min, max] = bounds.corners(grid);
        areas.push(ChangedArea {
            min,
            max,
            vertices: bounds.vertices,
            became,
        });
    }
    areas.sort_by_key(|area| std::cmp::Reverse(area.vertices));
    areas
}

/// The number of some cells, and the smallest rectangle around them.
#[derive(Clone, Copy)]
pub(super) struct CellBounds {
    pub(super) vertices: u64,
    min: UVec2,
    max: UVec2,
}

impl Default for CellBounds {
    /// No cells.
    fn default() -> Self {
        Self {
            vertices: 0,
            min: UVec2::MAX,
            max: UVec2::MIN,
        }
    }
}

impl CellBounds {
    pub(super) fn add(&mut self, cell: Cell) {
        let at = UVec2::new(cell.column, cell.row);
        self.vertices += 1;
        self.min = self.min.min(at);
        self.max = self.max.max(at);
    }

    /// The corners with the least and with the greatest x and y, world units.
    pub(super) fn corners(&self, grid: &Grid) -> [[f64; 2]; 2] {
        let half = grid.spacing * 0.5;
        // A vertex is in the middle of the lower edge of its cell.
        let up = grid.y_axis.down() * -grid.spacing;
        let [left, right] = [self.min, self.max].map(|cell| grid.column_x(cell.x));
        let (top, bottom) = (grid.row_y(self.min.y) + up, grid.row_y(self.max.y));
        let (low, high) = (top.min(bottom), top.max(bottom));
        [Vec2::new(left - half, low), Vec2::new(right + half, high)].map(point)
    }
}

/// How the one-way barriers of an agent changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct BarrierDiff {
    /// Only in the old file.
    pub removed: Vec<BarrierRecord>,
    /// Only in the new file.
    pub added: Vec<BarrierRecord>,
}

pub(super) fn compare_barriers(old: &Layer, new: &Layer, alignment: &Alignment) -> BarrierDiff {
    let same = |old: &OneWayBarrier, new: &OneWayBarrier| {
        let mut ends = old.ends().into_iter().zip(new.ends());
        old.pass == new.pass && ends.all(|(old, new)| alignment.same(old, new))
    };
    let barriers = |all: &[OneWayBarrier], is_kept: &dyn Fn(&OneWayBarrier) -> bool| {
        let changed = all.iter().filter(|barrier| !is_kept(barrier));
        changed.map(BarrierRecord::from).collect()
    };
    let (was, is) = (&old.parts().barriers, &new.parts().barriers);
    BarrierDiff {
        removed: barriers(was, &|old| is.iter().any(|new| same(old, new))),
        added: barriers(is, &|new| was.iter().any(|old| same(old, new))),
    }
}
