//! Defaults of custom classes, which Tiled stores in its project.

use baker_cli::source::LevelFile;
use baker_cli::source::{FileProvider as _, Folder, Rules};

use crate::maps::{first_row, layer, map, objects, read, read_with, tileset};
use crate::twins::{content, from_text};

const PROJECT: &str = r#"{"folders":["."],"propertyTypes":[
 {"id":1,"name":"Rock","type":"class","useAs":["object","tile","layer"],"members":[
  {"name":"solid","type":"bool","value":true},
  {"name":"note","type":"string","value":""},
  {"name":"twin","type":"object","value":0}]},
 {"id":2,"name":"Plate","type":"class","useAs":["property"],"members":[{"name":"solid","type":"bool","value":true}]},
 {"id":3,"name":"Mood","type":"enum","storageType":"string","values":["calm","angry"]},
 {"id":4,"name":"Body","type":"class","members":[
  {"name":"mass","type":"float","value":2.5},
  {"name":"size","type":"class","propertyType":"Size","value":{"high":9}}]},
 {"id":5,"name":"Size","type":"class","members":[
  {"name":"high","type":"int","value":1},{"name":"wide","type":"int","value":2}]},
 {"id":6,"name":"Crab","type":"class","members":[
  {"name":"body","type":"class","propertyType":"Body","value":{"mass":4}},
  {"name":"mood","type":"string","propertyType":"Mood","value":"calm"},
  {"name":"lives","type":"int","value":3}]}]}"#;

const FILES: &[(&str, &str)] = &[("game.tiled-project", PROJECT)];

fn in_project(tmx: &str) -> LevelFile {
    read_with(tmx, FILES, &Rules::default()).unwrap()
}

fn properties(level: &LevelFile) -> Vec<(&str, &str)> {
    let properties = level.markers[0].properties.iter();
    let properties = properties.map(|(name, value)| (&**name, &**value));
    // Markers have the number of their object, too.
    properties.filter(|(name, _)| *name != "id").collect()
}

#[test]
fn defaults_say_what_is_collision() {
    let tiles = tileset(
        r#"<tile id="0" type="Rock"/><tile id="1" type="Plate"/><tile id="2" type="Fern"/>
<tile id="3" type="Rock"><properties><property name="solid" type="bool" value="false"/></properties></tile>"#,
    );
    let tmx = map(5, 1, &(tiles + &layer("things", 5, 1, "1,2,3,4,1")));
    let level = in_project(&tmx);
    // Class `Plate` is only for properties, and the last tile has a value of its own.
    assert_eq!(first_row(&level), "#...#");
    assert_eq!(level.inputs[1].name, "game.tiled-project");
    let rocks = r#"<layer id="1" name="things" class="Rock" width="2" height="1"><data encoding="csv">1,2</data></layer>"#;
    let object = objects(
        "more",
        r#"<object id="1" type="Rock" x="32" width="16" height="16"/>"#,
    );
    let level = in_project(&map(4, 1, &(tileset("") + rocks + &object)));
    assert_eq!(first_row(&level), "###.");
}

#[test]
fn markers_have_the_defaults_of_their_class_and_of_classes_in_it() {
    let floor = tileset("") + &layer("collision", 2, 1, "0,1");
    let crab = objects("things", r#"<object id="1" type="Crab"/>"#);
    let level = in_project(&map(2, 1, &(floor.clone() + &crab)));
    let defaults = [
        ("body.mass", "4"),
        ("body.size.high", "9"),
        ("body.size.wide", "2"),
        ("lives", "3"),
        ("mood", "calm"),
    ];
    assert_eq!(properties(&level), defaults);
    // Members that the map stores stay; the rest of their class is added.
    let own = r#"<object id="1" type="Crab"><properties><property name="lives" type="int" value="1"/>
<property name="body" type="class" propertytype="Body"><properties>
<property name="size" type="class" propertytype="Size"><properties>
<property name="wide" type="int" value="7"/></properties></property></properties></property></properties></object>"#;
    let level = in_project(&map(2, 1, &(floor.clone() + &objects("things", own))));
    let expected = [
        ("body.mass", "2.5"),
        ("body.size.high", "9"),
        ("body.size.wide", "7"),
        ("lives", "1"),
        ("mood", "calm"),
    ];
    assert_eq!(properties(&level), expected);
    let json = r#"{"type":"map","orientation":"orthogonal","width":2,"height":1,"tilewidth":16,"tileheight":16,"infinite":false,
"tilesets":[{"firstgid":1,"name":"tiles","tilewidth":16,"tileheight":16,"tilecount":32,"columns":8,"image":"tiles.png","imagewidth":128,"imageheight":64,"margin":0,"spacing":0}],
"layers":[{"id":1,"name":"collision","type":"tilelayer","width":2,"height":1,"x":0,"y":0,"visible":true,"opacity":1,"data":[0,1]},
{"id":2,"name":"things","type":"objectgroup","visible":true,"opacity":1,"x":0,"y":0,"objects":[
{"id":1,"type":"Crab","name":"","x":0,"y":0,"width":0,"height":0,"rotation":0,"visible":true,"properties":[
{"name":"lives","type":"int","value":1},
{"name":"body","type":"class","propertytype":"Body","value":{"size":{"wide":7}}}]}]}]}"#;
    let json = from_text("level.tmj", json, FILES).unwrap();
    assert_eq!(properties(&json), expected);
    assert_eq!(content(json).markers, content(level).markers);
}

#[test]
fn the_tile_of_an_object_comes_before_defaults() {
    let tiles = r#"<tile id="0"><properties><property name="solid" type="bool" value="false"/></properties></tile>"#;
    let rock = |gid: u32, x: u32| {
        format!(
            r#"<object id="{gid}" type="Rock" gid="{gid}" x="{x}" y="16" width="16" height="16"/>"#
        )
    };
    let rocks = objects("things", &(rock(1, 0) + &rock(2, 16)));
    let floor = layer("collision", 3, 1, "0,0,3");
    let tiles = tileset(tiles).replace("</tileset>", r#"<tile id="1"/></tileset>"#);
    let level = in_project(&map(3, 1, &(tiles + &floor + &rocks)));
    assert_eq!(
        first_row(&level),
        ".##",
        "a rock that shows a tile that is not solid"
    );
}

#[test]
fn templates_come_before_defaults() {
    let template = r#"<template><object type="Crab"><properties>
<property name="lives" type="int" value="8"/></properties></object></template>"#;
    let crab = objects("things", r#"<object id="1" template="crab.tx"/>"#);
    let tmx = map(
        2,
        1,
        &(tileset("") + &layer("collision", 2, 1, "0,1") + &crab),
    );
    let files = [FILES[0], ("crab.tx", template)];
    let level = read_with(&tmx, &files, &Rules::default()).unwrap();
    let properties = properties(&level);
    assert!(properties.contains(&("lives", "8")) && properties.contains(&("mood", "calm")));
    let inputs: Vec<_> = level.inputs.iter().map(|input| &*input.name).collect();
    assert_eq!(inputs, ["level.tmx", "crab.tx", "game.tiled-project"]);
}

#[test]
fn a_project_that_cannot_be_read_is_warned_about_where_it_matters() {
    let floor = tileset("") + &layer("collision", 2, 1, "0,1");
    let crab = objects("things", r#"<object id="1" type="Crab"/>"#);
    let plain = map(2, 1, &floor);
    let tmx = map(2, 1, &(floor + &crab));
    let nested = |count: usize| {
        let member = r#"{"name":"m","type":"class","propertyType":"Crab","value":{}}"#;
        let members = vec![member; count].join(",");
        format!(r#"{{"propertyTypes":[{{"name":"Crab","type":"class","members":[{members}]}}]}}"#)
    };
    for (project, problem) in [
        (
            "{\n\"propertyTypes\":7}",
            ":2: the defaults of its classes are not used: invalid type: integer `7`, expected a sequence",
        ),
        (
            "{",
            ":1: the defaults of its classes are not used: not well-formed JSON",
        ),
        (
            &nested(9),
            ": Crab: the defaults of its classes are not used: its classes have more than 65536 members",
        ),
    ] {
        let files = [("game.tiled-project", project)];
        let warnings = |tmx: &str| {
            let level = read_with(tmx, &files, &Rules::default()).unwrap();
            let warnings = level.warnings.into_iter();
            let warnings = warnings.filter(|warning| warning.contains("tiled-project"));
            warnings.collect::<Vec<_>>()
        };
        let found = warnings(&tmx);
        assert!(found.len() == 1 && found[0].contains(problem), "{found:#?}");
        assert_eq!(warnings(&plain), [""; 0], "nothing has a class");
    }
    // A class in itself, as no editor stores it, ends somewhere.
    assert!(in_project(&tmx).warnings.is_empty());
    let files = [("game.tiled-project", &*nested(1))];
    assert!(read_with(&tmx, &files, &Rules::default()).is_ok());
    assert!(read(&tmx).unwrap().warnings.is_empty());
}

#[test]
fn the_nearest_project_of_the_repository_is_used() {
    let root = tempfile::tempdir().unwrap();
    let path = |name: &str| root.path().join(name);
    std::fs::create_dir_all(path("game/levels/caves")).unwrap();
    let project = |folder: &str| Folder::new(path(folder)).tiled_project();
    assert_eq!(project("none"), None);
    std::fs::write(path("far.tiled-project"), "{}").unwrap();
    assert_eq!(
        project("game/levels").as_deref(),
        Some("../../far.tiled-project")
    );
    std::fs::create_dir(path("game/.git")).unwrap();
    assert_eq!(project("game/levels"), None);
    for name in ["game/b.tiled-project", "game/a.tiled-project"] {
        std::fs::write(path(name), "{}").unwrap();
    }
    assert_eq!(
        project("game/levels/caves").as_deref(),
        Some("../../a.tiled-project")
    );
    assert_eq!(project("game").as_deref(), Some("a.tiled-project"));
}
