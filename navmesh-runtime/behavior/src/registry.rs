//! The names that tree files may use, and building trees from files.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::builder::Builder;
use crate::context::{Context, TaskContext};
use crate::coordination::Waypoint;
use crate::error::{self, BuildError};
use crate::node::{Action, Guarded, Node};
use crate::nodes::sharing::{ArriveFn, Priority, RankFn, TokenNode, WaypointNode};
use crate::nodes::{Composite, NodeDef, Settings, Task, WithToken, WithWaypoint};
use crate::params::Params;
use crate::score::{Measure, Score, ScoreFn, UtilityDef};
use crate::status::IntoOutcome;
use crate::tasks::{AgentTask, Wait};
use crate::tick::Tick;
use crate::tree::{Tree, TreeDef};

/// A node that was made, or what is wrong; that continues its path.
type Made<C> = Result<Box<dyn Node<C>>, String>;

/// Makes a node from its parameters.
type Make<C> = Box<dyn Fn(&Params) -> Made<C> + Send + Sync>;

/// The tasks, composites, priorities and utilities that tree files may name,
/// each with typed parameters. [`build`](Self::build) builds a tree from data.
///
/// For an example, see the [guide](crate::guide#load-trees-from-files).
pub struct Registry<C: Context> {
    tasks: BTreeMap<String, Make<C>>,
    composites: BTreeMap<String, Make<C>>,
    ranks: BTreeMap<String, RankFn<C>>,
    utilities: BTreeMap<String, ScoreFn<C>>,
    /// `None` when the view is not known to be a [`TaskContext`].
    measure: Option<fn(Measure) -> Score<C>>,
    arrive: Option<ArriveFn<C>>,
}

/// The parameters of an action without parameters.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoParams {}

impl<C: Context> Registry<C> {
    /// A registry with the task `wait` only. If the view implements
    /// [`TaskContext`], start with [`with_agent_tasks`](Self::with_agent_tasks).
    pub fn new() -> Self {
        let mut registry = Self {
            tasks: BTreeMap::new(),
            composites: BTreeMap::new(),
            ranks: BTreeMap::new(),
            utilities: BTreeMap::new(),
            measure: None,
            arrive: None,
        };
        registry.task::<Wait>("wait");
        registry
    }

    /// Registers a type of task; its fields are the parameters. A name that is
    /// in use is replaced, here and in the other methods.
    pub fn task<T: Node<C> + DeserializeOwned + 'static>(&mut self, name: &str) -> &mut Self {
        self.task_with(name, |task: T| task)
    }

    /// Registers tasks that a function makes from their parameters, for tasks
    /// that hold more than a file can, such as a function of a script.
    pub fn task_with<P, T>(
        &mut self,
        name: &str,
        task: impl Fn(P) -> T + Send + Sync + 'static,
    ) -> &mut Self
    where
        P: DeserializeOwned,
        T: Node<C> + 'static,
    {
        let make: Make<C> = Box::new(move |params| valid(task(params.read::<P>()?)));
        self.tasks.insert(name.to_owned(), make);
        self
    }

    /// Registers an action without parameters.
    pub fn action<F, O>(&mut self, name: &str, action: F) -> &mut Self
    where
        F: Fn(&mut Tick<'_, '_, C>) -> O + Send + Sync + 'static,
        O: IntoOutcome,
    {
        self.action_with(name, move |tick, _: &NoParams| action(tick))
    }

    /// Registers an action with parameters of type `P`.
    pub fn action_with<P, F, O>(&mut self, name: &str, action: F) -> &mut Self
    where
        P: DeserializeOwned + Send + Sync + 'static,
        F: Fn(&mut Tick<'_, '_, C>, &P) -> O + Send + Sync + 'static,
        O: IntoOutcome,
    {
        let action = Arc::new(action);
        self.task_with(name, move |params: P| {
            let action = Arc::clone(&action);
            Action(move |tick: &mut Tick<'_, '_, C>| action(tick, &params))
        })
    }

    /// Registers a type of composite or decorator; its fields are the
    /// parameters.
    pub fn composite<T: Node<C> + DeserializeOwned + 'static>(&mut self, name: &str) -> &mut Self {
        let make: Make<C> = Box::new(|params| valid(Guarded(params.read::<T>()?)));
        self.composites.insert(name.to_owned(), make);
        self
    }

    /// Registers a priority for `with_token`.
    pub fn priority(
        &mut self,
        name: &str,
        rank: impl Fn(&C::View<'_>) -> i32 + Send + Sync + 'static,
    ) -> &mut Self {
        self.ranks.insert(name.to_owned(), Arc::new(rank));
        self
    }

    /// Registers a utility for `with_waypoint`.
    pub fn utility(
        &mut self,
        name: &str,
        utility: impl Fn(&C::View<'_>, &Waypoint) -> f32 + Send + Sync + 'static,
    ) -> &mut Self {
        self.utilities.insert(name.to_owned(), Arc::new(utility));
        self
    }

    /// Sets what `with_waypoint` does with the waypoint it has claimed:
    /// usually, make it the agent's destination.
    pub fn on_waypoint(
        &mut self,
        arrive: impl Fn(&mut C::View<'_>, &Waypoint) + Send + Sync + 'static,
    ) -> &mut Self {
        self.arrive = Some(Arc::new(arrive));
        self
    }

    /// Builds a tree from data, which its states share.
    ///
    /// # Errors
    /// The first mistake, with the path of its node.
    pub fn build(&self, def: &TreeDef) -> Result<Arc<Tree<C>>, BuildError> {
        let mut builder = Tree::builder(&def.name).pace(def.pace);
        for (name, kind) in &def.keys {
            builder.declare(name, *kind);
        }
        self.add(builder, &def.root).build()
    }

    fn add(&self, mut b: Builder<C>, def: &NodeDef) -> Builder<C> {
        let (node, mistake) = match self.make(&def.settings, &mut b) {
            Ok(node) => (node, None),
            // Any node will do: the tree is not built.
            Err(what) => (Box::new(Wait { seconds: 0.0 }) as _, Some(what)),
        };
        b = b.add_node(&def.name, def.settings.clone(), node);
        if let Some(what) = mistake {
            b.note(b.last(), what);
        }
        // A tree that is too deep is found here, before it gets any deeper.
        if b.error.is_some() {
            return b;
        }
        for child in &def.children {
            b = self.add(b, child);
        }
        b.end()
    }

    /// Makes the next node of a tree.
    fn make(&self, settings: &Settings, b: &mut Builder<C>) -> Made<C> {
        match settings {
            Settings::Task(Task { task, params }) => make(&self.tasks, "task", task, params),
            Settings::Composite(Composite { composite, params }) => {
                make(&self.composites, "composite", composite, params)
            }
            Settings::WithToken(WithToken { wait, priority, .. }) => {
                b.ranks.push((b.nodes.len(), self.rank(priority)?));
                Ok(Box::new(TokenNode { wait: *wait }))
            }
            Settings::WithWaypoint(WithWaypoint {
                pool,
                wait,
                utility,
                ..
            }) => {
                let (wait, score) = (*wait, self.score(utility)?);
                let hint = "call `Registry::on_waypoint` first";
                let unknown = || error::unknown("use for a waypoint", pool, hint);
                let arrive = self.arrive.clone().ok_or_else(unknown)?;
                Ok(Box::new(WaypointNode {
                    wait,
                    score,
                    arrive,
                }))
            }
            settings => settings.node().ok_or_else(String::new),
        }
    }

    fn rank(&self, def: &Priority) -> Result<RankFn<C>, String> {
        match def {
            Priority::Fixed(rank) => {
                let rank = *rank;
                Ok(Arc::new(move |_: &C::View<'_>| rank))
            }
            Priority::Named(name) => {
                let rank = self.ranks.get(name).cloned();
                rank.ok_or_else(|| unknown("priority", name, self.ranks.keys()))
            }
        }
    }

    fn score(&self, def: &UtilityDef) -> Result<Score<C>, String> {
        let mut functions = Vec::new();
        for part in def.parts() {
            match part {
                UtilityDef::Measure(measure) => {
                    let make = self.measure.ok_or_else(|| {
                        let hint = "measures need `Registry::with_agent_tasks`";
                        error::unknown("utility", "measure", hint)
                    })?;
                    functions.extend(make(*measure).functions);
                }
                UtilityDef::Named(name) => {
                    let function = self.utilities.get(name).cloned();
                    functions.push(
                        function.ok_or_else(|| unknown("utility", name, self.utilities.keys()))?,
                    );
                }
                _ => {}
            }
        }
        let def = def.clone();
        Ok(Score { def, functions })
    }
}

impl<C> Registry<C>
where
    C: Context,
    for<'a> C::View<'a>: TaskContext,
{
    /// A registry with `wait`, every [`AgentTask`], the [`Measure`]s, the
    /// priority `on_screen` (1 on screen, 0 off screen), and waypoints that
    /// become the destination.
    pub fn with_agent_tasks() -> Self {
        let mut registry = Self::new();
        for name in AgentTask::NAMES {
            let make: Make<C> =
                Box::new(move |params| valid(params.read_variant::<AgentTask>(name)?));
            registry.tasks.insert(name.to_owned(), make);
        }
        registry
            .priority("on_screen", |view| i32::from(view.on_screen()))
            .on_waypoint(|view, waypoint| view.set_destination(waypoint.position));
        registry.measure = Some(Score::from);
        registry
    }
}

impl<C: Context> Default for Registry<C> {
    fn default() -> Self {
        Self::new()
    }
}

/// A node that was read, if its numbers are valid.
fn valid<C: Context>(node: impl Node<C> + 'static) -> Made<C> {
    node.mistake().map_or_else(|| Ok(Box::new(node) as _), Err)
}

/// Makes a task or composite by its name.
fn make<C: Context>(
    makers: &BTreeMap<String, Make<C>>,
    what: &str,
    name: &str,
    params: &Params,
) -> Made<C> {
    let Some(make) = makers.get(name) else {
        return Err(unknown(what, name, makers.keys()));
    };
    make(params).map_err(|message| format!(": parameters of {name:?}: {message}"))
}

/// What is wrong with a name that the registry does not have, with a similar name
/// if there is one.
fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a String>) -> String {
    let known: Vec<&str> = known.map(String::as_str).collect();
    let hint = match error::similar(name, known.iter().copied()) {
        Some(hint) => hint,
        None if known.is_empty() => "the registry has none".to_owned(),
        None => format!("the registry has {}", known.join(", ")),
    };
    error::unknown(what, name, &hint)
}
