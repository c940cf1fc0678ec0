//! `navbake path`.

use std::io::{BufWriter, Write, stdout};

use super::args::PathArgs;
use super::{Answer, Failure, pipeline};

pub(super) fn run(args: &PathArgs) -> Result<Answer, Failure> {
    let asset = pipeline::open(&args.file)?;
    let layer = asset.layer(Some(&args.agent))?;
    let doors = pipeline::doors(&asset.mesh, &args.closed, &args.open)?;
    let route = pipeline::find_path(layer, args.from.0, args.to.0, &doors)?;
    let samples = args
        .sample
        .map(|hz| route.samples(layer, asset.mesh.grid(), hz));
    let mut out = BufWriter::new(stdout().lock());
    if args.json {
        route.json(samples.as_deref(), &mut out)?;
    } else {
        route.text(samples.as_deref(), &mut out)?;
    }
    out.flush()?;
    Ok(if route.is_found() {
        Answer::Yes
    } else {
        Answer::No
    })
}
