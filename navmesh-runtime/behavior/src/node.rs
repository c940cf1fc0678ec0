//! The nodes that a game adds: its own leaves and composites.

use std::ops::RangeInclusive;

use crate::blackboard::{BoardError, Schema};
use crate::builder::Builder;
use crate::context::Context;
use crate::nodes::{Composite, Task};
use crate::status::{IntoOutcome, Outcome};
use crate::tasks::Wait;
use crate::tick::Tick;
use crate::tree::TreeDef;

/// A node of a tree: a task (an action or a condition of an agent), or a composite or
/// decorator, which ticks children.
///
/// One value serves every agent that uses the tree, so a tick cannot change
/// it. What it remembers of one agent goes into its [memory](Tick::recall),
/// onto the blackboard or into the game's own data. For a task without memory,
/// [`action`](crate::Builder::action) with a closure is shorter.
///
/// ```
/// use navmesh_behavior::{Context, Node, Outcome, Tick, Tree};
///
/// /// Ticks its children in turn, one per tick, and succeeds after the last.
/// struct OneByOne;
///
/// // It works in trees over any context.
/// impl<C: Context> Node<C> for OneByOne {
///     fn memory(&self) -> u16 {
///         1
///     }
///
///     fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
///         let turn = tick.recall::<u32>(0);
///         if turn as usize == tick.child_count() {
///             return Outcome::SUCCESS;
///         }
///         let outcome = tick.visit(turn as usize);
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
///     .composite("round", OneByOne).inside(|b| b
///         .action("first", |tick| tick.context.0.push('a'))
///         .action("second", |tick| tick.context.0.push('b')))
///     .build()?;
/// let mut state = tree.state();
/// let mut song = Song(String::new());
/// let statuses = [0; 3].map(|_| state.tick(&mut song, 0.1));
/// assert_eq!(song.0, "ab");
/// assert_eq!(statuses, [Outcome::RUNNING, Outcome::RUNNING, Outcome::SUCCESS]);
/// # Ok::<(), navmesh_behavior::BuildError>(())
/// ```
pub trait Node<C: Context>: Send + Sync {
    /// How many children it may have as a composite. A decorator returns `1..=1`.
    fn children(&self) -> RangeInclusive<usize> {
        0..=usize::MAX
    }

    /// How many words it [remembers](Tick::remember) of each agent. They are zero
    /// whenever it starts.
    fn memory(&self) -> u16 {
        0
    }

    /// How many further words survive reset and abort; only restart zeroes
    /// them. Their numbers follow those of the other words.
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
pub struct Guarded<T>(pub T);

impl<C: Context, T: Node<C>> Node<C> for Guarded<T> {
    fn children(&self) -> RangeInclusive<usize> {
        self.0.children()
    }

    fn memory(&self) -> u16 {
        self.0.memory()
    }

    fn lasting_memory(&self) -> u16 {
        self.0.lasting_memory()
    }

    fn mistake(&self) -> Option<String> {
        self.0.mistake()
    }

    fn bind(&mut self, schema: &mut Schema) -> Result<(), BoardError> {
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

/// Leaves and composites of the game.
impl<C: Context> Builder<C> {
    /// Adds a leaf that calls a closure. The closure returns a [`Status`](crate::Status),
    /// an [`Outcome`], a `bool` (success or failure), `()` (success), or a `Result` of one
    /// of these, whose error is a failure with a traced reason.
    pub fn action<F, O>(self, name: &str, action: F) -> Self
    where
        F: Fn(&mut Tick<'_, '_, C>) -> O + Send + Sync + 'static,
        O: IntoOutcome,
    {
        self.task(name, Action(action))
    }

    /// Adds a leaf that succeeds if a closure returns `true`.
    pub fn condition<F>(self, name: &str, condition: F) -> Self
    where
        F: Fn(&mut Tick<'_, '_, C>) -> bool + Send + Sync + 'static,
    {
        self.action(name, condition)
    }

    /// Adds a leaf with a type of its own.
    pub fn task(self, name: &str, node: impl Node<C> + 'static) -> Self {
        let (task, params) = TreeDef::registered(node.describe());
        self.add(name, Task { task, params }, node).end()
    }

    /// Adds a leaf that is running for some seconds, then succeeds. It starts
    /// with its first tick: a wait of 0 succeeds at once.
    pub fn wait(self, name: &str, seconds: f32) -> Self {
        self.task(name, Wait { seconds })
    }

    /// Opens a composite or decorator of the game.
    pub fn composite(self, name: &str, node: impl Node<C> + 'static) -> Self {
        let (composite, params) = TreeDef::registered(node.describe());
        self.add(name, Composite { composite, params }, Guarded(node))
    }
}
