//! What a game adds to a tree: leaves of its own, and nodes of its own.

use super::{
    Children, Context, IntoOutcome, MemorySize, Outcome, Params, Schema, SchemaError, Tick,
};

/// A leaf: something an agent does or asks.
///
/// One value serves every agent that uses the tree, so it is not changed by a
/// tick; what it must remember of one agent goes into
/// [memory](Tick::recall), onto the blackboard or into the context. For a
/// leaf that remembers nothing, [`action`](super::Builder::action) with a
/// closure is shorter.
///
/// In a tree over a type `Game`, `Tick<'_, C::In<'_>>` is just
/// `Tick<'_, Game>`; in one over a [`Borrowed`](super::Borrowed) family of views, it is
/// `Tick<'_, View<'_>>`. Written as below, a task serves both.
///
/// ```
/// use navmesh_runtime::behavior::{Context, MemorySize, Outcome, Task, Tick, Tree};
///
/// /// Counts to three, then succeeds.
/// struct CountToThree;
///
/// impl<C: ?Sized + Context> Task<C> for CountToThree {
///     fn memory(&self) -> MemorySize {
///         MemorySize::run(1)
///     }
///
///     fn tick(&self, tick: &mut Tick<'_, C::In<'_>>) -> Outcome {
///         let count = tick.recall::<u32>(0) + 1;
///         tick.remember(0, count);
///         if count < 3 { Outcome::RUNNING } else { Outcome::SUCCESS }
///     }
/// }
///
/// let tree = Tree::<()>::builder("counter").task("count", CountToThree).build()?;
/// let mut state = tree.state();
/// let statuses = [0; 4].map(|_| state.tick(&tree, &mut (), 0.1));
/// assert_eq!(
///     statuses,
///     [Outcome::RUNNING, Outcome::RUNNING, Outcome::SUCCESS, Outcome::RUNNING]
/// );
/// # Ok::<(), navmesh_runtime::behavior::BuildError>(())
/// ```
pub trait Task<C: ?Sized + Context>: Send + Sync {
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
    fn tick(&self, tick: &mut Tick<'_, C::In<'_>>) -> Outcome;

    /// Called when it was running and is abandoned: once, and never after it
    /// has succeeded or failed. Its memory is still there, and is zeroed
    /// afterwards.
    fn abort(&self, tick: &mut Tick<'_, C::In<'_>>) {
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
/// use navmesh_runtime::behavior::{Children, Composite, Context, MemorySize, Outcome, Tree};
/// use std::ops::RangeInclusive;
///
/// /// Ticks its children in turn, one a tick, for ever.
/// struct RoundRobin;
///
/// impl<C: ?Sized + Context> Composite<C> for RoundRobin {
///     fn children(&self) -> RangeInclusive<usize> {
///         1..=usize::MAX
///     }
///
///     fn memory(&self) -> MemorySize {
///         MemorySize::run(1)
///     }
///
///     fn tick(&self, children: &mut Children<'_, '_, C::In<'_>>) -> Outcome {
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
pub trait Composite<C: ?Sized + Context>: Send + Sync {
    /// How many children it may have. A decorator says `1..=1`.
    fn children(&self) -> std::ops::RangeInclusive<usize> {
        0..=usize::MAX
    }

    /// How much it remembers for each agent.
    fn memory(&self) -> MemorySize {
        MemorySize::NONE
    }

    /// Ticks what children it will.
    fn tick(&self, children: &mut Children<'_, '_, C::In<'_>>) -> Outcome;

    /// Called when it was running and is abandoned, after its children.
    fn abort(&self, tick: &mut Tick<'_, C::In<'_>>) {
        let _ = tick;
    }

    /// Its name and parameters in a tree file, if it has a form there.
    fn describe(&self) -> Option<(&str, Params)> {
        None
    }
}

/// A leaf made of a closure.
pub(super) struct Action<F>(pub(super) F);

impl<C: ?Sized + Context, F, O> Task<C> for Action<F>
where
    F: Fn(&mut Tick<'_, C::In<'_>>) -> O + Send + Sync + 'static,
    O: IntoOutcome,
{
    #[inline]
    fn tick(&self, tick: &mut Tick<'_, C::In<'_>>) -> Outcome {
        (self.0)(tick).into_outcome(tick)
    }
}

/// A leaf made of a closure and the parameters a tree file gave it.
pub(super) struct ActionWith<F, P> {
    pub(super) action: std::sync::Arc<F>,
    pub(super) params: P,
}

impl<C, P, F, O> Task<C> for ActionWith<F, P>
where
    C: ?Sized + Context,
    P: Send + Sync,
    F: Fn(&mut Tick<'_, C::In<'_>>, &P) -> O + Send + Sync,
    O: IntoOutcome,
{
    fn tick(&self, tick: &mut Tick<'_, C::In<'_>>) -> Outcome {
        (self.action)(tick, &self.params).into_outcome(tick)
    }
}
