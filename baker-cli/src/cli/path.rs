//! `navbake path`.

use std::collections::BTreeSet;

use clap::Args;

use crate::cli::args::{TextOrJson, Trip, frequency};
use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::mesh_input::MeshFile;
use crate::cli::route;
use crate::cli::terminal::Terminal;
use crate::report::simulation::samples_along;

/// Find the fastest path between two positions
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake path level.navmesh --agent ground --from 24,96 --to 400,48
  navbake path level.tmx --agent ground --from spawn:player --to waypoint:nest
  navbake path level.navmesh --agent ground --from 24,96 --to 400,48 --json --sample 60

A PLACE is a position X,Y or a marker of the level, CLASS:NAME. Positions are in world units and
name the agent's feet: the bottom centre of its box. A level is baked in memory. Doors are in
the state that the level gives them (property `closed`); --close and --open change it by name.
Exit status 1 when there is no path.")]
pub struct PathArgs {
    #[command(flatten)]
    file: MeshFile,
    #[command(flatten)]
    trip: Trip,
    #[command(flatten)]
    form: TextOrJson,
    /// Close the doors of this name; can be repeated
    #[arg(long, alias = "closed", value_name = "NAME")]
    close: Vec<String>,
    /// Open the doors of this name; can be repeated
    #[arg(long, value_name = "NAME")]
    open: Vec<String>,
    /// Also write the agent's motion along the path, HZ samples per second
    #[arg(long, value_name = "HZ", value_parser = frequency)]
    sample: Option<f64>,
}

pub fn run(args: &PathArgs, terminal: &Terminal) -> Result<ExitStatus, Failure> {
    let asset = args.file.open(terminal)?;
    let layer = asset.layer(Some(&args.trip.agent))?;
    let doors = route::doors(&asset.mesh, &args.close, &args.open)?;
    let [from, to] = args.trip.ends(&asset.mesh)?;
    let route = route::find_path(layer, from, to, &doors)?;
    let samples = (args.sample).map(|hz| samples_along(layer, &route, to, &doors, hz));
    args.form.write(
        |out| route.json(samples.as_deref(), out),
        |out| route.text(samples.as_deref(), out),
    )?;
    route::note_moved_ends(&route, [from, to], terminal);
    if !route.is_found() {
        route::advise(&route.reason, layer, terminal);
        let closed = asset.mesh.doors().map(|door| door.marker);
        let closed = closed.filter(|door| door.flag("closed") == Some(true));
        let names: BTreeSet<_> = closed.map(|door| &door.name).collect();
        let names: Vec<_> = names
            .into_iter()
            .filter(|name| !args.close.contains(name) && !args.open.contains(name))
            .cloned()
            .collect();
        if !names.is_empty() {
            let doors = format!("doors that the level closes: {}", names.join(", "));
            terminal.note(&format!("{doors}\nhelp: open one with --open NAME"));
        }
    }
    Ok(ExitStatus::answer(route.is_found()))
}
