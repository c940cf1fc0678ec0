//! Errors in the definition of a tree.

use super::blackboard::BoardError;

/// A mistake in the definition of a tree, with the path of its node: names from
/// the root down, joined by `/`. A node without a name is called by its kind.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The tree has no node.
    #[error("tree {0:?} has no node; it needs a root")]
    Empty(String),
    /// A node follows after the root was closed.
    #[error(
        "`{path}` comes after the end of the root; a tree has one root: put both into a sequence or selector"
    )]
    SecondRoot {
        /// The node.
        path: String,
    },
    /// A node was never closed.
    #[error("`{path}` is never closed; add `.end()` after its last child")]
    Unclosed {
        /// The node.
        path: String,
    },
    /// `end` was called with no open node.
    #[error("tree {0:?} has an `.end()` without an open node; actions and tasks need none")]
    ExtraEnd(String),
    /// A node has too few or too many children.
    #[error("`{path}` ({kind}) takes {expected}, but has {found}")]
    Children {
        /// The node.
        path: String,
        /// The node's kind.
        kind: &'static str,
        /// How many children it takes, in words.
        expected: String,
        /// How many children it has.
        found: usize,
    },
    /// A number is out of range.
    #[error("`{path}`: {what} is {value}, but must be {must}")]
    Number {
        /// The node.
        path: String,
        /// Which number.
        what: &'static str,
        /// Its value.
        value: String,
        /// The values it may have.
        must: String,
    },
    /// A pace was set for a node that has none.
    #[error("`{path}` ({kind}) cannot have a pace; only a sequence or selector can")]
    Pace {
        /// The node.
        path: String,
        /// The node's kind.
        kind: &'static str,
    },
    /// A method of the builder was called in the wrong place.
    #[error("{what} cannot follow `{path}`; it must directly follow `{after}`")]
    Misplaced {
        /// The node added before it.
        path: String,
        /// The call.
        what: &'static str,
        /// What it must follow.
        after: &'static str,
    },
    /// A blackboard key is used with two types, or there are too many.
    #[error("`{path}`: {source}")]
    Key {
        /// The node; empty for a key declared for the whole tree.
        path: String,
        /// The error.
        source: BoardError,
    },
    /// Nodes are nested too deeply.
    #[error("`{path}` is nested deeper than {most} nodes; flatten the tree")]
    TooDeep {
        /// The node.
        path: String,
        /// The depth allowed.
        most: usize,
    },
    /// A tree uses a name that the registry or the pools do not have.
    #[error("`{path}`: there is no {what} named {name:?}{hint}")]
    Unknown {
        /// The node.
        path: String,
        /// `task`, `composite`, `priority`, `utility`, `token pool` or
        /// `waypoint pool`.
        what: &'static str,
        /// The name.
        name: String,
        /// What to do: a similar name, or all names that there are.
        hint: String,
    },
    /// The parameters do not fit the task.
    #[error("`{path}`: parameters of {task:?}: {message}")]
    Parameters {
        /// The node.
        path: String,
        /// The task's name in the registry.
        task: String,
        /// The reason.
        message: String,
    },
    /// A node cannot be saved in a tree file.
    #[error(
        "`{path}` cannot be saved in a tree file: it was made in code; register it by name and build it from data"
    )]
    NotData {
        /// The node.
        path: String,
    },
}
