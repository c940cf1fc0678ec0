//! `navbake level`.

use clap::Args;

use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::io::{name_of, to_stdout};
use crate::cli::mesh_input::{MeshFile, MeshSource, level_of};
use crate::cli::terminal::Terminal;
use crate::source::write_level;

/// Write what the bake reads of a level, as a level of navbake's own format
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake level level.tmx > level.level.json
  navbake level world.ldtk#Level_0 | jq '.shapes | length'

The game reads the file for the collision of its own bodies: the same floors, slopes, one-way
platforms, hazards and ladders that its agents move on, in the same coordinates as the baked file.
docs/level-format.md describes it; the example `player` of navmesh-runtime reads it. A bake of the
file gives the same links.")]
pub struct LevelArgs {
    #[command(flatten)]
    file: MeshFile,
}

pub fn run(args: &LevelArgs, terminal: &Terminal) -> Result<ExitStatus, Failure> {
    args.file.inputs()?;
    let path = &args.file.file;
    let MeshSource::Level(piped) = MeshSource::read(path)? else {
        let problem = format!("{}: a baked file has no collision", name_of(path));
        return Err(Failure::with_help(
            problem,
            "name the level that it was baked from",
        ));
    };
    let config = args.file.config.load_for(path)?;
    let level = level_of(path, piped.as_deref(), &config, terminal)?;
    let units = config.settings_of(&level)?.units;
    to_stdout(write_level(&level, units).as_bytes())?;
    Ok(ExitStatus::Success)
}
