//! `navbake completions`.

use std::io::{Write, stdout};

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::command_line::CommandLine;
use super::{Answer, Failure};

/// Write a script that completes commands in a shell
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake completions bash > ~/.local/share/bash-completion/completions/navbake
  navbake completions zsh > ~/.zfunc/_navbake
  navbake completions fish > ~/.config/fish/completions/navbake.fish")]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

pub(super) fn run(args: &CompletionsArgs) -> Result<Answer, Failure> {
    // Written at once: the generator does not expect a reader that goes away.
    let mut script = Vec::new();
    clap_complete::generate(
        args.shell,
        &mut CommandLine::command(),
        "navbake",
        &mut script,
    );
    let mut out = stdout().lock();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Answer::Yes)
}
