//! Vertices whose type changed, one-way barriers that were added or removed, and air that
//! can no longer be reached.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use glam::Vec2;
use navmesh_runtime::mesh::{BitGrid, Cell, Grid, Layer, OneWayBarrier, Terrain};
use schemars::JsonSchema;
use serde::Serialize;

use super::alignment::{Alignment, middle};
use crate::report::counts::cells;
use crate::report::records::BarrierRecord;

/// How the vertices of one agent changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
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
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
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

impl TerrainDiff {
    /// Compares the vertices of two layers.
    pub(crate) fn new(old: &Layer, new: &Layer, by: &Alignment) -> Self {
        if !by.has_cells {
            return Self::default();
        }
        let grid = new.grid();
        let mut changed = BitGrid::new(grid.columns, grid.rows);
        let mut compared = 0;
        for cell in cells(grid) {
            if let Some(before) = by.old_cell(middle(grid, cell), old.grid()) {
                compared += 1;
                let is_changed = old.terrain(before) != new.terrain(cell);
                changed.set(cell.column, cell.row, is_changed);
            }
        }
        Self {
            compared: Some(compared),
            changed: changed.count_ones(),
            regions: areas(changed, new),
        }
    }
}

/// Groups changed cells that are at most two cells apart.
fn areas(mut changed: BitGrid, new: &Layer) -> Vec<ChangedArea> {
    let mut areas = Vec::new();
    for first in cells(new.grid()) {
        if !changed.get(first.column, first.row) {
            continue;
        }
        changed.set(first.column, first.row, false);
        let mut open = vec![first];
        let mut part = AirPart::EMPTY;
        let mut became = BTreeMap::new();
        while let Some(cell) = open.pop() {
            part.add(cell, new.grid());
            *became.entry(name(new.terrain(cell))).or_default() += 1;
            for (down, across) in (-2..=2).flat_map(|d| (-2..=2).map(move |a| (d, a))) {
                let column = cell.column.wrapping_add_signed(across);
                let row = cell.row.wrapping_add_signed(down);
                if changed.get(column, row) {
                    changed.set(column, row, false);
                    open.push(Cell { column, row });
                }
            }
        }
        let AirPart { vertices, min, max } = part;
        areas.push(ChangedArea {
            min,
            max,
            vertices,
            became,
        });
    }
    areas.sort_by_key(|area| Reverse(area.vertices));
    areas
}

/// How the one-way barriers of an agent changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct BarrierDiff {
    /// Only in the old file.
    pub removed: Vec<BarrierRecord>,
    /// Only in the new file.
    pub added: Vec<BarrierRecord>,
}

impl BarrierDiff {
    /// Compares the one-way barriers of two layers.
    pub(crate) fn new(old: &Layer, new: &Layer, by: &Alignment) -> Self {
        let (was, is) = (&old.parts().barriers, &new.parts().barriers);
        let mut diff = Self::default();
        for old in was {
            if !is.iter().any(|new| is_same(old, new, by)) {
                diff.removed.push(old.into());
            }
        }
        for new in is {
            if !was.iter().any(|old| is_same(old, new, by)) {
                diff.added.push(new.into());
            }
        }
        diff
    }
}

fn is_same(old: &OneWayBarrier, new: &OneWayBarrier, by: &Alignment) -> bool {
    let mut ends = old.ends().into_iter().zip(new.ends());
    old.pass == new.pass && ends.all(|(old, new)| by.same(old, new))
}

/// Connected free vertices.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AirPart {
    /// The number of vertices.
    pub vertices: u64,
    /// The corner of least x and y of the rectangle around them, world units.
    pub min: [f64; 2],
    /// Its corner of greatest x and y.
    pub max: [f64; 2],
}

impl AirPart {
    const EMPTY: Self = Self {
        vertices: 0,
        min: [f64::INFINITY; 2],
        max: [f64::NEG_INFINITY; 2],
    };

    fn add(&mut self, cell: Cell, grid: &Grid) {
        // A vertex is in the middle of the lower edge of its cell.
        let bottom = grid.position(cell);
        let top = bottom - Vec2::new(0.0, grid.spacing * grid.y_axis.down());
        let half = Vec2::new(0.5 * grid.spacing, 0.0);
        let [min, max] = [bottom.min(top) - half, bottom.max(top) + half].map(Vec2::as_dvec2);
        self.vertices += 1;
        self.min = min.min(self.min.into()).to_array();
        self.max = max.max(self.max.into()).to_array();
    }
}

/// Vertices that are free in both files, by their regions in the old and in the new file; in the
/// coordinates of the new one.
pub struct CommonAir(BTreeMap<[u32; 2], AirPart>);

impl CommonAir {
    pub(crate) fn new(old: &Layer, new: &Layer, by: &Alignment) -> Self {
        let mut parts: BTreeMap<_, AirPart> = BTreeMap::new();
        let grid = new.grid();
        for cell in cells(grid).filter(|_| by.has_cells) {
            let before = by.old_cell(middle(grid, cell), old.grid());
            let before = before.and_then(|cell| old.air_region(cell));
            if let (Some(before), Some(after)) = (before, new.air_region(cell)) {
                let part = parts.entry([before, after]).or_insert(AirPart::EMPTY);
                part.add(cell, grid);
            }
        }
        Self(parts)
    }

    /// What an agent can reach from its spawn in the file number `side` only: `home` has the
    /// region of the spawn in each.
    pub fn reached_only(&self, home: [Option<u32>; 2], side: usize) -> Vec<AirPart> {
        let is_home = |regions: [u32; 2], side: usize| Some(regions[side]) == home[side];
        self.largest_first(|regions| is_home(regions, side) && !is_home(regions, 1 - side))
    }

    /// What only the other file cuts off from what it is connected with: of each region of the
    /// file number `side`, all parts except the largest.
    pub fn divided(&self, side: usize) -> Vec<AirPart> {
        let mut largest: BTreeMap<u32, (u64, u32)> = BTreeMap::new();
        for (regions, part) in &self.0 {
            let most = largest.entry(regions[side]).or_default();
            if part.vertices > most.0 {
                *most = (part.vertices, regions[1 - side]);
            }
        }
        self.largest_first(|regions| largest[&regions[side]].1 != regions[1 - side])
    }

    fn largest_first(&self, test: impl Fn([u32; 2]) -> bool) -> Vec<AirPart> {
        let passing = self.0.iter().filter(|(regions, _)| test(**regions));
        let mut parts: Vec<AirPart> = passing.map(|(_, part)| part.clone()).collect();
        parts.sort_by_key(|part| Reverse(part.vertices));
        parts
    }
}
