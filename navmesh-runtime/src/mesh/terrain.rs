//! The type of a vertex.

/// The type of a vertex for the body of one agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Terrain {
    /// Free, without support.
    InAir,
    /// Somewhere inside its cell the body is free and stands on a floor.
    OnFloor,
    /// Free, with a wall in reach that the agent can climb.
    OnWall,
    /// Free, with a ceiling in reach that the agent can climb along.
    OnCeiling,
    /// The body would overlap solid geometry.
    InsideGeometry,
}
