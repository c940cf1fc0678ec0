//! What messages name exists, and two commands give one figure for one thing.

use crate::page;
use crate::sandbox;

use page::{has_node, run_page};
use sandbox::{Sandbox, level};
use serde_json::json;

/// A level of solid rectangles (x, y, width, height), and markers. Its size is in tiles of 16.
fn rooms(size: [usize; 2], solid: &[[f64; 4]], markers: &str) -> String {
    let [columns, rows] = size;
    let solid: Vec<String> = (100..)
        .zip(solid)
        .map(|(id, [x, y, width, height])| {
            format!(r#"<object id="{id}" x="{x}" y="{y}" width="{width}" height="{height}"/>"#)
        })
        .collect();
    format!(
        r#"<map orientation="orthogonal" width="{columns}" height="{rows}" tilewidth="16" tileheight="16">
 <objectgroup id="1" name="collision">{}</objectgroup>
 <objectgroup id="2" name="markers">{markers}</objectgroup>
</map>"#,
        solid.concat()
    )
}

fn spawn(name: &str, x: f64, y: f64) -> String {
    format!(r#"<object id="1" name="{name}" class="spawn" x="{x}" y="{y}"><point/></object>"#)
}

#[test]
fn a_spawn_of_an_agent_that_is_not_baked_is_a_warning_of_the_bake() {
    let sandbox = Sandbox::new();
    let property = r#"<properties><property name="agent" value="imp"/></properties><point/>"#;
    let wrong = level(&[]).replace("<point/>", property);
    sandbox.write("a.tmx", &wrong);
    let warning = "spawn \"player\" at 24,160: it is for the agent \"imp\", but no agent of this name is baked";
    sandbox.fine("bake a.tmx").says(warning);
    // `lint` has the same, and other mistakes at spawns are its own.
    let lint = sandbox.exits(1, "lint a.tmx").stdout;
    assert!(lint.contains(warning), "{lint}");
    sandbox.write("a.tmx", &level(&[]).replace("y=\"160\"", "y=\"170\""));
    let run = sandbox.fine("bake a.tmx");
    assert!(!run.stderr.contains("spawn \"player\""), "{}", run.stderr);
}

#[test]
fn every_kind_of_link_is_counted() {
    let sandbox = Sandbox::new();
    for name in ["movement.tmx", "movement.toml", "tiles.tsx", "tiles.png"] {
        sandbox.fixture(name);
    }
    let run = sandbox.fine("bake movement.tmx --config movement.toml");
    for kinds in [
        "drops through",
        "ladder links",
        "wall climbs",
        "ceiling climbs",
    ] {
        run.says(kinds);
    }
    sandbox.fine("bake movement.tmx --config movement.toml --json --force");
    // In a comparison, too.
    sandbox.write(
        "none.toml",
        "[[agent]]\nname = \"diver\"\nedges = [\"floor\", \"drop\"]\n",
    );
    sandbox.write(
        "all.toml",
        "[[agent]]\nname = \"diver\"\nedges = [\"floor\", \"drop\", \"drop_through\"]\n",
    );
    for config in ["none", "all"] {
        sandbox.fine(&format!(
            "bake movement.tmx --config {config}.toml -o {config}.navmesh"
        ));
    }
    let run = sandbox.exits(1, "diff all.navmesh none.navmesh");
    assert!(
        run.stdout.contains(" drops through removed"),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains("drop_throughs"), "{}", run.stdout);
}

#[test]
fn a_project_of_one_level_is_baked_to_a_file() {
    let sandbox = Sandbox::new();
    sandbox.fixture("mine.ldtk");
    let run = sandbox.exits(2, "bake mine.ldtk -o x.navmesh");
    run.says("this is the name of a baked file");
    // The same project with its first level alone.
    let mut project: serde_json::Value = serde_json::from_str(&sandbox.text("mine.ldtk")).unwrap();
    project["levels"].as_array_mut().unwrap().truncate(1);
    sandbox.write("one.ldtk", &project.to_string());
    sandbox.fine("bake one.ldtk -o x.navmesh");
    sandbox.fine("bake one.ldtk -o folder");
    let name = project["levels"][0]["identifier"].as_str().unwrap();
    let bytes = sandbox.bytes("x.navmesh");
    assert_eq!(bytes, sandbox.bytes(&format!("folder/one.{name}.navmesh")));
    assert_eq!(sandbox.fine("bake one.ldtk -o -").bytes, bytes);
}

/// A pit that can be entered from the floor of the spawn, and from a ledge that no spawn
/// reaches, whose links come first.
#[test]
fn the_way_into_a_trap_begins_where_the_spawn_leads() {
    let sandbox = Sandbox::new();
    let ledge = [0.0, 16.0, 96.0, 16.0];
    let floor = [240.0, 192.0, 240.0, 192.0];
    let bottom = [0.0, 368.0, 480.0, 16.0];
    let wall = [-16.0, 0.0, 16.0, 384.0];
    let stair = [192.0, 328.0, 48.0, 16.0];
    let steps = [[176.0, 288.0, 32.0, 8.0], [200.0, 240.0, 32.0, 8.0], stair];
    let markers = spawn("start", 400.0, 192.0);
    let solid = [ledge, floor, bottom, wall];
    let with_steps = [&solid[..], &steps].concat();
    sandbox.write("old.tmx", &rooms([30, 24], &with_steps, &markers));
    sandbox.write("new.tmx", &rooms([30, 24], &solid, &markers));
    sandbox.fine("bake old.tmx");
    sandbox.fine("bake new.tmx");
    let run = sandbox.exits(1, "diff old.navmesh new.navmesh --json");
    let json = run.json();
    let traps = json["agents"][0]["reach"]["traps"].as_array().unwrap();
    assert_eq!(traps.len(), 1, "{traps:?}");
    let entrance = &traps[0]["entered_by"];
    assert!(
        entrance["from"][1] == 192.0,
        "the ledge at y 16 is out of reach: {entrance}"
    );
}

#[test]
fn lines_keep_their_corners_in_a_page_of_a_large_level() {
    if !has_node("lines_keep_their_corners_in_a_page_of_a_large_level") {
        return;
    }
    let sandbox = Sandbox::new();
    let hill = r#"<object id="9" x="0" y="700"><polygon points="0,0 800,0 1200,-200 1600,0 3200,0 3200,60 0,60"/></object>"#;
    let map = rooms([200, 48], &[], "").replace("collision\">", &format!("collision\">{hill}"));
    sandbox.write("hill.tmx", &map);
    sandbox.configure("[[agent]]\nname = \"walker\"\nedges = [\"floor\"]\n");
    sandbox.fine("bake hill.tmx");
    sandbox.fine("view hill.navmesh -o hill.html");
    let answers = run_page(&sandbox.path("hill.html"), &json!([{"draw": true}]));
    let scale = answers[0]["view"]["scale"].as_f64().unwrap();
    assert!(scale < 4.0, "{scale}");
    // The one line is the floor: up, down and to its end.
    let corners = answers[0]["calls"]["lineTo"].as_u64().unwrap_or_default();
    assert!(corners >= 4, "{}", answers[0]);
}

#[test]
fn a_simulation_prints_its_events_and_on_demand_positions() {
    let sandbox = Sandbox::new();
    sandbox.write("a.tmx", &level(&[]));
    sandbox.fine("bake a.tmx");
    let trip = "simulate a.navmesh --agent ground --from 24,160 --to 296,160";
    let positions = |text: &str| text.lines().filter(|line| line.contains("units/s")).count();
    let run = sandbox.fine(trip);
    assert!(run.stdout.contains("jumped"), "{}", run.stdout);
    assert_eq!(positions(&run.stdout), 0, "{}", run.stdout);
    assert!(positions(&sandbox.fine(&format!("{trip} --sample 10")).stdout) > 10);
    let json = sandbox.fine(&format!("{trip} --json")).json();
    assert!(json["samples"].as_array().unwrap().len() > 10);
}

#[test]
fn explain_and_lint_give_one_tolerance() {
    let sandbox = Sandbox::new();
    let mut compared = 0;
    for gap in 60..100 {
        let gap = f64::from(gap);
        let solid = [[0.0, 192.0, 160.0, 64.0], [160.0 + gap, 192.0, 200.0, 64.0]];
        sandbox.write(
            "a.tmx",
            &rooms([30, 16], &solid, &spawn("start", 24.0, 192.0)),
        );
        let findings = sandbox.run("lint a.tmx").stdout;
        let Some(line) = findings
            .lines()
            .find(|line| line.contains("the only way to"))
        else {
            continue;
        };
        let lint = match line.split_once("with only ") {
            Some((_, rest)) => rest.split(' ').next().unwrap().to_owned(),
            None => "0.000".to_owned(),
        };
        let to = 160.0 + gap + 40.0;
        let trip = format!("explain a.tmx --agent ground --from 24,192 --to {to},192");
        let text = sandbox.fine(&trip).stdout;
        let (_, rest) = text.split_once("may begin ").unwrap();
        assert_eq!(
            rest.split(' ').next().unwrap(),
            lint,
            "gap {gap}: {line}; {text}"
        );
        compared += 1;
    }
    assert!(compared > 0);
}

#[test]
fn explain_names_the_key_that_forbids_a_move() {
    let sandbox = Sandbox::new();
    let agent = |more: &str| sandbox.configure(&format!("[[agent]]\nname = \"a\"\n{more}\n"));
    let gap = [[0.0, 192.0, 100.0, 64.0], [300.0, 192.0, 100.0, 64.0]];
    let high = [[0.0, 192.0, 100.0, 64.0], [110.0, 64.0, 100.0, 16.0]];
    let deep = [[0.0, 64.0, 100.0, 16.0], [110.0, 192.0, 200.0, 64.0]];
    let walker = "edges = [\"floor\"]";
    for (solid, from, to, more, key) in [
        (&gap, "50,192", "350,192", "", "(max_jump)"),
        (&gap, "50,192", "350,192", walker, "jump and drop in edges"),
        (&high, "50,192", "160,64", "", "(max_jump)"),
        (
            &high,
            "50,192",
            "160,64",
            "max_jump = [96, 200]\njump_height = 52",
            "(jump_height)",
        ),
        (
            &high,
            "50,192",
            "160,64",
            "edges = [\"floor\", \"drop\"]",
            "(jump in edges)",
        ),
        (
            &deep,
            "50,64",
            "160,192",
            "max_drop = [96, 100]",
            "(max_drop)",
        ),
        (
            &gap,
            "50,192",
            "350,192",
            "max_jump = [300, 52]\nmax_drop = [300, 200]",
            "run_speed",
        ),
    ] {
        sandbox.write("a.tmx", &rooms([30, 16], solid, ""));
        agent(more);
        let run = sandbox.exits(
            1,
            &format!("explain a.tmx --agent a --from {from} --to {to}"),
        );
        assert!(run.stdout.contains(key), "{more}: {}", run.stdout);
    }
    // One thing is one unit away.
    agent("");
    sandbox.write("a.tmx", &rooms([30, 16], &gap, ""));
    let run = sandbox.run("explain a.tmx --agent a --from 50,191 --to 350,192");
    assert!(!run.stdout.contains("1 units"), "{}", run.stdout);
}
