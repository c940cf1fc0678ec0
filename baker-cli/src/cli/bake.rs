//! `navbake bake`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{Write as _, stdout};
use std::path::{Path, PathBuf};

use navmesh_runtime::mesh::NavMesh;
use serde::Serialize;

use super::args::BakeArgs;
use super::config::{Config, locate};
use super::failure::chain;
use super::pipeline::{self, is_dash};
use super::targets::targets;
use super::terminal::Terminal;
use super::{Answer, Failure};
use crate::report::inspect::grouped;
use crate::report::{EdgeCounts, edge_counts, lint};
use crate::source::Level;

pub(super) fn run(args: &BakeArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    let targets = targets(args)?;
    let mut bake = Bake {
        args,
        terminal,
        cwd: std::env::current_dir()
            .map_err(|e| Failure::new(format!("cannot tell the current folder: {e}")))?,
        told: BTreeSet::new(),
    };
    // A configuration that was asked for and is wrong is wrong for all.
    let given = args.config.as_deref().map(Config::load).transpose()?;
    let mut pool = rayon::ThreadPoolBuilder::new();
    if let Some(threads) = args.threads {
        pool = pool.num_threads(usize::from(threads));
    }
    let pool = pool
        .build()
        .map_err(|e| Failure::new(format!("cannot start threads: {e}")))?;
    let mut answer = Answer::Yes;
    for (level, output) in &targets {
        let name = if is_dash(level) {
            "stdin".to_string()
        } else {
            level.display().to_string()
        };
        let mut warnings = Vec::new();
        let result = pool.install(|| bake.level(level, output, given.as_ref(), &mut warnings));
        let status = match &result {
            Ok(done) => done.status,
            // Nobody reads what is baked: no use to go on.
            Err(Failure::NobodyReads) => return Err(Failure::NobodyReads),
            Err(_) => Status::Error,
        };
        answer = match (answer, status) {
            (Answer::Trouble, _) | (_, Status::Error) => Answer::Trouble,
            (_, Status::Stale) => Answer::No,
            (answer, _) => answer,
        };
        bake.tell(&name, output, &result, &warnings)?;
    }
    Ok(answer)
}

/// What became of a baked file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    Written,
    Unchanged,
    Stale,
    Error,
}

impl Status {
    const fn name(self) -> &'static str {
        match self {
            Self::Written => "written",
            Self::Unchanged => "unchanged",
            Self::Stale => "stale",
            Self::Error => "error",
        }
    }
}

/// A level that was baked.
struct Done {
    status: Status,
    bytes: usize,
    vertices: usize,
    agents: Vec<AgentLine>,
}

/// What there is for one agent.
#[derive(Serialize)]
struct AgentLine {
    name: String,
    platforms: usize,
    links: usize,
    edges: EdgeCounts,
}

/// What `--json` says of a level.
#[derive(Serialize)]
struct LevelLine<'a> {
    level: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
    status: Status,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vertices: Option<usize>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    agents: &'a [AgentLine],
    warnings: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

struct Bake<'a> {
    args: &'a BakeArgs,
    terminal: &'a Terminal,
    cwd: PathBuf,
    /// Notes already given: a hundred levels share one configuration.
    told: BTreeSet<String>,
}

impl Bake<'_> {
    fn level(
        &mut self,
        level: &Path,
        output: &Path,
        given: Option<&Config>,
        warnings: &mut Vec<String>,
    ) -> Result<Done, Failure> {
        let found;
        let config = if let Some(config) = given {
            if let Some(path) = &self.args.config {
                self.note_once(format!("configuration: {}", path.display()));
            }
            config
        } else {
            found = self.find_config(level)?;
            &found
        };
        let source = pipeline::read(level, config)?;
        let name = level.display().to_string();
        self.explain(&name, &source, config);
        for warning in &source.warnings {
            self.terminal.warn(&format!("{name}: {warning}"));
            warnings.push(warning.clone());
        }
        let settings = config.settings(source.tile_size)?;
        if self.args.verbose {
            for agent in &settings.agents {
                let agent = serde_json::to_string(agent).map_err(std::io::Error::from)?;
                self.terminal.say(&format!("{name}: agent {agent}"));
            }
        }
        let mesh = {
            let bar = self.terminal.follow(&name);
            pipeline::bake(&source, &settings, &bar)
                .map_err(|e| Failure::new(format!("{name}: {}", chain(&e))))?
        };
        for finding in lint::portals(&mesh) {
            let warning = format!(
                "{} at {}: {}",
                finding.name,
                finding.place(),
                finding.message
            );
            self.terminal.warn(&format!("{name}: {warning}"));
            warnings.push(warning);
        }
        let bytes = pipeline::encode(&mesh);
        let status = self.store(output, &bytes)?;
        Ok(Done {
            status,
            bytes: bytes.len(),
            vertices: mesh.grid().len(),
            agents: agent_lines(&mesh),
        })
    }

    fn find_config(&mut self, level: &Path) -> Result<Config, Failure> {
        // A level on stdin lies, as it were, in the current folder.
        let place = if is_dash(level) {
            Path::new("stdin")
        } else {
            level
        };
        match locate(place, &self.cwd) {
            Some(path) => {
                self.note_once(format!("configuration: {}", path.display()));
                Ok(Config::load(&path)?)
            }
            None => Ok(Config::default()),
        }
    }

    /// Says what was derived, and with -v why each layer counted.
    fn explain(&mut self, name: &str, source: &Level, config: &Config) {
        if !config.has_agents() {
            let tile = config.tile(source.tile_size);
            let whence = if source.tile_size.is_some() {
                "the tile size"
            } else {
                "a default tile size"
            };
            self.note_once(format!(
                "no agents configured: `ground` and `air` are derived from {whence}, {tile}; \
                 write a navbake.toml to set them"
            ));
        }
        if self.args.verbose {
            for decision in &source.decisions {
                self.terminal.say(&format!("{name}: {decision}"));
            }
        }
    }

    fn note_once(&mut self, note: String) {
        if !self.told.contains(&note) {
            self.terminal.note(&note);
            self.told.insert(note);
        }
    }

    /// Writes the bytes, or with --check compares them.
    fn store(&self, output: &Path, bytes: &[u8]) -> Result<Status, Failure> {
        if is_dash(output) {
            if self.args.check {
                return Err(Failure::new(
                    "--check compares with a file; name the baked file of stdin with -o",
                ));
            }
            let mut out = stdout().lock();
            out.write_all(bytes)?;
            out.flush()?;
            return Ok(Status::Written);
        }
        if self.args.check {
            return match std::fs::read(output) {
                Ok(old) if old == bytes => Ok(Status::Unchanged),
                Ok(_) => Ok(Status::Stale),
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Status::Stale),
                Err(e) => Err(Failure::file("read", output, &e)),
            };
        }
        let changed =
            pipeline::write(output, bytes).map_err(|e| Failure::file("write", output, &e))?;
        Ok(if changed {
            Status::Written
        } else {
            Status::Unchanged
        })
    }

    /// Tells what became of a level.
    fn tell(
        &self,
        name: &str,
        output: &Path,
        result: &Result<Done, Failure>,
        warnings: &[String],
    ) -> Result<(), Failure> {
        let done = match result {
            Ok(done) => Some(done),
            Err(failure) => {
                self.terminal.error(&failure.to_string());
                None
            }
        };
        if self.args.json {
            let line = LevelLine {
                level: name,
                output: done.map(|_| output.display().to_string()),
                status: done.map_or(Status::Error, |d| d.status),
                bytes: done.map(|d| d.bytes),
                vertices: done.map(|d| d.vertices),
                agents: done.map_or(&[], |d| &d.agents),
                warnings,
                error: result.as_ref().err().map(ToString::to_string),
            };
            let mut text = serde_json::to_string(&line).map_err(std::io::Error::from)?;
            text.push('\n');
            stdout().lock().write_all(text.as_bytes())?;
        } else if let Some(done) = done {
            self.terminal.say(&human(output, done));
        }
        Ok(())
    }
}

fn agent_lines(mesh: &NavMesh) -> Vec<AgentLine> {
    (mesh.layers().iter())
        .map(|layer| AgentLine {
            name: layer.profile().name.clone(),
            platforms: layer.platforms().len(),
            links: layer.links().len(),
            edges: edge_counts(layer),
        })
        .collect()
}

/// `level.navmesh: written, 12,345 bytes (grunt: 34 platforms, 120 jumps, 80 drops)`
fn human(output: &Path, done: &Done) -> String {
    let name = if is_dash(output) {
        "stdout".to_string()
    } else {
        output.display().to_string()
    };
    let mut text = format!(
        "{name}: {}, {} bytes",
        done.status.name(),
        grouped(done.bytes as u64)
    );
    for (i, agent) in done.agents.iter().enumerate() {
        let _ = write!(
            text,
            "{}{}: {} platforms",
            if i == 0 { " (" } else { "; " },
            agent.name,
            grouped(agent.platforms as u64)
        );
        for (count, what) in [
            (agent.edges.jump, "jumps"),
            (agent.edges.drop, "drops"),
            (agent.edges.fly, "fly edges"),
            (agent.edges.portal, "ways through portals"),
        ] {
            if count > 0 {
                let _ = write!(text, ", {} {what}", grouped(count));
            }
        }
    }
    if !done.agents.is_empty() {
        text.push(')');
    }
    text
}
