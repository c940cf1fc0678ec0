//! What a project says of the layers of all its levels.

use std::collections::{BTreeMap, BTreeSet};

use super::schema::{Defs, LayerDef, ValueDef};
use crate::source::words::{self, Word};

/// An `IntGrid` value.
#[derive(Debug, Clone, Default)]
pub struct Value {
    pub name: Option<String>,
    /// The name of its group.
    pub group: Option<String>,
}

/// A tileset: its name, the side of a tile, and the first enum tag of tiles that have one.
#[derive(Debug, Clone, Default)]
pub struct Tileset {
    pub name: String,
    pub side: Option<f64>,
    pub tags: BTreeMap<i64, String>,
}

/// The layers, values and tilesets of a project.
#[derive(Debug, Clone, Default)]
pub struct Definitions {
    /// By layer and number.
    pub values: BTreeMap<(i64, u32), Value>,
    /// The layers that scroll at another speed than the level.
    pub parallax: BTreeSet<i64>,
    /// By number.
    pub tilesets: BTreeMap<i64, Tileset>,
    /// The name of a value or a layer says what is solid, in every level: one
    /// where none of it was painted is empty, not unexplained.
    pub explains: bool,
}

impl Definitions {
    /// `None` when a value has no number: the version of LDtk is too old.
    pub fn of(defs: Defs) -> Option<Self> {
        let mut definitions = Self::default();
        for tileset in defs.tilesets {
            let mut tags = BTreeMap::new();
            for tag in tileset.enum_tags {
                for id in tag.tile_ids {
                    tags.entry(id)
                        .or_insert_with(|| tag.enum_value_id.to_string());
                }
            }
            let (name, side) = (tileset.identifier.to_string(), tileset.tile_grid_size);
            let tileset_of = Tileset { name, side, tags };
            definitions.tilesets.insert(tileset.uid, tileset_of);
        }
        for layer in defs.layers {
            definitions.add_layer(&layer)?;
        }
        Some(definitions)
    }

    fn add_layer(&mut self, layer: &LayerDef) -> Option<()> {
        let solid = [Word::Collision, Word::Ground, Word::Platform];
        let is_solid = words::of_layer(&layer.identifier).is_some_and(|word| solid.contains(&word));
        self.explains |= &*layer.kind == "IntGrid" && is_solid;
        if layer.parallax_factor_x != 0.0 || layer.parallax_factor_y != 0.0 {
            self.parallax.insert(layer.uid);
        }
        for ValueDef {
            value,
            identifier,
            group_uid,
        } in &layer.int_grid_values
        {
            let name = identifier.as_deref().filter(|name| !name.is_empty());
            let mut groups = layer.int_grid_values_groups.iter();
            let group = groups.find(|group| group.uid == *group_uid);
            let group = group.map(|group| group.identifier.clone().unwrap_or_default().to_string());
            let word = name.and_then(words::of_value);
            let word = word.or_else(|| words::of_value(group.as_deref()?));
            self.explains |= word.is_some_and(|word| word.meaning().carries());
            let name = name.map(str::to_owned);
            self.values
                .insert((layer.uid, (*value)?), Value { name, group });
        }
        Some(())
    }
}
