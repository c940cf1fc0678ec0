//! Files of the repository that must agree.

use std::path::{Path, PathBuf};

fn path(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn text(file: &str) -> String {
    std::fs::read_to_string(path(file))
        .unwrap_or_else(|error| panic!("{file}: {error}"))
        .replace('\r', "")
}

/// They are copies, because some systems check out symbolic links as text.
#[test]
fn copies_are_those_of_the_repository() {
    for (own, file) in [
        ("LICENSE-APACHE", "../../LICENSE-APACHE"),
        ("LICENSE-MIT", "../../LICENSE-MIT"),
    ] {
        assert_eq!(text(own), text(file), "{own}");
    }
    let read = |file| std::fs::read(path(file)).unwrap();
    assert_eq!(
        read("demo/assets/level.navmesh"),
        read("../games/levels/arena.navmesh"),
        "run `just arena-asset`"
    );
    for file in ["LICENSE-MIT", "LICENSE-APACHE", "demo/assets/level.navmesh"] {
        assert!(!path(file).is_symlink(), "{file}");
    }
}

/// Without the lines that begin the file of the demo, and the indentation of the
/// guide.
#[test]
fn the_guide_has_the_program_of_the_demo() {
    let guide = text("../../docs/engines.md");
    let lines = guide.lines().map(str::trim_start);
    let block: Vec<&str> = lines
        .skip_while(|line| *line != "use bevy::prelude::*;")
        .take_while(|line| *line != "```")
        .collect();
    let demo = text("demo/src/bin/chase.rs");
    let program = demo.lines().skip(2).map(str::trim_start);
    assert_eq!(block, program.collect::<Vec<_>>());
}

#[test]
fn the_documentation_names_the_format_of_the_runtime() {
    let (major, _) = bevy_navbake::navmesh_runtime::asset::FORMAT;
    let documentation = text("src/lib.rs");
    let rows = documentation
        .lines()
        .filter(|line| line.starts_with("//! | 0."));
    let mut named = rows
        .filter_map(|row| row.split_once("`.navmesh` "))
        .peekable();
    assert!(named.peek().is_some());
    assert!(named.all(|(_, version)| version == format!("{major}.x |")));
}
