//! Finding the levels that the arguments name: files, folders, worlds, projects.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::sync::mpsc;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::cli::bake::args::BakeArgs;
use crate::cli::bake::world;
use crate::cli::failure::{Failure, NO_PERMISSION};
use crate::cli::input_files::Projects;
use crate::cli::paths::{
    LEVEL_EXTENSIONS, POSSIBLE_LEVEL_EXTENSIONS, file_name, has_extension, is_baked, is_dash,
    normalized, shown, visible_entries,
};

/// Lists files of a folder that are not levels, in the syntax of `.gitignore`.
const IGNORE_FILE: &str = ".navbakeignore";

/// A level that was named or found.
#[derive(Debug, Default)]
pub(crate) struct FoundLevel {
    /// The level, as messages name it: `world.ldtk#Level_0`, or `-`.
    pub(crate) level: PathBuf,
    /// Its path below the argument that named it, kept under `-o DIR`.
    pub(crate) below: PathBuf,
    /// The Tiled world that lists it.
    pub(crate) world: Option<PathBuf>,
    /// Why it cannot be baked, if that is already known.
    pub(crate) problem: Option<String>,
}

/// All levels that the arguments name.
pub(crate) struct FoundLevels {
    /// In the order of the arguments; those of a folder sorted by path.
    pub(crate) levels: Vec<FoundLevel>,
    /// Whether the arguments may name several levels, even if there is one.
    pub(crate) many: bool,
    /// The projects among them, which were parsed to find their levels.
    pub(crate) projects: Projects,
    /// What was found and is not baked.
    pub(crate) notes: Vec<String>,
    include: Gitignore,
    /// Paths of the levels so far, so that none is baked twice.
    met: BTreeSet<PathBuf>,
}

pub(crate) fn collect(args: &BakeArgs) -> Result<FoundLevels, Failure> {
    let mut include = GitignoreBuilder::new("");
    for glob in &args.include {
        let added = include.add_line(None, glob);
        added.map_err(|e| Failure::new(format!("--include {glob}: {e}")))?;
    }
    let include = include.build();
    let include = include.map_err(|e| Failure::new(format!("--include: {e}")))?;
    Ok(FoundLevels::of(&args.levels, include))
}

/// The levels of a folder, a Tiled world or an LDtk project.
pub(crate) fn levels_of(named: &Path) -> Vec<FoundLevel> {
    FoundLevels::of(&[named.to_path_buf()], Gitignore::empty()).levels
}

/// The most bytes of an ignore file. Every line becomes a pattern that takes some
/// forty times its size; a megabyte holds 10,000 lines.
const MAX_IGNORE_BYTES: u64 = 1 << 20;

/// Refuses the ignore file of a folder if it is too large, or no regular file.
fn check_ignore_file(folder: &Path) -> Result<(), String> {
    let path = folder.join(IGNORE_FILE);
    let Ok(metadata) = std::fs::metadata(&path) else {
        return Ok(());
    };
    let problem = if !metadata.is_file() {
        "this is not a regular file".to_owned()
    } else if metadata.len() > MAX_IGNORE_BYTES {
        format!("the file has more than {MAX_IGNORE_BYTES} bytes")
    } else {
        return Ok(());
    };
    Err(format!("{}: {problem}", path.display()))
}

/// The error of looking into a folder. The text of the library repeats the path.
fn walk_problem(path: &Path, error: &ignore::Error) -> String {
    match error {
        ignore::Error::WithDepth { err, .. } => walk_problem(path, err),
        ignore::Error::WithPath { path, err } => walk_problem(path, err),
        ignore::Error::Io(error) if error.kind() == ErrorKind::PermissionDenied => {
            let problem = format!("{}: cannot be read: {}", shown(path), error.kind());
            format!("{problem}\nhelp: {NO_PERMISSION}")
        }
        ignore::Error::Io(error) => format!("{}: cannot be read: {}", shown(path), error.kind()),
        other => format!("{}: {other}", shown(path)),
    }
}

impl FoundLevels {
    fn of(named: &[PathBuf], include: Gitignore) -> Self {
        let mut this = Self {
            levels: Vec::new(),
            many: false,
            projects: Projects::default(),
            notes: Vec::new(),
            include,
            met: BTreeSet::new(),
        };
        for named in named {
            this.many |= this.argument(named);
        }
        // A level that is named twice is one.
        this.many |= this.levels.len() > 1;
        this
    }

    /// Adds the levels of one argument. Returns whether it may be several.
    fn argument(&mut self, named: &Path) -> bool {
        if is_dash(named) {
            self.add(named.to_path_buf(), PathBuf::from("stdin"), None);
            return false;
        }
        let below = PathBuf::from(file_name(named));
        if is_baked(named) {
            let problem = format!("{}: this is a baked file, not a level", shown(named));
            let help = "name the level that it was baked from";
            self.problem(named, format!("{problem}\nhelp: {help}"));
            return false;
        }
        if named.is_dir() {
            self.folder(named);
        } else if has_extension(named, "world") {
            self.world(named);
        } else if has_extension(named, "ldtk") && named.is_file() {
            self.project(named, &below);
        } else {
            self.add(named.to_path_buf(), below, None);
            return false;
        }
        true
    }

    fn add(&mut self, level: PathBuf, below: PathBuf, world: Option<&Path>) {
        if self.met.insert(normalized(&level)) {
            self.levels.push(FoundLevel {
                level,
                below,
                world: world.map(Path::to_path_buf),
                problem: None,
            });
        }
    }

    fn problem(&mut self, named: &Path, problem: String) {
        self.levels.push(FoundLevel {
            level: named.to_path_buf(),
            below: PathBuf::from(file_name(named)),
            problem: Some(problem),
            ..FoundLevel::default()
        });
    }

    /// Adds every level in a folder. Hidden files are skipped. Ignore files of
    /// git and those above the folder are not read, so that every machine
    /// finds the same levels.
    fn folder(&mut self, folder: &Path) {
        let before = self.levels.len();
        if let Err(problem) = check_ignore_file(folder) {
            return self.problem(folder, problem);
        }
        // The walk keeps the filter, so the filter cannot borrow `self`.
        let (found, problems) = mpsc::channel();
        let walk = visible_entries(folder)
            .add_custom_ignore_filename(IGNORE_FILE)
            .filter_entry(move |entry| {
                let path = entry.path();
                let checked = path.is_dir().then(|| check_ignore_file(path));
                let Some(Err(problem)) = checked else {
                    return true;
                };
                // The receiver outlives the walk.
                let _ = found.send(problem);
                false
            })
            .build();
        for entry in walk {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.problem(folder, walk_problem(folder, &error));
                    continue;
                }
            };
            if let Some(error) = entry.error() {
                self.problem(folder, format!("{IGNORE_FILE}: {error}"));
            }
            let Ok(below) = entry.path().strip_prefix(folder) else {
                continue;
            };
            if entry.path_is_symlink() && entry.depth() > 0 && entry.path().is_dir() {
                let link = entry.path().display();
                let note =
                    format!("{link}: a link to a folder, which is baked only if it is named");
                self.notes.push(note);
            }
            // Messages say `a.tmx`, not `./a.tmx`.
            let is_cwd = folder == Path::new(".");
            let path = if is_cwd { below } else { entry.path() };
            // `is_file` follows symbolic links. A link to no file, such as one to a mount that
            // is missing, is a level that cannot be read: its baked file is not left over.
            let leads_nowhere = || entry.path_is_symlink() && path.metadata().is_err();
            if !self.is_wanted(below) || !(path.is_file() || leads_nowhere()) {
                continue;
            }
            let (path, below) = (path.to_path_buf(), below.to_path_buf());
            if has_extension(&path, "ldtk") {
                self.project(&path, &below);
            } else {
                self.add(path, below, None);
            }
        }
        for problem in problems.try_iter() {
            self.problem(folder, problem);
        }
        if self.levels.len() == before {
            let name = folder.display();
            let help = format!(
                "levels are .tmx, .tmj and .ldtk files that {IGNORE_FILE} does not list, and \
                 bitmaps that --include names"
            );
            self.problem(
                folder,
                format!("{name}: no levels in this folder\nhelp: {help}"),
            );
        }
    }

    /// Whether a file of a folder is a level, by its name.
    fn is_wanted(&self, below: &Path) -> bool {
        let has = |extension: &&str| has_extension(below, extension);
        LEVEL_EXTENSIONS.iter().any(has)
            || (POSSIBLE_LEVEL_EXTENSIONS.iter().any(has)
                && (self.include)
                    .matched_path_or_any_parents(below, false)
                    .is_ignore())
    }

    fn world(&mut self, world: &Path) {
        let maps = match world::maps(world) {
            Ok(maps) => maps,
            Err(failure) => return self.problem(world, failure.to_string()),
        };
        for map in maps {
            // `-o DIR` keeps the path below the world, which must not lead out of DIR.
            let is_outside = map.components().any(|c| c == Component::ParentDir);
            let outside = is_outside.then(|| PathBuf::from(file_name(&map)));
            let below = outside.unwrap_or_else(|| map.clone());
            self.add(world.with_file_name(map), below, Some(world));
        }
    }

    /// Adds every level of an LDtk project.
    fn project(&mut self, project: &Path, below: &Path) {
        let names = match self.projects.levels_of(project) {
            Ok(names) => names,
            Err(error) => return self.problem(project, error.to_string()),
        };
        if names.is_empty() {
            let problem = format!("{}: the project has no levels", project.display());
            return self.problem(project, problem);
        }
        for name in names {
            let level = |path: &Path| {
                let mut level = path.file_name().unwrap_or_default().to_os_string();
                level.push("#");
                level.push(&name);
                path.with_file_name(level)
            };
            self.add(level(project), level(below), None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_folders_name_the_path_once() {
        let error = std::io::Error::other("IO error for operation on a/b: denied");
        let err = Box::new(ignore::Error::Io(error));
        let path = PathBuf::from("a/b");
        let err = Box::new(ignore::Error::WithPath { path, err });
        let error = ignore::Error::WithDepth { depth: 1, err };
        let text = walk_problem(Path::new("a"), &error);
        assert_eq!(text, "a/b: cannot be read: other error");
    }
}
