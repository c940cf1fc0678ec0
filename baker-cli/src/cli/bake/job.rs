//! Baking one level, unless its baked file is up to date.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use navmesh_runtime::asset;
use navmesh_runtime::mesh::{Layer, NavMesh};
use schemars::JsonSchema;
use serde::Serialize;

use crate::bake::Settings;
use crate::bake::tools::{advice, grid_spacing, spacing_limit};
use crate::cli::bake::args::BakeArgs;
use crate::cli::bake::freshness::{StaleReason, stale_reasons};
use crate::cli::bake::levels::FoundLevel;
use crate::cli::failure::Failure;
use crate::cli::io::{self, BAKED, is_dash, name_of};
use crate::cli::level_input::{LevelFiles, LevelInputs, Projects, SeenFile, bake_level};
use crate::cli::terminal::Terminal;
use crate::config::{Config, NAME};
use crate::report::lint::{self, Finding, LintSettings};
use crate::report::{EdgeCounts, edge_counts};
use crate::source::{self, LevelFile, SourceError, Undecided};

/// What happened to a baked file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Written,
    #[default]
    Unchanged,
    Stale,
    /// Its level is gone, and so is the baked file.
    Removed,
    Error,
}

impl Status {
    /// In the order in which they are counted.
    pub const ALL: [Self; 5] = [
        Self::Written,
        Self::Stale,
        Self::Removed,
        Self::Unchanged,
        Self::Error,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Written => "written",
            Self::Unchanged => "unchanged",
            Self::Stale => "stale",
            Self::Removed => "removed",
            Self::Error => "error",
        }
    }
}

/// What happened to a level, and figures of its baked file where they are known.
#[derive(Default, Serialize, JsonSchema)]
pub struct Done {
    pub status: Status,
    /// Why it was baked, or would have to be.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<StaleReason>,
    /// The size of the baked file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<usize>,
    /// Vertices of the grid.
    #[serde(skip_serializing_if = "Option::is_none")]
    vertices: Option<usize>,
    /// The side of a grid cell, world units.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    spacing: Option<f32>,
    /// The agent whose body alone makes the spacing smaller than the other agents need.
    #[serde(skip_serializing_if = "Option::is_none")]
    spacing_set_by: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<AgentFigures>,
}

/// Figures of one agent in a baked file.
#[derive(Serialize, JsonSchema)]
pub struct AgentFigures {
    pub name: String,
    pub platforms: usize,
    pub links: usize,
    pub edges: EdgeCounts,
}

impl AgentFigures {
    fn of(layer: &Layer) -> Self {
        Self {
            name: layer.profile().name.clone(),
            platforms: layer.platforms().len(),
            links: layer.links().len(),
            edges: edge_counts(layer),
        }
    }
}

impl Done {
    pub fn new(status: Status, reasons: Vec<StaleReason>) -> Self {
        Self {
            status,
            reasons,
            ..Self::default()
        }
    }

    fn with_figures(self, mesh: &NavMesh, bytes: usize) -> Self {
        Self {
            bytes: Some(bytes),
            vertices: Some(mesh.grid().columns as usize * mesh.grid().rows as usize),
            agents: mesh.layers().iter().map(AgentFigures::of).collect(),
            ..self
        }
    }
}

/// A message about a level. Levels finish in any order; their messages are
/// printed in the order of the levels.
pub enum Message {
    /// Printed with the level's name.
    Detail(String),
    /// Printed with the level's name, and part of the JSON.
    Warning(String),
    /// Printed once, even if many levels have it.
    Note(String),
}

/// The result of the work on one level.
pub struct LevelOutcome {
    pub result: Result<Done, Failure>,
    pub log: Log,
    pub inputs: LevelInputs,
    pub took: Duration,
}

/// What is known about a level that was read.
#[derive(Default)]
pub struct Log {
    pub messages: Vec<Message>,
    /// Rules of its configuration that match nothing in it; `None` where the
    /// level was not read.
    pub unused_rules: Option<Vec<String>>,
    /// What was guessed, the most important first.
    pub undecided: Vec<Undecided>,
}

/// What all levels share, in one run and in all runs of `--watch`.
pub struct Shared<'a> {
    pub args: &'a BakeArgs,
    pub terminal: &'a Terminal,
    pub cwd: PathBuf,
    /// The bytes of stdin, if a level is read from it.
    pub stdin: Option<Vec<u8>>,
}

/// Bakes a level unless its baked file is up to date. `projects` are those of the run.
pub fn bake(shared: &Shared<'_>, target: &FoundLevel, projects: &Projects) -> LevelOutcome {
    let start = Instant::now();
    let level = target.level.as_path();
    let config = shared.args.config.locate(level, &shared.cwd);
    let config_file = config.clone().filter(|path| !is_dash(path));
    // Their stamps are from before they are read.
    let around: Vec<SeenFile> = (config_file.into_iter().chain(target.world.clone()))
        .map(SeenFile::now)
        .collect();
    let piped = shared.stdin.as_deref().filter(|_| is_dash(level));
    let (file, files) = LevelFiles::of(level, piped);
    let mut job = Job {
        shared,
        target,
        projects,
        name: name_of(level),
        file,
        files: &files,
        log: Log::default(),
    };
    let result = match &target.problem {
        Some(problem) => Err(Failure::new(problem.clone())),
        None => job.run(config.as_deref()),
    };
    let log = job.log;
    let seen = files.seen().into_iter().chain(around).collect();
    LevelOutcome {
        result,
        log,
        inputs: LevelInputs { seen, config },
        took: start.elapsed(),
    }
}

/// The work on one level.
struct Job<'a> {
    shared: &'a Shared<'a>,
    target: &'a FoundLevel,
    projects: &'a Projects,
    /// The level, as messages name it.
    name: String,
    /// The level's file, or the name under which stdin is read.
    file: &'a Path,
    files: &'a LevelFiles<'a>,
    log: Log,
}

impl Job<'_> {
    fn run(&mut self, config: Option<&Path>) -> Result<Done, Failure> {
        let args = self.shared.args;
        let config = if let Some(path) = config {
            self.note(format!("configuration: {}", path.display()));
            args.config.read(path)?
        } else {
            if args.verbose {
                let why = format!("there is no {NAME} beside the level or above it");
                self.note(format!("configuration: none, {why}"));
            }
            Arc::default()
        };
        if is_dash(&self.target.output) && args.writes_nothing() {
            let problem = "--check and --dry-run need a baked file to compare with";
            return Err(Failure::with_help(problem, "name the baked file with -o"));
        }
        let lint = config.lint()?;
        let mut level = self.read(&config)?;
        self.log.undecided = std::mem::take(&mut level.undecided);
        let settings = config.settings_of(&level)?;
        self.describe(&level, &config, &settings)?;
        let (spacing, spacing_set_by) = self.spacing(&level, &settings)?;
        Ok(Done {
            spacing: Some(spacing),
            spacing_set_by,
            ..self.update(&level, &settings, &lint)?
        })
    }

    fn read(&self, config: &Config) -> Result<LevelFile, SourceError> {
        let rules = config.rules();
        if let Some(project) = self.projects.of(self.file, self.files) {
            return source::read_from_project(project, self.file, self.files, rules);
        }
        let mut level = source::read_from(self.file, self.files, rules);
        // The Tiled world that lists the level is named if the level's own file cannot be read.
        if let Err(SourceError::Io { referrer, .. }) = &mut level
            && referrer.is_none()
        {
            let world = self.target.world.as_ref();
            *referrer = world.map(|world| world.display().to_string());
        }
        level
    }

    fn detail(&mut self, text: String) {
        self.log.messages.push(Message::Detail(text));
    }

    fn note(&mut self, text: String) {
        self.log.messages.push(Message::Note(text));
    }

    fn warn(&mut self, texts: impl IntoIterator<Item = String>) {
        self.log
            .messages
            .extend(texts.into_iter().map(Message::Warning));
    }

    /// Adds the messages about a level that do not need a bake.
    fn describe(
        &mut self,
        level: &LevelFile,
        config: &Config,
        settings: &Settings,
    ) -> Result<(), Failure> {
        if !config.has_agents() {
            let tile = config.tile_of(level);
            let origin = match level.tile_size {
                Some(_) => "the tile size",
                None => "a default tile size",
            };
            self.note(format!(
                "no agents are configured: `ground` and `air` are derived from {origin}, {tile}\n\
                 help: `navbake init LEVEL` writes a navbake.toml in which you can change them"
            ));
        }
        if self.shared.args.verbose {
            let decisions = level.decisions.iter().cloned();
            self.log.messages.extend(decisions.map(Message::Detail));
            for agent in &settings.agents {
                let agent = serde_json::to_string(agent).map_err(std::io::Error::from)?;
                self.detail(format!("agent {agent}"));
            }
        }
        self.log.unused_rules = Some(level.unused_rules.clone());
        self.warn(level.warnings.clone());
        self.warn(advice(level, settings));
        Ok(())
    }

    /// The side of a grid cell. An agent that makes it smaller than the others
    /// need is noted and returned.
    fn spacing(
        &mut self,
        level: &LevelFile,
        settings: &Settings,
    ) -> Result<(f32, Option<String>), Failure> {
        let side = grid_spacing(level, settings).map_err(|e| Failure::in_file(&self.name, &e))?;
        let limit = spacing_limit(level, settings);
        if let Some((agent, without)) = &limit {
            let (name, [width, height]) = (&agent.name, agent.body);
            self.note(format!(
                "agent {name:?} (body {width} x {height}) sets the grid spacing of all agents to {side}; without \
                 it, the spacing would be {without}\n\
                 help: a finer grid takes more time and memory: give small agents a configuration of their own"
            ));
        }
        if self.shared.args.verbose {
            let origin = match settings.spacing {
                Some(_) => "set in [level]",
                None => "the largest divisor of the tile size that is not larger than any body",
            };
            self.detail(format!("grid spacing {side}: {origin}"));
        }
        Ok((side, limit.map(|(agent, _)| agent.name.clone())))
    }

    /// Bakes the level unless its baked file is up to date.
    fn update(
        &mut self,
        level: &LevelFile,
        settings: &Settings,
        lint: &LintSettings,
    ) -> Result<Done, Failure> {
        let (args, output) = (self.shared.args, &self.target.output);
        let mut old = None;
        let mut reasons = Vec::new();
        if !is_dash(output) {
            old = BAKED.replaceable(output)?;
            reasons = match &old {
                None => vec![StaleReason::Missing],
                Some(bytes) => stale_reasons(bytes, level, settings),
            };
            if let (true, Some(bytes)) = (reasons.is_empty() && !args.force, &old) {
                if let Ok(mesh) = asset::decode(bytes) {
                    // Its warnings are those of the bake.
                    self.describe_mesh(&mesh, lint);
                    return Ok(Done::default().with_figures(&mesh, bytes.len()));
                }
                reasons.push(StaleReason::Damaged);
            }
            if args.writes_nothing() && !args.force {
                return Ok(Done::new(Status::Stale, reasons));
            }
            if reasons.is_empty() {
                reasons.push(StaleReason::Forced);
            }
        }
        let mesh = bake_level(level, settings, &self.name, self.shared.terminal)?;
        self.describe_mesh(&mesh, lint);
        let bytes = asset::encode(&mesh);
        let status = self.store(&bytes, old.as_deref(), &mut reasons)?;
        Ok(Done::new(status, reasons).with_figures(&mesh, bytes.len()))
    }

    /// Adds the messages about a mesh.
    fn describe_mesh(&mut self, mesh: &NavMesh, settings: &LintSettings) {
        let findings = lint::of_bake(mesh, settings);
        self.warn(findings.iter().map(Finding::description));
        for (agent, lost, all) in lint::mostly_out_of_reach(mesh, settings) {
            self.note(format!(
                "{}: no spawn of {agent} reaches {lost} of its {all} platforms\n\
                 help: `navbake lint` says where a way is missing; a greater `jump_height` in \
                 navbake.toml may lead there",
                self.name
            ));
        }
    }

    /// Writes the bytes; with `--check` compares them with the old ones.
    fn store(
        &self,
        bytes: &[u8],
        old: Option<&[u8]>,
        reasons: &mut Vec<StaleReason>,
    ) -> Result<Status, Failure> {
        let output = &self.target.output;
        if is_dash(output) {
            io::to_stdout(bytes)?;
            return Ok(Status::Written);
        }
        if old == Some(bytes) {
            reasons.clear();
            return Ok(Status::Unchanged);
        }
        if self.shared.args.writes_nothing() {
            // `--check --force` compares bytes. That they differ is the reason, not the option.
            if *reasons == [StaleReason::Forced] {
                *reasons = vec![StaleReason::Content];
            }
            return Ok(Status::Stale);
        }
        if let Some(folder) = output.parent() {
            io::create_folder(folder)?;
        }
        io::store(output, bytes)?;
        Ok(Status::Written)
    }
}
