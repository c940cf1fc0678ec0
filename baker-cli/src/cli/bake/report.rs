//! Telling what became of the levels, in their order.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{Write as _, stdout};
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::super::Failure;
use super::super::pipeline::{Reason, is_dash};
use super::super::terminal::Terminal;
use super::job::{AgentLine, Content, Done, Message, Outcome, Status};
use super::targets::Target;
use crate::report::inspect::grouped;

/// The version of what `--json` says; see `docs/schema/bake.schema.json`.
const SCHEMA: u32 = 1;

/// What `--json` says of a level.
#[derive(Serialize)]
struct LevelLine<'a> {
    schema: u32,
    level: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
    status: Status,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    reasons: &'a [Reason],
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vertices: Option<usize>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    agents: &'a [AgentLine],
    /// Every file it was read from, and the configuration.
    inputs: Vec<String>,
    warnings: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Hears of levels in any order and tells of them in theirs.
pub(super) struct Reporter<'a> {
    terminal: &'a Terminal,
    json: bool,
    /// Whether each level that is fine gets a line of its own.
    every: bool,
    next: usize,
    waiting: BTreeMap<usize, (&'a Target, Outcome)>,
    /// Notes already given: a hundred levels share one configuration.
    noted: BTreeSet<String>,
    rows: Vec<Row>,
    pub(super) stdout: Result<(), Failure>,
}

/// A level in the summary.
struct Row {
    level: String,
    status: Status,
    why: String,
    content: Option<[usize; 3]>,
    took: Duration,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(terminal: &'a Terminal, json: bool, every: bool) -> Self {
        Self {
            terminal,
            json,
            every,
            next: 0,
            waiting: BTreeMap::new(),
            noted: BTreeSet::new(),
            rows: Vec::new(),
            stdout: Ok(()),
        }
    }

    /// Hears of a level by its number.
    pub(super) fn hear(&mut self, number: usize, target: &'a Target, outcome: Outcome) {
        self.waiting.insert(number, (target, outcome));
        while let Some((target, outcome)) = self.waiting.remove(&self.next) {
            self.next += 1;
            self.tell_on(target, &outcome);
        }
    }

    /// Tells of those that waited for levels which were not begun.
    pub(super) fn flush(&mut self) {
        for (target, outcome) in std::mem::take(&mut self.waiting).into_values() {
            self.tell_on(target, &outcome);
        }
    }

    fn tell_on(&mut self, target: &Target, outcome: &Outcome) {
        if self.stdout.is_ok() {
            self.stdout = self.tell(target, outcome);
        }
    }

    fn tell(&mut self, target: &Target, outcome: &Outcome) -> Result<(), Failure> {
        for told in &outcome.told {
            match told {
                Message::Say(text) => self.terminal.say(text),
                Message::Warning(text) => self.terminal.warn(text),
                Message::Note(text) => {
                    if self.noted.insert(text.clone()) {
                        self.terminal.note(text);
                    }
                }
            }
        }
        let done = match &outcome.result {
            Ok(done) => Some(done),
            Err(Failure::NobodyReads) => return Err(Failure::NobodyReads),
            Err(failure) => {
                self.terminal.error(&failure.to_string());
                None
            }
        };
        let level = if is_dash(&target.level) {
            "stdin".to_string()
        } else {
            target.level.display().to_string()
        };
        if self.json {
            json_line(&level, target, outcome, done)?;
        }
        let status = done.map_or(Status::Error, |d| d.status);
        if let Some(done) = done
            && !self.json
            && self.every
        {
            self.terminal.say(&human(&target.output, done));
        }
        let content = done.and_then(|done| done.content.as_ref());
        self.rows.push(Row {
            level,
            status,
            why: done.map_or(String::new(), |done| why(&done.reasons)),
            content: content.map(|c| {
                let sum = |of: fn(&AgentLine) -> usize| c.agents.iter().map(of).sum();
                [c.bytes, sum(|a| a.platforms), sum(|a| a.links)]
            }),
            took: outcome.took,
        });
        Ok(())
    }

    /// The table at the end: a row for each level that is not as it was, and
    /// how many there are of each kind.
    pub(super) fn summary(&self, took: Duration) -> String {
        let mut table: Vec<[String; 6]> =
            vec![["level", "status", "bytes", "platforms", "links", "seconds"].map(str::to_owned)];
        for row in self.rows.iter().filter(|r| r.status != Status::Unchanged) {
            let number = |i: usize| row.content.map_or(String::new(), |c| grouped(c[i] as u64));
            let status = match row.why.as_str() {
                "" => row.status.name().to_owned(),
                why => format!("{} ({why})", row.status.name()),
            };
            table.push([
                row.level.clone(),
                status,
                number(0),
                number(1),
                number(2),
                format!("{:.2}", row.took.as_secs_f64()),
            ]);
        }
        let mut text = String::new();
        if self.rows.iter().all(|row| row.content.is_none()) {
            // Nothing was baked, so there are no figures.
            for row in &mut table {
                row[2..].iter_mut().for_each(String::clear);
            }
        }
        if table.len() > 1 {
            let mut widths = [0; 6];
            for row in &table {
                for (width, cell) in widths.iter_mut().zip(row) {
                    *width = (*width).max(cell.chars().count());
                }
            }
            for row in &table {
                let mut line = String::new();
                for (i, (cell, width)) in row.iter().zip(widths).enumerate() {
                    // Words to the left, numbers to the right.
                    let _ = if i < 2 {
                        write!(line, "{cell:<width$}  ")
                    } else {
                        write!(line, "{cell:>width$}  ")
                    };
                }
                text.push_str(line.trim_end());
                text.push('\n');
            }
        }
        let count = |status| self.rows.iter().filter(|r| r.status == status).count();
        let _ = write!(text, "{} levels:", self.rows.len());
        let mut first = true;
        for (status, always) in [
            (Status::Written, false),
            (Status::Stale, false),
            (Status::Unchanged, true),
            (Status::Error, false),
        ] {
            let n = count(status);
            if n > 0 || always {
                let comma = if first { "" } else { "," };
                let _ = write!(text, "{comma} {n} {}", status.name());
                first = false;
            }
        }
        let _ = write!(text, "; {:.2} s", took.as_secs_f64());
        text
    }

    /// What became of the levels, so many of each kind.
    pub(super) fn has(&self, status: Status) -> bool {
        self.rows.iter().any(|row| row.status == status)
    }
}

/// Tells of a level on stdout.
fn json_line(
    level: &str,
    target: &Target,
    outcome: &Outcome,
    done: Option<&Done>,
) -> Result<(), Failure> {
    let content = done.and_then(|done| done.content.as_ref());
    let line = LevelLine {
        schema: SCHEMA,
        level,
        output: done.map(|_| target.output.display().to_string()),
        status: done.map_or(Status::Error, |d| d.status),
        reasons: done.map_or(&[], |d| &d.reasons),
        bytes: content.map(|c| c.bytes),
        vertices: content.map(|c| c.vertices),
        agents: content.map_or(&[], |c| &c.agents),
        inputs: (outcome.seen.iter())
            .map(|seen| seen.path.display().to_string())
            .collect(),
        warnings: &outcome.warnings,
        error: outcome.result.as_ref().err().map(ToString::to_string),
    };
    let mut text = serde_json::to_string(&line).map_err(std::io::Error::from)?;
    text.push('\n');
    let mut out = stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// As many reasons as fit a line.
fn why(reasons: &[Reason]) -> String {
    const SHOWN: usize = 3;
    let mut text = String::new();
    for (i, reason) in reasons.iter().take(SHOWN).enumerate() {
        let _ = write!(text, "{}{reason}", if i > 0 { ", " } else { "" });
    }
    if reasons.len() > SHOWN {
        let _ = write!(text, ", and {} more", reasons.len() - SHOWN);
    }
    text
}

/// `level.navmesh: written, 12,345 bytes (grunt: 34 platforms, 120 jumps, 80 drops)`
fn human(output: &Path, done: &Done) -> String {
    let name = if is_dash(output) {
        "stdout".to_string()
    } else {
        output.display().to_string()
    };
    let mut text = format!("{name}: {}", done.status.name());
    if done.status == Status::Stale {
        let _ = write!(text, ": {}", why(&done.reasons));
    }
    if let Some(content) = &done.content {
        content_words(content, &mut text);
    }
    text
}

fn content_words(content: &Content, text: &mut String) {
    let _ = write!(text, ", {} bytes", grouped(content.bytes as u64));
    for (i, agent) in content.agents.iter().enumerate() {
        let _ = write!(
            text,
            "{}{}: {} platforms",
            if i == 0 { " (" } else { "; " },
            agent.name,
            grouped(agent.platforms as u64)
        );
        for (count, what) in [
            (agent.edges.jump, "jumps"),
            (agent.edges.drop, "drops"),
            (agent.edges.fly, "fly edges"),
            (agent.edges.portal, "ways through portals"),
        ] {
            if count > 0 {
                let _ = write!(text, ", {} {what}", grouped(count));
            }
        }
    }
    if !content.agents.is_empty() {
        text.push(')');
    }
}
