//! Levels as strangers draw them bake right, or a warning says why not.

use baker_cli::source::LevelFile;
use baker_cli::source::{MemoryFiles, Rules, SourceError, read_bytes};
use navmesh_bake::{Material, PassDirection};

use crate::maps::*;

/// A 4 x 1 map with these layers, from the bottom up.
fn layers(tiles: &str, list: &[(&str, &str)]) -> LevelFile {
    let cells = |(name, cells): &(&str, &str)| layer(name, 4, 1, cells);
    let content: String = list.iter().map(cells).collect();
    read(&map(4, 1, &(tileset(tiles) + &content))).unwrap()
}

/// Four tiles with these properties, each `name=value`.
fn tiles(properties: [&str; 4]) -> String {
    let tile = |(id, property): (usize, &&str)| {
        let Some((name, value)) = property.split_once('=') else {
            return format!("<tile id=\"{id}\" type=\"{property}\"/>");
        };
        format!(
            "<tile id=\"{id}\"><properties><property name=\"{name}\" value=\"{value}\"/></properties></tile>"
        )
    };
    properties.iter().enumerate().map(tile).collect()
}

fn warned(level: &LevelFile, parts: &[&str]) {
    let found = level.warnings.iter();
    let mut found = found.filter(|warning| parts.iter().all(|part| warning.contains(part)));
    assert!(found.next().is_some(), "{parts:?}: {:#?}", level.warnings);
}

fn row(level: &LevelFile) -> String {
    first_row(level)
}

#[test]
fn one_table_of_words_for_names_classes_and_properties() {
    for (name, expected) in [
        ("Colliders", "####"),
        ("Hitboxes", "####"),
        ("Blocks", "####"),
        ("solid-objects", "####"),
        ("Platform_Layer", "####"),
        ("Don't Touch", "^^^^"),
        ("Spikes", "^^^^"),
        ("Ladders", "HHHH"),
        ("jumpThrough", "----"),
    ] {
        let solid = ("walls", "0,0,0,0");
        let level = layers("", &[(name, "1,2,3,4"), solid]);
        assert_eq!(row(&level), expected, "{name}");
        assert_eq!(
            level
                .warnings
                .iter()
                .filter(|w| !w.contains("stand on"))
                .count(),
            0
        );
    }
    for (properties, expected) in [
        (
            ["isSpike=true", "blocked=", "collide=True", "soild=true"],
            "^##.",
        ),
        (
            [
                "type=ladder",
                "nez:isOneWayPlatform=true",
                "kind=x.Lava",
                "Wall",
            ],
            "H-^#",
        ),
        (
            [
                "isLethal=true",
                "Climbables",
                "jump_through=true",
                "nocollide=true",
            ],
            "^H-.",
        ),
        (
            ["unisolid=true", "solid=true", "spike=true", "ladder=true"],
            "-#^H",
        ),
        // Some games leave the class empty, and have a property for the name.
        (
            ["name=Solid", "name=Platform", "Name=Spikes", "name=Coin"],
            "#-^.",
        ),
        // Members of classes are named after them.
        (
            [
                "physics.solid=true",
                "tile.one_way=true",
                "one_way.left=true",
                "tile_type=Spikes",
            ],
            "#-<^",
        ),
    ] {
        let level = layers(&tiles(properties), &[("x", "1,2,3,4")]);
        assert_eq!(row(&level), expected, "{properties:?}");
    }
    let hinted = tiles(["my_collision=true", "", "", ""]);
    for name in ["Decoration", "x"] {
        warned(
            &layers(&hinted, &[(name, "1,0,0,0"), ("walls", "0,0,0,4")]),
            &["if the name means it, solid = [\"property:my_collision\"]"],
        );
    }
    let soild = tiles(["solid=true", "soild=true", "", ""]);
    warned(
        &layers(&soild, &[("x", "1,2,0,0")]),
        &["\"soild\" of tile 1", "is it \"solid\"?"],
    );
    warned(
        &layers("", &[("walls", "1,0,0,0"), ("spikez", "0,1,0,0")]),
        &[
            "layer \"spikez\"",
            "is it \"spike\"? If so, hazard = [\"layer:spikez\"]",
        ],
    );
}

#[test]
fn hazards_come_before_ground() {
    let level = layers(
        &tiles(["isSpike=true", "collides=true", "", ""]),
        &[("ground", "1,2,3,0")],
    );
    assert_eq!(row(&level), "^##.");
    let level = layers(
        &tiles(["collides=true", "", "", ""]),
        &[("Lava", "1,1,0,0"), ("ground", "0,0,3,3")],
    );
    assert_eq!(row(&level), "^^##");
}

#[test]
fn platforms_are_one_way_beside_ground() {
    let platforms = ("Platforms", "0,0,1,1");
    assert_eq!(row(&layers("", &[platforms])), "..##");
    assert_eq!(
        row(&layers("", &[("Terrain", "1,0,0,0"), platforms])),
        "#.--"
    );
}

#[test]
fn platforms_beside_others_that_are_called_one_way_are_asked_about() {
    let platforms = ("Platform", "1,1,0,0");
    let walls = ("walls", "0,0,0,1");
    let level = layers("", &[platforms, ("PassPlat", "0,0,1,0"), walls]);
    assert_eq!(row(&level), "---#");
    warned(
        &level,
        &[
            "2 cells are one-way only because of its name, beside layer \"PassPlat\"",
            "if they are blocks, solid = [\"layer:Platform\"]",
        ],
    );
    assert_eq!(layers("", &[platforms, walls]).warnings, [""; 0]);
}

#[test]
fn platforms_without_anything_solid_are_asked_about() {
    let platforms = objects(
        "things",
        "<object id=\"1\" type=\"platform\" width=\"64\" height=\"16\"/>",
    );
    let asked =
        "1 object is one-way (class \"platform\" of the object), and nothing in the level is solid";
    let rule = "if it is a block, solid = [\"class:platform\"]";
    let level = read(&map(4, 1, &platforms)).unwrap();
    assert_eq!(row(&level), "----");
    warned(&level, &["layer \"things\"", asked, rule]);
    warned(
        &layers(&tiles(["Platform", "", "", ""]), &[("x", "1,1,0,0")]),
        &["2 cells are one-way", "solid = [\"class:Platform\"]"],
    );
    let is_asked = |level: &LevelFile| {
        (level.warnings.iter()).any(|warning| warning.contains("nothing in the level"))
    };
    // Beside ground, or with another word, they are what they say.
    let ground = tileset("") + &layer("ground", 4, 1, "1,0,0,0");
    assert!(!is_asked(
        &read(&map(4, 1, &(ground + &platforms))).unwrap()
    ));
    let other = platforms.replace("\"platform\"", "\"oneway\"");
    assert!(!is_asked(&read(&map(4, 1, &other)).unwrap()));
    for table in ["solid", "one_way"] {
        let rules = rules(&format!("{table} = [\"class:platform\"]"));
        let level = read_with(&map(4, 1, &platforms), &[], &rules).unwrap();
        assert!(!is_asked(&level), "{table}");
    }
}

#[test]
fn platforms_under_a_collision_layer_are_pictures() {
    // Drawn over: the collision is a part of the platforms.
    let platforms = ("platforms", "1,1,1,1");
    let level = layers("", &[platforms, ("collision", "0,1,1,0")]);
    assert_eq!(row(&level), ".##.");
    warned(
        &level,
        &["platforms", "4 cells are not used", "lies over it"],
    );
    // Beside: most of the collision lies elsewhere.
    let level = layers("", &[("collision", "1,1,1,0"), ("platforms", "0,0,1,1")]);
    assert_eq!(row(&level), "###-");
}

#[test]
fn layers_with_a_word_among_others_are_warned_about() {
    let solid = ("ground", "1,1,1,0");
    let level = layers("", &[("stationary_platforms", "0,0,0,1"), solid]);
    assert_eq!(row(&level), "###.");
    warned(
        &level,
        &["1 cell", "one_way = [\"layer:stationary_platforms\"]"],
    );
    let level = layers("", &[("side walls", "0,0,0,1"), ("collision", "1,1,1,0")]);
    assert_eq!(level.warnings, [""; 0]);
}

#[test]
fn a_collision_layer_replaces_layers_called_ground() {
    let level = layers("", &[("Ground", "1,1,1,0"), ("collision", "0,0,1,1")]);
    assert_eq!(row(&level), "..##");
    warned(
        &level,
        &["layer \"Ground\": its 3 cells are not used", "layer:Ground"],
    );
    // Blocks are things to stand on, and a small object does not outline all.
    let level = layers("", &[("Blocks", "1,0,0,0"), ("collision", "0,0,1,1")]);
    assert_eq!(row(&level), "#.##");
    let objects = |width| {
        let object = format!("<object id=\"1\" x=\"48\" width=\"{width}\" height=\"16\"/>");
        let content =
            tileset("") + &layer("ground", 4, 1, "1,1,0,0") + &objects("collision", &object);
        pieces(&read(&map(4, 1, &content)).unwrap()).len()
    };
    assert_eq!((objects(8), objects(16)), (2, 1));
    // A rule may say that it is not collision.
    let content =
        tileset("") + &layer("ground", 4, 1, "1,1,1,0") + &layer("collision", 4, 1, "0,0,1,1");
    let rules = rules("empty = [\"layer:collision\"]");
    let level = read_with(&map(4, 1, &content), &[], &rules).unwrap();
    assert_eq!(row(&level), "###.");
}

#[test]
fn a_ground_that_fills_the_map_is_seen_from_above() {
    let cells = vec!["1"; 100].join(",");
    let full = tileset("") + &layer("Ground", 10, 10, &cells);
    let text = error(&map(10, 10, &full));
    assert!(
        text.contains("no layer, tile or object is marked"),
        "{text}"
    );
    let beside = full + &layer("walls", 10, 10, &vec!["1,0"; 50].join(","));
    let level = read(&map(10, 10, &beside)).unwrap();
    assert_eq!(level.origins, ["layer \"walls\""]);
    warned(&level, &["layer \"Ground\"", "seen from above"]);
}

#[test]
fn layers_that_lie_on_the_ground_are_seen_from_above() {
    let ground = ["1"; 20].join(",") + "," + &["0"; 20].join(",");
    let on = ["1"; 8].join(",");
    let beside = |name: &str, cells: String| {
        let content = tileset("") + &layer("Ground", 10, 4, &ground) + &layer(name, 10, 4, &cells);
        read(&map(10, 4, &content)).unwrap().warnings
    };
    let lying = beside("Stuff", on.clone() + &",0".repeat(32));
    assert_eq!(lying.len(), 1, "{lying:#?}");
    for part in [
        "layer \"Ground\": 8 cells of layer \"Stuff\" lie on it",
        "seen from above",
        "empty = [\"layer:Ground\"]",
    ] {
        assert!(lying[0].contains(part), "{part}: {lying:#?}");
    }
    // Grass stands on the ground, and seven pebbles say nothing.
    let standing = beside("Stuff", on + &",0".repeat(31) + ",1");
    assert!(
        standing.iter().all(|w| !w.contains("lie on it")),
        "{standing:#?}"
    );
    let walls = beside(
        "walls",
        ["1"; 8].join(",") + &",0".repeat(24) + &",1".repeat(8),
    );
    assert_eq!(walls.len(), 1, "{walls:#?}");
    assert!(
        walls[0].contains("8 cells of layer \"walls\" lie on it"),
        "{walls:#?}"
    );
    let few = beside("Stuff", ["1"; 7].join(",") + &",0".repeat(33));
    assert!(few.iter().all(|w| !w.contains("lie on it")), "{few:#?}");
    // Either answer ends the question, and the others are asked.
    let walls = ["1"; 8].join(",") + &",0".repeat(24) + &",1".repeat(8);
    let content = tileset("")
        + &layer("Ground", 10, 4, &ground)
        + &layer("walls", 10, 4, &walls)
        + &layer(
            "Stuff",
            10,
            4,
            &(["0"; 20].join(",") + &",1".repeat(8) + &",0".repeat(12)),
        );
    for list in ["empty", "solid"] {
        let rules = rules(&format!("{list} = [\"layer:Ground\"]"));
        let level = read_with(&map(10, 4, &content), &[], &rules).unwrap();
        assert_eq!(level.warnings.len(), 1, "{:#?}", level.warnings);
        warned(&level, &["layer \"Stuff\": its 8 cells are not used"]);
    }
}

#[test]
fn int_grids_that_fill_a_level_are_seen_from_above() {
    let level = |other: &str| {
        let cells = ["1,2"; 50].join(",");
        let json = format!(
            "{{\"jsonVersion\":\"1.5.3\",\"defaultGridSize\":16,\"defs\":{{\"layers\":[{{\"uid\":1,\"identifier\":\"Terrain\",\
             \"__type\":\"IntGrid\",\"intGridValues\":[{{\"value\":1,\"identifier\":\"Grass\"}},{{\"value\":2,\"identifier\":\"{other}\"}}]}}]}},\
             \"levels\":[{{\"identifier\":\"Only\",\"pxWid\":160,\"pxHei\":160,\"layerInstances\":[{{\"__identifier\":\"Terrain\",\
             \"__type\":\"IntGrid\",\"__cWid\":10,\"__cHei\":10,\"__gridSize\":16,\"layerDefUid\":1,\"intGridCsv\":[{cells}]}}]}}]}}"
        );
        read_bytes(
            "a.ldtk",
            json.as_bytes(),
            &MemoryFiles::default(),
            &Rules::default(),
        )
        .unwrap()
    };
    warned(
        &level("Water"),
        &["layer \"Terrain\"", "seen from above", "intgrid:VALUE"],
    );
    assert_eq!(level("Sky").warnings, [""; 0]);
}

#[test]
fn solid_tiles_of_pick_ups_and_hidden_layers_are_warned_about() {
    let solid = tiles(["solid=true", "hazard=true", "", ""]);
    let level = layers(&solid, &[("Coins", "1,0,0,2"), ("x", "0,1,0,0")]);
    assert_eq!(row(&level), ".#.^");
    warned(
        &level,
        &["layer \"Coins\": 1 cell would be solid", "layer:Coins"],
    );
    let hidden = layer("traps", 4, 1, "2,0,0,0").replacen(" name=", " visible=\"0\" name=", 1);
    let content = tileset(&solid) + &hidden + &layer("ground", 4, 1, "0,3,3,3");
    let level = read(&map(4, 1, &content)).unwrap();
    assert_eq!(row(&level), ".###");
    warned(
        &level,
        &["layer \"traps\": 1 cell would be hazard", "hidden"],
    );
}

#[test]
fn collision_that_is_understood_in_part_is_warned_about() {
    let shape = "<tile id=\"0\"><objectgroup><object id=\"1\" width=\"16\" height=\"16\"/></objectgroup></tile>";
    let level = layers(shape, &[("x", "1,2,2,0")]);
    assert_eq!(row(&level), "#...");
    warned(
        &level,
        &["1 cell solid by the collision shapes", "2 have none"],
    );
    let kinds = tiles(["TileType=Spikes", "TileType=Geometry", "solid=true", ""]);
    let level = layers(&kinds, &[("x", "1,2,2,3")]);
    assert_eq!(row(&level), "^..#");
    warned(
        &level,
        &["2 cells of property:TileType=Geometry have no effect"],
    );
    // Creatures and pick-ups are not asked about: they are not ground.
    let kinds = tiles(["Wall", "Ledge", "Coin", "Hero"]);
    let level = layers(&kinds, &[("x", "1,2,3,4")]);
    warned(&level, &["1 cell of class:Ledge has no effect"]);
    let asks = |what: &&String| what.contains("Coin") || what.contains("Hero");
    assert_eq!(level.warnings.iter().find(asks), None);
    let level = layers("", &[("Foreground", "1,1,1,0"), ("platforms", "0,0,0,1")]);
    warned(
        &level,
        &["layer \"Foreground\": its 3 cells are not used", "(1)"],
    );
    let level = layers(
        &tiles(["collides=true", "", "", ""]),
        &[("Foreground", "1,0,0,0"), ("ground", "0,2,2,2")],
    );
    warned(
        &level,
        &[
            "layer \"Foreground\": 1 cell solid by a property",
            "empty = ",
        ],
    );
    let level = layers(
        &tiles(["Ground", "", "", ""]),
        &[("collision", "1,2,2,0"), ("cover", "0,0,0,1")],
    );
    warned(
        &level,
        &["layer \"cover\": 1 cell solid by", "class of the tile"],
    );
    let slope = tiles(["slope=0.5", "", "", ""]);
    warned(
        &layers(&slope, &[("ground", "1,2,0,0")]),
        &["1 cell with a property or class for slopes"],
    );
    // Games that compute the floor of a slope from its heights.
    let slope = tiles(["RightHeightOfSlope=30", "solid=true", "", ""]);
    let level = layers(&slope, &[("x", "1,1,2,2")]);
    assert_eq!(row(&level), "..##");
    warned(
        &level,
        &["2 cells with a property or class for slopes", "not solid"],
    );
    let flags = tiles(["OneWaySlope=true", "solid=true", "OneWayPlat=true", ""]);
    let level = layers(&flags, &[("x", "1,1,2,3")]);
    assert_eq!(row(&level), "..#-");
    warned(
        &level,
        &[
            "2 cells of property:OneWaySlope have no effect",
            "one_way = [\"property:OneWaySlope\"]",
        ],
    );
    // Tiles that differ only by their number, as games with a table of their own have them.
    let set = tileset("").replace("name=\"tiles\"", "name=\"collisions\"");
    let content = set + &layer("collision", 4, 1, "1,2,2,4");
    warned(
        &read(&map(4, 1, &content)).unwrap(),
        &[
            "3 different tiles",
            "1 in 2 cells, 0 in 1 cell, 3 in 1 cell",
            "tile:collisions#0-1,3",
        ],
    );
}

#[test]
fn a_property_of_a_layer_comes_before_its_name() {
    let read = |name: &str| {
        let solid = "<properties><property name=\"collides\" value=\"true\"/></properties>";
        let cells = layer(name, 4, 1, "1,2,0,0").replace("<data", &format!("{solid}<data"));
        let set = tileset(&tiles(["collides=true", "", "", ""]));
        let walls = layer("walls", 4, 1, "0,0,0,1");
        read(&map(4, 1, &(set + &cells + &walls))).unwrap()
    };
    let level = read("platforms");
    assert_eq!(row(&level), "##.#");
    assert_eq!(level.warnings, [""; 0]);
    assert_eq!(row(&read("one way")), "##.#");
    // But hazards come first.
    assert_eq!(row(&read("spikes")), "^^.#");
}

#[test]
fn tiles_of_class_slope_are_no_reason_to_leave_out_the_rest() {
    let level = layers(&tiles(["Slope", "", "", ""]), &[("Ground", "1,2,2,0")]);
    assert_eq!(row(&level), "###.");
    warned(&level, &["1 cell with a property or class for slopes"]);
    assert_eq!(level.warnings.len(), 1, "{:#?}", level.warnings);
    // With another property, the others are asked about.
    let level = layers(
        &tiles(["Slope", "collides=true", "", ""]),
        &[("Ground", "1,2,3,3")],
    );
    let rule = "empty = [\"layer:Ground & !class:Slope & !property:collides\"]";
    warned(&level, &["2 cells are solid because of the layer", rule]);
}

#[test]
fn hidden_outlines_are_the_guess() {
    let list = "<object id=\"1\" y=\"8\" width=\"32\" height=\"8\"/>\
                <object id=\"2\" x=\"48\" width=\"8\" height=\"8\"/>";
    let hidden = objects("geom", list).replace("name=", "visible=\"0\" name=");
    let scenery = "<object id=\"3\" name=\"Oak\" width=\"8\" height=\"8\"/>";
    let tmx = map(4, 1, &(hidden + &objects("scenery", scenery)));
    let text = error(&tmx);
    for part in ["solid = [\"layer:geom\"]", "1 of name:Oak"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let rules = toml::from_str("solid = [\"layer:geom\"]").unwrap();
    assert_eq!(pieces(&read_with(&tmx, &[], &rules).unwrap()).len(), 2);
}

#[test]
fn of_a_layer_that_fills_the_map_the_most_frequent_tile_is_taken_for_air() {
    let cells = [vec!["3"; 70], vec!["1"; 20], vec!["2"; 10]]
        .concat()
        .join(",");
    let of = |name: &str| map(10, 10, &(tileset("") + &layer(name, 10, 10, &cells)));
    let rule = "layer:Tiles & !tile:tiles#2";
    let text = error(&of("Tiles"));
    assert!(text.contains(&format!("solid = [\"{rule}\"]")), "{text}");
    let rules = toml::from_str(&format!("solid = [\"{rule}\"]")).unwrap();
    let level = read_with(&of("Tiles"), &[], &rules).unwrap();
    assert_eq!(row(&level), "..........");
    assert_eq!((pieces(&level).len(), level.warnings), (1, Vec::new()));
    // A name for ground says nothing more.
    let content = tileset("") + &layer("ground", 10, 10, &cells) + &objects("collision", BLOCK);
    warned(
        &read(&map(10, 10, &content)).unwrap(),
        &["it is ground, solid = [\"layer:ground & !tile:tiles#2\"]"],
    );
}

/// A solid object for a layer called collision.
const BLOCK: &str = "<object id=\"1\" width=\"16\" height=\"16\"/>";

#[test]
fn hazards_and_ladders_alone_explain_nothing() {
    let content =
        tileset(&tiles(["hazard=true", "type=Geometry", "", ""])) + &layer("x", 4, 1, "1,2,2,2");
    let text = error(&map(4, 1, &content));
    for part in [
        "tile layer \"x\" (4 cells): 3 of property:type=Geometry",
        "solid = [\"property:type=Geometry\"]",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn ladders_and_spikes_are_no_guess() {
    let rows = layer("Old Ladder", 4, 1, "1,1,1,1") + &layer("things", 4, 1, "0,0,1,1");
    let error = read(&map(4, 1, &(tileset("") + &rows)))
        .unwrap_err()
        .to_string();
    assert!(error.contains("solid = [\"layer:things\"]"), "{error}");
}

#[test]
fn errors_guess_what_is_solid() {
    let low = layer("Tile Layer 1", 4, 4, "0,0,0,0, 0,0,0,0, 0,0,0,0, 1,1,1,1");
    let high = layer("Clouds", 4, 4, "1,1,1,1, 1,1,0,0, 0,0,0,0, 0,0,0,0");
    let text = error(&map(4, 4, &(tileset("") + &high + &low)));
    assert!(
        text.contains("help: layer \"Tile Layer 1\" has most of its cells in the lowest third"),
        "{text}"
    );
    assert!(
        text.contains("    [collision]\n    solid = [\"layer:Tile Layer 1\"]\n"),
        "{text}"
    );
    // A picture that fills the map is no ground, though it has more cells.
    let sky = layer("Scenery", 10, 10, &["1"; 100].join(","));
    let front = layer("Front", 10, 10, &(["1"; 40].join(",") + &",0".repeat(60)));
    let text = error(&map(10, 10, &(tileset("") + &sky + &front)));
    assert!(text.contains("solid = [\"layer:Front\"]"), "{text}");
    let text = error(&map(10, 10, &(tileset("") + &sky)));
    for part in ["fills the map", "solid = [\"layer:Scenery\"]"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Outlines without a class are drawn for collision; classes are listed.
    let outline =
        "<object id=\"1\" width=\"8\" height=\"8\"/><object id=\"2\" width=\"8\" height=\"8\"/>";
    let typed = "<object id=\"3\" type=\"coin\" width=\"8\" height=\"8\"/>";
    let text = error(&map(
        4,
        4,
        &(tileset("") + &low + &objects("geom", outline) + &objects("x", typed)),
    ));
    for part in [
        "layer \"geom\" holds outlines without class or name",
        "solid = [\"layer:geom\"]",
        "object layer \"x\" (1 object): 1 of class:coin",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // So are those of a layer called walls whose own names say that they are walls.
    for (name, guess) in [("top wall", "walls"), ("lamp", "Tile Layer 1")] {
        let wall = format!("<object id=\"1\" name=\"{name}\" width=\"8\" height=\"8\"/>");
        let text = error(&map(4, 4, &(tileset("") + &low + &objects("walls", &wall))));
        assert!(
            text.contains(&format!("solid = [\"layer:{guess}\"]")),
            "{text}"
        );
    }
    // Ellipses are drawn for things, and a property of few tiles is not that of ground.
    let round = outline.replace("/>", "><ellipse/></object>");
    let text = error(&map(
        4,
        4,
        &(tileset("") + &low + &objects("gems of a kind", &round)),
    ));
    assert!(text.contains("solid = [\"layer:Tile Layer 1\"]"), "{text}");
    // A hidden layer of a few blocks is not the ground of a large level.
    let main = layer("Main", 10, 10, &(["1"; 50].join(",") + &",0".repeat(50)));
    for (number, guess) in [(7, "Main"), (8, "Blocks")] {
        let cells = vec!["1"; number].join(",") + &",0".repeat(100 - number);
        let hidden = layer("Blocks", 10, 10, &cells).replace("name=", "visible=\"0\" name=");
        let text = error(&map(10, 10, &(tileset("") + &main + &hidden)));
        assert!(
            text.contains(&format!("solid = [\"layer:{guess}\"]")),
            "{text}"
        );
    }
    // Nor is a layer with few cells, even if they lie low.
    let few = layer("Rest", 10, 10, &("0,".repeat(91) + &["1"; 9].join(",")));
    let text = error(&map(10, 10, &(tileset("") + &main + &few)));
    assert!(text.contains("solid = [\"layer:Main\"]"), "{text}");
    // Where all is objects that show tiles, those are the ground.
    let tile = |id: u32| {
        let x = id * 16;
        format!("<object id=\"{id}\" gid=\"1\" x=\"{x}\" y=\"16\" width=\"16\" height=\"16\"/>")
    };
    let stones = objects("stones", &(tile(1) + &tile(2)));
    let tmx = map(4, 1, &(tileset("") + &stones));
    let text = error(&tmx);
    let rule = "solid = [\"layer:stones\"]";
    assert!(text.contains(rule), "{text}");
    assert_eq!(row(&read_with(&tmx, &[], &rules(rule)).unwrap()), ".##.");
    let passable = tileset(&tiles(["passable=true", "passable=false", "", ""]));
    let text = error(&map(4, 1, &(passable + &layer("world", 4, 1, "1,2,2,1"))));
    for part in [
        "2 cells have property:passable=false",
        "solid = [\"property:passable=false\"]",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let steel = tileset(&tiles(["steel=true", "", "", ""]));
    let mine = [vec!["0"; 100], vec!["2"; 90], vec!["1"; 10]]
        .concat()
        .join(",");
    let text = error(&map(20, 10, &(steel + &layer("mine", 20, 10, &mine))));
    assert!(text.contains("solid = [\"layer:mine\"]"), "{text}");
}

#[test]
fn names_of_ground_in_other_languages_are_the_guess() {
    let sky = layer("cielo", 4, 1, "1,1,1,0");
    let ground = tileset("") + &sky + &layer("Suelo", 4, 1, "0,0,1,1");
    let text = error(&map(4, 1, &ground));
    assert!(text.contains("solid = [\"layer:Suelo\"]"), "{text}");
    // Outlines are drawn over the tiles, and the rule leaves the tiles of that name out.
    let outline = "<object id=\"1\" width=\"16\" height=\"16\"/>";
    let tmx = map(4, 1, &(ground + &objects("suelo", outline)));
    let rule = "solid = [\"layer:suelo & !tileset:*\"]";
    let text = error(&tmx);
    assert!(text.contains(rule), "{text}");
    assert_eq!(row(&read_with(&tmx, &[], &rules(rule)).unwrap()), "#...");
}

#[test]
fn shapes_of_tiles_do_not_make_objects_solid() {
    let set = tileset(
        "<tile id=\"0\"><objectgroup><object id=\"1\" width=\"16\" height=\"16\"/></objectgroup></tile>\
         <tile id=\"1\"><properties><property name=\"collides\" value=\"true\"/></properties></tile>",
    );
    let object =
        |gid| format!("<object id=\"{gid}\" gid=\"{gid}\" y=\"16\" width=\"16\" height=\"16\"/>");
    let solid = |name: &str, gid| {
        let ground = layer("ground", 4, 1, "4,4,4,4");
        let content = set.clone() + &ground + &objects(name, &object(gid));
        let level = read(&map(4, 1, &content)).unwrap();
        (pieces(&level).len() - 1, level)
    };
    let (count, level) = solid("things", 1);
    assert_eq!(count, 0);
    warned(
        &level,
        &[
            "layer \"things\": 1 object would be solid",
            "do not make objects solid",
        ],
    );
    assert_eq!(solid("enemies", 1).0, 0);
    assert_eq!(solid("enemies", 1).1.warnings, [""; 0]);
    // Games push some things and let bodies stand on others.
    let crates = "<object id=\"1\" gid=\"4\" name=\"Crate\" y=\"16\" width=\"16\" height=\"16\"/>";
    let content = set.clone() + &layer("ground", 4, 1, "4,4,4,4") + &objects("things", crates);
    let level = read(&map(4, 1, &content)).unwrap();
    warned(
        &level,
        &[
            "1 object of name:Crate is not collision",
            "solid = [\"name:Crate\"]",
        ],
    );
    let rules = rules("solid = [\"layer:ground\"]\nempty = [\"name:crate\"]");
    let level = read_with(&map(4, 1, &content), &[], &rules).unwrap();
    assert_eq!(level.warnings, [""; 0]);
    assert_eq!(solid("Collisions", 1).0, 1);
    // What a tile says of itself is about tile layers: of its objects, it is asked
    // about, and does not count among exits.
    let (count, level) = solid("things", 2);
    assert_eq!(count, 1);
    let asked = [
        "layer \"things\": 1 object is solid",
        "empty = [\"layer:things\"]",
    ];
    warned(&level, &asked);
    let (count, level) = solid("Exit", 2);
    assert_eq!(count, 0);
    warned(
        &level,
        &["1 object would be solid", "something happens there"],
    );
    for expected in ["walls", "PlatformsOfTheTower"] {
        let (count, level) = solid(expected, 2);
        assert_eq!((count, level.warnings.len()), (1, 0), "{expected}");
    }
}

#[test]
fn tiles_beside_marked_ones_are_asked_about() {
    let marked = tiles(["collides=true", "Wall", "", "spike=true"]);
    let level = layers(&marked, &[("Ground", "1,2,3,4")]);
    assert_eq!(row(&level), "###^");
    let leave_out = "empty = [\"layer:Ground & !property:collides & !class:Wall\"]";
    warned(
        &level,
        &[
            "1 cell is solid because of the layer alone",
            "beside 2",
            leave_out,
        ],
    );
    let rule = "empty = [\"layer:Ground & !property:collides & !class:Wall & !property:spike\"]";
    assert_eq!(ruled_row(&marked, "Ground", rule), "##.^");
    for (name, cells) in [
        ("Ground", "1,2,1,4"),
        ("Ground", "3,3,0,0"),
        ("Collision", "1,2,3,4"),
    ] {
        let level = layers(&marked, &[(name, cells)]);
        assert_eq!(level.warnings, [""; 0], "{name} {cells}");
    }
}

/// The first row of a level of one layer of four tiles, and these rules.
fn ruled_row(tiles: &str, name: &str, table: &str) -> String {
    let content = tileset(tiles) + &layer(name, 4, 1, "1,2,3,4");
    row(&read_with(&map(4, 1, &content), &[], &rules(table)).unwrap())
}

#[test]
fn unknown_texts_of_a_property_of_collision_are_warned_about() {
    let kinds = tiles(["collision=wobbly", "collision=soild", "collision=Spike", ""]);
    for (name, expected) in [("Collision", "##^#"), ("Main", "..^.")] {
        let level = layers(&kinds, &[(name, "1,2,3,4"), ("walls", "0,0,0,4")]);
        assert!(row(&level).starts_with(&expected[..3]), "{name}");
        let place = format!("layer \"{name}\"");
        let tile = "property \"collision\" of tile 0 of tileset \"tiles\" is \"wobbly\"";
        warned(&level, &[&place, tile, "solid, one_way, jumpthrough"]);
        warned(
            &level,
            &[&place, "of tile 1", "\"soild\"", "is it \"solid\"?"],
        );
        let about = |warning: &&String| warning.contains("has no meaning");
        assert_eq!(
            level.warnings.iter().filter(about).count(),
            2,
            "{:?}",
            level.warnings
        );
    }
    // A rule that says what the text means is enough.
    let rule = "one_way = [\"property:collision=wobbly\"]\nempty = [\"property:collision=soild\"]";
    let content = tileset(&kinds) + &layer("Collision", 4, 1, "1,2,3,4");
    let level = read_with(&map(4, 1, &content), &[], &rules(rule)).unwrap();
    assert_eq!(row(&level), "-.^#");
    assert_eq!(level.warnings, [""; 0]);
    // Objects and layers have the property too.
    let property = "<properties><property name=\"collision\" value=\"squishy\"/></properties>";
    let object = format!("<object id=\"1\" width=\"16\" height=\"16\">{property}</object>");
    let level = read(&map(4, 1, &objects("Colliders", &object))).unwrap();
    assert_eq!(pieces(&level).len(), 1);
    warned(
        &level,
        &["layer \"Colliders\"", "of the object is \"squishy\""],
    );
    let cells = layer("Solid", 4, 1, "1,0,0,0").replace("<data", &format!("{property}<data"));
    let level = read(&map(4, 1, &(tileset("") + &cells))).unwrap();
    assert_eq!(row(&level), "#...");
    warned(&level, &["layer \"Solid\"", "of the layer is \"squishy\""]);
}

#[test]
fn what_lies_outside_the_map_is_warned_about() {
    let rect = |id: u32, [x, y, width, height]: [i32; 4]| {
        format!("<object id=\"{id}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>")
    };
    let level = |name: &str, boxes: &[[i32; 4]]| {
        let list: String = (1..)
            .zip(boxes)
            .map(|(id, rect_of)| rect(id, *rect_of))
            .collect();
        let content =
            tileset("") + &layer("ground", 4, 2, "0,0,0,0,1,1,1,1") + &objects(name, &list);
        read(&map(4, 2, &content)).unwrap()
    };
    let beyond = [[100, 0, 16, 16], [0, 40, 64, 16], [0, 0, 16, 16]];
    warned(
        &level("walls", &beyond),
        &[
            "layer \"walls\": 2 collision shapes of it lie outside",
            "from 0,0 to 64,32",
        ],
    );
    // Walls along the edges, and hazards beneath the level, are no mistake.
    let walls = [[-16, -100, 16, 132], [64, -100, 16, 132], [-50, 16, 60, 16]];
    assert_eq!(level("walls", &walls).warnings, [""; 0]);
    assert_eq!(level("hazards", &beyond).warnings, [""; 0]);
    // A layer with an offset, of which one cell remains inside.
    let moved =
        layer("ground", 4, 2, "1,0,1,1,0,0,0,0").replace("<layer ", "<layer offsetx=\"48\" ");
    let level = read(&map(4, 2, &(tileset("") + &moved))).unwrap();
    warned(
        &level,
        &["layer \"ground\": 1 collision shape of it lies outside"],
    );
}

#[test]
fn pictures_under_outlines_are_not_asked_about() {
    let picture = "0,0,0,0,2,2,0,0,1,1,1,1,1,1,1,1";
    let of = |outlines: &str| {
        let content =
            tileset("") + &layer("Tile Layer 1", 4, 4, picture) + &objects("Platforms", outlines);
        read(&map(4, 4, &content)).unwrap()
    };
    let floor = "<object id=\"1\" y=\"32\" width=\"64\" height=\"32\"/>";
    assert_eq!(of(floor).warnings, [""; 0]);
    for other in [
        "<object id=\"1\" width=\"64\" height=\"32\"/>",
        "<object id=\"1\" y=\"32\" width=\"32\" height=\"32\"/>",
    ] {
        warned(
            &of(other),
            &["layer \"Tile Layer 1\": its 10 cells are not used"],
        );
    }
}

#[test]
fn object_layers_and_objects_use_the_same_words() {
    let rect =
        |attributes: &str| format!("<object id=\"1\" {attributes} width=\"8\" height=\"8\"/>");
    let one = |layer_name: &str, attributes: &str| {
        let content = layer("collision", 4, 1, "0").replace("width=\"4\"", "width=\"1\"")
            + &objects(layer_name, &rect(attributes));
        let level = read(&map(4, 1, &content)).unwrap();
        pieces(&level).first().map(|piece| piece.material)
    };
    for (layer_name, attributes, expected) in [
        ("Spikes", "", Some(Material::Hazard)),
        (
            "OneWayCollision",
            "",
            Some(Material::OneWay(PassDirection::Up)),
        ),
        ("walls", "", Some(Material::Solid)),
        ("walls", "name=\"coin\"", None),
        ("things", "name=\"Wall\"", Some(Material::Solid)),
        (
            "things",
            "name=\"blocker\" type=\"Boundaries\"",
            Some(Material::Solid),
        ),
        ("things", "type=\"killing_floor\"", Some(Material::Hazard)),
        ("things", "type=\"climbable\"", Some(Material::Ladder)),
        ("Spikes", "type=\"spawn\"", None),
    ] {
        assert_eq!(
            one(layer_name, attributes),
            expected,
            "{layer_name} {attributes}"
        );
    }
}

#[test]
fn misspelt_classes_of_markers_are_warned_about() {
    let list = "<object id=\"1\" type=\"spwan\"><point/></object><object id=\"2\" type=\"goal\"><point/></object>";
    let twice = objects("o", list) + &objects("p", &(list.to_owned() + list));
    let content = tileset("") + &layer("ground", 1, 1, "1") + &twice;
    let level = read(&map(1, 1, &content)).unwrap();
    for (layer, end) in [
        ("o", "is it \"spawn\"?"),
        ("p", "? The same in 1 more of this layer"),
    ] {
        warned(
            &level,
            &[&format!("object 1 in layer \"{layer}\""), "\"spwan\"", end],
        );
    }
    assert_eq!(level.warnings.len(), 2);
    assert_eq!(
        read_with(&map(1, 1, &content), &[], &Rules::default())
            .unwrap()
            .markers
            .len(),
        6
    );
}

#[test]
fn misspelt_properties_are_warned_about_whatever_else_is_solid() {
    let tiles = tiles(["one_wayy=true", "hazrd=true", "hazrd=true", "brittle=true"]);
    let flag = |name: &str, value: &str| {
        format!("<properties><property name=\"{name}\" value=\"{value}\"/></properties>")
    };
    let object = |class: &str, name: &str, value: &str| {
        let area = "width=\"8\" height=\"8\"";
        format!(
            "<object type=\"{class}\" {area}>{}</object>",
            flag(name, value)
        )
    };
    let objects = objects(
        "walls",
        &[
            object("", "soild", "false"),
            object("door", "clsoed", "true"),
            object("waypoint", "pol", "roof"),
            object("portal", "one_way", "true"),
            object("portal", "on", "3"),
            object("chest", "clsoed", "true"),
            object("crystal", "sliod", "true"),
            object("", "locked", "true"),
            object("", "spikes_x", "true"),
            object("", "slopes", "true"),
            object("", "depth", "1"),
        ]
        .concat(),
    );
    let ground = layer("ground", 4, 1, "1,2,3,4");
    let ground = ground.replace("<data", &(flag("colision", "true") + "<data"));
    let level = read(&map(4, 1, &(tileset(&tiles) + &ground + &objects))).unwrap();
    let about = |name: &str| {
        let name = format!("\"{name}\"");
        level.warnings.iter().filter(move |w| w.contains(&name))
    };
    for (name, place, meant) in [
        ("one_wayy", "tile 0 of tileset", "oneway"),
        ("hazrd", "tile 1 of tileset", "hazard"),
        ("colision", "of the layer", "collision"),
        ("soild", "of the object", "solid"),
        ("clsoed", "its property", "closed"),
        ("pol", "its property", "pool"),
    ] {
        warned(&level, &[name, place, &format!("is it \"{meant}\"?")]);
        assert_eq!(about(name).count(), 1, "{:#?}", level.warnings);
    }
    for name in [
        "brittle", "one_way", "on", "sliod", "locked", "spikes_x", "slopes", "depth",
    ] {
        assert_eq!(about(name).count(), 0, "{:#?}", level.warnings);
    }
}

fn rules(table: &str) -> Rules {
    toml::from_str(table).unwrap()
}

/// The first row of a 4 x 1 map with one layer, under these rules.
fn ruled(tiles: &str, name: &str, table: &str) -> String {
    let tmx = tile_map(4, 1, tiles, name, "1,2,3,4");
    row(&read_with(&tmx, &[], &rules(table)).unwrap())
}

#[test]
fn rules_name_tiles_tilesets_and_patterns() {
    let set = tileset("").replace("name=\"tiles\"", "name=\"Rocks 2\"");
    let content = set + &layer("x", 4, 1, "1,2,3,4");
    let with = |table: &str| row(&read_with(&map(4, 1, &content), &[], &rules(table)).unwrap());
    assert_eq!(with("solid = [\"tile:rocks 2#1-2\"]"), ".##.");
    assert_eq!(
        with("solid = [\"tile:rocks*#0,3\"]\nhazard = [\"tile:rocks 2#1\"]"),
        "#^.#"
    );
    assert_eq!(with("solid = [\"tileset:rock?*\"]"), "####");
    assert_eq!(with("one_way = [\"tileset:*\"]"), "----");
    assert_eq!(
        ruled("", "Tile Layer 1", "solid = [\"layer:tile*\"]"),
        "####"
    );
    let blocked = tiles(["blocked=", "kind=Rock", "kind=Rocket", "kind=tree"]);
    assert_eq!(
        ruled(
            &blocked,
            "x",
            "solid = [\"property:kind=rock*\", \"property:blocked\"]"
        ),
        "###."
    );
    // A whole layer but for some of its tiles, and tiles but for a layer.
    let collide = tiles(["collide2=true", "kind=tree", "", ""]);
    assert_eq!(
        ruled(
            &collide,
            "main",
            "solid = [\"layer:main & !property:kind=tree\"]"
        ),
        "#.##"
    );
    let table = "solid = [\"property:collide2 & !layer:back*\"]\nempty = [\"layer:nothing\"]";
    assert_eq!(ruled(&collide, "main", table), "#...");
    let tmx = tile_map(4, 1, &collide, "background", "1,2,3,4");
    assert!(matches!(
        read_with(&tmx, &[], &rules(table)),
        Err(SourceError::NothingSolid { .. })
    ));
}

#[test]
fn maps_without_a_type_and_old_tilesets_are_read() {
    let read = |json: &str| {
        read_bytes(
            "a.json",
            json.as_bytes(),
            &MemoryFiles::default(),
            &Rules::default(),
        )
    };
    let level = read(
        r#"{"width":4,"height":1,"tilewidth":16,"tileheight":16,
"layers":[{"type":"tilelayer","name":"x","width":4,"height":1,"x":0,"y":0,"data":[1,2,3,4]}],
"tilesets":[{"firstgid":1,"name":"t","tilewidth":16,"tileheight":16,"image":"t.png","imagewidth":64,"imageheight":16,"margin":0,"spacing":0,
"tileproperties":{"0":{"solid":true},"2":{"isSpike":"true"}},
"tiles":{"1":{"objectgroup":{"objects":[{"id":1,"x":0,"y":0,"width":16,"height":16}]}},"2":{"type":"rock"}}}]}"#,
    );
    assert_eq!(row(&level.unwrap()), "##^.");
    let text = read(
        r#"{"width":1,"height":1,"tilewidth":16,"tileheight":16,"layers":[],
"tilesets":[{"firstgid":1,"name":"t","tilewidth":16,"tileheight":16,"tileproperties":{"one":{}}}]}"#,
    );
    let text = text.unwrap_err().to_string();
    assert!(
        text.starts_with("a.json:2: tileset \"t\": \"one\" is not the number"),
        "{text}"
    );
}

#[test]
fn missing_tilesets_matter_only_in_layers_with_collision() {
    let sets = tileset("").replace("firstgid=\"1\"", "firstgid=\"1001\"");
    let content = |name: &str| {
        "<tileset firstgid=\"1\" source=\":/automap-tiles.tsx\"/>".to_owned()
            + &sets
            + &layer(name, 4, 1, "7,0,0,0")
            + &layer("walls", 4, 1, "0,1001,1001,0")
    };
    let level = read(&map(4, 1, &content("rules"))).unwrap();
    assert_eq!(row(&level), ".##.");
    warned(
        &level,
        &[":/automap-tiles.tsx", "level.tmx:", "taken for pictures"],
    );
    let text = error(&map(4, 1, &content("ground")));
    assert!(
        text.starts_with(":/automap-tiles.tsx: cannot be read (used by tileset"),
        "{text}"
    );
    // What marks the tiles may be in the missing file.
    let only = "<tileset firstgid=\"1\" source=\"gone.tsx\"/>".to_owned()
        + &layer("Tile Layer 1", 4, 1, "7,0,0,0");
    let text = error(&map(4, 1, &only));
    assert!(
        text.contains("help: the tileset gone.tsx does not exist; if it marks tiles, put it back"),
        "{text}"
    );
    // The same for tiles of no tileset.
    let impossible = |name: &str| {
        map(
            4,
            1,
            &(tileset("") + &layer(name, 4, 1, "900,0,0,0") + &layer("walls", 4, 1, "0,1,1,0")),
        )
    };
    let level = read(&impossible("rules")).unwrap();
    assert_eq!(row(&level), ".##.");
    warned(
        &level,
        &[
            "layer \"rules\": cell 0, 0: tile id 900 does not exist",
            "left out",
        ],
    );
    assert!(error(&impossible("ground")).contains("cell 0, 0: tile id 900 does not exist"));
    // And for objects that show such tiles.
    let coins = [1, 2, 3].map(|id| {
        let gid = if id == 3 { 1 } else { 900 + id };
        format!("<object id=\"{id}\" name=\"coin\" gid=\"{gid}\" x=\"16\" y=\"16\" width=\"16\" height=\"16\"/>")
    });
    let content =
        tileset("") + &layer("walls", 4, 1, "0,1,1,0") + &objects("items", &coins.concat());
    let level = read(&map(4, 1, &content)).unwrap();
    assert_eq!(row(&level), ".##.");
    warned(
        &level,
        &[
            "object 1 \"coin\" in layer \"items\": tile id 901 does not exist",
            "kept without its picture, as 1 more of this layer",
        ],
    );
    let areas = level
        .markers
        .iter()
        .map(|marker| marker.area.min.to_array());
    assert_eq!(areas.collect::<Vec<_>>(), [[16.0, 0.0]; 3]);
}

#[test]
fn objects_of_moving_layers_are_paths() {
    let list = "<object id=\"1\" name=\"spike\" width=\"8\" height=\"8\"/>";
    let content = tileset("") + &layer("ground", 1, 1, "1") + &objects("Moving Objects", list);
    let level = read(&map(1, 1, &content)).unwrap();
    assert_eq!((pieces(&level).len(), level.markers.len()), (1, 1));
    warned(&level, &["1 object would be hazard", "objects move"]);
}

/// An LDtk project of one level with a 4 x 1 `IntGrid` of the values 1 to 4.
fn project(layer: &str, values: [&str; 4], level: &str) -> Result<LevelFile, SourceError> {
    let value = |(i, name): (usize, &&str)| match *name {
        "" => format!(
            "{{\"value\":{},\"identifier\":null,\"color\":\"#ff000{i}\"}}",
            i + 1
        ),
        name => format!(
            "{{\"value\":{},\"identifier\":\"{name}\",\"color\":\"#ff000{i}\"}}",
            i + 1
        ),
    };
    let values: Vec<String> = values.iter().enumerate().map(value).collect();
    let values = values.join(",");
    let instance = |cells: &str| {
        format!(
            "{{\"__identifier\":\"{layer}\",\"__type\":\"IntGrid\",\"__cWid\":4,\"__cHei\":1,\"__gridSize\":16,\"layerDefUid\":1,\"intGridCsv\":[{cells}]}}"
        )
    };
    let level_of = |name: &str, cells: &str| {
        format!(
            "{{\"identifier\":\"{name}\",\"pxWid\":64,\"pxHei\":16,\"layerInstances\":[{}]}}",
            instance(cells)
        )
    };
    let json = format!(
        "{{\"jsonVersion\":\"1.5.3\",\"defaultGridSize\":16,\"defs\":{{\"layers\":[{{\"uid\":1,\"identifier\":\"{layer}\",\"__type\":\"IntGrid\",\"intGridValues\":[{values}]}}]}},\"levels\":[{},{}]}}",
        level_of("Full", "1,2,3,4"),
        level_of("Empty", "0,0,0,0"),
    );
    let name = format!("a.ldtk#{level}");
    read_bytes(
        &name,
        json.as_bytes(),
        &MemoryFiles::default(),
        &Rules::default(),
    )
}

#[test]
fn values_of_int_grids_use_the_same_words() {
    let full = |layer: &str, values| project(layer, values, "Full").unwrap();
    let level = full("Cells", ["Dark_wall", "Platforms", "green_acid", "Ladders"]);
    assert_eq!(row(&level), "#-^H");
    assert_eq!(level.warnings, [""; 0]);
    // Without identifiers, the layer's name counts.
    assert_eq!(row(&full("Floor", ["", "", "", "Water"])), "###.");
    let level = full("SpikeCollisions", ["spikes", "attachment", "", "wall"]);
    assert_eq!(row(&level), "^.^#");
    warned(
        &level,
        &[
            "1 cell of value \"attachment\" has no effect",
            "intgrid:attachment",
        ],
    );
    // A word for pictures beside one for ground.
    let level = full("Collisions", ["light_wall", "wall_bg", "wall", "wall"]);
    assert_eq!(row(&level), "..##");
    warned(
        &level,
        &[
            "1 cell of value \"light_wall\" has no effect",
            "solid = [\"intgrid:light_wall\"]",
        ],
    );
    assert_eq!(level.warnings.len(), 1);
    let level = full("Collisions", ["dirt", "jelly", "wall", ""]);
    assert_eq!(row(&level), "####");
    warned(&level, &["1 cell of value \"jelly\" is solid"]);
    assert_eq!(level.warnings.len(), 1);
    // The line to add keeps what the layer's name says.
    let level = full("Spikes", ["left", "wall", "wall", "wall"]);
    warned(
        &level,
        &["say what they are: hazard = [\"intgrid:left\"], or solid, empty"],
    );
    // Several values without a name may differ.
    let level = full("Hitboxes", ["wall", "", "", "spike"]);
    let rest =
        "without identifiers, 2 and 3 in 1 cell, are all solid (name \"Hitboxes\" of the layer)";
    warned(
        &level,
        &[rest, "solid = [\"layer:Hitboxes & intgrid:3\"], or empty"],
    );
    assert_eq!(level.warnings.len(), 1);
    assert_eq!(
        full("Hitboxes", ["wall", "", "spike", "spike"]).warnings,
        [""; 0]
    );
    let level = full("Collisions", ["wall", "lader", "", ""]);
    warned(
        &level,
        &["is it \"ladder\"? If so, ladder = [\"intgrid:lader\"]"],
    );
}

#[test]
fn a_project_is_explained_once() {
    let level = project("Cells", ["wall", "", "", ""], "Empty").unwrap();
    warned(&level, &["nothing to stand on"]);
    let text = project("Cells", ["Rock", "Metal", "", "ladder"], "Full")
        .unwrap_err()
        .to_string();
    for part in [
        "IntGrid \"Cells\"",
        "value \"Rock\" (#ff0000, 1 cell)",
        "value 3 (#ff0002, 1 cell)",
        "in LDtk:",
        "solid = [\"intgrid:Rock\", \"intgrid:Metal\", \"intgrid:3\"]",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("in Tiled"), "{text}");
}

fn warnings_of(content: &str) -> Vec<String> {
    read(&map(4, 1, &(tileset("") + content))).unwrap().warnings
}

#[test]
fn layers_whose_names_say_nothing_are_asked_about_beside_ground() {
    let palms = layer("palms", 4, 1, "0,0,1,1");
    let others = palms.clone()
        + &layer("Coins", 4, 1, "1,0,0,0")
        + &layer("checkpoints", 4, 1, "1,0,0,0")
        + &objects("Pipes", "<object id=\"1\" width=\"8\" height=\"8\"/>");
    let found = warnings_of(&(layer("terrain", 4, 1, "1,1,0,0") + &others));
    assert_eq!(found.len(), 1, "{found:#?}");
    for part in [
        "layer \"palms\": its 2 cells are not used, nor those of \"Pipes\"",
        "empty = [\"layer:palms\", \"layer:Pipes\"]",
    ] {
        assert!(found[0].contains(part), "{part}: {found:#?}");
    }
    // So are objects that show tiles without a name, such as parts of a ladder.
    let tile = "<object id=\"1\" gid=\"3\" x=\"48\" y=\"16\" width=\"16\" height=\"16\"/>";
    let found = warnings_of(&(layer("terrain", 4, 1, "1,1,0,0") + &objects("grimper", tile)));
    assert!(
        found[0].contains("layer \"grimper\": its 1 object is not used"),
        "{found:#?}"
    );
    // Games use outlines that the editor hides, too.
    let list = "<object id=\"1\" width=\"16\" height=\"16\"/>";
    for hidden in ["geom", "side bricks"] {
        for ground in ["collision", "walls"] {
            let hidden = objects(hidden, list).replace("name=", "visible=\"0\" name=");
            let found = warnings_of(&(objects(ground, list) + &hidden));
            assert!(
                found.len() == 1 && found[0].contains("empty = [\"layer:"),
                "{found:#?}"
            );
        }
    }
    // The line that it offers ends it, and what it is about is not solid.
    let tmx = map(
        4,
        1,
        &(tileset("") + &layer("terrain", 4, 1, "1,1,0,0") + &others),
    );
    let rules = toml::from_str("empty = [\"layer:palms\", \"layer:Pipes\"]").unwrap();
    let level = read_with(&tmx, &[], &rules).unwrap();
    assert_eq!(level.warnings, [""; 0]);
    assert_eq!(row(&level), "##..");
    // A layer made for collision, or tiles that are marked, leave no doubt.
    assert_eq!(
        warnings_of(&(layer("collision", 4, 1, "1,1,1,1") + &palms)),
        [""; 0]
    );
    let level = layers(
        &tiles(["solid=true", "", "", ""]),
        &[("Main", "1,1,1,0"), ("palms", "0,0,2,2")],
    );
    assert_eq!(level.warnings, [""; 0]);
    // But blocks that break when they are stood on have no mark.
    let blocks = ("Crumble Blocks", "0,0,2,2");
    let level = layers(
        &tiles(["solid=true", "", "", ""]),
        &[("Main", "1,1,1,0"), blocks],
    );
    warned(
        &level,
        &["if bodies stand on them, solid = [\"layer:Crumble Blocks\"]"],
    );
    assert_eq!(level.warnings.len(), 1);
    let level = layers("", &[("collision", "1,1,1,0"), blocks]);
    assert_eq!(level.warnings, [""; 0]);
}

#[test]
fn a_rule_about_one_layer_leaves_the_questions_about_others() {
    let content = tileset("")
        + &layer("main", 4, 1, "1,0,0,0")
        + &layer("palms", 4, 1, "0,0,1,0")
        + &layer("ruins", 4, 1, "0,0,0,1");
    let warnings = |content: &str, table: &str| {
        let tmx = map(4, 1, content);
        read_with(&tmx, &[], &rules(table)).unwrap().warnings
    };
    let called_ground = content.replace("main", "ground");
    for (content, rule, question) in [
        (
            &content,
            "layer:main",
            "empty = [\"layer:palms\", \"layer:ruins\"]",
        ),
        (
            &content,
            "layer:main & !tile:tiles#3",
            "\"layer:palms\", \"layer:ruins\"]",
        ),
        (&called_ground, "layer:palms", "empty = [\"layer:ruins\"]"),
    ] {
        let found = warnings(content, &format!("solid = [\"{rule}\"]"));
        assert!(
            found.len() == 1 && found[0].contains(question),
            "{rule}: {found:#?}"
        );
    }
    // Answers to all of it leave nothing to ask, and neither do rules about tiles.
    let answers = "solid = [\"layer:main\"]\nempty = [\"layer:palms\", \"layer:ruins\"]";
    assert_eq!(warnings(&content, answers), [""; 0]);
    let tiles = "solid = [\"tile:tiles#0\"]";
    assert_eq!(warnings(&content, tiles), [""; 0]);
    // The larger rest of a layer with one-way tiles is asked about beside another layer.
    let parts = tileset(&self::tiles(["oneway=true", "", "", ""]))
        + &layer("main", 4, 1, "0,0,0,2")
        + &layer("extra", 4, 1, "1,2,2,0");
    let found = warnings(&parts, "solid = [\"layer:main\"]");
    let question = "2 cells of it are not used, as nothing says what they are";
    assert!(
        found.iter().any(|text| text.contains(question)),
        "{found:#?}"
    );
}

#[test]
fn platforms_beneath_objects_for_collision_are_pictures() {
    let rows = |objects_of: &str| {
        let content = tileset("")
            + &layer("Platforms", 4, 1, "1,1,0,0")
            + &layer("Platforms2", 4, 1, "0,0,1,0")
            + &objects("Collider", objects_of);
        read(&map(4, 1, &content)).unwrap()
    };
    let level = rows("<object id=\"1\" width=\"48\" height=\"16\"/>");
    assert_eq!(row(&level), "###.");
    assert_eq!(pieces(&level).len(), 1);
    warned(&level, &["\"Platforms\"", "objects of layer \"Collider\""]);
    // Where the objects lie beside it, the platforms are for themselves.
    let level = rows("<object id=\"1\" x=\"48\" width=\"16\" height=\"16\"/>");
    assert_eq!(row(&level), "---#");
}

#[test]
fn outlines_beside_solid_objects_are_asked_about() {
    let list = "<object id=\"1\" name=\"Obstacle\" width=\"16\" height=\"16\"/>\
                <object id=\"2\" x=\"16\" width=\"16\" height=\"16\"/>\
                <object id=\"3\" name=\"Coin\" x=\"32\" width=\"8\" height=\"8\"/>";
    let tmx = map(4, 1, &objects("things", list));
    let level = read(&tmx).unwrap();
    assert_eq!(row(&level), "#...");
    let rule = "layer:things & !name:* & !class:*";
    warned(&level, &["1 object of neither class nor name", rule]);
    let level = read_with(&tmx, &[], &rules(&format!("solid = [\"{rule}\"]"))).unwrap();
    assert_eq!(row(&level), "##..");
    assert_eq!(level.warnings, [""; 0]);
    // Beside one-way objects without a name, which stay one-way.
    let one_way =
        "<properties><property name=\"oneWay\" type=\"bool\" value=\"true\"/></properties>";
    let list = format!(
        "<object id=\"1\" width=\"16\" height=\"16\">{one_way}</object>\
         <object id=\"2\" x=\"16\" width=\"16\" height=\"16\"/>"
    );
    let tmx = map(4, 1, &objects("things", &list));
    let rule = "layer:things & !name:* & !class:* & !property:oneWay";
    let level = read(&tmx).unwrap();
    assert_eq!(row(&level), "-...");
    warned(&level, &["beside objects that are one-way", rule]);
    let level = read_with(&tmx, &[], &rules(&format!("solid = [\"{rule}\"]"))).unwrap();
    assert_eq!(row(&level), "-#..");
    assert_eq!(level.warnings, [""; 0]);
    // Objects that show a tile without a name, and those beside what a rule makes solid.
    let tile = |object: &str| {
        let tile = "<object id=\"2\" gid=\"1\" x=\"16\" y=\"16\" width=\"16\" height=\"16\"/>";
        map(
            4,
            1,
            &(tileset("") + &objects("things", &format!("{object}{tile}"))),
        )
    };
    let named = "<object id=\"1\" name=\"wall\" width=\"16\" height=\"16\"/>";
    let level = read(&tile(named)).unwrap();
    warned(
        &level,
        &[
            "1 object of neither class nor name",
            "beside objects that are solid",
        ],
    );
    let rule = "\nsolid = [\"name:rail\", \"layer:things & !name:* & !class:*\"]";
    let rail = tile(&named.replace("wall", "rail"));
    let level = read_with(&rail, &[], &rules("solid = [\"name:rail\"]")).unwrap();
    warned(
        &level,
        &[
            "1 object of neither class nor name",
            "beside objects that are solid",
        ],
    );
    let level = read_with(&rail, &[], &rules(rule)).unwrap();
    assert_eq!(row(&level), "##..");
    assert_eq!(level.warnings, [""; 0]);
    // A property `name` says what it is, too.
    let coin = tileset(&tiles(["name=coin", "", "", ""]));
    let level = read(&tile(named).replace(&tileset(""), &coin)).unwrap();
    assert_eq!(level.warnings, [""; 0]);
}

#[test]
fn object_layers_that_may_be_hazards_are_asked_about() {
    let list = "<object id=\"1\" width=\"8\" height=\"8\"/>";
    for name in ["damage", "DeadZones", "old spikes"] {
        let found = warnings_of(&(layer("collision", 4, 1, "1,1,1,1") + &objects(name, list)));
        assert_eq!(found.len(), 1, "{found:#?}");
        let rule = format!("hazard = [\"layer:{name}\"]");
        assert!(found[0].contains(&rule), "{found:#?}");
    }
    // So are objects that show tiles, if the name has a word for platforms.
    let tile = "<object id=\"1\" gid=\"3\" x=\"48\" y=\"16\" width=\"16\" height=\"16\"/>";
    let invisible = objects("platformInvisible", tile);
    let found = warnings_of(&(layer("collision", 4, 1, "1,1,1,1") + &invisible));
    let rule =
        "1 object is not used; if the name means it, one_way = [\"layer:platformInvisible\"]";
    assert!(found.len() == 1 && found[0].contains(rule), "{found:#?}");
    let moving = objects("mobile_platforms", list);
    assert_eq!(
        warnings_of(&(layer("collision", 4, 1, "1,1,1,1") + &moving)),
        [""; 0]
    );
}

#[test]
fn collision_of_places_where_something_happens_is_asked_about() {
    let list = "<object id=\"1\" width=\"8\" height=\"8\"/>";
    for name in ["finish_collision", "ExitColliders", "trigger collision"] {
        let content = tileset("") + &layer("ground", 4, 1, "1,0,0,0") + &objects(name, list);
        let level = read(&map(4, 1, &content)).unwrap();
        // The layer is not the one that replaces the ground, either.
        assert_eq!(row(&level), "#...", "{name}");
        let rule = format!("solid = [\"layer:{name}\"]");
        warned(&level, &["its 1 object is not used", &rule]);
    }
}

#[test]
fn levels_with_hardly_anything_to_stand_on_are_warned_about() {
    let level = |solid: usize, columns: usize| {
        let cells = vec!["1"; solid].join(",") + &",0".repeat(columns - solid);
        let content = tileset("") + &layer("ground", columns as u32, 1, &cells);
        read(&map(columns as u32, 1, &content)).unwrap()
    };
    warned(&level(1, 50), &["only 2 % of the level's width"]);
    assert_eq!(level(2, 50).warnings, [""; 0]);
}

#[test]
fn tiles_of_slopes_without_shapes_are_full_blocks_with_a_warning() {
    let set = tileset("").replace("name=\"tiles\"", "name=\"arcade-slopes-16\"");
    let solid =
        "<properties><property name=\"collides\" type=\"bool\" value=\"true\"/></properties>";
    let cells = layer("shapes", 4, 1, "1,1,5,6").replace("<data", &format!("{solid}<data"));
    let level = read(&map(4, 1, &(set.clone() + &cells))).unwrap();
    assert_eq!(row(&level), "####");
    warned(&level, &["3 different tiles", "arcade-slopes-16"]);
    let plain = tileset("") + &cells;
    assert_eq!(read(&map(4, 1, &plain)).unwrap().warnings, [""; 0]);
}

#[test]
fn what_is_solid_in_a_hidden_layer_of_other_things_is_the_guess() {
    let object = |id: u32, name: &str, x: u32| {
        format!("<object id=\"{id}\" name=\"{name}\" x=\"{x}\" y=\"8\" width=\"16\" height=\"8\"/>")
    };
    let list = object(1, "blockers", 0) + &object(2, "blockers", 16) + &object(3, "player", 48);
    let hidden = objects("triggers", &list).replace("name=\"t", "visible=\"0\" name=\"t");
    let tmx = map(
        4,
        1,
        &(tileset("") + &layer("set", 4, 1, "1,1,1,1") + &hidden),
    );
    let text = error(&tmx);
    for part in [
        "2 objects of layer \"triggers\" would be solid",
        "solid = [\"layer:triggers & name:blockers\"]",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // The rule names the layer, so it applies although that is hidden.
    let read = |rule: &str| {
        let rules = toml::from_str(&format!("solid = [\"layer:set\", \"{rule}\"]")).unwrap();
        read_bytes("level.tmx", tmx.as_bytes(), &MemoryFiles::default(), &rules).unwrap()
    };
    assert_eq!(pieces(&read("layer:triggers & name:blockers")).len(), 3);
    let level = read("name:blockers");
    assert_eq!(pieces(&level).len(), 1);
    warned(
        &level,
        &["solid = [\"layer:triggers & name:blockers\"] makes it so"],
    );
    // Layers are hidden for the artist, also those of what hurts.
    let hurts = objects("environmentHazard", &object(1, "", 0));
    let hurts = hurts.replace("name=\"e", "visible=\"0\" name=\"e");
    let ground = tileset("") + &layer("ground", 4, 1, "1,1,1,1");
    let level = super::maps::read(&map(4, 1, &(ground + &hurts))).unwrap();
    warned(
        &level,
        &["1 object is not used; if the name means it, hazard = [\"layer:environmentHazard\"]"],
    );
    // One question is enough.
    let hidden =
        objects("platforms", &object(1, "", 0)).replace("name=\"p", "visible=\"0\" name=\"p");
    let ground = tileset("") + &layer("ground", 4, 1, "1,1,1,1");
    let level = super::maps::read(&map(4, 1, &(ground + &hidden))).unwrap();
    warned(&level, &["one_way = [\"layer:platforms\"] makes it so"]);
    assert_eq!(level.warnings.len(), 1);
}

#[test]
fn the_value_of_a_property_tile_is_a_class() {
    let tiles = tiles(["tile=block", "tile=one_way", "tile=torch", "tile=true"]);
    let level = layers(&tiles, &[("static", "1,2,3,4")]);
    assert_eq!(row(&level), "#-..");
}

#[test]
fn decoration_on_the_ground_is_in_levels_from_the_side_too() {
    let level = |name: &str| {
        let rows = ["0,0,0,0", "1,1,1,1", "1,1,1,1", "1,1,1,1"].join(",");
        let on = ["0,0,0,0", "1,1,1,1", "1,1,1,1", "0,0,0,0"].join(",");
        let cells = layer("ground", 4, 4, &rows) + &layer(name, 4, 4, &on);
        super::maps::read(&map(4, 4, &(tileset("") + &cells))).unwrap()
    };
    warned(&level("things"), &["seen from above"]);
    assert_eq!(level("decoration").warnings, [""; 0]);
}

#[test]
fn a_hidden_layer_called_ground_is_the_guess() {
    let list =
        "<object id=\"1\" width=\"8\" height=\"8\"/><object id=\"2\" width=\"8\" height=\"8\"/>";
    let hidden = objects("ground", list).replace("name=", "visible=\"0\" name=");
    let text = error(&map(4, 1, &(hidden + &objects("slimes", list))));
    for part in [
        "2 objects of layer \"ground\" would be solid (name \"ground\" of the layer, but the layer is hidden)",
        "solid = [\"layer:ground\"]",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_property_of_collision_may_say_in_words_what_it_is() {
    let kinds = tiles([
        "collision=solid",
        "collision=jumpthru",
        "collision=None",
        "collision=Spike",
    ]);
    let cells = "1,2,3,4";
    assert_eq!(row(&layers(&kinds, &[("Main", cells)])), "#-.^");
    assert_eq!(row(&layers(&kinds, &[("Collision", cells)])), "#-.^");
}

#[test]
fn a_map_whose_layers_are_called_background_has_a_guess() {
    let full = layer("background", 10, 10, &["1"; 100].join(","));
    let text = error(&map(10, 10, &(tileset("") + &full)));
    for part in ["fills the map", "solid = [\"layer:background\"]"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let low = layer("bg", 4, 3, "0,0,0,0,0,0,0,0,1,1,1,1");
    let others = layer("coins", 4, 3, "0,1,1,1,0,0,0,0,0,0,0,0") + &objects("player", BLOCK);
    let text = error(&map(4, 3, &(tileset("") + &low + &others)));
    assert!(text.contains("solid = [\"layer:bg\"]"), "{text}");
    // What is called ground may be empty.
    let empty = layer("ground", 4, 3, &["0"; 12].join(","));
    let level = read(&map(4, 3, &(tileset("") + &empty + &low))).unwrap();
    warned(
        &level,
        &["layer \"bg\": its 4 cells", "solid = [\"layer:bg\"]"],
    );
    // Without tiles, there are objects.
    let wall = "<object id=\"1\" type=\"InvisibleWall\" width=\"8\" height=\"8\"/>";
    let text = error(&map(4, 1, &(tileset("") + &objects("things", wall))));
    for part in [
        "the level has 1 object of class:InvisibleWall",
        "solid = [\"class:InvisibleWall\"]",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // A small layer is not the ground, though it lies lower.
    let low = [vec!["0"; 90], vec!["1"; 5], vec!["0"; 5]]
        .concat()
        .join(",");
    let high = [vec!["1"; 50], vec!["0"; 50]].concat().join(",");
    let content = layer("Fragile", 10, 10, &low) + &layer("Normal", 10, 10, &high);
    let text = error(&map(10, 10, &(tileset("") + &content)));
    assert!(text.contains("solid = [\"layer:Normal\"]"), "{text}");
    // Coins are no guess, though they are all that has a property.
    let coins = tileset(&tiles(["coin=true", "", "", ""])) + &layer("World", 4, 1, "1,2,2,0");
    let text = error(&map(4, 1, &coins));
    assert!(text.contains("solid = [\"layer:World\"]"), "{text}");
}

#[test]
fn tilesets_as_a_whole_may_be_collision() {
    let read = |attributes: &str, properties: &str, layer_name: &str| {
        let tileset = tileset(
            "<tile id=\"1\"><properties><property name=\"solid\" value=\"false\"/></properties></tile>",
        );
        let tileset = tileset.replace("columns=\"8\"", &format!("columns=\"8\" {attributes}"));
        let tileset = tileset.replace("<image", &format!("{properties}<image"));
        let content = tileset + &layer(layer_name, 4, 1, "1,2,3,0");
        read(&map(4, 1, &content)).unwrap()
    };
    let hazard =
        "<properties><property name=\"hazard\" type=\"bool\" value=\"true\"/></properties>";
    // What a tile says of itself comes first.
    let level = read("class=\"solid\"", "", "Main");
    assert_eq!(row(&level), "#.#.");
    assert!(
        level.decisions[0].contains("class \"solid\" of the tileset"),
        "{:?}",
        level.decisions
    );
    assert_eq!(row(&read("", hazard, "Ground")), "^.^.");
    // A word that says nothing of collision changes nothing.
    assert_eq!(row(&read("class=\"spawn\"", "", "Ground")), "#.#.");
}

#[test]
fn hidden_objects_are_warned_about() {
    let list = "<object id=\"1\" width=\"16\" height=\"16\"/>\
                <object id=\"2\" visible=\"0\" x=\"32\" width=\"16\" height=\"16\"/>\
                <object id=\"3\" class=\"spawn\" visible=\"0\" x=\"48\" width=\"8\" height=\"8\"/>";
    let level = read(&map(4, 1, &objects("collision", list))).unwrap();
    assert_eq!(row(&level), "#.#.");
    warned(&level, &["1 object is collision although hidden"]);
}

#[test]
fn objects_that_may_hurt_are_asked_about() {
    let object =
        |name: &str| format!("<object id=\"1\" name=\"{name}\" width=\"8\" height=\"8\"/>");
    let of = |name: &str| {
        let things = objects("things", &object(name));
        warnings_of(&(layer("collision", 4, 1, "1,1,1,1") + &things))
    };
    let found = of("floor_spike");
    let rule = "if bodies die of it, hazard = [\"name:floor_spike\"]";
    assert!(found.len() == 1 && found[0].contains(rule), "{found:#?}");
    // A marker that the baker knows is nothing else.
    for other in [
        "fire enemy",
        "spike trigger",
        "moving saw",
        "trap\" class=\"Area",
    ] {
        assert_eq!(of(other), [""; 0], "{other}");
    }
}

#[test]
fn images_and_points_that_should_be_collision_are_warned_about() {
    let ground = layer("ground", 4, 1, "1,1,1,1");
    let image = |name: &str| {
        format!(
            "<imagelayer name=\"{name}\"><image source=\"a.png\" width=\"64\" height=\"16\"/></imagelayer>"
        )
    };
    let found = warnings_of(&(ground.clone() + &image("collision mask")));
    assert!(
        found.len() == 1 && found[0].contains("an image is never collision"),
        "{found:#?}"
    );
    // Layers of pictures have such names too.
    assert_eq!(warnings_of(&(ground.clone() + &image("walls"))), [""; 0]);
    // Terrain that is a picture is all that there is.
    let text = error(&map(4, 1, &image("terrain")));
    assert!(text.contains("bake that PNG instead of the map"), "{text}");
    let content = ground
        + &objects(
            "things",
            "<object id=\"1\" class=\"spike\" x=\"8\" y=\"0\"><point/></object>",
        );
    let level = read(&map(4, 1, &(tileset("") + &content))).unwrap();
    warned(&level, &["a point or text has no extent"]);
    assert_eq!(level.markers[0].class, "spike");
}

#[test]
fn one_way_tiles_that_are_turned_are_warned_about() {
    let turned = |class: &str, flips: [u32; 3]| {
        let [d, h, v] = flips;
        let gid = 1 | d << 29 | v << 30 | h << 31;
        let level = layers(
            &tiles([class, "", "", ""]),
            &[("Main", &format!("0,{gid},{gid},0"))],
        );
        let text = "2 cells are one-way and turned or mirrored";
        level.warnings.iter().any(|warning| warning.contains(text))
    };
    assert!(turned("one_way", [0, 0, 1]) && turned("one_way", [1, 0, 0]));
    assert!(turned("one_way_left", [0, 1, 0]));
    assert!(!turned("one_way", [0, 1, 0]) && !turned("one_way_left", [0, 0, 1]));
    assert!(!turned("solid", [1, 1, 1]));
}
