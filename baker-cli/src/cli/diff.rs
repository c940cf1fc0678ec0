//! `navbake diff`.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};

use crate::cli::args::ConfigFile;
use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::io::{self, is_dash, level_file, name_of, refuse_overwrite};
use crate::cli::mesh_input::{Asset, failed, level_path, meshes_in, open_mesh};
use crate::cli::terminal::Terminal;
use crate::report::FailedLevel;
use crate::report::diff::{self, Diff, DifferenceKind, FileDiff, FolderDiff};
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

impl DiffArgs {
    fn format(&self) -> DiffFormat {
        if self.json {
            DiffFormat::Json
        } else {
            self.format
        }
    }
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
    // A picture on stdout leaves no room for text.
    let writes_text = !args.image.as_deref().is_some_and(is_dash);
    let (old, new, diff) = match compare_two(&args.old, &args.new, args, terminal) {
        Ok(compared) => compared,
        Err(failed) => {
            let is_comment = matches!(args.format, DiffFormat::Markdown | DiffFormat::Github);
            let failed = FolderDiff {
                failed,
                ..FolderDiff::default()
            };
            if is_comment && writes_text {
                write_folders(args, &failed)?;
            }
            return Ok(ExitStatus::Error);
        }
    };
    args.config.warn_if_unread(terminal);
    if let Some(image) = &args.image {
        let agent = agent_to_draw(args, &diff)?;
        let picture = compare(&old.mesh, &new.mesh, &diff, agent).ok_or_else(|| {
            let both: Vec<_> = diff.agents.iter().map(|a| a.name.as_str()).collect();
            let problem = format_args!("no agent named {agent:?} is in both files");
            Failure::with_help(
                problem,
                format_args!("the agents in both are {}", both.join(", ")),
            )
        })?;
        io::write_png(&picture, image, terminal)?;
    }
    if writes_text {
        let mut text = Vec::new();
        let level = level_path(&args.new, &new.mesh);
        match args.format() {
            DiffFormat::Human => diff::human(&diff, &mut text)?,
            DiffFormat::Json => diff::json(&diff, &mut text)?,
            DiffFormat::Markdown => diff::markdown(&diff, &mut text)?,
            DiffFormat::Github => diff::github(&diff, &level, &mut text)?,
        }
        write_text(&text)?;
    }
    Ok(ExitStatus::answer(!fails(args, &diff)))
}

/// Compares two levels or baked files; errors are printed.
fn compare_two(
    old: &Path,
    new: &Path,
    args: &DiffArgs,
    terminal: &Terminal,
) -> Result<(Asset, Asset, Diff), Vec<FailedLevel>> {
    let names = [old, new].map(name_of);
    let open = |path: &Path| {
        open_mesh(path, &args.config, terminal).map_err(|failure| failed(path, &failure, terminal))
    };
    match [old, new].map(open) {
        [Ok(old), Ok(new)] => {
            let diff = Diff::new(&old.mesh, &new.mesh, [&names[0], &names[1]]);
            Ok((old, new, diff))
        }
        sides => Err(sides.into_iter().filter_map(Result::err).collect()),
    }
}

fn fails(args: &DiffArgs, diff: &Diff) -> bool {
    args.fail_on.iter().any(|kind| diff.has(*kind))
}

fn write_text(text: &[u8]) -> Result<(), Failure> {
    // `anstream` removes colours when stdout is not a terminal.
    let mut out = anstream::stdout();
    out.write_all(text)?;
    Ok(out.flush()?)
}

/// Compares the levels and baked files of two folders that have the same path
/// below them.
fn compare_folders(args: &DiffArgs, terminal: &Terminal) -> Result<ExitStatus, Failure> {
    if args.image.is_some() {
        let problem = "--image draws one level, not a folder";
        return Err(Failure::with_help(
            problem,
            "give the two files of the level",
        ));
    }
    let mut folders = FolderDiff::default();
    let mut pairs: BTreeMap<PathBuf, [Option<PathBuf>; 2]> = BTreeMap::new();
    // How the keys of levels begin that may be in what could not be read: of the project
    // `w.ldtk`, `w.`; of a folder, all.
    let mut unread: [Vec<String>; 2] = Default::default();
    for (side, folder) in [&args.old, &args.new].into_iter().enumerate() {
        for found in meshes_in(folder) {
            let key = found.baked();
            if let Some(problem) = found.problem {
                let failure = Failure::new(problem);
                folders
                    .failed
                    .push(failed(&found.level, &failure, terminal));
                let key = key.to_string_lossy();
                unread[side].push(key.trim_end_matches("navmesh").to_owned());
            } else {
                pairs.entry(key).or_default()[side] = Some(found.level);
            }
        }
    }
    let is_unread = |side: usize, key: &Path| {
        let key = key.to_string_lossy();
        unread[side].iter().any(|start| key.starts_with(start))
    };
    let mut is_bad = false;
    for (key, pair) in pairs {
        match pair {
            [Some(old), Some(new)] => match compare_two(&old, &new, args, terminal) {
                Ok((_, asset, diff)) => {
                    is_bad |= fails(args, &diff);
                    let level = level_path(&new, &asset.mesh);
                    folders.files.push(FileDiff { diff, level });
                }
                // The other files are still compared.
                Err(failed) => folders.failed.extend(failed),
            },
            // Not known to be removed or added: its project or folder could not be read.
            [Some(_), None] if is_unread(1, &key) => {}
            [None, _] if is_unread(0, &key) => {}
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
    write_folders(args, &folders)?;
    if !folders.failed.is_empty() {
        return Ok(ExitStatus::Error);
    }
    Ok(ExitStatus::answer(!is_bad))
}

fn write_folders(args: &DiffArgs, folders: &FolderDiff) -> Result<(), Failure> {
    let mut text = Vec::new();
    match args.format() {
        DiffFormat::Human => folders.human(&mut text)?,
        DiffFormat::Json => folders.json(&mut text)?,
        DiffFormat::Markdown => folders.markdown(&mut text)?,
        DiffFormat::Github => folders.github(&mut text)?,
    }
    write_text(&text)
}

/// The agent of `--agent`, or else the first one that differs.
fn agent_to_draw<'a>(args: &'a DiffArgs, diff: &'a Diff) -> Result<&'a str, Failure> {
    if let Some(agent) = &args.agent {
        return Ok(agent);
    }
    let differs = diff.agents.iter().find(|a| !a.is_empty());
    let agent = differs.or(diff.agents.first()).map(|a| a.name.as_str());
    agent.ok_or_else(|| Failure::new("the two files have no agent in common to draw"))
}
