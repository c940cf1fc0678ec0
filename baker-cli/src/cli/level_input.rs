//! Reading levels from files and from stdin.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::cli::config::Config;
use crate::cli::failure::Failure;
use crate::cli::input_files::LevelFiles;
use crate::cli::paths::{file_name, has_extension, is_baked, is_dash};
use crate::source::{self, Level, SourceError};

/// The bytes of a file, or of stdin.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    if !is_dash(path) {
        return std::fs::read(path).map_err(|e| Failure::file("read the file", path, &e));
    }
    let mut bytes = Vec::new();
    (std::io::stdin().lock())
        .read_to_end(&mut bytes)
        .map_err(|e| Failure::new(format!("cannot read stdin: {e}")))?;
    Ok(bytes)
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

/// Whether a path is that of a level, by its extension.
pub(crate) fn is_level(path: &Path) -> bool {
    let file = level_file(path);
    let has = |extension: &&str| has_extension(&file, extension);
    LEVEL_EXTENSIONS.iter().any(has) || POSSIBLE_LEVEL_EXTENSIONS.iter().any(has)
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

/// The names of the levels of an LDtk project.
pub(crate) fn ldtk_levels(project: &Path) -> Result<Vec<String>, Failure> {
    let bytes = read_bytes(project)?;
    Ok(source::ldtk_levels(&project.display().to_string(), &bytes)?)
}

/// Extensions that only levels have.
pub(crate) const LEVEL_EXTENSIONS: [&str; 3] = ["tmx", "tmj", "ldtk"];

/// Extensions that levels have, and other files too.
pub(crate) const POSSIBLE_LEVEL_EXTENSIONS: [&str; 2] = ["json", "png"];

/// The file that a level is in: `w.ldtk` for `w.ldtk#Level_0`.
pub(crate) fn level_file(level: &Path) -> PathBuf {
    let name = file_name(level);
    let file = source::level_file(&name);
    if file.len() == name.len() {
        level.to_path_buf()
    } else {
        level.with_file_name(file)
    }
}

/// The name of a level's baked file: `a.tmx` becomes `a.navmesh`, and the
/// level `w.ldtk#Level_0` of a project becomes `w.Level_0.navmesh`. A baked
/// file keeps its name.
pub(crate) fn baked_name(level: &Path) -> PathBuf {
    if is_baked(level) {
        return level.to_path_buf();
    }
    let file = level_file(level);
    let own = file.file_name().map_or(0, std::ffi::OsStr::len);
    match file_name(level).get(own + 1..) {
        Some(part) if file != level => file.with_extension(format!("{part}.navmesh")),
        _ => level.with_extension("navmesh"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn baked_files_are_named_after_their_levels() {
        for (level, output) in [
            ("a/b.c.tmx", "a/b.c.navmesh"),
            ("a/w.ldtk#Level_0", "a/w.Level_0.navmesh"),
            ("a#b.tmx", "a#b.navmesh"),
            ("stdin", "stdin.navmesh"),
            ("a/b.navmesh", "a/b.navmesh"),
        ] {
            assert_eq!(
                baked_name(Path::new(level)),
                PathBuf::from(output),
                "{level}"
            );
        }
    }
}
