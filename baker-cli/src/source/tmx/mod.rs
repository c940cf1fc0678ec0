//! Tiled maps, as XML (TMX) or JSON (TMJ).
//!
//! A file in either format is parsed to [`element`]s. [`validate`] checks them
//! and writes plain XML, which the `tiled` crate reads ([`crate_reader`]).
//! [`layers`], [`cells`] and [`objects`] turn its map into a [`Level`].

mod art;
mod cells;
mod crate_path;
mod crate_reader;
mod element;
mod json_format;
mod layers;
mod objects;
mod tiles;
mod validate;
mod writer;
mod xml_format;

use super::error::SourceError;
use super::files::FileProvider;
use super::level::Level;
use super::picture::Picture;
use super::rule::Rules;

/// Reads a Tiled map (TMX or TMJ).
pub(super) fn read(
    name: &str,
    bytes: &[u8],
    files: &dyn FileProvider,
    rules: &Rules,
) -> Result<Level, SourceError> {
    let validated = validate::validate(name, bytes, files)?;
    let map = crate_reader::read(name, &validated.written)?;
    layers::read(name, &map, validated, rules)
}

/// Draws what a Tiled map shows.
pub(super) fn draw(name: &str, bytes: &[u8], picture: &mut Picture<'_>) -> Result<(), SourceError> {
    let validated = validate::validate(name, bytes, picture.files)?;
    let map = crate_reader::read(name, &validated.written)?;
    art::draw(&map, picture);
    Ok(())
}
