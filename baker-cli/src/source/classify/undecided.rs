//! What is guessed, and how to settle it.

use std::fmt::{Display, Formatter};

use navmesh_bake::Rect;

use crate::source::rule::Meaning;

/// The most undecided candidates of a level that are shown. More would hide those that
/// matter.
pub const MAX_SHOWN: usize = 5;

/// A candidate for collision of which the level does not say what it is.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Undecided {
    /// The level's file, and the line where it is known.
    pub file: String,
    /// The line, counted from 1.
    pub line: Option<u32>,
    /// Where it is: `layer "rocks"`.
    pub place: String,
    /// How many cells, objects or pixels it has.
    pub number: u64,
    /// The word for them.
    pub noun: &'static str,
    /// What it is taken for.
    pub guess: Meaning,
    /// Why.
    pub why: String,
    /// What it may be instead.
    pub otherwise: Meaning,
    /// The rules that select it.
    pub rules: Vec<String>,
    /// What it covers, in level pixels.
    pub areas: Vec<Rect>,
    /// How much depends on it: what it covers, times how unsure the guess is.
    pub weight: f64,
}

impl Undecided {
    /// The line of `navbake.toml` that says that it is this.
    pub fn line_for(&self, meaning: Meaning) -> String {
        let rules = toml::Value::from(self.rules.clone());
        format!("{} = {rules}", meaning.list())
    }

    /// What it is called in a run with many levels: each is asked about once.
    pub fn key(&self) -> String {
        self.line_for(self.guess)
    }

    /// The message about it; `where_else` follows its place.
    pub fn text(&self, where_else: &str) -> String {
        let line = self.line.map_or(String::new(), |line| format!(":{line}"));
        let (plural, are) = if self.number == 1 {
            ("", "is")
        } else {
            ("s", "are")
        };
        format!(
            "{}{line}: {}{where_else}: {} {}{plural} {are} undecided, and taken for {}: {}\n\
             help: if so, {}; if not, {}",
            self.file,
            self.place,
            self.number,
            self.noun,
            self.guess,
            self.why,
            self.line_for(self.guess),
            self.line_for(self.otherwise),
        )
    }
}

impl Display for Undecided {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text(""))
    }
}
