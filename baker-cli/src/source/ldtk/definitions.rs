//! What a project says of the layers of all its levels.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::source::error::Fault;
use crate::source::json::Members;
use crate::source::text::shorten;
use crate::source::words::{self, Word};
use navmesh_bake::Material;

/// An `IntGrid` value.
#[derive(Debug, Clone, Default)]
pub struct Value {
    pub name: Option<String>,
    pub color: String,
    /// What its name says, or else that of its group.
    pub word: Option<Word>,
}

/// By layer and number.
pub type Values = BTreeMap<(i64, u32), Value>;

/// The tiles of each tileset that have a word of collision as an enum tag, with
/// that tag.
pub type Tags = BTreeMap<i64, BTreeMap<i64, String>>;

/// The `IntGrid` layers and values of a project.
#[derive(Debug, Clone, Default)]
pub struct Definitions {
    pub values: Values,
    /// The layers that scroll at another speed than the level.
    pub parallax: BTreeSet<i64>,
    pub tags: Tags,
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
            definitions.add_tags(&json.members("defs.tilesets")?)?;
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
                let word = words::of_value(&name);
                groups.insert(group.number(place, "uid")?.unwrap_or(0.0) as i64, word);
            }
            for json in layer.list(place, "intGridValues")? {
                definitions.add_value(uid, &groups, &json.members("intGridValues")?, project)?;
            }
        }
        Ok(definitions)
    }

    fn add_tags(&mut self, tileset: &Members<'_>) -> Result<(), Fault> {
        let place = "defs.tilesets";
        let uid = tileset.number(place, "uid")?.unwrap_or(-1.0) as i64;
        for json in tileset.list(place, "enumTags")? {
            let tag = json.members(place)?;
            let name = tag.text(place, "enumValueId")?.unwrap_or_default();
            if words::exact(&name).is_some_and(|word| word != Word::Nothing) {
                let tiles = self.tags.entry(uid).or_default();
                let ids = tag.list(place, "tileIds")?.into_iter();
                let ids = ids.filter_map(|id| id.scalar()?.parse().ok());
                tiles.extend(ids.map(|id| (id, name.clone().into_owned())));
            }
        }
        Ok(())
    }

    fn add_value(
        &mut self,
        layer: i64,
        groups: &BTreeMap<i64, Option<Word>>,
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
        let word = name.as_deref().and_then(words::of_value);
        let word = word.or(groups.get(&group).copied().flatten());
        let material = word.and_then(Word::material);
        self.explains |= material.is_some_and(Material::carries);
        let color = value.text("intGridValues", "color")?.unwrap_or_default();
        let color = color.into_owned();
        let value = Value { name, color, word };
        self.values.insert((layer, number as u32), value);
        Ok(())
    }
}

/// Whether a layer, or its definition, is of a type such as `IntGrid`.
pub fn has_type(layer: &Members<'_>, kind: &str) -> bool {
    matches!(layer.text("", "__type"), Ok(Some(text)) if text == kind)
}

/// The property that declares the collision of an `IntGrid` value.
pub const fn value_property(word: Word) -> (&'static str, &'static str) {
    match word.material() {
        Some(Material::Solid) => ("solid", "true"),
        Some(Material::Hazard) => ("hazard", "true"),
        Some(Material::Ladder) => ("ladder", "true"),
        Some(Material::OneWay(way)) => ("one_way", way.word()),
        None => ("solid", "false"),
    }
}
