//! Where the levels of one `navbake bake` go.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::super::Failure;
use super::super::pipeline::{is_dash, level_file};
use super::args::BakeArgs;
use super::collect::{Collected, Found, plain};

/// A level and where its baked file goes.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) level: PathBuf,
    pub(super) output: PathBuf,
    /// The world it was named by.
    pub(super) world: Option<PathBuf>,
    /// Why it cannot be baked, where that is known already.
    pub(super) problem: Option<String>,
}

/// Each level and where its baked file goes.
pub(super) fn targets(args: &BakeArgs, collected: Collected) -> Result<Vec<Target>, Failure> {
    let many = collected.many;
    let levels = &args.levels;
    if levels.iter().filter(|level| is_dash(level)).count() > 1 {
        return Err(Failure::new("stdin (-) can be baked only once"));
    }
    let to_stdout = args.output.as_deref().is_some_and(is_dash);
    if to_stdout && (many || collected.levels.len() > 1) {
        return Err(Failure::new(
            "only one level can be written to stdout; give -o a folder",
        ));
    }
    if to_stdout && (args.json || args.check) {
        return Err(Failure::new(
            "-o - writes the baked file to stdout, which leaves no room for --json and nothing for \
             --check to compare with",
        ));
    }
    let folder = match &args.output {
        Some(output) if !to_stdout => {
            let slash = output.to_string_lossy().ends_with(std::path::is_separator);
            (many || slash || output.is_dir()).then_some(output)
        }
        _ => None,
    };
    if let Some(folder) = folder
        && folder.exists()
        && !folder.is_dir()
    {
        return Err(Failure::new(format!(
            "{} is not a folder, but several levels are to be written there",
            folder.display()
        )));
    }
    let as_file = |folder: &Path| folder.extension().is_some_and(|e| e == "navmesh");
    if let Some(folder) = folder
        && as_file(folder)
        && !folder.exists()
    {
        return Err(Failure::new(format!(
            "{} is the name of a baked file, but several levels may be written there; name a folder, or one level",
            folder.display()
        )));
    }
    let mut taken: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
    let mut targets = Vec::with_capacity(collected.levels.len());
    for Found {
        level,
        below,
        world,
        problem,
    } in collected.levels
    {
        let output = match (&args.output, folder) {
            (_, Some(folder)) => folder.join(baked(&below)),
            (Some(file), None) => file.clone(),
            (None, None) if is_dash(&level) => PathBuf::from("-"),
            (None, None) => baked(&level),
        };
        if problem.is_none() {
            if plain(&output) == plain(&level_file(&level)) && !is_dash(&level) {
                return Err(Failure::new(format!(
                    "{} would be replaced by its own bake; give another name with -o",
                    level.display()
                )));
            }
            if let Some(other) = taken.insert(plain(&output), level.clone()) {
                return Err(Failure::new(format!(
                    "two levels would be written to {}: {} and {}; bake them in separate runs, or rename one",
                    output.display(),
                    other.display(),
                    level.display()
                )));
            }
        }
        targets.push(Target {
            level,
            output,
            world,
            problem,
        });
    }
    Ok(targets)
}

/// The name of a level's baked file: `a.tmx` becomes `a.navmesh`, and the
/// level `w.ldtk#Level_0` of a project `w.Level_0.navmesh`.
fn baked(level: &Path) -> PathBuf {
    let file = level_file(level);
    let own = file.file_name().map_or(0, std::ffi::OsStr::len);
    let name = level.file_name().unwrap_or_default().to_string_lossy();
    match name.get(own + 1..) {
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
            assert_eq!(baked(Path::new(level)), PathBuf::from(output), "{level}");
        }
    }
}
