//! Where the baked files go.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::cli::bake::args::BakeArgs;
use crate::cli::bake::collect::FoundLevels;
use crate::cli::failure::Failure;
use crate::cli::level_input::level_file;
use crate::cli::paths::{file_name, is_baked, is_dash, normalized, refuse_two_stdins};

/// A level and its baked file.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) level: PathBuf,
    pub(crate) output: PathBuf,
    /// The Tiled world that lists the level.
    pub(crate) world: Option<PathBuf>,
    /// Why the level cannot be baked, if that is already known.
    pub(crate) problem: Option<String>,
}

/// Each level with its baked file. No two levels have the same baked file.
pub(crate) fn targets(args: &BakeArgs, found: FoundLevels) -> Result<Vec<Target>, Failure> {
    let inputs: Vec<_> = args.levels.iter().map(PathBuf::as_path).collect();
    refuse_two_stdins(&inputs)?;
    let to_stdout = args.output.as_deref().is_some_and(is_dash);
    if to_stdout && (found.many || found.levels.len() > 1) {
        return Err(Failure::with_help(
            "only one level can be written to stdout",
            "give -o a folder",
        ));
    }
    if to_stdout && (args.json || args.check) {
        return Err(Failure::with_help(
            "--json and --check cannot be combined with -o -, which writes the baked file to stdout",
            "give -o a file",
        ));
    }
    let folder = output_folder(args.output.as_deref().filter(|_| !to_stdout), found.many)?;
    let mut taken: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
    let mut targets = Vec::with_capacity(found.levels.len());
    for found in found.levels {
        let level = found.level;
        let output = match (&args.output, folder) {
            (_, Some(folder)) => folder.join(baked_name(&found.below)),
            (Some(file), None) => file.clone(),
            (None, None) if is_dash(&level) => PathBuf::from("-"),
            (None, None) => baked_name(&level),
        };
        if found.problem.is_none() {
            if normalized(&output) == normalized(&level_file(&level)) && !is_dash(&level) {
                return Err(Failure::with_help(
                    format_args!(
                        "{}: the baked file would replace the level",
                        level.display()
                    ),
                    "give another file with -o",
                ));
            }
            if let Some(other) = taken.insert(normalized(&output), level.clone()) {
                return Err(Failure::with_help(
                    format_args!(
                        "{}: two levels would be written to this file: {} and {}",
                        output.display(),
                        other.display(),
                        level.display()
                    ),
                    "rename one, or bake them in separate runs",
                ));
            }
        }
        targets.push(Target {
            level,
            output,
            world: found.world,
            problem: found.problem,
        });
    }
    Ok(targets)
}

/// The output, if it is a folder: it exists as a folder, its name ends in a
/// slash, or several levels may be written to it.
fn output_folder(output: Option<&Path>, many: bool) -> Result<Option<&Path>, Failure> {
    let Some(output) = output else {
        return Ok(None);
    };
    let has_slash = (output.to_string_lossy()).ends_with(std::path::is_separator);
    if !(many || has_slash || output.is_dir()) {
        return Ok(None);
    }
    let refuse = |problem: &str| {
        Err(Failure::with_help(
            format_args!("{}: {problem}", output.display()),
            "several levels may be written there: name a folder with -o",
        ))
    };
    if output.exists() && !output.is_dir() {
        return refuse("not a folder");
    }
    if is_baked(output) && !output.exists() {
        return refuse("this is the name of a baked file");
    }
    Ok(Some(output))
}

/// The name of a level's baked file: `a.tmx` becomes `a.navmesh`, and the
/// level `w.ldtk#Level_0` of a project becomes `w.Level_0.navmesh`.
fn baked_name(level: &Path) -> PathBuf {
    let file = level_file(level);
    let own = file.file_name().map_or(0, std::ffi::OsStr::len);
    match file_name(level).get(own + 1..) {
        Some(part) if file != level => file.with_extension(format!("{part}.navmesh")),
        _ => level.with_extension("navmesh"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn baked_files_are_named_after_their_levels() {
        for (level, output) in [
            ("a/b.c.tmx", "a/b.c.navmesh"),
            ("a/w.ldtk#Level_0", "a/w.Level_0.navmesh"),
            ("a#b.tmx", "a#b.navmesh"),
            ("stdin", "stdin.navmesh"),
        ] {
            assert_eq!(
                baked_name(Path::new(level)),
                PathBuf::from(output),
                "{level}"
            );
        }
    }
}
