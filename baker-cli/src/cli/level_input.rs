//! Reading levels from files and from stdin, while the files are recorded, and baking them
//! in memory.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use navmesh_runtime::mesh::NavMesh;

use crate::bake::{Settings, bake};
use crate::cli::failure::Failure;
use crate::cli::io::level_file;
use crate::cli::terminal::Terminal;
use crate::config::Config;
use crate::source::{self, FileProvider, Folder, LdtkProject, LevelFile, SourceError};

/// When a file was last written and how long it is, to notice changes. `None`
/// when there is no file.
pub type FileStamp = Option<(SystemTime, u64)>;

pub fn stamp(path: &Path) -> FileStamp {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

/// A file that was read or looked for, with its stamp from just before.
#[derive(Debug, Clone)]
pub struct SeenFile {
    pub path: PathBuf,
    pub stamp: FileStamp,
}

impl AsRef<Path> for SeenFile {
    fn as_ref(&self) -> &Path {
        &self.path
    }
}

impl SeenFile {
    pub fn now(path: PathBuf) -> Self {
        let stamp = stamp(&path);
        Self { path, stamp }
    }
}

/// The files that a level was made from.
#[derive(Debug, Clone, Default)]
pub struct LevelInputs {
    pub seen: Vec<SeenFile>,
    pub config: Option<PathBuf>,
}

/// The LDtk projects of a run, each read and parsed once for all its levels, with its stamp
/// from just before.
#[derive(Debug, Default)]
pub struct Projects(BTreeMap<PathBuf, (SeenFile, LdtkProject)>);

impl Projects {
    /// Reads a project, unless it was read before, and returns the names of its levels.
    pub fn levels_of(&mut self, project: &Path) -> Result<Vec<String>, SourceError> {
        let (_, read) = match self.0.entry(project.to_path_buf()) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                // If the file is saved while it is read, it then counts as changed.
                let seen = SeenFile::now(project.to_path_buf());
                entry.insert((seen, LdtkProject::load(project)?))
            }
        };
        Ok(read.levels().map(str::to_owned).collect())
    }

    /// The project of a level, if it was read before.
    pub fn of(&self, level: &Path, files: &LevelFiles<'_>) -> Option<&LdtkProject> {
        let path = level_file(level);
        let (seen, project) = self.0.get(&path).filter(|_| path != level)?;
        files.add(seen.clone());
        Some(project)
    }
}

/// The files of one level. Records which of them are read or looked for.
pub struct LevelFiles<'a> {
    folder: Folder,
    /// The level's own name and bytes, when it comes from stdin.
    stdin: Option<(&'a str, &'a [u8])>,
    seen: RefCell<Vec<SeenFile>>,
}

impl<'a> LevelFiles<'a> {
    /// The files in the folder of a level.
    pub fn beside(level: &Path) -> Self {
        Self {
            folder: Folder::new(level.parent().unwrap_or(Path::new(""))),
            stdin: None,
            seen: RefCell::default(),
        }
    }

    /// The path under which a level is read, and its files. `piped` are its bytes if
    /// it comes from stdin; its other files are then those of the current folder.
    pub fn of(level: &'a Path, piped: Option<&'a [u8]>) -> (&'a Path, Self) {
        let Some(bytes) = piped else {
            return (level, Self::beside(level));
        };
        let name = stdin_name(bytes);
        let files = Self {
            stdin: Some((name, bytes)),
            ..Self::beside(Path::new(""))
        };
        (Path::new(name), files)
    }

    /// Every file that was read or looked for.
    pub fn seen(&self) -> Vec<SeenFile> {
        self.seen.borrow().clone()
    }

    fn add(&self, file: SeenFile) {
        let mut seen = self.seen.borrow_mut();
        if !seen.iter().any(|seen| seen.path == file.path) {
            seen.push(file);
        }
    }
}

/// The file name under which a level from stdin is read. Its extension follows
/// from the content.
fn stdin_name(bytes: &[u8]) -> &'static str {
    let text = bytes.trim_ascii_start();
    if bytes.starts_with(b"\x89PNG") {
        "stdin.png"
    } else if text.starts_with(b"pico-8 ") {
        "stdin.p8"
    } else if text.starts_with(b"[gd_scene") {
        "stdin.tscn"
    } else if text.is_empty() || text.starts_with(b"<") {
        "stdin.tmx"
    } else if !text.starts_with(b"{") {
        "stdin.txt"
    } else if text.windows(12).any(|w| w == b"\"__header__\"") {
        "stdin.ldtk"
    } else {
        "stdin.tmj"
    }
}

impl FileProvider for LevelFiles<'_> {
    fn read(&self, name: &str, limit: u64) -> io::Result<Vec<u8>> {
        if let Some((own, bytes)) = self.stdin
            && own == name
        {
            return Ok(bytes.to_vec());
        }
        self.add(SeenFile::now(self.folder.path(name)));
        self.folder.read(name, limit)
    }

    fn list(&self) -> io::Result<Vec<String>> {
        self.folder.list()
    }

    fn tiled_project(&self) -> Option<String> {
        self.folder.tiled_project()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path(name)
    }
}

/// Reads a level. `piped` are its bytes if it comes from stdin.
pub fn read_level(
    path: &Path,
    piped: Option<&[u8]>,
    config: &Config,
) -> Result<LevelFile, SourceError> {
    let (path, files) = LevelFiles::of(path, piped);
    source::read_from(path, &files, config.rules())
}

/// Bakes a level while a progress bar shows its name.
pub fn bake_level(
    level: &LevelFile,
    settings: &Settings,
    name: &str,
    terminal: &Terminal,
) -> Result<NavMesh, Failure> {
    let bar = terminal.bake_bar(name);
    bake(level, settings, &bar).map_err(|e| Failure::in_file(name, &e))
}
