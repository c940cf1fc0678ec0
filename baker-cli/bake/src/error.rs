//! Errors of a bake.

use navmesh_runtime::mesh::{MeshError, ProfileError};

use crate::level::{Rect, ShapeError};

/// The error of a bake.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BakeError {
    /// Its [`Progress`](crate::Progress) has cancelled the bake.
    #[error("the bake was cancelled")]
    Cancelled,
    /// An update of a [`LiveLevel`](crate::LiveLevel) has spent its budget. No other bake returns
    /// this.
    #[error("the update is not finished")]
    Unfinished,
    /// There are no agents to bake for.
    #[error("no agents: the configuration must define at least one [[agent]]")]
    NoAgents,
    /// A profile is invalid.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// A setting is invalid.
    #[error("level.{name} is {value}, but {rule}")]
    Setting {
        /// Its key in `[level]` of the configuration.
        name: &'static str,
        /// Its value.
        value: f32,
        /// The rule it breaks.
        rule: &'static str,
    },
    /// A body is smaller than a cell of the grid.
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
    /// An agent would be in the air for minutes.
    #[error(
        "agent {agent:?}: its deepest fall would last {seconds:.0} s, at most {limit} s are \
         supported; choose a greater jump_height, gravity or max_fall_speed, or a lower max_drop"
    )]
    AirTime {
        /// The agent.
        agent: String,
        /// How long it would fall.
        seconds: f64,
        /// The longest time supported.
        limit: f64,
    },
    /// A piece of the level is no shape that can be baked.
    #[error("{origin}: {error}")]
    Shape {
        /// The layer or object that it came from.
        origin: String,
        /// What is wrong.
        error: ShapeError,
    },
    /// The area to bake has no extent, or nothing of it is in the level.
    #[error(
        "the area to bake is empty: the level has x {} to {} and y {} to {}, and `area` in `[level]` \
         or its `nav_area` has nothing of that",
        .level.min.x, .level.max.x, .level.min.y, .level.max.y
    )]
    EmptyArea {
        /// The extent of the level, in its pixels.
        level: Rect,
    },
    /// The grid would have too many vertices.
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
    /// The baker made an invalid mesh; always a defect of the baker.
    #[error("internal error, please report it: {0}")]
    Mesh(#[from] MeshError),
}
