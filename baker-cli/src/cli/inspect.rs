//! `navbake inspect` and `navbake dump`: what is in a baked file.

use clap::Args;

use crate::cli::args::TextOrJson;
use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::mesh_input::MeshFile;
use crate::cli::terminal::Terminal;
use crate::report::dump;
use crate::report::inspect::Summary;

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
