//! The nodes of the game, and those of the registry in tree files.

use std::ops::RangeInclusive;

use super::kind;
use crate::blackboard::{BoardError, Schema};
use crate::builder::Builder;
use crate::context::Context;
use crate::params::Params;
use crate::status::{IntoOutcome, Outcome};
use crate::task::{Composite, Task};
use crate::tasks::Wait;
use crate::tick::Tick;
use crate::tree::TreeDef;

kind! {
    /// A leaf of the registry. Inside a tree, an empty name marks one that was made in
    /// code and has no form in a tree file.
    "task": RegisteredTask { task: String, params: Params = Params::default() } [] by make_task;

    /// With another text it does not: a cue that has begun under its old name would go on
    /// under the new one, and never be cancelled.
    fn continues(&self, new: &Self) -> bool {
        self.task == new.task && self.params.texts() == new.params.texts()
    }
}

kind! {
    /// A composite or decorator of the registry; as with a task, its name may be empty.
    "composite": RegisteredComposite { composite: String, params: Params = Params::default() }
    [children] by make_composite;

    fn continues(&self, new: &Self) -> bool {
        self.composite == new.composite && self.params.texts() == new.params.texts()
    }
}

/// A task as a node.
pub struct Leaf<T>(pub T);

/// A composite of the game: its children that are running are aborted when it completes,
/// and a child that ends the turn ends it for good.
pub struct Guarded<T>(pub T);

/// Passes calls on to what is wrapped.
macro_rules! pass_on {
    () => {
        fn memory(&self) -> u16 {
            self.0.memory()
        }

        fn lasting_memory(&self) -> u16 {
            self.0.lasting_memory()
        }

        fn bind(&mut self, schema: &mut Schema) -> Result<(), BoardError> {
            self.0.bind(schema)
        }

        fn abort(&self, tick: &mut Tick<'_, '_, C>) {
            self.0.abort(tick);
        }
    };
}

impl<C: Context, T: Task<C>> Composite<C> for Leaf<T> {
    pass_on!();

    #[inline]
    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        self.0.tick(tick)
    }
}

impl<C: Context, T: Composite<C>> Composite<C> for Guarded<T> {
    pass_on!();

    fn children(&self) -> RangeInclusive<usize> {
        self.0.children()
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
    pub fn task(self, name: &str, task: impl Task<C> + 'static) -> Self {
        let (task_name, params) = TreeDef::registered(task.describe());
        let mistake = task.mistake();
        let settings = RegisteredTask {
            task: task_name,
            params,
        };
        let mut this = self.add(name, settings, Leaf(task));
        if let Some(what) = mistake {
            this.note(this.last(), format_args!(": {what}"));
        }
        this.end()
    }

    /// Adds a leaf that is running for some seconds, then succeeds. It starts
    /// with its first tick: a wait of 0 succeeds at once.
    pub fn wait(self, name: &str, seconds: f32) -> Self {
        self.task(name, Wait { seconds })
    }

    /// Opens a composite or decorator of the game.
    pub fn composite(self, name: &str, composite: impl Composite<C> + 'static) -> Self {
        let (composite_name, params) = TreeDef::registered(composite.describe());
        let settings = RegisteredComposite {
            composite: composite_name,
            params,
        };
        self.add(name, settings, Guarded(composite))
    }
}
