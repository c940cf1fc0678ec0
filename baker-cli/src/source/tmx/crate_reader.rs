//! Reading a checked map with the `tiled` crate.
//!
//! The map holds all tilesets and templates, so the crate opens no other file. It joins the
//! names of images to the folder of the map, but keeps absolute paths: each name that is
//! written for it is the file's real name, relative to the map's folder, behind a `/`.

use std::io::{self, Cursor};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use tiled::{Loader, Map};

use crate::source::error::{Fault, SourceError};

/// The path of a file of this name.
pub fn crate_path(name: &str) -> String {
    format!("/{name}")
}

/// The name of the file of a path; empty where there is none.
pub fn real_name(path: &Path) -> &str {
    let path = path.to_str().unwrap_or_default();
    path.strip_prefix('/').unwrap_or_default()
}

/// Reads a map of this name. The crate should accept all that were checked; a panic would
/// be a gap in the checks, and becomes an error too.
pub fn read(name: &str, xml: &str) -> Result<Map, SourceError> {
    let path = crate_path(name);
    let open = |asked: &Path| -> io::Result<Cursor<&str>> {
        let is_map = asked == Path::new(&path);
        is_map
            .then(|| Cursor::new(xml))
            .ok_or(io::ErrorKind::NotFound.into())
    };
    let result = catch_unwind(AssertUnwindSafe(|| {
        Loader::with_reader(open).load_tmx_map(&path)
    }));
    let problem = match result {
        Ok(Ok(map)) => return Ok(map),
        Ok(Err(error)) => format!("the parser refuses it: {error}"),
        Err(_) => "the parser failed on it".to_owned(),
    };
    let advice = "open it in Tiled and save it again; please report it if that does not help";
    Err(Fault::of_file(name, problem, advice).into())
}
