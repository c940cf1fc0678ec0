//! A temporary folder in which the command runs, and a level to bake.
#![allow(dead_code)] // each test binary uses its own part

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::common::fixtures::fixtures;

/// A temporary folder in which `navbake` runs.
pub(crate) struct Sandbox(tempfile::TempDir);

/// The result of a run.
pub(crate) struct Run {
    /// The arguments, for messages.
    line: String,
    pub(crate) code: i32,
    pub(crate) bytes: Vec<u8>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// Checks that stderr contains a text.
    #[track_caller]
    pub(crate) fn says(&self, text: &str) -> &Self {
        let Self { line, stderr, .. } = self;
        assert!(
            stderr.contains(text),
            "{line}: {text:?} is not in:\n{stderr}"
        );
        self
    }

    /// Stdout as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).expect(&self.stderr)
    }

    /// The lines of stdout as JSON.
    #[track_caller]
    pub(crate) fn json_lines(&self) -> Vec<Value> {
        let lines = self.stdout.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

/// The arguments of a run: a text with spaces between them, or a list.
pub(crate) trait Arguments {
    fn list(&self) -> Vec<OsString>;
}

impl Arguments for str {
    fn list(&self) -> Vec<OsString> {
        self.split_whitespace().map(OsString::from).collect()
    }
}

impl Arguments for String {
    fn list(&self) -> Vec<OsString> {
        self.as_str().list()
    }
}

impl<S: AsRef<OsStr>> Arguments for [S] {
    fn list(&self) -> Vec<OsString> {
        self.iter().map(OsString::from).collect()
    }
}

impl<S: AsRef<OsStr>, const N: usize> Arguments for [S; N] {
    fn list(&self) -> Vec<OsString> {
        self.as_slice().list()
    }
}

impl<S: AsRef<OsStr>> Arguments for Vec<S> {
    fn list(&self) -> Vec<OsString> {
        self.as_slice().list()
    }
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Writes `navbake.toml`.
    pub(crate) fn configure(&self, text: &str) {
        self.write("navbake.toml", text);
    }

    /// The text of a file.
    pub(crate) fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The bytes of a file.
    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    /// Copies a file of the repository's fixtures.
    pub(crate) fn fixture(&self, name: &str) {
        self.fixture_at(name, name);
    }

    /// Copies a fixture to another path.
    pub(crate) fn fixture_at(&self, name: &str, path: &str) {
        std::fs::copy(fixtures().join(name), self.path(path)).unwrap();
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

    pub(crate) fn command<A: Arguments + ?Sized>(&self, args: &A) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_navbake"));
        command
            .args(args.list())
            .current_dir(self.0.path())
            .env_remove("COLUMNS")
            .env("NO_COLOR", "1")
            .stdin(Stdio::null());
        command
    }

    /// A command of the system in the folder, with `navbake` on its path.
    pub(crate) fn tool(&self, program: &str) -> Command {
        let own = std::path::Path::new(env!("CARGO_BIN_EXE_navbake"));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::iter::once(own.parent().unwrap().to_path_buf())
            .chain(std::env::split_paths(&path));
        let mut command = Command::new(program);
        command
            .current_dir(self.0.path())
            .env("PATH", std::env::join_paths(path).unwrap())
            .env("NO_COLOR", "1")
            .stdin(Stdio::null());
        command
    }

    /// Runs a command that must succeed.
    #[track_caller]
    pub(crate) fn fine<A: Arguments + ?Sized>(&self, args: &A) -> Run {
        self.exits(0, args)
    }

    /// Runs a command that must end with this exit status.
    #[track_caller]
    pub(crate) fn exits<A: Arguments + ?Sized>(&self, code: i32, args: &A) -> Run {
        let run = self.run(args);
        assert_eq!(run.code, code, "{}: {}{}", run.line, run.stdout, run.stderr);
        run
    }

    pub(crate) fn run<A: Arguments + ?Sized>(&self, args: &A) -> Run {
        self.run_with(args, &[])
    }

    pub(crate) fn run_with<A: Arguments + ?Sized>(&self, args: &A, stdin: &[u8]) -> Run {
        let mut child = self
            .command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pipe = child.stdin.take().unwrap();
        // A command that does not read its stdin may have ended already.
        let _ = pipe.write_all(stdin);
        drop(pipe);
        let output = child.wait_with_output().unwrap();
        Run {
            line: args
                .list()
                .join(OsStr::new(" "))
                .to_string_lossy()
                .into_owned(),
            code: output.status.code().unwrap(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            bytes: output.stdout,
        }
    }
}

/// The same with its tileset in a file, `tiles.tsx`.
pub(crate) fn level_with_tileset(more: &[(usize, usize)]) -> String {
    let inner = r#"<tileset firstgid="1" name="rock" tilewidth="16" tileheight="16" tilecount="1" columns="1"/>"#;
    level(more).replace(inner, r#"<tileset firstgid="1" source="tiles.tsx"/>"#)
}

/// A tileset for [`level_with_tileset`], under a name.
pub(crate) fn tileset(name: &str) -> String {
    format!(r#"<tileset name="{name}" tilewidth="16" tileheight="16" tilecount="1" columns="1"/>"#)
}

/// Whether a program is installed. If not, prints the name of the test and
/// what it needs, past the test runner, which hides the output of tests that
/// pass.
pub(crate) fn installed(program: &str) -> bool {
    let found = Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !found {
        let thread = std::thread::current();
        let test = thread.name().unwrap_or("a test");
        let _ = writeln!(std::io::stderr(), "skipped: {test}: needs {program}");
    }
    found
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
