//! The `navbake` command.
//!
//! - One module per command: its arguments and what it does.
//! - `args`: arguments that several commands have.
//! - `io`: names of files, reading them, and writing them without losing one of the user.
//! - `level_input`, `mesh_input`: reading levels, or levels and baked files.
//! - `place`, `route`: positions by name, finding paths.
//! - `failure`, `terminal`: errors and exit statuses, messages on stderr.

mod args;
mod art;
mod bake;
mod diff;
mod editor_files;
mod explain;
mod failure;
mod init;
mod inspect;
mod interrupt;
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
mod terminal;
mod view;

use std::io::{ErrorKind, Write as _};
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand, ValueEnum};

use failure::{ExitStatus, Failure};
use terminal::Terminal;

/// The exit statuses, for both forms of the help.
macro_rules! exit_status {
    () => {
        "\
Exit status:
  0  success, or the answer is yes
  1  the answer is no: bake --check found a stale file, path, render --path or view --path found no
     path, explain found no link, simulate did not arrive, diff found a difference, lint found
     something
  2  an error
  141  stdout was closed before everything was written"
    };
}

/// The command line of `navbake`.
#[derive(Debug, Parser)]
#[command(
    name = "navbake",
    version,
    about = "Bake side-scroller levels into navigation meshes",
    long_about = "Bake side-scroller levels (Tiled, LDtk, bitmaps, text grids, Godot) into navigation meshes: where each \
                  kind of agent can walk, jump, drop, climb and fly. A game loads the result with the \
                  crate navmesh-runtime.",
    after_help = exit_status!(),
    after_long_help = concat!("\
Examples:
  navbake bake level.tmx                    write level.navmesh beside the level
  navbake render level.navmesh              draw it: level.navmesh.png
  navbake path level.navmesh --agent ground --from 24,96 --to 400,48
  navbake bake --check levels/              in CI: are the baked files up to date?

Agents, units and what counts as solid are set in navbake.toml. The file beside the level is used,
or else the nearest one in its parent folders, up to the root of its repository. Without such a
file, two agents `ground` and `air` are derived from the tile size.

`-` stands for stdin or stdout. Data goes to stdout, everything else to stderr.

", exit_status!()),
    subcommand_required = true,
    arg_required_else_help = true,
    max_term_width = 100
)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
    /// Print only warnings and errors, and the data that was asked for
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Colour the output: auto, always or never
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Color::Auto, hide_possible_values = true)]
    color: Color,
}

/// `--color`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// Sets the choice for everything that the process writes.
    fn write_global(self) {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// The commands, in the order of the help.
#[derive(Debug, Subcommand)]
enum Command {
    Bake(bake::BakeArgs),
    Init(init::InitArgs),
    Render(render::RenderArgs),
    View(view::ViewArgs),
    Lint(lint::LintArgs),
    Path(path::PathArgs),
    Explain(explain::ExplainArgs),
    Level(inspect::LevelArgs),
    Simulate(simulate::SimulateArgs),
    Diff(diff::DiffArgs),
    Inspect(inspect::InspectArgs),
    Dump(inspect::DumpArgs),
    Schema(schema::SchemaArgs),
    Completions(manual::CompletionsArgs),
    Man(manual::ManArgs),
}

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
    // WASI processes begin in `/`. The program that starts them passes the current folder.
    #[cfg(target_os = "wasi")]
    if let Some(folder) = std::env::var_os("PWD") {
        let _ = std::env::set_current_dir(folder);
    }
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
        Command::Level(args) => inspect::run_level(args, &terminal),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        <CommandLine as clap::CommandFactory>::command().debug_assert();
    }
}
