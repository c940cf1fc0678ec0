//! Arguments that several commands have, and the forms of their values.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clap::{Args, ValueHint};
use glam::Vec2;
use navmesh_runtime::mesh::NavMesh;
use navmesh_runtime::search::Rect;

use crate::bake::{Material, PassDirection};
use crate::cli::failure::Failure;
use crate::cli::io::{current_folder, is_dash, read_bytes};
use crate::cli::place::Place;
use crate::cli::terminal::Terminal;
use crate::config::{Config, locate};

/// An agent and the two positions that it moves between.
#[derive(Debug, Args)]
pub struct Trip {
    /// Agent that moves
    #[arg(long, value_name = "NAME")]
    pub agent: String,
    /// Where it starts: world units, or a marker CLASS:NAME
    #[arg(long, value_name = "PLACE", allow_hyphen_values = true)]
    from: Place,
    /// Where it goes: world units, or a marker CLASS:NAME
    #[arg(long, value_name = "PLACE", allow_hyphen_values = true)]
    to: Place,
}

impl Trip {
    /// The start and the destination in a level.
    pub fn ends(&self, mesh: &NavMesh) -> Result<[Vec2; 2], Failure> {
        Ok([self.from.resolve(mesh)?, self.to.resolve(mesh)?])
    }
}

/// The configuration file.
#[derive(Debug, Args)]
pub struct ConfigFile {
    /// Use this configuration; without it, the nearest navbake.toml is used; `-` reads stdin
    #[arg(long, value_name = "navbake.toml", value_hint = ValueHint::FilePath)]
    config: Option<PathBuf>,
    /// The files that were read. Levels share them, and a pipe can be read only once.
    #[arg(skip)]
    loaded: Mutex<BTreeMap<PathBuf, Arc<Config>>>,
}

impl ConfigFile {
    /// Reads the file of `--config`, if it was given: an error in it ends the
    /// command, not only the work on one level.
    pub fn load(&self) -> Result<(), Failure> {
        self.config
            .as_deref()
            .map_or(Ok(()), |file| self.read(file).map(drop))
    }

    /// Reads a configuration, once.
    pub fn read(&self, file: &Path) -> Result<Arc<Config>, Failure> {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(config) = loaded.get(file) {
            return Ok(Arc::clone(config));
        }
        let config = if is_dash(file) {
            Config::of_bytes("stdin", read_bytes(file)?)?
        } else {
            Config::load(file)?
        };
        let config = Arc::new(config);
        loaded.insert(file.to_path_buf(), Arc::clone(&config));
        Ok(config)
    }

    /// Reads files again when they are needed next: they may have changed, or be gone.
    /// Pipes are kept.
    pub fn forget_files(&self) {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        loaded.retain(|path, _| {
            is_dash(path) || path.metadata().is_ok_and(|m| !m.is_file() && !m.is_dir())
        });
    }

    /// The files that a command reads: these and that of `--config`.
    ///
    /// # Errors
    /// When two of them are stdin.
    pub fn inputs<'a>(
        &'a self,
        files: impl IntoIterator<Item = &'a Path>,
    ) -> Result<Vec<&'a Path>, Failure> {
        let inputs: Vec<_> = files.into_iter().chain(self.config.as_deref()).collect();
        if inputs.iter().filter(|path| is_dash(path)).count() > 1 {
            let problem = "stdin (-) can be read only once";
            let help = "write the other input to a file first";
            return Err(Failure::with_help(problem, help));
        }
        Ok(inputs)
    }

    /// Warns of a `--config` that nothing was read with: all inputs were baked files.
    pub fn warn_if_unread(&self, terminal: &Terminal) {
        let loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if self.config.is_some() && loaded.is_empty() {
            terminal.warn(
                "--config has no effect: a baked file has the limits that it was baked with\n\
                 help: name the level, or bake it again",
            );
        }
    }

    /// Reads the configuration for a level.
    pub fn load_for(&self, level: &Path) -> Result<Arc<Config>, Failure> {
        let file = self.locate(level, &current_folder()?);
        file.map_or_else(|| Ok(Arc::default()), |file| self.read(&file))
    }

    /// The configuration file for a level: `--config`, or the nearest one.
    pub fn locate(&self, level: &Path, cwd: &Path) -> Option<PathBuf> {
        self.config.clone().or_else(|| locate(level, cwd))
    }
}

/// Text for people or JSON for programs.
#[derive(Debug, Clone, Copy, Args)]
pub struct TextOrJson {
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

impl TextOrJson {
    /// Writes the JSON or the text to stdout.
    pub fn write(
        self,
        json: impl FnOnce(&mut dyn Write) -> io::Result<()>,
        text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let mut out = BufWriter::new(stdout().lock());
        if self.json {
            json(&mut out)?;
        } else {
            text(&mut out)?;
        }
        Ok(out.flush()?)
    }
}

/// A time and a new destination: `2.5:400,48`.
pub fn redirect(text: &str) -> Result<(f64, Place), String> {
    let (time, to) = timed(text, "position T:X,Y, for example 2.5:400,48")?;
    Ok((time, to.parse()?))
}

/// A time and the name of doors: `2.5:gate`.
pub fn timed_door(text: &str) -> Result<(f64, String), String> {
    let (time, name) = timed(text, "name T:NAME, for example 2.5:gate")?;
    Ok((time, name.to_owned()))
}

/// A time, a rectangle, and what to fill it with: `2.5:48,272,64,288=empty`.
pub fn timed_edit(text: &str) -> Result<(f64, Rect, Option<Material>), String> {
    let (region, word) = text.rsplit_once('=').unwrap_or((text, ""));
    let material = match word.trim() {
        "empty" => None,
        "solid" => Some(Material::Solid),
        "one_way" => Some(Material::OneWay(PassDirection::Up)),
        "hazard" => Some(Material::Hazard),
        "ladder" => Some(Material::Ladder),
        _ => return Err("end with =empty, =solid, =one_way, =hazard or =ladder".to_owned()),
    };
    let (time, region) = timed_region(region)?;
    Ok((time, region, material))
}

/// A time and a rectangle by two of its corners: `2.5:48,272,64,288`.
pub fn timed_region(text: &str) -> Result<(f64, Rect), String> {
    const FORM: &str = "rectangle T:X1,Y1,X2,Y2, for example 2.5:48,272,64,288";
    let (time, rest) = timed(text, FORM)?;
    let numbers: Vec<f32> = rest
        .split(',')
        .filter_map(|n| n.trim().parse().ok())
        .collect();
    match numbers[..] {
        [x1, y1, x2, y2] if numbers.iter().all(|n| n.is_finite()) => {
            Ok((time, Rect::new(Vec2::new(x1, y1), Vec2::new(x2, y2))))
        }
        _ => Err(format!("give a time and a {FORM}")),
    }
}

/// When a stun begins and how long it lasts, in seconds: `1.2:0.5`.
pub fn stun(text: &str) -> Result<(f64, f64), String> {
    let (time, length) = timed(text, "duration T:SECONDS, for example 1.2:0.5")?;
    Ok((time, seconds(length)?))
}

/// A time and what follows it.
fn timed<'a>(text: &'a str, form: &str) -> Result<(f64, &'a str), String> {
    let parts = text.split_once(':');
    let (time, rest) = parts.ok_or_else(|| format!("give a time and a {form}"))?;
    Ok((seconds(time)?, rest))
}

/// Samples per second. More than 10,000 would only make the output larger:
/// between two samples an agent that runs 90 units/s moves 0.009 units.
pub fn frequency(text: &str) -> Result<f64, String> {
    let hz = text.parse::<f64>().ok();
    hz.filter(|hz| *hz > 0.0 && *hz <= 10_000.0)
        .ok_or_else(|| "samples per second: a number above 0, at most 10000".to_owned())
}

/// A time or a duration in a simulation. An hour is more than any level takes,
/// and bounds the memory of a simulation.
pub fn seconds(text: &str) -> Result<f64, String> {
    let value = text.trim().parse::<f64>().ok();
    value
        .filter(|v| (0.0..=3600.0).contains(v))
        .ok_or_else(|| format!("{text:?} is not a number of seconds from 0 to 3600"))
}
