//! The nodes of the game, and those of the registry in tree files.

use std::ops::RangeInclusive;

use super::{Composite, Settings, Task};
use crate::blackboard::{BoardError, Schema};
use crate::builder::Builder;
use crate::context::Context;
use crate::node::Node;
use crate::params::Params;
use crate::status::{IntoOutcome, Outcome};
use crate::tasks::Wait;
use crate::tick::Tick;
use crate::tree::TreeDef;

impl Settings {
    /// The name in the registry and the parameters of a task or composite.
    pub fn registered(&self) -> Option<(&str, &Params)> {
        match self {
            Self::Task(Task { task: name, params })
            | Self::Composite(Composite {
                composite: name,
                params,
            }) => Some((name, params)),
            _ => None,
        }
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
