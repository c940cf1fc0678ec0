//! What an agent is doing, and why it does not move.

use glam::Vec2;

use crate::search::{NoPath, QueryError};

/// What an agent is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Activity {
    /// It stands, or hovers, and why.
    Idle(IdleReason),
    /// It runs along a platform.
    Running,
    /// It is in a jump.
    Jumping,
    /// It is in a drop, or falls to where it can stand.
    Dropping,
    /// It flies.
    Flying,
    /// It climbs along a ladder, a wall or a ceiling.
    Climbing,
    /// It is in a portal, and stands at its entrance until the time that
    /// takes is over.
    InPortal,
    /// There is nowhere for it to be; it stays where it is until it is
    /// teleported, the level changes, or it is stepped in its own agent's
    /// layer.
    Stranded(Stranded),
    /// It was disabled, and stays where it is until it is enabled.
    Disabled,
}

impl Activity {
    /// The name used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Idle(_) => "idle",
            Self::Running => "running",
            Self::Jumping => "jumping",
            Self::Dropping => "dropping",
            Self::Flying => "flying",
            Self::Climbing => "climbing",
            Self::InPortal => "in_portal",
            Self::Stranded(_) => "stranded",
            Self::Disabled => "disabled",
        }
    }

    /// Whether it is on its way somewhere.
    pub const fn is_moving(self) -> bool {
        matches!(
            self,
            Self::Running
                | Self::Jumping
                | Self::Dropping
                | Self::Flying
                | Self::Climbing
                | Self::InPortal
        )
    }
}

/// Why an agent rests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum IdleReason {
    /// It has no destination.
    NoDestination,
    /// It is at its destination.
    Arrived,
    /// It is as near to its destination as it can get, and why not nearer.
    NearestReached(NoPath),
    /// No path leads to its destination.
    CannotReach(NoPath),
    /// Its destination or its filter makes no sense.
    Rejected(QueryError),
    /// It waits for a path.
    Waiting,
}

/// Why there is nowhere for an agent to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Stranded {
    /// It can be neither where it is nor anywhere below.
    #[error("there is nothing below to land on; teleport it to somewhere inside the level")]
    NothingBelow,
    /// It flies, and no free vertex is near.
    #[error("no free vertex is near; teleport it out of the geometry")]
    NoFreeVertex,
    /// It was stepped in a layer baked for another agent. Step it in its own
    /// agent's layer, and it finds its place there and plans again.
    #[error("the layer was baked for another agent; step it in the layer of its own agent")]
    WrongLayer,
    /// Its position has a coordinate that is not finite.
    #[error("its position is not finite; teleport it to somewhere inside the level")]
    NotFinite,
}

/// Which way an agent looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Facing {
    /// To smaller x.
    Left,
    /// To larger x.
    #[default]
    Right,
}

/// An agent at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Feet, world units.
    pub position: Vec2,
    /// Units/s. For engines that move bodies themselves and
    /// [report](super::NavAgent::sync) where they are: the wanted velocity,
    /// which takes the body to `position` in the time of the step.
    pub velocity: Vec2,
    /// Which way it looks.
    pub facing: Facing,
    /// What it is doing.
    pub activity: Activity,
}
