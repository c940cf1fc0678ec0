//! Where what a command makes goes: pictures, animations, pages.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use super::Failure;
use super::pipeline::is_dash;
use super::terminal::Terminal;

/// Where to write: where it was said, or else beside the file it is made from,
/// to stdout for what comes from stdin.
pub(super) fn beside(said: Option<&Path>, input: &Path, extension: &str) -> PathBuf {
    match said {
        Some(path) => path.to_path_buf(),
        None if is_dash(input) => input.to_path_buf(),
        None => input.with_extension(extension),
    }
}

/// Refuses to write over what is read. `what` is made, and the person is told
/// what to do instead.
pub(super) fn refuse_overwrite(
    output: &Path,
    inputs: &[&Path],
    what: &str,
    instead: &str,
) -> Result<(), Failure> {
    if is_dash(output) || !inputs.contains(&output) {
        return Ok(());
    }
    Err(Failure::new(format!(
        "the {what} would replace {} itself; give {instead}",
        output.display()
    )))
}

/// Writes a file and tells the person `told` of it, or writes to stdout.
pub(super) fn write(
    output: &Path,
    bytes: &[u8],
    told: &str,
    terminal: &Terminal,
) -> Result<(), Failure> {
    if is_dash(output) {
        let mut out = stdout().lock();
        out.write_all(bytes)?;
        out.flush()?;
    } else {
        std::fs::write(output, bytes).map_err(|e| Failure::file("write", output, &e))?;
        terminal.say(&format!("{}: {told}", output.display()));
    }
    Ok(())
}
