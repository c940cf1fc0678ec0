//! The files that a level is read from, recorded while it is read.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use crate::source::{FileProvider, Folder, file_hash, level_file};

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

/// Hashes of files. Levels share tilesets: each is hashed once per run unless
/// it changes meanwhile.
#[derive(Debug, Default)]
pub(crate) struct HashCache(Mutex<BTreeMap<PathBuf, (FileStamp, [u8; 16])>>);

impl HashCache {
    fn get(&self, seen: &SeenFile) -> Option<[u8; 16]> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (stamp, hash) = known.get(&seen.path)?;
        (*stamp == seen.stamp).then_some(*hash)
    }

    fn insert(&self, seen: SeenFile, hash: [u8; 16]) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(seen.path, (seen.stamp, hash));
    }
}

/// The files of one level. Records which of them were asked for.
pub(crate) struct LevelFiles<'a> {
    folder: Folder,
    /// The level's own name and bytes, when it comes from stdin.
    stdin: Option<(&'a str, &'a [u8])>,
    hashes: &'a HashCache,
    seen: RefCell<Vec<SeenFile>>,
}

impl<'a> LevelFiles<'a> {
    /// The files in the folder of a level.
    pub(crate) fn beside(level: &Path, hashes: &'a HashCache) -> Self {
        Self {
            folder: Folder::new(level.parent().unwrap_or(Path::new(""))),
            stdin: None,
            hashes,
            seen: RefCell::default(),
        }
    }

    /// The level's own bytes under a name, and the files of the current folder.
    pub(crate) fn stdin(name: &'a str, bytes: &'a [u8], hashes: &'a HashCache) -> Self {
        Self {
            stdin: Some((level_file(name), bytes)),
            ..Self::beside(Path::new(""), hashes)
        }
    }

    /// Every file that was asked for, including files that do not exist.
    pub(crate) fn into_seen(self) -> Vec<SeenFile> {
        self.seen.into_inner()
    }

    /// Forgets the files asked for so far. The inputs of the previous bake are
    /// hashed to see whether a bake is due; the new bake may not use them.
    pub(crate) fn forget(&self) {
        self.seen.borrow_mut().clear();
    }

    /// The hash of a file.
    pub(crate) fn hash(&self, name: &str, limit: u64) -> io::Result<[u8; 16]> {
        if let Some(bytes) = self.piped(name) {
            return Ok(file_hash(bytes));
        }
        let seen = self.record(name);
        if let Some(hash) = self.hashes.get(&seen) {
            return Ok(hash);
        }
        let hash = file_hash(&self.folder.read(name, limit)?);
        self.hashes.insert(seen, hash);
        Ok(hash)
    }

    fn piped(&self, name: &str) -> Option<&'a [u8]> {
        self.stdin
            .and_then(|(own, bytes)| (own == name).then_some(bytes))
    }

    fn record(&self, name: &str) -> SeenFile {
        let now = SeenFile::now(self.folder.path(name));
        let mut seen = self.seen.borrow_mut();
        if !seen.iter().any(|seen| seen.path == now.path) {
            seen.push(now.clone());
        }
        now
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

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path(name)
    }
}
