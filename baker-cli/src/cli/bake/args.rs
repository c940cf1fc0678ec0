//! What `navbake bake` can be told.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::super::args::ConfigFile;
use super::shard::Shard;

/// Bake levels: write LEVEL.navmesh beside each
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake bake level.tmx                      write level.navmesh
  navbake bake levels/ -o build/              a whole folder, mirrored
  navbake bake --check levels/                in CI: exit 1 and say why when one is stale
  navbake bake --watch levels/                bake again on every save
  navbake bake world.ldtk#Level_0             one level of a project; without #, all
  navbake bake cave.png --config bats.toml    a bitmap, with agents of its own
  generate | navbake bake - -o - > a.navmesh  from stdin to stdout

What is up to date is left as it is, without baking: the files a level was read from are hashed and
compared with the hashes in its baked file, and so are the settings. A file is replaced in one step.
The bytes do not depend on the machine, the number of threads, the folder or the time.

In folders, .tmx, .tmj and .ldtk files are levels; hidden ones, and those that a .navbakeignore
(written like .gitignore) names, are not.")]
#[allow(clippy::struct_excessive_bools)] // they are switches
pub(in crate::cli) struct BakeArgs {
    /// Levels: .tmx, .tmj, .ldtk, .png; folders of them; Tiled .world files; `-` for stdin
    #[arg(required = true, value_name = "LEVEL", value_hint = ValueHint::AnyPath)]
    pub(super) levels: Vec<PathBuf>,
    /// Where to write: a file for one level, a folder for many, `-` for stdout
    #[arg(short, long, value_name = "FILE|DIR", value_hint = ValueHint::AnyPath)]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) config: ConfigFile,
    /// In folders, also take bitmaps (and .json maps) that match, as in .gitignore
    #[arg(long, value_name = "GLOB")]
    pub(super) include: Vec<String>,
    /// Use so many threads instead of one a core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,
    /// Bake only the I-th of N parts of the levels, shared out by their paths
    #[arg(long, value_name = "I/N")]
    pub(super) shard: Option<Shard>,
    /// Write nothing; exit 1 when a baked file is missing or stale, and say why
    #[arg(long)]
    pub(super) check: bool,
    /// Bake even what is up to date; with --check, compare the bytes
    #[arg(long)]
    pub(super) force: bool,
    /// Write what was read, as make and ninja understand it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "check")]
    pub(super) depfile: Option<PathBuf>,
    /// Stay, and bake again whenever something is saved, until Ctrl-C
    #[arg(long, conflicts_with_all = ["check", "force", "depfile"])]
    pub(super) watch: bool,
    /// Tell what was done as JSON on stdout, one line a level
    #[arg(long)]
    pub(super) json: bool,
    /// Tell why each layer counted as collision or not, and the agents used
    #[arg(short, long)]
    pub(super) verbose: bool,
}
