//! What agents report, as Bevy messages.

use bevy::ecs::prelude::*;
use bevy::math::Vec2;
use navmesh_runtime::mesh::MarkerId;
use navmesh_runtime::motion::{AgentEvent, PathLostReason, Stranded};
use navmesh_runtime::search::NoPath;

use crate::level::Frame;

/// Something that happened to an agent.
///
/// ```
/// # use bevy::ecs::prelude::*;
/// # use bevy_navbake::{NavEvent, NavEventKind};
/// fn dust(mut events: MessageReader<NavEvent>) {
///     for event in events.read() {
///         if let NavEventKind::Landed = event.kind {
///             println!("{} landed at {}", event.agent, event.position);
///         }
///     }
/// }
/// ```
#[derive(Message, Debug, Clone, Copy, PartialEq)]
pub struct NavEvent {
    /// The agent.
    pub agent: Entity,
    /// Its feet when it happened, world units.
    pub position: Vec2,
    /// What happened.
    pub kind: NavEventKind,
}

/// What happened to an agent. Positions are feet, world units.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum NavEventKind {
    /// It is at its destination.
    Arrived,
    /// It began a jump.
    Jumped {
        /// Where it will land.
        to: Vec2,
    },
    /// It began a drop or a fall.
    Dropped {
        /// Where it will land.
        to: Vec2,
    },
    /// A spring throws it.
    Thrown {
        /// Where it will land.
        to: Vec2,
    },
    /// It left the floor to fly.
    TookOff,
    /// It came down on a platform, from a flight, a jump, a fall or a launch.
    Landed,
    /// It entered a portal, and waits there for as long as the portal takes.
    EnteredPortal {
        /// The exit.
        to: Vec2,
    },
    /// It came out of a portal. The game must move the body of a
    /// [`NavBody`](crate::NavBody) here before the next step.
    Teleported {
        /// The entrance.
        from: Vec2,
    },
    /// It began a link that the game performs. A game that moves the body in its own way
    /// calls [`NavAgent::finish_link`](crate::NavAgent::finish_link).
    LinkStarted {
        /// Its marker in the mesh.
        marker: MarkerId,
        /// Where the link ends.
        to: Vec2,
    },
    /// A link that the game performs is over.
    LinkFinished {
        /// Its marker in the mesh.
        marker: MarkerId,
    },
    /// It stands in front of a closed door that it may break.
    BlockedBy {
        /// The marker of the door in the mesh.
        marker: MarkerId,
    },
    /// It is on a platform that moves.
    Boarded {
        /// The marker of the platform in the mesh.
        marker: MarkerId,
    },
    /// It is on a floor again after a ride on a platform that moves.
    GotOff {
        /// The marker of the platform in the mesh.
        marker: MarkerId,
    },
    /// A door closed on it. It moves out by the nearest side.
    CaughtInDoor,
    /// It can no longer follow its path, and plans again.
    PathLost(PathLostReason),
    /// No path leads to its destination.
    CannotReach(NoPath),
    /// Its body makes no progress. It plans again.
    Stuck,
    /// There is no place for it in the level.
    Stranded(Stranded),
}

impl NavEvent {
    /// `None` for an event that this version of the crate does not know.
    pub(crate) fn new(agent: Entity, event: &AgentEvent, frame: Frame, feet: Vec2) -> Option<Self> {
        let world = |at| frame.to_world(at);
        let (position, kind) = match *event {
            AgentEvent::Arrived { at } => (world(at), NavEventKind::Arrived),
            AgentEvent::Jumped { from, to } => {
                (world(from), NavEventKind::Jumped { to: world(to) })
            }
            AgentEvent::Dropped { from, to } => {
                (world(from), NavEventKind::Dropped { to: world(to) })
            }
            AgentEvent::Thrown { from, to } => {
                (world(from), NavEventKind::Thrown { to: world(to) })
            }
            AgentEvent::TookOff { from } => (world(from), NavEventKind::TookOff),
            AgentEvent::Landed { at } => (world(at), NavEventKind::Landed),
            AgentEvent::EnteredPortal { from, to } => {
                (world(from), NavEventKind::EnteredPortal { to: world(to) })
            }
            AgentEvent::Teleported { from, to } => {
                (world(to), NavEventKind::Teleported { from: world(from) })
            }
            AgentEvent::LinkStarted { marker, from, to } => (
                world(from),
                NavEventKind::LinkStarted {
                    marker,
                    to: world(to),
                },
            ),
            AgentEvent::LinkFinished { marker, to } => {
                (world(to), NavEventKind::LinkFinished { marker })
            }
            AgentEvent::BlockedBy { marker, at } => (world(at), NavEventKind::BlockedBy { marker }),
            AgentEvent::Boarded { marker, at } => (world(at), NavEventKind::Boarded { marker }),
            AgentEvent::GotOff { marker, at } => (world(at), NavEventKind::GotOff { marker }),
            AgentEvent::CaughtInDoor { at } => (world(at), NavEventKind::CaughtInDoor),
            AgentEvent::PathLost(reason) => (feet, NavEventKind::PathLost(reason)),
            AgentEvent::CannotReach(reason) => (feet, NavEventKind::CannotReach(reason)),
            AgentEvent::Stuck { at } => (world(at), NavEventKind::Stuck),
            AgentEvent::Stranded(reason) => (feet, NavEventKind::Stranded(reason)),
            _ => return None,
        };
        Some(Self {
            agent,
            position,
            kind,
        })
    }
}
