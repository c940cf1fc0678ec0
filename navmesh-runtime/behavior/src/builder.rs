//! Building a tree, node by node.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::blackboard::{BoardValue, Key, Schema, ValueKind};
use crate::context::Context;
use crate::error::BuildError;
use crate::node::{Action, Guarded, Node};
use crate::nodes::composites::Pace;
use crate::nodes::{NodeDef, NodeKind, machine};
use crate::status::IntoOutcome;
use crate::tasks::Wait;
use crate::tick::Tick;
use crate::tree::{self, NodeInfo, Step, Tree, TreeDef};

/// How many composites and decorators may be nested. A tick recurses as deep as
/// the tree, and must not overflow the stack of the thread it runs on. At this
/// depth it needs between 64 and 96 KiB (measured with optimization; a test runs
/// it in 256 KiB), which is little of the 2 MiB of a Rust thread and leaves room
/// for the game's own tasks. The deepest tree of the example has 6 levels.
const MAX_DEPTH: usize = 128;

/// How many nodes a tree may have: subtrees that use others could otherwise make a small
/// file into an endless tree. The largest tree of the example has 40.
const MAX_NODES: usize = 1 << 16;

const NO_CHILDREN: &str =
    " is followed by `.inside()`, which only a composite or decorator has, and only once";

const NEVER_CLOSED: &str = " is never closed; add `.inside(|b| …)` with its children";

/// Builds a [`Tree`].
///
/// Composites and decorators are opened by a call, and
/// [`inside`](Self::inside) adds their children; tasks and actions stand alone.
/// [`then`](Self::then) adds a part of a tree that is defined elsewhere. Names are for people: traces show them, and paths in errors are
/// made of them. A name may be empty. The first mistake is kept and reported by
/// [`build`](Self::build), with the path of its node.
///
/// ```
/// use navmesh_behavior::{Builder, Context, NodeKind, Status, Tree, Wait};
///
/// struct Steps(u32);
///
/// impl Context for Steps {
///     type View<'a> = Self;
/// }
///
/// fn approach(builder: Builder<Steps>) -> Builder<Steps> {
///     builder
///         .action("look", |_| Status::Success)
///         .action("step", |tick| tick.context.0 += 1)
/// }
///
/// let tree = Tree::builder("crawler")
///     .node("forever", NodeKind::Repeat { count: 0 })
///     .inside(|b| {
///         b.sequence("hunt").inside(|b| b.then(approach).task("rest", Wait { seconds: 1.0 }))
///     })
///     .build()?;
/// assert!(format!("{tree:?}").contains("forever/hunt/look"));
/// # Ok::<(), navmesh_behavior::BuildError>(())
/// ```
#[must_use = "a tree is built by `build`"]
pub struct Builder<C: Context> {
    name: String,
    pace: Pace,
    pub(crate) nodes: Vec<NodeInfo>,
    pub(crate) steps: Vec<Step<C>>,
    /// How many words of memory the nodes use.
    words: usize,
    /// Numbers of the nodes that use a pool.
    sharing: Vec<usize>,
    /// Numbers of the nodes that are not closed yet.
    open: Vec<usize>,
    pub(crate) schema: Schema,
    declared: Vec<Box<str>>,
    /// Parts of the file that the tree is built from.
    pub(crate) subtrees: BTreeMap<String, NodeDef>,
    pub(crate) error: Option<BuildError>,
}

impl<C: Context> Tree<C> {
    /// Starts to build a tree of that name. The name is for people.
    pub fn builder(name: &str) -> Builder<C> {
        Builder {
            name: name.to_owned(),
            pace: Pace::default(),
            nodes: Vec::new(),
            steps: Vec::new(),
            words: 0,
            sharing: Vec::new(),
            open: Vec::new(),
            schema: Schema::default(),
            declared: Vec::new(),
            subtrees: BTreeMap::new(),
            error: None,
        }
    }
}

impl<C: Context> Builder<C> {
    /// Sets the pace of the sequence or selector that is open; before the root,
    /// that of every sequence and selector that has none of its own.
    pub fn pace(mut self, new: Pace) -> Self {
        let Some(at) = self.open.last().copied() else {
            self.pace = new;
            return self;
        };
        let kind = &mut self.nodes[at].kind;
        if let NodeKind::Sequence { pace } | NodeKind::Selector { pace } = kind {
            *pace = Some(new);
            if let Some(node) = kind.node() {
                self.steps[at].node = node;
            }
        } else {
            let kind = kind.name();
            let what = format!(" ({kind}) cannot have a pace; only a sequence or selector can");
            self.note(at, what);
        }
        self
    }

    /// Opens a sequence: [`NodeKind::Sequence`] without a pace of its own.
    pub fn sequence(self, name: &str) -> Self {
        self.node(name, NodeKind::Sequence { pace: None })
    }

    /// Opens a selector: [`NodeKind::Selector`] without a pace of its own.
    pub fn selector(self, name: &str) -> Self {
        self.node(name, NodeKind::Selector { pace: None })
    }

    /// Adds a built-in leaf, or opens a built-in composite or decorator.
    pub fn node(self, name: &str, kind: NodeKind) -> Self {
        let is_leaf = *kind.children().end() == 0;
        // The kinds without a node have methods of their own.
        let node = kind.node();
        let node = node.unwrap_or_else(|| Box::new(Wait { seconds: 0.0 }));
        let this = self.add(name, kind, node);
        if is_leaf { this.end() } else { this }
    }

    /// Adds a leaf that calls a closure. The closure returns a [`Status`](crate::Status),
    /// an [`Outcome`](crate::Outcome), a `bool` (success or failure), `()` (success), or a
    /// `Result` of one of these, whose error is a failure with a traced reason.
    pub fn action<F, O>(self, name: &str, action: F) -> Self
    where
        F: Fn(&mut Tick<'_, '_, C>) -> O + Send + Sync + 'static,
        O: IntoOutcome,
    {
        self.task(name, Action(action))
    }

    /// Adds a node with a type of its own: a leaf, or a composite or decorator, which
    /// [`inside`](Self::inside) gives its children.
    pub fn task(self, name: &str, node: impl Node<C> + 'static) -> Self {
        let (task, params) = TreeDef::registered(node.describe());
        if *node.children().end() == 0 {
            let kind = NodeKind::Task { task, params };
            return self.add(name, kind, Box::new(node)).end();
        }
        let composite = task;
        let kind = NodeKind::Composite { composite, params };
        self.add(name, kind, Box::new(Guarded(Box::new(node))))
    }

    /// The blackboard key of that name and type, to be moved into closures. It
    /// is added if it does not exist yet, also for keys that only the game uses.
    /// If a name is used with two types, [`build`](Self::build) reports it.
    pub fn key<T: BoardValue>(&mut self, name: &str) -> Key<T> {
        self.declare(name, T::KIND);
        // After an error the tree is not built, so any key will do then.
        self.schema.find(name).unwrap_or(Key::at(0))
    }

    /// Adds a blackboard key.
    pub(crate) fn declare(&mut self, name: &str, kind: ValueKind) {
        match self.schema.intern(name, kind) {
            Ok(_) => self.declared.push(name.into()),
            Err(error) => self.note(self.last(), format_args!(": {error}")),
        }
    }

    /// Closes the composite or decorator opened last.
    pub(crate) fn end(mut self) -> Self {
        let Some(at) = self.open.pop() else {
            let what = "has an `.inside()` that follows no composite or decorator";
            let error = BuildError::of_tree(&self.name, what);
            self.error.get_or_insert(error);
            return self;
        };
        let end = self.nodes.len() as u32;
        (self.nodes[at].end, self.steps[at].end) = (end, end);
        self.check_children(at);
        self
    }

    /// Adds children to the node opened last, and closes it.
    pub fn inside(mut self, children: impl FnOnce(Self) -> Self) -> Self {
        let last = self.last();
        if last.is_some() && self.open.last().copied() != last {
            // It would close a node further up.
            self.note(last, NO_CHILDREN);
        }
        let opened = self.open.len();
        let mut this = children(self);
        // A node that the children opened is not closed with this one.
        if let Some(&at) = this.open.get(opened..).and_then(<[_]>::last) {
            this.note(at, NEVER_CLOSED);
            this.open.truncate(opened);
        }
        this.end()
    }

    /// Calls `part`, which adds nodes: for parts that several trees share.
    pub fn then(self, part: impl FnOnce(Self) -> Self) -> Self {
        part(self)
    }

    /// Builds the tree, which its states share.
    ///
    /// # Errors
    /// The first mistake, with the path of its node.
    pub fn build(mut self) -> Result<Arc<Tree<C>>, BuildError> {
        if let Some(at) = self.open.last().copied() {
            self.note(at, NEVER_CLOSED);
        }
        if let Some(error) = self.error {
            return Err(error);
        }
        if self.nodes.is_empty() {
            return Err(BuildError::of_tree(
                &self.name,
                "has no node; it needs a root",
            ));
        }
        machine::check(&self.nodes)
            .map_err(|(at, what)| BuildError::of_node(self.path(at), what))?;
        Ok(Arc::new(Tree {
            name: self.name.into(),
            pace: self.pace,
            nodes: self.nodes.into(),
            steps: self.steps.into(),
            words: self.words,
            sharing: self.sharing.into(),
            schema: Arc::new(self.schema),
            declared: self.declared.into(),
            subtrees: self.subtrees,
        }))
    }
}

/// What the nodes and the registry use.
impl<C: Context> Builder<C> {
    /// Opens a node of that kind. Every node passes through here.
    pub(crate) fn add(mut self, name: &str, kind: NodeKind, mut node: Box<dyn Node<C>>) -> Self {
        let at = self.nodes.len();
        let bound = node.bind(&mut self.schema);
        let hold = self.sharing.len() as u32;
        self.sharing.extend(kind.pool().map(|_| at));
        let [run, lasting] = node.memory();
        self.nodes.push(NodeInfo {
            name: name.into(),
            kind,
            parent: self.open.last().copied(),
            end: u32::MAX,
        });
        let step = Step {
            end: u32::MAX,
            hold,
            words: self.words as u32,
            run,
            lasting,
            node,
        };
        self.words = step.range().end;
        self.steps.push(step);
        if self.open.is_empty() && at > 0 {
            let what = " comes after the end of the root; a tree has one root: put both into a \
                        sequence or selector";
            self.note(at, what);
        }
        self.open.push(at);
        if *self.child_range(at).end() > 0 && self.open.len() > MAX_DEPTH {
            let what = format!(" is nested deeper than {MAX_DEPTH} nodes; flatten the tree");
            self.note(at, what);
        }
        if at == MAX_NODES {
            self.note(
                at,
                format!(" is one node more than the {MAX_NODES} that a tree may have"),
            );
        }
        if let Err(error) = bound {
            self.note(at, format_args!(": {error}"));
        }
        self
    }

    /// How many children a node may have.
    fn child_range(&self, at: usize) -> RangeInclusive<usize> {
        match &self.nodes[at].kind {
            NodeKind::Composite { .. } => self.steps[at].node.children(),
            kind => kind.children(),
        }
    }

    /// Checks the number of a closed node's children.
    fn check_children(&mut self, at: usize) {
        let found = tree::children(&self.nodes, at).count();
        let kind = &self.nodes[at].kind;
        let range = self.child_range(at);
        if !range.contains(&found) {
            let (kind, expected) = (kind.name(), count(*range.start(), *range.end()));
            self.note(at, format!(" ({kind}) takes {expected}, but has {found}"));
            return;
        }
        if let Err(what) = self.steps[at].node.check(found) {
            self.note(at, what);
        }
    }

    /// Keeps the first error. `at` is the node, or `None` for the whole tree.
    /// Paths take time proportional to the tree, so only that error gets one.
    pub(crate) fn note(&mut self, at: impl Into<Option<usize>>, what: impl Display) {
        if self.error.is_none() {
            let path = at
                .into()
                .map_or_else(|| self.name.clone(), |at| self.path(at));
            self.error = Some(BuildError::of_node(path, what));
        }
    }

    /// The node added last.
    pub(crate) fn last(&self) -> Option<usize> {
        self.nodes.len().checked_sub(1)
    }

    fn path(&self, at: usize) -> String {
        tree::paths(&self.nodes).swap_remove(at)
    }
}

/// A number of children in words.
fn count(least: usize, most: usize) -> String {
    match (least, most) {
        (0, 0) => "no children".to_owned(),
        (1, 1) => "exactly one child".to_owned(),
        (1, usize::MAX) => "at least one child".to_owned(),
        (least, usize::MAX) => format!("at least {least} children"),
        (least, most) if least == most => format!("exactly {least} children"),
        (least, most) => format!("{least} to {most} children"),
    }
}
