//! Class, name and custom properties of layers, objects and tiles.

use std::collections::BTreeMap;

use crate::source::level::{DIRECTIONS, Material, PassDirection};
use crate::source::words::{self, Word};

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

    /// The collision that properties and class declare, and for objects the
    /// name. For a layer the word "platform" declares nothing: it is a common
    /// name of solid ground. Of objects that show a tile, the name is mostly
    /// that of the picture: `block` and `ground` declare nothing there.
    pub(super) fn declaration(&self, noun: &str, shows_tile: bool) -> Option<Declaration> {
        let is_layer = matches!(noun, "layer" | "group");
        let mut found = Found::default();
        for (name, value) in self.properties.values() {
            if let Some(invalid) = self.declare(name, value.trim(), is_layer, &mut found) {
                return Some(invalid);
            }
        }
        // A property with the meaning of the class, set to false, cancels it.
        let class = words::exact(&self.class).filter(|class| {
            let mut names = self.properties.values().map(|(name, _)| name);
            !names.any(|name| property_word(name) == Some(*class) && self.is_false(name))
        });
        if let Some(material) = class.and_then(|class| material(class, is_layer)) {
            let rule = format!("class:{}", self.class);
            found.add(material, format!("class \"{}\"", self.class), rule);
        }
        if noun == "object"
            && found.is_empty()
            && let Some(word) = words::exact(&self.name)
            && word != Word::Platform
            && !(word == Word::Ground && shows_tile)
            && let Some(material) = material(word, is_layer)
        {
            let rule = format!("name:{}", self.name);
            found.add(material, format!("name \"{}\"", self.name), rule);
        }
        found.declaration()
    }

    fn is_false(&self, name: &str) -> bool {
        self.flag(&name.to_lowercase()) == Some(false)
    }

    /// Whether the meaning of a property is in its value: `type` =
    /// `spygame.Ladder`, `collision` = `jumpthru`.
    fn is_kind(&self, name: &str) -> bool {
        let lower = name.to_lowercase();
        let has_text = self.text(&lower).is_some_and(|text| !text.is_empty());
        let is_text = has_text && self.flag(&lower).is_none();
        KINDS.contains(&lower.as_str()) || is_text && property_word(name) == Some(Word::Collision)
    }

    /// Adds what a property declares. Returns a value that is not understood.
    fn declare(
        &self,
        name: &str,
        value: &str,
        is_layer: bool,
        found: &mut Found,
    ) -> Option<Declaration> {
        if self.is_kind(name) {
            let word = words::exact(value.rsplit('.').next().unwrap_or(value));
            let is_none = word == Some(Word::Nothing) || words::is_empty(value);
            if is_none && property_word(name) == Some(Word::Collision) {
                found.not = Some(format!("property \"{name}\" = \"{value}\""));
            }
            if let Some(material) = word.and_then(|word| material(word, is_layer)) {
                let rule = format!("property:{name}={value}");
                found.add(material, format!("property \"{name}\" = \"{value}\""), rule);
            }
            return None;
        }
        let word = property_word(name)?;
        let flag = self.flag(&name.to_lowercase());
        let why = format!("property \"{name}\"");
        let rule = format!("property:{name}");
        match (word, flag) {
            // On a portal it says that the portal has no way back.
            (Word::OneWay(_), flag) if self.lower_class == "portal" || flag == Some(false) => {}
            (Word::OneWay(way), Some(true)) => found.add(Material::OneWay(way), why, rule),
            (Word::OneWay(_), None) if value.is_empty() => {}
            (Word::OneWay(_), _) => match direction(&value.to_lowercase()) {
                Some(way) => found.add(Material::OneWay(way), why, rule),
                None => return Some(Declaration::Invalid(name.to_owned(), value.to_owned())),
            },
            (Word::Nothing, Some(true)) => found.not = Some(why),
            (Word::Collision, Some(false)) => found.not = Some(format!("{why} is false")),
            // Games that only ask whether a tile has the property leave its
            // value empty.
            (Word::Collision, None) if value.is_empty() => found.add(Material::Solid, why, rule),
            (Word::Hazard, None) if value.is_empty() => found.add(Material::Hazard, why, rule),
            (Word::Ladder, None) if value.is_empty() => found.add(Material::Ladder, why, rule),
            (word, Some(true)) => {
                if let Some(material) = material(word, is_layer) {
                    found.add(material, why, rule);
                }
            }
            _ => {}
        }
        None
    }

    /// A property of collision with a text that says nothing: name and text.
    pub(super) fn unknown_text(&self) -> Option<(&str, &str)> {
        let mut texts = self.properties.iter().filter(|(lower, (name, value))| {
            let last = value.rsplit('.').next().unwrap_or(value);
            is_collision_text(lower)
                && self.is_kind(name)
                && words::exact(last).is_none()
                && !words::is_empty(value)
        });
        texts
            .next()
            .map(|(_, (name, value))| (name.as_str(), value.trim()))
    }

    /// The rule that matches what these attributes say of themselves, for items
    /// that no rule matches: their kind, their class, or a property that is
    /// true.
    pub(super) fn label(&self) -> Option<Label> {
        let properties = || self.properties.iter();
        let kind =
            properties().find(|(_, (name, value))| self.is_kind(name) && !value.trim().is_empty());
        if let Some((lower, (name, value))) = kind {
            return Some(Label {
                key: lower.clone(),
                rule: format!("property:{name}={}", value.trim()),
            });
        }
        if !self.class.is_empty() {
            return Some(Label {
                key: "class".to_owned(),
                rule: format!("class:{}", self.class),
            });
        }
        let mut flags = properties().filter(|(lower, _)| self.flag(lower) == Some(true));
        let first = flags.next()?;
        let meant = std::iter::once(first).chain(flags);
        let meant = meant
            .into_iter()
            .find(|(_, (name, _))| words::hint(name).is_some());
        let (_, (name, _)) = meant.unwrap_or(first);
        Some(Label {
            key: String::new(),
            rule: format!("property:{name}"),
        })
    }

    /// Whether a property says that the tile is a slope.
    pub(in crate::source) fn is_slope(&self) -> bool {
        let mut properties = self.properties.iter();
        properties.any(|(lower, (_, value))| {
            lower.contains("slope")
                && self.flag(lower) != Some(false)
                && value.trim().parse() != Ok(0.0)
        })
    }
}

/// Properties, in lower case, whose value is a class. So are those of a word
/// of collision with a text that is no boolean.
const KINDS: [&str; 5] = ["type", "kind", "class", "tiletype", "autobuild_class"];

/// Whether a property with a text, by its name in lower case, says what
/// collision it is, as `collision` = `jumpthru` does.
pub(super) fn is_collision_text(lower: &str) -> bool {
    !KINDS.contains(&lower) && property_word(lower) == Some(Word::Collision)
}

/// The meaning of a property's name, without a prefix as in `nez:isOneWay`.
fn property_word(name: &str) -> Option<Word> {
    words::exact(name.rsplit(':').next().unwrap_or(name))
}

/// The collision that a word declares.
const fn material(word: Word, is_layer: bool) -> Option<Material> {
    match word {
        Word::Collision | Word::Ground => Some(Material::Solid),
        Word::Platform if is_layer => None,
        Word::Platform => Some(Material::OneWay(PassDirection::Up)),
        Word::OneWay(way) => Some(Material::OneWay(way)),
        Word::Hazard => Some(Material::Hazard),
        Word::Ladder => Some(Material::Ladder),
        Word::Nothing => None,
    }
}

/// What describes a tile that no rule matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::source) struct Label {
    /// `class`, or the property whose value says it.
    pub(super) key: String,
    /// The rule that would match it.
    pub(super) rule: String,
}

/// What properties and class declare, in the order in which they count:
/// hazards, ladders, one-way, not collision, solid.
#[derive(Default)]
struct Found {
    materials: Vec<(Material, Stated)>,
    not: Option<String>,
}

impl Found {
    fn is_empty(&self) -> bool {
        self.materials.is_empty() && self.not.is_none()
    }

    fn add(&mut self, material: Material, text: String, rule: String) {
        self.materials.push((material, Stated { text, rule }));
    }

    fn declaration(self) -> Option<Declaration> {
        let rank = |material: &Material| match material {
            Material::Hazard => 0,
            Material::Ladder => 1,
            Material::OneWay(_) => 2,
            Material::Solid => 4,
        };
        let strongest = self.materials.into_iter().min_by_key(|(m, _)| rank(m));
        match (strongest, self.not) {
            (Some((Material::Solid, _)) | None, Some(why)) => Some(Declaration::IsNot(why)),
            (Some((material, why)), _) => Some(Declaration::Is(material, why)),
            (None, None) => None,
        }
    }
}

/// A property, class or name that declares something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stated {
    /// In words: `class "Wall"`.
    pub(super) text: String,
    /// The rule that matches it.
    pub(super) rule: String,
}

/// The collision that attributes declare, with the property or class that
/// declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Declaration {
    /// It is collision of a material.
    Is(Material, Stated),
    /// It is not collision.
    IsNot(String),
    /// A one-way property with a value that is no direction: name and value.
    Invalid(String, String),
}

fn direction(word: &str) -> Option<PassDirection> {
    let mut directions = DIRECTIONS.into_iter();
    directions.find_map(|(name, direction)| (name == word).then_some(direction))
}
