//! `navbake completions`: scripts for shells.

use clap::Args;
use clap_complete::Shell;

use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::output;

/// Write a script that completes commands in a shell
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake completions bash > ~/.local/share/bash-completion/completions/navbake
  navbake completions zsh > ~/.zfunc/_navbake
  navbake completions fish > ~/.config/fish/completions/navbake.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

pub(crate) fn run(
    args: &CompletionsArgs,
    mut command: clap::Command,
) -> Result<ExitStatus, Failure> {
    // Generates into memory first: the generator panics when stdout is closed.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "navbake", &mut script);
    output::to_stdout(&script)?;
    Ok(ExitStatus::Success)
}
