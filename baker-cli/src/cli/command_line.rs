//! The command line: all commands. Each command's module has its arguments.

use clap::{Parser, Subcommand, ValueEnum};

use crate::cli::{
    bake, diff, explain, init, inspect, lint, manual, path, render, schema, simulate, view,
};

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
    long_about = "Bake side-scroller levels (Tiled, LDtk, collision bitmaps) into navigation meshes: where each \
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
pub struct CommandLine {
    #[command(subcommand)]
    pub command: Command,
    /// Print only warnings and errors, and the data that was asked for
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Colour the output: auto, always or never
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Color::Auto, hide_possible_values = true)]
    pub color: Color,
}

/// `--color`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// Sets the choice for everything that the process writes.
    pub fn write_global(self) {
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
pub enum Command {
    Bake(bake::BakeArgs),
    Init(init::InitArgs),
    Render(render::RenderArgs),
    View(view::ViewArgs),
    Lint(lint::LintArgs),
    Path(path::PathArgs),
    Explain(explain::ExplainArgs),
    Simulate(simulate::SimulateArgs),
    Diff(diff::DiffArgs),
    Inspect(inspect::InspectArgs),
    Dump(inspect::DumpArgs),
    Schema(schema::SchemaArgs),
    Completions(manual::CompletionsArgs),
    Man(manual::ManArgs),
}

#[cfg(test)]
mod tests {
    use crate::cli::*;

    #[test]
    fn the_command_line_is_consistent() {
        <CommandLine as clap::CommandFactory>::command().debug_assert();
    }
}
