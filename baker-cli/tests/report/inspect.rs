//! The summary of a mesh.

use std::io::{self, Write};

use baker_cli::report::inspect::{SectionSize, Summary};
use navmesh_runtime::mesh::{NavMesh, PlatformKind};
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
