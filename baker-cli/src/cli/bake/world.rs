//! Tiled's `.world` files: which maps they are made of.

use std::path::{Path, PathBuf};

use regex::RegexBuilder;
use serde::Deserialize;

use super::super::Failure;

/// The most bytes that a pattern may take once it is understood.
const MAX_PATTERN: usize = 1 << 20;

#[derive(Deserialize)]
struct World {
    #[serde(default)]
    maps: Vec<Map>,
    #[serde(default)]
    patterns: Vec<Pattern>,
}

#[derive(Deserialize)]
struct Map {
    #[serde(rename = "fileName")]
    file: String,
}

#[derive(Deserialize)]
struct Pattern {
    regexp: String,
}

/// The maps of a world, by their paths relative to it: those it lists, then
/// those its patterns match, sorted.
pub(super) fn maps(world: &Path) -> Result<Vec<PathBuf>, Failure> {
    let told = |problem: String| Failure::new(format!("{}: {problem}", world.display()));
    let bytes = std::fs::read(world).map_err(|e| Failure::file("read", world, &e))?;
    let content: World = serde_json::from_slice(&bytes)
        .map_err(|e| told(format!("this is no world of Tiled: {e}")))?;
    let mut maps: Vec<PathBuf> = Vec::new();
    for map in content.maps {
        let path = PathBuf::from(map.file.replace('\\', "/"));
        if path.is_absolute() {
            return Err(told(format!(
                "the map {} is named by an absolute path; name it relative to the world",
                path.display()
            )));
        }
        if !maps.contains(&path) {
            maps.push(path);
        }
    }
    let mut matched = Vec::new();
    for pattern in &content.patterns {
        let regex = RegexBuilder::new(&pattern.regexp)
            .size_limit(MAX_PATTERN)
            .build()
            .map_err(|e| told(format!("the pattern {:?}: {e}", pattern.regexp)))?;
        let folder = match world.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let entries =
            std::fs::read_dir(folder).map_err(|e| Failure::file("read the folder", folder, &e))?;
        for entry in entries {
            let entry = entry.map_err(|e| Failure::file("read the folder", folder, &e))?;
            // A name that is not Unicode is none that a pattern can match.
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
    fn maps_are_listed_or_match() {
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

        for (bad, told) in [
            ("[", "no world"),
            (r#"{"maps": [{"fileName": "/a.tmx"}]}"#, "absolute"),
            (r#"{"patterns": [{"regexp": "("}]}"#, "pattern"),
        ] {
            std::fs::write(&world, bad).unwrap();
            let error = maps(&world).unwrap_err().to_string();
            assert!(
                error.contains("all.world") && error.contains(told),
                "{error}"
            );
        }
    }
}
