//! Errors of a configuration and the place they are about.

use std::fmt::Write as _;
use std::ops::Range;
use std::path::PathBuf;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::source::why;

/// Why a configuration cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{}: cannot read the configuration: {}", path.display(), why(.source))]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The file is not TOML, or a value is invalid. The text has the file, the
    /// line with carets below the place, and help.
    #[error("{0}")]
    Invalid(String),
}

/// An invalid value, before it is placed in the file.
#[derive(Debug)]
pub struct InvalidValue {
    /// The key in its table, or the key and an index: `off.2`.
    pub key: String,
    pub problem: String,
    /// What to do; may be empty.
    pub help: String,
}

impl InvalidValue {
    pub fn new(
        key: impl Into<String>,
        problem: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            key: key.into(),
            problem: problem.into(),
            help: help.into(),
        }
    }
}

/// The text of a configuration, to find places in.
#[derive(Debug, Clone, Default)]
pub struct ConfigText {
    path: PathBuf,
    pub text: String,
}

impl ConfigText {
    pub fn new(path: impl Into<PathBuf>, text: String) -> Self {
        Self {
            path: path.into(),
            text,
        }
    }

    /// The error for a value of a table: `level`, `agent.0`.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "passed to `map_err` as it is"
    )]
    pub fn error(&self, table: &str, value: InvalidValue) -> ConfigError {
        let span = self.span(&format!("{table}.{}", value.key));
        self.error_at(span, &value.problem, &value.help)
    }

    /// The bytes of the value at a path of keys and indices, or of the
    /// innermost table on the path if there is no such value.
    fn span(&self, path: &str) -> Range<usize> {
        // Values have no places once they are read, so the text is parsed again, which
        // only an error costs. A text with errors never gets here.
        let Ok(table) = DeTable::parse(&self.text) else {
            return 0..0;
        };
        let table = Spanned::new(0..0, DeValue::Table(table.into_inner()));
        let mut found = &table;
        for part in path.split('.') {
            let inner = match found.get_ref() {
                DeValue::Table(table) => table.get(part),
                DeValue::Array(items) => part.parse().ok().and_then(|i: usize| items.get(i)),
                _ => None,
            };
            let Some(inner) = inner else { break };
            found = inner;
        }
        found.span()
    }

    fn error_at(&self, span: Range<usize>, problem: &str, help: &str) -> ConfigError {
        let before = self.text.get(..span.start).unwrap_or_default();
        let inside = self.text.get(span).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        let source = self.text[line_start..].lines().next().unwrap_or_default();
        let (path, line) = (self.path.display(), before.matches('\n').count() + 1);
        let column = before[line_start..].chars().count() + 1;
        let mut text = format!("{path}:{line}:{column}: {problem}");
        if !source.trim().is_empty() {
            let gutter = " ".repeat(line.to_string().len());
            // Tabs stay tabs, so that the carets stand below their text.
            let indent: String = (source.chars().take(column - 1))
                .map(|c| if c == '\t' { '\t' } else { ' ' })
                .collect();
            let left = source.chars().count().saturating_sub(column - 1);
            let width = inside.chars().count().min(left).max(1);
            let carets = "^".repeat(width);
            let _ = write!(text, "\n  {line} | {source}\n  {gutter} | {indent}{carets}");
        }
        if !help.is_empty() {
            let _ = write!(text, "\nhelp: {help}");
        }
        ConfigError::Invalid(text)
    }

    /// The error for a message of the TOML parser.
    pub fn syntax(&self, error: &toml::de::Error) -> ConfigError {
        // The first line says what is wrong; `Rule` adds a line of help, and the
        // parser lines with what it expected.
        let message = error.message().trim();
        let (problem, help) = message.split_once("\nhelp: ").unwrap_or((message, ""));
        let problem = in_words_of_toml(&problem.replace('\n', "; "));
        let span = error.span().unwrap_or_default();
        match meant_name(&problem) {
            Some((problem, name)) => {
                self.error_at(span, problem, &format!("did you mean `{name}`?"))
            }
            None => self.error_at(span, &problem, help),
        }
    }
}

/// A message of the parser that says what it expected in words of TOML instead of Rust.
fn in_words_of_toml(message: &str) -> String {
    if message == "wanted string or table" {
        return "expected a text, in quotes".to_owned();
    }
    let Some((problem, expected)) = message.split_once(", expected ") else {
        return message.to_owned();
    };
    let expected = match expected {
        "a sequence" => "a list, in square brackets",
        "a string" => "a text, in quotes",
        "a boolean" => "true or false",
        "f32" | "f64" => "a number",
        "u8" => "a whole number from 0 to 255",
        _ if expected.starts_with("struct ") => "a table",
        other => other,
    };
    let problem = problem.replace("unknown variant", "unknown value");
    format!("{problem}, expected {expected}")
}

/// Names that engines have for what a key sets. `jump_speed` is spelt most like `run_speed`.
const OTHER_NAMES: [(&[&str], &str); 3] = [
    (&["width", "height", "size", "hitbox", "collider"], "body"),
    (
        &["speed", "max_speed", "move_speed", "walk_speed"],
        "run_speed",
    ),
    (
        &["jump_speed", "jump_velocity", "jump_force"],
        "jump_height",
    ),
];

/// Of a message such as "unknown field `bodi`, expected one of `name`, `body`": the
/// problem, and the known name that means the same or is most like the unknown one.
fn meant_name(message: &str) -> Option<(&str, &str)> {
    let (problem, _) = message.split_once(", expected ")?;
    let mut quoted = message.split('`').skip(1).step_by(2);
    let unknown = quoted.next().filter(|_| problem.starts_with("unknown "))?;
    let known: Vec<&str> = quoted.collect();
    let (_, same) = (OTHER_NAMES.into_iter())
        .find(|(names, key)| names.contains(&unknown) && known.contains(key))
        .unzip();
    Some((problem, same.or_else(|| nearest(unknown, known))?))
}

/// The known name that is most like a misspelt one. At most a third of its
/// letters may differ: less similar names would be guesses.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let most = name.chars().count() / 3;
    (known.into_iter())
        .map(|known| (strsim::osa_distance(&name, &known.to_lowercase()), known))
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}
