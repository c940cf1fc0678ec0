//! The pages of the documentation agree with the repository.

use std::path::{Path, PathBuf};

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
