//! The check boxes and colours of the page of `navbake view`.

use crate::common;
use crate::page;

use std::collections::BTreeMap;

use baker_cli::report::diff::Diff;
use baker_cli::report::view::{PageFile, view};
use common::fixtures::{baked_as_configured, fixture};
use navmesh_runtime::mesh::{Layer, NavMesh};
use page::{baked, has_node, run_page};
use serde_json::{Value, json};

/// For each agent: the check boxes with their colours, and what is drawn.
fn legends(meshes: &[(&str, &NavMesh)], diff: Option<&Diff>, agents: usize) -> Vec<[Value; 2]> {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let mut html = Vec::new();
    let files: Vec<_> = (meshes.iter())
        .map(|(name, mesh)| PageFile {
            name,
            mesh,
            art: None,
        })
        .collect();
    view(&files, diff, None, &mut html).unwrap();
    std::fs::write(&page, html).unwrap();
    let tasks: Vec<Value> = (0..agents)
        .flat_map(|agent| {
            [
                json!({"agent": agent, "legend": true}),
                json!({"draw": true}),
            ]
        })
        .collect();
    let answers = run_page(&page, &json!(tasks));
    answers.as_chunks::<2>().0.to_vec()
}

fn kinds_of(layer: &Layer) -> Vec<String> {
    let mut kinds: Vec<_> = (layer.links().iter())
        .map(|link| link.kind.name().replace('_', " "))
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

/// Checks for every agent that the legend names the kinds of link that it has,
/// and that links and one-way walls are drawn in the colours of the legend. Adds
/// the colours to `all`.
fn check(mesh: &NavMesh, all: &mut BTreeMap<String, String>) {
    let layers = mesh.layers();
    let answers = legends(&[("level.navmesh", mesh)], None, layers.len());
    for (layer, [legend, drawn]) in layers.iter().zip(&answers) {
        let kinds: Vec<(String, String)> = serde_json::from_value(legend["kinds"].clone()).unwrap();
        let names: Vec<&str> = kinds.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, kinds_of(layer));
        let colours = drawn["colours"].as_array().unwrap();
        assert_eq!(drawn["drawn"]["gates"], layer.parts().barriers.len());
        for (name, colour) in kinds {
            assert!(colours.contains(&json!(colour)), "{name}: {colours:?}");
            let known = all.entry(name).or_insert_with(|| colour.clone());
            assert_eq!(*known, colour);
        }
    }
}

/// Red, green and blue of `#rrggbb` as linear light.
fn light(colour: &str) -> [f64; 3] {
    [1, 3, 5].map(|i| {
        let v = f64::from(u8::from_str_radix(&colour[i..i + 2], 16).unwrap()) / 255.0;
        if v <= 0.040_45 {
            v / 12.92
        } else {
            ((v + 0.055) / 1.055).powf(2.4)
        }
    })
}

/// The contrast of two colours as WCAG defines it.
fn contrast(a: &str, b: &str) -> f64 {
    let [a, b] = [a, b].map(|colour| {
        let [r, g, b] = light(colour);
        0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
    });
    a.max(b) / a.min(b)
}

/// The perceived distance of two colours, CIE 1976.
fn distance(a: &str, b: &str) -> f64 {
    let lab = |colour| {
        let [r, g, b] = light(colour);
        let f = |t: f64| {
            if t > 0.008_856 {
                t.cbrt()
            } else {
                7.787 * t + 16.0 / 116.0
            }
        };
        let x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.950_47);
        let y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
        let z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.088_83);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    };
    let (a, b) = (lab(a), lab(b));
    let square = |i: usize| (a[i] - b[i]).powi(2);
    (square(0) + square(1) + square(2)).sqrt()
}

#[test]
fn every_kind_of_link_has_a_colour_of_its_own() {
    if !has_node("every_kind_of_link_has_a_colour_of_its_own") {
        return;
    }
    let mut colours = BTreeMap::new();
    check(&baked_as_configured("movement.tmx").1, &mut colours);
    check(&baked(&fixture("portals.tmx")), &mut colours);
    assert_eq!(colours.len(), 8, "{colours:?}");
    colours.insert("floor".into(), "#2fb457".into());
    colours.insert("path".into(), "#ffd63d".into());
    let all: Vec<_> = colours.iter().collect();
    for (i, (name, colour)) in all.iter().enumerate() {
        // On the panel, on the picture and on solid cells.
        for behind in ["#181c23", "#101318", "#2a1a1e"] {
            let times = contrast(colour, behind);
            assert!(times >= 4.5, "{name} on {behind}: {times}");
        }
        for (other, its) in &all[..i] {
            let apart = distance(colour, its);
            assert!(apart >= 40.0, "{name} and {other}: {apart}");
        }
    }
}

#[test]
fn there_is_a_check_box_for_every_layer_with_content() {
    if !has_node("there_is_a_check_box_for_every_layer_with_content") {
        return;
    }
    let mut level = fixture("ledges.tmx");
    level.markers.clear();
    let mesh = baked(&level);
    let names: Vec<&str> = (mesh.layers().iter())
        .map(|layer| layer.profile().name.as_str())
        .collect();
    assert_eq!(names, ["ground", "air", "harpy"]);
    let diff = Diff::new(&mesh, &mesh, ["a", "b"]);
    for (meshes, diff) in [
        (&[("a", &mesh)][..], None),
        (&[("a", &mesh), ("b", &mesh)][..], Some(&diff)),
    ] {
        let answers = legends(meshes, diff, names.len());
        for (name, [legend, _]) in names.iter().zip(&answers) {
            let layers = legend["layers"].as_array().unwrap();
            let has = |layer: &str| layers.contains(&json!(layer));
            assert!(has("show-terrain") && has("show-vertices"), "{layers:?}");
            assert_eq!(has("show-fly"), *name != "ground", "{name}");
            assert!(has("show-floor"), "{name}");
            assert_eq!(has("show-changes"), diff.is_some(), "{name}");
            assert!(!has("show-markers"));
        }
    }
}
