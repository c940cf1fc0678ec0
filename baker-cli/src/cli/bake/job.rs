//! Baking one level, unless its baked file is up to date.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use navmesh_runtime::asset;
use navmesh_runtime::mesh::{Layer, NavMesh};
use serde::Serialize;

use crate::bake::{Layout, Settings, advice, spacing_limit};
use crate::cli::bake::args::BakeArgs;
use crate::cli::bake::freshness::{StaleReason, read_output, stale_reasons};
use crate::cli::bake::targets::Target;
use crate::cli::config::{Config, NAME};
use crate::cli::failure::Failure;
use crate::cli::input_files::{LevelFiles, LevelInputs, Projects, SeenFile};
use crate::cli::level_input::{bake_level, picture_warnings};
use crate::cli::output;
use crate::cli::paths::{is_dash, name_of};
use crate::cli::protected::Protected;
use crate::cli::terminal::Terminal;
use crate::report::lint::{self, Finding, LintSettings};
use crate::report::{EdgeCounts, edge_counts};
use crate::source::{self, LevelFile, SourceError};

/// What happened to a baked file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    Written,
    Unchanged,
    Stale,
    /// Its level is gone, and so is the baked file.
    Removed,
    Error,
}

impl Status {
    pub(crate) const fn name(self) -> &'static str {
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
#[derive(Serialize)]
pub(crate) struct Done {
    pub(crate) status: Status,
    /// Why the level was baked, or must be.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) reasons: Vec<StaleReason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vertices: Option<usize>,
    /// The side of a grid cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    spacing: Option<f64>,
    /// The agent whose body makes the grid finer than the others need.
    #[serde(skip_serializing_if = "Option::is_none")]
    spacing_set_by: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) agents: Vec<AgentFigures>,
}

/// Figures of one agent in a baked file.
#[derive(Serialize)]
pub(crate) struct AgentFigures {
    pub(crate) name: String,
    pub(crate) platforms: usize,
    pub(crate) links: usize,
    pub(crate) edges: EdgeCounts,
}

impl Done {
    pub(crate) fn new(status: Status, reasons: Vec<StaleReason>) -> Self {
        Self {
            status,
            reasons,
            bytes: None,
            vertices: None,
            spacing: None,
            spacing_set_by: None,
            agents: Vec::new(),
        }
    }

    fn with_figures(self, mesh: &NavMesh, bytes: usize) -> Self {
        let figures = |layer: &Layer| AgentFigures {
            name: layer.profile().name.clone(),
            platforms: layer.platforms().len(),
            links: layer.links().len(),
            edges: edge_counts(layer),
        };
        Self {
            bytes: Some(bytes),
            vertices: Some(mesh.grid().columns as usize * mesh.grid().rows as usize),
            agents: mesh.layers().iter().map(figures).collect(),
            ..self
        }
    }
}

/// A message about a level. Levels finish in any order; their messages are
/// printed in the order of the levels.
pub(crate) enum Message {
    /// Printed with the level's name.
    Detail(String),
    /// Printed with the level's name, and part of the JSON.
    Warning(String),
    /// Printed once per run, even if many levels have it.
    Note(String),
}

pub(crate) struct LevelOutcome {
    pub(crate) result: Result<Done, Failure>,
    pub(crate) messages: Vec<Message>,
    pub(crate) inputs: LevelInputs,
    /// Rules of its configuration that match nothing in it; `None` where the
    /// level was not read.
    pub(crate) unused_rules: Option<Vec<String>>,
    pub(crate) took: Duration,
}

impl LevelOutcome {
    /// What happened to a baked file whose level is gone.
    pub(crate) fn of_orphan(result: Result<Status, Failure>) -> Self {
        Self {
            result: result.map(|status| Done::new(status, vec![StaleReason::Orphan])),
            messages: Vec::new(),
            inputs: LevelInputs::default(),
            unused_rules: None,
            took: Duration::ZERO,
        }
    }
}

/// What all levels share, in one run and in all runs of `--watch`.
pub(crate) struct Shared<'a> {
    pub(crate) args: &'a BakeArgs,
    pub(crate) terminal: &'a Terminal,
    pub(crate) cwd: PathBuf,
    /// The bytes of stdin, if a level is read from it.
    pub(crate) stdin: Option<Vec<u8>>,
}

impl Shared<'_> {
    /// Bakes a level unless its baked file is up to date. `projects` are those of
    /// the run.
    pub(crate) fn bake(&self, target: &Target, projects: &Projects) -> LevelOutcome {
        let start = Instant::now();
        let level = target.level.as_path();
        let config = self.args.config.locate(level, &self.cwd);
        let config_seen = config.clone().filter(|path| !is_dash(path));
        let config_seen = config_seen.map(SeenFile::now);
        let piped = self.stdin.as_deref().filter(|_| is_dash(level));
        let (file, files) = LevelFiles::of(level, piped);
        let mut job = Job {
            shared: self,
            projects,
            output: &target.output,
            shown: name_of(level),
            world: target.world.as_deref(),
            file,
            files: &files,
            messages: Vec::new(),
            unused_rules: None,
            lint: LintSettings::default(),
        };
        let result = match &target.problem {
            Some(problem) => Err(Failure::new(problem.clone())),
            None => job.run(config.as_deref()),
        };
        let (messages, unused_rules) = (job.messages, job.unused_rules);
        let mut seen = files.seen();
        seen.extend(config_seen);
        seen.extend(target.world.clone().map(SeenFile::now));
        LevelOutcome {
            result,
            messages,
            inputs: LevelInputs { seen, config },
            unused_rules,
            took: start.elapsed(),
        }
    }
}

/// The work on one level.
struct Job<'a> {
    shared: &'a Shared<'a>,
    projects: &'a Projects,
    output: &'a Path,
    /// The level, as messages name it.
    shown: String,
    /// The Tiled world that lists it.
    world: Option<&'a Path>,
    /// The level's file, or the name under which stdin is read.
    file: &'a Path,
    files: &'a LevelFiles<'a>,
    messages: Vec<Message>,
    unused_rules: Option<Vec<String>>,
    lint: LintSettings,
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
        if is_dash(self.output) && args.writes_nothing() {
            let problem = "--check and --dry-run need a baked file to compare with";
            return Err(Failure::with_help(problem, "name the baked file with -o"));
        }
        self.lint = config.lint()?;
        let rules = config.rules();
        let level = match self.projects.of(self.file, self.files)? {
            Some(project) => source::read_from_project(&project, self.file, self.files, rules)?,
            None => source::read_from(self.file, self.files, rules)
                .map_err(|error| self.listed_by_world(error))?,
        };
        // Which files the level refers to is known only now.
        Protected::of(&self.files.seen()).refuse(self.output, "-o")?;
        let settings = config.settings(level.tile_size)?;
        self.describe(&level, &config, &settings)?;
        let (spacing, spacing_set_by) = self.spacing(&level, &settings)?;
        Ok(Done {
            spacing: Some(spacing),
            spacing_set_by,
            ..self.update(&level, &settings)?
        })
    }

    /// The error of reading the level, with the Tiled world that lists it if the
    /// level's own file cannot be read.
    fn listed_by_world(&self, mut error: SourceError) -> SourceError {
        if let SourceError::Io { referrer, .. } = &mut error
            && referrer.is_none()
        {
            *referrer = self.world.map(|world| world.display().to_string());
        }
        error
    }

    fn detail(&mut self, text: String) {
        self.messages.push(Message::Detail(text));
    }

    fn note(&mut self, text: String) {
        self.messages.push(Message::Note(text));
    }

    fn warn(&mut self, texts: impl IntoIterator<Item = String>) {
        self.messages
            .extend(texts.into_iter().map(Message::Warning));
    }

    /// Bakes the level unless its baked file is up to date.
    fn update(&mut self, level: &LevelFile, settings: &Settings) -> Result<Done, Failure> {
        let args = self.shared.args;
        if is_dash(self.output) {
            return self.bake(level, settings, None, Vec::new());
        }
        let old = read_output(self.output)?;
        let mut reasons = match &old {
            None => vec![StaleReason::Missing],
            Some(bytes) => stale_reasons(bytes, level, settings),
        };
        if let (true, Some(bytes)) = (reasons.is_empty() && !args.force, &old) {
            match asset::decode(bytes) {
                Ok(mesh) => {
                    // Its warnings are those of the bake.
                    self.describe_mesh(&mesh);
                    let done = Done::new(Status::Unchanged, Vec::new());
                    return Ok(done.with_figures(&mesh, bytes.len()));
                }
                Err(_) => reasons.push(StaleReason::Damaged),
            }
        }
        if args.writes_nothing() && !args.force {
            return Ok(Done::new(Status::Stale, reasons));
        }
        if reasons.is_empty() {
            reasons.push(StaleReason::Forced);
        }
        self.bake(level, settings, old.as_deref(), reasons)
    }

    /// The side of a grid cell. An agent that makes it smaller than the others
    /// need is noted and returned.
    fn spacing(
        &mut self,
        level: &LevelFile,
        settings: &Settings,
    ) -> Result<(f64, Option<String>), Failure> {
        let layout = Layout::new(level, settings).map_err(|e| Failure::in_file(&self.shown, &e))?;
        let side = layout.spacing;
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

    /// Adds the messages about a level that do not need a bake.
    fn describe(
        &mut self,
        level: &LevelFile,
        config: &Config,
        settings: &Settings,
    ) -> Result<(), Failure> {
        if !config.has_agents() {
            let tile = config.tile(level.tile_size);
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
            self.messages.extend(decisions.map(Message::Detail));
            for agent in &settings.agents {
                let agent = serde_json::to_string(agent).map_err(std::io::Error::from)?;
                self.detail(format!("agent {agent}"));
            }
        }
        self.unused_rules = Some(level.unused_rules.clone());
        self.warn(level.warnings.clone());
        self.warn(advice(level, settings));
        // Images take as long to decode as all the rest of a check.
        if !self.shared.args.check {
            self.warn(picture_warnings(self.file, level));
        }
        Ok(())
    }

    /// Adds the messages about a mesh.
    fn describe_mesh(&mut self, mesh: &NavMesh) {
        let findings = lint::of_bake(mesh, &self.lint);
        self.warn(findings.iter().map(Finding::description));
        for (agent, lost, all) in lint::mostly_out_of_reach(mesh, &self.lint) {
            self.note(format!(
                "{}: no spawn of {agent} reaches {lost} of its {all} platforms\n\
                 help: `navbake lint` says where a way is missing; a greater `jump_height` in \
                 navbake.toml may lead there",
                self.shown
            ));
        }
    }

    /// Bakes the level and stores the result. `old` is the output as it is now.
    fn bake(
        &mut self,
        level: &LevelFile,
        settings: &Settings,
        old: Option<&[u8]>,
        mut reasons: Vec<StaleReason>,
    ) -> Result<Done, Failure> {
        let mesh = bake_level(level, settings, &self.shown, self.shared.terminal)?;
        self.describe_mesh(&mesh);
        let bytes = asset::encode(&mesh);
        let status = self.store(&bytes, old, &mut reasons)?;
        Ok(Done::new(status, reasons).with_figures(&mesh, bytes.len()))
    }

    /// Writes the bytes; with `--check` compares them with the old ones.
    fn store(
        &self,
        bytes: &[u8],
        old: Option<&[u8]>,
        reasons: &mut Vec<StaleReason>,
    ) -> Result<Status, Failure> {
        let output = self.output;
        if is_dash(output) {
            output::to_stdout(bytes)?;
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
            std::fs::create_dir_all(folder)
                .map_err(|e| Failure::file("create the folder", folder, &e))?;
        }
        output::store(output, bytes)?;
        Ok(Status::Written)
    }
}
