//! Baked files whose level is gone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::cli::paths::{
    file_name, folder_of, has_extension, is_baked, level_file, normalized, visible_entries,
};
use crate::cli::protected::source_of;

/// A baked file whose level is gone.
pub(crate) struct Orphan {
    pub(crate) output: PathBuf,
    /// Where its level was.
    pub(crate) level: PathBuf,
}

/// The baked files that the arguments `named` of a run would have written, but
/// of which the level no longer exists. `output` is the folder of `-o`;
/// `outputs` are the normalized baked files of the run, and `levels` the
/// normalized files of the levels that can be baked.
pub(crate) fn find(
    named: &[PathBuf],
    output: Option<&Path>,
    outputs: &BTreeSet<PathBuf>,
    levels: &BTreeSet<PathBuf>,
) -> Vec<Orphan> {
    // Several folders may be baked into one.
    let mut sources: BTreeMap<&Path, Vec<&Path>> = BTreeMap::new();
    for named in named {
        if named.is_dir() || (has_extension(named, "ldtk") && named.is_file()) {
            let beside = if named.is_dir() {
                named
            } else {
                folder_of(named)
            };
            let folder = output.unwrap_or(beside);
            sources.entry(folder).or_default().push(named);
        }
    }
    let mut orphans = Vec::new();
    for (folder, sources) in sources {
        for entry in visible_entries(folder).build().flatten() {
            let path = entry.path();
            let Ok(below) = path.strip_prefix(folder) else {
                continue;
            };
            if !is_baked(path) || !path.is_file() || outputs.contains(&normalized(path)) {
                continue;
            }
            let Some(source) = source_of(path) else {
                continue;
            };
            // Where the level would be, for each argument that could have it.
            let places: Vec<PathBuf> = (sources.iter())
                .filter_map(|named| level_below(named, below, &source))
                .collect();
            let is_gone = |level: &PathBuf| {
                let file = level_file(level);
                // A project that the run read has no such level: the outputs of its levels are
                // left out above.
                !may_be_file(&file) || (file != *level && levels.contains(&normalized(&file)))
            };
            if let Some(level) = places.first()
                && places.iter().all(is_gone)
            {
                // Messages say `a.navmesh`, not `./a.navmesh`.
                let is_cwd = folder == Path::new(".");
                orphans.push(Orphan {
                    output: if is_cwd { below } else { path }.to_path_buf(),
                    level: level.clone(),
                });
            }
        }
    }
    orphans
}

/// Whether a path is that of a file, or cannot be looked at: its folder may be one that
/// only others can read.
fn may_be_file(path: &Path) -> bool {
    match fs::metadata(path) {
        Ok(metadata) => metadata.is_file(),
        Err(error) => !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
    }
}

/// The level of this name that an argument, a folder or a project, would have
/// baked to the path `below`.
fn level_below(named: &Path, below: &Path, source: &str) -> Option<PathBuf> {
    if named.is_dir() {
        let level = below.with_file_name(source);
        let is_cwd = named == Path::new(".");
        return Some(if is_cwd { level } else { named.join(level) });
    }
    let level = named.with_file_name(source);
    let is_beside = folder_of(below) == Path::new(".");
    (is_beside && file_name(&level_file(&level)) == file_name(named)).then_some(level)
}
