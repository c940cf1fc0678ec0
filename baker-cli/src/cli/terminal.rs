//! Messages and progress bars on stderr.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

use crate::bake::{Progress, Stage};
use crate::report::printable;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();
const HELP: Style = AnsiColor::Green.on_default().bold();

/// The bar of one bake is drawn this often: it moves smoothly, and redrawing
/// costs nothing that can be measured.
const BAKE_TICK: Duration = Duration::from_millis(120);

/// The bar of all levels shows whole levels and seconds, so it is drawn less
/// often.
const BATCH_TICK: Duration = Duration::from_millis(250);

/// Stderr. Progress bars are drawn on a terminal only. What cannot be written
/// is lost: a closed or full stderr does not stop a command.
pub struct Terminal {
    bars: MultiProgress,
    draws_bars: bool,
    /// Only warnings and errors are printed.
    quiet: bool,
    /// The lines of help that were printed. Each is printed once per run.
    advice: Mutex<BTreeSet<String>>,
    /// The notes that were printed. `--watch` does not repeat them in later runs.
    notes: Mutex<BTreeSet<String>>,
}

impl Terminal {
    pub fn new(quiet: bool) -> Self {
        let draws_bars = !quiet
            && std::io::stderr().is_terminal()
            && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        let target = if draws_bars {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        Self {
            bars: MultiProgress::with_draw_target(target),
            draws_bars,
            quiet,
            advice: Mutex::default(),
            notes: Mutex::default(),
        }
    }

    /// Prints a line without a label, unless the command is quiet.
    pub fn print(&self, text: &str) {
        if !self.quiet {
            self.write(&safe(text));
        }
    }

    fn write(&self, text: &str) {
        // `MultiProgress::println` prints nothing when the bars are hidden.
        self.bars.suspend(|| {
            let _ = writeln!(anstream::stderr(), "{text}");
        });
    }

    /// Begins a run of `--watch`, in which advice is printed again.
    pub fn begin_run(&self) {
        let mut advice = self.advice.lock().unwrap_or_else(PoisonError::into_inner);
        advice.clear();
    }

    pub fn error(&self, text: &str) {
        self.labelled("error", ERROR, text);
    }

    pub fn warn(&self, text: &str) {
        self.labelled("warning", WARNING, text);
    }

    /// Prints a warning about a level. Many name a rule that settles them.
    pub fn warn_of_level(&self, text: &str) {
        self.warn(&with_help(text));
    }

    /// Prints what was guessed in a level: a note if it is sure, else a warning.
    pub fn guess(&self, text: &str, is_sure: bool) {
        if is_sure {
            self.note(&with_help(text));
        } else {
            self.warn_of_level(text);
        }
    }

    /// Prints a note, unless it was printed before.
    pub fn note(&self, text: &str) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        if notes.insert(text.to_owned()) && !self.quiet {
            self.labelled("note", NOTE, text);
        }
    }

    /// Prints what to do next.
    pub fn help(&self, text: &str) {
        if !self.quiet {
            self.labelled("help", HELP, text);
        }
    }

    fn labelled(&self, label: &str, style: Style, text: &str) {
        let mut message = format!("{style}{label}:{style:#} ");
        let mut advice = self.advice.lock().unwrap_or_else(PoisonError::into_inner);
        for (i, line) in safe(text).split('\n').enumerate() {
            let help = line.strip_prefix("help:").filter(|_| i > 0);
            if help.is_some() && !advice.insert(line.to_owned()) {
                continue;
            }
            if i > 0 {
                message.push('\n');
            }
            // Writing to a string cannot fail.
            let _ = match help {
                Some(help) => write!(message, "{HELP}help:{HELP:#}{help}"),
                None => write!(message, "{line}"),
            };
        }
        drop(advice);
        self.write(&message);
    }

    /// A bar that is redrawn at an interval. Dropping it removes it.
    fn bar(&self, length: u64, template: &str, interval: Duration) -> ProgressBar {
        if !self.draws_bars {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template(template);
        let bar = ProgressBar::new(length)
            .with_finish(ProgressFinish::AndClear)
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        // The bar of the whole run is the first, and stays the last line.
        let bar = self.bars.insert(0, bar);
        // It has a thread of its own, which WebAssembly lacks.
        if !cfg!(target_family = "wasm") {
            bar.enable_steady_tick(interval);
        }
        bar
    }

    /// The bar of a run over several levels.
    pub fn batch_bar(&self, levels: usize) -> ProgressBar {
        if levels < 2 {
            return ProgressBar::hidden();
        }
        let template = "{pos}/{len} levels {wide_bar} {elapsed}, {eta} left";
        self.bar(levels as u64, template, BATCH_TICK)
    }

    /// The bar of the bake of one level.
    pub fn bake_bar<'a>(&self, level: &'a str) -> BakeBar<'a> {
        let template = "{spinner} {msg} {wide_bar} {percent:>3}% {elapsed}";
        let bar = self.bar(1, template, BAKE_TICK);
        bar.set_message(level.to_owned());
        BakeBar { level, bar }
    }
}

/// Text without control characters but line breaks, and without what the log of a
/// GitHub workflow takes for commands: it may contain names of levels.
fn safe(text: &str) -> String {
    let line = |line: &str| {
        let cells: Vec<_> = line.split('\t').map(printable).collect();
        let line = cells.join("\t");
        if line.trim_start().starts_with("::") {
            format!("\u{fffd}{line}")
        } else {
            line
        }
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// The bar of the bake of one level. Dropping it removes it.
pub struct BakeBar<'a> {
    level: &'a str,
    bar: ProgressBar,
}

impl Progress for BakeBar<'_> {
    fn begin(&self, agent: &str, stage: Stage, total: u64) {
        self.bar.set_length(total);
        self.bar.set_position(0);
        self.bar
            .set_message(format!("{}: {agent}, {}", self.level, stage.name()));
    }

    fn advance(&self, steps: u64) {
        self.bar.inc(steps);
    }
}

/// A text that names a rule, with where rules go.
fn with_help(text: &str) -> String {
    let help =
        "\nhelp: rules go under [collision] in navbake.toml, which `navbake init LEVEL` writes";
    let names_rule = text.contains(" = [\"") && !text.contains("[collision]");
    format!("{text}{}", if names_rule { help } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_can_neither_steer_a_terminal_nor_a_workflow() {
        let text = "a.tmx: layer \"\u{1b}[2J\"\n  ::error::forged\nx ##[error]too\nhelp: a::b\tc";
        let expected = "a.tmx: layer \"\u{fffd}[2J\"\n\u{fffd}  ::error::forged\n\
                        x ##\u{fffd}[error]too\nhelp: a::b\tc";
        assert_eq!(safe(text), expected);
    }
}
