//! Building a tree, node by node.

use std::fmt::Display;
use std::sync::Arc;

use super::blackboard::{BoardValue, Key, Schema, ValueKind};
use super::context::{Context, TaskContext};
use super::error::BuildError;
use super::memory::{Extent, Extents};
use super::node::{self, Node, NodeKind, Pace, Priority, Transitions, TurnRule};
use super::score::Score;
use super::signals;
use super::task::{Action, Composite, IntoOutcome, Task};
use super::tasks::{self, Wait};
use super::tick::Tick;
use super::tree::{Extra, RankFn, Step, Tree};
use crate::coordination::Waypoint;

/// How many composites and decorators may be nested. A tick recurses as deep as
/// the tree, and must not overflow the stack of the thread it runs on. At this
/// depth it needs between 64 and 96 KiB (measured with optimization; a test runs
/// it in 256 KiB), which is little of the 2 MiB of a Rust thread and leaves room
/// for the game's own tasks. The deepest tree of the example has 6 levels.
const MAX_DEPTH: usize = 128;

const NO_CHILDREN: &str =
    " is followed by `.inside()`, which only a composite or decorator has, and only once";

const NEVER_CLOSED: &str = " is never closed; add `.inside(|b| …)` with its children";

/// Builds a [`Tree`].
///
/// Composites and decorators are opened by a call, and
/// [`inside`](Self::inside) adds their children; tasks, actions and conditions
/// stand alone. [`then`](Self::then) adds a part of a tree that is defined
/// elsewhere. Names are for people: traces show them, and paths in errors are
/// made of them. A name may be empty. The first mistake is kept and reported by
/// [`build`](Self::build), with the path of its node.
///
/// ```
/// use navmesh_behavior::{Builder, Context, Status, Tree};
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
///     .repeat("forever")
///     .inside(|b| b.sequence("hunt").inside(|b| b.then(approach).wait("rest", 1.0)))
///     .build()?;
/// assert_eq!(tree.paths()[2], "forever/hunt/look");
/// # Ok::<(), navmesh_behavior::BuildError>(())
/// ```
pub struct Builder<C: Context> {
    name: String,
    pace: Pace,
    nodes: Vec<Node>,
    extras: Vec<Extra<C>>,
    /// Numbers of the nodes that are not closed yet.
    open: Vec<usize>,
    schema: Schema,
    declared: Vec<Box<str>>,
    pub(crate) error: Option<BuildError>,
}

impl<C: Context> Tree<C> {
    /// Starts to build a tree of that name. The name is for people.
    pub fn builder(name: &str) -> Builder<C> {
        Builder {
            name: name.to_owned(),
            pace: Pace::default(),
            nodes: Vec::new(),
            extras: Vec::new(),
            open: Vec::new(),
            schema: Schema::default(),
            declared: Vec::new(),
            error: None,
        }
    }
}

impl<C: Context> Builder<C> {
    /// Sets the pace of the sequence or selector that is open; before the root,
    /// that of every sequence and selector that has none of its own.
    #[must_use]
    pub fn pace(mut self, new: Pace) -> Self {
        let Some(at) = self.open.last().copied() else {
            self.pace = new;
            return self;
        };
        match &mut self.nodes[at].kind {
            NodeKind::Sequence { pace } | NodeKind::Selector { pace } => *pace = Some(new),
            kind => {
                let kind = kind.name();
                let what = format!(" ({kind}) cannot have a pace; only a sequence or selector can");
                self.note(at, what);
            }
        }
        self
    }

    /// The blackboard key of that name and type, to be moved into closures. It
    /// is added if it does not exist yet, also for keys that only the game uses.
    /// If a name is used with two types, [`build`](Self::build) reports it.
    pub fn key<T: BoardValue>(&mut self, name: &str) -> Key<T> {
        self.declare(name, T::KIND);
        // After an error the tree is not built, so any key will do then; in an
        // empty schema there is always room.
        let key = self.schema.key(name);
        key.or_else(|_| Schema::default().key(name))
            .unwrap_or_else(|_| unreachable!("an empty schema has room"))
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
        self.nodes[at].end = self.nodes.len() as u32;
        self.check_children(at);
        self
    }

    /// Adds children to the node opened last, and closes it.
    #[must_use]
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
    #[must_use]
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
        signals::resolve(&self.nodes, &mut self.extras)
            .map_err(|(at, what)| BuildError::of_node(self.path(at), what))?;
        let sizes: Vec<_> = (0..self.nodes.len()).map(|at| self.size(at)).collect();
        let split = |extra| match extra {
            Extra::Task(task) => (Some(task), Extra::None),
            other => (None, other),
        };
        let (tasks, extras): (Vec<_>, Vec<_>) = self.extras.into_iter().map(split).unzip();
        let parts = self.nodes.iter().zip(&sizes).zip(tasks);
        let steps = parts.map(|((node, size), task)| {
            let has_memory = task.is_some() && size[0] > 0;
            Step::new(node, task, has_memory, self.pace)
        });
        let has_token = |at: &u32| matches!(extras[*at as usize], Extra::Token(_));
        let token_nodes = (0..extras.len() as u32).filter(has_token).collect();
        Ok(Arc::new(Tree {
            name: self.name.into(),
            pace: self.pace,
            steps: steps.collect(),
            nodes: self.nodes.into(),
            extents: Extents::new(&sizes),
            extras: extras.into(),
            token_nodes,
            schema: Arc::new(self.schema),
            declared: self.declared.into(),
        }))
    }
}

/// Leaves.
impl<C: Context> Builder<C> {
    /// Adds a leaf that calls a closure. The closure returns a status, a
    /// `bool`, nothing or a `Result`; see [`IntoOutcome`].
    #[must_use]
    pub fn action<F, O>(self, name: &str, action: F) -> Self
    where
        F: Fn(&mut Tick<'_, '_, C>) -> O + Send + Sync + 'static,
        O: IntoOutcome,
    {
        self.task(name, Action(action))
    }

    /// Adds a leaf that succeeds if a closure returns `true`.
    #[must_use]
    pub fn condition<F>(self, name: &str, condition: F) -> Self
    where
        F: Fn(&mut Tick<'_, '_, C>) -> bool + Send + Sync + 'static,
    {
        self.action(name, condition)
    }

    /// Adds a leaf with a type of its own.
    #[must_use]
    pub fn task(self, name: &str, task: impl Task<C> + 'static) -> Self {
        let def = task.describe().unwrap_or_default();
        let mistake = tasks::mistake(&task);
        let mut this = self.add(name, NodeKind::Task(def), Extra::Task(Box::new(task)));
        if let Some(what) = mistake {
            this.note(this.last(), format_args!(": {what}"));
        }
        this.end()
    }

    /// Adds a leaf that is running for some seconds, then succeeds. It starts
    /// with its first tick: a wait of 0 succeeds at once.
    #[must_use]
    pub fn wait(self, name: &str, seconds: f32) -> Self {
        self.task(name, Wait { seconds })
    }
}

/// Composites.
impl<C: Context> Builder<C> {
    /// Opens a sequence: ticks its children in order, fails with the first
    /// that fails, and succeeds when all have succeeded. A running child is
    /// resumed. Without children it succeeds.
    #[must_use]
    pub fn sequence(self, name: &str) -> Self {
        self.open(name, NodeKind::Sequence { pace: None })
    }

    /// Opens a selector: ticks its children in order, succeeds with the first
    /// that succeeds, and fails when all have failed. A running child is
    /// resumed. Without children it fails.
    #[must_use]
    pub fn selector(self, name: &str) -> Self {
        self.open(name, NodeKind::Selector { pace: None })
    }

    /// Opens a sequence that starts at its first child in every tick. If it
    /// does not reach the child that was running, it aborts that child, after
    /// it has ticked the others.
    #[must_use]
    pub fn reactive_sequence(self, name: &str) -> Self {
        self.open(name, NodeKind::ReactiveSequence)
    }

    /// Opens a selector that starts at its first child in every tick. When an
    /// earlier child takes over, the child that was running is aborted, after
    /// the tick of the earlier one.
    #[must_use]
    pub fn reactive_selector(self, name: &str) -> Self {
        self.open(name, NodeKind::ReactiveSelector)
    }

    /// Opens a race: ticks every child in every tick. The first child to
    /// complete decides (in a tie, the first in order); the others are
    /// aborted.
    #[must_use]
    pub fn race(self, name: &str) -> Self {
        self.open(name, NodeKind::Race)
    }

    /// Opens a parallel: in each tick, ticks every child that has not
    /// completed. It succeeds when `success` children have succeeded, and fails
    /// when `failure` children have failed or all have completed; the others
    /// are aborted. 0 stands for all children.
    #[must_use]
    pub fn parallel(self, name: &str, success: u16, failure: u16) -> Self {
        self.open(name, NodeKind::Parallel { success, failure })
    }

    /// Opens a composite or decorator of the game.
    #[must_use]
    pub fn composite(self, name: &str, composite: impl Composite<C> + 'static) -> Self {
        let def = composite.describe().unwrap_or_default();
        let extra = Extra::Composite {
            composite: Box::new(composite),
            children: 0,
        };
        self.add(name, NodeKind::Composite(def), extra)
    }
}

/// State machines.
impl<C: Context> Builder<C> {
    /// Opens a state machine: its children are its states, by their names, and the
    /// first is where it starts. A state emits signals ([`emit`](Self::emit)), and the
    /// rows `(state, signal, next state)` define what follows. A transition aborts the
    /// state, and the next one is ticked in the next tick.
    ///
    /// `success` and `failure` are the signals of a state that completes. Without
    /// a row for it, the machine completes in the same way: a machine can be a part
    /// of a tree, or a state of another machine.
    ///
    /// A signal that a state's own machine has no row for goes to the machine
    /// around that. [`build`](Self::build) reports signals that no machine has a row
    /// for, rows for signals that are never emitted, and states that no row leads to.
    ///
    /// ```
    /// use navmesh_behavior::{Context, Status, Tree};
    ///
    /// struct Boss { health: u32 }
    ///
    /// impl Context for Boss {
    ///     type View<'a> = Self;
    /// }
    ///
    /// let tree = Tree::<Boss>::builder("boss")
    ///     .state_machine("phase", &[("calm", "hurt", "rage"), ("rage", "success", "calm")]).inside(|b| b
    ///         .reactive_selector("calm").inside(|b| b
    ///             .sequence("").inside(|b| {
    ///                 b.condition("low", |tick| tick.context.health < 50).emit("", "hurt")
    ///             })
    ///             .action("stand", |_| Status::Running))
    ///         .sequence("rage").inside(|b| {
    ///             b.wait("roar", 1.0).action("heal", |tick| tick.context.health = 100)
    ///         }))
    ///     .build()?;
    /// let (mut state, mut boss) = (tree.state(), Boss { health: 40 });
    /// for _ in 0..4 {
    ///     state.tick(&mut boss, 0.5);
    /// }
    /// assert_eq!(boss.health, 100);
    /// # Ok::<(), navmesh_behavior::BuildError>(())
    /// ```
    #[must_use]
    pub fn state_machine(self, name: &str, rows: &[(&str, &str, &str)]) -> Self {
        let mut transitions = Transitions::new();
        let mut twice = None;
        for (state, signal, next) in rows {
            let row = transitions.entry((*state).to_owned()).or_default();
            if row
                .insert((*signal).to_owned(), (*next).to_owned())
                .is_some()
            {
                twice = Some(format!(": there are two rows for {state:?} and {signal:?}"));
            }
        }
        let mut this = self.open(name, NodeKind::StateMachine { transitions });
        if let Some(twice) = twice {
            this.note(this.last(), twice);
        }
        this
    }

    /// Adds a leaf that emits a signal to the state machine around it, which then
    /// leaves the state; until then the leaf is running.
    #[must_use]
    pub fn emit(self, name: &str, signal: &str) -> Self {
        let signal = signal.to_owned();
        self.open(name, NodeKind::Emit { signal }).end()
    }
}

/// Decorators: each takes exactly one child.
impl<C: Context> Builder<C> {
    /// Opens a repeater without end: it is always running, and starts its
    /// child again whenever that completes, at most once per tick.
    #[must_use]
    pub fn repeat(self, name: &str) -> Self {
        self.repeat_times(name, 0)
    }

    /// Opens a repeater that succeeds when its child has completed `count`
    /// times; 0 stands for never.
    #[must_use]
    pub fn repeat_times(self, name: &str, count: u32) -> Self {
        self.open(name, NodeKind::Repeat { count })
    }

    /// Opens a timeout: ticks its child. A child that is still running
    /// `seconds` after its first tick is aborted, and the timeout fails.
    #[must_use]
    pub fn timeout(self, name: &str, seconds: f32) -> Self {
        self.open(name, NodeKind::Timeout { seconds })
    }

    /// Opens a cooldown: after its child has succeeded, it fails at once until
    /// `seconds` have passed. A failure starts no cooldown. Survives reset.
    #[must_use]
    pub fn cooldown(self, name: &str, seconds: f32) -> Self {
        self.open(name, NodeKind::Cooldown { seconds })
    }

    /// Opens an inverter: success becomes failure, and failure success.
    #[must_use]
    pub fn invert(self, name: &str) -> Self {
        self.open(name, NodeKind::Invert)
    }

    /// Opens a node that succeeds when its child completes, either way. In
    /// turn-based games, `turn` decides whether that ends the turn.
    #[must_use]
    pub fn force_success(self, name: &str, turn: TurnRule) -> Self {
        self.open(name, NodeKind::ForceSuccess { turn })
    }

    /// Opens a node that fails when its child completes, either way.
    #[must_use]
    pub fn force_failure(self, name: &str, turn: TurnRule) -> Self {
        self.open(name, NodeKind::ForceFailure { turn })
    }
}

/// Nodes that share: they hold a token or a waypoint while their child runs.
impl<C: Context> Builder<C> {
    /// Opens a node that runs its child while it holds a token of the named
    /// pool. It requests one in each tick; while it gets none it is running,
    /// and `wait` seconds after its first tick it fails (0: at once;
    /// `f32::INFINITY`: never). The token is returned when the child completes
    /// or is interrupted. When a higher priority takes the token, the child is
    /// aborted and the node fails.
    ///
    /// The priority is 0 unless [`priority`](Self::priority) follows.
    #[must_use]
    pub fn with_token(self, name: &str, pool: &str, wait: f32) -> Self {
        let kind = NodeKind::WithToken {
            pool: pool.to_owned(),
            wait,
            priority: Priority::default(),
        };
        self.add(name, kind, Extra::Token(Arc::new(|_| 0)))
    }

    /// Sets the priority of the `with_token` opened last. The function is called
    /// in each tick; an agent with a higher priority may take the token
    /// of one with a lower. Usually, agents on screen come first.
    ///
    /// `name` is the function's name in tree files; with an empty name the tree
    /// cannot be saved as one.
    #[must_use]
    pub fn priority(
        self,
        name: &str,
        rank: impl Fn(&C::View<'_>) -> i32 + Send + Sync + 'static,
    ) -> Self {
        let def = Priority::Named(name.to_owned());
        self.set_priority(def, Arc::new(rank))
    }

    /// Like [`priority`](Self::priority), with a fixed number.
    #[must_use]
    pub fn fixed_priority(self, rank: i32) -> Self {
        self.set_priority(Priority::Fixed(rank), Arc::new(move |_: &C::View<'_>| rank))
    }

    fn set_priority(mut self, def: Priority, new: RankFn<C>) -> Self {
        // A node that was just opened is the last one.
        let kind = self.nodes.last_mut().map(|node| &mut node.kind);
        match (kind, self.extras.last_mut()) {
            (Some(NodeKind::WithToken { priority, .. }), Some(Extra::Token(rank))) => {
                (*priority, *rank) = (def, new);
                self
            }
            _ => self.misplaced("a priority", "with_token"),
        }
    }

    /// Opens a node that runs its first child at a waypoint of the named pool
    /// that no other agent uses. If it gets none, it runs its second child
    /// instead, if there is one.
    ///
    /// In each tick until it has one, it scores every free waypoint and claims
    /// the best; `arrive` then passes it to the game, and the first child runs in the
    /// same tick. If the child fails in this tick, or as soon as an
    /// [`AgentTask`](super::AgentTask) finds that no path leads there, the node fails,
    /// and leaves out this waypoint until its child could use another one. When all are
    /// left out, it tries them again, at the earliest two seconds after the last failure.
    ///
    /// `wait` seconds after its first tick without a waypoint, the fallback runs instead;
    /// without a fallback the node fails.
    #[must_use]
    pub fn with_waypoint_by(
        self,
        name: &str,
        pool: &str,
        wait: f32,
        score: impl Into<Score<C>>,
        arrive: impl Fn(&mut C::View<'_>, &Waypoint) + Send + Sync + 'static,
    ) -> Self {
        let score = score.into();
        let kind = NodeKind::WithWaypoint {
            pool: pool.to_owned(),
            wait,
            utility: score.def.clone(),
            no_repeat: false,
        };
        let extra = Extra::Waypoint {
            score,
            arrive: Arc::new(arrive),
        };
        self.add(name, kind, extra)
    }

    /// Lets the `with_waypoint` opened last leave out, next time, the waypoint
    /// at which its child last succeeded. Survives reset.
    #[must_use]
    pub fn no_repeat(mut self) -> Self {
        match self.nodes.last_mut().map(|node| &mut node.kind) {
            Some(NodeKind::WithWaypoint { no_repeat, .. }) => *no_repeat = true,
            _ => return self.misplaced("`no_repeat`", "with_waypoint"),
        }
        self
    }

    fn misplaced(mut self, what: &'static str, after: &'static str) -> Self {
        let what = format!(" cannot be followed by {what}, which must directly follow `{after}`");
        self.note(self.last(), what);
        self
    }
}

impl<C> Builder<C>
where
    C: Context,
    for<'a> C::View<'a>: TaskContext,
{
    /// Like [`with_waypoint_by`](Self::with_waypoint_by), for views that
    /// implement [`TaskContext`]: the claimed waypoint becomes the agent's
    /// destination.
    #[must_use]
    pub fn with_waypoint(
        self,
        name: &str,
        pool: &str,
        wait: f32,
        score: impl Into<Score<C>>,
    ) -> Self {
        self.with_waypoint_by(name, pool, wait, score, |view, waypoint| {
            view.set_destination(waypoint.position);
        })
    }
}

/// What the registry uses too. Every kind of node passes through
/// [`add`](Self::add).
impl<C: Context> Builder<C> {
    pub(crate) fn open(self, name: &str, kind: NodeKind) -> Self {
        self.add(name, kind, Extra::None)
    }

    /// Opens a node with what only its kind needs.
    pub(crate) fn add(mut self, name: &str, kind: NodeKind, mut extra: Extra<C>) -> Self {
        let bound = match &mut extra {
            Extra::Task(task) => task.bind(&mut self.schema),
            _ => Ok(()),
        };
        let at = self.nodes.len();
        let (mistake, has_children) = (kind.mistake(), kind.children() != (0, 0));
        self.nodes.push(Node {
            name: name.into(),
            kind,
            parent: self.open.last().copied(),
            end: u32::MAX,
        });
        self.extras.push(extra);
        if self.open.is_empty() && at > 0 {
            let what = " comes after the end of the root; a tree has one root: put both into a \
                        sequence or selector";
            self.note(at, what);
        }
        self.open.push(at);
        if has_children && self.open.len() > MAX_DEPTH {
            let what = format!(" is nested deeper than {MAX_DEPTH} nodes; flatten the tree");
            self.note(at, what);
        }
        if let Some(what) = mistake {
            self.note(at, format_args!(": {what}"));
        }
        if let Err(error) = bound {
            self.note(at, format_args!(": {error}"));
        }
        self
    }

    /// How much memory a node takes.
    fn size(&self, at: usize) -> Extent {
        let own = |run: u16, lasting: u16| [run.into(), lasting.into(), 0];
        match (&self.nodes[at].kind, &self.extras[at]) {
            (_, Extra::Task(task)) => own(task.memory(), task.lasting_memory()),
            (_, Extra::Composite { composite, .. }) => {
                own(composite.memory(), composite.lasting_memory())
            }
            (NodeKind::Parallel { .. }, _) => {
                // One bit per child that completed, one per child that succeeded.
                let children = node::children(&self.nodes, at).count() as u32;
                [2 * children.div_ceil(64), 0, 0]
            }
            (NodeKind::Repeat { .. } | NodeKind::Timeout { .. }, _) => [1, 0, 0],
            (NodeKind::Cooldown { .. }, _) => [0, 1, 0],
            (NodeKind::WithToken { .. }, _) => [1, 0, 1],
            (NodeKind::WithWaypoint { .. }, _) => [1, 2, 1],
            _ => [0; 3],
        }
    }

    /// Checks the number of a closed node's children, and stores what depends
    /// on it.
    fn check_children(&mut self, at: usize) {
        let found = node::children(&self.nodes, at).count();
        let kind = &self.nodes[at].kind;
        let (mut least, mut most) = kind.children();
        if let Extra::Composite {
            composite,
            children,
        } = &mut self.extras[at]
        {
            *children = found as u32;
            (least, most) = composite.children().into_inner();
        }
        let thresholds = match kind {
            NodeKind::Parallel { success, failure } => usize::from(*success.max(failure)),
            _ => 0,
        };
        let kind = kind.name();
        if !(least..=most).contains(&found) {
            let expected = count(least, most);
            let what = format!(" ({kind}) takes {expected}, but has {found}");
            self.note(at, what);
        } else if thresholds > found {
            let what = format!(
                ": a threshold is {thresholds}, but must be at most {found}, the number of children"
            );
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
        node::paths(&self.nodes).swap_remove(at)
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
