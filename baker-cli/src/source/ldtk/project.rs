//! The levels of a project.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use super::definitions::Definitions;
use crate::source::error::{Fault, SourceError};
use crate::source::files::{FileProvider, check_size, folder_of, input, read_file, resolve};
use crate::source::json::{Json, Members, parse};
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
    file: String,
    text: String,
    /// The byte where each line of the text begins.
    lines: Vec<usize>,
    /// The members of the project but for its levels, by their places in the text.
    members: BTreeMap<String, Range<usize>>,
    levels: Vec<(String, Range<usize>)>,
    definitions: Definitions,
}

/// A level with its layers and the project that it is in.
pub struct OpenLevel<'l, 'a> {
    pub project_file: &'l str,
    pub project: &'l Members<'a>,
    pub definitions: &'l Definitions,
    pub name: &'l str,
    pub layer_file: &'l str,
    /// The level with its layers.
    pub members: &'l Members<'a>,
    pub inputs: Vec<InputFile>,
}

impl OpenLevel<'_, '_> {
    /// Its name in messages.
    pub fn place(&self) -> String {
        format!("level \"{}\"", shorten(self.name))
    }
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
        let root = parse(&text)?;
        let levels = levels(&root)?;
        let members = root
            .iter()
            .filter(|(name, _)| !matches!(*name, "levels" | "worlds"));
        Ok(Self {
            members: members
                .map(|(name, json)| (name.to_owned(), json.range()))
                .collect(),
            levels,
            definitions: Definitions::of(&root)?,
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
        let project = Members::at(&text, &self.members);
        let (name, range) = self.find(wanted, &project)?;
        let json = Json::at(&text, range);
        let members = json.members("levels")?;
        let mut open = OpenLevel {
            project_file: &self.file,
            project: &project,
            definitions: &self.definitions,
            name,
            layer_file: &self.file,
            members: &members,
            inputs: vec![input(files, &self.file)],
        };
        if members.has("layerInstances") {
            return then(open);
        }
        let place = open.place();
        let Some(path) = members.text(&place, "externalRelPath")? else {
            let problem = "it has no layers, and no file of its own that has them";
            return Err(json.fault(&place, problem, SAVE_AGAIN).into());
        };
        let outside = resolve(&self.file, &path)
            .map_err(|problem| json.fault(&place, format!("\"{path}\": {problem}"), ""))?;
        let bytes = files.read(&outside, MAX_FILE_BYTES).map_err(|error| {
            let referrer = format!("{place}, {}:{}", self.file, json.line());
            SourceError::io(&outside, Some(referrer), error)
        })?;
        let total = (self.text.len() + bytes.len()) as u64;
        check_size(&outside, total, MAX_TOTAL_BYTES)?;
        open.inputs.push(input(files, &outside));
        let text = TextFile::new(&outside, &bytes, SAVE_AGAIN)?;
        let members = parse(&text)?;
        then(OpenLevel {
            layer_file: &outside,
            members: &members,
            ..open
        })
    }

    /// The level of that name; without one, the only level there is.
    fn find(
        &self,
        wanted: Option<&str>,
        project: &Members<'_>,
    ) -> Result<&(String, Range<usize>), Fault> {
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
        Err(project.json.fault("", problem, advice))
    }
}

/// The names and places of all levels: those of the project itself, and those of
/// its worlds.
fn levels(root: &Members<'_>) -> Result<Vec<(String, Range<usize>)>, Fault> {
    if !(root.has("levels") || root.has("worlds")) || !root.has("defs") {
        let problem = "this is not an LDtk project: it has no levels or no defs";
        let advice = "save it with LDtk 1.0 or newer";
        return Err(root.json.fault("", problem, advice));
    }
    let mut lists = vec![root.list("levels", "levels")?];
    for world in root.list("worlds", "worlds")? {
        lists.push(world.members("worlds")?.list("levels", "levels")?);
    }
    let mut found = Vec::new();
    let mut names = BTreeSet::new();
    for json in lists.into_iter().flatten() {
        let members = json.members("levels")?;
        let name = members.text("levels", "identifier")?.unwrap_or_default();
        // The name becomes part of a file's name.
        let allowed = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || name.len() > MAX_IDENTIFIER || !name.chars().all(allowed) {
            let problem = format!("the level's identifier is \"{}\"", shorten(&name));
            let advice = "use letters, digits, _ and -";
            return Err(json.fault("levels", problem, advice));
        }
        if found.len() == MAX_LEVELS {
            let problem = format!("the project has more than {MAX_LEVELS} levels");
            return Err(json.fault("levels", problem, "split it"));
        }
        if !names.insert(name.clone()) {
            let problem = format!("two levels are named {name}");
            let advice = "give each level an identifier of its own in LDtk";
            return Err(json.fault("levels", problem, advice));
        }
        found.push((name.into_owned(), json.range()));
    }
    Ok(found)
}
