//! Whether a baked file is up to date.

use std::fmt;
use std::path::Path;

use navmesh_runtime::asset::{self, AssetError};
use serde::Serialize;

use crate::bake::{BAKER_REVISION, Settings, level_fingerprint, settings_fingerprint};
use crate::cli::failure::Failure;
use crate::cli::output;
use crate::cli::paths::{MAX_BAKED_BYTES, is_baked};
use crate::source::{LevelFile, read_at_most};

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
    /// It was baked with other settings: agents, units, spacing.
    Settings,
    /// It was baked from a level of another name.
    Source,
    /// What the bake reads of the level has changed: collision, markers, sizes.
    Input {
        /// The level's file, without folders.
        file: String,
    },
    /// No other reason, but a new bake has other bytes.
    Content,
    /// `--force` was given.
    Forced,
    /// Its level no longer exists.
    Orphan,
}

impl fmt::Display for StaleReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "no baked file",
            Self::Damaged => "the baked file was damaged",
            Self::Format => "the file format has changed",
            Self::Baker => "navbake has changed",
            Self::Settings => "the settings have changed",
            Self::Source => "the level had another name",
            Self::Input { file } => {
                return write!(f, "the collision or the markers of {file} have changed");
            }
            Self::Content => "a new bake has other bytes",
            Self::Forced => "--force",
            Self::Orphan => "its level is not there",
        })
    }
}

/// The bytes that an output has now; `None` when there is no file. A file that
/// is not a baked one, which the user may need, is an error.
pub(crate) fn read_output(output: &Path) -> Result<Option<Vec<u8>>, Failure> {
    output::refuse_special(output)?;
    let bytes = match read_at_most(output, MAX_BAKED_BYTES) {
        Ok(bytes) => bytes,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(Failure::file("read the file", output, &e)),
    };
    let is_other = matches!(asset::peek(&bytes), Err(AssetError::NotAnAsset));
    // Of a link, the file that it leads to would be replaced.
    let is_named = || std::fs::canonicalize(output).is_ok_and(|file| is_baked(&file));
    if is_other && !bytes.is_empty() && !is_named() {
        let problem = "this is not a baked file, so it is not replaced";
        let help = "give another file with -o, or remove this one first";
        return Err(Failure::about(output, problem, help));
    }
    Ok(Some(bytes))
}

/// Why a baked file with these bytes is not the one of a level and settings;
/// empty when it is.
pub(crate) fn stale_reasons(
    bytes: &[u8],
    level: &LevelFile,
    settings: &Settings,
) -> Vec<StaleReason> {
    let header = match asset::verify(bytes) {
        Ok(header) => header,
        Err(AssetError::Version { .. }) => return vec![StaleReason::Format],
        Err(_) => return vec![StaleReason::Damaged],
    };
    let provenance = header.provenance;
    let mut reasons = Vec::new();
    if header.version != asset::FORMAT {
        reasons.push(StaleReason::Format);
    }
    if provenance.baker != BAKER_REVISION {
        reasons.push(StaleReason::Baker);
    }
    if provenance.settings_fingerprint != settings_fingerprint(settings) {
        reasons.push(StaleReason::Settings);
    }
    if provenance.source != level.source {
        reasons.push(StaleReason::Source);
    } else if provenance.source_fingerprint != level_fingerprint(level) {
        let file = level.source.clone();
        reasons.push(StaleReason::Input { file });
    }
    reasons
}
