//! The ends of the platform below a position.

use glam::Vec2;

use crate::mesh::{Layer, PlatformId};

/// A platform's two ends. Positions are feet, world units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlatformEdges {
    /// The platform.
    pub platform: PlatformId,
    /// The point on the floor straight below the given position.
    pub beneath: Vec2,
    /// The leftmost place to stand.
    pub left: Vec2,
    /// The rightmost place to stand.
    pub right: Vec2,
}

impl PlatformEdges {
    /// The end that is horizontally nearer to a position.
    pub fn nearer_to(&self, position: Vec2) -> Vec2 {
        if (position.x - self.left.x).abs() <= (self.right.x - position.x).abs() {
            self.left
        } else {
            self.right
        }
    }
}

/// Finds the floor straight below a position (world units) at any depth, and the
/// ends of its platform. `None` when there is no floor, or the position is not
/// finite.
pub fn platform_edges(layer: &Layer, position: Vec2) -> Option<PlatformEdges> {
    if !position.is_finite() {
        return None;
    }
    let spot = layer.floor_below(position, f32::INFINITY)?;
    let platform = layer.platform(spot.platform)?;
    Some(PlatformEdges {
        platform: spot.platform,
        beneath: spot.position,
        left: platform.left(),
        right: platform.right(),
    })
}
