//! Level files to [`Level`]: every source's quirks end here.
//!
//! [`read`] picks the reader by the file's extension; [`read_bytes`] reads a
//! level that is already in memory, with its tilesets and templates from
//! whatever [`FileProvider`] has them.
//!
//! ```no_run
//! use baker_cli::source::{ReadOptions, read};
//!
//! let mut options = ReadOptions::default();
//! options.rules.solid.push("layer:ground".parse()?);
//! let level = read("levels/harbour.tmx".as_ref(), &options)?;
//! println!("{}", level.decisions.join("\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bitmap;
mod color;
mod convex;
mod error;
mod files;
mod json;
mod ldtk;
mod level;
mod merge;
mod options;
mod palette;
mod rows;
mod rule;
mod tmx;

use std::path::Path;

pub use bitmap::{MAX_BITMAP_PIXELS, MAX_BITMAP_SIDE};
pub use color::{Color, ColorError};
pub use error::{Fault, SourceError};
pub use files::{FileProvider, Folder, MAX_FILE_BYTES, MAX_TOTAL_BYTES, MemoryFiles};
pub use ldtk::ldtk_levels;
pub use level::{
    Collision, InputFile, Level, LevelMarker, Material, PassDirection, Piece, PixelMap, Rect,
    Shape, ShapeError,
};
pub use options::ReadOptions;
pub use palette::Palette;
pub use rule::{Rule, RuleError, Rules};
pub use tmx::{MAX_CELLS, MAX_GROUP_DEPTH};

/// Reads a level file and every file it refers to.
///
/// # Errors
/// When the extension is not one of those read (`.tmx`, `.png`), when a file
/// cannot be opened or is larger than [`MAX_FILE_BYTES`], when its content is
/// not what its format allows, or when nothing in it says what is solid.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Level, SourceError> {
    let folder = path.parent().unwrap_or_else(|| Path::new(""));
    read_from(path, &Folder::new(folder), options)
}

/// As [`read`], with all files, the level's own too, from a provider that
/// stands for the level's folder.
///
/// # Errors
/// As for [`read`].
pub fn read_from(
    path: &Path,
    files: &dyn FileProvider,
    options: &ReadOptions,
) -> Result<Level, SourceError> {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let told = || path.display().to_string();
    Kind::of(&name).ok_or_else(|| SourceError::unknown_kind(&told()))?;
    let folder = path.parent().unwrap_or_else(|| Path::new(""));
    let bytes = files
        .read(level_file(&name), MAX_FILE_BYTES)
        .map_err(|error| SourceError::io(&told(), None, error, MAX_FILE_BYTES))?;
    let shown = folder.join("").display().to_string();
    let mut level =
        read_bytes(&name, &bytes, files, options).map_err(|error| error.within(&shown))?;
    for warning in &mut level.warnings {
        warning.insert_str(0, &shown);
    }
    Ok(level)
}

/// The file that a level's name stands for: `world.ldtk` for the level
/// `world.ldtk#Level_0` in it, else the name itself.
pub fn level_file(name: &str) -> &str {
    ldtk::split(name).map_or(name, |(file, _)| file)
}

/// The fingerprint of a file's bytes, as [`InputFile::hash`] has it.
pub fn file_hash(bytes: &[u8]) -> [u8; 16] {
    files::hash(bytes)
}

/// Reads a level from its bytes. `name` is its file name, whose extension
/// tells the format; the names of other files are resolved against it and
/// asked of `files`.
///
/// ```
/// use baker_cli::source::{MemoryFiles, ReadOptions, read_bytes};
///
/// let tmx = r#"<map orientation="orthogonal" width="2" height="1" tilewidth="16" tileheight="16">
///  <tileset firstgid="1" name="rock" tilewidth="16" tileheight="16" tilecount="1" columns="1"/>
///  <objectgroup id="1" name="collision"><object id="1" x="0" y="8" width="32" height="8"/></objectgroup>
/// </map>"#;
/// let level = read_bytes("tiny.tmx", tmx.as_bytes(), &MemoryFiles::default(), &ReadOptions::default())?;
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
    options: &ReadOptions,
) -> Result<Level, SourceError> {
    match Kind::of(name) {
        Some(Kind::Tiled) => tmx::read(name, bytes, files, options),
        Some(Kind::Bitmap) => bitmap::read(name, bytes, files, options),
        Some(Kind::Ldtk) => ldtk::read(name, bytes, files, options),
        None => Err(SourceError::unknown_kind(name)),
    }
}

/// A format that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Tiled,
    Bitmap,
    Ldtk,
}

impl Kind {
    /// The format a file name's extension stands for.
    fn of(name: &str) -> Option<Self> {
        let (_, extension) = level_file(name).rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "tmx" | "tmj" | "json" => Some(Self::Tiled),
            "png" => Some(Self::Bitmap),
            "ldtk" => Some(Self::Ldtk),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// N1: what is read is told by the extension, and only by it.
    #[test]
    fn kinds_by_extension() {
        assert_eq!(Kind::of("a.b.TMX"), Some(Kind::Tiled));
        assert_eq!(Kind::of("mask.png"), Some(Kind::Bitmap));
        assert_eq!(Kind::of("a.ldtk#Level_0.b"), Some(Kind::Ldtk));
        assert_eq!(Kind::of("a.tmj"), Some(Kind::Tiled));
        assert_eq!(Kind::of("tmx"), None);
        let error = read("nowhere/level.bmp".as_ref(), &ReadOptions::default()).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("nowhere/level.bmp"), "{text}");
        assert!(text.contains(".tmx") && text.contains(".png"), "{text}");
        assert!(text.contains("save"), "{text}");
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = read("nowhere/level.tmx".as_ref(), &ReadOptions::default()).unwrap_err();
        assert!(
            error.to_string().starts_with("nowhere/level.tmx: "),
            "{error}"
        );
    }
}
