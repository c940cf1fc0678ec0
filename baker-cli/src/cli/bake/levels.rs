//! Finding the levels that the arguments name: files, folders, worlds, projects.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::sync::mpsc;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::cli::bake::world;
use crate::cli::failure::{Failure, NO_PERMISSION, shown};
use crate::cli::io::{
    LEVEL_EXTENSIONS, MOST_FOLDERS, POSSIBLE_LEVEL_EXTENSIONS, baked_name, file_name,
    has_extension, in_folder, is_baked, is_dash, level_file, normalized, visible_entries,
};
use crate::cli::level_input::Projects;

/// Lists files of a folder that are not levels, in the syntax of `.gitignore`.
const IGNORE_FILE: &str = ".navbakeignore";

/// The most bytes of an ignore file. Every line becomes a pattern that takes some
/// forty times its size; a megabyte holds 10,000 lines.
const MAX_IGNORE_BYTES: u64 = 1 << 20;

/// A level that was named or found.
#[derive(Debug)]
pub struct FoundLevel {
    /// The level, as messages name it: `world.ldtk#Level_0`, or `-`.
    pub level: PathBuf,
    /// Its path below the argument that named it, kept under `-o DIR`.
    pub below: PathBuf,
    /// Its baked file; empty where none is written.
    pub output: PathBuf,
    /// The Tiled world that lists it.
    pub world: Option<PathBuf>,
    /// Why it cannot be baked, if that is already known.
    pub problem: Option<String>,
}

impl FoundLevel {
    pub fn new(level: PathBuf, below: PathBuf) -> Self {
        Self {
            level,
            below,
            output: PathBuf::new(),
            world: None,
            problem: None,
        }
    }

    /// The path of its baked file below the argument: the same for a level and for its baked
    /// file.
    pub fn baked(&self) -> PathBuf {
        baked_name(&self.below)
    }
}

/// All levels that the arguments name.
pub struct FoundLevels {
    /// In the order of the arguments; those of a folder sorted by path.
    pub levels: Vec<FoundLevel>,
    /// Whether the arguments may name several levels, even if there is one.
    pub many: bool,
    /// The projects among them, which were parsed to find their levels.
    pub projects: Projects,
    /// What was found and is not baked.
    pub notes: Vec<String>,
    include: Gitignore,
    /// Paths of the levels so far, so that none is baked twice.
    met: BTreeSet<PathBuf>,
}

/// The levels of a folder, a Tiled world or an LDtk project.
pub fn levels_of(named: &Path) -> Vec<FoundLevel> {
    let found = FoundLevels::find(&[named.to_path_buf()], &[]);
    // Without patterns, none is wrong.
    found.map_or(Vec::new(), |found| found.levels)
}

impl FoundLevels {
    /// The levels of some arguments. In folders, files that match the patterns `include` are
    /// levels, too.
    pub fn find(named: &[PathBuf], include: &[String]) -> Result<Self, Failure> {
        let mut patterns = GitignoreBuilder::new("");
        for glob in include {
            (patterns.add_line(None, glob))
                .map_err(|e| Failure::new(format!("--include {glob}: {e}")))?;
        }
        let patterns = patterns.build();
        let mut this = Self {
            levels: Vec::new(),
            many: false,
            projects: Projects::default(),
            notes: Vec::new(),
            include: patterns.map_err(|e| Failure::new(format!("--include: {e}")))?,
            met: BTreeSet::new(),
        };
        for named in named {
            this.argument(named);
        }
        // A level that is named twice is one.
        this.many |= this.levels.len() > 1;
        Ok(this)
    }

    fn argument(&mut self, named: &Path) {
        let below = PathBuf::from(file_name(named));
        if is_dash(named) {
            return self.add(named.to_path_buf(), PathBuf::from("stdin"), None);
        }
        if is_baked(named) {
            let problem = format!("{}: this is a baked file, not a level", shown(named));
            let help = "name the level that it was baked from";
            return self.problem(named, &below, format!("{problem}\nhelp: {help}"));
        }
        if named.is_dir() {
            self.folder(named);
        } else if has_extension(named, ["world"]) {
            self.world(named);
        } else if has_extension(named, ["ldtk"]) && named.is_file() {
            self.project(named, &below);
        } else {
            let project = level_file(named);
            if project != named {
                // Its levels share the project. An error in it is found again by the level.
                let _ = self.projects.levels_of(&project);
            }
            return self.add(named.to_path_buf(), below, None);
        }
        self.many = true;
    }

    fn add(&mut self, level: PathBuf, below: PathBuf, world: Option<&Path>) {
        if self.met.insert(normalized(&level)) {
            self.levels.push(FoundLevel {
                world: world.map(Path::to_path_buf),
                ..FoundLevel::new(level, below)
            });
        }
    }

    /// Adds a problem in the place of a level, of a project, or of a folder, which is at an
    /// empty path below the argument.
    fn problem(&mut self, named: &Path, below: &Path, problem: String) {
        self.levels.push(FoundLevel {
            problem: Some(problem),
            ..FoundLevel::new(named.to_path_buf(), below.to_path_buf())
        });
    }

    /// Adds every level in a folder. Hidden files are skipped. Ignore files of
    /// git and those above the folder are not read, so that every machine
    /// finds the same levels.
    fn folder(&mut self, folder: &Path) {
        let (own, before) = (Path::new(""), self.levels.len());
        if let Some(problem) = ignore_file_problem(folder) {
            return self.problem(folder, own, problem);
        }
        // The walk keeps the filter, so the filter cannot borrow `self`.
        let (found, problems) = mpsc::channel();
        let walk = visible_entries(folder)
            .add_custom_ignore_filename(IGNORE_FILE)
            .filter_entry(move |entry| {
                let folder = Some(entry.path()).filter(|path| path.is_dir());
                let problem = folder.and_then(ignore_file_problem);
                // The receiver outlives the walk.
                problem.is_none_or(|problem| found.send(problem).is_err())
            })
            .build();
        for entry in walk {
            match entry {
                Ok(entry) => self.entry(folder, &entry),
                Err(error) => self.problem(folder, own, walk_problem(folder, &error)),
            }
        }
        for problem in problems.try_iter() {
            self.problem(folder, own, problem);
        }
        if self.levels.len() == before {
            let problem = format!(
                "{}: no levels in this folder\n\
                 help: levels are files with the extensions {} that {IGNORE_FILE} does not list, and \
                 those with {} that --include names",
                folder.display(),
                LEVEL_EXTENSIONS.join(", "),
                POSSIBLE_LEVEL_EXTENSIONS.join(", ")
            );
            self.problem(folder, own, problem);
        }
    }

    /// Adds an entry of a folder, if it is a level.
    fn entry(&mut self, folder: &Path, entry: &ignore::DirEntry) {
        if let Some(error) = entry.error() {
            self.problem(folder, Path::new(""), format!("{IGNORE_FILE}: {error}"));
        }
        let Ok(below) = entry.path().strip_prefix(folder) else {
            return;
        };
        let path = in_folder(folder, below);
        let is_link = entry.path_is_symlink();
        if entry.depth() == MOST_FOLDERS && entry.path().is_dir() {
            let problem = format!(
                "{}: not searched, because it lies below {MOST_FOLDERS} folders\n\
                 help: name it as an argument of its own",
                entry.path().display()
            );
            self.problem(folder, Path::new(""), problem);
        }
        if is_link && entry.depth() > 0 && entry.path().is_dir() {
            let note = "a link to a folder, which is baked only if it is named";
            (self.notes).push(format!("{}: {note}", entry.path().display()));
        }
        let is_level = has_extension(below, LEVEL_EXTENSIONS)
            || has_extension(below, POSSIBLE_LEVEL_EXTENSIONS)
                && (self.include)
                    .matched_path_or_any_parents(below, false)
                    .is_ignore();
        // `is_file` follows symbolic links. A link to no file, such as one to a mount that
        // is missing, is a level that cannot be read: its baked file is not left over.
        if !is_level || !(path.is_file() || is_link && path.metadata().is_err()) {
            return;
        }
        if has_extension(&path, ["ldtk"]) {
            self.project(&path, below);
        } else {
            self.add(path, below.to_path_buf(), None);
        }
    }

    fn world(&mut self, world: &Path) {
        let maps = match world::maps(world) {
            Ok(maps) => maps,
            Err(failure) => return self.problem(world, Path::new(""), failure.to_string()),
        };
        for map in maps {
            // `-o DIR` keeps the path below the world, which must not lead out of DIR.
            let below = if map.components().any(|c| c == Component::ParentDir) {
                PathBuf::from(file_name(&map))
            } else {
                map.clone()
            };
            self.add(world.with_file_name(map), below, Some(world));
        }
    }

    /// Adds every level of an LDtk project.
    fn project(&mut self, project: &Path, below: &Path) {
        let names = match self.projects.levels_of(project) {
            Ok(names) => names,
            Err(error) => return self.problem(project, below, error.to_string()),
        };
        if names.is_empty() {
            let problem = format!("{}: the project has no levels", project.display());
            return self.problem(project, below, problem);
        }
        for name in names {
            self.add(level_in(project, &name), level_in(below, &name), None);
        }
    }
}

/// The path of a level of a project: `w.ldtk#Level_0`.
fn level_in(project: &Path, name: &str) -> PathBuf {
    let mut level = project.file_name().unwrap_or_default().to_os_string();
    level.push("#");
    level.push(name);
    project.with_file_name(level)
}

/// Why the ignore file of a folder is not read: it is too large, or no regular file.
fn ignore_file_problem(folder: &Path) -> Option<String> {
    let path = folder.join(IGNORE_FILE);
    let metadata = std::fs::metadata(&path).ok()?;
    let problem = if !metadata.is_file() {
        "this is not a regular file".to_owned()
    } else if metadata.len() > MAX_IGNORE_BYTES {
        format!("the file has more than {MAX_IGNORE_BYTES} bytes")
    } else {
        return None;
    };
    Some(format!("{}: {problem}", path.display()))
}

/// The error of looking into a folder. The text of the library repeats the path.
fn walk_problem(path: &Path, error: &ignore::Error) -> String {
    match error {
        ignore::Error::WithDepth { err, .. } => walk_problem(path, err),
        ignore::Error::WithPath { path, err } => walk_problem(path, err),
        ignore::Error::Io(error) => {
            let problem = format!("{}: cannot be read: {}", shown(path), error.kind());
            match error.kind() {
                ErrorKind::PermissionDenied => format!("{problem}\nhelp: {NO_PERMISSION}"),
                _ => problem,
            }
        }
        other => format!("{}: {other}", shown(path)),
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
