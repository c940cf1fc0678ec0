//! The tables of `navbake.toml`.

use std::marker::PhantomData;

use glam::DVec2;
use navmesh_runtime::mesh::YAxis;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::cli::config::agent::{AgentTable, exactly};
use crate::cli::config::error::InvalidValue;
use crate::cli::config::lint::LintTable;
use crate::source::Rules;
use navmesh_bake::Rect;

/// The whole file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ConfigTables {
    #[serde(deserialize_with = "table")]
    pub level: LevelTable,
    /// What is solid, one-way, ... Rules come before the level's own properties.
    #[serde(deserialize_with = "table")]
    pub collision: Rules,
    #[serde(deserialize_with = "agents")]
    pub agent: Vec<AgentTable>,
    #[serde(deserialize_with = "table")]
    pub lint: LintTable,
}

/// A table of options. By itself, serde takes a list of their values too.
fn table<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<T, D::Error> {
    struct Table<T>(PhantomData<T>);
    impl<'de, T: Deserialize<'de>> Visitor<'de> for Table<T> {
        type Value = T;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a table: write its name in one pair of brackets")
        }

        fn visit_map<A: MapAccess<'de>>(self, from: A) -> Result<Self::Value, A::Error> {
            T::deserialize(MapAccessDeserializer::new(from))
        }
    }
    from.deserialize_map(Table(PhantomData))
}

/// The tables `[[agent]]`. Says what to write instead of `[agent]`.
fn agents<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<AgentTable>, D::Error> {
    struct Agents;
    impl<'de> Visitor<'de> for Agents {
        type Value = Vec<AgentTable>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a list: write [[agent]], in two pairs of brackets")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, from: A) -> Result<Self::Value, A::Error> {
            Vec::deserialize(SeqAccessDeserializer::new(from))
        }
    }
    from.deserialize_seq(Agents)
}

/// `[level]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LevelTable {
    /// Side of a grid cell, world units.
    pub spacing: Option<f32>,
    /// How many times longer a route may take when links are left out.
    pub link_stretch: Option<f32>,
    /// Whether the index of routes is stored in the baked file.
    pub index_routes: bool,
    /// Whether y grows downwards or upwards in the world.
    pub y_axis: Option<YAxis>,
    /// Level pixels per world unit.
    pub pixels_per_unit: Option<f32>,
    /// The part to bake: `[x, y, width, height]` in level pixels, y down.
    #[serde(deserialize_with = "exactly")]
    pub area: Option<[f64; 4]>,
}

impl LevelTable {
    /// The part of the level to bake.
    pub fn rect(&self) -> Result<Option<Rect>, InvalidValue> {
        let Some([x, y, width, height]) = self.area else {
            return Ok(None);
        };
        if [x, y, width, height].iter().all(|v| v.is_finite()) && width > 0.0 && height > 0.0 {
            let min = DVec2::new(x, y);
            return Ok(Some(Rect::new(min, min + DVec2::new(width, height))));
        }
        Err(InvalidValue::new(
            "area",
            "the width and the height of area must be above 0, and all four numbers finite",
            "area is [x, y, width, height] in level pixels",
        ))
    }
}
