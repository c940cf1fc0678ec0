//! `navbake inspect`.

use clap::Args;

use super::args::{BakedFile, Form};
use super::{Answer, Failure};
use crate::report::inspect::Summary;

/// Tell what is in a baked file: counts, sizes, agents, fingerprints
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake inspect level.navmesh
  navbake inspect level.navmesh --json | jq '.agents[].edges'")]
pub(super) struct InspectArgs {
    #[command(flatten)]
    file: BakedFile,
    #[command(flatten)]
    form: Form,
}

pub(super) fn run(args: &InspectArgs) -> Result<Answer, Failure> {
    let asset = args.file.open()?;
    let summary = Summary::new(&asset.mesh, &asset.format, asset.bytes, asset.sections);
    args.form
        .write(|out| summary.json(out), |out| summary.text(out))?;
    Ok(Answer::Yes)
}
