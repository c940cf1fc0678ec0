//! Runs the recipes of docs/pipelines.md: make, ninja, just, a `build.rs`, the
//! shell lines of GitHub Actions, and the command of the Bazel rule.
#![cfg(unix)]

use crate::sandbox;

use std::fs;
use std::process::Output;
use std::time::Duration;

use sandbox::{Sandbox, installed, level_with_tileset, tileset};

const PAGE: &str = include_str!("../../../docs/pipelines.md");

/// The first code block in a language below a heading of the page.
fn recipe(heading: &str, language: &str) -> &'static str {
    let (_, section) = PAGE.split_once(heading).unwrap();
    let (_, block) = section.split_once(&format!("```{language}\n")).unwrap();
    block.split_once("```\n").unwrap().0
}

/// Two levels that share a tileset.
fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("levels/first.tmx", &level_with_tileset(&[]));
    sandbox.write("levels/second.tmx", &level_with_tileset(&[(4, 4)]));
    sandbox.write("levels/tiles.tsx", &tileset("rock"));
    sandbox.configure("[[agent]]\nname = \"imp\"\n");
    sandbox
}

/// Writes a file so that its time is later than that of the baked files.
fn edit(sandbox: &Sandbox, name: &str, text: &str) {
    std::thread::sleep(Duration::from_millis(25));
    sandbox.write(name, text);
}

fn output_of(output: &Output) -> String {
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(output.status.success(), "{text}");
    text
}

/// The levels that a build tool ran `navbake` for.
fn baked_levels(text: &str) -> Vec<&'static str> {
    ["first", "second"]
        .into_iter()
        .filter(|name| text.contains(&format!("build/{name}.navmesh: ")))
        .collect()
}

/// Checks which levels are baked after edits of a level, a tileset and the
/// configuration, and after the tileset is removed.
fn bakes_exactly_when_needed(sandbox: &Sandbox, run: impl Fn() -> String) {
    assert_eq!(baked_levels(&run()), ["first", "second"]);
    assert_eq!(baked_levels(&run()), [""; 0], "nothing was edited");
    edit(sandbox, "levels/first.tmx", &level_with_tileset(&[(5, 4)]));
    assert_eq!(baked_levels(&run()), ["first"]);
    assert_eq!(baked_levels(&run()), [""; 0]);
    edit(sandbox, "levels/tiles.tsx", &tileset("stone"));
    assert_eq!(baked_levels(&run()), ["first", "second"]);
    assert_eq!(baked_levels(&run()), [""; 0]);
    edit(sandbox, "navbake.toml", "[[agent]]\nname = \"ogre\"\n");
    assert_eq!(baked_levels(&run()), ["first", "second"]);
    assert_eq!(baked_levels(&run()), [""; 0]);
    // A level that is saved without a change is checked once, and not written.
    edit(sandbox, "levels/second.tmx", &level_with_tileset(&[(4, 4)]));
    assert!(run().contains("build/second.navmesh: unchanged"));
    assert_eq!(baked_levels(&run()), [""; 0]);
    // The levels no longer use the tileset, and it is removed.
    for name in ["first", "second"] {
        edit(sandbox, &format!("levels/{name}.tmx"), &sandbox::level(&[]));
    }
    fs::remove_file(sandbox.path("levels/tiles.tsx")).unwrap();
    assert_eq!(baked_levels(&run()), ["first", "second"]);
    assert_eq!(baked_levels(&run()), [""; 0]);
    sandbox.fine("bake levels -o build --check");
}

#[test]
fn make_bakes_exactly_when_needed() {
    if !installed("make") {
        return;
    }
    let sandbox = project();
    sandbox.write("Makefile", recipe("## make", "make"));
    bakes_exactly_when_needed(&sandbox, || {
        output_of(&sandbox.tool("make").output().unwrap())
    });
}

#[test]
fn ninja_bakes_exactly_when_needed() {
    if !installed("ninja") {
        return;
    }
    let sandbox = project();
    sandbox.write("build.ninja", recipe("## ninja", "ninja"));
    bakes_exactly_when_needed(&sandbox, || {
        output_of(&sandbox.tool("ninja").arg("-v").output().unwrap())
    });
}

/// File names with spaces, `#` and `$`, read by make and ninja.
#[test]
fn make_and_ninja_read_special_characters_in_depfiles() {
    let sandbox = Sandbox::new();
    sandbox.write("le vels/a #1 $b.tmx", &level_with_tileset(&[]));
    sandbox.write("le vels/tiles.tsx", &tileset("rock"));
    let bake = "navbake bake 'le vels/a #1 $b.tmx' -o out.navmesh --depfile out.d";
    if installed("make") {
        let rule = bake.replace('$', "$$");
        sandbox.write(
            "Makefile",
            &format!("out.navmesh:\n\t{rule}\n\t@touch $@\n-include out.d\n"),
        );
        let make = || output_of(&sandbox.tool("make").output().unwrap());
        assert!(make().contains("out.navmesh: written"));
        assert!(make().contains("up to date"));
        edit(
            &sandbox,
            "le vels/a #1 $b.tmx",
            &level_with_tileset(&[(3, 4)]),
        );
        assert!(make().contains("out.navmesh: written"));
        edit(&sandbox, "le vels/tiles.tsx", &tileset("stone"));
        assert!(make().contains("out.navmesh: unchanged"));
        assert!(make().contains("up to date"));
        fs::remove_file(sandbox.path("out.navmesh")).unwrap();
    }
    if installed("ninja") {
        let rule = bake.replace('$', "$$");
        sandbox.write(
            "build.ninja",
            &format!("rule b\n  command = {rule}\n  depfile = out.d\n  deps = gcc\n  restat = 1\nbuild out.navmesh: b\n"),
        );
        let ninja = || output_of(&sandbox.tool("ninja").output().unwrap());
        assert!(ninja().contains("out.navmesh: written"));
        assert!(ninja().contains("no work to do"));
        edit(
            &sandbox,
            "le vels/a #1 $b.tmx",
            &level_with_tileset(&[(6, 4)]),
        );
        assert!(ninja().contains("out.navmesh: written"));
        edit(&sandbox, "le vels/tiles.tsx", &tileset("rock"));
        assert!(ninja().contains("out.navmesh: unchanged"));
        assert!(ninja().contains("no work to do"));
    }
}

#[test]
fn the_just_recipes_run() {
    if !installed("just") {
        return;
    }
    let sandbox = project();
    sandbox.write("justfile", recipe("## just", "just"));
    output_of(&sandbox.tool("just").arg("bake").output().unwrap());
    output_of(&sandbox.tool("just").arg("check").output().unwrap());
}

#[test]
fn the_build_script_bakes_when_a_level_changes() {
    let sandbox = project();
    sandbox.write("build.rs", recipe("## A Cargo `build.rs`", "rust"));
    sandbox.write(
        "Cargo.toml",
        "[package]\nname = \"game\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n[profile.dev]\ndebug = false\n",
    );
    sandbox.write(
        "src/main.rs",
        "fn main() {\n    let bytes = include_bytes!(concat!(env!(\"OUT_DIR\"), \"/first.navmesh\"));\n    println!(\"{}\", bytes.len());\n}\n",
    );
    let run = || {
        let mut cargo = sandbox.tool(env!("CARGO"));
        // The settings of this test's build must not reach the game's build.
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("CARGO") && name != "CARGO_HOME" {
                cargo.env_remove(name);
            }
        }
        cargo.env_remove("RUSTFLAGS");
        cargo.args(["run", "--offline", "--target-dir", "target", "-v"]);
        let output = cargo.output().unwrap();
        let text = output_of(&output);
        let bytes: usize = String::from_utf8_lossy(&output.stdout)
            .trim()
            .parse()
            .unwrap();
        (bytes, text.contains("Fresh game"))
    };
    let baked = |sandbox: &Sandbox| {
        sandbox.fine("bake levels/first.tmx -o want.navmesh");
        sandbox.bytes("want.navmesh").len()
    };
    assert_eq!(run(), (baked(&sandbox), false));
    assert_eq!(run(), (baked(&sandbox), true), "nothing was edited");
    // The new file is larger, so that the game prints another size.
    sandbox.configure("[[agent]]\nname = \"a grunt with a long name\"\n");
    let (bytes, fresh) = run();
    assert_eq!((bytes, fresh), (baked(&sandbox), false));
    assert!(run().1);
}

#[test]
fn the_commands_of_the_github_workflow_run() {
    let sandbox = project();
    let workflow = recipe("## GitHub Actions", "yaml");
    let lines: Vec<_> = (workflow.lines())
        .filter_map(|line| line.trim().strip_prefix("- run: "))
        .filter(|line| line.starts_with("navbake "))
        .collect();
    assert_eq!(lines.len(), 1);
    output_of(&sandbox.tool("sh").args(["-ec", lines[0]]).output().unwrap());
    sandbox.fine("bake levels -o build/nav --check");
}

#[test]
fn the_command_of_the_bazel_rule_runs_without_an_environment() {
    let sandbox = project();
    let rule = recipe("## Bazel", "python");
    let (_, command) = rule.split_once("cmd = \"").unwrap();
    let (command, _) = command.split_once("\",\n").unwrap();
    // Bazel replaces these by paths below the root of its sandbox.
    let mut line = command.replace("$@", "bin/first.navmesh");
    while let Some((before, rest)) = line.split_once("$(execpath ") {
        let (label, after) = rest.split_once(')').unwrap();
        let path = label.replace("//tools:navbake", env!("CARGO_BIN_EXE_navbake"));
        line = format!("{before}{path}{after}");
    }
    let mut shell = sandbox.tool("/bin/sh");
    shell.env_clear().args(["-ec", &line]);
    output_of(&shell.output().unwrap());
    sandbox.fine("bake levels/first.tmx -o bin/first.navmesh --check");
}

#[test]
fn the_shell_commands_run() {
    for heading in [
        "# navbake in build pipelines",
        "If the baked files are committed",
        "## Anything else",
    ] {
        let sandbox = project();
        sandbox.write("build/keep", "");
        if heading.starts_with("If") {
            // Lint then finds nothing.
            let lint = "[lint]\noff = [\"unreachable-platform\"]\n";
            sandbox.configure(&format!("[[agent]]\nname = \"imp\"\n{lint}"));
            sandbox.fine("bake levels");
        }
        let line = recipe(heading, "sh");
        output_of(&sandbox.tool("sh").args(["-ec", line]).output().unwrap());
    }
}
