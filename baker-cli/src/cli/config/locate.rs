//! Finding the configuration of a level.

use std::path::{Path, PathBuf};

/// The name of configuration files.
pub(crate) const NAME: &str = "navbake.toml";

/// The `navbake.toml` of a level: the one beside it, or else the nearest one in
/// its parent folders up to and including the current folder `cwd`. For a level
/// outside the current folder only the one beside it is used, because files
/// further up belong to other projects. For `-`, stdin, the one in the current
/// folder is used.
pub(crate) fn locate(level: &Path, cwd: &Path) -> Option<PathBuf> {
    let folder = level.parent().unwrap_or(Path::new(""));
    let beside = folder.join(NAME);
    if beside.is_file() {
        return Some(beside);
    }
    let absolute = std::path::absolute(cwd.join(folder)).ok()?;
    let inside = absolute.strip_prefix(cwd).ok()?;
    // `..` could lead out of the current folder.
    if inside.components().any(|c| c.as_os_str() == "..") {
        return None;
    }
    // A relative level gets a relative file, so that messages name the file
    // as the user would.
    let given = if folder.is_absolute() {
        cwd
    } else {
        Path::new("")
    };
    inside
        .ancestors()
        .skip(1)
        .map(|parent| given.join(parent).join(NAME))
        .find(|file| cwd.join(file).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_file_between_the_level_and_the_current_folder_is_used() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        let cwd = root.join("game");
        let levels = cwd.join("art/levels");
        std::fs::create_dir_all(&levels).unwrap();
        let level = levels.join("one.tmx");

        std::fs::write(root.join(NAME), "").unwrap();
        assert_eq!(locate(&level, &cwd), None, "above the current folder");
        std::fs::write(cwd.join(NAME), "").unwrap();
        assert_eq!(locate(&level, &cwd), Some(cwd.join(NAME)));
        std::fs::write(cwd.join("art").join(NAME), "").unwrap();
        assert_eq!(locate(&level, &cwd), Some(cwd.join("art").join(NAME)));
        std::fs::write(levels.join(NAME), "").unwrap();
        assert_eq!(locate(&level, &cwd), Some(levels.join(NAME)));

        let elsewhere = root.join("other/deep");
        std::fs::create_dir_all(&elsewhere).unwrap();
        assert_eq!(locate(&elsewhere.join("two.tmx"), &cwd), None);
    }

    #[test]
    fn a_relative_level_gets_a_relative_file() {
        let temp = tempfile::tempdir().unwrap();
        let cwd = temp.path().canonicalize().unwrap();
        std::fs::create_dir_all(cwd.join("levels")).unwrap();
        std::fs::write(cwd.join(NAME), "").unwrap();
        let found = locate(Path::new("levels/one.tmx"), &cwd);
        assert_eq!(found, Some(PathBuf::from(NAME)));
        assert_eq!(locate(Path::new("levels/../../one.tmx"), &cwd), None);
    }
}
