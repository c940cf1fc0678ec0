//! Commands that read baked files also read levels, and find places by name.

use crate::sandbox;

use sandbox::{Sandbox, level};

/// A level with two waypoints and a door over the left part of its floor.
fn marked() -> String {
    level(&[]).replace(
        "<point/></object>\n",
        r#"<point/></object>
  <object id="2" name="nest" class="waypoint" x="64" y="112"><point/></object>
  <object id="3" name="far" class="Waypoint" x="300" y="160"><point/></object>
  <object id="4" name="twin" class="waypoint" x="80" y="160"><point/></object>
  <object id="5" name="twin" class="waypoint" x="96" y="160"><point/></object>
  <object id="7" name="west:2" class="ai:hint" x="24" y="160"><point/></object>
  <object id="6" name="gate" class="door" x="112" y="0" width="16" height="160"/>
"#,
    )
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("tiny.tmx", &marked());
    sandbox.fine("bake tiny.tmx -o tiny.navmesh");
    sandbox
}

#[test]
fn a_level_answers_as_its_baked_file() {
    let sandbox = sandbox();
    for command in [
        "path FILE --json --agent ground --from 24,160 --to 296,160",
        "simulate FILE --json --agent ground --from 24,160 --to 296,160",
        "inspect FILE --json",
        "dump FILE",
        "render FILE -o -",
    ] {
        let run = |file: &str| sandbox.fine(&command.replace("FILE", file)).bytes;
        assert!(run("tiny.tmx") == run("tiny.navmesh"), "{command}");
    }
    let same = sandbox.fine("diff tiny.tmx tiny.navmesh");
    assert!(same.stdout.contains("no difference"));
    sandbox.fine("view tiny.tmx tiny.navmesh -o page.html");
}

#[test]
fn a_level_is_baked_with_the_configuration_found_for_it() {
    let sandbox = sandbox();
    sandbox.configure("[[agent]]\nname = \"beetle\"\n");
    let path = "path tiny.tmx --from 24,160 --to 60,160 --agent";
    sandbox.fine(&format!("{path} beetle"));
    let unknown = sandbox.exits(2, &format!("{path} ground"));
    unknown.says("the agents are beetle");
    sandbox.write("other.toml", "[[agent]]\nname = \"moth\"\n");
    sandbox.fine(&format!("{path} moth --config other.toml"));
    // A baked file has the limits of its bake.
    let unused = "warning: --config has no effect";
    let path = "path tiny.navmesh --from 24,160 --to 60,160 --agent ground";
    sandbox
        .fine(&format!("{path} --config other.toml"))
        .says(unused);
    assert!(!sandbox.fine(path).stderr.contains(unused));
    // Another input may be a level.
    let run = sandbox.run("diff tiny.navmesh tiny.tmx --config other.toml");
    assert!(!run.stderr.contains(unused), "{}", run.stderr);
}

#[test]
fn files_of_no_use_get_a_list_of_what_is_accepted() {
    let sandbox = Sandbox::new();
    sandbox.write("a.md", "text");
    sandbox.write("w.world", "{}");
    for command in ["inspect", "dump", "render", "lint", "diff a.md"] {
        let run = sandbox.exits(2, &format!("{command} a.md"));
        run.says("a.md: unknown file extension; levels are .tmx");
        run.says("help: a baked file (.navmesh) is accepted, too");
    }
    sandbox
        .exits(2, "inspect w.world")
        .says("help: this lists levels: name one of them");
    sandbox
        .exits(2, "inspect .")
        .says("help: name a level or a baked file in it");
    // A bake does not accept baked files.
    let bake = sandbox.exits(2, "bake a.md");
    assert!(!bake.stderr.contains(".navmesh"), "{}", bake.stderr);
}

#[test]
fn stdin_may_be_a_level_or_a_baked_file() {
    let sandbox = sandbox();
    let baked = sandbox.bytes("tiny.navmesh");
    let path = |stdin: &[u8]| {
        let args = "path - --agent ground --from spawn:player --to 296,160";
        let run = sandbox.run_with(args, stdin);
        (run.code, run.stdout)
    };
    let by_level = path(marked().as_bytes());
    assert_eq!(by_level.0, 0, "{}", by_level.1);
    assert_eq!(by_level, path(&baked));
    assert_eq!(path(b"neither").0, 2);
}

#[test]
fn places_are_found_by_class_and_name() {
    let sandbox = sandbox();
    let path = |code: i32, from: &str, to: &str| {
        let args = format!("path tiny.tmx --agent ground --from {from} --to {to}");
        sandbox.exits(code, &args)
    };
    let by_name = path(0, "spawn:player", "waypoint:far").stdout;
    assert_eq!(by_name, path(0, "24,160", "300,160").stdout);
    let with_colons = path(0, "ai:hint:west:2", "waypoint:far").stdout;
    assert_eq!(with_colons, by_name);
    let unknown = path(2, "spawn:plaeyr", "0,0");
    unknown.says("the markers are: spawn:player");
    let several = path(2, "waypoint:twin", "0,0");
    several.says("80,160 or 96,160");
    sandbox.fine("render tiny.tmx -o - --path spawn:player:waypoint:far");
}

#[test]
fn a_door_that_closes_on_the_way_stops_the_agent() {
    let sandbox = sandbox();
    let simulate = |more: &str| {
        let trip = "--agent ground --from spawn:player --to waypoint:far";
        let run = sandbox.run(&format!("simulate tiny.tmx --json {trip} {more}"));
        (run.code, run.json())
    };
    let (code, open) = simulate("");
    assert_eq!((code, &open["outcome"]), (0, &"arrived".into()));
    // The agent reaches the door after about a second.
    let (code, closed) = simulate("--close 0.2:gate");
    assert_eq!(code, 1, "{closed}");
    assert_eq!(closed["outcome"], "cannot_reach");
    let events = closed["events"].as_array().unwrap();
    let event = events.iter().find(|e| e["event"] == "door_closed").unwrap();
    assert_eq!((&event["door"], &event["t"]), (&"gate".into(), &0.2.into()));
    // It waits where it stands until it is sent again.
    let (code, late) = simulate("--close 0.2:gate --open 3:gate --then 3:waypoint:far");
    assert_eq!((code, &late["outcome"]), (0, &"arrived".into()), "{late}");
    let trip = "--agent ground --from 24,160 --to 24,160";
    let unknown = sandbox.exits(2, &format!("simulate tiny.tmx {trip} --close 1:gaet"));
    unknown.says("the doors are: gate");
}

/// A path may begin and end elsewhere than at the positions that were given.
#[test]
fn moved_and_impossible_positions_are_explained() {
    let sandbox = sandbox();
    let path = "path tiny.tmx --agent ground";
    let moved = sandbox.fine(&format!("{path} --from 24,120 --to 60,164"));
    moved.says("note: the path begins at 24,160, 40 units from the start 24,120");
    moved.says("note: the path ends at 60,160, 4 units from the goal 60,164");
    let exact = sandbox.fine(&format!("{path} --from 24,160 --to 60,160"));
    assert!(!exact.stderr.contains("note: the path"), "{}", exact.stderr);
    let none = sandbox.exits(1, &format!("{path} --from 24,160 --to 300,100"));
    let nearest = "the nearest floor is at 298,64, 36.06 units from it";
    assert!(none.stdout.contains(nearest), "{}", none.stdout);

    let explain = "explain tiny.tmx --agent ground";
    let moved = sandbox.fine(&format!("{explain} --from 24,150 --to 60,160"));
    let taken = "the start was taken as 24,160, 10 units from 24,150";
    assert!(moved.stdout.contains(taken), "{}", moved.stdout);
    let none = sandbox.exits(1, &format!("{explain} --from 60,160 --to 300,20"));
    let nearest = "near the goal, 300,20; the nearest floor is at 298,64, 44.05 units from it";
    assert!(none.stdout.contains(nearest), "{}", none.stdout);
}

/// The floor of the closed room is at y 64. An agent that flies has no links.
#[test]
fn places_that_are_not_connected_are_explained() {
    let sandbox = sandbox();
    let help = "help: `navbake explain` says which link is missing";
    for command in [
        "path tiny.tmx --from 24,160 --to 264,64",
        "simulate tiny.tmx --from 24,160 --to 264,64",
        "render tiny.tmx --path 24,160:264,64",
        "view tiny.tmx --path 24,160:264,64",
    ] {
        let run = sandbox.exits(1, &format!("{command} --agent ground"));
        assert_eq!(
            run.stderr.matches(help).count(),
            1,
            "{command}: {}",
            run.stderr
        );
        let run = sandbox.exits(1, &format!("{command} --agent air"));
        assert!(!run.stderr.contains(help), "{command}: {}", run.stderr);
    }
    let near = sandbox.exits(1, "path tiny.tmx --agent ground --from 24,160 --to 300,100");
    assert!(!near.stderr.contains(help), "{}", near.stderr);
}

#[test]
fn unreadable_files_have_help() {
    let sandbox = sandbox();
    sandbox.write("empty.tmx", "");
    sandbox.write("empty.ldtk", " \n");
    for file in ["empty.tmx", "empty.ldtk"] {
        let run = sandbox.exits(2, &format!("bake {file}"));
        run.says("the file is empty\nhelp: save the level again");
    }
    let run = sandbox.exits(2, "bake tiny.tmx --config none.toml");
    run.says("none.toml: cannot read the configuration: there is no such file");
}

/// Nothing is refused to the superuser.
#[cfg(unix)]
#[test]
fn refused_permissions_have_help() {
    use std::fs::{Permissions, read, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;

    let sandbox = sandbox();
    let level = sandbox.path("tiny.tmx");
    set_permissions(&level, Permissions::from_mode(0o000)).unwrap();
    if read(&level).is_err() {
        let run = sandbox.exits(2, "bake tiny.tmx");
        run.says("help: change the permissions of the file or of its folder");
    }
    set_permissions(&level, Permissions::from_mode(0o600)).unwrap();
}
