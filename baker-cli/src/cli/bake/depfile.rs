//! `--depfile`: which files each baked file was made from, in the syntax of make.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::cli::bake::targets::Target;
use crate::cli::failure::Failure;
use crate::cli::input_files::LevelInputs;
use crate::cli::output;
use crate::cli::paths::is_dash;
use crate::cli::protected::Protected;

/// Writes the depfile of a run.
pub(crate) fn write(
    path: &Path,
    targets: &[Target],
    inputs: &[LevelInputs],
) -> Result<(), Failure> {
    let rules: Vec<(_, Vec<_>)> = (targets.iter().zip(inputs))
        .filter(|(target, _)| !is_dash(&target.output) && target.problem.is_none())
        .map(|(target, inputs)| {
            let inputs = inputs.seen.iter().map(|seen| seen.path.as_path());
            (target.output.as_path(), inputs.collect())
        })
        .collect();
    let text = depfile(&rules)?;
    if is_dash(path) {
        return output::to_stdout(text.as_bytes());
    }
    let mut read = Protected::default();
    for input in rules.iter().flat_map(|(_, inputs)| inputs) {
        read.insert(input);
    }
    if is_picture(path) {
        // They are no inputs of a bake, which looks at them only to warn.
        for target in targets {
            read.insert_inputs(&target.level);
        }
    }
    read.refuse(path, "--depfile")?;
    output::store(path, text.as_bytes())?;
    Ok(())
}

/// Whether a file is a picture that a level may show. To find the pictures of every
/// level of a run takes longer than to see that nothing has changed.
fn is_picture(path: &Path) -> bool {
    let mut start = Vec::new();
    // Opening a pipe would wait for its writer.
    path.is_file()
        && File::open(path).is_ok_and(|file| file.take(32).read_to_end(&mut start).is_ok())
        && image::guess_format(&start).is_ok()
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

/// A path in the syntax that make and ninja read.
fn escaped(path: &Path) -> Result<String, Failure> {
    let refuse = |why: &str| {
        let problem = format_args!("--depfile cannot list a file whose name {why}");
        Failure::about(path, problem, "rename the file")
    };
    let text = path.to_str().ok_or_else(|| refuse("is not Unicode"))?;
    let text = text.strip_prefix("./").unwrap_or(text);
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' => return Err(refuse("has a line break")),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_and_every_input_has_a_rule() {
        fn rule<'a>(output: &'a str, inputs: &[&'a str]) -> (&'a Path, Vec<&'a Path>) {
            let inputs = inputs.iter().map(|input| Path::new(*input));
            (Path::new(output), inputs.collect())
        }
        let text = depfile(&[
            rule("out/a b.navmesh", &["./lev els/a#1.tmx", "t/$x.tsx"]),
            rule("c.navmesh", &["c.tmx", "t/$x.tsx", "t/$x.tsx"]),
        ]);
        let expected = "out/a\\ b.navmesh: \\\n  lev\\ els/a\\#1.tmx \\\n  t/$$x.tsx\n\
                        c.navmesh: \\\n  c.tmx \\\n  t/$$x.tsx\n\
                        \nc.tmx:\n\nlev\\ els/a\\#1.tmx:\n\nt/$$x.tsx:\n";
        assert_eq!(text.unwrap(), expected);
        assert!(depfile(&[rule("a\nb", &[])]).is_err());
    }
}
