//! The comparison of two folders: each level that both have.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use super::comparison::{Diff, VERSION};
use super::output;
use crate::report::finding::{Severity, annotate};
use crate::report::format::{count, list, printable};

const BOLD: Style = Style::new().bold();

/// The comparison of a level that both folders have.
#[derive(Debug, Clone, PartialEq)]
pub struct FileDiff {
    /// The comparison.
    pub diff: Diff,
    /// The level's file, to which annotations are attached.
    pub level: String,
}

/// The comparison of two folders.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FolderDiff {
    /// Levels that both folders have, sorted by their paths.
    pub files: Vec<FileDiff>,
    /// Levels that only the old folder has.
    pub removed: Vec<String>,
    /// Levels that only the new folder has.
    pub added: Vec<String>,
}

impl FolderDiff {
    fn is_same(&self) -> bool {
        self.changed().next().is_none() && self.removed.is_empty() && self.added.is_empty()
    }

    fn changed(&self) -> impl Iterator<Item = &FileDiff> {
        self.files.iter().filter(|file| !file.diff.same)
    }

    fn summary(&self) -> String {
        let levels = count(self.files.len() as u64, "level", "levels");
        let changed = self.changed().count();
        let (removed, added) = (self.removed.len(), self.added.len());
        format!("{levels} compared: {changed} changed, {removed} removed, {added} added")
    }

    /// Writes text for a terminal: the levels with a difference.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn human(&self, out: &mut dyn Write) -> io::Result<()> {
        for file in self.changed() {
            output::human(&file.diff, out)?;
            writeln!(out)?;
        }
        let red = AnsiColor::Red.on_default();
        for name in &self.removed {
            writeln!(out, "{red}- {} was removed{red:#}", printable(name))?;
        }
        let green = AnsiColor::Green.on_default();
        for name in &self.added {
            writeln!(out, "{green}+ {} was added{green:#}", printable(name))?;
        }
        writeln!(out, "{BOLD}{}{BOLD:#}", self.summary())
    }

    /// Writes JSON: `files` has the JSON of each comparison.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        #[derive(Serialize)]
        struct Lists<'a> {
            removed: &'a [String],
            added: &'a [String],
        }
        let same = self.is_same();
        write!(
            out,
            "{{\"version\": {VERSION}, \"same\": {same},\n \"files\": "
        )?;
        list(out, 2, self.files.iter().map(|file| &file.diff))?;
        let lists = serde_json::to_string(&Lists {
            removed: &self.removed,
            added: &self.added,
        })?;
        writeln!(out, ",\n {}", lists.trim_start_matches('{'))
    }

    /// Writes GitHub's Markdown: a part for each level with a difference.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn markdown(&self, out: &mut dyn Write) -> io::Result<()> {
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
    ///
    /// # Errors
    /// Those of `out`.
    pub fn github(&self, out: &mut dyn Write) -> io::Result<()> {
        for file in self.changed() {
            output::github(&file.diff, &file.level, out)?;
        }
        for name in &self.removed {
            let message = "this level is not in the new folder";
            annotate(out, Severity::Warning, name, "level removed", message)?;
        }
        for name in &self.added {
            let message = "this level is not in the old folder";
            annotate(out, Severity::Note, name, "level added", message)?;
        }
        writeln!(out, "{}", self.summary())
    }
}
