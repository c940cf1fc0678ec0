//! The nodes that a game adds: its own leaves and composites.

use std::ops::RangeInclusive;

use crate::blackboard::Schema;
use crate::context::Context;
use crate::status::{IntoOutcome, Outcome};
use crate::tick::Tick;
use crate::tree::TreeDef;

/// Why a node cannot be a part of its tree.
pub type BindError = Box<dyn std::error::Error>;

/// A node of a tree: a task (an action or a condition of an agent), or a composite or
/// decorator, which ticks children.
///
/// One value serves every agent that uses the tree, so a tick cannot change
/// it. What it remembers of one agent goes into its [memory](Tick::recall),
/// onto the blackboard or into the game's own data. For a task without memory,
/// [`action`](crate::Builder::action) with a closure is shorter.
///
/// ```
/// use std::ops::RangeInclusive;
///
/// use navmesh_behavior::{Context, Node, Outcome, Pools, Tick, Tree};
///
/// /// Ticks its children in turn, one per tick, and succeeds after the last.
/// struct OneByOne;
///
/// // It works in trees over any context.
/// impl<C: Context> Node<C> for OneByOne {
///     fn children(&self) -> RangeInclusive<usize> {
///         0..=usize::MAX
///     }
///
///     fn memory(&self) -> [u16; 2] {
///         [1, 0]
///     }
///
///     fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
///         let turn = tick.recall::<u32>(0);
///         let Some(outcome) = tick.visit(turn as usize) else {
///             return Outcome::SUCCESS;
///         };
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
///     .task("round", OneByOne).inside(|b| b
///         .action("first", |tick| tick.context.0.push('a'))
///         .action("second", |tick| tick.context.0.push('b')))
///     .build()?;
/// let mut state = tree.state(&Pools::default())?;
/// let mut song = Song(String::new());
/// let statuses = [0; 3].map(|_| state.tick(&mut song, 0.1));
/// assert_eq!(song.0, "ab");
/// assert_eq!(statuses, [Outcome::RUNNING, Outcome::RUNNING, Outcome::SUCCESS]);
/// # Ok::<(), navmesh_behavior::BuildError>(())
/// ```
pub trait Node<C: Context>: Send + Sync {
    /// How many children it may have: none for a leaf, which is the default. A decorator
    /// returns `1..=1`, a composite up to `usize::MAX`.
    fn children(&self) -> RangeInclusive<usize> {
        0..=0
    }

    /// How many words it [remembers](Tick::remember) of each agent: first those that are
    /// zero whenever it starts, then the lasting ones, which survive reset and abort. Only
    /// restart zeroes those; their numbers follow those of the others.
    fn memory(&self) -> [u16; 2] {
        [0, 0]
    }

    /// Called once, when the tree is built: looks up blackboard keys by name, and checks
    /// the parameters.
    ///
    /// # Errors
    /// If a key is in use with another type, or a parameter is wrong.
    fn bind(&mut self, schema: &mut Schema) -> Result<(), BindError> {
        let _ = schema;
        Ok(())
    }

    /// Checks the number of its children, if that depends on its settings. The error
    /// continues its path.
    #[doc(hidden)]
    fn check(&self, children: usize) -> Result<(), String> {
        let _ = children;
        Ok(())
    }

    /// Called before each tick of the root, for nodes that use a pool.
    #[doc(hidden)]
    fn prepare(&self, tick: &mut Tick<'_, '_, C>) {
        let _ = tick;
    }

    /// Does one tick's work. After `Running` it is called again in the next tick.
    ///
    /// A composite ticks the children of its choice, with [`Tick::visit`]. When one of
    /// them ends the turn, the returned outcome ends it too. When it completes, children
    /// that are still running are aborted.
    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome;

    /// Called when the node was running and is abandoned, after its children; at most
    /// once per run, and never after success or failure. Its memory is zeroed
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

/// A composite of the game: its children that are running are aborted when it completes,
/// and a child that ends the turn ends it for good.
pub struct Guarded<C>(pub Box<dyn Node<C>>);

impl<C: Context> Node<C> for Guarded<C> {
    fn children(&self) -> RangeInclusive<usize> {
        self.0.children()
    }

    fn memory(&self) -> [u16; 2] {
        self.0.memory()
    }

    fn bind(&mut self, schema: &mut Schema) -> Result<(), BindError> {
        self.0.bind(schema)
    }

    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        let at = tick.node;
        let outer = std::mem::take(&mut tick.is_turn_over);
        let outcome = self.0.tick(tick).or_turn(tick.is_turn_over);
        tick.is_turn_over = outer;
        if outcome.status.is_done() {
            tick.abort_children(at);
        }
        outcome
    }

    fn abort(&self, tick: &mut Tick<'_, '_, C>) {
        self.0.abort(tick);
    }
}

/// A leaf made of a closure.
pub struct Action<F>(pub F);

impl<C: Context, F, O> Node<C> for Action<F>
where
    F: Fn(&mut Tick<'_, '_, C>) -> O + Send + Sync + 'static,
    O: IntoOutcome,
{
    #[inline]
    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        (self.0)(tick).into_outcome(tick)
    }
}
