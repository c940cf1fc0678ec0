//! The page of `navbake view`: that it is one file without a network, that its
//! search agrees with `navbake path`, and that it draws what is in view.
//!
//! The page's scripts run in node, where that is installed, on a document of
//! just enough parts (`view/shim.js`); and in a headless Chromium, where that
//! is installed, on a real one.

mod common;
#[path = "common/workshop.rs"]
mod workshop;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use baker_cli::bake::{NoProgress, Settings, bake, default_agents};
use baker_cli::cli::config::Config;
use baker_cli::report::diff::Diff;
use baker_cli::report::view::view;
use baker_cli::source::{Level, ReadOptions, read};
use glam::Vec2;
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, NavMesh};
use navmesh_runtime::search::{Outcome, PathFinder, Query};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use workshop::{Workshop, ledges_with};

/// Whether node is there; says so when it is not.
fn has_node() -> bool {
    let found = Command::new("node").arg("--version").output().is_ok();
    if !found {
        println!("node is not installed: the page's scripts are not tested");
    }
    found
}

/// What came of tasks in a page, see `view/shim.js`.
fn run_page(page: &Path, tasks: &Value) -> Vec<Value> {
    let shim = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/view/shim.js");
    let mut child = Command::new("node")
        .args([shim.as_path(), page])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(tasks.to_string().as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {errors}"))
}

fn fixture(name: &str) -> Level {
    let path = format!("{}/../fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    read(path.as_ref(), &ReadOptions::default()).unwrap()
}

/// The default agents, and one that walks, jumps, drops and flies.
fn agents() -> Vec<AgentProfile> {
    let mut agents = default_agents(16.0);
    let harpy = AgentProfile {
        name: "harpy".into(),
        edges: EdgeSet::FLOOR | EdgeSet::FLY | EdgeSet::JUMP | EdgeSet::DROP,
        ..agents[0].clone()
    };
    agents.push(harpy);
    agents
}

fn baked(level: &Level) -> NavMesh {
    bake(level, &Settings::for_agents(agents()), &NoProgress).unwrap()
}

/// Random positions in and a little around the grid, some of them exactly on
/// vertices and on lips, where rounding matters.
fn positions(mesh: &NavMesh, count: usize) -> Vec<Vec2> {
    let grid = mesh.grid();
    let size = Vec2::new(grid.columns as f32, grid.rows as f32) * grid.spacing;
    let mut state = 0x2545_f491_u32;
    let mut next = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32
    };
    let platforms: Vec<_> = mesh
        .layers()
        .iter()
        .flat_map(|l| l.platforms().iter())
        .collect();
    (0..count)
        .map(|i| {
            let part = Vec2::new(next(), next() * grid.y_axis.down()) * 1.04 - 0.02;
            let anywhere = grid.origin + part * size;
            match i % 4 {
                0 => grid.position(grid.nearest_cell(anywhere)),
                1 => {
                    let platform = &platforms[(next() * platforms.len() as f32) as usize];
                    platform.at(platform.along(anywhere))
                }
                _ => anywhere,
            }
        })
        .collect()
}

/// Compares the page's paths with the runtime's, for every agent.
fn compare(mesh: &NavMesh, pairs: usize) -> (usize, usize) {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let mut html = Vec::new();
    view(&[("level.navmesh", mesh)], None, &mut html).unwrap();
    std::fs::write(&page, html).unwrap();
    let points = positions(mesh, 2 * pairs);
    let names: Vec<&str> = mesh
        .layers()
        .iter()
        .map(|l| l.profile().name.as_str())
        .collect();
    let queries: Vec<(&str, Vec2, Vec2)> = (names.iter())
        .flat_map(|name| points.chunks(2).map(|p| (*name, p[0], p[1])))
        .collect();
    let tasks: Vec<Value> = (queries.iter())
        .map(|(agent, from, to)| json!({"agent": agent, "from": from.to_array(), "to": to.to_array()}))
        .collect();
    let answers = run_page(&page, &json!([{"paths": tasks}]));
    let mut finder = PathFinder::new();
    let (mut found, mut refused) = (0, 0);
    for ((agent, from, to), answer) in queries.iter().zip(answers[0].as_array().unwrap()) {
        let layer = mesh.layer(agent).unwrap();
        let told = format!("{agent} from {from} to {to}");
        match finder.find(layer, &Query::new(*from, *to)).unwrap() {
            Outcome::Found(path) => {
                assert_eq!(answer["outcome"], "found", "{told}: {answer}");
                let (here, there) = (path.cost(), answer["cost"].as_f64().unwrap());
                assert!(
                    (here - there).abs() <= 1e-6 * (1.0 + here),
                    "{told}: {here} and {there} in the page"
                );
                // The steps add up, and each begins where the last ended.
                let steps = answer["steps"].as_array().unwrap();
                let sum: f64 = steps.iter().map(|s| s["duration"].as_f64().unwrap()).sum();
                assert!(
                    (sum - there).abs() <= 1e-4 * (1.0 + there),
                    "{told}: {sum}, not {there}"
                );
                for pair in steps.windows(2) {
                    assert_eq!(pair[0]["to"], pair[1]["from"], "{told}");
                }
                found += 1;
            }
            Outcome::NoPath(why) => {
                assert_eq!(answer["outcome"], "no_path", "{told}: {why}, not {answer}");
                refused += 1;
            }
            _ => panic!("{told}: neither found nor refused"),
        }
    }
    (found, refused)
}

#[test]
fn paths_in_the_page_cost_what_the_runtime_says() {
    if !has_node() {
        return;
    }
    for name in ["ledges.tmx", "organic.png"] {
        let (found, refused) = compare(&baked(&fixture(name)), 150);
        println!("{name}: {found} paths alike, {refused} refused by both");
        assert!(found > 100 && refused > 10, "{found} {refused}");
    }
    // Ladders, walls, ceilings and gates; and portals.
    for (name, agents) in [("movement", Some("movement.toml")), ("portals", None)] {
        let fixtures = format!("{}/../fixtures", env!("CARGO_MANIFEST_DIR"));
        let level = fixture(&format!("{name}.tmx"));
        let mesh = match agents {
            Some(file) => {
                let config = Config::load(format!("{fixtures}/{file}").as_ref()).unwrap();
                let settings = config.settings(level.tile_size).unwrap();
                bake(&level, &settings, &NoProgress).unwrap()
            }
            None => baked(&level),
        };
        let (found, refused) = compare(&mesh, 250);
        println!("{name}: {found} paths alike, {refused} refused by both");
        assert!(found > 40, "{found} {refused}");
    }
    let mut runner = TestRunner::deterministic();
    for _ in 0..6 {
        let tiles = common::tiles(8..26, 6..14, 16)
            .new_tree(&mut runner)
            .unwrap()
            .current();
        compare(&baked(&tiles.level()), 60);
    }
}

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
    let mut tiles = common::tiles(500..501, 80..81, 16)
        .new_tree(&mut runner)
        .unwrap()
        .current();
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
        (&["view", "-", "-"][..], "only one"),
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
    // A click is as exact as a pixel.
    assert!((told - expected).abs() < 0.05, "{told}, not {expected}");
}
