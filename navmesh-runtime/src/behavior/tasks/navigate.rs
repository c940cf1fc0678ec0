//! Going there.

use serde::{Deserialize, Serialize};

use crate::behavior::{Context, Navigation, Outcome, Params, Task, TaskContext, Tick};

/// Plans a path to the destination and sets out: success if there is one,
/// failure if not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartNavigation {}

impl<C> Task<C> for StartNavigation
where
    C: ?Sized + Context,
    for<'a> C::In<'a>: TaskContext,
{
    fn tick(&self, tick: &mut Tick<'_, C::In<'_>>) -> Outcome {
        let found = tick.context.start_navigation();
        if !found {
            tick.set_reason("no path to the destination");
        }
        found.into()
    }

    fn describe(&self) -> Option<(&str, Params)> {
        Some(("start_navigation", Params::new()))
    }
}

/// Stops where the agent is, a jump or drop finished first. Succeeds at once;
/// [`WaitForAtDestination`] fails once the body has come to rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StopNavigation {}

impl<C> Task<C> for StopNavigation
where
    C: ?Sized + Context,
    for<'a> C::In<'a>: TaskContext,
{
    fn tick(&self, tick: &mut Tick<'_, C::In<'_>>) -> Outcome {
        tick.context.stop_navigation();
        Outcome::SUCCESS
    }

    fn describe(&self) -> Option<(&str, Params)> {
        Some(("stop_navigation", Params::new()))
    }
}

/// Running while the body moves. Once it has stopped: success at the
/// destination, failure elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaitForAtDestination {}

impl<C> Task<C> for WaitForAtDestination
where
    C: ?Sized + Context,
    for<'a> C::In<'a>: TaskContext,
{
    fn tick(&self, tick: &mut Tick<'_, C::In<'_>>) -> Outcome {
        match tick.context.navigation() {
            Navigation::Moving => Outcome::RUNNING,
            Navigation::AtDestination => Outcome::SUCCESS,
            Navigation::Stopped => {
                tick.set_reason("stopped short of the destination");
                Outcome::FAILURE
            }
        }
    }

    fn describe(&self) -> Option<(&str, Params)> {
        Some(("wait_for_at_destination", Params::new()))
    }
}
