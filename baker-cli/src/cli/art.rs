//! The picture of a level beneath its mesh.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use glam::{DVec2, Vec2};
use image::RgbaImage;
use navmesh_runtime::mesh::NavMesh;

use crate::cli::failure::Failure;
use crate::cli::io::{file_name, is_dash, is_level, level_file, name_of, refuse_overwrite};
use crate::cli::level_input::LevelFiles;
use crate::cli::terminal::Terminal;
use crate::source::read_art;
use navmesh_bake::Rect;

#[derive(Debug, Args)]
pub(crate) struct ArtArgs {
    /// Draw the level's own tiles and images beneath; a level that is not beside its baked file is
    /// named, --over=LEVEL
    #[arg(
        long,
        value_name = "LEVEL",
        num_args = 0..=1,
        require_equals = true,
        value_hint = ValueHint::FilePath
    )]
    #[expect(
        clippy::option_option,
        reason = "how clap has options with an optional value"
    )]
    over: Option<Option<PathBuf>>,
}

impl ArtArgs {
    /// The picture of the part of the level that the grid of its mesh covers,
    /// or `None` without the option. `output` must not be one of the images.
    pub(crate) fn of(
        &self,
        file: &Path,
        mesh: &NavMesh,
        output: &Path,
        terminal: &Terminal,
    ) -> Result<Option<RgbaImage>, Failure> {
        let Some(named) = &self.over else {
            return Ok(None);
        };
        let source = &mesh.provenance().source;
        let level = match named {
            Some(level) => level.clone(),
            None if is_level(file) => file.to_path_buf(),
            None => file.with_file_name(source),
        };
        if named.is_some() && !level_file(&level).is_file() {
            let level = level.display();
            return Err(Failure::new(format!("{level}: this file does not exist")));
        }
        if is_dash(file) && named.is_none() || !level_file(&level).is_file() {
            let problem = format_args!("{}: its level {source} is not beside it", name_of(file));
            return Err(Failure::with_help(problem, "name the level: --over=LEVEL"));
        }
        let name = file_name(&level);
        // The only level of a project may be named by the project.
        let is_part = source
            .strip_prefix(&*name)
            .is_some_and(|rest| rest.starts_with('#'));
        // Levels from stdin have no name.
        let is_other = name != *source && !is_part && !source.starts_with("stdin");
        if named.is_some() && is_other {
            let (file, level) = (name_of(file), level.display());
            terminal.warn(&format!(
                "{file} was baked from {source}, and {level} has another name: its picture may not fit"
            ));
        }
        let grid = mesh.grid();
        let scale = f64::from(mesh.units().pixels_per_unit);
        // Pixels of a level grow downwards, also where y of the world does not.
        let down = Vec2::new(1.0, grid.y_axis.down());
        let corner = (grid.origin * down).as_dvec2() * scale;
        let cells = DVec2::new(grid.columns.into(), grid.rows.into());
        let size = cells * f64::from(grid.spacing) * scale;
        let files = LevelFiles::beside(&level);
        let art = read_art(&level, &files, Rect::new(corner, corner + size))?;
        refuse_overwrite(output, &files.seen(), "-o")?;
        for warning in &art.warnings {
            terminal.warn(warning);
        }
        Ok(Some(art.image))
    }
}
