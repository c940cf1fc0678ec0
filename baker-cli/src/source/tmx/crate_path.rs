//! The paths by which the `tiled` crate opens files.
//!
//! The crate joins the name of a file to the folder of the file that names it.
//! Absolute paths stay as they are, so each name that is written for it is the
//! file's real name, relative to the map's folder, behind a `/`.

use std::path::Path;

/// The path of a file of this name.
pub(super) fn crate_path(name: &str) -> String {
    format!("/{name}")
}

/// The name of the file of a path; empty where there is none.
pub(super) fn real_name(path: &Path) -> &str {
    let path = path.to_str().unwrap_or_default();
    path.strip_prefix('/').unwrap_or_default()
}
