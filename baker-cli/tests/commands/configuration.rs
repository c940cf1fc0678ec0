//! Reading `navbake.toml`: values, defaults and errors.

use crate::sandbox::{Sandbox, level};

use std::fs;
use std::path::{Path, PathBuf};

use baker_cli::config::{Config, NAME, locate};
use navmesh_bake::Settings;
use navmesh_runtime::mesh::{EdgeSet, YAxis};

/// A configuration with most keys.
const EXAMPLE: &str = r#"
[level]
spacing = 16
link_stretch = 1.2
index_routes = true
y_axis = "up"
pixels_per_unit = 2.0
area = [0, 16, 320, 160]
[collision]
solid = ["layer:ground", "property:solid", "class:wall", "color:#000000"]
hazard = ["color:#ff0000"]
[[agent]]
name = "grunt"
preset = "ground"
body = [12, 22]
run_speed = 90
acceleration = 600
deceleration = 900
jump_height = 52
jump_time = 0.36
max_jump = [96, 52]
max_drop = [96, 240]
air_control = false
step_height = 4
max_slope = 45
edges = ["floor", "jump", "drop"]
[[agent]]
name = "bat"
preset = "air"
"#;

fn settings(text: &str, tile: Option<[u32; 2]>) -> Settings {
    Config::parse("navbake.toml", text.to_string())
        .and_then(|config| config.settings(tile))
        .unwrap_or_else(|e| panic!("{e}"))
}

fn error(text: &str) -> String {
    match Config::parse("levels/navbake.toml", text.to_string()) {
        Ok(_) => panic!("no error"),
        Err(e) => e.to_string(),
    }
}

#[test]
fn every_key_is_read() {
    let config = Config::parse("navbake.toml", EXAMPLE.to_string()).unwrap();
    let rules = config.rules();
    assert_eq!(rules.solid.len(), 4);
    assert_eq!(rules.solid[0].to_string(), "layer:ground");
    assert_eq!(rules.hazard[0].to_string(), "color:#ff0000");
    let settings = config.settings(Some([32, 32])).unwrap();
    assert_eq!(settings.spacing, Some(16.0));
    assert_eq!(settings.link_stretch, 1.2);
    assert!(settings.index_routes);
    assert_eq!(settings.units.y_axis, YAxis::Up);
    assert_eq!(settings.units.pixels_per_unit, 2.0);
    assert_eq!(settings.area.unwrap().max, glam::DVec2::new(320.0, 176.0));

    let grunt = &settings.agents[0];
    assert_eq!(grunt.name, "grunt");
    assert_eq!(grunt.body, [12.0, 22.0]);
    assert_eq!(
        (grunt.run_speed, grunt.acceleration, grunt.deceleration),
        (90.0, 600.0, 900.0)
    );
    assert_eq!(grunt.max_jump, [96.0, 52.0]);
    assert_eq!(grunt.max_drop, [96.0, 240.0]);
    assert!(!grunt.air_control);
    assert_eq!((grunt.step_height, grunt.max_slope), (4.0, 45.0));
    // g = 2h/t², v = g·t
    assert!((grunt.gravity - 104.0 / 0.1296).abs() < 1e-3);
    assert!((grunt.jump_speed - 104.0 / 0.36).abs() < 1e-4);

    // The second agent has only defaults. A tile is 32 / 2 world units.
    let bat = &settings.agents[1];
    assert_eq!(bat.body, [12.0, 12.0]);
    assert_eq!(bat.run_speed, 80.0);
    assert_eq!(bat.edges, EdgeSet::FLY);
}

#[test]
fn agents_are_derived_from_the_tile_size() {
    let settings = Config::default().settings(Some([32, 48])).unwrap();
    let [ground, air] = &settings.agents[..] else {
        panic!("two agents")
    };
    assert_eq!((ground.name.as_str(), air.name.as_str()), ("ground", "air"));
    assert_eq!(ground.body, [24.0, 32.0]);
    assert_eq!(ground.run_speed, 180.0);
    assert_eq!(ground.acceleration, 1200.0);
    assert_eq!(ground.deceleration, 1800.0);
    assert_eq!(ground.jump_height, 104.0);
    assert_eq!(ground.max_jump, [192.0, 104.0]);
    assert_eq!(ground.max_drop, [192.0, 480.0]);
    assert_eq!(ground.step_height, 8.0);
    assert_eq!(ground.max_slope, 50.0);
    assert!(ground.air_control);
    let walks = EdgeSet::FLOOR | EdgeSet::JUMP | EdgeSet::DROP | EdgeSet::PORTAL;
    assert_eq!(ground.edges, walks);
    assert_eq!(air.body, [24.0, 24.0]);
    assert_eq!(air.run_speed, 160.0);
    assert_eq!(air.edges, EdgeSet::FLY);
    assert!(ground.validate().is_ok() && air.validate().is_ok());

    // 16 pixels where the source has no tiles.
    let pixels = Config::default().settings(None).unwrap();
    assert_eq!(pixels.agents[0].body, [12.0, 16.0]);
}

#[test]
fn gravity_can_be_given_instead_of_time() {
    let agent = |rest: &str| settings(&format!("[[agent]]\nname = \"a\"\n{rest}"), None).agents;
    let with_gravity = &agent("jump_height = 50\ngravity = 400")[0];
    assert_eq!(with_gravity.gravity, 400.0);
    assert_eq!(with_gravity.jump_speed, 200.0);
    let no_jump = &agent("jump_height = 0\ngravity = 300")[0];
    assert_eq!((no_jump.gravity, no_jump.jump_speed), (300.0, 0.0));
    let no_jump = &agent("jump_height = 0")[0];
    assert!(no_jump.gravity > 100.0);
    // The default limit allows the whole jump over level ground.
    let fast = &agent("run_speed = 1000\njump_height = 50\ngravity = 400")[0];
    assert_eq!(fast.max_jump, [1000.0, 50.0]);
    // A step is at most half the body.
    let small = &agent("body = [4, 4]")[0];
    assert_eq!(small.step_height, 2.0);
}

#[test]
fn errors_name_the_line() {
    let agent = "[[agent]]\nname = \"a\"\n";
    let errors: Vec<String> = [
        "[level]\nspacing = -1".to_string(),
        "[level]\nlink_stretch = 0.5".to_string(),
        "[level]\nspaceing = 8".to_string(),
        "[level]\ny_axis = \"left\"".to_string(),
        "[level]\ny_axis = 3".to_string(),
        "[level]\nindex_routes = \"yes\"".to_string(),
        "level = 3".to_string(),
        "level = [1.0]".to_string(),
        "[[lint]]".to_string(),
        "[level]\narea = [0, 0, 0, 5]".to_string(),
        "[level".to_string(),
        "[collision]\nsolid = [\"layer:a\", \"ground\"]".to_string(),
        "[collision]\nwalls = []".to_string(),
        "[[agent]]\nbody = [1, 1]".to_string(),
        "[agent]\nname = \"a\"".to_string(),
        format!("{agent}preset = \"swim\""),
        format!("{agent}run_speed = -3"),
        format!("{agent}body = [12, nan]"),
        format!("{agent}body = [12, \"20\"]"),
        format!("{agent}body = 12"),
        format!("{agent}jump_speed = 330"),
        format!("{agent}speed = 80"),
        format!("{agent}air_jumps = -1"),
        format!("{agent}edges = [\"walk\"]"),
        format!("{agent}edges = []"),
        format!("{agent}edges = [3]"),
        format!("{agent}gravity = 9\njump_time = 1"),
        format!("{agent}jump_time = 0"),
        format!("{agent}jump_time = 360"),
        format!("{agent}jump_height = 0\njump_time = 1"),
        format!("{agent}jump_height = -1"),
        format!("{agent}max_fall_speed = 0.1"),
        format!("{agent}{agent}"),
        "[[agent]]\nname = \"\"".to_string(),
    ]
    .iter()
    .map(|text| error(text))
    .collect();
    insta::assert_snapshot!(errors.join("\n\n"));
}

#[test]
fn a_missing_file_is_named() {
    let e = Config::load(Path::new("no/such/navbake.toml")).unwrap_err();
    assert!(e.to_string().contains("no/such/navbake.toml"), "{e}");
}

#[test]
fn text_in_another_encoding_is_an_error_with_its_line() {
    let sandbox = Sandbox::new();
    let latin = b"[[agent]]\nname = \"k\xe4fer\"\n";
    std::fs::write(sandbox.path("navbake.toml"), latin).unwrap();
    sandbox.write("a.tmx", &level(&[]));
    let run = sandbox.exits(2, "bake a.tmx");
    run.says("navbake.toml:2: not UTF-8 text");
    let run = sandbox.run_with("bake a.tmx --config -", latin);
    assert_eq!(run.code, 2);
    run.says("stdin:2: not UTF-8 text");
}

/// Floors are walked only with the edge `floor`, which is easily left out beside others.
#[test]
fn an_agent_that_cannot_walk_on_floors_is_warned_about() {
    let sandbox = Sandbox::new();
    sandbox.write("a.tmx", &level(&[]));
    sandbox.configure("[[agent]]\nname = \"imp\"\nedges = [\"jump\", \"drop\"]\n");
    let run = sandbox.fine("bake a.tmx");
    run.says("agent \"imp\" stands on floors but never walks: add \"floor\" to its edges");
    let explained = sandbox.run("explain a.tmx --agent imp --from 24,160 --to 40,160");
    assert_eq!(explained.code, 1, "{}", explained.stdout);
    let why = "does not have the edge floor";
    assert!(explained.stdout.contains(why), "{}", explained.stdout);
    // Fliers need none.
    sandbox.configure("[[agent]]\nname = \"bat\"\nedges = [\"fly\", \"drop\"]\n");
    assert!(!sandbox.fine("bake a.tmx").stderr.contains("never walks"));
}

/// A check in a pipeline is often the only run whose output is read.
#[test]
fn advice_is_repeated_while_a_file_is_up_to_date() {
    let sandbox = Sandbox::new();
    sandbox.write("a.tmx", &level(&[]));
    sandbox.configure("[[agent]]\nname = \"imp\"\nedges = [\"jump\"]\n");
    for args in ["bake a.tmx", "bake a.tmx", "bake a.tmx --check"] {
        let run = sandbox.fine(args);
        assert_eq!(
            run.stderr.matches("never walks").count(),
            1,
            "{args}: {}",
            run.stderr
        );
    }
}

// Tiled stores the defaults of custom classes in its project, not in maps.
#[test]
fn a_map_is_baked_with_the_classes_of_its_project() {
    let sandbox = Sandbox::new();
    let rock = "<objectgroup name=\"things\"><object type=\"Gizmo\" x=\"8\" width=\"8\" height=\"8\"/></objectgroup></map>";
    sandbox.write("levels/one.tmx", &level(&[]).replace("</map>", rock));
    sandbox.fine("bake levels/one.tmx");
    sandbox.fine("bake --check levels/one.tmx");
    let project = r#"{"propertyTypes":[{"type":"class","name":"Gizmo","members":[{"name":"solid","type":"bool","value":true}]}]}"#;
    sandbox.write("game.tiled-project", project);
    sandbox.exits(1, "bake --check levels/one.tmx");
    sandbox.fine("bake levels/one.tmx --depfile one.d");
    assert!(sandbox.text("one.d").contains("game.tiled-project"));
}

#[test]
fn the_nearest_file_up_to_the_repository_is_used_from_every_folder() {
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path().canonicalize().unwrap();
    let game = root.join("game");
    let levels = game.join("art/levels");
    fs::create_dir_all(&levels).unwrap();
    fs::create_dir(game.join(".git")).unwrap();
    let level = levels.join("one.tmx");
    let is_found = |file: Option<PathBuf>| {
        for cwd in [&root, &game, &levels, Path::new("/")] {
            assert_eq!(locate(&level, cwd), file, "{}", cwd.display());
        }
    };
    fs::write(root.join(NAME), "").unwrap();
    is_found(None); // it is above the repository
    for folder in [&game, &game.join("art"), &levels] {
        fs::write(folder.join(NAME), "").unwrap();
        is_found(Some(folder.join(NAME)));
    }
    let outside = root.join("other/deep");
    fs::create_dir_all(&outside).unwrap();
    let found = locate(&outside.join("two.tmx"), &levels);
    assert_eq!(found, Some(root.join(NAME)));
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_found() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().canonicalize().unwrap().join(NAME);
    std::os::unix::fs::symlink("nowhere", &file).unwrap();
    let found = locate(&file.with_file_name("one.tmx"), Path::new("/"));
    assert_eq!(found, Some(file));
}

#[test]
fn a_relative_level_gets_a_relative_file() {
    let temp = tempfile::tempdir().unwrap();
    let cwd = temp.path().canonicalize().unwrap();
    let levels = cwd.join("levels");
    fs::create_dir_all(&levels).unwrap();
    fs::write(cwd.join(NAME), "").unwrap();
    for (level, cwd, file) in [
        ("levels/one.tmx", &cwd, "navbake.toml"),
        ("one.tmx", &levels, "../navbake.toml"),
        ("-", &levels, "../navbake.toml"),
        ("../levels/../levels/one.tmx", &levels, "../navbake.toml"),
    ] {
        assert_eq!(locate(Path::new(level), cwd), Some(PathBuf::from(file)));
    }
}
