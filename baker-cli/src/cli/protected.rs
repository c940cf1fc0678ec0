//! Files that no output may replace: what a command reads, and what its baked
//! files were made from.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use glam::DVec2;
use navmesh_runtime::asset;

use crate::cli::args::current_folder;
use crate::cli::config::locate;
use crate::cli::failure::Failure;
use crate::cli::input_files::{LevelFiles, SeenFile};
use crate::cli::paths::{MAX_BAKED_BYTES, baked_name, file_name, folder_of, is_dash, level_file};
use crate::source::{self, Rules, read_at_most};
use navmesh_bake::Rect;

/// A set of files. A file is recognized by any path that leads to it: through
/// links, or with other capitals, which many file systems do not distinguish.
#[derive(Debug, Default)]
pub(crate) struct Protected(BTreeSet<String>);

impl Protected {
    /// The files that were seen.
    pub(crate) fn of(seen: &[SeenFile]) -> Self {
        let mut this = Self::default();
        for file in seen {
            this.insert(&file.path);
        }
        this
    }

    pub(crate) fn insert(&mut self, file: &Path) {
        if !is_dash(file) {
            self.0.extend(identities(file));
        }
    }

    /// Adds every file that a level is read from or shows, as far as they can be
    /// read.
    pub(crate) fn insert_inputs(&mut self, level: &Path) {
        if is_dash(level) {
            return;
        }
        self.insert(&level_file(level));
        let files = LevelFiles::beside(level);
        // The rules do not change which files are read, nor the area which images.
        let _ = source::read_from(level, &files, &Rules::default());
        let _ = source::read_art(level, &files, Rect::new(DVec2::ZERO, DVec2::ONE));
        for seen in files.seen() {
            self.insert(&seen.path);
        }
    }

    /// Refuses to write to a file of the set. `option` is the option that names
    /// the output.
    pub(crate) fn refuse(&self, output: &Path, option: &str) -> Result<(), Failure> {
        if is_dash(output) || !identities(output).iter().any(|id| self.0.contains(id)) {
            return Ok(());
        }
        Err(refusal(output, "the output would replace an input", option))
    }
}

/// Refuses to overwrite one of the inputs of a command, the level of a baked
/// file among them, or a file that the level was read from. `option` is the
/// option that names the output.
pub(crate) fn refuse_overwrite(
    output: &Path,
    inputs: &[&Path],
    option: &str,
) -> Result<(), Failure> {
    if is_dash(output) {
        return Ok(());
    }
    let mut protected = Protected::default();
    let mut levels = Vec::new();
    for input in inputs.iter().filter(|input| !is_dash(input)) {
        protected.insert(&level_file(input));
        // A picture in place of a level's baked file would break the game.
        protected.insert(&baked_name(input));
        let Some(source) = source_of(input) else {
            levels.push(input.to_path_buf());
            continue;
        };
        let own = level_file(Path::new(&source));
        if file_name(&own).to_lowercase() == file_name(output).to_lowercase() {
            let baked = input.display();
            let problem = format!("this is the name of the level that {baked} was baked from");
            return Err(refusal(output, &problem, option));
        }
        // Only the name of the level is known. It lies beside the baked file, or
        // somewhere else, where an output beside it is recognized.
        levels.push(input.with_file_name(&source));
        levels.push(output.with_file_name(&source));
    }
    // Where there is no file, none of the others can be replaced.
    if output.exists() {
        let cwd = current_folder()?;
        for level in levels {
            protected.insert_inputs(&level);
            if let Some(config) = locate(&level, &cwd) {
                protected.insert(&config);
            }
        }
    }
    protected.refuse(output, option)
}

fn refusal(output: &Path, problem: &str, option: &str) -> Failure {
    let help = format_args!("give another file with {option}");
    Failure::about(output, problem, help)
}

/// The name of the level that a file was baked from; `None` for other files.
pub(crate) fn source_of(baked: &Path) -> Option<String> {
    // A pipe can be read only once.
    if !baked.is_file() {
        return None;
    }
    let bytes = read_at_most(baked, MAX_BAKED_BYTES).ok()?;
    Some(asset::peek(&bytes).ok()?.provenance.source)
}

/// Texts of which two paths of the same file share one: the canonical path in lower
/// case, and on Unix device and inode, if the file exists.
fn identities(path: &Path) -> Vec<String> {
    let name = path.file_name().unwrap_or_default();
    let real = fs::canonicalize(path)
        .or_else(|_| fs::canonicalize(folder_of(path)).map(|folder| folder.join(name)))
        .or_else(|_| std::path::absolute(path))
        .unwrap_or_else(|_| path.to_path_buf());
    let mut ids = vec![real.to_string_lossy().to_lowercase()];
    #[cfg(unix)]
    if let Ok(metadata) = fs::metadata(path) {
        use std::os::unix::fs::MetadataExt as _;
        ids.push(format!("{}:{}", metadata.dev(), metadata.ino()));
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_recognized_by_every_path() {
        let temp = tempfile::tempdir().unwrap();
        let path = |name: &str| temp.path().join(name);
        fs::create_dir(path("folder")).unwrap();
        fs::write(path("level.tmx"), "level").unwrap();
        let mut protected = Protected::default();
        protected.insert(&path("level.tmx"));
        let mut same = vec![
            "level.tmx",
            "./level.tmx",
            "folder/../level.tmx",
            "LEVEL.tmx",
        ];
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("level.tmx", path("link")).unwrap();
            std::os::unix::fs::symlink(".", path("here")).unwrap();
            fs::hard_link(path("level.tmx"), path("hard")).unwrap();
            same.extend(["link", "here/level.tmx", "here/here/Level.TMX", "hard"]);
        }
        for name in same {
            assert!(protected.refuse(&path(name), "-o").is_err(), "{name}");
        }
        for other in ["other.tmx", "folder/level.tmx", "none/level.tmx"] {
            assert!(protected.refuse(&path(other), "-o").is_ok(), "{other}");
        }
        assert!(protected.refuse(Path::new("-"), "-o").is_ok());
    }
}
