//! What a project says of the layers of all its levels.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::source::error::Fault;
use crate::source::json::Members;
use crate::source::text::shorten;
use crate::source::words::{self, Word};

/// An `IntGrid` value.
#[derive(Debug, Clone, Default)]
pub struct Value {
    pub name: Option<String>,
    /// The name of its group.
    pub group: Option<String>,
}

/// By layer and number.
pub type Values = BTreeMap<(i64, u32), Value>;

/// A tileset: its name, and the first enum tag of tiles that have one.
#[derive(Debug, Clone, Default)]
pub struct Tileset {
    pub name: String,
    pub tags: BTreeMap<i64, String>,
}

/// The `IntGrid` layers and values of a project.
#[derive(Debug, Clone, Default)]
pub struct Definitions {
    pub values: Values,
    /// The layers that scroll at another speed than the level.
    pub parallax: BTreeSet<i64>,
    /// By number.
    pub tilesets: BTreeMap<i64, Tileset>,
    /// The name of a value or a layer says what is solid, in every level: one
    /// where none of it was painted is empty, not unexplained.
    pub explains: bool,
}

impl Definitions {
    pub fn of(project: &Members<'_>) -> Result<Self, Fault> {
        let mut definitions = Self::default();
        let Some(defs) = project.get("defs") else {
            return Ok(definitions);
        };
        let defs = defs.members("defs")?;
        for json in defs.list("defs", "tilesets")? {
            definitions.add_tileset(&json.members("defs.tilesets")?)?;
        }
        let place = "defs.layers";
        for json in defs.list("defs", "layers")? {
            let layer = json.members(place)?;
            let name = layer.text(place, "identifier")?.unwrap_or_default();
            let solid = [Word::Collision, Word::Ground, Word::Platform];
            let is_solid = words::of_layer(&name).is_some_and(|word| solid.contains(&word));
            definitions.explains |= has_type(&layer, "IntGrid") && is_solid;
            let uid = layer.number(place, "uid")?.unwrap_or(-1.0) as i64;
            for name in ["parallaxFactorX", "parallaxFactorY"] {
                if layer
                    .number(place, name)?
                    .is_some_and(|factor| factor != 0.0)
                {
                    definitions.parallax.insert(uid);
                }
            }
            let mut groups = BTreeMap::new();
            for json in layer.list(place, "intGridValuesGroups")? {
                let group = json.members("intGridValuesGroups")?;
                let name = group.text(place, "identifier")?.unwrap_or_default();
                let uid = group.number(place, "uid")?.unwrap_or(0.0) as i64;
                groups.insert(uid, name.into_owned());
            }
            for json in layer.list(place, "intGridValues")? {
                definitions.add_value(uid, &groups, &json.members("intGridValues")?, project)?;
            }
        }
        Ok(definitions)
    }

    fn add_tileset(&mut self, tileset: &Members<'_>) -> Result<(), Fault> {
        let place = "defs.tilesets";
        let uid = tileset.number(place, "uid")?.unwrap_or(-1.0) as i64;
        let name = tileset.text(place, "identifier")?.unwrap_or_default();
        let mut tags = BTreeMap::new();
        for json in tileset.list(place, "enumTags")? {
            let tag = json.members(place)?;
            let name = tag.text(place, "enumValueId")?.unwrap_or_default();
            let ids = tag.list(place, "tileIds")?.into_iter();
            for id in ids.filter_map(|id| id.scalar()?.parse().ok()) {
                tags.entry(id).or_insert_with(|| name.clone().into_owned());
            }
        }
        let name = name.into_owned();
        self.tilesets.insert(uid, Tileset { name, tags });
        Ok(())
    }

    fn add_value(
        &mut self,
        layer: i64,
        groups: &BTreeMap<i64, String>,
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
        let group = value.number("intGridValues", "groupUid")?.unwrap_or(0.0) as i64;
        let group = groups.get(&group).cloned();
        let word = name.as_deref().and_then(words::of_value);
        let word = word.or_else(|| words::of_value(group.as_deref()?));
        self.explains |= word.is_some_and(|word| word.meaning().carries());
        let value = Value { name, group };
        self.values.insert((layer, number as u32), value);
        Ok(())
    }
}

/// Whether a layer, or its definition, is of a type such as `IntGrid`.
pub fn has_type(layer: &Members<'_>, kind: &str) -> bool {
    matches!(layer.text("", "__type"), Ok(Some(text)) if text == kind)
}
