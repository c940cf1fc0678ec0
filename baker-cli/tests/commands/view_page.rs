//! The page of `navbake view`: it is one file without a network, shows the
//! runtime's paths, reacts to clicks and keys, and draws what is in view.
//! The scripts run in node and in a headless Chromium.

use crate::common;
use crate::page;
use crate::sandbox;

use std::path::PathBuf;
use std::process::Command;

use baker_cli::report::diff::Diff;
use baker_cli::report::view::{PageFile, view};
use common::fixtures::fixture;
use navmesh_runtime::mesh::NavMesh;
use page::{baked, data, has_node, run_page};
use proptest::test_runner::TestRunner;
use sandbox::{Sandbox, ledges_with};
use serde_json::{Value, json};

/// Two versions of `ledges.tmx`, baked, and the page of both.
fn review() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.fixture("tiles.tsx");
    sandbox.fixture("tiles.png");
    sandbox.write("old.tmx", &ledges_with(&[]));
    sandbox.write("new.tmx", &ledges_with(&[(4..=6, 14, 0), (20..=22, 9, 1)]));
    for level in ["old.tmx", "new.tmx"] {
        sandbox.fine(&["bake", level]);
    }
    let run = sandbox.run("view old.navmesh new.navmesh -o review.html");
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    sandbox
}

fn page_file<'a>(name: &'a str, mesh: &'a NavMesh) -> PageFile<'a> {
    let art = None;
    PageFile { name, mesh, art }
}

fn json(sandbox: &Sandbox, args: &[&str]) -> Value {
    let run = sandbox.run(args);
    assert_eq!(run.stderr, "", "{args:?}");
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn clicks_and_keys_select_platforms_and_the_panel_shows_numbers() {
    if !has_node("clicks_and_keys_select_platforms_and_the_panel_shows_numbers") {
        return;
    }
    let sandbox = review();
    let tasks = json!([
        {"click": [30, 272]},
        {"hover": [60, 272]},
        {"keys": ["Escape"]},
        {"keys": ["Enter"]},
        {"click": [300, 20]},
        {"file": 0},
        {"click": [84, 224]},
    ]);
    let answers = run_page(&sandbox.path("review.html"), &tasks);
    // The panel lists the links of the dump.
    for (answer, file, at) in [
        (&answers[0], "new.navmesh", [30.0, 272.0]),
        (&answers[6], "old.navmesh", [84.0, 224.0]),
    ] {
        let dump = json(&sandbox, &["dump", file, "--json"]);
        let agent = &dump["agents"][0];
        let platforms = agent["platforms"].as_array().unwrap();
        let number = |v: &Value| v.as_f64().unwrap();
        let platform = platforms.iter().find(|p| {
            number(&p["left"][0]) <= at[0]
                && at[0] <= number(&p["right"][0])
                && number(&p["left"][1]) == at[1]
        });
        let id = &platform.unwrap()["id"];
        assert_eq!(&answer["platform"], id, "{answer}");
        let links = agent["links"].as_array().unwrap().iter();
        let mut expected: Vec<String> = links
            .flat_map(|link| {
                let kind = link["kind"].as_str().unwrap().replace('_', " ");
                let [from, to] = [&link["from_platform"], &link["to_platform"]];
                [
                    (from == id).then(|| format!("{kind} to platform {to}")),
                    (to == id).then(|| format!("{kind} from platform {from}")),
                ]
            })
            .flatten()
            .collect();
        expected.sort();
        let mut listed: Vec<String> = Vec::new();
        for line in answer["links"].as_array().unwrap() {
            let line = line.as_str().unwrap();
            let (number, text) = line.split_once(" × ").unwrap_or(("1", line));
            listed.extend(vec![text.to_owned(); number.parse().unwrap()]);
        }
        listed.sort();
        assert_eq!(listed, expected);
    }
    let hover = answers[1].as_str().unwrap();
    assert!(
        hover.contains("on floor") && hover.contains("platform") && hover.contains("component"),
        "{hover}"
    );
    assert!(answers[2]["platform"].is_null(), "{}", answers[2]);
    assert!(answers[4]["platform"].is_null(), "{}", answers[4]);
}

#[test]
fn the_panel_shows_the_properties_of_the_marker_at_the_pointer() {
    if !has_node("the_panel_shows_the_properties_of_the_marker_at_the_pointer") {
        return;
    }
    let sandbox = Sandbox::new();
    let door = |y: u32, properties: &str| {
        let object = format!(
            "<object id=\"7\" name=\"gate\" class=\"door\" x=\"80\" y=\"{y}\" width=\"8\" height=\"32\"><properties>\
             {properties}</properties></object><object id=\"8\" class=\"area\" x=\"60\" y=\"80\" width=\"90\" height=\"80\"/>"
        );
        sandbox::level(&[]).replace("  <object id=\"1\"", &format!("{object}  <object id=\"1\""))
    };
    let property =
        |name: &str, value: &str| format!("<property name=\"{name}\" value=\"{value}\"/>");
    let old = property("closed", "false") + &property("tint", "red") + &property("wait", "3");
    let new = property("closed", "true") + &property("key", "gold") + &property("tint", "red");
    sandbox.write("old.tmx", &door(112, &old));
    sandbox.write("new.tmx", &door(120, &new));
    sandbox.fine("view old.tmx -o one.html");
    sandbox.fine("view old.tmx new.tmx -o two.html");
    let hover = |y: u32| json!({"hover": [84, y]});
    let one = &run_page(&sandbox.path("one.html"), &json!([hover(130)]))[0];
    assert!(
        one.as_str().unwrap().starts_with(
            "door gate at 80, 112 size 8 × 32 closed false id 7 tint red wait 3 vertex "
        ),
        "{one}"
    );
    let tasks = json!([hover(130), {"file": 0}, hover(115), {"keys": ["m"]}, hover(115), {"keys": ["m"]}, hover(84)]);
    let two = run_page(&sandbox.path("two.html"), &tasks);
    let changes = "moved 80, 112 → 80, 120 id 7 tint red closed false → true key gold (added) wait 3 (removed) vertex ";
    for (answer, y) in [(&two[0], 120), (&two[2], 112)] {
        let start = format!("door gate at 80, {y} size 8 × 32 {changes}");
        assert!(answer.as_str().unwrap().starts_with(&start), "{answer}");
    }
    // Markers are hidden; and above the door is only the area.
    assert!(
        two[4].as_str().unwrap().starts_with("vertex "),
        "{}",
        two[4]
    );
    assert!(two[6].as_str().unwrap().starts_with("area "), "{}", two[6]);
}

// Paths are computed by the runtime; the page only draws them.
#[test]
fn paths_in_the_page_are_those_of_the_path_command() {
    let sandbox = review();
    for (agent, from, to) in [
        ("ground", "30,272", "616,160"),
        ("air", "60,200", "616,100"),
        ("ground", "30,272", "300,20"),
    ] {
        let args = [
            "path",
            "old.navmesh",
            "--json",
            "--agent",
            agent,
            "--from",
            from,
        ];
        let run = sandbox.run(&[&args[..], &["--to", to]].concat());
        let path = run.json();
        let ends = format!("{from}:{to}");
        let args = ["view", "old.navmesh", "-o", "path.html", "--agent", agent];
        let view = sandbox.run(&[&args[..], &["--path", &ends]].concat());
        assert_eq!(view.code, run.code, "{}", view.stderr);
        let page = data(&sandbox.text("path.html"));
        let shown = &page["paths"][0];
        let steps = path["steps"].as_array().unwrap();
        assert_eq!(shown["agent"], agent);
        assert_eq!(shown["cost"], path["cost"]);
        assert_eq!(shown["steps"].as_array().unwrap().len(), steps.len());
        let Some(last) = steps.last() else {
            assert_eq!(shown["shapes"], json!([]));
            assert!(shown["outcome"].as_str().unwrap().starts_with("no path"));
            continue;
        };
        // The line of the feet, in steps of a 32nd of a cell.
        let grid = &page["files"][0]["grid"];
        let (spacing, origin) = (grid["spacing"].as_f64().unwrap(), &grid["origin"]);
        let line = shown["shapes"][1]["lines"][0].as_array().unwrap();
        let numbers: Vec<f64> = line.iter().map(|step| step.as_f64().unwrap()).collect();
        let first = [numbers[0], numbers[1]];
        let end = [0, 1].map(|i| numbers.iter().skip(i).step_by(2).sum::<f64>());
        for (shown, expected) in [(first, &steps[0]["from"]), (end, &last["to"])] {
            for i in [0, 1] {
                let shown = origin[i].as_f64().unwrap() + shown[i] * spacing / 32.0;
                let off = (shown - expected[i].as_f64().unwrap()).abs();
                assert!(off <= spacing / 60.0, "{shown} and {expected}");
            }
        }
        if has_node("the drawing of paths") {
            let answers = run_page(&sandbox.path("path.html"), &json!([{"draw": true}]));
            assert_eq!(answers[0]["drawn"]["paths"], 1);
        }
    }
    sandbox
        .exits(2, "view old.navmesh --agent ground")
        .says("--path");
}

// The page finds the platform of every vertex that the runtime calls floor.
#[test]
fn the_panel_names_a_platform_for_every_floor_vertex() {
    if !has_node("the_panel_names_a_platform_for_every_floor_vertex") {
        return;
    }
    for name in ["ledges.tmx", "organic.png", "movement.tmx", "portals.tmx"] {
        let mesh = baked(&fixture(name));
        let folder = tempfile::tempdir().unwrap();
        let page = folder.path().join("page.html");
        let mut html = Vec::new();
        view(&[page_file(name, &mesh)], None, None, &mut html).unwrap();
        std::fs::write(&page, html).unwrap();
        let tasks = json!([{"agent": 0}, {"floors": true}]);
        let floors = &run_page(&page, &tasks)[1];
        assert_eq!(
            floors["floor"],
            common::on_floor(&mesh.layers()[0]).len(),
            "{name}"
        );
        assert_eq!(floors["without"], 0, "{name}");
    }
}

#[test]
fn only_what_is_in_view_is_drawn() {
    if !has_node("only_what_is_in_view_is_drawn") {
        return;
    }
    let sandbox = review();
    let close = json!({"left": 450.0, "top": 150.0, "scale": 12.0});
    let tasks = json!([{"draw": true}, {"draw": true, "view": close}, {"file": 0, "draw": true}, {"agent": 0}]);
    let answers = run_page(&sandbox.path("review.html"), &tasks);
    let dump = |file: &str| -> Value {
        let run = sandbox.run(&["dump", file, "--json"]);
        serde_json::from_str(&run.stdout).unwrap()
    };
    let diff = sandbox.run("diff old.navmesh new.navmesh --format json");
    let diff = diff.json();
    let count = |v: &Value| v.as_array().unwrap().len();
    let new = dump("new.navmesh");
    let all = &answers[0]["drawn"];
    assert_eq!(all["platforms"], count(&new["agents"][0]["platforms"]));
    let gone = count(&diff["agents"][0]["links"]["removed"]);
    assert!(gone > 0);
    assert_eq!(all["links"], count(&new["agents"][0]["links"]) + gone);
    assert_eq!(all["vertices"], 80 * 40);
    // One call fills the terrain, another all vertices of a kind, and so on.
    assert!(answers[0]["calls"]["fill"].as_u64().unwrap() < 60);
    // A view of 83 by 58 units shows a part of it.
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

#[test]
fn labels_of_markers_do_not_cover_each_other() {
    if !has_node("labels_of_markers_do_not_cover_each_other") {
        return;
    }
    let mut level = fixture("ledges.tmx");
    let marker = level.markers[0].clone();
    // Their labels have eight letters, which are 7 pixels wide each in the shim.
    level.markers = (0..100)
        .map(|number| {
            let mut marker = marker.clone();
            (marker.class, marker.name) = ("coin".into(), format!("{number:03}"));
            marker.area.min.x = f64::from(number) * 4.0;
            marker.area.max = marker.area.min;
            marker
        })
        .collect();
    // The last one is of a class of its own, and its label is drawn first: 71 letters.
    level.markers[99].class = "s".repeat(67);
    level.markers[99].area = level.markers[0].area;
    let mesh = baked(&level);
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("coins.html");
    let mut html = Vec::new();
    view(&[page_file("coins.navmesh", &mesh)], None, None, &mut html).unwrap();
    std::fs::write(&page, &html).unwrap();
    let view = |scale: f64| {
        let top = marker.area.min.y - 100.0 / scale;
        json!({"draw": true, "view": {"left": 0.0, "top": top, "scale": scale}})
    };
    let answers = run_page(&page, &json!([view(2.0), view(20.0)]));
    let labels = |n: usize| answers[n]["drawn"]["labels"].as_u64().unwrap();
    // 8 pixels apart, each eighth has room for its label and a gap, from the 63rd on beside the
    // long one; 80 pixels apart, all of those in 1,000 pixels that are not below it.
    assert_eq!((labels(0), labels(1)), (6, 7), "{answers:?}");
}

// 500 × 80 tiles: zoomed out everything is in view, but terrain is one bitmap.
#[test]
fn a_large_level_is_drawn_with_few_strokes() {
    if !has_node("a_large_level_is_drawn_with_few_strokes") {
        return;
    }
    let mut runner = TestRunner::deterministic();
    let mut tiles = common::draw(&mut runner, &common::tiles(500..501, 80..81, 16));
    // Mostly open: otherwise every tile would be a platform.
    for (r, row) in tiles.rows.iter_mut().enumerate() {
        for (c, cell) in row.iter_mut().enumerate() {
            if r % 6 != 5 || c % 14 < 5 {
                *cell = '.';
            }
        }
    }
    let level = tiles.level();
    let mesh = common::fixtures::baked(&level);
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("large.html");
    let mut html = Vec::new();
    view(&[page_file("large.navmesh", &mesh)], None, None, &mut html).unwrap();
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
fn the_page_is_one_file_that_loads_nothing() {
    let sandbox = review();
    let html = sandbox.text("review.html");
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
        !html.contains(sandbox.path("").to_str().unwrap()),
        "a folder of this machine"
    );
    // A name cannot end the element it stands in.
    let mut level = fixture("ledges.tmx");
    level.markers[0].name = "</script><script>alert(1)".into();
    level.source = "<i>.tmx".into();
    let mesh = baked(&level);
    let diff = Diff::new(&mesh, &mesh, ["a", "b"]);
    let mut html = Vec::new();
    view(
        &[page_file("a", &mesh), page_file("b", &mesh)],
        Some(&diff),
        None,
        &mut html,
    )
    .unwrap();
    let html = String::from_utf8(html).unwrap();
    assert_eq!(html.matches("<script").count(), 2);
    assert!(!html.contains("<i>"));
}

#[test]
fn the_output_option_names_the_page() {
    let sandbox = Sandbox::new();
    sandbox.fixture("tiles.tsx");
    sandbox.fixture("tiles.png");
    sandbox.write("a.tmx", &ledges_with(&[]));
    sandbox.fine("bake a.tmx");
    sandbox.fine("view a.navmesh");
    let page = sandbox.bytes("a.navmesh.html");
    let out = sandbox.run("view a.navmesh -o -");
    assert!(out.bytes == page, "to stdout as to a file");
    for (args, message) in [
        ("view a.navmesh -o a.navmesh", "would replace"),
        ("view - -", "only once"),
        ("view b.tmx", "b.tmx"),
        ("view a.navmesh -o none/a.html", "none/a.html"),
    ] {
        sandbox.exits(2, args).says(message);
    }
}

/// The path of a Chromium, under any of its names.
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

// A script at the end of the page sends pointer events, and the test reads the
// document that the browser prints.
#[test]
fn a_click_in_a_browser_selects_the_platform() {
    let Some(browser) = chromium() else {
        println!(
            "skipped: a_click_in_a_browser_selects_the_platform needs chromium (or CHROMIUM to \
             name it)"
        );
        return;
    };
    let sandbox = review();
    let mut html = sandbox.text("review.html");
    let clicks = r#"<script>
setTimeout(() => {
  const canvas = document.getElementById("canvas");
  const [x, y] = NavApp.toScreen([30, 272]);
  const box = canvas.getBoundingClientRect();
  for (const type of ["pointerdown", "pointerup"]) {
    canvas.dispatchEvent(new PointerEvent(type, { clientX: box.left + x, clientY: box.top + y, pointerId: 1 }));
  }
  const switches = [...document.querySelectorAll("fieldset label")].filter((label) => label.offsetParent);
  document.body.dataset.switches = switches.map((label) => label.textContent.trim()).join(", ");
}, 200);
</script>"#;
    let end = html.rfind("</body>").unwrap();
    html.insert_str(end, clicks);
    sandbox.write("clicked.html", &html);
    let url = format!("file://{}", sandbox.path("clicked.html").display());
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
    let (_, rest) = document.split_once("id=\"selected\">").unwrap();
    assert!(rest.starts_with("platform "), "{rest:.60}");
    // This agent does not fly, so there is no check box for fly edges.
    let (_, rest) = document.split_once("data-switches=\"").unwrap();
    let switches = rest.split('"').next().unwrap();
    let expected = "terrain, vertices, floor, markers, changes, drop, jump";
    assert_eq!(switches, expected);
}
