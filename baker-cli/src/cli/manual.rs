//! `navbake completions` and `navbake man`: what is written from the command line itself.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::io;
use crate::cli::terminal::Terminal;

/// Write a script that completes commands in a shell
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake completions bash > ~/.local/share/bash-completion/completions/navbake
  navbake completions zsh > ~/.zfunc/_navbake
  navbake completions fish > ~/.config/fish/completions/navbake.fish")]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

/// Write the manual page, or one page for each command
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake man | man -l -
  navbake man -o ~/.local/share/man/man1     navbake.1 and a page for each command")]
pub struct ManArgs {
    /// Write the pages of all commands to this folder
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    output: Option<PathBuf>,
}

pub fn completions(
    args: &CompletionsArgs,
    mut command: clap::Command,
) -> Result<ExitStatus, Failure> {
    // Generates into memory first: the generator panics when stdout is closed.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "navbake", &mut script);
    io::to_stdout(&script)?;
    Ok(ExitStatus::Success)
}

pub fn man(
    args: &ManArgs,
    mut command: clap::Command,
    terminal: &Terminal,
) -> Result<ExitStatus, Failure> {
    command.build();
    let Some(folder) = &args.output else {
        io::to_stdout(&page(command)?)?;
        return Ok(ExitStatus::Success);
    };
    io::create_folder(folder)?;
    let mut pages = vec![(command.get_name().to_owned(), command.clone())];
    for inner in (command.get_subcommands()).filter(|inner| inner.get_name() != "help") {
        let name = format!("{}-{}", command.get_name(), inner.get_name());
        pages.push((name.clone(), inner.clone().display_name(name)));
    }
    let count = pages.len();
    for (name, command) in pages {
        io::store(&folder.join(format!("{name}.1")), &page(command)?)?;
    }
    terminal.print(&format!("{}: {count} pages", folder.display()));
    Ok(ExitStatus::Success)
}

fn page(command: clap::Command) -> Result<Vec<u8>, Failure> {
    let mut page = Vec::new();
    Man::new(command)
        .render(&mut page)
        .map_err(|e| Failure::new(format!("cannot write the manual page: {e}")))?;
    Ok(page)
}
