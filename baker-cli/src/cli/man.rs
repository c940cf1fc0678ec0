//! `navbake man`: manual pages.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::{Args, CommandFactory, ValueHint};
use clap_mangen::Man;

use super::command_line::CommandLine;
use super::terminal::Terminal;
use super::{Answer, Failure};

/// Write the manual page
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake man | man -l -
  navbake man -o ~/.local/share/man/man1     a page for each command, too")]
pub(super) struct ManArgs {
    /// A folder for the pages of all commands
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    output: Option<PathBuf>,
}

pub(super) fn run(args: &ManArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    let mut command = CommandLine::command();
    command.build();
    let Some(folder) = &args.output else {
        let page = page(command)?;
        let mut out = stdout().lock();
        out.write_all(&page)?;
        out.flush()?;
        return Ok(Answer::Yes);
    };
    std::fs::create_dir_all(folder).map_err(|e| Failure::file("create the folder", folder, &e))?;
    let mut pages = vec![(command.get_name().to_owned(), command.clone())];
    for inner in command.get_subcommands() {
        let name = format!("{}-{}", command.get_name(), inner.get_name());
        // A page is called by the name a person looks it up by.
        pages.push((name.clone(), inner.clone().display_name(name)));
    }
    let count = pages.len();
    for (name, command) in pages {
        let path = folder.join(format!("{name}.1"));
        std::fs::write(&path, page(command)?).map_err(|e| Failure::file("write", &path, &e))?;
    }
    terminal.say(&format!("{}: {count} pages", folder.display()));
    Ok(Answer::Yes)
}

fn page(command: clap::Command) -> Result<Vec<u8>, Failure> {
    let mut page = Vec::new();
    Man::new(command)
        .render(&mut page)
        .map_err(|e| Failure::new(format!("cannot write the manual page: {e}")))?;
    Ok(page)
}
