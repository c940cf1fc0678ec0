//! The records of a comparison, as JSON has them.

use navmesh_runtime::mesh::{AgentProfile, Layer, NavMesh};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::alignment::Alignment;
use super::links::LinkDiff;
use super::markers::{MarkerDiff, SpawnPair};
use super::platforms::{PlatformDiff, Sides};
use super::reachability::ReachDiff;
use super::terrain::{BarrierDiff, TerrainDiff};
use crate::report::records::Profile;

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

/// A parameter before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ParameterChange {
    /// The parameter as the configuration or the dump spells it.
    pub what: String,
    /// Its old value as JSON.
    pub old: String,
    /// Its new value as JSON.
    pub new: String,
}

impl ParameterChange {
    /// `None` when the two values are equal.
    fn new(what: &str, old: &Value, new: &Value) -> Option<Self> {
        (old != new).then(|| Self {
            what: what.to_string(),
            old: short(old),
            new: short(new),
        })
    }

    /// Compares every parameter that the JSON of a profile has.
    pub fn of_profiles(old: &AgentProfile, new: &AgentProfile) -> Vec<Self> {
        let [old, new] = [old, new].map(|profile| serde_json::to_value(Profile::from(profile)));
        let (Ok(Value::Object(old)), Ok(Value::Object(new))) = (old, new) else {
            return Vec::new();
        };
        let parameters = new.iter();
        let changes = parameters.filter_map(|(name, value)| {
            Self::new(name, old.get(name).unwrap_or(&Value::Null), value)
        });
        changes.collect()
    }

    /// Compares grid and units. What the shift explains is not a change.
    pub fn of_settings(old: &NavMesh, new: &NavMesh, alignment: &Alignment) -> Vec<Self> {
        let is_shifted = alignment.same(old.grid().origin, new.grid().origin);
        let [was, is] = [old, new].map(|mesh| {
            let (grid, axis) = (mesh.grid(), mesh.grid().y_axis);
            [
                ("pixels_per_unit", mesh.units().pixels_per_unit.into()),
                ("y_axis", serde_json::to_value(axis).unwrap_or_default()),
                ("spacing", grid.spacing.into()),
                ("columns", grid.columns.into()),
                ("rows", grid.rows.into()),
                ("origin", grid.origin.to_array().to_vec().into()),
            ]
        });
        let settings = was.iter().zip(&is);
        let changes = settings.filter_map(|((what, old), (_, new))| Self::new(what, old, new));
        changes
            .filter(|change| change.what != "origin" || !is_shifted)
            .collect()
    }
}

/// A value as JSON, numbers with as few digits as identify an `f32`.
fn short(value: &Value) -> String {
    match value {
        Value::Number(number) => number
            .as_f64()
            .map_or_else(|| number.to_string(), |v| (v as f32).to_string()),
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(short).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Null => "none".to_string(),
        other => other.to_string(),
    }
}
