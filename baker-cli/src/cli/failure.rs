//! Why a command failed.

use std::fmt;
use std::io;
use std::path::Path;

/// Why a command failed: one message, or nobody reads its output any more.
#[derive(Debug)]
pub(super) enum Failure {
    /// What to tell.
    Message(String),
    /// Whoever read stdout went away, which is their right (`… | head`).
    NobodyReads,
}

impl Failure {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self::Message(message.into())
    }

    /// Something could not be done to a file.
    pub(super) fn file(what: &str, path: &Path, error: &io::Error) -> Self {
        Self::Message(format!("cannot {what} {}: {error}", path.display()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(message) => f.write_str(message),
            Self::NobodyReads => f.write_str("nobody reads the output"),
        }
    }
}

/// Errors of writing to stdout; those of files are told with their name.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::NobodyReads
        } else {
            Self::Message(format!("cannot write to stdout: {error}"))
        }
    }
}

impl From<super::config::ConfigError> for Failure {
    fn from(error: super::config::ConfigError) -> Self {
        Self::Message(error.to_string())
    }
}

/// A library's error with all its causes, each told once.
pub(super) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        cause = error.source();
    }
    text
}
