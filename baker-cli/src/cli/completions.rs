//! `navbake completions`.

use std::io::{Write, stdout};

use clap::CommandFactory;

use super::args::{CommandLine, CompletionsArgs};
use super::{Answer, Failure};

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
