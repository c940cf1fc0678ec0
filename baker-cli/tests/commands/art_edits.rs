//! Edits that change nothing for agents do not change a byte of a baked file.

use crate::sandbox;

use sandbox::{Sandbox, level_with_tileset, tileset};

fn bake(sandbox: &Sandbox, level: &str) -> String {
    let run = sandbox.fine(&["bake", level]);
    run.stderr
}

#[test]
fn art_comments_and_names_of_layers_do_not_change_a_byte() {
    let sandbox = Sandbox::new();
    let level = level_with_tileset(&[]);
    sandbox.write("a.tmx", &level);
    sandbox.write("tiles.tsx", &tileset("rock"));
    bake(&sandbox, "a.tmx");
    let baked = sandbox.bytes("a.navmesh");

    let decoration = r#" <tileset firstgid="2" name="art" tilewidth="16" tileheight="16" tilecount="4" columns="4"/>
 <layer id="9" name="grass" width="20" height="12">
  <data encoding="csv">
"#;
    let cells = vec!["2"; 240].join(",");
    let with_art = level
        .replace(
            " <layer id=\"1\"",
            &format!("{decoration}{cells}\n</data>\n </layer>\n <layer id=\"1\""),
        )
        .replace("tintcolor", "");
    for (what, map, tiles) in [
        (
            "a layer of decoration with a tileset of its own",
            with_art,
            tileset("rock"),
        ),
        (
            "another layer name of the same meaning",
            level.replace("\"ground\"", "\"Walls\""),
            tileset("rock"),
        ),
        (
            "a comment in the map",
            level.replace("<layer ", "<!-- todo --><layer "),
            tileset("rock"),
        ),
        (
            "a colour of the map",
            level.replace("<map ", "<map backgroundcolor=\"#102030\" "),
            tileset("rock"),
        ),
        (
            "a comment in the tileset",
            level.clone(),
            tileset("rock").replace("<tileset", "<!-- x -->\n<tileset"),
        ),
        ("the name of the tileset", level.clone(), tileset("stone")),
    ] {
        assert!(map != level || tiles != tileset("rock"), "{what}");
        sandbox.write("a.tmx", &map);
        sandbox.write("tiles.tsx", &tiles);
        let check = sandbox.run("bake a.tmx --check");
        assert_eq!(check.code, 0, "{what}: {}", check.stderr);
        let run = sandbox.run("bake a.tmx --force");
        assert!(
            run.stderr.contains("a.navmesh: unchanged"),
            "{what}: {}",
            run.stderr
        );
        assert_eq!(sandbox.bytes("a.navmesh"), baked, "{what}");
    }
    // What agents notice makes it stale: a tile, a marker, the size.
    for (what, map) in [
        ("a solid tile", level_with_tileset(&[(5, 5)])),
        ("a marker", level.replace("x=\"24\"", "x=\"40\"")),
        (
            "the tile size",
            level.replace("tileheight=\"16\" infinite", "tileheight=\"8\" infinite"),
        ),
    ] {
        sandbox.write("a.tmx", &map);
        let check = sandbox.run("bake a.tmx --check");
        assert_eq!(check.code, 1, "{what}: {}", check.stderr);
    }
}

#[test]
fn an_edit_of_one_ldtk_level_makes_only_that_level_stale() {
    let sandbox = Sandbox::new();
    sandbox.fixture("mine.ldtk");
    bake(&sandbox, "mine.ldtk");
    let project = sandbox.text("mine.ldtk");
    let mut json: serde_json::Value = serde_json::from_str(&project).unwrap();
    let layers = json["levels"][1]["layerInstances"].as_array_mut().unwrap();
    let cells = (layers.iter_mut())
        .find_map(|layer| {
            layer["intGridCsv"]
                .as_array_mut()
                .filter(|cells| !cells.is_empty())
        })
        .unwrap();
    // Swaps a solid cell with an empty one.
    let solid = cells.iter().position(|cell| cell == 1).unwrap();
    let empty = cells.iter().position(|cell| cell == 0).unwrap();
    cells.swap(solid, empty);
    sandbox.write("mine.ldtk", &json.to_string());
    let run = sandbox.exits(1, "bake mine.ldtk --check --json");
    let statuses: Vec<_> = (run.json_lines().iter())
        .map(|line| format!("{} {}", line["level"], line["status"]))
        .collect();
    assert_eq!(
        statuses,
        [
            "\"mine.ldtk#Mine\" \"unchanged\"",
            "\"mine.ldtk#Shaft\" \"stale\""
        ]
    );
}
