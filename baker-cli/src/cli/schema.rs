//! `navbake schema`: JSON Schemas of the configuration and of the commands'
//! JSON output.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::io;

/// The name of each schema, what it describes, and its text.
#[rustfmt::skip]
const SCHEMAS: [(&str, &str, &str); 9] = [
    ("config", "navbake.toml", include_str!("../../schema/config.schema.json")),
    ("bake", "Each line of `bake --json`", include_str!("../../schema/bake.schema.json")),
    ("inspect", "`inspect --json`", include_str!("../../schema/inspect.schema.json")),
    ("dump", "`dump --json`", include_str!("../../schema/dump.schema.json")),
    ("path", "`path --json`", include_str!("../../schema/path.schema.json")),
    ("explain", "`explain --json`", include_str!("../../schema/explain.schema.json")),
    ("simulate", "`simulate --json`", include_str!("../../schema/simulate.schema.json")),
    ("lint", "`lint --json`", include_str!("../../schema/lint.schema.json")),
    ("diff", "`diff --json`", include_str!("../../schema/diff.schema.json")),
];

fn subjects() -> PossibleValuesParser {
    SCHEMAS
        .map(|(name, help, _)| PossibleValue::new(name).help(help))
        .into()
}

/// Write the JSON Schema of navbake.toml or of a command's JSON output
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// What the schema describes
    #[arg(value_name = "SUBJECT", value_parser = subjects())]
    subject: String,
}

pub fn run(args: &SchemaArgs) -> Result<ExitStatus, Failure> {
    let mut schemas = SCHEMAS.iter();
    let found = schemas.find(|(name, ..)| *name == args.subject);
    io::to_stdout(found.map_or(&[], |(.., text)| text.as_bytes()))?;
    Ok(ExitStatus::Success)
}
