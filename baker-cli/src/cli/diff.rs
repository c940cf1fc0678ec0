//! `navbake diff`.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use crate::cli::args::ConfigFile;
use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::mesh_input::open_mesh;
use crate::cli::output;
use crate::cli::paths::{is_dash, name_of, refuse_two_stdins};
use crate::cli::protected::refuse_overwrite;
use crate::cli::terminal::Terminal;
use crate::report::diff::{self, Diff, DifferenceKind};
use crate::report::render::compare;

/// Compare two baked files: what a level edit changed for agents
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake diff old.navmesh new.navmesh
  navbake diff old.navmesh new.navmesh --image diff.png
  navbake diff old.navmesh new.navmesh --format markdown > comment.md
  navbake diff old.navmesh new.navmesh --format github --fail-on unreachable,traps
  git show HEAD:level.navmesh | navbake diff - level.navmesh

Platforms and links are compared by position and by what can be reached, not by their bytes or
numbers. A level that grew to the left or to the top is recognized. What breaks comes first: what
can no longer be reached from the markers of class `spawn`, then what can be entered but not left.

Exit status: 0 when nothing differs (with --fail-on: nothing of these kinds), otherwise 1.")]
pub(crate) struct DiffArgs {
    /// The older baked file or level; `-` reads stdin
    #[arg(value_name = "OLD", value_hint = ValueHint::FilePath)]
    old: PathBuf,
    /// The newer baked file or level; `-` reads stdin
    #[arg(value_name = "NEW", value_hint = ValueHint::FilePath)]
    new: PathBuf,
    #[command(flatten)]
    config: ConfigFile,
    /// Output format
    #[arg(long, value_enum, default_value_t = DiffFormat::Human)]
    format: DiffFormat,
    /// Exit with 1 only for these kinds of difference
    #[arg(long, value_enum, value_name = "KIND", value_delimiter = ',')]
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

pub(crate) fn run(args: &DiffArgs, terminal: &Terminal) -> Result<ExitStatus, Failure> {
    let inputs = [args.old.as_path(), &args.new];
    refuse_two_stdins(&inputs)?;
    if let Some(image) = &args.image {
        let read: Vec<_> = inputs.into_iter().chain(args.config.file()).collect();
        refuse_overwrite(image, &read, "--image")?;
    }
    let old = open_mesh(&args.old, &args.config, terminal)?;
    let new = open_mesh(&args.new, &args.config, terminal)?;
    let names = inputs.map(name_of);
    let diff = Diff::new(&old.mesh, &new.mesh, [&names[0], &names[1]]);
    if let Some(image) = &args.image {
        let agent = agent_to_draw(args, &diff)?;
        let picture = compare(&old.mesh, &new.mesh, &diff, agent).ok_or_else(|| {
            let both: Vec<_> = diff.agents.iter().map(|a| a.name.as_str()).collect();
            Failure::with_help(
                format_args!("no agent named {agent:?} is in both files"),
                format_args!("the agents in both are {}", both.join(", ")),
            )
        })?;
        output::write_png(&picture, image, terminal)?;
    }
    // A picture on stdout leaves no room for text.
    if !args.image.as_deref().is_some_and(is_dash) {
        let mut text = Vec::new();
        match args.format {
            DiffFormat::Human => diff::human(&diff, &mut text)?,
            DiffFormat::Json => diff::json(&diff, &mut text)?,
            DiffFormat::Markdown => diff::markdown(&diff, &mut text)?,
            DiffFormat::Github => diff::github(&diff, &mut text)?,
        }
        // `anstream` removes colours when stdout is not a terminal.
        let mut out = anstream::stdout();
        out.write_all(&text)?;
        out.flush()?;
    }
    let fails = if args.fail_on.is_empty() {
        diff.has(DifferenceKind::Any)
    } else {
        args.fail_on.iter().any(|kind| diff.has(*kind))
    };
    Ok(ExitStatus::answer(!fails))
}

/// The agent of `--agent`, or else the first one that differs.
fn agent_to_draw<'a>(args: &'a DiffArgs, diff: &'a Diff) -> Result<&'a str, Failure> {
    if let Some(agent) = &args.agent {
        return Ok(agent);
    }
    let differs = diff.agents.iter().find(|a| !a.is_empty());
    (differs.or(diff.agents.first()))
        .map(|a| a.name.as_str())
        .ok_or_else(|| Failure::new("the two files have no agent in common to draw"))
}
