//! The definition of a tree: immutable, shared by every agent that uses it.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::blackboard::{BoardValue, Key, Schema};
use super::builder::Builder;
use super::data::{Priority, TaskDef};
use super::node::{self, Extent, Kind, Node};
use super::registry::Arrive;
use super::state::TreeState;
use super::task::{Composite, Task};
use super::{Context, Status};
use crate::coordination::{Pools, Score, UnknownPool};

/// How far a sequence or selector walks in one tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// On to the next child as long as children complete.
    #[default]
    Eager,
    /// At most one child a tick. When it completes and there are more, the
    /// composite is running. Reactive composites, which begin anew each tick,
    /// are always eager.
    OneChildPerTick,
}

/// What `force_*` and `always_*` do about the turn, in turn-based games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnRule {
    /// As the child says.
    #[default]
    Keep,
    /// It ends the turn.
    Ends,
    /// It does not.
    Continues,
}

/// The definition of a behaviour tree over the game's context type `C`.
///
/// It never changes once built: share it by reference or in an
/// [`Arc`](std::sync::Arc). What one agent is doing is in its [`TreeState`].
///
/// ```
/// use navmesh_runtime::behavior::{Outcome, Status, Tree};
///
/// struct Guard { player_near: bool, alarms: u32 }
///
/// let tree = Tree::<Guard>::builder("guard")
///     .selector("decide")
///         .sequence("alarm")
///             .condition("player near", |tick| tick.context.player_near)
///             .action("ring", |tick| tick.context.alarms += 1)
///         .end()
///         .action("stand", |_| Status::Running)
///     .end()
///     .build()?;
///
/// let mut guard = Guard { player_near: true, alarms: 0 };
/// let mut state = tree.state();
/// assert_eq!(state.tick(&tree, &mut guard, 1.0 / 60.0), Outcome::SUCCESS);
/// assert_eq!(guard.alarms, 1);
/// # Ok::<(), navmesh_runtime::behavior::BuildError>(())
/// ```
pub struct Tree<C: ?Sized + Context> {
    pub(super) name: Box<str>,
    pub(super) pace: Pace,
    /// Tells a state of this tree from those of others.
    pub(super) id: u64,
    pub(super) nodes: Box<[Node]>,
    /// One more than there are nodes.
    pub(super) extents: Box<[Extent]>,
    pub(super) names: Box<[Box<str>]>,
    /// The same nodes as the engine walks them.
    pub(super) steps: Box<[Step<C>]>,
    /// The leaves' form in a tree file.
    pub(super) leaf_defs: Box<[Option<TaskDef>]>,
    pub(super) customs: Box<[Custom<C>]>,
    pub(super) tokens: Box<[TokenSpec<C>]>,
    pub(super) waypoints: Box<[WaypointSpec<C>]>,
    pub(super) token_pools: Box<[Box<str>]>,
    pub(super) waypoint_pools: Box<[Box<str>]>,
    pub(super) schema: Arc<Schema>,
    /// Names of keys that were asked for apart from any task.
    pub(super) declared: Box<[Box<str>]>,
}

/// A node and, when it is a leaf, its task, side by side: what a tick reads.
pub(super) struct Step<C: ?Sized + Context> {
    pub(super) task: Option<Box<dyn Task<C>>>,
    /// As the node's.
    pub(super) end: u32,
    pub(super) flow: Flow,
    /// The status of a child with which a sequence or selector goes on.
    pub(super) onward: Status,
    /// Whether a sequence or selector ticks at most one child a tick.
    pub(super) one: bool,
    /// Whether the task remembers anything of a run.
    pub(super) has_memory: bool,
}

/// Which function ticks a node: the frequent ones, asked for in this order. A
/// branch that is nearly always guessed right is cheaper than a jump table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    /// Sequence and selector.
    Walk,
    /// The reactive ones.
    Anew,
    /// Look at the node's kind.
    Other,
}

impl<C: ?Sized + Context> Step<C> {
    pub(super) fn new(node: Node, task: Option<Box<dyn Task<C>>>) -> Self {
        let (flow, onward) = match node.kind {
            Kind::Sequence { .. } => (Flow::Walk, Status::Success),
            Kind::Selector { .. } => (Flow::Walk, Status::Failure),
            Kind::ReactiveSequence => (Flow::Anew, Status::Success),
            Kind::ReactiveSelector => (Flow::Anew, Status::Failure),
            _ => (Flow::Other, Status::Success),
        };
        Self {
            task,
            end: node.end,
            flow,
            onward,
            one: matches!(
                node.kind,
                Kind::Sequence { one: true, .. } | Kind::Selector { one: true, .. }
            ),
            has_memory: matches!(node.kind, Kind::Leaf { memory: true, .. }),
        }
    }
}

pub(super) struct Custom<C: ?Sized + Context> {
    pub(super) composite: Box<dyn Composite<C>>,
    pub(super) children: u32,
    pub(super) def: Option<TaskDef>,
}

pub(super) struct TokenSpec<C: ?Sized + Context> {
    /// Number in `token_pools`.
    pub(super) pool: u32,
    pub(super) wait: f32,
    pub(super) priority: Rank<C>,
}

/// How urgently an agent asks for a token.
pub(super) struct Rank<C: ?Sized + Context> {
    /// Its form in a tree file.
    pub(super) def: Option<Priority>,
    pub(super) rank: RankOf<C>,
}

pub(super) enum RankOf<C: ?Sized + Context> {
    Fixed(i32),
    Function(super::registry::Rank<C>),
}

impl<C: ?Sized + Context> Rank<C> {
    pub(super) fn of(&self, context: &C::In<'_>) -> i32 {
        match &self.rank {
            RankOf::Fixed(rank) => *rank,
            RankOf::Function(rank) => rank(context),
        }
    }
}

pub(super) struct WaypointSpec<C: ?Sized + Context> {
    /// Number in `waypoint_pools`.
    pub(super) pool: u32,
    pub(super) wait: f32,
    pub(super) score: Score<C>,
    pub(super) no_repeat: bool,
    /// Tells the game where the agent is to go.
    pub(super) arrive: Arrive<C>,
}

impl<C: ?Sized + Context> Tree<C> {
    /// Begins a tree; the name is for people and is where paths begin when
    /// the root has none.
    pub fn builder(name: &str) -> Builder<C> {
        Builder::new(name)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The pace of composites that have none of their own.
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// Number of nodes; node numbers, in preorder, are below it.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A tree has at least one node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A new agent's state. If the tree uses pools, take
    /// [`state_in`](Self::state_in): without pools those nodes fail.
    pub fn state(&self) -> TreeState {
        TreeState::new(self)
    }

    /// A new agent's state, bound to the pools of its level.
    ///
    /// # Errors
    /// When the tree names a pool that is not among them.
    pub fn state_in(&self, pools: &Pools) -> Result<TreeState, UnknownPool> {
        TreeState::in_pools(self, pools)
    }

    /// The blackboard key of that name and type, if the tree has one.
    pub fn key<T: BoardValue>(&self, name: &str) -> Option<Key<T>> {
        self.schema.find(name)
    }

    /// The blackboard's keys.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// A node's own name; empty when it has none or there is no such node.
    pub fn node_name(&self, node: u32) -> &str {
        self.names.get(node as usize).map_or("", |name| name)
    }

    /// What kind of node it is, in the words of tree files; empty when there is
    /// no such node.
    pub fn node_kind(&self, node: u32) -> &'static str {
        let node = self.nodes.get(node as usize);
        node.map_or("", |node| node.kind.name())
    }

    /// The paths of all nodes, by number: names from the root down, joined by
    /// `/`. Made anew at each call.
    pub fn paths(&self) -> Vec<String> {
        node::paths(&self.nodes, &self.names)
    }

    /// The children of a node, in order.
    pub(super) fn children(&self, at: usize) -> impl Iterator<Item = usize> {
        let end = self.nodes[at].end as usize;
        let mut next = at + 1;
        std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = self.nodes[child].end as usize;
            Some(child)
        })
    }

    /// How deep each node lies below the root.
    pub(super) fn depths(&self) -> Vec<usize> {
        let mut open: Vec<u32> = Vec::new();
        let depth = |(i, node): (usize, &Node)| {
            while open.last().is_some_and(|end| *end as usize <= i) {
                open.pop();
            }
            open.push(node.end);
            open.len() - 1
        };
        self.nodes.iter().enumerate().map(depth).collect()
    }

    /// The pool a node names, if it is of a kind that does.
    pub(super) fn pool_of(&self, kind: Kind) -> Option<(&'static str, &str)> {
        match kind {
            Kind::WithToken { spec } => {
                let pool = self.tokens[spec as usize].pool;
                Some(("token", &self.token_pools[pool as usize]))
            }
            Kind::WithWaypoint { spec } => {
                let pool = self.waypoints[spec as usize].pool;
                Some(("waypoint", &self.waypoint_pools[pool as usize]))
            }
            _ => None,
        }
    }
}

impl<C: ?Sized + Context> fmt::Debug for Tree<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "tree {:?}", self.name)?;
        f.write_str(&self.outline(|_| String::new()))
    }
}
