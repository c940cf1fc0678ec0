//! Things before and after.

use serde::Serialize;

/// A thing that both files have, before and after.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change<T> {
    /// What changed.
    pub what: Vec<&'static str>,
    /// Before.
    pub old: T,
    /// After.
    pub new: T,
}

/// What became what.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Replaced<T> {
    /// Before.
    pub old: T,
    /// After.
    pub new: T,
}

/// The names of what changed.
pub(super) fn named<const N: usize>(changes: [(&'static str, bool); N]) -> Vec<&'static str> {
    let changes = changes.into_iter().filter(|(_, is_changed)| *is_changed);
    changes.map(|(name, _)| name).collect()
}
