//! The tables of `navbake.toml`.

use glam::DVec2;
use navmesh_runtime::mesh::{Units, YAxis};
use serde::Deserialize;
use toml::Spanned;

use crate::cli::config::agent::AgentTable;
use crate::cli::config::error::InvalidValue;
use crate::cli::config::lint::LintTable;
use crate::source::{Rect, Rules};

/// The whole file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ConfigTables {
    pub(crate) level: LevelTable,
    /// What is solid, one-way, ... Rules come before the level's own properties.
    pub(crate) collision: Rules,
    pub(crate) agent: Vec<Spanned<AgentTable>>,
    pub(crate) lint: LintTable,
}

/// `[level]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct LevelTable {
    /// Side of a grid cell, world units.
    pub(crate) spacing: Option<Spanned<f32>>,
    /// How many times longer a route may take when links are left out.
    pub(crate) link_stretch: Option<Spanned<f32>>,
    /// Whether y grows downwards or upwards in the world.
    pub(crate) y_axis: Option<YAxis>,
    /// Level pixels per world unit.
    pub(crate) pixels_per_unit: Option<Spanned<f32>>,
    /// The part to bake: `[x, y, width, height]` in level pixels, y down.
    pub(crate) area: Option<Spanned<[f64; 4]>>,
}

/// The values of `[level]`.
pub(crate) struct LevelValues {
    pub(crate) units: Units,
    pub(crate) spacing: Option<f32>,
    pub(crate) link_stretch: f32,
    pub(crate) area: Option<Rect>,
}

impl LevelTable {
    /// The values of this table and the defaults of the keys it leaves out.
    pub(crate) fn resolve(&self) -> Result<LevelValues, InvalidValue> {
        const POSITIVE: &str = "a finite number above 0";
        const STRETCH: &str = "1 or more: how many times longer a route may take";
        let number = |name: &str, value: &Option<Spanned<f32>>, least: f32, rule: &str| {
            let Some(value) = value else { return Ok(None) };
            let v = *value.get_ref();
            if v.is_finite() && v >= least {
                return Ok(Some(v));
            }
            let problem = format!("{name} is {v}, but it must be {rule}");
            Err(InvalidValue::new(value.span(), problem, ""))
        };
        let (scale, spacing) = (&self.pixels_per_unit, &self.spacing);
        let scale = number("pixels_per_unit", scale, f32::MIN_POSITIVE, POSITIVE)?;
        let spacing = number("spacing", spacing, f32::MIN_POSITIVE, POSITIVE)?;
        let link_stretch = number("link_stretch", &self.link_stretch, 1.0, STRETCH)?;
        let area = self.area.as_ref().map(|area| {
            let [x, y, width, height] = *area.get_ref();
            if [x, y, width, height].iter().all(|v| v.is_finite()) && width > 0.0 && height > 0.0 {
                let min = DVec2::new(x, y);
                return Ok(Rect::new(min, min + DVec2::new(width, height)));
            }
            Err(InvalidValue::new(
                area.span(),
                "the width and the height of area must be above 0, and all four numbers finite",
                "area is [x, y, width, height] in level pixels",
            ))
        });
        Ok(LevelValues {
            units: Units {
                pixels_per_unit: scale.unwrap_or(1.0),
                y_axis: self.y_axis.unwrap_or_default(),
            },
            spacing,
            link_stretch: link_stretch.unwrap_or(1.1),
            area: area.transpose()?,
        })
    }
}
