//! Why a level could not be read.

use std::io;

/// Something wrong at one place of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The file, as the level names it.
    pub file: String,
    /// The line, counted from 1, where it is known.
    pub line: Option<u32>,
    /// The layer, object, tile or pixel; empty for the file as a whole.
    pub place: String,
    /// What is wrong.
    pub problem: String,
    /// What to do about it; may be empty.
    pub advice: String,
}

impl Fault {
    /// A fault at a line of a file.
    pub(super) fn at(
        file: &str,
        line: u32,
        place: &str,
        problem: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self {
            file: file.to_owned(),
            line: Some(line),
            place: place.to_owned(),
            problem: problem.into(),
            advice: advice.into(),
        }
    }

    /// A fault of a file as a whole.
    pub(super) fn of_file(
        file: &str,
        problem: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self {
            line: None,
            ..Self::at(file, 0, "", problem, advice)
        }
    }
}

impl std::error::Error for Fault {}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if !self.place.is_empty() {
            write!(f, ": {}", self.place)?;
        }
        write!(f, ": {}", self.problem)?;
        if !self.advice.is_empty() {
            write!(f, "; {}", self.advice)?;
        }
        Ok(())
    }
}

/// Why a level could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The extension is not one of a level.
    #[error(
        "{file}: not a kind of level that is read; those are .tmx and .tmj (Tiled), .ldtk (LDtk) and .png \
         (bitmap){hint}"
    )]
    UnknownKind {
        /// The file.
        file: String,
        /// What to do when the extension is a well-known one.
        hint: &'static str,
    },
    /// A file could not be opened or read.
    #[error("{file}: cannot be read{}: {error}", by(.referrer.as_deref()))]
    Io {
        /// The file.
        file: String,
        /// Who refers to it; `None` for the level itself.
        referrer: Option<String>,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// A file is too large to be a level.
    #[error("{file}: larger than {limit} bytes, the most that is read")]
    TooLarge {
        /// The file.
        file: String,
        /// The limit, bytes.
        limit: u64,
    },
    /// Something is wrong at one place of one file.
    #[error(transparent)]
    Invalid(#[from] Box<Fault>),
    /// No rule speaks about anything in a Tiled map.
    #[error("{file}: nothing says what is solid. The layers are:\n{}\n{}", lines(.layers), MARKING)]
    NothingSolid {
        /// The file.
        file: String,
        /// A line for each layer.
        layers: Vec<String>,
    },
    /// A bitmap has colours that the palette does not explain.
    #[error(
        "{file}: {}{distinct} {} without a meaning, first at pixel ({}, {}): {}\n  add them to navbake.toml, for \
         example [collision] solid = [\"color:{}\"], or empty = [...], one_way, hazard, ladder",
        if *.more { "more than " } else { "" },
        if *.distinct == 1 { "colour" } else { "colours" },
        .first[0],
        .first[1],
        .common.join(", "),
        .example
    )]
    UnknownColors {
        /// The file.
        file: String,
        /// How many different colours.
        distinct: usize,
        /// There are more, which were not counted.
        more: bool,
        /// Column and row of the first such pixel.
        first: [u32; 2],
        /// The most frequent ones with their number of pixels.
        common: Vec<String>,
        /// The most frequent one.
        example: String,
    },
}

/// How a person says what is solid.
const MARKING: &str = "  \
    in Tiled: name a tile layer \"ground\" (or collision, solid, terrain, platforms, walls), put \"collision\" into the \
    name of an object layer, give tiles, objects or a layer a boolean property \"solid\", or draw collision shapes on tiles\n  \
    in LDtk: name an IntGrid layer \"Collisions\", or values of one solid, wall, one_way, hazard, ladder\n  \
    in navbake.toml: [collision] solid = [\"layer:NAME\"] (also property:NAME, class:NAME, name:NAME, intgrid:VALUE)";

fn lines(layers: &[String]) -> String {
    if layers.is_empty() {
        return "    (none)".to_owned();
    }
    layers
        .iter()
        .map(|layer| format!("    {layer}"))
        .collect::<Vec<_>>()
        .join("\n")
}

fn by(referrer: Option<&str>) -> String {
    referrer.map_or_else(String::new, |referrer| format!(" (used by {referrer})"))
}

impl SourceError {
    pub(super) fn unknown_kind(file: &str) -> Self {
        let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
        let hint = match extension.to_ascii_lowercase().as_str() {
            "tsx" | "tx" | "tsj" | "tj" => "; this is part of a Tiled map: name the map",
            "ldtkl" => "; this is part of an LDtk project: name the .ldtk",
            "jpg" | "jpeg" | "bmp" | "gif" | "webp" | "tga" => "; save the bitmap as .png",
            _ => "",
        };
        Self::UnknownKind {
            file: file.to_owned(),
            hint,
        }
    }

    /// The same, every file's name beginning with the level's folder: what a
    /// person who named the level by a path expects to read.
    pub(super) fn within(mut self, folder: &str) -> Self {
        let file = match &mut self {
            Self::UnknownKind { file, .. }
            | Self::Io { file, .. }
            | Self::TooLarge { file, .. }
            | Self::NothingSolid { file, .. }
            | Self::UnknownColors { file, .. } => file,
            Self::Invalid(fault) => &mut fault.file,
        };
        file.insert_str(0, folder);
        self
    }

    pub(super) fn io(file: &str, referrer: Option<String>, error: io::Error, limit: u64) -> Self {
        let file = file.to_owned();
        if error.kind() == io::ErrorKind::FileTooLarge {
            Self::TooLarge { file, limit }
        } else {
            Self::Io {
                file,
                referrer,
                error,
            }
        }
    }
}

impl From<Fault> for SourceError {
    fn from(fault: Fault) -> Self {
        Self::Invalid(Box::new(fault))
    }
}
