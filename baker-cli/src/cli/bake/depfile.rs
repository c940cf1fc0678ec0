//! `--depfile`: which files each baked file was made from, in the syntax of make.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use crate::cli::bake::levels::FoundLevel;
use crate::cli::failure::Failure;
use crate::cli::io::{self, DEPFILE, is_dash};
use crate::cli::level_input::LevelInputs;

/// Writes the depfile of a run.
pub fn write(path: &Path, targets: &[FoundLevel], inputs: &[LevelInputs]) -> Result<(), Failure> {
    let rules: Vec<(_, Vec<_>)> = (targets.iter().zip(inputs))
        .filter(|(target, _)| !is_dash(&target.output) && target.problem.is_none())
        .map(|(target, inputs)| {
            let inputs = inputs.seen.iter().map(|seen| seen.path.as_path());
            (target.output.as_path(), inputs.collect())
        })
        .collect();
    let text = depfile(&rules)?;
    if is_dash(path) {
        return io::to_stdout(text.as_bytes());
    }
    // Levels may refer to files that are known only now.
    DEPFILE.replaceable(path)?;
    io::store(path, text.as_bytes())?;
    Ok(())
}

/// The text of a depfile: a rule for each baked file, then an empty rule for
/// each input. With the empty rules make does not stop when an input is gone.
fn depfile(rules: &[(&Path, Vec<&Path>)]) -> Result<String, Failure> {
    let mut text = String::new();
    let mut inputs = BTreeSet::new();
    for (output, inputs_of) in rules {
        let _ = write!(text, "{}:", escaped(output)?);
        let mut listed = BTreeSet::new();
        for input in inputs_of {
            let input = escaped(input)?;
            if listed.insert(input.clone()) {
                let _ = write!(text, " \\\n  {input}");
            }
        }
        text.push('\n');
        inputs.append(&mut listed);
    }
    for input in inputs {
        let _ = write!(text, "\n{input}:\n");
    }
    Ok(text)
}

/// Refuses levels and outputs that a depfile cannot name. Done before anything is baked:
/// build tools may take a baked file without its rule for up to date.
pub fn check(targets: &[FoundLevel]) -> Result<(), Failure> {
    let written = targets.iter().filter(|target| target.problem.is_none());
    for file in written.flat_map(|target| [&target.output, &target.level]) {
        escaped(file)?;
    }
    Ok(())
}

/// A path in the syntax that make and ninja read.
fn escaped(path: &Path) -> Result<String, Failure> {
    let text = path
        .to_str()
        .ok_or_else(|| refusal(path, "is not Unicode"))?;
    let text = text.strip_prefix("./").unwrap_or(text);
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' => return Err(refusal(path, "has a line break")),
            // make takes the first ones for its own syntax, wherever they are, and ninja
            // ends a name at the others.
            '=' | '%' | ';' | '|' | '*' | '<' | '>' | '^' | '`' | '\t' => {
                return Err(refusal(
                    path,
                    &format!("has {c:?}, which make or ninja would misread"),
                ));
            }
            // On Windows it stands only after the letter of a drive.
            ':' if cfg!(not(windows)) => escaped.push_str("\\:"),
            ' ' | '#' => {
                // Backslashes before an escaped character are doubled.
                let before = escaped.chars().rev().take_while(|c| *c == '\\').count();
                escaped.extend(std::iter::repeat_n('\\', before + 1));
                escaped.push(c);
            }
            '$' => escaped.push_str("$$"),
            '\\' if cfg!(windows) => escaped.push('/'),
            c => escaped.push(c),
        }
    }
    Ok(escaped)
}

fn refusal(path: &Path, why: &str) -> Failure {
    let problem = format_args!("--depfile cannot list a file whose name {why}");
    Failure::about(path, problem, "rename the file")
}
