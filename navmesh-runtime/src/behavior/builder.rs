//! Building a tree in code.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::blackboard::{BoardValue, Key, Schema};
use super::data::TaskDef;
use super::error::BuildError;
use super::node::{self, Extent, Kind, Node};
use super::task::Action;
use super::tree::{Custom, Step, TokenSpec, WaypointSpec};
use super::{Composite, Context, IntoOutcome, MemorySize, Pace, Task, Tick, Tree, ValueKind};

/// How deep a tree may be. Ticking recurses as deep as the tree, so this keeps
/// it far from the end of any thread's stack.
pub const MAX_DEPTH: usize = 128;

/// Builds a [`Tree`], node by node.
///
/// Composites and decorators open with a call and close with
/// [`end`](Self::end); tasks, actions and conditions stand alone. Names are
/// for people: they show in traces, and paths in errors are made of them. An
/// empty name is fine. The first mistake is kept and reported by
/// [`build`](Self::build), with the path of its node.
///
/// [`inside`](Self::inside) closes by itself and keeps its indentation under
/// rustfmt; [`then`](Self::then) includes a part written elsewhere.
///
/// ```
/// use navmesh_runtime::behavior::{Builder, Status, Tree};
///
/// fn approach(builder: Builder<u32>) -> Builder<u32> {
///     builder
///         .action("look", |_| Status::Success)
///         .action("step", |tick| *tick.context += 1)
/// }
///
/// let tree = Tree::builder("crawler")
///     .repeat("for ever")
///     .inside(|b| b.sequence("hunt").inside(|b| b.then(approach).wait("rest", 1.0)))
///     .build()?;
/// assert_eq!(tree.paths()[2], "for ever/hunt/look");
/// # Ok::<(), navmesh_runtime::behavior::BuildError>(())
/// ```
pub struct Builder<C: ?Sized + Context> {
    name: String,
    pace: Pace,
    pub(super) nodes: Vec<Node>,
    names: Vec<Box<str>>,
    open: Vec<usize>,
    pub(super) sizes: Vec<Extent>,
    leaves: Vec<Box<dyn Task<C>>>,
    leaf_defs: Vec<Option<TaskDef>>,
    pub(super) customs: Vec<Custom<C>>,
    pub(super) tokens: Vec<TokenSpec<C>>,
    pub(super) waypoints: Vec<WaypointSpec<C>>,
    pub(super) token_pools: Vec<Box<str>>,
    pub(super) waypoint_pools: Vec<Box<str>>,
    schema: Schema,
    /// Keys asked for by name, not by a task.
    declared: Vec<Box<str>>,
    error: Option<BuildError>,
}

impl<C: ?Sized + Context> Builder<C> {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            pace: Pace::default(),
            nodes: Vec::new(),
            names: Vec::new(),
            open: Vec::new(),
            sizes: Vec::new(),
            leaves: Vec::new(),
            leaf_defs: Vec::new(),
            customs: Vec::new(),
            tokens: Vec::new(),
            waypoints: Vec::new(),
            token_pools: Vec::new(),
            waypoint_pools: Vec::new(),
            schema: Schema::default(),
            declared: Vec::new(),
            error: None,
        }
    }

    /// The pace of every sequence and selector that has none of its own.
    #[must_use]
    pub fn pace(mut self, pace: Pace) -> Self {
        self.pace = pace;
        self
    }

    /// The pace of the sequence or selector opened last.
    #[must_use]
    pub fn own_pace(mut self, own: Pace) -> Self {
        let Some(at) = self.open.last().copied() else {
            let path = self.name.clone();
            return self.fail(BuildError::Pace { path, kind: "tree" });
        };
        match &mut self.nodes[at].kind {
            Kind::Sequence { pace, .. } | Kind::Selector { pace, .. } => *pace = Some(own),
            kind => {
                let (kind, path) = (kind.name(), self.path(at));
                return self.fail(BuildError::Pace { path, kind });
            }
        }
        self
    }

    /// The blackboard key of that name and type, to be moved into closures.
    /// Two uses of one name with two types are reported by
    /// [`build`](Self::build).
    pub fn key<T: BoardValue>(&mut self, name: &str) -> Key<T> {
        self.declare(name, T::KIND);
        match self.schema.key(name) {
            Ok(key) => key,
            Err(_) => {
                // Never used: the tree is not built. This one cannot fail.
                Schema::default()
                    .key(name)
                    .unwrap_or_else(|_| unreachable!("an empty schema has room"))
            }
        }
    }

    /// Makes sure of a blackboard key that the game writes, and no closure
    /// needs.
    pub fn declare(&mut self, name: &str, kind: ValueKind) {
        match self.schema.intern(name, kind) {
            Ok(_) => self.declared.push(name.into()),
            Err(source) => {
                let path = self.here();
                self.note(BuildError::Key { path, source });
            }
        }
    }

    /// Closes the composite or decorator opened last.
    #[must_use]
    pub fn end(mut self) -> Self {
        let Some(at) = self.open.pop() else {
            let name = self.name.clone();
            return self.fail(BuildError::ExtraEnd(name));
        };
        self.nodes[at].end = self.nodes.len() as u32;
        self.check_children(at);
        self
    }

    /// Adds children to the node opened last, and closes it.
    #[must_use]
    pub fn inside(self, children: impl FnOnce(Self) -> Self) -> Self {
        children(self).end()
    }

    /// Adds what `part` adds: for parts of trees that are used in several
    /// places.
    #[must_use]
    pub fn then(self, part: impl FnOnce(Self) -> Self) -> Self {
        part(self)
    }

    /// A leaf made of a closure. It returns what [`IntoOutcome`] lists: a
    /// status, a `bool`, nothing, a `Result`.
    #[must_use]
    pub fn action<F, O>(self, name: &str, action: F) -> Self
    where
        F: Fn(&mut Tick<'_, C::In<'_>>) -> O + Send + Sync + 'static,
        O: IntoOutcome,
    {
        self.leaf(name, Box::new(Action(action)), None)
    }

    /// A leaf that asks a question: success when true.
    #[must_use]
    pub fn condition<F>(self, name: &str, condition: F) -> Self
    where
        F: Fn(&mut Tick<'_, C::In<'_>>) -> bool + Send + Sync + 'static,
    {
        self.action(name, condition)
    }

    /// A leaf of a type of its own.
    #[must_use]
    pub fn task(self, name: &str, task: impl Task<C> + 'static) -> Self {
        self.leaf(name, Box::new(task), None)
    }

    pub(super) fn leaf(
        mut self,
        name: &str,
        mut task: Box<dyn Task<C>>,
        def: Option<TaskDef>,
    ) -> Self {
        let bound = task.bind(&mut self.schema);
        let def = def.or_else(|| described(task.describe()));
        let size = task.memory();
        let kind = Kind::Leaf {
            task: self.leaves.len() as u32,
            memory: size.run > 0,
        };
        self.leaves.push(task);
        self.leaf_defs.push(def);
        let at = self.push(name, kind, size, false);
        self.nodes[at].end = at as u32 + 1;
        if let Err(source) = bound {
            let path = self.path(at);
            return self.fail(BuildError::Key { path, source });
        }
        self
    }

    /// A composite or decorator of the game's own.
    #[must_use]
    pub fn composite(self, name: &str, composite: impl Composite<C> + 'static) -> Self {
        self.custom(name, Box::new(composite), None)
    }

    pub(super) fn custom(
        mut self,
        name: &str,
        composite: Box<dyn Composite<C>>,
        def: Option<TaskDef>,
    ) -> Self {
        let def = def.or_else(|| described(composite.describe()));
        let size = composite.memory();
        let kind = Kind::Custom {
            node: self.customs.len() as u32,
        };
        self.customs.push(Custom {
            composite,
            children: 0,
            def,
        });
        self.open(name, kind, size)
    }

    /// Builds the tree.
    ///
    /// # Errors
    /// The first mistake in it, with the path of the node.
    pub fn build(mut self) -> Result<Tree<C>, BuildError> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        if self.error.is_none()
            && let Some(at) = self.open.last()
        {
            let path = self.path(*at);
            self.error = Some(BuildError::Unclosed { path });
        }
        if let Some(error) = self.error {
            return Err(error);
        }
        if self.nodes.is_empty() {
            return Err(BuildError::Empty(self.name));
        }
        for node in &mut self.nodes {
            if let Kind::Sequence { one, pace } | Kind::Selector { one, pace } = &mut node.kind {
                *one = pace.unwrap_or(self.pace) == Pace::OneChildPerTick;
            }
        }
        let mut next = Extent::default();
        let mut extents = Vec::with_capacity(self.sizes.len() + 1);
        for size in &self.sizes {
            extents.push(next);
            next.run += size.run;
            next.lasting += size.lasting;
            next.guard += size.guard;
        }
        extents.push(next);
        // Leaves were added in the order of their nodes.
        let mut tasks = self.leaves.into_iter();
        let steps = self.nodes.iter().map(|node| {
            let is_leaf = matches!(node.kind, Kind::Leaf { .. });
            let task = if is_leaf { tasks.next() } else { None };
            Step::new(*node, task)
        });
        let steps = steps.collect();
        Ok(Tree {
            name: self.name.into(),
            pace: self.pace,
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            nodes: self.nodes.into(),
            extents: extents.into(),
            names: self.names.into(),
            steps,
            leaf_defs: self.leaf_defs.into(),
            customs: self.customs.into(),
            tokens: self.tokens.into(),
            waypoints: self.waypoints.into(),
            token_pools: self.token_pools.into(),
            waypoint_pools: self.waypoint_pools.into(),
            schema: Arc::new(self.schema),
            declared: self.declared.into(),
        })
    }

    /// Opens a node with children.
    pub(super) fn open(mut self, name: &str, kind: Kind, size: MemorySize) -> Self {
        let guard = matches!(kind, Kind::WithToken { .. } | Kind::WithWaypoint { .. });
        let at = self.push(name, kind, size, guard);
        self.open.push(at);
        if self.open.len() > MAX_DEPTH {
            let path = self.path(at);
            self.note(BuildError::TooDeep {
                path,
                most: MAX_DEPTH,
            });
        }
        self
    }

    /// Adds a leaf that needs no task.
    pub(super) fn bare(mut self, name: &str, kind: Kind) -> Self {
        let at = self.push(name, kind, MemorySize::NONE, false);
        self.nodes[at].end = at as u32 + 1;
        self
    }

    fn push(&mut self, name: &str, kind: Kind, size: MemorySize, guard: bool) -> usize {
        let at = self.nodes.len();
        self.nodes.push(Node {
            kind,
            end: u32::MAX,
        });
        self.names.push(name.into());
        self.sizes.push(Extent {
            run: u32::from(size.run),
            lasting: u32::from(size.lasting),
            guard: u32::from(guard),
        });
        if self.open.is_empty() && at > 0 {
            let path = self.path(at);
            self.note(BuildError::SecondRoot { path });
        }
        at
    }

    /// Checks a number of the node added last.
    pub(super) fn check(mut self, what: &'static str, value: f32, must: &str, good: bool) -> Self {
        if !good {
            let path = self.here();
            self.note(BuildError::Number {
                path,
                what,
                value: value.to_string(),
                must: must.to_owned(),
            });
        }
        self
    }

    pub(super) fn fail(mut self, error: BuildError) -> Self {
        self.note(error);
        self
    }

    pub(super) fn note(&mut self, error: BuildError) {
        self.error.get_or_insert(error);
    }

    pub(super) fn failed(&self) -> bool {
        self.error.is_some()
    }

    /// The path of the node added last.
    pub(super) fn here(&self) -> String {
        match self.nodes.len() {
            0 => self.name.clone(),
            len => self.path(len - 1),
        }
    }

    /// The path a node of that name and kind would have, were it added now.
    pub(super) fn path_of_next(&self, label: &str) -> String {
        match self.open.last() {
            Some(at) => format!("{}/{label}", self.path(*at)),
            None => label.to_owned(),
        }
    }

    pub(super) fn path(&self, at: usize) -> String {
        node::paths(&self.nodes, &self.names).swap_remove(at)
    }
}

fn described(form: Option<(&str, super::Params)>) -> Option<TaskDef> {
    form.map(|(task, params)| TaskDef {
        task: task.to_owned(),
        params,
    })
}

/// The number of a pool's name, in the order of first use.
pub(super) fn intern(names: &mut Vec<Box<str>>, name: &str) -> u32 {
    let at = names.iter().position(|n| **n == *name);
    at.unwrap_or_else(|| {
        names.push(name.into());
        names.len() - 1
    }) as u32
}
