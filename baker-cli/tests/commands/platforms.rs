//! What differs between systems: capitals and reserved names of files, ends of
//! lines, long paths.

use crate::sandbox;

use sandbox::{Sandbox, level, level_with_tileset, tileset};

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

#[cfg(unix)]
#[test]
fn baked_files_are_named_after_their_levels() {
    let sandbox = Sandbox::new();
    for (name, baked) in [
        ("a/b.c.tmx", "a/b.c.navmesh"),
        ("a#b.tmx", "a#b.navmesh"),
        ("stdin.tmx", "stdin.navmesh"),
    ] {
        sandbox.write(name, &level(&[]));
        let line = sandbox.fine(&["bake", "--json", name]).json();
        assert_eq!(line["output"], baked);
    }
    sandbox.fixture_at("mine.ldtk", "a/w.ldtk");
    let lines = sandbox.fine("bake --json a/w.ldtk").json_lines();
    let outputs = lines.iter().map(|line| &line["output"]);
    assert!(outputs.eq(["a/w.Mine.navmesh", "a/w.Shaft.navmesh"]));
}

/// Spaces and `#` are escaped, `$` is doubled, and a colon is escaped where it is not that of
/// a drive.
#[cfg(unix)]
#[test]
fn depfiles_escape_names_and_have_a_rule_for_every_input() {
    let sandbox = Sandbox::new();
    for name in ["lev els/a#1.tmx", "c.tmx", "a:b$x.tmx"] {
        sandbox.write(name, &level_with_tileset(&[]));
    }
    for name in ["lev els/tiles.tsx", "tiles.tsx"] {
        sandbox.write(name, &tileset("rock"));
    }
    let run = sandbox.fine(&[
        "bake",
        "./lev els/a#1.tmx",
        "c.tmx",
        "a:b$x.tmx",
        "-o",
        "o ut",
        "--depfile",
        "-",
    ]);
    let expected = "o\\ ut/a\\#1.navmesh: \\\n  lev\\ els/a\\#1.tmx \\\n  lev\\ els/tiles.tsx\n\
                    o\\ ut/c.navmesh: \\\n  c.tmx \\\n  tiles.tsx\n\
                    o\\ ut/a\\:b$$x.navmesh: \\\n  a\\:b$$x.tmx \\\n  tiles.tsx\n\
                    \na\\:b$$x.tmx:\n\nc.tmx:\n\nlev\\ els/a\\#1.tmx:\n\nlev\\ els/tiles.tsx:\n\
                    \ntiles.tsx:\n";
    assert_eq!(run.stdout, expected);
    for name in [
        "a\nb", "a=b", "a%b", "a;b", "a|b", "a*b", "a\tb", "a<b", "a>b", "a^b", "a`b",
    ] {
        let name = format!("{name}.tmx");
        sandbox.write(&name, &level(&[]));
        let args = ["bake", &name, "-o", "b.navmesh", "--depfile", "-"];
        sandbox.exits(2, &args).says("--depfile cannot list");
    }
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
