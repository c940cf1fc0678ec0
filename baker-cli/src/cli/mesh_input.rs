//! Levels and baked files as input: a level is baked in memory.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use navmesh_runtime::asset;
use navmesh_runtime::mesh::NavMesh;

use crate::bake::advice;
use crate::cli::args::ConfigFile;
use crate::cli::asset::Asset;
use crate::cli::bake::{FoundLevel, levels_of};
use crate::cli::config::Config;
use crate::cli::failure::Failure;
use crate::cli::level_input::{
    bake_level, looks_like_level, picture_warnings, read_bytes, read_level,
};
use crate::cli::paths::{
    baked_name, file_name, has_extension, is_baked, is_dash, is_level, level_file, name_of,
    visible_entries,
};
use crate::cli::terminal::Terminal;
use crate::report::FailedLevel;
use crate::source::{LevelFile, SourceError};

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
    pub(crate) fn inputs(&self) -> Result<Vec<&Path>, Failure> {
        self.config.inputs([self.file.as_path()])
    }

    pub(crate) fn open(&self, terminal: &Terminal) -> Result<Asset, Failure> {
        self.inputs()?;
        let asset = open_mesh(&self.file, &self.config, terminal)?;
        self.config.warn_if_unread(terminal);
        Ok(asset)
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
            for warning in advice(&level, &settings) {
                terminal.warn(&format!("{name}: {warning}"));
            }
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
) -> Result<LevelFile, Failure> {
    let level = read_level(path, piped, config)?;
    for warning in level.warnings.iter().chain(&picture_warnings(path, &level)) {
        terminal.warn_of_level(warning);
    }
    Ok(level)
}

/// The level that a path stands for, where people look for the cause of a finding: the
/// level itself, or that of a baked file beside it.
pub(crate) fn level_path(path: &Path, mesh: &NavMesh) -> String {
    let source = Path::new(&mesh.provenance().source);
    let beside = path.with_file_name(source);
    let level = if is_level(path) {
        path
    } else if level_file(&beside).is_file() {
        &beside
    } else {
        source
    };
    level.display().to_string()
}

/// A level or a baked file that an argument stands for.
pub(crate) struct FoundMesh {
    pub(crate) path: PathBuf,
    /// The path of its baked file below the folder that was named: the same for
    /// a level and for its baked file.
    pub(crate) key: PathBuf,
    /// Why it cannot be read, if that is already known. It may then be a project, or the
    /// folder itself, whose `key` is empty.
    pub(crate) problem: Option<String>,
}

/// Prints why a level cannot be checked or compared, and returns it for the report.
pub(crate) fn failed(path: &Path, failure: &Failure, terminal: &Terminal) -> FailedLevel {
    let error = failure.to_string();
    terminal.error(&error);
    let file = name_of(path);
    FailedLevel { file, error }
}

/// What an argument stands for: the levels of a folder, a Tiled world or an LDtk
/// project, the baked files of a folder without levels, or the file itself.
/// What is found comes in order; problems take the place of a level.
pub(crate) fn meshes_in(named: &Path) -> Vec<FoundMesh> {
    let is_group = ["world", "ldtk"].iter().any(|e| has_extension(named, e));
    if !named.is_dir() && (!is_group || !named.is_file()) {
        return vec![FoundMesh {
            path: named.to_path_buf(),
            key: PathBuf::from(file_name(named)),
            problem: None,
        }];
    }
    let baked = baked_files(named);
    let levels = levels_of(named);
    // Levels come first. A folder without levels has a problem of its own in their place.
    let is_problem = |found: &FoundLevel| found.problem.is_some() && found.level == named;
    if !baked.is_empty() && levels.iter().all(is_problem) {
        return baked;
    }
    let found = levels.into_iter().map(|found| FoundMesh {
        key: baked_name(found.level.strip_prefix(named).unwrap_or(&found.level)),
        path: found.level,
        problem: found.problem,
    });
    found.collect()
}

/// The baked files in a folder and its subfolders, sorted by path; none for a
/// level.
fn baked_files(folder: &Path) -> Vec<FoundMesh> {
    let walk = visible_entries(folder).build().flatten();
    let files = walk.map(ignore::DirEntry::into_path);
    let baked = files.filter(|path| is_baked(path) && path.is_file());
    let found = baked.filter_map(|path| {
        let key = path.strip_prefix(folder).ok()?.to_path_buf();
        let problem = None;
        Some(FoundMesh { path, key, problem })
    });
    found.collect()
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
        if path.is_dir() {
            let help = "name a level or a baked file in it";
            return Err(Failure::about(path, "this is a folder", help));
        }
        let bytes = read_bytes(path)?;
        if is_dash(path) && looks_like_level(&bytes) {
            return Ok(Self::Level(Some(bytes)));
        }
        if is_baked(path) || is_dash(path) || asset::peek(&bytes).is_ok() {
            return Ok(Self::Baked(bytes));
        }
        let file = name_of(path);
        let help = "a baked file (.navmesh) is accepted, too";
        Err(Failure::with_help(
            SourceError::UnknownFormat { file },
            help,
        ))
    }
}
