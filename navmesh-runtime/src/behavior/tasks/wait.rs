//! Letting time pass.

use serde::{Deserialize, Serialize};

use crate::behavior::{Builder, Context, MemorySize, Outcome, Params, Task, Tick};

/// Running for so many seconds, then success.
///
/// The first tick is when it begins: a wait of 0 succeeds at once.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wait {
    /// How long.
    pub seconds: f32,
}

impl<C: ?Sized + Context> Task<C> for Wait {
    fn memory(&self) -> MemorySize {
        MemorySize::run(1)
    }

    fn tick(&self, tick: &mut Tick<'_, C::In<'_>>) -> Outcome {
        if tick.reached(0, self.seconds) {
            Outcome::SUCCESS
        } else {
            Outcome::RUNNING
        }
    }

    fn describe(&self) -> Option<(&str, Params)> {
        let seconds = ("seconds".to_owned(), self.seconds.into());
        Some(("wait", Params::from([seconds])))
    }
}

impl<C: ?Sized + Context> Builder<C> {
    /// A [`Wait`].
    #[must_use]
    pub fn wait(self, name: &str, seconds: f32) -> Self {
        self.task(name, Wait { seconds })
    }
}
