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
    let (temporary, mut file) = Temporary::beside(&path)?;
    file.write_all(bytes)?;
    if found {
        // The new file keeps who may read and write the old one.
        file.set_permissions(fs::metadata(&path)?.permissions())?;
    }
    file.sync_all()?;
    drop(file);
    temporary.become_file(&path)?;
    Ok(if found {
        Written::Replaced
    } else {
        Written::Created
    })
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
                ".{}-{}.tmp",
                std::process::id(),
                NEXT.fetch_add(1, Ordering::Relaxed)
            ));
            let path = path.with_file_name(temporary);
            match File::create_new(&path) {
                Ok(file) => {
                    let became = false;
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
