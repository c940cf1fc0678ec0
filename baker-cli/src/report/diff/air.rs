//! What agents that only fly can no longer reach.

use std::collections::BTreeMap;

use navmesh_runtime::mesh::{Cell, Layer, Marker};
use serde::Serialize;

use super::Frame;
use super::terrain::{before, rectangle};

/// Free vertices that hang together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AirPart {
    /// How many there are.
    pub vertices: u64,
    /// Corner of least x and y of the rectangle around them, world units.
    pub min: [f64; 2],
    /// Its corner of greatest x and y.
    pub max: [f64; 2],
}

/// The region of every free vertex, row by row; free vertices side by side or
/// above each other are of one region.
pub(super) struct Regions {
    of: Vec<u32>,
    columns: usize,
}

const BLOCKED: u32 = u32::MAX;

impl Regions {
    pub(super) fn new(layer: &Layer) -> Self {
        let grid = layer.grid();
        let (columns, rows) = (grid.columns, grid.rows);
        let mut this = Self {
            of: vec![BLOCKED; grid.len()],
            columns: columns as usize,
        };
        let mut count = 0;
        let mut open = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                if !this.is_new(layer, column, row) {
                    continue;
                }
                this.set(column, row, count);
                open.push((column, row));
                while let Some((c, r)) = open.pop() {
                    let beside = [
                        (c.wrapping_sub(1), r),
                        (c + 1, r),
                        (c, r.wrapping_sub(1)),
                        (c, r + 1),
                    ];
                    for (c, r) in beside {
                        if c < columns && r < rows && this.is_new(layer, c, r) {
                            this.set(c, r, count);
                            open.push((c, r));
                        }
                    }
                }
                count += 1;
            }
        }
        this
    }

    fn is_new(&self, layer: &Layer, column: u32, row: u32) -> bool {
        self.at(Cell { column, row }).is_none() && !layer.blocked().get(column, row)
    }

    fn set(&mut self, column: u32, row: u32, region: u32) {
        let index = row as usize * self.columns + column as usize;
        if let Some(slot) = self.of.get_mut(index) {
            *slot = region;
        }
    }

    /// The region of a vertex; `None` for a blocked one.
    pub(super) fn at(&self, cell: Cell) -> Option<u32> {
        let index = cell.row as usize * self.columns + cell.column as usize;
        self.of.get(index).copied().filter(|r| *r != BLOCKED)
    }

    /// The region of the free vertex nearest to a marker's feet.
    pub(super) fn near(&self, layer: &Layer, marker: &Marker) -> Option<u32> {
        let grid = layer.grid();
        let feet = super::reach::feet(marker, grid);
        let centre = grid.nearest_cell(feet);
        let span = |at: u32, end: u32| at.saturating_sub(3)..end.min(at.saturating_add(4));
        let mut best: Option<(f32, u32)> = None;
        for row in span(centre.row, grid.rows) {
            for column in span(centre.column, grid.columns) {
                let cell = Cell { column, row };
                let distance = grid.position(cell).distance(feet);
                if let Some(region) = self.at(cell)
                    && distance <= 2.0 * grid.spacing
                    && best.is_none_or(|(least, _)| distance < least)
                {
                    best = Some((distance, region));
                }
            }
        }
        best.map(|(_, region)| region)
    }
}

/// Free vertices of the new file that were of one region with home and no
/// longer are; `home` is a region of each file.
pub(super) fn lost(
    old: (&Layer, &Regions),
    new: (&Layer, &Regions),
    frame: &Frame,
    home: [Option<u32>; 2],
) -> Vec<AirPart> {
    let [Some(home), now] = home else {
        return Vec::new();
    };
    let mut parts = common(old, new, frame);
    parts.retain(|(before, after), _| *before == home && Some(*after) != now);
    in_order(parts.into_values(), new.0)
}

/// Free vertices that were of one region with more others than they are now:
/// all but the largest part of what became of each old region.
pub(super) fn divided(
    old: (&Layer, &Regions),
    new: (&Layer, &Regions),
    frame: &Frame,
) -> Vec<AirPart> {
    let parts = common(old, new, frame);
    let mut largest: BTreeMap<u32, (u64, u32)> = BTreeMap::new();
    for ((before, after), part) in &parts {
        let most = largest.entry(*before).or_default();
        if part.vertices > most.0 {
            *most = (part.vertices, *after);
        }
    }
    let rest = (parts.into_iter())
        .filter(|((before, after), _)| largest.get(before).is_some_and(|(_, l)| l != after))
        .map(|(_, part)| part);
    in_order(rest, new.0)
}

/// Vertices free in both files, by their two regions, as rectangles of cells.
fn common(
    old: (&Layer, &Regions),
    new: (&Layer, &Regions),
    frame: &Frame,
) -> BTreeMap<(u32, u32), Cells> {
    let mut parts = BTreeMap::new();
    let (Some(offset), grid) = (frame.cells, new.0.grid()) else {
        return parts;
    };
    for row in 0..grid.rows {
        for column in 0..grid.columns {
            let cell = Cell { column, row };
            let Some(was) = before(cell, offset, old.0.grid()) else {
                continue;
            };
            if let (Some(a), Some(b)) = (old.1.at(was), new.1.at(cell)) {
                let part = parts.entry((a, b)).or_insert(Cells {
                    vertices: 0,
                    min: [column, row],
                    max: [column, row],
                });
                part.vertices += 1;
                part.min = [part.min[0].min(column), part.min[1].min(row)];
                part.max = [part.max[0].max(column), part.max[1].max(row)];
            }
        }
    }
    parts
}

struct Cells {
    vertices: u64,
    min: [u32; 2],
    max: [u32; 2],
}

/// Largest first.
fn in_order(parts: impl Iterator<Item = Cells>, layer: &Layer) -> Vec<AirPart> {
    let mut parts: Vec<AirPart> = parts
        .map(|cells| {
            let [min, max] = rectangle(layer.grid(), cells.min, cells.max);
            AirPart {
                vertices: cells.vertices,
                min,
                max,
            }
        })
        .collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.vertices));
    parts
}
