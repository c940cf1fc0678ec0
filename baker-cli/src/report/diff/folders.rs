//! The comparison of two folders: each level that both have.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::comparison::{Diff, VERSION};
use super::output;
use crate::report::finding::{FailedLevel, Severity, annotate, annotate_failed};
use crate::report::format::{count, entry, html, list_entry, printable};

const BOLD: Style = Style::new().bold();

/// The comparison of a level that both folders have.
pub(crate) struct FileDiff {
    pub(crate) diff: Diff,
    /// The level, to whose file annotations are attached.
    pub(crate) level: String,
}

/// The comparison of two folders.
#[derive(Default)]
pub(crate) struct FolderDiff {
    /// Levels that both folders have, sorted by their paths.
    pub(crate) files: Vec<FileDiff>,
    /// Levels that only the old folder has.
    pub(crate) removed: Vec<String>,
    /// Levels that only the new folder has.
    pub(crate) added: Vec<String>,
    /// Levels that could not be compared.
    pub(crate) failed: Vec<FailedLevel>,
}

impl FolderDiff {
    fn is_same(&self) -> bool {
        self.changed().next().is_none()
            && self.removed.is_empty()
            && self.added.is_empty()
            && self.failed.is_empty()
    }

    fn changed(&self) -> impl Iterator<Item = &FileDiff> {
        self.files.iter().filter(|file| !file.diff.same)
    }

    fn summary(&self) -> String {
        let levels = count(self.files.len() as u64, "level", "levels");
        let changed = self.changed().count();
        let (removed, added) = (self.removed.len(), self.added.len());
        let errors = match self.failed.len() as u64 {
            0 => String::new(),
            errors => format!("; {}", count(errors, "error", "errors")),
        };
        format!("{levels} compared: {changed} changed, {removed} removed, {added} added{errors}")
    }

    /// Writes text for a terminal: the levels with a difference.
    pub(crate) fn human(&self, out: &mut dyn Write) -> io::Result<()> {
        for file in self.changed() {
            output::human(&file.diff, out)?;
            writeln!(out)?;
        }
        let failed = self.failed.iter().map(|level| level.file.clone()).collect();
        for (names, colour, sign, verb) in [
            (&self.removed, AnsiColor::Red, '-', "removed"),
            (&self.added, AnsiColor::Green, '+', "added"),
            (&failed, AnsiColor::Red, '!', "not compared"),
        ] {
            let colour = colour.on_default();
            for name in names {
                let name = printable(name);
                writeln!(out, "{colour}{sign} {name} was {verb}{colour:#}")?;
            }
        }
        writeln!(out, "{BOLD}{}{BOLD:#}", self.summary())
    }

    /// Writes JSON: `files` has the JSON of each comparison.
    pub(crate) fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        entry(out, "{", "version", &VERSION)?;
        entry(out, ", ", "same", &self.is_same())?;
        list_entry(out, 2, "files", self.files.iter().map(|file| &file.diff))?;
        entry(out, ",\n ", "removed", &self.removed)?;
        entry(out, ", ", "added", &self.added)?;
        entry(out, ",\n ", "failed", &self.failed)?;
        writeln!(out, "}}")
    }

    /// Writes GitHub's Markdown: a part for each level that failed or has a difference.
    pub(crate) fn markdown(&self, out: &mut dyn Write) -> io::Result<()> {
        for FailedLevel { file, error } in &self.failed {
            let lines = error.split('\n').map(|line| html(&printable(line)) + "\n");
            let (file, error) = (output::code(file), lines.collect::<String>());
            writeln!(
                out,
                "### ❌ {file} was not compared\n\n<pre>{error}</pre>\n"
            )?;
        }
        for file in self.changed() {
            output::markdown(&file.diff, out)?;
            writeln!(out)?;
        }
        for (names, verb) in [(&self.removed, "removed"), (&self.added, "added")] {
            for name in names {
                writeln!(out, "- {} was {verb}", output::code(name))?;
            }
        }
        writeln!(out, "\n{}.", self.summary())
    }

    /// Writes annotations of a GitHub workflow.
    pub(crate) fn github(&self, out: &mut dyn Write) -> io::Result<()> {
        annotate_failed(&self.failed, "level not compared", out)?;
        for file in self.changed() {
            output::github(&file.diff, &file.level, out)?;
        }
        for (names, severity, title, other) in [
            (&self.removed, Severity::Warning, "level removed", "new"),
            (&self.added, Severity::Note, "level added", "old"),
        ] {
            for name in names {
                let message = format!("this level is not in the {other} folder");
                annotate(out, severity, name, title, &message)?;
            }
        }
        writeln!(out, "{}", self.summary())
    }
}
