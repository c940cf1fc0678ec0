//! Files that are replaced as a whole: a reader sees the old content or the
//! new one, never a part.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::cli::paths::file_name;

/// Writes a file, unless it has this content already: builds that compare
/// modification times then see a change only where there is one. Returns
/// whether the file was written.
///
/// The bytes go to a temporary file in the same folder, which is then renamed.
/// Where the path is a symbolic link, the file it points to is replaced, not
/// the link. A link that leads nowhere is replaced: to follow it would create a
/// file in a place that no argument names.
///
/// # Errors
/// Those of the system. The old content, if any, is then unchanged.
pub(crate) fn write_if_changed(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let (path, found) = match fs::canonicalize(path) {
        Ok(real) => (real, true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => (path.to_owned(), false),
        Err(error) => return Err(error),
    };
    if found && holds(&path, bytes)? {
        return Ok(false);
    }
    // Another process may remove the temporary file in `sweep` before it is
    // locked. That this happens three times in a row is not plausible.
    let mut left = 3;
    while let Err(error) = replace(&path, bytes, found) {
        left -= 1;
        if left == 0 || error.kind() != io::ErrorKind::NotFound {
            return Err(error);
        }
    }
    Ok(true)
}

/// Removes temporary files that killed processes left in a folder; returns how
/// many. Files that are still being written are kept.
///
/// # Errors
/// When the folder cannot be read. Files that cannot be removed are kept.
pub(crate) fn sweep(folder: &Path) -> io::Result<usize> {
    let mut swept = 0;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        // The writing process holds a lock, which ends with the process.
        let is_abandoned = || File::open(&path).is_ok_and(|file| file.try_lock().is_ok());
        if is_temporary(&file_name(&path)) && is_abandoned() && fs::remove_file(&path).is_ok() {
            swept += 1;
        }
    }
    Ok(swept)
}

/// Whether a file name is one that [`Temporary::beside`] gives.
fn is_temporary(name: &str) -> bool {
    let own = name
        .strip_prefix('.')
        .and_then(|rest| rest.strip_suffix(TEMPORARY));
    let numbers = own.and_then(|own| own.rsplit_once('.')?.1.split_once('-'));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    numbers.is_some_and(|(process, number)| digits(process) && digits(number))
}

/// The end of the names of temporary files.
const TEMPORARY: &str = ".navmesh-tmp";

/// How many characters of a name are in that of its temporary file. All of them
/// might not fit the 255 bytes that file systems allow.
const MAX_NAME: usize = 40;

/// Writes a temporary file and renames it.
fn replace(path: &Path, bytes: &[u8], found: bool) -> io::Result<()> {
    let (temporary, mut file) = Temporary::beside(path)?;
    file.write_all(bytes)?;
    if found {
        file.set_permissions(fs::metadata(path)?.permissions())?;
    }
    // Otherwise a crash of the system could leave the new name with a file without content.
    file.sync_all()?;
    temporary.rename(path)
    // `file`, and with it the lock, is dropped only here.
}

/// Whether a file has exactly these bytes.
fn holds(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let metadata = fs::metadata(path)?;
    Ok(metadata.is_file() && metadata.len() == bytes.len() as u64 && fs::read(path)? == bytes)
}

/// A file that is removed when dropped, unless it was renamed: in another
/// container, a process with the same number may then use the same name.
struct Temporary(Option<PathBuf>);

impl Temporary {
    /// Creates a file in the same folder and locks it. No other process or
    /// thread uses the same name; names left over from a crash are skipped.
    fn beside(path: &Path) -> io::Result<(Self, File)> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let no_name = || io::Error::new(io::ErrorKind::InvalidInput, "not the name of a file");
        let name = path.file_name().ok_or_else(no_name)?.to_string_lossy();
        let name: String = name.chars().take(MAX_NAME).collect();
        loop {
            // The process id differs between processes, the number between their files.
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let temporary = format!(".{name}.{}-{number}{TEMPORARY}", std::process::id());
            let path = path.with_file_name(temporary);
            match File::create_new(&path) {
                Ok(file) => {
                    // On a file system without locks the file stays unlocked,
                    // and is left behind if the process is killed: `sweep`
                    // cannot lock it there either.
                    let _ = file.try_lock();
                    return Ok((Self(Some(path)), file));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn rename(mut self, path: &Path) -> io::Result<()> {
        if let Some(own) = self.0.take() {
            // Kept for its removal if that fails.
            fs::rename(&own, path).inspect_err(|_| self.0 = Some(own))?;
        }
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // Nothing depends on the removal of a file that was not needed.
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_written_once_and_not_touched_after() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let path = folder.join("level.navmesh");
        let write = |bytes: &[u8]| write_if_changed(&path, bytes).unwrap();

        assert!(write(b"one"));
        let modified = || fs::metadata(&path).unwrap().modified().unwrap();
        let before = modified();
        assert!(!write(b"one"));
        assert_eq!(modified(), before);
        assert!(write(b"other"));
        assert_eq!(fs::read(&path).unwrap(), b"other");

        // The longest name that there can be, in bytes and in characters.
        for longest in ["a".repeat(255), "\u{fc}".repeat(127)] {
            assert!(write_if_changed(&folder.join(&longest), b"one").unwrap());
            fs::remove_file(folder.join(&longest)).unwrap();
        }

        // A folder in the way: an error, and nothing is left behind.
        let in_the_way = folder.join("folder");
        fs::create_dir_all(in_the_way.join("inner")).unwrap();
        assert!(write_if_changed(&in_the_way, b"one").is_err());
        assert!(write_if_changed(&folder.join("none/level"), b"one").is_err());
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap().file_name())
            .collect();
        names.sort();
        assert_eq!(names, ["folder", "level.navmesh"]);
    }

    #[test]
    fn sweep_removes_only_abandoned_temporary_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let others = [
            "a.navmesh",
            ".a.navmesh.tmp",
            "a.navmesh.12-0.navmesh-tmp",
            ".a.navmesh.12-x.navmesh-tmp",
            ".navmesh-tmp",
        ];
        for name in others {
            fs::write(path(name), "other").unwrap();
        }
        fs::write(path(".a.navmesh.12-0.navmesh-tmp"), "left over").unwrap();
        fs::write(path(".b.c.navmesh.7-31.navmesh-tmp"), "left over").unwrap();
        let busy = path(".b.navmesh.13-0.navmesh-tmp");
        let writer = File::create(&busy).unwrap();
        writer.lock().unwrap();
        assert_eq!(sweep(folder.path()).unwrap(), 2);
        assert!(busy.exists());
        drop(writer);
        assert_eq!(sweep(folder.path()).unwrap(), 1);
        assert!(others.iter().all(|name| path(name).exists()));
        assert_eq!(sweep(folder.path()).unwrap(), 0);
        assert!(sweep(&path("none")).is_err());
    }
}
