//! The `OnWall` and `OnCeiling` vertices of platforms.

use super::bits::BitGrid;
use super::error::MeshError;
use super::grid::Grid;
use super::ids::PlatformId;
use super::platform::{PlatformKind, Platforms};

/// All `OnWall` and `OnCeiling` vertices of a layer.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct ClimbVertices {
    pub(super) wall: Option<BitGrid>,
    pub(super) ceiling: Option<BitGrid>,
    /// The number of vertices of each platform; empty when no platform is
    /// climbed.
    pub(super) counts: Vec<u32>,
}

/// Finds the vertices in reach of walls and ceilings. These are neither
/// `OnFloor` nor blocked, and less than one spacing away from the line of the
/// feet: to the left or right for a wall, straight below for a ceiling.
///
/// # Errors
/// When far more walls and ceilings overlap than a level has room for, as only a
/// forged file has them: each would take time in proportion to its length.
pub(super) fn climb_vertices(
    platforms: &Platforms,
    grid: &Grid,
    floor: &BitGrid,
    blocked: &BitGrid,
) -> Result<ClimbVertices, MeshError> {
    let mut this = ClimbVertices::default();
    if platforms.iter().all(|p| p.kind == PlatformKind::Floor) {
        return Ok(this);
    }
    let mut steps = OVERLAPPING * (grid.vertices() + platforms.len());
    let mut wall = BitGrid::new(grid.columns, grid.rows);
    let mut ceiling = BitGrid::new(grid.columns, grid.rows);
    let free = |c: u32, r: u32| !blocked.get(c, r) && !floor.get(c, r);
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
        match platform.kind {
            PlatformKind::Wall => {
                let (top, bottom) = (row(a.y).min(row(b.y)), row(a.y).max(row(b.y)));
                let at = column(a.x);
                let down = clip(top.ceil(), bottom.floor() + 1.0, grid.rows);
                steps = take(steps, down.len(), platform.id)?;
                for r in down {
                    for c in clip(at.floor(), at.ceil() + 1.0, grid.columns) {
                        if (c as f32 - at).abs() < 1.0 && free(c, r) && !wall.get(c, r) {
                            wall.set(c, r, true);
                            count += 1;
                        }
                    }
                }
            }
            PlatformKind::Ceiling => {
                let at = row(a.y);
                let across = clip(column(a.x).ceil(), column(b.x).floor() + 1.0, grid.columns);
                steps = take(steps, across.len(), platform.id)?;
                for c in across {
                    for r in clip(at.ceil(), at.ceil() + 1.0, grid.rows) {
                        let taken = wall.get(c, r) || ceiling.get(c, r);
                        if free(c, r) && !taken {
                            ceiling.set(c, r, true);
                            count += 1;
                        }
                    }
                }
            }
            PlatformKind::Floor | PlatformKind::Ladder => {}
        }
        this.counts.push(count);
    }
    this.wall = Some(wall);
    this.ceiling = Some(ceiling);
    Ok(this)
}

/// How often the walls and ceilings of a level may pass one vertex on average.
/// Free space as wide as a body lies between walls that face each other, so real
/// levels stay below 4 unless bodies are much narrower than the grid's spacing.
const OVERLAPPING: usize = 64;

/// What is left of `steps` after `taken`.
fn take(steps: usize, taken: usize, platform: PlatformId) -> Result<usize, MeshError> {
    let overlapping = || MeshError::of("platform", platform, "overlaps too many other platforms");
    steps.checked_sub(taken).ok_or_else(overlapping)
}
