//! What differs between systems: capitals and reserved names of files, ends of
//! lines, long paths.

use crate::sandbox;

use sandbox::{Sandbox, level};

const CONFIG: &str = "# a comment\n[[agent]]\nname = \"imp\"\nbody = [12, 28]\n";

/// Files that Windows has checked out are read like any others.
#[test]
fn ends_of_lines_do_not_matter() {
    let bake = |end: &str| {
        let sandbox = Sandbox::new();
        let text = |text: &str| text.replace('\n', end);
        sandbox.write("a.tmx", &text(&level(&[])));
        sandbox.write("out/b.tmx", &text(&level(&[])));
        sandbox.configure(&text(CONFIG));
        sandbox.write(".navbakeignore", &text("# a comment\nout\n"));
        sandbox.fine("bake .");
        assert!(!sandbox.path("out/b.navmesh").exists(), "{end:?}");
        sandbox.bytes("a.navmesh")
    };
    let (unix, windows) = (bake("\n"), bake("\r\n"));
    assert!(unix == windows);
}

/// Errors count lines the same, whatever ends them.
#[test]
fn errors_name_the_line_of_files_from_windows() {
    let sandbox = Sandbox::new();
    sandbox.write("a.tmx", &level(&[]));
    sandbox.configure(&(CONFIG.to_owned() + "bodi = 1\n").replace('\n', "\r\n"));
    sandbox
        .exits(2, "bake a.tmx")
        .says("error: navbake.toml:5:1: ");
}

/// Levels whose baked files are one file where capitals do not count.
#[cfg(target_os = "linux")]
#[test]
fn names_that_differ_in_capitals_are_noted() {
    let sandbox = Sandbox::new();
    for name in ["cave.tmx", "Cave.tmx", "other.tmx"] {
        sandbox.write(name, &level(&[]));
    }
    let run = sandbox.fine("bake . -o out");
    let notes: Vec<_> = run.stderr.matches("the same file as").collect();
    assert_eq!(notes.len(), 1, "{}", run.stderr);
    assert!(sandbox.path("out/cave.navmesh").exists() && sandbox.path("out/Cave.navmesh").exists());
}

#[cfg(unix)]
#[test]
fn names_of_devices_are_noted() {
    let sandbox = Sandbox::new();
    sandbox.write("aux.tmx", &level(&[]));
    sandbox.write("auxiliary.tmx", &level(&[]));
    let run = sandbox.fine("bake aux.tmx auxiliary.tmx");
    let notes = run.stderr.matches("reserves this name").count();
    assert_eq!(notes, 1, "{}", run.stderr);
}

/// Far more than the 260 characters of old versions of Windows.
#[cfg(unix)]
#[test]
fn long_paths_are_baked() {
    let sandbox = Sandbox::new();
    let folder = ["levels of the northern caves"; 40].join("/");
    let path = format!("{folder}/a.tmx");
    sandbox.write(&path, &level(&[]));
    sandbox.fine(&["bake", &path]);
    let baked = format!("{folder}/a.navmesh");
    sandbox.fine(&["inspect", &baked]);
    sandbox.fine("bake --check .");
}
