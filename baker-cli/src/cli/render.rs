//! `navbake render`.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use image::codecs::png::{CompressionType, FilterType, PngEncoder};

use super::args::RenderArgs;
use super::terminal::Terminal;
use super::{Answer, Failure, pipeline};
use crate::report;

pub(super) fn run(args: &RenderArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    let output = match &args.output {
        Some(path) => path.clone(),
        None if args.file == Path::new("-") => PathBuf::from("-"),
        None => args.file.with_extension("png"),
    };
    if output == args.file && output != Path::new("-") {
        return Err(Failure::new(format!(
            "the picture would replace {} itself; give another name with -o",
            output.display()
        )));
    }
    let asset = pipeline::open(&args.file)?;
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
    let encoder =
        PngEncoder::new_with_quality(&mut png, CompressionType::Default, FilterType::Adaptive);
    picture
        .write_with_encoder(encoder)
        .map_err(|e| Failure::new(format!("cannot encode the picture: {e}")))?;
    if output == Path::new("-") {
        stdout().write_all(&png)?;
    } else {
        std::fs::write(output, &png).map_err(|e| Failure::file("write", output, &e))?;
        terminal.say(&format!(
            "{}: {} x {} pixels",
            output.display(),
            picture.width(),
            picture.height()
        ));
    }
    Ok(())
}
