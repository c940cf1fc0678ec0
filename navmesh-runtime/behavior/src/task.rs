//! The nodes that a game adds: its own leaves and composites.

use std::ops::RangeInclusive;

use crate::blackboard::{BoardError, Schema};
use crate::context::Context;
use crate::status::Outcome;
use crate::tick::Tick;
use crate::tree::TreeDef;

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
    /// How many words the task [remembers](Tick::remember) for each agent. They are zero
    /// whenever it starts.
    fn memory(&self) -> u16 {
        0
    }

    /// How many further words survive reset and abort; only restart zeroes
    /// them.
    fn lasting_memory(&self) -> u16 {
        0
    }

    /// What is wrong with its parameters; the error of the build then.
    fn mistake(&self) -> Option<String> {
        None
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

    /// Its form in a tree file; `None` when it has none. Usually
    /// `TreeDef::of_node("name", self)`.
    fn describe(&self) -> Option<TreeDef> {
        None
    }
}

/// A node with children: a composite or decorator of the game.
///
/// When it completes, children that are still running are aborted and its
/// memory is zeroed; the composite need not clean up.
///
/// ```
/// use navmesh_behavior::{Composite, Context, Outcome, Tick, Tree};
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
///     fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
///         let turn = tick.recall::<u32>(0);
///         let outcome = tick.visit(turn as usize % tick.child_count());
///         if outcome.status.is_done() {
///             tick.remember(0, turn + 1);
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

    /// Like [`Task::bind`].
    ///
    /// # Errors
    /// If a key is in use with another type.
    fn bind(&mut self, schema: &mut Schema) -> Result<(), BoardError> {
        let _ = schema;
        Ok(())
    }

    /// Ticks the children of its choice, with [`Tick::visit`]. When one of them ends the
    /// turn, the returned outcome ends it too.
    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome;

    /// Called when it was running and is abandoned, after its children.
    fn abort(&self, tick: &mut Tick<'_, '_, C>) {
        let _ = tick;
    }

    /// Like [`Task::describe`].
    fn describe(&self) -> Option<TreeDef> {
        None
    }

    /// Called for `with_token` at the start of each tick of the tree.
    #[doc(hidden)]
    fn give_way(&self, tick: &mut Tick<'_, '_, C>) {
        let _ = tick;
    }
}
