//! `navbake diff`: its formats, exit status and picture.

use crate::sandbox;
use crate::schemas::{schema, valid};

use sandbox::{Sandbox, ledges_with, level};

/// Bakes `ledges.tmx` before and after an edit that breaks it: a wider gap, a
/// removed step, a new shelf and a hole that cannot be left.
fn edited_ledges(sandbox: &Sandbox) {
    sandbox.fixture("ledges.tmx");
    sandbox.fixture("tiles.tsx");
    sandbox.fixture("tiles.png");
    let edits = [
        (7..=8, 17, 0),
        (7..=8, 18, 0),
        (7..=8, 19, 0),
        (4..=6, 14, 0),
        (20..=22, 9, 1),
        (31..=31, 17, 0),
        (31..=31, 18, 0),
    ];
    sandbox.write("edited.tmx", &ledges_with(&edits));
    for (level, output) in [("ledges.tmx", "old.navmesh"), ("edited.tmx", "new.navmesh")] {
        sandbox.fine(&["bake", level, "-o", output]);
    }
}

#[test]
fn every_format_begins_with_the_most_severe_differences() {
    let sandbox = Sandbox::new();
    edited_ledges(&sandbox);
    for format in ["human", "markdown", "github", "json"] {
        let run = sandbox.run(&["diff", "old.navmesh", "new.navmesh", "--format", format]);
        assert_eq!((run.code, run.stderr.as_str()), (1, ""), "{format}");
        if format == "json" {
            let json = run.json();
            assert_eq!(json["version"], 1);
            valid(&schema("diff").1, &json);
        }
        // The page shows some lines of two formats.
        let shown = match format {
            "human" => ("```text\n", "```"),
            "markdown" => ("\n\n> ", "\n\n"),
            _ => ("", ""),
        };
        let page = include_str!("../../../docs/reviewing.md");
        let (_, lines) = page.split_once(shown.0).unwrap();
        let (lines, _) = lines.split_once(shown.1).unwrap();
        for line in lines.lines() {
            let line = line.trim_start_matches(['>', ' ']).trim_end_matches('…');
            assert!(run.stdout.contains(line), "docs/reviewing.md: {line:?}");
        }
        insta::assert_snapshot!(format!("diff_{format}"), run.stdout);
    }
    let [short, long] = ["--json", "--format json"].map(|format| {
        sandbox
            .run(&format!("diff old.navmesh new.navmesh {format}")[..])
            .stdout
    });
    assert_eq!(short, long);
}

#[test]
fn fail_on_fails_only_for_the_named_kinds() {
    let sandbox = Sandbox::new();
    edited_ledges(&sandbox);
    let code = |old: &str, new: &str, fail_on: &str| {
        let old = format!("{old}.navmesh");
        let new = format!("{new}.navmesh");
        sandbox
            .run(&["diff", &old, &new, "--fail-on", fail_on])
            .code
    };
    assert_eq!(code("old", "new", "unreachable"), 1);
    assert_eq!(code("old", "new", "removed-links"), 1);
    assert_eq!(code("old", "new", "traps"), 0);
    assert_eq!(code("old", "new", "traps,any"), 1);
    // The other way round, platforms are gained, and with them their old trap.
    assert_eq!(code("new", "old", "unreachable"), 0);
    assert_eq!(code("new", "old", "traps"), 1);
    assert_eq!(code("new", "new", "any"), 0);
    sandbox.fine("diff new.navmesh new.navmesh");
    for (args, message) in [
        ("diff old.navmesh none.navmesh", "none.navmesh"),
        ("diff old.navmesh none.tmx", "none.tmx"),
        ("diff - -", "only once"),
        ("diff old.navmesh new.navmesh --agent air", "--image"),
        (
            "diff old.navmesh new.navmesh --image new.navmesh",
            "would replace",
        ),
        (
            "diff old.navmesh new.navmesh --image x.png --agent bob",
            "ground, air",
        ),
        ("diff old.navmesh new.navmesh --fail-on bugs", "bugs"),
    ] {
        sandbox.exits(2, args).says(message);
    }
}

#[test]
fn the_picture_shows_additions_and_removals() {
    let sandbox = Sandbox::new();
    edited_ledges(&sandbox);
    sandbox.exits(1, "diff old.navmesh new.navmesh --image diff.png");
    let picture = image::open(sandbox.path("diff.png")).unwrap().to_rgb8();
    let count = |colour: [u8; 3]| {
        let near = |p: &image::Rgb<u8>| (0..3).all(|i| p.0[i].abs_diff(colour[i]) < 24);
        picture.pixels().filter(|p| near(p)).count()
    };
    let (added, removed, lost) = ([0x35, 0xc9, 0xff], [0xff, 0x8a, 0x3d], [0xff, 0x2f, 0x6d]);
    assert!(count(added) > 1000 && count(removed) > 1000 && count(lost) > 50);
    // A file does not differ from itself.
    let run = sandbox.fine("diff new.navmesh new.navmesh --image -");
    let same = image::load_from_memory(&run.bytes).unwrap().to_rgb8();
    for colour in [added, removed, lost] {
        let exact = same.pixels().filter(|p| p.0 == colour).count();
        assert_eq!(exact, 0, "{colour:?}");
    }
}

#[test]
fn changes_of_agents_markers_and_spawns_are_reported() {
    let sandbox = Sandbox::new();
    let config = |names: &[&str], speed: u32| {
        let agent = |name: &&str| {
            format!("[[agent]]\nname = \"{name}\"\nbody = [10, 12]\nrun_speed = {speed}\n")
        };
        names.iter().map(agent).collect::<String>()
    };
    sandbox.write("a.tmx", &level(&[]));
    sandbox.configure(&config(&["imp", "ogre"], 90));
    sandbox.fine("bake a.tmx");
    let moved = level(&[]).replace("x=\"24\" y=\"160\"", "x=\"184\" y=\"188\"");
    let moved = moved.replace(
        "  <object id=\"1\"",
        "  <object id=\"2\" name=\"chest\" class=\"loot\" x=\"8\" y=\"8\"><point/></object>\n  <object id=\"1\"",
    );
    sandbox.write("b.tmx", &moved);
    sandbox.configure(&config(&["imp", "wisp"], 80));
    sandbox.fine("bake b.tmx");
    let run = sandbox.run("diff a.navmesh b.navmesh --format json");
    let json = run.json();
    assert_eq!(json["agents_removed"][0], "ogre");
    assert_eq!(json["agents_added"][0], "wisp");
    let profile = json["agents"][0]["profile"].as_array().unwrap();
    let speed = profile.iter().find(|c| c["what"] == "run_speed").unwrap();
    assert_eq!((&speed["old"], &speed["new"]), (&"90".into(), &"80".into()));
    assert_eq!(json["markers"]["added"][0]["name"], "chest");
    assert_eq!(json["markers"]["changed"][0]["what"][0], "position");
    // The spawn was moved into the gap, above the pit.
    assert_eq!(json["agents"][0]["reach"]["stranded"][0], "player");
    let run = sandbox.exits(1, "diff a.navmesh b.navmesh --fail-on unreachable");
    assert!(
        run.stdout
            .contains("the agent cannot begin at spawn `player`"),
        "{}",
        run.stdout
    );
}

#[test]
fn folders_are_compared_level_by_level() {
    let sandbox = Sandbox::new();
    let closed = [(10, 10), (11, 10), (12, 10)];
    for (file, text) in [
        ("old/a/one.tmx", level(&[])),
        ("old/two.tmx", level(&[])),
        ("old/gone.tmx", level(&[])),
        ("new/a/one.tmx", level(&[])),
        ("new/two.tmx", level(&closed)),
        ("new/fresh.tmx", level(&[])),
    ] {
        sandbox.write(file, &text);
    }
    let run = sandbox.run("diff old new/");
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    assert!(
        run.stdout.starts_with("old/two.tmx -> new/two.tmx: "),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains("a/one.tmx"), "{}", run.stdout);
    let end: Vec<_> = run.stdout.lines().rev().take(3).collect();
    assert_eq!(
        end,
        [
            "2 levels compared: 1 changed, 1 removed, 1 added",
            "+ new/fresh.tmx was added",
            "- old/gone.tmx was removed"
        ]
    );

    let json = sandbox.run("diff old new --format json");
    let json = json.json();
    valid(&schema("diff").1, &json);
    assert_eq!(json["removed"], serde_json::json!(["old/gone.tmx"]));
    assert_eq!(json["files"].as_array().unwrap().len(), 2);

    // The baked files of a folder stand for its levels.
    sandbox.fine("bake old -o baked");
    let same = sandbox.fine("diff old baked");
    assert_eq!(
        same.stdout,
        "3 levels compared: 0 changed, 0 removed, 0 added\n"
    );

    // Annotations are attached to the level, also for a baked file beside it.
    let github = "diff old/two.tmx new/two.tmx --format github";
    assert!(
        sandbox
            .run(github)
            .stdout
            .starts_with("::error file=new/two.tmx,")
    );
    sandbox.fine("bake new/two.tmx -o new/two.navmesh");
    let github = "diff old/two.tmx new/two.navmesh --format github";
    assert!(
        sandbox
            .run(github)
            .stdout
            .starts_with("::error file=new/two.tmx,")
    );

    let mixed = sandbox.exits(2, "diff old new/two.tmx");
    mixed.says("two folders");
    let missing = sandbox.exits(2, "diff old nwe");
    missing.says("nwe: there is no such file or folder");
}

/// The level of the sandbox with a door that has properties.
fn with_door(properties: &[(&str, &str)]) -> String {
    let property =
        |(name, value): &(&str, &str)| format!("<property name=\"{name}\" value=\"{value}\"/>");
    let properties: String = properties.iter().map(property).collect();
    let door = format!(
        r#"<object id="7" name="gate" class="door" x="80" y="112" width="8" height="48"><properties>{properties}</properties></object> </objectgroup>"#
    );
    level(&[]).replace(" </objectgroup>", &door)
}

#[test]
fn changed_properties_of_markers_are_named_with_their_values() {
    let sandbox = Sandbox::new();
    let long = |end: &str| format!("{}{end}{}", "a".repeat(500), "z".repeat(500));
    let (before, after) = (long("left"), long("right"));
    let old = [("closed", "false"), ("note", &before), ("wait", "3_s")];
    let new = [("closed", "true"), ("key", "a`b"), ("note", &after)];
    sandbox.write("old.tmx", &with_door(&old));
    sandbox.write("new.tmx", &with_door(&new));
    let text = sandbox.exits(1, "diff old.tmx new.tmx").stdout;
    let (a, z) = ("a".repeat(20), "z".repeat(30));
    let line = format!(
        "~ door `gate` at 80,112 (properties): `closed` `false` -> `true`, `key` `a'b` added, \
         `note` `…{a}left{z}"
    );
    assert!(text.contains(&line), "{text}");
    assert!(text.contains(&format!("…` -> `…{a}right{z}")), "{text}");
    assert!(text.contains(", `wait` `3_s` removed\n"), "{text}");
    assert!(
        text.lines().all(|line| line.chars().count() < 400),
        "{text}"
    );
    let markdown = sandbox
        .exits(1, "diff old.tmx new.tmx --format markdown")
        .stdout;
    assert!(
        markdown.contains("`closed` `false` → `true`, `key` `a'b` added, "),
        "{markdown}"
    );
    let json = sandbox.exits(1, "diff old.tmx new.tmx --json").json();
    valid(&schema("diff").1, &json);
    let properties = &json["markers"]["changed"][0]["properties"];
    let closed = serde_json::json!({"name": "closed", "old": "false", "new": "true"});
    let key = serde_json::json!({"name": "key", "old": null, "new": "a`b"});
    assert_eq!((&properties[0], &properties[1]), (&closed, &key));
    assert!(properties[2]["new"].as_str().unwrap().contains("right"));
    assert_eq!(properties[3]["new"], serde_json::Value::Null);
}

#[test]
fn levels_that_cannot_be_compared_are_in_every_format() {
    let sandbox = Sandbox::new();
    sandbox.fixture("mine.ldtk");
    for (side, two, project) in [
        ("old", level(&[]), sandbox.text("mine.ldtk")),
        ("new", "<map".into(), "{".into()),
    ] {
        sandbox.write(&format!("{side}/fine.tmx"), &level(&[]));
        sandbox.write(&format!("{side}/two.tmx"), &two);
        sandbox.write(&format!("{side}/mine.ldtk"), &project);
    }
    let failed = |format: &str| {
        let run = sandbox.exits(
            2,
            &format!("diff old new --fail-on unreachable --format {format}"),
        );
        run.says("error: new/two.tmx:1: ");
        run.stdout
    };
    // The levels of a project that cannot be read are not said to be removed.
    assert_eq!(
        failed("human"),
        "! new/mine.ldtk was not compared\n! new/two.tmx was not compared\n\
         1 level compared: 0 changed, 0 removed, 0 added; 2 errors\n"
    );
    let github = failed("github");
    let commands: Vec<_> = github
        .lines()
        .filter(|line| line.starts_with("::"))
        .collect();
    assert_eq!(commands.len(), 2, "{github}");
    for (command, file) in commands.iter().zip(["new/mine.ldtk", "new/two.tmx"]) {
        let start = format!("::error file={file},title=level not compared::{file}:1: ");
        assert!(command.starts_with(&start), "{github}");
    }
    let comment = "### ❌ `new/two.tmx` was not compared\n\n<pre>new/two.tmx:1: ";
    assert!(failed("markdown").contains(comment));
    let json: serde_json::Value = serde_json::from_str(&failed("json")).unwrap();
    valid(&schema("diff").1, &json);
    assert_eq!(
        (&json["same"], &json["removed"]),
        (&false.into(), &serde_json::json!([]))
    );
    assert_eq!(json["failed"][1]["file"], "new/two.tmx");
    // So do two files that are compared for a comment.
    let two = sandbox.exits(2, "diff old/two.tmx new/two.tmx --format markdown");
    assert!(two.stdout.starts_with(comment), "{}", two.stdout);
    let two = sandbox.exits(2, "diff old/two.tmx new/two.tmx --format github");
    assert!(
        two.stdout.starts_with("::error file=new/two.tmx,"),
        "{}",
        two.stdout
    );
}
