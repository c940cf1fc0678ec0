//! Errors of meshes.

use std::borrow::Cow;
use std::fmt::Display;

/// Errors of meshes: a number out of range, or parts that contradict each
/// other. The message names the part.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MeshError(Cow<'static, str>);

impl MeshError {
    pub(crate) const fn new(what: &'static str) -> Self {
        Self(Cow::Borrowed(what))
    }

    /// What is wrong with one of many parts.
    #[cold]
    pub(crate) fn of(part: &str, number: impl Display, what: &str) -> Self {
        Self(Cow::Owned(format!("{part} {number} {what}")))
    }
}

impl From<String> for MeshError {
    fn from(what: String) -> Self {
        Self(Cow::Owned(what))
    }
}
