//! The rules by which a layer, tile or object counts as collision.
//!
//! The first of these rules that applies decides:
//!
//! 1. The configuration's rules: those about the tile or object itself before
//!    those about its layer.
//! 2. Properties or class of the tile or object (`one_way`, `hazard`, `ladder`,
//!    `solid`, ...), then those of its layer. A layer with `solid` set to false
//!    or with `nocollide` excludes everything in it, before its tiles and
//!    objects are looked at.
//! 3. Collision shapes drawn on the tile.
//! 4. An object layer whose name contains "collision".
//! 5. A tile layer named collision, solid, terrain, ground, platforms or walls.
//!
//! Objects of a marker class are markers, unless rule 1 applies to the object
//! itself. In a hidden layer only what the layer as a whole is declared to be
//! counts: by the configuration, by its properties or class, or by a name with
//! "collision". Artists hide a collision layer so that it is not drawn, and
//! other layers because they are not in use.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use super::attributes::{Attributes, Declaration};
use crate::source::level::Material;
use crate::source::rule::{Rule, Rules};

/// Classes of objects that are markers.
const MARKER_CLASSES: [&str; 6] = ["spawn", "waypoint", "portal", "door", "area", "nav_area"];

/// Names of tile layers that are solid.
pub(in crate::source) const SOLID_LAYERS: [&str; 6] = [
    "collision",
    "solid",
    "terrain",
    "ground",
    "platforms",
    "walls",
];

/// What a tile or object is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::source) enum Classification {
    /// Collision, and the reason.
    Collision(Material, String),
    /// Not collision, and the reason.
    Excluded(String),
    /// No rule applies.
    Unmatched,
}

/// What a layer contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::source) enum LayerKind {
    Tiles,
    Objects,
}

/// What the rules say about a layer as a whole.
#[derive(Debug)]
pub(in crate::source) struct LayerRules {
    /// By rule 1.
    configured: Option<(Option<Material>, String)>,
    /// By rule 2.
    excluded: Option<String>,
    declared: Option<(Material, String)>,
    /// By rules 4 and 5.
    named: Option<String>,
    /// It is hidden, and none of the rules that count for hidden layers applies.
    pub(super) unused: bool,
}

impl LayerRules {
    /// Whether the layer as a whole is collision, even if it is empty.
    pub(super) fn is_collision(&self) -> bool {
        let configured = matches!(self.configured, Some((Some(_), _)));
        let by_itself = self.declared.is_some() || (self.named.is_some() && !self.unused);
        configured || (self.excluded.is_none() && by_itself)
    }
}

/// A tile or object to classify.
pub(in crate::source) struct Item<'a> {
    /// What describes it, the most specific first, each with its noun for
    /// messages.
    pub(in crate::source) chain: &'a [(&'static str, &'a Attributes)],
    /// Its tile has collision shapes.
    pub(in crate::source) has_shapes: bool,
    /// It is an object, not a cell.
    pub(in crate::source) is_object: bool,
}

/// Applies the rules, and records which of the configuration were used.
pub(super) struct Classifier<'a> {
    rules: &'a Rules,
    used: RefCell<BTreeSet<String>>,
    warnings: RefCell<Vec<String>>,
}

impl<'a> Classifier<'a> {
    pub(super) fn new(rules: &'a Rules) -> Self {
        Self {
            rules,
            used: RefCell::default(),
            warnings: RefCell::default(),
        }
    }

    /// Rules, other than for bitmaps, that have matched nothing.
    pub(super) fn unused_rules(&self) -> Vec<String> {
        let used = self.used.borrow();
        self.rules
            .by_strength()
            .into_iter()
            .flat_map(|(_, rules)| rules)
            .filter(|rule| !matches!(rule, Rule::Color(_)))
            .map(ToString::to_string)
            .filter(|rule| !used.contains(rule))
            .collect()
    }

    /// Warnings about invalid properties since the last call.
    pub(super) fn take_warnings(&self) -> Vec<String> {
        std::mem::take(&mut self.warnings.borrow_mut())
    }

    fn configured(&self, matches: impl Fn(&Rule) -> bool) -> Option<(Option<Material>, String)> {
        self.rules
            .by_strength()
            .into_iter()
            .find_map(|(effect, rules)| {
                let rule = rules.iter().find(|rule| matches(rule))?.to_string();
                self.used.borrow_mut().insert(rule.clone());
                Some((effect, rule))
            })
    }

    /// The declaration of attributes; invalid ones become warnings.
    fn declaration(
        &self,
        attributes: &Attributes,
        is_layer: bool,
        noun: &str,
    ) -> Option<Declaration> {
        match attributes.declaration(is_layer)? {
            Declaration::Invalid(word, value) => {
                self.warnings.borrow_mut().push(format!(
                    "property \"{word}\" of the {noun} is \"{value}\", not up, down, left, right or true; it is ignored"
                ));
                None
            }
            declaration => Some(declaration),
        }
    }

    /// What the rules say about a layer; `chain` is the layer, then the groups
    /// around it.
    pub(super) fn layer(
        &self,
        chain: &[Rc<Attributes>],
        kind: LayerKind,
        hidden: bool,
    ) -> LayerRules {
        let configured = self.configured(|rule| match rule {
            Rule::Layer(name) => chain.iter().any(|layer| layer.lower_name == *name),
            rule => chain.iter().any(|layer| matches(rule, layer, false)),
        });
        let (mut excluded, mut declared) = (None, None);
        let nouns = std::iter::once("layer").chain(std::iter::repeat("group"));
        for (layer, noun) in chain.iter().zip(nouns) {
            match self.declaration(layer, true, noun) {
                Some(Declaration::IsNot(why)) => {
                    excluded = excluded.or_else(|| Some(format!("{why} on the {noun}")));
                }
                Some(Declaration::Is(material, why)) => {
                    declared =
                        declared.or_else(|| Some((material, format!("{why} of the {noun}"))));
                }
                _ => {}
            }
        }
        let name = chain.first().map_or("", |layer| layer.lower_name.as_str());
        let named = match kind {
            LayerKind::Objects if name.contains("collision") => {
                Some("object layers with \"collision\" in their names are".to_owned())
            }
            LayerKind::Tiles if SOLID_LAYERS.contains(&name) => {
                Some(format!("tile layers named \"{name}\" are"))
            }
            _ => None,
        };
        let counts_hidden = configured.is_some()
            || declared.is_some()
            || (named.is_some() && name.contains("collision"));
        LayerRules {
            configured,
            excluded,
            declared,
            named,
            unused: hidden && !counts_hidden,
        }
    }

    /// Classifies a tile or object of a layer.
    pub(super) fn item(&self, item: &Item<'_>, layer: &LayerRules) -> Classification {
        let by_rule = |(effect, rule): (Option<Material>, String)| {
            let why = format!("rule {rule}");
            match effect {
                Some(material) => Classification::Collision(material, why),
                None => Classification::Excluded(why),
            }
        };
        if layer.unused {
            return Classification::Excluded("the layer is hidden".to_owned());
        }
        let matches_item = |rule: &Rule| {
            let mut chain = item.chain.iter();
            chain.any(|(_, attributes)| matches(rule, attributes, true))
        };
        if let Some(own) = self.configured(matches_item) {
            return by_rule(own);
        }
        if item.is_object && is_marker(item.chain) {
            return Classification::Unmatched;
        }
        if let Some(configured) = &layer.configured {
            return by_rule(configured.clone());
        }
        if let Some(why) = &layer.excluded {
            return Classification::Excluded(why.clone());
        }
        for (noun, attributes) in item.chain {
            match self.declaration(attributes, false, noun) {
                Some(Declaration::Is(material, why)) => {
                    return Classification::Collision(material, format!("{why} of the {noun}"));
                }
                Some(Declaration::IsNot(why)) => {
                    return Classification::Excluded(format!("{why} on the {noun}"));
                }
                _ => {}
            }
        }
        if let Some((material, why)) = &layer.declared {
            return Classification::Collision(*material, why.clone());
        }
        let solid = |why: &str| Classification::Collision(Material::Solid, why.to_owned());
        if item.has_shapes {
            return solid("collision shapes of the tile");
        }
        match &layer.named {
            Some(why) => solid(why),
            None => Classification::Unmatched,
        }
    }
}

/// Whether an object's class, or else its tile's, is a marker class.
fn is_marker(chain: &[(&'static str, &Attributes)]) -> bool {
    chain
        .iter()
        .filter(|(noun, _)| *noun != "shape")
        .map(|(_, attributes)| attributes.lower_class.as_str())
        .find(|class| !class.is_empty())
        .is_some_and(|class| MARKER_CLASSES.contains(&class))
}

/// Whether a rule other than `layer:` matches. `by_name` is set for objects:
/// rules `name:` do not match layers.
fn matches(rule: &Rule, attributes: &Attributes, by_name: bool) -> bool {
    match rule {
        Rule::Property(name, None) => attributes.flag(name) == Some(true),
        Rule::Property(name, Some(value)) => attributes
            .text(name)
            .is_some_and(|text| text.to_lowercase() == *value),
        Rule::Class(class) => attributes.lower_class == *class,
        Rule::Name(name) => by_name && attributes.lower_name == *name,
        Rule::Layer(_) | Rule::Color(_) => false,
    }
}
