//! Reading levels from files and from stdin, and baking them in memory.

use std::path::Path;

use navmesh_runtime::mesh::NavMesh;

use crate::bake::{Settings, bake};
use crate::cli::config::Config;
use crate::cli::failure::Failure;
use crate::cli::input_files::LevelFiles;
use crate::cli::paths::{MAX_BAKED_BYTES, is_dash, read_at_most, read_stream};
use crate::cli::terminal::Terminal;
use crate::source::{self, Level, SourceError};

/// The bytes of a file, or of stdin. The readers of levels have lower limits.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    if !is_dash(path) {
        return read_at_most(path, MAX_BAKED_BYTES)
            .map_err(|e| Failure::file("read the file", path, &e));
    }
    read_stream(std::io::stdin().lock(), MAX_BAKED_BYTES)
        .map_err(|e| Failure::new(format!("cannot read stdin: {e}")))
}

/// Reads a level. The inner error is about the level itself, the outer one
/// about stdin.
pub(crate) fn read_level(
    path: &Path,
    config: &Config,
) -> Result<Result<Level, SourceError>, Failure> {
    if is_dash(path) {
        return Ok(parse_level(&read_bytes(path)?, config));
    }
    let files = LevelFiles::beside(path);
    Ok(source::read_from(path, &files, config.rules()))
}

/// Reads a level from the bytes of stdin.
pub(crate) fn parse_level(bytes: &[u8], config: &Config) -> Result<Level, SourceError> {
    let name = stdin_name(bytes);
    let files = LevelFiles::stdin(name, bytes);
    source::read_from(Path::new(name), &files, config.rules())
}

/// Whether the bytes of stdin are those of a level.
pub(crate) fn looks_like_level(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.starts_with(b"\x89PNG") || matches!(text.trim_ascii_start().first(), Some(b'<' | b'{'))
}

/// The file name under which a level from stdin is read. Its extension follows
/// from the content.
pub(crate) fn stdin_name(bytes: &[u8]) -> &'static str {
    let text = bytes.trim_ascii_start();
    if bytes.starts_with(b"\x89PNG") {
        "stdin.png"
    } else if !text.starts_with(b"{") {
        "stdin.tmx"
    } else if text.windows(12).any(|w| w == b"\"__header__\"") {
        "stdin.ldtk"
    } else {
        "stdin.tmj"
    }
}

/// Bakes a level while a progress bar shows its name.
pub(crate) fn bake_level(
    level: &Level,
    settings: &Settings,
    name: &str,
    terminal: &Terminal,
) -> Result<NavMesh, Failure> {
    let bar = terminal.bake_bar(name);
    Ok(bake(level, settings, &bar).map_err(|e| (name, e))?)
}

/// Refuses to read two inputs from stdin.
pub(crate) fn refuse_two_stdins(inputs: &[&Path]) -> Result<(), Failure> {
    if inputs.iter().filter(|path| is_dash(path)).count() < 2 {
        return Ok(());
    }
    Err(Failure::with_help(
        "stdin (-) can be read only once",
        "write the other input to a file first",
    ))
}
