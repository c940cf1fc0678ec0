//! Levels and baked files as input: a level is baked in memory.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use navmesh_runtime::asset;
use navmesh_runtime::mesh::NavMesh;

use crate::bake::{Settings, bake};
use crate::cli::args::ConfigFile;
use crate::cli::asset::Asset;
use crate::cli::config::Config;
use crate::cli::failure::Failure;
use crate::cli::level_input::{is_level, looks_like_level, parse_level, read_bytes, read_level};
use crate::cli::paths::{is_baked, is_dash, name_of};
use crate::cli::terminal::Terminal;
use crate::source::Level;

/// The level or baked file that a command reads.
#[derive(Debug, Args)]
pub(crate) struct MeshFile {
    /// A baked file, or a level, which is baked in memory; `-` reads stdin
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) config: ConfigFile,
}

impl MeshFile {
    /// The files that the command line names.
    pub(crate) fn inputs(&self) -> Vec<&Path> {
        let file = self.file.as_path();
        std::iter::once(file).chain(self.config.file()).collect()
    }

    pub(crate) fn open(&self, terminal: &Terminal) -> Result<Asset, Failure> {
        open_mesh(&self.file, &self.config, terminal)
    }
}

/// Reads a baked file, or bakes a level in memory with the configuration found
/// for it.
pub(crate) fn open_mesh(
    path: &Path,
    config: &ConfigFile,
    terminal: &Terminal,
) -> Result<Asset, Failure> {
    let name = name_of(path);
    match MeshSource::read(path)? {
        MeshSource::Baked(bytes) => Asset::from_bytes(&name, &bytes),
        MeshSource::Level(piped) => {
            let config = config.load_for(path)?;
            let level = level_of(path, piped.as_deref(), &config, terminal)?;
            let settings = config.settings(level.tile_size)?;
            let mesh = bake_level(&level, &settings, &name, terminal)?;
            // Through the format, so that every number is the baked file's.
            Asset::from_bytes(&name, &asset::encode(&mesh))
        }
    }
}

/// Reads a level and prints its warnings. `piped` are its bytes if it comes
/// from stdin.
pub(crate) fn level_of(
    path: &Path,
    piped: Option<&[u8]>,
    config: &Config,
    terminal: &Terminal,
) -> Result<Level, Failure> {
    let level = match piped {
        Some(bytes) => parse_level(bytes, config)?,
        None => read_level(path, config)??,
    };
    for warning in &level.warnings {
        terminal.warn(warning);
    }
    Ok(level)
}

/// Bakes a level while a progress bar shows its name.
pub(crate) fn bake_level(
    level: &Level,
    settings: &Settings,
    name: &str,
    terminal: &Terminal,
) -> Result<NavMesh, Failure> {
    let bar = terminal.bake_bar(name);
    Ok(bake(level, settings, &bar).map_err(|e| (name, e))?)
}

/// What an input holds.
pub(crate) enum MeshSource {
    /// The bytes of a baked file.
    Baked(Vec<u8>),
    /// A level, with its bytes if it comes from stdin.
    Level(Option<Vec<u8>>),
}

impl MeshSource {
    /// Determines what a path is: by its extension, or by its content where the
    /// extension is neither that of a level nor of a baked file.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        if is_level(path) {
            return Ok(Self::Level(None));
        }
        let bytes = read_bytes(path)?;
        if is_dash(path) && looks_like_level(&bytes) {
            return Ok(Self::Level(Some(bytes)));
        }
        // A file that is neither gets the error that lists the level formats.
        if is_baked(path) || is_dash(path) || asset::peek(&bytes).is_ok() {
            Ok(Self::Baked(bytes))
        } else {
            Ok(Self::Level(None))
        }
    }
}
