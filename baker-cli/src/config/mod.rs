//! `navbake.toml`: the configuration of levels and agents.
//!
//! - `tables`: its tables; `agent`: `[[agent]]`.
//! - `error`: errors with their place in the file.

mod agent;
mod error;
mod tables;

use std::path::{Component, Path, PathBuf};

use navmesh_runtime::mesh::{AgentProfile, Units};

use crate::bake::{Settings, default_agents};
use crate::report::lint::LintSettings;
use crate::source::{GridRules, LevelFile, Rules, read_at_most, up_to_repository};

pub use error::{ConfigError, nearest};

use error::{ConfigText, InvalidValue};
pub use tables::ConfigTables;

/// The most bytes of a configuration. Parsed, it takes ten times as many.
const MAX_BYTES: u64 = 1 << 20;

/// The largest side of a cell, pixels: that of Tiled's maps.
const MAX_CELL: u32 = 65_536;

/// Side of a tile, in level pixels, for levels without tiles.
pub const DEFAULT_TILE: f32 = 16.0;

/// A configuration. Its values were validated for the default tile size. The
/// default is the configuration of a project without `navbake.toml`.
#[derive(Debug, Clone, Default)]
pub struct Config {
    text: ConfigText,
    tables: ConfigTables,
}

impl Config {
    /// Reads a configuration file.
    ///
    /// # Errors
    /// When the file cannot be read, is not TOML, or a value is invalid. The
    /// error names the line.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let bytes = read_at_most(path, MAX_BYTES).map_err(|source| ConfigError::Read {
            path: path.to_path_buf(),
            source,
        })?;
        Self::of_bytes(path, bytes)
    }

    /// [`parse`](Self::parse) for text that may not be UTF-8.
    ///
    /// # Errors
    /// As [`load`](Self::load), and when it is not UTF-8.
    pub fn of_bytes(name: impl Into<PathBuf>, bytes: Vec<u8>) -> Result<Self, ConfigError> {
        let name = name.into();
        let text = String::from_utf8(bytes).map_err(|e| {
            let valid = e.as_bytes().get(..e.utf8_error().valid_up_to());
            let line = valid
                .unwrap_or_default()
                .split(|byte| *byte == b'\n')
                .count();
            let name = name.display();
            ConfigError::Invalid(format!(
                "{name}:{line}: not UTF-8 text\nhelp: save the file as UTF-8"
            ))
        })?;
        Self::parse(name, text)
    }

    /// Reads a configuration from text. Errors name it `name`.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn parse(name: impl Into<PathBuf>, text: String) -> Result<Self, ConfigError> {
        let text = ConfigText::new(name, text);
        let mut tables: ConfigTables = toml::from_str(&text.text).map_err(|e| text.syntax(&e))?;
        let cell_size = tables.level.cell_size;
        if let Some(side) = cell_size.filter(|side| !(1..=MAX_CELL).contains(side)) {
            let problem = format!("cell_size is {side}, but it must be 1 to {MAX_CELL} pixels");
            return Err(text.error("level", InvalidValue::new("cell_size", problem, "")));
        }
        let legend = std::mem::take(&mut tables.legend);
        tables.collision.grid = GridRules { legend, cell_size };
        let this = Self { text, tables };
        // Most errors do not depend on the tile size: they are found now,
        // before any level is read.
        this.settings(None)?;
        this.lint()?;
        Ok(this)
    }

    /// Whether agents are configured. If not, two are derived from the tile
    /// size.
    pub fn has_agents(&self) -> bool {
        !self.tables.agent.is_empty()
    }

    /// The rules by which levels are read.
    pub const fn rules(&self) -> &Rules {
        &self.tables.collision
    }

    /// The units of a level: those configured, else its own.
    fn units(&self, own: Option<Units>) -> Units {
        let (level, own) = (&self.tables.level, own.unwrap_or_default());
        Units {
            pixels_per_unit: level.pixels_per_unit.unwrap_or(own.pixels_per_unit),
            y_axis: level.y_axis.unwrap_or(own.y_axis),
        }
    }

    /// The side of a tile in world units. Defaults are scaled to it.
    pub fn tile(&self, tile_size: Option<[u32; 2]>) -> f32 {
        tile(tile_size, self.units(None).pixels_per_unit)
    }

    /// [`tile`](Self::tile) for a level, which may have units of its own.
    pub fn tile_of(&self, level: &LevelFile) -> f32 {
        tile(level.tile_size, self.units(level.units).pixels_per_unit)
    }

    /// The settings for a level.
    ///
    /// # Errors
    /// As [`settings`](Self::settings).
    pub fn settings_of(&self, level: &LevelFile) -> Result<Settings, ConfigError> {
        self.settings_with(level.tile_size, level.units)
    }

    /// The settings for a level with tiles of this width and height in pixels.
    ///
    /// # Errors
    /// When a value is invalid. The error names the line.
    pub fn settings(&self, tile_size: Option<[u32; 2]>) -> Result<Settings, ConfigError> {
        self.settings_with(tile_size, None)
    }

    fn settings_with(
        &self,
        tile_size: Option<[u32; 2]>,
        units: Option<Units>,
    ) -> Result<Settings, ConfigError> {
        let level = &self.tables.level;
        let area = level.rect().map_err(|e| self.text.error("level", e))?;
        let defaults = Settings::for_agents(Vec::new());
        let mut settings = Settings {
            spacing: level.spacing,
            link_stretch: level.link_stretch.unwrap_or(defaults.link_stretch),
            index_routes: level.index_routes,
            units: self.units(units),
            area,
            ..defaults
        };
        settings.check_numbers().map_err(|(key, value, rule)| {
            let problem = format!("{key} is {value}, but {rule}");
            self.text
                .error("level", InvalidValue::new(key, problem, ""))
        })?;
        settings.agents = self.agents(tile(tile_size, settings.units.pixels_per_unit))?;
        Ok(settings)
    }

    /// The settings of `navbake lint`.
    ///
    /// # Errors
    /// When a rule is unknown or listed twice, or the tolerance is invalid. The
    /// error names the line.
    pub fn lint(&self) -> Result<LintSettings, ConfigError> {
        let settings = self.tables.lint.settings();
        settings.map_err(|e| self.text.error("lint", e))
    }

    /// The agents. Keys that they leave out are scaled to a tile of this side.
    fn agents(&self, tile: f32) -> Result<Vec<AgentProfile>, ConfigError> {
        if self.tables.agent.is_empty() {
            return Ok(default_agents(tile));
        }
        let mut agents: Vec<AgentProfile> = Vec::with_capacity(self.tables.agent.len());
        for (i, table) in self.tables.agent.iter().enumerate() {
            let place = format!("agent.{i}");
            let profile = (table.resolve(tile)).map_err(|e| self.text.error(&place, e))?;
            if agents.iter().any(|other| other.name == profile.name) {
                let problem = format!("two agents are named {:?}", profile.name);
                let error = InvalidValue::new("name", problem, "give each agent its own name");
                return Err(self.text.error(&place, error));
            }
            agents.push(profile);
        }
        Ok(agents)
    }
}

/// The side of a tile in world units; `scale` is how many pixels a unit has.
fn tile(tile_size: Option<[u32; 2]>, scale: f32) -> f32 {
    match tile_size {
        Some([w, h]) => w.min(h).max(1) as f32 / scale,
        // Pixels that are larger than units are the tiles.
        None if scale < 1.0 => DEFAULT_TILE.max(1.0 / scale),
        None => DEFAULT_TILE / scale,
    }
}

/// The name of configuration files.
pub const NAME: &str = "navbake.toml";

/// The `navbake.toml` of a level: the one beside it, or else the nearest one in
/// its parent folders, up to the root of its repository or else of the file
/// system. It does not depend on the current folder `cwd`, except that relative
/// levels are relative to it. For `-`, stdin, the search begins there.
pub fn locate(level: &Path, cwd: &Path) -> Option<PathBuf> {
    let folder = level.parent().unwrap_or(Path::new(""));
    let absolute = std::path::absolute(cwd.join(folder)).ok()?;
    let absolute = resolved(&absolute);
    let mut files = up_to_repository(&absolute).map(|parent| parent.join(NAME));
    // Also a link that leads nowhere, or a folder: reading it says so.
    let file = files.find(|file| file.symlink_metadata().is_ok())?;
    // A relative level gets a relative file, so that messages name the file as the user
    // would.
    Some(if folder.is_absolute() {
        file
    } else {
        relative(&file, cwd)
    })
}

/// An absolute path without `..`. What `..` means after a symbolic link is
/// decided by the file system.
fn resolved(path: &Path) -> PathBuf {
    if !path.components().any(|c| c == Component::ParentDir) {
        return path.to_path_buf();
    }
    let real = std::fs::canonicalize(path);
    real.unwrap_or_else(|_| normalized(path))
}

/// An absolute path, seen from the folder `cwd`.
fn relative(path: &Path, cwd: &Path) -> PathBuf {
    let shared = (path.components())
        .zip(cwd.components())
        .take_while(|(a, b)| a == b);
    let shared = shared.count();
    let up = cwd.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(path.components().skip(shared)).collect()
}

/// A path without `.` and, where possible, without `..`, to compare paths.
pub fn normalized(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(normal.components().next_back(), Some(Component::Normal(_))) =>
            {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}
