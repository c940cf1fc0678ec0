//! Tiled's `.world` files: the maps of a world.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use regex::RegexBuilder;
use serde::Deserialize;

use crate::cli::failure::Failure;
use crate::cli::io::folder_of;
use crate::source::{MAX_FILE_BYTES, read_at_most};

/// Bytes that a compiled pattern may take. Patterns of worlds take a few
/// kilobytes; without a limit, nested repetitions could take gigabytes.
const MAX_PATTERN: usize = 1 << 20;

#[derive(Deserialize)]
struct WorldFile {
    #[serde(default)]
    maps: Vec<WorldMap>,
    #[serde(default)]
    patterns: Vec<WorldPattern>,
}

#[derive(Deserialize)]
struct WorldMap {
    #[serde(rename = "fileName")]
    file: String,
}

#[derive(Deserialize)]
struct WorldPattern {
    regexp: String,
}

/// The maps of a world, relative to it: first the listed ones in their order,
/// then those that match a pattern, sorted.
pub fn maps(world: &Path) -> Result<Vec<PathBuf>, Failure> {
    let bytes = read_at_most(world, MAX_FILE_BYTES)
        .map_err(|e| Failure::file("read the file", world, &e))?;
    let content: WorldFile = serde_json::from_slice(&bytes).map_err(|e| {
        let (file, line) = (world.display(), e.line());
        Failure::new(format!("{file}:{line}: not a Tiled world: {e}"))
    })?;
    let mut maps: Vec<PathBuf> = Vec::new();
    let mut known = BTreeSet::new();
    for map in content.maps {
        let path = PathBuf::from(map.file.replace('\\', "/"));
        if path.is_absolute() {
            let map = path.display();
            let problem = format_args!("the map {map} has an absolute path");
            let help = "name it relative to the world";
            return Err(Failure::about(world, problem, help));
        }
        if known.insert(path.clone()) {
            maps.push(path);
        }
    }
    let mut matched = BTreeSet::new();
    for WorldPattern { regexp } in &content.patterns {
        let regex = RegexBuilder::new(regexp).size_limit(MAX_PATTERN).build();
        let place = format!("{}: pattern \"{regexp}\"", world.display());
        let regex = regex.map_err(|e| Failure::in_file(place, &e))?;
        let folder = folder_of(world);
        let entries: Result<Vec<_>, _> = std::fs::read_dir(folder).and_then(Iterator::collect);
        for entry in entries.map_err(|e| Failure::file("read the folder", folder, &e))? {
            // A pattern cannot match a name that is not Unicode.
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            let path = PathBuf::from(&name);
            if regex.is_match(&name) && entry.path().is_file() && !known.contains(&path) {
                matched.insert(path);
            }
        }
    }
    maps.extend(matched);
    if maps.is_empty() {
        let problem = "the world has no map, and no file matches its patterns";
        let help = "add a map to it in Tiled, or name the maps themselves";
        return Err(Failure::about(world, problem, help));
    }
    Ok(maps)
}
