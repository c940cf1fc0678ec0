//! What `lint` and `diff` have in common: severities, and annotations of a
//! GitHub workflow.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;

use super::format::printable;
use crate::source::level_file;

/// How bad a finding is; the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// It cannot be intended.
    Error,
    /// It may be intended.
    Warning,
    /// It is different, and probably intended.
    Note,
}

impl Severity {
    /// The name in findings and in `navbake.toml`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// A level that could not be checked or compared.
#[derive(Serialize, JsonSchema)]
pub struct FailedLevel {
    /// The level or baked file as the caller names it.
    pub file: String,
    /// Why, with lines of help.
    pub error: String,
}

/// Writes an annotation for each level that failed.
pub fn annotate_failed(failed: &[FailedLevel], title: &str, out: &mut dyn Write) -> io::Result<()> {
    (failed.iter())
        .try_for_each(|level| annotate(out, Severity::Error, &level.file, title, &level.error))
}

/// Writes one GitHub workflow command, which GitHub shows as an annotation of
/// the level's file. Of a level in a project, the title ends with its name.
pub fn annotate(
    out: &mut dyn Write,
    severity: Severity,
    level: &str,
    title: &str,
    message: &str,
) -> io::Result<()> {
    let command = match severity {
        Severity::Note => "notice",
        other => other.name(),
    };
    let file = level_file(level);
    let name = (level.strip_prefix(file)).and_then(|rest| rest.strip_prefix('#'));
    let title = name.map_or_else(|| title.to_owned(), |name| format!("{title} in {name}"));
    // GitHub finds a file only by its path from the root of the repository.
    let file = file.strip_prefix("./").unwrap_or(file);
    // Properties end at a comma, and a property's name at a colon.
    let [file, title] =
        [file, &title].map(|text| escaped(text).replace(':', "%3A").replace(',', "%2C"));
    writeln!(
        out,
        "::{command} file={file},title={title}::{}",
        escaped(message)
    )
}

/// Text on one line of a workflow's log: a line break would let a name start a
/// command of its own.
pub fn escaped(text: &str) -> String {
    let lines = text.split('\n').map(printable).collect::<Vec<_>>();
    lines.join("\n").replace('%', "%25").replace('\n', "%0A")
}
