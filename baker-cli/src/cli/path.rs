//! `navbake path`.

use clap::Args;

use super::args::{BakedFile, Form, Point, frequency};
use super::terminal::Terminal;
use super::{Answer, Failure, pipeline};
use crate::report::simulation::samples_along;

/// Find a path in a baked file
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake path level.navmesh --agent ground --from 24,96 --to 400,48
  navbake path level.navmesh --agent ground --from 24,96 --to 400,48 --json --sample 60

Positions are world units and name the agent's feet: the bottom centre of its box. Doors are open,
but for those that the level begins with closed; --closed and --open change that.
Exit status 1 when there is no path.")]
pub(super) struct PathArgs {
    #[command(flatten)]
    file: BakedFile,
    /// Whose path
    #[arg(long, value_name = "NAME")]
    agent: String,
    /// Where it starts, world units
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    from: Point,
    /// Where it should end, world units
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    to: Point,
    #[command(flatten)]
    form: Form,
    /// Close the doors of this name; can be given several times
    #[arg(long, value_name = "NAME")]
    closed: Vec<String>,
    /// Open doors that are closed when the level begins (property `closed`)
    #[arg(long, value_name = "NAME")]
    open: Vec<String>,
    /// Also the motion an agent makes along it, so many times a second
    #[arg(long, value_name = "HZ", value_parser = frequency)]
    sample: Option<f64>,
}

pub(super) fn run(args: &PathArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    let asset = args.file.open()?;
    let layer = asset.layer(Some(&args.agent))?;
    let doors = pipeline::doors(&asset.mesh, &args.closed, &args.open)?;
    let route = pipeline::find_path(layer, args.from.0, args.to.0, &doors)?;
    let samples = args
        .sample
        .map(|hz| samples_along(layer, &route, args.to.0, hz));
    args.form.write(
        |out| route.json(samples.as_deref(), out),
        |out| route.text(samples.as_deref(), out),
    )?;
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
