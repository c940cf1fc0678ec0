//! A folder to run the command in, and a level to bake.
#![allow(dead_code)] // each test binary uses its own part

use std::ffi::OsStr;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A temporary folder in which `navbake` runs.
pub(crate) struct Workshop(tempfile::TempDir);

/// What a run left.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) bytes: Vec<u8>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Workshop {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    /// Copies a file of the repository's fixtures.
    pub(crate) fn fixture(&self, name: &str) {
        std::fs::copy(fixtures().join(name), self.path(name)).unwrap();
    }

    /// The names of the files in the folder, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = std::fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    pub(crate) fn command<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_navbake"));
        command
            .args(args)
            .current_dir(self.0.path())
            .env_remove("COLUMNS")
            .env("NO_COLOR", "1")
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Run {
        self.run_with(args, &[])
    }

    pub(crate) fn run_with<S: AsRef<OsStr>>(&self, args: &[S], stdin: &[u8]) -> Run {
        let mut child = self
            .command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pipe = child.stdin.take().unwrap();
        // A command that does not read its stdin may be gone already.
        let _ = pipe.write_all(stdin);
        drop(pipe);
        let output = child.wait_with_output().unwrap();
        Run {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            bytes: output.stdout,
        }
    }
}

/// A level of 20 × 12 tiles of 16 pixels: a floor whose top is at y 160 with
/// a gap of three tiles, a ledge, and a closed room at the top right whose
/// floor is at y 64; with more solid tiles (column, row).
pub(crate) fn level(more: &[(usize, usize)]) -> String {
    let mut rows: Vec<Vec<u8>> = [
        "..............######",
        "..............#....#",
        "..............#....#",
        "..............#....#",
        "..............######",
        "....................",
        "....................",
        "...####.............",
        "....................",
        "....................",
        "##########...#######",
        "##########...#######",
    ]
    .map(|row| row.as_bytes().to_vec())
    .into();
    for &(column, row) in more {
        rows[row][column] = b'#';
    }
    let cells: Vec<String> = rows
        .iter()
        .map(|row| {
            let cells: Vec<_> = row
                .iter()
                .map(|c| if *c == b'#' { "1" } else { "0" })
                .collect();
            cells.join(",")
        })
        .collect();
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" renderorder="right-down" width="20" height="12" tilewidth="16" tileheight="16" infinite="0">
 <tileset firstgid="1" name="rock" tilewidth="16" tileheight="16" tilecount="1" columns="1"/>
 <layer id="1" name="ground" width="20" height="12">
  <data encoding="csv">
{}
</data>
 </layer>
 <objectgroup id="2" name="things">
  <object id="1" name="player" class="spawn" x="24" y="160"><point/></object>
 </objectgroup>
</map>
"#,
        cells.join(",\n")
    )
}

fn fixtures() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

/// `fixtures/ledges.tmx` with other tiles in its layer `ground`: columns, row,
/// number of the tile.
pub(crate) fn ledges_with(edits: &[(std::ops::RangeInclusive<usize>, usize, u32)]) -> String {
    let text = std::fs::read_to_string(fixtures().join("ledges.tmx")).unwrap();
    let (head, layer) = text.split_once("name=\"ground\"").unwrap();
    let (open, rest) = layer.split_once("csv\">\n").unwrap();
    let (cells, tail) = rest.split_once("\n</data>").unwrap();
    let mut rows: Vec<Vec<String>> = cells
        .lines()
        .map(|line| {
            line.trim_end_matches(',')
                .split(',')
                .map(String::from)
                .collect()
        })
        .collect();
    for (columns, row, tile) in edits {
        for column in columns.clone() {
            rows[*row][column] = tile.to_string();
        }
    }
    let rows: Vec<String> = rows.iter().map(|row| row.join(",")).collect();
    format!(
        "{head}name=\"ground\"{open}csv\">\n{}\n</data>{tail}",
        rows.join(",\n")
    )
}
