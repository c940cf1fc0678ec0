//! Errors in the definition of a tree.

use std::fmt::Display;

/// A mistake in the definition of a tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct BuildError {
    /// The [path](super::Tree::paths) of the node; empty for the whole tree.
    pub path: String,
    /// What is wrong, with the path, and what to do.
    pub message: String,
}

impl BuildError {
    /// `what` continues a sentence that begins with the path.
    pub(super) fn of_node(path: String, what: impl Display) -> Self {
        let message = format!("`{path}`{what}");
        Self { path, message }
    }

    /// `what` continues a sentence that begins with the tree's name.
    pub(super) fn of_tree(name: &str, what: &str) -> Self {
        Self {
            path: String::new(),
            message: format!("tree {name:?} {what}"),
        }
    }

    /// A name that the registry or the pools do not have; `hint` says what to
    /// do.
    pub(super) fn unknown(path: String, what: &str, name: &str, hint: &str) -> Self {
        Self::of_node(
            path,
            format_args!(": there is no {what} named {name:?}; {hint}"),
        )
    }
}
