//! What a project says of the layers of all its levels.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::source::error::Fault;
use crate::source::json::Members;
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
        let mut definitions = Self::default();
        let Some(defs) = project.get("defs") else {
            return Ok(definitions);
        };
        let place = "defs.layers";
        for json in defs.members("defs")?.list("defs", "layers")? {
            let layer = json.members(place)?;
            let name = layer.text(place, "identifier")?.unwrap_or_default();
            let solid = [Word::Collision, Word::Ground, Word::Platform];
            let is_solid = words::of_layer(&name).is_some_and(|word| solid.contains(&word));
            definitions.explains |= has_type(&layer, "IntGrid") && is_solid;
            let uid = layer.number(place, "uid")?.unwrap_or(-1.0) as i64;
            for json in layer.list(place, "intGridValues")? {
                definitions.add_value(uid, &json.members("intGridValues")?, project)?;
            }
        }
        Ok(definitions)
    }

    fn add_value(
        &mut self,
        layer: i64,
        value: &Members<'_>,
        project: &Members<'_>,
    ) -> Result<(), Fault> {
        if !value.has("value") {
            let version = project.text("", "jsonVersion")?.unwrap_or_default();
            let version = shorten(&version);
            let problem = format!("LDtk {version} saved it, which is too old to be read");
            let advice = "open the project in LDtk 1.0 or newer, which converts it, and save it";
            return Err(project.json.fault("", problem, advice));
        }
        let number = value.required("intGridValues", "value")?;
        let name = value.text("intGridValues", "identifier")?;
        let name = name.filter(|name| !name.is_empty()).map(Cow::into_owned);
        let word = name.as_deref().and_then(words::of_value);
        let property = word.map(value_property);
        self.explains |= matches!(property, Some(("solid", "true") | ("one_way", _)));
        let color = value.text("intGridValues", "color")?.unwrap_or_default();
        let value = (name, color.into_owned());
        self.values.insert((layer, number as u32), value);
        Ok(())
    }
}

/// Whether a layer, or its definition, is of a type such as `IntGrid`.
pub(super) fn has_type(layer: &Members<'_>, kind: &str) -> bool {
    matches!(layer.text("", "__type"), Ok(Some(text)) if text == kind)
}

/// The property that declares the collision of an `IntGrid` value.
pub(super) const fn value_property(word: Word) -> (&'static str, &'static str) {
    match word {
        Word::Collision | Word::Ground => ("solid", "true"),
        Word::Nothing => ("solid", "false"),
        Word::Hazard => ("hazard", "true"),
        Word::Ladder => ("ladder", "true"),
        Word::Platform => ("one_way", "up"),
        Word::OneWay(way) => ("one_way", way.word()),
    }
}
