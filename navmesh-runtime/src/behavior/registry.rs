//! What tree files may name.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::params::{self, Params};
use super::task::ActionWith;
use super::{Composite, Context, IntoOutcome, Task, Tick};
use crate::coordination::{Measure, Score, Waypoint};

pub(super) type Make<T> = Box<dyn Fn(&Params) -> Result<Box<T>, String> + Send + Sync>;
pub(super) type Rank<C> = Arc<dyn Fn(&<C as Context>::In<'_>) -> i32 + Send + Sync>;
pub(super) type Utility<C> = Arc<dyn Fn(&<C as Context>::In<'_>, &Waypoint) -> f32 + Send + Sync>;
pub(super) type Arrive<C> = Arc<dyn Fn(&mut <C as Context>::In<'_>, &Waypoint) + Send + Sync>;

/// What trees made from data may name: tasks, composites, priorities and
/// utilities, each with typed parameters. [`build`](Self::build) makes a tree.
///
/// ```
/// use navmesh_runtime::behavior::{Registry, TreeDef};
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// #[serde(deny_unknown_fields)]
/// struct Heal { points: u32 }
///
/// let mut registry = Registry::<u32>::new();
/// registry.action_with("heal", |tick, heal: &Heal| *tick.context += heal.points);
///
/// let file = r#"{
///     "name": "healer",
///     "root": {"repeat": {"count": 3, "child": {"task": {"task": "heal", "params": {"points": 5}}}}}
/// }"#;
/// let def: TreeDef = serde_json::from_str(file)?;
/// let tree = registry.build(&def)?;
///
/// let (mut state, mut health) = (tree.state(), 0);
/// while !state.tick(&tree, &mut health, 0.1).status.is_done() {}
/// assert_eq!(health, 15);
/// assert_eq!(tree.to_def()?, def);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Registry<C: ?Sized + Context> {
    pub(super) tasks: BTreeMap<String, Make<dyn Task<C>>>,
    pub(super) composites: BTreeMap<String, Make<dyn Composite<C>>>,
    pub(super) ranks: BTreeMap<String, Rank<C>>,
    pub(super) utilities: BTreeMap<String, Utility<C>>,
    pub(super) measure: Option<fn(Measure) -> Score<C>>,
    pub(super) arrive: Option<Arrive<C>>,
}

/// The parameters of what takes none.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

impl<C: ?Sized + Context> Registry<C> {
    /// A registry with `wait` alone. Games that implement
    /// [`TaskContext`](super::TaskContext) begin with [`for_world`](Self::for_world).
    pub fn new() -> Self {
        let mut this = Self {
            tasks: BTreeMap::new(),
            composites: BTreeMap::new(),
            ranks: BTreeMap::new(),
            utilities: BTreeMap::new(),
            measure: None,
            arrive: None,
        };
        this.task::<super::tasks::Wait>("wait");
        this
    }

    /// Registers a type of task, whose fields are its parameters. A name that
    /// is in use is replaced, here and below.
    pub fn task<T: Task<C> + DeserializeOwned + 'static>(&mut self, name: &str) -> &mut Self {
        let make: Make<dyn Task<C>> = Box::new(|params| Ok(Box::new(params::read::<T>(params)?)));
        self.tasks.insert(name.to_owned(), make);
        self
    }

    /// Registers an action without parameters.
    pub fn action<F, O>(&mut self, name: &str, action: F) -> &mut Self
    where
        F: Fn(&mut Tick<'_, C::In<'_>>) -> O + Send + Sync + 'static,
        O: IntoOutcome,
    {
        self.action_with(name, move |tick, _: &Nothing| action(tick))
    }

    /// Registers an action with parameters of type `P`.
    pub fn action_with<P, F, O>(&mut self, name: &str, action: F) -> &mut Self
    where
        P: DeserializeOwned + Send + Sync + 'static,
        F: Fn(&mut Tick<'_, C::In<'_>>, &P) -> O + Send + Sync + 'static,
        O: IntoOutcome,
    {
        let action = Arc::new(action);
        let make: Make<dyn Task<C>> = Box::new(move |params| {
            let (action, params) = (Arc::clone(&action), params::read::<P>(params)?);
            Ok(Box::new(ActionWith { action, params }))
        });
        self.tasks.insert(name.to_owned(), make);
        self
    }

    /// Registers a type of composite or decorator, whose fields are its
    /// parameters.
    pub fn composite<T: Composite<C> + DeserializeOwned + 'static>(
        &mut self,
        name: &str,
    ) -> &mut Self {
        let make: Make<dyn Composite<C>> =
            Box::new(|params| Ok(Box::new(params::read::<T>(params)?)));
        self.composites.insert(name.to_owned(), make);
        self
    }

    /// Registers a priority for `with_token`.
    pub fn priority(
        &mut self,
        name: &str,
        rank: impl Fn(&C::In<'_>) -> i32 + Send + Sync + 'static,
    ) -> &mut Self {
        self.ranks.insert(name.to_owned(), Arc::new(rank));
        self
    }

    /// Registers a utility for `with_waypoint`.
    pub fn utility(
        &mut self,
        name: &str,
        utility: impl Fn(&C::In<'_>, &Waypoint) -> f32 + Send + Sync + 'static,
    ) -> &mut Self {
        self.utilities.insert(name.to_owned(), Arc::new(utility));
        self
    }

    /// Says what a `with_waypoint` does with the waypoint it claimed: as a
    /// rule, make it the agent's destination.
    pub fn on_waypoint(
        &mut self,
        arrive: impl Fn(&mut C::In<'_>, &Waypoint) + Send + Sync + 'static,
    ) -> &mut Self {
        self.arrive = Some(Arc::new(arrive));
        self
    }
}

impl<C: ?Sized + Context> Default for Registry<C> {
    fn default() -> Self {
        Self::new()
    }
}
