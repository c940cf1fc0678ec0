//! `navbake diff`.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::terminal::Terminal;
use super::{Answer, Failure, output, pipeline, render};
use crate::report::diff::{self, Diff, Kind};
use crate::report::render::compare;

/// Tell what a level edit did to navigation: two baked files compared
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake diff old.navmesh new.navmesh
  navbake diff old.navmesh new.navmesh --image diff.png
  navbake diff old.navmesh new.navmesh --format markdown > comment.md
  navbake diff old.navmesh new.navmesh --format github --fail-on unreachable,traps
  git show HEAD:level.navmesh | navbake diff - level.navmesh

Things are compared by where they are and what can be reached, not by their bytes or numbers; a
level that grew to the left or to the top is found again. What breaks comes first: what can no
longer be reached from the markers of class `spawn`, then what can be entered but not left.

Exit status: 0 when nothing differs (with --fail-on: nothing of these kinds), 1 when it does.")]
pub(super) struct DiffArgs {
    /// The baked file before; `-` for stdin
    #[arg(value_name = "OLD", value_hint = ValueHint::FilePath)]
    old: PathBuf,
    /// The baked file after; `-` for stdin
    #[arg(value_name = "NEW", value_hint = ValueHint::FilePath)]
    new: PathBuf,
    /// How to tell it
    #[arg(long, value_enum, default_value_t = DiffFormat::Human)]
    format: DiffFormat,
    /// Exit 1 only for these kinds of difference
    #[arg(long, value_enum, value_name = "KIND", value_delimiter = ',')]
    fail_on: Vec<FailOn>,
    /// Also draw both: added in one colour, removed in another
    #[arg(long, value_name = "PNG", value_hint = ValueHint::FilePath)]
    image: Option<PathBuf>,
    /// Whose layer to draw; the first with a difference by default
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
}

/// How `navbake diff` tells what differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DiffFormat {
    /// For a terminal
    Human,
    /// For programs
    Json,
    /// For a comment on a pull request
    Markdown,
    /// Annotations of a GitHub workflow
    Github,
}

/// Kinds of difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// A link is gone
    RemovedLinks,
    /// Something can no longer be reached
    Unreachable,
    /// Something new can be entered but not left
    Traps,
    /// Anything at all
    Any,
}

pub(super) fn run(args: &DiffArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    if pipeline::is_dash(&args.old) && pipeline::is_dash(&args.new) {
        return Err(Failure::new(
            "only one of the two files can be stdin (-); write the other to a file first",
        ));
    }
    if args.agent.is_some() && args.image.is_none() {
        return Err(Failure::new(
            "--agent says whose picture to draw; give --image OUT.png too",
        ));
    }
    if let Some(image) = &args.image {
        let inputs = [args.old.as_path(), &args.new];
        output::refuse_overwrite(image, &inputs, "picture", "--image another name")?;
    }
    let old = pipeline::open(&args.old)?;
    let new = pipeline::open(&args.new)?;
    let names = [&args.old, &args.new].map(|path| pipeline::name_of(path));
    let diff = Diff::new(&old.mesh, &new.mesh, [&names[0], &names[1]]);
    if let Some(output) = &args.image {
        let agent = picture_of(args, &diff)?;
        let picture = compare(&old.mesh, &new.mesh, &diff, agent).ok_or_else(|| {
            let both: Vec<_> = diff.agents.iter().map(|a| a.name.as_str()).collect();
            Failure::new(format!(
                "no agent named {agent:?} is in both files; there are {}",
                both.join(", ")
            ))
        })?;
        render::write(&picture, output, terminal)?;
    }
    // With the picture on stdout there is no room for words.
    if !args.image.as_deref().is_some_and(pipeline::is_dash) {
        let mut text = Vec::new();
        match args.format {
            DiffFormat::Human => diff::human(&diff, &mut text)?,
            DiffFormat::Json => diff::json(&diff, &mut text)?,
            DiffFormat::Markdown => diff::markdown(&diff, &mut text)?,
            DiffFormat::Github => diff::github(&diff, &mut text)?,
        }
        // Strips colours where nobody sees them.
        let mut out = anstream::stdout();
        out.write_all(&text)?;
        out.flush()?;
    }
    let fails = if args.fail_on.is_empty() {
        diff.has(Kind::Any)
    } else {
        args.fail_on.iter().any(|kind| diff.has(kind_of(*kind)))
    };
    Ok(if fails { Answer::No } else { Answer::Yes })
}

fn kind_of(kind: FailOn) -> Kind {
    match kind {
        FailOn::RemovedLinks => Kind::RemovedLinks,
        FailOn::Unreachable => Kind::Unreachable,
        FailOn::Traps => Kind::Traps,
        FailOn::Any => Kind::Any,
    }
}

/// Whose picture: as told, or the first agent for whom something differs.
fn picture_of<'a>(args: &'a DiffArgs, diff: &'a Diff) -> Result<&'a str, Failure> {
    if let Some(agent) = &args.agent {
        return Ok(agent);
    }
    let differs = diff.agents.iter().find(|a| !a.is_empty());
    (differs.or(diff.agents.first()))
        .map(|a| a.name.as_str())
        .ok_or_else(|| Failure::new("the two files have no agent in common to draw"))
}
