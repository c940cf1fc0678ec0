//! The `navbake` command.
//!
//! - One module per command: its arguments and what it does.
//! - `command_line`: all commands; `args`: arguments that several commands have.
//! - [`config`][]: `navbake.toml`.
//! - `level_input`, `asset`, `mesh_input`: reading levels, baked files, or either.
//! - `place`, `route`: positions by name, finding paths.
//! - `atomic_file`: files that are replaced as a whole; `protected`: files that
//!   are not replaced, because they are inputs.
//! - `output`, `terminal`: data on stdout and in files, messages on stderr.

mod args;
mod art;
mod asset;
mod atomic_file;
mod bake;
mod command_line;
mod completions;
pub mod config;
mod diff;
mod dump;
mod editor_files;
mod explain;
mod failure;
mod init;
mod input_files;
mod inspect;
mod level_input;
mod lint;
mod man;
mod mesh_input;
mod output;
mod path;
mod paths;
mod place;
mod protected;
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
        Command::Dump(args) => dump::run(args, &terminal),
        Command::Path(args) => path::run(args, &terminal),
        Command::Explain(args) => explain::run(args, &terminal),
        Command::Render(args) => render::run(args, &terminal),
        Command::Simulate(args) => simulate::run(args, &terminal),
        Command::Init(args) => init::run(args, &terminal),
        Command::Schema(args) => schema::run(args),
        Command::Completions(args) => completions::run(args, CommandLine::command()),
        Command::Man(args) => man::run(args, CommandLine::command(), &terminal),
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
