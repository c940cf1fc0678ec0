//! `navbake render`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};

use super::args::{BakedFile, Ends};
use super::terminal::Terminal;
use super::{Answer, Failure, output, pipeline};
use crate::report;

/// Draw a baked file: vertices, edges, arcs, a path
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake render level.navmesh                           level.png, the first agent
  navbake render level.navmesh --agent air -o air.png
  navbake render level.navmesh --path 24,96:400,48       with a path on top

Vertices: white in air, green on floor, red inside geometry. Edges: white flying, green floor,
blue jump, red drop; orange: one-way walls. Dark red: where the agent's feet cannot be.")]
pub(super) struct RenderArgs {
    #[command(flatten)]
    file: BakedFile,
    /// Where to write; FILE with .png by default, `-` for stdout
    #[arg(short, long, value_name = "PNG", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Whose layer; the first by default
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Draw the path between two positions on top
    #[arg(long, value_name = "X,Y:X,Y", allow_hyphen_values = true)]
    path: Option<Ends>,
}

pub(super) fn run(args: &RenderArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    let file = args.file.path();
    let output = output::beside(args.output.as_deref(), file, "png");
    output::refuse_overwrite(&output, &[file], "picture", "another name with -o")?;
    let asset = args.file.open()?;
    let layer = asset.layer(args.agent.as_deref())?;
    let mut route = Vec::new();
    let mut answer = Answer::Yes;
    if let Some(ends) = args.path {
        let doors = pipeline::doors(&asset.mesh, &[], &[])?;
        let found = pipeline::find_path(layer, ends.from, ends.to, &doors)?;
        if !found.is_found() {
            terminal.warn(&format!("no path to draw: {}", found.describe()));
            answer = Answer::No;
        }
        route = found.polyline(layer, asset.mesh.grid());
    }
    let picture = report::render::render(&asset.mesh, layer, &route);
    write(&picture, &output, terminal)?;
    Ok(answer)
}

/// Writes a picture as PNG, to stdout for `-`.
pub(super) fn write(
    picture: &image::RgbImage,
    output: &Path,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let mut png = Vec::new();
    // Lines over flat colour: filters would hide that pixels repeat.
    let encoder =
        PngEncoder::new_with_quality(&mut png, CompressionType::Best, FilterType::NoFilter);
    picture
        .write_with_encoder(encoder)
        .map_err(|e| Failure::new(format!("cannot encode the picture: {e}")))?;
    let told = format!("{} x {} pixels", picture.width(), picture.height());
    output::write(output, &png, &told, terminal)
}
