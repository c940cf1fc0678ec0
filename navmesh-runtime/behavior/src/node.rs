//! The kinds of nodes, and what is fixed for each kind.

use std::collections::{BTreeMap, HashMap, HashSet};

#[cfg(feature = "serde")]
use super::params::{self, Param, Params};
use super::score::UtilityDef;

/// How many children a sequence or selector ticks in one tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Pace {
    /// As many as complete: the next child is ticked in the same tick.
    #[default]
    Eager,
    /// At most one. If it completes and there are more, the node is running.
    /// Reactive composites start over in each tick and are always eager.
    OneChildPerTick,
}

/// Whether a `force_*` or `always_*` node ends the turn, in turn-based games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum TurnRule {
    /// If the child did; a node without a child does not.
    #[default]
    Keep,
    /// It ends the turn.
    Ends,
    /// It does not end the turn.
    Continues,
}

/// The priority of a `with_token` node: a number, or the name of a function in
/// the registry, such as `"on_screen"`.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(untagged))]
pub enum Priority {
    /// Always this number.
    Fixed(i32),
    /// The registry's function of that name.
    Named(String),
}

impl Default for Priority {
    fn default() -> Self {
        Self::Fixed(0)
    }
}

/// A task or composite of the registry, with its parameters.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TaskDef {
    /// Its name in the registry. Inside a tree, an empty name marks a node
    /// that was made in code and has no form in a tree file.
    pub(crate) name: String,
    #[cfg(feature = "serde")]
    pub(crate) params: Params,
}

impl TaskDef {
    /// Whether a running task goes on when its tree is replaced by one in which it is
    /// `new`. With another text it does not: a cue that has begun under its old name
    /// would go on under the new one, and never be cancelled.
    pub(crate) fn continues(&self, new: &Self) -> bool {
        #[cfg(feature = "serde")]
        if params::texts(&self.params) != params::texts(&new.params) {
            return false;
        }
        self.name == new.name
    }
}

#[cfg(feature = "serde")]
impl TaskDef {
    /// A task's name and its fields as parameters; `None` when a field has no
    /// form in a tree file. For [`Task::describe`](super::Task::describe).
    pub fn new(name: &str, task: &impl serde::Serialize) -> Option<Self> {
        match params::write(task)? {
            Param::Map(params) => Some(Self {
                name: name.to_owned(),
                params,
            }),
            _ => None,
        }
    }

    /// Like [`new`](Self::new), for an enum: the name is the variant's.
    pub(crate) fn of_variant(task: &impl serde::Serialize) -> Option<Self> {
        let Param::Map(variant) = params::write(task)? else {
            return None;
        };
        match variant.into_iter().next()? {
            (name, Param::Map(params)) => Some(Self { name, params }),
            _ => None,
        }
    }
}

/// What a node does, with its settings. [`Builder`](super::Builder) describes
/// each kind; times are seconds, and those to wait may be infinite.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeKind {
    /// A leaf of the registry.
    Task(TaskDef),
    /// A composite or decorator of the registry.
    Composite(TaskDef),
    /// Without a pace, it has the tree's.
    Sequence {
        pace: Option<Pace>,
    },
    /// As a sequence.
    Selector {
        pace: Option<Pace>,
    },
    ReactiveSequence,
    ReactiveSelector,
    Race,
    /// How many children must succeed, or fail; 0 for all.
    Parallel {
        success: u16,
        failure: u16,
    },
    /// 0 for without end.
    Repeat {
        count: u32,
    },
    Timeout {
        seconds: f32,
    },
    Cooldown {
        seconds: f32,
    },
    Invert,
    ForceSuccess {
        turn: TurnRule,
    },
    ForceFailure {
        turn: TurnRule,
    },
    /// A leaf that succeeds.
    #[cfg_attr(
        not(feature = "serde"),
        expect(dead_code, reason = "made from tree files only")
    )]
    AlwaysSucceed {
        turn: TurnRule,
    },
    /// A leaf that fails.
    #[cfg_attr(
        not(feature = "serde"),
        expect(dead_code, reason = "made from tree files only")
    )]
    AlwaysFail {
        turn: TurnRule,
    },
    WithToken {
        pool: String,
        wait: f32,
        priority: Priority,
    },
    WithWaypoint {
        pool: String,
        wait: f32,
        utility: UtilityDef,
        no_repeat: bool,
    },
    /// Its children are its states, and one of them runs.
    StateMachine {
        transitions: Transitions,
    },
    Emit {
        signal: String,
    },
}

/// The states that follow one another in a state machine: by the name of a state
/// and then by a signal.
pub type Transitions = BTreeMap<String, BTreeMap<String, String>>;

impl NodeKind {
    /// The kind's name in tree files, paths, traces and errors.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Task(_) => "task",
            Self::Composite(_) => "composite",
            Self::Sequence { .. } => "sequence",
            Self::Selector { .. } => "selector",
            Self::ReactiveSequence => "reactive_sequence",
            Self::ReactiveSelector => "reactive_selector",
            Self::Race => "race",
            Self::Parallel { .. } => "parallel",
            Self::Repeat { .. } => "repeat",
            Self::Timeout { .. } => "timeout",
            Self::Cooldown { .. } => "cooldown",
            Self::Invert => "invert",
            Self::ForceSuccess { .. } => "force_success",
            Self::ForceFailure { .. } => "force_failure",
            Self::AlwaysSucceed { .. } => "always_succeed",
            Self::AlwaysFail { .. } => "always_fail",
            Self::WithToken { .. } => "with_token",
            Self::WithWaypoint { .. } => "with_waypoint",
            Self::StateMachine { .. } => "state_machine",
            Self::Emit { .. } => "emit",
        }
    }

    /// How many children a node of this kind takes. (A composite of the game
    /// sets its own range.)
    pub const fn children(&self) -> (usize, usize) {
        match self {
            Self::Task(_)
            | Self::AlwaysSucceed { .. }
            | Self::AlwaysFail { .. }
            | Self::Emit { .. } => (0, 0),
            Self::Composite(_)
            | Self::Sequence { .. }
            | Self::Selector { .. }
            | Self::ReactiveSequence
            | Self::ReactiveSelector => (0, usize::MAX),
            Self::Race | Self::Parallel { .. } | Self::StateMachine { .. } => (1, usize::MAX),
            // The second is the fallback.
            Self::WithWaypoint { .. } => (1, 2),
            _ => (1, 1),
        }
    }

    /// What is wrong with its numbers.
    pub fn mistake(&self) -> Option<String> {
        let (what, seconds) = match self {
            Self::Timeout { seconds } | Self::Cooldown { seconds } => ("its time", *seconds),
            Self::WithToken { wait, .. } | Self::WithWaypoint { wait, .. } => ("its wait", *wait),
            _ => return None,
        };
        if seconds.is_nan() || seconds < 0.0 {
            let expected = "but must be a number of seconds, 0 or more";
            return Some(format!("{what} is {seconds}, {expected}"));
        }
        match self {
            Self::WithWaypoint { utility, .. } => utility.mistake(),
            _ => None,
        }
    }
}

/// One node of a tree. Its children are the nodes after it up to `end`: the
/// first child is the next node, and each child's `end` is where the next
/// begins.
pub struct Node {
    /// May be empty.
    pub name: Box<str>,
    pub kind: NodeKind,
    /// The node around it; `None` for the root.
    pub parent: Option<usize>,
    pub end: u32,
}

/// What paths call a node: by its name, or its kind when it has none.
pub fn label<'a>(name: &'a str, kind: &NodeKind) -> &'a str {
    if name.is_empty() { kind.name() } else { name }
}

/// The children of a node, in order.
pub fn children(nodes: &[Node], at: usize) -> impl Iterator<Item = usize> {
    let end = nodes[at].end as usize;
    let mut next = at + 1;
    std::iter::from_fn(move || {
        let child = (next < end).then_some(next)?;
        next = nodes[child].end as usize;
        Some(child)
    })
}

/// The paths of all nodes: names from the root down, joined by `/`. A node
/// without a name is called by its kind; siblings with the same label get
/// `~2`, `~3` and so on, so that every path is unique.
pub fn paths(nodes: &[Node]) -> Vec<String> {
    let mut paths: Vec<String> = Vec::with_capacity(nodes.len());
    let mut taken = HashSet::with_capacity(nodes.len());
    // The highest number given so far to each repeated path, so that many
    // siblings with one name take one step each.
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for node in nodes {
        let label = label(&node.name, &node.kind);
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
