//! Printing what happened to the levels, in their order.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use navmesh_runtime::mesh::StepKind;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::bake::args::BakeArgs;
use crate::cli::bake::freshness::StaleReason;
use crate::cli::bake::job::{AgentFigures, Done, LevelOutcome, Log, Message, Status};
use crate::cli::bake::levels::FoundLevel;
use crate::cli::failure::{Failure, shown};
use crate::cli::io::{is_dash, name_of, to_stdout};
use crate::cli::terminal::Terminal;
use crate::report::{count, count_links, grouped};
use crate::source::{MAX_SHOWN, Undecided, one_line};

/// Version of the JSON lines; see `navbake schema bake`.
const SCHEMA: u32 = 1;

/// A table cell lists at most so many reasons: three fit on a line.
const MAX_REASONS: usize = 3;

/// A warning that many levels have names so many of them.
const MAX_NAMED: usize = 3;

/// A line of `bake --json`.
#[derive(Serialize, JsonSchema)]
#[schemars(extend(
    "if" = {"properties": {"status": {"const": "error"}}},
    "then" = {
        "required": ["error"],
        "properties": {"output": false, "bytes": false, "agents": false}
    },
    "else" = {"required": ["output"], "properties": {"error": false}}
))]
pub struct JsonLine<'a> {
    /// The version of this schema.
    #[schemars(extend("const" = 1))]
    schema: u32,
    /// The level as it was named or found; stdin for -.
    level: &'a str,
    /// Its baked file.
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
    #[serde(flatten)]
    done: &'a Done,
    /// Every file that was looked at, as it was opened.
    inputs: Vec<String>,
    warnings: Vec<&'a str>,
    /// What was guessed, the most important first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    undecided: Vec<UndecidedLine<'a>>,
    /// Why it could not be baked.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Something that a level does not say to be collision or not.
#[derive(Serialize, JsonSchema)]
pub struct UndecidedLine<'a> {
    /// Where it is: the layer, and what is meant in it.
    place: &'a str,
    /// How many cells, objects or pixels it is.
    number: u64,
    /// The list of `[collision]` that it was taken for.
    guess: &'static str,
    why: &'a str,
    /// The list that it may belong in instead, the most probable one.
    otherwise: &'static str,
    /// The rules that select it.
    rules: &'a [String],
}

impl<'a> UndecidedLine<'a> {
    fn of(undecided: &'a Undecided) -> Self {
        Self {
            place: &undecided.place,
            number: undecided.number,
            guess: undecided.guess.list(),
            why: &undecided.why,
            otherwise: undecided
                .otherwise
                .first()
                .map_or("empty", |other| other.list()),
            rules: &undecided.rules,
        }
    }
}

/// Receives results in any order and prints them in the order of the levels.
pub struct Reporter<'a> {
    terminal: &'a Terminal,
    json: bool,
    dry_run: bool,
    /// The run has one level: it gets a line instead of a table.
    is_single: bool,
    next: usize,
    waiting: BTreeMap<usize, (&'a FoundLevel, LevelOutcome)>,
    /// The errors that were printed. Levels with one configuration have the same errors
    /// in it.
    printed: BTreeSet<String>,
    /// Warnings that are not about one line of a level: the levels that have them.
    warned: BTreeMap<String, Vec<String>>,
    /// The rules of each configuration that no level of the run uses; `None` when
    /// a level was not read, so that it is not known.
    unused_rules: BTreeMap<PathBuf, Option<Vec<String>>>,
    /// What was guessed in all levels: by configuration and the line that says so.
    guesses: BTreeMap<(Option<PathBuf>, String), (Undecided, u64)>,
    /// The levels, in their order, and how long each took.
    rows: Vec<(String, Done, Duration)>,
    /// An error once stdout cannot be written.
    pub stdout: Result<(), Failure>,
}

impl<'a> Reporter<'a> {
    pub fn new(terminal: &'a Terminal, args: &BakeArgs, is_single: bool) -> Self {
        Self {
            terminal,
            json: args.json,
            dry_run: args.dry_run,
            is_single,
            next: 0,
            waiting: BTreeMap::new(),
            printed: BTreeSet::new(),
            warned: BTreeMap::new(),
            unused_rules: BTreeMap::new(),
            guesses: BTreeMap::new(),
            rows: Vec::new(),
            stdout: Ok(()),
        }
    }

    /// Adds the result of level `number`.
    pub fn add(&mut self, number: usize, target: &'a FoundLevel, outcome: LevelOutcome) {
        if let Some(config) = outcome.inputs.config.clone() {
            let level = &outcome.log.unused_rules;
            let all = self.unused_rules.entry(config);
            match (all.or_insert_with(|| level.clone()), level) {
                // A rule is unused if no level of the run uses it.
                (Some(all), Some(level)) => all.retain(|rule| level.contains(rule)),
                (all, _) => *all = None,
            }
        }
        self.waiting.insert(number, (target, outcome));
        while let Some((target, outcome)) = self.waiting.remove(&self.next) {
            self.next += 1;
            self.print(target, outcome);
        }
    }

    /// Prints results that wait for levels which were not started.
    pub fn flush(&mut self) {
        for (target, outcome) in std::mem::take(&mut self.waiting).into_values() {
            self.print(target, outcome);
        }
    }

    /// Prints a warning. One that many levels have is printed for the first of
    /// them, and at the end once for the others.
    fn warn(&mut self, level: &str, text: &str) {
        let names_level = text.strip_prefix(level).is_some_and(|t| t.starts_with(':'));
        if names_level {
            return self.terminal.warn_of_level(text);
        }
        // The project, which the name of the level begins with, need not be named twice.
        let project = level.rsplit_once('#').map(|(project, _)| project);
        let about_project =
            project.and_then(|project| text.strip_prefix(project)?.strip_prefix(": "));
        let text = about_project.unwrap_or(text);
        let levels = self.warned.entry(text.to_owned()).or_default();
        levels.push(level.to_owned());
        if levels.len() == 1 {
            self.terminal.warn_of_level(&format!("{level}: {text}"));
        }
    }

    /// Whether something was guessed.
    pub fn has_guessed(&self) -> bool {
        !self.guesses.is_empty()
    }

    /// Shows the most important guesses of all levels.
    fn print_guesses(&self) {
        let mut guesses: Vec<&(Undecided, u64)> = self.guesses.values().collect();
        guesses.sort_by(|(a, _), (b, _)| b.weight.total_cmp(&a.weight));
        let more = guesses.len().saturating_sub(MAX_SHOWN) as u64;
        for (guess, levels) in guesses.into_iter().take(MAX_SHOWN) {
            let others = match levels - 1 {
                0 => String::new(),
                others => format!(
                    " (also in {})",
                    count(others, "other level", "other levels")
                ),
            };
            self.terminal.guess(&guess.text(&others), guess.is_sure);
        }
        if more > 0 {
            let more = count(more, "guess is", "guesses are");
            let help = "help: `navbake init` writes the rules for all of them";
            self.terminal.warn(&format!("{more} not shown\n{help}"));
        }
    }

    /// Prints the warnings of levels that were printed only for the first of
    /// them, and those about the rules of configurations.
    pub fn print_warnings(&self) {
        self.print_guesses();
        for (text, levels) in &self.warned {
            // The first has been named.
            let others = &levels[1..];
            let mut named: Vec<_> = others.iter().take(MAX_NAMED).cloned().collect();
            if others.len() > MAX_NAMED {
                let more = (others.len() - MAX_NAMED) as u64;
                named.push(count(more, "other level", "other levels"));
            }
            if !named.is_empty() {
                self.terminal.warn(&format!("{}: {text}", named.join(", ")));
            }
        }
        for (config, rules) in &self.unused_rules {
            for rule in rules.iter().flatten() {
                let problem = format!("the rule {rule} matches nothing in any level of this run");
                let help = "`navbake bake -v` lists the names of layers";
                self.terminal
                    .warn(&format!("{}: {problem}\nhelp: {help}", config.display()));
            }
        }
    }

    pub fn print(&mut self, target: &FoundLevel, outcome: LevelOutcome) {
        if self.stdout.is_ok() {
            self.stdout = self.try_print(target, outcome);
        }
    }

    fn try_print(&mut self, target: &FoundLevel, outcome: LevelOutcome) -> Result<(), Failure> {
        let FoundLevel { level, output, .. } = target;
        let name = name_of(level);
        let level = one_line(&name);
        let Log {
            messages,
            undecided,
            ..
        } = &outcome.log;
        for message in messages {
            match message {
                Message::Detail(text) => self.terminal.print(&format!("{level}: {text}")),
                Message::Warning(text) => self.warn(&level, text),
                Message::Note(text) => self.terminal.note(text),
            }
        }
        let config = &outcome.inputs.config;
        for guess in undecided {
            let known = self.guesses.entry((config.clone(), guess.key()));
            let (first, levels) = known.or_insert_with(|| (guess.clone(), 0));
            if *levels > 0 {
                first.weight += guess.weight;
            }
            *levels += 1;
        }
        let (done, error) = match outcome.result {
            Ok(done) => (done, None),
            Err(Failure::ClosedPipe) => return Err(Failure::ClosedPipe),
            Err(Failure::Message(error)) => {
                if self.printed.insert(error.clone()) {
                    self.terminal.error(&error);
                }
                (Done::new(Status::Error, Vec::new()), Some(error))
            }
        };
        if self.json {
            let warnings = messages.iter().filter_map(|message| match message {
                Message::Warning(text) => Some(text.as_str()),
                Message::Detail(_) | Message::Note(_) => None,
            });
            let inputs = outcome.inputs.seen.iter();
            let line = JsonLine {
                schema: SCHEMA,
                level: &name,
                output: error.is_none().then(|| output.display().to_string()),
                done: &done,
                inputs: inputs.map(|seen| seen.path.display().to_string()).collect(),
                warnings: warnings.collect(),
                undecided: undecided.iter().map(UndecidedLine::of).collect(),
                error,
            };
            let mut text = serde_json::to_string(&line).map_err(std::io::Error::from)?;
            text.push('\n');
            to_stdout(text.as_bytes())?;
        } else if error.is_none() && self.is_single {
            self.terminal.print(&self.text_line(output, &done));
        }
        self.rows.push((level, done, outcome.took));
        Ok(())
    }

    /// The text at the end: a table of the levels that are not unchanged, and
    /// the number of levels of each status.
    pub fn summary(&self, took: Duration) -> String {
        let titles = ["level", "status", "bytes", "platforms", "links", "seconds"];
        let mut table = vec![titles.map(str::to_owned)];
        let listed = (self.rows.iter()).filter(|(_, done, _)| done.status != Status::Unchanged);
        for (level, done, took) in listed.clone() {
            let figures = done.bytes.map(|bytes| {
                let platforms = done.agents.iter().map(|agent| agent.platforms).sum();
                let links = done.agents.iter().map(|agent| agent.links).sum();
                [bytes, platforms, links].map(|n: usize| grouped(n as u64))
            });
            let [bytes, platforms, links] = figures.unwrap_or_default();
            let status = match joined(&done.reasons).as_str() {
                "" => self.status(done.status).to_owned(),
                reasons => format!("{} ({reasons})", self.status(done.status)),
            };
            let took = format!("{:.2}", took.as_secs_f64());
            table.push([level.clone(), status, bytes, platforms, links, took]);
        }
        // If nothing was baked, only the names and statuses are shown.
        if !listed.clone().any(|(_, done, _)| done.bytes.is_some()) {
            for row in &mut table {
                row[2..].iter_mut().for_each(String::clear);
            }
        }
        let mut text = String::new();
        if table.len() > 1 {
            aligned(&table, &mut text);
        }
        let counts: Vec<_> = (Status::ALL.into_iter())
            .map(|status| (self.count(status), status))
            .filter(|(count, status)| *count > 0 || *status == Status::Unchanged)
            .map(|(count, status)| format!("{count} {}", self.status(status)))
            .collect();
        let (levels, counts, took) = (self.rows.len(), counts.join(", "), took.as_secs_f64());
        let _ = write!(text, "{levels} levels: {counts}; {took:.2} s");
        text
    }

    /// `level.navmesh: written, 12,345 bytes (grunt: 34 platforms, 120 jumps, 80 drops)`
    fn text_line(&self, output: &Path, done: &Done) -> String {
        let mut text = if is_dash(output) {
            "stdout: ".to_owned()
        } else {
            format!("{}: ", shown(output))
        };
        text += self.status(done.status);
        if matches!(done.status, Status::Stale | Status::Removed) {
            let _ = write!(text, ": {}", joined(&done.reasons));
        }
        if let Some(bytes) = done.bytes {
            let _ = write!(text, ", {} bytes", grouped(bytes as u64));
        }
        let agents: Vec<_> = done.agents.iter().map(figures).collect();
        if !agents.is_empty() {
            let _ = write!(text, " ({})", agents.join("; "));
        }
        text
    }

    fn status(&self, status: Status) -> &'static str {
        match status {
            Status::Stale if self.dry_run => "would change",
            status => status.name(),
        }
    }

    /// The number of levels with a status.
    pub fn count(&self, status: Status) -> usize {
        let rows = self.rows.iter();
        rows.filter(|(_, done, _)| done.status == status).count()
    }
}

/// Writes a table: two columns of text, then columns of numbers.
fn aligned(table: &[[String; 6]], text: &mut String) {
    let mut widths = [0; 6];
    for row in table {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    for row in table {
        let mut line = String::new();
        for (i, (cell, width)) in row.iter().zip(widths).enumerate() {
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

fn joined(reasons: &[StaleReason]) -> String {
    let shown = reasons.iter().take(MAX_REASONS);
    let mut shown: Vec<_> = shown.map(ToString::to_string).collect();
    if reasons.len() > MAX_REASONS {
        shown.push(format!("and {} more", reasons.len() - MAX_REASONS));
    }
    shown.join(", ")
}

/// `grunt: 34 platforms, 120 jumps, 80 drops`
fn figures(agent: &AgentFigures) -> String {
    let mut parts = vec![count(agent.platforms as u64, "platform", "platforms")];
    let links = StepKind::LINKS.map(|kind| (agent.edges.of(kind), kind.name()));
    let counts = links.into_iter().chain([(agent.edges.fly, "fly")]);
    parts.extend((counts.filter(|(n, _)| *n > 0)).map(|(n, kind)| count_links(n, kind)));
    format!("{}: {}", agent.name, parts.join(", "))
}
