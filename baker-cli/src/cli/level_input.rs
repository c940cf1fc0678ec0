//! Reading levels from files and from stdin, and baking them in memory.

use std::path::Path;

use navmesh_runtime::mesh::NavMesh;

use crate::bake::{Settings, bake};
use crate::cli::config::Config;
use crate::cli::failure::Failure;
use crate::cli::input_files::LevelFiles;
use crate::cli::paths::{MAX_BAKED_BYTES, is_dash};
use crate::cli::terminal::Terminal;
use crate::source::{self, Folder, LevelFile, SourceError, read_at_most, read_stream};

/// The bytes of a file, or of stdin. The readers of levels have lower limits.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    if !is_dash(path) {
        return read_at_most(path, MAX_BAKED_BYTES)
            .map_err(|e| Failure::file("read the file", path, &e));
    }
    read_stream(std::io::stdin().lock(), MAX_BAKED_BYTES)
        .map_err(|e| Failure::new(format!("cannot read stdin: {e}")))
}

/// Reads a level. `piped` are its bytes if it comes from stdin.
pub(crate) fn read_level(
    path: &Path,
    piped: Option<&[u8]>,
    config: &Config,
) -> Result<LevelFile, SourceError> {
    let (path, files) = LevelFiles::of(path, piped);
    source::read_from(path, &files, config.rules())
}

/// Warnings about the pictures of a level's tiles. They are no inputs of the bake, so that
/// edits of art do not bake again.
pub(crate) fn picture_warnings(path: &Path, level: &LevelFile) -> Vec<String> {
    let files = Folder::new(path.parent().unwrap_or(Path::new("")));
    source::picture_warnings(path, level, &files)
}

/// Whether the bytes of stdin are those of a level.
pub(crate) fn looks_like_level(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.starts_with(b"\x89PNG") || matches!(text.trim_ascii_start().first(), Some(b'<' | b'{'))
}

/// Bakes a level while a progress bar shows its name.
pub(crate) fn bake_level(
    level: &LevelFile,
    settings: &Settings,
    name: &str,
    terminal: &Terminal,
) -> Result<NavMesh, Failure> {
    let bar = terminal.bake_bar(name);
    bake(level, settings, &bar).map_err(|e| Failure::in_file(name, &e))
}
