//! What a person sees while a command runs: notes, warnings, progress bars.

use std::io::IsTerminal;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::bake::{Progress, Stage};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();

/// Stderr. Bars are drawn on a terminal only; messages always come through,
/// in colour where that is wanted (`NO_COLOR` and its kin are heeded).
pub(super) struct Terminal {
    bars: MultiProgress,
    /// Whether there is anybody to see bars.
    seen: bool,
}

impl Terminal {
    pub(super) fn new() -> Self {
        let seen = std::io::stderr().is_terminal()
            && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        let target = if seen {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        Self {
            bars: MultiProgress::with_draw_target(target),
            seen,
        }
    }

    /// A line by itself.
    pub(super) fn say(&self, text: &str) {
        // `MultiProgress::println` says nothing when its bars are hidden.
        self.bars.suspend(|| anstream::eprintln!("{text}"));
    }

    pub(super) fn error(&self, text: &str) {
        self.say(&format!("{ERROR}error:{ERROR:#} {text}"));
    }

    pub(super) fn warn(&self, text: &str) {
        self.say(&format!("{WARNING}warning:{WARNING:#} {text}"));
    }

    pub(super) fn note(&self, text: &str) {
        self.say(&format!("{NOTE}note:{NOTE:#} {text}"));
    }

    /// A bar for so many levels; none for 0.
    pub(super) fn whole(&self, levels: usize) -> WholeBar {
        let bar = if self.seen && levels > 0 {
            let bar = self.bars.add(ProgressBar::new(levels as u64));
            bar.set_style(whole_style());
            bar.enable_steady_tick(Duration::from_millis(250));
            bar
        } else {
            ProgressBar::hidden()
        };
        WholeBar { bar }
    }

    /// Follows the bake of a level.
    pub(super) fn follow<'a>(&self, level: &'a str) -> BakeBar<'a> {
        let bar = if self.seen {
            // Above the bar of the whole, which comes last.
            let bar = self.bars.insert(0, ProgressBar::new(1));
            bar.set_style(style());
            bar.enable_steady_tick(Duration::from_millis(120));
            bar.set_message(level.to_string());
            bar
        } else {
            ProgressBar::hidden()
        };
        BakeBar { level, bar }
    }
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("{spinner} {msg} {wide_bar} {percent:>3}% {elapsed}")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}

fn whole_style() -> ProgressStyle {
    ProgressStyle::with_template("{pos}/{len} levels {wide_bar} {elapsed}, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// The bar of all levels; gone when dropped.
pub(super) struct WholeBar {
    bar: ProgressBar,
}

impl WholeBar {
    /// One more level is done.
    pub(super) fn advance(&self) {
        self.bar.inc(1);
    }
}

impl Drop for WholeBar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The bar of one bake; gone when dropped.
pub(super) struct BakeBar<'a> {
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

impl Drop for BakeBar<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
