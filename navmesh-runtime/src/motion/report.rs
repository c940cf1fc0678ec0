//! What an agent reports: its pose, what it is doing and why, and events.

use glam::Vec2;

use crate::mesh::{Layer, MarkerId, StepKind};
use crate::search::{NoPath, QueryError};

/// What an agent is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Activity {
    /// It stands, holds on to something or hovers.
    Idle(IdleReason),
    /// It runs along a floor.
    Running,
    /// It is in a jump.
    Jumping,
    /// It is in a drop, or falls to where it can stand.
    Dropping,
    /// It flies.
    Flying,
    /// It climbs along a ladder, a wall or a ceiling.
    Climbing,
    /// It was [launched](super::NavAgent::launch), and has not landed yet.
    Launched,
    /// It stands at the entrance of a portal until the portal's time is over, or is on a link
    /// that the game performs.
    InPortal,
    /// It jumps onto a platform that moves, is carried by it, or jumps off it.
    Riding,
    /// There is no place for it. It stays where it is until it is teleported,
    /// the level is swapped, it is stepped in a layer of its own agent, or a body
    /// that it [drives](super::NavAgent::drive_with) is moved to a place.
    Stranded(Stranded),
    /// It was disabled or stunned. It does nothing until it is enabled; a
    /// stunned agent may still fall.
    Disabled,
}

impl Activity {
    /// The name used in reports: `idle`, `running`, `in_portal`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Idle(_) => "idle",
            Self::Running => "running",
            Self::Jumping => "jumping",
            Self::Dropping => "dropping",
            Self::Flying => "flying",
            Self::Climbing => "climbing",
            Self::Launched => "launched",
            Self::InPortal => "in_portal",
            Self::Riding => "riding",
            Self::Stranded(_) => "stranded",
            Self::Disabled => "disabled",
        }
    }

    /// Whether the agent is on its way. This includes an agent that stands in a
    /// portal.
    pub const fn is_moving(self) -> bool {
        !matches!(self, Self::Idle(_) | Self::Stranded(_) | Self::Disabled)
    }
}

/// Why an agent does not move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum IdleReason {
    /// It has no destination.
    NoDestination,
    /// It is at its destination.
    Arrived,
    /// It is as near to its destination as it can get, and does not get nearer
    /// for this reason.
    NearestReached(NoPath),
    /// No path leads to its destination.
    CannotReach(NoPath),
    /// Its destination or its filter is invalid.
    Rejected(QueryError),
    /// It waits for a path, for a platform that moves, or because another agent is in its way.
    Waiting,
}

/// Why there is no place for an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Stranded {
    /// There is no place to stand at its position or below.
    #[error("there is nothing below to land on; teleport it to somewhere inside the level")]
    NothingBelow,
    /// It fell out of the level, below the grid.
    #[error("it fell out of the level; teleport it to somewhere inside the level")]
    LeftLevel,
    /// It flies, and no free vertex is near.
    #[error("no free vertex is near; teleport it out of the geometry")]
    NoFreeVertex,
    /// It was stepped in a layer baked for another agent. Once it is stepped
    /// in a layer of its own agent, it finds its place there and plans again.
    #[error("the layer was baked for another agent; step it in the layer of its own agent")]
    WrongLayer,
    /// Its position has a coordinate that is not finite.
    #[error("its position is not finite; teleport it to somewhere inside the level")]
    NotFinite,
}

impl Stranded {
    /// Why [`SnapTo::Rest`](crate::search::SnapTo::Rest) finds no place for a position.
    pub(crate) fn at(layer: &Layer, position: Vec2) -> Self {
        if !position.is_finite() {
            Self::NotFinite
        } else if layer.profile().edges.walks() {
            Self::NothingBelow
        } else {
            Self::NoFreeVertex
        }
    }
}

/// The direction an agent looks in.
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
    /// Units/s. For a body that an agent [drives](super::NavAgent::drive_with) exactly:
    /// the velocity that takes the body to `position` within the step.
    pub velocity: Vec2,
    /// The direction it looks in.
    pub facing: Facing,
    /// What it is doing.
    pub activity: Activity,
}

/// Something that happened in a step. Positions are feet, world units.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum AgentEvent {
    /// It is at its destination, or came to rest after
    /// [`stop`](super::NavAgent::stop).
    Arrived {
        /// Where it is.
        at: Vec2,
    },
    /// It began a jump.
    Jumped {
        /// Where it took off.
        from: Vec2,
        /// Where it will land.
        to: Vec2,
    },
    /// It began a drop or a fall.
    Dropped {
        /// Where that begins.
        from: Vec2,
        /// Where it will land.
        to: Vec2,
    },
    /// A spring throws it.
    Thrown {
        /// Where it touches the spring.
        from: Vec2,
        /// Where it will land.
        to: Vec2,
    },
    /// It began to fly.
    TookOff {
        /// Where it left the floor.
        from: Vec2,
    },
    /// It came down on a platform, from a flight, a jump, a fall or a launch.
    Landed {
        /// Where it is.
        at: Vec2,
    },
    /// It entered a portal, and waits there for as long as the portal takes.
    EnteredPortal {
        /// The entrance.
        from: Vec2,
        /// The exit.
        to: Vec2,
    },
    /// It came out of a portal: its position changed at once. If the engine
    /// moves the bodies, it must move this body to `to` before the next report.
    Teleported {
        /// The entrance.
        from: Vec2,
        /// The exit, where it is now.
        to: Vec2,
    },
    /// It began a link that the game performs: a rope, a zip line, a jump of a cut scene. The
    /// agent moves along the line of the link for the time that the level gives it. A game
    /// that moves the body in another way calls
    /// [`finish_link`](super::NavAgent::finish_link) when it has done so.
    LinkStarted {
        /// The marker of class `link`: its name and properties are those of
        /// [`NavMesh::marker`](crate::mesh::NavMesh::marker).
        marker: MarkerId,
        /// Where the link begins.
        from: Vec2,
        /// Where it ends.
        to: Vec2,
    },
    /// A link that the game performs is over. It is not reported after a stun or a launch.
    LinkFinished {
        /// The marker of class `link`.
        marker: MarkerId,
        /// Where the link ends.
        to: Vec2,
    },
    /// It is on a platform that moves.
    Boarded {
        /// The marker of class `moving_platform`.
        marker: MarkerId,
        /// Where it landed on it.
        at: Vec2,
    },
    /// It is on a floor again after a ride on a platform that moves.
    GotOff {
        /// The marker of class `moving_platform`.
        marker: MarkerId,
        /// Where it is.
        at: Vec2,
    },
    /// A door closed on it. It moves out by the nearest side at which it enters
    /// no other closed door, or else by the nearest side, and then goes on to its
    /// destination.
    CaughtInDoor {
        /// Where it is.
        at: Vec2,
    },
    /// It stands in front of a closed door that it [may
    /// break](super::NavAgent::set_break_cost), and goes on when the game opens the door. It is
    /// reported again after each [`go_to`](super::NavAgent::go_to) that leads through the door.
    BlockedBy {
        /// The marker of the door: its name and properties are those of
        /// [`NavMesh::marker`](crate::mesh::NavMesh::marker).
        marker: MarkerId,
        /// Where the agent is.
        at: Vec2,
    },
    /// It can no longer follow its path, and plans again.
    PathLost(PathLostReason),
    /// No path leads to its destination.
    CannotReach(NoPath),
    /// A body that it [drives](super::NavAgent::drive_with) has made no progress towards
    /// its destination for 4 seconds, for instance because something is in its way,
    /// or because it stands on something high that the mesh does not have. It plans
    /// again.
    Stuck {
        /// Where it is.
        at: Vec2,
    },
    /// There is no place for it.
    Stranded(Stranded),
}

impl AgentEvent {
    /// The beginning of a jump or drop.
    pub(crate) fn of_take_off(kind: StepKind, from: Vec2, to: Vec2) -> Self {
        match kind {
            StepKind::Jump => Self::Jumped { from, to },
            StepKind::Spring => Self::Thrown { from, to },
            _ => Self::Dropped { from, to },
        }
    }

    /// The name used in reports: `arrived`, `entered_portal`, `path_lost`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Arrived { .. } => "arrived",
            Self::Jumped { .. } => "jumped",
            Self::Dropped { .. } => "dropped",
            Self::Thrown { .. } => "thrown",
            Self::TookOff { .. } => "took_off",
            Self::Landed { .. } => "landed",
            Self::EnteredPortal { .. } => "entered_portal",
            Self::Teleported { .. } => "teleported",
            Self::LinkStarted { .. } => "link_started",
            Self::LinkFinished { .. } => "link_finished",
            Self::Boarded { .. } => "boarded",
            Self::GotOff { .. } => "got_off",
            Self::CaughtInDoor { .. } => "caught_in_door",
            Self::BlockedBy { .. } => "blocked_by",
            Self::PathLost(_) => "path_lost",
            Self::CannotReach(_) => "cannot_reach",
            Self::Stuck { .. } => "stuck",
            Self::Stranded(_) => "stranded",
        }
    }
}

/// Why an agent can no longer follow its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PathLostReason {
    /// A door on the path was closed.
    #[error("a door on it was closed")]
    Door,
    /// The body was reported too far from the planned position.
    #[error("the body was pushed away")]
    Drift,
    /// The level was swapped.
    #[error("the level is another one")]
    Level,
    /// The agent's limits became too tight for the path.
    #[error("the agent's limits became too tight for it")]
    Limits,
}
