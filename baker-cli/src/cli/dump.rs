//! `navbake dump`.

use std::io::{BufWriter, Write, stdout};

use super::args::DumpArgs;
use super::{Answer, Failure, pipeline};
use crate::report;

pub(super) fn run(args: &DumpArgs) -> Result<Answer, Failure> {
    let asset = pipeline::open(&args.file)?;
    let mut out = BufWriter::new(stdout().lock());
    if args.json {
        report::dump::json(&asset.mesh, &asset.format, &mut out)?;
    } else {
        report::dump::text(&asset.mesh, &asset.format, &mut out)?;
    }
    out.flush()?;
    Ok(Answer::Yes)
}
