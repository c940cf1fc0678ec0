//! Assets on disk.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::{AssetError, decode};
use crate::mesh::NavMesh;

/// Reads an asset from a file.
///
/// # Errors
/// When the file cannot be read or is not a valid asset; the message names
/// the file.
pub fn load(path: impl AsRef<Path>) -> Result<NavMesh, AssetError> {
    let path = path.as_ref();
    let bytes = fs::read(path).map_err(|source| AssetError::Io {
        path: path.to_owned(),
        source,
    })?;
    decode(&bytes).map_err(|source| AssetError::File {
        path: path.to_owned(),
        source: Box::new(source),
    })
}

/// What [`write_if_changed`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// There was no such file; now there is.
    Created,
    /// The file had other content; it was replaced.
    Replaced,
    /// The file had that very content and was not touched.
    Unchanged,
}

/// Makes a file hold these bytes, so that whoever reads it finds either the
/// old content or the new, and a build that compares times sees a change only
/// where there is one.
///
/// The bytes go to a temporary file in the same folder, which then takes the
/// file's name. Where the path is a symbolic link, the file it points to is
/// replaced, not the link.
///
/// # Errors
/// What the system says; the old content, if any, is then still there.
pub fn write_if_changed(path: impl AsRef<Path>, bytes: &[u8]) -> io::Result<Written> {
    let path = path.as_ref();
    let (path, found) = match fs::canonicalize(path) {
        Ok(real) => (real, true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => (path.to_owned(), false),
        Err(error) => return Err(error),
    };
    if found && holds(&path, bytes)? {
        return Ok(Written::Unchanged);
    }
    // Another process may sweep a temporary file away before it is locked.
    let mut left = 3;
    while let Err(error) = replace(&path, bytes, found) {
        left -= 1;
        if left == 0 || error.kind() != io::ErrorKind::NotFound {
            return Err(error);
        }
    }
    Ok(if found {
        Written::Replaced
    } else {
        Written::Created
    })
}

/// Removes temporary files of assets that were left in a folder when a
/// process was killed in [`write_if_changed`]; tells how many. Those still
/// being written are left alone.
///
/// # Errors
/// When the folder cannot be read. Files that cannot be removed stay.
pub fn sweep(folder: impl AsRef<Path>) -> io::Result<usize> {
    let mut swept = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if !is_temporary(&name.to_string_lossy()) {
            continue;
        }
        let path = entry.path();
        // Whoever writes it holds its lock; the lock of a process that was
        // killed is gone.
        let abandoned = File::open(&path).is_ok_and(|file| file.try_lock().is_ok());
        if abandoned && fs::remove_file(&path).is_ok() {
            swept += 1;
        }
    }
    Ok(swept)
}

/// Whether a file's name is one that [`Temporary::beside`] gives.
fn is_temporary(name: &str) -> bool {
    let numbers = name
        .strip_prefix('.')
        .and_then(|rest| rest.strip_suffix(TEMPORARY))
        .and_then(|rest| rest.rsplit_once('.'))
        .and_then(|(_, numbers)| numbers.split_once('-'));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    numbers.is_some_and(|(process, number)| digits(process) && digits(number))
}

/// How the names of temporary files end.
const TEMPORARY: &str = ".navmesh-tmp";

/// Writes a new file and lets it take the name.
fn replace(path: &Path, bytes: &[u8], found: bool) -> io::Result<()> {
    let (temporary, mut file) = Temporary::beside(path)?;
    file.write_all(bytes)?;
    if found {
        // The new file keeps who may read and write the old one.
        file.set_permissions(fs::metadata(path)?.permissions())?;
    }
    file.sync_all()?;
    temporary.become_file(path)
    // Only now is the lock given up, with `file`.
}

/// Whether a file holds exactly these bytes.
fn holds(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let metadata = fs::metadata(path)?;
    Ok(metadata.is_file() && metadata.len() == bytes.len() as u64 && fs::read(path)? == bytes)
}

/// A file that is removed again unless it becomes another.
struct Temporary {
    path: PathBuf,
    became: bool,
}

impl Temporary {
    /// A new file in the same folder, open for writing. Its name is unlike
    /// that of any other process or thread; one left over from a crash is
    /// stepped over.
    fn beside(path: &Path) -> io::Result<(Self, File)> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = path
            .file_name()
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "not the name of a file"))?;
        loop {
            let mut temporary = std::ffi::OsString::from(".");
            temporary.push(name);
            temporary.push(format!(
                ".{}-{}{TEMPORARY}",
                std::process::id(),
                NEXT.fetch_add(1, Ordering::Relaxed)
            ));
            let path = path.with_file_name(temporary);
            match File::create_new(&path) {
                Ok(file) => {
                    let became = false;
                    // A file system without locks has nothing to sweep by
                    // either: there it is left unlocked, and stays if the
                    // process is killed.
                    let _ = file.try_lock();
                    return Ok((Self { path, became }, file));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn become_file(mut self, path: &Path) -> io::Result<()> {
        fs::rename(&self.path, path)?;
        self.became = true;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.became {
            // Nothing more can be done if even this fails.
            let _ = fs::remove_file(&self.path);
        }
    }
}
