//! Asset decoding errors.

use std::fmt;
use std::path::PathBuf;

use super::section::{FORMAT, Section};
use crate::mesh::MeshError;

/// Asset decoding errors. `Debug` prints the message too, because `unwrap`, and a `main`
/// that returns the error, print that.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum AssetError {
    /// The file could not be opened or read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The file was read, but is not a valid asset.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<AssetError>,
    },
    /// The signature is missing.
    #[error("not a nav mesh: the signature is missing; bake the level with `navbake bake`")]
    NotAnAsset,
    /// The major version of the format is not the one that this crate reads.
    #[error(
        "the nav mesh has format {major}.{minor}, but this program reads format {}.x; \
         bake the level again with the navbake that belongs to this program",
        FORMAT.0
    )]
    Version {
        /// Its major version.
        major: u16,
        /// Its minor version.
        minor: u16,
    },
    /// The file is longer or shorter than its table of sections.
    #[error(
        "the nav mesh is {found} bytes long, but its table of sections ends at {expected}; \
         it was cut off or appended to, so bake or copy it again"
    )]
    Length {
        /// Bytes it should have.
        expected: u64,
        /// Bytes it has.
        found: u64,
    },
    /// The table of sections is damaged.
    #[error("the nav mesh's table of sections {0}; the file is damaged, so bake or copy it again")]
    Table(&'static str),
    /// A section's checksum does not match its bytes.
    #[error("{0} has a wrong checksum; the file is damaged, so bake or copy it again")]
    Checksum(Section),
    /// A section is missing, or there are too many of one kind.
    #[error("the nav mesh has {found} sections of kind `{kind}` instead of {expected}")]
    Count {
        /// What the sections hold.
        kind: &'static str,
        /// How many there are.
        found: usize,
        /// How many there must be.
        expected: usize,
    },
    /// A section of a kind that this crate neither knows nor may skip.
    #[error("{0} is unknown to this program and may not be skipped; update the program")]
    Unknown(Section),
    /// A section's contents are malformed.
    #[error("{section} {what}")]
    Malformed {
        /// The section.
        section: Section,
        /// What is wrong with it.
        what: &'static str,
    },
    /// The contents of the sections contradict each other.
    #[error("the nav mesh is not valid: {0}")]
    Mesh(#[from] MeshError),
}

impl fmt::Debug for AssetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
