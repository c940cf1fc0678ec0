//! Help for misspelt names: "did you mean".

use std::path::Path;

use crate::cli::io::{file_name, folder_of};

/// The known name that is most like a misspelt one. At most a third of its
/// letters may differ: less similar names would be guesses.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let most = name.chars().count() / 3;
    (known.into_iter())
        .map(|known| (strsim::osa_distance(&name, &known.to_lowercase()), known))
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

/// Names are suggested in folders of at most this many files. A world may list
/// thousands of files that do not exist.
const MOST_NAMES: usize = 1000;

/// Help for a path that does not exist: which part of it is missing, and what
/// it may have meant. `None` when the file exists.
pub fn missing(path: &Path) -> Option<String> {
    if path.exists() {
        return None;
    }
    let mut first = path;
    while let Some(parent) = first.parent()
        && !parent.as_os_str().is_empty()
        && !parent.exists()
    {
        first = parent;
    }
    let folder = folder_of(first);
    let mut names: Vec<String> = (std::fs::read_dir(folder).into_iter().flatten())
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .take(MOST_NAMES + 1)
        .collect();
    if names.len() > MOST_NAMES {
        names.clear();
    }
    // Of equally similar names, the same one is suggested everywhere.
    names.sort_unstable();
    let meant = nearest(&file_name(first), names.iter().map(String::as_str));
    if let Some(name) = meant {
        let mut meant = first.with_file_name(name);
        meant.extend(path.strip_prefix(first).into_iter().flatten());
        return Some(format!("did you mean {}?", meant.display()));
    }
    (first != path).then(|| format!("there is no folder {}", first.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_similar_names_are_suggested() {
        let known = ["ground", "air", "ogre"];
        assert_eq!(nearest("gruond", known), Some("ground"));
        assert_eq!(nearest("Grond", known), Some("ground"));
        assert_eq!(nearest("AIR", known), Some("air"));
        assert_eq!(nearest("imp", known), None);
        assert_eq!(nearest("", known), None);
        assert_eq!(nearest("x", ["y"]), None);
    }
}
