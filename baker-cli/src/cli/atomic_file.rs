//! Files that are replaced as a whole: a reader sees the old content or the
//! new one, never a part.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::Path;

use crate::cli::paths::{file_name, folder_of};

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
    let (path, old) = match fs::canonicalize(path) {
        Ok(real) => (real.clone(), Some(fs::metadata(real)?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => (path.to_owned(), None),
        Err(error) => return Err(error),
    };
    let has_size = |old: &fs::Metadata| old.is_file() && old.len() == bytes.len() as u64;
    if old.as_ref().is_some_and(has_size) && fs::read(&path)? == bytes {
        return Ok(false);
    }
    let temporary = (tempfile::Builder::new().prefix(".").suffix(TEMPORARY))
        .make_in(folder_of(&path), create_locked)?;
    let mut file = temporary.as_file();
    file.write_all(bytes)?;
    if let Some(old) = old {
        file.set_permissions(old.permissions())?;
    }
    // Otherwise a crash of the system could leave the new name with a file without content.
    file.sync_all()?;
    // The lock ends when the file is dropped, after it was renamed.
    temporary.persist(&path)?;
    Ok(true)
}

/// The end of the names of temporary files.
const TEMPORARY: &str = ".navmesh-tmp";

/// Creates a temporary file, which [`sweep`] does not remove while it is open. On the
/// error [`io::ErrorKind::AlreadyExists`], another name must be tried.
fn create_locked(path: &Path) -> io::Result<File> {
    let file = File::create_new(path)?;
    // On a file system without locks `sweep` cannot lock the file either.
    let is_swept = matches!(file.try_lock(), Err(TryLockError::WouldBlock)) || !path.exists();
    if is_swept {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    Ok(file)
}

/// Removes temporary files that killed processes left in a folder, as far as they can
/// be. Files that are still being written are kept.
pub(crate) fn sweep(folder: &Path) {
    // A folder that does not exist yet has nothing to remove.
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), file_name(&entry.path()));
        let own = name.strip_prefix('.');
        if own.is_some_and(|own| own.ends_with(TEMPORARY))
            && let Ok(file) = File::open(&path)
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(&path);
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
            ".navmesh-tmp",
        ];
        for name in others {
            fs::write(path(name), "other").unwrap();
        }
        // The second name is that of earlier versions.
        let left_over = [".kQ3x9Z.navmesh-tmp", ".b.c.navmesh.7-31.navmesh-tmp"];
        for name in left_over {
            fs::write(path(name), "left over").unwrap();
        }
        let busy = path(".b0R7mn.navmesh-tmp");
        let writer = create_locked(&busy).unwrap();
        sweep(folder.path());
        assert!(left_over.iter().all(|name| !path(name).exists()));
        assert!(busy.exists());
        drop(writer);
        sweep(folder.path());
        assert!(!busy.exists());
        assert!(others.iter().all(|name| path(name).exists()));
        sweep(&path("none"));
    }
}
