//! The nodes that a game adds: its own leaves and composites.

use std::fmt;
use std::ops::RangeInclusive;

use super::blackboard::{BoardError, Schema};
use super::context::Context;
use super::node::TaskDef;
use super::status::{Outcome, Status};
use super::tick::{Children, Tick};

/// A leaf: an action or a condition of an agent.
///
/// One value serves every agent that uses the tree, so a tick cannot change
/// it. What it remembers of one agent goes into its [memory](Tick::recall),
/// onto the blackboard or into the game's own data. For a leaf without memory,
/// [`action`](super::Builder::action) with a closure is shorter.
///
/// ```
/// use navmesh_behavior::{Context, Outcome, Task, Tick, Tree};
///
/// /// Counts to three, then succeeds. Works in trees over any context.
/// struct CountToThree;
///
/// impl<C: Context> Task<C> for CountToThree {
///     fn memory(&self) -> u16 {
///         1
///     }
///
///     fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
///         let count = tick.recall::<u32>(0) + 1;
///         tick.remember(0, count);
///         if count < 3 { Outcome::RUNNING } else { Outcome::SUCCESS }
///     }
/// }
///
/// let tree = Tree::<()>::builder("counter").task("count", CountToThree).build()?;
/// let mut state = tree.state();
/// let statuses = [0; 4].map(|_| state.tick(&mut (), 0.1));
/// assert_eq!(
///     statuses,
///     [Outcome::RUNNING, Outcome::RUNNING, Outcome::SUCCESS, Outcome::RUNNING]
/// );
/// # Ok::<(), navmesh_behavior::BuildError>(())
/// ```
pub trait Task<C: Context>: Send + Sync {
    /// How many [words](super::Word) the task remembers for each agent. They are zero
    /// whenever it starts.
    fn memory(&self) -> u16 {
        0
    }

    /// How many further words survive reset and abort; only restart zeroes
    /// them.
    fn lasting_memory(&self) -> u16 {
        0
    }

    /// Called once, when the tree is built: looks up blackboard keys by name.
    ///
    /// # Errors
    /// If a key is in use with another type.
    fn bind(&mut self, schema: &mut Schema) -> Result<(), BoardError> {
        let _ = schema;
        Ok(())
    }

    /// Does one tick's work. After `Running` it is called again in the next
    /// tick.
    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome;

    /// Called when the task was running and is abandoned; at most once per
    /// run, and never after success or failure. Its memory is zeroed
    /// afterwards.
    fn abort(&self, tick: &mut Tick<'_, '_, C>) {
        let _ = tick;
    }

    /// The task's name and parameters in a tree file; `None` when it has no
    /// form there. Usually `TaskDef::new("name", self)`.
    fn describe(&self) -> Option<TaskDef> {
        None
    }
}

/// A node with children: a composite or decorator of the game.
///
/// When it completes, children that are still running are aborted and its
/// memory is zeroed; the composite need not clean up.
///
/// ```
/// use navmesh_behavior::{Children, Composite, Context, Outcome, Tree};
/// use std::ops::RangeInclusive;
///
/// /// Ticks its children in turn, one per tick, without end.
/// struct RoundRobin;
///
/// impl<C: Context> Composite<C> for RoundRobin {
///     fn children(&self) -> RangeInclusive<usize> {
///         1..=usize::MAX
///     }
///
///     fn memory(&self) -> u16 {
///         1
///     }
///
///     fn tick(&self, children: &mut Children<'_, '_, C>) -> Outcome {
///         let turn = children.recall::<u32>(0);
///         let outcome = children.visit(turn as usize % children.count());
///         if outcome.status.is_done() {
///             children.remember(0, turn + 1);
///         }
///         Outcome::RUNNING
///     }
/// }
///
/// struct Song(String);
///
/// impl Context for Song {
///     type View<'a> = Self;
/// }
///
/// let tree = Tree::<Song>::builder("choir")
///     .composite("round", RoundRobin).inside(|b| b
///         .action("first", |tick| { tick.context.0.push('a'); true })
///         .action("second", |tick| { tick.context.0.push('b'); true }))
///     .build()?;
/// let mut state = tree.state();
/// let mut song = Song(String::new());
/// for _ in 0..3 {
///     state.tick(&mut song, 0.1);
/// }
/// assert_eq!(song.0, "aba");
/// # Ok::<(), navmesh_behavior::BuildError>(())
/// ```
pub trait Composite<C: Context>: Send + Sync {
    /// How many children it may have. A decorator returns `1..=1`.
    fn children(&self) -> RangeInclusive<usize> {
        0..=usize::MAX
    }

    /// Like [`Task::memory`].
    fn memory(&self) -> u16 {
        0
    }

    /// Like [`Task::lasting_memory`].
    fn lasting_memory(&self) -> u16 {
        0
    }

    /// Ticks the children of its choice. When one of them ends the turn, the
    /// returned outcome ends it too.
    fn tick(&self, children: &mut Children<'_, '_, C>) -> Outcome;

    /// Called when it was running and is abandoned, after its children.
    fn abort(&self, tick: &mut Tick<'_, '_, C>) {
        let _ = tick;
    }

    /// Its name and parameters in a tree file; `None` when it has no form
    /// there. Usually `TaskDef::new("name", self)`.
    fn describe(&self) -> Option<TaskDef> {
        None
    }
}

/// What an action may return: a [`Status`], an [`Outcome`], a `bool` (success
/// or failure), `()` (success), or a `Result` of one of these, whose error is a
/// failure with a traced reason.
pub trait IntoOutcome {
    /// Converts to an outcome; an error becomes the reason in the trace.
    fn into_outcome<C: Context>(self, tick: &mut Tick<'_, '_, C>) -> Outcome;
}

macro_rules! into_outcome {
    ($($type:ty),*) => {$(
        impl IntoOutcome for $type {
            #[inline]
            fn into_outcome<C: Context>(self, _: &mut Tick<'_, '_, C>) -> Outcome {
                self.into()
            }
        }
    )*};
}
into_outcome!(Outcome, Status, bool);

impl IntoOutcome for () {
    #[inline]
    fn into_outcome<C: Context>(self, _: &mut Tick<'_, '_, C>) -> Outcome {
        Outcome::SUCCESS
    }
}

impl<O: IntoOutcome, E: fmt::Display> IntoOutcome for Result<O, E> {
    fn into_outcome<C: Context>(self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        match self {
            Ok(outcome) => outcome.into_outcome(tick),
            Err(error) => {
                tick.set_reason(|| error.to_string());
                Outcome::FAILURE
            }
        }
    }
}

/// A leaf made of a closure.
pub struct Action<F>(pub F);

impl<C: Context, F, O> Task<C> for Action<F>
where
    F: Fn(&mut Tick<'_, '_, C>) -> O + Send + Sync + 'static,
    O: IntoOutcome,
{
    #[inline]
    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        (self.0)(tick).into_outcome(tick)
    }
}
