//! How a bake tells what it is doing.

/// A stage of a bake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Classifying vertices.
    Terrain,
    /// Tracing platforms.
    Platforms,
    /// Finding links.
    Links,
}

impl Stage {
    /// What it is called in a progress bar.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Terrain => "terrain",
            Self::Platforms => "platforms",
            Self::Links => "links",
        }
    }
}

/// Hears what a bake is doing; called from several threads.
pub trait Progress: Sync {
    /// A stage begins for an agent, `total` steps long.
    fn begin(&self, agent: &str, stage: Stage, total: u64) {
        let _ = (agent, stage, total);
    }

    /// So many more steps of the present stage are done.
    fn advance(&self, steps: u64) {
        let _ = steps;
    }
}

/// Tells nobody.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProgress;

impl Progress for NoProgress {}
