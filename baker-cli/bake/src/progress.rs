//! Progress of a bake.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

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

/// Receives the progress of a bake, from several threads at once, and may cancel it.
pub trait Progress: Sync {
    /// A stage begins for an agent, `total` steps long.
    fn begin(&self, agent: &str, stage: Stage, total: u64) {
        let _ = (agent, stage, total);
    }

    /// Further steps of the current stage are done.
    fn advance(&self, steps: u64) {
        let _ = steps;
    }

    /// Whether the bake should end early, with [`BakeError::Cancelled`](crate::BakeError).
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Discards progress.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProgress;

impl Progress for NoProgress {}

/// Progress that other threads read while a bake runs, and by which they cancel it.
#[derive(Debug, Default)]
pub struct SharedProgress {
    /// The agent and the stage, its steps, and how many are done.
    stage: Mutex<(String, u64, u64)>,
    is_cancelled: AtomicBool,
}

impl SharedProgress {
    /// Ends the bake early, with [`BakeError::Cancelled`](crate::BakeError::Cancelled).
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// What the bake is doing: `ground: links 40 %`; nothing before its first stage.
    pub fn text(&self) -> String {
        let stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        if stage.1 == 0 {
            return String::new();
        }
        format!("{} {} %", stage.0, 100 * stage.2 / stage.1)
    }
}

impl Progress for SharedProgress {
    fn begin(&self, agent: &str, stage: Stage, total: u64) {
        let mut own = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        *own = (format!("{agent}: {}", stage.name()), total, 0);
    }

    fn advance(&self, steps: u64) {
        let mut own = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        own.2 += steps;
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }
}
