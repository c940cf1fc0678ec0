//! Levels whose objects, tiles or pictures speak against what their layers are
//! called are asked about.

use std::path::Path;

use baker_cli::source::LevelFile;
use baker_cli::source::{MemoryFiles, Rules, picture_warnings, read_bytes};
use image::{ImageFormat, Rgba, RgbaImage};

use crate::maps::*;

/// A 4 x 4 map of these tiles and layers.
fn level(tiles: &str, layers: &str) -> LevelFile {
    read(&map(4, 4, &(tileset(tiles) + layers))).unwrap()
}

/// A tile layer of a 4 x 4 map, by its rows.
fn cells(name: &str, rows: [&str; 4]) -> String {
    layer(name, 4, 4, &rows.join(","))
}

/// A layer of solid cells in the lowest row.
fn ground(name: &str) -> String {
    cells(name, ["0,0,0,0", "0,0,0,0", "0,0,0,0", "1,1,1,1"])
}

fn warned(level: &LevelFile, parts: &[&str]) {
    let mut found = level.warnings.iter();
    let is_meant = |warning: &&String| parts.iter().all(|part| warning.contains(part));
    assert!(
        found.any(|w| is_meant(&w)),
        "{parts:?}: {:#?}",
        level.warnings
    );
}

#[test]
fn things_in_a_layer_called_collision_are_not_solid() {
    let list = r#"<object id="1" y="48" width="64" height="16"/>
<object id="2" name="start" y="16" width="16" height="16"/>
<object id="3" type="Goal" x="48" y="16" width="16" height="16"/>
<object id="4" name="wall_left" width="4" height="16"/>"#;
    let level = level("", &objects("Collision", list));
    assert_eq!(pieces(&level).len(), 2);
    assert_eq!(level.markers.len(), 2);
    let rules = "solid = [\"class:Goal\", \"name:start\"] makes";
    warned(&level, &["2 objects would be solid", rules]);
    assert_eq!(level.warnings.len(), 1, "{:#?}", level.warnings);
}

#[test]
fn solid_objects_with_names_beside_others_are_asked_about() {
    let named = |names: [&str; 2]| {
        let object = |(id, name): (usize, &&str)| {
            format!("<object id=\"{id}\" name=\"{name}\" y=\"32\" width=\"64\" height=\"16\"/>")
        };
        let list: String = names.iter().enumerate().map(object).collect();
        level("", &objects("solid", &list))
    };
    let mixed = named(["white", ""]);
    assert_eq!(pieces(&mixed).len(), 2);
    warned(
        &mixed,
        &["1 object with a name", "empty = [\"name:white\"]"],
    );
    warned(
        &named(["a", "b"]),
        &["2 objects with names", "\"name:a\", \"name:b\""],
    );
    for alike in [
        ["white", "white"],
        ["", ""],
        ["left wall", ""],
        ["roof", "Ground 2"],
    ] {
        assert_eq!(named(alike).warnings, [""; 0], "{alike:?}");
    }
}

#[test]
fn outlines_called_boxes_or_bricks_are_asked_about() {
    let named = |name: &str, class: &str| {
        let list = format!(
            "<object id=\"1\" name=\"{name}\" type=\"{class}\" y=\"16\" width=\"16\" height=\"16\"/>"
        );
        level("", &(ground("walls") + &objects("things", &list)))
    };
    warned(
        &named("brick2", ""),
        &[
            "1 object of name:brick2 is not",
            "solid = [\"name:brick2\"]",
        ],
    );
    warned(
        &named("", "HiddenBox"),
        &["1 object of class:HiddenBox is not"],
    );
    for other in ["movingPlatform", "trigger box", "coin block", "box office"] {
        assert_eq!(named(other, "").warnings, [""; 0], "{other}");
    }
}

#[test]
fn solid_objects_that_are_called_something_else_are_asked_about() {
    let solid = |name: &str| {
        let list = format!(
            "<object id=\"1\" name=\"{name}\" y=\"48\" width=\"64\" height=\"16\"><properties>\
             <property name=\"collidable\" type=\"bool\" value=\"true\"/></properties></object>"
        );
        level("", &objects("entities", &list))
    };
    let door = solid("exit_door");
    assert_eq!(pieces(&door).len(), 1);
    warned(
        &door,
        &[
            "1 object of name:exit_door is collision",
            "empty = [\"name:exit_door\"]",
        ],
    );
    for name in ["", "lid", "door wall"] {
        assert_eq!(solid(name).warnings, [""; 0], "{name}");
    }
}

#[test]
fn named_objects_of_a_layer_called_platforms_are_asked_about() {
    let list = r#"<object id="1" name="lift" width="16" height="4"/>
<object id="2" name="spawn" width="8" height="8"/><object id="3" width="16" height="4"/>
<object id="4" name="note"><point/></object>"#;
    let beside = level("", &(ground("walls") + &objects("Platforms", list)));
    warned(
        &beside,
        &["1 object with a name", "empty = [\"name:lift\"]"],
    );
    warned(
        &beside,
        &["1 object would be one-way", "one_way = [\"name:spawn\"]"],
    );
    let solid = level("", &objects("Platforms", list));
    warned(
        &solid,
        &["1 object would be solid", "solid = [\"name:lift\"]"],
    );
    assert_eq!((beside.markers.len(), solid.markers.len()), (2, 3));
}

#[test]
fn the_rest_of_a_layer_with_one_way_tiles_is_asked_about() {
    let tiles = "<tile id=\"1\"><properties><property name=\"platform\" value=\"true\"/></properties></tile>";
    let rows = ["0,0,0,0", "2,2,0,0", "0,0,0,0", "1,1,1,0"];
    let main = cells("main", rows);
    let rule = "solid = [\"layer:main & !property:platform\"]";
    warned(&level(tiles, &main), &["3 cells of it are not used", rule]);
    // What is solid elsewhere is the ground.
    let beside = level(tiles, &(main.clone() + &ground("collision")));
    assert_eq!(beside.warnings, [""; 0]);
    // Fewer cells than those that are marked as solid are decoration.
    let solid = tiles.replace("platform", "solid");
    let few = cells("main", ["0,0,0,0", "0,0,0,0", "0,1,0,0", "2,2,2,2"]);
    assert_eq!(level(&solid, &few).warnings, [""; 0]);
    warned(&level(&solid, &main), &["3 cells of it are not used"]);
}

#[test]
fn one_way_cells_in_heaps_are_asked_about() {
    let outlines = "<object id=\"1\" x=\"48\" width=\"16\" height=\"64\"/>";
    let beside = |rows: [&str; 4]| {
        level(
            "",
            &(objects("Solid", outlines) + &cells("Platforms", rows)),
        )
    };
    let heap = beside(["0,0,0,0", "1,0,0,0", "1,1,0,0", "1,1,0,0"]);
    warned(
        &heap,
        &[
            "3 cells of it lie beneath others",
            "solid = [\"layer:Platforms\"]",
        ],
    );
    let thin = beside(["0,0,0,0", "1,1,0,0", "0,0,0,0", "1,1,0,0"]);
    assert_eq!(thin.warnings, [""; 0]);
    // So are layers that fill the map, and those of other words for one-way.
    for name in ["Platforms", "jumpthru"] {
        let full = layer(name, 10, 10, &["1"; 100].join(","));
        let walls = layer("walls", 10, 10, &(["0"; 99].join(",") + ",1"));
        let level = read(&map(10, 10, &(tileset("") + &walls + &full))).unwrap();
        warned(
            &level,
            &[
                "90 cells of it lie beneath others",
                &format!("solid = [\"layer:{name}\"]"),
            ],
        );
    }
}

#[test]
fn upright_one_way_objects_are_asked_about() {
    let beside = |width: u32| {
        let list = format!("<object id=\"1\" y=\"8\" width=\"{width}\" height=\"16\"/>");
        level("", &(ground("walls") + &objects("Platforms", &list)))
    };
    warned(
        &beside(8),
        &[
            "1 object is one-way because of the layer",
            "solid = [\"layer:Platforms\"]",
        ],
    );
    assert_eq!(beside(16).warnings, [""; 0]);
}

#[test]
fn tiles_of_a_tileset_of_shapes_with_unknown_properties_are_asked_about() {
    let tile = |id: u32| {
        format!(
            "<tile id=\"{id}\"><properties><property name=\"colshape\" value=\"{id}\"/></properties></tile>"
        )
    };
    let set = tileset(&(tile(0) + &tile(1))).replace("name=\"tiles\"", "name=\"collision\"");
    let level = read(&map(2, 1, &(set + &layer("SharedCollision", 2, 1, "1,2")))).unwrap();
    warned(
        &level,
        &["2 different tiles of tileset \"collision\"", "#0-1"],
    );
}

#[test]
fn layers_of_bricks_and_saws_are_asked_about() {
    let beside = |name: &str, y: u32, saw: &str| {
        let list =
            format!("<object id=\"1\" name=\"{saw}\" y=\"{y}\" width=\"16\" height=\"16\"/>");
        level("", &(ground("collision") + &objects(name, &list)))
    };
    for name in ["Bricks", "Breakable"] {
        let rule = format!("solid = [\"layer:{name}\"]");
        warned(&beside(name, 16, ""), &["it is not collision", &rule]);
        // Drawn over a solid tile.
        assert_eq!(beside(name, 48, "").warnings, [""; 0]);
    }
    warned(
        &beside("Saws", 16, "big"),
        &["its 1 object", "hazard = [\"layer:Saws\"]"],
    );
}

#[test]
fn obstacles_beside_walls_are_asked_about() {
    let obstacles = cells("obstacles", ["0,0,0,0", "0,0,0,0", "0,1,0,0", "0,0,0,0"]);
    let beside = level("", &(ground("walls") + &obstacles));
    warned(
        &beside,
        &[
            "layer \"obstacles\"",
            "layer \"walls\"",
            "hazard = [\"layer:obstacles\"]",
        ],
    );
    assert_eq!(level("", &obstacles).warnings, [""; 0]);
}

#[test]
fn full_blocks_of_layers_with_shapes_are_asked_about() {
    let shape = "<tile id=\"0\"><objectgroup><object id=\"1\" y=\"8\" width=\"16\" height=\"8\"/></objectgroup></tile>";
    let rows = ["0,0,0,0", "0,0,0,0", "2,0,0,0", "1,1,1,1"];
    warned(
        &level(shape, &cells("ground", rows)),
        &[
            "1 cell is a full block",
            "beside 4 with collision shapes",
            "empty = [\"tile:",
        ],
    );
    // Full blocks with a few slopes.
    let rows = ["0,0,0,0", "0,0,0,0", "1,0,0,0", "2,2,2,2"];
    assert_eq!(level(shape, &cells("ground", rows)).warnings, [""; 0]);
}

#[test]
fn players_in_rock_or_above_nothing_are_warned_about() {
    let at = |x: u32, y: u32| {
        let player = format!(
            "<object id=\"7\" name=\"Player\" x=\"{x}\" y=\"{y}\" width=\"16\" height=\"16\"/>"
        );
        let rows = ["0,0,0,0", "0,0,0,0", "1,1,0,0", "1,1,0,0"];
        level("", &(cells("ground", rows) + &objects("things", &player)))
    };
    assert_eq!(at(0, 16).warnings, [""; 0]);
    // Its feet are a little too low.
    assert_eq!(at(0, 20).warnings, [""; 0]);
    let place = "level.tmx:4: object 7 \"Player\" in layer \"things\": it lies";
    warned(
        &at(0, 40),
        &[
            place,
            "inside what is solid, layer \"ground\": if that is not, empty = [\"layer:ground\"]",
        ],
    );
    warned(&at(48, 16), &[place, "above nothing to stand on"]);
    let starts = [0, 48].map(|x| format!("<object id=\"{x}\" name=\"start\" x=\"{x}\" y=\"16\"/>"));
    let things = objects("things", &starts.concat());
    let rows = ["0,0,0,0", "0,0,0,0", "1,1,0,0", "1,1,0,0"];
    assert_eq!(
        level("", &(cells("ground", rows) + &things)).warnings,
        [""; 0]
    );
}

#[test]
fn many_objects_in_rock_are_warned_about() {
    let with = |y: [u32; 4], name: &str| {
        let object = |(id, y): (usize, &u32)| {
            format!(
                "<object id=\"{id}\" name=\"{name}\" x=\"16\" y=\"{y}\" width=\"8\" height=\"8\"/>"
            )
        };
        let list: String = y.iter().enumerate().map(object).collect();
        let rows = ["0,0,0,0", "0,0,0,0", "1,1,1,1", "1,1,1,1"];
        level("", &(cells("ground", rows) + &objects("things", &list)))
    };
    warned(
        &with([44, 44, 44, 8], "gem"),
        &["it and 2 more of 4 objects lie inside"],
    );
    assert_eq!(with([44, 44, 8, 8], "gem").warnings, [""; 0]);
    // Where other tiles have shapes, the line is about those that have none.
    let object = |id: u32| {
        format!("<object id=\"{id}\" name=\"gem\" x=\"16\" y=\"44\" width=\"8\" height=\"8\"/>")
    };
    let shaped = "<tile id=\"1\"><objectgroup><object id=\"1\" width=\"16\" height=\"16\"/></objectgroup></tile>";
    let rows = ["0,0,0,0", "2,2,2,2", "1,1,1,1", "1,3,1,3"];
    let things = objects("things", &(object(1) + &object(2) + &object(3)));
    warned(
        &level(shaped, &(cells("ground", rows) + &things)),
        &["inside what is solid, layer \"ground\": if that is not, empty = [\"tile:tiles#0,2\"]"],
    );
    // Outlines over the tiles, without a name.
    let outlines = with([44, 44, 44, 44], "").warnings;
    assert!(
        outlines.iter().all(|warning| !warning.contains("inside")),
        "{outlines:?}"
    );
}

/// A tileset of three tiles: 0 is full, 1 a triangle, 2 has a sky that is transparent.
fn pictured(tiles: &str) -> (String, MemoryFiles) {
    let image = RgbaImage::from_fn(48, 16, |x, y| match x / 16 {
        1 if x % 16 > y => Rgba([0; 4]),
        2 if y < 8 => Rgba([255, 0, 255, 255]),
        _ => Rgba([9, 9, 9, 255]),
    });
    let mut png = std::io::Cursor::new(Vec::new());
    image.write_to(&mut png, ImageFormat::Png).unwrap();
    let mut files = MemoryFiles::default();
    files.insert("tiles.png", png.into_inner());
    let set = format!(
        r#"<tileset firstgid="1" name="set" tilewidth="16" tileheight="16" tilecount="3" columns="3">
<image source="tiles.png" trans="ff00ff" width="48" height="16"/>{tiles}</tileset>"#
    );
    (set, files)
}

/// The warnings about pictures of full blocks in a 4 x 1 map of [`pictured`] tiles, with a
/// solid rule if there is one.
fn warnings_of_pictures(tiles: &str, layers: &str, rule: &str) -> Vec<String> {
    let (set, files) = pictured(tiles);
    let tmx = map(4, 1, &(set + layers));
    let mut rules = Rules::default();
    let rule = (!rule.is_empty()).then(|| rule.parse().unwrap());
    rules.solid.extend(rule);
    let level = read_bytes("a.tmx", tmx.as_bytes(), &files, &rules).unwrap();
    assert!(first_row(&level).starts_with('#'));
    assert!(picture_warnings(Path::new("a.tmx"), &level, &MemoryFiles::default()).is_empty());
    picture_warnings(Path::new("folder/a.tmx"), &level, &files)
}

#[test]
fn pictures_of_full_blocks_that_are_not_full_are_warned_about() {
    let row =
        |name: &str, rule: &str| warnings_of_pictures("", &layer(name, 4, 1, "1,2,3,2"), rule);
    // A rule about the layer says nothing of its tiles.
    for (name, rule) in [
        ("ground", ""),
        ("Collision", ""),
        ("x", "layer:x"),
        ("x", "layer:x & !class:y"),
    ] {
        let warnings = row(name, rule);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        let start = format!("folder/a.tmx:4: layer \"{name}\": 3 cells are full blocks");
        assert!(warnings[0].starts_with(&start), "{warnings:?}");
        assert!(
            warnings[0].contains("empty = [\"tile:set#1-2\"]"),
            "{warnings:?}"
        );
    }
    // The configuration says what they are.
    for rule in ["tileset:set", "layer:x & tileset:set"] {
        assert_eq!(row("x", rule), [""; 0]);
    }
    // So do their shapes.
    let slab = "<tile id=\"1\"><objectgroup><object id=\"1\" width=\"8\" height=\"16\"/></objectgroup></tile>";
    let ruled = layer("x", 4, 1, "1,2,2,0");
    let solid = "<properties><property name=\"solid\" value=\"true\"/></properties><data";
    let declared = ruled.replace("<data", solid);
    for (layer, rule) in [(ruled, "layer:x"), (declared, "")] {
        assert_eq!(warnings_of_pictures(slab, &layer, rule), [""; 0]);
    }
}

#[test]
fn pictures_of_solid_objects_are_looked_at() {
    let object = |gid: u32| {
        format!(
            "<object id=\"{gid}\" gid=\"{gid}\" x=\"{}\" y=\"16\"/>",
            16 * gid - 16
        )
    };
    let walls = |gids: &[u32]| {
        let list: String = gids.iter().map(|gid| object(*gid)).collect();
        warnings_of_pictures("", &objects("walls", &list), "")
    };
    let warnings = walls(&[1, 2]);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    for part in [
        "layer \"walls\": 1 object is a full block only because of the layer",
        "less than 60 %: list the tiles in",
        "empty = [\"tile:set#1\"]",
    ] {
        assert!(warnings[0].contains(part), "{part}: {warnings:?}");
    }
    assert_eq!(walls(&[1]), [""; 0]);
}

#[test]
fn ladders_and_hazards_by_a_property_without_a_value() {
    let property = |id: u32, name: &str| {
        format!(
            "<tile id=\"{id}\"><properties><property name=\"{name}\" value=\"\"/></properties></tile>"
        )
    };
    let tiles = property(0, "ladder") + &property(1, "spikes") + &property(2, "solid");
    let row = tile_map(4, 1, &tiles, "x", "1,2,3,0");
    assert_eq!(first_row(&read(&row).unwrap()), "H^#.");
}

#[test]
fn layers_that_say_that_they_are_no_collision_are_not_asked_about() {
    let beside = |name: &str| {
        let rows = ["0,0,0,0", "1,0,0,0", "0,0,0,0", "0,0,0,0"];
        level("", &(ground("ground") + &cells(name, rows))).warnings
    };
    for name in [
        "noncollidable",
        "Non-Colidable",
        "non solid",
        "Фон",
        "Hintergrund 2",
        "背景",
    ] {
        assert_eq!(beside(name), [""; 0], "{name}");
    }
    assert_eq!(beside("stuff").len(), 1);
}

/// A level of LDtk, 2 x 2 cells, with these layers and the values of their definition.
fn ldtk(values: &str, layers: &[String]) -> Result<LevelFile, String> {
    let json = format!(
        "{{\"jsonVersion\":\"1.5.3\",\"defaultGridSize\":16,\"defs\":{{\"layers\":[{{\"uid\":1,\
         \"intGridValues\":[{values}]}}]}},\"levels\":[{{\"identifier\":\"Only\",\"pxWid\":32,\"pxHei\":32,\
         \"layerInstances\":[{}]}}]}}",
        layers.join(",")
    );
    let files = MemoryFiles::default();
    let level = read_bytes("a.ldtk", json.as_bytes(), &files, &Rules::default());
    level.map_err(|error| error.to_string())
}

/// An IntGrid of [`ldtk`], and another member.
fn int_grid(name: &str, cells: &str, member: &str) -> String {
    format!(
        "{{\"__identifier\":\"{name}\",\"__type\":\"IntGrid\",\"__cWid\":2,\"__cHei\":2,\"__gridSize\":16,\
         \"layerDefUid\":1,\"intGridCsv\":[{cells}]{member}}}"
    )
}

#[test]
fn int_grid_values_without_identifiers_are_asked_about() {
    let read = |layers: &[&str]| {
        let cells = ["0,0,1,1", "0,0,1,2"].iter();
        let grids = layers.iter().zip(cells);
        let grids = grids.map(|(name, cells)| int_grid(name, cells, ""));
        ldtk("", &grids.collect::<Vec<_>>()).unwrap()
    };
    let level = read(&["Collisions", "Cave"]);
    warned(
        &level,
        &[
            "layer \"Cave\": 2 cells of values",
            "solid = [\"layer:Cave\"]",
        ],
    );
    assert_eq!(read(&["Collisions", "Background"]).warnings, [""; 0]);
}

#[test]
fn values_that_stop_a_hazard_are_none_and_backgrounds_are_no_ground() {
    let values = r#"{"value":1,"identifier":"stopFire"},{"value":2,"identifier":"wall"}"#;
    let level = ldtk(values, &[int_grid("Tiles", "0,1,2,2", "")]).unwrap();
    assert_eq!(
        level.decisions[0],
        "IntGrid layer \"Tiles\": collision: 1 cell not (no rule matches), 2 cells solid (value \"wall\")"
    );
    warned(&level, &["1 cell of value \"stopFire\" has no effect"]);
    let values = r#"{"value":1,"identifier":"grass"},{"value":2,"identifier":"stone"},
{"value":3,"identifier":"grass_bg"}"#;
    let error = ldtk(values, &[int_grid("Tiles", "3,3,1,2", "")]).unwrap_err();
    let line = "solid = [\"intgrid:grass\", \"intgrid:stone\"]";
    assert!(error.contains(line), "{error}");
}

#[test]
fn messages_about_ldtk_name_its_values_and_layers() {
    let values = r#"{"value":1,"identifier":"wall"},{"value":2,"identifier":"air"}"#;
    let start = r#"{"__identifier":"Things","__type":"Entities","entityInstances":[{"__identifier":"Player",
"px":[0,0],"__pivot":[0,0],"width":16,"height":24}]}"#;
    let level = ldtk(
        values,
        &[start.to_owned(), int_grid("Tiles", "1,2,1,1", "")],
    )
    .unwrap();
    assert_eq!(
        level.decisions[1],
        "IntGrid layer \"Tiles\": collision: 3 cells solid (value \"wall\"), 1 cell not (value \"air\")"
    );
    warned(
        &level,
        &[
            "it lies inside what is solid, value \"wall\" of layer \"Tiles\": if that is not, empty = [\"intgrid:wall\"]",
        ],
    );
    // Some grids are painted to place pictures.
    let level = ldtk(
        values,
        &[
            int_grid("Art", "0,1,1,1", ""),
            int_grid("Collision", "0,0,1,1", ""),
        ],
    );
    warned(
        &level.unwrap(),
        &[
            "layer \"Art\": 3 cells of it are solid, beside layer \"Collision\"",
            "empty = [\"layer:Art\"]",
        ],
    );
    let grids = [
        int_grid("Platforms", "0,2,2,0", ""),
        int_grid("Collision", "1,0,0,1", ""),
    ];
    let values = r#"{"value":1,"identifier":"wall"},{"value":2,"identifier":"platform"}"#;
    let beside = "layer \"Platforms\": 2 cells of it are one-way, beside layer \"Collision\"";
    warned(&ldtk(values, &grids).unwrap(), &[beside]);
    let picture = r#"{"__identifier":"Tiles","__type":"Tiles","gridTiles":[{},{}]}"#;
    let error = ldtk("", &[picture.to_owned()]).unwrap_err();
    let lines =
        "\n    picture layer \"Tiles\" (2 cells)\nhelp: tile layers and auto layers are pictures";
    assert!(error.contains(lines), "{error}");
}

#[test]
fn what_is_solid_and_says_something_else_is_asked_about() {
    let layer = |name: &str, properties: [&str; 2]| {
        let properties =
            properties.map(|name| format!("<property name=\"{name}\" value=\"true\"/>"));
        let cells = cells(name, ["0,0,0,0", "0,0,0,0", "0,0,0,0", "1,1,1,1"]);
        let properties = format!("<properties>{}</properties><data", properties.concat());
        level("", &cells.replace("<data", &properties))
    };
    let harmful = layer("things", ["collidable", "damaging"]);
    warned(
        &harmful,
        &[
            "property \"damaging\" of the layer has no effect, as it is solid",
            "hazard = [\"property:damaging\"]",
        ],
    );
    let one_way = layer("collision(oneway)", ["collidable", "shadows"]);
    let rule = "4 cells are solid (property \"collidable\" of the layer): if its name is right, \
                one_way = [\"layer:collision(oneway)\"]";
    warned(&one_way, &[rule]);
    assert_eq!(
        layer("Platforms", ["collidable", "shadows"]).warnings,
        [""; 0]
    );
    let solid = "<tile id=\"0\" type=\"solid\"/>";
    let harmful = ground("ground") + &ground("damages_player");
    warned(
        &level(solid, &harmful),
        &[
            "4 cells would be solid",
            "hazard = [\"layer:damages_player & class:solid\"] makes it so",
        ],
    );
    let slope = "<tile id=\"0\"><properties><property name=\"shape\" value=\"slope-h\"/></properties></tile>";
    warned(
        &level(slope, &ground("ground")),
        &["4 cells with a property or class for slopes but no collision shape: full blocks"],
    );
}

#[test]
fn ground_beside_a_layer_of_collision_is_asked_about() {
    let dungeon = |row: &str| {
        let cells = cells("Dungeon", ["0,0,0,0", "0,0,0,0", "0,0,0,0", row]);
        let solid = "<properties><property name=\"solid\" value=\"true\"/></properties><data";
        cells.replace("<data", solid)
    };
    let ground = cells("Ground", ["0,0,0,0", "0,0,0,0", "0,0,0,0", "1,1,0,0"]);
    let beside = level("", &(ground.clone() + &dungeon("0,1,1,1")));
    assert_eq!(beside.warnings, [""; 0]);
    let beside = level("", &(ground + &dungeon("0,0,1,1")));
    let rule = "its 2 cells are not used: the layer \"Dungeon\" is collision instead; \
                if it is ground, solid = [\"layer:Ground\"]";
    warned(&beside, &["layer \"Ground\"", rule]);
}

#[test]
fn outlines_in_other_layers_than_those_of_collision_are_asked_about() {
    let list = "<object id=\"1\" y=\"48\" width=\"64\" height=\"16\"/>";
    let beside = |name: &str| level("", &(objects("solid", list) + &objects(name, list)));
    let rule = "as the name does not say what it is";
    warned(&beside("float"), &["layer \"float\": its 1 object", rule]);
    for name in ["coins", "Object Layer 1", "exit"] {
        assert_eq!(beside(name).warnings, [""; 0], "{name}");
    }
}

#[test]
fn platforms_that_are_all_passed_downwards_are_asked_about() {
    let one_way = |ways: [&str; 2]| {
        let object = |way: &&str| {
            format!(
                "<object id=\"1\" y=\"32\" width=\"64\" height=\"8\"><properties>\
                 <property name=\"semisolid\" value=\"{way}\"/></properties></object>"
            )
        };
        let list: String = ways.iter().map(object).collect();
        level("", &(ground("ground") + &objects("things", &list)))
    };
    let rule = "2 objects are passed downwards only (property \"semisolid\" = \"down\" of the object), and \
                nothing upwards: if bodies stand on them, one_way = [\"property:semisolid=down\"]";
    warned(&one_way(["down", "down"]), &[rule]);
    assert_eq!(one_way(["up", "down"]).warnings, [""; 0]);
}

#[test]
fn the_error_that_nothing_is_solid_looks_at_what_else_there_is() {
    let fires = "<object id=\"1\" type=\"fire_left\" y=\"16\" width=\"16\" height=\"16\"/>";
    let marks = "<object id=\"2\" width=\"16\" height=\"16\"/>".repeat(3);
    let layers = ground("x") + &objects("Obstacles", fires) + &objects("Checkpoint", &marks);
    let error = error(&map(4, 4, &(tileset("") + &layers)));
    assert!(error.contains("solid = [\"layer:x\"]"), "{error}");
    // Nothing is painted in it yet.
    level("", &cells("ground", ["0,0,0,0"; 4]));
    let short = ground("front") + &cells("col", ["0,0,0,0", "0,0,0,0", "0,0,0,0", "0,1,0,0"]);
    let error = super::maps::error(&map(4, 4, &(tileset("") + &short)));
    assert!(error.contains("solid = [\"layer:col\"]"), "{error}");
}
