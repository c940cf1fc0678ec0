//! Rules of the configuration about collision.

use std::str::FromStr;

use serde::Deserialize;

use super::color::{Color, ColorError};
use super::level::{Material, PassDirection};

/// One rule of the configuration: what it matches. Text is compared without
/// regard to case.
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
    /// name, in lower case.
    Layer(String),
    /// `property:NAME` or `property:NAME=VALUE`: tiles, objects and layers
    /// with this custom property, true or with this value, in lower case.
    /// `intgrid:VALUE`, cells of an LDtk IntGrid of the value with this name
    /// (its number where it has none), is short for `property:intgrid=VALUE`.
    Property(String, Option<String>),
    /// `class:NAME`: tiles, objects and layers of this class (type), in lower
    /// case.
    Class(String),
    /// `name:NAME`: objects of this name, in lower case.
    Name(String),
    /// `color:#rrggbb`: pixels of a bitmap.
    Color(Color),
}

/// The error of parsing a rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// The text before the colon is not a kind of rule.
    #[error(
        "{0:?} is not a rule: write layer:NAME, property:NAME, property:NAME=VALUE, class:NAME, name:NAME, intgrid:VALUE or color:#rrggbb"
    )]
    Form(String),
    /// The text after `color:` is not a colour.
    #[error(transparent)]
    Color(#[from] ColorError),
}

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let form = || RuleError::Form(text.to_owned());
        let (kind, rest) = text.split_once(':').ok_or_else(form)?;
        let rest = rest.trim();
        if rest.is_empty() {
            return Err(form());
        }
        let lower = rest.to_lowercase();
        match kind.trim().to_lowercase().as_str() {
            "layer" => Ok(Self::Layer(lower)),
            "class" | "type" => Ok(Self::Class(lower)),
            "name" => Ok(Self::Name(lower)),
            // The LDtk reader gives cells the name of their value as a property.
            "intgrid" => Ok(Self::Property("intgrid".to_owned(), Some(lower))),
            "property" => Ok(match lower.split_once('=') {
                Some((name, value)) => {
                    Self::Property(name.trim().to_owned(), Some(value.trim().to_owned()))
                }
                None => Self::Property(lower, None),
            }),
            "color" | "colour" => Ok(Self::Color(rest.parse()?)),
            _ => Err(form()),
        }
    }
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
            Self::Property(name, None) => write!(f, "property:{name}"),
            Self::Property(name, Some(value)) => write!(f, "property:{name}={value}"),
            Self::Class(name) => write!(f, "class:{name}"),
            Self::Name(name) => write!(f, "name:{name}"),
            Self::Color(color) => write!(f, "color:{color}"),
        }
    }
}

/// The `[collision]` table of `navbake.toml`: a list of rules for each meaning.
///
/// A rule about a single tile or object (`property:`, `class:`, `name:`) takes
/// precedence over one about its layer. When rules of several lists match, the
/// first list in this order counts: `empty`, `hazard`, `ladder`, `one_way`,
/// `solid`.
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
    /// Matches are not collision, whatever the level says.
    pub empty: Vec<Rule>,
}

impl Rules {
    /// The lists with what their matches are, the strongest first; `None` is
    /// empty space.
    pub(super) fn by_strength(&self) -> [(Option<Material>, &[Rule]); 5] {
        let one_way = Material::OneWay(PassDirection::Up);
        [
            (None, &self.empty),
            (Some(Material::Hazard), &self.hazard),
            (Some(Material::Ladder), &self.ladder),
            (Some(one_way), &self.one_way),
            (Some(Material::Solid), &self.solid),
        ]
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
        ] {
            assert_eq!(text.parse::<Rule>().unwrap().to_string(), text);
        }
        assert_eq!(
            " Layer : Upper Ground ".parse::<Rule>().unwrap(),
            Rule::Layer("upper ground".to_owned())
        );
        for bad in ["", "ground", "layer:", "colour:black", "color:#0", "tile:3"] {
            assert!(bad.parse::<Rule>().is_err(), "{bad}");
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
