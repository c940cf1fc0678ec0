//! What everything in a level is decided to be, and what is asked about: one table.
//!
//! A level is written as its tiles and its layers, with spaces between. A tile is a class, or
//! `name=value`, with commas between; `full` and `half` are tiles with such a shape. A layer is
//! its name, `:` for objects or `=` for cells, and its content: the numbers of tiles, with `/`
//! between rows, or objects with commas between. An object is its name, or `.` and its class, `@`,
//! and the columns that it covers. `!` is before the names of hidden layers; `_` is a space.
//!
//! What comes out is the collision in the lowest row, and what is asked about: how many, the
//! guess, what else it may be, and the rules.

use std::fmt::Write as _;

use baker_cli::source::{LevelFile, MemoryFiles, Rules, read_bytes};
use navmesh_bake::{Material, PassDirection, Shape};

use crate::maps::*;
use crate::twins::from_text;

/// Each character is so many cells wide: what matters little is not asked about.
const WIDE: u32 = 8;

fn tile(id: usize, text: &str) -> String {
    let shape = |top: u32| {
        let height = 16 - top;
        format!(
            "<objectgroup><object id=\"1\" y=\"{top}\" width=\"16\" height=\"{height}\"/></objectgroup>"
        )
    };
    let content = match (text, text.split_once('=')) {
        ("full", _) => shape(0),
        ("half", _) => shape(8),
        (_, Some((name, value))) => {
            format!("<properties><property name=\"{name}\" value=\"{value}\"/></properties>")
        }
        (class, None) => return format!("<tile id=\"{id}\" type=\"{class}\"/>"),
    };
    format!("<tile id=\"{id}\">{content}</tile>")
}

fn object(id: usize, text: &str, rows: usize) -> String {
    let (name, columns) = text.split_once('@').unwrap();
    let columns: Vec<u32> = columns.chars().map(|c| c.to_digit(10).unwrap()).collect();
    let (x, width) = (16 * WIDE * columns[0], 16 * WIDE as usize * columns.len());
    let y = 16 * (rows - 1);
    let (kind, name) = match name.strip_prefix('.') {
        Some(class) => ("type", class),
        None => ("name", name),
    };
    let name = name.replace('_', " ");
    format!(
        "<object id=\"{id}\" {kind}=\"{name}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"16\"/>"
    )
}

/// The TMX of a level.
fn tmx(tiles: &str, layers: &str) -> String {
    let first = layers.split(' ').find_map(|layer| layer.split_once('='));
    let cells = first.map_or("0000", |(_, cells)| cells);
    let (columns, rows) = (
        WIDE as usize * cells.find('/').unwrap_or(cells.len()),
        cells.split('/').count(),
    );
    let tiles: String = tiles
        .split(',')
        .enumerate()
        .map(|(id, text)| tile(id, text))
        .collect();
    let mut content = tileset(&tiles);
    for text in layers.split(' ') {
        let (name, cells) = text.split_once([':', '=']).unwrap();
        let hidden = name.starts_with('!');
        let shown = name.trim_start_matches('!').replace('_', " ");
        let layer = if text.contains(':') {
            let list = cells
                .split(',')
                .filter(|object| !object.is_empty())
                .enumerate();
            objects(
                &shown,
                &list
                    .map(|(id, text)| object(id + 1, text, rows))
                    .collect::<String>(),
            )
        } else {
            let cells = cells.chars().filter(|c| *c != '/');
            let cells: Vec<String> = cells
                .flat_map(|c| std::iter::repeat_n(c.to_string(), WIDE as usize))
                .collect();
            layer(&shown, columns as u32, rows as u32, &cells.join(","))
        };
        let visible = if hidden {
            " visible=\"0\" name="
        } else {
            " name="
        };
        content += &layer.replacen(" name=", visible, 1);
    }
    map(columns as u32, rows as u32, &content)
}

/// The collision in the lowest row, and what is asked about.
fn decided(level: &LevelFile) -> String {
    let columns = (level.bounds.size().x / 16.0) as u32 / WIDE;
    let y = level.bounds.max.y - 4.0;
    let at = |column: u32| {
        let x = f64::from(column * WIDE) * 16.0 + 8.0;
        let holds = |shape: &Shape| {
            let rect = shape.bounds();
            rect.min.x <= x && x <= rect.max.x && rect.min.y <= y && y <= rect.max.y
        };
        let found = pieces(level).iter().find(|piece| holds(&piece.shape))?;
        Some(match (found.material, &found.shape) {
            (Material::Solid, Shape::Convex(points)) if points[1].x > points[0].x => '/',
            (Material::Solid, Shape::Convex(_)) => '\\',
            (Material::Solid, _) => '#',
            (Material::Hazard, _) => '^',
            (Material::Ladder, _) => 'H',
            (Material::OneWay(PassDirection::Up), _) => '-',
            (Material::OneWay(PassDirection::Down), _) => 'v',
            (Material::OneWay(PassDirection::Left), _) => '<',
            (Material::OneWay(PassDirection::Right), _) => '>',
        })
    };
    let mut text: String = (0..columns)
        .map(|column| at(column).unwrap_or('.'))
        .collect();
    for asked in &level.undecided {
        let others: Vec<&str> = asked.otherwise.iter().map(|other| other.list()).collect();
        let (guess, others, rules) = (asked.guess.list(), others.join("/"), asked.rules.join(", "));
        let sure = if asked.is_sure { "probably " } else { "" };
        let _ = write!(
            text,
            " | {} {sure}{guess}, or {others}: {rules}",
            asked.number
        );
    }
    text
}

/// Tiles, layers, and what is decided.
const LEVELS: [(&str, &str, &str); 77] = [
    // Names of layers.
    ("", "ground=1100", "##.."),
    ("", "Colliders=1100", "##.."),
    ("", "Platform_Layer=1100", "##.."),
    (
        "",
        "walls=1000 Spikes=0100 Ladders=0010 jumpThrough=0001",
        "#^H-",
    ),
    ("", "Terrain=1000 Platforms=0011", "#.--"),
    ("", "platforms=0110 collision=0110", ".##."),
    ("", "collision=1110 platforms=0011", "###-"),
    (
        "",
        "Ground=1110 collision=0011",
        "#### | 24 solid, or empty: layer:Ground",
    ),
    ("", "Ground=1110 collision=1110", "###."),
    ("", "Blocks=1000 collision=0011", "#.##"),
    (
        "",
        "ground=1110 stationary_platforms=0001",
        "###- | 8 one_way, or empty/solid: layer:stationary platforms",
    ),
    (
        "",
        "collision=1110 side_walls=0001",
        "###. | 8 empty, or solid: layer:side walls",
    ),
    (
        "",
        "walls=1000 spikez=0100",
        "#... | 8 empty, or hazard/solid/one_way: layer:spikez",
    ),
    (
        "",
        "walls=0001 suelo=1100",
        "##.# | 16 solid, or empty: layer:suelo",
    ),
    (
        "",
        "ground=0001 Crates=1000",
        "#..# | 8 solid, or empty: layer:Crates",
    ),
    ("", "ground=0001 grass=1110", "...#"),
    ("", "ground=0001 front=1110", "...#"),
    ("", "ground=0001 fg_graphics=1110", "...#"),
    (
        "",
        "walls=0001 rocks=0110",
        ".### | 16 solid, or empty: layer:rocks",
    ),
    (
        "",
        "walls=0001 saws=0110",
        "...# | 16 empty, or hazard/solid/one_way: layer:saws",
    ),
    ("", "!collision=1100", "##.."),
    ("", "!ground=1100 walls=0001", "...#"),
    ("", "coins=0011 ground=1100", "##.."),
    // Tiles.
    (
        "isSpike=true,blocked=,collide=True,soild=true",
        "x=1234",
        "^### | 8 solid, or empty: property:soild",
    ),
    (
        "type=ladder,nez:isOneWayPlatform=true,kind=x.Lava,Wall",
        "x=1234",
        "H-^#",
    ),
    (
        "unisolid=true,nocollide=true,physics.solid=true,one_way.left=true",
        "ground=1234",
        "-.#<",
    ),
    (
        "collision=solid,collision=jumpthru,collision=None,collision=Spike",
        "Main=1234",
        "#-.^",
    ),
    (
        "tile=block,tile=one_way,tile=torch,tile=true",
        "static=1234",
        "#-..",
    ),
    (
        "isSpike=true,collides=true",
        "ground=1230",
        "^#.. | 8 empty, or solid: layer:ground & !property:collides & !property:isSpike",
    ),
    ("collides=true", "Lava=1100 ground=0033", "^^##"),
    (
        "my_collision=true",
        "x=1000 walls=0001",
        "#..# | 8 solid, or empty: property:my_collision",
    ),
    (
        "collision=wobbly,collision=soild",
        "Main=1200 walls=0001",
        "##.# | 8 solid, or empty: property:collision=wobbly | 8 solid, or empty: property:collision=soild",
    ),
    (
        "solid=true",
        "coins=1100 walls=0011",
        "..## | 16 empty, or solid: property:solid",
    ),
    (
        "solid=true",
        "!secret=1100 walls=0011",
        "..## | 16 empty, or solid: layer:secret & property:solid",
    ),
    ("solid=true,platform=true", "main=1230", "#-.."),
    (
        "platform=true",
        "main=0000/1100/0000/2220",
        "###. | 24 solid, or empty/one_way: layer:main & !property:platform",
    ),
    ("Platform", "x=1100", "--.."),
    // Tiles beside others.
    (
        "collides=true",
        "Ground=1222",
        "#... | 24 empty, or solid: layer:Ground & !property:collides",
    ),
    ("collides=true", "Collision=1222", "####"),
    (
        "collides=true,slope=true",
        "Ground=1233",
        "#/.. | 16 empty, or solid: layer:Ground & !property:collides & !property:slope",
    ),
    (
        "full",
        "terrain=1112/1222/1111",
        "#### | 32 empty, or solid: tile:tiles#1",
    ),
    ("half", "terrain=1112/1222/1111", "####"),
    ("full", "collision=1112", "####"),
    ("one_way=true", "terrain=1222", "-###"),
    // Heaps.
    ("", "Solid:@3 Platforms=0000/1100/1100/1100", "##.#"),
    ("", "Solid:@3 Platforms=0000/1100/0000/1100", "--.#"),
    (
        "one_way=true",
        "ground=2220/1100/1100/1100",
        "--.. | 48 one_way, or solid: property:one_way",
    ),
    // Where nothing says what is solid.
    (
        "",
        "main=0000/0000/1111/1111",
        "#### | 64 probably solid, or empty: layer:main",
    ),
    (
        "",
        "main=0000/0000/1111/1111 deco=0000/0011/0000/0000",
        "#### | 64 probably solid, or empty: layer:main",
    ),
    (
        "",
        "sky=1111111111/1111111111/1111111111/1111111111/1111111111/1111111111/1111111111/1111111111/1111111111/1111111111 main=0000000000/0000000000/0000000000/0000000000/0000000000/0000000000/0000000000/0000000000/0111100110/1111111111",
        "########## | 128 probably solid, or empty: layer:main",
    ),
    (
        "estSolide=true,estPiege=true",
        "piques=2000 fond=0111",
        ".### | 8 empty, or hazard/solid/one_way: property:estPiege | 24 probably solid, or empty: property:estSolide",
    ),
    (
        "",
        "background=1110",
        "###. | 24 probably solid, or empty: layer:background",
    ),
    ("", "!solid=1100", "##.."),
    (
        "",
        "mur=1100 other=0011",
        "#### | 16 solid, or empty/one_way: layer:other",
    ),
    (
        "dirt",
        "main=1100",
        "##.. | 16 probably solid, or empty/one_way: class:dirt",
    ),
    (
        "",
        "lava=1100 main=0011",
        "^^## | 16 probably solid, or empty/one_way: layer:main",
    ),
    // Objects.
    (
        "",
        "collision:@01,start@2,.Goal@3,wall_left@3",
        "##.# | 2 empty, or solid: name:start, class:Goal",
    ),
    (
        "",
        "ground=1100 things:crate@2,.HiddenBox@3",
        "#### | 2 solid, or empty: name:crate, class:HiddenBox",
    ),
    (
        "",
        "ground=1100 things:movingPlatform@2,trigger_box@3",
        "##..",
    ),
    (
        "",
        "ground=1100 Spikes&amp;Objects:Spikes@0,Checkpoint@1,Collectible@2,LevelEnd@3",
        "##..",
    ),
    ("", "ground=1100 spikes:@2,saw@3", "##^^"),
    (
        "",
        "walls:@0,top_wall@1,red@2,coin@3",
        "###. | 1 solid, or empty: name:red",
    ),
    (
        "",
        "walls=1000 Platforms:lift@1,spawn@2,@3",
        "#..# | 1 solid, or one_way/empty: layer:Platforms & !name:lift & !name:spawn",
    ),
    ("", "ground=1100 things:.one_way@2,.hazard@3", "##-^"),
    ("", "ground=1100 things:.moving_platform@2", "##.."),
    (
        "",
        "ground=1100 Moving:.platform@2",
        "##.. | 1 empty, or one_way: class:platform",
    ),
    (
        "",
        "ground=1100 things:floor_spike@2,fire_enemy@3",
        "##.. | 1 empty, or hazard/solid: name:floor spike",
    ),
    (
        "",
        "ground=1100 limits:@2",
        "###. | 1 solid, or empty: layer:limits",
    ),
    ("", "ground=1100 things:.spawn@2", "##.."),
    (
        "",
        "ground=0000/1100 main=0000/0011 things:player@2,bat@3",
        "##..",
    ),
    // Rules of words that are no ground.
    ("", "no_collision=1100 ground=0011", "..##"),
    ("", "enemy_collision=1100 ground=0011", "..##"),
    // Layers of pictures.
    ("", "ground=0001 Trees=1110", "...#"),
    ("", "ground=0001 palms=0110", "...#"),
    ("", "ground=0001 clouds=1100", "...#"),
    ("", "Terrain=0001 Scenery=1110", "...#"),
    ("", "Graphics=1111/1111 collision=0000/1111", "####"),
];

/// An `IntGrid` layer, its values, and what is decided.
const VALUES: [(&str, &str, &str); 9] = [
    ("Cells", "Dark_wall,Platforms,green_acid,Ladders", "#-^H"),
    ("Floor", ",,Water", "#.. | 8 empty, or solid: intgrid:2"),
    (
        "SpikeCollisions",
        "spikes,attachment,,wall",
        "^^^# | 8 hazard, or empty: intgrid:attachment",
    ),
    (
        "Collisions",
        "light_wall,wall_bg,wall,wall",
        "#.## | 8 solid, or empty: intgrid:light_wall",
    ),
    (
        "Collisions",
        "dirt,jelly,wall,",
        "#### | 8 solid, or empty: intgrid:jelly",
    ),
    (
        "Hitboxes",
        "wall,,,spike",
        "###^ | 8 solid, or empty: intgrid:3",
    ),
    (
        "Cells",
        "Rock,Metal,,ladder",
        "###H | 8 probably solid, or empty: intgrid:Rock",
    ),
    ("Cells", "wall,SlopeRight,SlopeLeft,wall", "#//#"),
    (
        "Cells",
        "wall,stopFire,air,moss",
        "#... | 8 empty, or solid/hazard: intgrid:stopFire | 8 empty, or solid/one_way: intgrid:moss",
    ),
];

/// An LDtk project with an `IntGrid` layer of these values, each in one cell of a row.
fn project(layer: &str, values: &str) -> String {
    let (layer, values) = (layer.replace('_', " "), values.split(','));
    let numbers: Vec<String> = (1..=values.clone().count())
        .map(|i| i.to_string())
        .collect();
    let values: Vec<String> = (1..)
        .zip(values)
        .map(|(i, name)| match name {
            "" => format!("{{\"value\":{i},\"identifier\":null}}"),
            name => format!("{{\"value\":{i},\"identifier\":\"{name}\"}}"),
        })
        .collect();
    let numbers: Vec<String> = numbers
        .into_iter()
        .flat_map(|number| std::iter::repeat_n(number, WIDE as usize))
        .collect();
    let (columns, width) = (numbers.len(), 16 * numbers.len());
    let (values, cells) = (values.join(","), numbers.join(","));
    format!(
        "{{\"jsonVersion\":\"1.5.3\",\"defaultGridSize\":16,\"defs\":{{\"layers\":[{{\"uid\":1,\
         \"identifier\":\"{layer}\",\"__type\":\"IntGrid\",\"intGridValues\":[{values}]}}]}},\
         \"levels\":[{{\"identifier\":\"A\",\"pxWid\":{width},\"pxHei\":16,\"layerInstances\":[\
         {{\"__identifier\":\"{layer}\",\"__type\":\"IntGrid\",\"__cWid\":{columns},\"__cHei\":1,\
         \"__gridSize\":16,\"layerDefUid\":1,\"intGridCsv\":[{cells}]}}]}}]}}"
    )
}

#[test]
fn int_grid_values_are_decided() {
    let mut wrong = Vec::new();
    for (layer, values, expected) in VALUES {
        let level = from_text("a.ldtk#A", &project(layer, values), &[]).unwrap();
        let decided = decided(&level);
        if decided != expected {
            wrong.push(format!("{layer} {values}: {decided}"));
        }
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn everything_in_a_level_is_decided() {
    let mut wrong = Vec::new();
    for (tiles, layers, expected) in LEVELS {
        let level = read(&tmx(tiles, layers)).unwrap_or_else(|error| panic!("{layers}: {error}"));
        let decided = decided(&level);
        if decided != expected {
            wrong.push(format!("{tiles} {layers}: {decided}"));
        }
    }
    assert_eq!(wrong, [""; 0]);
}

/// Rules do not change what they are not about. Only a guess that was made because nothing is
/// solid is dropped when a rule says what is.
#[test]
fn a_rule_about_one_layer_changes_no_other() {
    for (tiles, layers, _) in LEVELS {
        let tmx = tmx(tiles, layers);
        let before = read(&tmx).unwrap();
        let states = ["(name \"", "(property", "(class", "(collision shapes"];
        let is_stated = |line: &String| {
            line.contains(": collision:") && states.iter().any(|text| line.contains(text))
        };
        if !before.decisions.iter().any(is_stated) {
            continue;
        }
        for (index, text) in layers.split(' ').enumerate() {
            let (name, _) = text.split_once([':', '=']).unwrap();
            let name = name
                .trim_start_matches('!')
                .replace('_', " ")
                .replace("&amp;", "&");
            for list in ["solid", "empty", "one_way"] {
                let rules = rules(&format!("{list} = [\"layer:{name}\"]"));
                let after = read_with(&tmx, &[], &rules).unwrap();
                for (other, (before, after)) in
                    before.decisions.iter().zip(&after.decisions).enumerate()
                {
                    if other != index {
                        assert_eq!(before, after, "{list} {name}: {layers}");
                    }
                }
            }
        }
    }
}

/// The lines that are shown settle the question, in both ways.
#[test]
fn the_lines_that_are_shown_settle_what_is_asked() {
    for (tiles, layers, _) in LEVELS {
        let tmx = tmx(tiles, layers);
        for asked in read(&tmx).unwrap().undecided {
            for meaning in [&[asked.guess], &asked.otherwise[..]].concat() {
                let rules = rules(&asked.line_for(meaning));
                let settled = read_with(&tmx, &[], &rules).unwrap();
                assert_eq!(settled.unused_rules, [""; 0], "{layers}");
                let mut left = settled.undecided.iter();
                assert!(
                    left.all(|other| other.rules != asked.rules),
                    "{layers}: {asked}"
                );
            }
        }
    }
}

#[test]
fn tiles_of_ldtk_are_collision_by_a_rule() {
    let tile = |x: u32| format!("{{\"px\":[{x},0],\"src\":[0,0],\"t\":7}}");
    let tiles = format!(
        "{{\"__identifier\":\"Tiles\",\"__type\":\"Tiles\",\"__cWid\":{},\"__cHei\":1,\"__gridSize\":16,\
         \"layerDefUid\":2,\"gridTiles\":[{},{}]}},",
        3 * WIDE,
        tile(0),
        tile(32 * WIDE)
    );
    let text = project("Collisions", "wall,,").replace(
        "\"layerInstances\":[",
        &format!("\"layerInstances\":[{tiles}"),
    );
    let read = |rules: &Rules| {
        let files = MemoryFiles::default();
        decided(&read_bytes("a.ldtk", text.as_bytes(), &files, rules).unwrap())
    };
    assert!(read(&Rules::default()).starts_with("###"));
    let rules = rules("hazard = [\"layer:Tiles\"]\nempty = [\"layer:Collisions\"]");
    assert_eq!(read(&rules), "^.^");
}

/// The line of a name that TOML or a rule cannot have as it is.
#[test]
fn lines_match_any_name() {
    for name in ["Trees & Rocks", "Main ", "a \"b\""] {
        let tag = name.replace('&', "&amp;").replace('"', "&quot;");
        let tmx = tile_map(8, 1, "", &tag, "1,1,1,1,1,1,1,1");
        let asked = &read(&tmx).unwrap().undecided[0];
        let level = read_with(&tmx, &[], &rules(&asked.line_for(asked.guess))).unwrap();
        assert_eq!(decided(&level), "#", "{asked}");
        assert!(asked.to_string().contains("solid = ["), "{asked}");
    }
}

fn rules(table: &str) -> Rules {
    toml::from_str(table).unwrap()
}
