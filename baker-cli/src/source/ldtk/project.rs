//! The levels of a project.

use crate::source::error::{Fault, SourceError};
use crate::source::json::{Members, parse};
use crate::source::text::{TextFile, shorten};

/// The most levels of a project. Each can be a job of its own.
const MAX_LEVELS: usize = 65_536;

/// How many levels an error lists when none or a wrong one was named.
const MAX_LISTED: usize = 8;

/// The longest identifier of a level, bytes. With `.navmesh` after it, it must
/// fit the 255 bytes that file systems allow.
const MAX_IDENTIFIER: usize = 200;

/// The advice for files that LDtk would not write like this.
pub(super) const SAVE_AGAIN: &str = "open the project in LDtk and save it again";

/// A level of a project.
pub(super) struct NamedLevel<'a> {
    pub(super) name: String,
    pub(super) members: Members<'a>,
}

/// The names of all levels of an LDtk project, in its order. A level is read
/// as `PROJECT#NAME`.
///
/// # Errors
/// When the bytes are not a project, or a level's name cannot be part of a file
/// name.
pub fn ldtk_levels(file: &str, bytes: &[u8]) -> Result<Vec<String>, SourceError> {
    let text = TextFile::new(file, bytes, SAVE_AGAIN)?;
    let root = parse(&text)?;
    Ok(levels(&root)?.into_iter().map(|level| level.name).collect())
}

/// All levels: those of the project itself, and those of its worlds.
fn levels<'a>(root: &Members<'a>) -> Result<Vec<NamedLevel<'a>>, Fault> {
    if !(root.has("levels") || root.has("worlds")) || !root.has("defs") {
        let problem = "this is not an LDtk project: it has no levels or no defs";
        let advice = "save it with LDtk 1.0 or newer";
        return Err(root.json.fault("", problem, advice));
    }
    let mut lists = vec![root.list("levels", "levels")?];
    for world in root.list("worlds", "worlds")? {
        lists.push(world.members("worlds")?.list("levels", "levels")?);
    }
    let mut found: Vec<NamedLevel<'a>> = Vec::new();
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
        let name = name.into_owned();
        found.push(NamedLevel { name, members });
    }
    Ok(found)
}

/// The level of that name; without one, the only level there is.
pub(super) fn find<'a>(root: &Members<'a>, wanted: Option<&str>) -> Result<NamedLevel<'a>, Fault> {
    let mut levels = levels(root)?;
    let is_only = levels.len() == 1;
    let at = levels.iter().position(|level| match wanted {
        Some(wanted) => level.name == wanted,
        None => is_only,
    });
    if let Some(at) = at {
        return Ok(levels.swap_remove(at));
    }
    let names = levels.iter().map(|level| level.name.as_str());
    let mut names: Vec<_> = names.take(MAX_LISTED).collect();
    if levels.len() > MAX_LISTED {
        names.push("...");
    }
    let known = format!("its levels are {}", names.join(", "));
    let (problem, advice) = match (wanted, levels.first()) {
        (Some(wanted), _) => (format!("the project has no level {wanted:?}"), known),
        (None, Some(first)) => (
            format!("the project has {} levels", levels.len()),
            format!("name one, as in project.ldtk#{}; {known}", first.name),
        ),
        (None, None) => ("the project has no levels".to_owned(), String::new()),
    };
    Err(root.json.fault("", problem, advice))
}
