//! The pages of the documentation agree with the repository.

use std::path::{Path, PathBuf};

use navmesh_runtime::asset::FORMAT;
use navmesh_runtime::mesh::AgentProfile;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The Markdown files that a reader meets.
fn pages() -> Vec<PathBuf> {
    let root = root();
    let mut pages = vec![root.join("README.md"), root.join("fixtures/README.md")];
    for folder in [
        "docs",
        "navmesh-runtime/docs",
        "navmesh-runtime",
        "baker-cli",
    ] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            // The guides of the runtime lie in its folder; their names in `docs`
            // are links to them.
            if path.extension().is_some_and(|e| e == "md") && !path.is_symlink() {
                pages.push(path);
            }
        }
    }
    pages
}

#[test]
fn links_lead_to_files_that_exist() {
    for page in pages() {
        let text = read(&page);
        // Code between fences has brackets of its own.
        let prose = text.split("```").step_by(2);
        let links = prose.flat_map(|part| {
            let defined = part.split("\n[").filter_map(|line| line.split_once("]: "));
            let defined = defined.map(|(_, link)| link.split('\n').next().unwrap());
            part.split("](").skip(1).chain(defined)
        });
        for link in links {
            let target = link.split([')', '#']).next().unwrap();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            let file = page.parent().unwrap().join(target);
            assert!(file.exists(), "{}: no file {target}", page.display());
        }
    }
}

/// The documentation tests of the runtime compile its README, so this holds
/// the program of the first page, too.
#[test]
fn both_readmes_show_the_same_program() {
    let program = |path: &str| {
        let text = read(&root().join(path));
        let (_, rest) = text.split_once("```rust,no_run\n").unwrap();
        rest.split_once("```\n").unwrap().0.to_owned()
    };
    assert_eq!(program("README.md"), program("navmesh-runtime/README.md"));
}

#[test]
fn the_page_of_the_format_is_about_the_version_that_is_written() {
    let page = read(&root().join("docs/format.md"));
    let (major, minor) = FORMAT;
    for text in [
        format!("# The nav mesh format, version {major}.{minor}\n"),
        format!("| major version, {major} |"),
        format!("| minor version, {minor} |"),
        format!("A reader of version {major} rejects"),
    ] {
        assert!(page.contains(&text), "docs/format.md: {text:?} is missing");
    }
    let cli = read(&root().join("docs/cli.md"));
    assert!(cli.contains(&format!("\"format\": \"{major}.{minor}\"")));
}

/// The numbers before ` T`, the side of a tile, in the table of defaults.
#[test]
fn the_table_of_defaults_is_that_of_the_presets() {
    const TILE: f32 = 100.0;
    let page = read(&root().join("docs/cli.md"));
    let (_, table) = page.split_once("| key | `ground` | `air` |").unwrap();
    let shares = |key: &str, column: usize| -> Vec<f32> {
        let row = table.lines().find(|row| row.contains(&format!("`{key}`")));
        let cell = row.unwrap().split('|').nth(column).unwrap();
        let words: Vec<&str> = cell.split([' ', ',', ';']).collect();
        let pairs = words.windows(2).filter(|pair| pair[1] == "T");
        pairs.filter_map(|pair| pair[0].parse().ok()).collect()
    };
    let presets = [
        AgentProfile::ground("a", TILE),
        AgentProfile::air("a", TILE),
    ];
    for (column, agent) in (2..).zip(&presets) {
        assert_eq!(shares("run_speed", column), [agent.run_speed / TILE]);
        let acceleration = agent.air_acceleration.unwrap();
        assert_eq!(shares("air_acceleration", column), [acceleration / TILE]);
        assert_eq!(shares("body", column)[0], agent.body[0] / TILE);
    }
    let ground = &presets[0];
    for (key, numbers) in [
        (
            "acceleration",
            vec![ground.acceleration, ground.deceleration],
        ),
        ("jump_height", vec![ground.jump_height]),
        ("max_jump", vec![ground.max_jump[0]]),
        ("max_drop", vec![ground.max_drop[1]]),
    ] {
        let expected: Vec<f32> = numbers.iter().map(|number| number / TILE).collect();
        assert_eq!(shares(key, 2), expected, "{key}");
    }
}
