//! Tiled's `.world` files: the maps of a world.

use std::path::{Path, PathBuf};

use regex::RegexBuilder;
use serde::Deserialize;

use crate::cli::failure::Failure;
use crate::cli::paths::folder_of;

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
pub(crate) fn maps(world: &Path) -> Result<Vec<PathBuf>, Failure> {
    let bytes = std::fs::read(world).map_err(|e| Failure::file("read the file", world, &e))?;
    let content: WorldFile = serde_json::from_slice(&bytes).map_err(|e| {
        Failure::new(format!(
            "{}:{}: not a Tiled world: {e}",
            world.display(),
            e.line()
        ))
    })?;
    let mut maps: Vec<PathBuf> = Vec::new();
    for map in content.maps {
        let path = PathBuf::from(map.file.replace('\\', "/"));
        if path.is_absolute() {
            let map = path.display();
            return Err(Failure::with_help(
                format_args!("{}: the map {map} has an absolute path", world.display()),
                "name it relative to the world",
            ));
        }
        if !maps.contains(&path) {
            maps.push(path);
        }
    }
    let mut matched = Vec::new();
    for WorldPattern { regexp } in &content.patterns {
        let regex = RegexBuilder::new(regexp)
            .size_limit(MAX_PATTERN)
            .build()
            .map_err(|e| {
                Failure::in_file(format_args!("{}: pattern {regexp:?}", world.display()), &e)
            })?;
        let folder = folder_of(world);
        let unreadable = |e| Failure::file("read the folder", folder, &e);
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            // A pattern cannot match a name that is not Unicode.
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            let path = PathBuf::from(&name);
            if regex.is_match(&name) && entry.path().is_file() && !maps.contains(&path) {
                matched.push(path);
            }
        }
    }
    matched.sort();
    matched.dedup();
    maps.append(&mut matched);
    Ok(maps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_has_listed_maps_and_maps_that_match() {
        let temp = tempfile::tempdir().unwrap();
        let world = temp.path().join("all.world");
        for name in ["p02.tmx", "p01.tmx", "p1.tsx", "extra.tmj"] {
            std::fs::write(temp.path().join(name), "").unwrap();
        }
        let text = r#"{"maps": [{"fileName": "sub/a.tmx", "x": 0, "y": 0}, {"fileName": "p02.tmx", "x": 1, "y": 1}],
            "patterns": [{"regexp": "p0*(\\d+)\\.tmx", "multiplierX": 64}], "type": "world"}"#;
        std::fs::write(&world, text).unwrap();
        let names: Vec<_> = maps(&world).unwrap();
        assert_eq!(
            names,
            ["sub/a.tmx", "p02.tmx", "p01.tmx"].map(PathBuf::from)
        );

        for (bad, problem) in [
            ("[", "not a Tiled world"),
            (r#"{"maps": [{"fileName": "/a.tmx"}]}"#, "absolute path"),
            (r#"{"patterns": [{"regexp": "("}]}"#, "pattern"),
        ] {
            std::fs::write(&world, bad).unwrap();
            let error = maps(&world).unwrap_err().to_string();
            assert!(
                error.contains("all.world") && error.contains(problem),
                "{error}"
            );
        }
    }
}
