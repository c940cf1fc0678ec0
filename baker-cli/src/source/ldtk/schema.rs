//! The JSON of LDtk, as far as it is read. Members that are missing have their defaults.

use std::ops::Deref;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::source::text::without_control_characters;

/// A text without control characters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub struct Text(String);

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self(without_control_characters(text.into()).into_owned())
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// A list, or null.
fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

/// Two numbers.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(try_from = "Vec<f64>")]
pub struct Pair(pub [f64; 2]);

impl TryFrom<Vec<f64>> for Pair {
    type Error = &'static str;

    fn try_from(numbers: Vec<f64>) -> Result<Self, Self::Error> {
        let pair = numbers.try_into();
        pair.map(Self)
            .map_err(|_| "a list is not a pair of numbers")
    }
}

/// A project but for the content of its levels.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Project<'a> {
    #[serde(default)]
    pub json_version: Text,
    pub default_grid_size: Option<f64>,
    pub defs: Option<Defs>,
    #[serde(borrow)]
    pub levels: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    pub worlds: Option<Vec<World<'a>>>,
}

#[derive(Deserialize)]
pub struct World<'a> {
    #[serde(borrow, default, deserialize_with = "list")]
    pub levels: Vec<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Defs {
    #[serde(deserialize_with = "list")]
    pub layers: Vec<LayerDef>,
    #[serde(deserialize_with = "list")]
    pub tilesets: Vec<TilesetDef>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct LayerDef {
    pub identifier: Text,
    #[serde(rename = "__type")]
    pub kind: Text,
    pub uid: i64,
    pub parallax_factor_x: f64,
    pub parallax_factor_y: f64,
    #[serde(deserialize_with = "list")]
    pub int_grid_values_groups: Vec<GroupDef>,
    #[serde(deserialize_with = "list")]
    pub int_grid_values: Vec<ValueDef>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct GroupDef {
    pub uid: i64,
    pub identifier: Option<Text>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ValueDef {
    /// Versions before 1.0 do not have it.
    pub value: Option<u32>,
    pub identifier: Option<Text>,
    pub group_uid: i64,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct TilesetDef {
    pub identifier: Text,
    pub uid: i64,
    pub tile_grid_size: Option<f64>,
    #[serde(deserialize_with = "list")]
    pub enum_tags: Vec<EnumTag>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct EnumTag {
    pub enum_value_id: Text,
    pub tile_ids: Vec<i64>,
}

/// The name of a level.
#[derive(Deserialize)]
pub struct LevelName {
    #[serde(default)]
    pub identifier: Text,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Level<'a> {
    pub px_wid: f64,
    pub px_hei: f64,
    /// None in a project whose levels are saved apart.
    #[serde(borrow)]
    pub layer_instances: Option<Vec<&'a RawValue>>,
    pub external_rel_path: Option<Text>,
    #[serde(rename = "__bgColor", default)]
    pub color: Text,
    pub bg_rel_path: Option<Text>,
    #[serde(rename = "__bgPos")]
    pub background: Option<Background>,
}

/// Where the image behind a level is.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Background {
    pub top_left_px: Pair,
    pub scale: Pair,
    #[serde(default)]
    pub crop_rect: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Layer<'a> {
    #[serde(rename = "__identifier", default)]
    pub name: Text,
    #[serde(rename = "__type", default)]
    pub kind: Text,
    #[serde(rename = "__cWid", default)]
    pub columns: f64,
    #[serde(rename = "__cHei", default)]
    pub rows: f64,
    #[serde(rename = "__gridSize", default)]
    pub side: f64,
    #[serde(rename = "__opacity")]
    pub opacity: Option<f64>,
    #[serde(rename = "__pxTotalOffsetX", default)]
    pub offset_x: f64,
    #[serde(rename = "__pxTotalOffsetY", default)]
    pub offset_y: f64,
    #[serde(rename = "__tilesetDefUid")]
    pub tileset: Option<i64>,
    #[serde(rename = "__tilesetRelPath")]
    pub image: Option<Text>,
    #[serde(rename = "layerDefUid", default)]
    pub definition: i64,
    pub visible: Option<bool>,
    #[serde(borrow)]
    pub int_grid_csv: Option<&'a RawValue>,
    #[serde(default, deserialize_with = "list")]
    pub auto_layer_tiles: Vec<Tile>,
    #[serde(default, deserialize_with = "list")]
    pub grid_tiles: Vec<Tile>,
    #[serde(borrow, default, deserialize_with = "list")]
    pub entity_instances: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
pub struct Tile {
    pub px: Pair,
    #[serde(default)]
    pub src: Pair,
    /// Whether it is mirrored: across by the first bit, down by the second.
    #[serde(default)]
    pub f: u32,
    /// Its number.
    #[serde(default)]
    pub t: u32,
    /// Its opacity.
    pub a: Option<f64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entity<'a> {
    #[serde(rename = "__identifier", default)]
    pub class: Text,
    #[serde(rename = "__pivot")]
    pub pivot: Pair,
    pub px: Pair,
    #[serde(default)]
    pub width: f64,
    #[serde(default)]
    pub height: f64,
    pub iid: Option<Text>,
    #[serde(borrow, default, deserialize_with = "list")]
    pub field_instances: Vec<Field<'a>>,
}

#[derive(Deserialize)]
pub struct Field<'a> {
    #[serde(rename = "__identifier", default)]
    pub name: Text,
    #[serde(rename = "__value", borrow)]
    pub value: Option<&'a RawValue>,
}
