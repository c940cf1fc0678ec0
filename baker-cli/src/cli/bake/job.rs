//! Baking one level, or finding that there is nothing to do.

use std::collections::BTreeMap;
use std::io::{Write as _, stdout};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use navmesh_runtime::mesh::NavMesh;
use serde::Serialize;

use super::super::Failure;
use super::super::config::{Config, ConfigError, locate};
use super::super::failure::chain;
use super::super::pipeline::{self, Files, Fresh, Hashes, Reason, Seen, is_dash};
use super::super::terminal::Terminal;
use super::args::BakeArgs;
use super::targets::Target;
use crate::report::{EdgeCounts, edge_counts, lint};

/// What became of a baked file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    Written,
    Unchanged,
    Stale,
    Error,
}

impl Status {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Written => "written",
            Self::Unchanged => "unchanged",
            Self::Stale => "stale",
            Self::Error => "error",
        }
    }
}

/// A level that was baked, or was up to date.
pub(super) struct Done {
    pub(super) status: Status,
    /// Why it was baked, or would have to be.
    pub(super) reasons: Vec<Reason>,
    /// What is in the baked file, where that is known.
    pub(super) content: Option<Content>,
}

/// What is in a baked file.
pub(super) struct Content {
    pub(super) bytes: usize,
    pub(super) vertices: usize,
    pub(super) agents: Vec<AgentLine>,
}

/// What there is for one agent.
#[derive(Serialize)]
pub(super) struct AgentLine {
    pub(super) name: String,
    pub(super) platforms: usize,
    pub(super) links: usize,
    pub(super) edges: EdgeCounts,
}

/// Something to tell a person, in the order of the levels.
pub(super) enum Message {
    Say(String),
    Warning(String),
    /// Message once, however many levels say it.
    Note(String),
}

/// All there is to tell of one level.
pub(super) struct Outcome {
    pub(super) result: Result<Done, Failure>,
    pub(super) told: Vec<Message>,
    pub(super) warnings: Vec<String>,
    /// Every file that was looked at, the level first.
    pub(super) seen: Vec<Seen>,
    pub(super) config: Option<PathBuf>,
    pub(super) took: Duration,
}

/// What all levels of a run share.
pub(super) struct Run<'a> {
    pub(super) args: &'a BakeArgs,
    pub(super) terminal: &'a Terminal,
    pub(super) cwd: &'a Path,
    /// What came on stdin, where a level is read from it.
    pub(super) stdin: Option<&'a [u8]>,
    pub(super) hashes: Hashes,
    pub(super) configs: Configs,
}

/// Configurations, each read once a run.
#[derive(Default)]
pub(super) struct Configs(Mutex<BTreeMap<PathBuf, Arc<Config>>>);

impl Configs {
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

/// The configuration that holds for a level.
pub(super) fn config_of(args: &BakeArgs, level: &Path, cwd: &Path) -> Option<PathBuf> {
    args.config
        .path()
        .map(Path::to_path_buf)
        .or_else(|| locate(level, cwd))
}

impl Run<'_> {
    /// Bakes a level unless its baked file is up to date.
    pub(super) fn level(&self, target: &Target) -> Outcome {
        let start = Instant::now();
        let level = target.level.as_path();
        let config = config_of(self.args, level, self.cwd);
        let mut told = Vec::new();
        let mut warnings = Vec::new();
        let mut seen: Vec<Seen> = config.iter().cloned().map(Seen::now).collect();
        let stdin = self.stdin.filter(|_| is_dash(level));
        let name = match stdin {
            Some(bytes) => pipeline::stdin_name(bytes).to_owned(),
            None => level
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
        };
        let files = match stdin {
            Some(bytes) => Files::stdin(&name, bytes, &self.hashes),
            None => Files::beside(level, &self.hashes),
        };
        let result = match &target.problem {
            Some(problem) => Err(Failure::new(problem.clone())),
            None => Job {
                run: self,
                target,
                shown: if stdin.is_some() {
                    "stdin".into()
                } else {
                    level.display().to_string()
                },
                name: &name,
                files: &files,
                told: &mut told,
                warnings: &mut warnings,
            }
            .go(config.as_deref()),
        };
        let mut read = files.into_seen();
        read.append(&mut seen);
        read.extend(target.world.iter().cloned().map(Seen::now));
        Outcome {
            result,
            told,
            warnings,
            seen: read,
            config,
            took: start.elapsed(),
        }
    }
}

/// One level in work.
struct Job<'a> {
    run: &'a Run<'a>,
    target: &'a Target,
    /// The level as messages call it.
    shown: String,
    /// Its file name.
    name: &'a str,
    files: &'a Files<'a>,
    told: &'a mut Vec<Message>,
    warnings: &'a mut Vec<String>,
}

impl Job<'_> {
    fn go(&mut self, config: Option<&Path>) -> Result<Done, Failure> {
        let args = self.run.args;
        let config = match config {
            Some(path) => {
                self.told
                    .push(Message::Note(format!("configuration: {}", path.display())));
                self.run.configs.load(path)?
            }
            None => Arc::default(),
        };
        let output = self.target.output.as_path();
        let reasons = if is_dash(output) {
            if args.check {
                return Err(Failure::new(
                    "--check compares with a file; name the baked file of stdin with -o",
                ));
            }
            Vec::new()
        } else {
            match pipeline::freshness(output, self.name, self.files, &config)? {
                Ok(_) if args.force => vec![Reason::Forced],
                Ok(fresh) => return self.unchanged(&fresh, &config),
                Err(reasons) => reasons,
            }
        };
        if args.check && !args.force {
            return Ok(Done {
                status: Status::Stale,
                reasons,
                content: None,
            });
        }
        self.bake(&config, reasons)
    }

    /// There is nothing to do.
    fn unchanged(&mut self, fresh: &Fresh, config: &Config) -> Result<Done, Failure> {
        self.tell_agents(config, fresh.tile_size);
        let output = self.target.output.display().to_string();
        let mut content = None;
        // Only who asks for it pays for looking into it.
        if self.run.args.json {
            let asset = pipeline::load(&output, &fresh.bytes)?;
            content = Some(content_of(&asset.mesh, fresh.bytes.len()));
        }
        Ok(Done {
            status: Status::Unchanged,
            reasons: Vec::new(),
            content,
        })
    }

    fn bake(&mut self, config: &Config, mut reasons: Vec<Reason>) -> Result<Done, Failure> {
        let args = self.run.args;
        let path = if is_dash(&self.target.level) {
            Path::new(self.name)
        } else {
            &self.target.level
        };
        self.files.forget();
        let source = pipeline::read_with(path, config, self.files)?;
        self.tell_agents(config, source.tile_size);
        if args.verbose {
            for decision in &source.decisions {
                self.told
                    .push(Message::Say(format!("{}: {decision}", self.shown)));
            }
        }
        for warning in &source.warnings {
            self.told
                .push(Message::Warning(format!("{}: {warning}", self.shown)));
            self.warnings.push(warning.clone());
        }
        let settings = config.settings(source.tile_size)?;
        if args.verbose {
            for agent in &settings.agents {
                let agent = serde_json::to_string(agent).map_err(std::io::Error::from)?;
                self.told
                    .push(Message::Say(format!("{}: agent {agent}", self.shown)));
            }
        }
        let mesh = {
            let bar = self.run.terminal.follow(&self.shown);
            pipeline::bake(&source, &settings, &bar)
                .map_err(|e| Failure::new(format!("{}: {}", self.shown, chain(&e))))?
        };
        for finding in lint::portals(&mesh) {
            let warning = format!(
                "{} at {}: {}",
                finding.name,
                finding.place(),
                finding.message
            );
            self.told
                .push(Message::Warning(format!("{}: {warning}", self.shown)));
            self.warnings.push(warning);
        }
        let bytes = pipeline::encode(&mesh);
        let status = self.store(&bytes, &mut reasons)?;
        Ok(Done {
            status,
            reasons,
            content: Some(content_of(&mesh, bytes.len())),
        })
    }

    /// Says what was derived.
    fn tell_agents(&mut self, config: &Config, tile_size: Option<[u32; 2]>) {
        if !config.has_agents() {
            let tile = config.tile(tile_size);
            let whence = if tile_size.is_some() {
                "the tile size"
            } else {
                "a default tile size"
            };
            self.told.push(Message::Note(format!(
                "no agents configured: `ground` and `air` are derived from {whence}, {tile}; \
                 write a navbake.toml to set them"
            )));
        }
    }

    /// Writes the bytes, or with --check compares them.
    fn store(&self, bytes: &[u8], reasons: &mut Vec<Reason>) -> Result<Status, Failure> {
        let output = self.target.output.as_path();
        if is_dash(output) {
            let mut out = stdout().lock();
            out.write_all(bytes)?;
            out.flush()?;
            return Ok(Status::Written);
        }
        if self.run.args.check {
            return match std::fs::read(output) {
                Ok(old) if old == bytes => {
                    reasons.clear();
                    Ok(Status::Unchanged)
                }
                Ok(_) => {
                    if *reasons == [Reason::Forced] {
                        *reasons = vec![Reason::Content];
                    }
                    Ok(Status::Stale)
                }
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Status::Stale),
                Err(e) => Err(Failure::file("read", output, &e)),
            };
        }
        if let Some(folder) = output.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|e| Failure::file("create the folder", folder, &e))?;
        }
        let changed =
            pipeline::write(output, bytes).map_err(|e| Failure::file("write", output, &e))?;
        Ok(if changed {
            Status::Written
        } else {
            reasons.clear();
            Status::Unchanged
        })
    }
}

fn content_of(mesh: &NavMesh, bytes: usize) -> Content {
    let agents = (mesh.layers().iter())
        .map(|layer| AgentLine {
            name: layer.profile().name.clone(),
            platforms: layer.platforms().len(),
            links: layer.links().len(),
            edges: edge_counts(layer),
        })
        .collect();
    Content {
        bytes,
        vertices: mesh.grid().len(),
        agents,
    }
}
