//! `navbake dump`.

use clap::Args;

use super::args::{BakedFile, Form};
use super::{Answer, Failure};
use crate::report;

/// Write out every vertex row, platform and link of a baked file
#[derive(Debug, Args)]
#[command(after_long_help = "\
The text sorts things by where they are and has no numbers that would change for all when one more
comes in, so it suits version control. To see level edits in `git diff`:

  echo '*.navmesh diff=navbake' >> .gitattributes
  git config diff.navbake.textconv 'navbake dump'

--json is for programs; docs/cli.md lists its keys.")]
pub(super) struct DumpArgs {
    #[command(flatten)]
    file: BakedFile,
    #[command(flatten)]
    form: Form,
}

pub(super) fn run(args: &DumpArgs) -> Result<Answer, Failure> {
    let asset = args.file.open()?;
    args.form.write(
        |out| report::dump::json(&asset.mesh, &asset.format, out),
        |out| report::dump::text(&asset.mesh, &asset.format, out),
    )?;
    Ok(Answer::Yes)
}
