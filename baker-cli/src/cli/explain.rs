//! `navbake explain`.

use clap::Args;

use crate::bake::tools::{AgentMoves, grid_spacing};
use crate::cli::args::{TextOrJson, Trip};
use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::io::name_of;
use crate::cli::level_input::bake_level;
use crate::cli::mesh_input::{Asset, MeshFile, MeshSource, level_of};
use crate::cli::terminal::Terminal;
use crate::report::explain::{Explanation, explain};

/// Say why there is a link between two positions, or why there is none
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake explain level.tmx --agent ground --from 24,96 --to 400,48
  navbake explain level.tmx --agent ground --from spawn:player --to waypoint:nest
  navbake explain level.navmesh --agent ground --from 24,96 --to 400,48 --json

The command compares the platforms at (or nearest to) the two positions. When no single link joins
them, it reports the attempt that comes closest: how much too far or too high it is, or what blocks
it and where. It also reports the route over several links, or the link that is missing. A level is
baked first. A baked file has links and limits, but not what blocks an agent. All doors count as
open.
Exit status 1 when there is no link.")]
pub struct ExplainArgs {
    #[command(flatten)]
    file: MeshFile,
    #[command(flatten)]
    trip: Trip,
    #[command(flatten)]
    form: TextOrJson,
}

pub fn run(args: &ExplainArgs, terminal: &Terminal) -> Result<ExitStatus, Failure> {
    args.file.inputs()?;
    let explanation = match MeshSource::read(&args.file.file)? {
        // It has links but not what blocks the agent.
        MeshSource::Baked(bytes) => {
            let asset = Asset::from_bytes(&name_of(&args.file.file), &bytes)?;
            args.file.config.warn_if_unread(terminal);
            let layer = asset.layer(Some(&args.trip.agent))?;
            let [from, to] = args.trip.ends(&asset.mesh)?;
            explain(layer, None, from, to)
        }
        MeshSource::Level(piped) => explain_level(args, piped.as_deref(), terminal)?,
    };
    args.form.write(
        |out| {
            let json = serde_json::to_string(&explanation)?;
            writeln!(out, "{json}")
        },
        |out| writeln!(out, "{}", explanation.message),
    )?;
    Ok(ExitStatus::answer(explanation.linked))
}

/// The explanation from a level, which is baked for the agent.
fn explain_level(
    args: &ExplainArgs,
    piped: Option<&[u8]>,
    terminal: &Terminal,
) -> Result<Explanation, Failure> {
    let file = &args.file.file;
    let (level, mut settings) = level_of(file, piped, &args.file.config, terminal)?;
    let name = name_of(file);
    // The spacing follows from all agents, so it is fixed before the others
    // are removed.
    let spacing = grid_spacing(&level, &settings).map_err(|e| Failure::in_file(&name, &e))?;
    settings.spacing = Some(spacing as f32);
    let known: Vec<_> = settings.agents.iter().map(|a| a.name.clone()).collect();
    settings
        .agents
        .retain(|agent| agent.name == args.trip.agent);
    if settings.agents.is_empty() {
        return Err(Failure::unknown_agent(&args.trip.agent, &known));
    }
    let mesh = bake_level(&level, &settings, &name, terminal)?;
    let [from, to] = args.trip.ends(&mesh)?;
    // The settings have one agent, so the mesh has one layer.
    let layer = &mesh.layers()[0];
    let moves = AgentMoves::new(&level, &settings, layer.profile())
        .map_err(|e| Failure::in_file(&name, &e))?;
    Ok(explain(layer, Some(&moves), from, to))
}
