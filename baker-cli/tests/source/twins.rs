//! The same level in Tiled's XML, Tiled's JSON and LDtk is read to the same
//! [`Level`].

use crate::random_cases;
use crate::rows;

use std::path::{Path, PathBuf};

use baker_cli::report::dump;
use baker_cli::source::LevelFile;
use baker_cli::source::{
    FileProvider as _, Folder, LdtkProject, MemoryFiles, Rules, read, read_bytes,
};
use navmesh_bake::{Collision, Material, Shape};
use navmesh_bake::{NoProgress, Settings, bake, default_agents};
use navmesh_runtime::asset;
use proptest::prelude::*;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fixtures")
        .join(name)
}

fn bytes(name: &str) -> Vec<u8> {
    Folder::new(fixture("")).read(name, 1 << 20).unwrap()
}

fn level(name: &str) -> LevelFile {
    read(&fixture(name), &Rules::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn baked(level: &LevelFile) -> Vec<u8> {
    let settings = Settings::for_agents(default_agents(16.0));
    asset::encode(&bake(level, &settings, &NoProgress).unwrap())
}

/// The bytes of an asset without META, which holds names and fingerprints of
/// the source files.
fn without_metadata(bytes: &[u8]) -> &[u8] {
    let header = asset::peek(bytes).unwrap();
    let kinds: Vec<_> = header.sections.iter().map(|s| s.kind).collect();
    assert_eq!(&kinds[0], b"META");
    let rest: u32 = header.sections[1..].iter().map(|s| s.length).sum();
    &bytes[bytes.len() - rest as usize..]
}

#[test]
fn xml_and_json_bake_to_the_same_bytes() {
    let (xml, json) = (level("ledges.tmx"), level("twins/ledges.tmj"));
    let names: Vec<_> = json.inputs.iter().map(|i| i.name.as_str()).collect();
    assert_eq!(names, ["ledges.tmj", "tiles.tsj"]);
    assert_eq!(xml.decisions, json.decisions);
    let (xml, json) = (baked(&xml), baked(&json));
    assert!(xml.len() > 2000);
    assert_eq!(without_metadata(&xml), without_metadata(&json));
    assert_ne!(xml, json, "META names the source");
}

/// A level from text, with these other files.
pub(crate) fn from_text(
    name: &str,
    text: &str,
    files: &[(&str, &str)],
) -> Result<LevelFile, String> {
    let mut memory = MemoryFiles::default();
    for (name, text) in files {
        memory.insert(*name, *text);
    }
    read_bytes(name, text.as_bytes(), &memory, &Rules::default()).map_err(|e| e.to_string())
}

/// A level without the names of its files.
pub(crate) fn content(mut level: LevelFile) -> LevelFile {
    level.level.source.clear();
    level.inputs.clear();
    for warning in &mut level.warnings {
        *warning = warning.replace(".tmj", ".tmx");
    }
    for undecided in &mut level.undecided {
        undecided.file = undecided.file.replace(".tmj", ".tmx");
    }
    level
}

const TSX: &str = r#"<tileset name="t" tilewidth="16" tileheight="16" tilecount="4" columns="2"><tileoffset x="0" y="2"/>
 <image source="t.png" width="32" height="32"/>
 <tile id="1" type="hazard"/>
 <tile id="2"><properties><property name="solid" type="bool" value="true"/></properties></tile>
 <tile id="3"><objectgroup><object id="1" x="0" y="8"><polygon points="0,0 16,-8 16,8"/></object></objectgroup></tile></tileset>"#;
const TSJ: &str = r#"{"type":"tileset","name":"t","tilewidth":16,"tileheight":16,"tilecount":4,"columns":2,"tileoffset":{"x":0,"y":2},
 "image":"t.png","imagewidth":32,"imageheight":32,"margin":0,"spacing":0,"tiles":[
 {"id":1,"type":"hazard"},
 {"id":2,"properties":[{"name":"solid","type":"bool","value":true}]},
 {"id":3,"objectgroup":{"draworder":"index","type":"objectgroup","objects":[{"id":1,"x":0,"y":8,"width":0,"height":0,"rotation":0,"name":"","type":"","visible":true,
   "polygon":[{"x":0,"y":0},{"x":16,"y":-8},{"x":16,"y":8}]}]}}]}"#;
const TX: &str = r#"<template><tileset firstgid="1" source="t.tsx"/><object name="coin" type="item" gid="3" width="8" height="8">
 <properties><property name="worth" type="int" value="5"/></properties></object></template>"#;
const TJ: &str = r#"{"type":"template","tileset":{"firstgid":1,"source":"t.tsj"},"object":{"id":1,"name":"coin","type":"item","gid":3,"width":8,"height":8,
 "properties":[{"name":"worth","type":"int","value":5}]}}"#;

fn xml_map(attributes: &str, layers: &str) -> String {
    format!(
        r#"<map orientation="orthogonal" width="3" height="2" tilewidth="16" tileheight="16" {attributes}>
<tileset firstgid="1" source="t.tsx"/>{layers}</map>"#
    )
}

fn json_map(members: &str, layers: &str) -> String {
    format!(
        r#"{{"type":"map","orientation":"orthogonal","width":3,"height":2,"tilewidth":16,"tileheight":16,{members}
"tilesets":[{{"firstgid":1,"source":"t.tsj"}}],"layers":[{layers}]}}"#
    )
}

#[test]
fn every_part_of_a_map_is_the_same_in_xml_and_json() {
    // Flips in the high bits, every encoding, chunks, groups, offsets, hidden
    // layers, all shapes, classes and lists in properties, templates.
    let twins = [
        (
            "",
            r#"<layer id="1" name="Ground" width="3" height="2"><data encoding="csv">1,2147483652,0,3,0,2</data></layer>"#,
            r#""infinite":false,"#,
            r#"{"type":"tilelayer","id":1,"name":"Ground","width":3,"height":2,"x":0,"y":0,"opacity":1,"visible":true,"data":[1, 2147483652, 0,
3, 0, 2]}"#,
        ),
        (
            "",
            r#"<layer name="walls" width="3" height="2" offsetx="4.5" offsety="-2"><data encoding="base64" compression="zlib">eJxjZIAAFijNDKUBAIgACQ==</data></layer>"#,
            "",
            r#"{"type":"tilelayer","name":"walls","width":3,"height":2,"offsetx":4.5,"offsety":-2,"encoding":"base64","compression":"zlib","data":"eJxjZIAAFijNDKUBAIgACQ=="}"#,
        ),
        (
            r#"infinite="1""#,
            r#"<layer name="solid" width="3" height="2"><data encoding="csv"><chunk x="-16" y="0" width="2" height="2">1,0,0,1</chunk><chunk x="4" y="2" width="1" height="1">1</chunk></data></layer>"#,
            r#""infinite":true,"#,
            r#"{"type":"tilelayer","name":"solid","width":3,"height":2,"startx":-16,"starty":0,"chunks":[{"x":-16,"y":0,"width":2,"height":2,"data":[1,0,0,1]},{"x":4,"y":2,"width":1,"height":1,"data":[1]}]}"#,
        ),
        (
            "",
            r#"<group name="g" visible="0" offsetx="8"><properties><property name="Solid" type="bool" value="true"/></properties>
<objectgroup name="collision"><object id="1" x="1" y="2" width="5" height="6" rotation="30"/><object id="2" x="9" y="9" width="4" height="4"><ellipse/></object>
<object id="3" x="0" y="0"><polyline points="0,0 8,8.5 16,0"/></object><object id="4" name="p" class="spawn" x="3" y="4"><point/></object></objectgroup>
<imagelayer name="sky"/></group>"#,
            "",
            r#"{"type":"group","name":"g","visible":false,"offsetx":8,"properties":[{"name":"Solid","type":"bool","value":true}],"layers":[
{"type":"objectgroup","name":"collision","objects":[{"id":1,"x":1,"y":2,"width":5,"height":6,"rotation":30,"name":"","type":""},{"id":2,"x":9,"y":9,"width":4,"height":4,"ellipse":true},
{"id":3,"x":0,"y":0,"polyline":[{"x":0,"y":0},{"x":8,"y":8.5},{"x":16,"y":0}]},{"id":4,"name":"p","class":"spawn","x":3,"y":4,"point":true}]},
{"type":"imagelayer","name":"sky","image":"sky.png"}]}"#,
        ),
        (
            "",
            r#"<objectgroup name="things"><object id="1" template="c.tx" x="16" y="16"/><object id="2" name="&lt;door &amp; &quot;x&quot;" type="door" x="1.25" y="0" width="4" height="8">
<properties><property name="to" type="class" propertytype="Place"><properties><property name="x" type="float" value="1.5"/><property name="lit" type="bool" value="true"/></properties></property>
<property name="keys" type="list"><item type="int" value="3"/><item value="red"/></property><property name="note">two
lines</property></properties></object><object id="3" gid="4" x="32" y="32" width="16" height="16"/></objectgroup>"#,
            "",
            r#"{"type":"objectgroup","name":"things","objects":[{"id":1,"template":"c.tj","x":16,"y":16},{"id":2,"name":"<door & \"x\"","type":"door","x":1.25,"y":0,"width":4,"height":8,
"properties":[{"name":"to","type":"class","propertytype":"Place","value":{"x":1.5,"lit":true}},{"name":"keys","type":"list","value":[{"type":"int","value":3},{"type":"string","value":"red"}]},
{"name":"note","type":"string","value":"two\nlines"}]},{"id":3,"gid":4,"x":32,"y":32,"width":16,"height":16}]}"#,
        ),
    ];
    for (attributes, xml_layers, members, json_layers) in twins {
        let others = [("t.tsx", TSX), ("t.tsj", TSJ), ("c.tx", TX), ("c.tj", TJ)];
        let xml = from_text("a.tmx", &xml_map(attributes, xml_layers), &others);
        let json = from_text("a.tmj", &json_map(members, json_layers), &others);
        let (xml, json) = (xml.unwrap(), json.unwrap());
        assert_eq!(content(xml.clone()), content(json), "{json_layers}");
        let Collision::Shapes(pieces) = &xml.collision else {
            panic!("no shapes")
        };
        assert!(!pieces.is_empty(), "{xml_layers}");
        // Either kind of map may use either kind of tileset.
        let mixed = xml_map(attributes, xml_layers)
            .replace("t.tsx", "t.tsj")
            .replace("c.tx", "c.tj");
        let mixed = from_text("a.tmx", &mixed, &others).unwrap();
        assert_eq!(content(xml), content(mixed));
    }
}

#[test]
fn errors_in_json_name_the_place() {
    let layer = r#"{"type":"tilelayer","name":"ground","width":3,"height":2,"data":[1,0,0,0,0,0]}"#;
    let good = json_map("\n", layer);
    let message = |text: &str| {
        let error = from_text("maps/a.tmj", text, &[("maps/t.tsj", TSJ)]).unwrap_err();
        let mut more = error.lines().skip(1);
        assert!(
            more.all(|line| line.starts_with("help: ") || line.starts_with("    ")),
            "{error}"
        );
        error
    };
    assert!(from_text("maps/a.tmj", &good, &[("maps/t.tsj", TSJ)]).is_ok());
    let errors: Vec<String> = [
        good.replace("[1,0,0,0,0,0]", "[1,0,0,0]"),
        good.replace("[1,0,0,0,0,0]", "[1,0,null,0,0,0]"),
        good.replace("[1,0,0,0,0,0]", "{}"),
        good.replace("[1,0,0,0,0,0]", "[99,0,0,0,0,0]"),
        good.replace(
            "\"width\":3,\"height\":2,\"data\"",
            "\"width\":\"x\",\"height\":2,\"data\"",
        ),
        good.replace("tilelayer", "tiles"),
        good.replace("\"type\":\"map\"", "\"type\":\"world\""),
        good.replace("\"type\":\"map\"", "\"__header__\":1"),
        good.replace("orthogonal", "isometric"),
        good.replace("t.tsj", "/t.tsj"),
        good.replace("t.tsj", "none.tsj"),
        good.replace("\"layers\":[", "\"layers\":[7,"),
        good.replace("]}", "]"),
        r#"{"ogmoVersion":"3.4.0","layers":[]}"#.to_owned(),
    ]
    .iter()
    .map(|text| message(text))
    .collect();
    insta::assert_snapshot!(errors.join("\n"));
}

// The line of a link begins at the entity, and leads through the middles of the lower sides of
// the cells of its list of points.
#[test]
fn a_list_of_points_in_ldtk_is_the_line_of_a_link() {
    let project = String::from_utf8(bytes("mine.ldtk")).unwrap();
    let linked = project
        .replace("\"waypoint\"", "\"link\"")
        .replace("\"route\"", "\"points\"");
    assert_ne!(project, linked);
    let level = from_text("mine.ldtk#Mine", &linked, &[]).unwrap();
    let link = level
        .markers
        .iter()
        .find(|marker| marker.class == "link")
        .unwrap();
    let points = link.properties.iter().find(|(name, _)| name == "points");
    let feet = [0.5 * (link.area.min.x + link.area.max.x), link.area.max.y];
    let wanted = format!("{},{} 24,96 136,96", feet[0], feet[1]);
    assert_eq!(points.unwrap().1, wanted);
}

// IntGrid values become collision, entities markers.
#[test]
fn ldtk_levels_are_read() {
    let project = bytes("mine.ldtk");
    assert_eq!(
        LdtkProject::parse("mine.ldtk", &project)
            .unwrap()
            .levels()
            .collect::<Vec<_>>(),
        ["Mine", "Shaft"]
    );
    let level = level("mine.ldtk#Mine");
    assert_eq!(level.source, "mine.ldtk#Mine");
    assert_eq!(level.inputs.len(), 1);
    assert_eq!(level.inputs[0].name, "mine.ldtk");
    assert_eq!(level.tile_size, Some([16, 16]));
    assert_eq!(level.bounds.size().to_array(), [320.0, 128.0]);
    let marker = &level.markers[0];
    assert_eq!(
        (marker.class.as_str(), marker.name.as_str()),
        ("spawn", "miner")
    );
    // Its pivot is at its feet.
    assert_eq!(marker.area.min.to_array(), [32.0, 80.0]);
    assert_eq!(marker.area.max.to_array(), [48.0, 96.0]);
    let properties: Vec<_> = (level.markers[1].properties.iter())
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let wanted = [
        // Its number among the objects of the level.
        "id=2",
        "iid=e30-1",
        "pool=ground",
        "route.0.cx=1",
        "route.0.cy=5",
        "route.1.cx=8",
        "route.1.cy=5",
    ];
    assert_eq!(properties, wanted);

    // The same cells drawn in text.
    let rows = [
        "....................",
        "....................",
        "....................",
        "..............HH....",
        "...####...-...HH....",
        "..............HH....",
        "##########..^^######",
        "##########..########",
    ];
    let mut drawn = rows::level("drawn", 16, &rows);
    drawn.markers.clone_from(&level.markers);
    let dump = |level: &navmesh_bake::Level| {
        let settings = Settings::for_agents(default_agents(16.0));
        let mesh = bake(level, &settings, &NoProgress).unwrap();
        let mut text = Vec::new();
        dump::text(&mesh, "1.0", &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let (_, rest) = text.split_once("grid").unwrap();
        rest.to_owned()
    };
    assert_eq!(dump(&level), dump(&drawn));
}

// The runtime reads the pools and tags of a waypoint from one text.
#[test]
fn lists_of_pools_are_read() {
    let project = String::from_utf8(bytes("mine.ldtk")).unwrap();
    let one = "\"__value\": \"ground\",\n         \"__tile\": null";
    let list = one.replacen("\"ground\"", "[\"ground\", \"night\"]", 1);
    assert!(project.contains(one));
    let level = from_text("mine.ldtk#Mine", &project.replace(one, &list), &[]).unwrap();
    let properties = &level.markers[1].properties;
    for (name, text) in [("pool", "ground, night"), ("pool.1", "night")] {
        let property = (name.to_owned(), text.to_owned());
        assert!(properties.contains(&property), "{properties:?}");
    }
}

// The provider does not have the project, so a second read of it would fail.
#[test]
fn a_project_is_read_once_for_all_its_levels() {
    let project = LdtkProject::parse("mine.ldtk", &bytes("mine.ldtk")).unwrap();
    for name in project.levels() {
        let shared = project.read(Some(name), &MemoryFiles::default(), &Rules::default());
        assert_eq!(
            content(shared.unwrap()),
            content(level(&format!("mine.ldtk#{name}")))
        );
    }
    let error = project.read(Some("Mime"), &MemoryFiles::default(), &Rules::default());
    assert_eq!(
        error.unwrap_err().to_string(),
        "mine.ldtk:1: the project has no level \"Mime\"\nhelp: its levels are Mine, Shaft"
    );
}

/// A merge of two branches can leave what LDtk would not write.
#[test]
fn projects_that_ldtk_would_not_write_are_refused() {
    let text = String::from_utf8(bytes("mine.ldtk")).unwrap();
    let twice = text.replace(r#""identifier": "Shaft""#, r#""identifier": "Mine""#);
    let first = text.find(r#""px": ["#).unwrap();
    let end = first + text[first..].find(']').unwrap();
    let short = format!("{}\"px\": [5{}", &text[..first], &text[end..]);
    for (project, message) in [
        (
            twice,
            "levels: two levels are named Mine\nhelp: give each level an identifier of its own",
        ),
        (short, "a list is not a pair of numbers"),
    ] {
        let error = from_text("mine.ldtk#Mine", &project, &[]).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn ldtk_levels_may_be_in_files_of_their_own() {
    let whole: serde_json::Value = serde_json::from_slice(&bytes("mine.ldtk")).unwrap();
    let mut project = whole.clone();
    let mut files = Vec::new();
    for level in project["levels"].as_array_mut().unwrap() {
        let path = format!("mine/{}.ldtkl", level["identifier"].as_str().unwrap());
        files.push((path.clone(), level.to_string()));
        level["layerInstances"] = serde_json::Value::Null;
        level["externalRelPath"] = path.into();
    }
    project["externalLevels"] = true.into();
    let others: Vec<(&str, &str)> = files
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    let text = project.to_string();
    let apart = from_text("mine.ldtk#Shaft", &text, &others).unwrap();
    let names: Vec<_> = apart.inputs.iter().map(|i| i.name.as_str()).collect();
    assert_eq!(names, ["mine.ldtk", "mine/Shaft.ldtkl"]);
    assert_eq!(content(apart), content(level("mine.ldtk#Shaft")));
    let error = from_text("mine.ldtk#Shaft", &text, &[]).unwrap_err();
    assert!(
        error.contains("mine/Shaft.ldtkl") && error.contains("level \"Shaft\""),
        "{error}"
    );
}

#[test]
fn rules_match_int_grid_values() {
    let rules: Rules = toml::from_str(
        "empty = [\"intgrid:solid\"]\nsolid = [\"intgrid:HAZARD\", \"intgrid:9\", \"layer:nothing\"]",
    )
    .unwrap();
    let text = String::from_utf8(bytes("mine.ldtk")).unwrap();
    // The name of a value without an identifier is its number.
    let text = text.replace("[0,0,0,0,0,0,0,0,0,0,0,0,", "[0,0,0,9,9,0,0,0,0,0,0,0,");
    let level = read_bytes(
        "mine.ldtk#Shaft",
        text.as_bytes(),
        &MemoryFiles::default(),
        &rules,
    );
    let level = level.unwrap();
    let cells = "2 cells solid (rule intgrid:9)";
    assert!(
        level.decisions.iter().any(|line| line.contains(cells)),
        "{:?}",
        level.decisions
    );
    let Collision::Shapes(pieces) = level.level.collision else {
        panic!("no shapes")
    };
    let materials: Vec<_> = pieces.iter().map(|p| p.material).collect();
    assert_eq!(materials, [Material::Solid], "only the 9s are left");
}

#[test]
fn errors_in_ldtk_projects_name_the_place() {
    let good = String::from_utf8(bytes("mine.ldtk")).unwrap();
    let errors: Vec<String> = [
        ("mine.ldtk", good.clone()),
        ("mine.ldtk#Moon", good.clone()),
        ("mine.ldtk#Mine", "{\n}".to_owned()),
        ("mine.ldtk#Mine", "<map/>".to_owned()),
        ("mine.ldtk#Mine", good.replacen("\"pxWid\": 320", "\"pxWid\": -3", 1)),
        ("mine.ldtk#Mine", good.replacen("\"__cWid\": 20,\n     \"__cHei\": 8,\n     \"__gridSize\": 16,\n     \"iid\": \"lc30\"", "\"__cWid\": 21,\n     \"__cHei\": 8,\n     \"__gridSize\": 16,\n     \"iid\": \"lc30\"", 1)),
        ("mine.ldtk#Mine", good.replacen("[0,0,0", "[0,x,0", 1)),
        ("mine.ldtk#Mine", good.replacen("[0,0,0", "[0,-1,0", 1)),
        ("mine.ldtk#Mine", good.replace("\"Mine\"", "\"../Mine\"")),
    ]
    .iter()
    .map(|(name, text)| from_text(name, text, &[]).unwrap_err())
    .collect();
    insta::assert_snapshot!(errors.join("\n"));
}

/// Parts of JSON to insert anywhere.
const SCRAPS: [&str; 16] = [
    "{",
    "}",
    "[",
    "]",
    "\"",
    ",",
    ":",
    "null",
    "-1",
    "1e308",
    "99999999999",
    "true",
    "\"type\":",
    "\"layers\":[",
    "{\"value\":",
    "\\ud800",
];

proptest! {
    #![proptest_config(random_cases::cases(300))]

    // Damaged files are read, or refused with an error.
    #[test]
    fn damaged_json_never_panics(
        which in 0_usize..4,
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..20, 0_usize..SCRAPS.len(), 0_usize..30), 1..6),
    ) {
        let (name, file) = [
            ("a.tmj", "twins/ledges.tmj"),
            ("a.tmx", "twins/tiles.tsj"),
            ("mine.ldtk#Mine", "mine.ldtk"),
            ("mine.ldtk", "mine.ldtk"),
        ][which];
        let mut text = bytes(file);
        for (at, kind, scrap, length) in edits {
            let at = at.index(text.len() + 1);
            let end = (at + length).min(text.len());
            match kind {
                0..8 => { text.splice(at..at, SCRAPS[scrap].bytes()); }
                8..14 => { text.splice(at..end, SCRAPS[scrap].bytes()); }
                14..18 => { text.drain(at..end); }
                18 => text.truncate(at),
                _ => if let Some(byte) = text.get_mut(at) { *byte ^= 0x15 },
            }
        }
        let mut files = MemoryFiles::default();
        files.insert("tiles.tsj", bytes("twins/tiles.tsj"));
        if let Err(error) = read_bytes(name, &text, &files, &Rules::default()) {
            prop_assert!(!error.to_string().is_empty());
        }
        // The same file as a tileset of a valid map.
        files.insert("tiles.tsj", text);
        let _ = read_bytes("b.tmj", &bytes("twins/ledges.tmj"), &files, &Rules::default());
    }
}

#[test]
fn offsets_of_ldtk_layers_move_what_is_in_them() {
    let text = String::from_utf8(bytes("mine.ldtk")).unwrap();
    let [x, y] = ["X", "Y"].map(|axis| format!("\"__pxTotalOffset{axis}\": "));
    let moved = text.replace(&format!("{x}0"), &format!("{x}16"));
    let moved = moved.replace(&format!("{y}0"), &format!("{y}-32"));
    assert_ne!(text, moved);
    let (was, is) = (
        level("mine.ldtk#Mine"),
        from_text("mine.ldtk#Mine", &moved, &[]).unwrap(),
    );
    for (a, b) in was.markers.iter().zip(&is.markers) {
        assert_eq!((b.area.min - a.area.min).to_array(), [16.0, -32.0]);
    }
    let corner = |level: &LevelFile| match &level.collision {
        Collision::Shapes(pieces) => match &pieces[0].shape {
            Shape::Box(rect) => rect.min,
            Shape::Convex(points) => points[0],
        },
        Collision::Pixels(_) => panic!("pixels"),
    };
    assert_eq!((corner(&is) - corner(&was)).to_array(), [16.0, -32.0]);
}

#[test]
fn hidden_int_grids_count_like_visible_ones() {
    let text = String::from_utf8(bytes("mine.ldtk")).unwrap();
    // A name that says nothing; the values say what they are.
    let text = text.replace("\"Collisions\"", "\"Cells\"");
    let hidden = text.replace("\"visible\": true", "\"visible\": false");
    assert_ne!(text, hidden);
    let [was, is] = [text, hidden].map(|text| from_text("mine.ldtk#Mine", &text, &[]).unwrap());
    assert_eq!(is.collision, was.collision);
}

/// The fixture with a change, as text and as the level that it is read to.
fn changed(change: impl FnOnce(&mut serde_json::Value)) -> LevelFile {
    let mut project: serde_json::Value = serde_json::from_slice(&bytes("mine.ldtk")).unwrap();
    change(&mut project);
    from_text("mine.ldtk#Mine", &project.to_string(), &[]).unwrap()
}

/// The warnings of a level that contain a text.
fn warnings<'l>(level: &'l LevelFile, part: &str) -> Vec<&'l String> {
    let all = level.warnings.iter();
    all.filter(|warning| warning.contains(part)).collect()
}

// A value whose own name says nothing is what its group is called.
#[test]
fn groups_of_int_grid_values_say_what_they_are() {
    let grouped = |first: serde_json::Value, group: &str| {
        changed(|project| {
            let layer = &mut project["defs"]["layers"][1];
            layer["intGridValuesGroups"] = serde_json::json!([{"uid": 7, "identifier": group}]);
            layer["identifier"] = "Cells".into();
            layer["intGridValues"][0]["groupUid"] = 7.into();
            layer["intGridValues"][0]["identifier"] = first;
            for layer in project["levels"][0]["layerInstances"]
                .as_array_mut()
                .unwrap()
            {
                layer["__identifier"] = "Cells".into();
            }
        })
    };
    let was = level("mine.ldtk#Mine").level.collision;
    let pieces = |collision: &Collision| match collision {
        Collision::Shapes(pieces) => pieces
            .iter()
            .map(|p| (p.material, p.shape.clone()))
            .collect(),
        Collision::Pixels(_) => Vec::new(),
    };
    for first in [serde_json::Value::Null, "moss".into()] {
        let level = grouped(first, "Walls");
        assert_eq!(pieces(&level.collision), pieces(&was));
        assert_eq!(level.warnings, [""; 0]);
    }
    let level = grouped("moss".into(), "Plants");
    // So few cells are not asked about.
    assert!(level.undecided.is_empty());
}

#[test]
fn what_is_not_read_of_ldtk_is_warned_about() {
    let level = changed(|project| {
        project["defs"]["layers"][1]["parallaxFactorX"] = 0.5.into();
        project["defs"]["tilesets"] = serde_json::json!([
            {"uid": 5, "enumTags": [{"enumValueId": "Solid", "tileIds": [3]}, {"enumValueId": "Mossy", "tileIds": [4]}]}
        ]);
        // The first tile lies on a cell that is solid, the second in the air.
        let tile =
            |x: u32, y: u32, t: u32| serde_json::json!({"px": [x, y], "src": [0, 0], "t": t});
        let tiles = serde_json::json!({"__identifier": "Rocks", "__type": "Tiles", "__tilesetDefUid": 5,
            "__gridSize": 16, "gridTiles": [tile(0, 112, 3), tile(32, 16, 3), tile(48, 16, 4)]});
        let layers = project["levels"][0]["layerInstances"]
            .as_array_mut()
            .unwrap();
        layers.push(tiles);
        layers.push(serde_json::json!({"__identifier": "Spikes", "__type": "Tiles", "__gridSize": 16, "gridTiles": [tile(0, 112, 0), tile(32, 16, 0)]}));
        layers.push(serde_json::json!({"__identifier": "Walls", "__type": "Tiles", "__gridSize": 16, "gridTiles": [tile(32, 16, 0)]}));
    });
    let parallax = "layer \"Collisions\": the layer is collision and has a parallax factor";
    assert_eq!(warnings(&level, parallax).len(), 1, "{:#?}", level.warnings);
    // Tiles are pictures where cells are painted, unless they say otherwise.
    let asked = level.undecided.iter();
    let asked: Vec<_> = asked
        .map(|asked| (asked.guess.list(), asked.rules.join(" ")))
        .collect();
    let expected: [(&str, String); 0] = [];
    assert_eq!(asked, expected, "so few tiles are not asked about");
}
