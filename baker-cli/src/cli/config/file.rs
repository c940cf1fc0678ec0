//! The shape of `navbake.toml`.

use navmesh_runtime::mesh::YAxis;
use serde::Deserialize;
use toml::Spanned;

use super::agent::AgentTable;

/// The whole file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct File {
    pub(super) level: LevelTable,
    pub(super) collision: Rules,
    pub(super) agent: Vec<Spanned<AgentTable>>,
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

/// `[collision]`: what counts, where the level's own properties do not say.
/// Each is a list of rules such as `layer:ground`, `property:solid`,
/// `class:wall`, or `color:#000000` (a bitmap's palette).
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// Blocks from every side and carries.
    pub solid: Vec<Spanned<String>>,
    /// Carries from above, lets bodies through upwards.
    pub one_way: Vec<Spanned<String>>,
    /// Must not be touched.
    pub hazard: Vec<Spanned<String>>,
    /// Can be climbed.
    pub ladder: Vec<Spanned<String>>,
    /// Does nothing, whatever the level says.
    pub empty: Vec<Spanned<String>>,
}
