//! Compares two baked meshes by meaning, not by bytes.
//!
//! Ids, the order of things and the origin of the world may all differ; what
//! counts is where things are and what can be reached. Things that exist only
//! in the old file have the coordinates and ids of the old file, everything
//! else those of the new one.
//!
//! [`Diff::new`] finds the differences, which JSON prints as they are.
//! [`Diff::changes`] lists them in words; all other outputs print this list.

mod alignment;
mod changes;
mod comparison;
mod edited;
mod links;
mod markers;
mod output;
mod parameters;
mod platforms;
mod reachability;
mod terrain;

use navmesh_runtime::mesh::{Layer, NavMesh};

use markers::SpawnPair;
use platforms::Sides;

pub(crate) use alignment::Alignment;
pub(crate) use changes::lost_platforms;
pub use comparison::{AgentDiff, Diff, DifferenceKind, FileRecord, VERSION};
pub use edited::{Edited, Replaced};
pub use links::{KindCounts, LinkDiff, LinkRecord};
pub use markers::{MarkerChange, MarkerDiff, PropertyChange};
pub(crate) use output::{DiffJson, FileDiff, FolderDiff, json};
pub use output::{github, human, markdown};
pub use parameters::ParameterChange;
pub use platforms::{PlatformDiff, PlatformRecord};
pub use reachability::{FromSpawns, PairGroup, Pairs, ReachDiff, Trap};
pub use terrain::{AirPart, BarrierDiff, ChangedArea, TerrainDiff};

impl Diff {
    /// Compares two baked meshes; `files` are their names in reports. Positions are compared as
    /// they are, so of meshes with y in different directions almost everything differs.
    pub fn new(old: &NavMesh, new: &NavMesh, files: [&str; 2]) -> Self {
        let alignment = Alignment::between(old, new);
        let spawns = SpawnPair::all(old, new, &alignment);
        let mut agents = Vec::new();
        for layer in new.layers() {
            if let Some(before) = old.layer_named(&layer.profile().name) {
                agents.push(compare_agent(before, layer, &alignment, &spawns));
            }
        }
        let mut this = Self {
            version: VERSION,
            same: false,
            old: FileRecord::new(files[0], old),
            new: FileRecord::new(files[1], new),
            shift: alignment.moved().then(|| alignment.shift.to_array()),
            settings: ParameterChange::of_settings(old, new, &alignment),
            agents_removed: agents_without(old, new),
            agents_added: agents_without(new, old),
            agents,
            markers: MarkerDiff::new(old, new, &alignment),
        };
        this.same = this.shift.is_none() && this.changes().is_empty();
        this
    }
}

fn compare_agent(
    old: &Layer,
    new: &Layer,
    alignment: &Alignment,
    spawns: &[SpawnPair<'_>],
) -> AgentDiff {
    let sides = Sides::new(old, new, alignment);
    AgentDiff {
        name: new.profile().name.clone(),
        profile: ParameterChange::of_profiles(old.profile(), new.profile()),
        reach: ReachDiff::new(&sides, spawns),
        links: LinkDiff::new(&sides),
        terrain: TerrainDiff::new(old, new, alignment),
        gates: BarrierDiff::new(old, new, alignment),
        platforms: sides.platforms,
    }
}

/// The agents of one mesh that the other does not have.
fn agents_without(mesh: &NavMesh, other: &NavMesh) -> Vec<String> {
    let names = mesh.layers().iter().map(|layer| &layer.profile().name);
    let only_here = names.filter(|name| other.layer_named(name).is_none());
    only_here.cloned().collect()
}
