//! The `navbake` command.
//!
//! - One module per command: its arguments and what it does.
//! - `command_line`: all commands; `args`: arguments that several commands have.
//! - [`config`][]: `navbake.toml`.
//! - `io`: names of files, reading them, and writing them without losing one of the user.
//! - `level_input`, `mesh_input`: reading levels, or levels and baked files.
//! - `place`, `route`: positions by name, finding paths.
//! - `failure`, `terminal`: errors and exit statuses, messages on stderr.

mod args;
mod art;
mod bake;
mod command_line;
pub mod config;
mod diff;
mod editor_files;
mod explain;
mod failure;
mod init;
mod inspect;
mod io;
mod level_input;
mod lint;
mod manual;
mod mesh_input;
mod path;
mod place;
mod render;
mod route;
mod schema;
mod simulate;
mod suggest;
mod terminal;
mod view;

use std::io::{ErrorKind, Write as _};
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};

use command_line::{Command, CommandLine};
use failure::{ExitStatus, Failure};
use terminal::Terminal;

/// Prints a wrong command line, or the help or version that was asked for.
fn report(error: &clap::Error) -> ExitCode {
    let is_written = error.print().and_then(|()| std::io::stdout().flush());
    match is_written {
        Err(e) if !error.use_stderr() && e.kind() != ErrorKind::BrokenPipe => {
            Terminal::new(false).error(&format!("cannot write to stdout: {e}"));
            ExitStatus::Error.into()
        }
        _ if error.use_stderr() => ExitStatus::Error.into(),
        _ => ExitStatus::Success.into(),
    }
}

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    let command_line = match CommandLine::try_parse() {
        Ok(command_line) => command_line,
        Err(error) => return report(&error),
    };
    command_line.color.write_global();
    let terminal = Terminal::new(command_line.quiet);
    let status = match &command_line.command {
        Command::Bake(args) => bake::run(args, &terminal),
        Command::Inspect(args) => inspect::run(args, &terminal),
        Command::Dump(args) => inspect::run_dump(args, &terminal),
        Command::Path(args) => path::run(args, &terminal),
        Command::Explain(args) => explain::run(args, &terminal),
        Command::Render(args) => render::run(args, &terminal),
        Command::Simulate(args) => simulate::run(args, &terminal),
        Command::Init(args) => init::run(args, &terminal),
        Command::Schema(args) => schema::run(args),
        Command::Completions(args) => manual::completions(args, CommandLine::command()),
        Command::Man(args) => manual::man(args, CommandLine::command(), &terminal),
        Command::Diff(args) => diff::run(args, &terminal),
        Command::View(args) => view::run(args, &terminal),
        Command::Lint(args) => lint::run(args, &terminal),
    };
    match status {
        Ok(status) => status.into(),
        Err(Failure::ClosedPipe) => ExitStatus::ClosedPipe.into(),
        Err(Failure::Message(message)) => {
            terminal.error(&message);
            ExitStatus::Error.into()
        }
    }
}
