//! `navbake.toml`: what a project says about its levels and agents.
//!
//! - `file`: the shape of the file.
//! - `agent`: one `[[agent]]` and the defaults of what it leaves out.
//! - `lint`: which rules hold.
//! - `locate`: where the file is looked for.
//! - `error`: what can be wrong with it, with its place.

mod agent;
mod error;
mod file;
mod lint;
mod locate;

use std::path::{Path, PathBuf};

use navmesh_runtime::mesh::{AgentProfile, Units};

use crate::bake::{Settings, default_agents};
use crate::source::{ReadOptions, Rect};

pub use error::ConfigError;
pub use locate::locate;

use error::Text;
use file::{File, LevelTable};

/// Side of a tile, in level pixels, where a level has none.
pub const DEFAULT_TILE: f32 = 16.0;

/// A configuration, read and checked as far as it can be without a level.
#[derive(Debug, Clone)]
pub struct Config {
    text: Text,
    file: File,
}

impl Default for Config {
    /// The configuration of a project that has none.
    fn default() -> Self {
        Self {
            text: Text::new("navbake.toml", String::new()),
            file: File::default(),
        }
    }
}

impl Config {
    /// Reads a configuration file.
    ///
    /// # Errors
    /// When it cannot be read, is not TOML, or says something that makes no
    /// sense; names the line and what to do.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path).map_err(|source| ConfigError::Read {
            path: path.to_path_buf(),
            source,
        })?;
        Self::parse(path, text)
    }

    /// Reads a configuration from text; `name` is what errors call it.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn parse(name: impl Into<PathBuf>, text: String) -> Result<Self, ConfigError> {
        let text = Text::new(name, text);
        let file: File = toml::from_str(text.as_str()).map_err(|e| text.syntax(&e))?;
        let this = Self { text, file };
        // Every tile size must do, so what fails for one is told now, before
        // any level is opened.
        this.settings(None)?;
        this.lint()?;
        Ok(this)
    }

    /// Whether agents are configured; without any, they are derived from the
    /// tile size.
    pub fn has_agents(&self) -> bool {
        !self.file.agent.is_empty()
    }

    /// How levels are to be read.
    pub fn read_options(&self) -> ReadOptions {
        ReadOptions {
            rules: self.file.collision.clone(),
            ..ReadOptions::default()
        }
    }

    /// The side of a tile in world units, which what is not configured scales
    /// with.
    pub fn tile(&self, tile_size: Option<[u32; 2]>) -> f32 {
        let pixels = tile_size.map_or(DEFAULT_TILE, |[w, h]| w.min(h).max(1) as f32);
        let level = &self.file.level;
        pixels / level.pixels_per_unit.as_ref().map_or(1.0, |s| *s.get_ref())
    }

    /// The settings for a level with tiles of this size in pixels (width,
    /// height).
    ///
    /// # Errors
    /// When a value makes no sense; names the line and what to do.
    pub fn settings(&self, tile_size: Option<[u32; 2]>) -> Result<Settings, ConfigError> {
        let (units, spacing, link_stretch, area) = self.level()?;
        let tile = self.tile(tile_size);
        Ok(Settings {
            agents: self.agents(tile)?,
            spacing,
            link_stretch,
            units,
            area,
            reading: format!("{:?}", self.read_options()),
        })
    }

    /// The `[level]` table.
    fn level(&self) -> Result<(Units, Option<f32>, f32, Option<Rect>), ConfigError> {
        const POSITIVE: &str = "a finite number above 0";
        let LevelTable {
            spacing,
            link_stretch,
            y_axis,
            pixels_per_unit,
            area,
        } = &self.file.level;
        let number = |name: &str, value: &Option<toml::Spanned<f32>>, least: f32, rule: &str| {
            let Some(value) = value else { return Ok(None) };
            let v = *value.get_ref();
            if v.is_finite() && v >= least {
                Ok(Some(v))
            } else {
                let message = format!("{name} is {v}, but it must be {rule}");
                Err(self.text.error(value.span(), &message))
            }
        };
        let above_zero = f32::MIN_POSITIVE;
        let pixels_per_unit = number("pixels_per_unit", pixels_per_unit, above_zero, POSITIVE)?;
        let spacing = number("spacing", spacing, above_zero, POSITIVE)?;
        let stretch_rule = "1 or more: how many times dearer a route may get by thinning links";
        let link_stretch = number("link_stretch", link_stretch, 1.0, stretch_rule)?;
        let area = area.as_ref().map(|area| {
            let [x, y, width, height] = *area.get_ref();
            if [x, y, width, height].iter().all(|v| v.is_finite()) && width > 0.0 && height > 0.0 {
                let min = glam::DVec2::new(x, y);
                Ok(Rect::new(min, min + glam::DVec2::new(width, height)))
            } else {
                let message = "area is [x, y, width, height] in level pixels, \
                               with a width and height above 0";
                Err(self.text.error(area.span(), message))
            }
        });
        let units = Units {
            pixels_per_unit: pixels_per_unit.unwrap_or(1.0),
            y_axis: y_axis.unwrap_or_default(),
        };
        Ok((
            units,
            spacing,
            link_stretch.unwrap_or(1.1),
            area.transpose()?,
        ))
    }

    /// The agents, defaults scaled from a tile of this side in world units.
    fn agents(&self, tile: f32) -> Result<Vec<AgentProfile>, ConfigError> {
        if self.file.agent.is_empty() {
            return Ok(default_agents(tile));
        }
        let mut agents: Vec<AgentProfile> = Vec::with_capacity(self.file.agent.len());
        for table in &self.file.agent {
            let profile = table.get_ref().resolve(tile).map_err(|fault| {
                self.text
                    .error(fault.span.unwrap_or(table.span()), &fault.message)
            })?;
            if agents.iter().any(|other| other.name == profile.name) {
                let message = format!(
                    "two agents are named {:?}; give each its own name",
                    profile.name
                );
                return Err(self.text.error(table.get_ref().name.span(), &message));
            }
            agents.push(profile);
        }
        Ok(agents)
    }
}

#[cfg(test)]
#[path = "config_test.rs"]
mod tests;
