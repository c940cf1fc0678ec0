//! Rules of the configuration about collision.

use super::grid::GridRules;
use std::collections::BTreeMap;
use std::str::FromStr;

use serde::Deserialize;

use super::color::{Color, ColorError};
use navmesh_bake::{Material, PassDirection};

/// The property in which the LDtk reader gives cells the name of their value, and the
/// kind of rule that matches it.
pub const INT_GRID: &str = "intgrid";

/// What something is for agents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Meaning {
    /// Not collision.
    #[default]
    Empty,
    /// Blocks from all sides.
    Solid,
    /// Is passed in one direction.
    OneWay(PassDirection),
    /// Blocks, and is not stood on.
    Hazard,
    /// Is climbed.
    Ladder,
    /// The solid half of a cell below a line that rises to the right, or else to the left.
    Slope {
        /// To the right.
        right: bool,
    },
}

impl Meaning {
    /// The collision that it is made of.
    pub const fn material(self) -> Option<Material> {
        match self {
            Self::Empty => None,
            Self::Solid | Self::Slope { .. } => Some(Material::Solid),
            Self::OneWay(way) => Some(Material::OneWay(way)),
            Self::Hazard => Some(Material::Hazard),
            Self::Ladder => Some(Material::Ladder),
        }
    }

    /// Whether agents stand on it.
    pub fn carries(self) -> bool {
        self.material().is_some_and(Material::carries)
    }

    /// The list of rules that says the same. None of them turns one-way surfaces.
    pub const fn list(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Solid => "solid",
            Self::OneWay(_) => "one_way",
            Self::Hazard => "hazard",
            Self::Ladder => "ladder",
            Self::Slope { right: true } => "slope_right",
            Self::Slope { right: false } => "slope_left",
        }
    }
}

impl std::fmt::Display for Meaning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Empty => f.write_str("empty"),
            Self::OneWay(way) => write!(f, "one-way ({})", way.word()),
            Self::Slope { right: true } => f.write_str("slope (rising to the right)"),
            Self::Slope { right: false } => f.write_str("slope (rising to the left)"),
            Self::Solid | Self::Hazard | Self::Ladder => f.write_str(self.list()),
        }
    }
}

/// One rule of the configuration: what it matches. Text is compared without
/// regard to case; in names and values, `*` stands for any characters and `?`
/// for one.
///
/// Several conditions are joined by ` & `, and `!` before one negates it:
/// `property:collide & !layer:back*`.
///
/// ```
/// use baker_cli::source::Rule;
///
/// assert_eq!("layer:Ground".parse(), Ok(Rule::Layer("ground".to_owned())));
/// assert!("ground".parse::<Rule>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
#[non_exhaustive]
pub enum Rule {
    /// `layer:NAME`: everything in the layers (or groups of layers) of this
    /// name, in lower case. `layer:GROUP/NAME` is about those in a group.
    Layer(String),
    /// `property:NAME` or `property:NAME=VALUE`: tiles, objects and layers
    /// with this custom property, true or empty or with this value, in lower
    /// case. `intgrid:VALUE`, cells of an LDtk IntGrid of the value with this
    /// name (its number where it has none), is short for
    /// `property:intgrid=VALUE`.
    Property(String, Option<String>),
    /// `class:NAME`: tiles, objects and layers of this class (type), in lower
    /// case.
    Class(String),
    /// `name:NAME`: objects of this name, in lower case.
    Name(String),
    /// `tileset:NAME`: tiles of the tilesets of this name, in lower case.
    /// `tile:TILESET#1-12,15`: those with these numbers, counted from 0.
    Tileset(String, Vec<(u32, u32)>),
    /// `color:#rrggbb`: pixels of a bitmap.
    Color(Color),
    /// `color:*`: pixels of all colours that have no other meaning.
    AnyColor,
    /// All of these conditions; a negated one has `false` beside it. `layer:`
    /// is about the layer, all others are about the tile or object.
    All(Vec<(bool, Rule)>),
}

/// The error of parsing a rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// The text before the colon is not a kind of rule.
    #[error(
        "{0:?} is not a rule: write layer:NAME, property:NAME, property:NAME=VALUE, class:NAME, name:NAME, \
         tileset:NAME, tile:TILESET#1-12, intgrid:VALUE, color:#rrggbb or color:*; join conditions by \" & \", \
         negate one by !"
    )]
    Form(String),
    /// The text after `color:` is not a colour.
    #[error(transparent)]
    Color(#[from] ColorError),
}

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        if text.contains(" & ") || text.trim_start().starts_with('!') {
            let condition = |text: &str| {
                let text = text.trim();
                let positive = text.strip_prefix('!');
                let rule = one(positive.unwrap_or(text))?;
                Ok((positive.is_none(), rule))
            };
            let all: Result<Vec<_>, RuleError> = text.split(" & ").map(condition).collect();
            return all.map(Self::All);
        }
        one(text)
    }
}

/// Parses a rule of one condition.
fn one(text: &str) -> Result<Rule, RuleError> {
    let form = || RuleError::Form(text.to_owned());
    let (kind, rest) = text.split_once(':').ok_or_else(form)?;
    let rest = rest.trim();
    if rest.is_empty() {
        return Err(form());
    }
    let lower = rest.to_lowercase();
    match kind.trim().to_lowercase().as_str() {
        "layer" => Ok(Rule::Layer(lower)),
        "class" | "type" => Ok(Rule::Class(lower)),
        "name" => Ok(Rule::Name(lower)),
        INT_GRID => Ok(Rule::Property(INT_GRID.to_owned(), Some(lower))),
        "property" => {
            let mut parts = lower.splitn(2, '=').map(|part| part.trim().to_owned());
            Ok(Rule::Property(
                parts.next().unwrap_or_default(),
                parts.next(),
            ))
        }
        "tileset" => Ok(Rule::Tileset(lower, Vec::new())),
        "tile" => {
            let (tileset, ids) = lower.rsplit_once('#').ok_or_else(form)?;
            let range = |ids: &str| {
                let (first, last) = ids.split_once('-').unwrap_or((ids, ids));
                let first = first.trim().parse().ok()?;
                let last = last.trim().parse().ok()?;
                (first <= last).then_some((first, last))
            };
            let ids: Option<Vec<_>> = ids.split(',').map(range).collect();
            let tileset = tileset.trim().to_owned();
            Ok(Rule::Tileset(tileset, ids.ok_or_else(form)?))
        }
        "color" | "colour" if rest == "*" => Ok(Rule::AnyColor),
        "color" | "colour" => Ok(Rule::Color(rest.parse()?)),
        _ => Err(form()),
    }
}

/// A name as a rule in an advice has it, so that it matches: `?` stands for what a
/// rule, or a text in TOML, cannot have there.
pub fn pattern(name: &str) -> String {
    let start = name.len() - name.trim_start().len();
    let inside = start..start + name.trim().len();
    let joins = name.contains(" & ");
    let is_kept = |at: usize, c: char| {
        let is_plain = !(c.is_control() || matches!(c, '"' | '\\') || joins && c == '&');
        inside.contains(&at) && is_plain
    };
    let characters = name.char_indices();
    let characters = characters.map(|(at, c)| if is_kept(at, c) { c } else { '?' });
    characters.collect()
}

/// Numbers of tiles as a rule lists them: each with those that follow it.
pub fn id_ranges(ids: &[u32]) -> Vec<(u32, u32)> {
    let mut sorted = ids.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let ranges = sorted.chunk_by(|a, b| a + 1 == *b);
    ranges
        .map(|range| (range[0], range[range.len() - 1]))
        .collect()
}

/// The rules that match some tiles, each given by its tileset and its number there, one
/// for each tileset.
pub fn tile_rules<'t>(tiles: impl Iterator<Item = (&'t str, u32)>) -> Vec<String> {
    let mut ids = BTreeMap::<&str, Vec<u32>>::new();
    for (tileset, id) in tiles {
        ids.entry(tileset).or_default().push(id);
    }
    let rules = ids.iter();
    rules
        .map(|(tileset, ids)| Rule::Tileset(pattern(tileset), id_ranges(ids)).to_string())
        .collect()
}

/// Whether a text in lower case is what a name or value of a rule stands for:
/// `*` is any characters, `?` any one.
pub fn is_match(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), text.chars().collect());
    let (mut at, mut from) = (0, 0);
    // Where the last `*` is, and where the text that it does not stand for
    // begins: after a mismatch it takes one character more.
    let mut star: Option<(usize, usize)> = None;
    while let Some(c) = text.get(from) {
        match (pattern.get(at), star) {
            (Some('*'), _) => {
                star = Some((at, from));
                at += 1;
            }
            (Some(p), _) if *p == '?' || p == c => (at, from) = (at + 1, from + 1),
            (_, Some((position, taken))) => {
                star = Some((position, taken + 1));
                (at, from) = (position + 1, taken + 1);
            }
            (_, None) => return false,
        }
    }
    pattern.iter().skip(at).all(|c| *c == '*')
}

impl TryFrom<String> for Rule {
    type Error = RuleError;

    fn try_from(text: String) -> Result<Self, RuleError> {
        text.parse()
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Layer(name) => write!(f, "layer:{name}"),
            Self::Property(name, Some(value)) if name == INT_GRID => {
                write!(f, "{INT_GRID}:{value}")
            }
            Self::Property(name, None) => write!(f, "property:{name}"),
            Self::Property(name, Some(value)) => write!(f, "property:{name}={value}"),
            Self::Class(name) => write!(f, "class:{name}"),
            Self::Name(name) => write!(f, "name:{name}"),
            Self::Tileset(name, ids) if ids.is_empty() => write!(f, "tileset:{name}"),
            Self::Tileset(name, ids) => {
                let range = |(first, last): &(u32, u32)| match last - first {
                    0 => first.to_string(),
                    _ => format!("{first}-{last}"),
                };
                let ids: Vec<String> = ids.iter().map(range).collect();
                write!(f, "tile:{name}#{}", ids.join(","))
            }
            Self::Color(color) => write!(f, "color:{color}"),
            Self::AnyColor => f.write_str("color:*"),
            Self::All(rules) => {
                let rules = rules.iter().map(|(positive, rule)| {
                    let not = if *positive { "" } else { "!" };
                    format!("{not}{rule}")
                });
                f.write_str(&rules.collect::<Vec<_>>().join(" & "))
            }
        }
    }
}

/// The `[collision]` table of `navbake.toml`: a list of rules for each meaning.
///
/// A rule about a single tile or object (`property:`, `class:`, `name:`, `tile:`,
/// `tileset:`, and any rule of several conditions) takes precedence over one about
/// its layer. When rules of several lists match, the first list in this order
/// counts: `empty`, `hazard`, `ladder`, `one_way`, `slope_right`, `slope_left`, `solid`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Matches are solid.
    pub solid: Vec<Rule>,
    /// Matches are one-way, passed upwards.
    pub one_way: Vec<Rule>,
    /// Matches are hazards.
    pub hazard: Vec<Rule>,
    /// Matches are ladders.
    pub ladder: Vec<Rule>,
    /// Cells without shapes are solid below a line that rises to the right.
    pub slope_right: Vec<Rule>,
    /// Cells without shapes are solid below a line that rises to the left.
    pub slope_left: Vec<Rule>,
    /// Matches are not collision, whatever the level says.
    pub empty: Vec<Rule>,
    /// How text levels, CSV files and maps of PICO-8 are read.
    #[serde(skip)]
    pub grid: GridRules,
}

impl Rules {
    /// The rules with what their matches are, the strongest first.
    pub(crate) fn by_strength(&self) -> impl Iterator<Item = (Meaning, &Rule)> {
        let lists = [
            (Meaning::Empty, &self.empty),
            (Meaning::Hazard, &self.hazard),
            (Meaning::Ladder, &self.ladder),
            (Meaning::OneWay(PassDirection::Up), &self.one_way),
            (Meaning::Slope { right: true }, &self.slope_right),
            (Meaning::Slope { right: false }, &self.slope_left),
            (Meaning::Solid, &self.solid),
        ];
        let rules = lists.into_iter();
        rules.flat_map(|(meaning, list)| list.iter().map(move |rule| (meaning, rule)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_print_and_parse_the_same() {
        for text in [
            "layer:ground",
            "property:solid",
            "property:kind=rock",
            "class:wall",
            "name:crate",
            "color:#00ff00",
            "color:*",
            "tileset:rocks*",
            "tile:rocks#1-12,15",
            "property:collide & !layer:back*",
        ] {
            assert_eq!(text.parse::<Rule>().unwrap().to_string(), text);
        }
        assert_eq!(
            " Layer : Upper Ground ".parse::<Rule>().unwrap(),
            Rule::Layer("upper ground".to_owned())
        );
        for bad in [
            "",
            "ground",
            "layer:",
            "colour:black",
            "color:#0",
            "tile:3",
            "tile:a#3-1",
            "tile:a#",
            "layer:a & b",
        ] {
            assert!(bad.parse::<Rule>().is_err(), "{bad}");
        }
    }

    #[test]
    fn numbers_in_rules() {
        let rule = Rule::Tileset("a".to_owned(), id_ranges(&[7, 2, 1, 3, 3]));
        assert_eq!(rule.to_string(), "tile:a#1-3,7");
    }

    #[test]
    fn patterns_of_names_match_them() {
        for (name, expected) in [
            ("Rocks&Trees", "Rocks&Trees"),
            ("Rocks & Trees & ", "Rocks ? Trees ??"),
            (" Main\t", "?Main?"),
            ("a \"b\" \\", "a ?b? ?"),
            (" ", "?"),
        ] {
            assert_eq!(pattern(name), expected);
            let rule = format!("solid = [\"layer:{expected}\"]");
            let rules: Rules = toml::from_str(&rule).unwrap();
            let [Rule::Layer(text)] = &rules.solid[..] else {
                panic!("{rule}");
            };
            assert!(is_match(text, &name.to_lowercase()), "{rule}");
        }
    }

    #[test]
    fn stars_and_question_marks_stand_for_characters() {
        for (pattern, text, expected) in [
            ("ground", "ground", true),
            ("ground*", "ground 2", true),
            ("*ground", "back ground", true),
            ("*r*n*", "ground", true),
            ("gr?und", "ground", true),
            ("gr?und", "grund", false),
            ("*a", "ab", false),
            ("*ab*ab", "abxab", true),
            ("*ab*ab", "abx", false),
            ("", "", true),
            ("*", "", true),
        ] {
            assert_eq!(is_match(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn rules_are_read_from_toml() {
        let rules: Rules = toml::from_str(r#"solid = ["layer:ground"]"#).unwrap();
        assert_eq!(rules.solid, [Rule::Layer("ground".to_owned())]);
        let error = toml::from_str::<Rules>(r#"solid = ["ground"]"#).unwrap_err();
        assert!(error.to_string().contains("layer:NAME"), "{error}");
        assert!(toml::from_str::<Rules>("walls = []").is_err());
    }
}
