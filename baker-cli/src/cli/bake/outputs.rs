//! Where the baked files go, and baked files whose level is gone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use navmesh_runtime::asset;

use crate::cli::bake::args::BakeArgs;
use crate::cli::bake::levels::{FoundLevel, FoundLevels};
use crate::cli::failure::Failure;
use crate::cli::io::{
    BAKED, DEPFILE, MAX_BAKED_BYTES, baked_name, file_name, folder_of, has_extension, in_folder,
    is_baked, is_dash, level_file, normalized, refuse_overwrite, visible_entries,
};
use crate::cli::level_input::Projects;
use crate::source::read_at_most;

/// What a run has to do.
pub struct Work {
    /// Each level with its baked file. No two have the same baked file.
    pub targets: Vec<FoundLevel>,
    /// Baked files whose level is gone.
    pub orphans: Vec<FoundLevel>,
    /// What the user should know about the levels that were found.
    pub notes: Vec<String>,
    pub projects: Projects,
}

impl Work {
    /// The levels to bake, and where their baked files go.
    pub fn find(args: &BakeArgs) -> Result<Self, Failure> {
        let mut found = FoundLevels::find(&args.levels, &args.include)?;
        // -o may name the baked file of a project that has one level.
        let is_project = matches!(&args.levels[..], [file] if has_extension(file, ["ldtk"]));
        let names_file = args
            .output
            .as_deref()
            .is_some_and(|o| is_dash(o) || is_baked(o));
        found.many &= !(is_project && names_file && found.levels.len() == 1);
        let to_stdout = args.output.as_deref().is_some_and(is_dash);
        if to_stdout && found.many {
            let problem = "only one level can be written to stdout";
            return Err(Failure::with_help(problem, "give -o a folder"));
        }
        if to_stdout && (args.json || args.writes_nothing()) {
            return Err(Failure::with_help(
                "--json, --check and --dry-run cannot be combined with -o -, which writes the baked file to stdout",
                "give -o a file",
            ));
        }
        skip_exports(&mut found);
        let folder = output_folder(args.output.as_deref().filter(|_| !to_stdout), found.many)?;
        for found in &mut found.levels {
            found.output = match (&args.output, folder) {
                (_, Some(folder)) => folder.join(found.baked()),
                (Some(file), None) => file.clone(),
                (None, None) if is_dash(&found.level) => PathBuf::from("-"),
                (None, None) => baked_name(&found.level),
            };
        }
        let mut work = Self {
            targets: found.levels,
            orphans: Vec::new(),
            notes: found.notes,
            projects: found.projects,
        };
        work.check_outputs(args)?;
        // With a file as output there is no folder to search.
        if args.output.is_none() || folder.is_some() {
            work.find_orphans(&args.levels, folder);
        }
        Ok(work)
    }

    /// Refuses outputs that two levels have, and those whose names are not those of outputs.
    fn check_outputs(&self, args: &BakeArgs) -> Result<(), Failure> {
        let mut taken: BTreeMap<PathBuf, &Path> = BTreeMap::new();
        for target in self
            .targets
            .iter()
            .filter(|target| target.problem.is_none())
        {
            let (level, output) = (target.level.as_path(), target.output.as_path());
            if let Some(other) = taken.insert(normalized(output), level) {
                let both = format!("{} and {}", other.display(), level.display());
                let problem = format!("two levels would be written to this file: {both}");
                let help = "rename one, or bake them in separate runs";
                return Err(Failure::about(output, problem, help));
            }
            refuse_overwrite(output, &[level], "-o")?;
            BAKED.check_name(output, "-o names the baked file")?;
        }
        let Some(depfile) = &args.depfile else {
            return Ok(());
        };
        if !is_dash(depfile) {
            DEPFILE.replaceable(depfile)?;
            DEPFILE.check_name(depfile, "--depfile names the depfile")?;
        } else if args.json || self.targets.iter().any(|target| is_dash(&target.output)) {
            let problem = "stdout can hold only one of the depfile, the baked file and --json";
            return Err(Failure::with_help(problem, "write the others to files"));
        }
        Ok(())
    }

    /// Finds the baked files that the arguments `named` of a run would have written, but of
    /// which the level no longer exists. `output` is the folder of `-o`.
    fn find_orphans(&mut self, named: &[PathBuf], output: Option<&Path>) {
        let outputs: BTreeSet<PathBuf> = (self.targets.iter())
            .map(|target| normalized(&target.output))
            .collect();
        let files: BTreeSet<PathBuf> = (self.targets.iter())
            .filter(|target| target.problem.is_none())
            .map(|target| normalized(&level_file(&target.level)))
            .collect();
        // Several folders may be baked into one: the level must be gone from all of them.
        let mut found: BTreeMap<PathBuf, (PathBuf, bool)> = BTreeMap::new();
        for named in named {
            let beside = if named.is_dir() {
                named
            } else if has_extension(named, ["ldtk"]) && named.is_file() {
                folder_of(named)
            } else {
                continue;
            };
            let folder = output.unwrap_or(beside);
            for entry in visible_entries(folder).build().flatten() {
                let path = entry.path();
                if !is_baked(path) || !path.is_file() || outputs.contains(&normalized(path)) {
                    continue;
                }
                let Ok(below) = path.strip_prefix(folder) else {
                    continue;
                };
                let source = source_of(path);
                let Some(level) = source.and_then(|it| level_below(named, below, &it)) else {
                    continue;
                };
                let file = level_file(&level);
                // A project that the run read has no such level: the outputs of its levels
                // are left out above.
                let is_gone =
                    !may_be_file(&file) || file != level && files.contains(&normalized(&file));
                let known = found.entry(in_folder(folder, below));
                known.or_insert((level, true)).1 &= is_gone;
            }
        }
        for (output, (level, is_gone)) in found {
            let orphan = FoundLevel::new(level, PathBuf::new());
            (self.orphans).extend(is_gone.then_some(FoundLevel { output, ..orphan }));
        }
    }
}

/// Skips maps that Tiled exported as JSON from a map which is baked too.
fn skip_exports(found: &mut FoundLevels) {
    let maps: BTreeSet<PathBuf> = (found.levels.iter())
        .filter(|found| found.problem.is_none() && has_extension(&found.level, ["tmx"]))
        .map(|found| normalized(&found.level).with_extension(""))
        .collect();
    let exports = (found.levels).extract_if(.., |found| {
        has_extension(&found.level, ["tmj", "json"])
            && maps.contains(&normalized(&found.level).with_extension(""))
    });
    for export in exports {
        let (map, export) = (export.level.with_extension("tmx"), export.level);
        let problem = format!("skipped, because it is the export of {}", map.display());
        found.notes.push(format!("{}: {problem}", export.display()));
    }
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
    let problem = if output.exists() && !output.is_dir() {
        "not a folder"
    } else if is_baked(output) && !output.exists() {
        "this is the name of a baked file"
    } else {
        return Ok(Some(output));
    };
    let help = "several levels may be written there: name a folder with -o";
    Err(Failure::about(output, problem, help))
}

/// The name of the level that a file was baked from; `None` for other files.
fn source_of(baked: &Path) -> Option<String> {
    let bytes = read_at_most(baked, MAX_BAKED_BYTES).ok()?;
    Some(asset::peek(&bytes).ok()?.provenance.source)
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
        return Some(in_folder(named, &below.with_file_name(source)));
    }
    let level = named.with_file_name(source);
    let is_beside = folder_of(below) == Path::new(".");
    (is_beside && file_name(&level_file(&level)) == file_name(named)).then_some(level)
}
