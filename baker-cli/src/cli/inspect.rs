//! `navbake inspect`.

use std::io::{BufWriter, Write, stdout};

use super::args::InspectArgs;
use super::{Answer, Failure, pipeline};
use crate::report::inspect::Summary;

pub(super) fn run(args: &InspectArgs) -> Result<Answer, Failure> {
    let asset = pipeline::open(&args.file)?;
    let summary = Summary::new(&asset.mesh, &asset.format, asset.bytes, asset.sections);
    let mut out = BufWriter::new(stdout().lock());
    if args.json {
        summary.json(&mut out)?;
    } else {
        summary.text(&mut out)?;
    }
    out.flush()?;
    Ok(Answer::Yes)
}
