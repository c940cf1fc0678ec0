//! Errors of reading levels.

use std::fmt::{Display, Formatter};
use std::io;

use super::limits::MAX_FILE_BYTES;

/// A defect at one place of one file.
///
/// It is displayed as `FILE:LINE: PLACE: what is wrong`, followed by a line
/// `help: what to do` where there is advice.
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
    pub(crate) fn at(
        file: &str,
        line: impl Into<Option<u32>>,
        place: &str,
        problem: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self {
            file: file.to_owned(),
            line: line.into(),
            place: place.to_owned(),
            problem: problem.into(),
            advice: advice.into(),
        }
    }

    /// A fault of a file as a whole.
    pub(crate) fn of_file(
        file: &str,
        problem: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self::at(file, None, "", problem, advice)
    }
}

impl std::error::Error for Fault {}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&one_line(&self.file))?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if !self.place.is_empty() {
            write!(f, ": {}", self.place)?;
        }
        write!(f, ": {}", self.problem)?;
        if !self.advice.is_empty() {
            write!(f, "\nhelp: {}", self.advice)?;
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
        "{file}: unknown file extension; levels are .tmx and .tmj (Tiled), .ldtk (LDtk), .png (bitmap), \
         .txt and .csv (grids), .p8 (PICO-8), .tscn (Godot) and .json (navbake's own format){}",
        extension_help(.file)
    )]
    UnknownFormat {
        /// The file.
        file: String,
    },
    /// A file could not be opened or read.
    #[error("{}: cannot be read{}: {}", one_line(.file), used_by(.referrer.as_deref()), why(.error))]
    Io {
        /// The file.
        file: String,
        /// What refers to it; `None` for the level itself.
        referrer: Option<String>,
        /// The error of the operating system, whose text is a part of this error's.
        error: io::Error,
    },
    /// A file is too large to be a level.
    #[error("{}: larger than the limit of {limit} bytes", one_line(.file))]
    TooLarge {
        /// The file.
        file: String,
        /// The limit, bytes.
        limit: u64,
    },
    /// A defect at one place of one file.
    #[error(transparent)]
    Invalid(#[from] Box<Fault>),
    /// Nothing in a level is marked as collision.
    #[error(
        "{file}: no layer, tile or object is marked as collision; the layers are:\n{}\n{}{}{}{}",
        list(.layers),
        missing_help(.missing),
        unused_help(.unused_rules),
        image_help(.layers),
        marking_help(.file)
    )]
    NothingSolid {
        /// The file.
        file: String,
        /// A line for each layer.
        layers: Vec<String>,
        /// The files of tilesets that do not exist.
        missing: Vec<String>,
        /// The rules of the configuration that match nothing.
        unused_rules: Vec<String>,
    },
}

/// What marks the tiles may be in a tileset that is missing.
fn missing_help(missing: &[String]) -> String {
    let line = |name: &String| {
        let name = one_line(name);
        format!("help: the tileset {name} does not exist; if it marks tiles, put it back\n")
    };
    missing.iter().map(line).collect()
}

/// Rules that were meant to say what is solid.
fn unused_help(rules: &[String]) -> String {
    if rules.is_empty() {
        return String::new();
    }
    let rules = rules.join(", ");
    format!("help: rules of navbake.toml that match nothing in it: {rules}\n")
}

/// Where a picture may be the ground, as nothing else is.
fn image_help(layers: &[String]) -> &'static str {
    if layers.iter().any(|layer| layer.starts_with("image ")) {
        "help: if the picture of an image layer is the ground, bake that PNG instead of the map\n"
    } else {
        ""
    }
}

/// How to mark collision in the format of a file.
fn marking_help(file: &str) -> &'static str {
    if extension(file).starts_with("ldtk") {
        "help: in LDtk: name an IntGrid layer \"Collisions\", or its values wall, one_way, hazard, ladder\n\
         help: in navbake.toml: [collision] solid = [\"intgrid:VALUE\"] or [\"layer:NAME\"]"
    } else {
        "help: in Tiled: name a layer \"ground\", \"walls\" or \"collision\", give tiles, objects or a layer a \
         boolean property \"solid\", or draw collision shapes on tiles\n\
         help: in navbake.toml: [collision] solid = [\"layer:NAME\"] (also property:NAME, class:NAME, name:NAME)"
    }
}

fn list(layers: &[String]) -> String {
    if layers.is_empty() {
        return "    (none)".to_owned();
    }
    let lines = layers.iter().map(|layer| format!("    {layer}"));
    lines.collect::<Vec<_>>().join("\n")
}

fn used_by(referrer: Option<&str>) -> String {
    referrer.map_or_else(String::new, |referrer| format!(" (used by {referrer})"))
}

/// A text with spaces for control characters: a line break in a name would begin a
/// line of a message that looks like one of ours.
pub fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// The extension of a file's name in lower case.
pub fn extension(name: &str) -> String {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    extension.to_ascii_lowercase()
}

fn extension_help(file: &str) -> &'static str {
    match extension(file).as_str() {
        "tsx" | "tx" | "tsj" | "tj" => "\nhelp: this is part of a Tiled map: name the map",
        "world" => "\nhelp: this lists levels: name one of them",
        "ldtkl" => "\nhelp: this is part of an LDtk project: name the .ldtk",
        "jpg" | "jpeg" | "bmp" | "gif" | "webp" | "tga" => "\nhelp: save the bitmap as .png",
        _ => "",
    }
}

impl SourceError {
    /// The same error with the level's folder before every file's name. Users
    /// who gave a path expect it in messages.
    pub(crate) fn within(mut self, folder: &str) -> Self {
        let file = match &mut self {
            Self::UnknownFormat { file }
            | Self::Io { file, .. }
            | Self::TooLarge { file, .. }
            | Self::NothingSolid { file, .. } => file,
            Self::Invalid(fault) => &mut fault.file,
        };
        file.insert_str(0, folder);
        self
    }

    /// The error of a file that a [`FileProvider`](super::FileProvider) did
    /// not read, under the limit of [`MAX_FILE_BYTES`].
    pub(crate) fn io(file: &str, referrer: Option<String>, error: io::Error) -> Self {
        let file = file.to_owned();
        if error.kind() == io::ErrorKind::FileTooLarge {
            let limit = MAX_FILE_BYTES;
            return Self::TooLarge { file, limit };
        }
        Self::Io {
            file,
            referrer,
            error,
        }
    }
}

/// Why a file cannot be read or written. Files that are not on a disk have errors of
/// their own.
pub fn why(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => error.to_string(),
    }
}

impl From<Fault> for SourceError {
    fn from(fault: Fault) -> Self {
        Self::Invalid(Box::new(fault))
    }
}
