//! Objects of every kind are where Tiled draws them.

use glam::dvec2;

use crate::maps::*;
use baker_cli::source::{LevelFile, Rules};
use navmesh_bake::{Material, Rect, Shape};

/// Reads objects of a collision layer.
fn solid(list: &str) -> Vec<Shape> {
    solid_with("", list)
}

fn solid_with(tilesets: &str, list: &str) -> Vec<Shape> {
    let layer = objects("My Collision Layer", list);
    let level = read(&map(8, 8, &format!("{tilesets}{layer}"))).unwrap();
    assert!(pieces(&level).iter().all(|p| p.material == Material::Solid));
    shapes(&level).into_iter().map(|(_, shape)| shape).collect()
}

fn near(shape: &Shape, wanted: &[(f64, f64)]) {
    let points = sorted(shape);
    assert_eq!(points.len(), wanted.len(), "{points:?}");
    for (point, wanted) in points.iter().zip(wanted) {
        let off = (point.0 - wanted.0).abs().max((point.1 - wanted.1).abs());
        assert!(off < 1e-4, "{points:?} is not {wanted:?}");
    }
}

#[test]
fn rectangles_rotate_about_their_corner() {
    let at = |rotation: &str| {
        solid(&format!(
            r#"<object id="1" x="50" y="40" width="20" height="10" rotation="{rotation}"/>"#
        ))
    };
    assert_eq!(at("0"), [rect(50., 40., 70., 50.)]);
    assert_eq!(at("90"), [rect(40., 40., 50., 60.)]);
    assert_eq!(at("-270"), [rect(40., 40., 50., 60.)]);
    assert_eq!(at("180"), [rect(30., 30., 50., 40.)]);
    assert_eq!(at("-90"), [rect(50., 20., 60., 40.)]);
    // Clockwise: the right end goes down.
    let turned = at("30");
    let (s, c) = (0.5, 3f64.sqrt() / 2.);
    near(
        &turned[0],
        &[
            (50. - 10. * s, 40. + 10. * c),
            (50., 40.),
            (50. + 20. * c - 10. * s, 40. + 20. * s + 10. * c),
            (50. + 20. * c, 40. + 20. * s),
        ],
    );
}

#[test]
fn outlines_of_every_kind_are_read() {
    let concave = r#"<object id="1" x="10" y="10"><polygon points="0,0 20,0 20,10 10,10 10,20 0,20"/></object>"#;
    assert_eq!(solid(concave).len(), 2);
    let line = r#"<object id="1" x="10" y="10"><polyline points="0,0 20,0 20,30"/></object>"#;
    assert_eq!(
        solid(line),
        [
            convex(&[(10., 10.), (30., 10.)]),
            convex(&[(30., 10.), (30., 40.)])
        ]
    );
    let ellipse =
        solid(r#"<object id="1" x="10" y="20" width="40" height="20"><ellipse/></object>"#);
    let points = sorted(&ellipse[0]);
    assert_eq!(points.first(), Some(&(10., 30.)));
    assert_eq!(points.last(), Some(&(50., 30.)));
    assert!(points.contains(&(30., 20.)) && points.contains(&(30., 40.)));
    let turned = solid(
        r#"<object id="1" x="10" y="20" width="40" height="20" rotation="90"><ellipse/></object>"#,
    );
    assert_eq!(sorted(&turned[0]).first(), Some(&(-10., 40.)));
    // A rectangle without height is a thin floor.
    assert_eq!(
        solid(r#"<object id="1" x="10" y="20" width="40"/>"#),
        [convex(&[(10., 20.), (50., 20.)])]
    );
}

#[test]
fn tile_objects_are_aligned_to_their_position() {
    // A tile without shapes is solid as a whole. Alignment is bottom-left by
    // default.
    let set = tileset("");
    let at = |set: &str, extra: &str| {
        solid_with(
            set,
            &format!(r#"<object id="1" x="40" y="60" width="32" height="8" {extra}/>"#),
        )
    };
    assert_eq!(at(&set, "gid=\"1\""), [rect(40., 52., 72., 60.)]);
    let turned = at(&set, "gid=\"1\" rotation=\"90\"");
    assert_eq!(turned, [rect(40., 60., 48., 92.)]);
    for (alignment, left, top) in [
        ("topleft", 40., 60.),
        ("top", 24., 60.),
        ("topright", 8., 60.),
        ("left", 40., 56.),
        ("center", 24., 56.),
        ("right", 8., 56.),
        ("bottomleft", 40., 52.),
        ("bottom", 24., 52.),
        ("bottomright", 8., 52.),
        ("unspecified", 40., 52.),
    ] {
        let name = format!("name=\"tiles\" objectalignment=\"{alignment}\"");
        let shapes = at(&set.replace("name=\"tiles\"", &name), "gid=\"1\"");
        let wanted = rect(left, top, left + 32., top + 8.);
        assert_eq!(shapes, [wanted], "{alignment}");
    }
    // An object without a size has that of the tile.
    assert_eq!(
        solid_with(&set, r#"<object id="1" gid="1" x="40" y="60"/>"#),
        [rect(40., 44., 56., 60.)]
    );
}

#[test]
fn shapes_of_tile_objects_are_scaled_and_flipped() {
    let set = tileset(
        r#"<tile id="0"><objectgroup><object id="1"><polygon points="0,16 16,16 0,4"/></object></objectgroup></tile>"#,
    );
    let at = |gid: u32, extra: &str| {
        let list =
            format!(r#"<object id="1" gid="{gid}" x="40" y="60" width="32" height="8" {extra}/>"#);
        let tmx = map(8, 8, &format!("{set}{}", objects("collision", &list)));
        let shapes = shapes(&read(&tmx).unwrap());
        sorted(&shapes[0].1)
    };
    assert_eq!(at(1, ""), [(40., 54.), (40., 60.), (72., 60.)]);
    assert_eq!(at(0x8000_0001, ""), [(40., 60.), (72., 54.), (72., 60.)]);
    assert_eq!(at(0x4000_0001, ""), [(40., 52.), (40., 58.), (72., 52.)]);
    // A flag of hexagonal maps.
    assert_eq!(at(0x1000_0001, ""), at(1, ""));
    assert_eq!(
        at(1, "rotation=\"180\""),
        [(8., 60.), (40., 60.), (40., 66.)]
    );
    // By the smaller scale on both axes, in the middle.
    let fit = "name=\"tiles\" fillmode=\"preserve-aspect-fit\"";
    let tile = r#"<object id="1" gid="2" x="40" y="60" width="32" height="8"/>"#;
    assert_eq!(
        solid_with(&set.replace("name=\"tiles\"", fit), tile),
        [rect(52., 52., 60., 60.)]
    );
}

/// Agents climb straight up, and stand on the top of a ladder.
#[test]
fn ladders_that_lean_are_left_out() {
    let ladders = |list: &str| {
        let level = read(&map(
            8,
            8,
            &(layer("ground", 1, 1, "0") + &objects("ladders", list)),
        ));
        level.unwrap()
    };
    let leaning = r#"<object id="1" x="50" y="0" width="16" height="100" rotation="45"/>
<object id="2" x="20" y="0"><polygon points="0,0 16,0 64,100 48,100"/></object>"#;
    let level = ladders(leaning);
    assert_eq!(pieces(&level).len(), 0);
    let warned = |id: &str| {
        let mut warnings = level.warnings.iter();
        warnings.any(|warning| {
            warning.contains(&format!("object {id} in"))
                && warning.contains("1 ladder is not upright")
        })
    };
    assert!(warned("1") && warned("2"), "{:?}", level.warnings);
    // An ellipse, and a thin ladder, are upright.
    let upright = r#"<object id="1" x="8" y="0" width="16" height="100"/>
<object id="2" x="40" y="0" width="16" height="100" rotation="1"/>
<object id="3" x="60" y="0" width="8" height="60"><ellipse/></object>
<object id="4" x="80" y="0"><polyline points="0,0 0,60"/></object>
<object id="5" x="90" y="0"><polygon points="0,0 16,0 16,60 0,60"/></object>"#;
    let level = ladders(upright);
    assert_eq!(pieces(&level).len(), 5);
    assert!(
        !level.warnings.concat().contains("upright"),
        "{:?}",
        level.warnings
    );
}

#[test]
fn templates_give_defaults_to_objects() {
    let tsx = r#"<tileset name="t" tilewidth="16" tileheight="16" tilecount="8" columns="8"><image source="t.png" width="128" height="16"/>
<tile id="3"><objectgroup><object id="1" x="0" y="8" width="16" height="8"/></objectgroup></tile></tileset>"#;
    // Its tileset begins at 5, as in some maps.
    let tile = r#"<template><tileset firstgid="5" source="../sets/t.tsx"/><object name="step" type="block" gid="8" width="32" height="32"><properties><property name="a" value="1"/><property name="b" value="1"/></properties></object></template>"#;
    let polygon = r#"<template><object type="solid rock" rotation="90"><properties><property name="solid" type="bool" value="true"/></properties><polygon points="0,0 10,0 0,10"/></object></template>"#;
    let place = r#"<template><object type="spawn" name="start"><point/></object></template>"#;
    let list = r#"
<object id="1" template="tx/tile.tx" x="100" y="100"/>
<object id="2" template="tx/tile.tx" x="0" y="100" width="16" height="16"/>
<object id="3" template="tx/polygon.tx" x="50" y="50"/>
<object id="4" template="tx/place.tx" name="other" x="7" y="8"><properties><property name="b" value="2"/></properties></object>"#;
    let files = [
        ("tx/tile.tx", tile),
        ("tx/polygon.tx", polygon),
        ("tx/place.tx", place),
        ("sets/t.tsx", tsx),
    ];
    let tmx = map(8, 8, &objects("things", list));
    let level = read_with(&tmx, &files, &Rules::default()).unwrap();
    let shapes = shapes(&level);
    assert_eq!(shapes[0].1, rect(100., 84., 132., 100.));
    assert_eq!(shapes[1].1, rect(0., 92., 16., 100.));
    assert_eq!(sorted(&shapes[2].1), [(40., 50.), (50., 50.), (50., 60.)]);
    assert_eq!(
        level.origins,
        [
            "object 1 \"step\" in layer \"things\"",
            "object 2 \"step\" in layer \"things\"",
            "object 3 in layer \"things\"",
        ]
    );
    assert_eq!(level.markers.len(), 1);
    assert_eq!(level.markers[0].class, "spawn");
    assert_eq!(level.markers[0].name, "other");
    assert_eq!(level.inputs.len(), 5);
}

#[test]
fn markers_of_every_kind_are_read() {
    let list = r#"
<object id="1" type="spawn" x="10" y="20"><point/></object>
<object id="2" class="waypoint" name="w" x="10" y="20" width="8" height="4"><properties>
 <property name="tags" value="air"/><property name="Pool" type="int" value="3"/>
 <property name="text">two
lines &amp; more</property>
 <property name="look" type="class" propertytype="Look"><properties><property name="hat" value="red"/></properties></property>
 <property name="list" type="list"><item type="int" value="4"/><item value="x"/></property>
</properties></object>
<object id="3" name="poly" x="10" y="20"><polygon points="0,0 -5,8 4,2"/></object>
<object id="4" x="10" y="20"><point/></object>
<object id="5" type="goal" x="5" y="5" width="10" height="2" rotation="90"/>
<object id="6" type="sign" gid="1" x="0" y="16" width="16" height="16"/>"#;
    let ground = tileset("") + &layer("ground", 1, 1, "1");
    let level = read(&map(8, 8, &(ground + &objects("points", list)))).unwrap();
    let found: Vec<(&str, &str, Rect)> = level
        .markers
        .iter()
        .map(|m| (m.class.as_str(), m.name.as_str(), m.area))
        .collect();
    let area = |a: f64, b: f64, c: f64, d: f64| Rect::new(dvec2(a, b), dvec2(c, d));
    assert_eq!(
        found,
        [
            ("spawn", "", area(10., 20., 10., 20.)),
            ("waypoint", "w", area(10., 20., 18., 24.)),
            ("", "poly", area(5., 20., 14., 28.)),
            ("goal", "", area(3., 5., 5., 15.)),
            ("sign", "", area(0., 0., 16., 16.)),
        ]
    );
    let properties: Vec<(&str, &str)> = level.markers[1]
        .properties
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    assert_eq!(
        properties,
        [
            ("Pool", "3"),
            ("id", "2"),
            ("list.0", "4"),
            ("list.1", "x"),
            ("look.hat", "red"),
            ("tags", "air"),
            ("text", "two\nlines & more"),
        ]
    );
    assert_eq!(
        level.decisions.last().unwrap(),
        "object layer \"points\": not collision: no rule matches; 5 markers"
    );
}

#[test]
fn tile_objects_inherit_class_and_properties_of_their_tile() {
    let set = tileset(
        r#"<tile id="0" type="coin"><properties><property name="worth" value="5"/><property name="a" value="1"/></properties></tile>"#,
    );
    let list = r#"<object id="1" gid="1" x="0" y="16" width="16" height="16"><properties><property name="a" value="2"/></properties></object>"#;
    let content = set + &layer("ground", 1, 1, "2") + &objects("o", list);
    let level = read(&map(1, 1, &content)).unwrap();
    assert_eq!(level.markers[0].class, "coin");
    assert_eq!(
        level.markers[0].properties,
        [("a", "2"), ("id", "1"), ("worth", "5")].map(|(a, b)| (a.to_owned(), b.to_owned()))
    );
}

#[test]
fn outlines_that_cross_themselves_are_left_out() {
    let has_warning = |level: &LevelFile, start: &str| {
        let mut warnings = level.warnings.iter();
        assert!(
            warnings.any(|warning| warning.starts_with(start)),
            "{:?}",
            level.warnings
        );
    };
    let cross = r#"<object id="12" name="lamp" x="3" y="3">
<polygon points="0,0 10,10 10,0 0,10"/></object>"#;
    let square = r#"<object id="1" width="4" height="4"/>"#;
    let both = objects("collision", &format!("{cross}{square}"));
    let level = read(&map(1, 1, &both)).unwrap();
    assert_eq!(shapes(&level), [(Material::Solid, rect(0., 0., 4., 4.))]);
    let place = "level.tmx:3: object 12 \"lamp\" in layer \"collision\": ";
    has_warning(
        &level,
        &format!("{place}the outline crosses itself, so it is left out"),
    );
    // A marker may have any outline.
    let level = read(&map(
        1,
        1,
        &(objects("collision", square) + &objects("marks", cross)),
    ))
    .unwrap();
    assert_eq!(level.markers.len(), 1);
    // On a tile: the tileset's file and line.
    let tsx = "<tileset name=\"t\" tilewidth=\"16\" tileheight=\"16\" tilecount=\"1\" columns=\"1\"><image source=\"t.png\" width=\"16\" height=\"16\"/>\n<tile id=\"0\"><objectgroup>\n<object id=\"4\"><polygon points=\"0,0 10,10 10,0 0,10\"/></object></objectgroup></tile></tileset>";
    let set = "<tileset firstgid=\"1\" source=\"t.tsx\"/>".to_owned();
    let tmx = map(1, 1, &(set + &layer("ground", 1, 1, "1")));
    let level = read_with(&tmx, &[("t.tsx", tsx)], &Rules::default()).unwrap();
    has_warning(
        &level,
        "t.tsx:3: object 4 of tile 0 of tileset \"t\": the outline crosses itself",
    );
}

#[test]
fn objects_without_extent_are_warned_about() {
    let list = r#"<object id="1" width="8" height="8"/><object id="2" x="1"><point/></object>
<object id="3"><polygon points="4,4 4,4 4,4"/></object><object id="4" name="n"/>"#;
    let level = read(&map(1, 1, &objects("collision", list))).unwrap();
    assert_eq!(pieces(&level).len(), 1);
    assert_eq!(level.warnings.len(), 2, "{:?}", level.warnings);
    let first = &level.warnings[0];
    assert!(
        first.starts_with("level.tmx:4: object 3 in layer"),
        "{first}"
    );
}

// The bake takes time and memory for the height of slanted shapes, so their size
// in the level is that of the level, however far their corners are.
#[test]
fn slanted_shapes_are_cut_off_outside_the_level() {
    let level = |far: u32| {
        let list = format!(
            "<object id=\"1\" x=\"4\" y=\"4\"><polygon points=\"0,0 8,0 {far},{far}\"/></object>\
             <object id=\"2\" x=\"4\" y=\"4\"><polyline points=\"0,0 -{far},{far}\"/></object>\
             <object id=\"3\" x=\"-{far}\" y=\"-{far}\"><polygon points=\"0,0 8,0 4,4\"/></object>"
        );
        read(&map(2, 1, &objects("collision", &list))).unwrap()
    };
    let extent = |far| {
        let level = level(far);
        let points = pieces(&level).iter().flat_map(|piece| match &piece.shape {
            Shape::Convex(points) => points.clone(),
            Shape::Box(rect) => vec![rect.min, rect.max],
        });
        let (low, high) = points.fold((f64::MAX, f64::MIN), |(low, high), p| {
            (low.min(p.min_element()), high.max(p.max_element()))
        });
        (pieces(&level).len(), low, high)
    };
    assert_eq!(extent(1000), (3, -1000.0, 1004.0));
    for far in [10_000, 1_000_000, 8_000_000] {
        let (count, low, high) = extent(far);
        assert_eq!((count, low), (2, -2048.0), "{far}");
        assert!((2064.0..=2080.0).contains(&high), "{far}: {high}");
    }
    // What is near is as it was drawn.
    let near = |far| {
        let level = level(far);
        let Shape::Convex(points) = &pieces(&level)[0].shape else {
            panic!("no polygon");
        };
        points
            .iter()
            .copied()
            .filter(|p| p.max_element() < 100.0)
            .collect::<Vec<_>>()
    };
    assert_eq!(near(8_000_000), [dvec2(4.0, 4.0), dvec2(12.0, 4.0)]);
}

#[test]
fn a_polyline_of_class_link_is_a_marker_with_its_points() {
    let layer = objects(
        "collision",
        r#"<object id="1" name="rope" type="link" x="32" y="64" rotation="90">
<properties><property name="one_way" type="bool" value="true"/></properties>
<polyline points="0,0 16,-8 32,0"/></object>
<object id="2" type="conveyor" x="0" y="0"><point/></object>
<object id="3" type="conveyor" x="8" y="0"><point/></object>
<object id="4" x="0" y="100" width="128" height="28"/>"#,
    );
    let level = read(&map(8, 8, &layer)).unwrap();
    let rope = &level.markers[0];
    let property = |name: &str| {
        let mut own = rope.properties.iter();
        own.find(|(own, _)| own == name).map(|(_, text)| &**text)
    };
    assert_eq!(property("points"), Some("32,64 40,80 32,96"));
    assert_eq!(property("one_way"), Some("true"));
    assert_eq!(shapes(&level).len(), 1, "the rope is no wall");
    let about = |word: &str| {
        let warnings = level.warnings.iter();
        warnings.filter(|text| text.contains(word)).count()
    };
    assert_eq!((about("conveyor"), about("rope")), (1, 0));
}
