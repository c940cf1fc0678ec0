//! What a project says of the layers of all its levels.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::source::error::Fault;
use crate::source::json::Members;
use crate::source::level::DIRECTIONS;
use crate::source::text::shorten;
use crate::source::words::{self, Word};

/// The names and colours of IntGrid values, by layer and value.
pub(super) type Values = BTreeMap<(i64, u32), (Option<String>, String)>;

/// The `IntGrid` layers and values of a project.
#[derive(Debug, Clone, Default)]
pub(super) struct Definitions {
    pub(super) values: Values,
    /// The name of a value or a layer says what is solid, in every level: one
    /// where none of it was painted is empty, not unexplained.
    pub(super) explains: bool,
}

impl Definitions {
    pub(super) fn of(project: &Members<'_>) -> Result<Self, Fault> {
        let values = values(project)?;
        let mut names = values.values().filter_map(|(name, _)| name.as_deref());
        let mut explains = names.any(|name| {
            let property = words::of_value(name).and_then(value_property);
            matches!(property, Some(("solid", "true") | ("one_way", _)))
        });
        if let Some(defs) = project.get("defs") {
            for json in defs.members("defs")?.list("defs", "layers")? {
                let layer = json.members("defs.layers")?;
                let name = layer.text("defs.layers", "identifier")?.unwrap_or_default();
                let solid = [Word::Collision, Word::Ground, Word::Platform];
                let is_solid = words::of_layer(&name).is_some_and(|word| solid.contains(&word));
                explains |= has_type(&layer, "IntGrid") && is_solid;
            }
        }
        Ok(Self { values, explains })
    }
}

/// Whether a layer, or its definition, is of a type such as `IntGrid`.
pub(super) fn has_type(layer: &Members<'_>, kind: &str) -> bool {
    matches!(layer.text("", "__type"), Ok(Some(text)) if text == kind)
}

fn values(project: &Members<'_>) -> Result<Values, Fault> {
    let mut names = Values::new();
    let Some(defs) = project.get("defs") else {
        return Ok(names);
    };
    for json in defs.members("defs")?.list("defs", "layers")? {
        let layer = json.members("defs.layers")?;
        let uid = layer.number("defs.layers", "uid")?.unwrap_or(-1.0) as i64;
        for json in layer.list("defs.layers", "intGridValues")? {
            let value = json.members("intGridValues")?;
            if !value.has("value") {
                let version = project.text("", "jsonVersion")?.unwrap_or_default();
                let problem = format!(
                    "LDtk {} saved it, which is too old to be read",
                    shorten(&version)
                );
                let advice =
                    "open the project in LDtk 1.0 or newer, which converts it, and save it";
                return Err(project.json.fault("", problem, advice));
            }
            let number = value.required("intGridValues", "value")?;
            let name = value.text("intGridValues", "identifier")?;
            let name = name.filter(|name| !name.is_empty()).map(Cow::into_owned);
            let color = value.text("intGridValues", "color")?.unwrap_or_default();
            names.insert((uid, number as u32), (name, color.into_owned()));
        }
    }
    Ok(names)
}

/// The property that declares the collision of an `IntGrid` value.
pub(super) fn value_property(word: Word) -> Option<(&'static str, &'static str)> {
    Some(match word {
        Word::Collision | Word::Ground => ("solid", "true"),
        Word::Nothing => ("solid", "false"),
        Word::Hazard => ("hazard", "true"),
        Word::Ladder => ("ladder", "true"),
        Word::Platform => ("one_way", "up"),
        Word::OneWay(way) => {
            let mut directions = DIRECTIONS.into_iter();
            ("one_way", directions.find(|(_, other)| *other == way)?.0)
        }
    })
}
