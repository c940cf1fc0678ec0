//! Levels that do not say what is solid are guessed, once for all levels, and `init` leads to
//! a configuration that says it.

use crate::sandbox;

use sandbox::{Sandbox, level};

/// A strict bake fails before, and not after `init`, which has a line and draws a picture.
fn init_settles(sandbox: &Sandbox, named: &str, line: &str) {
    let bake = |code: i32, option: &str| {
        let run = sandbox.run(&["bake", named, "-o", "out/", option]);
        assert_eq!(run.code, code, "{named}: {}", run.stderr);
        run.stderr
    };
    assert!(bake(0, "--force").contains("undecided, and taken for"));
    bake(1, "--strict");
    bake(1, "--check");
    sandbox.fine(&["init", named]);
    let text = sandbox.text("navbake.toml");
    assert!(text.contains(line), "{text}");
    let picture = image::open(sandbox.path("navbake-guesses.png")).unwrap();
    assert!(picture.width() >= 720 && picture.height() > 100);
    let settled = bake(0, "--strict");
    assert!(!settled.contains("undecided"), "{settled}");
    bake(0, "--check");
}

#[test]
fn init_proposes_what_is_solid_in_a_map() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "a.tmx",
        &level(&[]).replace("\"ground\"", "\"Tile Layer 1\""),
    );
    init_settles(
        &sandbox,
        "a.tmx",
        "solid = [\n  # layer \"Tile Layer 1\": 56 cells; ",
    );
}

#[test]
fn init_proposes_the_colours_of_a_bitmap() {
    let sandbox = Sandbox::new();
    let mut picture = image::RgbImage::from_pixel(320, 96, image::Rgb([90, 160, 240]));
    for (x, y, pixel) in picture.enumerate_pixels_mut() {
        if y > 40 {
            *pixel = image::Rgb([120, 80, 40]);
        } else if x == 3 && y == 3 {
            *pixel = image::Rgb([255, 240, 0]);
        }
    }
    picture.save(sandbox.path("a.png")).unwrap();
    init_settles(&sandbox, "a.png", "\"color:#785028\",");
}

#[test]
fn the_picture_of_guesses_replaces_no_other_file() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "a.tmx",
        &level(&[]).replace("\"ground\"", "\"Tile Layer 1\""),
    );
    let own = image::RgbImage::from_pixel(4, 4, image::Rgb([1, 2, 3]));
    own.save(sandbox.path("navbake-guesses.png")).unwrap();
    sandbox.run("init a.tmx");
    assert_eq!(
        image::open(sandbox.path("navbake-guesses.png"))
            .unwrap()
            .width(),
        4
    );
}

#[test]
fn what_many_levels_have_is_asked_about_once() {
    let sandbox = Sandbox::new();
    let unmarked = level(&[]).replace("\"ground\"", "\"art\"");
    for name in ["a.tmx", "b.tmx", "c.tmx"] {
        sandbox.write(name, &unmarked);
    }
    let run = sandbox.fine("bake . --json");
    assert_eq!(run.stderr.matches("undecided").count(), 1, "{}", run.stderr);
    // The data about each level has all of it.
    for line in run.stdout.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["undecided"][0]["guess"], "solid", "{line}");
        assert_eq!(line["undecided"][0]["rules"][0], "layer:art", "{line}");
    }
}

#[test]
fn agents_of_init_fit_the_level() {
    let sandbox = Sandbox::new();
    let spawn = "<objectgroup name=\"more\"><object type=\"spawn\" x=\"8\" width=\"8\" height=\"8\"><properties>\
                 <property name=\"agent\" value=\"imp\"/></properties></object>\
                 <object type=\"ladder\" x=\"8\" width=\"8\" height=\"64\"/></objectgroup></map>";
    sandbox.write("a.tmx", &level(&[]).replace("</map>", spawn));
    sandbox.fine("init a.tmx");
    let text = sandbox.text("navbake.toml");
    for part in [
        "name = \"imp\"",
        "# max_jump = [",
        "# acceleration = ",
        "\"ladder\"",
        "\"ceiling_climb\"",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(
        !text.contains("name = \"air\"") && !text.contains("\nmax_jump"),
        "{text}"
    );
    // What follows from another key follows it.
    sandbox.write(
        "navbake.toml",
        &text.replace("jump_height = 52.0", "jump_height = 80.0"),
    );
    let run = sandbox.fine("bake a.tmx -v");
    assert!(
        !run.stderr.contains("no higher than its max_jump"),
        "{}",
        run.stderr
    );
    sandbox.configure("[[agent]]\nname = \"imp\"\njump_height = 80.0\nmax_jump = [96, 52]\n");
    sandbox
        .run("bake a.tmx")
        .says("no higher than its max_jump, 52");
}

#[test]
fn init_lists_the_layers_and_tile_sizes_of_all_levels() {
    let sandbox = Sandbox::new();
    sandbox.write("a.tmx", &level(&[]));
    let larger = level(&[]).replace(
        "tilewidth=\"16\" tileheight=\"16\"",
        "tilewidth=\"32\" tileheight=\"32\"",
    );
    sandbox.write("b.tmx", &larger.replace("\"ground\"", "\"walls\""));
    sandbox.write("c.tmx", &level(&[(3, 3)]));
    let run = sandbox.fine("init . -o -");
    run.says("tiles of 16 x 16, 32 x 32 pixels");
    // The third level differs from the first only in the number of its tiles.
    assert_eq!(
        run.stdout.matches("#   tile layer \"ground\"").count(),
        1,
        "{}",
        run.stdout
    );
    assert_eq!(
        run.stdout.matches("#   tile layer \"walls\"").count(),
        1,
        "{}",
        run.stdout
    );
}

#[test]
fn init_reads_all_levels_of_a_project() {
    let sandbox = Sandbox::new();
    let layer = |cells: &str| {
        format!(
            r#"[{{"__identifier": "Grid", "__type": "IntGrid", "__cWid": 4, "__cHei": 2, "__gridSize": 16,
            "__pxTotalOffsetX": 0, "__pxTotalOffsetY": 0, "layerDefUid": 1, "intGridCsv": [{cells}]}}]"#
        )
    };
    let level = |name: &str, cells: &str| {
        let layers = layer(cells);
        format!(
            r#"{{"identifier": "{name}", "pxWid": 64, "pxHei": 32, "layerInstances": {layers}}}"#
        )
    };
    let project = format!(
        r##"{{"jsonVersion": "1.5.3", "defaultGridSize": 16, "defs": {{"layers": [{{"uid": 1, "identifier": "Grid",
        "__type": "IntGrid", "intGridValues": [{{"value": 1, "identifier": "grass", "color": "#00ff00"}}]}}]}},
        "levels": [{}, {}]}}"##,
        level("Title", "0,0,0,0,0,0,0,0"),
        level("First", "0,0,0,0,1,1,1,1")
    );
    sandbox.write("w.ldtk", &project);
    sandbox.exits(1, "bake w.ldtk#First -o a.navmesh --strict");
    sandbox.fine("init w.ldtk");
    let text = sandbox.text("navbake.toml");
    assert!(text.contains("  \"intgrid:grass\",\n]"), "{text}");
    sandbox.fine("bake w.ldtk#First -o a.navmesh --strict");
    // A configuration of another name is found only by `--config`.
    sandbox.fine("init w.ldtk -o agents.toml");
    let other = sandbox.text("agents.toml");
    let scope = "# It applies where `--config agents.toml` names it";
    assert!(
        other.contains(scope) && !other.contains("in this folder"),
        "{other}"
    );
    std::fs::remove_file(sandbox.path("agents.toml")).unwrap();
    // A folder stands for the levels in it.
    let run = sandbox.run("init . -o -");
    assert!(run.stdout.contains("intgrid:grass"), "{}", run.stdout);
    std::fs::remove_file(sandbox.path("navbake.toml")).unwrap();
    sandbox.write(
        "maps.world",
        r#"{"maps": [{"fileName": "a.tmx", "x": 0, "y": 0}]}"#,
    );
    sandbox.write("a.tmx", &sandbox::level(&[]));
    let run = sandbox.run("init maps.world");
    assert_eq!(
        (run.code, run.stderr.as_str()),
        (0, "navbake.toml: written\n")
    );
    let text = sandbox.text("navbake.toml");
    assert!(text.contains("cells solid"), "{text}");
}

#[test]
fn a_rule_that_matches_nothing_in_any_level_is_a_warning() {
    let sandbox = Sandbox::new();
    sandbox.write("a.tmx", &level(&[]));
    sandbox.write("b.tmx", &level(&[]).replace("\"ground\"", "\"rock\""));
    let toml = "[collision]\nsolid = [\"layer:rock\"]\nhazard = [\"layer:spikez\"]\n";
    sandbox.configure(toml);
    let run = sandbox.fine("bake . --json");
    run.says("layer:spikez");
    // The other rule matches in one of the levels.
    assert!(!run.stderr.contains("rule layer:rock"), "{}", run.stderr);
    assert_eq!(
        run.stderr.matches("layer:spikez").count(),
        1,
        "once per run"
    );
    // A run of one level reports both.
    let run = sandbox.run("bake a.tmx --force");
    for rule in ["layer:spikez", "layer:rock"] {
        run.says(rule);
    }
}

#[test]
fn lists_of_the_configuration_have_their_length() {
    let sandbox = Sandbox::new();
    sandbox.write("a.tmx", &level(&[]));
    for line in ["body = [8, 16, 8]", "body = [8]", "max_jump = [8, 16, 24]"] {
        sandbox.configure(&format!("[[agent]]\nname = \"a\"\n{line}\n"));
        let run = sandbox.run("bake a.tmx");
        assert_eq!(run.code, 2, "{line}");
        run.says("navbake.toml:3").says("numbers, not 2");
    }
    let large = "# comment\n".repeat(200_000);
    sandbox.configure(&large);
    sandbox.exits(2, "bake a.tmx").says("navbake.toml");
}

#[test]
fn a_bake_without_floor_warns_in_text_and_json() {
    let sandbox = Sandbox::new();
    let holes = level(&[]).replace("1,", "0,").replace(",1", ",0");
    sandbox.write("air.tmx", &holes.replacen("0,0", "1,0", 1));
    let run = sandbox.fine("bake air.tmx --json");
    run.says("warning: ").says("no floor");
    let json = run.json();
    let warnings = json["warnings"].to_string();
    assert!(warnings.contains("no floor"), "{json}");
    // Also when the file is up to date.
    let again = sandbox.run("bake air.tmx");
    again.says("no floor");
    sandbox.write("navbake.toml", "[lint]\noff = [\"no-floor\"]");
    let off = sandbox.run("bake air.tmx");
    assert!(!off.stderr.contains("no floor"), "{}", off.stderr);
}

#[test]
fn a_spawn_from_which_little_is_in_reach_is_noted() {
    let sandbox = Sandbox::new();
    sandbox.write("open.tmx", &level(&[]));
    let run = sandbox.fine("bake open.tmx");
    assert!(!run.stderr.contains("no spawn"), "{}", run.stderr);
    let closed = level(&[]).replace(r#"x="24" y="160""#, r#"x="264" y="64""#);
    sandbox.write("closed.tmx", &closed);
    let run = sandbox.fine("bake closed.tmx");
    run.says(
        "note: closed.tmx: no spawn of ground reaches 3 of its 4 platforms\nhelp: `navbake lint`",
    );
    sandbox.write("navbake.toml", "[lint]\noff = [\"unreachable-platform\"]");
    let run = sandbox.fine("bake closed.tmx --force");
    assert!(!run.stderr.contains("no spawn"), "{}", run.stderr);
}
