//! The exit status of a command.

use std::process::ExitCode;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExitStatus {
    /// 0: the command did its work, or the answer to its question is yes.
    Success,
    /// 1: the answer to the command's question is no.
    No,
    /// 2: an error, which was already printed.
    Error,
    /// 141: stdout was closed before all of it was written, and the answer is not
    /// known. As of programs that the signal SIGPIPE ends.
    ClosedPipe,
}

impl ExitStatus {
    /// The status of a command that answers a question.
    pub(crate) const fn answer(yes: bool) -> Self {
        if yes { Self::Success } else { Self::No }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(match status {
            ExitStatus::Success => 0,
            ExitStatus::No => 1,
            ExitStatus::Error => 2,
            ExitStatus::ClosedPipe => 141,
        })
    }
}
