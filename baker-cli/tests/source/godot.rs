//! Scenes of Godot.

use baker_cli::source::{LevelFile, MemoryFiles, Rules, read_bytes};
use base64::Engine as _;
use navmesh_bake::{Material, PassDirection};
use proptest::prelude::*;

use crate::maps::{rect, shapes, sorted};
use crate::random_cases;

const UP: Material = Material::OneWay(PassDirection::Up);

/// The tiles: a block, a slab that is one-way, a slope, spikes by custom data, a ladder
/// without an outline, a picture.
const ATLAS: &str = r#"[sub_resource type="TileSetAtlasSource" id="atlas"]
texture_region_size = Vector2i(16, 16)
0:0/0 = 0
0:0/0/physics_layer_0/polygon_0/points = PackedVector2Array(-8, -8, 8, -8, 8, 8, -8, 8)
1:0/0/physics_layer_0/polygon_0/points = PackedVector2Array(-8, -8, 8, -8, 8, -4, -8, -4)
1:0/0/physics_layer_0/polygon_0/one_way = true
2:0/0/physics_layer_0/polygon_0/points = PackedVector2Array(-8, 8, 8, -8, 8, 8)
3:0/0/physics_layer_0/polygon_0/points = PackedVector2Array(-8, 0, 8, 0, 8, 8, -8, 8)
3:0/0/custom_data_0 = "hazard"
4:0/0/custom_data_1 = true
5:0/0 = 0
"#;

const SET: &str = r#"tile_size = Vector2i(16, 16)
physics_layer_0/collision_layer = 1
custom_data_layer_0/name = "kind"
custom_data_layer_0/type = 4
custom_data_layer_1/name = "ladder"
custom_data_layer_1/type = 1
sources/2 = SubResource("atlas")
"#;

/// The cells of a layer: column, row, column in the atlas and alternative.
fn data(cells: &[[i16; 4]]) -> Vec<u8> {
    let mut bytes = vec![0, 0];
    for [column, row, atlas, alternative] in cells {
        for value in [*column, *row, 2, *atlas, 0, *alternative] {
            bytes.extend(value.to_le_bytes());
        }
    }
    bytes
}

fn scene(nodes: &str) -> String {
    format!(
        "[gd_scene load_steps=3 format=4 uid=\"uid://a\"]\n\n{ATLAS}\n[sub_resource type=\"TileSet\" id=\"set\"]\n{SET}\n[node name=\"Level\" type=\"Node2D\"]\n\n{nodes}"
    )
}

fn read_with(text: &str, files: &MemoryFiles) -> Result<LevelFile, String> {
    let level = read_bytes("a.tscn", text.as_bytes(), files, &Rules::default());
    level.map_err(|error| error.to_string())
}

fn read(nodes: &str) -> LevelFile {
    read_with(&scene(nodes), &MemoryFiles::default()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn tile_layers_are_read() {
    let cells = [
        [0, 0, 0, 0],
        [1, 0, 0, 0],
        [2, 0, 1, 0],
        [3, 0, 2, 0],
        [4, 0, 3, 0],
        [5, 0, 4, 0],
        [6, 0, 5, 0],
        [-1, -1, 0, 0],
    ];
    let bytes = data(&cells);
    let numbers = bytes
        .iter()
        .map(u8::to_string)
        .collect::<Vec<_>>()
        .join(", ");
    let packed = base64::engine::general_purpose::STANDARD.encode(&bytes);
    for data in [numbers, format!("\"{packed}\"")] {
        let level = read(&format!(
            "[node name=\"Ground\" type=\"TileMapLayer\" parent=\".\"]\nposition = Vector2(100, 10)\ntile_map_data = PackedByteArray({data})\ntile_set = SubResource(\"set\")\n"
        ));
        let mut found: Vec<_> = shapes(&level)
            .iter()
            .map(|(m, s)| (*m, sorted(s)))
            .collect();
        let mut expected = vec![
            (Material::Solid, sorted(&rect(84., -6., 100., 10.))),
            (Material::Solid, sorted(&rect(100., 10., 132., 26.))),
            (UP, vec![(132., 10.), (132., 14.), (148., 10.), (148., 14.)]),
            (Material::Solid, vec![(148., 26.), (164., 10.), (164., 26.)]),
            (
                Material::Hazard,
                vec![(164., 18.), (164., 26.), (180., 18.), (180., 26.)],
            ),
            (Material::Ladder, sorted(&rect(180., 10., 196., 26.))),
        ];
        let order = |list: &mut Vec<(Material, Vec<(f64, f64)>)>| {
            list.sort_by(|a, b| a.partial_cmp(b).unwrap());
        };
        order(&mut found);
        order(&mut expected);
        assert_eq!(found, expected);
        assert_eq!(level.tile_size, Some([16, 16]));
    }
}

#[test]
fn turned_tiles_have_turned_outlines() {
    let triangle = |alternative: u16| {
        let bytes = data(&[[0, 0, 2, alternative.cast_signed()]]);
        let numbers = bytes
            .iter()
            .map(u8::to_string)
            .collect::<Vec<_>>()
            .join(",");
        let level = read(&format!(
            "[node name=\"A\" type=\"TileMapLayer\" parent=\".\"]\ntile_set = SubResource(\"set\")\ntile_map_data = PackedByteArray({numbers})"
        ));
        sorted(&shapes(&level)[0].1)
    };
    assert_eq!(triangle(0), [(0., 16.), (16., 0.), (16., 16.)]);
    assert_eq!(triangle(1 << 12), [(0., 0.), (0., 16.), (16., 16.)]);
    assert_eq!(triangle(1 << 13), [(0., 0.), (16., 0.), (16., 16.)]);
    // Across the diagonal, the slope is the same.
    assert_eq!(triangle(1 << 14), triangle(0));
}

#[test]
fn bodies_and_markers_are_read() {
    let shapes_of = r#"[sub_resource type="RectangleShape2D" id="box"]
size = Vector2(40, 10)

[sub_resource type="CircleShape2D" id="circle"]
radius = 5.0
"#;
    let nodes = r#"[node name="World" type="Node2D" parent="."]
position = Vector2(100, 0)

[node name="Floor" type="StaticBody2D" parent="World"]
position = Vector2(0, 50)

[node name="Shape" type="CollisionShape2D" parent="World/Floor"]
shape = SubResource("box")

[node name="Ledge" type="CollisionShape2D" parent="World/Floor"]
position = Vector2(0, -20)
rotation = 1.5707963267948966
shape = SubResource("box")
one_way_collision = true

[node name="Off" type="CollisionShape2D" parent="World/Floor"]
disabled = true
shape = SubResource("box")

[node name="Spikes" type="Area2D" parent="World" groups=["hazard", "red"]]

[node name="Outline" type="CollisionPolygon2D" parent="World/Spikes"]
polygon = PackedVector2Array(0, 0, 8, 0, 8, 8)

[node name="Trigger" type="Area2D" parent="World"]

[node name="Shape" type="CollisionShape2D" parent="World/Trigger"]
shape = SubResource("circle")

[node name="Lift" type="AnimatableBody2D" parent="World"]

[node name="Shape" type="CollisionShape2D" parent="World/Lift"]
shape = SubResource("box")

[node name="Spawn2" type="Marker2D" parent="World"]
position = Vector2(3, 40)

[node name="Nest" type="Marker2D" parent="." groups=["waypoint"]]

[node name="Enemy" parent="." instance=ExtResource("9")]
"#;
    let text = scene(nodes).replace(
        "[sub_resource type=\"TileSet\"",
        &format!("{shapes_of}\n[sub_resource type=\"TileSet\""),
    );
    let level = read_with(&text, &MemoryFiles::default()).unwrap();
    let found = shapes(&level);
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(found[0], (Material::Solid, rect(80., 45., 120., 55.)));
    assert_eq!(found[1].0, UP);
    let turned = found[1].1.bounds();
    assert!(
        (turned.min - glam::dvec2(95., 10.)).length() < 1e-9
            && (turned.max - glam::dvec2(105., 50.)).length() < 1e-9
    );
    assert_eq!(
        (found[2].0, sorted(&found[2].1)),
        (Material::Hazard, vec![(100., 0.), (108., 0.), (108., 8.)])
    );
    let markers: Vec<_> = level
        .markers
        .iter()
        .map(|m| (&*m.class, &*m.name, m.area.min.to_array()))
        .collect();
    assert_eq!(
        markers,
        [
            ("spawn", "Spawn2", [103., 40.]),
            ("waypoint", "Nest", [0., 0.])
        ]
    );
    assert!(
        level.warnings[0].contains("instances of other scenes are not read (1)"),
        "{:?}",
        level.warnings
    );
}

/// Godot 4.0 to 4.2 kept all layers in one node, and tile sets are often files of their own.
#[test]
fn old_tile_maps_and_tile_sets_in_files_are_read() {
    let text = "[gd_scene load_steps=2 format=3]\n[ext_resource type=\"TileSet\" path=\"res://art/tiles.tres\" id=\"1_a\"]\n[node name=\"Map\" type=\"TileMap\"]\ntile_set = ExtResource(\"1_a\")\nlayer_0/name = \"Ground\"\nlayer_0/tile_data = PackedInt32Array(65535, 2, 0, 65537, 2, 0)\n";
    let mut files = MemoryFiles::default();
    let missing = read_with(text, &files).unwrap_err();
    assert!(
        missing.contains("art/tiles.tres: cannot be read (used by node \"Map\", a.tscn:3)"),
        "{missing}"
    );
    files.insert("../project.godot", "");
    files.insert(
        "../art/tiles.tres",
        format!("[gd_resource type=\"TileSet\" format=3]\n{ATLAS}\n[resource]\n{SET}"),
    );
    let level = read_with(text, &files).unwrap();
    let expected = [
        (Material::Solid, rect(-16., 0., 0., 16.)),
        (Material::Solid, rect(16., 16., 32., 32.)),
    ];
    assert_eq!(shapes(&level), expected);
    assert_eq!(level.inputs[1].name, "../art/tiles.tres");
}

#[test]
fn errors_name_the_line() {
    let nested = format!("a = {}", "[".repeat(100_000));
    for (text, part) in [
        ("", "the file is empty"),
        ("[gd_resource]", "this is not a scene of Godot 4"),
        ("a = 1", "a.tscn:1: this is not a scene or a resource"),
        (
            "[gd_scene]\n[node name=\"A\"]\nx = rock",
            "a.tscn:3: \"rock\" is not a value",
        ),
        (
            "[gd_scene]\n[node name=\"A\"]\nx = \"rock",
            "a text does not end",
        ),
        (
            "[gd_scene]\n[node name=\"A\"]\nx = [1, 2",
            "a list does not end",
        ),
        (
            "[gd_scene]\n[node]\nx",
            "a.tscn:3: expected NAME = VALUE, found \"x\"",
        ),
        (&format!("[gd_scene]\n{nested}"), "nested too deep"),
        (
            "[gd_scene]\n[node name=\"A\" type=\"TileMapLayer\"]\ntile_set = SubResource(\"b\")",
            "a.tscn:2: node \"A\": the tile set cannot be read: the scene does not have it",
        ),
        (
            "[gd_scene]\n[node name=\"A\" type=\"Node2D\"]",
            "there is nothing in the level",
        ),
    ] {
        let error = read_with(text, &MemoryFiles::default())
            .map(|_| ())
            .unwrap_err();
        assert!(error.contains(part), "{part:?} is not in {error:?}");
    }
}

proptest! {
    #![proptest_config(random_cases::cases(200))]

    #[test]
    fn damaged_scenes_never_panic(
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..9, 0_usize..12), 1..5),
    ) {
        let mut text = scene("[node name=\"A\" type=\"TileMapLayer\" parent=\".\"]\ntile_set = SubResource(\"set\")\ntile_map_data = PackedByteArray(0,0,0,0,0,0,2,0,0,0,0,0,0,0)\n[node name=\"B\" type=\"StaticBody2D\" parent=\".\"]\n[node name=\"C\" type=\"CollisionPolygon2D\" parent=\"B\"]\nposition = Vector2(1, 2)\npolygon = PackedVector2Array(0, 0, 5, 0, 0, 5)").into_bytes();
        for (at, kind, length) in edits {
            let at = at.index(text.len());
            let scraps: [&[u8]; 9] = [b"-1", b"1e300", b"null", b"{", b"]", b"\"", b",0", b"=", "é".as_bytes()];
            let end = (at + length).min(text.len());
            text.splice(at..end, scraps[kind].iter().copied());
        }
        let level = read_bytes("a.tscn", &text, &MemoryFiles::default(), &Rules::default());
        if let Err(error) = level {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}
