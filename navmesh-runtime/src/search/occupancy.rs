//! Bit planes of the vertices that are blocked, by rows and by columns.

use super::cost_model::CostModel;
use crate::mesh::{BitGrid, Cell, Grid, Layer, transpose_into};

/// The planes of a query: a copy of the layer's where the filter blocks more
/// vertices, otherwise the layer's own.
#[derive(Debug, Clone, Default)]
pub struct OccupancyOverlay {
    is_used: bool,
    rows: BitGrid,
    columns: BitGrid,
}

impl OccupancyOverlay {
    /// Prepares the planes for a query.
    pub fn prepare(&mut self, layer: &Layer, limits: &CostModel) {
        let filter = &limits.filter;
        let (air, floor) = (!filter.keep_to_floor, !filter.keep_off_floor);
        self.is_used = !(air && floor && limits.doors.is_empty());
        if !self.is_used {
            return;
        }
        let grid = layer.grid();
        self.rows.copy_from(layer.blocked());
        for row in 0..self.rows.filled_rows() {
            let words = self.rows.row_mut(row).iter_mut();
            for ((i, word), &on_floor) in words.enumerate().zip(layer.floor().row(row)) {
                // Bits beyond the last column stay zero.
                let width = grid.columns - i as u32 * 64;
                let all = u64::MAX >> (64 - width.min(64));
                if !floor {
                    *word |= on_floor;
                }
                if !air {
                    *word |= !on_floor & all;
                }
            }
        }
        for door in &limits.doors {
            let (columns, rows) = cells_around(grid, door.min, door.max);
            for row in rows {
                for column in columns.clone() {
                    if limits.covers(grid.position(Cell { column, row })) {
                        self.rows.set(column, row, true);
                    }
                }
            }
        }
        transpose_into(&self.rows, &mut self.columns);
    }

    pub fn occupancy<'a>(&'a self, layer: &'a Layer) -> Option<Occupancy<'a>> {
        let air = layer.air.as_ref()?;
        Some(if self.is_used {
            Occupancy {
                rows: &self.rows,
                columns: &self.columns,
            }
        } else {
            Occupancy {
                rows: layer.blocked(),
                columns: &air.columns,
            }
        })
    }
}

type Span = std::ops::Range<u32>;

/// The columns and rows of the vertices that may lie between two corners.
fn cells_around(grid: &Grid, min: glam::Vec2, max: glam::Vec2) -> (Span, Span) {
    let (a, b) = (grid.nearest_cell(min), grid.nearest_cell(max));
    let span = |a: u32, b: u32, count: u32| {
        a.min(b).saturating_sub(1)..count.min(a.max(b).saturating_add(2))
    };
    (
        span(a.column, b.column, grid.columns),
        span(a.row, b.row, grid.rows),
    )
}

/// Blocked vertices as a bit plane of rows and one of columns, so that a line of
/// either direction is scanned in whole words.
#[derive(Debug, Clone, Copy)]
pub struct Occupancy<'a> {
    pub rows: &'a BitGrid,
    columns: &'a BitGrid,
}

impl Occupancy<'_> {
    /// The next jump point along a row, to the right or to the left.
    #[inline]
    pub fn across(&self, at: Cell, right: bool, goal: Cell) -> Option<u32> {
        let goal = (goal.row == at.row).then_some(goal.column);
        scan(self.rows, at.row, at.column, right, goal)
    }

    /// The next jump point along a column, down or up.
    #[inline]
    pub fn along(&self, at: Cell, down: bool, goal: Cell) -> Option<u32> {
        let goal = (goal.column == at.column).then_some(goal.row);
        scan(self.columns, at.column, at.row, down, goal)
    }
}

/// Scans a line from `from`, 64 vertices at a time, for the first vertex at which
/// a path may have to turn: the goal, or the first one past the end of a wall
/// beside the line, because corners are not cut. `None` when a wall comes first.
#[inline]
fn scan(plane: &BitGrid, line: u32, from: u32, forward: bool, goal: Option<u32>) -> Option<u32> {
    if forward {
        scan_to::<true>(plane, line, from + 1, goal)
    } else {
        scan_to::<false>(plane, line, from.checked_sub(1)?, goal)
    }
}

/// Scans from a vertex, itself included, to higher or to lower numbers.
#[inline]
fn scan_to<const FORWARD: bool>(
    plane: &BitGrid,
    line: u32,
    start: u32,
    goal: Option<u32>,
) -> Option<u32> {
    let row = plane.row(line);
    let above = line.checked_sub(1);
    let below = (line + 1 < plane.rows()).then_some(line + 1);
    let sides = [above, below].map(|line| line.map(|line| plane.row(line)));
    let goal = goal.map(|goal| ((goal / 64) as usize, 1 << (goal % 64)));
    let mut index = (start / 64) as usize;
    let mut mask = if FORWARD {
        u64::MAX << (start % 64)
    } else {
        u64::MAX >> (63 - start % 64)
    };
    loop {
        let walls = *row.get(index)?;
        let mut turns = goal.filter(|goal| goal.0 == index).map_or(0, |goal| goal.1);
        for side in sides.into_iter().flatten() {
            // Free here, and blocked one before.
            let blocked = if FORWARD {
                let carry = index.checked_sub(1).map_or(0, |last| side[last] >> 63);
                side[index] << 1 | carry
            } else {
                let carry = side.get(index + 1).map_or(0, |next| next << 63);
                side[index] >> 1 | carry
            };
            turns |= blocked & !side[index];
        }
        let stops = (walls | turns) & mask;
        if stops != 0 {
            let bit = if FORWARD {
                stops.trailing_zeros()
            } else {
                stops.ilog2()
            };
            let at = index as u32 * 64 + bit;
            return (at < plane.columns() && walls >> bit & 1 == 0).then_some(at);
        }
        index = if FORWARD {
            index + 1
        } else {
            index.checked_sub(1)?
        };
        mask = u64::MAX;
    }
}
