//! The levels of a project.

use crate::source::error::{Fault, SourceError};
use crate::source::json::{JsonFile, Members};

/// The most levels of a project.
const MAX_LEVELS: usize = 65_536;

/// How many levels are named when none was chosen.
const NAMED: usize = 8;

/// A level of a project.
pub(super) struct Found<'a> {
    pub(super) name: String,
    pub(super) members: Members<'a>,
}

/// The names of all levels of an LDtk project, in its order. A level is read
/// as `PROJECT#NAME`.
///
/// # Errors
/// When the bytes are no project, or a level has no name that could be one of
/// a file.
pub fn ldtk_levels(file: &str, bytes: &[u8]) -> Result<Vec<String>, SourceError> {
    let json = JsonFile::new(file, text_of(file, bytes)?);
    let root = json.root()?;
    Ok(levels(&root)?.into_iter().map(|level| level.name).collect())
}

/// The text of a JSON file, which must be UTF-8.
pub(super) fn text_of<'b>(file: &str, bytes: &'b [u8]) -> Result<&'b str, SourceError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let problem = format!("not UTF-8 text, from byte {}", error.valid_up_to());
        Fault::of_file(file, problem, "open the project in LDtk and save it again")
    })?;
    Ok(text.trim_start_matches('\u{feff}'))
}

/// All levels: those of the project itself, and those of its worlds.
fn levels<'a>(root: &Members<'a>) -> Result<Vec<Found<'a>>, Fault> {
    if !(root.has("levels") || root.has("worlds")) || !root.has("defs") {
        let problem = "this is no project of LDtk: it has no levels or no defs";
        let advice = "save it with LDtk 1.0 or newer";
        return Err(root.at.fault("", problem, advice));
    }
    let mut lists = vec![root.list("levels", "levels")?];
    for world in root.list("worlds", "worlds")? {
        lists.push(world.members("worlds")?.list("levels", "levels")?);
    }
    let mut found: Vec<Found<'a>> = Vec::new();
    for json in lists.into_iter().flatten() {
        let members = json.members("levels")?;
        let name = members.text("levels", "identifier")?.unwrap_or_default();
        // The name becomes part of a file's name.
        let fine = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || name.len() > 200 || !name.chars().all(fine) {
            let name: String = name.chars().take(40).collect();
            let problem = format!("the level's identifier is {name:?}");
            let advice = "letters, digits, _ and - make one";
            return Err(json.fault("levels", problem, advice));
        }
        if found.len() == MAX_LEVELS {
            let problem = format!("the project has more than {MAX_LEVELS} levels");
            return Err(json.fault("levels", problem, "split it"));
        }
        let name = name.into_owned();
        found.push(Found { name, members });
    }
    Ok(found)
}

/// The level of that name; without one, the only level there is.
pub(super) fn find<'a>(root: &Members<'a>, wanted: Option<&str>) -> Result<Found<'a>, Fault> {
    let mut levels = levels(root)?;
    let known = |levels: &[Found<'_>]| {
        let mut names: Vec<_> = levels.iter().map(|l| l.name.as_str()).take(NAMED).collect();
        if levels.len() > NAMED {
            names.push("...");
        }
        names.join(", ")
    };
    let Some(wanted) = wanted else {
        return match levels.pop() {
            Some(only) if levels.is_empty() => Ok(only),
            None => Err(root.at.fault("", "the project has no levels", "")),
            Some(last) => {
                levels.push(last);
                let problem = format!("the project has {} levels", levels.len());
                let advice = format!(
                    "name one, as in project.ldtk#{}; there are {}",
                    levels[0].name,
                    known(&levels)
                );
                Err(root.at.fault("", problem, advice))
            }
        };
    };
    match levels.iter().position(|level| level.name == wanted) {
        Some(at) => Ok(levels.swap_remove(at)),
        None => Err(root.at.fault(
            "",
            format!("the project has no level {wanted:?}"),
            format!("there are {}", known(&levels)),
        )),
    }
}
