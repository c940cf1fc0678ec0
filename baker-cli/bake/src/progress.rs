//! Progress of a bake.

/// A part of a bake whose progress is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Finds the vertices at which the body is blocked.
    Terrain,
    /// Finds platforms.
    Platforms,
    /// Finds links.
    Links,
    /// Finds what is stored of the index of routes.
    Index,
}

impl Stage {
    /// Its name in a progress bar.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Terrain => "terrain",
            Self::Platforms => "platforms",
            Self::Links => "links",
            Self::Index => "index of routes",
        }
    }
}

/// Receives the progress of a bake, from several threads at once.
pub trait Progress: Sync {
    /// A stage begins for an agent, `total` steps long.
    fn begin(&self, agent: &str, stage: Stage, total: u64) {
        let _ = (agent, stage, total);
    }

    /// Further steps of the current stage are done.
    fn advance(&self, steps: u64) {
        let _ = steps;
    }
}

/// Discards progress.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProgress;

impl Progress for NoProgress {}
