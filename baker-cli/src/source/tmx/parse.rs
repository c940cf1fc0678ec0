//! Checked files through the `tiled` crate.

use std::io::{self, Cursor};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use tiled::{Loader, Map};

use super::guard::{Checked, MAP};
use crate::source::error::{Fault, SourceError};

/// Parses a map that has passed the guard. Complaints are not expected any
/// more; a panic would be a defect of the parser that the guard does not know
/// yet, and even that ends in an error.
pub(super) fn parse(name: &str, checked: &Checked) -> Result<Map, SourceError> {
    let open = |path: &Path| -> io::Result<Cursor<&[u8]>> {
        path.to_str()
            .and_then(|name| checked.files.get(name))
            .map(|bytes| Cursor::new(bytes.as_slice()))
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    };
    let result = catch_unwind(AssertUnwindSafe(|| {
        Loader::with_reader(open).load_tmx_map(MAP)
    }));
    let problem = match result {
        Ok(Ok(map)) => return Ok(map),
        Ok(Err(error)) => format!("the parser refuses it: {error}"),
        Err(_) => "the parser failed on it".to_owned(),
    };
    let advice = "open it in Tiled and save it again; please report it if that does not help";
    Err(Fault::of_file(name, problem, advice).into())
}
