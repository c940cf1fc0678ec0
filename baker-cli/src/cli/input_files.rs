//! The files that a level is read from, recorded while it is read.

use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::source::{FileProvider, Folder, level_file};

/// When a file was last written and how long it is, to notice changes. `None`
/// when there is no file.
pub(crate) type FileStamp = Option<(SystemTime, u64)>;

/// The stamp of a file as it is now.
pub(crate) fn stamp(path: &Path) -> FileStamp {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

/// A file that was read or looked for, with its stamp from just before.
#[derive(Debug, Clone)]
pub(crate) struct SeenFile {
    pub(crate) path: PathBuf,
    pub(crate) stamp: FileStamp,
}

impl SeenFile {
    pub(crate) fn now(path: PathBuf) -> Self {
        let stamp = stamp(&path);
        Self { path, stamp }
    }
}

/// The files that a level was made from.
#[derive(Debug, Clone, Default)]
pub(crate) struct LevelInputs {
    pub(crate) seen: Vec<SeenFile>,
    pub(crate) config: Option<PathBuf>,
}

/// The files of one level. Records which of them were asked for.
pub(crate) struct LevelFiles<'a> {
    folder: Folder,
    /// The level's own name and bytes, when it comes from stdin.
    stdin: Option<(&'a str, &'a [u8])>,
    seen: RefCell<Vec<SeenFile>>,
}

impl<'a> LevelFiles<'a> {
    /// The files in the folder of a level.
    pub(crate) fn beside(level: &Path) -> Self {
        Self {
            folder: Folder::new(level.parent().unwrap_or(Path::new(""))),
            stdin: None,
            seen: RefCell::default(),
        }
    }

    /// The level's own bytes under a name, and the files of the current folder.
    pub(crate) fn stdin(name: &'a str, bytes: &'a [u8]) -> Self {
        Self {
            stdin: Some((level_file(name), bytes)),
            ..Self::beside(Path::new(""))
        }
    }

    /// Every file that was asked for, including files that do not exist.
    pub(crate) fn seen(&self) -> Vec<SeenFile> {
        self.seen.borrow().clone()
    }

    fn piped(&self, name: &str) -> Option<&'a [u8]> {
        self.stdin
            .and_then(|(own, bytes)| (own == name).then_some(bytes))
    }

    fn record(&self, name: &str) {
        let now = SeenFile::now(self.folder.path(name));
        let mut seen = self.seen.borrow_mut();
        if !seen.iter().any(|seen| seen.path == now.path) {
            seen.push(now);
        }
    }
}

impl FileProvider for LevelFiles<'_> {
    fn read(&self, name: &str, limit: u64) -> io::Result<Vec<u8>> {
        if let Some(bytes) = self.piped(name) {
            return Ok(bytes.to_vec());
        }
        self.record(name);
        self.folder.read(name, limit)
    }

    fn list(&self) -> io::Result<Vec<String>> {
        self.folder.list()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path(name)
    }
}
