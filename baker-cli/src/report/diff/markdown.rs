//! A comparison as a comment on a pull request.

use std::io::{self, Write};

use super::Diff;
use super::findings::{Section, Severity, sections};
use super::summary::summary;

/// Lines of a section that are shown at once; what is more is folded.
const OPEN: usize = 6;
/// Lines of a section, at most: a comment must stay below GitHub's 65,536
/// characters.
const MOST: usize = 60;

/// Writes it in GitHub's Markdown.
///
/// # Errors
/// Those of `out`.
pub fn markdown(diff: &Diff, out: &mut dyn Write) -> io::Result<()> {
    let sections = sections(diff);
    let icon = match sections.iter().map(|s| s.severity).min() {
        Some(Severity::Error) => "❌",
        Some(Severity::Warning) => "⚠️",
        _ if diff.same => "✅",
        _ => "ℹ️",
    };
    writeln!(out, "### {icon} Navigation of {}\n", code(&diff.new.source))?;
    writeln!(out, "{}.\n", capital(&summary(diff)))?;
    for section in &sections {
        write_section(section, out)?;
    }
    writeln!(
        out,
        "<sub>{} → {}, compared by <code>navbake diff</code></sub>",
        code(&diff.old.file),
        code(&diff.new.file)
    )
}

fn write_section(section: &Section, out: &mut dyn Write) -> io::Result<()> {
    let agent = (section.agent.as_ref()).map_or_else(String::new, |a| format!("{}: ", code(a)));
    let count = section.lines.len();
    // Notices are for those who want to know.
    let folded = section.severity == Severity::Notice || count > OPEN;
    let shown = if section.severity == Severity::Notice {
        0
    } else if count > OPEN {
        OPEN - 1
    } else {
        count
    };
    let title = capital(&section.title);
    if shown > 0 {
        writeln!(out, "**{agent}{title}**\n")?;
        for (sign, line) in &section.lines[..shown] {
            writeln!(out, "- {} {}", mark(sign.symbol()), escaped(line))?;
        }
        writeln!(out)?;
    }
    if folded {
        let head = if shown > 0 {
            format!("{} more", count - shown)
        } else {
            format!(
                "{}{title} ({count})",
                section
                    .agent
                    .as_ref()
                    .map_or_else(String::new, |a| format!("<code>{}</code>: ", html(a)))
            )
        };
        writeln!(out, "<details><summary>{head}</summary>\n")?;
        let rest = &section.lines[shown..];
        for (sign, line) in rest.iter().take(MOST) {
            writeln!(out, "- {} {}", mark(sign.symbol()), escaped(line))?;
        }
        let more = rest.len().saturating_sub(MOST);
        if more > 0 {
            writeln!(out, "- … and {more} more; `--format json` has all")?;
        }
        writeln!(out, "\n</details>\n")?;
    }
    Ok(())
}

/// A sign that Markdown does not take for a list.
fn mark(symbol: char) -> String {
    format!("`{symbol}`")
}

/// Text as code, whatever is in it.
fn code(text: &str) -> String {
    format!("`{}`", text.replace('`', "'").replace('\n', " "))
}

fn html(text: &str) -> String {
    (text.replace('&', "&amp;").replace('<', "&lt;")).replace('>', "&gt;")
}

/// A line in which names from the level cannot become markup. What is between
/// backticks is code already.
fn escaped(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for (i, part) in line.split('`').enumerate() {
        if i % 2 == 1 {
            out.push('`');
            out.push_str(&part.replace('\n', " "));
            out.push('`');
            continue;
        }
        for c in part.chars() {
            match c {
                '<' => out.push_str("&lt;"),
                '>' if !out.ends_with('-') => out.push_str("&gt;"),
                '>' => {
                    out.pop();
                    out.push('→');
                }
                '*' | '_' | '[' | ']' | '|' | '#' | '@' => {
                    out.push('\\');
                    out.push(c);
                }
                '\n' => out.push(' '),
                c => out.push(c),
            }
        }
    }
    out
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    (chars.next()).map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}
