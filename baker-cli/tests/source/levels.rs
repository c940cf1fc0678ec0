//! The project's levels read from disk through the public API, and levels with
//! damaged bytes.

use crate::random_cases;

use std::path::{Path, PathBuf};

use baker_cli::source::LevelFile;
use baker_cli::source::{FileProvider as _, Folder, MemoryFiles, Rules, read, read_bytes};
use navmesh_bake::{Collision, Material, Shape};
use proptest::prelude::*;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

fn fixture(name: &str) -> LevelFile {
    read(&fixtures().join(name), &Rules::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn bytes(name: &str) -> Vec<u8> {
    Folder::new(fixtures()).read(name, 1 << 20).unwrap()
}

#[test]
fn ledges_has_what_fixtures_readme_describes() {
    let level = fixture("ledges.tmx");
    assert_eq!(level.warnings, [""; 0]);
    assert_eq!(level.tile_size, Some([16, 16]));
    assert_eq!(level.bounds.size().to_array(), [640.0, 320.0]);
    let whys: Vec<bool> = level
        .decisions
        .iter()
        .map(|line| line.contains(": collision: "))
        .collect();
    assert_eq!(whys, [false, true, true, false], "{:#?}", level.decisions);
    let names: Vec<&str> = level
        .inputs
        .iter()
        .map(|input| input.name.as_str())
        .collect();
    assert_eq!(names, ["ledges.tmx", "tiles.tsx"]);
    let classes: Vec<(&str, &str)> = level
        .markers
        .iter()
        .map(|m| (m.class.as_str(), m.name.as_str()))
        .collect();
    assert_eq!(
        classes,
        [
            ("spawn", "start"),
            ("waypoint", "plateau"),
            ("waypoint", "sky")
        ]
    );

    let Collision::Shapes(pieces) = &level.collision else {
        panic!("no shapes")
    };
    assert!(pieces.iter().all(|piece| piece.material == Material::Solid));
    assert!(pieces.len() < 50, "{}", pieces.len());
    // The lips of both gaps, and the post.
    let tops: Vec<(f64, f64)> = pieces
        .iter()
        .filter_map(|piece| match &piece.shape {
            Shape::Box(rect) if rect.min.y <= 272.0 && rect.max.y > 272.0 => {
                Some((rect.min.x, rect.max.x))
            }
            _ => None,
        })
        .collect();
    for lips in [(216.0, 224.0), (224.0, 320.0)] {
        assert!(tops.contains(&lips), "{lips:?} {tops:?}");
    }
    assert!(tops.iter().any(|top| top.1 == 144.0) && tops.iter().any(|top| top.0 == 400.0));
    let last = pieces.last().unwrap();
    assert_eq!(
        level.origins[last.origin as usize],
        "object 1 \"post\" in layer \"collision objects\""
    );
    let slopes = pieces
        .iter()
        .filter(|piece| matches!(piece.shape, Shape::Convex(_)))
        .count();
    assert_eq!(slopes, 3);
}

#[test]
fn organic_has_no_hazards_and_is_a_third_solid() {
    let level = fixture("organic.png");
    let Collision::Pixels(pixels) = &level.collision else {
        panic!("no pixels")
    };
    assert_eq!((pixels.solid.columns(), pixels.solid.rows()), (320, 200));
    let share = pixels.solid.count_ones() as f64 / 64_000.0;
    assert!((0.2..0.5).contains(&share), "{share}");
    assert_eq!(pixels.hazard.count_ones(), 0);
}

#[test]
fn reading_twice_gives_the_same_level() {
    for name in ["ledges.tmx", "organic.png"] {
        assert_eq!(fixture(name), fixture(name));
    }
}

#[test]
fn errors_name_the_given_path() {
    let folder = std::env::temp_dir().join(format!("navbake-source-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let copy = folder.join("alone.tmx");
    std::fs::copy(fixtures().join("ledges.tmx"), &copy).unwrap();
    let error = read(&copy, &Rules::default()).unwrap_err().to_string();
    std::fs::remove_dir_all(&folder).unwrap();
    let tileset = folder.join("tiles.tsx").display().to_string();
    assert!(
        error.starts_with(&format!("{tileset}: cannot be read (used by tileset")),
        "{error}"
    );
}

/// Damages bytes. Each hit has a place, as a fraction of the length, the kind
/// of damage, and a value for it.
fn damage(bytes: &[u8], hits: &[(u16, u8, u8)]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for &(place, what, value) in hits {
        if bytes.is_empty() {
            break;
        }
        let at = usize::from(place) * bytes.len() / (usize::from(u16::MAX) + 1);
        match what % 5 {
            0 => bytes[at] = value,
            1 => bytes[at] ^= 1 << (value % 8),
            2 => {
                bytes.remove(at);
            }
            3 => bytes[at] = b'0' + value % 10,
            _ => {
                let end = (at + usize::from(value)).min(bytes.len());
                let run = bytes[at..end].to_vec();
                bytes.splice(at..at, run);
            }
        }
    }
    bytes
}

/// A small map with every kind of element.
const EVERYTHING: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="3" height="2" tilewidth="16" tileheight="16" infinite="0">
<properties><property name="p" value="1"/></properties>
<tileset firstgid="1" name="t" tilewidth="16" tileheight="24" tilecount="4" columns="2" objectalignment="top" tilerendersize="grid"><tileoffset x="1" y="2"/><image source="i.png" width="32" height="48"/>
<tile id="0" type="one_way"><properties><property name="solid" type="bool" value="true"/></properties></tile>
<tile id="1"><objectgroup><object id="1" x="1" y="2" width="3" height="4" rotation="30"/><object id="2"><polygon points="0,0 16,0 16,4 4,4 4,16 0,16"/></object></objectgroup></tile></tileset>
<tileset firstgid="5" source="x.tsx"/>
<group name="g" offsetx="3"><layer name="ground" width="3" height="2" visible="1"><data encoding="base64" compression="zlib">eNpjZMAEjEAMAAA0AAM=</data></layer></group>
<layer name="b" width="3" height="2" offsety="-2.5"><data encoding="csv">1,2,2147483650,0,1073741826,536870914</data></layer>
<layer name="c" width="3" height="2"><data><tile gid="1"/><tile/><tile/><tile/><tile/><tile gid="5"/></data></layer>
<objectgroup name="collision"><object id="3" x="5" y="6" width="7" height="8"><ellipse/></object><object id="4" x="1"><polyline points="0,0 5,5"/></object>
<object id="5" gid="2" x="3" y="4" width="20" height="10" rotation="45"/><object id="6" template="a.tx" x="9" y="9"/><object id="7"><point/></object><object id="8" width="4" height="9"><capsule/></object></objectgroup>
</map>"#;
const TSX: &str = r#"<tileset name="x" tilewidth="8" tileheight="8" tilecount="1" columns="0"><tile id="0"><image source="a.png" width="8" height="8"/></tile></tileset>"#;
const TX: &str = r#"<template><tileset firstgid="1" source="x.tsx"/><object type="crate" gid="1" width="8" height="8"/></template>"#;

/// The cells of a 4 x 4 layer, as each compression stores them.
const CELLS: [(&str, &str); 4] = [
    ("zlib", "eNpjZGBgYGRAAEYS+QABcAAJ"),
    ("gzip", "H4sIAAAAAAACA2NkYGBgZEAARhL5ANsxUOJAAAAA"),
    ("zstd", "KLUv/QRodQAAMAEAAAABAAIAzYxgA0W5xDCB"),
    (
        "",
        "AQAAAAEAAAAAAAAAAAAAAAEAAAABAAAAAAAAAAAAAAABAAAAAQAAAAAAAAAAAAAAAQAAAAEAAAAAAAAAAAAAAA==",
    ),
];

fn read_map(tmx: &[u8], tsx: &[u8], tx: &[u8]) -> Result<LevelFile, String> {
    let mut files = MemoryFiles::default();
    files.insert("x.tsx", tsx);
    files.insert("a.tx", tx);
    read_bytes("level.tmx", tmx, &files, &Rules::default()).map_err(|e| e.to_string())
}

fn with_cells(compression: &str, data: &str) -> Result<LevelFile, String> {
    let tmx = format!(
        "<map width=\"4\" height=\"4\" tilewidth=\"8\" tileheight=\"8\">\
         <tileset firstgid=\"1\" name=\"t\" tilewidth=\"8\" tileheight=\"8\" tilecount=\"1\"/>\
         <layer name=\"ground\" width=\"4\" height=\"4\">\
         <data encoding=\"base64\" compression=\"{compression}\">{data}</data></layer></map>"
    );
    read_map(tmx.as_bytes(), b"", b"")
}

/// The tests of damaged files would prove nothing if these were not read.
#[test]
fn undamaged_files_are_read() {
    read_map(EVERYTHING.as_bytes(), TSX.as_bytes(), TX.as_bytes()).unwrap();
    for (compression, data) in CELLS {
        with_cells(compression, data).unwrap();
    }
}

proptest! {
    #![proptest_config(random_cases::cases(1500))]

    /// Damaged maps are read or refused by validation, never by the `tiled`
    /// crate and never by a panic. The error names a file.
    #[test]
    fn damaged_maps(
        hits in prop::collection::vec((any::<u16>(), any::<u8>(), any::<u8>()), 1..6),
        target in 0..3,
    ) {
        let pick = |i, text: &str| {
            if target == i { damage(text.as_bytes(), &hits) } else { text.as_bytes().to_vec() }
        };
        if let Err(error) = read_map(&pick(0, EVERYTHING), &pick(1, TSX), &pick(2, TX)) {
            let named = ["level.tmx", "x.tsx", "a.tx"].iter().any(|file| error.contains(file));
            prop_assert!(named, "{}", error);
            prop_assert!(!error.contains("the parser"), "validation has accepted this: {}", error);
        }
    }

    /// Damaged compressed cells are read or refused.
    #[test]
    fn damaged_cells(
        hits in prop::collection::vec((any::<u16>(), any::<u8>(), any::<u8>()), 1..4),
        which in 0..CELLS.len(),
    ) {
        let (compression, data) = CELLS[which];
        let data = damage(data.as_bytes(), &hits);
        let data = String::from_utf8_lossy(&data).replace(['<', '&'], "+");
        if let Err(error) = with_cells(compression, &data) {
            prop_assert!(error.starts_with("level.tmx"), "{}", error);
        }
    }

    /// Damaged bitmaps are read or refused.
    #[test]
    fn damaged_bitmaps(
        hits in prop::collection::vec((any::<u16>(), any::<u8>(), any::<u8>()), 1..6),
        cut in any::<u16>(),
    ) {
        let mut png = damage(&bytes("organic.png"), &hits);
        if cut % 3 == 0 {
            png.truncate(usize::from(cut) % (png.len() + 1));
        }
        let read = read_bytes("level.png", &png, &MemoryFiles::default(), &Rules::default());
        if let Err(error) = read {
            prop_assert!(error.to_string().starts_with("level.png"), "{}", error);
        }
    }
}
