//! Reading validated files with the `tiled` crate.
//!
//! The crate joins the name of a file to the folder of the file that names it.
//! Absolute paths stay as they are, so each name that is written for it is the
//! file's real name, relative to the map's folder, behind a `/`.

use std::collections::BTreeMap;
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

/// Reads a map from validated files. The crate should accept all of them; a
/// panic would be a gap in the validation, and becomes an error too.
pub fn read(name: &str, files: &BTreeMap<String, String>) -> Result<Map, SourceError> {
    let open = |path: &Path| -> io::Result<Cursor<&str>> {
        let text = files.get(real_name(path)).ok_or(io::ErrorKind::NotFound)?;
        Ok(Cursor::new(text.as_str()))
    };
    let result = catch_unwind(AssertUnwindSafe(|| {
        Loader::with_reader(open).load_tmx_map(crate_path(name))
    }));
    let problem = match result {
        Ok(Ok(map)) => return Ok(map),
        Ok(Err(error)) => format!("the parser refuses it: {error}"),
        Err(_) => "the parser failed on it".to_owned(),
    };
    let advice = "open it in Tiled and save it again; please report it if that does not help";
    Err(Fault::of_file(name, problem, advice).into())
}
