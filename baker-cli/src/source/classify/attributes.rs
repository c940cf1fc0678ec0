//! Class, name and custom properties of layers, objects and tiles.

use std::collections::BTreeMap;

use crate::source::rule::{INT_GRID, pattern};
use crate::source::words::{self, Word};
use navmesh_bake::{Material, PassDirection};

/// Class, name and custom properties of a layer, object, tile or shape.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Attributes {
    /// As written.
    pub class: String,
    /// As written.
    pub name: String,
    /// The class in lower case, for rules.
    pub lower_class: String,
    pub lower_name: String,
    /// By lower-case name: the name and the value as written.
    properties: BTreeMap<String, (String, String)>,
    pub line: Option<u32>,
    /// The line and the file of the template of an object.
    pub template: Option<(u32, String)>,
}

impl Attributes {
    pub fn new(
        class: &str,
        name: &str,
        properties: BTreeMap<String, String>,
        line: Option<u32>,
    ) -> Self {
        // Of names that differ only in case, the first counts.
        let properties = properties.into_iter().rev();
        let properties = properties.map(|(name, value)| (name.to_lowercase(), (name, value)));
        Self {
            class: class.to_owned(),
            name: name.to_owned(),
            lower_class: class.to_lowercase(),
            lower_name: name.to_lowercase(),
            properties: properties.collect(),
            line,
            template: None,
        }
    }

    /// A property's text, by its name in lower case.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.properties.get(name).map(|(_, value)| value.trim())
    }

    /// A property as a boolean, when it is one.
    pub fn flag(&self, name: &str) -> Option<bool> {
        let value = self.text(name)?;
        match value.to_ascii_lowercase().as_str() {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        }
    }

    /// The `IntGrid` value of cells.
    pub fn value(&self) -> Option<&str> {
        self.text(INT_GRID)
    }

    /// The rule that matches an object, or cells, by the value, or by what declares
    /// its collision, or by its name or class.
    pub fn rule(&self) -> Option<String> {
        if let Some(value) = self.value() {
            return Some(format!("{INT_GRID}:{}", pattern(value)));
        }
        if let Some(Declaration::Is(.., rule)) = self.declaration("object", false) {
            return Some(rule);
        }
        let own = [("name", &self.name), ("class", &self.class)];
        let (kind, text) = own.into_iter().find(|(_, text)| !text.is_empty())?;
        Some(format!("{kind}:{}", pattern(text)))
    }

    /// All properties, and those of `defaults` that this does not have, sorted
    /// by name.
    pub fn properties_with_defaults(&self, defaults: Option<&Self>) -> Vec<(String, String)> {
        let defaults = defaults.into_iter().flat_map(|other| &other.properties);
        let all: BTreeMap<_, _> = defaults.chain(&self.properties).collect();
        let mut list: Vec<(String, String)> = all.into_values().cloned().collect();
        list.sort();
        list
    }

    /// The collision that properties and class declare, and for objects the
    /// name. For a layer the word "platform" declares nothing: it is a common
    /// name of solid ground. Of objects that show a tile, the name is mostly
    /// that of the picture: `block` and `ground` declare nothing there.
    pub fn declaration(&self, noun: &str, shows_tile: bool) -> Option<Declaration> {
        let is_layer = matches!(noun, "layer" | "group");
        let mut found = Vec::new();
        for (name, value) in self.properties.values() {
            self.declare(name, value.trim(), is_layer, &mut found);
        }
        // A property with the meaning of the class, set to false, cancels it.
        let class = words::exact(&self.class).filter(|class| {
            let mut names = self.properties.values().map(|(name, _)| name);
            !names.any(|name| {
                property_word(name) == Some(*class)
                    && self.flag(&name.to_lowercase()) == Some(false)
            })
        });
        if let Some(word) = class {
            let why = format!("class \"{}\"", self.class);
            let rule = format!("class:{}", pattern(&self.class));
            say(word, is_layer, why, rule, &mut found);
        }
        if noun == "object"
            && found.is_empty()
            && let Some(word) = words::exact(&self.name)
            && word != Word::Platform
            && !(word == Word::Ground && shows_tile)
        {
            let why = format!("name \"{}\"", self.name);
            let rule = format!("name:{}", pattern(&self.name));
            say(word, is_layer, why, rule, &mut found);
        }
        found.into_iter().min_by_key(Declaration::rank)
    }

    /// Whether properties or class of a tileset say what its tiles are.
    pub fn declares(&self) -> bool {
        self.declaration("tileset", false).is_some()
    }

    /// Whether the meaning of a property is in its value: `type` =
    /// `spygame.Ladder`, `collision` = `jumpthru`, `tile` = `block`.
    fn is_kind(&self, name: &str) -> bool {
        let lower = name.to_lowercase();
        let has_text = self.text(&lower).is_some_and(|text| !text.is_empty());
        let is_text = has_text && self.flag(&lower).is_none();
        words::is_word(name, words::KINDS)
            || is_text && (lower == "tile" || property_word(name) == Some(Word::Collision))
    }

    /// Adds what a property declares. Of several that declare that it is not
    /// collision, the last is named.
    fn declare(&self, name: &str, value: &str, is_layer: bool, found: &mut Vec<Declaration>) {
        let mut why = format!("property \"{name}\"");
        if self.is_kind(name) {
            let word = words::exact(value.rsplit('.').next().unwrap_or(value));
            why = format!("{why} = \"{value}\"");
            if words::is_empty(value) && property_word(name) == Some(Word::Collision) {
                deny(why.clone(), found);
            }
            if let Some(word) = word {
                let rule = format!("property:{name}={}", pattern(value));
                say(word, is_layer, why, rule, found);
            }
            return;
        }
        let Some(word) = property_word(name) else {
            return;
        };
        let flag = self.flag(&name.to_lowercase());
        let mut rule = format!("property:{name}");
        let declared = match (word, flag) {
            // On a portal it says that the portal has no way back.
            (Word::OneWay(_), _) if self.lower_class == "portal" => None,
            (Word::OneWay(_), None) if !value.is_empty() => {
                let way = PassDirection::of(&value.to_lowercase());
                if way.is_none() {
                    found.push(Declaration::Invalid(name.to_owned(), value.to_owned()));
                }
                why = format!("{why} = \"{value}\"");
                rule = format!("{rule}={}", pattern(value));
                way.map(Material::OneWay)
            }
            // Games that only check whether a tile or layer has the property leave its
            // value empty.
            (Word::Nothing, flag) if flag == Some(true) || value.is_empty() => {
                return deny(why, found);
            }
            (Word::Collision, Some(false)) => return deny(why + " is false", found),
            (_, Some(true)) => material(word, is_layer),
            (Word::Collision | Word::Hazard | Word::Ladder, None) if value.is_empty() => {
                material(word, is_layer)
            }
            _ => None,
        };
        found.extend(declared.map(|material| Declaration::Is(material, why, rule)));
    }

    /// A property of collision with a text that says nothing: name and text.
    pub fn unknown_text(&self) -> Option<(&str, &str)> {
        let mut texts = self.properties.iter().filter(|(lower, (name, value))| {
            let last = value.rsplit('.').next().unwrap_or(value);
            is_collision_text(lower)
                && self.is_kind(name)
                && words::exact(last).is_none()
                && !words::is_empty(value)
        });
        let (_, (name, value)) = texts.next()?;
        Some((name, value.trim()))
    }

    /// Properties that are true, false or empty, and miss a word of collision by one
    /// letter: each with that word. None if the class or another property says what it
    /// is.
    pub fn misspelt(&self) -> Vec<(&str, &'static str)> {
        let is_switch = |lower: &str| self.flag(lower).is_some() || self.text(lower) == Some("");
        let properties = self.properties.iter().filter(|(lower, _)| {
            // Any name with that word says that a tile is a slope.
            is_switch(lower) && !lower.contains("slope")
        });
        let found: Vec<_> = properties
            .filter_map(|(_, (name, _))| Some((name.as_str(), words::misspelt(member(name))?)))
            .collect();
        // Few have any, so the declaration is computed last.
        if found.is_empty() || !self.class.is_empty() || self.declaration("", false).is_some() {
            return Vec::new();
        }
        found
    }

    /// A property that is true and says that something solid is a hazard or something
    /// else, with the list of rules for that.
    pub fn doubt(&self, noun: &str) -> Option<(&str, &'static str)> {
        let flags = self
            .properties
            .iter()
            .filter(|(lower, _)| self.flag(lower) == Some(true));
        let mut doubts = flags.filter_map(|(_, (name, _))| {
            let list = words::hint(member(name)).filter(|_| property_word(name).is_none())?;
            Some((name.as_str(), list))
        });
        let doubt = doubts.next()?;
        let is_solid = |found| matches!(found, Declaration::Is(Material::Solid, ..));
        self.declaration(noun, false)
            .is_some_and(is_solid)
            .then_some(doubt)
    }

    /// The rule that matches what these attributes say of themselves, for items
    /// that no rule matches: their kind, their class, a property that is true, or
    /// one such as `passable` that is false.
    pub fn label(&self) -> Option<Label> {
        let label = |key: &str, rule: String| {
            let key = key.to_owned();
            Some(Label { key, rule })
        };
        let properties = || self.properties.iter();
        let mut kinds = properties()
            .filter(|(_, (name, value))| self.is_kind(name) && !value.trim().is_empty());
        if let Some((lower, (name, value))) = kinds.next() {
            return label(lower, format!("property:{name}={}", pattern(value.trim())));
        }
        if !self.class.is_empty() {
            return label("class", format!("class:{}", pattern(&self.class)));
        }
        let flags = || properties().filter(|(lower, _)| self.flag(lower) == Some(true));
        let meant = flags().find(|(_, (name, _))| words::hint_or_solid(name).is_some());
        if let Some((_, (name, _))) = meant.or_else(|| flags().next()) {
            return label("", format!("property:{name}"));
        }
        let (_, (name, value)) = properties().find(|(lower, (name, _))| {
            self.flag(lower) == Some(false) && property_word(name) == Some(Word::Nothing)
        })?;
        label("", format!("property:{name}={}", value.trim()))
    }

    /// Whether the class, or a property such as `type`, is that of a creature, a pick-up,
    /// or a place where something happens.
    pub fn is_thing(&self) -> bool {
        let label = self.label();
        label.is_some_and(|label| words::is_thing(&label.rule))
    }

    /// Whether the class or a property says that the tile is a slope.
    pub fn is_slope(&self) -> bool {
        let mut properties = self.properties.iter();
        let has_property = properties.any(|(lower, (_, value))| {
            let is_switch = lower.contains("slope")
                && self.flag(lower) != Some(false)
                && value.trim().parse() != Ok(0.0);
            is_switch || words::is_slope(value)
        });
        has_property || words::is_slope(&self.class)
    }
}

/// Whether a property with a text, by its name in lower case, says what
/// collision it is, as `collision` = `jumpthru` does.
pub fn is_collision_text(lower: &str) -> bool {
    property_word(lower) == Some(Word::Collision)
}

/// The meaning of a property's name without a prefix as in `nez:isOneWay`, or of its
/// last part: `one_way.left`, `physics.solid`.
fn property_word(name: &str) -> Option<Word> {
    let word = name.rsplit(':').next().and_then(words::exact);
    word.or_else(|| words::exact(member(name)))
}

/// The last part of a property's name: that of a member, as in `physics.solid`.
fn member(name: &str) -> &str {
    name.rsplit([':', '.']).next().unwrap_or(name)
}

/// The collision that a word declares.
fn material(word: Word, is_layer: bool) -> Option<Material> {
    let declares = word != Word::Platform || !is_layer;
    word.material().filter(|_| declares)
}

/// What describes a tile that no rule matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// `class`, or the property whose value says it.
    pub key: String,
    /// The rule that would match it.
    pub rule: String,
}

/// The collision that attributes declare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Declaration {
    /// It is collision of a material; the property or class in words, and the rule
    /// that matches it.
    Is(Material, String, String),
    /// It is not collision, and why.
    IsNot(String),
    /// A one-way property with a value that is no direction: name and value.
    Invalid(String, String),
}

/// Adds what a word says that is a class, a name or the value of a property: why in
/// words, and the rule that matches it.
fn say(word: Word, is_layer: bool, why: String, rule: String, found: &mut Vec<Declaration>) {
    match material(word, is_layer) {
        Some(material) => found.push(Declaration::Is(material, why, rule)),
        None if word == Word::Nothing => deny(why, found),
        None => {}
    }
}

/// Adds what declares that it is not collision, as the first; of several, the last is
/// kept.
fn deny(why: String, found: &mut Vec<Declaration>) {
    match found.first_mut() {
        Some(Declaration::IsNot(known)) => *known = why,
        _ => found.insert(0, Declaration::IsNot(why)),
    }
}

impl Declaration {
    /// Its place in the order in which declarations count.
    const fn rank(&self) -> u8 {
        match self {
            Self::Invalid(..) => 0,
            Self::Is(Material::Hazard, ..) => 1,
            Self::Is(Material::Ladder, ..) => 2,
            Self::Is(Material::OneWay(_), ..) => 3,
            Self::IsNot(_) => 4,
            Self::Is(Material::Solid, ..) => 5,
        }
    }
}
