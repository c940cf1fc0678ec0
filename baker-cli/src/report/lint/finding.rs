//! Rules, their settings and findings.

use std::collections::BTreeMap;

use glam::Vec2;
use navmesh_runtime::mesh::{Marker, NavMesh};

use crate::report::finding::Severity;
use crate::report::format::place_text;

/// A check of `navbake lint`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// An agent that walks has no floor, or hardly any space.
    NoFloor,
    /// A spawn inside geometry or without floor below it.
    BrokenSpawn,
    /// A portal that leads nowhere or does not stand on a floor.
    BrokenPortal,
    /// A door without size or without a name.
    BrokenDoor,
    /// A waypoint that no agent can reach.
    UnreachableWaypoint,
    /// A place that an agent can enter but not leave.
    Trap,
    /// Floor that cannot be reached from any spawn.
    UnreachablePlatform,
    /// A connection that depends on a link with almost no tolerance.
    FragileLink,
}

impl Rule {
    /// Every rule, in the order of findings.
    pub const ALL: [Self; 8] = [
        Self::NoFloor,
        Self::BrokenSpawn,
        Self::BrokenPortal,
        Self::BrokenDoor,
        Self::UnreachableWaypoint,
        Self::Trap,
        Self::UnreachablePlatform,
        Self::FragileLink,
    ];

    /// The name in findings and in `navbake.toml`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoFloor => "no-floor",
            Self::BrokenSpawn => "broken-spawn",
            Self::BrokenPortal => "broken-portal",
            Self::BrokenDoor => "broken-door",
            Self::UnreachableWaypoint => "unreachable-waypoint",
            Self::Trap => "trap",
            Self::UnreachablePlatform => "unreachable-platform",
            Self::FragileLink => "fragile-link",
        }
    }

    /// The rule with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// The severity when the settings name none: an error for a finding that
    /// cannot be intended, otherwise a warning.
    pub const fn severity(self) -> Severity {
        match self {
            Self::BrokenSpawn | Self::BrokenPortal | Self::UnreachableWaypoint => Severity::Error,
            _ => Severity::Warning,
        }
    }
}

/// The table `[lint]` of `navbake.toml`.
#[derive(Debug, Clone, PartialEq)]
pub struct LintSettings {
    /// Severities that differ from the rule's own; `None` turns a rule off.
    pub severities: BTreeMap<Rule, Option<Severity>>,
    /// A link with less tolerance than this is fragile, seconds.
    pub tolerance: f32,
}

impl Default for LintSettings {
    fn default() -> Self {
        Self {
            severities: BTreeMap::new(),
            // A little more than a frame at 60 Hz: an agent that is stepped
            // once per frame can miss any shorter moment.
            tolerance: 0.02,
        }
    }
}

impl LintSettings {
    /// The severity of a rule; `None` when it is off.
    pub fn severity(&self, rule: Rule) -> Option<Severity> {
        let configured = self.severities.get(&rule).copied();
        configured.unwrap_or(Some(rule.severity()))
    }
}

/// A mistake, or a possible mistake.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// How bad it is.
    pub severity: Severity,
    /// The agent concerned; `None` when all are.
    pub agent: Option<String>,
    /// Where it is, world units.
    pub position: Vec2,
    /// The rectangle concerned, unless it is a point: the corners with the
    /// smaller and with the larger coordinates.
    pub bounds: Option<[Vec2; 2]>,
    /// The class and name of the marker concerned; empty without a marker.
    pub name: String,
    /// What is wrong, and what to do.
    pub message: String,
    /// The index of the marker concerned.
    pub marker: Option<usize>,
}

impl Finding {
    /// A finding about a marker, with the severity of its rule.
    pub fn of_marker(mesh: &NavMesh, index: usize, rule: Rule, message: String) -> Self {
        let marker = &mesh.markers()[index];
        let [min, max] = marker.bounds(mesh.down());
        let bounds = (min != max).then_some([min, max]);
        Self {
            agent: None,
            name: title(marker),
            marker: Some(index),
            ..Self::of_place("", marker.feet(mesh.down()), bounds, rule, message)
        }
    }

    /// A finding about a place, with the severity of its rule.
    pub fn of_place(
        agent: &str,
        position: Vec2,
        bounds: Option<[Vec2; 2]>,
        rule: Rule,
        message: String,
    ) -> Self {
        Self {
            rule,
            severity: rule.severity(),
            agent: Some(agent.to_owned()),
            position,
            bounds,
            name: String::new(),
            message,
            marker: None,
        }
    }

    /// The place, what is wrong there, and what to do: `portal "east" at
    /// 600,272: …`.
    pub fn description(&self) -> String {
        let Self { name, message, .. } = self;
        let separator = if name.is_empty() { "" } else { " " };
        let (at, agent) = (place_text(self.position), self.for_agent());
        format!("{name}{separator}at {at}{agent}: {message}")
    }

    /// ` for AGENT`, or nothing when all agents are concerned.
    pub fn for_agent(&self) -> String {
        let agent = self.agent.as_ref();
        agent.map_or_else(String::new, |agent| format!(" for {agent}"))
    }
}

/// `portal "east"`.
pub fn title(marker: &Marker) -> String {
    let class = marker.kind().class();
    match (marker.name.as_str(), marker.property("id")) {
        ("", Some(id)) => format!("{class} {id}"),
        ("", None) => class.to_owned(),
        (name, _) => format!("{class} {name:?}"),
    }
}
