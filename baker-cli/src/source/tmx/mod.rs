//! Tiled maps.
//!
//! Three steps: [`guard`] checks every file and writes it anew in the plainest
//! form, [`parse`] hands that to the `tiled` crate, and [`survey`] turns the
//! map into a [`Level`], asking [`judge`] about everything in it.

mod cells;
mod facts;
mod guard;
mod judge;
mod objects;
mod outline;
mod parse;
mod survey;
mod tally;

pub use guard::{MAX_CELLS, MAX_GROUP_DEPTH};

use super::error::SourceError;
use super::files::FileProvider;
use super::level::Level;
use super::options::ReadOptions;

/// Reads a Tiled map (TMX).
pub(super) fn read(
    name: &str,
    bytes: &[u8],
    files: &dyn FileProvider,
    options: &ReadOptions,
) -> Result<Level, SourceError> {
    let checked = guard::check(name, bytes, files)?;
    let map = parse::parse(name, &checked)?;
    survey::survey(name, &map, checked, &options.rules)
}

#[cfg(test)]
mod testing;
