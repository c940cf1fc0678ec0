//! Golden dumps of the fixtures: what a change does to a bake is read in the
//! diff of these. N1–N6.

use baker_cli::bake::{NoProgress, Settings, bake, default_agents};
use baker_cli::report::dump;
use baker_cli::source::{ReadOptions, read};

fn golden(name: &str) -> String {
    let path = format!("{}/../fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    let level = read(path.as_ref(), &ReadOptions::default()).unwrap();
    let settings = Settings::for_agents(default_agents(16.0));
    let mesh = bake(&level, &settings, &NoProgress).unwrap();
    let mut text = Vec::new();
    dump::text(&mesh, "1.0", &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn ledges() {
    insta::assert_snapshot!("ledges", golden("ledges.tmx"));
}

// Portals, doors and every other class of marker.
#[test]
fn portals() {
    insta::assert_snapshot!("portals", golden("portals.tmx"));
}

#[test]
fn organic() {
    insta::assert_snapshot!("organic", golden("organic.png"));
}
