//! Replacing a tree while agents run it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::context::Context;
use super::engine::{CONTINUES, RUNNING};
use super::error::BuildError;
use super::memory::Pool;
use super::node::{self, NodeKind};
use super::state::{self, TreeState};
use super::tree::{Extra, Tree};
use crate::coordination::Pools;

/// What happened to an agent's state when its tree was replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Migration {
    /// Nodes that were running and continue.
    pub kept: u32,
    /// Nodes that were running and were aborted: the new tree does not have
    /// them, or they changed too much.
    pub aborted: u32,
}

/// For each old node, the number of the node in the new tree that continues it.
type Matches = Vec<Option<u32>>;

impl<C: Context> TreeState<C> {
    /// Moves an agent from one version of its tree to the next.
    ///
    /// A node continues if the new tree has a node of the same kind (and the
    /// same task, with the same texts as parameters) at the same
    /// [path](Tree::paths), and its parents continue. Numbers such as the length
    /// of a timeout may differ, and take effect at once. Running nodes that
    /// cannot continue are aborted in the old tree. A sequence or selector whose
    /// current child is gone starts again.
    /// Cooldowns and other lasting memory move with their nodes, blackboard
    /// values with their names and types; nodes that continue keep their
    /// tokens and waypoints.
    ///
    /// # Errors
    /// If the new tree names a pool that `pools` does not have; the state is
    /// then unchanged.
    ///
    /// ```
    /// use navmesh_behavior::{Context, Migration, Status, Tree};
    /// use navmesh_behavior::Pools;
    ///
    /// struct Crawler { x: i32 }
    ///
    /// impl Context for Crawler {
    ///     type View<'a> = Self;
    /// }
    ///
    /// let tree = |speed: i32| {
    ///     Tree::<Crawler>::builder("crawler")
    ///         .sequence("patrol").inside(|b| b
    ///             .action("turn", |_| true)
    ///             .action("walk", move |tick| { tick.context.x += speed; Status::Running }))
    ///         .build()
    /// };
    /// let (old, new) = (tree(1)?, tree(10)?);
    /// let (mut state, mut crawler) = (old.state(), Crawler { x: 0 });
    /// state.tick(&mut crawler, 0.1);
    /// let migration = state.migrate(&new, &Pools::new(), &mut crawler)?;
    /// assert_eq!(migration, Migration { kept: 2, aborted: 0 });
    /// state.tick(&mut crawler, 0.1);
    /// assert_eq!(crawler.x, 11);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn migrate(
        &mut self,
        new: &Arc<Tree<C>>,
        pools: &Pools,
        context: &mut C::View<'_>,
    ) -> Result<Migration, BuildError> {
        let bound = state::bind(new, pools)?;
        let old = Arc::clone(&self.tree);
        let matches = matches(&old, new);
        let running =
            |state: &Self| state.memory.cursors.iter().filter(|c| **c != 0).count() as u32;
        let before = running(self);
        let mut run = self.open(context, 0.0, None);
        for node in (0..old.nodes.len()).rev() {
            if matches[node].is_none() {
                run.abort_one(node);
            }
        }
        let kept = running(self);
        let mut next = TreeState::new(Arc::clone(new), bound);
        next.memory.now = self.memory.now;
        next.board.adopt(&self.board);
        for (at, to) in matches.iter().enumerate() {
            if let Some(to) = to {
                self.carry(&mut next, (at, *to as usize), &matches);
            }
        }
        *self = next;
        Ok(Migration {
            kept,
            aborted: before - kept,
        })
    }

    /// Moves the memory and guards of one node to its new node.
    fn carry(&mut self, next: &mut Self, (at, to): (usize, usize), matches: &Matches) {
        let (old, new) = (Arc::clone(&self.tree), Arc::clone(&next.tree));
        let (old, new) = (&old.extents, &new.extents);
        next.memory.lasting[new.lasting(to)].copy_from_slice(&self.memory.lasting[old.lasting(at)]);
        let pool = self.memory.pools.get(old.guards(at));
        if let Some([Pool::Waypoint(_, old)]) = pool
            && let Some([Pool::Waypoint(_, new)]) = next.memory.pools.get_mut(new.guards(to))
            && old.len() == new.len()
        {
            new.copy_from_slice(old);
        }
        let cursor = self.memory.cursors[at];
        if cursor == 0 {
            return;
        }
        next.memory.cursors[to] = match self.tree.nodes[at].kind {
            // Their cursor is the number of the current child, which differs in
            // the new tree. If that child is gone they start again.
            NodeKind::Sequence { .. }
            | NodeKind::Selector { .. }
            | NodeKind::ReactiveSequence
            | NodeKind::ReactiveSelector
            | NodeKind::StateMachine { .. } => {
                let flag = cursor & CONTINUES;
                matches[(cursor - flag) as usize].map_or(0, |child| child | flag)
            }
            // They tick every child, and their cursor is the one that is first.
            NodeKind::Race | NodeKind::Parallel { .. } => {
                let first = matches[cursor as usize].filter(|_| cursor as usize > at + 1);
                first.unwrap_or(RUNNING)
            }
            _ => cursor,
        };
        if let NodeKind::Parallel { .. } = self.tree.nodes[at].kind {
            self.carry_parallel(next, (at, to), matches);
        } else {
            next.memory.run[new.run(to)].copy_from_slice(&self.memory.run[old.run(at)]);
        }
        next.memory.guards[new.guards(to)].swap_with_slice(&mut self.memory.guards[old.guards(at)]);
    }

    /// A parallel's memory has one bit per child, and the order of the children
    /// may have changed.
    fn carry_parallel(&self, next: &mut Self, (at, to): (usize, usize), matches: &Matches) {
        let (old, new) = (&self.tree, &next.tree);
        let (from, into) = (old.extents.run(at), new.extents.run(to));
        let (words, new_words) = (from.len() / 2, into.len() / 2);
        let new_children: Vec<usize> = node::children(&new.nodes, to).collect();
        for (k, child) in node::children(&old.nodes, at).enumerate() {
            let position = matches[child].map(|child| child as usize);
            let Some(j) = new_children.iter().position(|c| Some(*c) == position) else {
                continue;
            };
            let (from, into) = (from.start, into.start);
            for (source, target) in [(from, into), (from + words, into + new_words)] {
                let bit = self.memory.run[source + k / 64] >> (k % 64) & 1;
                next.memory.run[target + j / 64] |= bit << (j % 64);
            }
        }
    }
}

fn matches<C: Context>(old: &Tree<C>, new: &Tree<C>) -> Matches {
    let new_paths = new.paths();
    let by_path: BTreeMap<&str, usize> = new_paths.iter().map(String::as_str).zip(0..).collect();
    let mut matches: Matches = vec![None; old.nodes.len()];
    for (at, path) in old.paths().iter().enumerate() {
        let Some(to) = by_path.get(path.as_str()).copied() else {
            continue;
        };
        // Parents come before their children, so a parent's match is known.
        // A name with a slash may give nodes of other depths the same path.
        let same_place = old.nodes[at].parent.is_none_or(|p| {
            let new_p = matches[p].map(|new_p| new_p as usize);
            new.nodes[to].parent == new_p
                && new_p.is_some_and(|new_p| same_place(old, new, (p, at), (new_p, to)))
        });
        if same_place && continues(old, new, at, to) {
            matches[at] = Some(to as u32);
        }
    }
    matches
}

/// Whether a child is where its parent expects it. Most kinds find their
/// children by number, but some by their position.
fn same_place<C: Context>(
    old: &Tree<C>,
    new: &Tree<C>,
    (parent, child): (usize, usize),
    (new_parent, new_child): (usize, usize),
) -> bool {
    match old.nodes[parent].kind {
        NodeKind::WithWaypoint { .. } | NodeKind::Composite(_) => {
            let position = node::children(&old.nodes, parent).position(|c| c == child);
            position == node::children(&new.nodes, new_parent).position(|c| c == new_child)
        }
        _ => true,
    }
}

/// Whether the new node is of the same kind and can take over the memory.
fn continues<C: Context>(old: &Tree<C>, new: &Tree<C>, at: usize, to: usize) -> bool {
    let size = |tree: &Tree<C>, node: usize| {
        [tree.extents.run(node), tree.extents.lasting(node)].map(|words| words.len())
    };
    let same_memory = size(old, at) == size(new, to);
    match (&old.nodes[at].kind, &new.nodes[to].kind) {
        (NodeKind::Task(a), NodeKind::Task(b)) => same_memory && a.continues(b),
        (NodeKind::Composite(a), NodeKind::Composite(b)) => {
            let children = |extra: &Extra<C>| match extra {
                Extra::Composite { children, .. } => *children,
                _ => 0,
            };
            let same_children = children(&old.extras[at]) == children(&new.extras[to]);
            same_memory && same_children && a.continues(b)
        }
        (NodeKind::WithToken { pool: a, .. }, NodeKind::WithToken { pool: b, .. })
        | (NodeKind::WithWaypoint { pool: a, .. }, NodeKind::WithWaypoint { pool: b, .. }) => {
            a == b
        }
        // Its memory is moved child by child.
        (NodeKind::Parallel { .. }, NodeKind::Parallel { .. }) => true,
        (a, b) => same_memory && std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}
