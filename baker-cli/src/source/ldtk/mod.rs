//! LDtk projects.
//!
//! A project holds many levels; one is named `project.ldtk#Level_0`. Its
//! IntGrid cells and entities are written as objects of a Tiled map, so that
//! every check and every rule of collision is the same for both.

mod project;
mod translate;

use glam::DVec2;

use super::error::SourceError;
use super::files::{FileProvider, MAX_FILE_BYTES, MAX_TOTAL_BYTES, check_size, input, resolve};
use super::json::JsonFile;
use super::level::{Level, Rect};
use super::options::ReadOptions;
use super::tmx;

pub use project::ldtk_levels;
use project::{find, text_of};

/// The project and the level in it that a name stands for:
/// `world.ldtk#Level_0`.
pub(super) fn split(name: &str) -> Option<(&str, &str)> {
    let (project, level) = name.rsplit_once('#')?;
    let end = project.len().checked_sub(".ldtk".len())?;
    let is_project = project.is_char_boundary(end) && project[end..].eq_ignore_ascii_case(".ldtk");
    (is_project && !level.is_empty()).then_some((project, level))
}

/// Reads a level of a project.
pub(super) fn read(
    name: &str,
    bytes: &[u8],
    files: &dyn FileProvider,
    options: &ReadOptions,
) -> Result<Level, SourceError> {
    let (file, wanted) = split(name).map_or((name, None), |(file, level)| (file, Some(level)));
    let mut size = bytes.len() as u64;
    check_size(file, size, MAX_FILE_BYTES)?;
    let mut inputs = vec![input(files, file, bytes)];
    let project = JsonFile::new(file, text_of(file, bytes)?);
    let root = project.root()?;
    let level = find(&root, wanted)?;
    let place = format!("level \"{}\"", tmx::shorten(&level.name));
    let translated = if level.members.has("layerInstances") {
        translate::level(&root, &level.members, &place)?
    } else if let Some(path) = level.members.text(&place, "externalRelPath")? {
        let at = level.members.at;
        let outside = resolve(file, &path)
            .map_err(|problem| at.fault(&place, format!("\"{path}\": {problem}"), ""))?;
        let bytes = files.read(&outside, MAX_FILE_BYTES).map_err(|error| {
            let referrer = Some(format!("{place}, {file}:{}", at.line()));
            SourceError::io(&outside, referrer, error, MAX_FILE_BYTES)
        })?;
        size += bytes.len() as u64;
        check_size(&outside, size, MAX_TOTAL_BYTES)?;
        inputs.push(input(files, &outside, &bytes));
        let json = JsonFile::new(&outside, text_of(&outside, &bytes)?);
        translate::level(&root, &json.root()?, &place)?
    } else {
        let problem = "it has no layers, and no file of its own that has them";
        let advice = "open the project in LDtk and save it again";
        return Err(level.members.at.fault(&place, problem, advice).into());
    };
    let mut read = tmx::read_draft(file, translated.draft, inputs, size, files, options)?;
    let shown = file.rsplit('/').next().unwrap_or(file);
    read.source = format!("{shown}#{}", level.name);
    // The size of a level need not be a multiple of its cells.
    read.bounds = Rect::new(DVec2::ZERO, translated.size);
    Ok(read)
}
