//! Files as they are read, and when they were last changed.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use crate::source::{FileProvider, Folder, file_hash, level_file};

/// Tells whether a file was changed since: when it was last written and how
/// long it is. `None` for one that is not there.
pub(in crate::cli) type Stamp = Option<(SystemTime, u64)>;

/// The stamp of a file as it is now.
pub(in crate::cli) fn stamp(path: &Path) -> Stamp {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

/// A file that was looked at, with its stamp from just before.
#[derive(Debug, Clone)]
pub(in crate::cli) struct Seen {
    pub(in crate::cli) path: PathBuf,
    pub(in crate::cli) stamp: Stamp,
}

impl Seen {
    /// A file about to be looked at.
    pub(in crate::cli) fn now(path: PathBuf) -> Self {
        let stamp = stamp(&path);
        Self { path, stamp }
    }
}

/// The hashes of files that several levels share, each taken once a run unless
/// the file changes meanwhile.
#[derive(Debug, Default)]
pub(in crate::cli) struct Hashes(Mutex<BTreeMap<PathBuf, (Stamp, [u8; 16])>>);

impl Hashes {
    fn get(&self, seen: &Seen) -> Option<[u8; 16]> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (stamp, hash) = known.get(&seen.path)?;
        (*stamp == seen.stamp).then_some(*hash)
    }

    fn put(&self, seen: Seen, hash: [u8; 16]) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(seen.path, (seen.stamp, hash));
    }
}

/// The files of one level, which remembers what was asked of it.
pub(in crate::cli) struct Files<'a> {
    folder: Folder,
    /// The level's own name and bytes, where they came from stdin.
    stdin: Option<(&'a str, &'a [u8])>,
    hashes: &'a Hashes,
    seen: RefCell<Vec<Seen>>,
}

impl<'a> Files<'a> {
    /// The files beside a level.
    pub(in crate::cli) fn beside(level: &Path, hashes: &'a Hashes) -> Self {
        let folder = level.parent().unwrap_or(Path::new(""));
        Self {
            folder: Folder::new(folder),
            stdin: None,
            hashes,
            seen: RefCell::default(),
        }
    }

    /// The current folder's files, and the level's own bytes under a name.
    pub(in crate::cli) fn stdin(name: &'a str, bytes: &'a [u8], hashes: &'a Hashes) -> Self {
        Self {
            stdin: Some((level_file(name), bytes)),
            ..Self::beside(Path::new(""), hashes)
        }
    }

    /// What was read so far, even in vain.
    pub(in crate::cli) fn into_seen(self) -> Vec<Seen> {
        self.seen.into_inner()
    }

    /// Forgets what was looked at only to tell whether a bake is due: that may
    /// be of no more use to the level.
    pub(in crate::cli) fn forget(&self) {
        self.seen.borrow_mut().clear();
    }

    fn note(&self, name: &str) -> Seen {
        let now = Seen::now(self.folder.path(name));
        let mut seen = self.seen.borrow_mut();
        if !seen.iter().any(|seen| seen.path == now.path) {
            seen.push(now.clone());
        }
        now
    }

    /// The hash of a file.
    pub(super) fn hash(&self, name: &str, limit: u64) -> io::Result<[u8; 16]> {
        if let Some((own, bytes)) = self.stdin
            && own == name
        {
            return Ok(file_hash(bytes));
        }
        let seen = self.note(name);
        if let Some(hash) = self.hashes.get(&seen) {
            return Ok(hash);
        }
        let hash = file_hash(&self.folder.read(name, limit)?);
        self.hashes.put(seen, hash);
        Ok(hash)
    }
}

impl FileProvider for Files<'_> {
    fn read(&self, name: &str, limit: u64) -> io::Result<Vec<u8>> {
        if let Some((own, bytes)) = self.stdin
            && own == name
        {
            return Ok(bytes.to_vec());
        }
        self.note(name);
        self.folder.read(name, limit)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path(name)
    }
}
