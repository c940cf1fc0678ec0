//! Arguments that several commands have, and the forms of their values.

use std::io::{self, BufWriter, StdoutLock, Write, stdout};
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use glam::Vec2;

use crate::cli::asset::Asset;
use crate::cli::config::{Config, locate};
use crate::cli::failure::Failure;
use crate::cli::paths::current_folder;

/// The baked file that a command reads.
#[derive(Debug, Args)]
pub(crate) struct BakedFile {
    /// The baked file; `-` reads stdin
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
}

impl BakedFile {
    pub(crate) fn open(&self) -> Result<Asset, Failure> {
        Asset::open(&self.file)
    }
}

/// An agent and the two positions that it moves between.
#[derive(Debug, Args)]
pub(crate) struct Trip {
    /// Agent that moves
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: String,
    /// Where it starts, world units
    #[arg(long, value_name = "X,Y", value_parser = point, allow_hyphen_values = true)]
    pub(crate) from: Vec2,
    /// Where it goes, world units
    #[arg(long, value_name = "X,Y", value_parser = point, allow_hyphen_values = true)]
    pub(crate) to: Vec2,
}

/// The configuration file.
#[derive(Debug, Args)]
pub(crate) struct ConfigFile {
    /// Use this configuration; without it, the nearest navbake.toml is used
    #[arg(long, value_name = "navbake.toml", value_hint = ValueHint::FilePath)]
    config: Option<PathBuf>,
}

impl ConfigFile {
    /// Reads the file of `--config`, if it was given.
    pub(crate) fn load(&self) -> Result<Option<Config>, Failure> {
        Ok(self.config.as_deref().map(Config::load).transpose()?)
    }

    /// Reads the configuration for a level.
    pub(crate) fn load_for(&self, level: &Path) -> Result<Config, Failure> {
        let file = self.locate(level, &current_folder()?);
        Ok(file.map_or_else(|| Ok(Config::default()), |file| Config::load(&file))?)
    }

    /// The configuration file for a level: `--config`, or the nearest one.
    pub(crate) fn locate(&self, level: &Path, cwd: &Path) -> Option<PathBuf> {
        self.config.clone().or_else(|| locate(level, cwd))
    }
}

/// Text for people or JSON for programs.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct TextOrJson {
    /// Write JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Stdout, with a buffer.
pub(crate) type BufferedStdout = BufWriter<StdoutLock<'static>>;

impl TextOrJson {
    /// Writes the JSON or the text to stdout.
    pub(crate) fn write(
        self,
        json: impl FnOnce(&mut BufferedStdout) -> io::Result<()>,
        text: impl FnOnce(&mut BufferedStdout) -> io::Result<()>,
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

/// A position: `24,96.5`.
pub(crate) fn point(text: &str) -> Result<Vec2, String> {
    let number = |text: &str| text.trim().parse::<f32>().ok().filter(|v| v.is_finite());
    text.split_once(',')
        .and_then(|(x, y)| Some(Vec2::new(number(x)?, number(y)?)))
        .ok_or_else(|| "a position is two numbers X,Y, for example 24,96.5".to_owned())
}

/// The start and the end of a path: `24,96:400,48`.
pub(crate) fn ends(text: &str) -> Result<(Vec2, Vec2), String> {
    let ends = text.split_once(':');
    let (from, to) = ends.ok_or("a path is two positions X,Y:X,Y, for example 24,96:400,48")?;
    Ok((point(from)?, point(to)?))
}

/// A time and a new destination: `2.5:400,48`.
pub(crate) fn redirect(text: &str) -> Result<(f64, Vec2), String> {
    let parts = text.split_once(':');
    let (time, to) = parts.ok_or("give a time and a position T:X,Y, for example 2.5:400,48")?;
    Ok((seconds(time)?, point(to)?))
}

/// When a stun begins and how long it lasts, in seconds: `1.2:0.5`.
pub(crate) fn stun(text: &str) -> Result<(f64, f64), String> {
    let parts = text.split_once(':');
    let (time, length) =
        parts.ok_or("give a time and a duration T:SECONDS, for example 1.2:0.5")?;
    Ok((seconds(time)?, seconds(length)?))
}

/// Samples per second. More than 10,000 would only make the output larger:
/// between two samples an agent that runs 90 units/s moves 0.009 units.
pub(crate) fn frequency(text: &str) -> Result<f64, String> {
    let hz = text.parse::<f64>().ok();
    hz.filter(|hz| *hz > 0.0 && *hz <= 10_000.0)
        .ok_or_else(|| "samples per second: a number above 0, at most 10000".to_owned())
}

/// A time or a duration in a simulation. An hour is more than any level takes,
/// and bounds the memory of a simulation.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    let value = text.trim().parse::<f64>().ok();
    value
        .filter(|v| (0.0..=3600.0).contains(v))
        .ok_or_else(|| format!("{text:?} is not a number of seconds from 0 to 3600"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_pairs_of_finite_numbers() {
        assert_eq!(point("-1,2.5"), Ok(Vec2::new(-1.0, 2.5)));
        assert_eq!(ends("0,0: -3,4"), Ok((Vec2::ZERO, Vec2::new(-3.0, 4.0))));
        for wrong in ["", "1", "1;2", "1,2,3", "nan,1", "inf,0"] {
            assert!(point(wrong).is_err(), "{wrong}");
        }
        assert!(ends("1,2").is_err());
    }

    #[test]
    fn redirects_and_stuns_have_a_time() {
        assert_eq!(redirect("2.5:-4,8"), Ok((2.5, Vec2::new(-4.0, 8.0))));
        assert_eq!(stun("1:0.5"), Ok((1.0, 0.5)));
        for wrong in ["4,8", "-1:4,8", "nan:4,8", "1:4", "9999:4,8"] {
            assert!(redirect(wrong).is_err(), "{wrong}");
        }
        for wrong in ["1", "1:-2", "x:1", "1:inf"] {
            assert!(stun(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn frequencies_are_above_zero() {
        assert!(frequency("0").is_err() && frequency("60").is_ok());
    }
}
