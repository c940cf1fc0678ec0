//! What layers, tiles and objects are found to be.

use super::attributes::Label;
use crate::source::level::Material;

/// The reason for cells whose tiles have shapes.
pub(super) const BY_SHAPES: &str = "collision shapes of the tile";

/// What a tile or object is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::source) enum Classification {
    /// Collision, and the reason.
    Collision(Material, String),
    /// Not collision, and the reason.
    Excluded(String),
    /// Not collision, although something says that it is: worth a warning.
    Unused(Material, String),
    /// No rule applies. The label is a rule that would match it.
    Unmatched(Option<Label>),
}

/// What a layer contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::source) enum LayerKind {
    Tiles,
    Objects,
}

/// What the name of a layer says.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) material: Material,
    pub(super) why: String,
    /// The name is a word of collision only.
    pub(super) is_strong: bool,
    /// Why it does not count in this level.
    pub(super) replaced: Option<String>,
}
