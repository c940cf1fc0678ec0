//! Which levels are meant: files, folders, worlds, projects.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use ignore::WalkBuilder;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::super::Failure;
use super::super::pipeline::{self, is_dash};
use super::args::BakeArgs;
use super::world;

/// The name of files that say what in a folder is no level, in the syntax of
/// `.gitignore`.
pub(super) const IGNORE_FILE: &str = ".navbakeignore";

/// A level that was named or found.
#[derive(Debug)]
pub(super) struct Found {
    /// The level as messages call it, `world.ldtk#Level_0` or `-`.
    pub(super) level: PathBuf,
    /// Where it lies below what was named: mirrored under `-o DIR`.
    pub(super) below: PathBuf,
    /// The world it was named by.
    pub(super) world: Option<PathBuf>,
    /// Why it cannot be baked, where that is known already.
    pub(super) problem: Option<String>,
}

/// All levels that were meant.
#[derive(Debug)]
pub(super) struct Collected {
    /// In the order they were named, those of a folder by path.
    pub(super) levels: Vec<Found>,
    /// Whether something was named that may hold more than one.
    pub(super) many: bool,
}

/// Finds the levels.
pub(super) fn collect(args: &BakeArgs) -> Result<Collected, Failure> {
    let mut collector = Collector {
        include: include(&args.include)?,
        met: BTreeSet::new(),
        levels: Vec::new(),
    };
    let mut many = args.levels.len() > 1;
    for named in &args.levels {
        many |= collector.named(named);
    }
    Ok(Collected {
        levels: collector.levels,
        many,
    })
}

fn include(globs: &[String]) -> Result<Gitignore, Failure> {
    let mut builder = GitignoreBuilder::new("");
    for glob in globs {
        builder
            .add_line(None, glob)
            .map_err(|e| Failure::new(format!("--include {glob}: {e}")))?;
    }
    builder
        .build()
        .map_err(|e| Failure::new(format!("--include: {e}")))
}

struct Collector {
    include: Gitignore,
    /// Where levels lie, so that none is baked twice.
    met: BTreeSet<PathBuf>,
    levels: Vec<Found>,
}

impl Collector {
    /// Adds what was named; tells whether it may hold several levels.
    fn named(&mut self, named: &Path) -> bool {
        if is_dash(named) {
            self.add(named.to_path_buf(), PathBuf::from("stdin"), None);
            return false;
        }
        let below = PathBuf::from(named.file_name().unwrap_or_default());
        if named.is_dir() {
            self.folder(named);
            true
        } else if has_extension(named, "world") {
            self.world(named);
            true
        } else if has_extension(named, "ldtk") && named.is_file() {
            self.project(named, &below, None);
            true
        } else {
            self.add(named.to_path_buf(), below, None);
            false
        }
    }

    fn add(&mut self, level: PathBuf, below: PathBuf, world: Option<PathBuf>) {
        if self.met.insert(plain(&level)) {
            self.levels.push(Found {
                level,
                below,
                world,
                problem: None,
            });
        }
    }

    fn trouble(&mut self, named: &Path, problem: String) {
        self.levels.push(Found {
            level: named.to_path_buf(),
            below: PathBuf::from(named.file_name().unwrap_or_default()),
            world: None,
            problem: Some(problem),
        });
    }

    /// Everything in a folder that is certainly a level, or included, and not
    /// ignored. Hidden files are not looked at, nor is anything outside of the
    /// folder, so that the answer depends on nothing else.
    fn folder(&mut self, folder: &Path) {
        let before = self.levels.len();
        let walk = WalkBuilder::new(folder)
            .standard_filters(false)
            .hidden(true)
            .add_custom_ignore_filename(IGNORE_FILE)
            .sort_by_file_path(Path::cmp)
            .build();
        for entry in walk {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.trouble(folder, format!("{}: {error}", folder.display()));
                    continue;
                }
            };
            if let Some(error) = entry.error() {
                self.trouble(folder, format!("{IGNORE_FILE}: {error}"));
            }
            let Ok(below) = entry.path().strip_prefix(folder) else {
                continue;
            };
            // Nobody would write `./` for what is in the current folder.
            let here = folder == Path::new(".");
            let path = if here { below } else { entry.path() };
            let name = entry.file_name().to_string_lossy();
            let wanted = pipeline::is_level(&name, true)
                || (pipeline::is_level(&name, false)
                    && self
                        .include
                        .matched_path_or_any_parents(below, false)
                        .is_ignore());
            // A link to a file is a file.
            if !wanted || !path.is_file() {
                continue;
            }
            let (path, below) = (path.to_path_buf(), below.to_path_buf());
            if has_extension(&path, "ldtk") {
                self.project(&path, &below, None);
            } else {
                self.add(path, below, None);
            }
        }
        if self.levels.len() == before {
            let problem = format!(
                "{}: no levels in this folder; those are .tmx, .tmj and .ldtk files that no {IGNORE_FILE} names, \
                 and bitmaps that --include names",
                folder.display()
            );
            self.trouble(folder, problem);
        }
    }

    fn world(&mut self, world: &Path) {
        let maps = match world::maps(world) {
            Ok(maps) => maps,
            Err(failure) => return self.trouble(world, failure.to_string()),
        };
        for map in maps {
            let outside = map.components().any(|c| c == Component::ParentDir);
            let below = if outside {
                PathBuf::from(map.file_name().unwrap_or_default())
            } else {
                map.clone()
            };
            self.add(world.with_file_name(map), below, Some(world.to_path_buf()));
        }
    }

    /// Every level of an LDtk project.
    fn project(&mut self, project: &Path, below: &Path, world: Option<&Path>) {
        let names = match pipeline::ldtk_levels(project) {
            Ok(names) => names,
            Err(failure) => return self.trouble(project, failure.to_string()),
        };
        for name in names {
            let part = |path: &Path| {
                let mut whole = path.file_name().unwrap_or_default().to_os_string();
                whole.push("#");
                whole.push(&name);
                path.with_file_name(whole)
            };
            self.add(part(project), part(below), world.map(Path::to_path_buf));
        }
    }
}

fn has_extension(path: &Path, extension: &str) -> bool {
    let own = path.extension().and_then(OsStr::to_str);
    own.is_some_and(|own| own.eq_ignore_ascii_case(extension))
}

/// A path without detours, to tell whether two are the same.
pub(super) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(plain.components().next_back(), Some(Component::Normal(_))) =>
            {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}
