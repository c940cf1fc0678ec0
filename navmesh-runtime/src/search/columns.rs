//! The vertices that a body passes in mid-air.

use glam::Vec2;

use crate::mesh::{Cell, FloorSpot, Layer};

/// A position this near to a row or column of vertices is on it, so that the
/// rounding of a division does not change the result.
const ON_VERTEX: f32 = 1e-4;

/// The columns of vertices on both sides of a point in mid-air.
pub struct Columns<'a> {
    layer: &'a Layer,
    from: Vec2,
    /// The row of the point, as a fractional number of the grid.
    row: f32,
    /// The nearer one first; both are the same for a point on a column. `None` outside
    /// of the grid.
    pub beside: [Option<u32>; 2],
}

impl<'a> Columns<'a> {
    pub fn beside(layer: &'a Layer, from: Vec2) -> Self {
        let grid = layer.grid();
        let at = (from.x - grid.origin.x) / grid.spacing - 0.5;
        let nearest = at.round();
        let other = if (at - nearest).abs() < ON_VERTEX {
            nearest
        } else {
            nearest + (at - nearest).signum()
        };
        let inside =
            |column: f32| (column >= 0.0 && column < grid.columns as f32).then_some(column as u32);
        Self {
            layer,
            from,
            row: Self::row(layer, from.y),
            beside: [nearest, other].map(inside),
        }
    }

    fn row(layer: &Layer, y: f32) -> f32 {
        let grid = layer.grid();
        (y - grid.origin.y) * grid.y_axis.down() / grid.spacing - 1.0
    }

    /// The rows from just above the point to the last above a floor. The
    /// floor itself may lie in a slope, inside a cell.
    fn rows(&self, floor: f32) -> std::ops::Range<u32> {
        let first = (self.row + ON_VERTEX).floor().max(0.0);
        let last = (Self::row(self.layer, floor) - ON_VERTEX).ceil() - 1.0;
        if last < first {
            // The fall stays within a cell.
            return 0..0;
        }
        // A floor may lie far below the grid.
        first as u32..(last as u32).saturating_add(1).min(self.layer.grid().rows)
    }

    /// Whether a column is free down to just above a floor.
    pub fn is_free(&self, column: u32, floor: f32) -> bool {
        let blocked = self.layer.blocked();
        self.rows(floor).all(|row| !blocked.get(column, row))
    }

    /// Whether a body may fall down to just above a floor that is at most so far aside of
    /// the point, as far as the vertices show: none of them, in any row, is all blocked.
    pub fn may_be_open(&self, floor: f32, aside: f32) -> bool {
        let grid = self.layer.grid();
        let at = |x: f32| (x - grid.origin.x) / grid.spacing - 0.5;
        // Casts turn numbers below zero into zero.
        let first = at(self.from.x - aside).floor() as u32;
        let last = at(self.from.x + aside).ceil() as u32;
        let is_open = self.rows(floor).all(|row| {
            let mut columns = first..grid.columns.min(last.saturating_add(1));
            columns.any(|column| !self.layer.blocked().get(column, row))
        });
        is_open || self.are_beside_a_shaft(floor)
    }

    /// Whether the point is in a shaft that is narrower than the spacing, down to a floor.
    pub fn are_beside_a_shaft(&self, floor: f32) -> bool {
        let is_beside = |column: u32| self.is_beside_a_fall(column, floor);
        !self.is_under_a_floor() && self.beside.iter().all(|c| c.is_none_or(is_beside))
    }

    /// Whether the point is in the ground: straight above is a floor, and nothing
    /// between is free. A shaft has no floor straight above.
    fn is_under_a_floor(&self) -> bool {
        let (layer, grid) = (self.layer, self.layer.grid());
        let last = (self.row + ON_VERTEX).floor().min(grid.rows as f32);
        let is_free = |row: &u32| {
            let mut columns = self.beside.iter().flatten();
            columns.any(|column| !layer.blocked().get(*column, *row))
        };
        // Casts turn numbers below zero into zero.
        let top = (0..(last + 1.0) as u32).rev().find(is_free);
        let y = top.map_or(grid.origin.y, |row| grid.row_y(row));
        let above = (self.from.y - y) * grid.y_axis.down();
        (layer.floor_within(self.from, above.max(2.0 * grid.spacing), 0.0)).is_some()
    }

    /// Whether all that blocks a column is beside a fall straight down: it stands there
    /// already where the fall begins, or has a floor on top that ends before that.
    fn is_beside_a_fall(&self, column: u32, floor: f32) -> bool {
        let (layer, grid) = (self.layer, self.layer.grid());
        let ends_before = |top: FloorSpot| {
            let platform = layer.platform(top.platform);
            platform.is_some_and(|platform| !platform.spans(self.from.x))
        };
        // Above the grid there are no walls.
        let mut is_beside = self.row + ON_VERTEX >= 0.0;
        self.rows(floor).all(|row| {
            let is_blocked = layer.blocked().get(column, row);
            let is_met = is_blocked && !is_beside;
            let vertex = grid.position(Cell { column, row });
            is_beside = is_blocked
                || layer
                    .floor_below(vertex, grid.spacing)
                    .is_some_and(ends_before);
            !is_met
        })
    }
}
