//! Levels in navbake's own format.

use std::path::Path;

use baker_cli::source::{LevelFile, MemoryFiles, Rules, read_bytes};
use navmesh_bake::{Material, PassDirection};
use navmesh_runtime::mesh::YAxis;
use proptest::prelude::*;

use crate::maps::{convex, rect, shapes, sorted};
use crate::random_cases;

fn read(json: &str) -> Result<LevelFile, String> {
    let level = read_bytes(
        "a.level.json",
        json.as_bytes(),
        &MemoryFiles::default(),
        &Rules::default(),
    );
    level.map_err(|error| error.to_string())
}

fn level(members: &str) -> Result<LevelFile, String> {
    read(&format!("{{\"navbake_level\": 1,\n{members}}}"))
}

#[test]
fn everything_is_where_the_file_says() {
    let found = level(
        r###""cell_size": 16, "bounds": [0, -16, 160, 112],
"cells": [{"name": "ground", "at": [16, 32], "rows": ["#- ", "##^"], "legend": {"#": "solid", "-": "one_way", "^": "hazard"}}],
"shapes": [
 {"kind": "solid", "box": [0, 80, 160, 16]},
 {"kind": "one_way_left", "name": "gate", "polygon": [[64, 0], [72, 0], [72, 32]]},
 {"kind": "solid", "polyline": [[80, 64], [96, 48]]},
 {"kind": "ladder", "polygon": [[100, 0], [108, 0], [104, 80]]},
 {"kind": "solid", "polygon": [[0, 0], [8, 8], [8, 0], [0, 8]]}],
"markers": [
 {"class": "spawn", "name": "hero", "at": [8, 80], "properties": {"agent": "ground", "lives": 3, "tags": ["a", "b"]}},
 {"class": "door", "box": [120, 48, 8, 32], "properties": {"id": "gate"}}]"###,
    )
    .unwrap();
    let expected = [
        (Material::Solid, rect(16., 32., 32., 48.)),
        (Material::Solid, rect(16., 48., 48., 64.)),
        (
            Material::OneWay(PassDirection::Up),
            rect(32., 32., 48., 48.),
        ),
        (Material::Hazard, rect(48., 48., 64., 64.)),
        (Material::Solid, rect(0., 80., 160., 96.)),
        (
            Material::OneWay(PassDirection::Left),
            convex(&[(64., 0.), (72., 0.), (72., 32.)]),
        ),
        (Material::Solid, convex(&[(80., 64.), (96., 48.)])),
        // Ladders are climbed straight up.
        (Material::Ladder, rect(100., 0., 108., 80.)),
    ];
    let mut found_shapes: Vec<_> = shapes(&found)
        .iter()
        .map(|(m, s)| (*m, sorted(s)))
        .collect();
    let mut expected: Vec<_> = expected.iter().map(|(m, s)| (*m, sorted(s))).collect();
    found_shapes.sort_by(|a, b| a.partial_cmp(b).unwrap());
    expected.sort_by(|a, b| a.partial_cmp(b).unwrap());
    assert_eq!(found_shapes, expected);
    assert_eq!(found.bounds.min.to_array(), [0., -16.]);
    assert_eq!(found.bounds.max.to_array(), [160., 96.]);
    assert_eq!(found.tile_size, Some([16, 16]));
    let warning = "a.level.json:9: shape 5: the outline crosses itself, so it is left out";
    assert_eq!(found.warnings, [warning]);
    let [spawn, door] = &found.markers[..] else {
        panic!("{:?}", found.markers)
    };
    assert_eq!(
        (&*spawn.class, &*spawn.name, spawn.area.min.to_array()),
        ("spawn", "hero", [8., 80.])
    );
    let properties: Vec<_> = spawn.properties.iter().map(|(n, v)| (&**n, &**v)).collect();
    assert_eq!(
        properties,
        [
            ("agent", "ground"),
            ("id", "1"),
            ("lives", "3"),
            ("tags.0", "a"),
            ("tags.1", "b")
        ]
    );
    assert_eq!(door.properties, [("id".to_owned(), "gate".to_owned())]);
}

/// With y up, boxes begin at their lower left corner and rows are drawn from the top.
#[test]
fn coordinates_are_those_of_the_game() {
    let up = level(
        r##""y_axis": "up", "pixels_per_unit": 16, "cell_size": 1,
"cells": [{"at": [2, 4], "rows": ["#", "^"], "legend": {"#": "solid", "^": "hazard"}}],
"shapes": [{"kind": "solid", "box": [0, 0, 10, 0.5]}], "markers": [{"class": "spawn", "at": [1, 0.5]}]"##,
    )
    .unwrap();
    let expected = [
        (Material::Solid, rect(32., -64., 48., -48.)),
        (Material::Hazard, rect(32., -48., 48., -32.)),
        (Material::Solid, rect(0., -8., 160., 0.)),
    ];
    for piece in expected {
        assert!(
            shapes(&up).contains(&piece),
            "{piece:?} is not in {:?}",
            shapes(&up)
        );
    }
    // Around everything, in whole cells, with room above the highest floor.
    assert_eq!(up.bounds.min.to_array(), [0., -80.]);
    assert_eq!(up.bounds.max.to_array(), [160., 0.]);
    assert_eq!(up.markers[0].area.min.to_array(), [16., -8.]);
    let units = up.units.unwrap();
    assert_eq!((units.pixels_per_unit, units.y_axis), (16.0, YAxis::Up));
}

#[test]
fn errors_name_the_line_and_what_is_wrong() {
    for (members, part) in [
        (
            r#""shapes": [{"kind": "rock", "box": [0, 0, 1, 1]}]"#,
            "a.level.json:2: shape 1: unknown variant `rock`, expected one of `solid`",
        ),
        (
            "\"shapes\": [\n\n{\"kind\": \"solid\"}]",
            "a.level.json:4: shape 1: it must have one of box, polygon",
        ),
        (
            r#""shapes": [{"kind": "solid", "name": "a", "box": [0, 0, 1, 1], "polygon": []}]"#,
            "shape 1 \"a\": it must have one of",
        ),
        (
            "\"markers\": [{\"class\": \"spawn\",\n\"at\": [0]}]",
            "a.level.json:3: marker 1: invalid length 1",
        ),
        (
            r#""markers": [{"class": "spawn"}]"#,
            "marker 1: it must have one of at, box and polyline",
        ),
        (
            r##""cells": [{"rows": ["#"], "legend": {"#": "solid"}}]"##,
            "cells: cells have no size",
        ),
        (r#""size": 3"#, "unknown field `size`"),
        (r#""cell_size": 0.5"#, "a cell has a side of 0.5 pixels"),
        (
            r#""shapes": [{"kind": "solid", "box": [1e9, 0, 1, 1]}]"#,
            "beyond 16,777,216",
        ),
        (
            r#""bounds": [0, 0, 0, 5], "shapes": []"#,
            "the level is 0 x 5 pixels",
        ),
        (r#""shapes": []"#, "there is nothing in the level"),
    ] {
        let error = level(members).map(|_| ()).unwrap_err();
        assert!(error.contains(part), "{part:?} is not in {error:?}");
    }
    let error = read(r#"{"navbake_level": 2}"#).unwrap_err();
    assert!(
        error.contains("version 2 of the format is not known"),
        "{error}"
    );
}

/// The example of the guide is a level, and fits the schema that `navbake schema level`
/// prints.
#[test]
fn the_example_of_the_guide_is_a_level() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/level-format.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    let (_, rest) = guide.split_once("```json\n").unwrap();
    let (json, _) = rest.split_once("```").unwrap();
    let level = read(json).unwrap();
    assert_eq!(level.warnings, [""; 0]);
    assert!(!level.markers.is_empty());
}

proptest! {
    #![proptest_config(random_cases::cases(200))]

    #[test]
    fn damaged_levels_never_panic(
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..8, 0_usize..12), 1..5),
    ) {
        let mut text = br###"{"navbake_level": 1, "cell_size": 16, "y_axis": "up", "bounds": [0, 0, 64, 64],
"cells": [{"at": [0, 0], "rows": ["#", "##"], "legend": {"#": "solid"}}],
"shapes": [{"kind": "ladder", "ellipse": [0, 0, 8, 9]}, {"kind": "solid", "polygon": [[0, 0], [5, 0], [0, 5]]}],
"markers": [{"class": "door", "box": [0, 0, 8, 8], "properties": {"a": [1, {"b": true}]}}]}"###.to_vec();
        for (at, kind, length) in edits {
            let at = at.index(text.len());
            let scraps: [&[u8]; 8] = [b"-1", b"1e300", b"null", b"{", b"]", b"\"", b",0", b""];
            let end = (at + length).min(text.len());
            text.splice(at..end, scraps[kind].iter().copied());
        }
        let text = String::from_utf8_lossy(&text).into_owned();
        if let Err(error) = read(&text) {
            prop_assert!(!error.is_empty());
        }
    }
}

/// The points of a line are pixels with y downwards, as the position of a marker is.
#[test]
fn a_link_has_a_line() {
    let found = level(
        r#""y_axis": "up", "pixels_per_unit": 16, "bounds": [0, 0, 10, 10],
"shapes": [{"kind": "solid", "box": [0, 0, 10, 1]}],
"markers": [{"class": "link", "name": "rope", "polyline": [[1, 1], [4, 6.5], [8, 1]]},
 {"class": "Elevator", "at": [1, 1]}, {"class": "elevator", "at": [2, 1]}, {"class": "Elevator", "at": [3, 1]}]"#,
    )
    .unwrap();
    let rope = &found.markers[0];
    let points = rope.properties.iter().find(|(name, _)| name == "points");
    assert_eq!(points.unwrap().1, "16,-16 64,-104 128,-16");
    assert_eq!(rope.area.min.to_array(), [16., -104.]);
    assert_eq!(rope.area.max.to_array(), [128., -16.]);
    let [first, second] = &found.warnings[..] else {
        panic!("{:?}", found.warnings)
    };
    assert!(
        first.contains("class \"Elevator\" has no meaning"),
        "{first}"
    );
    assert!(
        second.contains("\"elevator\"") && second.contains("`moving_platform`"),
        "{second}"
    );
    let error = level(r#""markers": [{"class": "link", "at": [1, 1], "polyline": [[1, 1]]}]"#);
    assert!(error.unwrap_err().contains("one of at, box and polyline"));
}
