//! What the waypoint measures look at.

use glam::Vec2;

/// What one agent knows of its surroundings: enough to judge a waypoint.
///
/// Positions are feet, in world units.
pub trait Scene {
    /// The agent's own position.
    fn position(&self) -> Vec2;

    /// Where its target is; `None` when it has none.
    fn target(&self) -> Option<Vec2>;

    /// Whether nothing solid lies on the straight line between two positions.
    /// The game raises both to eye height as it sees fit.
    fn line_of_sight(&self, from: Vec2, to: Vec2) -> bool;
}
