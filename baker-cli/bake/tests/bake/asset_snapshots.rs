//! Text dumps of baked fixtures: the diff of a snapshot shows what a change
//! does to a bake.

use std::collections::BTreeMap;
use std::fmt::Write as _;

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

/// Of a long dump: how many lines of each kind it has, agent by agent, and their hash.
/// The stages of the bake have snapshots of their own, and links are replayed.
fn summary(dump: &str) -> String {
    let mut out = String::new();
    for part in dump.split("\n\n") {
        let _ = writeln!(out, "{}", part.lines().next().unwrap_or_default());
        let mut kinds: BTreeMap<&str, (u32, u64)> = BTreeMap::new();
        for line in part.lines().skip(1) {
            let kind = line.split_whitespace().next().unwrap_or_default();
            // FNV-1a.
            let (count, hash) = kinds.entry(kind).or_insert((0, 0xCBF2_9CE4_8422_2325));
            for byte in line.bytes() {
                *hash = (*hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
            }
            *count += 1;
        }
        for (kind, (count, hash)) in kinds {
            let _ = writeln!(out, "  {kind}: {count} lines, {hash:016x}");
        }
    }
    out
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
    insta::assert_snapshot!("organic", summary(&dump_of("organic.png")));
}

// Ladders, walls and ceilings, dropping through one-way tops, one-way walls and
// ceilings, hazards, double jumps, a greatest speed of fall.
#[test]
fn movement() {
    let (_, mesh) = baked_as_configured("movement.tmx");
    insta::assert_snapshot!("movement", summary(&text(&mesh)));
}
