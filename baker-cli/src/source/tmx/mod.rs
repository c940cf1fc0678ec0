//! Tiled maps, as XML (TMX) or JSON (TMJ).
//!
//! A file in either format is parsed to [`element`]s. [`validate`] checks them
//! and writes plain XML, which the `tiled` crate reads ([`crate_reader`]).
//! [`layers`], [`cells`] and [`objects`] turn its map into a [`Level`].

mod art;
mod cells;
mod crate_reader;
mod element;
mod json_format;
mod layers;
mod objects;
mod tiles;
mod validate;
mod xml_format;

use super::error::SourceError;
use super::files::LevelBytes;
use super::picture::Picture;
use super::rule::Rules;
use crate::source::level_file::LevelFile;

/// Reads a Tiled map (TMX or TMJ).
pub fn read(file: LevelBytes<'_>, rules: &Rules) -> Result<LevelFile, SourceError> {
    let validated = validate::validate(file)?;
    let map = crate_reader::read(file.name, &validated.written)?;
    layers::read(file.name, &map, validated, rules)
}

/// Draws what a Tiled map shows.
pub fn draw(name: &str, bytes: &[u8], picture: &mut Picture<'_>) -> Result<(), SourceError> {
    let files = picture.files;
    let validated = validate::validate(LevelBytes { name, bytes, files })?;
    art::draw(&crate_reader::read(name, &validated.written)?, picture);
    Ok(())
}
