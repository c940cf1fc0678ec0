//! Errors of meshes.

use super::profile::ProfileError;
use super::trajectory::TrajectoryError;

/// Errors of meshes: a number out of range, or parts that contradict each
/// other.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// The grid is not valid.
    #[error("grid: {0}")]
    Grid(&'static str),
    /// The units are not valid.
    #[error("units: pixels_per_unit is {0}, but it must be a finite number above 0")]
    Units(f32),
    /// A profile is not valid.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// Two layers have the same name.
    #[error("two agents are named {0:?}")]
    DuplicateAgent(String),
    /// A platform is not valid.
    #[error("platform {platform} {what}")]
    Platform {
        /// Its number.
        platform: u32,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A link is not valid.
    #[error("link {link} {what}")]
    Link {
        /// Its number.
        link: u32,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A link's parameters do not lead from one end to the other.
    #[error("link {link}: {source}")]
    Trajectory {
        /// The link's number.
        link: u32,
        /// What is wrong with its trajectory.
        source: TrajectoryError,
    },
    /// A bit plane does not have the size of the grid.
    #[error("the terrain is {columns} x {rows}, unlike the grid")]
    Terrain {
        /// Columns of the plane.
        columns: u32,
        /// Rows of the plane.
        rows: u32,
    },
    /// A one-way barrier is not valid.
    #[error("one-way barrier {barrier} has no length, or a coordinate that is not finite")]
    OneWayBarrier {
        /// Its number.
        barrier: u32,
    },
    /// A marker is not valid.
    #[error("marker {marker} has a coordinate that is not finite")]
    Marker {
        /// Its number.
        marker: u32,
    },
}
