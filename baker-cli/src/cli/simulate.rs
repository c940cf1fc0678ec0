//! `navbake simulate`.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueHint};
use glam::DVec2;
use navmesh_runtime::Navigator;
use navmesh_runtime::mesh::NavMesh;
use navmesh_runtime::search::{Doors, Rect};

use crate::bake::{LiveLevel, Material};
use crate::cli::args::{
    TextOrJson, Trip, frequency, redirect, seconds, stun, timed_door, timed_edit, timed_region,
};
use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::io::{self, is_dash, refuse_overwrite};
use crate::cli::mesh_input::MeshFile;
use crate::cli::place::Place;
use crate::cli::route;
use crate::cli::terminal::Terminal;
use crate::report::render::film;
use crate::report::simulation::{AgentCommand, Script, simulate};

/// Frames per second of an animation. GIF counts in hundredths of a second,
/// and many viewers slow down files with more frames per second.
const FRAMES: f64 = 20.0;

/// Positions per second in the JSON.
const SAMPLES: f64 = 10.0;

/// Run an agent in a level: positions, events, an animation
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake simulate level.navmesh --agent ground --from 24,96 --to 400,48
  navbake simulate level.navmesh --agent ground --from 24,96 --to 400,48 --sample 10
  navbake simulate level.navmesh --agent ground --from 24,96 --to 400,48 -o chase.gif
  navbake simulate level.navmesh --agent ground --from 24,96 --to 400,48 \\
      --then 2.5:24,96 --stun 1.2:0.5 --json
  navbake simulate level.tmx --agent ground --from spawn:player --to waypoint:nest --close 1:gate
  navbake simulate level.tmx --agent ground --from 24,96 --to 400,48 --remove 2:48,272,64,288
  navbake simulate level.tmx --agent ground --from 24,96 --to 400,48 --edit 2:48,272,64,288=solid

The agent is the one of the crate navmesh-runtime and moves as it does in a game. A PLACE is a
position X,Y or a marker of the level, CLASS:NAME. Positions are in world units and name the agent's
feet: the bottom centre of its box. Doors begin as the level has them (property `closed`).
Exit status 1 when the agent does not end at its last destination.")]
pub(crate) struct SimulateArgs {
    #[command(flatten)]
    file: MeshFile,
    #[command(flatten)]
    trip: Trip,
    /// After T seconds, send the agent to another place; can be repeated
    #[arg(long, value_name = "T:PLACE", value_parser = redirect, allow_hyphen_values = true)]
    then: Vec<(f64, Place)>,
    /// After T seconds, close the doors of this name; can be repeated
    #[arg(long, value_name = "T:NAME", value_parser = timed_door)]
    close: Vec<(f64, String)>,
    /// After T seconds, open the doors of this name; can be repeated
    #[arg(long, value_name = "T:NAME", value_parser = timed_door)]
    open: Vec<(f64, String)>,
    /// After T seconds, take the ground out of a rectangle (world units); can be repeated
    #[arg(long, value_name = "T:X1,Y1,X2,Y2", value_parser = timed_region, allow_hyphen_values = true)]
    remove: Vec<(f64, Rect)>,
    /// After T seconds, put the ground back into a rectangle that was removed; can be repeated
    #[arg(long, value_name = "T:X1,Y1,X2,Y2", value_parser = timed_region, allow_hyphen_values = true)]
    restore: Vec<(f64, Rect)>,
    /// After T seconds, fill a rectangle of the level (world units) with empty, solid, `one_way`,
    /// hazard or ladder; can be repeated
    #[arg(long, value_name = "T:X1,Y1,X2,Y2=MATERIAL", value_parser = timed_edit, allow_hyphen_values = true)]
    edit: Vec<(f64, Rect, Option<Material>)>,
    /// After T seconds, stun the agent for so many seconds; can be repeated
    #[arg(long, value_name = "T:SECONDS", value_parser = stun, allow_hyphen_values = true)]
    stun: Vec<(f64, f64)>,
    /// Write the agent's position HZ times per second, too; --json does so 10 times if HZ is not given
    #[arg(long, value_name = "HZ", value_parser = frequency)]
    sample: Option<f64>,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    limit: f64,
    #[command(flatten)]
    form: TextOrJson,
    /// Write an animation; `-` writes it to stdout instead of the text
    #[arg(short, long, value_name = "GIF", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

pub(crate) fn run(args: &SimulateArgs, terminal: &Terminal) -> Result<ExitStatus, Failure> {
    let to_stdout = args.output.as_deref().is_some_and(is_dash);
    if to_stdout && args.form.json {
        let problem = "stdout cannot hold both the animation and --json";
        return Err(Failure::with_help(
            problem,
            "write the animation to a file with -o",
        ));
    }
    if let Some(output) = &args.output {
        refuse_overwrite(output, &args.file.inputs()?, "-o")?;
    }
    let (asset, live) = if args.edit.is_empty() {
        (args.file.open(terminal)?, None)
    } else {
        let (asset, live) = args.file.open_live(terminal)?;
        (asset, Some(live))
    };
    let layer = asset.layer(Some(&args.trip.agent))?;
    let script = script(args, &asset.mesh, live)?;
    let simulation = simulate(layer, &script);
    if let Some(output) = &args.output {
        let hz = FRAMES;
        let simulation = simulate(layer, &Script { hz, ..script });
        let gif = film(&asset.mesh, layer, &simulation)
            .map_err(|e| Failure::new(format!("cannot encode the animation: {e}")))?;
        io::write(output, gif, None, terminal)?;
    }
    if !to_stdout {
        args.form.write(
            |out| simulation.json(out),
            |out| simulation.text(args.sample.is_some(), out),
        )?;
    }
    route::advise(&simulation.ending.reason(), layer, terminal);
    Ok(ExitStatus::answer(simulation.has_arrived()))
}

/// The commands to the agent and the doors that the options give, and when.
fn script(args: &SimulateArgs, mesh: &NavMesh, live: Option<LiveLevel>) -> Result<Script, Failure> {
    let doors = Doors::from_mesh(mesh);
    let mut commands = Vec::new();
    for (time, to) in &args.then {
        commands.push((*time, AgentCommand::Go(to.resolve(mesh)?)));
    }
    for (time, length) in &args.stun {
        let end = time + length;
        let mut stuns = args.stun.iter();
        commands.push((*time, AgentCommand::Disable));
        if !stuns.any(|(from, length)| *from <= end && end < from + length) {
            commands.push((end, AgentCommand::Enable));
        }
    }
    for (time, name) in &args.close {
        // Only looks for the name: the simulation begins with the doors as the level has them.
        doors.clone().close(name)?;
        commands.push((*time, AgentCommand::CloseDoor(name.clone())));
    }
    for (time, name) in &args.open {
        doors.clone().open(name)?;
        commands.push((*time, AgentCommand::OpenDoor(name.clone())));
    }
    commands.extend(changes_of_ground(args, mesh, live)?);
    if let Some((late, _)) = commands.iter().find(|(time, _)| *time > args.limit) {
        let limit = args.limit;
        let problem = format_args!("a command at {late} s comes after the end, at {limit} s");
        return Err(Failure::with_help(problem, "set a later end with --limit"));
    }
    let [from, to] = args.trip.ends(mesh)?;
    Ok(Script {
        from,
        to,
        doors,
        commands,
        hz: args.sample.unwrap_or(SAMPLES),
        limit: args.limit,
    })
}

/// A change of the ground.
#[derive(Clone, Copy)]
enum GroundChange {
    Remove,
    Restore,
    Fill(Option<Material>),
}

/// The versions of the level after each change of its ground.
fn changes_of_ground(
    args: &SimulateArgs,
    mesh: &NavMesh,
    mut live: Option<LiveLevel>,
) -> Result<Vec<(f64, AgentCommand)>, Failure> {
    let mut changes: Vec<(f64, Rect, GroundChange)> = Vec::new();
    for (regions, change) in [
        (&args.remove, GroundChange::Remove),
        (&args.restore, GroundChange::Restore),
    ] {
        let regions = regions.iter();
        changes.extend(regions.map(|(time, region)| (*time, *region, change)));
    }
    let edits = args.edit.iter();
    changes.extend(
        edits.map(|(time, region, material)| (*time, *region, GroundChange::Fill(*material))),
    );
    if changes.is_empty() {
        return Ok(Vec::new());
    }
    changes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut nav = Navigator::new(mesh.clone());
    let mut commands = Vec::new();
    for (time, region, change) in changes {
        let event = match change {
            GroundChange::Remove => {
                nav.remove(region);
                "ground_removed"
            }
            GroundChange::Restore if nav.restore(region) => "ground_restored",
            GroundChange::Restore => {
                let problem = format_args!("nothing was removed there before {time} s");
                let help = "give --restore the rectangle of a --remove";
                return Err(Failure::with_help(problem, help));
            }
            GroundChange::Fill(material) => {
                if let Some(live) = &mut live {
                    let units = live.settings().units;
                    let scale = f64::from(units.pixels_per_unit);
                    let flip = DVec2::new(scale, scale * f64::from(units.y_axis.down()));
                    let [a, b] = [region.min, region.max].map(|at| at.as_dvec2() * flip);
                    live.set_cells(crate::bake::Rect::new(a.min(b), a.max(b)), material);
                    let update = live.update().map_err(|e| Failure::new(e.to_string()))?;
                    nav.set_mesh(update.mesh);
                }
                "ground_edited"
            }
        };
        let change = AgentCommand::Ground {
            region,
            event,
            level: Arc::clone(nav.mesh()),
        };
        commands.push((time, change));
    }
    Ok(commands)
}
