//! Errors in the definition of a tree.

use std::borrow::Cow;
use std::fmt::Display;

/// A mistake in the definition of a tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct BuildError {
    /// The path of the node: names from the root down, joined by `/`; empty for the whole tree.
    pub path: String,
    /// What is wrong, with the path, and what to do.
    pub message: String,
}

impl BuildError {
    /// `what` continues a sentence that begins with the path.
    pub(crate) fn of_node(path: String, what: impl Display) -> Self {
        let message = format!("`{}`{what}", shortened(&path));
        Self { path, message }
    }

    /// `what` continues a sentence that begins with the tree's name.
    pub(crate) fn of_tree(name: &str, what: &str) -> Self {
        Self {
            path: String::new(),
            message: format!("tree {name:?} {what}"),
        }
    }
}

/// Checks a setting; `expected` says what is valid.
pub fn require(
    is_valid: bool,
    what: &str,
    value: impl Display,
    expected: &str,
) -> Result<(), String> {
    if is_valid {
        return Ok(());
    }
    Err(format!("{what} is {value}, but must be {expected}"))
}

/// Checks a number that may be infinite.
pub fn require_from_0(what: &str, value: f32) -> Result<(), String> {
    require(value >= 0.0, what, value, "a number, 0 or more")
}

/// An infinite number is a mistake too: the quotient or product with it may be NaN.
pub fn require_finite(what: &str, value: f32) -> Result<(), String> {
    let is_valid = value.is_finite() && value >= 0.0;
    require(is_valid, what, value, "a finite number, 0 or more")
}

/// Checks that the first of two numbers is not below the second.
pub fn require_at_least(most: (&str, f32), least: (&str, f32)) -> Result<(), String> {
    let what = format!("`{}`", most.0);
    let expected = format!("a number, {} (`{}`) or more", least.1, least.0);
    require(least.1 <= most.1, &what, most.1, &expected)
}

/// What is wrong with a name that the registry or the pools do not have; `hint` says
/// what to do.
pub fn unknown(what: &str, name: &str, hint: &str) -> String {
    format!(": there is no {what} named {:?}; {hint}", shortened(name))
}

/// The hint at a known name that is similar, if there is one.
pub fn similar<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    // Two edits cover a transposed pair of letters; with three, short names
    // such as "cue" would match nearly anything.
    let (_, similar) = known
        .map(|other| (strsim::levenshtein(name, other), other))
        .min()
        .filter(|(edits, _)| *edits <= 2)?;
    Some(format!("did you mean {similar:?}?"))
}

/// A text of a file without its middle if it is too long for a message: the
/// start and the end of a path say where it is.
fn shortened(text: &str) -> Cow<'_, str> {
    // Twice what the deepest tree of the example has.
    const ENDS: (usize, usize) = (60, 140);
    if text.chars().count() <= ENDS.0 + ENDS.1 {
        return Cow::Borrowed(text);
    }
    let start: String = text.chars().take(ENDS.0).collect();
    let skipped = text.chars().count() - ENDS.1;
    let end: String = text.chars().skip(skipped).collect();
    Cow::Owned(format!("{start}…{end}"))
}
