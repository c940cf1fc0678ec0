//! Files on which the `tiled` crate would panic, loop or allocate without
//! bound get an error that names the place.

use std::io::Write as _;

use crate::maps::*;
use crate::twins::from_text;
use baker_cli::source::{MemoryFiles, Rules, read_bytes};
use navmesh_bake::Material;

/// Every map gives an error that contains the text beside it.
fn assert_errors<const N: usize>(cases: [(String, &str); N]) {
    for (tmx, part) in cases {
        let text = error(&tmx);
        assert!(text.contains(part), "{part:?} is not in {text:?}");
    }
}

/// A 4 x 3 layer with these cells.
fn ground(cells: &str) -> String {
    let layer = layer("ground", 4, 3, cells);
    map(4, 3, &format!("{}\n{layer}", tileset("")))
}

/// Many pieces of text, by their numbers.
fn many(count: u32, piece: impl Fn(u32) -> String) -> String {
    (0..count).map(piece).collect::<Vec<_>>().concat()
}

/// A 4 x 3 layer in base64.
fn packed(compression: &str, bytes: &[u8]) -> String {
    use base64::Engine as _;
    let data = base64::engine::general_purpose::STANDARD.encode(bytes);
    let layer = format!(
        "<layer name=\"g\" width=\"4\" height=\"3\"><data encoding=\"base64\" compression=\"{compression}\">{data}</data></layer>"
    );
    map(4, 3, &format!("{}{layer}", tileset("")))
}

/// An object of a collision layer.
fn object(attributes: &str, content: &str) -> String {
    let object = format!("<object id=\"1\" {attributes}>{content}</object>");
    map(1, 1, &objects("collision", &object))
}

#[test]
fn cells_must_have_the_length_of_their_layer() {
    let short = error(&ground("1,1,1"));
    assert!(
        short.starts_with(
            "level.tmx:5: layer \"ground\": it holds 3 cells where width x height is 12"
        ),
        "{short}"
    );
    let csv = "encoding=\"csv\"";
    assert_errors([
        (
            ground(&["1"; 13].join(",")),
            "more cells than width x height, which is 12",
        ),
        (ground(""), "it holds 0 cells"),
        (ground("1,,1"), "cell 2 is \"\""),
        (ground("1,-1"), "cell 2 is \"-1\""),
        (ground("1,4294967296"), "not a tile id"),
        (packed("", &[0; 47]), "47 bytes"),
        (packed("", &[0; 44]), "it holds 11 cells"),
        (packed("", &[0; 52]), "more cells"),
        (packed("zlib", &[1, 2, 3]), "zlib data are invalid"),
        (packed("gzip", &[1, 2, 3]), "gzip data are invalid"),
        (packed("zstd", &[1, 2, 3]), "zstd data are invalid"),
        (
            packed("lz4", &[1, 2, 3]),
            "compression \"lz4\" is unknown; it can be",
        ),
        (
            ground("1").replace(csv, "encoding=\"csv\" compression=\"zlib\""),
            "only base64",
        ),
        (
            ground("1").replace(csv, "encoding=\"rot13\""),
            "\"rot13\" is unknown",
        ),
        (
            packed("", &[]).replace("></data>", ">!!!</data>"),
            "base64 is invalid",
        ),
    ]);
}

/// 16 MiB of zeros in a few kilobytes: no more is decompressed than the layer
/// has room for.
#[test]
fn decompression_is_bounded() {
    use flate2::Compression;
    use flate2::write::{GzEncoder, ZlibEncoder};
    let zeros = vec![0; 1 << 24];
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::best());
    zlib.write_all(&zeros).unwrap();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(&zeros).unwrap();
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    let zstd = ruzstd::encoding::compress_to_vec(&zeros[..], level);
    let too_many = "more cells than width x height";
    assert_errors([
        (packed("zlib", &zlib.finish().unwrap()), too_many),
        (packed("gzip", &gzip.finish().unwrap()), too_many),
        (packed("zstd", &zstd), too_many),
    ]);
}

#[test]
fn sizes_are_checked_before_anything_is_allocated() {
    for (width, height) in [
        (100_000, 100_000),
        (4_294_967_295u32, 4_294_967_295),
        (4096, 4097),
    ] {
        let text = error(&map(1, 1, &layer("huge", width, height, "1")));
        assert!(text.contains("layer \"huge\""), "{text}");
    }
    // Chunks far apart make the crate allocate a whole chunk each.
    let chunk =
        |x: &str, y: u32| format!("<chunk x=\"{x}\" y=\"{y}\" width=\"1\" height=\"1\">1</chunk>");
    let infinite = |chunks: &str| {
        let data = format!("<data encoding=\"csv\">{chunks}</data>");
        let layer = format!("<layer name=\"g\" width=\"1\" height=\"1\">{data}</layer>");
        let tmx = map(1, 1, &format!("{}{layer}", tileset("")));
        tmx.replace("infinite=\"0\"", "infinite=\"1\"")
    };
    let chunks = many(70_000, |i| chunk(&(i % 300 * 16).to_string(), i / 300 * 16));
    let claimed = ground(&["0"; 12].join(","));
    let claimed =
        |count: &str| claimed.replace("tilecount=\"32\"", &format!("tilecount=\"{count}\""));
    assert!(read(&claimed("16000000")).is_ok());
    let half = many(3, |i| layer(&format!("l{i}"), 4096, 2000, "1"));
    assert_errors([
        // Each of these layers alone is within the limit.
        (map(1, 1, &half), "layer \"l0\": it holds 1 cells"),
        (map(1, 1, &layer("none", 0, 3, "")), "width or height is 0"),
        (infinite(&chunks), "more than 16777216 cells"),
        (infinite(&chunk("2147483647", 0)), "layer \"g\""),
        (infinite(&chunk("-2147483648", 0)), "layer \"g\""),
        (infinite(&chunk("99999999999", 0)), "layer \"g\""),
        (infinite("1,1,1"), "not stored in chunks"),
        (claimed("4000000000"), "declares 4000000000 tiles"),
        (
            map(2_000_000, 2_000_000, &layer("ground", 1, 1, "0")),
            "too large",
        ),
    ]);
}

#[test]
fn tile_ids_must_exist() {
    let text = error(&ground("1,1,1,1,1,99,1,1,1,1,1,1"));
    assert!(
        text.starts_with(
            "level.tmx:5: layer \"ground\": cell 1, 1: tile id 99 does not exist: it would be tile 98 of tileset \"tiles\""
        ),
        "{text}"
    );
    // Flip flags are not part of the id.
    assert!(read(&ground(&["3758096385"; 12].join(","))).is_ok());
    let object = objects("walls", "<object id=\"7\" gid=\"33\"/>");
    let set = tileset("");
    assert_errors([
        (
            map(1, 1, &layer("ground", 1, 1, "5")),
            "before the first tileset",
        ),
        (
            map(1, 1, &format!("{set}{object}")),
            "object 7 in layer \"walls\": tile id 33",
        ),
        (
            map(1, 1, &format!("{set}{set}")),
            "firstgid is 1, as for tileset \"tiles\"",
        ),
        (
            map(1, 1, &set.replace("firstgid=\"1\"", "firstgid=\"0\"")),
            "firstgid is 0",
        ),
    ]);
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let deep = |tag: &str, depth: usize| {
        let open = format!("<{tag} name=\"g\">").repeat(depth);
        let close = format!("</{tag}>").repeat(depth);
        map(1, 1, &format!("{open}{close}"))
    };
    assert_errors([
        (deep("group", 50_000), "nested more than 64 deep"),
        // Unknown elements are skipped.
        (deep("x", 50_000), "marked as collision"),
    ]);
    let list = format!(
        "<properties>{}{}</properties>",
        "<property name=\"p\" type=\"class\"><properties>".repeat(30_000),
        "</properties></property>".repeat(30_000)
    );
    assert!(read(&map(1, 1, &objects("collision", &list))).is_ok());
}

#[test]
fn templates_are_validated() {
    let object = "<object id=\"1\" template=\"a.tx\"/>";
    let tmx = map(1, 1, &objects("collision", object));
    let tsx = "<template><tileset firstgid=\"1\" source=\"x.tsx\"/><object gid=\"3\"/></template>";
    let set = "<tileset name=\"s\" tilewidth=\"8\" tileheight=\"8\" tilecount=\"2\"><image source=\"i\"/></tileset>";
    for (template, part) in [
        (
            "<template><object template=\"a.tx\"/></template>",
            "uses another template",
        ),
        ("<template/>", "has no object"),
        ("<tileset/>", "right kind"),
        (
            "<template><object gid=\"3\"/></template>",
            "before the first tileset",
        ),
        (tsx, "tile 2 of tileset \"s\""),
    ] {
        let files = [("a.tx", template), ("x.tsx", set)];
        let error = read_with(&tmx, &files, &Rules::default()).unwrap_err();
        assert!(error.to_string().contains(part), "{part:?}: {error}");
    }
    let crossing = "<template>\n<object class=\"solid\"><polygon points=\"0,0 8,8 8,0 0,8\"/></object></template>";
    let level = read_with(&tmx, &[("a.tx", crossing)], &Rules::default()).unwrap();
    let place = "a.tx:2: object 1 in layer \"collision\" of level.tmx: the outline crosses itself";
    let warnings = &level.warnings;
    assert!(warnings[0].starts_with(place), "{warnings:?}");
    let text = error(&tmx);
    assert!(
        text.starts_with(
            "a.tx: cannot be read (used by object 1 in layer \"collision\", level.tmx:3)"
        ),
        "{text}"
    );
    // Id 0, flipped or not, means a plain object.
    for gid in ["0", "2147483648"] {
        let sized = format!("gid=\"{gid}\" width=\"8\" height=\"8\"");
        let none = tsx.replace("gid=\"3\"", &sized);
        let files = [("a.tx", none.as_str()), ("x.tsx", set)];
        let level = read_with(&tmx, &files, &Rules::default()).unwrap();
        assert_eq!(pieces(&level).len(), 1);
    }
}

/// A tile can have the shape of a template, which has no tileset then.
#[test]
fn templates_are_shapes_of_tiles() {
    let shape = "<object id=\"1\" template=\"a.tx\" x=\"4\"/>";
    let tile = format!("<tile id=\"0\"><objectgroup>{shape}</objectgroup></tile>");
    let tmx = map(2, 1, &(tileset(&tile) + &layer("any", 2, 1, "0,1")));
    let template = "<template><tileset firstgid=\"1\" source=\"none.tsx\"/>\n<object gid=\"1\" width=\"8\" height=\"6\"/></template>";
    let read = |template: &str| read_with(&tmx, &[("a.tx", template)], &Rules::default());
    let level = read(template).unwrap();
    assert_eq!(shapes(&level), [(Material::Solid, rect(20., 0., 28., 6.))]);
    let text = read("<template>\n<object height=\"left\"/></template>")
        .unwrap_err()
        .to_string();
    let place = "a.tx:2: object ? in the template: height=\"left\" is not a number";
    assert!(text.starts_with(place), "{text}");
    let bow = "<polygon points=\"0,0 8,8 8,0 0,8\"/>";
    let level = read(&format!("<template>\n<object>{bow}</object></template>")).unwrap();
    assert!(
        level.warnings[0].contains("crosses itself"),
        "{:?}",
        level.warnings
    );
}

/// Tiles of templates have ids of their own.
#[test]
fn templates_bring_their_tilesets() {
    let set = |name: &str, tiles: &str| {
        format!(
            "<tileset name=\"{name}\" tilewidth=\"8\" tileheight=\"8\" tilecount=\"2\"><image source=\"i\"/>{tiles}</tileset>"
        )
    };
    let template = |gid: u32, source: &str| {
        format!(
            "<template><tileset firstgid=\"3\" source=\"{source}\"/><object gid=\"{gid}\" width=\"8\" height=\"8\"/></template>"
        )
    };
    let half = "<tile id=\"1\"><objectgroup><object id=\"1\" y=\"4\" width=\"8\" height=\"4\"/></objectgroup></tile>";
    let (listed, other) = (set("listed", half), set("other", half));
    let objects = objects(
        "collision",
        "<object id=\"1\" template=\"a.tx\" y=\"8\"/><object id=\"2\" template=\"b.tx\" x=\"16\" y=\"8\"/><object id=\"3\" template=\"b.tx\" x=\"32\" y=\"8\"/>",
    );
    let sets = "<tileset firstgid=\"9\" source=\"x.tsx\"/>";
    let (a, b) = (template(4, "x.tsx"), template(4, "y.tsx"));
    let files = [
        ("a.tx", &*a),
        ("b.tx", &b),
        ("x.tsx", &listed),
        ("y.tsx", &other),
    ];
    let level = read_with(
        &map(4, 1, &(sets.to_owned() + &objects)),
        &files,
        &Rules::default(),
    )
    .unwrap();
    let found: Vec<_> = shapes(&level).into_iter().map(|(_, shape)| shape).collect();
    let expected = [0., 16., 32.].map(|x| rect(x, 4., x + 8., 8.));
    assert_eq!(found, expected);
}

#[test]
fn file_names_must_be_relative_and_exist() {
    let with = |source: &str| {
        let set = format!("<tileset firstgid=\"1\" source=\"{source}\"/>");
        map(1, 1, &(set + &layer("ground", 1, 1, "1")))
    };
    assert_errors([
        (with("/etc/passwd"), "the path is absolute"),
        (with(""), "the file name is empty"),
        (with("t.tsj"), "cannot be read"),
        (with("none.tsx"), "cannot be read"),
        (
            map(1, 1, &objects("o", "<object id=\"1\" template=\"..\"/>")),
            "object 1 in layer \"o\": template \"..\": this is a folder",
        ),
    ]);
}

#[test]
fn malformed_and_malicious_xml_is_refused() {
    let bomb =
        "<!DOCTYPE map [\n<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\">]><map name=\"&b;\"/>";
    assert_eq!(
        error(bomb),
        "level.tmx:2: it declares an XML entity, which maps do not need\nhelp: open it in Tiled and save it again"
    );
    assert!(error("<map>\n<layer></map>").starts_with("level.tmx:2: not well-formed XML"));
    let wide = format!("<map {}/>", many(100_000, |i| format!("a{i}=\"\" ")));
    assert_errors([
        (String::new(), "not well-formed"),
        (
            "<tileset/>".to_owned(),
            "the outermost element is <tileset>, not <map>",
        ),
        (wide, "256 attributes"),
    ]);
    for (bytes, part) in [
        (&[0x1f, 0x8b, 8][..], "gzip"),
        (&[0xff, 0xfe, 0], "UTF-16"),
        (b"<map a='\xff'/>", "not UTF-8 text, from byte 8"),
    ] {
        let (files, rules) = (MemoryFiles::default(), Rules::default());
        let error = read_bytes("level.tmx", bytes, &files, &rules).unwrap_err();
        assert!(error.to_string().contains(part), "{error}");
    }
    for (file, text, message) in [
        ("level.tmx", "[]", "not well-formed XML"),
        ("level.tmj", "", "not well-formed JSON"),
        ("level.tmj", "[]", "expected an object, found a list"),
        (
            "level.tmj",
            r#"{"type": "map", "layers": [{"name": "a\ud800"}]}"#,
            "name has half of a character",
        ),
    ] {
        let error = from_text(file, text, &[]).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
}

/// A name with a line break would write a line that looks like one of ours.
#[test]
fn names_of_files_are_printed_in_one_line() {
    let tileset = r#"<tileset firstgid="1" source="a.tsx&#10;warning: b.tmx: forged"/>"#;
    let map = format!(
        "<map orientation=\"orthogonal\" width=\"1\" height=\"1\" tilewidth=\"16\" tileheight=\"16\">{tileset}<layer id=\"1\" name=\"ground\" width=\"1\" height=\"1\"><data encoding=\"csv\">1</data></layer></map>"
    );
    let error = from_text("level.tmx", &map, &[]).unwrap_err();
    assert!(
        error.contains("a.tsx warning: b.tmx: forged: cannot be read"),
        "{error}"
    );
}

#[test]
fn numbers_must_be_numbers() {
    for bad in [
        "x=\"NaN\"",
        "y=\"inf\"",
        "width=\"1e30\"",
        "rotation=\"left\"",
        "height=\"\"",
        "gid=\"-1\"",
    ] {
        let text = error(&object(bad, ""));
        let place = "level.tmx:3: object 1 in layer \"collision\": ";
        assert!(text.starts_with(place), "{text}");
    }
    let polygon = |points: &str| object("", &format!("<polygon points=\"{points}\"/>"));
    for bad in ["1", "1,", "1,2,3", "a,b", "1,2 3", "NaN,1"] {
        assert_errors([(polygon(bad), "not x,y")]);
    }
    let map = |attributes: &str| format!("<map {attributes}/>");
    assert_errors([
        (polygon(&"1,1 ".repeat(3000)), "more than 2000 points"),
        (
            map("width=\"1\" height=\"1\" tilewidth=\"0\" tileheight=\"16\""),
            "tilewidth is 0",
        ),
        (
            map("width=\"x\" height=\"1\""),
            "width=\"x\" is not an integer in range",
        ),
        (map("height=\"1\""), "<map> has no width"),
        (
            object("x=\"16777216\" width=\"16777216\" height=\"1\"", ""),
            "beyond 16,777,216",
        ),
    ]);
}

#[test]
fn only_orthogonal_maps_are_read() {
    for kind in ["isometric", "staggered", "hexagonal", "oblique"] {
        let text = error(&map(1, 1, "").replace("orthogonal", kind));
        assert!(text.contains(&format!("the map is {kind}")), "{text}");
        assert!(text.contains("set the orientation"), "{text}");
    }
}

#[test]
fn tilesets_are_validated() {
    let with = |from: &str, to: &str| map(1, 1, &tileset("<tile id=\"0\"/>").replace(from, to));
    let width = "tilewidth=\"16\"";
    assert_errors([
        (with(width, "tilewidth=\"0\""), "no size"),
        (
            with(width, "objectalignment=\"middle\" tilewidth=\"16\""),
            "is not one of unspecified",
        ),
        (with("id=\"0\"", ""), "has no id"),
        (with("id=\"0\"", "id=\"4000000000\""), "too large"),
        (with("firstgid=\"1\"", ""), "has no firstgid"),
        (with(width, "tilewidth=\"99999\""), "more than 65536"),
    ]);
}

/// A small file can demand much work: shapes of a tile in every cell, large
/// templates in many objects, very many tilesets.
#[test]
fn repeated_content_is_bounded() {
    let shapes = many(600, |i| {
        let points = format!("0,0 16,{} 0,16", i % 15);
        format!("<object id=\"{i}\"><polygon points=\"{points}\"/></object>")
    });
    let set = tileset(&format!(
        "<tile id=\"0\"><objectgroup>{shapes}</objectgroup></tile>"
    ));
    let layer = layer("g", 100, 100, &vec!["1"; 100 * 100].join(","));
    let sets = many(1001, |i| {
        let first = i + 1;
        format!("<tileset firstgid=\"{first}\" tilewidth=\"8\" tileheight=\"8\" tilecount=\"1\"/>")
    });
    assert_errors([
        (
            map(100, 100, &format!("{set}{layer}")),
            "more than 4194304 collision shapes",
        ),
        (map(1, 1, &sets), "more than 1000 tilesets"),
    ]);
    let big = format!(
        "<template><object><properties><property name=\"p\" value=\"{}\"/></properties></object></template>",
        "x".repeat(1 << 20)
    );
    let list = "<object template=\"a.tx\"/>".repeat(300);
    let tmx = map(1, 1, &objects("collision", &list));
    let error = read_with(&tmx, &[("a.tx", &big)], &Rules::default()).unwrap_err();
    assert!(error.to_string().contains("used too often"), "{error}");
}
