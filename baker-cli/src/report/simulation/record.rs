//! Scripts for an agent, and the record of what it did.

use std::sync::Arc;

use glam::Vec2;
use navmesh_runtime::mesh::NavMesh;
use navmesh_runtime::motion::{Activity, AgentEvent, IdleReason, Pose};
use navmesh_runtime::search::{Doors, Rect};

/// The commands that an agent gets.
#[derive(Debug, Clone, PartialEq)]
pub struct Script {
    /// The position of the feet at the start, world units.
    pub from: Vec2,
    /// The first destination, world units.
    pub to: Vec2,
    /// The doors at the start.
    pub doors: Doors,
    /// Later commands and their times in seconds, in any order.
    pub commands: Vec<(f64, AgentCommand)>,
    /// How many times per second the agent is recorded. The motion is exact for
    /// any step, so this does not change what happens.
    pub hz: f64,
    /// Seconds after which the simulation stops.
    pub limit: f64,
}

/// A command to the agent or to the doors.
#[derive(Debug, Clone, PartialEq)]
pub enum AgentCommand {
    /// Go to another destination.
    Go(Vec2),
    /// Disable the agent (a stun).
    Disable,
    /// Enable the agent again.
    Enable,
    /// Close the doors of a name; without effect when there are none.
    CloseDoor(String),
    /// Open the doors of a name; without effect when there are none.
    OpenDoor(String),
    /// The ground in a region has changed: go on in this version of the level.
    Ground {
        /// World units.
        region: Rect,
        /// The name of the event: `ground_removed`, `ground_restored` or `ground_edited`.
        event: &'static str,
        /// The level after that.
        level: Arc<NavMesh>,
    },
}

/// An entry of the log.
#[derive(Debug, Clone, PartialEq)]
pub enum Occurrence {
    /// The agent or a door got a command.
    Commanded(AgentCommand),
    /// The agent reported an event.
    Event(AgentEvent),
}

/// The agent at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// Seconds since the start.
    pub time: f64,
    /// Position, velocity and activity.
    pub pose: Pose,
    /// Its destination.
    pub destination: Option<Vec2>,
}

/// How a simulation ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ending {
    /// The agent is at rest or cannot go on; the activity says why.
    AtRest(Activity),
    /// The agent still moved when the time was up.
    TimeUp(Activity),
}

/// What the agent did.
#[derive(Debug, Clone, PartialEq)]
pub struct Simulation {
    /// The name of the agent.
    pub agent: String,
    /// Where it was, sorted by time; the last moment is the end.
    pub moments: Vec<Moment>,
    /// Commands and events with their times in seconds, sorted.
    pub occurrences: Vec<(f64, Occurrence)>,
    /// How it ended.
    pub ending: Ending,
}

impl Simulation {
    /// Whether the agent arrived at its last destination.
    pub fn has_arrived(&self) -> bool {
        self.ending == Ending::AtRest(Activity::Idle(IdleReason::Arrived))
    }

    /// Seconds until the end.
    pub fn duration(&self) -> f64 {
        self.moments.last().map_or(0.0, |moment| moment.time)
    }
}
