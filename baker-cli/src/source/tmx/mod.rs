//! Tiled maps, as XML (TMX) or JSON (TMJ).
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

pub(super) use guard::{Draft, shorten};
pub use guard::{MAX_CELLS, MAX_GROUP_DEPTH};
pub(super) use judge::SOLID_LAYERS;

use super::error::SourceError;
use super::files::FileProvider;
use super::level::{InputFile, Level};
use super::options::ReadOptions;

/// Reads a Tiled map (TMX or TMJ).
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

/// Reads a map that another format was translated to. `read` are the files it
/// was read from, its own first, `bytes` how many they have together.
pub(super) fn read_draft(
    name: &str,
    draft: Draft,
    read: Vec<InputFile>,
    bytes: u64,
    files: &dyn FileProvider,
    options: &ReadOptions,
) -> Result<Level, SourceError> {
    let checked = guard::check_draft(name, draft, read, bytes, files)?;
    let map = parse::parse(name, &checked)?;
    survey::survey(name, &map, checked, &options.rules)
}

#[cfg(test)]
mod testing;
