//! The summary of a mesh.

use std::io::{self, Write};

use baker_cli::report::edge_counts;
use baker_cli::report::inspect::{SectionSize, Summary};
use navmesh_runtime::mesh::{BitGrid, NavMesh, PlatformKind, Platforms};
use serde_json::Value;

use crate::sample;

fn written(
    mesh: &NavMesh,
    write: impl Fn(&Summary<'_>, &mut dyn Write) -> io::Result<()>,
) -> String {
    let sections = vec![SectionSize {
        name: "layer grunt".into(),
        bytes: 1234,
    }];
    let summary = Summary::new(mesh, "1.0", 1_234_567, sections);
    let mut out = Vec::new();
    write(&summary, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn the_summary_of_a_small_mesh() {
    let mesh = sample::mesh();
    insta::assert_snapshot!(written(&mesh, |s, out| s.text(out)));
    insta::assert_snapshot!(written(&mesh, |s, out| s.json(out)));
}

#[test]
fn every_vertex_is_counted_also_on_walls_and_ceilings() {
    let mesh = sample::with_climbs(&[
        (PlatformKind::Wall, [[126.0, 60.0], [126.0, 88.0]]),
        (PlatformKind::Ceiling, [[20.0, 24.0], [100.0, 24.0]]),
    ]);
    let json: Value = serde_json::from_str(&written(&mesh, |s, out| s.json(out))).unwrap();
    let counts = json["agents"][0]["vertices"].as_object().unwrap();
    let total: u64 = counts.values().filter_map(Value::as_u64).sum();
    assert_eq!(total, u64::from(mesh.grid().columns * mesh.grid().rows));
    assert!(
        counts["on_wall"] != 0 && counts["on_ceiling"] != 0,
        "{counts:?}"
    );
    let text = written(&mesh, |s, out| s.text(out));
    let (walls, ceilings) = (&counts["on_wall"], &counts["on_ceiling"]);
    let line = format!(", {walls} on walls, {ceilings} on ceilings\n");
    assert!(text.contains(&line), "{text}");
}

// Flying joins adjacent and diagonal vertices and cuts no corners.
#[test]
fn fly_edges_are_those_found_one_by_one() {
    let mut blocked = BitGrid::new(130, 9);
    let mut seed = 7_u32;
    for row in 0..9 {
        for column in 0..130 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            blocked.set(column, row, seed >> 30 == 0);
        }
    }
    let mesh = sample::with(|parts| {
        (parts.grid.columns, parts.grid.rows) = (130, 9);
        parts.markers.clear();
        for layer in &mut parts.layers {
            (layer.platforms, layer.links) = (Platforms::default(), Vec::new());
            layer.barriers.clear();
            layer.blocked = blocked.clone();
        }
    });
    let free = |c: u32, r: u32| c < 130 && r < 9 && !blocked.get(c, r);
    let mut expected = 0;
    for row in 0..9 {
        for column in 0..130 {
            let here = free(column, row);
            let (right, below) = (free(column + 1, row), free(column, row + 1));
            expected += u64::from(here && right) + u64::from(here && below);
            if here && right && below && free(column + 1, row + 1) {
                expected += 2;
            }
        }
    }
    assert_eq!(edge_counts(mesh.layer_named("bat").unwrap()).fly, expected);
}
