//! What counts as collision, and why.
//!
//! For everything in a map the first rule that speaks decides:
//!
//! 1. the configuration's rules, those about the thing itself before those
//!    about its layer;
//! 2. what the thing says by property or class (`one_way`, `hazard`,
//!    `ladder`, `solid`, ...), then what its layer says. A veto of the layer
//!    (`solid` false, `nocollide`) is heard first: it takes all of it out;
//! 3. collision shapes drawn on its tile;
//! 4. being an object in a layer whose name contains "collision";
//! 5. being in a tile layer called collision, solid, terrain, ground,
//!    platforms or walls.
//!
//! Objects of a marker class are markers unless rule 1 speaks of them by
//! themselves. In a hidden layer only what the layer itself is said to be
//! counts: by the configuration, by its properties or class, or by a name with
//! "collision". Artists hide a collision layer so that it is not drawn, and
//! other layers because they are not in use.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use super::facts::{Facts, Statement};
use crate::source::level::{Material, PassDirection};
use crate::source::rule::{Effect, Rule, Rules};

/// Classes of objects that are never collision by themselves.
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

/// What was decided about a thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is collision; why.
    Counts(Material, String),
    /// It is not; why.
    Empty(String),
    /// No rule speaks of it.
    Silent,
}

/// What kind of layer it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Tiles,
    Objects,
}

/// What the layer itself settles for everything in it.
#[derive(Debug)]
pub(super) struct LayerWord {
    /// Rule 1.
    configured: Option<(Effect, String)>,
    /// Rule 2.
    veto: Option<String>,
    says: Option<(Material, String)>,
    /// Rules 4 and 5.
    named: Option<String>,
    /// It is hidden and nothing above claims it.
    pub(super) unused: bool,
}

impl LayerWord {
    /// Whether the layer is collision as a layer, even if it is empty.
    pub(super) fn speaks(&self) -> bool {
        let configured = matches!(self.configured, Some((Effect::Counts(_), _)));
        let by_itself = self.says.is_some() || (self.named.is_some() && !self.unused);
        configured || (self.veto.is_none() && by_itself)
    }
}

/// One tile or object to be judged: what speaks for it, nearest first, each
/// with what it is.
pub(super) struct Item<'a> {
    pub(super) chain: &'a [(&'static str, &'a Facts)],
    /// Its tile has collision shapes.
    pub(super) shaped: bool,
    /// It is an object, not a cell.
    pub(super) object: bool,
}

/// Knows the configuration, and which of its rules were ever used.
pub(super) struct Judge<'a> {
    rules: &'a Rules,
    used: RefCell<BTreeSet<String>>,
    complaints: RefCell<Vec<String>>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(rules: &'a Rules) -> Self {
        Self {
            rules,
            used: RefCell::default(),
            complaints: RefCell::default(),
        }
    }

    /// Rules about tiled maps that spoke of nothing.
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

    /// Properties that make no sense, met since the last call.
    pub(super) fn complaints(&self) -> Vec<String> {
        std::mem::take(&mut self.complaints.borrow_mut())
    }

    fn configured(&self, matches: impl Fn(&Rule) -> bool) -> Option<(Effect, String)> {
        self.rules
            .by_strength()
            .into_iter()
            .find_map(|(effect, rules)| {
                let rule = rules.iter().find(|rule| matches(rule))?.to_string();
                self.used.borrow_mut().insert(rule.clone());
                Some((effect, rule))
            })
    }

    /// What a thing says about collision; nonsense is noted.
    fn statement(&self, facts: &Facts, layer: bool, what: &str) -> Option<Statement> {
        match facts.statement(layer)? {
            Statement::Nonsense(word, value) => {
                self.complaints.borrow_mut().push(format!(
                    "property \"{word}\" of the {what} is \"{value}\", which is no direction a body may pass (up, down, \
                     left, right, or true for up); it is not heeded"
                ));
                None
            }
            statement => Some(statement),
        }
    }

    /// What a layer settles; `chain` is the layer, then the groups it is in.
    pub(super) fn layer(&self, chain: &[Rc<Facts>], kind: Kind, hidden: bool) -> LayerWord {
        let configured = self.configured(|rule| match rule {
            Rule::Layer(name) => chain.iter().any(|facts| facts.lower_name == *name),
            rule => chain.iter().any(|facts| matches_facts(rule, facts, false)),
        });
        let (mut veto, mut says) = (None, None);
        for (facts, what) in chain
            .iter()
            .zip(["layer"].into_iter().chain(std::iter::repeat("group")))
        {
            match self.statement(facts, true, what) {
                Some(Statement::Veto(why)) => {
                    veto = veto.or_else(|| Some(format!("{why} on the {what}")));
                }
                Some(Statement::Counts(material, why)) => {
                    says = says.or_else(|| Some((material, format!("{why} of the {what}"))));
                }
                _ => {}
            }
        }
        let name = chain.first().map_or("", |facts| facts.lower_name.as_str());
        let named = match kind {
            Kind::Objects if name.contains("collision") => {
                Some("object layers with \"collision\" in their names are".to_owned())
            }
            Kind::Tiles if SOLID_LAYERS.contains(&name) => {
                Some(format!("tile layers named \"{name}\" are"))
            }
            _ => None,
        };
        let claimed = configured.is_some()
            || says.is_some()
            || (named.is_some() && name.contains("collision"));
        LayerWord {
            configured,
            veto,
            says,
            named,
            unused: hidden && !claimed,
        }
    }

    /// What one thing in a layer is.
    pub(super) fn item(&self, item: &Item<'_>, layer: &LayerWord) -> Verdict {
        let settled = |(effect, rule): (Effect, String)| match effect {
            Effect::Empty => Verdict::Empty(format!("rule {rule}")),
            Effect::Counts(material) => Verdict::Counts(material, format!("rule {rule}")),
        };
        if layer.unused {
            return Verdict::Empty("the layer is hidden".to_owned());
        }
        let own = self.configured(|rule| {
            item.chain
                .iter()
                .any(|(_, facts)| matches_facts(rule, facts, true))
        });
        if let Some(own) = own {
            return settled(own);
        }
        if item.object && is_marker(item.chain) {
            return Verdict::Silent;
        }
        if let Some(configured) = &layer.configured {
            return settled(configured.clone());
        }
        if let Some(why) = &layer.veto {
            return Verdict::Empty(why.clone());
        }
        for (what, facts) in item.chain {
            match self.statement(facts, false, what) {
                Some(Statement::Counts(material, why)) => {
                    return Verdict::Counts(material, format!("{why} of the {what}"));
                }
                Some(Statement::Veto(why)) => {
                    return Verdict::Empty(format!("{why} on the {what}"));
                }
                _ => {}
            }
        }
        if let Some((material, why)) = &layer.says {
            return Verdict::Counts(*material, why.clone());
        }
        if item.shaped {
            return Verdict::Counts(Material::Solid, "collision shapes of the tile".to_owned());
        }
        match &layer.named {
            Some(why) => Verdict::Counts(Material::Solid, why.clone()),
            None => Verdict::Silent,
        }
    }
}

/// Whether an object's class, its own or else its tile's, is one of a marker.
fn is_marker(chain: &[(&'static str, &Facts)]) -> bool {
    chain
        .iter()
        .filter(|(what, _)| *what != "shape")
        .map(|(_, facts)| facts.lower_class.as_str())
        .find(|class| !class.is_empty())
        .is_some_and(|class| MARKER_CLASSES.contains(&class))
}

/// Whether a rule other than `layer:` speaks of a thing; `named` when its name
/// is an object's.
fn matches_facts(rule: &Rule, facts: &Facts, named: bool) -> bool {
    match rule {
        Rule::Property(name, None) => facts.flag(name) == Some(true),
        Rule::Property(name, Some(value)) => facts
            .text(name)
            .is_some_and(|text| text.to_lowercase() == *value),
        Rule::Class(class) => facts.lower_class == *class,
        Rule::Name(name) => named && facts.lower_name == *name,
        Rule::Layer(_) | Rule::Color(_) => false,
    }
}

/// A material in the words of a decision.
pub(super) fn word(material: Material) -> &'static str {
    match material {
        Material::Solid => "solid",
        Material::OneWay(PassDirection::Up) => "one-way (up)",
        Material::OneWay(PassDirection::Down) => "one-way (down)",
        Material::OneWay(PassDirection::Left) => "one-way (left)",
        Material::OneWay(PassDirection::Right) => "one-way (right)",
        Material::Hazard => "hazard",
        Material::Ladder => "ladder",
    }
}

#[cfg(test)]
#[path = "judge_test.rs"]
mod tests;
