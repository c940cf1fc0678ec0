//! `navbake inspect`.

use clap::Args;

use crate::cli::args::TextOrJson;
use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::mesh_input::MeshFile;
use crate::cli::terminal::Terminal;
use crate::report::inspect::Summary;

/// Summarize a baked file: agents, counts, sizes, fingerprints
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake inspect level.navmesh
  navbake inspect level.navmesh --json | jq '.agents[].edges'")]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    file: MeshFile,
    #[command(flatten)]
    form: TextOrJson,
}

pub(crate) fn run(args: &InspectArgs, terminal: &Terminal) -> Result<ExitStatus, Failure> {
    let asset = args.file.open(terminal)?;
    let summary = Summary::new(&asset.mesh, &asset.format, asset.bytes, asset.sections);
    args.form
        .write(|out| summary.json(out), |out| summary.text(out))?;
    Ok(ExitStatus::Success)
}
