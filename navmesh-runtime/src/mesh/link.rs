//! Stored edges: motions from one platform to another.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use super::{EdgeSet, PlatformId, Program};

/// What kind of motion a link is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum LinkKind {
    /// Leaves with an upward launch.
    Jump,
    /// Leaves without one: walks off a lip and falls.
    Drop,
}

impl LinkKind {
    /// The kind as edge sets name it.
    pub const fn edge(self) -> EdgeSet {
        match self {
            Self::Jump => EdgeSet::JUMP,
            Self::Drop => EdgeSet::DROP,
        }
    }

    /// The name used in dumps and paths.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Jump => "jump",
            Self::Drop => "drop",
        }
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
    /// Seconds it takes: exactly its arc's, once it is part of a mesh.
    pub duration: f32,
    /// How forgiving it is, seconds: how much later the agent may begin to
    /// move across and still land on the same spot in the same time (without
    /// air control: how much of its distance may be missing with the platform
    /// still under its feet). At most a quarter of a second; 0 for a link
    /// that needs every bit of its speed.
    pub tolerance: f32,
    /// The motion between the ends.
    pub program: Program,
}
