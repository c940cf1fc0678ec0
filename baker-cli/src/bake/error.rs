//! Why a level could not be baked.

use navmesh_runtime::mesh::{MeshError, ProfileError};

/// Why a level could not be baked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BakeError {
    /// There is nobody to bake for.
    #[error("no agents: the configuration must define at least one [[agent]]")]
    NoAgents,
    /// A profile makes no sense.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// A setting makes no sense.
    #[error("{name} is {value}, but {rule}")]
    Setting {
        /// Its name in the configuration.
        name: &'static str,
        /// What it was.
        value: f32,
        /// What it must be.
        rule: &'static str,
    },
    /// A body is smaller than the grid can see.
    #[error(
        "agent {agent:?}: its body is {width} x {height}, smaller than the grid spacing {spacing}; \
         set level.spacing to {} or less, or enlarge the body",
        width.min(*height)
    )]
    BodySmallerThanSpacing {
        /// The agent.
        agent: String,
        /// Width of its body.
        width: f32,
        /// Height of its body.
        height: f32,
        /// The spacing it is smaller than.
        spacing: f32,
    },
    /// The level has no extent.
    #[error("the area to bake is empty")]
    EmptyArea,
    /// The level is too large for its spacing.
    #[error(
        "the grid would have {columns} x {rows} vertices; at most {limit} are supported, so choose a larger spacing or a smaller area"
    )]
    TooManyVertices {
        /// Columns of the grid.
        columns: u64,
        /// Rows of the grid.
        rows: u64,
        /// The most vertices supported.
        limit: u64,
    },
    /// The baker contradicted itself; always a defect of the baker.
    #[error("internal error, please report it: {0}")]
    Mesh(#[from] MeshError),
}
