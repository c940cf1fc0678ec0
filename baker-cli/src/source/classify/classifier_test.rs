//! The first rule that applies decides what is collision. N1.

use super::*;
use crate::source::testing::*;
use crate::source::{Level, Rules, Shape};

/// A rules table as a configuration has it.
fn rules(table: &str) -> Rules {
    toml::from_str(table).unwrap()
}

/// The collision of four tiles, side by side in one layer: the left edge and
/// material of each.
fn four(tiles: &str, layer_tag: &str, table: &str) -> Vec<(f64, Material)> {
    let tmx = map(
        4,
        1,
        &format!(
            "{}{}",
            tileset(tiles),
            layer("LAYER", 4, 1, "1,2,3,4").replace("name=\"LAYER\"", layer_tag)
        ),
    );
    let level = read_with(&tmx, &[], &rules(table)).unwrap();
    let mut found: Vec<(f64, Material)> = shapes(&level)
        .into_iter()
        .flat_map(|(material, shape)| match shape {
            Shape::Box(rect) => {
                let cells = (rect.size().x / 16.0) as u32;
                (0..cells)
                    .map(|i| (rect.min.x + 16.0 * f64::from(i), material))
                    .collect::<Vec<_>>()
            }
            Shape::Convex(_) => panic!("no box"),
        })
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found
}

const SOLID: Material = Material::Solid;
const UP: Material = Material::OneWay(PassDirection::Up);
const DOWN: Material = Material::OneWay(PassDirection::Down);
const LEFT: Material = Material::OneWay(PassDirection::Left);

fn flag(id: u32, name: &str, value: &str) -> String {
    format!(
        r#"<tile id="{id}"><properties><property name="{name}" value="{value}"/></properties></tile>"#
    )
}

#[test]
fn tile_layers_are_solid_by_name() {
    for name in [
        "collision",
        "SOLID",
        "Terrain",
        "ground",
        "Platforms",
        "walls",
    ] {
        assert_eq!(four("", &format!("name=\"{name}\""), "").len(), 4, "{name}");
    }
    let tmx = tile_map(1, 1, "", "grounds", "1");
    assert!(read(&tmx).is_err());
}

#[test]
fn boolean_properties_of_tiles_declare_collision() {
    let tiles = [
        flag(0, "Solid", "true"),
        flag(1, "COLLIDES", "true"),
        flag(2, "collidable", "1"),
        flag(3, "solid", "maybe"),
    ]
    .concat();
    let solid = [0., 16., 32.].map(|x| (x, SOLID));
    assert_eq!(four(&tiles, "name=\"any\"", ""), solid);
    // Exclusions, in a layer that is solid by name.
    let tiles = [
        flag(0, "solid", "false"),
        flag(1, "nocollide", "true"),
        flag(2, "nocollide", "false"),
    ]
    .concat();
    assert_eq!(
        four(&tiles, "name=\"ground\"", ""),
        [32., 48.].map(|x| (x, SOLID))
    );
}

#[test]
fn tiles_are_one_way_hazard_or_ladder_by_property_or_class() {
    let tiles = [
        flag(0, "one_way", "true"),
        flag(1, "oneway", "Left"),
        flag(2, "one_way_down", "true"),
        flag(3, "one_way", "false"),
    ]
    .concat();
    assert_eq!(
        four(&tiles, "name=\"ground\"", ""),
        [(0., UP), (16., LEFT), (32., DOWN), (48., SOLID)]
    );
    let tiles = r#"<tile id="0" type="Platform"/><tile id="1" class="hazard"/><tile id="2" type="LADDER"/><tile id="3" type="semisolid"/>"#;
    assert_eq!(
        four(tiles, "name=\"ground\"", ""),
        [
            (0., UP),
            (16., Material::Hazard),
            (32., Material::Ladder),
            (48., UP)
        ]
    );
    // A hazard may have `solid` set to false; a property with the name of the
    // class, set to false, cancels the class.
    let tiles = r#"<tile id="0" type="hazard"><properties><property name="solid" type="bool" value="false"/></properties></tile>
<tile id="1" type="hazard"><properties><property name="hazard" type="bool" value="false"/></properties></tile>
<tile id="2" type="one_way_down"/><tile id="3" type="jump_through"/>"#;
    assert_eq!(
        four(tiles, "name=\"ground\"", ""),
        [(0., Material::Hazard), (16., SOLID), (32., DOWN), (48., UP)]
    );
}

#[test]
fn invalid_one_way_values_are_warned_about() {
    let tiles = flag(0, "one_way", "sideways");
    let tmx = tile_map(1, 1, &tiles, "ground", "1");
    let level = read(&tmx).unwrap();
    assert_eq!(shapes(&level)[0].0, SOLID);
    assert!(
        level.warnings[0].contains("\"sideways\""),
        "{:?}",
        level.warnings
    );
}

fn with_layer_property(name: &str, layer_name: &str, hidden: bool) -> String {
    format!(
        "<layer name=\"{layer_name}\" width=\"2\" height=\"1\" visible=\"{}\"><properties><property name=\"{name}\" type=\"bool\" value=\"true\"/></properties><data encoding=\"csv\">1,2</data></layer>",
        u8::from(!hidden)
    )
}

#[test]
fn layers_and_groups_declare_collision_for_their_tiles() {
    let read_one = |layers: &str| {
        let tiles = flag(0, "solid", "true");
        shapes(&read(&map(2, 1, &format!("{}{layers}", tileset(&tiles)))).unwrap())
    };
    let all = |material| vec![(material, rect(0., 0., 32., 16.))];
    assert_eq!(
        read_one(&with_layer_property("solid", "x", false)),
        all(SOLID)
    );
    assert_eq!(
        read_one(&with_layer_property("solid", "x", true)),
        all(SOLID)
    );
    // The layer's exclusion comes before the tile's declaration.
    let backdrop = with_layer_property("nocollide", "ground", false);
    let level = read_one(&format!(
        "{backdrop}{}",
        with_layer_property("solid", "y", false)
    ));
    assert_eq!(level, all(SOLID));
    // "platform" on a layer does not make it one-way.
    assert_eq!(
        read_one(&with_layer_property("platform", "ground", false)),
        all(SOLID)
    );
    // A tile's declaration comes before the layer's.
    let mixed = read_one(&with_layer_property("semisolid", "x", false));
    assert_eq!(
        mixed,
        [
            (SOLID, rect(0., 0., 16., 16.)),
            (UP, rect(16., 0., 32., 16.))
        ]
    );
    // A group declares for all layers in it.
    let group = format!(
        "<group name=\"g\"><properties><property name=\"solid\" type=\"bool\" value=\"true\"/></properties>{}</group>",
        layer("x", 2, 1, "0,2")
    );
    assert_eq!(read_one(&group), [(SOLID, rect(16., 0., 32., 16.))]);
}

#[test]
fn shapes_on_tiles_are_solid_in_any_layer() {
    let tiles = r#"<tile id="0"><objectgroup><object id="1" x="0" y="8" width="16" height="8"/></objectgroup></tile>
<tile id="1"><objectgroup/></tile>
<tile id="2" type="hazard"><objectgroup><object id="1" x="0" y="12" width="16" height="4"/></objectgroup></tile>
<tile id="3"><objectgroup><object id="1" type="one_way" width="16" height="4"/><object id="2" y="4" width="16" height="12"/></objectgroup></tile>"#;
    let tmx = tile_map(4, 1, tiles, "deco", "1,2,3,4");
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
            "tile layer \"deco\": collision: 2 cells solid (collision shapes of the tile), 1 cell not (no rule matches), \
          1 cell hazard (class \"hazard\" of the tile), 1 cell one-way (up) (class \"one_way\" of the shape)"
        ]
    );
}

#[test]
fn rules_of_the_configuration_come_first() {
    let tiles = [
        flag(0, "solid", "false"),
        flag(1, "kind", "Rock"),
        r#"<tile id="2" type="bush"/>"#.to_owned(),
        flag(3, "hazard", "true"),
    ]
    .concat();
    let table = r#"
solid = ["layer:mine", "property:kind=rock"]
hazard = ["class:Bush"]
empty = ["property:hazard"]"#;
    assert_eq!(
        four(&tiles, "name=\"Mine\"", table),
        [(0., SOLID), (16., SOLID), (32., Material::Hazard)]
    );
    assert_eq!(
        four(&tiles, "name=\"other\"", table),
        [(16., SOLID), (32., Material::Hazard)]
    );
    assert_eq!(four("", "name=\"x\"", "one_way = [\"layer:x\"]").len(), 4);
    // When rules of two lists match, the order of the lists decides.
    let table = "solid = [\"layer:x\"]\nladder = [\"layer:x\"]";
    assert_eq!(four("", "name=\"x\"", table)[0].1, Material::Ladder);
}

#[test]
fn rules_that_match_nothing_are_reported() {
    let tmx = tile_map(1, 1, "", "ground", "1");
    let level = read_with(
        &tmx,
        &[],
        &rules("solid = [\"layer:grond\", \"color:#123456\"]"),
    )
    .unwrap();
    assert_eq!(
        level.decisions.last().unwrap(),
        "rule layer:grond: matches nothing in this level"
    );
}

fn object_level(list: &str, table: &str) -> Level {
    let tmx = map(
        4,
        4,
        &format!("{}{}", layer("ground", 1, 1, "0"), objects("things", list)),
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
    let materials: Vec<Material> = shapes(&level)
        .into_iter()
        .map(|(material, _)| material)
        .collect();
    assert_eq!(materials, [SOLID, UP, Material::Hazard]);
    // Objects of a marker class are markers, except by a rule of the
    // configuration.
    let names: Vec<&str> = level.markers.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["crate", "a"]);
    let level = object_level(
        list,
        "solid = [\"name:CRATE\", \"class:area\"]\nempty = [\"class:hazard\"]",
    );
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

#[test]
fn hidden_layers_count_only_as_a_whole() {
    let hide = |tag: String| tag.replacen(" name=", " visible=\"0\" name=", 1);
    let object =
        r#"<object id="1" width="8" height="8"/><object id="2" type="spawn"><point/></object>"#;
    let content = [
        tileset(""),
        layer("walls", 1, 1, "1"),
        hide(layer("ground", 1, 1, "1")),
        hide(objects("collision", object)),
        format!(
            "<group name=\"off\" visible=\"0\">{}</group>",
            layer("walls", 1, 1, "1")
        ),
        hide(objects(
            "spare",
            &object.replace("id=\"1\"", "id=\"1\" type=\"hazard\""),
        )),
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
fn levels_without_collision_are_an_error_that_lists_the_layers() {
    let content = format!(
        "{}{}{}<imagelayer name=\"sky\"/>",
        tileset(""),
        layer("back", 2, 1, "1,1"),
        objects("things", "<object id=\"1\" width=\"3\" height=\"3\"/>").replacen(
            " name=",
            " visible=\"0\" name=",
            1
        )
    );
    let text = error(&map(2, 1, &content));
    for part in [
        "level.tmx: no layer, tile or object is marked as collision",
        "tile layer \"back\" (2 cells)",
        "object layer \"things\" (1 object, hidden)",
        "image layer \"sky\"",
        "in Tiled:",
        "navbake.toml: [collision] solid = [\"layer:NAME\"]",
    ] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
    // An empty layer that is solid by name is enough.
    let level = read(&map(1, 1, &layer("ground", 1, 1, "0"))).unwrap();
    assert!(level.warnings[0].contains("nothing to stand on"));
    // An excluded one is not.
    let vetoed = format!(
        "{}{}",
        tileset(""),
        with_layer_property("nocollide", "ground", false)
    );
    assert!(read(&map(2, 1, &vetoed)).is_err());
}

#[test]
fn collision_with_parallax_is_warned_about() {
    let tag = layer("ground", 1, 1, "1").replace("name=", "parallaxx=\"0.5\" name=");
    let level = read(&map(1, 1, &format!("{}{tag}", tileset("")))).unwrap();
    assert!(
        level.warnings[0].contains("parallax"),
        "{:?}",
        level.warnings
    );
}
