//! Where the levels of one `navbake bake` go.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::Failure;
use super::args::BakeArgs;
use super::pipeline::is_dash;

/// Each level and where its baked file goes.
pub(super) fn targets(args: &BakeArgs) -> Result<Vec<(PathBuf, PathBuf)>, Failure> {
    let many = args.levels.len() > 1;
    if args.levels.iter().filter(|level| is_dash(level)).count() > 1 {
        return Err(Failure::new("stdin (-) can be baked only once"));
    }
    let to_stdout = args.output.as_deref().is_some_and(is_dash);
    if to_stdout && many {
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
    if let Some(folder) = folder {
        if folder.exists() && !folder.is_dir() {
            return Err(Failure::new(format!(
                "{} is not a folder, but several levels are to be written there",
                folder.display()
            )));
        }
        if !args.check {
            std::fs::create_dir_all(folder)
                .map_err(|e| Failure::file("create the folder", folder, &e))?;
        }
    }
    let mut taken = BTreeSet::new();
    let mut targets = Vec::with_capacity(args.levels.len());
    for level in &args.levels {
        let output = match (&args.output, folder) {
            (_, Some(folder)) => {
                let name = if is_dash(level) {
                    Path::new("stdin")
                } else {
                    Path::new(level.file_name().unwrap_or_default())
                };
                folder.join(name).with_extension("navmesh")
            }
            (Some(file), None) => file.clone(),
            (None, None) if is_dash(level) => PathBuf::from("-"),
            (None, None) => level.with_extension("navmesh"),
        };
        if output == *level && !is_dash(level) {
            return Err(Failure::new(format!(
                "{} would be replaced by its own bake; give another name with -o",
                level.display()
            )));
        }
        if !taken.insert(output.clone()) {
            return Err(Failure::new(format!(
                "two levels would be written to {}; bake them in separate runs, or rename one",
                output.display()
            )));
        }
        targets.push((level.clone(), output));
    }
    Ok(targets)
}
