//! `navbake inspect`, `navbake dump` and `navbake level`: what is in a baked file or a level.

use clap::Args;

use crate::cli::args::TextOrJson;
use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::io::{name_of, to_stdout};
use crate::cli::mesh_input::{MeshFile, MeshSource, level_of};
use crate::cli::terminal::Terminal;
use crate::report::dump;
use crate::report::inspect::Summary;
use crate::source::write_level;

/// Summarize a baked file: agents, counts, sizes, fingerprints
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake inspect level.navmesh
  navbake inspect level.navmesh --json | jq '.agents[].edges'")]
pub struct InspectArgs {
    #[command(flatten)]
    file: MeshFile,
    #[command(flatten)]
    form: TextOrJson,
}

/// Write every vertex row, platform and link of a baked file
#[derive(Debug, Args)]
#[command(after_long_help = "\
The text is sorted by position and contains no running numbers: a new platform adds lines and
changes no others. So version control can show what a level edit changed:

  echo '*.navmesh diff=navbake' >> .gitattributes
  git config diff.navbake.textconv 'navbake dump'

--json is for programs; docs/cli.md lists its keys.")]
pub struct DumpArgs {
    #[command(flatten)]
    file: MeshFile,
    #[command(flatten)]
    form: TextOrJson,
}

/// Write what the bake reads of a level, as a level of navbake's own format
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake level level.tmx > level.level.json
  navbake level world.ldtk#Level_0 | jq '.shapes | length'

The game reads the file for the collision of its own bodies: the same floors, slopes, one-way
platforms, hazards and ladders that its agents move on, in the same coordinates as the baked file.
docs/level-format.md describes it; the example `player` of navmesh-runtime reads it. A bake of the
file gives the same links.")]
pub struct LevelArgs {
    #[command(flatten)]
    file: MeshFile,
}

pub fn run(args: &InspectArgs, terminal: &Terminal) -> Result<ExitStatus, Failure> {
    let asset = args.file.open(terminal)?;
    let summary = Summary::new(&asset.mesh, &asset.format, asset.bytes, asset.sections);
    args.form
        .write(|out| summary.json(out), |out| summary.text(out))?;
    Ok(ExitStatus::Success)
}

pub fn run_dump(args: &DumpArgs, terminal: &Terminal) -> Result<ExitStatus, Failure> {
    let asset = args.file.open(terminal)?;
    args.form.write(
        |out| dump::json(&asset.mesh, &asset.format, out),
        |out| dump::text(&asset.mesh, &asset.format, out),
    )?;
    Ok(ExitStatus::Success)
}

pub fn run_level(args: &LevelArgs, terminal: &Terminal) -> Result<ExitStatus, Failure> {
    args.file.inputs()?;
    let path = &args.file.file;
    let MeshSource::Level(piped) = MeshSource::read(path)? else {
        let problem = format!("{}: a baked file has no collision", name_of(path));
        let help = "name the level that it was baked from";
        return Err(Failure::with_help(problem, help));
    };
    let (level, settings) = level_of(path, piped.as_deref(), &args.file.config, terminal)?;
    to_stdout(write_level(&level, settings.units).as_bytes())?;
    Ok(ExitStatus::Success)
}
