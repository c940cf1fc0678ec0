//! Collision bitmaps.

use std::fmt::Write as _;

use std::io::Cursor;

use image::{ColorType, ExtendedColorType, ImageEncoder as _, codecs::png::PngEncoder};

use baker_cli::source::LevelFile;
use baker_cli::source::{MemoryFiles, Rules, SourceError, read_bytes};
use glam::DVec2;
use navmesh_bake::{Collision, PixelMap, Rect};

fn png(width: u32, height: u32, color: ColorType, samples: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    PngEncoder::new(Cursor::new(&mut bytes))
        .write_image(samples, width, height, ExtendedColorType::from(color))
        .unwrap();
    bytes
}

fn read_with(bytes: &[u8], rules: &Rules) -> Result<LevelFile, SourceError> {
    read_bytes("level.png", bytes, &MemoryFiles::default(), rules)
}

fn read_png(bytes: &[u8]) -> LevelFile {
    read_with(bytes, &Rules::default()).unwrap()
}

fn error(bytes: &[u8]) -> String {
    read_with(bytes, &Rules::default()).unwrap_err().to_string()
}

fn planes(level: &LevelFile) -> &PixelMap {
    match &level.collision {
        Collision::Pixels(pixels) => pixels,
        Collision::Shapes(_) => panic!("shapes from a bitmap"),
    }
}

/// A PNG from its parts, for depths that the encoder does not write.
fn raw_png(
    width: u32,
    height: u32,
    depth: u8,
    kind: u8,
    extra: &[(&str, Vec<u8>)],
    rows: &[u8],
) -> Vec<u8> {
    use std::io::Write as _;
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |name: &str, data: &[u8]| {
        out.extend((data.len() as u32).to_be_bytes());
        let mut body = name.as_bytes().to_vec();
        body.extend(data);
        out.extend(&body);
        out.extend(crc(&body).to_be_bytes());
    };
    let mut header = width.to_be_bytes().to_vec();
    header.extend(height.to_be_bytes());
    header.extend([depth, kind, 0, 0, 0]);
    chunk("IHDR", &header);
    for (name, data) in extra {
        chunk(name, data);
    }
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(rows).unwrap();
    chunk("IDAT", &packed.finish().unwrap());
    chunk("IEND", &[]);
    out
}

fn crc(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

#[test]
fn default_colours_have_their_meanings() {
    let samples = [
        [0, 0, 0, 255],
        [255, 255, 255, 255],
        [255, 0, 0, 255],
        [0, 0, 255, 255],
        [0, 255, 0, 255],
        [12, 34, 56, 0],
    ]
    .concat();
    let level = read_png(&png(3, 2, ColorType::Rgba8, &samples));
    let pixels = planes(&level);
    assert!(pixels.solid.get(0, 0) && pixels.solid.count_ones() == 1);
    assert!(pixels.hazard.get(2, 0) && pixels.hazard.count_ones() == 1);
    assert!(pixels.one_way.get(0, 1) && pixels.one_way.count_ones() == 1);
    assert!(pixels.ladder.get(1, 1) && pixels.ladder.count_ones() == 1);
    assert_eq!(level.bounds, Rect::new(DVec2::ZERO, DVec2::new(3.0, 2.0)));
    assert_eq!(level.tile_size, None);
    assert_eq!(level.source, "level.png");
    assert_eq!(level.inputs.len(), 1);
    assert_eq!(
        level.decisions,
        [
            "bitmap: 1 pixels solid (#000000), 1 pixels one-way (#0000ff), 1 pixels ladder (#00ff00), \
          1 pixels empty (transparent), 1 pixels hazard (#ff0000), 1 pixels empty (#ffffff)"
        ]
    );
}

#[test]
fn all_pixel_layouts_give_the_same_level() {
    // Solid, empty, solid, empty in the first row; solid below.
    let want = read_png(&png(4, 2, ColorType::L8, &[0, 255, 0, 255, 0, 0, 0, 0]));
    let solid = &planes(&want).solid;
    assert_eq!(solid.count_ones(), 6);
    let grey: Vec<u8> = vec![0, 255, 0, 255, 0, 0, 0, 0];
    let each =
        |make: &dyn Fn(u8) -> Vec<u8>| grey.iter().flat_map(|&g| make(g)).collect::<Vec<u8>>();
    let palette = ("PLTE", vec![255, 255, 255, 0, 0, 0]);
    let transparent = ("tRNS", vec![0]);
    for bytes in [
        png(4, 2, ColorType::Rgb8, &each(&|g| vec![g; 3])),
        png(4, 2, ColorType::Rgba8, &each(&|g| vec![g, g, g, 255])),
        png(4, 2, ColorType::La8, &each(&|g| vec![0, 255 - g])),
        png(4, 2, ColorType::L16, &each(&|g| vec![g; 2])),
        png(
            4,
            2,
            ColorType::Rgba16,
            &each(&|g| vec![g, g, g, g, g, g, 255, 255]),
        ),
        // 1-bit grey: 0101 and 0000, each row after its filter byte.
        raw_png(4, 2, 1, 0, &[], &[0, 0x50, 0, 0x00]),
        // 1-bit and 2-bit palettes; the first colour white, or transparent.
        raw_png(
            4,
            2,
            1,
            3,
            std::slice::from_ref(&palette),
            &[0, 0xa0, 0, 0xf0],
        ),
        raw_png(
            4,
            2,
            2,
            3,
            std::slice::from_ref(&palette),
            &[0, 0x44, 0, 0x55],
        ),
        raw_png(4, 2, 1, 3, &[palette, transparent], &[0, 0xa0, 0, 0xf0]),
    ] {
        assert_eq!(planes(&read_png(&bytes)).solid, *solid);
    }
}

/// A bitmap of rows with `/` between: `#` black, `.` white, `_` transparent, and colours.
fn drawn(rows: &str) -> Vec<u8> {
    let pixels = rows.split('/').flat_map(str::chars);
    let samples = pixels.map(|pixel| match pixel {
        '#' => [0, 0, 0, 255],
        '.' => [255; 4],
        'r' => [255, 0, 0, 255],
        'w' => [0, 0, 255, 255],
        'b' => [90, 160, 240, 255],
        't' => [120, 80, 40, 255],
        _ => [0; 4],
    });
    let (width, height) = (rows.find('/').unwrap(), rows.split('/').count());
    let samples = samples.collect::<Vec<_>>().concat();
    png(width as u32, height as u32, ColorType::Rgba8, &samples)
}

/// How many pixels are solid, and what is asked about.
fn decided(rows: &str) -> String {
    let level = read_png(&drawn(rows));
    let mut text = planes(&level).solid.count_ones().to_string();
    for asked in &level.undecided {
        let (guess, otherwise) = (asked.guess.list(), asked.otherwise[0].list());
        let _ = write!(
            text,
            " | {} {guess}, or {otherwise}: {}",
            asked.number,
            asked.rules.join(", ")
        );
    }
    text
}

#[test]
fn colours_are_decided() {
    let mut wrong = Vec::new();
    for (rows, expected) in BITMAPS {
        let decided = decided(rows);
        if decided != expected {
            wrong.push(format!("{rows}: {decided}"));
        }
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn pictures_of_many_colours_are_decided_as_one() {
    // Unknown colours are counted up to a limit.
    let photo: Vec<u8> = (0..100 * 100 * 3)
        .map(|i: u32| (i.wrapping_mul(i).wrapping_mul(2_654_435_761) >> 17) as u8)
        .collect();
    let level = read_png(&png(100, 100, ColorType::Rgb8, &photo));
    assert_eq!(level.undecided.len(), 1);
    assert_eq!(level.undecided[0].rules, ["color:*"]);
    // Terrain that is cut out: red is a part of the picture, and no hazard.
    let shade = |pixel: u8| match pixel {
        0..100 => [0; 4],
        100 => [255, 0, 0, 255],
        pixel => [pixel, 80, 40, 255],
    };
    let picture: Vec<_> = (0..200).map(shade).collect();
    let level = read_png(&png(20, 10, ColorType::Rgba8, &picture.concat()));
    assert_eq!(planes(&level).solid.count_ones(), 100);
    assert_eq!(level.undecided.len(), 1, "{:?}", level.undecided);
    assert!(level.undecided[0].is_sure);
}

/// Once the configuration says it, there is nothing to ask.
#[test]
fn the_lines_that_are_shown_settle_what_is_asked() {
    for (rows, _) in BITMAPS {
        let bytes = drawn(rows);
        for asked in read_png(&bytes).undecided {
            let line = asked.line_for(asked.guess);
            let level = read_with(&bytes, &toml::from_str(&line).unwrap()).unwrap();
            assert!(
                level
                    .undecided
                    .iter()
                    .all(|other| other.rules != asked.rules),
                "{rows}"
            );
        }
    }
}

#[test]
fn rules_set_meanings() {
    let samples = [[10, 20, 30], [255, 255, 255], [0, 0, 0]].concat();
    let bytes = png(3, 1, ColorType::Rgb8, &samples);
    let rules: Rules = toml::from_str(
        r#"solid = ["color:#0a141e"]
empty = ["color:#000"]
hazard = ["color:#ffffff"]"#,
    )
    .unwrap();
    let level = read_with(&bytes, &rules).unwrap();
    assert!(planes(&level).solid.get(0, 0));
    assert_eq!(planes(&level).solid.count_ones(), 1);
    assert_eq!(planes(&level).hazard.count_ones(), 1);
}

#[test]
fn sizes_are_checked_before_decoding() {
    // These files have no pixels: the error must be about the size.
    let text = error(&raw_png(70_000, 1, 8, 0, &[], &[]));
    assert!(text.contains("wider or higher than 65535 pixels"), "{text}");
    let text = error(&raw_png(60_000, 60_000, 1, 0, &[], &[]));
    assert!(
        text.contains("60000 x 60000 pixels, more than 67108864"),
        "{text}"
    );
    let text = error(&raw_png(0, 4, 8, 0, &[], &[]));
    assert!(text.contains("not a PNG that can be read"), "{text}");
}

// Viewers turn the picture by its EXIF data, and games do not.
#[test]
fn turned_bitmaps_are_refused() {
    let exif = |orientation: u8| {
        let mut data = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
        data.extend([orientation, 0, 0, 0, 0, 0, 0, 0]);
        raw_png(2, 1, 8, 0, &[("eXIf", data)], &[0, 0, 255])
    };
    assert!(planes(&read_png(&exif(1))).solid.get(0, 0));
    let text = error(&exif(6));
    assert!(text.contains("EXIF") && text.contains("help: "), "{text}");
}

#[test]
fn damaged_files_are_errors() {
    let whole = png(8, 8, ColorType::L8, &[0; 64]);
    assert!(error(b"").contains("not a PNG"));
    assert!(error(b"GIF89a").contains("not a PNG"));
    for cut in [10, 30, whole.len() / 2] {
        assert!(error(&whole[..cut]).contains("level.png"), "{cut}");
    }
    let empty = read_png(&png(2, 2, ColorType::L8, &[255; 4]));
    assert!(empty.warnings[0].contains("nothing is solid"));
}

/// Bitmaps, and what is decided.
const BITMAPS: [(&str, &str); 13] = [
    // A ground below a sky.
    (
        "bbbbbbbbbb/bbbbbbbbbb/bbbbbbbbbb/bbbbbbbbbb/tttttttttt/tttttttttt",
        "20 | 20 solid, or empty: color:#785028",
    ),
    // Walls all round.
    (
        "##########/#........#/#........#/#...##...#/##########",
        "28",
    ),
    // White walls.
    (
        "##########/##########/##########/##########/..######../..........",
        "46 | 46 solid, or empty: color:#000000 | 14 empty, or solid: color:#ffffff",
    ),
    // Marks.
    (
        "##########/#........#/#....b...#/#..r.....#/#........#/#........#/##########",
        "30",
    ),
    // Cut out of a transparent background.
    (
        "__________/__________/___tttt___/tttttttttt/tttttttttt",
        "24",
    ),
    // With snow and outlines.
    (
        "__________/___....___/___tttt___/tttttttttt/##########",
        "24 | 14 solid, or empty: color:#785028",
    ),
    // Other colours on black.
    (
        "##########/##########/##########/##########/tttttttttt/tttttttttt",
        "20 | 40 empty, or solid: color:#000000",
    ),
    // Black below another colour.
    (
        "tttttttttt/tttttttttt/tttttttttt/##########/##########",
        "20",
    ),
    // Nothing but a colour of a hazard, or of platforms.
    ("__________/__________/__________/rrrrrrrrrr", "0"),
    (
        "..........wwww........../......................../......................../wwwwwwwwwwwwwwwwwwwwwwww",
        "0",
    ),
    // A hazard that is most of it.
    (
        "rrrrrrrrrr/rrrrrrrrrr/rrrrrrrrrr/rrrrrrrrrr/##########",
        "10 | 40 hazard, or empty: color:#ff0000",
    ),
    // Black only, and white only.
    (
        "##########/##########",
        "20 | 20 solid, or empty: color:#000000",
    ),
    ("........../..........", "0"),
];
