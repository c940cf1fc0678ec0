//! Where the baked files go.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::cli::args::current_folder;
use crate::cli::bake::args::BakeArgs;
use crate::cli::bake::collect::{FoundLevel, FoundLevels};
use crate::cli::bake::orphans::{self, Orphan};
use crate::cli::failure::Failure;
use crate::cli::input_files::Projects;
use crate::cli::paths::{
    baked_name, has_extension, is_baked, is_dash, is_device_on_windows, is_level, level_file,
    normalized,
};
use crate::cli::protected::Protected;

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

/// What a run has to do.
#[derive(Default)]
#[expect(clippy::struct_field_names, reason = "targets, beside what is none")]
pub(crate) struct Targets {
    /// Each level with its baked file. No two have the same baked file.
    pub(crate) targets: Vec<Target>,
    /// Baked files whose level is gone.
    pub(crate) orphans: Vec<Orphan>,
    /// What the user should know about the levels that were found.
    pub(crate) notes: Vec<String>,
    pub(crate) projects: Projects,
}

/// The levels to bake, and where their baked files go.
pub(crate) fn targets(args: &BakeArgs, mut found: FoundLevels) -> Result<Targets, Failure> {
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
    let mut notes = std::mem::take(&mut found.notes);
    notes.extend(skip_exports(&mut found.levels));
    let folder = output_folder(args.output.as_deref().filter(|_| !to_stdout), found.many)?;
    let mut taken: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
    let mut in_small_letters: BTreeMap<String, PathBuf> = BTreeMap::new();
    let mut targets = Vec::with_capacity(found.levels.len());
    for found in found.levels {
        let level = found.level;
        let output = match (&args.output, folder) {
            (_, Some(folder)) => folder.join(baked_name(&found.below)),
            (Some(file), None) => file.clone(),
            (None, None) if is_dash(&level) => PathBuf::from("-"),
            (None, None) => baked_name(&level),
        };
        if found.problem.is_none()
            && let Some(other) = taken.insert(normalized(&output), level.clone())
        {
            let (other, level) = (other.display(), level.display());
            return Err(Failure::about(
                &output,
                format_args!("two levels would be written to this file: {other} and {level}"),
                "rename one, or bake them in separate runs",
            ));
        }
        let small = normalized(&output).to_string_lossy().to_lowercase();
        if let Some(other) = in_small_letters.insert(small, output.clone())
            && other != output
        {
            let (output, other) = (output.display(), other.display());
            let problem = format!("on Windows and macOS this is the same file as {other}");
            notes.push(format!("{output}: {problem}; rename one level"));
        }
        if is_device_on_windows(&output) {
            let output = output.display();
            let problem = "Windows reserves this name for a device";
            notes.push(format!("{output}: {problem}; rename the level"));
        }
        targets.push(Target {
            level,
            output,
            world: found.world,
            problem: found.problem,
        });
    }
    refuse_inputs(args, &targets)?;
    // With a file as output there is no folder to search.
    let orphans = if args.output.is_none() || folder.is_some() {
        let outputs = targets.iter().map(|target| normalized(&target.output));
        let good = targets.iter().filter(|target| target.problem.is_none());
        let levels = good.map(|target| normalized(&level_file(&target.level)));
        orphans::find(&args.levels, folder, &outputs.collect(), &levels.collect())
    } else {
        Vec::new()
    };
    Ok(Targets {
        targets,
        orphans,
        notes,
        projects: found.projects,
    })
}

/// Removes maps that Tiled exported as JSON from a map which is baked too.
/// Returns a note for each.
fn skip_exports(levels: &mut Vec<FoundLevel>) -> Vec<String> {
    let maps: BTreeSet<PathBuf> = (levels.iter())
        .filter(|found| found.problem.is_none() && has_extension(&found.level, "tmx"))
        .map(|found| normalized(&found.level).with_extension(""))
        .collect();
    let is_export = |found: &mut FoundLevel| {
        let is_json = ["tmj", "json"]
            .iter()
            .any(|e| has_extension(&found.level, e));
        is_json && maps.contains(&normalized(&found.level).with_extension(""))
    };
    let note = |found: FoundLevel| {
        let (export, map) = (found.level.display(), found.level.with_extension("tmx"));
        format!(
            "{export}: skipped, because it is the export of {}",
            map.display()
        )
    };
    levels.extract_if(.., is_export).map(note).collect()
}

/// Refuses to write to a file that the run reads, as far as these are known
/// before a level is read.
fn refuse_inputs(args: &BakeArgs, targets: &[Target]) -> Result<(), Failure> {
    let cwd = current_folder()?;
    let (mut inputs, mut outputs) = (Protected::default(), Protected::default());
    // Worlds and configurations.
    let mut shared = BTreeSet::new();
    for target in targets.iter().filter(|target| !is_dash(&target.level)) {
        inputs.insert(&level_file(&target.level));
        shared.extend(target.world.clone());
        shared.extend(args.config.locate(&target.level, &cwd));
    }
    for file in &shared {
        inputs.insert(file);
    }
    let written = targets.iter().filter(|target| target.problem.is_none());
    for target in written.filter(|target| !is_dash(&target.output)) {
        inputs.refuse(&target.output, "-o")?;
        if is_level(&target.output) || has_extension(&target.output, "toml") {
            let problem = "by its extension this is a level, a picture or a configuration, \
                           and -o names the baked file";
            let help = "end the name with .navmesh";
            return Err(Failure::about(&target.output, problem, help));
        }
        outputs.insert(&target.output);
    }
    if let Some(depfile) = &args.depfile {
        inputs.refuse(depfile, "--depfile")?;
        if is_dash(depfile) && (args.json || targets.iter().any(|target| is_dash(&target.output))) {
            let problem = "stdout can hold only one of the depfile, the baked file and --json";
            return Err(Failure::with_help(problem, "write the others to files"));
        }
        outputs.refuse(depfile, "--depfile").map_err(|_| {
            let help = "give another file with --depfile";
            Failure::about(depfile, "the depfile would replace a baked file", help)
        })?;
    }
    Ok(())
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
        let help = "several levels may be written there: name a folder with -o";
        Err(Failure::about(output, problem, help))
    };
    if output.exists() && !output.is_dir() {
        return refuse("not a folder");
    }
    if is_baked(output) && !output.exists() {
        return refuse("this is the name of a baked file");
    }
    Ok(Some(output))
}
