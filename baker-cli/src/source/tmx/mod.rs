//! Tiled maps, as XML (TMX) or JSON (TMJ).
//!
//! A file in either format is parsed to a [`tree`] of elements. [`guard`] checks them and
//! writes one XML document, which the `tiled` crate reads ([`crate_reader`]). [`layers`],
//! [`cells`] and [`objects`] turn its map into a level.

mod art;
mod cell_data;
mod cells;
mod classes;
mod crate_reader;
mod files;
mod guard;
mod json_tree;
mod layers;
mod objects;
mod tiles;
mod tilesets;
mod tree;

use super::error::SourceError;
use super::files::LevelBytes;
use super::picture::Picture;
use super::rule::Rules;
use crate::source::level_file::LevelFile;

/// Reads a Tiled map (TMX or TMJ).
pub fn read(file: LevelBytes<'_>, rules: &Rules) -> Result<LevelFile, SourceError> {
    let checked = guard::check(file)?;
    let map = crate_reader::read(file.name, &checked.xml)?;
    layers::read(file.name, &map, checked, rules)
}

/// Draws what a Tiled map shows.
pub fn draw(name: &str, bytes: &[u8], picture: &mut Picture<'_>) -> Result<(), SourceError> {
    let files = picture.files;
    let checked = guard::check(LevelBytes { name, bytes, files })?;
    art::draw(&crate_reader::read(name, &checked.xml)?, picture);
    Ok(())
}
