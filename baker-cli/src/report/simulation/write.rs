//! A simulation as text and as JSON.

use std::io::{self, Write};

use glam::Vec2;
use navmesh_runtime::motion::{Activity, AgentEvent, Facing, IdleReason};
use schemars::JsonSchema;
use serde::Serialize;

use super::record::{AgentCommand, Ending, Moment, Occurrence, Simulation};
use crate::report::format::{label, place_text, point, position, with_reason, write_json};

/// `simulate --json`.
#[derive(Serialize, JsonSchema)]
#[schemars(extend(
    "if" = {"properties": {"outcome": {"const": "arrived"}}},
    "else" = {"required": ["reason"]}
))]
pub struct SimulationJson<'a> {
    agent: &'a str,
    #[schemars(extend("enum" = [
        "arrived", "cannot_reach", "rejected", "stranded", "disabled", "idle", "time_up"
    ]))]
    outcome: &'static str,
    /// Why it did not arrive.
    #[serde(skip_serializing_if = "String::is_empty")]
    reason: String,
    /// Seconds.
    #[schemars(range(min = 0))]
    duration: f64,
    /// Commands and what happened, in order.
    events: Vec<EventJson>,
    /// Where it was, so many times a second and at the end.
    samples: Vec<MomentJson>,
}

#[derive(Default, Serialize, JsonSchema)]
struct EventJson {
    /// Seconds.
    #[schemars(range(min = 0))]
    t: f64,
    /// sent, stunned, enabled, `door_closed`, `door_opened`, `ground_removed`, `ground_restored`, `ground_edited`,
    /// arrived, jumped, dropped, landed, and others.
    #[schemars(regex(pattern = "^[a-z_]+$"))]
    event: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// Name of the doors of `door_closed` and `door_opened`.
    #[serde(skip_serializing_if = "Option::is_none")]
    door: Option<String>,
}

impl EventJson {
    fn new(t: f64, occurrence: &Occurrence) -> Self {
        let mut json = Self {
            t,
            ..Self::default()
        };
        match occurrence {
            Occurrence::Commanded(AgentCommand::Go(to)) => {
                (json.event, json.to) = ("sent", Some(point(*to)));
            }
            Occurrence::Commanded(AgentCommand::Disable) => json.event = "stunned",
            Occurrence::Commanded(AgentCommand::Enable) => json.event = "enabled",
            Occurrence::Commanded(AgentCommand::CloseDoor(name)) => {
                (json.event, json.door) = ("door_closed", Some(name.clone()));
            }
            Occurrence::Commanded(AgentCommand::OpenDoor(name)) => {
                (json.event, json.door) = ("door_opened", Some(name.clone()));
            }
            Occurrence::Commanded(AgentCommand::Ground { region, event, .. }) => {
                json.event = event;
                (json.from, json.to) = (Some(point(region.min)), Some(point(region.max)));
            }
            Occurrence::Event(event) => {
                json.event = event.name();
                match event {
                    AgentEvent::Arrived { at }
                    | AgentEvent::Landed { at }
                    | AgentEvent::CaughtInDoor { at }
                    | AgentEvent::LinkFinished { to: at, .. }
                    | AgentEvent::BlockedBy { at, .. }
                    | AgentEvent::Boarded { at, .. }
                    | AgentEvent::GotOff { at, .. }
                    | AgentEvent::Stuck { at } => json.at = Some(point(*at)),
                    AgentEvent::Jumped { from, to }
                    | AgentEvent::Dropped { from, to }
                    | AgentEvent::Thrown { from, to }
                    | AgentEvent::EnteredPortal { from, to }
                    | AgentEvent::LinkStarted { from, to, .. }
                    | AgentEvent::Teleported { from, to } => {
                        (json.from, json.to) = (Some(point(*from)), Some(point(*to)));
                    }
                    AgentEvent::TookOff { from } => json.from = Some(point(*from)),
                    AgentEvent::PathLost(why) => json.why = Some(why.to_string()),
                    AgentEvent::CannotReach(why) => json.why = Some(why.to_string()),
                    AgentEvent::Stranded(why) => json.why = Some(why.to_string()),
                    // Events of later versions of the runtime.
                    _ => {}
                }
            }
        }
        json
    }
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Moment")]
struct MomentJson {
    /// Seconds.
    #[schemars(range(min = 0))]
    t: f64,
    /// x, y in world units.
    at: [f64; 2],
    velocity: [f64; 2],
    #[schemars(extend("enum" = ["left", "right"]))]
    facing: &'static str,
    /// running, jumping, dropping, flying, climbing, idle, and others.
    #[schemars(regex(pattern = "^[a-z_]+$"))]
    activity: &'static str,
}

impl From<&Moment> for MomentJson {
    fn from(Moment { time, pose, .. }: &Moment) -> Self {
        Self {
            t: *time,
            at: point(pose.position),
            velocity: point(pose.velocity),
            facing: match pose.facing {
                Facing::Left => "left",
                Facing::Right => "right",
            },
            activity: pose.activity.name(),
        }
    }
}

impl Ending {
    /// The name used in reports.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::TimeUp(_) => "time_up",
            Self::AtRest(Activity::Idle(why)) => match why {
                IdleReason::Arrived => "arrived",
                IdleReason::CannotReach(_) => "cannot_reach",
                IdleReason::Rejected(_) => "rejected",
                _ => "idle",
            },
            Self::AtRest(other) => other.name(),
        }
    }

    /// Why the agent did not arrive, as text; empty when it did.
    pub fn reason(&self) -> String {
        match self {
            Self::TimeUp(activity) => format!("still {} when the time was up", activity.name()),
            Self::AtRest(Activity::Idle(why)) => match why {
                IdleReason::CannotReach(why) => why.to_string(),
                IdleReason::Rejected(why) => why.to_string(),
                _ => String::new(),
            },
            Self::AtRest(Activity::Stranded(why)) => why.to_string(),
            Self::AtRest(Activity::Disabled) => "it was stunned and not enabled again".to_owned(),
            Self::AtRest(_) => String::new(),
        }
    }
}

impl Simulation {
    /// Writes JSON.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        let events = self.occurrences.iter();
        let json = SimulationJson {
            agent: &self.agent,
            outcome: self.ending.name(),
            reason: self.ending.reason(),
            duration: self.duration(),
            events: events.map(|(t, what)| EventJson::new(*t, what)).collect(),
            samples: self.moments.iter().map(MomentJson::from).collect(),
        };
        write_json(&json, 2, out)
    }

    /// Writes text: occurrences and, if they are wanted, positions, sorted by time.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn text(&self, has_positions: bool, out: &mut dyn Write) -> io::Result<()> {
        let ending = format!(
            "{} after {:.3} s",
            label(self.ending.name()),
            self.duration()
        );
        writeln!(out, "{}", with_reason(&ending, &self.ending.reason()))?;
        let moments: &[_] = if has_positions { &self.moments } else { &[] };
        let mut moments = moments.iter().peekable();
        for (time, occurrence) in &self.occurrences {
            // At the same time the occurrence comes first: it explains the
            // position.
            while let Some(moment) = moments.next_if(|m| m.time < *time) {
                moment_line(moment, out)?;
            }
            writeln!(out, "{time:9.3} s  {}", description(occurrence))?;
        }
        for moment in moments {
            moment_line(moment, out)?;
        }
        Ok(())
    }
}

fn moment_line(moment: &Moment, out: &mut dyn Write) -> io::Result<()> {
    let (place, v) = (place_text(moment.pose.position), moment.pose.velocity);
    let (time, activity) = (moment.time, moment.pose.activity.name());
    write!(out, "{time:9.3} s      {place:<18} {activity:<9}")?;
    if v == Vec2::ZERO {
        writeln!(out)
    } else {
        writeln!(out, " at {} units/s", place_text(v))
    }
}

fn description(occurrence: &Occurrence) -> String {
    let json = EventJson::new(0.0, occurrence);
    let places = [("from", json.from), ("to", json.to), ("at", json.at)];
    let places = places
        .into_iter()
        .filter_map(|(word, place)| Some(format!(" {word} {}", position(place?))));
    let door = json.door.map(|name| format!(" {name:?}"));
    let (door, places) = (door.unwrap_or_default(), places.collect::<String>());
    let what = format!("{}{door}{places}", label(json.event));
    with_reason(&what, &json.why.unwrap_or_default())
}
