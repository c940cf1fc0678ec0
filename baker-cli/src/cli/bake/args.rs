//! The arguments of `navbake bake`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::cli::args::ConfigFile;

/// Bake levels: write LEVEL.navmesh beside each
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake bake level.tmx                      write level.navmesh
  navbake bake levels/ -o build/              a whole folder, into the same folders below build/
  navbake bake --check levels/                in CI: exit 1 and say why when a file is stale
  navbake bake --strict level.tmx             exit 1 when collision had to be guessed
  navbake bake --watch levels/                bake again whenever a file is saved
  navbake bake --prune levels/                also remove baked files whose level is gone
  navbake bake world.ldtk#Level_0             one level of a project; without #, all of them
  navbake bake cave.png --config bats.toml    a bitmap, with its own agents
  navbake bake level.txt                      a grid of characters; also .csv, .p8, .tscn, .level.json
  generate | navbake bake - -o - > a.navmesh  from stdin to stdout

A baked file contains hashes of its level's collision and markers, and of the settings. When they
still match, the file is up to date and is not baked again: changes of art do not count. A changed
file is replaced in one step. Its bytes do not depend on the machine, the number of threads, the
folder or the time. A file that was read is never overwritten.

In folders, .tmx, .tmj and .ldtk files are levels. Hidden files are skipped, and so are files that a
.navbakeignore (same syntax as .gitignore) lists.")]
#[allow(clippy::struct_excessive_bools)] // they are switches
pub struct BakeArgs {
    /// Levels (.tmx, .tmj, .json, .ldtk, .png), folders, Tiled .world files; `-` reads stdin
    #[arg(required = true, value_name = "LEVEL", value_hint = ValueHint::AnyPath)]
    pub levels: Vec<PathBuf>,
    /// Write to this file, or with several levels to this folder; `-` is stdout
    #[arg(short, long, value_name = "FILE|DIR", value_hint = ValueHint::AnyPath)]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub config: ConfigFile,
    /// In folders, also bake .png and .json files that match this .gitignore pattern
    #[arg(long, value_name = "GLOB")]
    pub include: Vec<String>,
    /// Number of threads; the default is one per core
    #[arg(short = 'j', long, visible_alias = "jobs", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Write nothing; exit 1 and say why when a baked file is missing or stale, or something was guessed
    #[arg(long)]
    pub check: bool,
    /// Exit 1 when a level does not say what is collision, and something was guessed; --check does, too
    #[arg(long)]
    pub strict: bool,
    /// Write nothing; say which baked files would be written and why
    #[arg(short = 'n', long, conflicts_with_all = ["check", "depfile", "watch"])]
    pub dry_run: bool,
    /// Remove baked files whose level is gone
    #[arg(long, conflicts_with_all = ["check", "watch"])]
    pub prune: bool,
    /// Bake files that are up to date, too; with --check, compare the bytes
    #[arg(long)]
    pub force: bool,
    /// Write which files were read, in the syntax of make and ninja; `-` is stdout
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "check")]
    pub depfile: Option<PathBuf>,
    /// Keep running, and bake again whenever a file is saved, until Ctrl-C
    #[arg(long, conflicts_with_all = ["check", "force", "depfile"])]
    pub watch: bool,
    /// Write a line of JSON to stdout for each level
    #[arg(long)]
    pub json: bool,
    /// Say why each layer counts as collision or not, and list all agent parameters
    #[arg(short, long)]
    pub verbose: bool,
}

impl BakeArgs {
    /// Whether files stay as they are.
    pub const fn writes_nothing(&self) -> bool {
        self.check || self.dry_run
    }
}
