//! Stored edges: motions from one platform to another.

use glam::Vec2;

use super::{EdgeSet, Fall, PlatformId, Trajectory, TrajectoryError, TrajectoryParams};

/// What kind of motion a link is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum LinkKind {
    /// Leaves with an upward launch.
    Jump,
    /// Leaves without one: walks off a lip, or lets go, and falls.
    Drop,
    /// Falls through the one-way platform it stands on.
    DropThrough,
    /// Steps from the floor onto a ladder or from a ladder onto the floor.
    Ladder,
    /// Steps from the floor onto a wall or from a wall onto the floor.
    WallClimb,
    /// Changes between a wall and a ceiling.
    CeilingClimb,
    /// Is elsewhere at once.
    Portal,
    /// Walks on where there is no way back: through a one-way gate, or up a
    /// slope through a one-way top.
    OneWayStep,
}

impl LinkKind {
    /// Every kind, in the order of their numbers in the asset.
    pub const ALL: [Self; 8] = [
        Self::Jump,
        Self::Drop,
        Self::DropThrough,
        Self::Ladder,
        Self::WallClimb,
        Self::CeilingClimb,
        Self::Portal,
        Self::OneWayStep,
    ];

    /// The kind as edge sets name it.
    pub const fn edge(self) -> EdgeSet {
        match self {
            Self::Jump => EdgeSet::JUMP,
            Self::Drop => EdgeSet::DROP,
            Self::DropThrough => EdgeSet::DROP_THROUGH,
            Self::Ladder => EdgeSet::LADDER,
            Self::WallClimb => EdgeSet::WALL_CLIMB,
            Self::CeilingClimb => EdgeSet::CEILING_CLIMB,
            Self::Portal => EdgeSet::PORTAL,
            Self::OneWayStep => EdgeSet::FLOOR,
        }
    }

    /// The name used in dumps and paths.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Jump => "jump",
            Self::Drop => "drop",
            Self::DropThrough => "drop_through",
            Self::Ladder => "ladder",
            Self::WallClimb => "wall_climb",
            Self::CeilingClimb => "ceiling_climb",
            Self::Portal => "portal",
            Self::OneWayStep => "pass",
        }
    }

    /// Whether the agent flies along an arc. The others go straight from end
    /// to end, or, through a portal, are at the other end at once.
    pub const fn is_airborne(self) -> bool {
        matches!(self, Self::Jump | Self::Drop | Self::DropThrough)
    }
}

/// A directed edge between two positions, each anywhere on its platform.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// What kind of motion it is.
    pub kind: LinkKind,
    /// Platform it leaves.
    pub from_platform: PlatformId,
    /// Platform it lands on.
    pub to_platform: PlatformId,
    /// Feet at take-off, world units.
    pub from: Vec2,
    /// Feet at landing, world units.
    pub to: Vec2,
    /// Seconds it takes: exactly its arc's, once it is part of a mesh. For a
    /// portal, what passing it costs.
    pub duration: f32,
    /// How forgiving it is, seconds: how much later the agent may begin to
    /// move across and still land on the same spot in the same time (without
    /// air control: how much of its distance may be missing with the platform
    /// still under its feet). At most a quarter of a second; 0 for a link
    /// that needs every bit of its speed.
    pub tolerance: f32,
    /// The motion between the ends; for kinds that are not
    /// [airborne](LinkKind::is_airborne), [`TrajectoryParams::steady`].
    pub params: TrajectoryParams,
}

impl Link {
    /// The arc between its ends, for an agent that falls so, in a world where
    /// one unit downwards adds `down` to y.
    ///
    /// # Errors
    /// When the program does not lead from one end to the other; always for
    /// kinds that are not [airborne](LinkKind::is_airborne).
    pub fn trajectory(
        &self,
        fall: impl Into<Fall>,
        down: f32,
    ) -> Result<Trajectory, TrajectoryError> {
        if !self.kind.is_airborne() {
            return Err(TrajectoryError::Malformed);
        }
        self.params.between(self.from, self.to, fall, down)
    }
}
