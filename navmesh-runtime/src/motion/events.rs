//! What happened to an agent.

use glam::Vec2;

use crate::search::NoPath;

/// Something that happened since the last step, in order of time.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum AgentEvent {
    /// It is at its destination.
    Arrived {
        /// Feet, world units.
        at: Vec2,
    },
    /// It left the floor with a launch.
    Jumped {
        /// Feet at take-off.
        from: Vec2,
        /// Where it will land.
        to: Vec2,
    },
    /// It left the floor without a launch, or began to fall.
    Dropped {
        /// Feet at the beginning.
        from: Vec2,
        /// Where it will land.
        to: Vec2,
    },
    /// It took to the air.
    TookOff {
        /// Feet, world units.
        from: Vec2,
    },
    /// It came down on floor.
    Landed {
        /// Feet, world units.
        at: Vec2,
    },
    /// It went into a portal, and waits there for as long as the portal
    /// takes.
    EnteredPortal {
        /// Feet at the entrance.
        from: Vec2,
        /// Where it will come out.
        to: Vec2,
    },
    /// It came out of a portal: its position has jumped. An engine that moves
    /// bodies itself moves this one to `to` before it reports where it is.
    Teleported {
        /// Feet at the entrance.
        from: Vec2,
        /// Feet at the exit, where it is now.
        to: Vec2,
    },
    /// What it followed is no longer possible: a door closed, it was pushed
    /// away, or the level changed. It plans anew.
    PathLost(PathLostReason),
    /// No path leads to its destination.
    CannotReach(NoPath),
    /// There is nowhere for it to be.
    Stranded(super::Stranded),
}

impl AgentEvent {
    /// The name used in reports.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Arrived { .. } => "arrived",
            Self::Jumped { .. } => "jumped",
            Self::Dropped { .. } => "dropped",
            Self::TookOff { .. } => "took_off",
            Self::Landed { .. } => "landed",
            Self::EnteredPortal { .. } => "entered_portal",
            Self::Teleported { .. } => "teleported",
            Self::PathLost(_) => "path_lost",
            Self::CannotReach(_) => "cannot_reach",
            Self::Stranded(_) => "stranded",
        }
    }
}

/// Why a path was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathLostReason {
    /// A region on it was blocked.
    Door,
    /// The body was reported too far from where it should be.
    Drift,
    /// The layer is another one.
    Level,
    /// The agent's limits became too tight for it.
    Limits,
}

impl PathLostReason {
    /// The reason in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Door => "a door closed on it",
            Self::Drift => "the body was pushed away",
            Self::Level => "the level is another one",
            Self::Limits => "the agent's limits became too tight for it",
        }
    }
}
