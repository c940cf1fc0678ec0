//! What can be wrong with a configuration, with its place.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

/// Why a configuration could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file could not be read.
    #[error("cannot read the configuration {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file says something that makes no sense.
    #[error("{0}")]
    Invalid(Box<Place>),
}

/// A complaint and the line it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file, as it was named.
    pub path: PathBuf,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong and what to do.
    pub message: String,
    /// The text of the line.
    source: String,
    /// How many characters the complaint is about.
    width: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, .. } = self;
        write!(
            f,
            "{}:{line}:{column}: {}",
            self.path.display(),
            self.message
        )?;
        if self.source.trim().is_empty() {
            return Ok(());
        }
        let number = line.to_string();
        let gutter = " ".repeat(number.len());
        // Tabs stay tabs, so that the carets stand below what they mean.
        let indent: String = (self.source.chars())
            .take(column - 1)
            .map(|c| if c == '\t' { '\t' } else { ' ' })
            .collect();
        write!(f, "\n  {number} | {}", self.source)?;
        write!(
            f,
            "\n  {gutter} | {indent}{}",
            "^".repeat(self.width.max(1))
        )
    }
}

/// The text of a configuration, to find places in.
#[derive(Debug, Clone)]
pub(super) struct Text {
    path: PathBuf,
    text: String,
}

impl Text {
    pub(super) fn new(path: impl Into<PathBuf>, text: String) -> Self {
        Self {
            path: path.into(),
            text,
        }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// A complaint about a range of bytes.
    pub(super) fn error(&self, span: Range<usize>, message: &str) -> ConfigError {
        let whole = |at: usize| {
            (0..=at.min(self.text.len()))
                .rev()
                .find(|i| self.text.is_char_boundary(*i))
                .unwrap_or(0)
        };
        let start = whole(span.start);
        let end = whole(span.end).max(start);
        let before = &self.text[..start];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        let source = self.text[line_start..].lines().next().unwrap_or_default();
        let column = self.text[line_start..start].chars().count() + 1;
        let left = source.chars().count().saturating_sub(column - 1);
        ConfigError::Invalid(Box::new(Place {
            path: self.path.clone(),
            line: before.matches('\n').count() + 1,
            column,
            message: message.to_string(),
            source: source.to_string(),
            width: self.text[start..end].chars().count().min(left),
        }))
    }

    /// A complaint of the TOML parser.
    pub(super) fn syntax(&self, error: &toml::de::Error) -> ConfigError {
        // The parser's message may span lines; the first is what is wrong,
        // the rest what was expected.
        let message = error.message().trim().replace('\n', "; ");
        self.error(error.span().unwrap_or(0..0), &message)
    }
}
