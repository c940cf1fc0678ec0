//! `navbake diff`.

use std::io::Write;
use std::path::Path;

use super::args::{DiffArgs, DiffFormat, FailOn};
use super::terminal::Terminal;
use super::{Answer, Failure, pipeline, render};
use crate::report::diff::{self, Diff, Kind};
use crate::report::render::compare;

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
    if let Some(image) = &args.image
        && (*image == args.old || *image == args.new)
        && !pipeline::is_dash(image)
    {
        return Err(Failure::new(format!(
            "the picture would replace {} itself; give --image another name",
            image.display()
        )));
    }
    let old = pipeline::open(&args.old)?;
    let new = pipeline::open(&args.new)?;
    let names = [name(&args.old), name(&args.new)];
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

/// What reports call a file.
fn name(path: &Path) -> String {
    if pipeline::is_dash(path) {
        "stdin".to_string()
    } else {
        path.display().to_string()
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
