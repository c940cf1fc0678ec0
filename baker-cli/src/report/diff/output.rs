//! A comparison for a terminal, a pull request, a GitHub workflow and programs.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::comparison::Diff;
use super::sections::{Line, Section, Sign, sections, summary};
use crate::report::finding::{Severity, annotate, escaped};
use crate::report::format::{html, position, printable};

/// Lines of a section shown in a terminal.
const TERMINAL_LINES: usize = 24;
/// Lines of a section that a comment shows unfolded.
const OPEN_LINES: usize = 6;
/// Folded lines of a section in a comment, which GitHub limits to 65,536
/// characters.
const COMMENT_LINES: usize = 60;
/// Lines of a GitHub annotation. The page of a pull request folds more.
const ANNOTATION_LINES: usize = 10;

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// Splits off the first `most` lines; the second value is the number of lines
/// left out.
fn first(lines: &[Line], most: usize) -> (&[Line], usize) {
    let shown = lines.len().min(most);
    (&lines[..shown], lines.len() - shown)
}

/// `ground: `, or nothing for differences of the level.
fn agent_prefix(section: &Section, shown: impl Fn(&str) -> String) -> String {
    let agent = section.agent.as_deref();
    agent.map_or_else(String::new, |agent| format!("{}: ", shown(agent)))
}

fn full_title(section: &Section) -> String {
    agent_prefix(section, str::to_owned) + &section.title
}

/// Writes text for a terminal, with colours that the owner of `out` may strip.
///
/// # Errors
/// Those of `out`.
pub fn human(diff: &Diff, out: &mut dyn Write) -> io::Result<()> {
    let [old, new] = [&diff.old.file, &diff.new.file].map(|file| printable(file));
    writeln!(out, "{BOLD}{old} -> {new}{BOLD:#}: {}", summary(diff))?;
    for section in sections(diff) {
        let colour = match section.severity {
            Severity::Error => AnsiColor::Red,
            Severity::Warning => AnsiColor::Yellow,
            Severity::Note => AnsiColor::Cyan,
        };
        let style = colour.on_default().bold();
        let (severity, title) = (section.severity.name(), full_title(&section));
        writeln!(out, "\n{style}{severity}:{style:#} {BOLD}{title}{BOLD:#}")?;
        let (shown, more) = first(&section.lines, TERMINAL_LINES);
        for Line { sign, text, .. } in shown {
            let style = match sign {
                Sign::Removed => AnsiColor::Red.on_default(),
                Sign::Added => AnsiColor::Green.on_default(),
                Sign::Changed => Style::new(),
            };
            writeln!(out, "  {style}{} {text}{style:#}", sign.symbol())?;
        }
        if more > 0 {
            let text = format!("… and {more} more; --format json has all");
            writeln!(out, "  {FAINT}{text}{FAINT:#}")?;
        }
    }
    Ok(())
}

/// Writes annotations of a GitHub workflow, one per section: GitHub shows at
/// most ten annotations of a severity per step.
///
/// `level` is the file that they are attached to: people edit the level, not the
/// baked file.
///
/// # Errors
/// Those of `out`.
pub fn github(diff: &Diff, level: &str, out: &mut dyn Write) -> io::Result<()> {
    for section in sections(diff) {
        let agent = agent_prefix(&section, str::to_owned);
        let (shown, more) = first(&section.lines, ANNOTATION_LINES);
        let mut lines: Vec<String> = (shown.iter())
            .map(|line| format!("{} {agent}{}", line.sign.symbol(), line.text))
            .collect();
        if more > 0 {
            lines.push(format!("… and {more} more"));
        }
        let title = full_title(&section);
        annotate(out, section.severity, level, &title, &lines.join("\n"))?;
    }
    if let Some(shift) = diff.shift {
        let message = format!("everything moved by {}", position(shift));
        annotate(out, Severity::Note, level, "moved", &message)?;
    }
    // Lines that are not commands go to the log.
    let files = escaped(&format!("{} -> {}", diff.old.file, diff.new.file));
    writeln!(out, "compared {files}: {}", summary(diff))
}

/// Writes JSON as `schema/diff.schema.json` describes it.
pub(crate) fn json(diff: &Diff, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, diff)?;
    writeln!(out)
}

/// Writes GitHub's Markdown for a comment on a pull request.
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
    writeln!(out, "{}.\n", capitalized(&summary(diff)))?;
    for section in &sections {
        markdown_section(section, out)?;
    }
    let [old, new] = [&diff.old.file, &diff.new.file].map(|file| code(file));
    writeln!(
        out,
        "<sub>{old} → {new}, compared by <code>navbake diff</code></sub>"
    )
}

fn markdown_section(section: &Section, out: &mut dyn Write) -> io::Result<()> {
    let count = section.lines.len();
    let is_note = section.severity == Severity::Note;
    // Notes are folded entirely.
    let open = match count {
        _ if is_note => 0,
        _ if count > OPEN_LINES => OPEN_LINES - 1,
        _ => count,
    };
    let title = capitalized(&section.title);
    if open > 0 {
        let agent = agent_prefix(section, code);
        writeln!(out, "**{agent}{title}**\n")?;
        markdown_lines(&section.lines[..open], out)?;
        writeln!(out)?;
    }
    if open < count {
        let head = if open > 0 {
            format!("{} more", count - open)
        } else {
            let agent = agent_prefix(section, |agent| format!("<code>{}</code>", html(agent)));
            format!("{agent}{title} ({count})")
        };
        writeln!(out, "<details><summary>{head}</summary>\n")?;
        let (shown, more) = first(&section.lines[open..], COMMENT_LINES);
        markdown_lines(shown, out)?;
        if more > 0 {
            writeln!(out, "- … and {more} more; `--format json` has all")?;
        }
        writeln!(out, "\n</details>\n")?;
    }
    Ok(())
}

fn markdown_lines(lines: &[Line], out: &mut dyn Write) -> io::Result<()> {
    for line in lines {
        // Without backticks Markdown takes the sign for a nested list.
        let sign = line.sign.symbol();
        writeln!(out, "- `{sign}` {}", without_markup(&line.text))?;
    }
    Ok(())
}

/// Text as code, whatever it contains.
pub(super) fn code(text: &str) -> String {
    format!("`{}`", printable(&text.replace('`', "'")))
}

/// Escapes the Markdown in names from the level. The parts between backticks
/// are code already.
fn without_markup(line: &str) -> String {
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

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    (chars.next()).map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}
