//! `navbake dump`.

use clap::Args;

use crate::cli::args::TextOrJson;
use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::mesh_input::MeshFile;
use crate::cli::terminal::Terminal;
use crate::report;

/// Write every vertex row, platform and link of a baked file
#[derive(Debug, Args)]
#[command(after_long_help = "\
The text is sorted by position and contains no running numbers: a new platform adds lines and
changes no others. So version control can show what a level edit changed:

  echo '*.navmesh diff=navbake' >> .gitattributes
  git config diff.navbake.textconv 'navbake dump'

--json is for programs; docs/cli.md lists its keys.")]
pub(crate) struct DumpArgs {
    #[command(flatten)]
    file: MeshFile,
    #[command(flatten)]
    form: TextOrJson,
}

pub(crate) fn run(args: &DumpArgs, terminal: &Terminal) -> Result<ExitStatus, Failure> {
    let asset = args.file.open(terminal)?;
    args.form.write(
        |out| report::dump::json(&asset.mesh, &asset.format, out),
        |out| report::dump::text(&asset.mesh, &asset.format, out),
    )?;
    Ok(ExitStatus::Success)
}
