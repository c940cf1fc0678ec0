//! What users try first: other folders, misspelt names, quiet runs, exports
//! beside their maps, and baked files whose level is gone.

use crate::sandbox;

use std::fs;

use sandbox::{Sandbox, level};
use serde_json::Value;

const IMP: &str = "[[agent]]\nname = \"imp\"\n";

#[test]
fn the_current_folder_does_not_change_a_bake() {
    let sandbox = Sandbox::new();
    sandbox.write("game/levels/deep/a.tmx", &level(&[]));
    sandbox.write("game/navbake.toml", IMP);
    fs::create_dir(sandbox.path("game/.git")).unwrap();
    sandbox.fine("bake game/levels");
    for (folder, level, config) in [
        ("game", "levels/deep/a.tmx", "navbake.toml"),
        ("game/levels/deep", "a.tmx", "../../navbake.toml"),
        ("", "game/levels/deep/a.tmx", "game/navbake.toml"),
    ] {
        let mut command = sandbox.command(&["bake", "--check", "-v", level]);
        let output = command.current_dir(sandbox.path(folder)).output().unwrap();
        let reported = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{reported}");
        let used = format!("configuration: {config}\n");
        assert!(reported.contains(&used), "{reported}");
    }
    // The search ends at the root of the repository.
    fs::rename(
        sandbox.path("game/navbake.toml"),
        sandbox.path("navbake.toml"),
    )
    .unwrap();
    sandbox
        .exits(1, "bake --check -v game/levels")
        .says("configuration: none");
}

#[test]
fn a_map_beside_its_export_is_baked_once() {
    let sandbox = Sandbox::new();
    sandbox.write("maps/a.tmx", &level(&[]));
    sandbox.write("maps/a.tmj", "not read");
    sandbox.write("maps/a.json", "not read");
    let run = sandbox.fine("bake maps --include *.json --json");
    let levels: Vec<_> = run
        .json_lines()
        .iter()
        .map(|l| l["level"].clone())
        .collect();
    assert_eq!(levels, ["maps/a.tmx"]);
    for export in ["maps/a.tmj", "maps/a.json"] {
        let note = format!("note: {export}: skipped, because it is the export of maps/a.tmx");
        run.says(&note);
    }
    // An export without its map is a level.
    fs::remove_file(sandbox.path("maps/a.tmx")).unwrap();
    sandbox.exits(2, "bake maps");
}

#[test]
fn a_warning_of_many_levels_is_printed_twice() {
    let sandbox = Sandbox::new();
    let ladder = "<objectgroup id=\"8\" name=\"ladders\"><object id=\"81\" x=\"16\" y=\"16\" width=\"8\" height=\"32\"/>\
                  </objectgroup><objectgroup id=\"9\" name=\"things\"><object id=\"82\" type=\"spwan\" x=\"16\" y=\"16\"/></objectgroup></map>";
    for i in 1..=6 {
        let map = level(&[]).replace("</map>", ladder);
        sandbox.write(&format!("l/{i}.tmx"), &map);
    }
    let run = sandbox.fine("bake l");
    let lines: Vec<&str> = run.stderr.lines().collect();
    let about = |part: &str| {
        lines
            .iter()
            .filter(|line| line.contains(part))
            .collect::<Vec<_>>()
    };
    let advice = ": the level has ladders, but no agent climbs them";
    let of = |levels: &str| format!("warning: {levels}{advice}");
    let ladders = about(advice);
    assert_eq!(ladders.len(), 2, "{}", run.stderr);
    assert!(ladders[0].starts_with(&of("l/1.tmx")), "{}", run.stderr);
    let others = of("l/2.tmx, l/3.tmx, l/4.tmx, 2 other levels");
    assert!(ladders[1].starts_with(&others), "{}", run.stderr);
    // What is about one line of a level is printed for each, with its path once.
    let spawns = about("spwan");
    assert_eq!(spawns.len(), 6, "{}", run.stderr);
    let first = "warning: l/1.tmx:";
    assert!(spawns[0].starts_with(first) && spawns[0].matches("l/1.tmx").count() == 1);
}

// The patterns of an ignore file take forty times its size in memory.
#[test]
fn large_ignore_files_are_refused() {
    let sandbox = Sandbox::new();
    for folder in ["l", "l/deep"] {
        sandbox.write(&format!("{folder}/a.tmx"), &level(&[]));
    }
    let large = ("y".repeat(1023) + "\n").repeat(1024);
    for folder in ["l/deep", "l"] {
        let file = format!("{folder}/.navbakeignore");
        sandbox.write(&file, &large);
        sandbox.fine("bake l");
        sandbox.write(&file, &(large.clone() + "y"));
        let run = sandbox.run("bake l");
        let error = format!("error: {file}: the file has more than 1048576 bytes\n");
        assert!(
            run.code == 2 && run.stderr.contains(&error),
            "{}",
            run.stderr
        );
        fs::remove_file(sandbox.path(&file)).unwrap();
    }
}

#[test]
fn baked_files_without_a_level_are_reported_and_removed() {
    let sandbox = Sandbox::new();
    for name in ["l/a.tmx", "l/deep/b.tmx", "l/kept.tmx"] {
        sandbox.write(name, &level(&[]));
    }
    sandbox.fixture("mine.ldtk");
    fs::rename(sandbox.path("mine.ldtk"), sandbox.path("l/mine.ldtk")).unwrap();
    for out in ["l", "out"] {
        sandbox.fine(&["bake", "l", "-o", out]);
    }
    // Not made by a bake of this folder.
    sandbox.write("out/notes.navmesh", "not a baked file");
    sandbox.write("l/.navbakeignore", "kept.tmx\n");
    fs::remove_file(sandbox.path("l/deep/b.tmx")).unwrap();
    let project = sandbox.text("l/mine.ldtk");
    sandbox.write("l/mine.ldtk", &project.replace("\"Shaft\"", "\"Pit\""));
    sandbox.fine("bake l/mine.ldtk#Pit -o l/mine.Pit.navmesh");
    sandbox.fine("bake l/mine.ldtk#Pit -o out/mine.Pit.navmesh");

    for (args, folder) in [
        (&["bake", "l"][..], "l"),
        (&["bake", "l", "-o", "out"], "out"),
    ] {
        let orphans =
            ["deep/b.navmesh", "mine.Shaft.navmesh"].map(|name| format!("{folder}/{name}"));
        // A bake warns, and --check fails.
        let run = sandbox.fine(args);
        for orphan in &orphans {
            let warning = format!("warning: {orphan}: its level");
            run.says(&warning);
        }
        let check = sandbox.exits(1, &[args, &["--check", "--json"]].concat());
        let stale: Vec<_> = (check.json_lines().into_iter())
            .filter(|line| line["status"] == "stale")
            .map(|line| (line["output"].clone(), line["reasons"][0]["why"].clone()))
            .collect();
        let wanted: Vec<(Value, Value)> = (orphans.iter())
            .map(|orphan| (orphan.as_str().into(), "orphan".into()))
            .collect();
        assert_eq!(stale, wanted);
        // Without writing anything, and then for good.
        sandbox.fine(&[args, &["--prune", "--dry-run"]].concat());
        assert!(orphans.iter().all(|orphan| sandbox.path(orphan).exists()));
        let pruned = sandbox.fine(&[args, &["--prune", "--json"]].concat());
        let removed = pruned
            .json_lines()
            .iter()
            .filter(|l| l["status"] == "removed")
            .count();
        assert_eq!(removed, 2, "{}", pruned.stdout);
        assert!(!orphans.iter().any(|orphan| sandbox.path(orphan).exists()));
        for kept in [
            "a.navmesh",
            "kept.navmesh",
            "mine.Mine.navmesh",
            "mine.Pit.navmesh",
        ] {
            assert!(sandbox.path(&format!("{folder}/{kept}")).exists(), "{kept}");
        }
        sandbox.fine(&[args, &["--check"]].concat());
    }
    assert!(sandbox.path("out/notes.navmesh").exists());
}

#[test]
fn check_says_what_to_do_and_errors_of_a_configuration_are_printed_once() {
    let sandbox = Sandbox::new();
    sandbox.write("l/a.tmx", &level(&[]));
    sandbox.write("l/b.tmx", &level(&[]));
    let check = sandbox.exits(1, "bake --check l");
    check.says("l/a.tmx  stale (no baked file)");
    check.says("\nhelp: run the same command without --check\n");
    sandbox.fine("bake l");
    fs::remove_file(sandbox.path("l/b.tmx")).unwrap();
    let check = sandbox.exits(1, "bake --check l");
    check.says("\nhelp: run the same command without --check and with --prune\n");
    assert!(!sandbox.fine("bake --prune l").stderr.contains("help: run"));

    sandbox.write("l/b.tmx", &level(&[]));
    sandbox.write("l/navbake.toml", "[level]\nspaceing = 8\n");
    let broken = sandbox.exits(2, "bake l");
    assert_eq!(
        broken.stderr.matches("spaceing`").count(),
        1,
        "{}",
        broken.stderr
    );
    broken.says("2 levels: 0 unchanged, 2 error");
}

#[test]
fn warnings_that_name_a_rule_say_where_rules_go() {
    let sandbox = Sandbox::new();
    // Nothing says what is solid.
    let things = r#"<map version="1.10" orientation="orthogonal" width="20" height="12" tilewidth="16" tileheight="16">
        <objectgroup id="1" name="objects">
        <object id="1" name="thing" x="0" y="176" width="320" height="16"/>
        <object id="2" name="thing" x="64" y="100" width="64" height="16"/>
        </objectgroup></map>"#;
    sandbox.write("a.tmx", things);
    for command in ["bake a.tmx", "inspect a.tmx"] {
        let run = sandbox.fine(command);
        run.says("\"]\nhelp: rules go under [collision] in navbake.toml");
    }
}

#[test]
fn misspelt_names_get_a_suggestion() {
    let sandbox = Sandbox::new();
    sandbox.write("levels/first.tmx", &level(&[]));
    sandbox.fine("bake levels");
    for (args, help) in [
        ("bake levles", "did you mean levels?"),
        ("bake levles/", "did you mean levels?"),
        ("bake levels/frist.tmx", "did you mean levels/first.tmx?"),
        ("bake lvels/first.tmx", "did you mean levels/first.tmx?"),
        (
            "inspect levels/firts.navmesh",
            "did you mean levels/first.navmesh?",
        ),
        (
            "bake levels --config levels/first.tm",
            "did you mean levels/first.tmx?",
        ),
        (
            "render levels/first.navmesh --agent gruond",
            "did you mean \"ground\"?",
        ),
        (
            "explain levels/first.tmx --agent airr --from 24,160 --to 40,160",
            "did you mean \"air\"?",
        ),
        (
            "path levels/first.navmesh --agent ground --from spwan:player --to 40,160",
            "did you mean spawn:player?",
        ),
        (
            "render levels/first.navmesh --agent Grond",
            "did you mean \"ground\"?",
        ),
        (
            "render levels/first.navmesh --agent AIR",
            "did you mean \"air\"?",
        ),
        ("frobnicate/x.tmx", "frobnicate"),
    ] {
        sandbox.exits(2, args).says(help);
    }
    // Names that are not similar would be guesses.
    for agent in ["imp", "x"] {
        let run = sandbox.exits(2, &["render", "levels/first.navmesh", "--agent", agent]);
        assert!(!run.stderr.contains("did you mean"), "{}", run.stderr);
    }
    let run = sandbox.run("bake levles");
    run.says("levles: there is no such file or folder");
}

#[test]
fn quiet_runs_print_only_what_is_wrong() {
    let sandbox = Sandbox::new();
    for name in ["a.tmx", "b.tmx"] {
        sandbox.write(name, &level(&[]));
    }
    for args in ["-q bake a.tmx b.tmx", "bake a.tmx --quiet"] {
        assert_eq!(sandbox.fine(args).stderr, "");
    }
    assert_eq!(sandbox.fine("render a.navmesh -q").stderr, "");
    sandbox.write("c.tmx", "<map");
    let run = sandbox.exits(2, "bake -q a.tmx c.tmx");
    assert!(run.stderr.starts_with("error: c.tmx"), "{}", run.stderr);
}

#[test]
fn colour_and_threads_are_chosen_as_in_cargo() {
    let sandbox = Sandbox::new();
    sandbox.write("a.tmx", "<map");
    let coloured = |color: &str| {
        let mut command = sandbox.command(&["bake", "a.tmx", "-j", "1", "--color", color]);
        let output = command.env_remove("NO_COLOR").output().unwrap();
        output.stderr.contains(&0x1b)
    };
    assert!(coloured("always"));
    assert!(!coloured("never") && !coloured("auto"));
    sandbox.exits(2, "bake a.tmx --color blue");
    sandbox.exits(2, "bake a.tmx -j 0");
    let help = sandbox.fine("help bake").stdout;
    assert_eq!(help, sandbox.fine("bake --help").stdout);
}

#[test]
fn the_same_advice_is_printed_once() {
    let sandbox = Sandbox::new();
    for name in ["a.tmx", "b.tmx", "c.tmx"] {
        sandbox.write(name, "<map orientation=\"orthogonal\" width=\"1\" height=\"1\" tilewidth=\"8\" tileheight=\"8\"/>");
    }
    let run = sandbox.exits(2, "bake a.tmx b.tmx c.tmx");
    assert_eq!(run.stderr.matches("error: ").count(), 3, "{}", run.stderr);
    let mut help: Vec<_> = run
        .stderr
        .lines()
        .filter(|l| l.starts_with("help:"))
        .collect();
    let all = help.len();
    help.sort_unstable();
    help.dedup();
    assert!(all > 0 && help.len() == all, "{}", run.stderr);
}

#[test]
fn a_small_agent_that_makes_the_grid_finer_is_reported() {
    let sandbox = Sandbox::new();
    sandbox.write("a.tmx", &level(&[]));
    let agent = |name: &str, body: &str| format!("[[agent]]\nname = {name:?}\nbody = {body}\n");
    let ogre = agent("ogre", "[16, 24]");
    sandbox.configure(&(ogre.clone() + &agent("rat", "[5, 6]")));
    for status in ["written", "unchanged"] {
        let run = sandbox.fine("bake a.tmx --json");
        let line = &run.json_lines()[0];
        assert_eq!(line["status"], status);
        assert_eq!(line["spacing"], 4.0);
        assert_eq!(line["spacing_set_by"], "rat");
        let note = "agent \"rat\" (body 5 x 6) sets the grid spacing of all agents to 4; without it, the spacing would be 16";
        run.says(note);
    }
    // Two agents that need the same, and one agent.
    for agents in [ogre.clone() + &agent("troll", "[20, 16]"), ogre.clone()] {
        sandbox.configure(&agents);
        let run = sandbox.fine("bake a.tmx --json");
        assert_eq!(run.json_lines()[0]["spacing"], 16.0);
        assert_eq!(run.json_lines()[0]["spacing_set_by"], Value::Null);
        assert!(!run.stderr.contains("spacing"), "{}", run.stderr);
    }
}

/// A level that cannot be looked at may well exist: here a link to itself, elsewhere one
/// in a folder that only others can read.
#[cfg(unix)]
#[test]
fn baked_files_of_levels_that_cannot_be_looked_at_are_kept() {
    let sandbox = Sandbox::new();
    for name in ["l/a.tmx", "l/b.tmx"] {
        sandbox.write(name, &level(&[]));
    }
    sandbox.fine("bake l -o out");
    fs::remove_file(sandbox.path("l/b.tmx")).unwrap();
    std::os::unix::fs::symlink("b.tmx", sandbox.path("l/b.tmx")).unwrap();
    sandbox.run("bake l -o out --prune");
    assert!(sandbox.path("out/b.navmesh").exists());
    fs::remove_file(sandbox.path("l/b.tmx")).unwrap();
    sandbox.fine("bake l -o out --prune");
    assert!(!sandbox.path("out/b.navmesh").exists());
}

#[cfg(unix)]
#[test]
fn a_link_to_a_level_that_is_missing_is_an_error() {
    let sandbox = Sandbox::new();
    for name in ["l/a.tmx", "store/b.tmx"] {
        sandbox.write(name, &level(&[]));
    }
    std::os::unix::fs::symlink("../store/b.tmx", sandbox.path("l/b.tmx")).unwrap();
    sandbox.fine("bake l -o out");
    fs::remove_file(sandbox.path("store/b.tmx")).unwrap();
    for args in ["bake l -o out --check", "bake l -o out --prune"] {
        let run = sandbox.exits(2, args);
        run.says("error: l/b.tmx: cannot be read: there is no such file");
        run.says("help: this link leads to no file");
    }
    assert!(sandbox.path("out/b.navmesh").exists());
}

#[cfg(unix)]
#[test]
fn a_linked_folder_is_named_and_not_followed() {
    let sandbox = Sandbox::new();
    sandbox.write("l/a.tmx", &level(&[]));
    sandbox.write("pack/b.tmx", &level(&[]));
    std::os::unix::fs::symlink("../pack", sandbox.path("l/pack")).unwrap();
    let run = sandbox.fine("bake l");
    run.says("note: l/pack: a link to a folder, which is baked only if it is named");
    assert!(!sandbox.path("pack/b.navmesh").exists());
    sandbox.fine("bake l/pack");
    assert!(sandbox.path("pack/b.navmesh").exists());
}

#[test]
fn places_are_positions_or_markers() {
    let sandbox = Sandbox::new();
    sandbox.write("a.tmx", &level(&[]));
    sandbox.fine("bake a.tmx");
    for wrong in [
        "", "1", "1;2", "1,2,3", "nan,1", "inf,0", "1:2", "spawn", "1,2:3",
    ] {
        let args = [
            "path",
            "a.navmesh",
            "--agent",
            "ground",
            "--from",
            wrong,
            "--to",
            "1,2",
        ];
        sandbox.exits(2, &args).says("two numbers X,Y");
    }
    for (place, name) in [
        ("exit:a,b", "exit:a,b"),
        ("spawn:", "spawn:"),
        ("exit:b:c", "exit:b:c"),
    ] {
        let args = [
            "path",
            "a.navmesh",
            "--agent",
            "ground",
            "--from",
            place,
            "--to",
            "-1,2.5",
        ];
        sandbox
            .exits(2, &args)
            .says(&format!("no marker is named {name}\n"));
    }
    for wrong in ["1,2", "spawn:a", "1,2:3"] {
        let args = ["render", "a.navmesh", "--path", wrong];
        sandbox.exits(2, &args).says("two positions FROM:TO");
    }
    for (path, name) in [
        ("-3,4:spawn:a", "spawn:a"),
        ("spawn:a:-3,4", "spawn:a"),
        ("0,0:exit:b:c", "exit:b:c"),
        ("spawn:a:exit:b", "spawn:a"),
    ] {
        let run = sandbox.exits(2, &["render", "a.navmesh", "--path", path]);
        run.says(&format!("no marker is named {name}\n"));
    }
    let run = sandbox.run(&["render", "a.navmesh", "--path", "24,160: 40,160"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
}
