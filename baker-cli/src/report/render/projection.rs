//! Where things of the world are in a picture.

use glam::Vec2;
use navmesh_runtime::mesh::{Cell, Grid, Layer, Link};

use crate::report::links::trajectory_of;

/// The longest side of a picture without its legend, in pixels: as large as a
/// texture can be on old graphics cards.
const MAX_SIDE: f32 = 4096.0;
/// The most pixels between two vertices. Small levels would only become coarse.
const MAX_SCALE: f32 = 24.0;
/// Free cells around the grid.
const MARGIN: f32 = 1.0;

/// The mapping from the world to a picture.
pub(super) struct Projection<'a> {
    pub(super) grid: &'a Grid,
    /// Pixels from vertex to vertex.
    pub(super) scale: f32,
    /// Cells left free to the left of the grid and above it; below 0 where
    /// the picture begins inside it.
    corner: Vec2,
    /// Cells across and down.
    cells: Vec2,
}

impl<'a> Projection<'a> {
    /// Shows the whole grid and some cells above it, where jumps rise.
    pub(super) fn new(grid: &'a Grid, above: f32) -> Self {
        let corner = Vec2::new(MARGIN, MARGIN + above.ceil());
        let size = Vec2::new(grid.columns as f32, grid.rows as f32);
        Self::part(grid, corner, corner + size + MARGIN, MAX_SIDE)
    }

    /// Shows an area of `cells`, with the corner of the grid at `corner` in
    /// cells, and no side longer than `longest` pixels.
    pub(super) fn part(grid: &'a Grid, corner: Vec2, cells: Vec2, longest: f32) -> Self {
        let fit = (longest / cells.max_element()).min(MAX_SCALE);
        // Whole pixels keep rows and columns crisp; below 5 pixels they cannot
        // be distinguished anyway.
        let scale = if fit >= 5.0 { fit.floor() } else { fit };
        Self {
            grid,
            scale,
            corner,
            cells,
        }
    }

    pub(super) fn size(&self) -> [u32; 2] {
        let pixels = (self.cells * self.scale).ceil().max(Vec2::ONE);
        [pixels.x as u32, pixels.y as u32]
    }

    pub(super) fn point(&self, p: Vec2) -> Vec2 {
        let down = self.grid.y_axis.down();
        let from_corner = (p - self.grid.origin) * Vec2::new(1.0, down) / self.grid.spacing;
        (from_corner + self.corner) * self.scale + self.crisp()
    }

    pub(super) fn line(&self, points: &[Vec2]) -> Vec<Vec2> {
        points.iter().map(|p| self.point(*p)).collect()
    }

    /// An offset that puts vertices in the middle of a pixel, where lines of
    /// one pixel are sharpest. Vertices are half a cell across and a whole cell
    /// down.
    fn crisp(&self) -> Vec2 {
        let odd = self.scale % 2.0 == 1.0;
        Vec2::new(if odd { 0.0 } else { 0.5 }, 0.5)
    }

    pub(super) fn vertex(&self, column: u32, row: u32) -> Vec2 {
        self.point(self.grid.position(Cell { column, row }))
    }

    /// A width in pixels that is `part` of the way between vertices, kept
    /// within bounds.
    pub(super) fn width(&self, part: f32, least: f32, most: f32) -> f32 {
        (self.scale * part).clamp(least, most)
    }
}

/// How many cells the highest jump rises above the grid.
pub(super) fn highest(grid: &Grid, layer: &Layer) -> f32 {
    let down = f64::from(grid.y_axis.down());
    let above = |link: &Link| {
        let trajectory = trajectory_of(link, layer)?;
        let knots = trajectory.knots();
        let rise = knots.iter().map(|t| trajectory.offset(*t).y);
        let top = f64::from(grid.origin.y) * down - f64::from(link.from.y) * down;
        Some((top + rise.fold(0.0, f64::max)) / f64::from(grid.spacing))
    };
    (layer.links().iter())
        .filter_map(above)
        .fold(0.0, f64::max)
        .min(f64::from(grid.rows)) as f32
}

#[cfg(test)]
mod tests {
    use navmesh_runtime::mesh::YAxis;

    use super::*;

    #[test]
    fn the_scale_suits_the_size() {
        let scale = |columns, rows| {
            let grid = Grid {
                origin: Vec2::ZERO,
                spacing: 8.0,
                columns,
                rows,
                y_axis: YAxis::Down,
            };
            let view = Projection::new(&grid, 2.5);
            assert!(view.size().iter().all(|side| *side <= MAX_SIDE as u32));
            view.scale
        };
        assert_eq!(scale(80, 40), MAX_SCALE);
        assert!((4.0..4.1).contains(&scale(1000, 160)));
        assert!(scale(10_000, 2) < 0.5);
    }
}
