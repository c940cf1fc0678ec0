//! A comparison for programs.

use std::io::{self, Write};

use super::Diff;

/// Writes it as JSON; `schema/diff.schema.json` describes it.
///
/// # Errors
/// Those of `out`.
pub fn json(diff: &Diff, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, diff)?;
    writeln!(out)
}
