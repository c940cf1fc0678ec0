//! Class, name and custom properties of layers, objects and tiles, and what they state.

use std::collections::BTreeMap;

use crate::source::rule::{INT_GRID, Meaning, pattern};
use crate::source::words::{self, Word, lists};
use navmesh_bake::PassDirection;

/// The property in which the LDtk reader gives cells the name of the group of their value.
pub const GROUP: &str = "intgrid group";

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

/// What a property, class or name states, and the rule that matches it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stated {
    pub meaning: Meaning,
    /// In words: `property "solid"`.
    pub why: String,
    pub rule: String,
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

    /// All properties, and those of `defaults` that this does not have, sorted
    /// by name.
    pub fn properties_with_defaults(&self, defaults: Option<&Self>) -> Vec<(String, String)> {
        let defaults = defaults.into_iter().flat_map(|other| &other.properties);
        let all: BTreeMap<_, _> = defaults.chain(&self.properties).collect();
        let mut list: Vec<(String, String)> = all.into_values().cloned().collect();
        list.sort();
        list
    }

    /// What properties and class state, and for objects the name: hazards come before
    /// ladders, one-way surfaces, what is not collision, and what is solid. For a layer the
    /// word "platform" states nothing: it is a common name of solid ground. Of objects that
    /// show a tile, the name is mostly that of the picture: `block` and `ground` state
    /// nothing there.
    pub fn stated(&self, noun: &str, shows_tile: bool) -> Option<Stated> {
        if let Some(value) = self.value() {
            let word = words::of_value(value).or_else(|| words::of_value(self.text(GROUP)?))?;
            let (rule, _) = self.label()?;
            let why = format!("value \"{value}\"");
            let meaning = word.meaning();
            return Some(Stated { meaning, why, rule });
        }
        let is_layer = matches!(noun, "layer" | "group");
        let mut found = Vec::new();
        for (lower, (name, value)) in &self.properties {
            found.extend(self.property(lower, name, value.trim()));
        }
        // A property with the meaning of the class, set to false, cancels it.
        let is_cancelled = |class: Word| {
            let mut names = self.properties.iter();
            names.any(|(lower, (name, _))| {
                property_word(name) == Some(class) && self.flag(lower) == Some(false)
            })
        };
        let class = words::exact(&self.class).filter(|class| !is_cancelled(*class));
        found.extend(class.map(|word| {
            let why = format!("class \"{}\"", self.class);
            (word, why, format!("class:{}", pattern(&self.class)))
        }));
        if is_layer {
            found.retain(|(word, ..)| *word != Word::Platform);
        }
        // A name is more specific than the class "block".
        let is_block = !found.is_empty();
        if noun == "object" && found.iter().all(|(word, ..)| *word == Word::Ground) {
            let word = words::exact(&self.name).filter(|word| match word {
                Word::Platform => is_block,
                Word::Ground => !shows_tile,
                _ => true,
            });
            found.extend(word.map(|word| {
                let why = format!("name \"{}\"", self.name);
                (word, why, format!("name:{}", pattern(&self.name)))
            }));
        }
        let (word, why, rule) = found.into_iter().min_by_key(|(word, ..)| rank(*word))?;
        let meaning = word.meaning();
        Some(Stated { meaning, why, rule })
    }

    /// Whether the meaning of a property is in its value: `type` = `spygame.Ladder`,
    /// `collision` = `jumpthru`, `tile` = `block`.
    fn is_kind(&self, lower: &str, name: &str) -> bool {
        let has_text = self.text(lower).is_some_and(|text| !text.is_empty());
        let is_text = has_text && self.flag(lower).is_none();
        words::is_word(name, &lists().kind)
            || is_text && (lower == "tile" || property_word(name) == Some(Word::Collision))
    }

    /// What a property states: a word, why, and the rule that matches it.
    fn property(&self, lower: &str, name: &str, value: &str) -> Option<(Word, String, String)> {
        let why = format!("property \"{name}\"");
        let rule = format!("property:{name}");
        let with_value = || {
            let (why, rule) = (format!("{why} = \"{value}\""), pattern(value));
            (why, format!("property:{name}={rule}"))
        };
        if self.is_kind(lower, name) {
            let last = value.rsplit('.').next().unwrap_or(value);
            let is_none = property_word(name) == Some(Word::Collision)
                && words::has_word(value, &lists().air);
            let word = words::exact(last).or(is_none.then_some(Word::Nothing))?;
            let (why, rule) = with_value();
            return Some((word, why, rule));
        }
        let word = property_word(name)?;
        match (word, self.flag(lower)) {
            // On a portal it says that the portal has no way back.
            (Word::OneWay(_), _) if self.leads_away() => None,
            (Word::OneWay(_), None) if !value.is_empty() => {
                let way = PassDirection::of(&value.to_lowercase())?;
                let (why, rule) = with_value();
                Some((Word::OneWay(way), why, rule))
            }
            (Word::Collision, Some(false)) => {
                let rule = format!("{rule}={value}");
                Some((Word::Nothing, why + " is false", rule))
            }
            (_, Some(true)) => Some((word, why, rule)),
            // Games that only check whether there is the property leave its value empty.
            (Word::Collision | Word::Hazard | Word::Ladder | Word::Nothing, None)
                if value.is_empty() =>
            {
                Some((word, why, rule))
            }
            _ => None,
        }
    }

    fn leads_away(&self) -> bool {
        ["portal", "link"].contains(&self.lower_class.as_str())
    }

    /// A one-way property with a value that is no direction: name and value.
    pub fn invalid_direction(&self) -> Option<(&str, &str)> {
        let mut properties = self.properties.iter();
        let (_, (name, value)) = properties.find(|(lower, (name, value))| {
            matches!(property_word(name), Some(Word::OneWay(_)))
                && !self.leads_away()
                && self.flag(lower).is_none()
                && !value.trim().is_empty()
                && PassDirection::of(&value.trim().to_lowercase()).is_none()
        })?;
        Some((name, value))
    }

    /// A property that is true and says that something solid is a hazard or something
    /// else.
    pub fn doubt(&self) -> Option<(&str, Meaning)> {
        let mut properties = self.properties.iter();
        properties.find_map(|(lower, (name, _))| {
            let is_unknown = self.flag(lower) == Some(true) && property_word(name).is_none();
            let meaning = is_unknown.then(|| words::hint(member(name))).flatten();
            let meaning = meaning.filter(|meaning| *meaning != Meaning::Solid)?;
            Some((name.as_str(), meaning))
        })
    }

    /// What describes it, where it states nothing: the rule that matches its value, its
    /// kind, its class, its name, or a property that is true, and the word of it.
    pub fn label(&self) -> Option<(String, String)> {
        if let Some(value) = self.value() {
            return Some((format!("{INT_GRID}:{}", pattern(value)), value.to_owned()));
        }
        let properties = || self.properties.iter();
        let mut kinds = properties()
            .filter(|(lower, (name, value))| self.is_kind(lower, name) && !value.trim().is_empty());
        if let Some((_, (name, value))) = kinds.next() {
            let value = value.trim();
            let last = value.rsplit('.').next().unwrap_or(value);
            let rule = format!("property:{name}={}", pattern(value));
            return Some((rule, last.to_owned()));
        }
        for (kind, text) in [("class", &self.class), ("name", &self.name)] {
            if !text.is_empty() {
                return Some((format!("{kind}:{}", pattern(text)), text.clone()));
            }
        }
        let is_speaking =
            |name: &str| words::hint(name).is_some() || words::misspelt(name).is_some();
        let flags = || {
            let set = |lower: &str| self.flag(lower) == Some(true) || self.text(lower) == Some("");
            properties().filter(move |(lower, _)| set(lower))
        };
        let meant = flags().find(|(_, (name, _))| is_speaking(member(name)));
        let (_, (name, _)) = meant.or_else(|| flags().next())?;
        Some((format!("property:{name}"), member(name).to_owned()))
    }

    /// Whether a property of collision has a value that says nothing.
    pub fn is_about_collision(&self) -> bool {
        let mut properties = self.properties.iter();
        properties.any(|(lower, (name, value))| {
            property_word(name) == Some(Word::Collision)
                && self.flag(lower).is_none()
                && !value.trim().is_empty()
                && self.property(lower, name, value.trim()).is_none()
        })
    }

    /// Whether a property says that it moves.
    pub fn moves(&self) -> bool {
        let mut names = self.properties.values();
        names.any(|(name, _)| words::has_word(name, &lists().motion))
    }

    /// Whether the class, the value or a property says that it is a slope.
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

/// The place of a word in the order in which statements count.
const fn rank(word: Word) -> u8 {
    match word {
        Word::Hazard => 0,
        Word::Ladder => 1,
        Word::OneWay(_) | Word::Platform => 2,
        Word::Nothing => 3,
        Word::Collision | Word::Ground => 4,
    }
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
