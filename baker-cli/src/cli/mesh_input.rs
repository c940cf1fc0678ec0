//! Levels and baked files as input: a level is baked in memory.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use navmesh_runtime::asset::{self, AssetError, Section};
use navmesh_runtime::mesh::{Layer, NavMesh};

use crate::bake::tools::advice;
use crate::bake::{Level, LiveLevel, Settings};
use crate::cli::args::ConfigFile;
use crate::cli::bake::{FoundLevel, levels_of};
use crate::cli::failure::Failure;
use crate::cli::io::{
    file_name, has_extension, is_baked, is_dash, is_level, level_file, name_of, read_bytes,
    visible_entries,
};
use crate::cli::level_input::{bake_level, read_level};
use crate::cli::terminal::Terminal;
use crate::report::FailedLevel;
use crate::report::inspect::SectionSize;
use crate::source::{LevelFile, MAX_SHOWN, SourceError};

/// The level or baked file that a command reads.
#[derive(Debug, Args)]
pub struct MeshFile {
    /// A baked file, or a level, which is baked in memory; `-` reads stdin
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    #[command(flatten)]
    pub config: ConfigFile,
}

impl MeshFile {
    /// The files that the command line names.
    pub fn inputs(&self) -> Result<Vec<&Path>, Failure> {
        self.config.inputs([self.file.as_path()])
    }

    pub fn open(&self, terminal: &Terminal) -> Result<Asset, Failure> {
        self.inputs()?;
        let asset = open_mesh(&self.file, &self.config, terminal)?;
        self.config.warn_if_unread(terminal);
        Ok(asset)
    }

    /// Bakes a level that can be edited.
    pub fn open_live(&self, terminal: &Terminal) -> Result<(Asset, LiveLevel), Failure> {
        self.inputs()?;
        let MeshSource::Level(piped) = MeshSource::read(&self.file)? else {
            let help = "name the level instead of the baked file";
            let problem = "a baked file has no collision that could be edited";
            return Err(Failure::about(&self.file, problem, help));
        };
        let name = name_of(&self.file);
        let (level, settings) = level_of(&self.file, piped.as_deref(), &self.config, terminal)?;
        self.config.warn_if_unread(terminal);
        let bar = terminal.bake_bar(&name);
        let live = LiveLevel::with_progress(Level::clone(&level), settings, &bar);
        let live = live.map_err(|e| Failure::in_file(&name, &e))?;
        // Through the format, so that every number is the baked file's.
        let asset = Asset::from_bytes(&name, &asset::encode(live.mesh()))?;
        Ok((asset, live))
    }
}

/// A baked file.
pub struct Asset {
    pub mesh: NavMesh,
    /// Version of the file format, `1.0`.
    pub format: String,
    /// Size of the file.
    pub bytes: u64,
    pub sections: Vec<SectionSize>,
}

impl Asset {
    /// Decodes a baked file; errors name it `name`.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, Failure> {
        let fail = |e: AssetError| Failure::in_file(name, &e);
        let header = asset::peek(bytes).map_err(fail)?;
        let mesh = asset::decode(bytes).map_err(fail)?;
        let sections = header.sections.iter();
        let (major, minor) = header.version;
        Ok(Self {
            sections: sections
                .map(|section| section_size(section, &mesh))
                .collect(),
            mesh,
            format: format!("{major}.{minor}"),
            bytes: bytes.len() as u64,
        })
    }

    /// The layer of an agent; the first layer without a name.
    pub fn layer(&self, agent: Option<&str>) -> Result<&Layer, Failure> {
        let Some(name) = agent else {
            let first = self.mesh.layers().first();
            return first.ok_or_else(|| Failure::new("the file was baked without agents"));
        };
        self.mesh.layer_named(name).ok_or_else(|| {
            let layers = self.mesh.layers().iter();
            let known: Vec<_> = layers.map(|l| l.profile().name.clone()).collect();
            Failure::unknown_agent(name, &known)
        })
    }
}

/// The name and size of a section. Where each agent has one, the name
/// includes the agent's.
fn section_size(section: &Section, mesh: &NavMesh) -> SectionSize {
    // A later minor version of the format may have more kinds.
    let letters = section.kind.escape_ascii();
    let name = section.name().map_or(letters.to_string(), String::from);
    let layer = mesh.layers().get(section.index as usize);
    SectionSize {
        name: match layer.filter(|_| section.is_per_agent()) {
            Some(layer) => format!("{name} of {}", layer.profile().name),
            None => name,
        },
        bytes: section.length.into(),
    }
}

/// Reads a baked file, or bakes a level in memory with the configuration found
/// for it.
pub fn open_mesh(path: &Path, config: &ConfigFile, terminal: &Terminal) -> Result<Asset, Failure> {
    let name = name_of(path);
    match MeshSource::read(path)? {
        MeshSource::Baked(bytes) => Asset::from_bytes(&name, &bytes),
        MeshSource::Level(piped) => {
            let (level, settings) = level_of(path, piped.as_deref(), config, terminal)?;
            for warning in advice(&level, &settings) {
                terminal.warn(&format!("{name}: {warning}"));
            }
            let mesh = bake_level(&level, &settings, &name, terminal)?;
            // Through the format, so that every number is the baked file's.
            Asset::from_bytes(&name, &asset::encode(&mesh))
        }
    }
}

/// Reads a level with the settings found for it, and prints its warnings. `piped` are its bytes if
/// it comes from stdin.
pub fn level_of(
    path: &Path,
    piped: Option<&[u8]>,
    config: &ConfigFile,
    terminal: &Terminal,
) -> Result<(LevelFile, Settings), Failure> {
    let config = config.load_for(path)?;
    let level = read_level(path, piped, &config)?;
    for warning in &level.warnings {
        terminal.warn_of_level(warning);
    }
    for guess in level.undecided.iter().take(MAX_SHOWN) {
        terminal.guess(&guess.to_string(), guess.is_sure);
    }
    let settings = config.settings_of(&level)?;
    Ok((level, settings))
}

/// The level that a path stands for, where people look for the cause of a finding: the
/// level itself, or that of a baked file beside it.
pub fn level_path(path: &Path, mesh: &NavMesh) -> String {
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

/// Prints why a level cannot be checked or compared, and returns it for the report.
pub fn failed(path: &Path, failure: &Failure, terminal: &Terminal) -> FailedLevel {
    let error = failure.to_string();
    terminal.error(&error);
    let file = name_of(path);
    FailedLevel { file, error }
}

/// What an argument stands for: the levels of a folder, a Tiled world or an LDtk
/// project, the baked files of a folder without levels, or the file itself.
/// What is found comes in order; problems take the place of a level.
pub fn meshes_in(named: &Path) -> Vec<FoundLevel> {
    let is_group = has_extension(named, ["world", "ldtk"]) && named.is_file();
    if !named.is_dir() && !is_group {
        let below = PathBuf::from(file_name(named));
        return vec![FoundLevel::new(named.to_path_buf(), below)];
    }
    let levels = levels_of(named);
    // A folder without levels has a problem of its own in their place.
    if (levels.iter()).any(|found| found.problem.is_none() || found.level != named) {
        return levels;
    }
    let mut baked = Vec::new();
    for entry in visible_entries(named).build().flatten() {
        let path = entry.path();
        if is_baked(path)
            && path.is_file()
            && let Ok(below) = path.strip_prefix(named)
        {
            baked.push(FoundLevel::new(path.to_path_buf(), below.to_path_buf()));
        }
    }
    if baked.is_empty() { levels } else { baked }
}

/// What an input holds.
pub enum MeshSource {
    /// The bytes of a baked file.
    Baked(Vec<u8>),
    /// A level, with its bytes if it comes from stdin.
    Level(Option<Vec<u8>>),
}

impl MeshSource {
    /// Determines what a path is: by its extension, or by its content where the
    /// extension is neither that of a level nor of a baked file.
    pub fn read(path: &Path) -> Result<Self, Failure> {
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
        let problem = SourceError::UnknownFormat { file };
        let help = "a baked file (.navmesh) is accepted, too";
        Err(Failure::with_help(problem, help))
    }
}

/// Whether the bytes of stdin are those of a level.
pub fn looks_like_level(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.starts_with(b"\x89PNG") || matches!(text.trim_ascii_start().first(), Some(b'<' | b'{'))
}
