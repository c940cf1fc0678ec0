//! `navbake lint`.

use std::io::{BufWriter, Write, stdout};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};
use navmesh_runtime::mesh::NavMesh;

use super::args::ConfigFile;
use super::config::Config;
use super::failure::chain;
use super::pipeline::{self, is_dash};
use super::terminal::Terminal;
use super::{Answer, Failure};
use crate::report::lint::{self, FileFindings};

/// Tell what a designer should hear of a level before a player finds it
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake lint levels/*.tmx                    bake in memory, tell what is found
  navbake lint build/*.navmesh --json          of baked files, for programs
  navbake lint levels/*.tmx --format github    notes beside the files of a change

Rules:
  broken-spawn          a spawn inside geometry, or over nothing
  broken-portal         a portal without partner, or not on a floor
  broken-door           a door without extent, or without name
  unreachable-waypoint  a waypoint inside geometry, or out of every agent's reach
  trap                  a place an agent can get into, but never out of
  unreachable-platform  floor that no spawn leads to
  fragile-link          a connection that hangs on a link with almost no tolerance

Rules are switched off, or made errors or warnings, in navbake.toml:

  [lint]
  off = [\"fragile-link\"]
  error = [\"trap\"]
  tolerance = 0.02          # seconds; a link that forgives less is fragile

In the level itself, the property `lint_off` of a marker, or of an `area` around a place, names
rules that do not hold there, or `all`.

Exit status 1 when something was found.")]
pub(super) struct LintArgs {
    /// Levels (baked in memory) and baked files; `-` for a level on stdin
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    config: ConfigFile,
    /// How findings are told
    #[arg(long, value_enum, default_value_t = LintFormat::Human, conflicts_with = "json")]
    format: LintFormat,
    /// As JSON: the same as --format json
    #[arg(long)]
    json: bool,
    /// Tell people every finding, not only the first few of each rule
    #[arg(long)]
    all: bool,
}

/// How findings are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LintFormat {
    /// Text
    Human,
    /// For programs
    Json,
    /// GitHub's workflow commands
    Github,
}

pub(super) fn run(args: &LintArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    if args.files.iter().filter(|file| is_dash(file)).count() > 1 {
        return Err(Failure::new("stdin (-) can be read only once"));
    }
    // A configuration that was asked for and is wrong is wrong for all.
    let given = args.config.path().map(Config::load).transpose()?;
    let mut answer = Answer::Yes;
    let mut files = Vec::with_capacity(args.files.len());
    for path in &args.files {
        match look_at(path, given.as_ref(), terminal) {
            Ok(file) => {
                if answer == Answer::Yes && !file.findings.is_empty() {
                    answer = Answer::No;
                }
                files.push(file);
            }
            // One bad file does not keep the others from being looked at.
            Err(failure) => {
                terminal.error(&failure.to_string());
                answer = Answer::Error;
            }
        }
    }
    let mut out = BufWriter::new(stdout().lock());
    let format = if args.json {
        LintFormat::Json
    } else {
        args.format
    };
    match format {
        LintFormat::Human => lint::human(&files, args.all, &mut out)?,
        LintFormat::Json => lint::json(&files, &mut out)?,
        LintFormat::Github => lint::github(&files, &mut out)?,
    }
    out.flush()?;
    Ok(answer)
}

fn look_at(
    path: &Path,
    given: Option<&Config>,
    terminal: &Terminal,
) -> Result<FileFindings, Failure> {
    let found;
    let config = if let Some(config) = given {
        config
    } else {
        found = pipeline::config_for(path)?;
        &found
    };
    let settings = config.lint()?;
    let mesh = if pipeline::is_baked(path) {
        pipeline::open(path)?.mesh
    } else {
        baked(path, config, terminal)?
    };
    Ok(FileFindings {
        file: pipeline::name_of(path),
        findings: lint::lint(&mesh, &settings),
    })
}

/// A level, baked in memory.
fn baked(path: &Path, config: &Config, terminal: &Terminal) -> Result<NavMesh, Failure> {
    let name = pipeline::name_of(path);
    let level = pipeline::read(path, config)?;
    for warning in &level.warnings {
        terminal.warn(&format!("{name}: {warning}"));
    }
    let settings = config.settings(level.tile_size)?;
    let bar = terminal.follow(&name);
    pipeline::bake(&level, &settings, &bar)
        .map_err(|e| Failure::new(format!("{name}: {}", chain(&e))))
}
