//! `navbake explain`.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::bake::{AgentMoves, Layout, NoProgress, bake};
use crate::cli::args::{ConfigFile, TextOrJson, Trip};
use crate::cli::asset::Asset;
use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::level_input::read_level;
use crate::cli::paths::{is_baked, name_of};
use crate::report::explain::{Explanation, explain};

/// Say why there is a link between two positions, or why there is none
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake explain level.tmx --agent ground --from 24,96 --to 400,48
  navbake explain level.navmesh --agent ground --from 24,96 --to 400,48 --json

The command compares the platforms at (or nearest to) the two positions. When no single link joins
them, it reports the attempt that comes closest: how much too far or too high it is, or what blocks
it and where. It also reports the route over several links, or the hop that is missing. A level is
baked first. A baked file has links and limits, but not what blocks an agent.
Exit status 1 when there is no link.")]
pub(crate) struct ExplainArgs {
    /// A level or a baked file
    #[arg(value_name = "FILE|LEVEL", value_hint = ValueHint::FilePath)]
    file: PathBuf,
    #[command(flatten)]
    trip: Trip,
    #[command(flatten)]
    config: ConfigFile,
    #[command(flatten)]
    form: TextOrJson,
}

pub(crate) fn run(args: &ExplainArgs) -> Result<ExitStatus, Failure> {
    let explanation = if is_baked(&args.file) {
        explain_asset(args)?
    } else {
        explain_level(args)?
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

/// From a baked file, which has links but not what blocks the agent.
fn explain_asset(args: &ExplainArgs) -> Result<Explanation, Failure> {
    let asset = Asset::open(&args.file)?;
    let layer = asset.layer(Some(&args.trip.agent))?;
    Ok(explain(layer, None, args.trip.from, args.trip.to))
}

/// From a level: bakes it for the agent and asks the stages of the bake.
fn explain_level(args: &ExplainArgs) -> Result<Explanation, Failure> {
    let config = args.config.load_for(&args.file)?;
    let level = read_level(&args.file, &config)??;
    let mut settings = config.settings(level.tile_size)?;
    let name = name_of(&args.file);
    // The spacing follows from all agents, so it is fixed before the others
    // are removed.
    let layout = Layout::new(&level, &settings).map_err(|e| (name.as_str(), e))?;
    settings.spacing = Some(layout.spacing as f32);
    let known: Vec<_> = settings.agents.iter().map(|a| a.name.clone()).collect();
    settings
        .agents
        .retain(|agent| agent.name == args.trip.agent);
    let unknown = || {
        let known: Vec<_> = known.iter().map(String::as_str).collect();
        Failure::unknown_agent(&args.trip.agent, &known)
    };
    if settings.agents.is_empty() {
        return Err(unknown());
    }
    let mesh = bake(&level, &settings, &NoProgress).map_err(|e| (name.as_str(), e))?;
    // Names are unique in a configuration, so there is one layer.
    let layer = mesh.layers().first().ok_or_else(unknown)?;
    let moves =
        AgentMoves::new(&level, &settings, layer.profile()).map_err(|e| (name.as_str(), e))?;
    Ok(explain(layer, Some(&moves), args.trip.from, args.trip.to))
}
