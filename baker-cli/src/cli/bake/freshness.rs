//! Whether a baked file is up to date.

use navmesh_runtime::asset::{self, AssetError};
use schemars::JsonSchema;
use serde::Serialize;

use crate::bake::Settings;
use crate::bake::tools::{BAKER_REVISION, level_fingerprint, settings_fingerprint};
use crate::source::LevelFile;

/// Why a baked file is not up to date.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema, thiserror::Error)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum StaleReason {
    /// There is no baked file.
    #[error("no baked file")]
    Missing,
    /// It cannot be loaded.
    #[error("the baked file was damaged")]
    Damaged,
    /// It has another version of the format.
    #[error("the file format has changed")]
    Format,
    /// Another revision of the baker made it.
    #[error("navbake has changed")]
    Baker,
    /// It was baked with other settings: agents, units, spacing.
    #[error("the settings have changed")]
    Settings,
    /// It was baked from a level of another name.
    #[error("the level had another name")]
    Source,
    /// What the bake reads of the level has changed: collision, markers, sizes.
    #[error("the collision or the markers of {file} have changed")]
    Input {
        /// The level's file, without folders.
        file: String,
    },
    /// No other reason, but a new bake has other bytes.
    #[error("a new bake has other bytes")]
    Content,
    /// `--force` was given.
    #[error("--force")]
    Forced,
    /// Its level no longer exists.
    #[error("its level is not there")]
    Orphan,
}

/// Why a baked file with these bytes is not the one of a level and settings;
/// empty when it is.
pub fn stale_reasons(bytes: &[u8], level: &LevelFile, settings: &Settings) -> Vec<StaleReason> {
    let header = match asset::verify(bytes) {
        Ok(header) => header,
        Err(AssetError::Version { .. }) => return vec![StaleReason::Format],
        Err(_) => return vec![StaleReason::Damaged],
    };
    let provenance = header.provenance;
    let mut reasons = Vec::new();
    if header.version > asset::FORMAT {
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
