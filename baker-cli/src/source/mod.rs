//! Reading level files of Tiled, LDtk and others into a [`LevelFile`].
//!
//! [`read`] chooses the reader by the file's extension. [`read_bytes`] reads a
//! level that is already in memory; its tilesets and templates come from a
//! [`FileProvider`].
//!
//! ```no_run
//! use baker_cli::source::{Rules, read};
//!
//! let mut rules = Rules::default();
//! rules.solid.push("layer:ground".parse()?);
//! let level = read("levels/harbour.tmx".as_ref(), &rules)?;
//! println!("{}", level.decisions.join("\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bitmap;
mod classify;
mod color;
mod error;
mod files;
mod godot;
mod grid;
mod json;
mod ldtk;
mod level_file;
mod level_json;
mod limits;
mod marker_classes;
mod picture;
mod plain_level;
mod rule;
mod shapes;
mod text;
mod tile_picture;
mod tmx;
mod words;

use std::path::Path;

pub use classify::{MAX_SHOWN, Undecided};
pub use color::{Color, ColorError};
pub use error::{Fault, SourceError};
pub(crate) use error::{one_line, why};
use files::LevelBytes;
pub use files::{FileProvider, Folder, MemoryFiles};
pub(crate) use files::{read_at_most, read_stream, up_to_repository};
pub use grid::{GridRules, Legend};
pub use ldtk::{LdtkProject, level_file};
pub use level_file::{InputFile, LevelFile};
pub use level_json::{LevelJson, write_level};
pub use limits::MAX_FILE_BYTES;
pub(crate) use marker_classes::{PropertyKind, properties_of};
use navmesh_bake::Rect;
pub use picture::Art;
use picture::Picture;
pub use rule::{Meaning, Rule, RuleError, Rules};

/// Extensions that only levels have.
pub const LEVEL_EXTENSIONS: [&str; 3] = ["tmx", "tmj", "ldtk"];

/// Extensions that levels have, and other files too.
pub const POSSIBLE_LEVEL_EXTENSIONS: [&str; 6] = ["json", "png", "txt", "csv", "p8", "tscn"];

/// Reads a level file and every file it refers to.
///
/// # Errors
/// When the extension is not one of a level, when a file cannot be opened or is
/// larger than [`MAX_FILE_BYTES`], when its content is invalid, or when nothing
/// in it could be collision.
pub fn read(path: &Path, rules: &Rules) -> Result<LevelFile, SourceError> {
    let folder = path.parent().unwrap_or_else(|| Path::new(""));
    read_from(path, &Folder::new(folder), rules)
}

/// Like [`read`], with all files, including the level's own, from a provider
/// for the level's folder.
///
/// # Errors
/// As for [`read`].
pub fn read_from(
    path: &Path,
    files: &dyn FileProvider,
    rules: &Rules,
) -> Result<LevelFile, SourceError> {
    let shown = path.display().to_string();
    let name = path.file_name().unwrap_or_default();
    let Some(name) = name.to_str() else {
        let problem = "the name of the file is not Unicode, so it cannot be part of a baked file";
        return Err(Fault::of_file(&shown, problem, "rename it").into());
    };
    // Files of other formats are not read.
    format(&shown, &[])?;
    let bytes = files
        .read(level_file(name), MAX_FILE_BYTES)
        .map_err(|error| SourceError::io(&shown, None, error))?;
    within(path, read_bytes(name, &bytes, files, rules))
}

/// Like [`read_from`], for a level of an LDtk project that was parsed before.
///
/// # Errors
/// As for [`read`].
pub fn read_from_project(
    project: &LdtkProject,
    path: &Path,
    files: &dyn FileProvider,
    rules: &Rules,
) -> Result<LevelFile, SourceError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (_, level) = ldtk::parts(&name);
    within(path, project.read(level, files, rules))
}

/// A level or an error with the level's folder before the names of files.
fn within(path: &Path, level: Result<LevelFile, SourceError>) -> Result<LevelFile, SourceError> {
    let folder = files::folder_of(path);
    let mut level = level.map_err(|error| error.within(&folder))?;
    for warning in &mut level.warnings {
        warning.insert_str(0, &folder);
    }
    for undecided in &mut level.undecided {
        undecided.file.insert_str(0, &folder);
    }
    Ok(level)
}

/// Reads a level from its bytes. `name` is its file name, whose extension
/// determines the format. The names of other files are relative to it; their
/// bytes come from `files`.
///
/// ```
/// use baker_cli::source::{MemoryFiles, Rules, read_bytes};
///
/// let tmx = r#"<map orientation="orthogonal" width="2" height="1" tilewidth="16" tileheight="16">
///  <tileset firstgid="1" name="rock" tilewidth="16" tileheight="16" tilecount="1" columns="1"/>
///  <objectgroup id="1" name="collision"><object id="1" x="0" y="8" width="32" height="8"/></objectgroup>
/// </map>"#;
/// let level = read_bytes("tiny.tmx", tmx.as_bytes(), &MemoryFiles::default(), &Rules::default())?;
/// assert_eq!(level.origins, ["object 1 in layer \"collision\""]);
/// # Ok::<(), baker_cli::source::SourceError>(())
/// ```
///
/// # Errors
/// As for [`read`].
pub fn read_bytes(
    name: &str,
    bytes: &[u8],
    files: &dyn FileProvider,
    rules: &Rules,
) -> Result<LevelFile, SourceError> {
    let (read, _) = format(name, bytes)?;
    read(LevelBytes { name, bytes, files }, rules)
}

/// Draws the part `area`, in level pixels, of what a level shows.
///
/// That is the visible tile layers, image layers and tile objects of a Tiled map, the
/// tile layers and auto layers of an LDtk level, or the bitmap. Images that are
/// missing, or not PNG, are left out with a warning.
///
/// # Errors
/// When the level cannot be read.
pub fn read_art(path: &Path, files: &dyn FileProvider, area: Rect) -> Result<Art, SourceError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let folder = files::folder_of(path);
    let file = level_file(&name);
    format(&name, &[])?;
    let mut picture = Picture::new(file, files, area);
    let bytes = files.read(file, MAX_FILE_BYTES);
    bytes
        .map_err(|error| SourceError::io(file, None, error))
        .and_then(|bytes| format(&name, &bytes)?.1(&name, &bytes, &mut picture))
        .map_err(|error| error.within(&folder))?;
    Ok(picture.finish(&format!("{folder}{file}")))
}

/// Reads a level.
type Read = fn(LevelBytes<'_>, &Rules) -> Result<LevelFile, SourceError>;

/// Draws what the level of a file name and bytes shows.
type Draw = fn(&str, &[u8], &mut Picture<'_>) -> Result<(), SourceError>;

/// The level has no pictures.
#[expect(clippy::unnecessary_wraps, reason = "other formats can fail")]
fn draw_nothing(_: &str, _: &[u8], picture: &mut Picture<'_>) -> Result<(), SourceError> {
    picture.warn("levels of this format have no pictures");
    Ok(())
}

/// How levels of the format of a file are read and drawn.
fn format(name: &str, bytes: &[u8]) -> Result<(Read, Draw), SourceError> {
    Ok(match error::extension(level_file(name)).as_str() {
        "tmj" | "json" if level_json::is_level(bytes) => {
            (|file, _| level_json::read(file), draw_nothing)
        }
        "tmx" | "tmj" | "json" => (tmx::read, tmx::draw),
        "png" => (bitmap::read, bitmap::draw),
        "ldtk" => (ldtk::read, ldtk::draw),
        "txt" => (grid::read_text, draw_nothing),
        "csv" => (grid::read_csv, draw_nothing),
        "p8" => (grid::read_pico8, draw_nothing),
        "tscn" => (|file, _| godot::read(file), draw_nothing),
        _ => {
            return Err(SourceError::UnknownFormat {
                file: name.to_owned(),
            });
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_determines_the_format() {
        for known in ["a.b.TMX", "mask.png", "a.ldtk#Level_0.b", "a.tmj"] {
            assert!(format(known, &[]).is_ok(), "{known}");
        }
        for unknown in ["tmx", "folder.tmx/level", "nowhere/level.bmp"] {
            let text = format(unknown, &[]).err().unwrap().to_string();
            assert!(text.starts_with(unknown) && text.contains(".tmx"), "{text}");
        }
        let error = read("nowhere/level.bmp".as_ref(), &Rules::default()).unwrap_err();
        assert!(error.to_string().contains("help: save"), "{error}");
        let error = read("nowhere/level.tmx".as_ref(), &Rules::default()).unwrap_err();
        assert!(
            error.to_string().starts_with("nowhere/level.tmx: "),
            "{error}"
        );
    }
}
