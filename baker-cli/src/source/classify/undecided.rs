//! What is guessed, and how to settle it.

use std::fmt::{Display, Formatter};

use navmesh_bake::Rect;

use crate::source::rule::Meaning;

/// The most undecided candidates of a level that are shown. More would hide those that
/// matter.
pub const MAX_SHOWN: usize = 5;

/// Guesses that are more certain are silent, and those of which fewer cells, or a smaller
/// part of the level, are probably wrong. On levels of 100 games, lower values ask for more
/// that is right, and higher ones leave more games wrong in silence.
const MIN_DOUBT: f64 = 0.2;
const MIN_WRONG: f64 = 1.0;
const MIN_PART: f64 = 0.005;

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
    /// The probability that this is wrong.
    pub doubt: f64,
    /// What it may be instead, the most probable first.
    pub otherwise: Vec<Meaning>,
    /// The rules that select it.
    pub rules: Vec<String>,
    /// What it covers, in level pixels.
    pub areas: Vec<Rect>,
    /// How many cells of the level are probably wrong: what it covers, and nothing else
    /// does, times the doubt.
    pub weight: f64,
    /// It is probably right, and nothing in the level states what agents stand on.
    pub is_sure: bool,
}

impl Undecided {
    /// Whether it may well be wrong.
    pub fn is_open(&self) -> bool {
        self.doubt >= MIN_DOUBT
    }

    /// What a person should be asked, the most important first, each once, and what is alike
    /// in one place together. `floors` is how many cells of the level carry agents.
    pub fn asked(guesses: Vec<Self>, floors: usize) -> Vec<Self> {
        let mut asked: Vec<Self> = Vec::new();
        for guess in guesses {
            let is_alike = |known: &&mut Self| {
                known.key() == guess.key()
                    || (known.line, known.noun, known.guess, known.otherwise.first())
                        == (guess.line, guess.noun, guess.guess, guess.otherwise.first())
                        && guess.noun != "cell"
            };
            let Some(known) = asked.iter_mut().find(is_alike) else {
                asked.push(guess);
                continue;
            };
            known.number += guess.number;
            known.weight += guess.weight;
            known.doubt = known.doubt.max(guess.doubt);
            known.areas.extend(guess.areas);
            for rule in guess.rules {
                if !known.rules.contains(&rule) {
                    known.rules.push(rule);
                }
            }
        }
        let least = MIN_WRONG.max(MIN_PART * floors as f64);
        asked.retain(|guess| guess.weight >= least);
        asked.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        asked
    }

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
        let taken = format!(
            "{}{line}: {}{where_else}: {} {}{plural} {are} undecided, and taken for {}",
            self.file, self.place, self.number, self.noun, self.guess,
        );
        let (why, own) = (&self.why, self.line_for(self.guess));
        if self.is_sure {
            return format!("{taken}, as nothing says what is solid: {why}; to settle it, {own}");
        }
        let others = self.otherwise.iter().map(|other| self.line_for(*other));
        let others: Vec<String> = others.collect();
        let others = others.join(", or ");
        format!("{taken}: {why}\nhelp: if so, {own}; if not, {others}")
    }
}

impl Display for Undecided {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text(""))
    }
}
