//! `navbake explain`.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{Layer, NavMesh};

use crate::bake::{Layout, NoProgress, bake};
use crate::cli::args::{ConfigFile, Point, TextOrJson};
use crate::cli::asset::Asset;
use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::level_input::read_level;
use crate::cli::paths::{is_baked, name_of};
use crate::geometry::{Body, configuration_space};
use crate::report::explain::{Blocks, Explanation, explain};

/// Say why there is a link between two positions, or why there is none
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake explain level.tmx --agent ground --from 24,96 --to 400,48
  navbake explain level.navmesh --agent ground --from 24,96 --to 400,48 --json

The command compares the platforms at (or nearest to) the two positions. When no single link joins
them, it reports the attempt that comes closest: how much too far or too high it is, or what blocks
it and where. A level is baked first. A baked file contains less of what blocks an agent.
Exit status 1 when there is no link.")]
pub(crate) struct ExplainArgs {
    /// A level or a baked file
    #[arg(value_name = "FILE|LEVEL", value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// Agent that moves
    #[arg(long, value_name = "NAME")]
    agent: String,
    /// Where the link would start, world units
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    from: Point,
    /// Where the link would end, world units
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    to: Point,
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

fn answer(args: &ExplainArgs, mesh: &NavMesh, layer: &Layer, blocks: &Blocks<'_>) -> Explanation {
    explain(mesh, layer, args.from.0, args.to.0, blocks)
}

/// From a baked file, which only has the vertices that are inside geometry.
fn explain_asset(args: &ExplainArgs) -> Result<Explanation, Failure> {
    let asset = Asset::open(&args.file)?;
    let layer = asset.layer(Some(&args.agent))?;
    let blocks = |feet: Vec2| {
        let cell = asset.mesh.grid().cell_at(feet)?;
        let inside = layer.blocked().get(cell.column, cell.row);
        inside.then(|| "geometry (run explain on the level to see which)".to_string())
    };
    Ok(answer(args, &asset.mesh, layer, &blocks))
}

/// From a level: bakes it for the agent and looks blockers up in its geometry.
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
    settings.agents.retain(|agent| agent.name == args.agent);
    let unknown = || {
        let known: Vec<_> = known.iter().map(String::as_str).collect();
        Failure::unknown_agent(&args.agent, &known)
    };
    if settings.agents.is_empty() {
        return Err(unknown());
    }
    let mesh = bake(&level, &settings, &NoProgress).map_err(|e| (name.as_str(), e))?;
    // Names are unique in a configuration, so there is one layer.
    let layer = mesh.layers().first().ok_or_else(unknown)?;
    let body = layer.profile().body.map(f64::from);
    let shape = Body {
        size: DVec2::from(body),
        scale: layout.scale,
        skin: layout.spacing * 1e-4,
        ignores_hazards: layer.profile().ignores_hazards,
        ..Body::default()
    };
    let space = configuration_space(&level, shape);
    let down = f64::from(mesh.down());
    let blocks = |feet: Vec2| {
        let blocker = space.blocker(DVec2::new(f64::from(feet.x), f64::from(feet.y) * down))?;
        let origin = blocker.origin.and_then(|i| level.origins.get(i as usize));
        Some(match origin {
            Some(origin) => format!("{} ({origin})", blocker.what()),
            None => blocker.what().to_string(),
        })
    };
    Ok(answer(args, &mesh, layer, &blocks))
}
