//! The bit plane of the vertices that are blocked.

use super::cost_model::CostModel;
use crate::mesh::{BitGrid, Cell, Grid, Layer};

/// The plane of a query: a copy of the layer's where the filter blocks more
/// vertices, otherwise the layer's own.
#[derive(Debug, Clone, Default)]
pub struct OccupancyOverlay {
    is_used: bool,
    rows: BitGrid,
}

impl OccupancyOverlay {
    /// Prepares the plane for a query.
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
    }

    /// `None` for agents that do not fly.
    pub fn occupancy<'a>(&'a self, layer: &'a Layer) -> Option<&'a BitGrid> {
        layer.air.as_ref()?;
        Some(if self.is_used {
            &self.rows
        } else {
            layer.blocked()
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
