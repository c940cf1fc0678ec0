//! `navbake man`: manual pages.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use clap_mangen::Man;

use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::output;
use crate::cli::terminal::Terminal;

/// Write the manual page, or one page for each command
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake man | man -l -
  navbake man -o ~/.local/share/man/man1     navbake.1 and a page for each command")]
pub(crate) struct ManArgs {
    /// Write the pages of all commands to this folder
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    output: Option<PathBuf>,
}

pub(crate) fn run(
    args: &ManArgs,
    mut command: clap::Command,
    terminal: &Terminal,
) -> Result<ExitStatus, Failure> {
    command.build();
    let Some(folder) = &args.output else {
        output::to_stdout(&page(command)?)?;
        return Ok(ExitStatus::Success);
    };
    std::fs::create_dir_all(folder).map_err(|e| Failure::file("create the folder", folder, &e))?;
    let mut pages = vec![(command.get_name().to_owned(), command.clone())];
    for inner in (command.get_subcommands()).filter(|inner| inner.get_name() != "help") {
        let name = format!("{}-{}", command.get_name(), inner.get_name());
        pages.push((name.clone(), inner.clone().display_name(name)));
    }
    let count = pages.len();
    for (name, command) in pages {
        let path = folder.join(format!("{name}.1"));
        output::store(&path, &page(command)?)?;
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
