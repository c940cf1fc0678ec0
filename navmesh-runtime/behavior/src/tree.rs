//! The definition of a tree. It never changes, and every agent of a kind
//! shares it.

use std::fmt;
use std::sync::Arc;

use super::blackboard::{BoardValue, Key, Schema};
use super::context::Context;
use super::memory::{Extents, Signal};
use super::node::{self, Node, NodeKind, Pace};
use super::score::Score;
use super::status::Status;
use super::task::{Composite, Task};
use crate::coordination::Waypoint;

/// The definition of a behaviour tree over the game's [`Context`] `C`.
///
/// It never changes once built, and is shared in an [`Arc`]. What one agent is
/// doing in it is held by a [`TreeState`](super::TreeState).
///
/// ```
/// use navmesh_behavior::{Context, Outcome, Status, Tree};
///
/// struct Guard { player_near: bool, alarms: u32 }
///
/// impl Context for Guard {
///     type View<'a> = Self;
/// }
///
/// let tree = Tree::<Guard>::builder("guard")
///     .selector("decide").inside(|b| b
///         .sequence("alarm").inside(|b| b
///             .condition("player near", |tick| tick.context.player_near)
///             .action("ring", |tick| tick.context.alarms += 1))
///         .action("stand", |_| Status::Running))
///     .build()?;
///
/// let mut guard = Guard { player_near: true, alarms: 0 };
/// let mut state = tree.state();
/// assert_eq!(state.tick(&mut guard, 1.0 / 60.0), Outcome::SUCCESS);
/// assert_eq!(guard.alarms, 1);
/// # Ok::<(), navmesh_behavior::BuildError>(())
/// ```
pub struct Tree<C: Context> {
    pub(crate) name: Box<str>,
    #[cfg_attr(
        not(feature = "serde"),
        expect(dead_code, reason = "saved in tree files")
    )]
    pub(crate) pace: Pace,
    pub(crate) nodes: Box<[Node]>,
    pub(crate) extents: Extents,
    /// Per node, what every tick reads.
    pub(crate) steps: Box<[Step<C>]>,
    /// Per node, what only some kinds need.
    pub(crate) extras: Box<[Extra<C>]>,
    /// The nodes with an [`Extra::Token`].
    pub(crate) token_nodes: Box<[u32]>,
    pub(crate) schema: Arc<Schema>,
    /// Names of keys that were declared apart from any task.
    #[cfg_attr(
        not(feature = "serde"),
        expect(dead_code, reason = "saved in tree files")
    )]
    pub(crate) declared: Box<[Box<str>]>,
}

/// What every tick reads of a node, packed into few bytes. A leaf's task lies
/// beside it.
pub struct Step<C: Context> {
    pub(crate) task: Option<Box<dyn Task<C>>>,
    /// Same as the node's.
    pub(crate) end: u32,
    pub(crate) flow: Flow,
    /// The status of a child after which a sequence or selector continues with
    /// the next.
    pub(crate) onward: Status,
    /// Whether a sequence or selector ticks at most one child per tick.
    pub(crate) one: bool,
    /// Whether the task has memory to be zeroed.
    pub(crate) has_memory: bool,
}

/// Which function ticks a node; the most frequent ones, compared in this order.
/// A branch that is nearly always predicted is faster than a jump table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Sequence and selector.
    Resume,
    /// Reactive sequence and selector.
    Restart,
    /// Depends on the node's kind.
    Other,
}

impl<C: Context> Step<C> {
    pub(crate) fn new(
        node: &Node,
        task: Option<Box<dyn Task<C>>>,
        has_memory: bool,
        tree_pace: Pace,
    ) -> Self {
        let (flow, onward, own_pace) = match node.kind {
            NodeKind::Sequence { pace } => (Flow::Resume, Status::Success, pace),
            NodeKind::Selector { pace } => (Flow::Resume, Status::Failure, pace),
            NodeKind::ReactiveSequence => (Flow::Restart, Status::Success, None),
            NodeKind::ReactiveSelector => (Flow::Restart, Status::Failure, None),
            _ => (Flow::Other, Status::Success, None),
        };
        Self {
            task,
            end: node.end,
            flow,
            onward,
            one: own_pace.unwrap_or(tree_pace) == Pace::OneChildPerTick,
            has_memory,
        }
    }
}

/// What only some kinds of nodes need.
pub enum Extra<C: Context> {
    None,
    /// While the tree is built; then the node's [`Step`] has the task.
    Task(Box<dyn Task<C>>),
    Composite {
        composite: Box<dyn Composite<C>>,
        children: u32,
    },
    Token(RankFn<C>),
    Waypoint {
        score: Score<C>,
        arrive: ArriveFn<C>,
    },
    States(Box<[StateNode]>),
    Signal(Signal),
}

/// A state of a state machine: its node, and the states that follow its success
/// and its failure.
pub struct StateNode {
    pub node: u32,
    pub after: [Option<u32>; 2],
}

/// The priority with which an agent claims a token.
pub type RankFn<C> = Arc<dyn Fn(&<C as Context>::View<'_>) -> i32 + Send + Sync>;

/// Tells the game which waypoint an agent claimed.
pub type ArriveFn<C> = Arc<dyn Fn(&mut <C as Context>::View<'_>, &Waypoint) + Send + Sync>;

impl<C: Context> Tree<C> {
    /// The tree's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The names of all nodes. Nodes are numbered from 0 in preorder: each node,
    /// then its children.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = &str> {
        self.nodes.iter().map(|node| &*node.name)
    }

    /// The blackboard key of that name and type, if the tree has one.
    pub fn key<T: BoardValue>(&self, name: &str) -> Option<Key<T>> {
        self.schema.find(name)
    }

    /// The paths of all nodes, by number: names from the root down, joined by
    /// `/`. A node without a name is called by its kind; siblings with the
    /// same label get `~2`, `~3` and so on.
    pub fn paths(&self) -> Vec<String> {
        node::paths(&self.nodes)
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
