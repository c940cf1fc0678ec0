//! A tree as it is ticked: nodes in preorder.

use super::{Pace, TurnRule};

/// What a node does. Times are seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Leaf { task: u32, memory: bool },
    Sequence { one: bool, pace: Option<Pace> },
    Selector { one: bool, pace: Option<Pace> },
    ReactiveSequence,
    ReactiveSelector,
    Race,
    Parallel { success: u16, failure: u16 },
    Repeat { count: u32 },
    Timeout { seconds: f32 },
    Cooldown { seconds: f32 },
    Invert,
    Force { success: bool, turn: TurnRule },
    Always { success: bool, turn: TurnRule },
    WithToken { spec: u32 },
    WithWaypoint { spec: u32 },
    Custom { node: u32 },
}

impl Kind {
    /// The name used in paths, traces and errors.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Leaf { .. } => "task",
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
            Self::Force { success: true, .. } => "force_success",
            Self::Force { .. } => "force_failure",
            Self::Always { success: true, .. } => "always_succeed",
            Self::Always { .. } => "always_fail",
            Self::WithToken { .. } => "with_token",
            Self::WithWaypoint { .. } => "with_waypoint",
            Self::Custom { .. } => "composite",
        }
    }
}

/// One node. Its children are the nodes after it up to `end`: the first is the
/// next node, and each one's `end` is where the next begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) end: u32,
}

/// Where a node's memory and guards lie in an agent's state; those of the node
/// end where those of the next begin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) run: u32,
    pub(super) lasting: u32,
    pub(super) guard: u32,
}

/// The paths of nodes: names from the root down, joined by `/`. A node without
/// a name goes by its kind; siblings of one label are told apart by `~2`, `~3`
/// and so on, so that every path is unique.
pub(super) fn paths(nodes: &[Node], names: &[Box<str>]) -> Vec<String> {
    let mut paths: Vec<String> = Vec::with_capacity(nodes.len());
    // (end of the parent, number of the parent), outermost first.
    let mut open: Vec<(u32, usize)> = Vec::new();
    for (i, (node, name)) in nodes.iter().zip(names).enumerate() {
        while open.last().is_some_and(|(end, _)| *end as usize <= i) {
            open.pop();
        }
        let label = if name.is_empty() {
            node.kind.name()
        } else {
            name
        };
        let base = open.last().map_or_else(
            || label.to_owned(),
            |(_, p)| format!("{}/{label}", paths[*p]),
        );
        let mut path = base.clone();
        let mut number = 1;
        let from = open.last().map_or(0, |(_, parent)| *parent);
        while paths[from..].contains(&path) {
            number += 1;
            path = format!("{base}~{number}");
        }
        paths.push(path);
        open.push((node.end, i));
    }
    paths
}
