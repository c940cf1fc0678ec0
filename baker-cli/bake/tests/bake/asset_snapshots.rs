//! Text dumps of baked fixtures: the diff of a snapshot shows what a change
//! does to a bake. N1–N6.

use crate::common;

use baker_cli::report::dump;
use common::fixtures::{baked, baked_as_configured, fixture};
use navmesh_runtime::mesh::NavMesh;

fn text(mesh: &NavMesh) -> String {
    let mut text = Vec::new();
    dump::text(mesh, "1.0", &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn dump_of(name: &str) -> String {
    text(&baked(&fixture(name)))
}

#[test]
fn ledges() {
    insta::assert_snapshot!("ledges", dump_of("ledges.tmx"));
}

// Portals, doors and every other class of marker.
#[test]
fn portals() {
    insta::assert_snapshot!("portals", dump_of("portals.tmx"));
}

#[test]
fn organic() {
    insta::assert_snapshot!("organic", dump_of("organic.png"));
}

// Ladders, walls and ceilings, dropping through one-way tops, one-way walls and
// ceilings, hazards, double jumps, a greatest speed of fall.
#[test]
fn movement() {
    let (_, mesh) = baked_as_configured("movement.tmx");
    insta::assert_snapshot!("movement", text(&mesh));
}
