//! Collision bitmaps.

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

#[test]
fn unknown_colours_are_listed() {
    let mut samples = [255u8; 3].repeat(12);
    samples[12..15].copy_from_slice(&[1, 2, 3]);
    samples[15..18].copy_from_slice(&[0x80, 0, 0]);
    samples[18..21].copy_from_slice(&[0x80, 0, 0]);
    let text = error(&png(3, 4, ColorType::Rgb8, &samples));
    assert_eq!(
        text,
        "level.png: 2 colours without a meaning, first at pixel (1, 1): #800000 (2 pixels), #010203 (1 pixels)\n\
         help: of the large areas, that of #800000 lies lowest; if that is the ground, put this into navbake.toml \
         beside the level:\n    [collision]\n    solid = [\"color:#800000\"]\n    empty = [\"color:*\"]\n\
         help: there are also one_way, hazard and ladder; `color:*` is all colours that are in no list"
    );
    // The sky has more pixels than the ground, which lies below it.
    let mut samples = [0x80, 0xc0, 0xff].repeat(80);
    samples.extend([0x10, 0x20, 0x30].repeat(20));
    let text = error(&png(10, 10, ColorType::Rgb8, &samples));
    assert!(text.contains("solid = [\"color:#102030\"]"), "{text}");
    // Half transparent pixels are unknown colours.
    let text = error(&png(1, 1, ColorType::Rgba8, &[0, 0, 0, 128]));
    assert!(
        text.contains("1 colour without") && text.contains("#00000080"),
        "{text}"
    );
    // Unknown colours are counted up to a limit.
    let photo: Vec<u8> = (0..100 * 100 * 3)
        .map(|i: u32| (i.wrapping_mul(i).wrapping_mul(2_654_435_761) >> 17) as u8)
        .collect();
    let text = error(&png(100, 100, ColorType::Rgb8, &photo));
    assert!(text.contains("more than 4096 colours"), "{text}");
}

/// A bitmap of 20 x 10 pixels: `#` black, `.` white, ` ` transparent, and colours.
fn drawn(rows: [&str; 10]) -> Vec<u8> {
    let pixels = rows.iter().flat_map(|row| row.chars());
    let samples = pixels.map(|pixel| match pixel {
        '#' => [0, 0, 0, 255],
        '.' => [255; 4],
        'r' => [255, 0, 0, 255],
        'g' => [0, 255, 0, 255],
        'b' => [0, 38, 255, 255],
        'w' => [0, 0, 255, 255],
        't' => [120, 80, 40, 255],
        _ => [0; 4],
    });
    png(
        20,
        10,
        ColorType::Rgba8,
        &samples.collect::<Vec<_>>().concat(),
    )
}

#[test]
fn the_ground_is_guessed_from_all_colours() {
    let lines = |rows: [&str; 10]| {
        let text = error(&drawn(rows));
        let lines = text.lines().filter(|line| line.starts_with("    "));
        let lines: Vec<_> = lines.skip(1).map(|line| line.trim().to_owned()).collect();
        lines.join(" ")
    };
    let (sky, air) = ("####################", "                    ");
    // White floor beneath black, and a mark of the player.
    let inverted = [
        sky,
        sky,
        sky,
        "##b###########.....#",
        sky,
        sky,
        "....##..........####",
        "....##..............",
        "....##..............",
        "....................",
    ];
    assert_eq!(
        lines(inverted),
        "solid = [\"color:#ffffff\"] empty = [\"color:#000000\", \"color:*\"]"
    );
    // The same cave with black walls: only the mark has no meaning.
    let mut cave = inverted.map(|row| row.replace('.', "x").replace('#', ".").replace('x', "#"));
    assert_eq!(
        lines(cave.each_ref().map(String::as_str)),
        "empty = [\"color:*\"]"
    );
    // In a drawing of black and one other colour, either may be the air: the ground is what
    // lies lower, and where nothing does, black.
    let earth = "tttttttttttttttttttt";
    let two = |black: usize| {
        lines(std::array::from_fn(
            |row| if row < black { sky } else { earth },
        ))
    };
    let rules = "solid = [\"color:#785028\"] empty = [\"color:#000000\", \"color:*\"]";
    assert_eq!([two(6), two(4)], [rules; 2]);
    let text = error(&drawn(std::array::from_fn(|row| {
        if row < 4 { earth } else { sky }
    })));
    let rest =
        "unless black is the air: then solid = [\"color:*\"] and empty = [\"color:#000000\"]";
    for part in [rest, "    [collision]\n    empty = [\"color:*\"]\n"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Terrain with several colours, cut out of a transparent background.
    cave[3] = air.to_owned();
    let terrain = cave.map(|row| {
        row.replace('.', " ")
            .replacen('#', "t", 9)
            .replace('#', "b")
    });
    assert_eq!(
        lines(terrain.each_ref().map(String::as_str)),
        "solid = [\"color:*\"]"
    );
    // With black outlines and white snow, which lie lower than the rest.
    let outlined = [
        air,
        air,
        air,
        "    tttt            ",
        "   tttttt           ",
        "tttttttttttttttttttt",
        "tttttttttttttttttttt",
        "....tttttttttttttttt",
        "####################",
        "####################",
    ];
    assert_eq!(lines(outlined), "solid = [\"color:*\", \"color:#ffffff\"]");
    // In a picture of many colours, red and blue are no hazard and no platform either.
    let shade = |pixel: u8| match pixel {
        0..100 => [0; 4],
        100 => [255, 0, 0, 255],
        101 => [0, 0, 255, 255],
        pixel => [pixel, 80, 40, 255],
    };
    let picture: Vec<_> = (0..200).map(shade).collect();
    let text = error(&png(20, 10, ColorType::Rgba8, &picture.concat()));
    let rules = "    solid = [\"color:*\", \"color:#ff0000\", \"color:#0000ff\"]\n";
    assert!(text.contains(rules), "{text}");
    // Black ground with a soft edge and a mark.
    let mask = outlined.map(|row| row.replace(['t', '.'], "#").replacen("    #", "    t", 1));
    assert_eq!(
        lines(mask.each_ref().map(String::as_str)),
        "empty = [\"color:*\"]"
    );
}

#[test]
fn ground_of_pictures_on_black_is_told_from_marks() {
    // 40 x 10 pixels: ground from the eighth row on, with a gap, and single pixels.
    let guess = |air: [u8; 4], colors: u8| {
        let pixel = |index: u32| match (index % 40, index / 40) {
            (10..14, _) => air,
            (x, 8..) => [120 + x as u8 % colors, 80, 40, 255],
            (3, 7) => [255, 0, 255, 255],
            (20 | 30, 4) => [255, 255, 0, 255],
            _ => air,
        };
        let samples: Vec<_> = (0..400).map(pixel).collect();
        let text = error(&png(40, 10, ColorType::Rgba8, &samples.concat()));
        let (_, lines) = text.split_once("    [collision]\n").unwrap();
        let lines = lines.lines().take_while(|line| line.starts_with("    "));
        lines.map(str::trim).collect::<Vec<_>>().join(" ")
    };
    let (black, clear) = ([0, 0, 0, 255], [0; 4]);
    let ground = "solid = [\"color:#785028\"] empty = [";
    assert_eq!(
        guess(black, 1),
        format!("{ground}\"color:#000000\", \"color:*\"]")
    );
    assert_eq!(guess(clear, 1), format!("{ground}\"color:*\"]"));
    // Pictures of many colours are ground as a whole.
    assert_eq!(
        guess(black, 40),
        "solid = [\"color:*\"] empty = [\"color:#000000\"]"
    );
}

#[test]
fn single_pixels_beside_walls_of_a_known_colour_are_marks() {
    // Red walls around white or transparent air, and one pixel of another colour.
    let guess = |air: [u8; 4]| {
        let pixel = |index: u32| match (index % 24, index / 24) {
            (0 | 23, _) | (_, 0 | 9) => [255, 0, 0, 255],
            (3, 8) => [255, 0, 255, 255],
            _ => air,
        };
        let samples: Vec<_> = (0..240).map(pixel).collect();
        error(&png(24, 10, ColorType::Rgba8, &samples.concat()))
    };
    for air in [[255; 4], [0; 4]] {
        let text = guess(air);
        let rules = "    solid = [\"color:#ff0000\"]\n    empty = [\"color:*\"]\n";
        assert!(text.contains(rules), "{text}");
    }
    // Below a sky, grass is ground like the earth below it, and clouds are not.
    let pixel = |index: u32| match (index % 40, index / 40) {
        (_, 8..) => [120, 80, 40, 255],
        (_, 7) => [76, 255, 0, 255],
        (5..15, 1) => [230, 230, 230, 255],
        _ => [90, 160, 230, 255],
    };
    let samples: Vec<_> = (0..400).map(pixel).collect();
    let text = error(&png(40, 10, ColorType::Rgba8, &samples.concat()));
    let rules = "    solid = [\"color:#785028\", \"color:#4cff00\"]\n    empty = [\"color:*\"]\n";
    assert!(text.contains(rules), "{text}");
}

#[test]
fn masks_of_a_colour_that_means_something_else_are_warned_about() {
    let warnings = |air: &str, color: &str, rows: usize| {
        let row = |row| if row < rows { air } else { color }.repeat(20);
        let rows: [String; 10] = std::array::from_fn(row);
        read_png(&drawn(rows.each_ref().map(String::as_str))).warnings
    };
    for (color, name) in [("r", "#ff0000"), ("w", "#0000ff"), ("g", "#00ff00")] {
        for rows in [4, 8] {
            let found = warnings("#", color, rows);
            let rule = format!("solid = [\"color:{name}\"] and empty = [\"color:#000000\"] under");
            assert_eq!(found.len(), 1, "{found:#?}");
            assert!(found[0].contains(&rule), "{found:#?}");
        }
        // Ground that fills most of it is not called the background.
        for air in [".", " "] {
            let found = warnings(air, color, 4).join("\n");
            let rule = format!("if it is ground, write solid = [\"color:{name}\"]");
            assert!(
                found.contains(&rule) && !found.contains("empty ="),
                "{found}"
            );
        }
    }
    // Lava below black ground and white air is what it says.
    let row = |row| {
        [
            "....................",
            "####################",
            "rrrrrrrrrrrrrrrrrrrr",
        ][row / 4]
    };
    assert_eq!(read_png(&drawn(std::array::from_fn(row))).warnings, [""; 0]);
}

#[test]
fn meanings_that_are_probably_not_meant_are_warned_about() {
    let (sky, air) = ("####################", "                    ");
    let floor = ["...................."; 2];
    let level = |rows: [&str; 10], rules: &str| {
        let level = read_with(&drawn(rows), &toml::from_str(rules).unwrap()).unwrap();
        level.warnings.join("\n")
    };
    // Inverted without any unknown colour, with an enemy and a goal.
    let rows = [
        sky,
        sky,
        "##r#################",
        sky,
        "##################g#",
        sky,
        sky,
        sky,
        floor[0],
        floor[1],
    ];
    let text = level(rows, "");
    for part in [
        "black is solid, but white is probably the wall and black, 79 % of the bitmap, the air: if so, write solid",
        "solid = [\"color:#ffffff\"] and empty = [\"color:#000000\"]",
        "#ff0000 is hazard, and 1 of 200 pixels have it: if it marks places, write empty = [\"color:#ff0000\"]",
        "#00ff00 is ladder",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Once the configuration says it, there is nothing to ask.
    let rules = "solid = [\"color:#ffffff\"]\nempty = [\"color:#000000\", \"color:#00ff00\"]\n\
                 hazard = [\"color:#ff0000\"]";
    assert_eq!(level(rows, rules), "");
    // A mask of one colour, which is not black.
    let red = "rrrrrrrrrrrrrrrrrrrr";
    let mask = [air, air, air, air, air, air, air, air, red, red];
    assert!(
        level(mask, "").contains(
            "nothing is solid; if #ff0000 is ground, write solid = [\"color:#ff0000\"] under [collision]"
        ),
        "{}",
        level(mask, "")
    );
    // One-way platforms and hazards alone are another game's colours.
    let blue = "bbbbbbbbbbbbbbbbbbbb";
    let mask = [air, air, air, air, air, air, air, air, air, blue].map(|row| row.replace('b', "w"));
    let text = level(mask.each_ref().map(String::as_str), "");
    assert!(text.contains("nothing is solid; if #0000ff"), "{text}");
    // A hazard that fills most of it is the background.
    let text = level([red, red, red, red, red, red, red, sky, sky, sky], "");
    assert!(
        text.contains("140 of 200 pixels have it: if it is the background"),
        "{text}"
    );
    // A cave with walls all round is no inverted level.
    let hall = "#..................#";
    let cave = [sky, sky, sky, hall, hall, sky, sky, sky, sky, sky];
    assert_eq!(level(cave, ""), "");
    // In a picture of terrain, a hazard may be a colour like the others.
    let shade = |pixel: u8| match pixel {
        0..10 => [255, 0, 0, 255],
        pixel => [pixel, 80, 40, 255],
    };
    let picture: Vec<_> = (0..200).map(shade).collect();
    let rules = toml::from_str("solid = [\"color:*\"]").unwrap();
    let level = read_with(&png(20, 10, ColorType::Rgba8, &picture.concat()), &rules).unwrap();
    assert_eq!(
        level.warnings,
        [
            "level.png: #ff0000 is hazard, and 10 of 200 pixels have it: if it is a part of the picture, write \
          solid = [\"color:#ff0000\"] under [collision]"
        ]
    );
}

#[test]
fn what_a_mask_shows_is_white() {
    let (rock, floor) = ("####################", "....................");
    let hall = "#..................#";
    let cave = [rock, rock, rock, hall, hall, rock, rock, rock, rock, rock];
    let read = |name: &str, rows: [&str; 10]| {
        let rules = Rules::default();
        read_bytes(name, &drawn(rows), &MemoryFiles::default(), &rules)
    };
    let warnings = |name: &str| read(name, cave).unwrap().warnings.join("\n");
    let inverted = "solid = [\"color:#ffffff\"] and empty = [\"color:#000000\"]";
    assert!(warnings("masks/cave_mask2.png").contains(inverted));
    assert_eq!(warnings("masks/cave.png"), "");
    // The few greys at the edges of what is drawn do not make it another picture.
    let edge = "#..................t";
    let edges = [rock, rock, rock, edge, hall, rock, rock, rock, rock, rock];
    let text = read("mask.png", edges).unwrap_err().to_string();
    assert!(text.contains("white is probably the wall"), "{text}");
    // A picture of the level in which the ground is black.
    let sky = "tttttttttttttttttttt";
    let (hill, trees) = ("ttttttt##########ttt", "bbbbbbbbbbbbbbbbbbbb");
    let picture = [sky, sky, sky, sky, trees, trees, trees, hill, hill, rock];
    let text = read("mask.png", picture).unwrap_err().to_string();
    let lines = "    [collision]\n    empty = [\"color:*\"]";
    assert!(text.contains(lines) && !text.contains("solid = "), "{text}");
    assert!(read("mask.png", [floor; 10]).unwrap().warnings[0].contains("nothing is solid"));
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
