//! Commands that read baked files also read levels, and find places by name.

use crate::sandbox;

use sandbox::{Run, Sandbox, level};

/// A level with two waypoints and a door over the left part of its floor.
fn marked() -> String {
    level(&[]).replace(
        "<point/></object>\n",
        r#"<point/></object>
  <object id="2" name="nest" class="waypoint" x="64" y="112"><point/></object>
  <object id="3" name="far" class="Waypoint" x="300" y="160"><point/></object>
  <object id="4" name="twin" class="waypoint" x="80" y="160"><point/></object>
  <object id="5" name="twin" class="waypoint" x="96" y="160"><point/></object>
  <object id="6" name="gate" class="door" x="112" y="0" width="16" height="160"/>
"#,
    )
}

fn shop() -> Sandbox {
    let shop = Sandbox::new();
    shop.write("tiny.tmx", &marked());
    assert_eq!(
        shop.run(&["bake", "tiny.tmx", "-o", "tiny.navmesh"]).code,
        0
    );
    shop
}

fn ok(run: Run) -> String {
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    run.stdout
}

#[test]
fn a_level_answers_as_its_baked_file() {
    let shop = shop();
    let trip = ["--agent", "ground", "--from", "24,160", "--to", "296,160"];
    for command in [
        &["path", "--json"][..],
        &["simulate", "--json"],
        &["inspect", "--json"],
        &["dump"],
        &["render", "-o", "-"],
    ] {
        let run = |file: &str| {
            let mut args = vec![command[0], file];
            args.extend(&command[1..]);
            if matches!(command[0], "path" | "simulate") {
                args.extend(trip);
            }
            let run = shop.run(&args);
            assert_eq!(run.code, 0, "{command:?} {file}: {}", run.stderr);
            run.bytes
        };
        assert!(run("tiny.tmx") == run("tiny.navmesh"), "{command:?}");
    }
    let same = shop.run(&["diff", "tiny.tmx", "tiny.navmesh"]);
    assert!(ok(same).contains("no difference"));
    ok(shop.run(&["view", "tiny.tmx", "tiny.navmesh", "-o", "page.html"]));
}

#[test]
fn a_level_is_baked_with_the_configuration_found_for_it() {
    let shop = shop();
    shop.write("navbake.toml", "[[agent]]\nname = \"beetle\"\n");
    let args = |file, agent| {
        [
            "path", file, "--agent", agent, "--from", "24,160", "--to", "60,160",
        ]
    };
    ok(shop.run(&args("tiny.tmx", "beetle")));
    let unknown = shop.run(&args("tiny.tmx", "ground"));
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.stderr.contains("the agents are beetle"),
        "{}",
        unknown.stderr
    );
    shop.write("other.toml", "[[agent]]\nname = \"moth\"\n");
    let mut given = args("tiny.tmx", "moth").to_vec();
    given.extend(["--config", "other.toml"]);
    ok(shop.run(&given));
}

#[test]
fn stdin_may_be_a_level_or_a_baked_file() {
    let shop = shop();
    let baked = std::fs::read(shop.path("tiny.navmesh")).unwrap();
    let args = [
        "path",
        "-",
        "--agent",
        "ground",
        "--from",
        "spawn:player",
        "--to",
        "296,160",
    ];
    let by_level = ok(shop.run_with(&args, marked().as_bytes()));
    assert_eq!(by_level, ok(shop.run_with(&args, &baked)));
    let neither = shop.run_with(&args, b"neither");
    assert_eq!(neither.code, 2, "{}", neither.stdout);
}

#[test]
fn places_are_found_by_class_and_name() {
    let shop = shop();
    let path = |from: &str, to: &str| {
        shop.run(&[
            "path", "tiny.tmx", "--agent", "ground", "--from", from, "--to", to,
        ])
    };
    let by_name = ok(path("spawn:player", "waypoint:far"));
    assert_eq!(by_name, ok(path("24,160", "300,160")));
    let unknown = path("spawn:plaeyr", "0,0");
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.stderr.contains("the markers are: spawn:player"),
        "{}",
        unknown.stderr
    );
    let several = path("waypoint:twin", "0,0");
    assert!(
        several.stderr.contains("80,160 or 96,160"),
        "{}",
        several.stderr
    );
    let drawn = [
        "render",
        "tiny.tmx",
        "-o",
        "-",
        "--path",
        "spawn:player:waypoint:far",
    ];
    ok(shop.run(&drawn));
}

#[test]
fn a_door_that_closes_on_the_way_stops_the_agent() {
    let shop = shop();
    let simulate = |more: &[&str]| {
        let mut args = vec!["simulate", "tiny.tmx", "--agent", "ground", "--json"];
        args.extend(["--from", "spawn:player", "--to", "waypoint:far"]);
        args.extend(more);
        let run = shop.run(&args);
        let json: serde_json::Value = serde_json::from_str(&run.stdout).expect(&run.stderr);
        (run.code, json)
    };
    let (code, open) = simulate(&[]);
    assert_eq!((code, &open["outcome"]), (0, &"arrived".into()));
    // The agent reaches the door after about a second.
    let (code, closed) = simulate(&["--close", "0.2:gate"]);
    assert_eq!(code, 1, "{closed}");
    assert_eq!(closed["outcome"], "cannot_reach");
    let events = closed["events"].as_array().unwrap();
    let event = events.iter().find(|e| e["event"] == "door_closed").unwrap();
    assert_eq!((&event["door"], &event["t"]), (&"gate".into(), &0.2.into()));
    // It waits where it stands until it is sent again.
    let (code, late) = simulate(&[
        "--close",
        "0.2:gate",
        "--open",
        "3:gate",
        "--then",
        "3:waypoint:far",
    ]);
    assert_eq!((code, &late["outcome"]), (0, &"arrived".into()), "{late}");
    let unknown = [
        "simulate", "tiny.tmx", "--agent", "ground", "--from", "24,160", "--to", "24,160",
    ];
    let mut unknown = unknown.to_vec();
    unknown.extend(["--close", "1:gaet"]);
    let unknown = shop.run(&unknown);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.stderr.contains("the doors are: gate"),
        "{}",
        unknown.stderr
    );
}
