//! How commands end: their exit status, the errors that end them early, and help for
//! misspelt names: "did you mean".

use std::error::Error;
use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use navmesh_runtime::search::UnknownDoor;

use crate::config::{ConfigError, nearest};
use crate::source::{SourceError, level_file, one_line, why};

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

/// A path in one line, whatever characters its name has.
pub fn shown(path: &Path) -> String {
    one_line(&path.display().to_string())
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
    pub fn unknown_agent(name: &str, known: &[String]) -> Self {
        let agents = known.join(", ");
        let help = match nearest(name, known.iter().map(String::as_str)) {
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

impl From<SourceError> for Failure {
    fn from(error: SourceError) -> Self {
        let mut text = chain(&error);
        let help = match &error {
            SourceError::UnknownFormat { file } => {
                let path = Path::new(level_file(file));
                if !path.exists() {
                    text = format!("{file}: there is no such file or folder");
                }
                missing(path)
            }
            SourceError::Io { file, error, .. } => help_for(Path::new(level_file(file)), error),
            _ => None,
        };
        push_help(&mut text, help);
        Self::Message(text)
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        match &error {
            ConfigError::Read { path, source } => {
                Self::file("read the configuration", path, source)
            }
            ConfigError::Invalid(text) => Self::new(text),
        }
    }
}

impl From<UnknownDoor> for Failure {
    fn from(error: UnknownDoor) -> Self {
        match nearest(&error.name, error.known.iter().map(String::as_str)) {
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
        io::ErrorKind::NotFound => missing(path),
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

/// Names are suggested in folders of at most this many files. A world may list
/// thousands of files that do not exist.
const MOST_NAMES: usize = 1000;

/// Help for a path that does not exist: which part of it is missing, and what
/// it may have meant. `None` when the file exists.
pub fn missing(path: &Path) -> Option<String> {
    if path.exists() {
        return None;
    }
    let mut first = path;
    while let Some(parent) = first.parent()
        && !parent.as_os_str().is_empty()
        && !parent.exists()
    {
        first = parent;
    }
    let folder = first
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let mut names: Vec<String> = (std::fs::read_dir(folder).into_iter().flatten())
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .take(MOST_NAMES + 1)
        .collect();
    if names.len() > MOST_NAMES {
        names.clear();
    }
    let name = first.file_name().unwrap_or_default().to_string_lossy();
    // Of equally similar names, the same one is suggested everywhere.
    names.sort_unstable();
    let meant = nearest(&name, names.iter().map(String::as_str));
    if let Some(name) = meant {
        let mut meant = first.with_file_name(name);
        meant.extend(path.strip_prefix(first).into_iter().flatten());
        return Some(format!("did you mean {}?", meant.display()));
    }
    (first != path).then(|| format!("there is no folder {}", first.display()))
}
