//! The map of a cartridge of PICO-8 (`.p8`): `flag:0 = "solid"` in the legend is about the
//! sprites with that flag, `1-15 = "solid"` about sprites by their numbers.

use std::collections::BTreeMap;

use super::legend::CellKind;
use super::{Cells, text_of};
use crate::source::error::{Fault, SourceError};
use crate::source::files::LevelBytes;
use crate::source::level_file::LevelFile;
use crate::source::rule::Rules;
use crate::source::text::TextFile;
use navmesh_bake::Material;

/// The side of a sprite, pixels.
const SPRITE: u32 = 8;

/// The columns of a map, and the rows that `__map__` holds. As many more are stored with the
/// lower half of the sprites.
const COLUMNS: usize = 128;
const ROWS: usize = 32;

/// The first sprite whose pixels are stored with the lower half of the map.
const SHARED: u8 = 128;

/// Of the lower half of a map, at least this part shows sprites of the upper half. Pictures
/// read as a map show any.
const MIN_KNOWN: f64 = 0.75;

/// Reads a cartridge.
pub fn read(file: LevelBytes<'_>, rules: &Rules) -> Result<LevelFile, SourceError> {
    let text = text_of(&file)?;
    let mut tiles = section(&text, "__map__", false)?;
    if tiles.is_empty() {
        let problem = "the cartridge has no map (__map__)";
        let advice = "maps that code makes cannot be read: write a text level or a bitmap from it";
        return Err(Fault::of_file(file.name, problem, advice).into());
    }
    tiles.resize(COLUMNS * ROWS, 0);
    let lower = section(&text, "__gfx__", true)?;
    let lower = lower.get(COLUMNS * ROWS..).unwrap_or_default();
    if is_map(lower, &tiles) {
        tiles.extend(lower);
    }
    let flags = section(&text, "__gff__", false)?;
    let used = tiles.iter().rposition(|tile| *tile != 0);
    let rows = used.map_or(1, |last| last / COLUMNS + 1);
    tiles.truncate(rows * COLUMNS);
    let names: Vec<String> = (0..=u8::MAX).map(|tile| tile.to_string()).collect();
    let mut cells = Cells::default();
    for (at, tile) in tiles.iter().enumerate() {
        let name = &names[usize::from(*tile)];
        cells.add(name, (at / COLUMNS) as u32, (at % COLUMNS) as u32);
    }
    let legend = &rules.grid.legend;
    let flag_of = |tile: u8| flags.get(usize::from(tile)).copied().unwrap_or(0);
    let mut known = BTreeMap::new();
    for (tile, name) in (0..=u8::MAX).zip(&names) {
        let set = (0..8).filter(|bit| flag_of(tile) >> bit & 1 != 0);
        let mut by_flag = set.map(|bit| format!("flag:{bit}"));
        let meaning = legend
            .exact(name)
            .or_else(|| by_flag.find_map(|flag| legend.exact(&flag)));
        // Sprite 0 is drawn as nothing. By convention, flag 0 is solid.
        let meaning = match meaning.or_else(|| legend.get(name).filter(|_| tile != 0)) {
            Some(meaning) => meaning.clone(),
            None if legend.is_empty() && flag_of(tile) & 1 != 0 => CellKind::Piece(Material::Solid),
            None => CellKind::Empty,
        };
        known.insert(name.as_str(), meaning);
    }
    let is_solid = |key: &&str| matches!(known.get(*key), Some(CellKind::Piece(_)));
    if !cells.by_key.keys().any(is_solid) {
        let (problem, advice) = (
            "no sprite of the map has a flag or a number that is collision",
            "say which do in navbake.toml beside the level:\n    [legend]\n    \"flag:0\" = \"solid\"\n    \
             \"1-15\" = \"solid\"   # sprites by number",
        );
        return Err(Fault::of_file(file.name, problem, advice).into());
    }
    cells.level(file, &known, rules.grid.cell_size.unwrap_or(SPRITE))
}

/// Whether the bytes that the lower half of the map shares with sprites are a map: it shows
/// the sprites of the upper half, and none that would be stored there.
fn is_map(lower: &[u8], upper: &[u8]) -> bool {
    let used = |tile: u8| upper.contains(&tile);
    let drawn = lower.iter().filter(|tile| **tile != 0);
    let known = drawn.clone().filter(|tile| used(**tile)).count();
    !(SHARED..=u8::MAX).any(used) && known as f64 >= MIN_KNOWN * drawn.count().max(1) as f64
}

/// The bytes of a section, two hexadecimal digits each; in pictures, the first digit is the
/// lower one.
fn section(text: &TextFile<'_>, name: &str, is_picture: bool) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    let lines = (1..).zip(text.text.lines());
    let lines = lines.skip_while(|(_, line)| line.trim() != name).skip(1);
    for (number, line) in lines.take_while(|(_, line)| !line.starts_with("__")) {
        let digits: Option<Vec<u8>> = (line.trim().chars())
            .map(|digit| digit.to_digit(16).map(|digit| digit as u8))
            .collect();
        let Some(digits) = digits else {
            let problem = format!("a line of {name} has other characters than 0 to f");
            return Err(Fault::at(
                text.name,
                number,
                "",
                problem,
                "save the cartridge again",
            ));
        };
        let pairs = digits.as_chunks::<2>().0.iter();
        bytes.extend(pairs.map(|[first, second]| {
            if is_picture {
                second << 4 | first
            } else {
                first << 4 | second
            }
        }));
    }
    Ok(bytes)
}
