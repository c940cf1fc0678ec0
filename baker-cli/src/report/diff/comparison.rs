//! The records of a comparison, as JSON has them.

use navmesh_runtime::mesh::NavMesh;
use schemars::JsonSchema;
use serde::Serialize;

use super::links::LinkDiff;
use super::markers::MarkerDiff;
use super::parameters::ParameterChange;
use super::platforms::PlatformDiff;
use super::reachability::ReachDiff;
use super::terrain::{BarrierDiff, TerrainDiff};

/// The version of the JSON.
pub const VERSION: u32 = 1;

/// One of the two files.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
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

impl FileRecord {
    /// Names a mesh.
    pub(crate) fn new(name: &str, mesh: &NavMesh) -> Self {
        Self {
            file: name.to_string(),
            source: mesh.provenance().source.clone(),
            source_fingerprint: mesh.provenance().source_fingerprint.to_string(),
            settings_fingerprint: mesh.provenance().settings_fingerprint.to_string(),
        }
    }
}

/// All differences between two baked meshes.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
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
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
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

/// Kinds of difference that `--fail-on` can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
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
