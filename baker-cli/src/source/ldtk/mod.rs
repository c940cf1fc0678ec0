//! LDtk projects.
//!
//! A project holds many levels; one of them is named `project.ldtk#Level_0`.
//! Its IntGrid cells and entities are read as objects, which are classified
//! like the objects of Tiled maps.

mod art;
mod layers;
mod project;
mod super_simple;

use glam::DVec2;

use super::classify::builder::LevelBuilder;
use super::error::SourceError;
use super::files::{FileProvider, check_size, input, resolve};
use super::json::{Members, parse};
use super::level::{InputFile, Level, Rect};
use super::limits::{MAX_FILE_BYTES, MAX_TOTAL_BYTES};
use super::picture::Picture;
use super::rule::Rules;
use super::text::{TextFile, shorten};
use project::{NamedLevel, SAVE_AGAIN, find};

pub use project::ldtk_levels;
pub(super) use super_simple::{
    draw as draw_super_simple, is_super_simple, read as read_super_simple,
};

/// The project and the level in it that a name such as `world.ldtk#Level_0`
/// stands for.
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
    rules: &Rules,
) -> Result<Level, SourceError> {
    with_level(name, bytes, files, |level| read_level(level, rules))
}

/// Draws a level of a project.
pub(super) fn draw(name: &str, bytes: &[u8], picture: &mut Picture<'_>) -> Result<(), SourceError> {
    let files = picture.files;
    with_level(name, bytes, files, |level| art::draw(&level, picture))
}

/// A level of a project, with its layers.
struct OpenLevel<'l, 'a> {
    project_file: &'l str,
    /// The file that the layers are in.
    layer_file: &'l str,
    project: &'l Members<'a>,
    /// The level as the project lists it.
    level: &'l NamedLevel<'a>,
    /// The level with its layers.
    members: &'l Members<'a>,
    inputs: Vec<InputFile>,
}

impl OpenLevel<'_, '_> {
    /// Its name in messages.
    fn place(&self) -> String {
        format!("level \"{}\"", shorten(&self.level.name))
    }
}

/// Finds a level of a project and passes it to `then`, with the layers from its
/// own file if it has one.
fn with_level<T>(
    name: &str,
    bytes: &[u8],
    files: &dyn FileProvider,
    then: impl FnOnce(OpenLevel<'_, '_>) -> Result<T, SourceError>,
) -> Result<T, SourceError> {
    let (file, wanted) = split(name).map_or((name, None), |(file, level)| (file, Some(level)));
    let size = bytes.len() as u64;
    check_size(file, size, MAX_FILE_BYTES)?;
    let mut inputs = vec![input(files, file)];
    let text = TextFile::new(file, bytes, SAVE_AGAIN)?;
    let root = parse(&text)?;
    let level = find(&root, wanted)?;
    let place = format!("level \"{}\"", shorten(&level.name));
    if level.members.has("layerInstances") {
        return then(OpenLevel {
            project_file: file,
            layer_file: file,
            project: &root,
            level: &level,
            members: &level.members,
            inputs,
        });
    }
    let json = level.members.json;
    let Some(path) = level.members.text(&place, "externalRelPath")? else {
        let problem = "it has no layers, and no file of its own that has them";
        return Err(json.fault(&place, problem, SAVE_AGAIN).into());
    };
    let outside = resolve(file, &path)
        .map_err(|problem| json.fault(&place, format!("\"{path}\": {problem}"), ""))?;
    let bytes = files.read(&outside, MAX_FILE_BYTES).map_err(|error| {
        let referrer = format!("{place}, {file}:{}", json.line());
        SourceError::io(&outside, Some(referrer), error)
    })?;
    check_size(&outside, size + bytes.len() as u64, MAX_TOTAL_BYTES)?;
    inputs.push(input(files, &outside));
    let text = TextFile::new(&outside, &bytes, SAVE_AGAIN)?;
    let members = parse(&text)?;
    then(OpenLevel {
        project_file: file,
        layer_file: &outside,
        project: &root,
        level: &level,
        members: &members,
        inputs,
    })
}

/// Reads the layers of a level.
fn read_level(open: OpenLevel<'_, '_>, rules: &Rules) -> Result<Level, SourceError> {
    let mut builder = LevelBuilder::new(open.layer_file, rules);
    let (size, cell) = layers::read(&mut builder, open.project, open.members, &open.place())?;
    let file = open.project_file;
    let source = format!(
        "{}#{}",
        file.rsplit('/').next().unwrap_or(file),
        open.level.name
    );
    // The size of a level need not be a multiple of its cells.
    let bounds = Rect::new(DVec2::ZERO, size);
    builder.finish(source, bounds, [cell; 2], open.inputs)
}
