//! Writing data to stdout and to files.

use std::io::{Write as _, stdout};
use std::path::{Path, PathBuf};

use image::codecs::png::{CompressionType, FilterType, PngEncoder};

use crate::cli::failure::Failure;
use crate::cli::paths::is_dash;
use crate::cli::terminal::Terminal;

/// Writes all of stdout at once.
pub(crate) fn to_stdout(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = stdout().lock();
    out.write_all(bytes)?;
    Ok(out.flush()?)
}

/// The output file: the one given, or the input with another extension. What
/// comes from stdin goes to stdout.
pub(crate) fn beside(given: Option<&Path>, input: &Path, extension: &str) -> PathBuf {
    match given {
        Some(path) => path.to_path_buf(),
        None if is_dash(input) => input.to_path_buf(),
        None => input.with_extension(extension),
    }
}

/// Refuses to overwrite an input file. `option` is the option that names the
/// output.
pub(crate) fn refuse_overwrite(
    output: &Path,
    inputs: &[&Path],
    option: &str,
) -> Result<(), Failure> {
    if is_dash(output) || !inputs.contains(&output) {
        return Ok(());
    }
    Err(Failure::with_help(
        format_args!("{}: the output would replace the input", output.display()),
        format_args!("give another file with {option}"),
    ))
}

/// Writes a file and prints a line with `summary`, or writes to stdout.
pub(crate) fn write(
    output: &Path,
    bytes: &[u8],
    summary: &str,
    terminal: &Terminal,
) -> Result<(), Failure> {
    if is_dash(output) {
        return to_stdout(bytes);
    }
    std::fs::write(output, bytes).map_err(|e| Failure::file("write the file", output, &e))?;
    terminal.print(&format!("{}: {summary}", output.display()));
    Ok(())
}

/// Writes a picture as PNG.
pub(crate) fn write_png(
    picture: &image::RgbImage,
    output: &Path,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let mut png = Vec::new();
    // Pictures are lines on flat colour. PNG's filters would make equal pixels
    // differ, and the file larger.
    let encoder =
        PngEncoder::new_with_quality(&mut png, CompressionType::Best, FilterType::NoFilter);
    picture
        .write_with_encoder(encoder)
        .map_err(|e| Failure::new(format!("cannot encode the picture: {e}")))?;
    let summary = format!("{} x {} pixels", picture.width(), picture.height());
    write(output, &png, &summary, terminal)
}
