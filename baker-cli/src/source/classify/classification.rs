//! What layers, tiles and objects are found to be.

use std::fmt;

use super::attributes::Label;
use navmesh_bake::Material;

/// What decided about something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A rule of the configuration about the tile or object.
    Configuration,
    /// A rule of the configuration about the layer, which may leave some of it out.
    LayerRule,
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
pub struct Reason {
    pub source: Source,
    /// In words, for messages.
    text: String,
}

impl Reason {
    pub fn new(source: Source, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { source, text }
    }

    /// The same reason, followed by why it does not count.
    pub fn but(mut self, text: &str) -> Self {
        self.text.push_str(", but ");
        self.text.push_str(text);
        self
    }

    /// The rule that matches what the tile or object says of itself, if that decided.
    pub fn own_rule(&self) -> Option<&String> {
        match &self.source {
            Source::Own(_, rule) => rule.as_ref(),
            _ => None,
        }
    }

    pub const fn is_configured(&self) -> bool {
        matches!(self.source, Source::Configuration | Source::LayerRule)
    }

    /// Whether the layer as a whole decides, and nothing of the tile or object.
    pub const fn is_of_layer(&self) -> bool {
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
pub enum Classification {
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
pub enum LayerKind {
    Tiles,
    Objects,
    /// Cells of LDtk, which are read as objects.
    IntGrid,
    /// Pictures, of tiles too.
    Image,
}

impl LayerKind {
    /// The word for it in messages.
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Tiles => "tile",
            Self::Objects => "object",
            Self::IntGrid => "IntGrid",
            Self::Image => "image",
        }
    }
}

/// What the name of a layer says.
#[derive(Debug)]
pub struct Named {
    pub material: Material,
    pub why: Reason,
    /// The name is a word of collision only.
    pub is_strong: bool,
    /// Why it does not count in this level.
    pub replaced: Option<String>,
}

/// What the rules of [`classifier`](super::classifier) say about a layer as a
/// whole.
#[derive(Debug, Default)]
pub struct LayerRules {
    /// By rule 1: `None` is empty space. With the rule.
    pub configured: Option<(Option<Material>, String)>,
    /// By rule 2.
    pub excluded: Option<Reason>,
    pub declared: Option<(Material, Reason)>,
    /// By rule 4.
    pub named: Option<Named>,
    /// Its name says that it holds pick-ups or pictures.
    pub decoration: bool,
    /// It is hidden, and none of the rules that count for hidden layers applies.
    pub unused: bool,
}

impl LayerRules {
    /// Whether the layer as a whole is something that carries agents, even if
    /// it is empty.
    pub fn is_floor(&self) -> bool {
        match &self.configured {
            Some((configured, _)) => configured.is_some(),
            None => !self.unused && self.whole().is_some_and(Material::carries),
        }
    }

    /// Whether the layer as a whole is collision.
    pub fn is_collision(&self) -> bool {
        let configured = matches!(self.configured, Some((Some(_), _)));
        let by_itself = self.declared.is_some() || self.used_name().is_some();
        configured || (self.excluded.is_none() && !self.unused && by_itself)
    }

    /// What the name says, where it counts.
    pub fn used_name(&self) -> Option<&Named> {
        self.named.as_ref().filter(|named| named.replaced.is_none())
    }

    /// What the layer as a whole is by itself, without the configuration.
    pub fn whole(&self) -> Option<Material> {
        if self.configured.is_some() || self.excluded.is_some() {
            return None;
        }
        let declared = self.declared.as_ref().map(|(material, _)| *material);
        declared.or_else(|| self.used_name().map(|named| named.material))
    }

    /// Whether nothing says what the layer as a whole is.
    pub fn is_unexplained(&self) -> bool {
        self.configured.is_none() && self.excluded.is_none() && self.declared.is_none()
    }
}
