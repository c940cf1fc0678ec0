//! The JSON that reports write piece by piece, described as types for its JSON Schema.
#![expect(dead_code, reason = "the schemas are made from the types alone")]

use std::collections::BTreeMap;

use schemars::JsonSchema;

use super::diff::Diff;
use super::dump::{DumpGrid, DumpHeader, DumpPlatform, DumpUnits, LinkJson};
use super::finding::FailedLevel;
use super::lint::FindingJson;
use super::records::{BarrierRecord, FullMarker, Profile};
use super::route::PathStep;
use super::simulation::{EventJson, MomentJson};

/// `dump --json`.
#[derive(JsonSchema)]
pub struct Dump {
    navmesh: DumpHeader<'static>,
    units: DumpUnits,
    grid: DumpGrid,
    agents: Vec<DumpAgent>,
    markers: Vec<FullMarker<'static>>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum YAxisName {
    Down,
    Up,
}

#[derive(JsonSchema)]
struct DumpAgent {
    name: String,
    profile: Profile<'static>,
    /// A string a row, top first: . in air, F on floor, # inside geometry, W on a wall, C on a ceiling.
    #[schemars(inner(regex(pattern = "^[.F#WC]*$")))]
    terrain: Vec<String>,
    platforms: Vec<DumpPlatform>,
    links: Vec<LinkJson>,
    gates: Vec<BarrierRecord>,
    edges: EdgeKinds,
    buried: Vec<[u32; 2]>,
}

/// How many there are of each kind.
#[derive(JsonSchema)]
pub struct EdgeKinds {
    floor: u64,
    fly: u64,
    jump: u64,
    drop: u64,
    #[serde(flatten)]
    others: BTreeMap<String, u64>,
}

/// `path --json`.
#[derive(JsonSchema)]
pub struct Path {
    #[schemars(extend("enum" = ["found", "partial", "no_path", "budget_exhausted"]))]
    outcome: String,
    /// Why there is no path.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// Seconds.
    cost: f64,
    expanded: u64,
    steps: Vec<PathStep>,
    /// Time, x, y; with --sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    samples: Option<Vec<[f64; 3]>>,
}

/// `simulate --json`.
#[derive(JsonSchema)]
#[schemars(extend(
    "if" = {"properties": {"outcome": {"const": "arrived"}}},
    "else" = {"required": ["reason"]}
))]
pub struct Simulation {
    agent: String,
    #[schemars(extend("enum" = [
        "arrived", "cannot_reach", "rejected", "stranded", "disabled", "idle", "time_up"
    ]))]
    outcome: String,
    /// Why it did not arrive.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// Seconds.
    #[schemars(range(min = 0))]
    duration: f64,
    /// Commands and what happened, in order.
    events: Vec<EventJson>,
    /// Where it was, so many times a second and at the end.
    samples: Vec<MomentJson>,
}

/// `lint --json`.
#[derive(JsonSchema)]
pub struct Lint {
    findings: Vec<FindingJson<'static>>,
    /// Levels, projects and folders that could not be read or baked.
    failed: Vec<FailedLevel>,
    /// How many were checked.
    files: usize,
    errors: usize,
    warnings: usize,
}

/// `diff --json`: what differs between two baked files, or between those of two folders. What was
/// removed has the coordinates and ids of the old file, everything else those of the new file.
#[derive(JsonSchema)]
#[serde(untagged)]
pub enum Comparison {
    Files(Box<Diff>),
    Folders(FolderComparison),
}

#[derive(JsonSchema)]
pub struct FolderComparison {
    version: u32,
    /// Whether nothing differs.
    same: bool,
    /// The levels that both folders have.
    files: Vec<Diff>,
    /// Levels that only the old folder has.
    removed: Vec<String>,
    /// Levels that only the new folder has.
    added: Vec<String>,
    /// Levels, projects and folders that could not be read or baked.
    failed: Vec<FailedLevel>,
}
