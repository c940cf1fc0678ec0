//! Text dumps of baked fixtures: the diff of a snapshot shows what a change
//! does to a bake. N1–N6.

use baker_cli::bake::{NoProgress, Settings, bake, default_agents};
use baker_cli::cli::config::Config;
use baker_cli::report::dump;
use baker_cli::source::{Rules, read};

fn dump_of(name: &str) -> String {
    let path = format!("{}/../fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    let level = read(path.as_ref(), &Rules::default()).unwrap();
    let settings = Settings::for_agents(default_agents(16.0));
    let mesh = bake(&level, &settings, &NoProgress).unwrap();
    let mut text = Vec::new();
    dump::text(&mesh, "1.0", &mut text).unwrap();
    String::from_utf8(text).unwrap()
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
    let fixtures = format!("{}/../fixtures", env!("CARGO_MANIFEST_DIR"));
    let config = Config::load(format!("{fixtures}/movement.toml").as_ref()).unwrap();
    let path = format!("{fixtures}/movement.tmx");
    let level = read(path.as_ref(), config.rules()).unwrap();
    let settings = config.settings(level.tile_size).unwrap();
    let mesh = bake(&level, &settings, &NoProgress).unwrap();
    let mut text = Vec::new();
    dump::text(&mesh, "1.0", &mut text).unwrap();
    insta::assert_snapshot!("movement", String::from_utf8(text).unwrap());
}
