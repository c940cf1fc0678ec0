//! `navbake schema`: JSON Schemas of the configuration and of the commands'
//! JSON output.

use clap::{Args, ValueEnum};

use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::output;

/// What a schema describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Subject {
    /// navbake.toml
    Config,
    /// Each line of `bake --json`
    Bake,
    /// `inspect --json`
    Inspect,
    /// `dump --json`
    Dump,
    /// `path --json`
    Path,
    /// `explain --json`
    Explain,
    /// `simulate --json`
    Simulate,
    /// `lint --json`
    Lint,
    /// `diff --json`
    Diff,
}

impl Subject {
    const fn text(self) -> &'static str {
        match self {
            Self::Config => include_str!("../../schema/config.schema.json"),
            Self::Bake => include_str!("../../schema/bake.schema.json"),
            Self::Inspect => include_str!("../../schema/inspect.schema.json"),
            Self::Dump => include_str!("../../schema/dump.schema.json"),
            Self::Path => include_str!("../../schema/path.schema.json"),
            Self::Explain => include_str!("../../schema/explain.schema.json"),
            Self::Simulate => include_str!("../../schema/simulate.schema.json"),
            Self::Lint => include_str!("../../schema/lint.schema.json"),
            Self::Diff => include_str!("../../schema/diff.schema.json"),
        }
    }
}

/// Write the JSON Schema of navbake.toml or of a command's JSON output
#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// What the schema describes
    #[arg(value_enum, value_name = "SUBJECT")]
    subject: Subject,
}

pub(crate) fn run(args: &SchemaArgs) -> Result<ExitStatus, Failure> {
    output::to_stdout(args.subject.text().as_bytes())?;
    Ok(ExitStatus::Success)
}
