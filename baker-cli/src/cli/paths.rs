//! Paths on the command line.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use crate::cli::failure::Failure;

/// Whether a path stands for stdin or stdout.
pub(crate) fn is_dash(path: &Path) -> bool {
    path == Path::new("-")
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

/// How messages name an input.
pub(crate) fn name_of(path: &Path) -> String {
    if is_dash(path) {
        "stdin".to_owned()
    } else {
        path.display().to_string()
    }
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

/// Whether a path is that of a baked file.
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

/// The current folder.
pub(crate) fn current_folder() -> Result<PathBuf, Failure> {
    std::env::current_dir()
        .map_err(|e| Failure::new(format!("cannot determine the current folder: {e}")))
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
