//! The comparison itself: everything that differs between two meshes.

use navmesh_runtime::mesh::{Layer, NavMesh};
use serde::Serialize;

use super::alignment::Alignment;
use super::direction::in_direction_of;
use super::links::{self, LinkDiff};
use super::markers::{self, MarkerDiff, SpawnPair};
use super::parameters::{self, ParameterChange};
use super::platforms::{PlatformDiff, PlatformMatching};
use super::reachability::{self, ReachDiff};
use super::terrain::{self, BarrierDiff, TerrainDiff};

/// The version of the JSON.
pub const VERSION: u32 = 1;

/// One of the two files.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FileRecord {
    /// The file as the caller names it.
    pub file: String,
    /// The level it was baked from.
    pub source: String,
    /// Hash of the level, in hexadecimal.
    pub source_fingerprint: String,
    /// Hash of the settings, in hexadecimal.
    pub settings_fingerprint: String,
}

/// All differences between two baked meshes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Diff {
    /// [`VERSION`].
    pub version: u32,
    /// Whether nothing below differs.
    pub same: bool,
    /// The old file.
    pub old: FileRecord,
    /// The new file.
    pub new: FileRecord,
    /// What was added to every coordinate, world units; `None` when the level
    /// as a whole did not move.
    pub shift: Option<[f64; 2]>,
    /// Changes of units and grid.
    pub settings: Vec<ParameterChange>,
    /// Agents that only the old file has.
    pub agents_removed: Vec<String>,
    /// Agents that only the new file has.
    pub agents_added: Vec<String>,
    /// Agents of both files in the order of the new one, also those without a
    /// difference.
    pub agents: Vec<AgentDiff>,
    /// Changes of markers.
    pub markers: MarkerDiff,
}

/// The differences for one agent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgentDiff {
    /// The name of the agent.
    pub name: String,
    /// Parameters that changed.
    pub profile: Vec<ParameterChange>,
    /// What can and cannot be reached.
    pub reach: ReachDiff,
    /// Jumps, drops and all other links.
    pub links: LinkDiff,
    /// Floors, ladders, walls and ceilings.
    pub platforms: PlatformDiff,
    /// Types of vertices.
    pub terrain: TerrainDiff,
    /// One-way walls and ceilings.
    pub gates: BarrierDiff,
}

impl AgentDiff {
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.profile.is_empty()
            && self.reach.is_empty()
            && self.links.kinds.is_empty()
            && self.platforms == PlatformDiff::default()
            && self.terrain.changed == 0
            && self.gates == BarrierDiff::default()
    }
}

/// Kinds of difference that `--fail-on` can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum DifferenceKind {
    /// A link was removed
    RemovedLinks,
    /// Something can no longer be reached
    Unreachable,
    /// A new place can be entered but not left
    Traps,
    /// Any difference
    Any,
}

impl Diff {
    /// Compares two baked meshes; `files` are their names in reports. Positions in the old
    /// one are given in the new one's direction of y.
    pub fn new(old: &NavMesh, new: &NavMesh, files: [&str; 2]) -> Self {
        let axes = [old, new].map(|mesh| mesh.grid().y_axis);
        let old = &*in_direction_of(old, new);
        let alignment = Alignment::between(old, new);
        let only_in = |a: &NavMesh, b: &NavMesh| -> Vec<String> {
            let names = a.layers().iter().map(|layer| layer.profile().name.clone());
            names.filter(|name| b.layer_named(name).is_none()).collect()
        };
        let file = |name: &str, mesh: &NavMesh| FileRecord {
            file: name.to_string(),
            source: mesh.provenance().source.clone(),
            source_fingerprint: mesh.provenance().source_fingerprint.to_string(),
            settings_fingerprint: mesh.provenance().settings_fingerprint.to_string(),
        };
        let spawns = markers::spawns(old, new, &alignment);
        let mut this = Self {
            version: VERSION,
            same: false,
            old: file(files[0], old),
            new: file(files[1], new),
            shift: alignment.moved().then(|| alignment.shift.to_array()),
            settings: parameters::compare_settings(old, new, axes, &alignment),
            agents_removed: only_in(old, new),
            agents_added: only_in(new, old),
            agents: (new.layers().iter())
                .filter_map(|b| Some((old.layer_named(&b.profile().name)?, b)))
                .map(|(a, b)| compare_agent(a, b, &alignment, &spawns))
                .collect(),
            markers: markers::compare(old.markers(), new.markers(), &alignment),
        };
        this.same = this.shift.is_none()
            && this.settings.is_empty()
            && this.agents_removed.is_empty()
            && this.agents_added.is_empty()
            && this.agents.iter().all(AgentDiff::is_empty)
            && this.markers == MarkerDiff::default();
        this
    }

    /// Whether there is a difference of this kind.
    pub fn has(&self, kind: DifferenceKind) -> bool {
        let any = |test: fn(&AgentDiff) -> bool| self.agents.iter().any(test);
        match kind {
            DifferenceKind::RemovedLinks => any(|a| !a.links.removed.is_empty()),
            // An agent that is gone reaches nothing.
            DifferenceKind::Unreachable => {
                !self.agents_removed.is_empty() || any(|a| a.reach.is_worse())
            }
            DifferenceKind::Traps => any(|a| !a.reach.traps.is_empty()),
            DifferenceKind::Any => !self.same,
        }
    }
}

fn compare_agent(old: &Layer, new: &Layer, by: &Alignment, spawns: &[SpawnPair<'_>]) -> AgentDiff {
    let matching = PlatformMatching::new(old, new, by);
    AgentDiff {
        name: new.profile().name.clone(),
        profile: parameters::compare_profiles(old.profile(), new.profile()),
        reach: reachability::compare(old, new, by, &matching, spawns),
        links: links::compare(old, new, by, &matching),
        platforms: matching.diff,
        terrain: terrain::compare(old, new, by),
        gates: terrain::compare_barriers(old, new, by),
    }
}
