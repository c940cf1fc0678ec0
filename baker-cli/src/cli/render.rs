//! `navbake render`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::cli::art::ArtArgs;
use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::io::{self, refuse_overwrite};
use crate::cli::mesh_input::MeshFile;
use crate::cli::place::{Place, ends};
use crate::cli::route;
use crate::cli::terminal::Terminal;
use crate::report;

/// Draw a baked file as a picture: vertices, edges, links, markers, a path
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake render level.navmesh                           level.navmesh.png, the first agent
  navbake render level.navmesh --agent air -o air.png
  navbake render level.navmesh --path 24,96:400,48       with a path on top
  navbake render level.tmx --over                        on the level's own tiles and images

Vertices: white in the air, green on floor, red inside geometry. Edges: white fly, green floor,
blue jump, red drop; the legend names the colours of the others. Yellow: the path. Light grey:
markers, with doors in a warmer tone. Dark red ground: where the agent's feet cannot be, because of
geometry or hazards; --over shows which of the two it is if the art does.
Exit status 1 when there is no path to draw.")]
pub(crate) struct RenderArgs {
    #[command(flatten)]
    file: MeshFile,
    /// Write to this file; the default is the baked file's name with .png after it, `-` is stdout
    #[arg(short, long, value_name = "PNG", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Draw this agent's layer; the default is the first
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Draw the path between two places on top, each X,Y or a marker CLASS:NAME
    #[arg(long, value_name = "FROM:TO", value_parser = ends, allow_hyphen_values = true)]
    path: Option<(Place, Place)>,
    #[command(flatten)]
    art: ArtArgs,
}

pub(crate) fn run(args: &RenderArgs, terminal: &Terminal) -> Result<ExitStatus, Failure> {
    let file = &args.file.file;
    let output = io::beside(args.output.as_deref(), file, "png");
    refuse_overwrite(&output, &args.file.inputs()?, "-o")?;
    let asset = args.file.open(terminal)?;
    let layer = asset.layer(args.agent.as_deref())?;
    let art = (args.art).of(file, &asset.mesh, &output, terminal)?;
    let mut polyline = Vec::new();
    let mut has_path = true;
    if let Some(ends) = &args.path {
        let found = route::between(ends, &asset.mesh, layer, terminal)?;
        has_path = found.is_found();
        polyline = found.polyline(layer);
    }
    let picture = report::render::render(&asset.mesh, layer, &polyline, art.as_ref());
    io::write_png(&picture, &output, terminal)?;
    Ok(ExitStatus::answer(has_path))
}
