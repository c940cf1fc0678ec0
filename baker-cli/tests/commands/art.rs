//! `--over`: the level's own art beneath its mesh.

use crate::page;
use crate::sandbox;

use page::{has_node, run_page};
use sandbox::Sandbox;
use serde_json::json;

/// The colour of a pixel of a picture.
fn pixel(sandbox: &Sandbox, file: &str, x: u32, y: u32) -> [u8; 3] {
    image::open(sandbox.path(file))
        .unwrap()
        .into_rgb8()
        .get_pixel(x, y)
        .0
}

#[test]
fn the_level_is_drawn_beneath_its_mesh() {
    let sandbox = Sandbox::new();
    for name in ["ledges.tmx", "tiles.tsx", "tiles.png"] {
        sandbox.fixture(name);
    }
    std::fs::create_dir(sandbox.path("out")).unwrap();
    sandbox.fine("bake ledges.tmx -o out/l.navmesh");
    let draw = |args: &[&str]| {
        let run = sandbox.fine(&[&["render"], args].concat());
        assert!(!run.stderr.contains("warning"), "{}", run.stderr);
    };
    draw(&["ledges.tmx", "-o", "plain.png"]);
    draw(&["ledges.tmx", "--over", "-o", "level.png"]);
    draw(&["out/l.navmesh", "--over=ledges.tmx", "-o", "asset.png"]);
    let bytes = |file: &str| sandbox.bytes(file);
    assert_eq!(bytes("level.png"), bytes("asset.png"));
    // The bottom of the level is rock, between the rows of vertices.
    let size = image::image_dimensions(sandbox.path("plain.png")).unwrap();
    let differs = (0..size.0).step_by(7).any(|x| {
        (0..size.1)
            .step_by(7)
            .any(|y| pixel(&sandbox, "plain.png", x, y) != pixel(&sandbox, "level.png", x, y))
    });
    assert!(differs);
    std::fs::copy(sandbox.path("ledges.tmx"), sandbox.path("other.tmx")).unwrap();
    sandbox
        .fine("render out/l.navmesh --over=other.tmx -o other.png")
        .says("was baked from ledges.tmx, and other.tmx has another name");
    // Beside the baked file there is no level.
    sandbox
        .exits(2, "render out/l.navmesh --over")
        .says("help: name the level: --over=LEVEL");
    // An image of the level is an input.
    let run = sandbox.exits(2, "render ledges.tmx --over -o tiles.png");
    run.says("would replace an input");
    std::fs::remove_file(sandbox.path("tiles.png")).unwrap();
    sandbox
        .fine("render ledges.tmx --over -o bare.png")
        .says("warning: ledges.tmx: image \"tiles.png\" is not drawn: ");
}

#[test]
fn markers_and_doors_are_drawn() {
    let sandbox = Sandbox::new();
    for name in ["portals.tmx", "tiles.tsx", "tiles.png"] {
        sandbox.fixture(name);
    }
    sandbox.fine("render portals.tmx -o a.png");
    let text = sandbox.text("portals.tmx");
    sandbox.write(
        "bare.tmx",
        &text.replace("type=\"door\"", "type=\"window\""),
    );
    sandbox.fine("render bare.tmx -o b.png");
    let count = |file: &str, colour: [u8; 3]| {
        let image = image::open(sandbox.path(file)).unwrap().into_rgb8();
        let level = image.rows().take(700).flatten();
        level
            .filter(|pixel| (0..3).all(|i| pixel.0[i].abs_diff(colour[i]) < 12))
            .count()
    };
    let [door, marker] = [[0xff, 0xd0, 0xa0], [0xd8, 0xdd, 0xe6]];
    assert!(count("a.png", door) > 300);
    assert!(
        count("b.png", door) < 20,
        "some links have nearly its colour"
    );
    assert!(count("b.png", marker) > count("a.png", marker) + 300);
}

#[test]
fn the_page_has_the_level() {
    let sandbox = Sandbox::new();
    for name in ["ledges.tmx", "tiles.tsx", "tiles.png"] {
        sandbox.fixture(name);
    }
    sandbox.fine("view ledges.tmx -o plain.html");
    sandbox.fine("view ledges.tmx --over -o over.html");
    let html = |file: &str| sandbox.text(file);
    assert!(!html("plain.html").contains("data:image/png"));
    assert!(html("over.html").contains("\"art\":\"data:image/png;base64,iVBOR"));
    if !has_node("the_page_has_the_level") {
        return;
    }
    // The picture is a layer of its own, which a key hides.
    let tasks = json!([{"draw": true}, {"keys": ["l"]}, {"draw": true}]);
    let images = |file: &str| {
        let answers = run_page(&sandbox.path(file), &tasks);
        [&answers[0], &answers[2]].map(|answer| answer["calls"]["drawImage"].as_u64().unwrap_or(0))
    };
    let ([plain, _], [shown, hidden]) = (images("plain.html"), images("over.html"));
    assert_eq!((shown - plain, hidden), (1, plain));
}
