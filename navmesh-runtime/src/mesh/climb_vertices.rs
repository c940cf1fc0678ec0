//! The `OnWall` and `OnCeiling` vertices of platforms.

use super::bits::BitGrid;
use super::grid::Grid;
use super::platform::{PlatformKind, Platforms};

/// All `OnWall` and `OnCeiling` vertices of a layer. Everything is empty when no
/// platform is climbed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ClimbVertices {
    pub wall: BitGrid,
    pub ceiling: BitGrid,
    /// The number of vertices of each platform.
    pub counts: Vec<u32>,
}

/// Finds the vertices in reach of walls and ceilings. These are neither
/// `OnFloor` nor blocked, and less than one spacing away from the line of the
/// feet: to the left or right for a wall, straight below for a ceiling.
pub fn climb_vertices(
    platforms: &Platforms,
    grid: &Grid,
    floor: &BitGrid,
    blocked: &BitGrid,
) -> ClimbVertices {
    let mut this = ClimbVertices::default();
    if platforms.iter().all(|p| p.kind == PlatformKind::Floor) {
        return this;
    }
    for plane in [&mut this.wall, &mut this.ceiling] {
        plane.reset(grid.columns, grid.rows);
    }
    let clip = |from: f32, to: f32, count: u32| {
        let from = from.max(0.0).min(count as f32) as u32;
        from..(to.max(0.0).min(count as f32) as u32).max(from)
    };
    let down = grid.y_axis.down();
    for platform in platforms.iter() {
        let (a, b) = (platform.left(), platform.right());
        let column = |x: f32| (x - grid.origin.x) / grid.spacing - 0.5;
        // Vertices lie on the lower border of their row.
        let row = |y: f32| (y - grid.origin.y) * down / grid.spacing - 1.0;
        let mut count = 0;
        let is_ceiling = platform.kind == PlatformKind::Ceiling;
        let (columns, rows) = match platform.kind {
            PlatformKind::Wall => {
                let (top, bottom) = (row(a.y).min(row(b.y)), row(a.y).max(row(b.y)));
                let at = column(a.x);
                // One column, or one on each side, is less than one spacing away.
                let columns = clip(at.floor(), at.ceil() + 1.0, grid.columns);
                (columns, clip(top.ceil(), bottom.floor() + 1.0, grid.rows))
            }
            PlatformKind::Ceiling => {
                let at = row(a.y).ceil();
                let columns = clip(column(a.x).ceil(), column(b.x).floor() + 1.0, grid.columns);
                (columns, clip(at, at + 1.0, grid.rows))
            }
            PlatformKind::Floor | PlatformKind::Ladder => (0..0, 0..0),
        };
        for r in rows {
            for c in columns.clone() {
                let is_taken = this.wall.get(c, r) || is_ceiling && this.ceiling.get(c, r);
                if !is_taken && !blocked.get(c, r) && !floor.get(c, r) {
                    let plane = if is_ceiling {
                        &mut this.ceiling
                    } else {
                        &mut this.wall
                    };
                    plane.set(c, r, true);
                    count += 1;
                }
            }
        }
        this.counts.push(count);
    }
    this
}
