//! `navbake diff`.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};
use image::RgbImage;
use navmesh_runtime::mesh::NavMesh;

use crate::cli::args::ConfigFile;
use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::io::{self, is_dash, level_file, name_of, refuse_overwrite};
use crate::cli::mesh_input::{Asset, failed, level_path, meshes_in, open_mesh};
use crate::cli::terminal::Terminal;
use crate::report::FailedLevel;
use crate::report::diff::{Comparison, Diff, DifferenceKind, FileDiff};
use crate::report::render::compare;
use crate::source::SourceError;

/// Compare two levels or folders: what an edit changed for agents
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake diff old.navmesh new.navmesh
  navbake diff old.tmx new.tmx --image diff.png
  navbake diff ../release/levels levels                  every level of two folders
  navbake diff old.navmesh new.navmesh --format markdown > comment.md
  navbake diff old.navmesh new.navmesh --format github --fail-on unreachable,traps
  git show HEAD:level.navmesh | navbake diff - level.navmesh

Platforms and links are compared by position and by what can be reached, not by their bytes or
numbers. A level that grew to the left or to the top is recognized. What breaks comes first: what
can no longer be reached from the markers of class `spawn`, then what can be entered but not left.

Exit status: 0 when nothing differs (with --fail-on: nothing of these kinds), otherwise 1.")]
pub struct DiffArgs {
    /// The older baked file, level or folder; `-` reads stdin
    #[arg(value_name = "OLD", value_hint = ValueHint::FilePath)]
    old: PathBuf,
    /// The newer baked file, level or folder; `-` reads stdin
    #[arg(value_name = "NEW", value_hint = ValueHint::FilePath)]
    new: PathBuf,
    #[command(flatten)]
    config: ConfigFile,
    /// Output format
    #[arg(long, value_enum, default_value_t = DiffFormat::Human, conflicts_with = "json")]
    format: DiffFormat,
    /// Write JSON: the same as --format json
    #[arg(long)]
    json: bool,
    /// Exit with 1 only for these kinds of difference, separated by commas
    #[arg(
        long,
        value_enum,
        value_name = "KIND",
        value_delimiter = ',',
        default_value = "any",
        hide_default_value = true
    )]
    fail_on: Vec<DifferenceKind>,
    /// Also draw both files; colours show what was added and what was removed
    #[arg(long, value_name = "PNG", value_hint = ValueHint::FilePath)]
    image: Option<PathBuf>,
    /// Draw this agent's layer; the default is the first that differs
    #[arg(long, value_name = "NAME", requires = "image")]
    agent: Option<String>,
}

/// Output formats of `navbake diff`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DiffFormat {
    /// Text
    Human,
    /// JSON, for programs
    Json,
    /// Markdown, for a comment on a pull request
    Markdown,
    /// Annotations of a GitHub workflow
    Github,
}

pub fn run(args: &DiffArgs, terminal: &Terminal) -> Result<ExitStatus, Failure> {
    let inputs = [args.old.as_path(), &args.new];
    let read = args.config.inputs(inputs)?;
    if let Some(image) = &args.image {
        refuse_overwrite(image, &read, "--image")?;
    }
    match inputs.map(Path::is_dir) {
        [true, true] => compare_folders(args, terminal),
        [false, false] => compare_files(args, terminal),
        _ => Err(match inputs.into_iter().find(|input| is_missing(input)) {
            Some(missing) => SourceError::UnknownFormat {
                file: name_of(missing),
            }
            .into(),
            None => Failure::with_help(
                "a folder can be compared with a folder only",
                "give two folders, or two files",
            ),
        }),
    }
}

fn is_missing(input: &Path) -> bool {
    !is_dash(input) && !level_file(input).exists()
}

fn compare_files(args: &DiffArgs, terminal: &Terminal) -> Result<ExitStatus, Failure> {
    let mut comparison = Comparison {
        is_of_files: true,
        ..Comparison::default()
    };
    let mut status = ExitStatus::Error;
    match compare_two(&args.old, &args.new, args, terminal) {
        // The errors are printed already.
        Err(_) if !matches!(args.format, DiffFormat::Markdown | DiffFormat::Github) => {
            return Ok(status);
        }
        Err(failed) => comparison.failed = failed,
        Ok(([old, new], file)) => {
            args.config.warn_if_unread(terminal);
            if let Some(image) = &args.image {
                let picture = draw(args, &old.mesh, &new.mesh, &file.diff)?;
                io::write_png(&picture, image, terminal)?;
            }
            status = ExitStatus::answer(!fails(args, &file.diff));
            comparison.files.push(file);
        }
    }
    // A picture on stdout leaves no room for text.
    if !args.image.as_deref().is_some_and(is_dash) {
        write(args, &comparison)?;
    }
    Ok(status)
}

/// Compares two levels or baked files; errors are printed.
fn compare_two(
    old: &Path,
    new: &Path,
    args: &DiffArgs,
    terminal: &Terminal,
) -> Result<([Asset; 2], FileDiff), Vec<FailedLevel>> {
    let opened = [old, new].map(|path| {
        open_mesh(path, &args.config, terminal).map_err(|failure| failed(path, &failure, terminal))
    });
    match opened {
        [Ok(before), Ok(after)] => {
            let names = [old, new].map(name_of);
            let diff = Diff::new(&before.mesh, &after.mesh, [&names[0], &names[1]]);
            let level = level_path(new, &after.mesh);
            Ok(([before, after], FileDiff { diff, level }))
        }
        sides => Err(sides.into_iter().filter_map(Result::err).collect()),
    }
}

fn fails(args: &DiffArgs, diff: &Diff) -> bool {
    args.fail_on.iter().any(|kind| diff.has(*kind))
}

/// Compares the levels and baked files of two folders that have the same path
/// below them.
fn compare_folders(args: &DiffArgs, terminal: &Terminal) -> Result<ExitStatus, Failure> {
    if args.image.is_some() {
        let problem = "--image draws one level, not a folder";
        let help = "give the two files of the level";
        return Err(Failure::with_help(problem, help));
    }
    let mut folders = Comparison::default();
    let mut pairs: BTreeMap<PathBuf, [Option<PathBuf>; 2]> = BTreeMap::new();
    // How the keys of levels begin that may be in what could not be read: of the project
    // `w.ldtk`, `w.`; of a folder, all.
    let mut unread: [Vec<String>; 2] = Default::default();
    for (side, folder) in [&args.old, &args.new].into_iter().enumerate() {
        for found in meshes_in(folder) {
            let key = found.baked();
            if let Some(problem) = found.problem {
                let failure = Failure::new(problem);
                (folders.failed).push(failed(&found.level, &failure, terminal));
                let key = key.to_string_lossy();
                unread[side].push(key.trim_end_matches("navmesh").to_owned());
            } else {
                pairs.entry(key).or_default()[side] = Some(found.level);
            }
        }
    }
    let mut is_bad = false;
    for (key, pair) in pairs {
        let key = key.to_string_lossy();
        let is_unread = |side: usize| unread[side].iter().any(|start| key.starts_with(start));
        match pair {
            [Some(old), Some(new)] => match compare_two(&old, &new, args, terminal) {
                Ok((_, file)) => {
                    is_bad |= fails(args, &file.diff);
                    folders.files.push(file);
                }
                // The other files are still compared.
                Err(failed) => folders.failed.extend(failed),
            },
            // Not known to be removed or added: its project or folder could not be read.
            [Some(_), None] if is_unread(1) => {}
            [None, _] if is_unread(0) => {}
            [Some(old), None] => {
                folders.removed.push(name_of(&old));
                // Nothing of a level that is gone can be reached.
                is_bad |= args.fail_on.contains(&DifferenceKind::Any)
                    || args.fail_on.contains(&DifferenceKind::Unreachable);
            }
            [None, new] => {
                folders.added.extend(new.as_deref().map(name_of));
                is_bad |= args.fail_on.contains(&DifferenceKind::Any);
            }
        }
    }
    write(args, &folders)?;
    if !folders.failed.is_empty() {
        return Ok(ExitStatus::Error);
    }
    Ok(ExitStatus::answer(!is_bad))
}

fn write(args: &DiffArgs, comparison: &Comparison) -> Result<(), Failure> {
    let mut text = Vec::new();
    match args.format {
        _ if args.json => comparison.json(&mut text)?,
        DiffFormat::Human => comparison.human(&mut text)?,
        DiffFormat::Json => comparison.json(&mut text)?,
        DiffFormat::Markdown => comparison.markdown(&mut text)?,
        DiffFormat::Github => comparison.github(&mut text)?,
    }
    // `anstream` removes colours when stdout is not a terminal.
    let mut out = anstream::stdout();
    out.write_all(&text)?;
    Ok(out.flush()?)
}

/// Draws the agent of `--agent`, or else the first one that differs.
fn draw(args: &DiffArgs, old: &NavMesh, new: &NavMesh, diff: &Diff) -> Result<RgbImage, Failure> {
    let differs = diff.agents.iter().find(|agent| !agent.is_empty());
    let first = differs.or(diff.agents.first()).map(|agent| &agent.name);
    let Some(agent) = args.agent.as_ref().or(first) else {
        return Err(Failure::new(
            "the two files have no agent in common to draw",
        ));
    };
    compare(old, new, diff, agent).ok_or_else(|| {
        let both: Vec<_> = diff.agents.iter().map(|a| a.name.as_str()).collect();
        let help = format!("the agents in both are {}", both.join(", "));
        Failure::with_help(
            format_args!("no agent named {agent:?} is in both files"),
            help,
        )
    })
}
