//! Tile layers give the same pieces in all forms in which Tiled stores them.

use std::io::Write as _;

use base64::Engine as _;
use glam::dvec2;

use crate::maps::*;
use baker_cli::source::Rules;
use navmesh_bake::{Material, PassDirection, Rect, Shape};

const SOLID: Material = Material::Solid;
const UP: Material = Material::OneWay(PassDirection::Up);
const LEFT: Material = Material::OneWay(PassDirection::Left);

/// The cells of a 4 x 3 layer: a block, a hole, a step.
const CELLS: [u32; 12] = [1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1];

fn expected() -> Vec<(Material, Shape)> {
    vec![
        (SOLID, rect(0., 0., 64., 16.)),
        (SOLID, rect(0., 16., 16., 32.)),
        (SOLID, rect(48., 16., 64., 32.)),
        (SOLID, rect(0., 32., 64., 48.)),
    ]
}

fn with_data(attributes: &str, content: &str) -> String {
    let data = format!("<data {attributes}>{content}</data>");
    let layer = format!("<layer name=\"ground\" width=\"4\" height=\"3\">{data}</layer>");
    map(4, 3, &(tileset("") + &layer))
}

fn base64(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

#[test]
fn every_encoding_is_read() {
    let csv = "1,1,1,1,\n1,0,0,1,\n1,1,1,1";
    let xml = CELLS.map(|gid| format!("<tile gid=\"{gid}\"/>")).concat();
    let bytes: Vec<u8> = CELLS.iter().flat_map(|cell| cell.to_le_bytes()).collect();
    let plain = base64(&bytes);
    for (encoding, compression, content) in [
        ("csv", "", csv.to_owned()),
        ("csv", "", format!("{csv},\n")),
        ("csv", "", format!("<![CDATA[{csv}]]>")),
        ("", "", xml.clone()),
        ("", "", xml.replace("<tile gid=\"0\"/>", "<tile/>")),
        ("base64", "", format!("\n   {plain}\n  ")),
        ("base64", "", plain.trim_end_matches('=').to_owned()),
        ("base64", "zlib", base64(&zlib(&bytes))),
        ("base64", "gzip", base64(&gzip(&bytes))),
        ("base64", "zstd", base64(&zstd(&bytes))),
    ] {
        let named = |name: &str, value: &str| match value {
            "" => String::new(),
            value => format!(" {name}=\"{value}\""),
        };
        let attributes = named("encoding", encoding) + &named("compression", compression);
        let level = read(&with_data(&attributes, &content)).unwrap();
        assert_eq!(shapes(&level), expected(), "{attributes}");
    }
    let level = read(&with_data("encoding=\"base64\" compression=\"\"", &plain)).unwrap();
    assert_eq!(shapes(&level), expected());
}

/// The reference encoder writes a checksum, and not the size of the content.
#[test]
fn zstd_of_the_reference_encoder_is_read() {
    let data = "KLUv/QRorQAAaAEAAAAAAAAAAAAAAAECACA5kEsEPzLKZw==";
    let level = read(&with_data("encoding=\"base64\" compression=\"zstd\"", data)).unwrap();
    assert_eq!(shapes(&level), expected());
}

#[test]
fn chunks_of_infinite_maps_may_be_anywhere() {
    let chunk = |x: i32, y: i32, side: usize, cell: u32| {
        let cells = vec![cell.to_string(); side * side].join(",");
        format!("<chunk x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\">{cells}</chunk>")
    };
    let chunks = [
        chunk(-16, -32, 16, 1),
        chunk(0, -32, 16, 1),
        chunk(0, 0, 4, 1),
        chunk(48, 48, 16, 0),
    ]
    .concat();
    let ground = layer("ground", 1, 1, &chunks);
    // Layers that move with the camera, and hidden ones, make the level no larger.
    let far = layer("sky", 1, 1, &chunk(320, 320, 16, 1));
    let skies = ["parallaxx=\"0.5\"", "visible=\"0\""]
        .map(|attribute| far.replace("<layer ", &format!("<layer {attribute} ")));
    let layers = tileset("") + &ground + &skies.concat();
    let tmx = map(1, 1, &layers).replace("infinite=\"0\"", "infinite=\"1\"");
    let level = read(&tmx).unwrap();
    assert_eq!(
        shapes(&level),
        [
            (SOLID, rect(-256., -512., 256., -256.)),
            (SOLID, rect(0., 0., 64., 64.)),
        ]
    );
    // Chunks count as a whole; empty ones do not count. Above the highest floor is room
    // to stand on it.
    assert_eq!(
        level.bounds,
        Rect::new(dvec2(-256., -528.), dvec2(256., 256.))
    );
}

/// A map of fixed size has an upper edge: solid cells at it are a ceiling.
#[test]
fn platforms_on_the_upper_edge_are_warned_about() {
    let warnings = |name: &str, row: &str| {
        let cells = layer(name, 2, 2, row) + &layer("ground", 2, 2, "1,0,1,1");
        read(&map(2, 2, &(tileset("") + &cells))).unwrap().warnings
    };
    assert_eq!(warnings("one_way", "0,0,1,1"), [""; 0]);
    let edge = "1 one-way platform of it lies on the upper edge of the level, from 0,0 to 32,32";
    assert!(warnings("one_way", "0,1,0,0").concat().contains(edge));
}

#[test]
fn a_million_cells_become_few_pieces() {
    let side = 1000;
    let is_empty = |i| i % side == 500 && i / side < 900;
    let cells = (0..side * side).map(|i| if is_empty(i) { "0" } else { "1" });
    let cells = cells.collect::<Vec<_>>().join(",");
    let tmx = tile_map(side, side, "", "collision", &cells);
    let level = read(&tmx).unwrap();
    assert_eq!(pieces(&level).len(), 3);
    assert_eq!(level.tile_size, Some([16, 16]));
    assert_eq!(level.bounds.size(), dvec2(16000., 16000.));
}

/// The corners of a triangle in a flipped tile. It is different for each
/// combination of flips.
fn flipped(flags: u32) -> Vec<(f64, f64)> {
    let tiles = r#"<tile id="0"><objectgroup><object id="1" x="0" y="16"><polygon points="0,0 12,0 0,-4"/></object></objectgroup></tile>"#;
    let tmx = tile_map(2, 1, tiles, "any", &format!("0,{}", 1 | flags));
    let level = read(&tmx).unwrap();
    let shapes = shapes(&level);
    assert_eq!(shapes.len(), 1);
    sorted(&shapes[0].1)
}

#[test]
fn flips_apply_to_collision_shapes() {
    const H: u32 = 0x8000_0000;
    const V: u32 = 0x4000_0000;
    const D: u32 = 0x2000_0000;
    assert_eq!(flipped(0), [(16., 12.), (16., 16.), (28., 16.)]);
    assert_eq!(flipped(H), [(20., 16.), (32., 12.), (32., 16.)]);
    assert_eq!(flipped(V), [(16., 0.), (16., 4.), (28., 0.)]);
    assert_eq!(flipped(H | V), [(20., 0.), (32., 0.), (32., 4.)]);
    // Across the diagonal: x and y are exchanged.
    assert_eq!(flipped(D), [(28., 0.), (32., 0.), (32., 12.)]);
    // Maps of other kinds have the flag of hexagonal ones too, which means nothing.
    assert_eq!(flipped(D | 0x1000_0000), flipped(D));
    // A quarter turn clockwise is the diagonal, then left to right.
    assert_eq!(flipped(D | H), [(16., 0.), (16., 12.), (20., 0.)]);
    assert_eq!(flipped(D | V), [(28., 16.), (32., 4.), (32., 16.)]);
    assert_eq!(flipped(D | H | V), [(16., 4.), (16., 16.), (20., 16.)]);
}

#[test]
fn large_tiles_start_at_the_bottom_left_of_their_cell() {
    let big = r#"<tileset firstgid="1" name="big" tilewidth="24" tileheight="40" tilecount="4" columns="2">
<tileoffset x="2" y="-3"/><image source="b.png" width="48" height="80"/></tileset>"#;
    let read_big = |tileset: &str, gid: u32| {
        let walls = layer("walls", 2, 2, &format!("0,0,0,{gid}"));
        let level = read(&map(2, 2, &format!("{tileset}{walls}"))).unwrap();
        shapes(&level).remove(0).1
    };
    // Bottom-left corner at that of cell (1, 1), which is (16, 32), then the
    // tile offset.
    assert_eq!(read_big(big, 1), rect(18., -11., 42., 29.));
    // Rotated, width and height are exchanged; the corner stays.
    assert_eq!(read_big(big, 0x2000_0001), rect(18., 5., 58., 29.));
    // Scaled, with the offset: to 2/3 across, to 2/5 down.
    let grid = big.replace("name=\"big\"", "name=\"big\" tilerendersize=\"grid\"");
    let grid = grid.replace("x=\"2\" y=\"-3\"", "x=\"3\" y=\"-5\"");
    for flags in [0, 0x2000_0000] {
        assert_eq!(read_big(&grid, 1 | flags), rect(18., 14., 34., 30.));
    }
    let fit = "name=\"big\" fillmode=\"preserve-aspect-fit\"";
    let Shape::Box(fitted) = read_big(&grid.replace("name=\"big\"", fit), 1) else {
        panic!("no box")
    };
    assert!((fitted.size() - dvec2(9.6, 16.)).length() < 1e-9);
    assert!((fitted.min - dvec2(16. + 1.2 + 3.2, 16. - 2.)).length() < 1e-9);
}

#[test]
fn every_kind_of_tile_shape_is_read() {
    let tiles = r#"<tile id="0"><objectgroup>
<object id="1" x="0" y="8" width="16" height="8"/>
<object id="2" x="0" y="0" width="8" height="8"><ellipse/></object>
<object id="3" x="1" y="2"><point/></object>
<object id="4" x="0" y="0"><polyline points="0,0 16,16"/></object>
<object id="5" x="0" y="0" width="16" height="4"><capsule/></object>
<object id="6" x="0" y="0"><polygon points="0,0 16,0 16,4 4,4 4,16 0,16"/></object>
<object id="7" x="8" y="8" width="4" height="2" rotation="90"/>
</objectgroup></tile>"#;
    let tmx = tile_map(1, 1, tiles, "any", "1");
    let shapes = shapes(&read(&tmx).unwrap());
    // The rectangle, the one rotated clockwise about its corner, the line.
    assert!(shapes.contains(&(SOLID, rect(0., 8., 16., 16.))));
    assert!(shapes.contains(&(SOLID, rect(6., 8., 8., 12.))));
    assert!(shapes.contains(&(SOLID, convex(&[(0., 0.), (16., 16.)]))));
    let round = shapes
        .iter()
        .filter(|(_, shape)| matches!(shape, Shape::Convex(points) if points.len() >= 8))
        .count();
    assert_eq!(round, 2);
    assert_eq!(shapes.len(), 7, "{shapes:?}");
}

#[test]
fn partial_boxes_merge_where_they_touch() {
    let tiles = r#"
<tile id="0"><objectgroup><object id="1" x="0" y="8" width="16" height="8"/></objectgroup></tile>
<tile id="1"><objectgroup><object id="1" x="0" y="0" width="8" height="16"/></objectgroup></tile>
<tile id="2"><objectgroup><object id="1"><polygon points="0,0 16,0 16,16 0,16"/></object></objectgroup></tile>"#;
    let tmx = tile_map(3, 2, tiles, "any", "1,1,2,3,3,2");
    assert_eq!(
        shapes(&read(&tmx).unwrap()),
        [
            (SOLID, rect(0., 8., 32., 16.)),
            (SOLID, rect(32., 0., 40., 32.)),
            (SOLID, rect(0., 16., 32., 32.)),
        ]
    );
    // One above the other, and one beside the other.
    let apart = tile_map(3, 2, tiles, "any", "1,2,2,1,0,0");
    assert_eq!(
        shapes(&read(&apart).unwrap()),
        [
            (SOLID, rect(0., 8., 16., 16.)),
            (SOLID, rect(0., 24., 16., 32.)),
            (SOLID, rect(16., 0., 24., 16.)),
            (SOLID, rect(32., 0., 40., 16.)),
        ]
    );
}

#[test]
fn stacked_one_way_platforms_do_not_merge() {
    let tiles = r#"<tile id="0" type="one_way"/><tile id="1" type="hazard"/><tile id="2" class="one_way_left"/>"#;
    let tmx = tile_map(4, 2, tiles, "any", "1,1,2,3,1,1,2,3");
    assert_eq!(
        shapes(&read(&tmx).unwrap()),
        [
            (UP, rect(0., 0., 32., 16.)),
            (UP, rect(0., 16., 32., 32.)),
            (Material::Hazard, rect(32., 0., 48., 32.)),
            (LEFT, rect(48., 0., 64., 32.)),
        ]
    );
}

#[test]
fn offsets_of_groups_and_layers_add_up() {
    let inner = layer("ground", 1, 1, "1");
    let inner = inner.replace("id=\"1\"", "id=\"1\" offsetx=\"0.5\" offsety=\"1\"");
    let groups = format!(
        r#"<group name="a" offsetx="10"><group name="b" offsetx="-2" offsety="20">{inner}</group></group>"#
    );
    let level = read(&map(1, 1, &(tileset("") + &groups))).unwrap();
    assert_eq!(shapes(&level), [(SOLID, rect(8.5, 21., 24.5, 37.))]);
    assert_eq!(level.origins, ["layer \"a/b/ground\""]);
}

#[test]
fn external_tilesets_are_read_and_listed() {
    let tsx = r#"<tileset name="t" tilewidth="16" tileheight="16" tilecount="2" columns="2">
<image source="t.png" width="32" height="16"/><tile id="1"><properties><property name="SOLID" type="bool" value="true"/></properties></tile></tileset>"#;
    let empty = r#"<tileset name="none" tilewidth="0" tileheight="0" tilecount="0" columns="0"/>"#;
    let sets = r#"<tileset firstgid="1" source="../sets/b.tsx"/><tileset firstgid="3" source="sets/a.tsx"/>
<tileset firstgid="3" source="sets/../sets/empty.tsx"/><tileset firstgid="3" source="sets/../sets/a.tsx"/>"#;
    let tmx = map(2, 1, &format!("{sets}{}", layer("any", 2, 1, "3,4")));
    let files = [
        ("../sets/b.tsx", tsx),
        ("sets/a.tsx", tsx),
        ("sets/empty.tsx", empty),
    ];
    let level = read_with(&tmx, &files, &Rules::default()).unwrap();
    // The empty tileset with the same first id is ignored, and so is the second of two
    // entries for one file.
    assert_eq!(shapes(&level), [(SOLID, rect(16., 0., 32., 16.))]);
    let names: Vec<_> = level.inputs.iter().map(|i| i.name.as_str()).collect();
    assert_eq!(
        names,
        ["level.tmx", "../sets/b.tsx", "sets/a.tsx", "sets/empty.tsx"]
    );
}

#[test]
fn tiles_of_image_collections_have_their_own_sizes() {
    let set = r#"<tileset firstgid="1" name="things" tilewidth="64" tileheight="64" tilecount="2" columns="0">
<tile id="0"><image source="a.png" width="20" height="10"/></tile>
<tile id="7" x="0" y="0" width="4" height="6"><image source="b.png" width="64" height="64"/></tile></tileset>"#;
    let tmx = map(2, 1, &format!("{set}{}", layer("ground", 2, 1, "1,8")));
    assert_eq!(
        shapes(&read(&tmx).unwrap()),
        [
            (SOLID, rect(0., 6., 20., 16.)),
            (SOLID, rect(16., 10., 20., 16.)),
        ]
    );
    let gone = map(2, 1, &format!("{set}{}", layer("ground", 2, 1, "1,3")));
    let text = error(&gone);
    assert!(text.contains("tile 2 of tileset \"things\""), "{text}");
}

/// Maps of old versions of Tiled: a document type, tilesets without a tile
/// count, cells as elements.
#[test]
fn old_maps_are_read() {
    let tmx = r#"<?xml version="1.0"?>
<!DOCTYPE map SYSTEM "http://mapeditor.org/dtd/1.0/map.dtd">
<map version="1.0" orientation="orthogonal" width="2" height="1" tilewidth="16" tileheight="16">
 <tileset name="old" firstgid="1" tilewidth="16" tileheight="16"><image source="old.png" width="50" height="33"/></tileset>
 <layer name="Ground" width="2" height="1"><data><tile gid="1"/><tile gid="6"/></data></layer>
</map>"#;
    let level = read(tmx).unwrap();
    assert_eq!(shapes(&level), [(SOLID, rect(0., 0., 32., 16.))]);
    assert!(error(&tmx.replace("gid=\"6\"", "gid=\"7\"")).contains("tile id 7"));
}

/// The picture is wider than high: what is left of the cell is above and below.
#[test]
fn tiles_that_keep_their_aspect_are_in_the_middle_of_their_cell() {
    let wide = r#"<tileset firstgid="1" name="wide" tilewidth="32" tileheight="16" tilecount="1" columns="1" tilerendersize="grid" fillmode="preserve-aspect-fit"><image source="b.png" width="32" height="16"/></tileset>"#;
    for (gid, wanted) in [
        (1, rect(16., 20., 32., 28.)),
        (0x2000_0001_u32, rect(20., 16., 28., 32.)),
    ] {
        let walls = layer("walls", 2, 2, &format!("0,0,0,{gid}"));
        let level = read(&map(2, 2, &format!("{wide}{walls}"))).unwrap();
        assert_eq!(shapes(&level).remove(0).1, wanted);
    }
}
