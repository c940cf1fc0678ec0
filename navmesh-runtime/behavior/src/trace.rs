//! Recording which nodes ran in the last ticks.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt::Write as _;

use crate::blackboard::BoardError;
use crate::context::Context;
use crate::nodes::NodeKind;
use crate::status::{Outcome, Status};
use crate::tree::Tree;

/// A record of an agent's last ticks: which nodes ran, in which order, with
/// which status and for what reason.
///
/// [`TreeState::tick`](crate::TreeState::tick) fills that of the state, if it has one.
///
/// For an example, see the [guide](crate::guide#find-out-why).
#[derive(Debug, Clone)]
pub struct Trace {
    capacity: usize,
    ticks: VecDeque<TickTrace>,
    /// How many ticks were begun in total.
    begun: u64,
    /// The reason given by the node that is running now.
    pub(crate) reason: Option<Cow<'static, str>>,
}

/// One tick of a [`Trace`].
#[derive(Debug, Clone, Default)]
struct TickTrace {
    /// How many ticks were traced before it.
    number: u64,
    /// Seconds on the agent's clock.
    time: f64,
    /// The root's outcome; `None` when the tick panicked.
    outcome: Option<Outcome>,
    /// In the order in which the nodes were ticked.
    visits: Vec<Visit>,
}

impl TickTrace {
    fn has_failed(&self, node: u32) -> bool {
        let mut visits = self.visits.iter().filter(|visit| visit.node == node);
        visits.any(|visit| visit.event() == Status::Failure.to_string())
    }
}

/// Something that happened to a node in a tick.
#[derive(Debug, Clone)]
struct Visit {
    node: u32,
    /// `None`: it was running and was aborted. A tick that panicked leaves this at
    /// running.
    outcome: Option<Outcome>,
    /// The reason that the node gave, if any.
    reason: Option<Cow<'static, str>>,
}

impl Visit {
    /// The word for it in texts and JSON.
    fn event(&self) -> String {
        let status = self.outcome.map(|outcome| outcome.status.to_string());
        status.unwrap_or_else(|| "aborted".to_owned())
    }
}

impl Trace {
    /// A trace that keeps the last `ticks` ticks, at least one. It allocates
    /// until it is full, and then reuses its memory.
    pub fn new(ticks: usize) -> Self {
        Self {
            capacity: ticks.max(1),
            ticks: VecDeque::new(),
            begun: 0,
            reason: None,
        }
    }

    /// How many ticks are recorded.
    #[expect(clippy::len_without_is_empty, reason = "a trace is for reading")]
    pub fn len(&self) -> usize {
        self.ticks.len()
    }

    /// Without its ticks.
    pub(crate) fn emptied(&self) -> Self {
        Self::new(self.capacity)
    }

    /// The tree after the last tick: one line per node, with its status and
    /// the reason for it. Nodes that were not ticked have no status.
    pub fn text<C: Context>(&self, tree: &Tree<C>) -> String {
        let Some(tick) = self.ticks.back() else {
            return format!("{}: not ticked yet\n", tree.name);
        };
        let outcome = match tick.outcome {
            Some(outcome) => outcome.status.to_string(),
            None => "unfinished".to_owned(),
        };
        let (name, number, time) = (&tree.name, tick.number, rounded(tick.time));
        let mut text = format!("{name}, tick {number} at {time} s: {outcome}\n");
        text += &tree.outline(|node| {
            let mut status = String::new();
            // A node that was ticked and then aborted shows both.
            let visits = tick.visits.iter().filter(|visit| visit.node == node);
            for (i, visit) in visits.enumerate() {
                status += if i == 0 { ": " } else { ", " };
                status += &visit.event();
                if visit.outcome.is_some_and(|outcome| outcome.ends_turn) {
                    status += " (ends turn)";
                }
                if let Some(reason) = &visit.reason {
                    let _ = write!(status, " ({reason})");
                }
            }
            status
        });
        text
    }

    /// All recorded ticks as JSON, one line per tick, oldest first:
    /// `{"tree", "tick", "time", "status", "ends_turn", "visits": [{"node",
    /// "path", "event", "reason"}]}`. `reason` is left out when the node gave
    /// none.
    pub fn json_lines<C: Context>(&self, tree: &Tree<C>) -> String {
        let paths = tree.paths();
        let mut lines = String::new();
        for tick in &self.ticks {
            lines += "{\"tree\":";
            quote(&mut lines, &tree.name);
            let (number, time) = (tick.number, rounded(tick.time));
            let _ = write!(lines, ",\"tick\":{number},\"time\":{time}");
            if let Some(outcome) = tick.outcome {
                let (status, ends_turn) = (outcome.status, outcome.ends_turn);
                let _ = write!(lines, ",\"status\":\"{status}\",\"ends_turn\":{ends_turn}");
            }
            lines += ",\"visits\":[";
            for (i, visit) in tick.visits.iter().enumerate() {
                if i > 0 {
                    lines.push(',');
                }
                let _ = write!(lines, "{{\"node\":{},\"path\":", visit.node);
                quote(&mut lines, paths.get(visit.node as usize).map_or("", |p| p));
                let _ = write!(lines, ",\"event\":\"{}\"", visit.event());
                if let Some(reason) = &visit.reason {
                    lines += ",\"reason\":";
                    quote(&mut lines, reason);
                }
                lines.push('}');
            }
            lines += "]}\n";
        }
        lines
    }

    /// A likely mistake of the tree that these ticks show, with the path of its node: a task
    /// that needs a key of the blackboard that was never set, or a `repeat` whose child failed
    /// in each of the ticks, at least two.
    pub fn mistake<C: Context>(&self, tree: &Tree<C>) -> Option<String> {
        let paths = tree.paths();
        let path = |node: u32| paths.get(node as usize).map_or("", |path| path);
        let mut visits = self.ticks.iter().flat_map(|tick| &tick.visits);
        let unset = visits.find_map(|visit| {
            let reason = visit.reason.as_deref()?;
            let is_unset =
                reason.starts_with(BoardError::PREFIX) && reason.ends_with(BoardError::MISSING);
            is_unset.then(|| format!("`{}`: {reason}", path(visit.node)))
        });
        unset.or_else(|| {
            let repeats = (0..).zip(&tree.nodes);
            let mut repeats =
                repeats.filter(|(_, node)| matches!(node.kind, NodeKind::Repeat { .. }));
            let (node, _) = repeats.find(|(node, _)| {
                self.ticks.len() > 1 && self.ticks.iter().all(|tick| tick.has_failed(node + 1))
            })?;
            Some(format!("`{}`: its child fails in every tick", path(node)))
        })
    }

    pub(crate) fn begin(&mut self, time: f64) {
        let mut tick = if self.ticks.len() >= self.capacity {
            self.ticks.pop_front().unwrap_or_default()
        } else {
            TickTrace::default()
        };
        tick.number = self.begun;
        tick.time = time;
        tick.outcome = None;
        tick.visits.clear();
        self.begun += 1;
        self.ticks.push_back(tick);
    }

    pub(crate) fn finish(&mut self, outcome: Outcome) {
        if let Some(tick) = self.ticks.back_mut() {
            tick.outcome = Some(outcome);
        }
    }

    /// Records that a node is being ticked; returns the index of the visit for
    /// [`leave`](Self::leave).
    pub(crate) fn enter(&mut self, node: u32) -> usize {
        self.reason = None;
        self.note(node, Some(Outcome::RUNNING));
        self.ticks.back().map_or(0, |tick| tick.visits.len() - 1)
    }

    pub(crate) fn leave(&mut self, visit: usize, outcome: Outcome) {
        let reason = self.reason.take();
        let tick = self.ticks.back_mut();
        if let Some(visit) = tick.and_then(|tick| tick.visits.get_mut(visit)) {
            visit.outcome = Some(outcome);
            visit.reason = reason;
        }
    }

    pub(crate) fn note(&mut self, node: u32, outcome: Option<Outcome>) {
        let reason = self.reason.take();
        if let Some(tick) = self.ticks.back_mut() {
            tick.visits.push(Visit {
                node,
                outcome,
                reason,
            });
        }
    }
}

/// Rounded to microseconds, so that sums of frame times are easy to read.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

/// Appends text as a JSON string.
fn quote(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if (c as u32) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
