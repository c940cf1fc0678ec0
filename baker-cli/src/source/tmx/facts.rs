//! What layers, objects and tiles say about themselves.

use std::collections::BTreeMap;

use tiled::{Properties, PropertyValue};

use super::guard::LINE;
use crate::source::level::{Material, PassDirection};

/// Class, name and custom properties of one thing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Facts {
    /// As written.
    pub(super) class: String,
    /// As written.
    pub(super) name: String,
    /// The same in lower case, for rules.
    pub(super) lower_class: String,
    pub(super) lower_name: String,
    /// By lower-case name: the name and the value as written.
    properties: BTreeMap<String, (String, String)>,
    /// The line it stands on in its file.
    pub(super) line: Option<u32>,
}

impl Facts {
    pub(super) fn new(class: &str, name: &str, properties: &Properties) -> Self {
        let mut facts = Self {
            class: class.to_owned(),
            name: name.to_owned(),
            lower_class: class.to_lowercase(),
            lower_name: name.to_lowercase(),
            ..Self::default()
        };
        // Names that differ only in case: the first in order counts, so that
        // the parser's hash order does not.
        let mut sorted: Vec<_> = properties.iter().collect();
        sorted.sort_unstable_by_key(|(name, _)| *name);
        for (name, value) in sorted {
            // The guard has made all of them text.
            let PropertyValue::StringValue(value) = value else {
                continue;
            };
            if name == LINE {
                facts.line = value.parse().ok();
                continue;
            }
            facts
                .properties
                .entry(name.to_lowercase())
                .or_insert_with(|| (name.clone(), value.clone()));
        }
        facts
    }

    /// A property's text, by its name in lower case.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.properties.get(name).map(|(_, value)| value.trim())
    }

    /// A property as a boolean, when it is one.
    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        let value = self.text(name)?;
        if value.eq_ignore_ascii_case("true") || value == "1" {
            Some(true)
        } else if value.eq_ignore_ascii_case("false") || value == "0" {
            Some(false)
        } else {
            None
        }
    }

    /// All properties with those of `under` where this has none, by name.
    pub(super) fn properties_over(&self, under: Option<&Self>) -> Vec<(String, String)> {
        let mut all = under
            .map(|under| under.properties.clone())
            .unwrap_or_default();
        all.extend(self.properties.clone());
        let mut list: Vec<(String, String)> = all.into_values().collect();
        list.sort();
        list
    }

    /// What it says about collision, if anything. `layer` is for layers, to
    /// which the word "platform" does not apply: it is a common name for
    /// solid ground.
    pub(super) fn statement(&self, layer: bool) -> Option<Statement> {
        self.material(layer).or_else(|| self.solidity())
    }

    fn material(&self, layer: bool) -> Option<Statement> {
        let counts = |material, why| Some(Statement::Counts(material, why));
        let property = |name: &str| format!("property \"{name}\"");
        for (word, material) in [("hazard", Material::Hazard), ("ladder", Material::Ladder)] {
            if self.flag(word) == Some(true) {
                return counts(material, property(word));
            }
        }
        for word in ["one_way", "oneway"] {
            // That of a portal tells whether one can come back through it.
            let value = self.text(word).filter(|_| self.lower_class != "portal");
            let Some(value) = value else {
                continue;
            };
            match (direction(&value.to_lowercase()), self.flag(word)) {
                (Some(way), _) => return counts(Material::OneWay(way), property(word)),
                (None, Some(true)) => {
                    return counts(Material::OneWay(PassDirection::Up), property(word));
                }
                (None, Some(false)) => {}
                (None, None) if value.is_empty() => {}
                (None, None) => return Some(Statement::Nonsense(word, value.to_owned())),
            }
        }
        let words = ["platform", "semisolid", "jump_through"];
        let words = &words[usize::from(layer)..];
        for word in words {
            if self.flag(word) == Some(true) {
                return counts(Material::OneWay(PassDirection::Up), property(word));
            }
        }
        for stem in ["one_way_", "oneway_"] {
            for way in ["up", "down", "left", "right"] {
                let word = format!("{stem}{way}");
                if self.flag(&word) == Some(true) {
                    let way = direction(way)?;
                    return counts(Material::OneWay(way), property(&word));
                }
            }
        }
        // A property of the class's name that is false takes the class back.
        let class = self.lower_class.as_str();
        if self.flag(class) == Some(false) {
            return None;
        }
        let material = match class {
            "hazard" => Material::Hazard,
            "ladder" => Material::Ladder,
            "one_way" | "oneway" => Material::OneWay(PassDirection::Up),
            class if words.contains(&class) => Material::OneWay(PassDirection::Up),
            class => {
                let way = class
                    .strip_prefix("one_way_")
                    .or_else(|| class.strip_prefix("oneway_"))?;
                Material::OneWay(direction(way)?)
            }
        };
        counts(material, format!("class \"{}\"", self.class))
    }

    fn solidity(&self) -> Option<Statement> {
        let words = ["solid", "collides", "collidable"];
        if self.flag("nocollide") == Some(true) {
            return Some(Statement::Veto("property \"nocollide\"".to_owned()));
        }
        let said = |wanted: bool| {
            words
                .into_iter()
                .find(|word| self.flag(word) == Some(wanted))
        };
        if let Some(word) = said(false) {
            return Some(Statement::Veto(format!("property \"{word}\" is false")));
        }
        said(true).map(|word| Statement::Counts(Material::Solid, format!("property \"{word}\"")))
    }
}

/// What a thing says about collision, and by which word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Statement {
    Counts(Material, String),
    Veto(String),
    /// A one-way property with a value that is no direction.
    Nonsense(&'static str, String),
}

/// A way a body may pass.
fn direction(word: &str) -> Option<PassDirection> {
    match word {
        "up" => Some(PassDirection::Up),
        "down" => Some(PassDirection::Down),
        "left" => Some(PassDirection::Left),
        "right" => Some(PassDirection::Right),
        _ => None,
    }
}
