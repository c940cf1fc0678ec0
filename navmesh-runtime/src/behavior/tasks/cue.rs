//! Things the game acts out.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::behavior::{
    Context, CueStep, MemorySize, Navigation, Outcome, Params, Status, Task, TaskContext, Tick,
};
use crate::coordination::Scene;

/// Lets the game act out a named cue, such as an attack: running until the
/// game says otherwise, broken off by an abort.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cue {
    /// The cue.
    pub cue: Box<str>,
}

impl Cue {
    /// A cue of that name.
    pub fn new(cue: &str) -> Self {
        Self { cue: cue.into() }
    }
}

impl<C> Task<C> for Cue
where
    C: ?Sized + Context,
    for<'a> C::In<'a>: TaskContext,
{
    fn memory(&self) -> MemorySize {
        MemorySize::run(1)
    }

    fn tick(&self, tick: &mut Tick<'_, C::In<'_>>) -> Outcome {
        play(tick, &self.cue).into()
    }

    fn abort(&self, tick: &mut Tick<'_, C::In<'_>>) {
        tick.context.cancel_cue(&self.cue);
    }

    fn describe(&self) -> Option<(&str, Params)> {
        let cue = ("cue".to_owned(), (*self.cue).into());
        Some(("cue", Params::from([cue])))
    }
}

/// Faces the target, then acts out a cue. Fails without a target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RangedAttack {
    /// The cue; `ranged_attack` unless said otherwise.
    pub cue: Box<str>,
}

impl Default for RangedAttack {
    fn default() -> Self {
        Self {
            cue: "ranged_attack".into(),
        }
    }
}

impl<C> Task<C> for RangedAttack
where
    C: ?Sized + Context,
    for<'a> C::In<'a>: TaskContext,
{
    fn memory(&self) -> MemorySize {
        MemorySize::run(1)
    }

    fn tick(&self, tick: &mut Tick<'_, C::In<'_>>) -> Outcome {
        if !tick.recall::<bool>(BEGUN) {
            let Some(target) = tick.context.target() else {
                tick.set_reason("no target");
                return Outcome::FAILURE;
            };
            tick.context.face(target);
        }
        play(tick, &self.cue).into()
    }

    fn abort(&self, tick: &mut Tick<'_, C::In<'_>>) {
        tick.context.cancel_cue(&self.cue);
    }

    fn describe(&self) -> Option<(&str, Params)> {
        let cue = ("cue".to_owned(), (*self.cue).into());
        Some(("ranged_attack", Params::from([cue])))
    }
}

/// Tells the game something in passing: a cue that is begun and not waited
/// for. Always succeeds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Shout {
    /// The cue; `shout` unless said otherwise.
    pub cue: Box<str>,
}

impl Default for Shout {
    fn default() -> Self {
        Self {
            cue: "shout".into(),
        }
    }
}

impl<C> Task<C> for Shout
where
    C: ?Sized + Context,
    for<'a> C::In<'a>: TaskContext,
{
    fn tick(&self, tick: &mut Tick<'_, C::In<'_>>) -> Outcome {
        // Begun, and then left to the game.
        tick.context.cue(&self.cue, CueStep::Begin);
        Outcome::SUCCESS
    }

    fn describe(&self) -> Option<(&str, Params)> {
        let cue = ("cue".to_owned(), (*self.cue).into());
        Some(("shout", Params::from([cue])))
    }
}

/// Storms to the far end of the platform the agent stands on, acting out a
/// cue on the way.
///
/// Success at the far end; failure when there is no platform or no way, or
/// when the body stops short. Aborted, it breaks off the cue, and stops unless
/// something else has set a new destination already.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Charge {
    /// The cue; `charge` unless said otherwise.
    pub cue: Box<str>,
}

impl Default for Charge {
    fn default() -> Self {
        Self {
            cue: "charge".into(),
        }
    }
}

/// Words of memory: whether the cue has begun; whether it is over; whether the
/// agent has set out; where to.
const BEGUN: u16 = 0;
const OVER: u16 = 1;
const OFF: u16 = 2;
const GOAL: u16 = 3;

impl Charge {
    fn set_out<C: TaskContext>(tick: &mut Tick<'_, C>) -> Result<(), &'static str> {
        let here = tick.context.position();
        let edges = tick.context.platform_edges(here);
        let (left, right) = edges.ok_or("not on a platform")?;
        let right_is_farther = here.distance_squared(right) >= here.distance_squared(left);
        let goal = if right_is_farther { right } else { left };
        tick.context.face(goal);
        tick.context.set_destination(goal);
        if !tick.context.start_navigation() {
            return Err("no path to the far end");
        }
        tick.remember(OFF, true);
        tick.remember(GOAL, goal);
        Ok(())
    }

    fn break_off<C: TaskContext>(&self, tick: &mut Tick<'_, C>) {
        if tick.recall(BEGUN) && !tick.recall::<bool>(OVER) {
            tick.context.cancel_cue(&self.cue);
        }
    }
}

impl<C> Task<C> for Charge
where
    C: ?Sized + Context,
    for<'a> C::In<'a>: TaskContext,
{
    fn memory(&self) -> MemorySize {
        MemorySize::run(4)
    }

    fn tick(&self, tick: &mut Tick<'_, C::In<'_>>) -> Outcome {
        if !tick.recall::<bool>(OFF)
            && let Err(reason) = Self::set_out(tick)
        {
            tick.set_reason(reason);
            return Outcome::FAILURE;
        }
        if !tick.recall::<bool>(OVER) && play(tick, &self.cue).is_done() {
            tick.remember(OVER, true);
        }
        let done = match tick.context.navigation() {
            Navigation::Moving => return Outcome::RUNNING,
            Navigation::AtDestination => Outcome::SUCCESS,
            Navigation::Stopped => {
                tick.set_reason("stopped short of the far end");
                Outcome::FAILURE
            }
        };
        self.break_off(tick);
        done
    }

    fn abort(&self, tick: &mut Tick<'_, C::In<'_>>) {
        self.break_off(tick);
        if tick.context.destination() == Some(tick.recall::<Vec2>(GOAL)) {
            tick.context.stop_navigation();
        }
    }

    fn describe(&self) -> Option<(&str, Params)> {
        let cue = ("cue".to_owned(), (*self.cue).into());
        Some(("charge", Params::from([cue])))
    }
}

/// One tick of a cue; the first word of memory says whether it has begun.
fn play<C: TaskContext>(tick: &mut Tick<'_, C>, cue: &str) -> Status {
    let step = if tick.recall(BEGUN) {
        CueStep::Continue
    } else {
        CueStep::Begin
    };
    tick.remember(BEGUN, true);
    tick.context.cue(cue, step)
}
