//! Comparisons of files and of folders for a terminal, a pull request, a GitHub workflow and
//! programs.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use schemars::JsonSchema;
use serde::Serialize;

use super::changes::{Change, Sign};
use super::comparison::{Diff, VERSION};
use crate::report::finding::{FailedLevel, Severity, annotate, annotate_failed, escaped};
use crate::report::format::{count, html, printable, write_json};

/// Lines of a group shown in a terminal.
const TERMINAL_LINES: usize = 24;
/// Lines of a group that a comment shows unfolded.
const OPEN_LINES: usize = 6;
/// Folded lines of a group in a comment, which GitHub limits to 65,536
/// characters.
const COMMENT_LINES: usize = 60;
/// Lines of a GitHub annotation. The page of a pull request folds more.
const ANNOTATION_LINES: usize = 10;

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const RED: Style = AnsiColor::Red.on_default();
const GREEN: Style = AnsiColor::Green.on_default();

/// The changes in groups of one kind, agent and title.
fn groups(changes: &[Change]) -> impl Iterator<Item = &[Change]> {
    changes.chunk_by(|a, b| (a.kind, &a.agent, &a.title) == (b.kind, &b.agent, &b.title))
}

/// Splits off the first `most` changes; the second value is the number of those left out.
fn first(changes: &[Change], most: usize) -> (&[Change], usize) {
    let shown = changes.len().min(most);
    (&changes[..shown], changes.len() - shown)
}

/// `ground: `, or nothing for differences of the level.
fn agent_prefix(change: &Change, shown: fn(&str) -> String) -> String {
    let agent = change.agent.as_deref();
    agent.map_or_else(String::new, |agent| format!("{}: ", shown(agent)))
}

/// Writes text for a terminal, with colours that the owner of `out` may strip.
///
/// # Errors
/// Those of `out`.
pub fn human(diff: &Diff, out: &mut dyn Write) -> io::Result<()> {
    let [old, new] = [&diff.old.file, &diff.new.file].map(|file| printable(file));
    writeln!(out, "{BOLD}{old} -> {new}{BOLD:#}: {}", diff.summary())?;
    for group in groups(&diff.changes()) {
        let severity = group[0].kind.severity();
        let style = match severity {
            Severity::Error => RED,
            Severity::Warning => AnsiColor::Yellow.on_default(),
            Severity::Note => AnsiColor::Cyan.on_default(),
        };
        let (style, severity) = (style.bold(), severity.name());
        let title = agent_prefix(&group[0], str::to_owned) + &group[0].title;
        writeln!(out, "\n{style}{severity}:{style:#} {BOLD}{title}{BOLD:#}")?;
        let (shown, more) = first(group, TERMINAL_LINES);
        for Change { sign, text, .. } in shown {
            let style = match sign {
                Sign::Removed => RED,
                Sign::Added => GREEN,
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

/// Writes annotations of a GitHub workflow, one per group: GitHub shows at
/// most ten annotations of a severity per step.
///
/// `level` is the file that they are attached to: people edit the level, not the
/// baked file.
///
/// # Errors
/// Those of `out`.
pub fn github(diff: &Diff, level: &str, out: &mut dyn Write) -> io::Result<()> {
    for group in groups(&diff.changes()) {
        let agent = agent_prefix(&group[0], str::to_owned);
        let (shown, more) = first(group, ANNOTATION_LINES);
        let mut lines: Vec<String> = (shown.iter())
            .map(|change| format!("{} {agent}{}", change.sign.symbol(), change.text))
            .collect();
        if more > 0 {
            lines.push(format!("… and {more} more"));
        }
        let (severity, title) = (group[0].kind.severity(), agent + &group[0].title);
        annotate(out, severity, level, &title, &lines.join("\n"))?;
    }
    if let Some(Change { title, text, .. }) = diff.moved() {
        annotate(out, Severity::Note, level, &title, &text)?;
    }
    // Lines that are not commands go to the log.
    let files = escaped(&format!("{} -> {}", diff.old.file, diff.new.file));
    writeln!(out, "compared {files}: {}", diff.summary())
}

/// Writes GitHub's Markdown for a comment on a pull request.
///
/// # Errors
/// Those of `out`.
pub fn markdown(diff: &Diff, out: &mut dyn Write) -> io::Result<()> {
    let changes = diff.changes();
    let icon = match changes.first().map(|change| change.kind.severity()) {
        Some(Severity::Error) => "❌",
        Some(Severity::Warning) => "⚠️",
        _ if diff.same => "✅",
        _ => "ℹ️",
    };
    writeln!(out, "### {icon} Navigation of {}\n", code(&diff.new.source))?;
    writeln!(out, "{}.\n", capitalized(&diff.summary()))?;
    for group in groups(&changes) {
        markdown_group(group, out)?;
    }
    let [old, new] = [&diff.old.file, &diff.new.file].map(|file| code(file));
    let tool = "compared by <code>navbake diff</code>";
    writeln!(out, "<sub>{old} → {new}, {tool}</sub>")
}

fn markdown_group(group: &[Change], out: &mut dyn Write) -> io::Result<()> {
    // Notes are folded entirely.
    let open = match group.len() {
        _ if group[0].kind.severity() == Severity::Note => 0,
        count if count > OPEN_LINES => OPEN_LINES - 1,
        count => count,
    };
    let title = capitalized(&group[0].title);
    let (unfolded, folded) = group.split_at(open);
    let mut head = format!("{} more", folded.len());
    if unfolded.is_empty() {
        let agent = agent_prefix(&group[0], |agent| format!("<code>{}</code>", html(agent)));
        head = format!("{agent}{title} ({})", folded.len());
    } else {
        writeln!(out, "**{}{title}**\n", agent_prefix(&group[0], code))?;
        markdown_lines(unfolded, out)?;
        writeln!(out)?;
    }
    if !folded.is_empty() {
        writeln!(out, "<details><summary>{head}</summary>\n")?;
        let (shown, more) = first(folded, COMMENT_LINES);
        markdown_lines(shown, out)?;
        if more > 0 {
            writeln!(out, "- … and {more} more; `--format json` has all")?;
        }
        writeln!(out, "\n</details>\n")?;
    }
    Ok(())
}

fn markdown_lines(changes: &[Change], out: &mut dyn Write) -> io::Result<()> {
    for change in changes {
        // Without backticks Markdown takes the sign for a nested list.
        let sign = change.sign.symbol();
        writeln!(out, "- `{sign}` {}", without_markup(&change.text))?;
    }
    Ok(())
}

/// Text as code, whatever it contains.
fn code(text: &str) -> String {
    format!("`{}`", printable(&text.replace('`', "'")))
}

/// Escapes the Markdown in names from the level. The parts between backticks
/// are code already.
fn without_markup(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for (i, part) in line.replace('\n', " ").split('`').enumerate() {
        if i % 2 == 1 {
            out.extend(["`", part, "`"]);
            continue;
        }
        for c in part.replace("->", "→").chars() {
            match c {
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '*' | '_' | '[' | ']' | '|' | '#' | '@' => out.extend(['\\', c]),
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

/// `diff --json`: what differs between two baked files, or between those of two folders. What was
/// removed has the coordinates and ids of the old file, everything else those of the new file.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum DiffJson<'a> {
    Files(&'a Diff),
    Folders(FolderJson<'a>),
}

#[derive(Serialize, JsonSchema)]
pub struct FolderJson<'a> {
    version: u32,
    /// Whether nothing differs.
    same: bool,
    /// The levels that both folders have.
    files: Vec<&'a Diff>,
    /// Levels that only the old folder has.
    removed: &'a [String],
    /// Levels that only the new folder has.
    added: &'a [String],
    /// Levels, projects and folders that could not be read or baked.
    failed: &'a [FailedLevel],
}

/// The comparison of a level that both folders have.
pub struct FileDiff {
    pub diff: Diff,
    /// The level, to whose file annotations are attached.
    pub level: String,
}

/// The comparison of two folders, or of two files.
#[derive(Default)]
pub struct Comparison {
    /// Levels that both folders have, sorted by their paths.
    pub files: Vec<FileDiff>,
    /// Levels that only the old folder has.
    pub removed: Vec<String>,
    /// Levels that only the new folder has.
    pub added: Vec<String>,
    /// Levels that could not be compared.
    pub failed: Vec<FailedLevel>,
    /// Two files are compared, which are named alone.
    pub is_of_files: bool,
}

impl Comparison {
    /// The two files, if files are compared and could be read.
    fn single(&self) -> Option<&FileDiff> {
        self.files.first().filter(|_| self.is_of_files)
    }

    fn changed(&self) -> impl Iterator<Item = &FileDiff> {
        self.files.iter().filter(|file| !file.diff.same)
    }

    fn summary(&self) -> String {
        let levels = count(self.files.len() as u64, "level", "levels");
        let changed = self.changed().count();
        let (removed, added) = (self.removed.len(), self.added.len());
        let summary =
            format!("{levels} compared: {changed} changed, {removed} removed, {added} added");
        match self.failed.len() as u64 {
            0 => summary,
            errors => format!("{summary}; {}", count(errors, "error", "errors")),
        }
    }

    /// Writes text for a terminal: the levels with a difference.
    pub fn human(&self, out: &mut dyn Write) -> io::Result<()> {
        if let Some(file) = self.single() {
            return human(&file.diff, out);
        }
        for file in self.changed() {
            human(&file.diff, out)?;
            writeln!(out)?;
        }
        for name in &self.removed {
            writeln!(out, "{RED}- {} was removed{RED:#}", printable(name))?;
        }
        for name in &self.added {
            writeln!(out, "{GREEN}+ {} was added{GREEN:#}", printable(name))?;
        }
        for FailedLevel { file, .. } in &self.failed {
            writeln!(out, "{RED}! {} was not compared{RED:#}", printable(file))?;
        }
        writeln!(out, "{BOLD}{}{BOLD:#}", self.summary())
    }

    pub fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        let json = match self.single() {
            Some(file) => DiffJson::Files(&file.diff),
            None => DiffJson::Folders(FolderJson {
                version: VERSION,
                same: [self.removed.len(), self.added.len(), self.failed.len()] == [0; 3]
                    && self.changed().next().is_none(),
                files: self.files.iter().map(|file| &file.diff).collect(),
                removed: &self.removed,
                added: &self.added,
                failed: &self.failed,
            }),
        };
        write_json(&json, 8, out)
    }

    /// Writes GitHub's Markdown: a part for each level that failed or has a difference.
    pub fn markdown(&self, out: &mut dyn Write) -> io::Result<()> {
        if let Some(file) = self.single() {
            return markdown(&file.diff, out);
        }
        for FailedLevel { file, error } in &self.failed {
            let lines = error.split('\n').map(|line| html(&printable(line)) + "\n");
            let (file, error) = (code(file), lines.collect::<String>());
            let title = format!("### ❌ {file} was not compared");
            writeln!(out, "{title}\n\n<pre>{error}</pre>\n")?;
        }
        for file in self.changed() {
            markdown(&file.diff, out)?;
            writeln!(out)?;
        }
        for (names, what) in [(&self.removed, "removed"), (&self.added, "added")] {
            for name in names {
                writeln!(out, "- {} was {what}", code(name))?;
            }
        }
        writeln!(out, "\n{}.", self.summary())
    }

    /// Writes annotations of a GitHub workflow.
    pub fn github(&self, out: &mut dyn Write) -> io::Result<()> {
        if let Some(file) = self.single() {
            return github(&file.diff, &file.level, out);
        }
        annotate_failed(&self.failed, "level not compared", out)?;
        for file in self.changed() {
            github(&file.diff, &file.level, out)?;
        }
        for (names, severity, what, which) in [
            (&self.removed, Severity::Warning, "removed", "new"),
            (&self.added, Severity::Note, "added", "old"),
        ] {
            let message = format!("this level is not in the {which} folder");
            for name in names {
                annotate(out, severity, name, &format!("level {what}"), &message)?;
            }
        }
        writeln!(out, "{}", self.summary())
    }
}
