//! How commands end: their exit status, and the errors that end them early.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use navmesh_runtime::search::UnknownDoor;

use crate::cli::config::ConfigError;
use crate::cli::io::{level_file, shown};
use crate::cli::suggest;
use crate::source::{SourceError, why};

/// What to do about a file or folder that the user may not read or write. Windows has
/// the same error for a file that is open in another program.
pub const NO_PERMISSION: &str = "change the permissions of the file or of its folder, \
                                        and close programs that have the file open";

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// 0: the command did its work, or the answer to its question is yes.
    Success = 0,
    /// 1: the answer to the command's question is no.
    No = 1,
    /// 2: an error, which was already printed.
    Error = 2,
    /// 141: stdout was closed before all of it was written, and the answer is not
    /// known. As of programs that the signal SIGPIPE ends.
    ClosedPipe = 141,
}

impl ExitStatus {
    /// The status of a command that answers a question.
    pub const fn answer(yes: bool) -> Self {
        if yes { Self::Success } else { Self::No }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status as u8)
    }
}

/// Why a command ended early.
#[derive(Debug)]
pub enum Failure {
    /// An error to print: what is wrong, then lines that begin with `help: `.
    Message(String),
    /// The program that read stdout closed it, as `head` does. Not an error.
    ClosedPipe,
}

impl Failure {
    pub fn new(problem: impl Into<String>) -> Self {
        Self::Message(problem.into())
    }

    /// A problem and what the user can do about it.
    pub fn with_help(problem: impl fmt::Display, help: impl fmt::Display) -> Self {
        Self::Message(format!("{problem}\nhelp: {help}"))
    }

    /// A problem with a file and what the user can do about it.
    pub fn about(file: &Path, problem: impl fmt::Display, help: impl fmt::Display) -> Self {
        Self::with_help(format_args!("{}: {problem}", shown(file)), help)
    }

    /// A library's error with its causes.
    pub fn of(error: &dyn Error) -> Self {
        Self::Message(chain(error))
    }

    /// A library's error that does not name the file it is about.
    pub fn in_file(name: impl fmt::Display, error: &dyn Error) -> Self {
        Self::Message(format!("{name}: {}", chain(error)))
    }

    /// A file could not be read, written, ...: `verb` says which.
    pub fn file(verb: &str, path: &Path, error: &io::Error) -> Self {
        let mut text = format!("{}: cannot {verb}: {}", shown(path), why(error));
        push_help(&mut text, help_for(path, error));
        Self::Message(text)
    }

    /// No agent has the name that was given.
    pub fn unknown_agent(name: &str, known: &[&str]) -> Self {
        let agents = known.join(", ");
        let help = match suggest::nearest(name, known.iter().copied()) {
            _ if known.is_empty() => "the file was baked without agents".to_owned(),
            Some(near) => format!("did you mean {near:?}? The agents are {agents}"),
            None => format!("the agents are {agents}"),
        };
        Self::with_help(format_args!("no agent is named {name:?}"), help)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(message) => f.write_str(message),
            Self::ClosedPipe => f.write_str("stdout was closed"),
        }
    }
}

/// Errors of writing to stdout. For files, [`Failure::file`] adds the name.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::ClosedPipe
        } else {
            Self::Message(format!("cannot write to stdout: {error}"))
        }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        let mut text = error.to_string();
        if let ConfigError::Read { path, source } = &error {
            push_help(&mut text, help_for(path, source));
        }
        Self::Message(text)
    }
}

impl From<SourceError> for Failure {
    fn from(error: SourceError) -> Self {
        let file = |name: &str| level_file(Path::new(name));
        let mut text = match &error {
            SourceError::UnknownFormat { file: name } if !file(name).exists() => {
                format!("{name}: there is no such file or folder")
            }
            _ => chain(&error),
        };
        let help = match &error {
            SourceError::UnknownFormat { file: name } => suggest::missing(&file(name)),
            SourceError::Io {
                file: name, error, ..
            } => help_for(&file(name), error),
            _ => None,
        };
        push_help(&mut text, help);
        Self::Message(text)
    }
}

impl From<UnknownDoor> for Failure {
    fn from(error: UnknownDoor) -> Self {
        match suggest::nearest(&error.name, error.known.iter().map(String::as_str)) {
            Some(near) => Self::with_help(&error, format_args!("did you mean {near:?}?")),
            None => Self::Message(error.to_string()),
        }
    }
}

/// What to do about a file that cannot be read or written.
fn help_for(path: &Path, error: &io::Error) -> Option<String> {
    match error.kind() {
        io::ErrorKind::NotFound if path.is_symlink() => {
            Some("this link leads to no file: restore the file, or remove the link".to_owned())
        }
        io::ErrorKind::NotFound => suggest::missing(path),
        io::ErrorKind::PermissionDenied => Some(NO_PERMISSION.to_owned()),
        _ => None,
    }
}

/// Adds a line of help, if there is any.
fn push_help(text: &mut String, help: Option<String>) {
    if let Some(help) = help {
        text.push_str("\nhelp: ");
        text.push_str(&help);
    }
}

/// An error's text and its causes' texts. A cause that is already part of the
/// text is left out.
fn chain(error: &dyn Error) -> String {
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
