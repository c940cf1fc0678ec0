//! `--depfile`: what was read for what, in the syntax of make.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::super::Failure;

/// What one baked file was made from.
pub(super) struct Rule {
    pub(super) output: PathBuf,
    pub(super) inputs: Vec<PathBuf>,
}

/// The text of a depfile: a rule for each baked file, then one without
/// prerequisites for each file read, so that make goes on when one is gone.
pub(super) fn depfile(rules: &[Rule]) -> Result<String, Failure> {
    let mut text = String::new();
    let mut inputs = BTreeSet::new();
    for rule in rules {
        text.push_str(&escaped(&rule.output)?);
        text.push(':');
        let mut listed = BTreeSet::new();
        for input in &rule.inputs {
            let input = escaped(input)?;
            if listed.insert(input.clone()) {
                text.push_str(" \\\n  ");
                text.push_str(&input);
            }
        }
        text.push('\n');
        inputs.append(&mut listed);
    }
    for input in inputs {
        text.push('\n');
        text.push_str(&input);
        text.push_str(":\n");
    }
    Ok(text)
}

/// A path as make and ninja read it.
fn escaped(path: &Path) -> Result<String, Failure> {
    let refuse = |why: &str| {
        Failure::new(format!(
            "--depfile: {} {why}, which a depfile cannot hold; rename it",
            path.display()
        ))
    };
    let text = path.to_str().ok_or_else(|| refuse("is not Unicode"))?;
    let text = text.strip_prefix("./").unwrap_or(text);
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' => return Err(refuse("has a line break in its name")),
            ' ' | '#' => {
                // Backslashes before an escaped character count double.
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
    fn names_are_escaped_and_rules_complete() {
        let rule = |output: &str, inputs: &[&str]| Rule {
            output: output.into(),
            inputs: inputs.iter().map(PathBuf::from).collect(),
        };
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
