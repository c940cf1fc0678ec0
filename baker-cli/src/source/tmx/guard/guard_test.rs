//! The parser's sharp edges, each met by a clear error instead.

use std::io::Write as _;

use super::super::testing::*;
use crate::source::{MemoryFiles, ReadOptions, Rules, read_bytes};

fn ground(cells: &str) -> String {
    map(
        4,
        3,
        &format!("{}\n{}", tileset(""), layer("ground", 4, 3, cells)),
    )
}

/// Many pieces of text, by their numbers.
fn many(count: u32, piece: impl Fn(u32) -> String) -> String {
    (0..count).map(piece).collect::<Vec<_>>().concat()
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

fn packed(compression: &str, bytes: &[u8]) -> String {
    format!(
        "{}<layer name=\"g\" width=\"4\" height=\"3\"><data encoding=\"base64\" compression=\"{compression}\">{}</data></layer>",
        tileset(""),
        base64(bytes)
    )
}

fn zeros(encoder: fn() -> Box<dyn Encoder>) -> Vec<u8> {
    let mut encoder = encoder();
    for _ in 0..1024 {
        encoder.put(&[0; 1 << 14]);
    }
    encoder.done()
}

trait Encoder {
    fn put(&mut self, bytes: &[u8]);
    fn done(self: Box<Self>) -> Vec<u8>;
}

impl Encoder for flate2::write::ZlibEncoder<Vec<u8>> {
    fn put(&mut self, bytes: &[u8]) {
        self.write_all(bytes).unwrap();
    }
    fn done(self: Box<Self>) -> Vec<u8> {
        self.finish().unwrap()
    }
}

impl Encoder for flate2::write::GzEncoder<Vec<u8>> {
    fn put(&mut self, bytes: &[u8]) {
        self.write_all(bytes).unwrap();
    }
    fn done(self: Box<Self>) -> Vec<u8> {
        self.finish().unwrap()
    }
}

#[test]
fn data_of_the_wrong_length() {
    let short = error(&ground("1,1,1"));
    assert!(
        short.starts_with(
            "level.tmx:5: layer \"ground\": it holds 3 cells where width x height is 12"
        ),
        "{short}"
    );
    let long = error(&ground(&["1"; 13].join(",")));
    assert!(
        long.contains("more cells than width x height, which is 12"),
        "{long}"
    );
    assert!(error(&ground("")).contains("it holds 0 cells"));
    assert!(error(&ground("1,,1")).contains("cell 2 is \"\""));
    assert!(error(&ground("1,-1")).contains("cell 2 is \"-1\""));
    assert!(error(&ground("1,4294967296")).contains("no tile id"));
    for (compression, bytes, part) in [
        ("", &[0u8; 47][..], "47 bytes"),
        ("", &[0; 44], "it holds 11 cells"),
        ("", &[0; 52], "more cells"),
        ("zlib", &[1, 2, 3], "zlib data are broken"),
        ("gzip", &[1, 2, 3], "gzip data are broken"),
        ("zstd", &[1, 2, 3], "zstd data are broken"),
        (
            "lz4",
            &[1, 2, 3],
            "compression \"lz4\" is not known; known are",
        ),
    ] {
        let text = error(&map(4, 3, &packed(compression, bytes)));
        assert!(text.contains(part), "{text}");
    }
    let text =
        error(&ground("1").replace("encoding=\"csv\"", "encoding=\"csv\" compression=\"zlib\""));
    assert!(text.contains("only base64"), "{text}");
    let text = error(&ground("1").replace("encoding=\"csv\"", "encoding=\"rot13\""));
    assert!(text.contains("\"rot13\" is not known"), "{text}");
    let text = error(&map(4, 3, &packed("", &[])).replace("></data>", ">!!!</data>"));
    assert!(text.contains("base64 is broken"), "{text}");
}

/// 16 MiB of zeros in a few kilobytes: only as much is unpacked as the layer
/// has room for.
#[test]
fn decompression_bombs() {
    use flate2::Compression;
    let zlib = zeros(|| {
        Box::new(flate2::write::ZlibEncoder::new(
            Vec::new(),
            Compression::best(),
        ))
    });
    let gzip = zeros(|| {
        Box::new(flate2::write::GzEncoder::new(
            Vec::new(),
            Compression::best(),
        ))
    });
    let zstd = ruzstd::encoding::compress_to_vec(
        &vec![0u8; 1 << 24][..],
        ruzstd::encoding::CompressionLevel::Fastest,
    );
    for (compression, bytes) in [("zlib", zlib), ("gzip", gzip), ("zstd", zstd)] {
        let text = error(&map(4, 3, &packed(compression, &bytes)));
        assert!(
            text.contains("more cells than width x height"),
            "{compression}: {text}"
        );
    }
}

#[test]
fn sizes_are_checked_before_anything_is_allocated() {
    for (width, height) in [
        (100_000, 100_000),
        (4_294_967_295u32, 4_294_967_295),
        (4096, 4097),
    ] {
        let tmx = map(1, 1, &layer("huge", width, height, "1"));
        let text = error(&tmx);
        assert!(text.contains("layer \"huge\""), "{text}");
    }
    // Together, not one by one.
    let half: String = (0..3)
        .map(|i| layer(&format!("l{i}"), 4096, 2000, "1"))
        .collect();
    assert!(error(&map(1, 1, &half)).contains("layer \"l0\": it holds 1 cells"));
    let text = error(&map(1, 1, &layer("none", 0, 3, "")));
    assert!(text.contains("width or height is 0"), "{text}");
    // Chunks far apart cost the parser a whole block each.
    let chunks = many(70_000, |i| {
        format!(
            "<chunk x=\"{}\" y=\"{}\" width=\"1\" height=\"1\">1</chunk>",
            (i % 300) * 16,
            (i / 300) * 16
        )
    });
    let infinite = |chunks: &str| {
        map(
            1,
            1,
            &format!(
                "{}<layer name=\"g\" width=\"1\" height=\"1\"><data encoding=\"csv\">{chunks}</data></layer>",
                tileset("")
            ),
        )
        .replace("infinite=\"0\"", "infinite=\"1\"")
    };
    let text = error(&infinite(&chunks));
    assert!(text.contains("more than 16777216 cells"), "{text}");
    for position in ["2147483647", "-2147483648", "99999999999"] {
        let chunk = format!("<chunk x=\"{position}\" y=\"0\" width=\"1\" height=\"1\">1</chunk>");
        assert!(error(&infinite(&chunk)).contains("layer \"g\""));
    }
    assert!(error(&infinite("1,1,1")).contains("not stored in chunks"));
    // A million tiles of nothing, claimed by a tileset.
    let tmx = ground(&["0"; 12].join(",")).replace("tilecount=\"32\"", "tilecount=\"16000000\"");
    assert!(read(&tmx).is_ok());
    let tmx = tmx.replace("tilecount=\"16000000\"", "tilecount=\"4000000000\"");
    assert!(error(&tmx).contains("declares 4000000000 tiles"));
    let tmx = map(2_000_000, 2_000_000, &layer("ground", 1, 1, "0"));
    assert!(error(&tmx).contains("too large"), "{}", error(&tmx));
}

#[test]
fn tile_ids_past_the_last_tileset() {
    let text = error(&ground("1,1,1,1,1,99,1,1,1,1,1,1"));
    assert!(
        text.starts_with(
            "level.tmx:5: layer \"ground\": cell 1, 1: tile id 99 does not exist: it would be tile 98 of tileset \"tiles\""
        ),
        "{text}"
    );
    let text = error(&map(1, 1, &layer("ground", 1, 1, "5")));
    assert!(text.contains("before the first tileset"), "{text}");
    let text = error(&map(
        1,
        1,
        &format!(
            "{}{}",
            tileset(""),
            objects("o", "<object id=\"7\" gid=\"33\"/>")
        ),
    ));
    assert!(
        text.contains("object 7 in layer \"o\": tile id 33"),
        "{text}"
    );
    // Flip flags are no part of the id.
    assert!(read(&ground(&["3758096385"; 12].join(","))).is_ok());
    let twice = format!("{}{}", tileset(""), tileset(""));
    assert!(error(&map(1, 1, &twice)).contains("so does tileset \"tiles\""));
    let zero = tileset("").replace("firstgid=\"1\"", "firstgid=\"0\"");
    assert!(error(&map(1, 1, &zero)).contains("firstgid is 0"));
}

#[test]
fn deep_nesting() {
    let deep = |tag: &str, depth: usize| {
        let open = format!("<{tag} name=\"g\">").repeat(depth);
        let close = format!("</{tag}>").repeat(depth);
        map(1, 1, &format!("{open}{close}"))
    };
    let text = error(&deep("group", 50_000));
    assert!(text.contains("nested more than 64 deep"), "{text}");
    // Of elements that mean nothing, and so are skipped.
    assert!(error(&deep("x", 50_000)).contains("nothing says"));
    let list = format!(
        "<properties>{}{}</properties>",
        "<property name=\"p\" type=\"class\"><properties>".repeat(30_000),
        "</properties></property>".repeat(30_000)
    );
    let tmx = map(
        1,
        1,
        &format!("<objectgroup name=\"collision\">{list}</objectgroup>"),
    );
    assert!(read(&tmx).is_ok());
}

#[test]
fn circles_of_templates() {
    let object = "<object id=\"1\" template=\"a.tx\"/>";
    let a = "<template><object template=\"a.tx\"/></template>";
    let tmx = map(1, 1, &objects("collision", object));
    let read_files = |files: &[(&str, &str)]| {
        read_with(&tmx, files, &Rules::default())
            .unwrap_err()
            .to_string()
    };
    assert!(read_files(&[("a.tx", a)]).contains("uses another template"));
    assert!(read_files(&[("a.tx", "<template/>")]).contains("has no object"));
    assert!(read_files(&[("a.tx", "<tileset/>")]).contains("wrong kind"));
    let text = read_files(&[]);
    assert!(
        text.starts_with(
            "a.tx: cannot be read (used by object 1 in layer \"collision\", level.tmx:3)"
        ),
        "{text}"
    );
    let inner = "<template><object gid=\"3\"/></template>";
    assert!(read_files(&[("a.tx", inner)]).contains("before the first tileset"));
    let tsx = "<template><tileset firstgid=\"1\" source=\"x.tsx\"/><object gid=\"3\"/></template>";
    let set = "<tileset name=\"s\" tilewidth=\"8\" tileheight=\"8\" tilecount=\"2\"><image source=\"i\"/></tileset>";
    assert!(read_files(&[("a.tx", tsx), ("x.tsx", set)]).contains("tile 2 of tileset \"s\""));
    // Id 0, flipped or not, is no tile: a plain object.
    for gid in ["0", "2147483648"] {
        let none = tsx.replace(
            "gid=\"3\"",
            &format!("gid=\"{gid}\" width=\"8\" height=\"8\""),
        );
        let files = [("a.tx", none.as_str()), ("x.tsx", set)];
        let level = read_with(&tmx, &files, &Rules::default()).unwrap();
        assert_eq!(pieces(&level).len(), 1);
    }
    let shape = format!("<tile id=\"0\"><objectgroup>{object}</objectgroup></tile>");
    assert!(error(&map(1, 1, &tileset(&shape))).contains("detach"));
}

#[test]
fn files_that_are_named_badly() {
    let with = |source: &str| {
        map(
            1,
            1,
            &format!("<tileset firstgid=\"1\" source=\"{source}\"/>"),
        )
    };
    assert!(error(&with("/etc/passwd")).contains("the path is absolute"));
    assert!(error(&with("")).contains("the file name is empty"));
    assert!(error(&with("t.tsj")).contains("cannot be read"));
    assert!(error(&with("none.tsx")).contains("cannot be read"));
}

#[test]
fn entities_and_odd_xml() {
    let bomb =
        "<!DOCTYPE map [<!ENTITY a \"aaaaaaaaaa\">\n<!ENTITY b \"&a;&a;&a;\">]><map name=\"&b;\"/>";
    assert_eq!(
        error(bomb),
        "level.tmx:1: it declares an XML entity, which maps do not need; open it in Tiled and save it again"
    );
    assert!(error("<map>\n<layer></map>").starts_with("level.tmx:2: not well-formed XML"));
    assert!(error("").contains("not well-formed"));
    assert!(error("<tileset/>").contains("the outermost element is <tileset>, not <map>"));
    let wide = format!("<map {}/>", many(100_000, |i| format!("a{i}=\"\" ")));
    assert!(error(&wide).contains("256 attributes"));
    let read_raw = |bytes: &[u8]| {
        read_bytes(
            "level.tmx",
            bytes,
            &MemoryFiles::default(),
            &ReadOptions::default(),
        )
        .unwrap_err()
        .to_string()
    };
    assert!(read_raw(&[0x1f, 0x8b, 8]).contains("gzip"));
    assert!(read_raw(&[0xff, 0xfe, 0]).contains("UTF-16"));
    assert!(read_raw(b"<map a='\xff'/>").contains("not UTF-8 text, from byte 8"));
}

#[test]
fn numbers_that_are_none() {
    let object = |attributes: &str| {
        error(&map(
            1,
            1,
            &objects("collision", &format!("<object id=\"1\" {attributes}/>")),
        ))
    };
    for bad in [
        "x=\"NaN\"",
        "y=\"inf\"",
        "width=\"1e30\"",
        "rotation=\"left\"",
        "height=\"\"",
        "gid=\"-1\"",
    ] {
        let text = object(bad);
        assert!(
            text.starts_with("level.tmx:3: object 1 in layer \"collision\": "),
            "{text}"
        );
    }
    for bad in ["1", "1,", "1,2,3", "a,b", "1,2 3", "NaN,1"] {
        let text = error(&map(
            1,
            1,
            &objects(
                "collision",
                &format!("<object id=\"1\"><polygon points=\"{bad}\"/></object>"),
            ),
        ));
        assert!(text.contains("not x,y"), "{text}");
    }
    let many = "1,1 ".repeat(3000);
    let text = error(&map(
        1,
        1,
        &objects(
            "collision",
            &format!("<object id=\"1\"><polygon points=\"{many}\"/></object>"),
        ),
    ));
    assert!(text.contains("more than 2000 points"), "{text}");
    assert!(
        error("<map width=\"1\" height=\"1\" tilewidth=\"0\" tileheight=\"16\"/>")
            .contains("tilewidth is 0")
    );
    assert!(error("<map width=\"x\" height=\"1\"/>").contains("width=\"x\" is no whole number"));
    assert!(error("<map height=\"1\"/>").contains("<map> has no width"));
    let far = object("x=\"16777216\" width=\"16777216\" height=\"1\"");
    assert!(far.contains("beyond 16,777,216"), "{far}");
}

#[test]
fn maps_that_are_not_orthogonal() {
    for kind in ["isometric", "staggered", "hexagonal", "oblique"] {
        let tmx = map(1, 1, "").replace("orthogonal", kind);
        let text = error(&tmx);
        assert!(text.contains(&format!("the map is {kind}")), "{text}");
        assert!(text.contains("only those are read"), "{text}");
    }
}

#[test]
fn tilesets_that_make_no_sense() {
    let with =
        |from: &str, to: &str| error(&map(1, 1, &tileset("<tile id=\"0\"/>").replace(from, to)));
    assert!(with("tilewidth=\"16\"", "tilewidth=\"0\"").contains("no size"));
    assert!(
        with(
            "tilewidth=\"16\"",
            "objectalignment=\"middle\" tilewidth=\"16\""
        )
        .contains("known are unspecified")
    );
    assert!(with("id=\"0\"", "").contains("has no id"));
    assert!(with("id=\"0\"", "id=\"4000000000\"").contains("too large"));
    assert!(with("firstgid=\"1\"", "").contains("has no firstgid"));
    assert!(with("tilewidth=\"16\"", "tilewidth=\"99999\"").contains("at most 65536"));
}

/// A small file can ask for much work: shapes of a tile in every cell, large
/// templates in many objects, tilesets without end.
#[test]
fn multiplication() {
    let shapes = many(600, |i| {
        format!(
            "<object id=\"{i}\"><polygon points=\"0,0 16,{} 0,16\"/></object>",
            i % 15
        )
    });
    let set = tileset(&format!(
        "<tile id=\"0\"><objectgroup>{shapes}</objectgroup></tile>"
    ));
    let cells = vec!["1"; 100 * 100].join(",");
    let text = error(&map(
        100,
        100,
        &format!("{set}{}", layer("g", 100, 100, &cells)),
    ));
    assert!(
        text.contains("more than 4194304 collision shapes"),
        "{text}"
    );

    let big = format!(
        "<template><object><properties><property name=\"p\" value=\"{}\"/></properties></object></template>",
        "x".repeat(1 << 20)
    );
    let list = "<object template=\"a.tx\"/>".repeat(300);
    let text = read_with(
        &map(1, 1, &objects("collision", &list)),
        &[("a.tx", &big)],
        &Rules::default(),
    )
    .unwrap_err()
    .to_string();
    assert!(text.contains("used too often"), "{text}");

    let sets = many(1001, |i| {
        format!(
            "<tileset firstgid=\"{}\" tilewidth=\"8\" tileheight=\"8\" tilecount=\"1\"/>",
            i + 1
        )
    });
    assert!(error(&map(1, 1, &sets)).contains("more than 1000 tilesets"));
}
