//! An agent of the runtime, run on a baked layer: what it did, as people and
//! programs read it.
//!
//! - `run`: running it.
//! - `write`: text and JSON.

mod run;
mod write;

use glam::Vec2;
use navmesh_runtime::motion::{Activity, AgentEvent, Pose};

pub use run::{samples_along, simulate};

/// What an agent is told, and when.
#[derive(Debug, Clone, PartialEq)]
pub struct Script {
    /// Where it spawns: feet, world units.
    pub from: Vec2,
    /// Where it is sent at once.
    pub to: Vec2,
    /// What it is told later, in any order: seconds, and what.
    pub orders: Vec<(f64, Order)>,
    /// How many times a second it is looked at. The motion is exact for any
    /// step, so this changes how much is told, not what happens.
    pub hz: f64,
    /// Seconds after which nobody waits for it any more.
    pub limit: f64,
}

/// Something an agent is told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Order {
    /// Go there instead.
    Go(Vec2),
    /// Be stunned.
    Disable,
    /// Come to.
    Enable,
}

/// Something that happened.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Happening {
    /// The agent was told something.
    Told(Order),
    /// The agent reports.
    Did(AgentEvent),
}

/// An agent at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// Seconds since the spawn.
    pub time: f64,
    /// Where it is and what it does.
    pub pose: Pose,
    /// Where it wants to be.
    pub destination: Option<Vec2>,
}

/// How a simulation ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ending {
    /// The agent came to rest, or can go nowhere; why is in the activity.
    AtRest(Activity),
    /// It was not at rest when the time was up.
    TimeUp(Activity),
}

/// What an agent did.
#[derive(Debug, Clone, PartialEq)]
pub struct Simulation {
    /// The agent's name.
    pub agent: String,
    /// Where it was, in order of time; the last moment is the end.
    pub moments: Vec<Moment>,
    /// What happened: seconds, and what, in order of time.
    pub happenings: Vec<(f64, Happening)>,
    /// How it ended.
    pub ending: Ending,
}

impl Simulation {
    /// Whether it ended at its last destination.
    pub fn has_arrived(&self) -> bool {
        use navmesh_runtime::motion::IdleReason;
        self.ending == Ending::AtRest(Activity::Idle(IdleReason::Arrived))
    }

    /// Seconds until the end.
    pub fn duration(&self) -> f64 {
        self.moments.last().map_or(0.0, |moment| moment.time)
    }
}

#[cfg(test)]
#[path = "simulation_test.rs"]
mod tests;
