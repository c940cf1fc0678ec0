//! No command overwrites a file that it reads, or that its baked file was made
//! from, and no output replaces a device or a pipe.

use crate::common;
use crate::sandbox;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use common::fixtures::fixtures;
use sandbox::{Arguments, Run, Sandbox, level, level_with_tileset, tileset};

const CONFIG: &str = "[[agent]]\nname = \"ground\"\n";

/// A level with a tileset and a configuration, a bitmap, and their baked files.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("a.tmx", &level_with_tileset(&[]));
    sandbox.write("tiles.tsx", &tileset("rock"));
    sandbox.configure(CONFIG);
    sandbox.write("own.toml", CONFIG);
    sandbox.write("Cargo.toml", "[package]\nname = \"game\"\n");
    let world = r#"{"maps": [{"fileName": "a.tmx"}]}"#;
    sandbox.write("all.world", world);
    sandbox.fixture("organic.png");
    sandbox.fixture("mine.ldtk");
    // A level that shows a picture.
    sandbox.fixture("ledges.tmx");
    sandbox.fixture("tiles.png");
    let shown = sandbox.text("ledges.tmx");
    assert!(shown.contains("tiles.tsx"));
    let image = fs::read_to_string(fixtures().join("tiles.tsx")).unwrap();
    sandbox.write("pictured.tsx", &image);
    sandbox.write("ledges.tmx", &shown.replace("tiles.tsx", "pictured.tsx"));
    sandbox.fine("bake a.tmx organic.png mine.ldtk -o .");
    sandbox
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read(&path).unwrap())
        })
        .collect()
}

/// Runs a command that must be refused, and must not change any file.
fn refused<A: Arguments + ?Sized>(sandbox: &Sandbox, args: &A) -> Run {
    let before = files(&sandbox.path(""));
    let run = sandbox.exits(2, args);
    let after = files(&sandbox.path(""));
    let changed: Vec<_> = (before.iter())
        .filter(|(name, bytes)| after.get(*name) != Some(*bytes))
        .map(|(name, _)| name)
        .collect();
    assert!(changed.is_empty(), "{:?} changed {changed:?}", args.list());
    run.says("help: ");
    run
}

#[test]
fn pictures_and_pages_lie_beside_the_baked_file() {
    let sandbox = sandbox();
    for (args, output) in [
        ("render organic.navmesh", "organic.navmesh.png"),
        ("view a.navmesh", "a.navmesh.html"),
        ("view organic.png", "organic.navmesh.html"),
    ] {
        let before = files(&sandbox.path(""));
        sandbox.fine(args);
        let mut after = files(&sandbox.path(""));
        assert!(after.remove(output).is_some(), "{:?}", sandbox.names());
        assert_eq!(after, before, "{args:?}");
    }
}

#[test]
fn no_command_overwrites_an_input() {
    let sandbox = sandbox();
    let trip = ["--agent", "ground", "--from", "24,160", "--to", "40,160"];
    let commands: &[(&[&str], &str)] = &[
        (&["bake", "a.tmx"], "-o"),
        (&["bake", "a.tmx", "-o", "b.navmesh"], "--depfile"),
        (&["render", "a.navmesh"], "-o"),
        (&["view", "a.navmesh"], "-o"),
        (&["view", "mine.Mine.navmesh", "a.navmesh"], "-o"),
        (
            &[
                "simulate",
                "a.navmesh",
                trip[0],
                trip[1],
                trip[2],
                trip[3],
                trip[4],
                trip[5],
            ],
            "-o",
        ),
        (&["diff", "a.navmesh", "a.navmesh"], "--image"),
        (&["render", "a.tmx"], "-o"),
        (&["view", "organic.navmesh", "a.tmx"], "-o"),
        (&["diff", "a.navmesh", "a.tmx"], "--image"),
    ];
    for (command, option) in commands {
        for output in ["a.tmx", "./a.tmx", "A.TMX", "tiles.tsx", "navbake.toml"] {
            let run = refused(&sandbox, &[*command, &[option, output]].concat());
            run.says(output);
        }
        if command[0] != "bake" {
            refused(&sandbox, &[*command, &[option, "a.navmesh"]].concat());
        }
    }
    for args in [
        "bake a.tmx --config own.toml -o own.toml",
        "bake all.world -o . --depfile all.world",
        "bake all.world -o . --depfile a.navmesh",
        "bake mine.ldtk#Mine -o mine.ldtk",
        "render a.tmx --config own.toml -o own.toml",
        "view a.tmx --config own.toml -o OWN.toml",
        "render organic.png -o organic.png",
        "render organic.navmesh -o organic.png",
        "render mine.Mine.navmesh -o mine.ldtk",
        "init a.tmx -o a.tmx --force",
        "init a.tmx -o tiles.tsx --force",
        "init a.tmx -o a.navmesh --force",
        "init . -o a.tmx --force",
        "init all.world -o a.tmx --force",
        "init a.tmx -o Cargo.toml --force",
        "render ledges.tmx -o tiles.png",
        "view ledges.tmx -o tiles.png",
        "diff ledges.tmx a.tmx --image tiles.png",
        "bake ledges.tmx -o c.navmesh --depfile tiles.png",
    ] {
        refused(&sandbox, args);
    }
    // The baked file lies elsewhere: its level is recognized beside the output.
    fs::create_dir(sandbox.path("build")).unwrap();
    fs::rename(sandbox.path("a.navmesh"), sandbox.path("build/a.navmesh")).unwrap();
    for output in ["a.tmx", "tiles.tsx", "navbake.toml"] {
        refused(&sandbox, &["render", "build/a.navmesh", "-o", output]);
    }
    // An input with the marks of the output: a picture that navbake drew.
    sandbox.fine("render organic.navmesh -o drawn.png");
    refused(&sandbox, "render drawn.png -o drawn.png").says("would replace an input");
    // A file that is not a baked one, and no input of this run.
    refused(&sandbox, "bake a.tmx -o organic.png");
}

#[cfg(unix)]
#[test]
fn links_lead_to_the_same_file() {
    let sandbox = sandbox();
    let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, sandbox.path(name)).unwrap();
    link("a.tmx", "link.navmesh");
    link("organic.png", "shot.png");
    link(".", "here");
    fs::hard_link(sandbox.path("a.tmx"), sandbox.path("hard.navmesh")).unwrap();
    for args in [
        "bake a.tmx -o link.navmesh",
        "bake a.tmx -o hard.navmesh",
        "bake a.tmx -o here/here/tiles.tsx",
        "render organic.navmesh -o shot.png",
        "view a.navmesh -o here/a.tmx",
    ] {
        refused(&sandbox, args);
    }
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_not_replaced() {
    use std::os::unix::fs::FileTypeExt as _;
    let sandbox = sandbox();
    let made = sandbox.tool("mkfifo").arg("pipe").status().unwrap();
    assert!(made.success());
    for args in [
        "bake a.tmx -o pipe",
        "bake a.tmx -o b.navmesh --depfile pipe",
        "render a.navmesh -o pipe",
        "view a.navmesh -o pipe",
        "diff a.navmesh a.navmesh --image pipe",
        "init a.tmx -o pipe --force",
    ] {
        sandbox.exits(2, args).says("not a regular file");
        let kind = fs::symlink_metadata(sandbox.path("pipe"))
            .unwrap()
            .file_type();
        assert!(kind.is_fifo(), "{args:?}");
    }
    // A copy of /dev/null, as far as a test without rights can have one.
    sandbox.exits(2, "bake a.tmx -o /dev/null");
    let kind = fs::metadata("/dev/null").unwrap().file_type();
    assert!(kind.is_char_device());

    // `-` is the way to a stream.
    let run = sandbox.fine("bake a.tmx -o b.navmesh --depfile -");
    assert!(run.stdout.starts_with("b.navmesh: "), "{}", run.stdout);
    sandbox.exits(2, "bake a.tmx -o - --depfile -");
}

#[cfg(unix)]
#[test]
fn a_configuration_from_a_pipe_is_read_once() {
    let sandbox = sandbox();
    let config = b"[[agent]]\nname = \"imp\"\n";
    for stdin in ["/dev/stdin", "-"] {
        let args = ["bake", "a.tmx", "-o", "-", "--config", stdin];
        let run = sandbox.run_with(&args, config);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let reported = sandbox.run_with("inspect -", &run.bytes).stdout;
        assert!(reported.contains("agent imp"), "{reported}");
    }
    // Whichever of the two it is, the other would be empty or not understood.
    let level = sandbox.bytes("a.tmx");
    for command in [
        "bake -",
        "lint -",
        "inspect -",
        "dump -",
        "render -",
        "view -",
        "diff - a.tmx",
        "path - --agent imp --from 1,1 --to 2,2",
        "explain - --agent imp --from 1,1 --to 2,2",
        "simulate - --agent imp --from 1,1 --to 2,2",
    ] {
        for stdin in [config, &level[..]] {
            let run = sandbox.run_with(format!("{command} --config -").as_str(), stdin);
            assert_eq!(run.code, 2, "{command}: {}", run.stderr);
            run.says("only once");
        }
    }
}

/// A file that is too large for a baked one is not read, wherever a command
/// looks at files.
#[test]
fn an_output_of_gigabytes_is_not_read() {
    let sandbox = sandbox();
    let path = sandbox.path("huge.navmesh");
    // Without blocks: it takes no space.
    let huge = fs::File::create(&path).unwrap();
    huge.set_len(2 << 30).unwrap();
    for args in [
        "bake a.tmx -o huge.navmesh",
        "inspect huge.navmesh",
        "diff a.navmesh huge.navmesh",
    ] {
        sandbox.exits(2, args).says("file too large");
    }
    assert_eq!(fs::metadata(path).unwrap().len(), 2 << 30);
}

/// Nothing is left of an output that does not fit on the disk, and what was
/// there before stays. A limit of the size of files stands for a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_no_half_written_file() {
    let sandbox = sandbox();
    sandbox.write("old.png", "old");
    let before = sandbox.names();
    for args in [
        "render a.navmesh -o new.png",
        "render a.navmesh -o old.png",
        "view a.navmesh -o new.html",
        "init a.tmx -o new.toml",
        "bake a.tmx -o new.navmesh",
    ] {
        let limited = sandbox
            .tool("sh")
            .args(["-c", "trap '' XFSZ; ulimit -f 0; exec navbake \"$@\"", "sh"])
            .args(args.split(' '))
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&limited.stderr);
        assert_eq!(limited.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(stderr.contains("error:"), "{stderr}");
        assert_eq!(sandbox.names(), before, "{args:?}");
    }
    assert_eq!(sandbox.bytes("old.png"), b"old");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_stderr_stops_nothing() {
    let sandbox = sandbox();
    sandbox.write("b.tmx", "<map");
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let status = sandbox
        .command("bake b.tmx a.tmx -o out -v")
        .stderr(full)
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(2), "b.tmx cannot be read");
    assert!(sandbox.path("out/a.navmesh").is_file());
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    for args in ["--help", "bake --help", "--version"] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = sandbox().command(args).stdout(full).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(
            stderr.starts_with("error: cannot write to stdout"),
            "{stderr}"
        );
    }
    let usage = sandbox().run("bake");
    assert!(
        usage.code == 2 && usage.stderr.starts_with("error:"),
        "{}",
        usage.stderr
    );
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_unicode_are_refused() {
    use std::os::unix::ffi::OsStrExt as _;
    let sandbox = sandbox();
    let name = std::ffi::OsStr::from_bytes(b"bad\xff.tmx");
    fs::copy(sandbox.path("a.tmx"), sandbox.path("").join(name)).unwrap();
    let output = sandbox.command("bake").arg(name).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(
        stderr.contains("is not Unicode") && stderr.contains("help: rename it"),
        "{stderr}"
    );
}

/// Outputs replace files of their kind only: a slip of the keyboard must not cost a
/// level or notes that the command does not read.
#[test]
fn files_of_another_kind_are_not_replaced() {
    let sandbox = Sandbox::new();
    sandbox.write("a.tmx", &level(&[]));
    sandbox.fine("bake a.tmx");
    sandbox.write("other.tmx", &level(&[(2, 8)]));
    sandbox.write("notes.txt", "jump height: 4\n");
    sandbox.write("Makefile", "game: FORCE\n\tcc game.c\n\nFORCE:\n");
    // Files of the same format, by other programs.
    for (name, bytes) in [
        (
            "own.png",
            &fs::read(fixtures().join("tiles.png")).unwrap()[..],
        ),
        ("own.gif", b"GIF89a\x01\0\x01\0\0\0\0;"),
        ("own.html", b"<!doctype html>\n<p>Notes</p>\n"),
    ] {
        fs::write(sandbox.path(name), bytes).unwrap();
    }
    for file in [
        "other.tmx",
        "notes.txt",
        "Makefile",
        "own.png",
        "own.gif",
        "own.html",
    ] {
        let before = sandbox.bytes(file);
        for (command, kind) in [
            ("view a.navmesh -o", "an HTML page by navbake"),
            ("render a.navmesh -o", "a PNG picture by navbake"),
            (
                "diff a.navmesh a.navmesh --image",
                "a PNG picture by navbake",
            ),
            (
                "simulate a.navmesh --agent ground --from 24,160 --to 120,160 -o",
                "a GIF picture by navbake",
            ),
            ("bake a.tmx -o b.navmesh --depfile", "a depfile"),
        ] {
            let run = sandbox.exits(2, &format!("{command} {file}"));
            run.says(&format!(
                "{file}: this is not {kind}, so it is not replaced"
            ));
            assert!(sandbox.bytes(file) == before, "{command}");
        }
    }
    // By the extension of its name, a new file would be an input of the next run.
    for new in ["new.png", "new.tmx", "new.toml"] {
        sandbox
            .exits(2, &format!("bake a.tmx -o {new}"))
            .says("end the name with .navmesh");
    }
    sandbox.write("man/navbake.1", "my own page\n");
    sandbox
        .exits(2, "man -o man")
        .says("this is not a manual page");
    assert_eq!(sandbox.text("man/navbake.1"), "my own page\n");
    for (command, file) in [
        ("view a.navmesh -o page.html", "page.html"),
        ("render a.navmesh -o a.png", "a.png"),
        (
            "simulate a.navmesh --agent ground --from 24,160 --to 120,160 -o a.gif",
            "a.gif",
        ),
        ("bake a.tmx -o b.navmesh --depfile b.d", "b.d"),
        ("man -o pages", "pages/navbake.1"),
    ] {
        sandbox.write(file, "");
        for _ in 0..2 {
            sandbox.fine(command);
        }
    }
}

/// A link may have the name of a baked file and lead to something else.
#[cfg(unix)]
#[test]
fn links_named_as_baked_files_protect_what_they_lead_to() {
    let sandbox = sandbox();
    let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, sandbox.path(name)).unwrap();
    sandbox.write("notes.md", "jump height: 4\n");
    link("notes.md", "ledges.navmesh");
    link("ledges.tmx", "level.navmesh");
    for args in ["bake ledges.tmx", "bake a.tmx -o level.navmesh"] {
        refused(&sandbox, args);
    }
    // A link to a baked file is no reason to refuse, whatever that file is called.
    sandbox.fine("bake a.tmx -o store.navmesh");
    fs::rename(sandbox.path("store.navmesh"), sandbox.path("5f3a")).unwrap();
    link("5f3a", "stored.navmesh");
    sandbox.fine("bake a.tmx --force -o stored.navmesh");
}

#[test]
fn a_file_is_written_once_and_leaves_nothing_else() {
    let sandbox = Sandbox::new();
    sandbox.write("a.tmx", &level(&[]));
    let modified = || {
        let file = fs::metadata(sandbox.path("a.tmx.png")).unwrap();
        file.modified().unwrap()
    };
    sandbox.fine("render a.tmx -o a.tmx.png");
    let (before, picture) = (modified(), sandbox.bytes("a.tmx.png"));
    sandbox.fine("render a.tmx -o a.tmx.png");
    assert_eq!(modified(), before);
    sandbox.write("a.tmx", &level(&[(3, 5)]));
    sandbox.fine("render a.tmx -o a.tmx.png");
    assert_ne!(sandbox.bytes("a.tmx.png"), picture);
    // The longest name that there can be, in bytes and in characters.
    for longest in ["a".repeat(251), "\u{fc}".repeat(125)] {
        let longest = longest + ".png";
        sandbox.fine(&["render", "a.tmx", "-o", &longest]);
        fs::remove_file(sandbox.path(&longest)).unwrap();
    }
    // A folder in the way, and one that is missing.
    fs::create_dir_all(sandbox.path("folder/inner")).unwrap();
    for output in ["folder", "none/a.png"] {
        sandbox.exits(2, &["render", "a.tmx", "-o", output]);
    }
    assert_eq!(sandbox.names(), ["a.tmx", "a.tmx.png", "folder"]);
}

#[test]
fn only_abandoned_temporary_files_are_removed() {
    let sandbox = Sandbox::new();
    sandbox.write("a.tmx", &level(&[]));
    let others = [
        ".a.navmesh.tmp",
        ".navmesh-tmp",
        "a.navmesh.12-0.navmesh-tmp",
    ];
    // The first name is that of earlier versions.
    let left_over = [".b.c.navmesh.7-31.navmesh-tmp", ".kQ3x9Z.navmesh-tmp"];
    let busy = ".b0R7mn.navmesh-tmp";
    for name in others.iter().chain(&left_over) {
        sandbox.write(name, "left over");
    }
    let writer = fs::File::create(sandbox.path(busy)).unwrap();
    writer.lock().unwrap();
    sandbox.fine("bake a.tmx");
    let is_there = |name: &&str| sandbox.path(name).exists();
    assert!(!left_over.iter().any(&is_there));
    assert!(others.iter().all(&is_there) && is_there(&busy));
    drop(writer);
    sandbox.fine("bake a.tmx");
    assert!(!is_there(&busy));
    assert!(others.iter().all(is_there));
}
