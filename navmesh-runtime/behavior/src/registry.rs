//! The names that tree files may use, and building trees from files.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::builder::Builder;
use super::context::{Context, TaskContext};
use super::error::{self, BuildError};
use super::file::{NodeDef, TreeDef};
use super::node::{self, NodeKind, Priority, TaskDef};
use super::params::{self, Param, Params};
use super::score::{Measure, Score, ScoreFn, UtilityDef};
use super::task::{Action, Composite, IntoOutcome, Task};
use super::tasks::{self, AgentTask, Wait};
use super::tick::Tick;
use super::tree::{ArriveFn, Extra, RankFn, Tree};
use crate::coordination::Waypoint;

type Make<T> = Box<dyn Fn(&Params) -> Result<Box<T>, String> + Send + Sync>;

/// The tasks, composites, priorities and utilities that tree files may name,
/// each with typed parameters. [`build`](Self::build) builds a tree from data.
///
/// ```
/// use navmesh_behavior::{Context, Registry, TreeDef};
/// use serde::Deserialize;
///
/// struct Agent { health: u32 }
///
/// impl Context for Agent {
///     type View<'a> = Self;
/// }
///
/// #[derive(Deserialize)]
/// #[serde(deny_unknown_fields)]
/// struct Heal { points: u32 }
///
/// let mut registry = Registry::<Agent>::new();
/// registry.action_with("heal", |tick, heal: &Heal| tick.context.health += heal.points);
///
/// let file = r#"{
///     "name": "healer",
///     "root": {"repeat": {"count": 3, "child": {"task": {"task": "heal", "params": {"points": 5}}}}}
/// }"#;
/// let def: TreeDef = serde_json::from_str(file)?;
/// let tree = registry.build(&def)?;
///
/// let (mut state, mut agent) = (tree.state(), Agent { health: 0 });
/// while !state.tick(&mut agent, 0.1).status.is_done() {}
/// assert_eq!(agent.health, 15);
/// assert_eq!(tree.to_def()?, def);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Registry<C: Context> {
    tasks: BTreeMap<String, Make<dyn Task<C>>>,
    composites: BTreeMap<String, Make<dyn Composite<C>>>,
    ranks: BTreeMap<String, RankFn<C>>,
    utilities: BTreeMap<String, ScoreFn<C>>,
    /// `None` when the view is not known to be a scene.
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
    pub fn task<T: Task<C> + DeserializeOwned + 'static>(&mut self, name: &str) -> &mut Self {
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
        T: Task<C> + 'static,
    {
        let make: Make<dyn Task<C>> =
            Box::new(move |params| boxed(task(params::read::<P>(params)?)));
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

    fn add(&self, b: Builder<C>, def: &NodeDef) -> Builder<C> {
        let (extra, mistake) = match self.extra(&def.kind) {
            Ok(extra) => (extra, None),
            Err(what) => (Extra::None, Some(what)),
        };
        let mut b = b.add(&def.name, def.kind.clone(), extra);
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

    /// What only some kinds of nodes need. The error continues the path of the node.
    fn extra(&self, kind: &NodeKind) -> Result<Extra<C>, String> {
        Ok(match kind {
            NodeKind::Task(def) => Extra::Task(make(&self.tasks, "task", def)?),
            NodeKind::Composite(def) => Extra::Composite {
                composite: make(&self.composites, "composite", def)?,
                children: 0,
            },
            NodeKind::WithToken { priority, .. } => Extra::Token(self.rank(priority)?),
            NodeKind::WithWaypoint { pool, utility, .. } => Extra::Waypoint {
                score: self.score(utility)?,
                arrive: self.arrive.clone().ok_or_else(|| {
                    let hint = "call `Registry::on_waypoint` first";
                    error::unknown("use for a waypoint", pool, hint)
                })?,
            },
            _ => Extra::None,
        })
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
            let make: Make<dyn Task<C>> = Box::new(move |params| {
                let variant = (name.to_owned(), Param::Map(params.clone()));
                boxed(params::read::<AgentTask>(&[variant].into())?)
            });
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

impl<C: Context> Tree<C> {
    /// The tree as data. [`Registry::build`] builds the same tree from it.
    ///
    /// # Errors
    /// If a node has no form in a tree file, such as one made of a closure.
    pub fn to_def(&self) -> Result<TreeDef, BuildError> {
        let is_declared = |name: &str| self.declared.iter().any(|declared| **declared == *name);
        let keys = self.schema.keys().filter(|(name, _)| is_declared(name));
        Ok(TreeDef {
            name: self.name.to_string(),
            pace: self.pace,
            keys: keys.map(|(name, kind)| (name.to_owned(), kind)).collect(),
            root: self.node_def(0)?,
        })
    }

    fn node_def(&self, at: usize) -> Result<NodeDef, BuildError> {
        let node = &self.nodes[at];
        // An empty name marks a task or function that was made in code.
        let is_data = match &node.kind {
            NodeKind::Task(def) | NodeKind::Composite(def) => !def.name.is_empty(),
            NodeKind::WithToken {
                priority: Priority::Named(name),
                ..
            } => !name.is_empty(),
            NodeKind::WithWaypoint { utility, .. } => utility.is_named(),
            _ => true,
        };
        if !is_data {
            let path = self.paths().swap_remove(at);
            let what = " cannot be saved in a tree file: it was made in code; register it by name and \
                        build it from data";
            return Err(BuildError::of_node(path, what));
        }
        let children = node::children(&self.nodes, at).map(|child| self.node_def(child));
        Ok(NodeDef {
            name: node.name.to_string(),
            kind: node.kind.clone(),
            children: children.collect::<Result<_, _>>()?,
        })
    }
}

/// A task that was read, if its numbers are valid.
fn boxed<C: Context>(task: impl Task<C> + 'static) -> Result<Box<dyn Task<C>>, String> {
    match tasks::mistake(&task) {
        Some(what) => Err(what),
        None => Ok(Box::new(task)),
    }
}

/// Makes a task or composite by its name.
fn make<T: ?Sized>(
    makers: &BTreeMap<String, Make<T>>,
    what: &str,
    def: &TaskDef,
) -> Result<Box<T>, String> {
    let Some(make) = makers.get(&def.name) else {
        return Err(unknown(what, &def.name, makers.keys()));
    };
    make(&def.params).map_err(|message| format!(": parameters of {:?}: {message}", def.name))
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
