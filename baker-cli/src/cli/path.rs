//! `navbake path`.

use std::io::{BufWriter, Write, stdout};

use super::args::PathArgs;
use super::terminal::Terminal;
use super::{Answer, Failure, pipeline};
use crate::report::simulation::samples_along;

pub(super) fn run(args: &PathArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    let asset = pipeline::open(&args.file)?;
    let layer = asset.layer(Some(&args.agent))?;
    let doors = pipeline::doors(&asset.mesh, &args.closed, &args.open)?;
    let route = pipeline::find_path(layer, args.from.0, args.to.0, &doors)?;
    let samples = args
        .sample
        .map(|hz| samples_along(layer, &route, args.to.0, hz));
    let mut out = BufWriter::new(stdout().lock());
    if args.json {
        route.json(samples.as_deref(), &mut out)?;
    } else {
        route.text(samples.as_deref(), &mut out)?;
    }
    out.flush()?;
    if route.is_found() {
        return Ok(Answer::Yes);
    }
    let closed_by_level = asset.mesh.doors().filter(|door| door.closed);
    let mut names: Vec<_> = closed_by_level
        .map(|door| door.name())
        .filter(|name| {
            !args.closed.iter().any(|n| n == name) && !args.open.iter().any(|n| n == name)
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    if !names.is_empty() {
        terminal.note(&format!(
            "closed when the level begins: {}; --open opens a door",
            names.join(", ")
        ));
    }
    Ok(Answer::No)
}
