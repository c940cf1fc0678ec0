//! `navbake schema`: JSON Schemas of the configuration and of the commands' JSON output, from
//! the types that are read and written.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

use crate::cli::bake::JsonLine;
use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::io;
use crate::config::ConfigTables;
use crate::report::diff::DiffJson;
use crate::report::dump::Dump;
use crate::report::explain::Explanation;
use crate::report::inspect::Summary;
use crate::report::lint::LintJson;
use crate::report::route::PathJson;
use crate::report::simulation::SimulationJson;
use crate::source::LevelJson;

/// The name of each schema, what it describes, and how it is made.
type Subject = (&'static str, &'static str, fn() -> Schema);

const SUBJECTS: [Subject; 10] = [
    ("config", "navbake.toml", || {
        schema::<ConfigTables>(SchemaSettings::draft2020_12().with(|s| s.inline_subschemas = true))
    }),
    ("level", "Levels in navbake's own format", || {
        schema::<LevelJson<'static>>(SchemaSettings::draft2020_12())
    }),
    ("bake", "Each line of `bake --json`", output::<JsonLine<'_>>),
    ("inspect", "`inspect --json`", output::<Summary<'_>>),
    ("dump", "`dump --json`", output::<Dump<'_>>),
    ("path", "`path --json`", output::<PathJson<'_>>),
    ("explain", "`explain --json`", output::<Explanation>),
    (
        "simulate",
        "`simulate --json`",
        output::<SimulationJson<'_>>,
    ),
    ("lint", "`lint --json`", output::<LintJson<'_>>),
    ("diff", "`diff --json`", output::<DiffJson<'_>>),
];

fn subjects() -> PossibleValuesParser {
    SUBJECTS
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
    let found = (SUBJECTS.into_iter()).find(|(name, ..)| *name == args.subject);
    if let Some((name, help, make)) = found {
        let mut schema = make();
        schema.insert(
            "$id".to_owned(),
            json!(format!(
                "https://navbake.github.io/schema/{name}-1.schema.json"
            )),
        );
        schema.insert("title".to_owned(), json!(help.replace('`', "")));
        let text = serde_json::to_string_pretty(&schema).map_err(std::io::Error::from)?;
        io::to_stdout(format!("{text}\n").as_bytes())?;
    }
    Ok(ExitStatus::Success)
}

/// The schema of what a command writes.
fn output<T: JsonSchema>() -> Schema {
    let mut schema = schema::<T>(SchemaSettings::draft2020_12().for_serialize());
    let more = "Keys may be added without a new version; none is removed or changed in meaning.";
    schema.insert("description".to_owned(), json!(more));
    schema
}

fn schema<T: JsonSchema>(settings: SchemaSettings) -> Schema {
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    RecursiveTransform(without_null).transform(&mut schema);
    schema
}

/// Keys that may be left out are never null, in TOML and where empty ones are not written.
fn without_null(schema: &mut Schema) {
    let required = schema.get("required").cloned().unwrap_or_default();
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (name, property) in properties.into_iter().flatten() {
        let is_required = required
            .as_array()
            .is_some_and(|r| r.iter().any(|r| r == name));
        let Some(property) = property.as_object_mut().filter(|_| !is_required) else {
            continue;
        };
        if let Some(types) = property.get("type").and_then(Value::as_array) {
            let mut types: Vec<_> = types.iter().filter(|t| *t != "null").cloned().collect();
            let only = (types.len() == 1).then(|| types.swap_remove(0));
            property.insert("type".to_owned(), only.unwrap_or(Value::Array(types)));
        }
        if let Some(Value::Array(kinds)) = property.get_mut("anyOf") {
            kinds.retain(|kind| kind["type"] != "null");
        }
        if let Some(Value::Array(values)) = property.get_mut("enum") {
            values.retain(|value| !value.is_null());
        }
        if property.get("default").is_some_and(Value::is_null) {
            property.remove("default");
        }
    }
}
