//! A comparison as annotations of a GitHub workflow.

use std::io::{self, Write};

use super::Diff;
use super::findings::{Severity, sections};
use super::summary::summary;

/// Lines of an annotation; the page that shows them folds what is longer.
const MOST: usize = 10;

/// Writes workflow commands, one a section: a step shows ten annotations of a
/// severity at most, so lines are not given one each.
///
/// # Errors
/// Those of `out`.
pub fn github(diff: &Diff, out: &mut dyn Write) -> io::Result<()> {
    for section in sections(diff) {
        let command = match section.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Notice => "notice",
        };
        let agent = (section.agent.as_ref()).map_or_else(String::new, |a| format!("{a}: "));
        let mut lines: Vec<String> = (section.lines.iter().take(MOST))
            .map(|(sign, line)| format!("{} {agent}{line}", sign.symbol()))
            .collect();
        let more = section.lines.len().saturating_sub(MOST);
        if more > 0 {
            lines.push(format!("… and {more} more"));
        }
        writeln!(
            out,
            "::{command} file={},title={}::{}",
            property(&diff.new.file),
            property(&format!("{agent}{}", section.title)),
            data(&lines.join("\n"))
        )?;
    }
    if let Some([x, y]) = diff.shift {
        writeln!(
            out,
            "::notice file={},title=moved::{}",
            property(&diff.new.file),
            data(&format!("everything moved by {x},{y}"))
        )?;
    }
    // Plain lines go to the log.
    let files = data(&format!("{} -> {}", diff.old.file, diff.new.file));
    writeln!(out, "{files}: {}", summary(diff))
}

/// Escapes the text of a workflow command.
fn data(text: &str) -> String {
    (text.replace('%', "%25").replace('\r', "%0D")).replace('\n', "%0A")
}

/// Escapes a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
