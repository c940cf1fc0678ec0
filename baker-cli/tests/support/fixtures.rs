//! The repository's levels, read and baked.

use std::path::{Path, PathBuf};

use baker_cli::config::Config;
use baker_cli::source::{Rules, read};
use navmesh_bake::Level;
use navmesh_bake::{NoProgress, Settings, bake, default_agents};
use navmesh_runtime::mesh::NavMesh;

/// The folder of the fixtures: beside this package or beside one that it is in.
pub fn fixtures() -> PathBuf {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let found = folders.find_map(|folder| Some(folder.join("fixtures")).filter(|f| f.is_dir()));
    found.unwrap()
}

pub fn fixture(name: &str) -> Level {
    read(&fixtures().join(name), &Rules::default())
        .unwrap()
        .level
}

/// A level with the settings of the configuration of the same name, or with the
/// default ones if there is none.
pub fn configured(name: &str) -> (Level, Settings) {
    let path = fixtures().join(name);
    let config = match path.with_extension("toml") {
        file if file.exists() => Config::load(&file).unwrap(),
        _ => Config::default(),
    };
    let level = read(&path, config.rules()).unwrap().level;
    let settings = config.settings(level.tile_size).unwrap();
    (level, settings)
}

pub fn baked_as_configured(name: &str) -> (Level, NavMesh) {
    let (level, settings) = configured(name);
    let mesh = bake(&level, &settings, &NoProgress).unwrap();
    (level, mesh)
}

/// A level baked for the default agents.
pub fn baked(level: &Level) -> NavMesh {
    let settings = Settings::for_agents(default_agents(16.0));
    bake(level, &settings, &NoProgress).unwrap()
}
