//! A layer on its way into a level.

use glam::DVec2;

use super::classification::LayerKind;
use super::classifier::LayerRules;
use super::summary::LayerSummary;
use crate::source::level::Material;

/// A layer that is being read.
pub(in crate::source) struct OpenLayer {
    /// Its name as written.
    pub(in crate::source) name: String,
    /// Its name in messages: `layer "ground"`.
    pub(in crate::source) origin: String,
    pub(in crate::source) line: Option<u32>,
    /// Its position, with those of the groups around it.
    pub(in crate::source) offset: DVec2,
    /// It is drawn at its place, neither hidden nor with a parallax factor.
    pub(in crate::source) is_in_place: bool,
    pub(in crate::source) summary: LayerSummary,
    pub(super) kind: LayerKind,
    pub(super) hidden: bool,
    pub(super) moves: bool,
    pub(super) rules: LayerRules,
    pub(super) pieces_before: usize,
}

impl OpenLayer {
    /// Whether its name says that it holds pick-ups or pictures.
    pub(in crate::source) const fn is_decoration(&self) -> bool {
        self.rules.decoration
    }

    /// Whether its name or its properties, and not those of a tile, make its
    /// tiles solid.
    pub(in crate::source) fn is_solid_as_a_whole(&self) -> bool {
        self.rules.whole() == Some(Material::Solid)
    }
}
