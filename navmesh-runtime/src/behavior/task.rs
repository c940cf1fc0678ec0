//! What a game adds to a tree: leaves of its own, and nodes of its own.

use super::{Children, IntoOutcome, MemorySize, Outcome, Params, Schema, SchemaError, Tick};

/// A leaf: something an agent does or asks.
///
/// One value serves every agent that uses the tree, so it is not changed by a
/// tick; what it must remember of one agent goes into
/// [memory](Tick::recall), onto the blackboard or into the context. For a
/// leaf that remembers nothing, [`action`](super::Builder::action) with a
/// closure is shorter.
///
/// ```
/// use navmesh_runtime::behavior::{MemorySize, Outcome, Task, Tick, Tree};
///
/// /// Counts to three, then succeeds.
/// struct CountToThree;
///
/// impl<C> Task<C> for CountToThree {
///     fn memory(&self) -> MemorySize {
///         MemorySize::run(1)
///     }
///
///     fn tick(&self, tick: &mut Tick<'_, C>) -> Outcome {
///         let count = tick.recall::<u32>(0) + 1;
///         tick.remember(0, count);
///         if count < 3 { Outcome::RUNNING } else { Outcome::SUCCESS }
///     }
/// }
///
/// let tree = Tree::builder("counter").task("count", CountToThree).build()?;
/// let mut state = tree.state();
/// let statuses = [0; 4].map(|_| state.tick(&tree, &mut (), 0.1));
/// assert_eq!(
///     statuses,
///     [Outcome::RUNNING, Outcome::RUNNING, Outcome::SUCCESS, Outcome::RUNNING]
/// );
/// # Ok::<(), navmesh_runtime::behavior::BuildError>(())
/// ```
pub trait Task<C>: Send + Sync {
    /// How much it remembers for each agent.
    fn memory(&self) -> MemorySize {
        MemorySize::NONE
    }

    /// Called once, when the tree is built: the place to intern blackboard
    /// keys that are known by name.
    ///
    /// # Errors
    /// When a key is in use with another type.
    fn bind(&mut self, schema: &mut Schema) -> Result<(), SchemaError> {
        let _ = schema;
        Ok(())
    }

    /// Does its work for one tick. `Running` means: tick me again.
    fn tick(&self, tick: &mut Tick<'_, C>) -> Outcome;

    /// Called when it was running and is abandoned: once, and never after it
    /// has succeeded or failed. Its memory is still there, and is zeroed
    /// afterwards.
    fn abort(&self, tick: &mut Tick<'_, C>) {
        let _ = tick;
    }

    /// Its name and parameters in a tree file, if it has a form there.
    fn describe(&self) -> Option<(&str, Params)> {
        None
    }
}

/// A node with children: a composite or a decorator of the game's own.
///
/// When it completes, children that still run are aborted, and its memory is
/// zeroed; it need not clean up after itself.
///
/// ```
/// use navmesh_runtime::behavior::{Children, Composite, MemorySize, Outcome, Status, Tree};
/// use std::ops::RangeInclusive;
///
/// /// Ticks its children in turn, one a tick, for ever.
/// struct RoundRobin;
///
/// impl<C> Composite<C> for RoundRobin {
///     fn children(&self) -> RangeInclusive<usize> {
///         1..=usize::MAX
///     }
///
///     fn memory(&self) -> MemorySize {
///         MemorySize::run(1)
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
/// let tree = Tree::<String>::builder("choir")
///     .composite("round", RoundRobin)
///         .action("first", |tick| { tick.context.push('a'); true })
///         .action("second", |tick| { tick.context.push('b'); true })
///     .end()
///     .build()?;
/// let mut state = tree.state();
/// let mut song = String::new();
/// for _ in 0..3 {
///     state.tick(&tree, &mut song, 0.1);
/// }
/// assert_eq!(song, "aba");
/// # Ok::<(), navmesh_runtime::behavior::BuildError>(())
/// ```
pub trait Composite<C>: Send + Sync {
    /// How many children it may have. A decorator says `1..=1`.
    fn children(&self) -> std::ops::RangeInclusive<usize> {
        0..=usize::MAX
    }

    /// How much it remembers for each agent.
    fn memory(&self) -> MemorySize {
        MemorySize::NONE
    }

    /// Ticks what children it will.
    fn tick(&self, children: &mut Children<'_, '_, C>) -> Outcome;

    /// Called when it was running and is abandoned, after its children.
    fn abort(&self, tick: &mut Tick<'_, C>) {
        let _ = tick;
    }

    /// Its name and parameters in a tree file, if it has a form there.
    fn describe(&self) -> Option<(&str, Params)> {
        None
    }
}

/// A leaf made of a closure.
pub(super) struct Action<F>(pub(super) F);

impl<C, F, O> Task<C> for Action<F>
where
    F: Fn(&mut Tick<'_, C>) -> O + Send + Sync + 'static,
    O: IntoOutcome,
{
    #[inline]
    fn tick(&self, tick: &mut Tick<'_, C>) -> Outcome {
        (self.0)(tick).into_outcome(tick)
    }
}
