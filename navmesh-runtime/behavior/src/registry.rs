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
use crate::nodes::sharing::{Priority, RankFn, TokenNode, WaypointNode};
use crate::nodes::{NodeDef, NodeKind};
use crate::params::{Params, variants};
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
/// each with typed parameters. [`build`](Self::build) builds a tree from data. The default
/// has the task `wait` only; [`with_agent_tasks`](Self::with_agent_tasks) has all.
///
/// For an example, see the [guide](crate::guide#load-trees-from-files).
pub struct Registry<C: Context> {
    nodes: BTreeMap<String, Make<C>>,
    ranks: BTreeMap<String, RankFn<C>>,
    utilities: BTreeMap<String, ScoreFn<C>>,
    /// `None` when the view is not known to be a [`TaskContext`].
    measure: Option<fn(Measure) -> Score<C>>,
}

/// The parameters of an action without parameters.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoParams {}

impl<C: Context> Registry<C> {
    /// Registers a kind of node: `make` makes one from its parameters, which are the fields
    /// of a struct. It is a task, or with [children](Node::children) a composite. A name
    /// that is in use is replaced, here and in the other methods.
    pub fn task<P, T>(
        &mut self,
        name: &str,
        make: impl Fn(P) -> T + Send + Sync + 'static,
    ) -> &mut Self
    where
        P: DeserializeOwned,
        T: Node<C> + 'static,
    {
        let make: Make<C> = Box::new(move |params| Ok(Box::new(make(params.read::<P>()?))));
        self.nodes.insert(name.to_owned(), make);
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
        self.task(name, move |params: P| {
            let action = Arc::clone(&action);
            Action(move |tick: &mut Tick<'_, '_, C>| action(tick, &params))
        })
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

    /// Builds a tree from data, which its states share.
    ///
    /// # Errors
    /// The first mistake, with the path of its node.
    pub fn build(&self, def: &TreeDef) -> Result<Arc<Tree<C>>, BuildError> {
        let mut builder = Tree::builder(&def.name).pace(def.pace);
        for (name, kind) in &def.keys {
            builder.declare(name, *kind);
        }
        builder.subtrees.clone_from(&def.subtrees);
        self.add(builder, &def.root).build()
    }

    fn add(&self, mut b: Builder<C>, def: &NodeDef) -> Builder<C> {
        let (node, mistake) = match self.make(&def.kind, &mut b) {
            Ok(node) => (node, None),
            // Any node will do: the tree is not built.
            Err(what) => (Box::new(Wait { seconds: 0.0 }) as _, Some(what)),
        };
        b = b.add(&def.name, def.kind.clone(), node);
        if let Some(what) = mistake {
            b.note(b.last(), what);
        }
        // A tree that is too deep is found here, before it gets any deeper.
        if b.error.is_some() {
            return b;
        }
        if let NodeKind::Subtree { subtree, params } = &def.kind {
            match part(&b.subtrees, subtree, params) {
                Ok(part) => b = self.add(b, &part),
                Err(what) => b.note(b.last(), what),
            }
        }
        for child in &def.children {
            b = self.add(b, child);
        }
        b.end()
    }

    /// Makes the next node of a tree.
    fn make(&self, kind: &NodeKind, b: &mut Builder<C>) -> Made<C> {
        match kind {
            NodeKind::Task { task: name, params } => {
                let node = self.registered("task", name, params, b)?;
                let is_task = *node.children().end() == 0;
                is_task
                    .then_some(node)
                    .ok_or_else(|| of_other_kind(name, "composite"))
            }
            NodeKind::Composite {
                composite: name,
                params,
            } => {
                let node = self.registered("composite", name, params, b)?;
                let is_composite = *node.children().end() > 0;
                let node = is_composite.then(|| Box::new(Guarded(node)) as _);
                node.ok_or_else(|| of_other_kind(name, "task"))
            }
            NodeKind::WithToken { wait, priority, .. } => {
                let (wait, rank) = (*wait, self.rank(priority)?);
                Ok(Box::new(TokenNode { wait, rank }))
            }
            NodeKind::WithWaypoint { wait, utility, .. } => {
                let (wait, score) = (*wait, self.score(utility)?);
                Ok(Box::new(WaypointNode { wait, score }))
            }
            kind => kind.node().ok_or_else(String::new),
        }
    }

    /// Makes a task or composite by its name, and checks its parameters.
    fn registered(&self, what: &str, name: &str, params: &Params, b: &mut Builder<C>) -> Made<C> {
        let Some(make) = self.nodes.get(name) else {
            return Err(unknown(what, name, self.nodes.keys()));
        };
        let mut node = make(params).map_err(|message| wrong_parameters(name, &message))?;
        node.bind(&mut b.schema)
            .map_err(|error| wrong_parameters(name, &error.to_string()))?;
        Ok(node)
    }

    fn rank(&self, def: &Priority) -> Result<RankFn<C>, String> {
        match def {
            Priority::Fixed(_) => Ok(def.fixed()),
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
    /// A registry with `wait`, every [`AgentTask`], the [`Measure`]s and the priority
    /// `on_screen` (1 on screen, 0 off screen).
    pub fn with_agent_tasks() -> Self {
        let mut registry = Self::default();
        for &name in variants::<AgentTask>() {
            let make: Make<C> =
                Box::new(move |params| Ok(Box::new(params.read_variant::<AgentTask>(name)?)));
            registry.nodes.insert(name.to_owned(), make);
        }
        registry.priority("on_screen", |view| i32::from(view.on_screen()));
        registry.measure = Some(Score::from);
        registry
    }
}

impl<C: Context> Default for Registry<C> {
    fn default() -> Self {
        let mut registry = Self {
            nodes: BTreeMap::new(),
            ranks: BTreeMap::new(),
            utilities: BTreeMap::new(),
            measure: None,
        };
        registry.task("wait", |wait: Wait| wait);
        registry
    }
}

/// A part of a tree file with its parameters.
fn part(
    subtrees: &BTreeMap<String, NodeDef>,
    name: &str,
    params: &Params,
) -> Result<NodeDef, String> {
    let part = subtrees.get(name);
    let part = part.ok_or_else(|| unknown("subtree", name, subtrees.keys()))?;
    let part = params.put_into(part);
    part.map_err(|message| format!(": subtree {name:?}: {message}"))
}

fn wrong_parameters(name: &str, message: &str) -> String {
    format!(": parameters of {name:?}: {message}")
}

/// A task that is named as a composite, or the other way round.
fn of_other_kind(name: &str, kind: &str) -> String {
    format!(": {name:?} is a {kind}; write `{kind}({kind}: {name:?}, …)`")
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
