//! The command line as a whole; what each command can be told stands beside
//! it.

use clap::{Parser, Subcommand};

use super::bake::BakeArgs;
use super::completions::CompletionsArgs;
use super::diff::DiffArgs;
use super::dump::DumpArgs;
use super::explain::ExplainArgs;
use super::init::InitArgs;
use super::inspect::InspectArgs;
use super::lint::LintArgs;
use super::man::ManArgs;
use super::path::PathArgs;
use super::render::RenderArgs;
use super::schema::SchemaArgs;
use super::simulate::SimulateArgs;
use super::view::ViewArgs;

/// The command line of `navbake`.
#[derive(Debug, Parser)]
#[command(
    name = "navbake",
    version,
    about = "Bake side-scroller levels into nav meshes",
    long_about = "Bake side-scroller levels (Tiled, LDtk, collision bitmaps) into nav meshes: where each kind \
                  of agent can walk, jump, drop and fly. A game loads the result with the crate \
                  navmesh-runtime.",
    after_help = "Exit status: 0 fine; 1 the answer is no (bake --check: stale; path: there is none; simulate: it does not arrive; diff: they differ; lint: something found); 2 trouble.",
    after_long_help = "\
Examples:
  navbake bake level.tmx                    write level.navmesh beside it
  navbake render level.navmesh              draw it: level.png
  navbake path level.navmesh --agent ground --from 24,96 --to 400,48
  navbake bake --check levels/              in CI: are the baked files up to date?

Agents, units and what counts as solid are set in navbake.toml: looked for beside the level, then
in its parent folders up to the current one. Without it, agents `ground` and `air` are derived from
the tile size.

`-` stands for stdin or stdout. Data goes to stdout, everything else to stderr.

Exit status: 0 fine; 1 the answer is no (bake --check: stale; path: there is none; simulate: it does
not arrive; diff: they differ; lint: something found); 2 trouble.",
    disable_help_subcommand = true,
    subcommand_required = true,
    arg_required_else_help = true,
    max_term_width = 100
)]
pub(super) struct CommandLine {
    #[command(subcommand)]
    pub(super) command: Command,
}

/// What to do; in the order in which the help lists it.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    Bake(BakeArgs),
    Inspect(InspectArgs),
    Dump(DumpArgs),
    Path(PathArgs),
    Explain(ExplainArgs),
    Render(RenderArgs),
    Simulate(SimulateArgs),
    Init(InitArgs),
    Schema(SchemaArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
    Diff(DiffArgs),
    View(ViewArgs),
    Lint(LintArgs),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        <CommandLine as clap::CommandFactory>::command().debug_assert();
    }
}
