//! `navbake schema`: JSON Schemas of the configuration and of what commands
//! write.

use std::io::{Write, stdout};

use clap::{Args, ValueEnum};

use super::{Answer, Failure};

/// What there is a schema of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Subject {
    /// navbake.toml
    Config,
    /// A line of `bake --json`
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
    /// `diff --format json`
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

/// Write the JSON Schema of navbake.toml or of what a command writes
#[derive(Debug, Args)]
pub(super) struct SchemaArgs {
    /// Of what
    #[arg(value_enum, value_name = "OF")]
    subject: Subject,
}

pub(super) fn run(args: &SchemaArgs) -> Result<Answer, Failure> {
    let mut out = stdout().lock();
    out.write_all(args.subject.text().as_bytes())?;
    out.flush()?;
    Ok(Answer::Yes)
}
