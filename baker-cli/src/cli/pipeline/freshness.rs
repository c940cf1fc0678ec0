//! Whether a baked file is up to date, told by hashing alone.

use std::fmt;
use std::path::Path;

use navmesh_runtime::asset;
use serde::Serialize;

use super::Files;
use crate::bake::{baker_revision, settings_fingerprint};
use crate::cli::Failure;
use crate::cli::config::Config;
use crate::source::{MAX_FILE_BYTES, level_file};

/// Why a baked file is not up to date.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub(in crate::cli) enum Reason {
    /// There is none.
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
    /// A file the level was read from has changed.
    Input {
        /// Its name, relative to the level's folder.
        file: String,
    },
    /// A file the level was read from is gone.
    Gone {
        /// Its name, relative to the level's folder.
        file: String,
    },
    /// Baking gave other bytes, though nothing of the above is the case.
    Content,
    /// It was asked for.
    Forced,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "no baked file yet",
            Self::Damaged => "it was damaged",
            Self::Format => "the format has changed",
            Self::Baker => "the baker has changed",
            Self::Settings => "the settings have changed",
            Self::Source => "the level had another name",
            Self::Input { file } => return write!(f, "{file} has changed"),
            Self::Gone { file } => return write!(f, "{file} is gone"),
            Self::Content => "baking gives other bytes",
            Self::Forced => "by --force",
        })
    }
}

/// A baked file that is up to date.
pub(in crate::cli) struct Fresh {
    pub(in crate::cli) bytes: Vec<u8>,
    /// Width and height of the level's tiles, pixels.
    pub(in crate::cli) tile_size: Option<[u32; 2]>,
}

/// Whether a baked file is what baking the level of this name would give, or
/// else why it is not. Nothing is parsed: the files it was baked from are
/// hashed.
pub(in crate::cli) fn freshness(
    output: &Path,
    name: &str,
    files: &Files<'_>,
    config: &Config,
) -> Result<Result<Fresh, Vec<Reason>>, Failure> {
    let bytes = match std::fs::read(output) {
        Ok(bytes) => bytes,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            return Ok(Err(vec![Reason::Missing]));
        }
        Err(e) => return Err(Failure::file("read", output, &e)),
    };
    let header = match asset::verify(&bytes) {
        Ok(header) => header,
        Err(asset::AssetError::Version { .. }) => return Ok(Err(vec![Reason::Format])),
        Err(_) => return Ok(Err(vec![Reason::Damaged])),
    };
    let provenance = header.provenance;
    let mut reasons = Vec::new();
    if header.version != asset::FORMAT {
        reasons.push(Reason::Format);
    }
    if provenance.baker != baker_revision() {
        reasons.push(Reason::Baker);
    }
    let settings = config.settings(provenance.tile_size)?;
    if provenance.settings_fingerprint != settings_fingerprint(&settings) {
        reasons.push(Reason::Settings);
    }
    // A project of which only one level can be meant may be named without it.
    let own = level_file(name);
    let same = provenance.source == name
        || (own == name && level_file(&provenance.source) == own && provenance.source != own);
    if !same || provenance.inputs.first().is_none_or(|i| i.name != own) {
        reasons.push(Reason::Source);
        return Ok(Err(reasons));
    }
    for input in &provenance.inputs {
        let file = input.name.clone();
        match files.hash(&file, MAX_FILE_BYTES) {
            Ok(hash) if hash == input.hash.0 => {}
            Ok(_) => reasons.push(Reason::Input { file }),
            Err(_) => reasons.push(Reason::Gone { file }),
        }
    }
    Ok(if reasons.is_empty() {
        Ok(Fresh {
            bytes,
            tile_size: provenance.tile_size,
        })
    } else {
        Err(reasons)
    })
}
