//! Finding the configuration of a level.

use std::path::{Component, Path, PathBuf};

use crate::source::up_to_repository;

/// The name of configuration files.
pub const NAME: &str = "navbake.toml";

/// The `navbake.toml` of a level: the one beside it, or else the nearest one in
/// its parent folders, up to the root of its repository or else of the file
/// system. It does not depend on the current folder `cwd`, except that relative
/// levels are relative to it. For `-`, stdin, the search begins there.
pub fn locate(level: &Path, cwd: &Path) -> Option<PathBuf> {
    let folder = level.parent().unwrap_or(Path::new(""));
    let absolute = std::path::absolute(cwd.join(folder)).ok()?;
    let absolute = resolved(&absolute);
    let mut files = up_to_repository(&absolute).map(|parent| parent.join(NAME));
    // Also a link that leads nowhere, or a folder: reading it says so.
    let file = files.find(|file| file.symlink_metadata().is_ok())?;
    // A relative level gets a relative file, so that messages name the file as the user
    // would.
    Some(if folder.is_absolute() {
        file
    } else {
        relative(&file, cwd)
    })
}

/// An absolute path without `..`. What `..` means after a symbolic link is
/// decided by the file system.
fn resolved(path: &Path) -> PathBuf {
    if !path.components().any(|c| c == Component::ParentDir) {
        return path.to_path_buf();
    }
    let real = std::fs::canonicalize(path);
    real.unwrap_or_else(|_| crate::cli::io::normalized(path))
}

/// An absolute path, seen from the folder `cwd`.
fn relative(path: &Path, cwd: &Path) -> PathBuf {
    let shared = (path.components())
        .zip(cwd.components())
        .take_while(|(a, b)| a == b);
    let shared = shared.count();
    let up = cwd.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(path.components().skip(shared)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_file_up_to_the_repository_is_used_from_every_folder() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        let game = root.join("game");
        let levels = game.join("art/levels");
        std::fs::create_dir_all(&levels).unwrap();
        std::fs::create_dir(game.join(".git")).unwrap();
        let level = levels.join("one.tmx");
        let is_found = |file: Option<PathBuf>| {
            for cwd in [&root, &game, &levels, Path::new("/")] {
                assert_eq!(locate(&level, cwd), file, "{}", cwd.display());
            }
        };
        std::fs::write(root.join(NAME), "").unwrap();
        is_found(None); // it is above the repository
        for folder in [&game, &game.join("art"), &levels] {
            std::fs::write(folder.join(NAME), "").unwrap();
            is_found(Some(folder.join(NAME)));
        }
        let outside = root.join("other/deep");
        std::fs::create_dir_all(&outside).unwrap();
        let found = locate(&outside.join("two.tmx"), &levels);
        assert_eq!(found, Some(root.join(NAME)));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_nowhere_is_found() {
        let temp = tempfile::tempdir().unwrap();
        let file = temp.path().canonicalize().unwrap().join(NAME);
        std::os::unix::fs::symlink("nowhere", &file).unwrap();
        let found = locate(&file.with_file_name("one.tmx"), Path::new("/"));
        assert_eq!(found, Some(file));
    }

    #[test]
    fn a_relative_level_gets_a_relative_file() {
        let temp = tempfile::tempdir().unwrap();
        let cwd = temp.path().canonicalize().unwrap();
        let levels = cwd.join("levels");
        std::fs::create_dir_all(&levels).unwrap();
        std::fs::write(cwd.join(NAME), "").unwrap();
        for (level, cwd, file) in [
            ("levels/one.tmx", &cwd, "navbake.toml"),
            ("one.tmx", &levels, "../navbake.toml"),
            ("-", &levels, "../navbake.toml"),
            ("../levels/../levels/one.tmx", &levels, "../navbake.toml"),
        ] {
            assert_eq!(locate(Path::new(level), cwd), Some(PathBuf::from(file)));
        }
    }
}
