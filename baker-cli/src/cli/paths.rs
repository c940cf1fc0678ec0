//! Paths on the command line.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use ignore::WalkBuilder;

use crate::source::{self, one_line};

/// Whether a path stands for stdin or stdout.
pub(crate) fn is_dash(path: &Path) -> bool {
    path == Path::new("-")
}

/// Largest size of a baked file that is read, in bytes. A level has at most 2^28
/// vertices, whose terrain takes 32 MiB for an agent; the rest is for links.
pub(crate) const MAX_BAKED_BYTES: u64 = 1 << 30;

/// How messages name an input.
pub(crate) fn name_of(path: &Path) -> String {
    if is_dash(path) {
        "stdin".to_owned()
    } else {
        path.display().to_string()
    }
}

/// A path in one line, whatever characters its name has.
pub(crate) fn shown(path: &Path) -> String {
    one_line(&path.display().to_string())
}

/// The last part of a path as text; empty when there is none.
pub(crate) fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Whether a path ends in an extension, in upper or lower case.
pub(crate) fn has_extension(path: &Path, extension: &str) -> bool {
    let own = path.extension().and_then(OsStr::to_str);
    own.is_some_and(|own| own.eq_ignore_ascii_case(extension))
}

pub(crate) fn is_baked(path: &Path) -> bool {
    has_extension(path, "navmesh")
}

/// The folder of a file, `.` for a file in the current folder.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The entries of a folder and its subfolders, sorted by path. Hidden ones are
/// skipped; ignore files are not read.
pub(crate) fn visible_entries(folder: &Path) -> WalkBuilder {
    let mut walk = WalkBuilder::new(folder);
    walk.standard_filters(false)
        .hidden(true)
        .sort_by_file_path(Path::cmp);
    walk
}

/// A path without `.` and, where possible, without `..`, to compare paths.
pub(crate) fn normalized(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(normal.components().next_back(), Some(Component::Normal(_))) =>
            {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

/// Whether Windows reserves the name of a file for a device. It does so whatever
/// comes after the first dot.
pub(crate) fn is_device_on_windows(path: &Path) -> bool {
    let name = file_name(path).to_ascii_uppercase();
    let stem = name.split('.').next().unwrap_or_default().trim_end();
    let port = stem.strip_prefix("COM").or(stem.strip_prefix("LPT"));
    matches!(stem, "CON" | "PRN" | "AUX" | "NUL")
        || port.is_some_and(|port| matches!(port.as_bytes(), [b'1'..=b'9']))
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

/// Whether a path is that of a level, by its extension.
pub(crate) fn is_level(path: &Path) -> bool {
    let file = level_file(path);
    let has = |extension: &&str| has_extension(&file, extension);
    LEVEL_EXTENSIONS.iter().any(has) || POSSIBLE_LEVEL_EXTENSIONS.iter().any(has)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_devices_are_recognized() {
        for (path, expected) in [
            ("levels/aux.navmesh", true),
            ("Con.1.navmesh", true),
            ("lpt9 .navmesh", true),
            ("com0.navmesh", false),
            ("console.navmesh", false),
            ("nul/a.navmesh", false),
            ("w.CON.navmesh", false),
        ] {
            assert_eq!(is_device_on_windows(Path::new(path)), expected, "{path}");
        }
    }

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
