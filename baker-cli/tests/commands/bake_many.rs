//! `navbake bake` with many levels: which are found, where they go, and which
//! are skipped.

use crate::common::fixtures::fixtures;
use crate::sandbox;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use sandbox::{Run, Sandbox, level, level_with_tileset, tileset};
use serde_json::{Value, json};

/// The content of every file below a folder, by path.
fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let below = path.strip_prefix(folder).unwrap().to_path_buf();
                files.insert(below, fs::read(&path).unwrap());
            }
        }
    }
    files
}

fn names(folder: &Path) -> Vec<String> {
    tree(folder)
        .keys()
        .map(|path| path.display().to_string())
        .collect()
}

/// The level and the status of each line.
fn statuses(run: &Run) -> Vec<(String, String)> {
    let text = |line: &Value, key: &str| line[key].as_str().unwrap().to_owned();
    run.json_lines()
        .iter()
        .map(|line| (text(line, "level"), text(line, "status")))
        .collect()
}

/// The reasons of the first line, as `why file`.
fn reasons(run: &Run) -> Vec<String> {
    let lines = run.json_lines();
    let reasons = lines[0]["reasons"].as_array().cloned().unwrap_or_default();
    reasons
        .iter()
        .map(|reason| {
            let file = reason["file"]
                .as_str()
                .map_or(String::new(), |f| format!(" {f}"));
            format!("{}{file}", reason["why"].as_str().unwrap())
        })
        .collect()
}

#[test]
fn a_folder_names_all_levels_in_it() {
    let sandbox = Sandbox::new();
    sandbox.write("levels/b.tmx", &level(&[]));
    sandbox.write("levels/deep/er/a.tmx", &level_with_tileset(&[]));
    sandbox.write("levels/deep/er/tiles.tsx", &tileset("rock"));
    sandbox.fixture_at("mine.ldtk", "levels/mine.ldtk");
    for (name, text) in [
        ("levels/.hidden/h.tmx", "<map"),
        ("levels/rules/automap.tmx", "<map"),
        ("levels/wip.tmx", "<map"),
        ("levels/tiles.png", "no picture"),
        ("levels/all.world", "no world"),
        ("levels/notes.json", "{}"),
        ("levels/old.navmesh", "old"),
        ("levels/.navbakeignore", "rules/\nwip.*\n"),
        ("levels/navbake.toml", ""),
    ] {
        sandbox.write(name, text);
    }
    let run = sandbox.fine("bake levels -o out --json");
    let levels: Vec<_> = statuses(&run).into_iter().map(|(level, _)| level).collect();
    let wanted = [
        "levels/b.tmx",
        "levels/deep/er/a.tmx",
        "levels/mine.ldtk#Mine",
        "levels/mine.ldtk#Shaft",
    ];
    assert_eq!(levels, wanted);
    assert_eq!(
        names(&sandbox.path("out")),
        [
            "b.navmesh",
            "deep/er/a.navmesh",
            "mine.Mine.navmesh",
            "mine.Shaft.navmesh"
        ]
    );
    run.says("4 levels: 4 written, 0 unchanged");
    // A level that is named twice, by different paths, is baked once.
    let run = sandbox.run("bake levels/b.tmx levels ./levels/../levels/b.tmx -o out");
    run.says("4 levels: 4 unchanged");

    // Without -o, baked files are written beside the levels.
    sandbox.fine("bake levels/deep");
    assert!(sandbox.path("levels/deep/er/a.navmesh").is_file());

    // --include adds bitmaps.
    fs::create_dir(sandbox.path("levels/masks")).unwrap();
    sandbox.fixture_at("organic.png", "levels/masks/cave.png");
    let run = sandbox.fine("bake levels -o out --include masks/*.png --json");
    let reported = statuses(&run);
    let written: Vec<_> = reported.iter().filter(|(_, s)| s == "written").collect();
    assert_eq!(written[0].0, "levels/masks/cave.png");
    assert_eq!((written.len(), reported.len()), (1, 5));
}

#[test]
fn a_world_names_its_maps() {
    let sandbox = Sandbox::new();
    for name in [
        "maps/p-1.tmx",
        "maps/p-2.tmx",
        "maps/other.tmx",
        "extra/x.tmx",
    ] {
        sandbox.write(name, &level(&[]));
    }
    sandbox.write(
        "maps/all.world",
        r#"{"maps": [{"fileName": "../extra/x.tmx", "x": 0, "y": 0, "width": 1, "height": 1}, {"fileName": "none.tmx"}],
            "patterns": [{"regexp": "p-(\\d+)\\.tmx", "multiplierX": 640}], "type": "world"}"#,
    );
    let run = sandbox.exits(2, "bake maps/all.world -o out --json");
    let reported: Vec<_> = statuses(&run)
        .into_iter()
        .map(|(_, status)| status)
        .collect();
    assert_eq!(reported, ["written", "error", "written", "written"]);
    assert_eq!(
        names(&sandbox.path("out")),
        ["p-1.navmesh", "p-2.navmesh", "x.navmesh"]
    );
    run.says("none.tmx: cannot be read (used by maps/all.world)")
        .says("1 error");
    for (bad, problem) in [
        ("[", "not a Tiled world"),
        (r#"{"maps": [{"fileName": "/a.tmx"}]}"#, "absolute path"),
        (r#"{"patterns": [{"regexp": "\\d("}]}"#, r#"pattern "\d(""#),
        (r#"{"patterns": [{"regexp": "q-.*"}]}"#, "has no map"),
    ] {
        sandbox.write("maps/bad.world", bad);
        let run = sandbox.exits(2, "bake maps/bad.world");
        let names_both = run.stderr.contains("bad.world") && run.stderr.contains(problem);
        assert!(names_both, "{}", run.stderr);
    }
}

#[test]
fn outputs_that_collide_are_refused() {
    let sandbox = Sandbox::new();
    for name in ["a/l.tmx", "b/l.tmx"] {
        sandbox.write(name, &level(&[]));
    }
    let run = sandbox.exits(2, "bake a b -o out");
    run.says("two levels").says("l.tmx and b");
    assert!(!sandbox.path("out").exists());
    for (args, message) in [
        ("bake a -o a.navmesh", "name a folder"),
        ("bake a --check --depfile d", "--depfile"),
    ] {
        sandbox.exits(2, args).says(message);
    }
    sandbox.fine("bake a/l.tmx ./a/../a/l.tmx -o same.navmesh");
    assert!(
        sandbox.path("same.navmesh").is_file(),
        "one level, named twice"
    );
    sandbox.exits(2, "bake empty a -o out");
    fs::create_dir(sandbox.path("empty")).unwrap();
    let run = sandbox.exits(2, "bake empty a -o out");
    run.says("no levels in this folder");
    sandbox.write("empty.ldtk", r#"{"levels": [], "defs": {}}"#);
    sandbox
        .exits(2, "bake empty.ldtk")
        .says("empty.ldtk: the project has no levels");
    assert!(
        sandbox.path("out/l.navmesh").is_file(),
        "the others are baked"
    );
}

#[test]
fn a_folder_without_levels_is_reported_by_any_name() {
    let sandbox = Sandbox::new();
    for folder in [".", "./"] {
        let run = sandbox.exits(2, &["bake", folder]);
        let reported = run.stderr.contains("no levels in this folder");
        assert!(reported, "{folder}: {}", run.stderr);
    }
}

#[test]
fn folders_are_searched_to_a_depth_that_is_named() {
    let sandbox = Sandbox::new();
    let deep = "d/".repeat(99);
    sandbox.write(&format!("levels/{deep}last.tmx"), &level(&[]));
    sandbox.write(&format!("levels/{deep}below/lost.tmx"), &level(&[]));
    let run = sandbox.exits(2, &["bake", "levels", "-o", "out"]);
    run.says("below: not searched, because it lies below 100 folders");
    assert_eq!(names(&sandbox.path("out")), [format!("{deep}last.navmesh")]);
}

// Nothing is written without a change, and every change is noticed.
#[test]
fn fresh_files_are_skipped_and_stale_files_have_reasons() {
    let sandbox = Sandbox::new();
    sandbox.write("l/a.tmx", &level_with_tileset(&[]));
    sandbox.write("l/tiles.tsx", &tileset("rock"));
    let bake = |more: &str| sandbox.run(&format!("bake l/a.tmx --json {more}"));
    let check = || bake("--check");
    let asset = sandbox.path("l/a.navmesh");
    let first = check();
    assert_eq!(
        (first.code, reasons(&first)),
        (1, vec!["missing".to_owned()])
    );
    assert_eq!(bake("").code, 0);
    let baked = fs::read(&asset).unwrap();
    let again = bake("");
    assert_eq!(statuses(&again)[0].1, "unchanged");
    assert_eq!(
        again.json_lines()[0]["bytes"].as_u64(),
        Some(baked.len() as u64)
    );
    assert_eq!(check().code, 0);

    // Each change, and its reversal.
    let tiles = sandbox.path("l/tiles.tsx");
    let not_solid = r#"><tile id="0"><properties><property name="solid" type="bool" value="false"/></properties></tile></tileset>"#;
    let passable = tileset("rock").replace("/>", not_solid);
    sandbox.write("l/tiles.tsx", &passable);
    assert_eq!(reasons(&check()), ["input a.tmx"]);
    fs::remove_file(&tiles).unwrap();
    assert_eq!(check().code, 2, "the level cannot be read");
    let broken = bake("");
    assert_eq!((broken.code, statuses(&broken)[0].1.as_str()), (2, "error"));
    assert_eq!(fs::read(&asset).unwrap(), baked, "the old file is kept");
    sandbox.write("l/tiles.tsx", &tileset("rock"));
    sandbox.write("l/a.tmx", &level_with_tileset(&[(3, 4)]));
    assert_eq!(reasons(&check()), ["input a.tmx"]);
    sandbox.write("l/a.tmx", &level_with_tileset(&[]));

    sandbox.configure("[collision]\nempty = [\"layer:ground\"]\nsolid = [\"layer:things\"]\n");
    assert_eq!(reasons(&check()), ["input a.tmx"]);
    sandbox.configure("[[agent]]\nname = \"imp\"\n");
    assert_eq!(reasons(&check()), ["settings"]);
    sandbox.configure("# only a comment\n");
    assert_eq!(check().code, 0);
    sandbox.configure("[level]\nspacing = -1\n");
    assert_eq!(check().code, 2, "an invalid configuration is an error");
    fs::remove_file(sandbox.path("navbake.toml")).unwrap();

    let mut damaged = baked.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    fs::write(&asset, &damaged).unwrap();
    assert_eq!(reasons(&check()), ["damaged"]);
    assert_eq!(reasons(&bake("")), ["damaged"]);
    assert_eq!(fs::read(&asset).unwrap(), baked);
    fs::rename(sandbox.path("l/a.tmx"), sandbox.path("l/b.tmx")).unwrap();
    let renamed = sandbox.run("bake l/b.tmx -o l/a.navmesh --check --json");
    assert_eq!(reasons(&renamed), ["source"]);
    fs::rename(sandbox.path("l/b.tmx"), sandbox.path("l/a.tmx")).unwrap();

    // --check --force compares the bytes.
    let forced = bake("--check --force");
    assert_eq!(
        (forced.code, statuses(&forced)[0].1.as_str()),
        (0, "unchanged")
    );
    assert_eq!(check().code, 0);
    sandbox.fine("bake l/a.tmx --check");
    sandbox.write("l/a.tmx", &level_with_tileset(&[(3, 4)]));
    let human = sandbox.exits(1, "bake l/a.tmx --check");
    human.says("stale: the collision or the markers of a.tmx have changed");
    let dry = bake("--dry-run");
    assert_eq!((dry.code, statuses(&dry)[0].1.as_str()), (0, "stale"));
    assert_eq!(fs::read(&asset).unwrap(), baked, "nothing was written");
    sandbox.write("l/a.tmx", &level_with_tileset(&[]));
    assert_eq!(statuses(&bake("--force"))[0].1, "unchanged");
}

/// Else a part of a name could look like a message of its own.
#[cfg(unix)]
#[test]
fn names_with_line_breaks_are_printed_in_one_line() {
    let sandbox = Sandbox::new();
    let bare = level(&[]).replace("class=\"spawn\"", "class=\"spwan\"");
    for name in [
        "levels/a.tmx",
        "levels/x\nerror: y.tmx",
        "levels/z\nerror: w.tmx",
    ] {
        sandbox.write(name, &bare);
    }
    for more in ["", " --check", " --force"] {
        let run = sandbox.fine(&format!("bake levels -o out{more}"));
        assert!(!run.stderr.contains("\nerror:"), "{}", run.stderr);
    }
    let single = sandbox.fine(&["bake", "levels/x\nerror: y.tmx", "-o", "out/"]);
    single.says("x error: y.navmesh: unchanged");
    let json = sandbox.fine(&["bake", "levels/x\nerror: y.tmx", "-o", "out/", "--json"]);
    assert_eq!(json.json()["level"], "levels/x\nerror: y.tmx");
}

#[test]
fn a_fresh_file_keeps_its_modification_time() {
    let sandbox = Sandbox::new();
    sandbox.write("a.tmx", &level(&[]));
    sandbox.fine("bake a.tmx");
    let stamp = || {
        fs::metadata(sandbox.path("a.navmesh"))
            .unwrap()
            .modified()
            .unwrap()
    };
    let before = stamp();
    sandbox.write("a.tmx", &level(&[]));
    for args in ["bake a.tmx", "bake a.tmx --force"] {
        let run = sandbox.run(args);
        run.says("a.navmesh: unchanged");
        assert_eq!(stamp(), before);
    }
}

// The bytes depend on the level and the settings only.
#[test]
fn the_same_tree_bakes_to_the_same_bytes_anywhere() {
    let fill = |sandbox: &Sandbox, root: &str| {
        sandbox.write(&format!("{root}/levels/a.tmx"), &level_with_tileset(&[]));
        sandbox.write(&format!("{root}/levels/tiles.tsx"), &tileset("rock"));
        sandbox.write(&format!("{root}/levels/deep/b.tmx"), &level(&[(4, 4)]));
        sandbox.write(
            &format!("{root}/navbake.toml"),
            "[[agent]]\nname = \"imp\"\n",
        );
    };
    let (here, there) = (Sandbox::new(), Sandbox::new());
    fill(&here, ".");
    fill(&there, "quite/another place");
    here.fine("bake levels -o out --threads 1");
    let absolute = there.path("quite/another place/levels");
    let out = there.path("elsewhere");
    let status = there
        .command("bake")
        .arg(&absolute)
        .arg("-o")
        .arg(&out)
        .args(["--threads", "3"])
        .current_dir(there.path("quite/another place"))
        .env("TZ", "Pacific/Chatham")
        .env("LANG", "de_DE.UTF-8")
        .env("HOME", "/nonexistent")
        .env("SOURCE_DATE_EPOCH", "1")
        .env("RAYON_NUM_THREADS", "2")
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(tree(&here.path("out")), tree(&out));
    for bytes in tree(&out).values() {
        for part in ["another place", "elsewhere"] {
            assert!(!bytes.windows(part.len()).any(|w| w == part.as_bytes()));
        }
    }
    // So a baked file stays fresh when its level is moved with it.
    fs::rename(here.path("levels"), here.path("maps")).unwrap();
    here.fine("bake maps -o out --check");
}

#[test]
fn every_format_is_read_from_stdin() {
    let sandbox = Sandbox::new();
    sandbox.fixture_at("twins/tiles.tsj", "tiles.tsj");
    let json = fs::read(fixtures().join("twins/ledges.tmj")).unwrap();
    let baked = sandbox.run_with("bake - -o -", &json);
    assert_eq!(baked.code, 0, "{}", baked.stderr);
    assert!(baked.bytes.starts_with(b"\x89NAV"));
    let project = fs::read(fixtures().join("mine.ldtk")).unwrap();
    let run = sandbox.run_with("bake - -o -", &project);
    assert_eq!(run.code, 2);
    run.says("2 levels");
    // With a file as output, an unchanged level is skipped.
    let run = sandbox.run_with("bake - -o l.navmesh", &json);
    run.says("written");
    let run = sandbox.run_with("bake - -o l.navmesh", &json);
    run.says("unchanged");
}

#[test]
fn warnings_about_a_level_of_a_project_name_the_project_once() {
    let sandbox = Sandbox::new();
    let project = fs::read(fixtures().join("mine.ldtk")).unwrap();
    let mut project: Value = serde_json::from_slice(&project).unwrap();
    for level in project["levels"].as_array_mut().unwrap() {
        level["layerInstances"] = json!([]);
    }
    sandbox.write("w.ldtk", &project.to_string());
    let run = sandbox.run("bake w.ldtk");
    let empty = "nothing is solid, so there is nothing to stand on";
    for level in ["Mine", "Shaft"] {
        run.says(&format!("w.ldtk#{level}: {empty}\n"));
    }
}
