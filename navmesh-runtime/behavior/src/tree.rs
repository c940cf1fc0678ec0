//! The definition of a tree: what all agents of a kind share, and its form as data.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::{self, Write as _};
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::blackboard::{BoardValue, Key, Schema, ValueKind};
use crate::context::Context;
use crate::error::BuildError;
use crate::node::Node;
use crate::nodes::composites::Pace;
use crate::nodes::{NodeDef, NodeKind};
use crate::params::Params;
use crate::params::default::is_default;

/// A tree as data: the content of a RON or JSON file.
///
/// [`Registry::build`](crate::Registry::build) builds a [`Tree`] from it;
/// [`Tree::to_def`] converts back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeDef {
    /// A name for people.
    #[serde(default)]
    pub name: String,
    /// The pace of sequences and selectors without their own.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pace: Pace,
    /// Blackboard keys that the game uses, with their types. Keys that tasks use need not
    /// be listed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) keys: BTreeMap<String, ValueKind>,
    /// Parts of the tree by name, for nodes of the kind `subtree`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) subtrees: BTreeMap<String, NodeDef>,
    pub(crate) root: NodeDef,
}

impl TreeDef {
    /// A task or composite by its name in the registry, with its fields as parameters, as a
    /// tree of this one node; `None` when a field has no form in a tree file. For
    /// [`Node::describe`](crate::Node::describe).
    pub fn of_node(name: &str, node: &impl Serialize) -> Option<Self> {
        Some(Self::of_task(name.to_owned(), Params::of(node)?))
    }

    pub(crate) fn of_task(task: String, params: Params) -> Self {
        Self {
            name: String::new(),
            pace: Pace::default(),
            keys: BTreeMap::new(),
            subtrees: BTreeMap::new(),
            root: NodeDef {
                name: String::new(),
                kind: NodeKind::Task { task, params },
                children: Vec::new(),
            },
        }
    }

    /// The name in the registry and the parameters of a node that describes itself; an
    /// empty name for others.
    pub(crate) fn registered(def: Option<Self>) -> (String, Params) {
        match def.map(|def| def.root.kind) {
            Some(NodeKind::Task { task, params }) => (task, params),
            _ => Default::default(),
        }
    }
}

/// One node of a tree. Its children are the nodes after it up to `end`: the first child is
/// the next node, and each child's `end` is where the next begins.
pub struct NodeInfo {
    /// May be empty.
    pub name: Box<str>,
    pub kind: NodeKind,
    /// The node around it; `None` for the root.
    pub parent: Option<usize>,
    pub end: u32,
}

impl NodeInfo {
    /// Its name, or that of its task, or that of its kind.
    pub fn label(&self) -> &str {
        let registered = self.kind.registered().map_or("", |(name, _)| name);
        [&*self.name, registered]
            .into_iter()
            .find(|label| !label.is_empty())
            .unwrap_or(self.kind.name())
    }
}

/// What every tick reads of a node.
pub struct Step<C: Context> {
    pub node: Box<dyn Node<C>>,
    /// Same as that of the [`NodeInfo`].
    pub end: u32,
    /// Its place among the nodes that use a pool.
    pub hold: u32,
    /// Where its words of memory begin; those of its run come first.
    pub words: u32,
    pub run: u16,
    pub lasting: u16,
}

impl<C: Context> Step<C> {
    /// Where all of its words of memory are.
    pub fn range(&self) -> Range<usize> {
        let start = self.words as usize;
        start..start + usize::from(self.run) + usize::from(self.lasting)
    }

    /// Where the word of that number is.
    #[inline]
    pub fn word(&self, number: u16) -> Option<usize> {
        let at = self.words as usize + usize::from(number);
        let is_own = self.range().contains(&at);
        debug_assert!(is_own, "the node did not ask for memory word {number}");
        is_own.then_some(at)
    }
}

/// The definition of a behaviour tree over the game's [`Context`] `C`.
///
/// It never changes once built, and is shared in an [`Arc`]. What one agent is
/// doing in it is held by a [`TreeState`](crate::TreeState).
///
/// For an example, see the [guide](crate::guide#a-complete-example).
pub struct Tree<C: Context> {
    /// The tree's name, for people.
    pub name: Box<str>,
    pub(crate) pace: Pace,
    pub(crate) nodes: Box<[NodeInfo]>,
    pub(crate) steps: Box<[Step<C>]>,
    /// How many words of memory all nodes use.
    pub(crate) words: usize,
    /// The numbers of the nodes that use a pool.
    pub(crate) sharing: Box<[usize]>,
    pub(crate) schema: Arc<Schema>,
    /// Names of keys that were declared apart from any task.
    pub(crate) declared: Box<[Box<str>]>,
    /// Parts of its file.
    pub(crate) subtrees: BTreeMap<String, NodeDef>,
}

impl<C: Context> Tree<C> {
    /// The blackboard key of that name and type, if the tree has one.
    pub fn key<T: BoardValue>(&self, name: &str) -> Option<Key<T>> {
        self.schema.find(name)
    }

    /// The paths of all nodes: labels from the root down, joined by `/`. Siblings with the
    /// same label get `~2`, `~3` and so on.
    pub(crate) fn paths(&self) -> Vec<String> {
        paths(&self.nodes)
    }

    pub(crate) fn children(&self, at: usize) -> impl Iterator<Item = usize> + Clone {
        children(&self.nodes, at)
    }

    /// The tree as indented text, one line per node; `note` returns a text to
    /// append to the line of a node number. Nodes are numbered from 0 in preorder: each node,
    /// then its children.
    ///
    /// ```
    /// use navmesh_behavior::{NodeKind, Pools, Status, Tree};
    ///
    /// let tree = Tree::<()>::builder("guard")
    ///     .node("", NodeKind::Invert {}).inside(|b| b
    ///         .action("stand", |_| Status::Running))
    ///     .build()?;
    /// let mut state = tree.state(&Pools::default())?;
    /// state.tick(&mut (), 0.1);
    /// let is_running = |node| state.running().any(|(running, _)| running == node);
    /// let text = tree.outline(|node| if is_running(node) { " *" } else { "" }.into());
    /// assert_eq!(text, "invert *\n  task \"stand\" *\n");
    /// # Ok::<(), navmesh_behavior::BuildError>(())
    /// ```
    pub fn outline(&self, mut note: impl FnMut(u32) -> String) -> String {
        let mut text = String::new();
        let mut indents: Vec<usize> = Vec::with_capacity(self.nodes.len());
        for (number, node) in (0u32..).zip(&self.nodes) {
            let indent = node.parent.map_or(0, |parent| indents[parent] + 2);
            indents.push(indent);
            let _ = write!(text, "{:indent$}{}", "", node.kind.name());
            let registered = node.kind.registered().map_or("", |(name, _)| name);
            if !node.name.is_empty() {
                let _ = write!(text, " {:?}", node.name);
            } else if !registered.is_empty() {
                let _ = write!(text, " {registered}");
            }
            text += &note(number);
            text.push('\n');
        }
        text
    }

    /// The tree as data. [`Registry::build`](crate::Registry::build) builds the same tree
    /// from it.
    ///
    /// # Errors
    /// If a node has no form in a tree file, such as one made of a closure.
    pub fn to_def(&self) -> Result<TreeDef, BuildError> {
        let declared = &self.declared;
        let keys = self.schema.keys();
        let keys = keys.filter(|(name, _)| declared.iter().any(|other| **other == **name));
        Ok(TreeDef {
            name: self.name.to_string(),
            pace: self.pace,
            keys: keys.map(|(name, kind)| (name.to_owned(), kind)).collect(),
            subtrees: self.subtrees.clone(),
            root: self.node_def(0)?,
        })
    }

    fn node_def(&self, at: usize) -> Result<NodeDef, BuildError> {
        let node = &self.nodes[at];
        // An empty name marks a task or function that was made in code.
        let is_data = match &node.kind {
            NodeKind::WithToken { priority, .. } => !priority.is_closure(),
            NodeKind::WithWaypoint { utility, .. } => utility.is_named(),
            kind => kind.registered().is_none_or(|(name, _)| !name.is_empty()),
        };
        if !is_data {
            let path = self.paths().swap_remove(at);
            let what = " cannot be saved in a tree file: it was made in code; register it by name and \
                        build it from data";
            return Err(BuildError::of_node(path, what));
        }
        let is_subtree = matches!(node.kind, NodeKind::Subtree { .. });
        let children = self.children(at).filter(|_| !is_subtree);
        let children = children.map(|child| self.node_def(child));
        Ok(NodeDef {
            name: node.name.to_string(),
            kind: node.kind.clone(),
            children: children.collect::<Result<_, _>>()?,
        })
    }
}

impl<C: Context> fmt::Debug for Tree<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paths = self.paths();
        f.debug_struct("Tree")
            .field("name", &self.name)
            .field("paths", &paths)
            .finish_non_exhaustive()
    }
}

/// The children of a node, in order.
pub fn children(nodes: &[NodeInfo], at: usize) -> impl Iterator<Item = usize> + Clone {
    let end = nodes[at].end as usize;
    let mut next = at + 1;
    std::iter::from_fn(move || {
        let child = (next < end).then_some(next)?;
        next = nodes[child].end as usize;
        Some(child)
    })
}

/// The paths of all nodes, by number; each is unique.
pub fn paths(nodes: &[NodeInfo]) -> Vec<String> {
    let mut paths: Vec<String> = Vec::with_capacity(nodes.len());
    let mut taken = HashSet::with_capacity(nodes.len());
    // The highest number given so far to each repeated path, so that many
    // siblings with one name take one step each.
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for node in nodes {
        let label = node.label();
        let base = match node.parent {
            Some(parent) => format!("{}/{label}", paths[parent]),
            None => label.to_owned(),
        };
        let mut path = base.clone();
        while !taken.insert(path.clone()) {
            let number = numbers.entry(base.clone()).or_insert(1);
            *number += 1;
            path = format!("{base}~{number}");
        }
        paths.push(path);
    }
    paths
}
