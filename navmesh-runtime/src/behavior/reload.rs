//! A tree is edited while agents run it.

use std::collections::BTreeMap;

use super::node::Kind;
use super::state::{Bound, TreeState};
use super::{Blackboard, Context, Tree};
use crate::coordination::{Pools, UnknownPool};

/// What became of an agent's state when its tree was replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Migration {
    /// Nodes that were running and go on.
    pub kept: u32,
    /// Nodes that were running and were aborted: they are gone, or changed
    /// beyond going on.
    pub aborted: u32,
}

/// A node that is in both trees and can go on in the new one.
type Matches = Vec<Option<u32>>;

impl TreeState {
    /// Moves an agent from one version of its tree to the next.
    ///
    /// A node goes on where it was when the new tree has one of the same kind
    /// (and the same task) at the same [path](Tree::paths), below parents that
    /// go on; numbers such as a timeout's length may differ and count at once.
    /// What was running and cannot go on is aborted in the old tree. A sequence
    /// or selector whose current child is gone begins anew. Cooldowns and other
    /// lasting memory follow their nodes, blackboard values their names and
    /// types; tokens and waypoints stay held by nodes that go on.
    ///
    /// # Errors
    /// When the new tree names a pool that is not among `pools`; the state is
    /// then unchanged.
    ///
    /// # Panics
    /// When the state was not made for the tree `old`.
    ///
    /// ```
    /// use navmesh_runtime::behavior::{Migration, Status, Tree};
    /// use navmesh_runtime::coordination::Pools;
    ///
    /// let tree = |speed: i32| {
    ///     Tree::<i32>::builder("crawler")
    ///         .sequence("patrol")
    ///             .action("turn", |_| true)
    ///             .action("walk", move |tick| { *tick.context += speed; Status::Running })
    ///         .end()
    ///         .build()
    /// };
    /// let (old, new) = (tree(1)?, tree(10)?);
    /// let (mut state, mut x) = (old.state(), 0);
    /// state.tick(&old, &mut x, 0.1);
    /// let migration = state.migrate(&old, &new, &Pools::new(), &mut x)?;
    /// assert_eq!(migration, Migration { kept: 2, aborted: 0 });
    /// state.tick(&new, &mut x, 0.1);
    /// assert_eq!(x, 11);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn migrate<C: ?Sized + Context>(
        &mut self,
        old: &Tree<C>,
        new: &Tree<C>,
        pools: &Pools,
        context: &mut C::In<'_>,
    ) -> Result<Migration, UnknownPool> {
        let bound = Bound::new(new, pools)?;
        let matches = matches(old, new);
        let running = |state: &Self| state.parts.cursors.iter().filter(|c| **c != 0).count() as u32;
        let before = running(self);
        let mut run = self.open(old, context, 0.0, None);
        for node in (0..old.nodes.len()).rev() {
            if matches[node].is_none() {
                run.abort_one(node);
            }
        }
        let kept = running(self);
        let mut next = TreeState::new(new);
        next.parts.now = self.parts.now;
        next.board = Blackboard::new(new.schema.clone());
        next.board.adopt(&self.board);
        next.parts.pools = bound;
        for (at, to) in matches.iter().enumerate() {
            if let Some(to) = to {
                self.carry(old, new, &mut next, (at, *to as usize), &matches);
            }
        }
        *self = next;
        Ok(Migration {
            kept,
            aborted: before - kept,
        })
    }

    /// Carries one node over.
    fn carry<C: ?Sized + Context>(
        &mut self,
        old: &Tree<C>,
        new: &Tree<C>,
        next: &mut TreeState,
        (at, to): (usize, usize),
        matches: &Matches,
    ) {
        let (a, b) = (&old.extents[at..=at + 1], &new.extents[to..=to + 1]);
        next.parts.lasting[b[0].lasting as usize..b[1].lasting as usize]
            .copy_from_slice(&self.parts.lasting[a[0].lasting as usize..a[1].lasting as usize]);
        let cursor = self.parts.cursors[at];
        if cursor == 0 {
            return;
        }
        next.parts.cursors[to] = match old.nodes[at].kind {
            // These keep the number of the current child, which is another in
            // the new tree; without it they begin anew.
            Kind::Sequence { .. }
            | Kind::Selector { .. }
            | Kind::ReactiveSequence
            | Kind::ReactiveSelector => matches[cursor as usize].unwrap_or(0),
            _ => cursor,
        };
        if let Kind::Parallel { .. } = old.nodes[at].kind {
            self.carry_parallel(old, new, next, (at, to), matches);
        } else {
            next.parts.run[b[0].run as usize..b[1].run as usize]
                .copy_from_slice(&self.parts.run[a[0].run as usize..a[1].run as usize]);
        }
        for guard in a[0].guard..a[1].guard {
            let moved = self.parts.guards[guard as usize].take();
            next.parts.guards[(b[0].guard + guard - a[0].guard) as usize] = moved;
        }
    }

    /// A parallel's memory goes by the order of its children, which may have
    /// changed.
    fn carry_parallel<C: ?Sized + Context>(
        &self,
        old: &Tree<C>,
        new: &Tree<C>,
        next: &mut TreeState,
        (at, to): (usize, usize),
        matches: &Matches,
    ) {
        let memory = |tree: &Tree<C>, node: usize| {
            let (from, to) = (tree.extents[node].run, tree.extents[node + 1].run);
            (from as usize, (to - from) as usize / 2)
        };
        let ((from, words), (into, new_words)) = (memory(old, at), memory(new, to));
        let new_children: Vec<usize> = new.children(to).collect();
        for (k, child) in old.children(at).enumerate() {
            let position = matches[child].map(|child| child as usize);
            let Some(j) = new_children.iter().position(|c| Some(*c) == position) else {
                continue;
            };
            for (source, target) in [(from, into), (from + words, into + new_words)] {
                let bit = self.parts.run[source + k / 64] >> (k % 64) & 1;
                next.parts.run[target + j / 64] |= bit << (j % 64);
            }
        }
    }
}

/// For each old node, the new one it goes on as.
fn matches<C: ?Sized + Context>(old: &Tree<C>, new: &Tree<C>) -> Matches {
    let new_paths = new.paths();
    let by_path: BTreeMap<&str, usize> = new_paths.iter().map(String::as_str).zip(0..).collect();
    let mut matches: Matches = vec![None; old.nodes.len()];
    // Parents come before their children, so a parent is decided by then.
    let mut open: Vec<usize> = Vec::new();
    for (at, path) in old.paths().iter().enumerate() {
        while open
            .last()
            .is_some_and(|p| old.nodes[*p].end as usize <= at)
        {
            open.pop();
        }
        let parent = open.last().copied();
        open.push(at);
        let Some(to) = by_path.get(path.as_str()).copied() else {
            continue;
        };
        let has_its_place = parent.is_none_or(|p| {
            matches[p].is_some_and(|new_p| has_its_place(old, new, (p, at), (new_p as usize, to)))
        });
        if has_its_place && goes_on(old, new, at, to) {
            matches[at] = Some(to as u32);
        }
    }
    matches
}

/// Whether a child is where its parent will look for it. That is of no matter
/// to most kinds, but some know their children by number.
fn has_its_place<C: ?Sized + Context>(
    old: &Tree<C>,
    new: &Tree<C>,
    (parent, child): (usize, usize),
    (new_parent, new_child): (usize, usize),
) -> bool {
    match old.nodes[parent].kind {
        Kind::WithWaypoint { .. } | Kind::Custom { .. } => {
            let number = old.children(parent).position(|c| c == child);
            number == new.children(new_parent).position(|c| c == new_child)
        }
        _ => true,
    }
}

fn goes_on<C: ?Sized + Context>(old: &Tree<C>, new: &Tree<C>, at: usize, to: usize) -> bool {
    let (a, b) = (old.nodes[at].kind, new.nodes[to].kind);
    if std::mem::discriminant(&a) != std::mem::discriminant(&b) {
        return false;
    }
    let sizes = |tree: &Tree<C>, node: usize| {
        let (from, to) = (tree.extents[node], tree.extents[node + 1]);
        (to.run - from.run, to.lasting - from.lasting)
    };
    let same_memory = sizes(old, at) == sizes(new, to);
    match (a, b) {
        (Kind::Leaf { task: a, .. }, Kind::Leaf { task: b, .. }) => {
            let task = |def: &Option<super::data::TaskDef>| def.as_ref().map(|d| d.task.clone());
            let (a, b) = (&old.leaf_defs[a as usize], &new.leaf_defs[b as usize]);
            same_memory && task(a) == task(b)
        }
        (Kind::Custom { node: a }, Kind::Custom { node: b }) => {
            let (a, b) = (&old.customs[a as usize], &new.customs[b as usize]);
            let task = |def: &Option<super::data::TaskDef>| def.as_ref().map(|d| d.task.clone());
            same_memory && a.children == b.children && task(&a.def) == task(&b.def)
        }
        (Kind::WithToken { .. } | Kind::WithWaypoint { .. }, _) => old.pool_of(a) == new.pool_of(b),
        // Its memory is carried over child by child.
        (Kind::Parallel { .. }, _) => true,
        _ => same_memory,
    }
}
