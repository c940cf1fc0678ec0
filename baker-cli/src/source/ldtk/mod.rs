//! LDtk projects.
//!
//! A project holds many levels; one of them is named `project.ldtk#Level_0`.
//! Its cells, tiles and entities are classified like those of Tiled maps.

mod art;
mod definitions;
mod layers;
mod project;
mod schema;

use crate::source::level_file::LevelFile;
use glam::DVec2;

use super::classify::{Extent, LevelBuilder};
use super::error::SourceError;
use super::files::{FileProvider, LevelBytes};
use super::picture::Picture;
use super::rule::Rules;
use navmesh_bake::Rect;

pub use project::LdtkProject;

pub fn read(file: LevelBytes<'_>, rules: &Rules) -> Result<LevelFile, SourceError> {
    let (project, wanted) = parts(file.name);
    LdtkProject::parse(project, file.bytes)?.read(wanted, file.files, rules)
}

/// Draws a level of a project.
pub fn draw(name: &str, bytes: &[u8], picture: &mut Picture<'_>) -> Result<(), SourceError> {
    let (file, wanted) = parts(name);
    let project = LdtkProject::parse(file, bytes)?;
    project.with_level(wanted, picture.files, |level| art::draw(&level, picture))
}

/// The file that a level is in: `world.ldtk` for `world.ldtk#Level_0`, else the
/// name itself.
pub fn level_file(name: &str) -> &str {
    parts(name).0
}

/// The project that a name such as `world.ldtk#Level_0` stands for, and the level in
/// it. Without a level, the name itself.
pub fn parts(name: &str) -> (&str, Option<&str>) {
    let named = name.rsplit_once('#').filter(|(project, level)| {
        let end = project.len().checked_sub(".ldtk".len());
        let extension = end.and_then(|end| project.get(end..));
        !level.is_empty() && extension.is_some_and(|end| end.eq_ignore_ascii_case(".ldtk"))
    });
    named.map_or((name, None), |(project, level)| (project, Some(level)))
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
    ) -> Result<LevelFile, SourceError> {
        self.with_level(level, files, |open| {
            let mut builder = LevelBuilder::new(open.file.name, rules);
            let (size, cell) = layers::read(&mut builder, &open)?;
            let source = format!(
                "{}#{}",
                self.file.rsplit('/').next().unwrap_or_default(),
                open.name
            );
            // The size of a level need not be a multiple of its cells.
            let bounds = Rect::new(DVec2::ZERO, size);
            builder.finish(source, Extent::Fixed(bounds), [cell; 2], open.inputs)
        })
    }
}
