//! Writing data to stdout and to files.

use std::fs::File;
use std::io::{Read as _, Write as _, stdout};
use std::path::{Path, PathBuf};

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ImageBuffer, Pixel, PixelWithColorType};

use crate::cli::atomic_file::write_if_changed;
use crate::cli::failure::Failure;
use crate::cli::paths::{baked_name, is_dash, shown};
use crate::cli::terminal::Terminal;

/// Writes all of stdout at once.
pub(crate) fn to_stdout(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = stdout().lock();
    out.write_all(bytes)?;
    Ok(out.flush()?)
}

/// The output file: the one given, or the baked file's name with another
/// extension after it: `level.navmesh.png`. What comes from stdin goes to
/// stdout.
pub(crate) fn beside(given: Option<&Path>, input: &Path, extension: &str) -> PathBuf {
    match given {
        Some(path) => path.to_path_buf(),
        None if is_dash(input) => input.to_path_buf(),
        None => {
            let mut name = baked_name(input).into_os_string();
            name.push(".");
            name.push(extension);
            PathBuf::from(name)
        }
    }
}

/// Writes a file as a whole, unless it has this content already. Returns
/// whether it was written. Devices and pipes are refused; pictures and pages
/// replace only others of their kind.
pub(crate) fn store(output: &Path, bytes: &[u8]) -> Result<bool, Failure> {
    refuse_special(output)?;
    let mut kinds = KINDS.iter();
    if let Some((start, name)) = kinds.find(|(start, _)| bytes.starts_with(start)) {
        let mut found = Vec::new();
        let size = start.len() as u64;
        let read = File::open(output).and_then(|file| file.take(size).read_to_end(&mut found));
        if read.is_ok() && !found.is_empty() && found != *start {
            return Err(not_replaced(output, name));
        }
    }
    write_if_changed(output, bytes).map_err(|e| Failure::file("write the file", output, &e))
}

/// How files of a kind begin. Levels and notes of the user begin with something else.
const KINDS: [(&[u8], &str); 4] = [
    (b"\x89PNG", "a PNG picture"),
    (b"GIF8", "a GIF picture"),
    (b"<!doctype html>", "an HTML page"),
    (b".ie \\n(.g .ds Aq", "a manual page"),
];

/// A file of another kind is in the way of an output. The user may need it.
pub(crate) fn not_replaced(output: &Path, kind: &str) -> Failure {
    let problem = format_args!("this is not {kind}, so it is not replaced");
    Failure::about(
        output,
        problem,
        "name another file, or remove this one first",
    )
}

/// Refuses an output that exists and is not a regular file: a device or a pipe
/// would be replaced by a file.
pub(crate) fn refuse_special(output: &Path) -> Result<(), Failure> {
    match std::fs::metadata(output) {
        Ok(metadata) if metadata.is_dir() => {
            Err(Failure::about(output, "this is a folder", "name a file"))
        }
        Ok(metadata) if !metadata.is_file() => {
            let problem = "this is not a regular file, so it is not replaced";
            let help = "`-` writes to stdout, which can be a pipe or a device";
            Err(Failure::about(output, problem, help))
        }
        _ => Ok(()),
    }
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
    store(output, bytes)?;
    terminal.print(&format!("{}: {summary}", shown(output)));
    Ok(())
}

pub(crate) fn write_png(
    picture: &image::RgbImage,
    output: &Path,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let summary = format!("{} x {} pixels", picture.width(), picture.height());
    write(output, &png(picture)?, &summary, terminal)
}

pub(crate) fn png<P>(picture: &ImageBuffer<P, Vec<u8>>) -> Result<Vec<u8>, Failure>
where
    P: Pixel<Subpixel = u8> + PixelWithColorType,
{
    let mut png = Vec::new();
    // Pictures are lines on flat colour. PNG's filters would make equal pixels
    // differ, and the file larger.
    let encoder =
        PngEncoder::new_with_quality(&mut png, CompressionType::Best, FilterType::NoFilter);
    picture
        .write_with_encoder(encoder)
        .map_err(|e| Failure::new(format!("cannot encode the picture: {e}")))?;
    Ok(png)
}
