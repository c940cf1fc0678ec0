//! `navbake lint`, and `navbake path` with doors.

use crate::sandbox;

use std::fmt::Write as _;

use sandbox::{Run, Sandbox, level};
use serde_json::{Value, json};

/// The XML of an object with attributes and properties.
fn object(id: u32, attributes: &str, properties: &[(&str, &str)]) -> String {
    let mut text = format!("  <object id=\"{id}\" {attributes}>\n");
    if !properties.is_empty() {
        text.push_str("   <properties>\n");
        for (name, value) in properties {
            let _ = writeln!(text, "    <property name=\"{name}\" value=\"{value}\"/>");
        }
        text.push_str("   </properties>\n");
    }
    if !attributes.contains("width") {
        text.push_str("   <point/>\n");
    }
    text.push_str("  </object>\n");
    text
}

/// The level of the sandbox with more objects.
fn with(objects: &[String]) -> String {
    level(&[]).replace(
        " </objectgroup>",
        &format!("{} </objectgroup>", objects.concat()),
    )
}

/// A level with mistakes for most rules.
fn broken() -> String {
    with(&[
        object(2, "name=\"alone\" class=\"portal\" x=\"40\" y=\"160\"", &[]),
        object(
            3,
            "name=\"a\" class=\"portal\" x=\"56\" y=\"160\"",
            &[("to", "b")],
        ),
        object(4, "name=\"b\" class=\"portal\" x=\"184\" y=\"100\"", &[]),
        object(
            5,
            "name=\"deep\" class=\"waypoint\" x=\"40\" y=\"186\"",
            &[],
        ),
        object(
            6,
            "name=\"room\" class=\"waypoint\" x=\"264\" y=\"64\"",
            &[("pool", "ground")],
        ),
        object(7, "class=\"door\" x=\"60\" y=\"100\"", &[]),
        object(
            8,
            "name=\"fall\" class=\"spawn\" x=\"184\" y=\"150\"",
            &[("agent", "ground")],
        ),
    ])
}

fn findings(json: &str) -> Vec<Value> {
    let value: Value = serde_json::from_str(json).unwrap();
    value["findings"].as_array().unwrap().clone()
}

#[test]
fn findings_have_a_place_and_a_message() {
    let sandbox = Sandbox::new();
    sandbox.write("broken.tmx", &broken());
    let run = sandbox.exits(1, "lint broken.tmx");
    insta::assert_snapshot!("lint_broken", run.stdout);

    let json = sandbox.exits(1, "lint broken.tmx --json");
    let found = findings(&json.stdout);
    let of = |rule: &str| found.iter().filter(|f| f["rule"] == rule).count();
    let counts = [
        of("broken-portal"),
        of("broken-spawn"),
        of("broken-door"),
        of("unreachable-waypoint"),
    ];
    assert_eq!(counts, [2, 1, 1, 2], "{}", json.stdout);
    assert!(of("unreachable-platform") > 0);
    for finding in &found {
        assert!(finding["position"][0].is_f64() && finding["message"].is_string());
        assert_eq!(finding["file"], "broken.tmx");
    }
    let again = sandbox.run("lint broken.tmx --format json");
    assert_eq!(again.stdout, json.stdout);

    let github = sandbox.exits(1, "lint broken.tmx --format github");
    assert_eq!(github.stdout.lines().count(), found.len());
    let first = github.stdout.lines().next().unwrap();
    assert!(
        first.starts_with(
            "::error file=broken.tmx,title=navbake broken-spawn::spawn \"fall\" at 184,150"
        ),
        "{first}"
    );
}

/// All levels of a project are in one file, whose path GitHub only finds without `./`.
#[test]
fn annotations_of_a_project_name_the_level() {
    let sandbox = Sandbox::new();
    sandbox.fixture("mine.ldtk");
    sandbox.configure("[[agent]]\nname = \"imp\"\njump_height = 8\n");
    sandbox.fine("bake mine.ldtk");
    for args in [
        "lint ./mine.ldtk",
        "lint mine.Mine.navmesh mine.Shaft.navmesh",
    ] {
        let run = sandbox.exits(1, &format!("{args} --format github"));
        let titles: Vec<_> = (run.stdout.lines())
            .map(|line| line.rsplit("::").nth(1).unwrap_or_default())
            .collect();
        let of =
            |level| format!("warning file=mine.ldtk,title=navbake unreachable-platform in {level}");
        assert_eq!(titles, [of("Mine"), of("Shaft")]);
    }
}

#[test]
fn flags_that_are_neither_true_nor_false_are_found() {
    let sandbox = Sandbox::new();
    let portal = |number, name, to| {
        let place = format!(
            "name=\"{name}\" class=\"portal\" x=\"{}\" y=\"160\"",
            8 * number
        );
        object(number, &place, &[("to", to), ("one_way", "yes")])
    };
    let door = "name=\"gate\" class=\"door\" x=\"60\" y=\"100\" width=\"8\" height=\"60\"";
    sandbox.write(
        "a.tmx",
        &with(&[
            portal(5, "a", "b"),
            portal(7, "b", "a"),
            object(9, door, &[("closed", "ja")]),
        ]),
    );
    let run = sandbox.run("lint a.tmx").stdout;
    assert!(run.contains("its closed is \"ja\""), "{run}");
    assert_eq!(run.matches("its one_way is \"yes\"").count(), 2, "{run}");
}

// A bake also warns of broken portals.
#[test]
fn a_level_and_its_baked_file_have_the_same_findings() {
    let sandbox = Sandbox::new();
    sandbox.write("broken.tmx", &broken());
    let bake = sandbox.fine("bake broken.tmx --json");
    bake.says("warning: broken.tmx: portal \"alone\" at 40,160: it has no partner");
    let line = bake.json();
    assert_eq!(line["warnings"].as_array().unwrap().len(), 2);
    let level = sandbox.run("lint broken.tmx").stdout;
    let baked = sandbox.run("lint broken.navmesh").stdout;
    assert_eq!(level, baked.replace("broken.navmesh", "broken.tmx"));
    let stdin = sandbox.run_with("lint -", broken().as_bytes());
    assert_eq!(
        (stdin.code, stdin.stdout),
        (1, level.replace("broken.tmx", "stdin"))
    );
}

#[test]
fn a_level_without_mistakes_has_no_findings() {
    let sandbox = Sandbox::new();
    let open = level(&[]).replace("..............######\n", "....................\n");
    sandbox.write("tiny.tmx", &open);
    sandbox.configure("[lint]\noff = [\"unreachable-platform\"]\n");
    let run = sandbox.run("lint tiny.tmx");
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (0, "tiny.tmx: nothing found\n"),
        "{}",
        run.stderr
    );
    let found = sandbox.run("lint tiny.tmx --json");
    let none = json!({"findings": [], "failed": [], "files": 1, "errors": 0, "warnings": 0});
    assert_eq!((found.code, found.json()), (0, none));
}

#[test]
fn the_configuration_sets_severities() {
    let sandbox = Sandbox::new();
    sandbox.write("broken.tmx", &broken());
    sandbox.configure("[lint]\noff = [\"broken-portal\", \"unreachable-waypoint\"]\nerror = [\"broken-door\"]\nwarning = [\"broken-spawn\"]\n");
    let found = findings(&sandbox.run("lint broken.tmx --json").stdout);
    let severity = |rule: &str| {
        let one = found.iter().find(|f| f["rule"] == rule);
        one.map(|f| f["severity"].as_str().unwrap().to_owned())
    };
    assert_eq!(severity("broken-portal"), None);
    assert_eq!(severity("unreachable-waypoint"), None);
    assert_eq!(severity("broken-door").as_deref(), Some("error"));
    assert_eq!(severity("broken-spawn").as_deref(), Some("warning"));

    for (text, message) in [
        (
            "[lint]\noff = [\"traps\"]\n",
            "no.toml:2:8: unknown rule \"traps\"",
        ),
        (
            "[lint]\noff = [\"trap\"]\nerror = [\"trap\"]\n",
            "no.toml:3:10: the rule \"trap\" is listed twice",
        ),
        ("[lint]\ntolerance = -1\n", "no.toml:2:13: tolerance is -1"),
        ("[lint]\nmute = []\n", "no.toml:2:1: unknown field `mute`"),
    ] {
        sandbox.write("no.toml", text);
        let run = sandbox.run("lint broken.tmx --config no.toml");
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{text}");
        run.says(message);
    }
}

#[test]
fn markers_and_areas_turn_rules_off() {
    let sandbox = Sandbox::new();
    let off = [("lint_off", "broken-portal")];
    let room = "class=\"area\" x=\"220\" y=\"0\" width=\"100\" height=\"80\"";
    sandbox.write(
        "meant.tmx",
        &with(&[
            object(
                2,
                "name=\"alone\" class=\"portal\" x=\"40\" y=\"160\"",
                &off,
            ),
            object(3, "name=\"other\" class=\"portal\" x=\"56\" y=\"160\"", &[]),
            object(4, room, &[("lint_off", "trap, unreachable-platform")]),
        ]),
    );
    let found = findings(&sandbox.run("lint meant.tmx --json").stdout);
    let portals: Vec<_> = found
        .iter()
        .filter(|f| f["rule"] == "broken-portal")
        .collect();
    assert_eq!(portals.len(), 1, "{found:?}");
    assert_eq!(portals[0]["name"], "portal \"other\"");
    for finding in found.iter().filter(|f| f["rule"] == "unreachable-platform") {
        let [x, y] = [0, 1].map(|i| finding["position"][i].as_f64().unwrap());
        assert!(
            !((220.0..=320.0).contains(&x) && (0.0..=80.0).contains(&y)),
            "{finding}"
        );
    }
}

#[test]
fn an_unknown_rule_in_a_level_is_a_warning() {
    let sandbox = Sandbox::new();
    let off = [("lint_off", "broken_portal, all")];
    let portal = "name=\"alone\" class=\"portal\" x=\"40\" y=\"160\"";
    sandbox.write("meant.tmx", &with(&[object(2, portal, &off)]));
    let run = sandbox.run("lint meant.tmx");
    let warning =
        "meant.tmx: portal \"alone\": its lint_off has the unknown rule \"broken_portal\"";
    run.says(&format!(
        "warning: {warning}\nhelp: the rules are no-floor, "
    ));
    assert_eq!(run.stderr.matches("lint_off").count(), 1, "{}", run.stderr);
}

#[test]
fn one_unreadable_file_does_not_hide_the_others() {
    let sandbox = Sandbox::new();
    sandbox.write("broken.tmx", &broken());
    sandbox.write("bad.tmx", "<map");
    let run = sandbox.exits(2, "lint bad.tmx broken.tmx none.navmesh");
    assert!(run.stdout.contains("broken.tmx: ") && run.stderr.contains("none.navmesh"));
    sandbox.exits(2, "lint");
    sandbox.exits(2, "lint - -");
    sandbox.exits(2, "lint broken.tmx --json --format github");
}

/// A broken project of a folder is not passed over for baked files.
#[test]
fn levels_that_cannot_be_checked_are_in_every_format() {
    let sandbox = Sandbox::new();
    sandbox.write("levels/bad.tmx", "<map");
    sandbox.write("levels/fine.tmx", &level(&[]));
    let text = sandbox.exits(2, "lint levels");
    assert!(
        text.stdout.ends_with("levels/bad.tmx: not checked\n"),
        "{}",
        text.stdout
    );
    let json = sandbox.exits(2, "lint levels --json").json();
    assert_eq!(
        (&json["files"], &json["failed"][0]["file"]),
        (&1.into(), &"levels/bad.tmx".into())
    );
    let error = json["failed"][0]["error"].as_str().unwrap();
    assert!(error.starts_with("levels/bad.tmx:1: "), "{error}");
    let github = sandbox.exits(2, "lint levels --format github").stdout;
    let start = "::error file=levels/bad.tmx,title=navbake level not checked::levels/bad.tmx:1: ";
    assert!(github.starts_with(start), "{github}");

    sandbox.fine("bake levels/fine.tmx -o project/baked.navmesh");
    sandbox.write("project/broken.ldtk", "{");
    let github = sandbox.exits(2, "lint project --format github").stdout;
    assert!(
        github.starts_with("::error file=project/broken.ldtk,"),
        "{github}"
    );

    sandbox.fixture("mine.ldtk");
    sandbox.configure("[level]\nspacing = 1000\n");
    let github = sandbox.exits(2, "lint ./mine.ldtk --format github").stdout;
    assert_eq!(github.lines().count(), 2, "{github}");
    for (line, level) in github.lines().zip(["Mine", "Shaft"]) {
        let start = format!("::error file=mine.ldtk,title=navbake level not checked in {level}::");
        assert!(line.starts_with(&start), "{github}");
    }
}

// Doors are named on the command line.
#[test]
fn paths_avoid_closed_doors() {
    let sandbox = Sandbox::new();
    let gate = "name=\"gate\" class=\"Door\" x=\"80\" y=\"112\" width=\"8\" height=\"48\"";
    let hatch = "name=\"hatch\" class=\"door\" x=\"240\" y=\"80\" width=\"8\" height=\"80\"";
    sandbox.write(
        "doors.tmx",
        &with(&[
            object(2, gate, &[]),
            object(3, hatch, &[("closed", "true")]),
        ]),
    );
    sandbox.fine("bake doors.tmx");
    let path = |code: i32, to: &str| {
        let from = "path doors.navmesh --agent ground --from 24,160";
        sandbox.exits(code, &format!("{from} --to {to}"))
    };
    path(0, "136,160");
    let closed = path(1, "300,160");
    closed.says("note: doors that the level closes: hatch\nhelp: open one with --open NAME");
    path(0, "300,160 --open hatch");
    let trip = |more: &str| {
        let from = "path doors.navmesh --agent ground --from 24,160 --to 136,160 --json";
        sandbox.run(&format!("{from} {more}"))
    };
    let around = trip("--close gate");
    // The former name of the option.
    assert_eq!(trip("--closed gate").json(), around.json());
    let cost = |run: &Run| run.json()["cost"].as_f64().unwrap();
    assert!(around.code == 1 || cost(&around) > cost(&trip("")));
    let unknown = path(2, "136,160 --close gaet");
    unknown.says("no door is named \"gaet\"; the doors are: gate, hatch");
    path(2, "136,160 --close gate --open gate");
}

// Unknown classes are reported.
#[test]
fn inspect_counts_markers_by_class() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "marked.tmx",
        &with(&[
            object(2, "name=\"t\" class=\"torch\" x=\"40\" y=\"160\"", &[]),
            object(3, "name=\"w\" class=\"WAYPOINT\" x=\"40\" y=\"160\"", &[]),
        ]),
    );
    sandbox.fine("bake marked.tmx");
    let json: Value =
        serde_json::from_str(&sandbox.run("inspect marked.navmesh --json").stdout).unwrap();
    assert_eq!(
        json["markers"],
        serde_json::json!({"WAYPOINT": 1, "spawn": 1, "torch": 1})
    );
    assert_eq!(json["unknown_classes"], serde_json::json!(["torch"]));
    let text = sandbox.run("inspect marked.navmesh").stdout;
    assert!(
        text.contains("torch                 1  (not a class of the runtime"),
        "{text}"
    );
}

#[test]
fn a_level_without_floor_or_space_is_reported() {
    let sandbox = Sandbox::new();
    let cells: Vec<_> = (0..20).flat_map(|x| (0..12).map(move |y| (x, y))).collect();
    sandbox.write("rock.tmx", &sandbox::level(&cells));
    // A layer that fills the whole map is solid only where a rule says so.
    sandbox.configure("[collision]\nsolid = [\"layer:ground\", \"color:#000000\"]\n");
    let holes = sandbox::level(&[]).replace("1,", "0,").replace(",1", ",0");
    // The top of a tile in the top row is above the grid.
    sandbox.write("air.tmx", &holes.replacen("0,0", "1,0", 1));
    let lint = |file: &str| {
        let run = sandbox.run(&["lint", file, "--json"]);
        let of_rule = |f: &Value| f["rule"] == "no-floor" && f["agent"] == "ground";
        let found = findings(&run.stdout).into_iter().find(of_rule);
        found.expect(&run.stdout)["message"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert!(
        lint("rock.tmx").starts_with("100 % of the level"),
        "{}",
        lint("rock.tmx")
    );
    assert!(lint("air.tmx").contains("no floor"), "{}", lint("air.tmx"));
    sandbox.write("fine.tmx", &sandbox::level(&[]));
    assert!(!sandbox.run("lint fine.tmx").stdout.contains("no-floor"));

    // A picture with one pixel per tile: every body is larger than the level.
    let mut mask = image::RgbaImage::new(40, 12);
    for x in 0..40 {
        mask.put_pixel(x, 0, image::Rgba([0, 0, 0, 255]));
        mask.put_pixel(x, 11, image::Rgba([0, 0, 0, 255]));
    }
    mask.save(sandbox.path("mask.png")).unwrap();
    assert!(lint("mask.png").contains("0.0625"), "{}", lint("mask.png"));
    // A drawing is too large for that.
    let line = image::RgbaImage::from_fn(1600, 40, |_, y| {
        image::Rgba([0, 0, 0, if y == 0 { 255 } else { 0 }])
    });
    line.save(sandbox.path("line.png")).unwrap();
    assert!(lint("line.png").ends_with("and the size of the body"));
    let bake = sandbox.fine("bake mask.png -o mask.navmesh");
    bake.says("pixels_per_unit");
    // Commands that bake in memory warn too.
    sandbox
        .fine("render mask.png -o mask-render.png")
        .says("pixels_per_unit");
    // The advised line is enough: a pixel is then a tile of the default agents.
    sandbox.configure("[level]\npixels_per_unit = 0.0625\n");
    let bake = sandbox.run("bake mask.png -o mask.navmesh");
    assert!(!bake.stderr.contains("warning"), "{}", bake.stderr);
    let lint = sandbox.run("lint mask.png --json").stdout;
    assert!(!lint.contains("no-floor"), "{lint}");
}

#[test]
fn a_folder_stands_for_its_levels() {
    let sandbox = Sandbox::new();
    sandbox.write("levels/a/broken.tmx", &broken());
    sandbox.write("levels/fine.tmx", &sandbox::level(&[]));
    let json = sandbox.run("lint levels --json");
    let value = json.json();
    assert_eq!((json.code, &value["files"]), (1, &2.into()));
    assert!(
        findings(&json.stdout)
            .iter()
            .any(|f| f["file"] == "levels/a/broken.tmx")
    );
}

// Names come from levels: `&#155;` begins a sequence that steers a terminal.
#[test]
fn names_of_a_level_begin_no_line_and_steer_no_terminal() {
    let sandbox = Sandbox::new();
    let evil = "x&#10;::error::forged&#155;2J";
    let mut level =
        sandbox::level(&[]).replace("name=\"ground\"", &format!("name=\"ground {evil}\""));
    level = level.replace(
        "name=\"player\" class=\"spawn\"",
        &format!("name=\"{evil}\" class=\"{evil}\""),
    );
    let door = format!(
        "<point/></object><object id=\"2\" name=\"{evil}\" class=\"door\" x=\"0\" y=\"0\"><point/></object>"
    );
    level = level.replace("<point/></object>", &door);
    sandbox.write("evil.tmx", &level);
    sandbox.write("rules.toml", "[collision]\nsolid = [\"property:none\"]\n");
    for args in [
        "inspect evil.tmx",
        "lint evil.tmx",
        "lint evil.tmx --format github",
        "dump evil.tmx",
        "bake evil.tmx -v -o out.navmesh",
        "diff evil.tmx evil.tmx",
        "path evil.tmx --agent ground --from door:x --to 0,0",
        "bake evil.tmx --config rules.toml -o none.navmesh",
    ] {
        let mut args = args.to_owned();
        if !args.contains("--config") {
            sandbox.write(
                "any.toml",
                "[collision]\nsolid = [\"layer:ground x\\n::error::forged\\u009b2J\"]\n",
            );
            args += " --config any.toml";
        }
        let run = sandbox.run(args.as_str());
        let text = format!("{}{}", run.stdout, run.stderr);
        assert!(!text.contains('\u{9b}'), "{args:?}: {text}");
        let forged =
            |line: &str| line.trim_start().starts_with("::") && !line.contains(",title=navbake ");
        assert!(!text.lines().any(forged), "{args:?}: {text}");
    }
}

// The floor's top is at y 160, and the spacing is 8.
#[test]
fn a_spawn_in_the_floor_is_judged_as_the_runtime_judges_it() {
    let sandbox = Sandbox::new();
    let mut broken = Vec::new();
    for depth in [0.0, 1.9, 2.1, 6.0, 14.0] {
        let y = 160.0 + depth;
        let level = sandbox::level(&[]).replace("y=\"160\"", &format!("y=\"{y}\""));
        sandbox.write("spawn.tmx", &level);
        let lint = sandbox.run("lint spawn.tmx --json");
        broken.push(
            findings(&lint.stdout)
                .iter()
                .any(|f| f["rule"] == "broken-spawn"),
        );
        let run = |command: &str| {
            let trip = "--agent ground --from spawn:player --to 100,160";
            let run = sandbox.run(&format!("{command} spawn.tmx --json {trip}"));
            (run.code, run.json())
        };
        let ((path, route), (simulate, run)) = (run("path"), run("simulate"));
        assert_eq!(path, simulate, "{depth}: {route} {run}");
        // Both begin at the same place.
        if path == 0 {
            assert_eq!(
                route["steps"][0]["from"], run["samples"][0]["at"],
                "{depth}"
            );
        }
    }
    assert_eq!(broken, [false, false, true, true, true]);
}

/// Without a spawn, nothing is known to be reachable: a clean report must not look
/// as if it was.
#[test]
fn levels_without_a_spawn_are_named() {
    let sandbox = Sandbox::new();
    let with_spawn = level(&[]);
    let without = with_spawn.replace("spawn", "start");
    assert_ne!(with_spawn, without);
    sandbox.write("in/a.tmx", &with_spawn);
    sandbox.write("in/b.tmx", &without);
    sandbox.write("in/c.tmx", &without);
    let note = "no marker of class `spawn`: unreachable floor is not looked for\n\
                help: give the class `spawn` to the object where the player begins";
    sandbox
        .run("lint in")
        .says(&format!("b.tmx and 1 more have {note}"));
    sandbox
        .run("lint in/b.tmx")
        .says(&format!("b.tmx has {note}"));
    assert!(
        !sandbox
            .run("lint in/a.tmx")
            .stderr
            .contains("class `spawn`")
    );
}

/// Two floors that only jumps from one to the other join, behind a gap that is too wide.
#[test]
fn a_lost_part_is_shown_where_a_way_to_it_is_needed() {
    let row = |solid: &[(usize, usize)]| {
        let cell = |x| {
            if solid.iter().any(|(from, end)| (*from..*end).contains(&x)) {
                "1,"
            } else {
                "0,"
            }
        };
        (0..60).map(cell).collect::<String>()
    };
    let (air, ledge, floor) = (row(&[]), row(&[(50, 54)]), row(&[(0, 10), (30, 60)]));
    let mut rows = vec![air; 10];
    rows[2] = ledge;
    rows[9] = floor;
    let cells = rows.join("\n");
    let spawn = object(1, "type=\"spawn\" x=\"24\" y=\"144\"", &[]);
    let map = format!(
        "<map version=\"1.10\" orientation=\"orthogonal\" width=\"60\" height=\"10\" tilewidth=\"16\" \
         tileheight=\"16\" infinite=\"0\"><tileset firstgid=\"1\" name=\"t\" tilewidth=\"16\" tileheight=\"16\" \
         tilecount=\"1\" columns=\"1\"/><layer id=\"1\" name=\"ground\" width=\"60\" height=\"10\"><data \
         encoding=\"csv\">{}</data></layer><objectgroup id=\"2\" name=\"o\">{spawn}</objectgroup></map>",
        cells.trim_end_matches(',')
    );
    let sandbox = Sandbox::new();
    sandbox.write("gap.tmx", &map);
    let found = findings(&sandbox.run("lint gap.tmx --json").stdout);
    let lost: Vec<_> = (found.iter().filter(|f| f["rule"] == "unreachable-platform")).collect();
    let [lost] = lost[..] else {
        panic!("{found:#?}");
    };
    // The ledge leads down to the floor, which has most of the group and no way up.
    let message = lost["message"].as_str().unwrap();
    let [x, y] = [0, 1].map(|i| lost["position"][i].as_f64().unwrap());
    assert!((474.0..=480.0).contains(&x) && y == 144.0, "{lost:#?}");
    for part in [
        "and 1 other linked to it",
        "in reach is at 16",
        "makes none of the others reachable",
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
}

/// The rectangle around the ends of a hill would not hold its top.
#[test]
fn the_nearest_place_in_reach_may_be_the_top_of_a_hill() {
    let hill = "<object id=\"2\"><polygon points=\"0,160 96,160 160,96 224,160 320,160 320,200 0,200\"/></object>";
    let island = "<object id=\"3\" x=\"140\" y=\"16\" width=\"40\" height=\"8\"/>";
    let spawn = object(1, "type=\"spawn\" x=\"24\" y=\"160\"", &[]);
    let map = format!(
        "<map version=\"1.10\" orientation=\"orthogonal\" width=\"20\" height=\"13\" tilewidth=\"16\" \
         tileheight=\"16\" infinite=\"0\"><objectgroup id=\"1\" name=\"collision\">{hill}{island}</objectgroup>\
         <objectgroup id=\"2\" name=\"o\">{spawn}</objectgroup></map>"
    );
    let sandbox = Sandbox::new();
    sandbox.write("hill.tmx", &map);
    let found = findings(&sandbox.run("lint hill.tmx --json").stdout);
    let lost = found.iter().find(|f| f["rule"] == "unreachable-platform");
    let message = lost.and_then(|f| f["message"].as_str()).unwrap_or_default();
    let place = message
        .split_once("in reach is at ")
        .map_or("", |(_, rest)| rest);
    let place = place.split(':').next().unwrap_or_default();
    let [x, y] = [0, 1].map(|i| place.split(',').nth(i).and_then(|n| n.parse::<f64>().ok()));
    // A body as wide as the top is narrow stands a little beside it.
    let is_top = |x: f64, y: f64| (x - 160.0).abs() < 16.0 && y < 110.0;
    assert!(x.zip(y).is_some_and(|(x, y)| is_top(x, y)), "{found:#?}");
}
