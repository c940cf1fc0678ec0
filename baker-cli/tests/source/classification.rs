//! The first rule that applies decides what is collision.

use baker_cli::source::LevelFile;
use baker_cli::source::Rules;
use navmesh_bake::{Material, PassDirection};

use crate::maps::*;

/// A rules table as a configuration has it.
fn rules(table: &str) -> Rules {
    toml::from_str(table).unwrap()
}

const SOLID: Material = Material::Solid;
const UP: Material = Material::OneWay(PassDirection::Up);

/// Properties, written as `name=value` with commas between.
fn properties(list: &str) -> String {
    let one = |property: &str| {
        let (name, value) = property.split_once('=').unwrap();
        format!("<property name=\"{name}\" value=\"{value}\"/>")
    };
    let list: String = list.split(',').filter(|p| !p.is_empty()).map(one).collect();
    format!("<properties>{list}</properties>")
}

/// The collision of four tiles side by side in one layer. A tile is written as
/// its class, a slash, and its properties, with a space to the next.
fn four(tiles: &str, layer_name: &str, table: &str) -> String {
    let tile = |(id, tile): (usize, &str)| {
        let (class, list) = tile.split_once('/').unwrap_or((tile, ""));
        let properties = properties(list);
        format!("<tile id=\"{id}\" type=\"{class}\">{properties}</tile>")
    };
    let tiles: String = tiles.split(' ').enumerate().map(tile).collect();
    let tmx = tile_map(4, 1, &tiles, layer_name, "1,2,3,4");
    first_row(&read_with(&tmx, &[], &rules(table)).unwrap())
}

#[test]
fn tile_layers_are_solid_by_name() {
    for name in "collision SOLID Terrain ground Platforms walls".split(' ') {
        assert_eq!(four("/ / / /", name, ""), "####", "{name}");
    }
}

#[test]
fn properties_and_classes_of_tiles_declare_collision() {
    for (tiles, layer, expected) in [
        (
            "/Solid=true /COLLIDES=true /collidable=1 /nocollide=1",
            "any",
            "###.",
        ),
        (
            "/solid=false /nocollide=true /nocollide=false /",
            "ground",
            "..##",
        ),
        (
            "/nocollide= /noCollide= /no_collisions=1 /nonCollidable=0",
            "ground",
            "...#",
        ),
        (
            "/one_way=true /oneway=Left /one_way_down=true /one_way=false",
            "ground",
            "-<v#",
        ),
        ("Platform hazard LADDER semisolid", "ground", "-^H-"),
        // A hazard may have `solid` set to false; a property with the name of
        // the class, set to false, cancels the class.
        (
            "hazard/solid=false hazard/hazard=false one_way_down jump_through",
            "ground",
            "^#v-",
        ),
        (
            "passable solid/type=passable /kind=game.NoCollide passable/passable=false",
            "ground",
            "...#",
        ),
    ] {
        assert_eq!(four(tiles, layer, ""), expected, "{tiles:?}");
    }
}

#[test]
fn invalid_one_way_values_are_warned_about() {
    let tiles = format!("<tile id=\"0\">{}</tile>", properties("one_way=sideways"));
    let level = read(&tile_map(1, 1, &tiles, "ground", "1")).unwrap();
    assert_eq!(first_row(&level), "#");
    let warnings = &level.warnings;
    let named = "property \"one_way\" is \"sideways\", not up, down, left, right or true";
    assert!(warnings[0].contains(named), "{warnings:?}");
}

/// What a property of a marker means is up to the game.
#[test]
fn properties_of_markers_are_not_warned_about() {
    let object = |class: &str| {
        format!(
            "<objectgroup name=\"things\"><object id=\"1\" class=\"{class}\" width=\"4\" height=\"4\">{}</object></objectgroup>",
            properties("collision=soldi")
        )
    };
    let floor = with_layer_property("solid=true", "floor", false);
    let asked = |class: &str| {
        let layers = tileset("") + &floor + &object(class);
        let level = read(&map(2, 1, &layers)).unwrap();
        assert!(level.undecided.is_empty());
        level.warnings.len()
    };
    assert_eq!((asked("portal"), asked("gizmo")), (0, 0));
}

/// A layer of two cells.
fn with_layer_property(property: &str, name: &str, hidden: bool) -> String {
    let properties = properties(property);
    let visible = u8::from(!hidden);
    format!(
        "<layer name=\"{name}\" width=\"2\" height=\"1\" visible=\"{visible}\">{properties}<data encoding=\"csv\">1,2</data></layer>"
    )
}

#[test]
fn layers_and_groups_declare_collision_for_their_tiles() {
    let solid = with_layer_property("solid=true", "x", false);
    let excluded = with_layer_property("nocollide=true", "ground", false);
    let group = properties("solid=true") + &layer("x", 2, 1, "0,2");
    for (layers, expected) in [
        (solid.clone(), "##"),
        (with_layer_property("solid=true", "x", true), "##"),
        // The layer's exclusion comes before the tile's declaration.
        (format!("{excluded}{solid}"), "##"),
        // "platform" on a layer does not make it one-way. Beside marked tiles, others are none.
        (with_layer_property("platform=true", "ground", false), "#."),
        // A tile's declaration comes before the layer's.
        (with_layer_property("semisolid=true", "x", false), "#-"),
        // A group declares for all layers in it.
        (format!("<group name=\"g\">{group}</group>"), ".#"),
    ] {
        let tile = format!("<tile id=\"0\">{}</tile>", properties("solid=true"));
        let level = read(&map(2, 1, &(tileset(&tile) + &layers))).unwrap();
        assert_eq!(first_row(&level), expected, "{layers}");
        assert!(level.origins.len() == 1, "one layer is collision: {layers}");
    }
}

#[test]
fn a_class_for_not_collision_excludes_whatever_has_it() {
    let object =
        |attributes: &str| format!("<object id=\"1\" {attributes} width=\"16\" height=\"16\"/>");
    let class = |tag: String| tag.replacen(" name=", " class=\"passable\" name=", 1);
    let group = class(format!(
        "<group name=\"walls\">{}</group>",
        layer("ground", 1, 1, "1")
    ));
    let tiles = "<tile id=\"0\"><objectgroup><object id=\"1\" type=\"no_collide\" width=\"16\" height=\"8\"/></objectgroup></tile>";
    for (tiles, layers) in [
        ("", class(layer("walls", 1, 1, "1"))),
        ("", class(objects("Collisions", &object("")))),
        ("", group),
        (
            "",
            objects("Collisions", &object("type=\"non collidable\"")),
        ),
        ("", objects("Collisions", &object("name=\"passable\""))),
        (tiles, layer("any", 1, 1, "1")),
    ] {
        // Something else says what is solid.
        let layers = tileset(tiles) + &layers + &layer("collision", 1, 1, "0");
        let level = read(&map(1, 1, &layers)).unwrap();
        assert_eq!(first_row(&level), ".", "{layers}");
    }
}

#[test]
fn shapes_on_tiles_are_solid_in_tile_layers() {
    let tiles = r#"<tile id="0"><objectgroup><object id="1" x="0" y="8" width="16" height="8"/></objectgroup></tile>
<tile id="1"><objectgroup/></tile>
<tile id="2" type="hazard"><objectgroup><object id="1" x="0" y="12" width="16" height="4"/></objectgroup></tile>
<tile id="3"><objectgroup><object id="1" type="one_way" width="16" height="4"/><object id="2" y="4" width="16" height="12"/></objectgroup></tile>"#;
    let tmx = tile_map(4, 1, tiles, "any", "1,2,3,4");
    let level = read(&tmx).unwrap();
    assert_eq!(
        shapes(&level),
        [
            (SOLID, rect(0., 8., 16., 16.)),
            (Material::Hazard, rect(32., 12., 48., 16.)),
            (UP, rect(48., 0., 64., 4.)),
            (SOLID, rect(48., 4., 64., 16.)),
        ]
    );
    assert_eq!(
        level.decisions,
        [
            "tile layer \"any\": collision: 2 cells solid (collision shapes of the tile), 1 cell not (no rule matches), \
          1 cell hazard (class \"hazard\" of the tile), 1 cell one-way (up) (class \"one_way\" of the shape)"
        ]
    );
}

#[test]
fn rules_of_the_configuration_come_first() {
    let tiles = "/solid=false /kind=Rock bush /hazard=true";
    let table = r#"
solid = ["layer:mine", "property:kind=rock"]
hazard = ["class:Bush"]
empty = ["property:hazard"]"#;
    assert_eq!(four(tiles, "Mine", table), "##^.");
    assert_eq!(four(tiles, "other", table), ".#^.");
    assert_eq!(four("/ / / /", "x", "one_way = [\"layer:x\"]"), "----");
    // When rules of two lists match, the order of the lists decides.
    let table = "solid = [\"layer:x\"]\nladder = [\"layer:x\"]";
    assert_eq!(four("/ / / /", "x", table), "HHHH");
}

#[test]
fn rules_that_match_nothing_are_reported() {
    let table = rules("solid = [\"layer:grond\", \"color:#123456\"]");
    let level = read_with(&tile_map(1, 1, "", "ground", "1"), &[], &table).unwrap();
    assert_eq!(level.unused_rules, ["layer:grond", "color:#123456"]);
    let reported = "rule layer:grond: matches nothing in this level";
    assert!(level.decisions.iter().any(|line| line == reported));
    // They may be why nothing is solid.
    let error = read_with(&map(1, 1, "<imagelayer name=\"terrain\"/>"), &[], &table).unwrap_err();
    let error = error.to_string();
    for part in [
        "level.tmx: no layer, tile or object is marked as collision",
        "image layer \"terrain\"",
        "help: rules of navbake.toml that match nothing in it: layer:grond, color:#123456",
        "bake that PNG instead of the map",
    ] {
        assert!(error.contains(part), "{error}");
    }
    // An empty layer that is solid by name is enough.
    let level = read(&map(1, 1, &layer("ground", 1, 1, "0"))).unwrap();
    assert!(level.warnings[0].contains("nothing to stand on"));
}

/// Messages name layers by their path.
#[test]
fn rules_match_the_paths_of_layers() {
    let inner = format!(
        "<group name=\"Inner\">{}</group>",
        layer("Ground", 1, 1, "1")
    );
    let tmx = map(
        1,
        1,
        &format!("{}<group name=\"Grp\">{inner}</group>", tileset("")),
    );
    let tmx = tmx.replace("</map>", &(layer("walls", 1, 1, "0") + "</map>"));
    for (rule, expected) in [
        ("layer:grp/inner/ground", "."),
        ("layer:*/Ground", "."),
        ("layer:Inner/Ground", "#"),
        ("layer:Grp/Inner", "."),
        ("layer:grp/*", "."),
        ("layer:Grp/Ground", "#"),
        ("layer:grp*nd", "#"),
    ] {
        let level = read_with(&tmx, &[], &rules(&format!("empty = [\"{rule}\"]"))).unwrap();
        assert_eq!(first_row(&level), expected, "{rule}");
    }
}

fn object_level(list: &str, table: &str) -> LevelFile {
    let tmx = map(
        4,
        4,
        &(layer("ground", 1, 1, "0") + &objects("things", list)),
    );
    read_with(&tmx, &[], &rules(table)).unwrap()
}

#[test]
fn objects_declare_collision_for_themselves() {
    let list = r#"
<object id="1" width="8" height="8"><properties><property name="solid" type="bool" value="true"/></properties></object>
<object id="2" type="platform"><polyline points="0,0 9,0"/></object>
<object id="3" type="hazard" width="4" height="4"/>
<object id="4" name="crate" width="5" height="5"/>
<object id="5" type="area" name="a" width="6" height="6"><properties><property name="solid" type="bool" value="true"/></properties></object>"#;
    let level = object_level(list, "");
    let materials: Vec<_> = pieces(&level).iter().map(|p| p.material).collect();
    assert_eq!(materials, [SOLID, UP, Material::Hazard, SOLID]);
    // Objects of a marker class are markers, except by a rule of the
    // configuration.
    let names: Vec<&str> = level.markers.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["a"]);
    let table = "solid = [\"name:CRATE\", \"class:area\"]\nempty = [\"class:hazard\"]";
    let level = object_level(list, table);
    assert_eq!(pieces(&level).len(), 4);
    assert_eq!(level.markers.len(), 1);
    assert_eq!(level.markers[0].class, "hazard");
}

#[test]
fn objects_of_marker_classes_are_markers_in_collision_layers() {
    let list = r#"<object id="1" width="8" height="8"/><object id="2" type="Nav_Area" width="99" height="99"/>"#;
    let level = read(&map(4, 4, &objects("collision", list))).unwrap();
    assert_eq!(pieces(&level).len(), 1);
    assert_eq!(level.markers[0].class, "Nav_Area");
    // A rule about the layer does not change that.
    let table = rules("solid = [\"layer:collision\"]");
    let level = read_with(&map(4, 4, &objects("collision", list)), &[], &table).unwrap();
    assert_eq!(level.markers.len(), 1);
}

/// A layer or group as a hidden one.
#[expect(clippy::needless_pass_by_value, reason = "the tests pass new strings")]
fn hide(tag: String) -> String {
    tag.replacen(" name=", " visible=\"0\" name=", 1)
}

#[test]
fn hidden_layers_count_only_as_a_whole() {
    let object =
        r#"<object id="1" width="8" height="8"/><object id="2" type="spawn"><point/></object>"#;
    let hazard = "id=\"1\" type=\"hazard\"";
    let content = [
        tileset(""),
        layer("walls", 1, 1, "1"),
        hide(layer("ground", 1, 1, "1")),
        hide(objects("collision", object)),
        hide("<group name=\"off\">".to_owned()) + &layer("walls", 1, 1, "1") + "</group>",
        hide(objects("spare", &object.replace("id=\"1\"", hazard))),
    ]
    .concat();
    let level = read(&map(1, 1, &content)).unwrap();
    assert_eq!(
        level.origins,
        ["layer \"walls\"", "object 1 in layer \"collision\""]
    );
    // Markers are read, and a hazard that is not collision becomes a marker.
    assert_eq!(level.markers.len(), 3);
    assert_eq!(
        level.decisions[1],
        "tile layer \"ground\": not collision: it is hidden; a rule layer:NAME would use it"
    );
    let table = rules("solid = [\"layer:ground\"]\nhazard = [\"layer:off\"]");
    let level = read_with(&map(1, 1, &content), &[], &table).unwrap();
    assert_eq!(level.origins[1], "layer \"ground\"");
    assert_eq!(pieces(&level)[3].material, Material::Hazard);
}

#[test]
fn collision_with_parallax_is_warned_about() {
    let tag = layer("ground", 1, 1, "1").replace("name=", "parallaxx=\"0.5\" name=");
    let level = read(&map(1, 1, &format!("{}{tag}", tileset("")))).unwrap();
    let warnings = &level.warnings;
    assert!(warnings[0].contains("parallax"), "{warnings:?}");
    let ground = layer("ground", 1, 1, "1");
    let group = format!("<group id=\"9\" name=\"far\" parallaxy=\"0.5\">{ground}</group>");
    let level = read(&map(1, 1, &format!("{}{group}", tileset("")))).unwrap();
    let warnings = &level.warnings;
    assert!(warnings[0].contains("parallax"), "{warnings:?}");
}

#[test]
fn a_layer_declares_before_its_group() {
    for (outer, inner, expected) in [("semisolid", "solid", ".#"), ("solid", "semisolid", ".-")] {
        let cells = "<data encoding=\"csv\">0,2</data>";
        let layer = format!(
            "<layer name=\"x\" width=\"2\" height=\"1\">{}{cells}</layer>",
            properties(&format!("{inner}=true"))
        );
        let outer = properties(&format!("{outer}=true"));
        let group = format!("<group name=\"g\">{outer}{layer}</group>");
        let level = read(&map(2, 1, &(tileset("") + &group))).unwrap();
        assert_eq!(first_row(&level), expected);
    }
}
