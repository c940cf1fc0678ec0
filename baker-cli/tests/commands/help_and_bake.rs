//! The commands on one level: output, files, exit status, help.

use crate::sandbox;

use std::fs;

use sandbox::{Sandbox, level};

/// A folder with a level `tiny.tmx` and its baked file.
fn baked() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("tiny.tmx", &level(&[]));
    sandbox.fine("bake tiny.tmx");
    sandbox
}

// One file, which is not touched when nothing changed.
#[test]
fn bake_writes_a_file_once_and_prints_its_figures() {
    let sandbox = Sandbox::new();
    sandbox.write("tiny.tmx", &level(&[]));
    let first = sandbox.fine("bake tiny.tmx");
    assert_eq!(first.stdout, "");
    first
        .says("tiny.navmesh: written")
        .says("`ground` and `air`");

    let stamp = || {
        fs::metadata(sandbox.path("tiny.navmesh"))
            .unwrap()
            .modified()
            .unwrap()
    };
    let before = stamp();
    let second = sandbox.run("bake tiny.tmx --threads 1");
    second.says("tiny.navmesh: unchanged");
    assert_eq!(stamp(), before);
    let names = sandbox.names();
    assert_eq!(
        names,
        ["tiny.navmesh", "tiny.tmx"],
        "no temporary file is left"
    );
}

#[test]
fn check_writes_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("tiny.tmx", &level(&[]));
    let missing = sandbox.exits(1, "bake --check tiny.tmx");
    missing.says("tiny.navmesh: stale");
    assert_eq!(sandbox.names(), ["tiny.tmx"]);

    sandbox.fine("bake tiny.tmx");
    let baked = sandbox.bytes("tiny.navmesh");
    sandbox.fine("bake --check tiny.tmx");

    sandbox.write("tiny.tmx", &level(&[(3, 4)]));
    sandbox.exits(1, "bake --check tiny.tmx");
    assert_eq!(sandbox.bytes("tiny.navmesh"), baked);
}

#[test]
fn a_bad_level_does_not_stop_the_others() {
    let sandbox = Sandbox::new();
    sandbox.write("good.tmx", &level(&[]));
    sandbox.write("bad.tmx", "<map");
    let run = sandbox.exits(2, "bake bad.tmx none.tmx good.tmx -o out --json");
    let lines = run.json_lines();
    let status: Vec<_> = lines
        .iter()
        .map(|l| l["status"].as_str().unwrap())
        .collect();
    assert_eq!(status, ["error", "error", "written"]);
    assert!(lines[0]["error"].as_str().unwrap().contains("bad.tmx"));
    let good = &lines[2];
    assert_eq!(good["agents"][0]["name"], "ground");
    assert!(good["agents"][0]["edges"]["floor"].as_u64().unwrap() > 0);
    let bytes = fs::metadata(sandbox.path("out/good.navmesh"))
        .unwrap()
        .len();
    assert_eq!(good["bytes"].as_u64(), Some(bytes));
    assert!(run.stderr.contains("error:") && run.stderr.contains("none.tmx"));
}

#[test]
fn invalid_outputs_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("a.tmx", &level(&[]));
    fs::create_dir(sandbox.path("b")).unwrap();
    sandbox.write("b/a.tmx", &level(&[]));
    for (args, message) in [
        ("bake a.tmx b/a.tmx -o a.tmx", "not a folder"),
        ("bake a.tmx b/a.tmx -o out", "two levels"),
        ("bake a.tmx b/a.tmx -o -", "only one level"),
        ("bake a.tmx -o a.tmx", "would replace an input"),
        ("bake a.navmesh", "name the level that it was baked from"),
        ("bake a.tmx -o - --json", "cannot be combined"),
        ("bake", "LEVEL"),
        ("bake a.tmx --threads 0", "--threads"),
        ("frobnicate", "frobnicate"),
    ] {
        sandbox.exits(2, args).says(message);
    }
    assert!(!sandbox.path("a.navmesh").exists());
}

#[test]
fn a_dash_is_stdin_or_stdout() {
    let sandbox = Sandbox::new();
    let tmx = level(&[]);
    let baked = sandbox.run_with("bake -", tmx.as_bytes());
    assert_eq!(baked.code, 0, "{}", baked.stderr);
    let reported = sandbox.run_with("inspect - --json", &baked.bytes);
    assert_eq!(reported.code, 0, "{}", reported.stderr);
    let reported = reported.json();
    assert_eq!(reported["source"], "stdin.tmx");
    let picture = sandbox.run_with("render -", &baked.bytes);
    assert!(picture.bytes.starts_with(b"\x89PNG"), "{}", picture.stderr);
    assert_eq!(sandbox.names(), [""; 0]);
}

#[test]
fn the_configuration_beside_the_level_is_used_and_named() {
    let sandbox = Sandbox::new();
    sandbox.write("tiny.tmx", &level(&[]));
    sandbox.configure("[[agent]]\nname = \"imp\"\nbody = [10, 12]\n");
    let run = sandbox.fine("bake tiny.tmx -v");
    run.says("configuration: navbake.toml");
    run.says("imp: ").says("\"gravity\"");
    assert!(
        run.stderr.contains("\"ground\""),
        "why the layer counted: {}",
        run.stderr
    );

    sandbox.configure("[[agent]]\nname = \"imp\"\nbody = [0, 12]\n");
    let run = sandbox.exits(2, "bake tiny.tmx");
    insta::assert_snapshot!(run.stderr);
    let run = sandbox.exits(2, "bake tiny.tmx --config other.toml");
    run.says("other.toml");

    sandbox.configure("[collision]\nsolid = [\"ground\"]\n");
    let run = sandbox.exits(2, "bake tiny.tmx");
    run.says("navbake.toml:2:").says("layer:NAME");
}

#[test]
fn path_and_render_find_the_same_path() {
    let sandbox = baked();
    let path = "path tiny.navmesh --agent ground --json --from 24,160 --to";
    let found = sandbox.fine(&format!("{path} 296,160 --sample 30")).json();
    assert_eq!(found["outcome"], "found");
    let steps = found["steps"].as_array().unwrap();
    let kinds: Vec<_> = steps.iter().map(|s| s["kind"].as_str().unwrap()).collect();
    // Floor without a stop is one step.
    assert_eq!(kinds, ["floor", "jump", "floor"]);
    let number = |v: &serde_json::Value| v.as_f64().unwrap();
    let sum: f64 = steps.iter().map(|s| number(&s["duration"])).sum();
    assert!((sum - number(&found["cost"])).abs() < 1e-4);
    for pair in steps.windows(2) {
        assert_eq!(pair[0]["to"], pair[1]["from"]);
    }
    let samples = found["samples"].as_array().unwrap();
    assert_eq!(number(&samples[0][0]), 0.0);
    let last = samples.last().unwrap();
    assert_eq!((number(&last[1]), number(&last[2])), (296.0, 160.0));

    sandbox.fine("render tiny.navmesh --path 24,160:296,160");
    let picture = image::open(sandbox.path("tiny.navmesh.png")).unwrap();
    assert!(picture.width() > 400 && picture.height() > 200);

    // The closed room in the corner cannot be entered.
    let none = sandbox.exits(1, &format!("{path} 280,64")).json();
    assert_eq!(none["outcome"], "no_path");

    let who = sandbox.exits(2, "path tiny.navmesh --agent imp --from 0,0 --to 0,0");
    who.says("ground, air");
}

#[test]
fn dump_and_inspect_agree() {
    let sandbox = baked();
    let text = sandbox.run("dump tiny.navmesh").stdout;
    assert!(
        text.starts_with("navmesh 4.0\nsource \"tiny.tmx\"\n"),
        "{text}"
    );
    assert!(
        text.contains("marker \"spawn\" \"player\" at 24,160"),
        "{text}"
    );
    let json = sandbox.run("dump tiny.navmesh --json").stdout;
    let dump: serde_json::Value = serde_json::from_str(&json).unwrap();
    let reported = sandbox.run("inspect tiny.navmesh --json").stdout;
    let reported: serde_json::Value = serde_json::from_str(&reported).unwrap();
    for (i, agent) in dump["agents"].as_array().unwrap().iter().enumerate() {
        assert_eq!(agent["edges"], reported["agents"][i]["edges"]);
        let drops = agent["links"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|l| l["kind"] == "drop");
        assert_eq!(agent["edges"]["drop"], drops.count());
    }
    // The sections are the whole file except for its header.
    let sections = reported["sections"].as_array().unwrap().iter();
    let sum: u64 = sections.map(|s| s["bytes"].as_u64().unwrap()).sum();
    let bytes = reported["bytes"].as_u64().unwrap();
    assert!(sum < bytes && sum * 3 > bytes, "{sum} of {bytes}");
    let text = sandbox.run("inspect tiny.navmesh").stdout;
    assert!(text.contains("agent ground"), "{text}");
}

#[test]
fn errors_about_a_damaged_file_name_it() {
    let sandbox = baked();
    let mut bytes = sandbox.bytes("tiny.navmesh");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(sandbox.path("tiny.navmesh"), bytes).unwrap();
    for command in ["inspect", "dump", "render"] {
        let run = sandbox.exits(2, &[command, "tiny.navmesh"]);
        run.says("tiny.navmesh: ");
        assert_eq!(run.stdout, "");
    }
}

#[test]
fn closing_stdout_is_told_by_the_exit_status_only() {
    let sandbox = baked();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = sandbox.command("dump tiny.navmesh --json");
    let output = command.stdout(writer).output().unwrap();
    assert_eq!(output.status.code(), Some(141));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn every_command_has_a_long_help() {
    let sandbox = Sandbox::new();
    let help = |args: &str| sandbox.fine(args).stdout;
    insta::assert_snapshot!("help", help("--help"));
    insta::assert_snapshot!("help_bake", help("bake --help"));
    for command in ["inspect", "dump", "path", "render"] {
        let text = help(&format!("{command} --help"));
        assert!(
            text.contains("navbake ") && text.lines().count() > 10,
            "{text}"
        );
    }
    assert!(help("--version").starts_with("navbake 0."));
}
