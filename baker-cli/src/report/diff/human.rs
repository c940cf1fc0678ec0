//! A comparison for people at a terminal.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::Diff;
use super::findings::{Severity, Sign, sections};
use super::summary::summary;

/// Lines of a section, at most.
const MOST: usize = 24;

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// Writes it with colours, which whoever owns `out` may strip.
///
/// # Errors
/// Those of `out`.
pub fn human(diff: &Diff, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "{BOLD}{} -> {}{BOLD:#}: {}",
        diff.old.file,
        diff.new.file,
        summary(diff)
    )?;
    for section in sections(diff) {
        let (word, colour) = match section.severity {
            Severity::Error => ("error", AnsiColor::Red),
            Severity::Warning => ("warning", AnsiColor::Yellow),
            Severity::Notice => ("note", AnsiColor::Cyan),
        };
        let style = colour.on_default().bold();
        let agent = (section.agent.as_ref()).map_or_else(String::new, |a| format!("{a}: "));
        writeln!(
            out,
            "\n{style}{word}:{style:#} {BOLD}{agent}{}{BOLD:#}",
            section.title
        )?;
        for (sign, line) in section.lines.iter().take(MOST) {
            let style = match sign {
                Sign::Gone => AnsiColor::Red.on_default(),
                Sign::New => AnsiColor::Green.on_default(),
                Sign::Other => Style::new(),
            };
            writeln!(out, "  {style}{} {line}{style:#}", sign.symbol())?;
        }
        let more = section.lines.len().saturating_sub(MOST);
        if more > 0 {
            writeln!(
                out,
                "  {FAINT}… and {more} more; --format json has all{FAINT:#}"
            )?;
        }
    }
    Ok(())
}
