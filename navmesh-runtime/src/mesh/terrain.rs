//! What a vertex is to an agent.

/// A vertex's type, as one agent's body meets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Terrain {
    /// Free, with nothing to stand on.
    InAir,
    /// Some height inside the cell is free and supported from below.
    OnFloor,
    /// Free, with a wall within a climber's reach.
    OnWall,
    /// Free, with a ceiling within a climber's reach.
    OnCeiling,
    /// The body would overlap geometry it cannot enter.
    InsideGeometry,
}

impl Terrain {
    /// The letter `navbake dump` prints.
    pub const fn symbol(self) -> char {
        match self {
            Self::InAir => '.',
            Self::OnFloor => 'F',
            Self::OnWall => 'W',
            Self::OnCeiling => 'C',
            Self::InsideGeometry => '#',
        }
    }
}
