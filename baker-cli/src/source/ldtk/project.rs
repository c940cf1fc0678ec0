//! The levels of a project.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use super::definitions::Definitions;
use super::schema::{Level, LevelName, Project, World};
use crate::source::error::{Fault, SourceError};
use crate::source::files::{FileProvider, check_size, folder_of, input, read_file, resolve};
use crate::source::json::{Json, parse};
use crate::source::level_file::InputFile;
use crate::source::limits::{MAX_FILE_BYTES, MAX_TOTAL_BYTES};
use crate::source::text::{TextFile, list, shorten};

/// The most levels of a project. Each can be a job of its own.
const MAX_LEVELS: usize = 65_536;

/// How many levels an error lists when none or a wrong one was named.
const MAX_LISTED: usize = 8;

/// The longest identifier of a level, bytes. With `.navmesh` after it, it must
/// fit the 255 bytes that file systems allow.
const MAX_IDENTIFIER: usize = 200;

/// The advice for files that LDtk would not write like this.
pub const SAVE_AGAIN: &str = "open the project in LDtk and save it again";

/// An LDtk project, parsed once for all its levels.
#[derive(Debug, Clone)]
pub struct LdtkProject {
    /// Its name, relative to its folder.
    pub(super) file: String,
    text: String,
    /// The byte where each line of the text begins.
    lines: Vec<usize>,
    /// The levels by their places in the text.
    levels: Vec<(String, Range<usize>)>,
    pub(super) grid_size: Option<f64>,
    pub(super) definitions: Definitions,
}

/// A level with its layers and the project that it is in.
pub struct OpenLevel<'l, 'a> {
    pub project: &'l LdtkProject,
    pub name: &'l str,
    /// The file that its layers are in.
    pub file: &'a TextFile<'a>,
    pub json: Json<'a>,
    pub level: Level<'a>,
    pub inputs: Vec<InputFile>,
}

impl OpenLevel<'_, '_> {
    /// Its name in messages.
    pub fn place(&self) -> String {
        place_of(self.name)
    }
}

fn place_of(level: &str) -> String {
    format!("level \"{}\"", shorten(level))
}

impl LdtkProject {
    /// Reads and parses a project from disk.
    ///
    /// # Errors
    /// When the file cannot be read, and as for [`parse`](Self::parse).
    pub fn load(path: &Path) -> Result<Self, SourceError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let bytes = read_file(path, MAX_FILE_BYTES);
        let bytes = bytes.map_err(|error| SourceError::io(&name, None, error));
        let project = bytes.and_then(|bytes| Self::parse(&name, &bytes));
        project.map_err(|error| error.within(&folder_of(path)))
    }

    /// Parses a project. `file` is its name for messages.
    ///
    /// # Errors
    /// When the bytes are not a project, or a level's name cannot be part of a
    /// file name.
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self, SourceError> {
        check_size(file, bytes.len() as u64, MAX_FILE_BYTES)?;
        let text = TextFile::new(file, bytes, SAVE_AGAIN)?;
        let root = parse(&text)?.json;
        let mut project: Project<'_> = root.read("")?;
        let Some(defs) = project
            .defs
            .take()
            .filter(|_| project.levels.is_some() || project.worlds.is_some())
        else {
            let problem = "this is not an LDtk project: it has no levels or no defs";
            return Err(root
                .fault("", problem, "save it with LDtk 1.0 or newer")
                .into());
        };
        let definitions = Definitions::of(defs).ok_or_else(|| {
            let version = shorten(&project.json_version);
            let problem = format!("LDtk {version} saved it, which is too old to be read");
            let advice = "open the project in LDtk 1.0 or newer, which converts it, and save it";
            root.fault("", problem, advice)
        })?;
        Ok(Self {
            levels: levels(&text, &project)?,
            grid_size: project.default_grid_size,
            definitions,
            file: file.to_owned(),
            text: text.text.to_owned(),
            lines: text.lines.into_owned(),
        })
    }

    /// The names of all levels, in the project's order. A level is read as
    /// `PROJECT#NAME`.
    pub fn levels(&self) -> impl Iterator<Item = &str> {
        self.levels.iter().map(|(name, _)| name.as_str())
    }

    /// Finds a level and passes it to `then`, with the layers from its own file
    /// if it has one. Without a name it is the only level.
    pub(crate) fn with_level<T>(
        &self,
        wanted: Option<&str>,
        files: &dyn FileProvider,
        then: impl FnOnce(OpenLevel<'_, '_>) -> Result<T, SourceError>,
    ) -> Result<T, SourceError> {
        let text = TextFile {
            name: &self.file,
            text: &self.text,
            lines: Cow::Borrowed(&self.lines),
        };
        let (name, range) = self.find(wanted)?;
        let json = Json::at(&text, range);
        let place = place_of(name);
        let level: Level<'_> = json.read(&place)?;
        let mut inputs = vec![input(files, &self.file)];
        let project = self;
        if level.layer_instances.is_some() {
            let file = &text;
            return then(OpenLevel {
                project,
                name,
                file,
                json,
                level,
                inputs,
            });
        }
        let Some(path) = level.external_rel_path else {
            let problem = "it has no layers, and no file of its own that has them";
            return Err(json.fault(&place, problem, SAVE_AGAIN).into());
        };
        let outside = resolve(&self.file, &path)
            .map_err(|problem| json.fault(&place, format!("\"{}\": {problem}", &*path), ""))?;
        let bytes = files.read(&outside, MAX_FILE_BYTES).map_err(|error| {
            let referrer = format!("{place}, {}:{}", self.file, json.line());
            SourceError::io(&outside, Some(referrer), error)
        })?;
        let total = (self.text.len() + bytes.len()) as u64;
        check_size(&outside, total, MAX_TOTAL_BYTES)?;
        inputs.push(input(files, &outside));
        let text = TextFile::new(&outside, &bytes, SAVE_AGAIN)?;
        let (json, file) = (parse(&text)?.json, &text);
        let level = json.read(&place)?;
        then(OpenLevel {
            project,
            name,
            file,
            json,
            level,
            inputs,
        })
    }

    /// The level of that name; without one, the only level there is.
    fn find(&self, wanted: Option<&str>) -> Result<&(String, Range<usize>), Fault> {
        let is_only = self.levels.len() == 1;
        let found = self.levels.iter().find(|(name, _)| match wanted {
            Some(wanted) => name == wanted,
            None => is_only,
        });
        if let Some(found) = found {
            return Ok(found);
        }
        let names = list(self.levels().map(str::to_owned), MAX_LISTED);
        let known = format!("its levels are {names}");
        let (problem, advice) = match (wanted, self.levels().next()) {
            (Some(wanted), _) => (format!("the project has no level {wanted:?}"), known),
            (None, Some(first)) => (
                format!("the project has {} levels", self.levels.len()),
                format!(
                    "name one, as in project.ldtk#{first} (stdin may only have a project of one \
                     level); {known}"
                ),
            ),
            (None, None) => ("the project has no levels".to_owned(), String::new()),
        };
        Err(Fault::at(&self.file, 1, "", problem, advice))
    }
}

/// The names and places of all levels: those of the project itself, and those of
/// its worlds.
fn levels(
    text: &TextFile<'_>,
    project: &Project<'_>,
) -> Result<Vec<(String, Range<usize>)>, Fault> {
    let of_worlds = project
        .worlds
        .iter()
        .flatten()
        .flat_map(|World { levels }| levels);
    let mut found = Vec::new();
    let mut names = BTreeSet::new();
    for raw in project.levels.iter().flatten().chain(of_worlds) {
        let json = Json::new(text, raw);
        let name = json.read::<LevelName>("levels")?.identifier;
        // The name becomes part of a file's name.
        let allowed = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let (problem, advice) =
            if name.is_empty() || name.len() > MAX_IDENTIFIER || !name.chars().all(allowed) {
                let problem = format!("the level's identifier is \"{}\"", shorten(&name));
                (problem, "use letters, digits, _ and -")
            } else if found.len() == MAX_LEVELS {
                (
                    format!("the project has more than {MAX_LEVELS} levels"),
                    "split it",
                )
            } else if !names.insert(name.to_string()) {
                let problem = format!("two levels are named {}", &*name);
                (problem, "give each level an identifier of its own in LDtk")
            } else {
                found.push((name.to_string(), json.range()));
                continue;
            };
        return Err(json.fault("levels", problem, advice));
    }
    Ok(found)
}
