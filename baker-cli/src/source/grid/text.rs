//! Text files with a character for each cell, and CSV files with a number or a word.

use super::{CELL, Cells, Noun, check_cells, text_of};
use crate::source::error::{Fault, SourceError};
use crate::source::files::LevelBytes;
use crate::source::level_file::LevelFile;
use crate::source::rule::Rules;

/// Reads a text file. Lines that end early go on with air, because editors remove spaces.
pub fn read_text(file: LevelBytes<'_>, rules: &Rules) -> Result<LevelFile, SourceError> {
    let text = text_of(&file)?;
    let lines = text.text.trim_end();
    let columns = lines.lines().map(|line| line.chars().count()).max();
    check_cells(
        file.name,
        columns.unwrap_or(0) as u64,
        lines.lines().count() as u64,
    )?;
    let mut cells = Cells::default();
    for (row, line) in (0..).zip(lines.lines()) {
        let mut rest = line;
        for column in 0.. {
            let Some(first) = rest.chars().next() else {
                break;
            };
            let (key, more) = rest.split_at(first.len_utf8());
            cells.add(key, row, column);
            rest = more;
        }
    }
    cells.rows = lines.lines().count() as u32;
    let noun = Noun {
        one: "character",
        empty: &[" "],
    };
    finish(file, rules, cells, noun)
}

/// Reads a CSV file. Values are separated by commas, semicolons or tabs.
pub fn read_csv(file: LevelBytes<'_>, rules: &Rules) -> Result<LevelFile, SourceError> {
    let text = text_of(&file)?;
    let lines = text.text.trim_end();
    let separators = [',', ';', '\t'].into_iter();
    let separator = separators
        .clone()
        .find(|separator| lines.contains(*separator));
    let separator = separator.unwrap_or(',');
    let mut cells = Cells::default();
    let mut width = None;
    for (row, line) in (0_u32..).zip(lines.lines()) {
        // Some programs write a separator after the last value too.
        let line = line.trim();
        let line = line.strip_suffix(separator).unwrap_or(line);
        let number = line.split(separator).count();
        let width = *width.get_or_insert(number);
        check_cells(file.name, width as u64, u64::from(row) + 1)?;
        if number != width {
            let problem = format!("{number} values, where the first line has {width}");
            let advice = "give all lines the same number of values";
            return Err(Fault::at(file.name, row + 1, "", problem, advice).into());
        }
        for (column, value) in (0..).zip(line.split(separator)) {
            cells.add(value.trim().trim_matches('"'), row, column);
        }
    }
    // Where -1 is no tile, 0 is the first one.
    let empty: &[&str] = if cells.by_key.contains_key("-1") {
        &["", "-1"]
    } else {
        &["", "0"]
    };
    let noun = Noun {
        one: "value",
        empty,
    };
    finish(file, rules, cells, noun)
}

fn finish(
    file: LevelBytes<'_>,
    rules: &Rules,
    cells: Cells<'_>,
    noun: Noun,
) -> Result<LevelFile, SourceError> {
    let known = cells.meanings(file.name, &rules.grid, noun)?;
    cells.level(file, &known, rules.grid.cell_size.unwrap_or(CELL))
}
