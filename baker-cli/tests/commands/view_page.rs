//! The page of `navbake view`: that it is one file without a network, does what
//! clicks and keys ask for, and draws what is in view. In node, and in a headless
//! Chromium, where that is installed.

use crate::common;
use crate::page;
use crate::workshop;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use baker_cli::bake::{NoProgress, Settings, bake, default_agents};
use baker_cli::report::diff::Diff;
use baker_cli::report::view::view;
use page::{baked, fixture, has_node, run_page};
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use workshop::{Workshop, ledges_with};

/// Two versions of `ledges.tmx`, baked, and the page of both.
fn review() -> Workshop {
    let shop = Workshop::new();
    shop.fixture("tiles.tsx");
    shop.fixture("tiles.png");
    shop.write("old.tmx", &ledges_with(&[]));
    shop.write("new.tmx", &ledges_with(&[(4..=6, 14, 0), (20..=22, 9, 1)]));
    for level in ["old.tmx", "new.tmx"] {
        assert_eq!(shop.run(&["bake", level]).code, 0);
    }
    let run = shop.run(&["view", "old.navmesh", "new.navmesh", "-o", "review.html"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    shop
}

/// What `navbake path` says a path costs.
fn cost(shop: &Workshop, file: &str, agent: &str, from: &str, to: &str) -> f64 {
    let args = [
        "path", file, "--agent", agent, "--from", from, "--to", to, "--json",
    ];
    let run = shop.run(&args);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    found["cost"].as_f64().unwrap()
}

fn told_cost(answer: &Value) -> f64 {
    answer["data-cost"].as_str().unwrap().parse().unwrap()
}

#[test]
fn clicks_and_keys_find_a_path_and_the_panel_tells_numbers() {
    if !has_node() {
        return;
    }
    let shop = review();
    let tasks = json!([
        {"click": [[30, 272], [616, 160]]},
        {"agent": 1},
        {"click": [[60, 200], [616, 100]]},
        {"agent": 0},
        {"hover": [60, 272]},
        {"keys": ["Escape"]},
        {"keys": ["Enter", "ArrowRight", "ArrowRight", "Enter"]},
        {"file": 0},
        {"click": [[30, 272], [100, 224]]},
    ]);
    let answers = run_page(&shop.path("review.html"), &tasks);
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} {b}");
    near(
        told_cost(&answers[0]),
        cost(&shop, "new.navmesh", "ground", "30,272", "616,160"),
    );
    near(
        told_cost(&answers[2]),
        cost(&shop, "new.navmesh", "air", "60,200", "616,100"),
    );
    let hover = answers[4].as_str().unwrap();
    assert!(
        hover.contains("on floor") && hover.contains("platform") && hover.contains("component"),
        "{hover}"
    );
    assert!(answers[5].get("data-cost").is_none(), "{}", answers[5]);
    assert!(answers[6].get("data-outcome").is_some(), "{}", answers[6]);
    // The older file still has the step.
    near(
        told_cost(&answers[8]),
        cost(&shop, "old.navmesh", "ground", "30,272", "100,224"),
    );
}

#[test]
fn what_is_in_view_is_drawn_and_nothing_else() {
    if !has_node() {
        return;
    }
    let shop = review();
    let close = json!({"left": 450.0, "top": 150.0, "scale": 12.0});
    let tasks = json!([{"draw": true}, {"draw": true, "view": close}, {"file": 0, "draw": true}, {"agent": 0}]);
    let answers = run_page(&shop.path("review.html"), &tasks);
    let dump = |file: &str| -> Value {
        let run = shop.run(&["dump", file, "--json"]);
        serde_json::from_str(&run.stdout).unwrap()
    };
    let diff = shop.run(&["diff", "old.navmesh", "new.navmesh", "--format", "json"]);
    let diff: Value = serde_json::from_str(&diff.stdout).unwrap();
    let count = |v: &Value| v.as_array().unwrap().len();
    let new = dump("new.navmesh");
    let all = &answers[0]["drawn"];
    assert_eq!(all["platforms"], count(&new["agents"][0]["platforms"]));
    let gone = count(&diff["agents"][0]["links"]["removed"]);
    assert!(gone > 0);
    assert_eq!(all["links"], count(&new["agents"][0]["links"]) + gone);
    assert_eq!(all["vertices"], 80 * 40);
    assert_eq!(answers[0]["calls"]["drawImage"], 1);
    // A part of it: what a box 83 by 58 units can show.
    let part = &answers[1]["drawn"];
    let number = |v: &Value| v.as_u64().unwrap();
    assert!(
        number(&part["platforms"]) > 0 && number(&part["platforms"]) < 8,
        "{part}"
    );
    assert!(number(&part["vertices"]) < 200, "{part}");
    assert!(number(&part["links"]) < number(&all["links"]) / 2, "{part}");
    let old = dump("old.navmesh");
    let platforms = count(&old["agents"][0]["platforms"]);
    assert!(number(&answers[2]["drawn"]["platforms"]) <= platforms as u64);
    // The list of what changed.
    assert!(answers[3]["review"].as_bool().unwrap());
}

// 500 × 80 tiles: far off all is seen, but the terrain is one bitmap.
#[test]
fn a_large_level_is_few_strokes() {
    if !has_node() {
        return;
    }
    let mut runner = TestRunner::deterministic();
    let mut tiles = common::draw(&mut runner, &common::tiles(500..501, 80..81, 16));
    // Mostly open, or every tile would be a platform.
    for (r, row) in tiles.rows.iter_mut().enumerate() {
        for (c, cell) in row.iter_mut().enumerate() {
            if r % 6 != 5 || c % 14 < 5 {
                *cell = '.';
            }
        }
    }
    let level = tiles.level();
    let settings = Settings::for_agents(default_agents(16.0));
    let mesh = bake(&level, &settings, &NoProgress).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("large.html");
    let mut html = Vec::new();
    view(&[("large.navmesh", &mesh)], None, &mut html).unwrap();
    std::fs::write(&page, &html).unwrap();
    let answers = run_page(&page, &json!([{"draw": true}, {"draw": true}]));
    let calls = &answers[1]["calls"];
    let number = |name: &str| calls[name].as_u64().unwrap_or(0);
    println!(
        "{} bytes; {} links, {} platforms: {} strokes, {} points, {} ms without painting",
        html.len(),
        answers[1]["drawn"]["links"],
        answers[1]["drawn"]["platforms"],
        number("stroke"),
        number("lineTo"),
        answers[1]["milliseconds"],
    );
    assert!(number("stroke") <= 8 && number("fillRect") <= 4, "{calls}");
    assert_eq!(number("putImageData"), 0, "the bitmap is drawn once");
}

#[test]
fn the_page_is_one_file_that_asks_nobody() {
    let shop = review();
    let html = std::fs::read_to_string(shop.path("review.html")).unwrap();
    for wrong in [
        "http:",
        "https:",
        " src=",
        "<link",
        "@import",
        "fetch(",
        "XMLHttpRequest",
        "import(",
    ] {
        assert!(!html.contains(wrong), "{wrong}");
    }
    assert!(html.contains("default-src 'none'"));
    assert!(!html.contains("{{"), "a part was not filled in");
    assert!(
        !html.contains(shop.path("").to_str().unwrap()),
        "a folder of this machine"
    );
    // A name cannot end the element it stands in.
    let mut level = fixture("ledges.tmx");
    level.markers[0].name = "</script><script>alert(1)".into();
    level.source = "<i>.tmx".into();
    let mesh = baked(&level);
    let diff = Diff::new(&mesh, &mesh, ["a", "b"]);
    let mut html = Vec::new();
    view(&[("a", &mesh), ("b", &mesh)], Some(&diff), &mut html).unwrap();
    let html = String::from_utf8(html).unwrap();
    assert_eq!(html.matches("<script").count(), 2);
    assert!(!html.contains("<i>"));
}

#[test]
fn pages_go_where_they_are_told() {
    let shop = Workshop::new();
    shop.fixture("tiles.tsx");
    shop.fixture("tiles.png");
    shop.write("a.tmx", &ledges_with(&[]));
    assert_eq!(shop.run(&["bake", "a.tmx"]).code, 0);
    assert_eq!(shop.run(&["view", "a.navmesh"]).code, 0);
    let page = std::fs::read(shop.path("a.html")).unwrap();
    let out = shop.run(&["view", "a.navmesh", "-o", "-"]);
    assert!(out.bytes == page, "to stdout as to a file");
    for (args, told) in [
        (
            &["view", "a.navmesh", "-o", "a.navmesh"][..],
            "would replace",
        ),
        (&["view", "-", "-"][..], "only once"),
        (&["view", "a.tmx"][..], "a.tmx"),
        (
            &["view", "a.navmesh", "-o", "none/a.html"][..],
            "none/a.html",
        ),
    ] {
        let run = shop.run(args);
        assert_eq!(run.code, 2, "{args:?}");
        assert!(run.stderr.contains(told), "{args:?}: {}", run.stderr);
    }
}

/// A Chromium, by any of its names.
fn chromium() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let names = [
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
        "chrome",
    ];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::env::split_paths(&path)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|file| file.is_file());
    named.or(all)
}

// Clicks in a real browser: a script at the end of the page sends the pointer
// events, and the document is read back.
#[test]
fn a_browser_finds_the_path_of_the_command() {
    let Some(browser) = chromium() else {
        println!("no Chromium is installed (or named by CHROMIUM): not tested in a browser");
        return;
    };
    let shop = review();
    let mut html = std::fs::read_to_string(shop.path("review.html")).unwrap();
    let clicks = r#"<script>
setTimeout(() => {
  const canvas = document.getElementById("canvas");
  for (const point of [[30, 272], [616, 160]]) {
    const [x, y] = NavScene.toScreen(NavApp.state.view, NavApp.data.files[1].grid, point);
    const box = canvas.getBoundingClientRect();
    for (const type of ["pointerdown", "pointerup"]) {
      canvas.dispatchEvent(new PointerEvent(type, { clientX: box.left + x, clientY: box.top + y, pointerId: 1 }));
    }
  }
  const switches = [...document.querySelectorAll("fieldset label")].filter((label) => label.offsetParent);
  document.body.dataset.switches = switches.map((label) => label.textContent.trim()).join(", ");
}, 200);
</script>"#;
    let end = html.rfind("</body>").unwrap();
    html.insert_str(end, clicks);
    shop.write("clicked.html", &html);
    let mut url = String::new();
    let _ = write!(url, "file://{}", shop.path("clicked.html").display());
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--virtual-time-budget=5000",
        ])
        .args(["--window-size=1300,700", "--dump-dom", &url])
        .output()
        .unwrap();
    let document = String::from_utf8_lossy(&output.stdout);
    let (_, rest) = document
        .split_once("data-cost=\"")
        .expect("a path in the page");
    let told: f64 = rest.split('"').next().unwrap().parse().unwrap();
    let expected = cost(&shop, "new.navmesh", "ground", "30,272", "616,160");
    // There is a switch for what there is: this agent does not fly.
    let (_, rest) = document.split_once("data-switches=\"").unwrap();
    let switches = rest.split('"').next().unwrap();
    let expected_switches = "terrain, vertices, floor, markers, changes, drop, jump";
    assert_eq!(switches, expected_switches);
    // A click is as exact as a pixel.
    assert!((told - expected).abs() < 0.05, "{told}, not {expected}");
}
