//! What designers import into Tiled and LDtk: its words are those that the baker
//! reads, and levels drawn with it bake as they mean.

use crate::sandbox;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use navmesh_behavior::{Pools, Waypoint};
use navmesh_runtime::asset;
use navmesh_runtime::mesh::{MarkerKind, NavMesh, StepKind};
use sandbox::Sandbox;
use serde_json::{Value, json};

/// The meaning of each class of collision, in the words of `bake -v`.
const COLLISION: [(&str, &str); 8] = [
    ("hazard", "hazard"),
    ("ladder", "ladder"),
    ("one_way", "one-way (up)"),
    ("one_way_down", "one-way (down)"),
    ("one_way_left", "one-way (left)"),
    ("one_way_right", "one-way (right)"),
    ("passable", ""),
    ("solid", "solid"),
];

fn fine(sandbox: &Sandbox, args: &str) -> String {
    let run = sandbox.fine(args);
    run.stdout + &run.stderr
}

fn json_of(sandbox: &Sandbox, name: &str) -> Value {
    let text = sandbox.bytes(name);
    serde_json::from_slice(&text).unwrap()
}

fn texts<'a>(values: &'a Value, key: &str) -> Vec<&'a str> {
    let values = values.as_array().unwrap().iter();
    values.map(|value| value[key].as_str().unwrap()).collect()
}

/// The classes that Tiled offers for objects only, and for all else that can be
/// solid; with their properties and types.
fn tiled_classes(types: &Value) -> [BTreeMap<&str, BTreeMap<&str, &str>>; 2] {
    let mut classes = [BTreeMap::new(), BTreeMap::new()];
    for class in types.as_array().unwrap() {
        assert_eq!(class["type"], "class");
        let members = &class["members"];
        let members: BTreeMap<_, _> = (texts(members, "name")
            .into_iter()
            .zip(texts(members, "type")))
        .collect();
        let is_collision = class["useAs"] == json!(["layer", "object", "tile"]);
        assert!(is_collision || class["useAs"] == json!(["object"]));
        let name = class["name"].as_str().unwrap();
        classes[usize::from(is_collision)].insert(name, members);
    }
    classes
}

/// The names of properties that the source reads, outside tests.
fn read_properties(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_properties(&path, names);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = std::fs::read_to_string(path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let code: String = (code.lines())
                .filter(|line| !line.trim_start().starts_with("//"))
                .collect();
            for call in [".property(\"", ".flag(\"", ".number(\""] {
                for rest in code.split(call).skip(1) {
                    let (name, behind) = rest.split_once('"').unwrap();
                    // Readers of files have methods of these names with more arguments.
                    if behind.starts_with(')') {
                        names.insert(name.to_owned());
                    }
                }
            }
        }
    }
}

#[test]
fn the_words_are_those_that_the_baker_reads() {
    let sandbox = Sandbox::new();
    fine(&sandbox, "init --tiled-types");
    fine(&sandbox, "init --ldtk-template");
    let types = json_of(&sandbox, "navbake-types.json");
    let [markers, collision] = tiled_classes(&types);
    let known = MarkerKind::KNOWN.iter().map(|kind| kind.class());
    // A door by another name, and what only the bake reads.
    let others = ["breakable", "moving_platform", "platform_path"];
    let known: BTreeSet<_> = known.chain(others).collect();
    assert_eq!(markers.keys().copied().collect::<BTreeSet<_>>(), known);
    let expected: Vec<_> = COLLISION.iter().map(|(class, _)| *class).collect();
    assert_eq!(collision.keys().copied().collect::<Vec<_>>(), expected);

    let mut read = BTreeSet::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    read_properties(&root.join("src"), &mut read);
    read_properties(&root.join("bake/src"), &mut read);
    read_properties(&root.join("../navmesh-runtime/src"), &mut read);
    // The numbers of objects are the editors'.
    assert!(read.remove("id") && read.remove("iid"));
    // The points of a line are drawn.
    assert!(read.remove("points"));
    let offered: BTreeSet<_> = markers.values().flat_map(BTreeMap::keys).copied().collect();
    assert_eq!(offered, read.iter().map(String::as_str).collect());

    // LDtk offers the same.
    let project = json_of(&sandbox, "navbake-template.ldtk");
    let entities = project["defs"]["entities"].as_array().unwrap();
    assert_eq!(entities.len(), markers.len());
    for entity in entities {
        let fields = texts(&entity["fieldDefs"], "identifier");
        assert_eq!(fields[0], "name");
        let own = &markers[entity["identifier"].as_str().unwrap()];
        let own: Vec<_> = own.keys().copied().collect();
        let mut fields = fields[1..].to_vec();
        fields.sort_unstable();
        assert_eq!(fields, own);
    }
    let mut values = texts(&project["defs"]["layers"][1]["intGridValues"], "identifier");
    values.sort_unstable();
    assert_eq!(values, expected);
    // In the same colours, and for properties of the same types.
    let colors: BTreeMap<_, _> = (texts(&types, "name").into_iter())
        .zip(texts(&types, "color"))
        .collect();
    let cells = &project["defs"]["layers"][1]["intGridValues"];
    for definition in entities.iter().chain(cells.as_array().unwrap()) {
        let color = colors[definition["identifier"].as_str().unwrap()].replace("#ff", "#");
        assert_eq!(definition["color"], color.to_uppercase());
    }
    for entity in entities {
        let own = &markers[entity["identifier"].as_str().unwrap()];
        for field in entity["fieldDefs"].as_array().unwrap() {
            let (kind, default) = match own.get(field["identifier"].as_str().unwrap()) {
                None | Some(&"string" | &"object") => ("String", Value::Null),
                Some(&"bool") => ("Bool", json!({"id": "V_Bool", "params": [false]})),
                Some(&"float") => ("Float", json!({"id": "V_Float", "params": [0]})),
                other => panic!("{other:?}"),
            };
            assert_eq!(field["__type"], kind);
            assert_eq!(field["type"], format!("F_{kind}"));
            assert_eq!(field["canBeNull"], default.is_null());
            assert_eq!(field["defaultOverride"], default);
        }
    }
    // Every definition has a number of its own, below the next.
    let mut numbers = BTreeSet::new();
    for definition in entities {
        assert!(numbers.insert(definition["uid"].as_u64().unwrap()));
        for field in definition["fieldDefs"].as_array().unwrap() {
            assert!(numbers.insert(field["uid"].as_u64().unwrap()));
        }
    }
    assert!(project["nextUid"].as_u64() > numbers.last().copied());
}

#[test]
fn each_class_of_collision_means_what_it_says() {
    let sandbox = Sandbox::new();
    let reported = |map: &str| {
        sandbox.write("a.tmx", map);
        fine(&sandbox, "bake -v --force a.tmx")
    };
    for (class, meaning) in COLLISION {
        let map = tiled(&[(class, [64, 64, 32, 16])], "");
        if !meaning.is_empty() {
            let expected = format!("1 object {meaning} (class \"{class}\" of the object)");
            let reported = reported(&map);
            assert!(reported.contains(&expected), "{class}: {reported}");
            continue;
        }
        // Where everything is solid, it is not.
        let walls = map.replace("things", "walls");
        let line = |reported: String| {
            let mut lines = reported
                .lines()
                .filter(|line| line.contains("layer \"walls\""));
            lines.next().unwrap_or_default().to_owned()
        };
        let without = line(reported(&walls.replace(&format!("type=\"{class}\""), "")));
        assert!(without.contains("1 object solid"), "{without}");
        let with = line(reported(&walls));
        assert!(!with.contains("solid (") && !with.is_empty(), "{with}");
    }
}

/// A map in Tiled with a floor, and rectangles of classes.
fn tiled(shapes: &[(&str, [u32; 4])], more: &str) -> String {
    let mut objects = String::new();
    let floor = [("solid", [0, 320, 640, 32])];
    for (i, (class, [x, y, w, h])) in floor.iter().chain(shapes).enumerate() {
        let place = if i == 0 { "ground" } else { "things" };
        if i < 2 {
            let end = if i == 1 { "</objectgroup>" } else { "" };
            let _ = write!(
                objects,
                "{end}<objectgroup id=\"{}\" name=\"{place}\">",
                i + 1
            );
        }
        let _ = write!(
            objects,
            r#"<object id="{}" type="{class}" x="{x}" y="{y}" width="{w}" height="{h}"/>"#,
            100 + i
        );
    }
    format!(
        r#"<?xml version="1.0"?><map version="1.10" orientation="orthogonal" width="40" height="22" tilewidth="16" tileheight="16" infinite="0">{objects}{more}</objectgroup></map>"#
    )
}

/// The shapes of the level that both editors draw.
const SHAPES: [(&str, [u32; 4]); 4] = [
    ("one_way", [128, 272, 64, 16]),
    ("solid", [272, 256, 64, 64]),
    ("hazard", [400, 304, 32, 16]),
    ("one_way_right", [496, 272, 16, 48]),
];

/// What both draw of markers: class, place, and properties with the type in Tiled.
type Drawn = (
    &'static str,
    &'static str,
    [u32; 4],
    &'static [(&'static str, &'static str, &'static str)],
);
const MARKERS: [Drawn; 7] = [
    (
        "spawn",
        "start",
        [32, 304, 16, 16],
        &[("agent", "string", "ground")],
    ),
    (
        "waypoint",
        "post",
        [144, 256, 16, 16],
        &[("pool", "string", "east"), ("tags", "string", "high cover")],
    ),
    (
        "portal",
        "in",
        [64, 288, 16, 32],
        &[
            ("to", "object", "out"),
            ("one_way", "bool", "true"),
            ("cost", "float", "2.5"),
        ],
    ),
    ("portal", "out", [576, 288, 16, 32], &[]),
    (
        "door",
        "gate",
        [240, 240, 16, 80],
        &[("closed", "bool", "true")],
    ),
    ("area", "trap", [448, 288, 32, 32], &[]),
    ("nav_area", "", [0, 0, 640, 352], &[]),
];

fn drawn_in_tiled() -> String {
    let number = |name: &str| 10 + MARKERS.iter().position(|m| m.1 == name).unwrap();
    let mut objects = String::new();
    for (class, name, [x, y, w, h], properties) in MARKERS {
        let _ = write!(
            objects,
            r#"<object id="{}" name="{name}" type="{class}" x="{x}" y="{y}" width="{w}" height="{h}"><properties>"#,
            number(name)
        );
        for (key, kind, value) in properties {
            let value = match *kind {
                "object" => number(value).to_string(),
                _ => (*value).to_owned(),
            };
            let _ = write!(
                objects,
                r#"<property name="{key}" type="{kind}" value="{value}"/>"#
            );
        }
        objects.push_str("</properties></object>");
    }
    tiled(&SHAPES, &objects)
}

/// The template with the same level painted in it, as LDtk saves it.
fn drawn_in_ldtk(mut project: Value) -> Value {
    let values = project["defs"]["layers"][1]["intGridValues"].clone();
    let definitions = project["defs"]["entities"].clone();
    let layers = project["levels"][0]["layerInstances"]
        .as_array_mut()
        .unwrap();
    let floor = ("solid", [0, 320, 640, 32]);
    for (class, [x, y, w, h]) in SHAPES.into_iter().chain([floor]) {
        let at = texts(&values, "identifier")
            .iter()
            .position(|v| *v == class)
            .unwrap();
        for row in y / 16..(y + h) / 16 {
            for column in x / 16..(x + w) / 16 {
                layers[1]["intGridCsv"][(row * 40 + column) as usize] = values[at]["value"].clone();
            }
        }
    }
    let entities = MARKERS.map(|(class, name, [x, y, w, h], properties)| {
        let definition = definitions.as_array().unwrap().iter();
        let definition = definition.clone().find(|d| d["identifier"] == class).unwrap();
        let field = |field: &Value| {
            let key = field["identifier"].as_str().unwrap();
            let set = properties.iter().find(|(own, ..)| *own == key);
            let value = match (key, field["__type"].as_str().unwrap(), set) {
                ("name", ..) => json!(name),
                (_, "Bool", set) => json!(set.is_some_and(|(.., value)| *value == "true")),
                (_, "Float", set) => json!(set.map_or(0.0, |(.., v)| v.parse::<f64>().unwrap())),
                (_, "String", Some((.., value))) => json!(value),
                _ => Value::Null,
            };
            json!({"__identifier": key, "__type": field["__type"], "__value": value, "__tile": null, "defUid": field["uid"], "realEditorValues": []})
        };
        let fields = definition["fieldDefs"].as_array().unwrap().iter().map(field);
        json!({
            "__identifier": class, "__grid": [x / 16, y / 16], "__pivot": [0, 0], "__tags": [], "__tile": null,
            "__smartColor": "#000000", "iid": format!("iid {name}"), "width": w, "height": h,
            "defUid": definition["uid"], "px": [x, y], "fieldInstances": fields.collect::<Vec<_>>(),
        })
    });
    layers[0]["entityInstances"] = json!(entities);
    project
}

/// Checks what the game reads of the level.
fn check(mesh: &NavMesh) {
    let spawn = mesh.spawns().next().unwrap();
    assert_eq!(
        (spawn.agent, &*spawn.marker.name),
        (Some("ground"), "start")
    );
    let post = Waypoint::from(mesh.waypoints().next().unwrap());
    assert!(post.has_tag("high") && post.has_tag("cover"));
    assert!(Pools::from(mesh).waypoints.contains_key("east"));
    let door = mesh.doors().next().unwrap();
    assert_eq!(door.marker.flag("closed"), Some(true));
    assert_eq!(mesh.areas().next().unwrap().marker.name, "trap");
    let walker = mesh.layer_named("ground").unwrap();
    let portals = walker
        .links()
        .iter()
        .filter(|link| link.kind == StepKind::Portal);
    let portals: Vec<_> = portals.collect();
    assert_eq!(portals.len(), 1, "there is no way back");
    assert_eq!(portals[0].duration, 2.5);
    assert!(portals[0].from.x < portals[0].to.x);
}

#[test]
fn a_level_drawn_with_either_bakes_to_the_same() {
    let sandbox = Sandbox::new();
    fine(&sandbox, "init --ldtk-template");
    let project = drawn_in_ldtk(json_of(&sandbox, "navbake-template.ldtk"));
    sandbox.write("game.ldtk", &project.to_string());
    sandbox.write("game.tmx", &drawn_in_tiled());
    std::fs::remove_file(sandbox.path("navbake-template.ldtk")).unwrap();
    for level in ["game.tmx", "game.ldtk"] {
        let reported = fine(&sandbox, &format!("bake {level}"));
        assert!(!reported.contains("warning"), "{level}: {reported}");
    }
    let names = sandbox.names();
    let baked = |part: &str| {
        let is_own = |name: &&String| name.contains(part) && name.ends_with(".navmesh");
        let name = names
            .iter()
            .find(is_own)
            .unwrap_or_else(|| panic!("{part}: {names:?}"));
        asset::load(sandbox.path(name)).unwrap()
    };
    let (tiled, ldtk) = (baked("game.navmesh"), baked("Level_0"));
    check(&tiled);
    check(&ldtk);
    assert_eq!(tiled.grid(), ldtk.grid());
    assert_eq!(tiled.layers(), ldtk.layers());

    // The same with a field that refers to the other portal.
    let mut refs = project;
    let entities = refs["levels"][0]["layerInstances"][0]["entityInstances"].as_array_mut();
    let mut entities = entities.unwrap().iter_mut();
    let portal = entities.find(|entity| entity["iid"] == "iid in").unwrap();
    let mut fields = portal["fieldInstances"].as_array_mut().unwrap().iter_mut();
    let to = fields.find(|field| field["__identifier"] == "to").unwrap();
    to["__type"] = json!("EntityRef");
    let ids = ["entityIid", "layerIid", "levelIid", "worldIid"];
    to["__value"] = ids
        .map(|id| (id.to_owned(), json!("iid out")))
        .into_iter()
        .collect();
    sandbox.write("refs.ldtk", &refs.to_string());
    let reported = fine(&sandbox, "bake refs.ldtk#Level_0 -o refs.navmesh");
    assert!(!reported.contains("warning"), "{reported}");
    check(&asset::load(sandbox.path("refs.navmesh")).unwrap());
}

#[test]
fn an_existing_file_is_never_replaced() {
    let sandbox = Sandbox::new();
    for (option, file) in [
        ("--tiled-types", "navbake-types.json"),
        ("--ldtk-template", "navbake-template.ldtk"),
    ] {
        let printed = fine(&sandbox, &format!("init {option} -o -"));
        assert!(!sandbox.names().contains(&file.to_owned()));
        fine(&sandbox, &format!("init {option}"));
        let written = sandbox.text(file);
        // The identifiers in a project belong to its place.
        let without_iids = |text: &str| {
            let lines = text.lines().filter(|line| !line.contains("id\": \""));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(without_iids(&written), without_iids(&printed));
        assert_eq!(written == printed, option == "--tiled-types");
        sandbox.write(file, "the designer's own");
        sandbox.write("own", "the designer's own");
        for args in [&["init", option][..], &["init", option, "-o", "own"]] {
            let run = sandbox.exits(2, args);
            run.says("the file exists already")
                .says("help: -o writes to another file");
        }
        sandbox.exits(2, &["init", option, "--force"]);
        let kept = sandbox.text(file);
        assert_eq!(kept, "the designer's own");
    }
    sandbox.exits(2, "init --tiled-types --ldtk-template");
}

#[test]
fn the_template_has_the_tiles_of_a_level() {
    let sandbox = Sandbox::new();
    let map = sandbox::level(&[]).replace(
        "tilewidth=\"16\" tileheight=\"16\"",
        "tilewidth=\"8\" tileheight=\"8\"",
    );
    sandbox.write("levels/a.tmx", &map);
    fine(&sandbox, "init --ldtk-template levels/a.tmx");
    let project = json_of(&sandbox, "levels/navbake-template.ldtk");
    assert_eq!(project["defaultGridSize"], 8);
    assert_eq!(project["levels"][0]["pxWid"], 320);
}

/// The command that the guide shows after a heading, as words.
fn command_of(guide: &str, label: &str) -> Vec<String> {
    let line = guide.lines().find(|line| line.contains(label));
    let line = line.unwrap_or_else(|| panic!("{label} is not in the guide"));
    let command = line.split('`').nth(1).unwrap();
    command.split(' ').map(str::to_owned).collect()
}

#[test]
fn the_command_for_ldtk_bakes_the_project_that_is_open() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/levels.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    // LDtk runs the commands of a project in its folder.
    let sandbox = Sandbox::new();
    fine(&sandbox, "init --ldtk-template -o game.ldtk");
    let project = drawn_in_ldtk(json_of(&sandbox, "game.ldtk"));
    sandbox.write("game.ldtk", &project.to_string());
    let command = &project["customCommands"][0];
    assert_eq!(command["when"], "AfterSave");
    let words = command_of(&guide, "add the command");
    assert_eq!(command["command"], words.join(" "));
    let run = sandbox.tool(&words[0]).args(&words[1..]).output().unwrap();
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    assert!(
        sandbox
            .names()
            .iter()
            .any(|name| name.ends_with(".navmesh"))
    );
}
