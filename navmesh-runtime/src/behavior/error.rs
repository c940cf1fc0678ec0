//! What can be wrong with a tree.

use super::SchemaError;

/// A mistake in a tree, with the path of the node it is in: names from the
/// root down, joined by `/`; a node without a name goes by its kind.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// There is no node at all.
    #[error("tree {0:?} has no node; it needs a root")]
    Empty(String),
    /// A node after the root.
    #[error(
        "`{path}` comes after the root was closed; a tree has one root: put both into a sequence or selector"
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
    /// An `end` with nothing open.
    #[error("tree {0:?} has an `.end()` with no open node; actions and tasks need none")]
    ExtraEnd(String),
    /// A node has too few or too many children.
    #[error("`{path}` ({kind}) takes {expected}, but has {found}")]
    Children {
        /// The node.
        path: String,
        /// What kind of node it is.
        kind: &'static str,
        /// How many it takes, in words.
        expected: String,
        /// How many it has.
        found: usize,
    },
    /// A number that makes no sense.
    #[error("`{path}`: {what} is {value}, but must be {must}")]
    Number {
        /// The node.
        path: String,
        /// Which number.
        what: &'static str,
        /// What it is.
        value: String,
        /// What it must be.
        must: String,
    },
    /// A pace for a node that has none.
    #[error("`{path}` ({kind}) cannot have a pace; only a sequence or selector can")]
    Pace {
        /// The node.
        path: String,
        /// What kind of node it is.
        kind: &'static str,
    },
    /// A call of the builder in the wrong place.
    #[error("{what} after `{path}` means nothing; it must directly follow `{after}`")]
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
        /// What is wrong.
        source: SchemaError,
    },
    /// Nodes within nodes beyond all use.
    #[error("`{path}` lies deeper than {most} nodes; flatten the tree")]
    TooDeep {
        /// The node.
        path: String,
        /// The depth allowed.
        most: usize,
    },
    /// A tree file names something the registry does not know.
    #[error("`{path}`: there is no {what} named {name:?}{hint}")]
    Unknown {
        /// The node.
        path: String,
        /// `task`, `composite`, `priority` or `utility`.
        what: &'static str,
        /// The name.
        name: String,
        /// What there is instead.
        hint: String,
    },
    /// Parameters do not fit the task.
    #[error("`{path}`: parameters of {task:?}: {message}")]
    Parameters {
        /// The node.
        path: String,
        /// The task's name in the registry.
        task: String,
        /// What is wrong.
        message: String,
    },
    /// A node has no form in a tree file.
    #[error(
        "`{path}` has no form in a tree file: it was made in code; register it by name and build it from data"
    )]
    NotData {
        /// The node.
        path: String,
    },
}
