//! What a level edit did to navigation: two bakes compared by meaning, not by
//! bytes.
//!
//! Ids, the order of things and the origin of the world may all differ; what
//! counts is where things are and what can be reached.
//!
//! - `shift`: by how much everything moved.
//! - `terrain`, `platforms`, `links`, `gates`, `markers`, `profile`: what is
//!   another.
//! - `reach`, `graph`, `air`: what can no longer be reached, and what cannot
//!   be left.
//! - `findings`, `summary`, `words`: all of that in words, what breaks first
//!   at the top.
//! - `human`, `markdown`, `github`, `json`: the words on paper.
//!
//! Everything is told in the coordinates and with the ids of the file that it
//! is in: what vanished in those of the old one, the rest in those of the new.

mod air;
mod findings;
mod frame;
mod gates;
mod github;
mod graph;
mod human;
mod json;
mod links;
mod markdown;
mod markers;
mod platforms;
mod profile;
mod reach;
mod shift;
mod summary;
mod terrain;
mod words;

use navmesh_runtime::mesh::{Layer, NavMesh};
use serde::Serialize;

pub use air::AirPart;
pub(crate) use frame::Frame;
pub use gates::GateDiff;
pub use github::github;
pub use human::human;
pub use json::json;
pub use links::{KindCounts, LinkChange, LinkDiff, LinkFact};
pub use markdown::markdown;
pub use markers::{MarkerChange, MarkerDiff, MarkerFact};
pub use platforms::{Place, PlatformDiff, PlatformPair, Regrouped};
pub use profile::Change;
pub use reach::{AirCut, Cut, PairGroup, Pairs, ReachDiff, Trap};
pub use terrain::{Region, TerrainDiff};

use crate::report::json::point;

/// What version of the JSON this is.
pub const VERSION: u32 = 1;

/// One of the two files.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Side {
    /// The file as it was named.
    pub file: String,
    /// The level it was baked from.
    pub source: String,
    /// Hash of what it was read from, in hexadecimal.
    pub source_fingerprint: String,
    /// Hash of what it was baked with, in hexadecimal.
    pub settings_fingerprint: String,
}

impl Side {
    fn new(file: &str, mesh: &NavMesh) -> Self {
        let provenance = mesh.provenance();
        Self {
            file: file.to_string(),
            source: provenance.source.clone(),
            source_fingerprint: provenance.source_fingerprint.to_string(),
            settings_fingerprint: provenance.settings_fingerprint.to_string(),
        }
    }
}

/// Everything in which two bakes differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Diff {
    /// [`VERSION`].
    pub version: u32,
    /// Whether nothing below differs.
    pub same: bool,
    /// The file before.
    pub old: Side,
    /// The file after.
    pub new: Side,
    /// What was added to every coordinate, world units; `None` when nothing
    /// moved as a whole.
    pub shift: Option<[f64; 2]>,
    /// Units and grid.
    pub settings: Vec<Change>,
    /// Agents that only the old file has.
    pub agents_removed: Vec<String>,
    /// Agents that only the new file has.
    pub agents_added: Vec<String>,
    /// Agents of both files, in the order of the new one; those without a
    /// difference too.
    pub agents: Vec<AgentDiff>,
    /// Named places.
    pub markers: MarkerDiff,
}

/// What differs for one agent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgentDiff {
    /// Its name.
    pub name: String,
    /// Parameters that changed.
    pub profile: Vec<Change>,
    /// What can and cannot be reached.
    pub reach: ReachDiff,
    /// Jumps, drops and whatever else joins platforms.
    pub links: LinkDiff,
    /// Where one can walk.
    pub platforms: PlatformDiff,
    /// What the vertices are.
    pub terrain: TerrainDiff,
    /// One-way walls and ceilings.
    pub gates: GateDiff,
}

impl AgentDiff {
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.profile.is_empty()
            && self.reach.is_empty()
            && self.links.is_empty()
            && self.platforms.is_empty()
            && self.terrain.is_empty()
            && self.gates.is_empty()
    }
}

/// Kinds of difference that `--fail-on` can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A link is gone.
    RemovedLinks,
    /// Something can no longer be reached.
    Unreachable,
    /// There is a new place that can be entered but not left.
    Traps,
    /// Anything at all.
    Any,
}

impl Diff {
    /// Compares two bakes; `files` are what reports call them.
    pub fn new(old: &NavMesh, new: &NavMesh, files: [&str; 2]) -> Self {
        let frame = Frame::between(old, new);
        let name = |layer: &Layer| layer.profile().name.clone();
        let only_in = |a: &NavMesh, b: &NavMesh| -> Vec<String> {
            let layers = a.layers().iter().map(name);
            layers
                .filter(|name| b.layer_named(name).is_none())
                .collect()
        };
        let markers = markers::compare(old.markers(), new.markers(), &frame);
        let spawns = markers::spawns(old, new, &frame);
        let mut this = Self {
            version: VERSION,
            same: false,
            old: Side::new(files[0], old),
            new: Side::new(files[1], new),
            shift: frame.moved().then(|| frame.shift.to_array()),
            settings: profile::settings(old, new, &frame),
            agents_removed: only_in(old, new),
            agents_added: only_in(new, old),
            agents: (new.layers().iter())
                .filter_map(|b| Some((old.layer_named(&b.profile().name)?, b)))
                .map(|(a, b)| agent(a, b, &frame, &spawns))
                .collect(),
            markers,
        };
        this.same = this.shift.is_none()
            && this.settings.is_empty()
            && this.agents_removed.is_empty()
            && this.agents_added.is_empty()
            && this.agents.iter().all(AgentDiff::is_empty)
            && this.markers.is_empty();
        this
    }

    /// Whether there is a difference of this kind.
    pub fn has(&self, kind: Kind) -> bool {
        let any = |test: fn(&AgentDiff) -> bool| self.agents.iter().any(test);
        match kind {
            Kind::RemovedLinks => any(|a| !a.links.removed.is_empty()),
            Kind::Unreachable => any(|a| a.reach.is_worse()),
            Kind::Traps => any(|a| !a.reach.traps.is_empty()),
            Kind::Any => !self.same,
        }
    }
}

fn agent(old: &Layer, new: &Layer, frame: &Frame, spawns: &[markers::Spawn<'_>]) -> AgentDiff {
    let matching = platforms::Matching::new(old, new, frame);
    AgentDiff {
        name: new.profile().name.clone(),
        profile: profile::compare(old.profile(), new.profile()),
        reach: reach::compare(old, new, frame, &matching, spawns),
        links: links::compare(old, new, frame, &matching),
        platforms: matching.report(old, new),
        terrain: terrain::compare(old, new, frame),
        gates: gates::compare(old, new, frame),
    }
}

#[cfg(test)]
#[path = "diff_test.rs"]
mod tests;
