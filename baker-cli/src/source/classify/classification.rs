//! What layers, tiles and objects are found to be.

use std::fmt;

use super::attributes::Label;
use crate::source::level::Material;

/// What decided about something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::source) enum Source {
    /// A rule of the configuration.
    Configuration,
    /// A property, class or name of the tile, shape or object itself: its noun,
    /// and the rule that matches what says the same.
    Own(&'static str, Option<String>),
    /// The collision shapes of the tile.
    Shapes,
    /// A property or class of the layer, or of a group around it.
    Layer,
    /// The name of the layer, or of a group around it.
    LayerName,
    /// Anything else.
    Other,
}

/// Why something is what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::source) struct Reason {
    pub(in crate::source) source: Source,
    /// In words, for messages.
    text: String,
}

impl Reason {
    pub(super) fn new(source: Source, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { source, text }
    }

    pub(super) fn shapes() -> Self {
        Self::new(Source::Shapes, "collision shapes of the tile")
    }

    /// The same reason, with something that speaks against it.
    pub(super) fn but(mut self, text: &str) -> Self {
        self.text.push_str(", but ");
        self.text.push_str(text);
        self
    }

    pub(in crate::source) fn is_configured(&self) -> bool {
        self.source == Source::Configuration
    }

    /// Whether the layer as a whole decides, and nothing of the tile or object.
    pub(in crate::source) const fn is_of_layer(&self) -> bool {
        matches!(self.source, Source::Layer | Source::LayerName)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What a tile or object is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::source) enum Classification {
    /// Collision, and the reason.
    Collision(Material, Reason),
    /// Not collision, and the reason.
    Excluded(Reason),
    /// Not collision, although something says that it is: worth a warning.
    Unused(Material, Reason),
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
    pub(super) why: Reason,
    /// The name is a word of collision only.
    pub(super) is_strong: bool,
    /// Why it does not count in this level.
    pub(super) replaced: Option<String>,
}
