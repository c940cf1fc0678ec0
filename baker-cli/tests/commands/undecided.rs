//! Levels that do not say what is solid: `init` leads to a bake, and what has no
//! effect is reported.

use crate::sandbox;

use sandbox::{Sandbox, level};

/// The file that `init` wrote, with the proposed lines for `solid` and `empty`
/// in effect.
fn accepted(sandbox: &Sandbox) -> String {
    let text = sandbox.text("navbake.toml");
    let lines = text.lines().map(|line| {
        let proposal = line
            .strip_prefix("# ")
            .filter(|rest| rest.starts_with("solid = [") || rest.starts_with("empty = [\"color:"));
        proposal.unwrap_or(line)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Bakes fail before, and after `init` until the proposal is accepted.
fn init_helps(sandbox: &Sandbox, named: &str, listed: &str) {
    let bake = |code: i32| {
        let run = sandbox.run(&["bake", named, "-o", "out/"]);
        assert_eq!(run.code, code, "{named}: {}", run.stderr);
        run.stderr
    };
    assert!(bake(2).contains("help: "));
    let run = sandbox.fine(&["init", named]);
    run.says("help: choose");
    bake(2);
    let text = accepted(sandbox);
    assert!(text.contains(listed), "{text}");
    sandbox.configure(&text);
    bake(0);
}

#[test]
fn init_proposes_what_is_solid_in_a_map() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "a.tmx",
        &level(&[]).replace("\"ground\"", "\"Tile Layer 1\""),
    );
    init_helps(&sandbox, "a.tmx", "#   tile layer \"Tile Layer 1\"");
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
    init_helps(&sandbox, "a.png", "#   #785028 (17600 pixels)");
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
    sandbox.exits(2, "bake w.ldtk#First -o a.navmesh");
    sandbox.fine("init w.ldtk");
    let text = accepted(&sandbox);
    assert!(text.contains("# w.ldtk#First does not say"), "{text}");
    assert!(text.contains("solid = [\"intgrid:grass\"]"), "{text}");
    sandbox.configure(&text);
    sandbox.fine("bake w.ldtk#First -o a.navmesh");
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
