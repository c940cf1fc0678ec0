//! What can be wrong with the parts of a mesh.

use super::{ProfileError, TrajectoryError};

/// A part that contradicts another, or a number out of range.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// The grid makes no sense.
    #[error("grid: {0}")]
    Grid(&'static str),
    /// The units make no sense.
    #[error("units: pixels_per_unit is {0}, but it must be a finite number above 0")]
    Units(f32),
    /// A profile makes no sense.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// Two layers have one name.
    #[error("two agents are named {0:?}")]
    DuplicateAgent(String),
    /// A platform makes no sense.
    #[error("platform {platform} {what}")]
    Platform {
        /// Its number.
        platform: u32,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A link makes no sense.
    #[error("link {link} {what}")]
    Link {
        /// Its number.
        link: u32,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A link's arc makes no sense.
    #[error("link {link}: {source}")]
    Trajectory {
        /// The link's number.
        link: u32,
        /// What is wrong with its arc.
        source: TrajectoryError,
    },
    /// A bit plane has another size than the grid.
    #[error("terrain is {columns} x {rows}, but the grid is not")]
    Terrain {
        /// Columns of the plane.
        columns: u32,
        /// Rows of the plane.
        rows: u32,
    },
    /// A one-way barrier makes no sense.
    #[error("one-way barrier {barrier} has no length, or a coordinate that is not finite")]
    OneWayBarrier {
        /// Its number.
        barrier: u32,
    },
    /// A marker makes no sense.
    #[error("marker {marker} has a coordinate that is not finite")]
    Marker {
        /// Its number.
        marker: u32,
    },
}
