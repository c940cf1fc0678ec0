//! What a game reports of a body that its physics moves, and what the body should do.

use glam::Vec2;

/// What a game reports of a body that its physics moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyState {
    /// Feet, world units.
    pub position: Vec2,
    /// Units/s; while a platform that moves carries the body, relative to that.
    pub velocity: Vec2,
    /// Whether the body stands on something.
    pub grounded: bool,
}

/// What a body that is moved by physics should do in the next step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BodyCommand {
    /// The velocity that the body should have in this step, units/s. On floors
    /// and in jumps, a body with its own gravity uses the x only. On a platform that moves, it
    /// is relative to that.
    pub velocity: Vec2,
    /// The velocity with which to begin a jump or a drop now, units/s. From the floor, it
    /// is repeated in every step until the body has left the floor; in the air, it is
    /// given once. It is for a body to whose velocity the engine adds gravity before it
    /// moves the body: the launch of the link and the half step of gravity that this
    /// takes away. It is a little less below a ceiling, where steps differ.
    pub jump: Option<Vec2>,
    /// Whether the `jump` is a drop through the one-way platform below. Let the body
    /// through it until its feet are below.
    pub drop_through: bool,
    /// Whether the body should move by exactly this velocity, without gravity and
    /// collisions: the agent flies, climbs, is in a portal or disabled, also while it
    /// rests there and in the step that ends on a floor.
    pub exact: bool,
}

impl BodyCommand {
    pub(crate) fn moving(velocity: Vec2) -> Self {
        Self {
            velocity,
            ..Self::default()
        }
    }

    pub(crate) fn exactly(velocity: Vec2) -> Self {
        Self {
            velocity,
            exact: true,
            ..Self::default()
        }
    }
}
