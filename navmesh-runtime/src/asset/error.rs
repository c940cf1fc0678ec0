//! Why bytes are no asset.

use std::path::PathBuf;

use super::container::Section;
use crate::mesh::MeshError;

/// Why an asset could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AssetError {
    /// The file could not be opened or read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file was read but makes no sense.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<AssetError>,
    },
    /// The first bytes are not those of any asset.
    #[error("not a nav mesh: the signature is missing; bake the level with `navbake bake`")]
    NotAnAsset,
    /// A newer or older format than this crate reads.
    #[error(
        "the nav mesh has format {major}.{minor}, but this program reads format {}.x; \
         bake the level again with the navbake that belongs to this program",
        super::FORMAT.0
    )]
    Version {
        /// Its major version.
        major: u16,
        /// Its minor version.
        minor: u16,
    },
    /// The file is longer or shorter than its table says.
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
    /// A section's bytes are not those that were written.
    #[error("{0} has a wrong checksum; the file is damaged, so bake or copy it again")]
    Checksum(Section),
    /// A section is missing, or there are too many of a kind.
    #[error("the nav mesh has {found} sections {kind} where there must be {expected}")]
    Count {
        /// The section's kind.
        kind: &'static str,
        /// How many there are.
        found: usize,
        /// How many there must be.
        expected: usize,
    },
    /// A section this crate does not know, and must not skip.
    #[error("{0} is unknown to this program and may not be skipped; update the program")]
    Unknown(Section),
    /// A section's bytes make no sense.
    #[error("{section} {what}")]
    Malformed {
        /// The section.
        section: Section,
        /// What is wrong with it.
        what: &'static str,
    },
    /// The parts contradict each other.
    #[error("the nav mesh makes no sense: {0}")]
    Mesh(#[from] MeshError),
}
