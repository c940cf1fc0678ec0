//! Where a body that begins to fall in mid-air comes down. Feature A7.
//!
//! The floor straight below is known exactly. What else may be in the way of
//! the fall (hazards, ground too steep to stand on) is known at the vertices
//! only: between two columns of free vertices a fall is free for certain.

use glam::Vec2;

use crate::mesh::{FloorSpot, Layer};

/// A fall: over to `x` at the height where it begins, then down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Landing {
    pub(super) x: f32,
    pub(super) spot: FloorSpot,
}

/// The fall of a body in mid-air to the first floor below:
///
/// 1. straight down, where the vertices on both sides are free all the way;
/// 2. or else over to a column of vertices beside it (less than a spacing)
///    that is free all the way down, and down there: to the floor straight
///    below if it can, to the nearer one otherwise;
/// 3. or else straight down, between walls that are there where it begins.
pub(super) fn landing(layer: &Layer, from: Vec2) -> Option<Landing> {
    // A lip is known to a hair; just beside it, it is what is landed on.
    let hair = layer.grid().spacing * 2e-3;
    let below = |x: f32| layer.floor_below(Vec2::new(x, from.y), f32::INFINITY);
    let skin = hair * 1e-3;
    let is_beyond_a_gate = |to: Vec2| {
        let mut gates = layer.barriers().iter();
        gates.any(|gate| gate.is_between(from, to, skin))
    };
    let straight = [0.0, -hair, hair]
        .into_iter()
        .filter_map(|aside| below(from.x + aside))
        .find(|spot| !is_beyond_a_gate(spot.position));
    let straight = straight.map(|spot| Landing { x: from.x, spot });
    let sides = Columns::beside(layer, from);
    if straight.is_some_and(|l| sides.both(|c| sides.is_free(layer, c, l.spot.position.y))) {
        return straight;
    }
    let down = layer.grid().y_axis.down();
    let over = sides.nearer_first().map(|column| {
        let x = layer.grid().column_x(Columns::inside(layer, column)?);
        let spot = below(x)?;
        // What is at the height of the feet is where it fell off.
        let falls = (spot.position.y - from.y) * down > hair;
        let is_free = sides.is_free(layer, column, spot.position.y);
        let is_stopped = is_beyond_a_gate(Vec2::new(x, from.y));
        (falls && is_free && !is_stopped).then_some(Landing { x, spot })
    });
    let platform = straight.map(|l| l.spot.platform);
    let is_the_same = |l: &&Landing| Some(l.spot.platform) == platform;
    let over = (over.iter().flatten().find(is_the_same))
        .or(over.iter().flatten().next())
        .copied();
    over.or(straight.filter(|l| sides.both(|c| sides.is_a_shaft(layer, c, l.spot.position.y))))
}

/// The columns of vertices on both sides of a point, and its row; fractional
/// numbers of the grid.
struct Columns {
    at: f32,
    row: f32,
}

impl Columns {
    fn beside(layer: &Layer, from: Vec2) -> Self {
        let grid = layer.grid();
        Self {
            at: (from.x - grid.origin.x) / grid.spacing - 0.5,
            row: (from.y - grid.origin.y) * grid.y_axis.down() / grid.spacing - 1.0,
        }
    }

    /// A point on a column has it on both sides.
    fn nearer_first(&self) -> [f32; 2] {
        let nearest = self.at.round();
        let slack = 1e-4;
        if (self.at - nearest).abs() < slack {
            [nearest; 2]
        } else if self.at < nearest {
            [nearest, nearest - 1.0]
        } else {
            [nearest, nearest + 1.0]
        }
    }

    fn both(&self, is_so: impl Fn(f32) -> bool) -> bool {
        self.nearer_first().into_iter().all(is_so)
    }

    fn inside(layer: &Layer, column: f32) -> Option<u32> {
        (column >= 0.0 && column < layer.grid().columns as f32).then_some(column as u32)
    }

    /// The rows from just above the point to the last above a floor. The
    /// floor itself may lie in a slope, inside a cell.
    fn rows(&self, layer: &Layer, floor: f32) -> std::ops::Range<u32> {
        let grid = layer.grid();
        let floor = (floor - grid.origin.y) * grid.y_axis.down() / grid.spacing - 1.0;
        let first = (self.row + 1e-4).floor().max(0.0);
        let last = (floor - 1e-4).ceil() - 1.0;
        if last < first {
            // Within a cell, from where it is to where it can stand.
            return 0..0;
        }
        first as u32..(last as u32 + 1).min(grid.rows)
    }

    fn is_free(&self, layer: &Layer, column: f32, floor: f32) -> bool {
        Self::inside(layer, column).is_some_and(|column| {
            let blocked = layer.blocked();
            self.rows(layer, floor).all(|row| !blocked.get(column, row))
        })
    }

    /// Whether it is a wall from where the fall begins, and free once that has
    /// ended.
    fn is_a_shaft(&self, layer: &Layer, column: f32, floor: f32) -> bool {
        Self::inside(layer, column).is_none_or(|column| {
            let blocked = layer.blocked();
            let rows = self.rows(layer, floor).map(|row| blocked.get(column, row));
            // Above the grid there are no walls.
            let begins_inside = self.row + 1e-4 >= 0.0;
            let mut rest = rows.skip_while(|is_blocked| begins_inside && *is_blocked);
            rest.all(|is_blocked| !is_blocked)
        })
    }
}
