//! Class, name and custom properties of layers, objects and tiles.

use std::collections::BTreeMap;

use crate::source::level::{DIRECTIONS, Material, PassDirection};

/// Class, name and custom properties of a layer, object, tile or shape.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::source) struct Attributes {
    /// As written.
    pub(in crate::source) class: String,
    /// As written.
    pub(in crate::source) name: String,
    /// The class in lower case, for rules.
    pub(super) lower_class: String,
    /// The name in lower case.
    pub(super) lower_name: String,
    /// By lower-case name: the name and the value as written.
    properties: BTreeMap<String, (String, String)>,
    /// The line in its file.
    pub(in crate::source) line: Option<u32>,
}

impl Attributes {
    pub(in crate::source) fn new(
        class: &str,
        name: &str,
        properties: BTreeMap<String, String>,
        line: Option<u32>,
    ) -> Self {
        let mut by_lower_name = BTreeMap::new();
        for (name, value) in properties {
            // Of names that differ only in case, the first counts.
            by_lower_name
                .entry(name.to_lowercase())
                .or_insert((name, value));
        }
        Self {
            class: class.to_owned(),
            name: name.to_owned(),
            lower_class: class.to_lowercase(),
            lower_name: name.to_lowercase(),
            properties: by_lower_name,
            line,
        }
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

    /// All properties, and those of `defaults` that this does not have, sorted
    /// by name.
    pub(super) fn properties_with_defaults(
        &self,
        defaults: Option<&Self>,
    ) -> Vec<(String, String)> {
        let mut all = defaults
            .map(|other| other.properties.clone())
            .unwrap_or_default();
        all.extend(self.properties.clone());
        let mut list: Vec<(String, String)> = all.into_values().collect();
        list.sort();
        list
    }

    /// The collision that properties or class declare, if any. For a layer the
    /// word "platform" declares nothing: it is a common name of solid ground.
    pub(super) fn declaration(&self, is_layer: bool) -> Option<Declaration> {
        self.material(is_layer).or_else(|| self.solidity())
    }

    fn material(&self, is_layer: bool) -> Option<Declaration> {
        let is = |material, why| Some(Declaration::Is(material, why));
        let up = Material::OneWay(PassDirection::Up);
        let property = |name: &str| format!("property \"{name}\"");
        for (word, material) in [("hazard", Material::Hazard), ("ladder", Material::Ladder)] {
            if self.flag(word) == Some(true) {
                return is(material, property(word));
            }
        }
        for word in ["one_way", "oneway"] {
            // On a portal it says that the portal has no way back.
            let value = self.text(word).filter(|_| self.lower_class != "portal");
            let Some(value) = value else {
                continue;
            };
            match (direction(&value.to_lowercase()), self.flag(word)) {
                (Some(direction), _) => return is(Material::OneWay(direction), property(word)),
                (None, Some(true)) => return is(up, property(word)),
                (None, Some(false)) => {}
                (None, None) if value.is_empty() => {}
                (None, None) => return Some(Declaration::Invalid(word, value.to_owned())),
            }
        }
        let words = ["platform", "semisolid", "jump_through"];
        let words = &words[usize::from(is_layer)..];
        if let Some(word) = words.iter().find(|word| self.flag(word) == Some(true)) {
            return is(up, property(word));
        }
        for stem in ["one_way_", "oneway_"] {
            for (word, direction) in DIRECTIONS {
                let name = format!("{stem}{word}");
                if self.flag(&name) == Some(true) {
                    return is(Material::OneWay(direction), property(&name));
                }
            }
        }
        // A property with the name of the class, set to false, cancels it.
        let class = self.lower_class.as_str();
        if self.flag(class) == Some(false) {
            return None;
        }
        let material = match class {
            "hazard" => Material::Hazard,
            "ladder" => Material::Ladder,
            "one_way" | "oneway" => up,
            class if words.contains(&class) => up,
            class => {
                let word = class
                    .strip_prefix("one_way_")
                    .or_else(|| class.strip_prefix("oneway_"))?;
                Material::OneWay(direction(word)?)
            }
        };
        is(material, format!("class \"{}\"", self.class))
    }

    fn solidity(&self) -> Option<Declaration> {
        let property = |wanted: bool| {
            ["solid", "collides", "collidable"]
                .into_iter()
                .find(|word| self.flag(word) == Some(wanted))
        };
        if self.flag("nocollide") == Some(true) {
            return Some(Declaration::IsNot("property \"nocollide\"".to_owned()));
        }
        if let Some(word) = property(false) {
            return Some(Declaration::IsNot(format!("property \"{word}\" is false")));
        }
        let word = property(true)?;
        Some(Declaration::Is(
            Material::Solid,
            format!("property \"{word}\""),
        ))
    }
}

/// The collision that attributes declare, with the property or class that
/// declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Declaration {
    /// It is collision of a material.
    Is(Material, String),
    /// It is not collision.
    IsNot(String),
    /// A one-way property with a value that is no direction: name and value.
    Invalid(&'static str, String),
}

fn direction(word: &str) -> Option<PassDirection> {
    let mut directions = DIRECTIONS.into_iter();
    directions.find_map(|(name, direction)| (name == word).then_some(direction))
}
