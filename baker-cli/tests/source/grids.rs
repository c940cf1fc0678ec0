//! Levels drawn as grids: text files, CSV files and maps of PICO-8.

use baker_cli::source::{GridRules, Legend, LevelFile, MemoryFiles, Rules, read_bytes};
use proptest::prelude::*;

use crate::maps::{first_row, rect, shapes};
use crate::random_cases;
use navmesh_bake::Material;

fn legend(toml: &str) -> Legend {
    toml::from_str(toml).unwrap_or_else(|error| panic!("{error}"))
}

fn read_with(name: &str, text: &[u8], toml: &str, side: Option<u32>) -> Result<LevelFile, String> {
    let grid = GridRules {
        legend: legend(toml),
        cell_size: side,
    };
    let rules = Rules {
        grid,
        ..Rules::default()
    };
    let level = read_bytes(name, text, &MemoryFiles::default(), &rules);
    level.map_err(|error| error.to_string())
}

fn read(name: &str, text: &str, toml: &str) -> Result<LevelFile, String> {
    read_with(name, text.as_bytes(), toml, None)
}

const LEGEND: &str = "'#' = 'solid'\n'=' = 'one_way'\n'^' = 'hazard'\n'H' = 'ladder'\n'S' = 'spawn:hero'\n\
    'D' = 'door'\n'c' = 'class:coin'\n'.' = 'empty'\n'<' = 'one_way_left'";

#[test]
fn text_levels_are_read_with_a_legend() {
    let level = read("a.txt", "#=^H.<\nS DDc\n######\n", LEGEND).unwrap();
    assert_eq!(first_row(&level), "#-^H.<");
    assert_eq!(level.tile_size, Some([16, 16]));
    assert_eq!(level.bounds.max.to_array(), [96.0, 48.0]);
    let markers = level.markers.iter();
    let markers: Vec<_> = markers
        .map(|m| {
            (
                &*m.class,
                &*m.name,
                m.area.min.to_array(),
                m.area.max.to_array(),
            )
        })
        .collect();
    // A door is one marker, a coin is one for each cell.
    let expected = [
        ("spawn", "hero", [0.0, 16.0], [16.0, 32.0]),
        ("door", "", [32.0, 16.0], [64.0, 32.0]),
        ("coin", "", [64.0, 16.0], [80.0, 32.0]),
    ];
    assert_eq!(markers, expected);
    let ids = level
        .markers
        .iter()
        .map(|marker| marker.properties[0].clone());
    let expected = ["1", "2", "3"].map(|id| ("id".to_owned(), id.to_owned()));
    assert_eq!(ids.collect::<Vec<_>>(), expected);
    // Blocks that touch are one piece.
    assert!(shapes(&level).contains(&(Material::Solid, rect(0., 32., 96., 48.))));
    let level = read_with("a.txt", b"#", "'#' = 'solid'", Some(40)).unwrap();
    assert_eq!(shapes(&level), [(Material::Solid, rect(0., 0., 40., 40.))]);
}

#[test]
fn short_lines_byte_order_marks_and_line_ends_are_read() {
    for text in [
        "##.\n#\n###",
        "\u{feff}##.\r\n#\r\n###\r\n\r\n",
        "## \n#  \n###\n",
    ] {
        let level = read("a.txt", text, LEGEND).unwrap();
        let expected = [
            rect(0., 0., 32., 16.),
            rect(0., 16., 16., 32.),
            rect(0., 32., 48., 48.),
        ];
        let shapes: Vec<_> = shapes(&level).into_iter().map(|(_, shape)| shape).collect();
        assert_eq!(shapes, expected, "{text:?}");
        assert_eq!(level.bounds.max.to_array(), [48.0, 48.0]);
    }
    // One character for everything.
    let level = read("a.txt", "xx\nxx", "other = 'solid'").unwrap();
    assert_eq!(shapes(&level), [(Material::Solid, rect(0., 0., 32., 32.))]);
    let level = read("a.txt", "xx\nxx", "x = 'empty'").unwrap();
    assert!(
        level.warnings[0].starts_with("a.txt: nothing is solid"),
        "{:?}",
        level.warnings
    );
}

#[test]
fn errors_name_line_and_column_and_the_line_to_add() {
    let wide = "#".repeat(4097);
    let high = "#\n".repeat(4096);
    for (name, text, part) in [
        (
            "a.txt",
            "##\n#~\n~",
            "a.txt:2: column 2: the character \"~\" has no meaning\nhelp: say what they are",
        ),
        (
            "a.txt",
            "##\n#~\n~",
            "[legend]\n    \"~\" = \"solid\"   # in 2 cells",
        ),
        (
            "a.txt",
            "#\t#",
            "a.txt:1: column 2: the character \"\\t\" has no meaning",
        ),
        ("a.txt", " \n\n", "the file is empty"),
        ("a.txt", "", "the file is empty"),
        (
            "a.txt",
            &format!("{wide}\n{high}"),
            "4097 x 4097 cells are more than 16777216",
        ),
        (
            "a.csv",
            "1,1\n1,2,1",
            "a.csv:2: 3 values, where the first line has 2",
        ),
        (
            "a.csv",
            "1,2\n2,1",
            "a.csv:1: column 2: the value \"2\" has no meaning",
        ),
        (
            "a.csv",
            "1,0,-1",
            "a.csv:1: column 2: the value \"0\" has no meaning",
        ),
        (
            "a.p8",
            "pico-8 cartridge\n__lua__\n",
            "a.p8: the cartridge has no map",
        ),
        (
            "a.p8",
            "__map__\n0x",
            "a.p8:2: a line of __map__ has other characters",
        ),
        (
            "a.p8",
            "__map__\n02",
            "no sprite of the map has a flag or a number",
        ),
    ] {
        let error = read(name, text, "'#' = 'solid'\n1 = 'solid'")
            .map(|_| ())
            .unwrap_err();
        assert!(error.contains(part), "{part:?} is not in {error:?}");
    }
    let error = read_with("a.txt", b"#\xff", LEGEND, None).unwrap_err();
    assert!(error.contains("not UTF-8"), "{error}");
}

/// Without a legend, levels of the Video Game Level Corpus are read.
#[test]
fn built_in_legends_are_used_where_only_one_fits() {
    let read = |text: &str, toml: &str| read("a.txt", text, toml);
    assert_eq!(first_row(&read("-o?X\nXXXX", "").unwrap()), "..##");
    assert_eq!(first_row(&read("-TH#", "").unwrap()), ".-^#");
    assert_eq!(first_row(&read("b.#B", "").unwrap()), "#.H#");
    assert_eq!(first_row(&read("|-Pl#", "").unwrap()), "H...#");
    assert_eq!(first_row(&read("#.^S", "").unwrap()), "#.^.");
    // Both fit and agree.
    assert_eq!(
        first_row(&read("#- #", "use = 'kid-icarus'").unwrap()),
        "#..#"
    );
    let error = read("#-H#", "").unwrap_err();
    let parts = [
        "two built-in legends fit, plain and kid-icarus, in which \"-\"",
        "use = \"kid-icarus\"",
    ];
    assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    // Entries come before those of the legend that they extend.
    let legend = "use = 'kid-icarus'\n'-' = 'ladder'\n'~' = 'hazard'";
    assert_eq!(first_row(&read("#-~T", legend).unwrap()), "#H^-");
}

#[test]
fn csv_files_are_read() {
    let legend = "'1-3' = 'solid'\n2 = 'hazard'\nw = 'one_way'";
    for text in [
        "0,1,2,3,w\n",
        "0;1;2;3;w;\r\n",
        "0\t1\t2\t3\tw",
        "-1,1,2,\"3\",w",
        ",1,2,3, w ",
    ] {
        let level = read("a.csv", text, legend).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        assert_eq!(first_row(&level), ".#^#-", "{text:?}");
    }
    let level = read(
        "a.csv",
        "0,7,8",
        "other = 'solid'\n7 = 'empty'\n0 = 'empty'",
    )
    .unwrap();
    assert_eq!(first_row(&level), "..#");
}

/// A cartridge with a row of pixels in the lower half of the sprites, rows of the map, and
/// flags of the first sprites, two digits each.
fn cartridge(pixels: &str, rows: &[&str], flags: &str) -> String {
    let row = |digits: &str, length: usize| format!("{digits:0<length$}\n");
    let picture = row("", 128).repeat(64) + &row(pixels, 128);
    let map: String = rows.iter().map(|digits| row(digits, 256)).collect();
    format!(
        "pico-8 cartridge\nversion 41\n__lua__\nx=1\n__gfx__\n{picture}__gff__\n{flags}\n__map__\n{map}__sfx__\n00\n"
    )
}

#[test]
fn maps_of_pico8_are_read() {
    let cells = |level: &LevelFile| {
        let middle = |column: u32| f64::from(column) * 8.0 + 4.0;
        let at = |column| {
            shapes(level).into_iter().find(|(_, shape)| {
                let area = shape.bounds();
                area.min.y == 0.0 && (area.min.x..area.max.x).contains(&middle(column))
            })
        };
        (0..4)
            .map(|column| at(column).map(|(material, _)| material.name()))
            .collect::<Vec<_>>()
    };
    let text = cartridge("", &["00010203", "01"], "000102");
    let level = read("a.p8", &text, "").unwrap();
    assert_eq!(cells(&level), [None, Some("solid"), None, None]);
    assert_eq!(
        (level.tile_size, level.bounds.max.to_array()),
        (Some([8, 8]), [1024.0, 16.0])
    );
    let legend = "'flag:1' = 'one_way'\n'flag:0' = 'solid'\n3 = 'hazard'";
    let level = read("a.p8", &text, legend).unwrap();
    assert_eq!(
        cells(&level),
        [None, Some("solid"), Some("one-way"), Some("hazard")]
    );
    // Rows 32 to 63 are stored with the lower half of the sprites, the digits of each byte
    // exchanged.
    let rows = |pixels: &str| {
        let level = read("a.p8", &cartridge(pixels, &["000102"], "0001"), "").unwrap();
        level.bounds.max.y / 8.0
    };
    assert_eq!(rows("001020"), 33.0, "the same sprites as above");
    assert_eq!(rows("77f8e1"), 1.0, "a picture");
}

proptest! {
    #![proptest_config(random_cases::cases(200))]

    // Any bytes are a level or an error, and a level has one cell for each character.
    #[test]
    fn grids_never_panic(
        which in 0_usize..3,
        text in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..200),
            "[#.=^HSDc<\\-0-9,;\t\r\n]{0,200}".prop_map(String::into_bytes),
            "__map__\n[0-9a-f\n]{0,200}\n__gff__\n[0-9a-f]{0,40}".prop_map(String::into_bytes),
        ],
        toml in prop_oneof![Just(""), Just(LEGEND), Just("other = 'solid'")],
    ) {
        let name = ["a.txt", "a.csv", "a.p8"][which];
        match read_with(name, &text, toml, None) {
            Ok(level) => prop_assert!(level.bounds.size().min_element() > 0.0),
            Err(error) => prop_assert!(error.starts_with(name), "{error}"),
        }
    }
}
