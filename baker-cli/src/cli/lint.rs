//! `navbake lint`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};

use crate::cli::args::ConfigFile;
use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::io::{self, name_of};
use crate::cli::mesh_input::{failed, level_path, meshes_in, open_mesh};
use crate::cli::terminal::Terminal;
use crate::report::lint::{self, FileFindings, LintReport, Rule};

/// Check levels for mistakes: traps, unreachable floor, broken portals
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake lint levels/                         bake in memory and check
  navbake lint build/*.navmesh --json          check baked files, for programs
  navbake lint levels/*.tmx --format github    annotations on a pull request

Rules:
  no-floor              an agent that walks has no floor, or hardly any space
  broken-spawn          a spawn inside geometry, or without floor below
  broken-portal         a portal without partner, or not on a floor
  broken-door           a door without size or without name
  unreachable-waypoint  a waypoint inside geometry, or one that no agent can reach
  trap                  a place that an agent can enter but not leave
  unreachable-platform  floor that cannot be reached from any spawn
  fragile-link          a place that is connected only by a link with almost no tolerance

Rules are switched off, or made errors or warnings, in navbake.toml:

  [lint]
  off = [\"fragile-link\"]
  error = [\"trap\"]
  tolerance = 0.02          # seconds; a link with less tolerance is fragile

In the level, the property `lint_off` of a marker, or of an `area` around a place, names rules to
switch off there; `all` switches off every rule.

Exit status 1 when something was found.")]
pub struct LintArgs {
    /// Levels (baked in memory), baked files, and folders of them; `-` reads stdin
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    config: ConfigFile,
    /// Output format
    #[arg(long, value_enum, default_value_t = LintFormat::Human, conflicts_with = "json")]
    format: LintFormat,
    /// Write JSON: the same as --format json
    #[arg(long)]
    json: bool,
    /// In text, list every finding instead of the first eight of each rule and agent
    #[arg(long)]
    all: bool,
}

/// Output formats of `navbake lint`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LintFormat {
    /// Text
    Human,
    /// JSON, for programs
    Json,
    /// Annotations of a GitHub workflow
    Github,
}

pub fn run(args: &LintArgs, terminal: &Terminal) -> Result<ExitStatus, Failure> {
    args.config
        .inputs(args.files.iter().map(PathBuf::as_path))?;
    args.config.load()?;
    let mut report = LintReport::default();
    for found in args.files.iter().flat_map(|named| meshes_in(named)) {
        let checked = match found.problem {
            Some(problem) => Err(Failure::new(problem)),
            None => check(&found.level, args, terminal),
        };
        match checked {
            Ok(file) => report.files.push(file),
            // The other files are still checked.
            Err(failure) => report.failed.push(failed(&found.level, &failure, terminal)),
        }
    }
    let mut out = Vec::new();
    match args.format {
        _ if args.json => report.json(&mut out)?,
        LintFormat::Human => report.human(args.all, &mut out)?,
        LintFormat::Json => report.json(&mut out)?,
        LintFormat::Github => report.github(&mut out)?,
    }
    io::to_stdout(&out)?;
    let without_spawn = report.files.iter().filter(|file| !file.has_spawn);
    let without_spawn: Vec<_> = without_spawn.map(|file| &file.file).collect();
    if let [first, others @ ..] = &without_spawn[..] {
        let which = match others.len() {
            0 => format!("{first} has"),
            others => format!("{first} and {others} more have"),
        };
        terminal.note(&format!(
            "{which} no marker of class `spawn`: unreachable floor is not looked for\n\
             help: give the class `spawn` to the object where the player begins"
        ));
    }
    if !report.failed.is_empty() {
        return Ok(ExitStatus::Error);
    }
    let is_clean = report.files.iter().all(|file| file.findings.is_empty());
    Ok(ExitStatus::answer(is_clean))
}

fn check(path: &Path, args: &LintArgs, terminal: &Terminal) -> Result<FileFindings, Failure> {
    let settings = args.config.load_for(path)?.lint()?;
    let mesh = open_mesh(path, &args.config, terminal)?.mesh;
    let name = name_of(path);
    for (marker, rule) in lint::unknown_rules(&mesh) {
        let rules = Rule::ALL.map(Rule::name).join(", ");
        terminal.warn(&format!(
            "{name}: {marker}: its lint_off has the unknown rule {rule:?}\nhelp: the rules are {rules}; `all` is all of them"
        ));
    }
    Ok(FileFindings {
        level: level_path(path, &mesh),
        file: name,
        findings: lint::lint(&mesh, &settings),
        has_spawn: mesh.spawns().next().is_some(),
    })
}
