//! `navbake explain`.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{Layer, NavMesh};

use super::args::{Form, Point};
use super::config::Config;
use super::failure::chain;
use super::{Answer, Failure, pipeline};
use crate::bake::{Layout, Limits, NoProgress};
use crate::geometry::{BodyShape, body_space};
use crate::report::explain::{Blocks, Explanation, explain};

/// Tell why two places are linked, or are not
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake explain level.tmx --agent ground --from 24,96 --to 400,48
  navbake explain level.navmesh --agent ground --from 24,96 --to 400,48 --json

The platforms at (or nearest to) both places are compared. Where no single link joins them, the
failure that comes closest to success is told: too far by how much, too high by how much, or
blocked where and by what. A level is baked first; a baked file knows less of what is in the way.
Exit status 1 when there is no link.")]
pub(super) struct ExplainArgs {
    /// A level, or a baked file
    #[arg(value_name = "FILE|LEVEL", value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// Whose link
    #[arg(long, value_name = "NAME")]
    agent: String,
    /// Where it would leave, world units
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    from: Point,
    /// Where it would land, world units
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    to: Point,
    /// Take the configuration from this file (levels only)
    #[arg(long, value_name = "navbake.toml", value_hint = ValueHint::FilePath)]
    config: Option<PathBuf>,
    #[command(flatten)]
    form: Form,
}

pub(super) fn run(args: &ExplainArgs) -> Result<Answer, Failure> {
    let explanation = if pipeline::is_baked(&args.file) {
        baked(args)?
    } else {
        level(args)?
    };
    args.form.write(
        |out| {
            let json = serde_json::to_string(&explanation)?;
            writeln!(out, "{json}")
        },
        |out| writeln!(out, "{}", explanation.message),
    )?;
    Ok(if explanation.linked {
        Answer::Yes
    } else {
        Answer::No
    })
}

fn answer(args: &ExplainArgs, mesh: &NavMesh, layer: &Layer, blocks: &Blocks<'_>) -> Explanation {
    explain(mesh, layer, args.from.0, args.to.0, blocks)
}

/// From a baked file: what is in the way is known as far as its vertices
/// tell.
fn baked(args: &ExplainArgs) -> Result<Explanation, Failure> {
    let asset = pipeline::open(&args.file)?;
    let layer = asset.layer(Some(&args.agent))?;
    let blocks = |feet: Vec2| {
        let cell = asset.mesh.grid().cell_at(feet)?;
        let inside = layer.blocked().get(cell.column, cell.row);
        inside.then(|| "geometry (ask the level itself for what it is)".to_string())
    };
    Ok(answer(args, &asset.mesh, layer, &blocks))
}

/// From a level: baked for the one agent, and its geometry asked for what is
/// in the way.
fn level(args: &ExplainArgs) -> Result<Explanation, Failure> {
    let config = match &args.config {
        Some(path) => Config::load(path)?,
        None => pipeline::config_for(&args.file)?,
    };
    let level = pipeline::read(&args.file, &config)?;
    let mut settings = config.settings(level.tile_size)?;
    let names: Vec<_> = settings.agents.iter().map(|a| a.name.clone()).collect();
    let name = args.file.display();
    let layout = Layout::new(&level, &settings)
        .map_err(|e| Failure::new(format!("{name}: {}", chain(&e))))?;
    settings.spacing = Some(layout.spacing as f32);
    settings.agents.retain(|agent| agent.name == args.agent);
    if settings.agents.is_empty() {
        return Err(Failure::new(format!(
            "no agent is named {:?}; there are {}",
            args.agent,
            names.join(", ")
        )));
    }
    let mesh = pipeline::bake(&level, &settings, &NoProgress)
        .map_err(|e| Failure::new(format!("{name}: {}", chain(&e))))?;
    let [layer] = mesh.layers() else {
        return Err(Failure::new(format!(
            "{name}: two agents are named {:?}",
            args.agent
        )));
    };
    let shape = BodyShape {
        size: Limits::of(layer.profile()).body,
        scale: layout.scale,
        skin: layout.spacing * 1e-4,
        ignores_hazards: layer.profile().ignores_hazards,
        ..BodyShape::default()
    };
    let space = body_space(&level, shape);
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
