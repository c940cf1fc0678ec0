//! The grid of a level, and its units.

use glam::{DVec2, Vec2};

use super::error::MeshError;
use super::ids::VertexId;

/// The direction of y.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum YAxis {
    /// y grows downwards, as in Tiled and in images.
    #[default]
    Down,
    /// y grows upwards; pixel `y` of the level becomes `-y`.
    Up,
}

impl YAxis {
    /// The change of y when a point moves down by one unit: 1 or −1.
    #[inline]
    pub const fn down(self) -> f32 {
        match self {
            Self::Down => 1.0,
            Self::Up => -1.0,
        }
    }
}

/// How the pixels of a level become world units.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Units {
    /// Pixels of the level in one world unit; above 0.
    pub pixels_per_unit: f32,
    /// The direction of y.
    pub y_axis: YAxis,
}

impl Default for Units {
    fn default() -> Self {
        Self {
            pixels_per_unit: 1.0,
            y_axis: YAxis::Down,
        }
    }
}

/// A cell of the grid: column from the left, row from the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// Column, 0 at the left.
    pub column: u32,
    /// Row, 0 at the top.
    pub row: u32,
}

impl Cell {
    pub(crate) const fn new(column: u32, row: u32) -> Self {
        Self { column, row }
    }
}

/// Cells of side `spacing`; a cell's vertex is its bottom-centre point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// The top-left corner, world units.
    pub origin: Vec2,
    /// Side of a cell, world units; above 0.
    pub spacing: f32,
    /// Cells across. `columns * rows` fits 32 bits.
    pub columns: u32,
    /// Cells down.
    pub rows: u32,
    /// The direction of y.
    pub y_axis: YAxis,
}

/// Greatest distance of a grid from the world's origin, in spacings. Up to here
/// an `f32` has steps of at most a quarter of a spacing; farther away, vertices
/// and the feet beside them would round to the same position.
const FURTHEST: f32 = (1 << 21) as f32;

impl Grid {
    /// Checks that every vertex has its own number and its own position.
    pub(crate) fn check(&self) -> Result<(), MeshError> {
        if !(self.spacing.is_finite() && self.spacing > 0.0 && self.origin.is_finite()) {
            return Err(MeshError::new(
                "grid: its origin or spacing is not a usable number",
            ));
        }
        if u64::from(self.columns) * u64::from(self.rows) > u64::from(u32::MAX) {
            return Err(MeshError::new(
                "grid: it has more vertices than fit 32 bits",
            ));
        }
        let size = Vec2::new(self.columns as f32, self.rows as f32);
        let furthest = (self.origin.abs() / self.spacing + size).max_element();
        if furthest.is_nan() || furthest > FURTHEST {
            return Err(MeshError::new(
                "grid: it reaches more than 2,097,152 spacings from the origin of the world, \
                 where positions are no longer exact",
            ));
        }
        Ok(())
    }

    #[doc(hidden)]
    pub fn vertices(&self) -> usize {
        self.columns as usize * self.rows as usize
    }

    #[inline]
    #[doc(hidden)]
    pub fn vertex(&self, cell: Cell) -> VertexId {
        VertexId(cell.row * self.columns + cell.column)
    }

    #[inline]
    pub(crate) fn cell(&self, vertex: VertexId) -> Cell {
        Cell::new(vertex.0 % self.columns, vertex.0 / self.columns)
    }

    /// The position of a cell's vertex: the bottom centre of the cell.
    #[inline]
    pub fn position(&self, cell: Cell) -> Vec2 {
        Vec2::new(self.column_x(cell.column), self.row_y(cell.row))
    }

    /// The x of a column's vertices.
    #[inline]
    pub fn column_x(&self, column: u32) -> f32 {
        self.origin.x + (column as f32 + 0.5) * self.spacing
    }

    /// A position in spacings: the vertex of column c and row r is at (c, r).
    #[inline]
    pub(crate) fn in_spacings(&self, position: DVec2) -> DVec2 {
        let offset = position - self.origin.as_dvec2();
        let spacing = f64::from(self.spacing);
        let down = f64::from(self.y_axis.down());
        DVec2::new(offset.x / spacing - 0.5, offset.y * down / spacing - 1.0)
    }

    /// The position of a point with y downwards.
    #[inline]
    pub(crate) fn y_up(&self, at: DVec2) -> Vec2 {
        Vec2::new(at.x as f32, at.y as f32 * self.y_axis.down())
    }

    /// A position with y downwards.
    #[inline]
    pub(crate) fn y_down(&self, at: Vec2) -> DVec2 {
        DVec2::new(at.x.into(), f64::from(at.y * self.y_axis.down()))
    }

    /// How many columns have vertices to the left of `x`, or at it if `or_at`.
    pub(crate) fn columns_before(&self, x: f32, or_at: bool) -> u32 {
        // The quotient may round to a column beside the right one, so all three are compared.
        let guess = ((x - self.origin.x) / self.spacing + 0.5) as u32;
        let first = guess.min(self.columns).saturating_sub(1);
        let around = (first..self.columns.min(first + 3)).map(|column| self.column_x(column));
        first + around.filter(|&at| at < x || (or_at && at == x)).count() as u32
    }

    /// The y of a row's vertices (the bottom of its cells).
    #[inline]
    pub fn row_y(&self, row: u32) -> f32 {
        self.origin.y + self.y_axis.down() * (row as f32 + 1.0) * self.spacing
    }

    /// The cell that contains a position. A position on the line between two
    /// rows is in the upper row, whose vertices lie on that line. `None`
    /// outside the grid and for NaN.
    pub fn cell_at(&self, position: Vec2) -> Option<Cell> {
        let x = (position.x - self.origin.x) / self.spacing;
        let is_inside = x >= 0.0 && x < self.columns as f32;
        let row = self.row_at(position.y).filter(|_| is_inside)?;
        // Casts round down, and take a fraction of the time of `floor`.
        Some(Cell::new(x as u32, row))
    }

    /// The row of [`cell_at`](Self::cell_at) for positions at some height.
    pub(crate) fn row_at(&self, y: f32) -> Option<u32> {
        let y = (y - self.origin.y) * self.y_axis.down() / self.spacing;
        let is_inside = y > 0.0 && y <= self.rows as f32;
        let row = y as u32;
        is_inside.then(|| if row as f32 == y { row - 1 } else { row })
    }

    /// The cell nearest to a position: [`cell_at`](Self::cell_at), clamped to
    /// the grid.
    pub fn nearest_cell(&self, position: Vec2) -> Cell {
        let x = ((position.x - self.origin.x) / self.spacing).floor();
        let y = ((position.y - self.origin.y) * self.y_axis.down() / self.spacing).round() - 1.0;
        // Casts turn numbers below zero into zero.
        Cell::new(
            (x as u32).min(self.columns.saturating_sub(1)),
            (y as u32).min(self.rows.saturating_sub(1)),
        )
    }
}
