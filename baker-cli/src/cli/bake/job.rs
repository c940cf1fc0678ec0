//! Baking one level, unless its baked file is up to date.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use navmesh_runtime::asset;
use navmesh_runtime::mesh::NavMesh;
use serde::Serialize;

use crate::cli::asset::Asset;
use crate::cli::atomic_file::write_if_changed;
use crate::cli::bake::args::BakeArgs;
use crate::cli::bake::freshness::{FreshFile, StaleReason, freshness};
use crate::cli::bake::targets::Target;
use crate::cli::config::{Config, ConfigError};
use crate::cli::failure::Failure;
use crate::cli::input_files::{HashCache, LevelFiles, LevelInputs, SeenFile};
use crate::cli::level_input::stdin_name;
use crate::cli::mesh_input::bake_level;
use crate::cli::output;
use crate::cli::paths::{file_name, is_dash, name_of};
use crate::cli::terminal::Terminal;
use crate::report::{EdgeCounts, edge_counts, lint};
use crate::source;

/// What happened to a baked file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    Written,
    Unchanged,
    Stale,
    Error,
}

impl Status {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Written => "written",
            Self::Unchanged => "unchanged",
            Self::Stale => "stale",
            Self::Error => "error",
        }
    }
}

/// The result of a level without errors.
pub(crate) struct Done {
    pub(crate) status: Status,
    /// Why the level was baked, or must be.
    pub(crate) reasons: Vec<StaleReason>,
    /// Figures of the baked file, where they are known.
    pub(crate) figures: Option<Figures>,
}

/// Figures of a baked file.
pub(crate) struct Figures {
    pub(crate) bytes: usize,
    pub(crate) vertices: usize,
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

impl Figures {
    fn new(mesh: &NavMesh, bytes: usize) -> Self {
        let agents = (mesh.layers().iter())
            .map(|layer| AgentFigures {
                name: layer.profile().name.clone(),
                platforms: layer.platforms().len(),
                links: layer.links().len(),
                edges: edge_counts(layer),
            })
            .collect();
        Self {
            bytes,
            vertices: mesh.grid().len(),
            agents,
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

/// The result of one level.
pub(crate) struct LevelOutcome {
    pub(crate) result: Result<Done, Failure>,
    pub(crate) messages: Vec<Message>,
    pub(crate) inputs: LevelInputs,
    pub(crate) took: Duration,
}

/// What the levels of a run share.
pub(crate) struct Run<'a> {
    pub(crate) args: &'a BakeArgs,
    pub(crate) terminal: &'a Terminal,
    pub(crate) cwd: &'a Path,
    /// The bytes of stdin, if a level is read from it.
    pub(crate) stdin: Option<&'a [u8]>,
    pub(crate) hashes: HashCache,
    pub(crate) configs: ConfigCache,
}

/// Configurations, each read once per run.
#[derive(Default)]
pub(crate) struct ConfigCache(Mutex<BTreeMap<PathBuf, Arc<Config>>>);

impl ConfigCache {
    fn load(&self, path: &Path) -> Result<Arc<Config>, ConfigError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(config) = known.get(path) {
            return Ok(Arc::clone(config));
        }
        let config = Arc::new(Config::load(path)?);
        known.insert(path.to_path_buf(), Arc::clone(&config));
        Ok(config)
    }
}

impl Run<'_> {
    /// Bakes a level unless its baked file is up to date.
    pub(crate) fn level(&self, target: &Target) -> LevelOutcome {
        let start = Instant::now();
        let level = target.level.as_path();
        let config = self.args.config.locate(level, self.cwd);
        let config_seen = config.clone().map(SeenFile::now);
        let stdin = self.stdin.filter(|_| is_dash(level));
        let file = match stdin {
            Some(bytes) => PathBuf::from(stdin_name(bytes)),
            None => level.to_path_buf(),
        };
        let name = file_name(&file);
        let files = match stdin {
            Some(bytes) => LevelFiles::stdin(&name, bytes, &self.hashes),
            None => LevelFiles::beside(level, &self.hashes),
        };
        let mut job = Job {
            run: self,
            output: &target.output,
            shown: name_of(level),
            file: &file,
            name: &name,
            files: &files,
            messages: Vec::new(),
        };
        let result = match &target.problem {
            Some(problem) => Err(Failure::new(problem.clone())),
            None => job.run(config.as_deref()),
        };
        let messages = job.messages;
        let mut seen = files.into_seen();
        seen.extend(config_seen);
        seen.extend(target.world.clone().map(SeenFile::now));
        LevelOutcome {
            result,
            messages,
            inputs: LevelInputs { seen, config },
            took: start.elapsed(),
        }
    }
}

/// The work on one level.
struct Job<'a> {
    run: &'a Run<'a>,
    output: &'a Path,
    /// The level, as messages name it.
    shown: String,
    /// The level's file, or the name under which stdin is read.
    file: &'a Path,
    /// The last part of `file`.
    name: &'a str,
    files: &'a LevelFiles<'a>,
    messages: Vec<Message>,
}

impl Job<'_> {
    fn run(&mut self, config: Option<&Path>) -> Result<Done, Failure> {
        let args = self.run.args;
        let config = match config {
            Some(path) => {
                let note = format!("configuration: {}", path.display());
                self.messages.push(Message::Note(note));
                self.run.configs.load(path)?
            }
            None => Arc::default(),
        };
        if is_dash(self.output) {
            if args.check {
                return Err(Failure::with_help(
                    "--check needs a baked file to compare with",
                    "name the baked file with -o",
                ));
            }
            return self.bake(&config, Vec::new());
        }
        let reasons = match freshness(self.output, self.name, self.files, &config)? {
            Ok(_) if args.force => vec![StaleReason::Forced],
            Ok(fresh) => return self.unchanged(&fresh, &config),
            Err(reasons) => reasons,
        };
        if args.check && !args.force {
            return Ok(Done {
                status: Status::Stale,
                reasons,
                figures: None,
            });
        }
        self.bake(&config, reasons)
    }

    fn unchanged(&mut self, fresh: &FreshFile, config: &Config) -> Result<Done, Failure> {
        self.note_default_agents(config, fresh.tile_size);
        let mut figures = None;
        // Decoding the file takes longer than checking it, so it is done only
        // for the JSON.
        if self.run.args.json {
            let asset = Asset::from_bytes(&name_of(self.output), &fresh.bytes)?;
            figures = Some(Figures::new(&asset.mesh, fresh.bytes.len()));
        }
        Ok(Done {
            status: Status::Unchanged,
            reasons: Vec::new(),
            figures,
        })
    }

    fn bake(&mut self, config: &Config, mut reasons: Vec<StaleReason>) -> Result<Done, Failure> {
        self.files.forget();
        let level = source::read_from(self.file, self.files, config.rules())?;
        self.note_default_agents(config, level.tile_size);
        let settings = config.settings(level.tile_size)?;
        if self.run.args.verbose {
            let decisions = level.decisions.iter().cloned();
            self.messages.extend(decisions.map(Message::Detail));
            for agent in &settings.agents {
                let agent = serde_json::to_string(agent).map_err(std::io::Error::from)?;
                self.messages
                    .push(Message::Detail(format!("agent {agent}")));
            }
        }
        let warnings = level.warnings.iter().cloned();
        self.messages.extend(warnings.map(Message::Warning));
        let mesh = bake_level(&level, &settings, &self.shown, self.run.terminal)?;
        for finding in lint::portals(&mesh) {
            let warning = finding.description();
            self.messages.push(Message::Warning(warning));
        }
        let bytes = asset::encode(&mesh);
        let status = self.store(&bytes, &mut reasons)?;
        Ok(Done {
            status,
            reasons,
            figures: Some(Figures::new(&mesh, bytes.len())),
        })
    }

    /// Notes which agents are used when none are configured.
    fn note_default_agents(&mut self, config: &Config, tile_size: Option<[u32; 2]>) {
        if !config.has_agents() {
            let tile = config.tile(tile_size);
            let origin = match tile_size {
                Some(_) => "the tile size",
                None => "a default tile size",
            };
            self.messages.push(Message::Note(format!(
                "no agents are configured: `ground` and `air` are derived from {origin}, {tile}\n\
                 help: `navbake init LEVEL` writes a navbake.toml in which you can change them"
            )));
        }
    }

    /// Writes the bytes; with `--check` compares them.
    fn store(&self, bytes: &[u8], reasons: &mut Vec<StaleReason>) -> Result<Status, Failure> {
        let output = self.output;
        if is_dash(output) {
            output::to_stdout(bytes)?;
            return Ok(Status::Written);
        }
        if self.run.args.check {
            return match std::fs::read(output) {
                Ok(old) if old == bytes => {
                    reasons.clear();
                    Ok(Status::Unchanged)
                }
                Ok(_) => {
                    if *reasons == [StaleReason::Forced] {
                        *reasons = vec![StaleReason::Content];
                    }
                    Ok(Status::Stale)
                }
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Status::Stale),
                Err(e) => Err(Failure::file("read the file", output, &e)),
            };
        }
        if let Some(folder) = output.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|e| Failure::file("create the folder", folder, &e))?;
        }
        let written = write_if_changed(output, bytes)
            .map_err(|e| Failure::file("write the file", output, &e))?;
        if !written {
            reasons.clear();
            return Ok(Status::Unchanged);
        }
        Ok(Status::Written)
    }
}
