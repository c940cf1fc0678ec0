//! The JSON that reports write piece by piece, described as types for its JSON Schema.
#![expect(dead_code, reason = "the schemas are made from the types alone")]

use std::collections::BTreeMap;

use schemars::JsonSchema;

use super::diff::Diff;
use super::dump::LinkJson;
use super::finding::FailedLevel;
use super::lint::FindingJson;
use super::records::{BarrierRecord, FullMarker};
use super::simulation::EventJson;

/// `dump --json`.
#[derive(JsonSchema)]
pub struct Dump {
    navmesh: DumpHeader,
    units: DumpUnits,
    grid: DumpGrid,
    agents: Vec<DumpAgent>,
    markers: Vec<FullMarker<'static>>,
}

#[derive(JsonSchema)]
struct DumpHeader {
    format: String,
    source: String,
    /// 128 bits.
    #[schemars(regex(pattern = "^[0-9a-f]{32}$"))]
    source_fingerprint: String,
    /// 128 bits.
    #[schemars(regex(pattern = "^[0-9a-f]{32}$"))]
    settings_fingerprint: String,
}

#[derive(JsonSchema)]
struct DumpUnits {
    pixels_per_unit: f64,
    y_axis: YAxisName,
}

#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum YAxisName {
    Down,
    Up,
}

#[derive(JsonSchema)]
struct DumpGrid {
    /// Its top-left corner.
    origin: [f64; 2],
    spacing: f64,
    columns: u32,
    rows: u32,
}

#[derive(JsonSchema)]
struct DumpAgent {
    name: String,
    profile: Profile,
    /// A string a row, top first: . in air, F on floor, # inside geometry, W on a wall, C on a ceiling.
    #[schemars(inner(regex(pattern = "^[.F#WC]*$")))]
    terrain: Vec<String>,
    platforms: Vec<DumpPlatform>,
    links: Vec<LinkJson>,
    gates: Vec<BarrierRecord>,
    edges: EdgeKinds,
    buried: Vec<[u32; 2]>,
}

#[derive(JsonSchema)]
struct DumpPlatform {
    id: u32,
    #[schemars(extend("enum" = ["floor", "ladder", "wall", "ceiling"]))]
    kind: String,
    left: [f64; 2],
    right: [f64; 2],
    vertices: u32,
    component: u32,
    surface: Vec<[f64; 2]>,
}

/// Every parameter of the agent, resolved.
#[derive(JsonSchema)]
pub struct Profile {
    name: String,
    body: [f64; 2],
    run_speed: f64,
    acceleration: f64,
    deceleration: f64,
    jump_height: f64,
    jump_time: f64,
    gravity: f64,
    jump_speed: f64,
    max_jump: [f64; 2],
    max_drop: [f64; 2],
    air_control: bool,
    /// Greatest change of horizontal speed in the air, units a second squared; null for none.
    air_acceleration: Option<f64>,
    step_height: f64,
    max_slope: f64,
    edges: Vec<String>,
    /// Units a second; null for none.
    max_fall_speed: Option<f64>,
    air_jumps: u8,
    climb_speed: f64,
    ignores_hazards: bool,
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

#[derive(JsonSchema)]
struct PathStep {
    /// jump, drop, and kinds that may be added.
    #[schemars(regex(pattern = "^[a-z_]+$"))]
    kind: String,
    from: [f64; 2],
    to: [f64; 2],
    /// Seconds.
    duration: f64,
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
    samples: Vec<Moment>,
}

#[derive(JsonSchema)]
struct Moment {
    /// Seconds.
    #[schemars(range(min = 0))]
    t: f64,
    /// x, y in world units.
    at: [f64; 2],
    velocity: [f64; 2],
    #[schemars(extend("enum" = ["left", "right"]))]
    facing: String,
    /// running, jumping, dropping, flying, climbing, idle, and others.
    #[schemars(regex(pattern = "^[a-z_]+$"))]
    activity: String,
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
