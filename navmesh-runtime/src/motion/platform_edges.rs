//! The ends of the platform beneath a position. Feature A11.

use glam::Vec2;

use crate::mesh::{Layer, PlatformId};

/// A platform's two ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlatformEdges {
    /// The platform.
    pub platform: PlatformId,
    /// The floor beneath the position asked about, world units.
    pub beneath: Vec2,
    /// Furthest to the left that the feet can stand.
    pub left: Vec2,
    /// Furthest to the right that the feet can stand.
    pub right: Vec2,
}

impl PlatformEdges {
    /// The end nearer to a position, across.
    pub fn nearer_to(&self, position: Vec2) -> Vec2 {
        if (position.x - self.left.x).abs() <= (self.right.x - position.x).abs() {
            self.left
        } else {
            self.right
        }
    }
}

/// Finds the floor straight beneath a position, however far down, and from
/// there, left and right along it, both ends. `None` when there is no floor.
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
