//! The meaning of the colours of a bitmap.

use super::color::Color;
use super::level::{Material, PassDirection};
use super::rule::{Effect, Rule, Rules};

/// The meaning of the colours of a bitmap. Fully transparent pixels are empty,
/// whatever their colour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Palette {
    entries: Vec<(Color, Option<Material>)>,
}

impl Default for Palette {
    /// Black is solid, white empty, red hazard, blue one-way, green ladder.
    fn default() -> Self {
        let mut palette = Self::empty();
        palette.set(Color::opaque(0, 0, 0), Some(Material::Solid));
        palette.set(Color::opaque(255, 255, 255), None);
        palette.set(Color::opaque(255, 0, 0), Some(Material::Hazard));
        palette.set(
            Color::opaque(0, 0, 255),
            Some(Material::OneWay(PassDirection::Up)),
        );
        palette.set(Color::opaque(0, 255, 0), Some(Material::Ladder));
        palette
    }
}

impl Palette {
    /// A palette in which only transparent pixels have a meaning.
    pub const fn empty() -> Self {
        Self {
            entries: Vec::new(),
        }
    }

    /// Sets the meaning of a colour; `None` is empty space. A later call replaces
    /// an earlier one.
    pub fn set(&mut self, color: Color, meaning: Option<Material>) {
        match self.entries.iter_mut().find(|(known, _)| *known == color) {
            Some((_, old)) => *old = meaning,
            None => self.entries.push((color, meaning)),
        }
    }

    /// The meaning of a colour: `None` when the palette does not contain it,
    /// `Some(None)` for empty space.
    pub fn meaning(&self, color: Color) -> Option<Option<Material>> {
        if color.alpha == 0 {
            return Some(None);
        }
        self.entries
            .iter()
            .find(|(known, _)| *known == color)
            .map(|(_, meaning)| *meaning)
    }

    /// This palette with the `color:` rules, which replace its entries.
    pub(super) fn with_rules(&self, rules: &Rules) -> Self {
        let mut palette = self.clone();
        // The strongest effect comes last, so that it replaces the others.
        for (effect, list) in rules.by_strength().into_iter().rev() {
            for rule in list {
                if let Rule::Color(color) = rule {
                    let meaning = match effect {
                        Effect::Empty => None,
                        Effect::Collision(material) => Some(material),
                    };
                    palette.set(*color, meaning);
                }
            }
        }
        palette
    }
}
