//! Platforms that move, as Tiled, LDtk and navbake's own format draw them.

use crate::sandbox;

use sandbox::Sandbox;
use serde_json::Value;

/// A ferry over a pit, whose way is a polyline elsewhere in the level.
fn tiled(properties: &str) -> String {
    format!(
        r#"<?xml version="1.0"?><map version="1.10" orientation="orthogonal" width="30" height="14"
 tilewidth="16" tileheight="16" infinite="0">
<objectgroup id="1" name="ground">
 <object id="1" type="solid" x="0" y="160" width="128" height="64"/>
 <object id="2" type="solid" x="256" y="160" width="224" height="64"/>
</objectgroup>
<objectgroup id="2" name="things">
 <object id="3" type="moving_platform" name="ferry" x="136" y="160" width="32" height="8">
  <properties>{properties}</properties>
 </object>
 <object id="4" type="platform_path" x="0" y="20"><polyline points="0,0 80,0"/></object>
</objectgroup>
</map>"#
    )
}

const FERRY: &str = r#"<property name="path" type="object" value="4"/>
<property name="speed" type="float" value="40"/><property name="pause" type="float" value="1"/>"#;

fn moving_platforms(sandbox: &Sandbox, level: &str) -> Value {
    let dump = sandbox.fine(&format!("dump --json {level}")).stdout;
    let dump: Value = serde_json::from_str(&dump).unwrap();
    dump["agents"][0]["moving_platforms"].clone()
}

#[test]
fn a_ferry_is_read_from_each_format() {
    let sandbox = Sandbox::new();
    sandbox.write("pit.tmx", &tiled(FERRY));
    let level = r#"{"navbake_level": 1, "cell_size": 16, "bounds": [0, 0, 480, 224],
        "shapes": [
            {"kind": "solid", "box": [0, 160, 128, 64]},
            {"kind": "solid", "box": [256, 160, 224, 64]}
        ],
        "markers": [
            {"class": "moving_platform", "name": "ferry", "box": [136, 160, 32, 8],
             "properties": {"path": "way", "speed": 40, "pause": 1}},
            {"class": "platform_path", "name": "way", "polyline": [[3, 5], [83, 5]]}
        ]}"#;
    sandbox.write("pit.level.json", level);
    let mut found = Vec::new();
    for level in ["pit.tmx", "pit.level.json"] {
        let mut on = moving_platforms(&sandbox, level);
        assert_eq!(on[0]["keys"].as_array().unwrap().len(), 5, "{level}: {on}");
        // 80 pixels at 40 pixels a second, twice, and a pause at each end.
        assert_eq!(on[0]["keys"][4][0], 2.0 * (120.0 + 60.0), "{level}");
        assert!(!on[0]["boards"].as_array().unwrap().is_empty(), "{level}");
        on[0]["marker"] = Value::Null;
        found.push(on);
    }
    assert_eq!(found[0], found[1]);
    let lint = sandbox.run("lint pit.tmx");
    assert!(!lint.stdout.contains("ferry"), "{}", lint.stdout);
}

#[test]
fn a_window_is_a_jump_that_a_program_can_repeat() {
    let sandbox = Sandbox::new();
    sandbox.write("pit.tmx", &tiled(FERRY));
    let on = moving_platforms(&sandbox, "pit.tmx");
    let mut boards = on[0]["boards"].as_array().unwrap().iter();
    let board = boards.find(|board| board["kind"] == "jump").unwrap();
    let window = &board["windows"][0];
    let number = |value: &Value| value.as_f64().unwrap();
    let (from, to) = (&window["from"], &window["to"]);
    assert_eq!([number(&from[1]), number(&to[1])], [160.0, 160.0]);
    let (across, ramp, time) = (
        number(&board["across"]),
        number(&board["ramp"]),
        number(&window["duration"]),
    );
    let way = if time < ramp {
        0.5 * across / ramp * time * time
    } else {
        across * (time - 0.5 * ramp)
    };
    assert!((number(&to[0]) - number(&from[0]) - way).abs() < 0.01);
}

/// What a level designer sees of the fixture: no findings, the next chance, the whole trip.
#[test]
fn a_ferry_and_a_lift_are_shown() {
    let sandbox = Sandbox::new();
    sandbox.fixture("moving.tmx");
    sandbox.fixture_at("moving.toml", "navbake.toml");
    let lint = sandbox.run("lint moving.tmx");
    assert_eq!(lint.code, 0, "{}", lint.stdout);
    let trip = "moving.tmx --agent runner --from spawn:start --to waypoint:top";
    let explain = sandbox.run(&format!("explain {trip}")).stdout;
    for text in ["a route leads there: ride ", " s on the clock"] {
        assert!(explain.contains(text), "{explain}");
    }
    let run = sandbox.fine(&format!("simulate {trip} --json -o ride.gif"));
    let mut rest = run.stdout.as_str();
    for event in ["boarded", "got_off", "boarded", "got_off", "arrived"] {
        let at = rest.find(event);
        rest = &rest[at.unwrap_or_else(|| panic!("{event}: {}", run.stdout)) + event.len()..];
    }
    sandbox.fine("render moving.tmx --agent runner");
}

#[test]
fn lint_names_what_is_not_supported() {
    let sandbox = Sandbox::new();
    for (properties, message) in [
        ("", "it has no way"),
        (
            r#"<property name="path" value="nowhere"/>"#,
            "is no line of class",
        ),
        (
            r#"<property name="path" type="object" value="4"/>"#,
            "its `speed` must be above 0",
        ),
        (
            &format!(r#"{FERRY}<property name="ease" value="bounce"/>"#),
            "its `ease` \"bounce\" is not supported",
        ),
        (
            &format!(r#"{FERRY}<property name="starts" value="on_ride"/>"#),
            "its `starts` \"on_ride\" is not supported",
        ),
        (
            &format!(r#"{FERRY}<property name="mode" value="once"/>"#),
            "its `mode` \"once\" is not supported",
        ),
        (
            r#"<property name="path" type="object" value="4"/>
<property name="speed" type="float" value="400"/>"#,
            "no agent can get on and off it",
        ),
    ] {
        sandbox.write("pit.tmx", &tiled(properties));
        let run = sandbox.run("lint pit.tmx");
        assert!(run.stdout.contains(message), "{message}: {}", run.stdout);
    }
}
