//! What one agent is doing in its tree, and moving it to another version of the tree.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::mem::discriminant;
use std::sync::Arc;

use glam::Vec2;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::blackboard::{Blackboard, Value};
use crate::context::Context;
use crate::coordination::{Pools, WaypointClaim};
use crate::error::BuildError;
use crate::nodes::NodeKind;
use crate::nodes::sharing::{self, Hold, SavedHold};
use crate::status::Outcome;
use crate::tick::{CONTINUES, Memory, RUNNING, Tick, child_of, is_running};
use crate::trace::Trace;
use crate::tree::Tree;

/// What one agent is doing in its tree. It is small, and it allocates only when
/// it is made or [moved to another tree](Self::migrate).
///
/// Dropping it returns every token and waypoint it holds, but cannot call
/// [`Task::abort`](crate::Node::abort) for lack of a view. Call
/// [`reset`](Self::reset) first if the tasks need it.
pub struct TreeState<C: Context> {
    /// What the numbers in `memory` refer to.
    pub(crate) tree: Arc<Tree<C>>,
    pub(crate) memory: Memory,
    /// The agent's blackboard.
    pub board: Blackboard,
    /// Seconds on the agent's clock, to which each tick adds its time. While an agent is
    /// disabled, a game that adds to it lets cooldowns continue. It must not run backwards.
    pub now: f64,
    /// Where the agent goes when its navigation starts, world units. Tasks set it. It
    /// survives reset and restart.
    pub destination: Option<Vec2>,
    /// What the agent's next random numbers depend on: random nodes of agents with the same
    /// number do the same.
    pub seed: u64,
    /// Records which nodes run, while it is there. A tick without it costs nothing extra.
    pub trace: Option<Box<Trace>>,
}

impl<C: Context> Tree<C> {
    /// The state of a new agent, bound to the pools of its level.
    ///
    /// # Errors
    /// If the tree names a pool that `pools` does not have.
    pub fn state(self: &Arc<Self>, pools: &Pools) -> Result<TreeState<C>, BuildError> {
        let holds = sharing::bind(self, pools)?;
        Ok(TreeState::new(Arc::clone(self), holds))
    }
}

impl<C: Context> TreeState<C> {
    fn new(tree: Arc<Tree<C>>, holds: Box<[Hold]>) -> Self {
        Self {
            memory: Memory {
                cursors: vec![0; tree.nodes.len()].into(),
                words: vec![0; tree.words].into(),
                holds,
                signal: None,
                is_planning: false,
            },
            board: Blackboard::new(tree.schema.clone()),
            now: 0.0,
            destination: None,
            seed: 0,
            trace: None,
            tree,
        }
    }

    /// Ticks the tree once; `dt` is the time since the last tick, in seconds.
    /// After the root has completed, the next tick starts the tree again.
    /// Allocates nothing, unless the game's own tasks do. A `dt` that is
    /// negative or not finite counts as 0.
    pub fn tick(&mut self, context: &mut C::View<'_>, dt: f32) -> Outcome {
        let dt = if dt.is_finite() { dt.max(0.0) } else { 0.0 };
        self.now += f64::from(dt);
        if self.trace.is_some() {
            return self.tick_traced(context, dt);
        }
        self.open(context, dt).visit_root::<false>()
    }

    #[cold]
    fn tick_traced(&mut self, context: &mut C::View<'_>, dt: f32) -> Outcome {
        let now = self.now;
        let mut tick = self.open(context, dt);
        if let Some(trace) = tick.trace.as_mut() {
            trace.begin(now);
        }
        let outcome = tick.visit_root::<true>();
        if let Some(trace) = tick.trace.as_mut() {
            trace.finish(outcome);
        }
        outcome
    }

    /// For turn-based games: ticks the tree until an action ends the turn, the
    /// root completes, or `most` ticks are done. Returns the last outcome. The
    /// clock advances by 1 in total, so that times count turns.
    pub fn take_turn(&mut self, context: &mut C::View<'_>, most: u32) -> Outcome {
        let mut outcome = self.tick(context, 1.0);
        for _ in 1..most {
            if outcome.ends_turn || outcome.status.is_done() {
                break;
            }
            outcome = self.tick(context, 0.0);
        }
        outcome
    }

    /// Restores the tree to its first state: aborts what is running, children
    /// before parents, and returns tokens and waypoints. Lasting memory
    /// (cooldowns, the last waypoint), the blackboard and the clock are kept.
    /// Call it when the agent is disabled.
    pub fn reset(&mut self, context: &mut C::View<'_>) {
        self.open_untraced(context).abort_all(0);
    }

    /// Resets, and clears lasting memory too. The blackboard and the clock are
    /// kept.
    pub fn restart(&mut self, context: &mut C::View<'_>) {
        self.reset(context);
        self.memory.words.fill(0);
    }

    /// The tree that the agent runs.
    pub fn tree(&self) -> &Arc<Tree<C>> {
        &self.tree
    }

    /// The nodes that are running, from the root down: their numbers and labels. The label
    /// of a node without a name is the name of its task or kind.
    pub fn running(&self) -> impl Iterator<Item = (u32, &str)> {
        let cursors = self.memory.cursors.iter();
        let nodes = (0u32..).zip(&self.tree.nodes).zip(cursors);
        nodes
            .filter(|(_, cursor)| is_running(**cursor))
            .map(|((number, node), _)| (number, node.label()))
    }

    /// The paths of the innermost running nodes: the labels from the root down, joined by `/`.
    /// They are more than one while children of a parallel node run. Siblings with the same
    /// label get `~2`, `~3` and so on.
    pub fn running_paths(&self) -> Vec<String> {
        let is_running = |at: usize| is_running(self.memory.cursors[at]);
        let paths = self.tree.paths().into_iter().zip(0..);
        let inner =
            paths.filter(|(_, at)| is_running(*at) && !self.tree.children(*at).any(is_running));
        inner.map(|(path, _)| path).collect()
    }

    /// The waypoint that the agent has claimed; the innermost, if nodes are
    /// nested.
    pub fn waypoint(&self) -> Option<&WaypointClaim> {
        let mut holds = self.memory.holds.iter().rev();
        holds.find_map(|hold| hold.claim.as_ref())
    }

    /// How many tokens the agent holds.
    pub fn tokens_held(&self) -> usize {
        let holds = self.memory.holds.iter();
        let tokens = holds.filter_map(|hold| hold.token.as_ref());
        tokens.filter(|token| token.is_held()).count()
    }

    fn open<'a, 'w>(&'a mut self, context: &'a mut C::View<'w>, dt: f32) -> Tick<'a, 'w, C> {
        Tick {
            context,
            board: &mut self.board,
            destination: &mut self.destination,
            dt,
            now: self.now,
            tree: &self.tree,
            memory: &mut self.memory,
            seed: &mut self.seed,
            node: 0,
            is_turn_over: false,
            trace: self.trace.as_deref_mut(),
        }
    }

    fn open_untraced<'a, 'w>(&'a mut self, context: &'a mut C::View<'w>) -> Tick<'a, 'w, C> {
        Tick {
            trace: None,
            ..self.open(context, 0.0)
        }
    }

    /// Moves an agent from one version of its tree to the next.
    ///
    /// A node continues if the new tree has a node of the same kind (and the
    /// same task, with the same texts as parameters) at the same
    /// path, and its parents continue. Numbers such as the length
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
    pub fn migrate(
        &mut self,
        new: &Arc<Tree<C>>,
        pools: &Pools,
        context: &mut C::View<'_>,
    ) -> Result<Migration, BuildError> {
        let holds = sharing::bind(new, pools)?;
        let old = Arc::clone(&self.tree);
        let matches = matches(&old, new);
        let before = self.count_running();
        let mut tick = self.open_untraced(context);
        for node in (0..old.nodes.len()).rev() {
            if matches[node].is_none() {
                tick.abort_one(node);
            }
        }
        let kept = self.count_running();
        let mut next = Self::new(Arc::clone(new), holds);
        next.now = self.now;
        next.destination = self.destination;
        next.seed = self.seed;
        // The ticks of the old tree cannot be read with the new one.
        next.trace = self.trace.take().map(|trace| Box::new(trace.emptied()));
        next.board.adopt(&self.board);
        for (at, to) in matches.iter().enumerate() {
            if let Some(to) = *to {
                self.carry(&mut next, at, to, &matches);
            }
        }
        *self = next;
        Ok(Migration {
            kept,
            aborted: before - kept,
        })
    }

    fn count_running(&self) -> u32 {
        self.running().count() as u32
    }

    /// Moves the memory of one node, and what it holds, to its new node.
    fn carry(&mut self, next: &mut Self, at: usize, to: usize, matches: &[Option<usize>]) {
        let (old, new) = (&self.tree.steps[at], &next.tree.steps[to]);
        let cursor = self.memory.cursors[at];
        // Numbers of children differ in the new tree. A node whose child is gone starts
        // again; one that ticks all children begins with the first.
        next.memory.cursors[to] = child_of(cursor).map_or(cursor, |child| {
            matches[child].map_or(RUNNING, |child| child as u32 | cursor & CONTINUES)
        });
        next.memory.words[new.range()].copy_from_slice(&self.memory.words[old.range()]);
        if self.tree.nodes[at].kind.pool().is_some() {
            let hold = &mut self.memory.holds[old.hold as usize];
            next.memory.holds[new.hold as usize].adopt(hold);
        }
    }
}

/// A state in a saved game.
#[derive(Serialize, Deserialize)]
struct Saved {
    /// [`fingerprint`] of its tree.
    tree: u64,
    now: f64,
    destination: Option<Vec2>,
    seed: u64,
    board: BTreeMap<String, Value>,
    cursors: Box<[u32]>,
    words: Box<[u64]>,
    holds: Vec<SavedHold>,
}

/// Saves the state with its blackboard, and with the tokens and waypoints that it holds or waits
/// for; without its trace. [`TreeState::restore`] is the opposite.
impl<C: Context> Serialize for TreeState<C> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let values = self.board.values();
        let saved = Saved {
            tree: fingerprint(&self.tree),
            now: self.now,
            destination: self.destination,
            seed: self.seed,
            board: values
                .map(|(name, value)| (name.to_owned(), value.clone()))
                .collect(),
            cursors: self.memory.cursors.clone(),
            words: self.memory.words.clone(),
            holds: self.memory.holds.iter().map(Hold::save).collect(),
        };
        saved.serialize(to)
    }
}

impl<C: Context> TreeState<C> {
    /// Reads a state that was saved with serde, so that the agent goes on in the same tick:
    /// into a new state of the same tree, whose pools no agent has used yet. Restore
    /// all agents before the next tick, because they hold the tokens of their pools.
    ///
    /// ```
    /// use navmesh_behavior::{Pools, Status, Tree, Wait};
    ///
    /// let tree = Tree::<()>::builder("guard").task("wait", Wait { seconds: 1.0 }).build()?;
    /// let mut state = tree.state(&Pools::default())?;
    /// state.tick(&mut (), 0.7);
    /// let file = serde_json::to_string(&state)?;
    ///
    /// let mut loaded = tree.state(&Pools::default())?;
    /// loaded.restore(&mut serde_json::Deserializer::from_str(&file))?;
    /// assert_eq!(loaded.tick(&mut (), 0.5).status, Status::Running);
    /// assert_eq!(loaded.tick(&mut (), 0.5).status, Status::Success);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the data is wrong or that of another tree, or another agent has claimed the
    /// waypoint. The state is then one that must not be used.
    pub fn restore<'de, D: Deserializer<'de>>(&mut self, from: D) -> Result<(), D::Error> {
        let saved = Saved::deserialize(from)?;
        self.adopt_saved(saved).map_err(D::Error::custom)
    }

    fn adopt_saved(&mut self, saved: Saved) -> Result<(), &'static str> {
        let tree = &*self.tree;
        let sizes = (saved.cursors.len(), saved.words.len(), saved.holds.len());
        let memory = &mut self.memory;
        let has_sizes = sizes == (memory.cursors.len(), memory.words.len(), memory.holds.len());
        let mut cursors = saved.cursors.iter().zip(0..);
        let is_valid = |(cursor, at): (&u32, usize)| {
            child_of(*cursor).is_none_or(|child| tree.children(at).any(|other| other == child))
        };
        if saved.tree != fingerprint(tree) || !has_sizes || !cursors.all(is_valid) {
            return Err("the saved state is that of another tree");
        }
        (memory.cursors, memory.words) = (saved.cursors, saved.words);
        (self.now, self.destination, self.seed) = (saved.now, saved.destination, saved.seed);
        for (name, value) in saved.board {
            self.board.set_value(&name, value);
        }
        let mut holds = memory.holds.iter_mut().zip(saved.holds);
        holds.try_for_each(|(hold, saved)| hold.restore(saved))
    }
}

/// A number that differs for trees whose states cannot be exchanged (FNV-1a): by where each
/// node is, which kind or task it is and what it remembers, whatever the names.
fn fingerprint<C: Context>(tree: &Tree<C>) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    for (node, step) in tree.nodes.iter().zip(&tree.steps) {
        let task = node.kind.registered().map_or("", |(task, _)| task);
        let kind = [node.kind.name(), task].join("/");
        let [run, lasting] = [step.run, step.lasting].map(u16::to_le_bytes);
        let numbers = step.end.to_le_bytes().into_iter().chain(run).chain(lasting);
        for byte in kind.bytes().chain([0]).chain(numbers) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
    hash
}

impl<C: Context> fmt::Debug for TreeState<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let running = self.memory.cursors.iter().zip(0u32..);
        let running: Vec<u32> = running.filter(|(c, _)| **c != 0).map(|(_, i)| i).collect();
        f.debug_struct("TreeState")
            .field("tree", &self.tree.name)
            .field("now", &self.now)
            .field("running", &running)
            .field("board", &self.board)
            .finish_non_exhaustive()
    }
}

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
fn matches<C: Context>(old: &Tree<C>, new: &Tree<C>) -> Vec<Option<usize>> {
    let mut matches = vec![None; old.nodes.len()];
    let has_same_label = old.nodes[0].label() == new.nodes[0].label();
    matches[0] = Some(0).filter(|_| has_same_label && continues(old, new, 0, 0));
    // Parents come before their children, so a parent's match is known.
    for at in 0..matches.len() {
        let Some(to) = matches[at] else {
            continue;
        };
        // Most kinds find their children by number, but some by their position.
        let by_position = matches!(
            old.nodes[at].kind,
            NodeKind::WithWaypoint { .. } | NodeKind::Composite { .. }
        );
        let mut by_label: BTreeMap<&str, VecDeque<(usize, usize)>> = BTreeMap::new();
        for (place, child) in new.children(to).enumerate() {
            let others = by_label.entry(new.nodes[child].label()).or_default();
            others.push_back((place, child));
        }
        for (place, child) in old.children(at).enumerate() {
            let others = by_label.get_mut(old.nodes[child].label());
            if let Some((new_place, to)) = others.and_then(VecDeque::pop_front)
                && (place == new_place || !by_position)
                && continues(old, new, child, to)
            {
                matches[child] = Some(to);
            }
        }
    }
    matches
}

/// Whether the new node is of the same kind and can take over the memory.
fn continues<C: Context>(old: &Tree<C>, new: &Tree<C>, at: usize, to: usize) -> bool {
    let (step, new_step) = (&old.steps[at], &new.steps[to]);
    let (kind, new_kind) = (&old.nodes[at].kind, &new.nodes[to].kind);
    let is_composite = matches!(kind, NodeKind::Composite { .. });
    if is_composite && old.children(at).count() != new.children(to).count() {
        return false;
    }
    // With other texts it does not: a cue that has begun under its old name would go
    // on under the new one, and never be cancelled.
    discriminant(kind) == discriminant(new_kind)
        && (kind.pool(), kind.texts()) == (new_kind.pool(), new_kind.texts())
        && (step.run, step.lasting) == (new_step.run, new_step.lasting)
}
