//! Things before and after.

use schemars::JsonSchema;
use serde::Serialize;

/// What became what.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Replaced<T> {
    /// Before.
    pub old: T,
    /// After.
    pub new: T,
}

/// A thing that both files have, before and after.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Edited<T> {
    /// What changed.
    pub what: Vec<&'static str>,
    /// Before.
    pub old: T,
    /// After.
    pub new: T,
}
