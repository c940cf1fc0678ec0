//! The tables of `navbake.toml`.

use std::marker::PhantomData;

use glam::DVec2;
use navmesh_runtime::mesh::YAxis;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::config::agent::{AgentTable, exactly};
use crate::config::error::InvalidValue;
use crate::report::lint::{LintSettings, Rule};
use crate::report::{Severity, YAxisName};
use crate::source::{Legend, Rules};
use navmesh_bake::Rect;

/// The configuration of navbake, as JSON has it.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ConfigTables {
    /// What is baked, and in which units.
    #[serde(deserialize_with = "table")]
    pub level: LevelTable,
    /// Rules that come before what the level itself says.
    #[serde(deserialize_with = "table")]
    #[schemars(schema_with = "rules")]
    pub collision: Rules,
    /// What the characters of text levels, the values of CSV files and the sprites of PICO-8 mean.
    #[schemars(schema_with = "legend")]
    pub legend: Legend,
    /// One for each kind of body. Without any, `ground` and `air` are derived from the tile size.
    #[serde(deserialize_with = "agents")]
    pub agent: Vec<AgentTable>,
    /// The rules of `navbake lint`.
    #[serde(deserialize_with = "table")]
    pub lint: LintTable,
}

fn rules(_: &mut SchemaGenerator) -> Schema {
    let rules = json_schema!({"type": "array", "items": {
        "type": "string",
        "description": "What the rule matches: layer:NAME, property:NAME, property:NAME=VALUE, \
                        class:NAME, name:NAME, tileset:NAME, tile:TILESET#1-12, intgrid:VALUE, \
                        color:#rrggbb or color:*. \" & \" joins conditions, ! negates one.",
        "pattern": "^\\s*!?\\s*([Ll]ayer|[Pp]roperty|[Cc]lass|[Tt]ype|[Nn]ame|[Tt]ileset|[Tt]ile|\
                    [Ii]ntgrid|[Cc]olou?r)\\s*:\\s*\\S",
    }});
    json_schema!({
        "type": "object",
        "properties": {
            "solid": rules, "one_way": rules, "hazard": rules, "ladder": rules, "slope_right": rules,
            "slope_left": rules, "empty": rules,
        },
        "additionalProperties": false,
    })
}

fn legend(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "properties": {"use": {"type": "string", "description": "A built-in legend."}},
        "additionalProperties": {
            "type": "string",
            "description": "solid, one_way (also one_way_down, _left, _right), hazard, ladder, empty, \
                            a class of markers such as spawn or spawn:NAME, or class:CLASS.",
        },
    })
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
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LevelTable {
    /// Side of a grid cell, world units. Without it, the largest divisor of the tile size that
    /// is not larger than any body.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub spacing: Option<f32>,
    /// A link is left out if others lead there in at most so many times its time; 1 keeps all.
    #[schemars(extend("minimum" = 1, "default" = 1.25))]
    pub link_stretch: Option<f32>,
    /// Store the index of routes, so that building it after loading takes a quarter of the
    /// time or less.
    #[schemars(extend("default" = false))]
    pub index_routes: bool,
    /// Direction of y in the world.
    #[schemars(with = "Option<YAxisName>", extend("default" = "down"))]
    pub y_axis: Option<YAxis>,
    /// Level pixels per world unit.
    #[schemars(extend("exclusiveMinimum" = 0, "default" = 1.0))]
    pub pixels_per_unit: Option<f32>,
    /// Side of a cell of text levels, CSV files (16 without it) and PICO-8 (8), level pixels.
    #[schemars(extend("minimum" = 1))]
    pub cell_size: Option<u32>,
    /// Bake only this: x, y, width, height in level pixels, y down.
    #[serde(deserialize_with = "exactly")]
    #[schemars(extend("prefixItems" = [
        {"type": "number"}, {"type": "number"},
        {"type": "number", "exclusiveMinimum": 0}, {"type": "number", "exclusiveMinimum": 0},
    ]))]
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

/// `[lint]`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LintTable {
    /// Rules that are off.
    #[schemars(schema_with = "rule_names")]
    off: Vec<String>,
    /// Rules whose findings are errors.
    #[schemars(schema_with = "rule_names")]
    error: Vec<String>,
    /// Rules whose findings are warnings.
    #[schemars(schema_with = "rule_names")]
    warning: Vec<String>,
    /// Seconds. A link with less tolerance is fragile.
    #[schemars(extend("minimum" = 0, "default" = 0.02))]
    tolerance: Option<f32>,
}

fn rule_names(_: &mut SchemaGenerator) -> Schema {
    let names = Rule::ALL.map(Rule::name);
    json_schema!({"type": "array", "items": {"enum": names}})
}

impl LintTable {
    /// The settings that this table describes.
    pub fn settings(&self) -> Result<LintSettings, InvalidValue> {
        let mut settings = LintSettings::default();
        let lists = [
            ("off", &self.off, None),
            ("error", &self.error, Some(Severity::Error)),
            ("warning", &self.warning, Some(Severity::Warning)),
        ];
        for (list, rules, severity) in lists {
            for (i, name) in rules.iter().enumerate() {
                let key = format!("{list}.{i}");
                let Some(rule) = Rule::from_name(name) else {
                    let known: Vec<_> = Rule::ALL.iter().map(|rule| rule.name()).collect();
                    let problem = format!("unknown rule {name:?}");
                    let help = format!("the rules are {}", known.join(", "));
                    return Err(InvalidValue::new(key, problem, help));
                };
                if settings.severities.insert(rule, severity).is_some() {
                    let problem = format!("the rule {:?} is listed twice", rule.name());
                    let help = "remove one of the two";
                    return Err(InvalidValue::new(key, problem, help));
                }
            }
        }
        if let Some(seconds) = self.tolerance {
            if !(seconds.is_finite() && seconds >= 0.0) {
                let problem = format!("tolerance is {seconds}, but it must be 0 or more seconds");
                return Err(InvalidValue::new("tolerance", problem, ""));
            }
            settings.tolerance = seconds;
        }
        Ok(settings)
    }
}
