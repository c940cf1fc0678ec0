//! The content of a mesh as text and as JSON.

use std::io::{self, Write};

use baker_cli::report::dump::{json, text};
use glam::Vec2;
use navmesh_runtime::mesh::{LayerParts, Link, NavMesh, NavMeshParts, PlatformId, Platforms};
use serde_json::Value;

use crate::sample;

fn written(mesh: &NavMesh, write: fn(&NavMesh, &str, &mut dyn Write) -> io::Result<()>) -> String {
    let mut out = Vec::new();
    write(mesh, "1.0", &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

// Grid, terrain, floor, links, as a person reads them.
#[test]
fn the_text_of_a_small_mesh() {
    insta::assert_snapshot!(written(&sample::mesh(), text));
}

#[test]
fn the_json_of_a_small_mesh() {
    insta::assert_snapshot!(written(&sample::mesh(), json));
}

#[test]
fn the_json_has_the_keys_of_the_contract_and_exact_numbers() {
    let value: Value = serde_json::from_str(&written(&sample::mesh(), json)).unwrap();
    let keys = |v: &Value| -> Vec<String> { v.as_object().unwrap().keys().cloned().collect() };
    let has = |v: &Value, names: &str| {
        for name in names.split(' ') {
            assert!(keys(v).iter().any(|k| k == name), "{name} in {v}");
        }
    };
    has(&value, "navmesh units grid agents markers");
    has(
        &value["navmesh"],
        "format source source_fingerprint settings_fingerprint",
    );
    has(&value["units"], "pixels_per_unit y_axis");
    has(&value["grid"], "origin spacing columns rows");
    let agent = &value["agents"][0];
    has(agent, "name profile terrain platforms links edges");
    has(&agent["platforms"][0], "id left right vertices");
    let link = &agent["links"][0];
    has(link, "kind from to from_platform to_platform arc cost");
    has(&link["arc"], "duration launches legs gravity");
    has(&agent["edges"], "floor fly jump drop");

    let mesh = sample::mesh();
    let layer = &mesh.layers()[0];
    assert_eq!(
        agent["profile"]["jump_speed"].as_f64(),
        Some(f64::from(layer.profile().jump_speed))
    );
    assert_eq!(
        link["cost"].as_f64(),
        Some(f64::from(layer.links()[0].duration))
    );
    // The last leg ends where the link does, reckoned from the JSON alone.
    let number = |v: &Value| v.as_f64().unwrap();
    let across: f64 = link["arc"]["legs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|leg| number(&leg[0]) * number(&leg[1]))
        .sum();
    let expected = number(&link["to"][0]) - number(&link["from"][0]);
    assert!((across - expected).abs() < 1e-9, "{across} {expected}");
}

#[test]
fn one_more_platform_adds_lines_and_changes_none() {
    let before = written(&sample::mesh(), text);
    let mesh = sample::mesh();
    // The same mesh with its platforms in another order has the same text.
    let layer = &mesh.layers()[0];
    let surfaces: Vec<_> = layer.platforms().map(|p| p.surface).collect();
    let extra = [Vec2::new(132.0, 60.0), Vec2::new(150.0, 60.0)];
    let platforms = Platforms::new(std::iter::once(&extra[..]).chain(surfaces)).unwrap();
    let links = layer.links().iter().map(|link| {
        let shift = |id: PlatformId| PlatformId(id.0 + 1);
        Link {
            from_platform: shift(link.from_platform),
            to_platform: shift(link.to_platform),
            ..*link
        }
    });
    let other = NavMesh::new(NavMeshParts {
        provenance: mesh.provenance().clone(),
        units: mesh.units(),
        grid: *mesh.grid(),
        layers: vec![LayerParts {
            profile: layer.profile().clone(),
            blocked: layer.parts().blocked.clone(),
            platforms,
            links: links.collect(),
            barriers: Vec::new(),
            air: Vec::new(),
            lines: Vec::new(),
        }],
        markers: Vec::new(),
    })
    .unwrap();
    let after = written(&other, text);
    let of_interest = |text: &str| -> Vec<String> {
        text.lines()
            .filter(|l| {
                ["  platform ", "  jump ", "  drop "]
                    .iter()
                    .any(|k| l.starts_with(k))
            })
            .map(String::from)
            .collect()
    };
    let mut after = of_interest(&after);
    after.retain(|l| !l.contains("132,60"));
    assert_eq!(after, of_interest(&before));
}
