//! Levels in other formats than those of Tiled and LDtk work with every command.

use crate::sandbox;

use sandbox::Sandbox;
use serde_json::json;

const TEXT: &str = "............\n............\nS...--......\n....^...#..D\n############\n";

const JSON: &str = r#"{"navbake_level": 1, "y_axis": "up", "pixels_per_unit": 16, "cell_size": 1,
"shapes": [{"kind": "solid", "box": [0, 0, 12, 1]}, {"kind": "one_way", "box": [4, 3, 2, 0.5]}],
"markers": [{"class": "spawn", "name": "hero", "at": [1, 1]}], "bounds": [0, 0, 12, 8]}"#;

const SCENE: &str = "[gd_scene format=3]\n[sub_resource type=\"RectangleShape2D\" id=\"a\"]\nsize = Vector2(192, 16)\n\
    [node name=\"A\" type=\"StaticBody2D\"]\n[node name=\"B\" type=\"CollisionShape2D\" parent=\".\"]\nshape = SubResource(\"a\")\n\
    [node name=\"Spawn\" type=\"Marker2D\" parent=\".\"]\nposition = Vector2(0, -40)\n";

fn files() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", TEXT);
    sandbox.write("b.csv", "0,0,0\n0,0,0\n0,0,0\n1,1,1\n");
    sandbox.write("c.level.json", JSON);
    sandbox.write("d.tscn", SCENE);
    let rows = "00".repeat(128) + "\n" + &"01".repeat(128);
    let cartridge = format!("pico-8 cartridge\n__gff__\n0001\n__map__\n{rows}\n");
    sandbox.write("e.p8", &cartridge);
    sandbox.configure("[legend]\n1 = \"solid\"\n\"flag:0\" = \"solid\"\nuse = \"plain\"\n");
    sandbox
}

#[test]
fn all_formats_are_baked_drawn_and_compared() {
    let sandbox = files();
    let all = ["a.txt", "b.csv", "c.level.json", "d.tscn", "e.p8"];
    for level in all {
        let baked = sandbox.fine(&["bake", level, "--json"]).json_lines();
        assert_eq!(baked[0]["status"], "written", "{level}");
        assert!(
            baked[0]["agents"][0]["platforms"].as_u64() >= Some(1),
            "{level}"
        );
        sandbox.fine(&["bake", "--check", level]);
        sandbox
            .fine(&["render", level, "--over"])
            .says("levels of this format have no pictures");
        sandbox.fine(&["view", level]);
        let compared = sandbox.fine(&["diff", level, level, "--json"]).json();
        assert_eq!(compared["same"], json!(true), "{level}");
    }
    // Folders hold other text files too.
    let folder = sandbox.exits(2, "bake .");
    folder.says("those with json, png, txt, csv, p8, tscn that --include names");
    let run = sandbox.fine("bake . --include *.txt --include *.tscn --json");
    let levels: Vec<_> = run
        .json_lines()
        .iter()
        .map(|line| line["level"].clone())
        .collect();
    assert_eq!(levels, ["a.txt", "d.tscn"]);
    let edited = TEXT.replace("S...--", "S.....");
    sandbox.write("edited.txt", &edited);
    sandbox.exits(1, "diff a.txt edited.txt");
}

/// What the file says of units holds without a configuration, and a configuration changes
/// it.
#[test]
fn coordinates_are_those_of_the_file() {
    let sandbox = files();
    let last = |to: &str| {
        let way = format!("path c.level.json --agent ground --from spawn:hero --to {to} --json");
        let steps = sandbox.fine(&way).json()["steps"].clone();
        steps.as_array().unwrap().last().unwrap()["to"].clone()
    };
    assert_eq!(last("10,1"), json!([10.0, 1.0]));
    sandbox.configure("[level]\npixels_per_unit = 32\n");
    assert_eq!(last("5,0.5"), json!([5.0, 0.5]));
}

#[test]
fn levels_from_stdin_are_recognized() {
    let sandbox = files();
    for (file, named) in [
        ("a.txt", "stdin.txt"),
        ("c.level.json", "stdin.tmj"),
        ("d.tscn", "stdin.tscn"),
        ("e.p8", "stdin.p8"),
    ] {
        let run = sandbox.run_with("bake - -o out.navmesh --json", &sandbox.bytes(file));
        assert_eq!(run.code, 0, "{file}: {}", run.stderr);
        let summary = sandbox.fine("inspect out.navmesh --json").json();
        assert_eq!(summary["source"], named);
    }
}

#[test]
fn mistakes_in_the_legend_name_the_line() {
    let sandbox = files();
    for (text, part) in [
        (
            "[legend]\n\"#\" = \"sold\"\n",
            "\"#\": \"sold\" is no meaning of a cell: write solid",
        ),
        (
            "[legend]\nuse = \"doom\"\n",
            "\"doom\" is no built-in legend: these are plain, super-mario-bros",
        ),
        ("[level]\ncell_size = 0\n", "navbake.toml:2:"),
        ("[legend]\n\"#\" = 1\n", "navbake.toml:2:"),
    ] {
        sandbox.configure(text);
        sandbox.exits(2, "bake a.txt").says(part);
    }
}

/// A level that `level` writes bakes to the same mesh: all floors, slopes, one-way platforms,
/// doors and links are in it.
#[test]
fn a_level_that_is_written_bakes_to_the_same_mesh() {
    let sandbox = files();
    let fixtures = [
        "ledges.tmx",
        "movement.tmx",
        "portals.tmx",
        "rooms.tmx",
        "dungeon.tmx",
    ];
    for fixture in fixtures {
        sandbox.fixture(fixture);
    }
    sandbox.fixture("tiles.tsx");
    for level in ["a.txt", "c.level.json", "d.tscn", "e.p8"]
        .iter()
        .chain(&fixtures)
    {
        let written = sandbox.fine(&["level", level, "--quiet"]);
        sandbox.write("written.level.json", &written.stdout);
        let dumps = [*level, "written.level.json"].map(|level| {
            let dump = sandbox.fine(&["dump", level, "--quiet"]).stdout;
            // All but the name and the fingerprint of the level.
            let lines = dump.lines().filter(|line| !line.starts_with("source"));
            lines.map(str::to_owned).collect::<Vec<_>>()
        });
        let [own, written] = dumps;
        assert!(own == written, "{level}");
    }
    sandbox.fine(&["bake", "a.txt", "-o", "a.navmesh"]);
    sandbox
        .exits(2, &["level", "a.navmesh"])
        .says("a baked file has no collision");
}
