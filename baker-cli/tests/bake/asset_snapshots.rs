//! Golden dumps of the fixtures: what a change does to a bake is read in the
//! diff of these. N1–N6.

use baker_cli::bake::{NoProgress, Settings, bake, default_agents};
use baker_cli::cli::config::Config;
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

// Ladders, walls and ceilings, one-way tops dropped through, one-way walls and
// ceilings, hazards, double jumps, a greatest speed of fall.
#[test]
fn movement() {
    let fixtures = format!("{}/../fixtures", env!("CARGO_MANIFEST_DIR"));
    let config = Config::load(format!("{fixtures}/movement.toml").as_ref()).unwrap();
    let path = format!("{fixtures}/movement.tmx");
    let level = read(path.as_ref(), &config.read_options()).unwrap();
    let settings = config.settings(level.tile_size).unwrap();
    let mesh = bake(&level, &settings, &NoProgress).unwrap();
    let mut text = Vec::new();
    dump::text(&mesh, "1.0", &mut text).unwrap();
    insta::assert_snapshot!("movement", String::from_utf8(text).unwrap());
}
