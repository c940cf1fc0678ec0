//! Whether a baked file is up to date.

use std::fmt;
use std::path::Path;

use navmesh_runtime::asset::{self, AssetError};
use serde::Serialize;

use crate::bake::{BAKER_REVISION, settings_fingerprint};
use crate::cli::config::Config;
use crate::cli::failure::Failure;
use crate::cli::input_files::LevelFiles;
use crate::source::{MAX_FILE_BYTES, level_file};

/// Why a baked file is not up to date.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub(crate) enum StaleReason {
    /// There is no baked file.
    Missing,
    /// It cannot be loaded.
    Damaged,
    /// It has another version of the format.
    Format,
    /// Another revision of the baker made it.
    Baker,
    /// It was baked with other settings: agents, rules, units.
    Settings,
    /// It was baked from a level of another name.
    Source,
    /// A file that the level was read from has changed.
    Input {
        /// Its name, relative to the level's folder.
        file: String,
    },
    /// A file that the level was read from no longer exists.
    Gone {
        /// Its name, relative to the level's folder.
        file: String,
    },
    /// No other reason, but a new bake has other bytes.
    Content,
    /// `--force` was given.
    Forced,
}

impl fmt::Display for StaleReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "there was no baked file",
            Self::Damaged => "the baked file was damaged",
            Self::Format => "the file format has changed",
            Self::Baker => "navbake has changed",
            Self::Settings => "the settings have changed",
            Self::Source => "the level had another name",
            Self::Input { file } => return write!(f, "{file} has changed"),
            Self::Gone { file } => return write!(f, "{file} no longer exists"),
            Self::Content => "a new bake has other bytes",
            Self::Forced => "--force",
        })
    }
}

/// A baked file that is up to date.
pub(crate) struct FreshFile {
    pub(crate) bytes: Vec<u8>,
    /// Width and height of the level's tiles, pixels.
    pub(crate) tile_size: Option<[u32; 2]>,
}

/// Compares a baked file with what baking the level `name` would read: the
/// settings and the hashes of all input files. The level is not parsed.
pub(crate) fn freshness(
    output: &Path,
    name: &str,
    files: &LevelFiles<'_>,
    config: &Config,
) -> Result<Result<FreshFile, Vec<StaleReason>>, Failure> {
    let bytes = match std::fs::read(output) {
        Ok(bytes) => bytes,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            return Ok(Err(vec![StaleReason::Missing]));
        }
        Err(e) => return Err(Failure::file("read the file", output, &e)),
    };
    let header = match asset::verify(&bytes) {
        Ok(header) => header,
        Err(AssetError::Version { .. }) => return Ok(Err(vec![StaleReason::Format])),
        Err(_) => return Ok(Err(vec![StaleReason::Damaged])),
    };
    let provenance = header.provenance;
    let mut reasons = Vec::new();
    if header.version != asset::FORMAT {
        reasons.push(StaleReason::Format);
    }
    if provenance.baker != BAKER_REVISION {
        reasons.push(StaleReason::Baker);
    }
    let settings = config.settings(provenance.tile_size)?;
    if provenance.settings_fingerprint != settings_fingerprint(&settings) {
        reasons.push(StaleReason::Settings);
    }
    // A project with one level may be named without it: `w.ldtk` is then the
    // same as `w.ldtk#Level_0`.
    let own = level_file(name);
    let same = provenance.source == name
        || (own == name && level_file(&provenance.source) == own && provenance.source != own);
    if !same
        || provenance
            .inputs
            .first()
            .is_none_or(|(name, _)| *name != own)
    {
        // The inputs are those of another level.
        reasons.push(StaleReason::Source);
        return Ok(Err(reasons));
    }
    for (file, baked) in &provenance.inputs {
        let file = file.clone();
        match files.hash(&file, MAX_FILE_BYTES) {
            Ok(hash) if hash == baked.0 => {}
            Ok(_) => reasons.push(StaleReason::Input { file }),
            Err(_) => reasons.push(StaleReason::Gone { file }),
        }
    }
    if reasons.is_empty() {
        let tile_size = provenance.tile_size;
        Ok(Ok(FreshFile { bytes, tile_size }))
    } else {
        Ok(Err(reasons))
    }
}
