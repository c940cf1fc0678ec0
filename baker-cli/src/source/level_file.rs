//! A level with what a person should know of how it was read.

use std::ops::Deref;

use navmesh_bake::Level;
use navmesh_runtime::mesh::Units;

use super::classify::Undecided;

/// A file a level was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputFile {
    /// Its path as opened.
    pub path: std::path::PathBuf,
    /// Its path relative to the level file's folder, with `/` between parts:
    /// the same on every machine.
    pub name: String,
}

/// A level that was read from files. It derefs to its [`Level`], which is all
/// that a bake needs.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelFile {
    /// The level.
    pub level: Level,
    /// Every file read, the level file first, then sorted by name.
    pub inputs: Vec<InputFile>,
    /// A line for each layer: what in it is collision, and why.
    pub decisions: Vec<String>,
    /// Warnings about the level; each begins with the name of a file, like an
    /// error.
    pub warnings: Vec<String>,
    /// Rules of the configuration that match nothing in this level.
    pub unused_rules: Vec<String>,
    /// The units of the game, if the level itself says so. The configuration comes before
    /// them.
    pub units: Option<Units>,
    /// What was guessed, the most important first.
    pub undecided: Vec<Undecided>,
}

impl LevelFile {
    /// A level of which nothing is known but the files it was read from.
    pub fn new(level: Level, inputs: Vec<InputFile>) -> Self {
        Self {
            level,
            inputs,
            decisions: Vec::new(),
            warnings: Vec::new(),
            unused_rules: Vec::new(),
            units: None,
            undecided: Vec::new(),
        }
    }

    /// Notes the rules of the configuration that match nothing in it.
    pub fn note_unused_rules(&mut self, rules: Vec<String>) {
        let decisions = rules
            .iter()
            .map(|rule| format!("rule {rule}: matches nothing in this level"));
        self.decisions.extend(decisions);
        self.unused_rules = rules;
    }
}

impl Deref for LevelFile {
    type Target = Level;

    fn deref(&self) -> &Level {
        &self.level
    }
}
