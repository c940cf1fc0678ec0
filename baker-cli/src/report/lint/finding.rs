//! Rules, severities, findings.

use std::collections::BTreeMap;

use glam::Vec2;
use navmesh_runtime::mesh::{Marker, NavMesh};

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// A spawn inside geometry, or over nothing.
    BrokenSpawn,
    /// A portal that leads nowhere, or does not stand on a floor.
    BrokenPortal,
    /// A door that cannot close anything, or cannot be named.
    BrokenDoor,
    /// A waypoint that no agent can be at.
    UnreachableWaypoint,
    /// A place an agent can get into, but never out of.
    Trap,
    /// Floor that no spawn leads to.
    UnreachablePlatform,
    /// A connection that hangs on a link with almost no tolerance.
    FragileLink,
}

impl Rule {
    /// Every rule, in the order in which findings are told.
    pub const ALL: [Self; 7] = [
        Self::BrokenSpawn,
        Self::BrokenPortal,
        Self::BrokenDoor,
        Self::UnreachableWaypoint,
        Self::Trap,
        Self::UnreachablePlatform,
        Self::FragileLink,
    ];

    /// Its name in findings and in `navbake.toml`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BrokenSpawn => "broken-spawn",
            Self::BrokenPortal => "broken-portal",
            Self::BrokenDoor => "broken-door",
            Self::UnreachableWaypoint => "unreachable-waypoint",
            Self::Trap => "trap",
            Self::UnreachablePlatform => "unreachable-platform",
            Self::FragileLink => "fragile-link",
        }
    }

    /// The rule of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// How bad a finding is when nothing else is said: what cannot be meant
    /// is an error, what may be meant a warning.
    pub const fn severity(self) -> Severity {
        match self {
            Self::BrokenSpawn | Self::BrokenPortal | Self::UnreachableWaypoint => Severity::Error,
            _ => Severity::Warning,
        }
    }
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// It cannot be meant.
    Error,
    /// It may be meant.
    Warning,
}

impl Severity {
    /// Its name in findings and in `navbake.toml`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// What `[lint]` in `navbake.toml` says.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Severities other than a rule's own; `None` for a rule that is off.
    pub severities: BTreeMap<Rule, Option<Severity>>,
    /// The tolerance, in seconds, below which a link is fragile.
    pub tolerance: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            severities: BTreeMap::new(),
            tolerance: 0.02,
        }
    }
}

impl Settings {
    /// How bad a finding of a rule is; `None` when the rule is off.
    pub fn severity(&self, rule: Rule) -> Option<Severity> {
        match self.severities.get(&rule) {
            Some(said) => *said,
            None => Some(rule.severity()),
        }
    }
}

/// Something found.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// How bad it is.
    pub severity: Severity,
    /// The agent it is about; `None` when it is about all.
    pub agent: Option<String>,
    /// Where it is, world units.
    pub position: Vec2,
    /// The corners of what it is about with the smaller and with the larger
    /// coordinates, where that is more than a point.
    pub bounds: Option<[Vec2; 2]>,
    /// The marker it is about, by class and name; empty when it is about
    /// none.
    pub name: String,
    /// What is wrong, and what to do.
    pub message: String,
}

impl Finding {
    /// Where it is, as it is written: `24,96.5`.
    pub fn place(&self) -> String {
        super::graph::at(self.position)
    }
}

/// A finding of a rule, before its severity is known.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Draft {
    pub(super) agent: Option<String>,
    pub(super) position: Vec2,
    pub(super) bounds: Option<[Vec2; 2]>,
    pub(super) name: String,
    pub(super) message: String,
    /// The number of the marker it is about.
    pub(super) marker: Option<usize>,
}

impl Draft {
    /// About a marker.
    pub(super) fn of_marker(mesh: &NavMesh, index: usize, message: String) -> Self {
        let marker = &mesh.markers()[index];
        let bounds = marker.bounds(mesh.down());
        Self {
            agent: None,
            position: marker.feet(mesh.down()),
            bounds: (bounds[0] != bounds[1]).then_some(bounds),
            name: title(marker),
            message,
            marker: Some(index),
        }
    }

    /// About a place, for one agent.
    pub(super) fn of_place(
        agent: &str,
        position: Vec2,
        bounds: Option<[Vec2; 2]>,
        message: String,
    ) -> Self {
        Self {
            agent: Some(agent.to_owned()),
            position,
            bounds,
            name: String::new(),
            message,
            marker: None,
        }
    }

    pub(super) fn of(self, rule: Rule, severity: Severity) -> Finding {
        let Self {
            agent,
            position,
            bounds,
            name,
            message,
            marker: _,
        } = self;
        Finding {
            rule,
            severity,
            agent,
            position,
            bounds,
            name,
            message,
        }
    }
}

/// `portal "east"`.
fn title(marker: &Marker) -> String {
    let class = marker.kind().class();
    match (marker.name.as_str(), marker.property("id")) {
        ("", Some(id)) => format!("{class} {id}"),
        ("", None) => class.to_owned(),
        (name, _) => format!("{class} {name:?}"),
    }
}
