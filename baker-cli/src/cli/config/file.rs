//! The shape of `navbake.toml`.

use navmesh_runtime::mesh::YAxis;
use serde::Deserialize;
use toml::Spanned;

use super::agent::AgentTable;
use super::lint::LintTable;
use crate::source::Rules;

/// The whole file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct File {
    pub(super) level: LevelTable,
    /// What counts, where the level's own properties do not say.
    pub(super) collision: Rules,
    pub(super) agent: Vec<Spanned<AgentTable>>,
    /// What a level is checked for.
    pub(super) lint: LintTable,
}

/// `[level]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct LevelTable {
    /// Side of a grid cell, world units.
    pub(super) spacing: Option<Spanned<f32>>,
    /// How much dearer a route may get by thinning links.
    pub(super) link_stretch: Option<Spanned<f32>>,
    /// Which way y grows in the world.
    pub(super) y_axis: Option<YAxis>,
    /// Level pixels in a world unit.
    pub(super) pixels_per_unit: Option<Spanned<f32>>,
    /// `[x, y, width, height]` in level pixels, y down: bake only this.
    pub(super) area: Option<Spanned<[f64; 4]>>,
}
