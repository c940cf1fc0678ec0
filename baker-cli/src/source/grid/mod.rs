//! Levels drawn as grids: text files, CSV files, and maps of PICO-8. A legend says what the
//! characters or numbers mean.

mod legend;
mod pico8;
mod text;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use glam::DVec2;

use super::error::{Fault, SourceError};
use super::files::{LevelBytes, check_size, input};
use super::level_file::LevelFile;
use super::limits::{MAX_CELLS, MAX_FILE_BYTES};
use super::plain_level::PlainLevel;
use super::text::TextFile;
use navmesh_bake::Rect;
use navmesh_bake::tools::merge_cells;

pub use legend::CellKind;
use legend::built_in;
pub use legend::{GridRules, Legend};
pub use pico8::read as read_pico8;
pub use text::{read_csv, read_text};

/// The side of a cell without a setting, level pixels: that of the tiles of most games.
const CELL: u32 = 16;

/// How many unknown values an error lists.
const MAX_LISTED: usize = 12;

/// Classes of markers that are regions: their cells are joined. Others are places.
const REGIONS: [&str; 6] = ["breakable", "spring", "door", "portal", "area", "nav_area"];

/// The cells of a grid, as (row, column) by their text.
#[derive(Debug, Default)]
struct Cells<'t> {
    columns: u32,
    rows: u32,
    by_key: BTreeMap<&'t str, Vec<(i32, i32)>>,
}

/// How messages name what is in the cells.
#[derive(Clone, Copy)]
struct Noun {
    one: &'static str,
    /// The text of empty cells that no legend mentions.
    empty: &'static [&'static str],
}

impl<'t> Cells<'t> {
    /// Adds a cell; cells come in the order of rows.
    fn add(&mut self, key: &'t str, row: u32, column: u32) {
        let cell = (row as i32, column as i32);
        self.by_key.entry(key).or_default().push(cell);
        self.columns = self.columns.max(column + 1);
        self.rows = self.rows.max(row + 1);
    }

    /// What each text means. Without a legend, by the only built-in one that fits.
    fn meanings(
        &self,
        file: &str,
        rules: &GridRules,
        noun: Noun,
    ) -> Result<BTreeMap<&'t str, CellKind>, Fault> {
        let with = |legend: &Legend| {
            let keys = self.by_key.keys().map(|key| {
                let is_empty = noun.empty.contains(key);
                let meaning = legend.get(key).cloned();
                (*key, meaning.or(is_empty.then_some(CellKind::Empty)))
            });
            keys.collect::<BTreeMap<&str, Option<CellKind>>>()
        };
        let mut known = with(&rules.legend);
        if rules.legend.is_empty() && known.values().any(Option::is_none) {
            let all = built_in();
            let read = all.iter().map(|(name, legend)| (name, with(legend)));
            let fits: Vec<_> = read
                .filter(|(_, known)| known.values().all(Option::is_some))
                .collect();
            if let [(name, first), others @ ..] = fits.as_slice() {
                if let Some((other, meanings)) = others.iter().find(|(_, known)| known != first) {
                    let differ = first
                        .iter()
                        .find(|(key, known)| meanings.get(*key) != Some(known));
                    let key = differ.map_or("", |(key, _)| key);
                    let problem = format!(
                        "two built-in legends fit, {name} and {other}, in which {key:?} is not the same"
                    );
                    let advice = format!(
                        "choose one in navbake.toml beside the level:\n    [legend]\n    use = \"{other}\""
                    );
                    return Err(Fault::of_file(file, problem, advice));
                }
                known.clone_from(first);
            }
        }
        self.check_known(file, &known, noun)?;
        let known = known.into_iter();
        Ok(known
            .filter_map(|(key, known)| Some((key, known?)))
            .collect())
    }

    /// An error if something has no meaning, at its first cell.
    fn check_known(
        &self,
        file: &str,
        known: &BTreeMap<&str, Option<CellKind>>,
        noun: Noun,
    ) -> Result<(), Fault> {
        let unknown = known.iter().filter(|(_, meaning)| meaning.is_none());
        let unknown = unknown.filter_map(|(key, _)| Some((*key, self.by_key.get(key)?)));
        let mut unknown: Vec<(&str, &Vec<(i32, i32)>)> = unknown.collect();
        let Some((first, (row, column))) = unknown
            .iter()
            .filter_map(|(key, cells)| Some((*key, *cells.first()?)))
            .min_by_key(|(_, cell)| *cell)
        else {
            return Ok(());
        };
        unknown.sort_by_key(|(key, cells)| (std::cmp::Reverse(cells.len()), *key));
        let mut advice =
            "say what they are in navbake.toml beside the level (solid, one_way, hazard, \
                          ladder, empty, spawn or another class of markers):\n    [legend]"
                .to_owned();
        for (key, cells) in unknown.iter().take(MAX_LISTED) {
            let key = toml::Value::from(*key);
            let (number, plural) = (cells.len(), if cells.len() == 1 { "" } else { "s" });
            let _ = write!(
                advice,
                "\n    {key} = \"solid\"   # in {number} cell{plural}"
            );
        }
        if unknown.len() > MAX_LISTED {
            advice.push_str("\n    other = \"solid\"   # everything else");
        }
        let line = row as u32 + 1;
        let place = format!("column {}", column + 1);
        let shown = first.escape_debug();
        let problem = format!("the {} \"{shown}\" has no meaning", noun.one);
        Err(Fault::at(file, line, &place, problem, advice))
    }

    /// The level with these meanings.
    fn level(
        self,
        file: LevelBytes<'_>,
        known: &BTreeMap<&str, CellKind>,
        side: u32,
    ) -> Result<LevelFile, SourceError> {
        let cell = DVec2::splat(side.into());
        let mut level = PlainLevel::new(file.name);
        let mut markers = Vec::new();
        for (key, cells) in self.by_key {
            match known.get(key) {
                Some(CellKind::Piece(material)) => {
                    let origin = format!("cells {key:?}");
                    level.add_cells(origin, None, *material, cells, [DVec2::ZERO, cell])?;
                }
                Some(CellKind::Marker { class, name }) => {
                    let joined = REGIONS.contains(&class.as_str());
                    for block in merge_cells(cells, joined, joined) {
                        markers.push((block.top, block.left, block, class, name));
                    }
                }
                Some(CellKind::Empty) | None => {}
            }
        }
        markers.sort_by_key(|(top, left, ..)| (*top, *left));
        for (_, _, block, class, name) in markers {
            let from = DVec2::new(block.left.into(), block.top.into());
            let to = DVec2::new(block.right.into(), block.bottom.into());
            let area = Rect::new(from * cell, to * cell);
            level.add_marker(class, name, area, BTreeMap::new());
        }
        let size = DVec2::new(self.columns.into(), self.rows.into());
        let bounds = Rect::new(DVec2::ZERO, size * cell);
        let inputs = vec![input(file.files, file.name)];
        level.finish(Some(bounds), Some([side; 2]), inputs)
    }
}

/// The text of a file, which must not be empty.
fn text_of<'a>(file: &LevelBytes<'a>) -> Result<TextFile<'a>, SourceError> {
    check_size(file.name, file.bytes.len() as u64, MAX_FILE_BYTES)?;
    let text = TextFile::new(file.name, file.bytes, "save it as UTF-8 text")?;
    text.check_not_empty("level")?;
    Ok(text)
}

/// An error when a grid has too many cells.
fn check_cells(file: &str, columns: u64, rows: u64) -> Result<(), Fault> {
    if columns.saturating_mul(rows) > MAX_CELLS {
        let problem = format!("{columns} x {rows} cells are more than {MAX_CELLS}");
        return Err(Fault::of_file(file, problem, "split the level"));
    }
    Ok(())
}
