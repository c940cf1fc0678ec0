//! The `navbake` command: arguments, configuration, progress, one file per
//! command with what it can be told.

mod args;
mod bake;
mod command_line;
mod completions;
pub mod config;
mod diff;
mod dump;
mod explain;
mod failure;
mod init;
mod inspect;
mod lint;
mod man;
mod output;
mod path;
mod pipeline;
mod render;
mod schema;
mod simulate;
mod terminal;
mod view;

use std::process::ExitCode;

use clap::Parser;

use command_line::{Command, CommandLine};
use failure::Failure;
use terminal::Terminal;

/// What a command answers, as its exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    /// 0: done, or yes.
    Yes,
    /// 1: the question a command was asked is answered with no.
    No,
    /// 2: trouble, already told.
    Error,
}

impl From<Answer> for ExitCode {
    fn from(answer: Answer) -> Self {
        Self::from(match answer {
            Answer::Yes => 0,
            Answer::No => 1,
            Answer::Error => 2,
        })
    }
}

/// Runs the command the process was called with.
pub fn main() -> ExitCode {
    let command_line = CommandLine::parse();
    let terminal = Terminal::new();
    let answer = match &command_line.command {
        Command::Bake(args) => bake::run(args, &terminal),
        Command::Inspect(args) => inspect::run(args),
        Command::Dump(args) => dump::run(args),
        Command::Path(args) => path::run(args, &terminal),
        Command::Explain(args) => explain::run(args),
        Command::Render(args) => render::run(args, &terminal),
        Command::Simulate(args) => simulate::run(args, &terminal),
        Command::Init(args) => init::run(args, &terminal),
        Command::Schema(args) => schema::run(args),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args, &terminal),
        Command::Diff(args) => diff::run(args, &terminal),
        Command::View(args) => view::run(args, &terminal),
        Command::Lint(args) => lint::run(args, &terminal),
    };
    match answer {
        Ok(answer) => answer.into(),
        Err(Failure::NobodyReads) => Answer::Yes.into(),
        Err(failure) => {
            terminal.error(&failure.to_string());
            Answer::Error.into()
        }
    }
}
