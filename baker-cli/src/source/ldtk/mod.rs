//! LDtk projects.
//!
//! A project holds many levels; one of them is named `project.ldtk#Level_0`.
//! Its IntGrid cells and entities are read as objects, which are classified
//! like the objects of Tiled maps.

mod art;
mod definitions;
mod layers;
mod project;
mod super_simple;

use glam::DVec2;

use super::classify::LevelBuilder;
use super::error::SourceError;
use super::files::{FileProvider, LevelBytes};
use super::level::{Level, Rect};
use super::picture::Picture;
use super::rule::Rules;

pub use project::LdtkProject;
pub(super) use super_simple::{
    draw as draw_super_simple, is_super_simple, read as read_super_simple,
};

/// The project and the level in it that a name such as `world.ldtk#Level_0`
/// stands for.
fn split(name: &str) -> Option<(&str, &str)> {
    let (project, level) = name.rsplit_once('#')?;
    let end = project.len().checked_sub(".ldtk".len())?;
    let is_project = project.is_char_boundary(end) && project[end..].eq_ignore_ascii_case(".ldtk");
    (is_project && !level.is_empty()).then_some((project, level))
}

/// Reads a level of a project.
pub(super) fn read(file: LevelBytes<'_>, rules: &Rules) -> Result<Level, SourceError> {
    let (project, wanted) = parts(file.name);
    LdtkProject::parse(project, file.bytes)?.read(wanted, file.files, rules)
}

/// Draws a level of a project.
pub(super) fn draw(name: &str, bytes: &[u8], picture: &mut Picture<'_>) -> Result<(), SourceError> {
    let (file, wanted) = parts(name);
    let project = LdtkProject::parse(file, bytes)?;
    project.with_level(wanted, picture.files, |level| art::draw(&level, picture))
}

/// The file that a level is in: `world.ldtk` for `world.ldtk#Level_0`, else the
/// name itself.
pub fn level_file(name: &str) -> &str {
    parts(name).0
}

/// The project of a name, and the level where one is named.
pub(super) fn parts(name: &str) -> (&str, Option<&str>) {
    split(name).map_or((name, None), |(file, level)| (file, Some(level)))
}

impl LdtkProject {
    /// Reads a level; without a name, the only one. The files of levels that are
    /// saved apart come from `files`.
    ///
    /// # Errors
    /// As for [`read_bytes`](crate::source::read_bytes).
    pub fn read(
        &self,
        level: Option<&str>,
        files: &dyn FileProvider,
        rules: &Rules,
    ) -> Result<Level, SourceError> {
        self.with_level(level, files, |open| {
            let mut builder = LevelBuilder::new(open.layer_file, rules);
            let (size, cell) = layers::read(&mut builder, &open)?;
            let file = open.project_file;
            let source = format!("{}#{}", file.rsplit('/').next().unwrap_or(file), open.name);
            // The size of a level need not be a multiple of its cells.
            let bounds = Rect::new(DVec2::ZERO, size);
            builder.finish(source, bounds, [cell; 2], open.inputs)
        })
    }
}
