//! What ran in the last ticks, for people who ask why.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt::Write as _;

use super::{Context, Outcome, Tree};

/// A record of an agent's last ticks: which nodes ran, in what order, what
/// came of it and why.
///
/// It is filled by [`TreeState::tick_traced`](super::TreeState::tick_traced).
/// [`TreeState::tick`](super::TreeState::tick) is compiled without any of it.
///
/// ```
/// use navmesh_runtime::behavior::{Trace, Tree};
///
/// let tree = Tree::<()>::builder("guard")
///     .sequence("attack")
///         .condition("player near", |_| false)
///         .action("swing", |_| ())
///     .end()
///     .build()?;
/// let (mut state, mut trace) = (tree.state(), Trace::new(60));
/// state.tick_traced(&tree, &mut (), 0.5, &mut trace);
/// assert_eq!(
///     trace.text(&tree),
///     "guard, tick 0 at 0.5 s: failure\n\
///      sequence \"attack\": failure\n\
///      \u{20} task \"player near\": failure\n\
///      \u{20} task \"swing\"\n"
/// );
/// # Ok::<(), navmesh_runtime::behavior::BuildError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Trace {
    capacity: usize,
    ticks: VecDeque<TickTrace>,
    /// How many ticks have begun in all.
    begun: u64,
    /// What the node that runs now gave as its reason.
    pub(super) reason: Option<Cow<'static, str>>,
}

/// One tick of a [`Trace`].
#[derive(Debug, Clone, Default)]
pub struct TickTrace {
    number: u64,
    time: f64,
    outcome: Option<Outcome>,
    visits: Vec<Visit>,
}

/// Something that happened to a node in a tick.
#[derive(Debug, Clone, PartialEq)]
pub struct Visit {
    /// The node's number.
    pub node: u32,
    /// What happened.
    pub event: TraceEvent,
    /// Why, if the node said.
    pub reason: Option<Cow<'static, str>>,
}

/// What happened to a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TraceEvent {
    /// It was ticked. (A tick that panicked leaves this at running.)
    Ticked(Outcome),
    /// It was running and was abandoned.
    Aborted,
}

impl TraceEvent {
    /// The word for it in texts and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ticked(outcome) => outcome.status.name(),
            Self::Aborted => "aborted",
        }
    }
}

impl TickTrace {
    /// How many ticks were traced before it.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Seconds on the agent's clock.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// What the root came to.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// What happened, in the order in which it began.
    pub fn visits(&self) -> &[Visit] {
        &self.visits
    }
}

impl Trace {
    /// A trace that keeps the last `ticks` ticks, at least one. It allocates
    /// while it fills up, and then reuses what it has.
    pub fn new(ticks: usize) -> Self {
        Self {
            capacity: ticks.max(1),
            ticks: VecDeque::new(),
            begun: 0,
            reason: None,
        }
    }

    /// The ticks it holds, oldest first.
    pub fn ticks(&self) -> impl DoubleEndedIterator<Item = &TickTrace> + ExactSizeIterator {
        self.ticks.iter()
    }

    /// The last tick.
    pub fn last(&self) -> Option<&TickTrace> {
        self.ticks.back()
    }

    /// The tree as it stood after the last tick: a line a node, with what
    /// happened to it and why. Nodes that were not reached have no status.
    pub fn text<C: ?Sized + Context>(&self, tree: &Tree<C>) -> String {
        let Some(tick) = self.last() else {
            return format!("{}: not ticked yet\n", tree.name());
        };
        let outcome = tick.outcome.map_or("unfinished", |o| o.status.name());
        let (name, number, time) = (tree.name(), tick.number, rounded(tick.time));
        let mut text = format!("{name}, tick {number} at {time} s: {outcome}\n");
        text += &tree.outline(|node| {
            let mut status = String::new();
            // A node that was ticked and then aborted shows both.
            let visits = tick.visits.iter().filter(|visit| visit.node == node);
            for (i, visit) in visits.enumerate() {
                status += if i == 0 { ": " } else { ", " };
                status += visit.event.name();
                if matches!(visit.event, TraceEvent::Ticked(outcome) if outcome.ends_turn) {
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

    /// All the ticks it holds as JSON, a line each:
    /// `{"tree", "tick", "time", "status", "ends_turn", "visits": [{"node",
    /// "path", "event", "reason"}]}`; `reason` only where there is one.
    pub fn json_lines<C: ?Sized + Context>(&self, tree: &Tree<C>) -> String {
        let paths = tree.paths();
        let mut lines = String::new();
        for tick in &self.ticks {
            lines += "{\"tree\":";
            quote(&mut lines, tree.name());
            let (number, time) = (tick.number, rounded(tick.time));
            let _ = write!(lines, ",\"tick\":{number},\"time\":{time}");
            if let Some(outcome) = tick.outcome {
                let (status, ends_turn) = (outcome.status.name(), outcome.ends_turn);
                let _ = write!(lines, ",\"status\":\"{status}\",\"ends_turn\":{ends_turn}");
            }
            lines += ",\"visits\":[";
            for (i, visit) in tick.visits.iter().enumerate() {
                if i > 0 {
                    lines.push(',');
                }
                let _ = write!(lines, "{{\"node\":{},\"path\":", visit.node);
                quote(&mut lines, paths.get(visit.node as usize).map_or("", |p| p));
                let _ = write!(lines, ",\"event\":\"{}\"", visit.event.name());
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

    pub(super) fn begin(&mut self, time: f64) {
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

    pub(super) fn finish(&mut self, outcome: Outcome) {
        if let Some(tick) = self.ticks.back_mut() {
            tick.outcome = Some(outcome);
        }
    }

    /// A node begins; the answer is for [`leave`](Self::leave).
    pub(super) fn enter(&mut self, node: u32) -> usize {
        self.reason = None;
        self.note(node, TraceEvent::Ticked(Outcome::RUNNING));
        self.ticks.back().map_or(0, |tick| tick.visits.len() - 1)
    }

    pub(super) fn leave(&mut self, entry: usize, outcome: Outcome) {
        let reason = self.reason.take();
        let tick = self.ticks.back_mut();
        if let Some(visit) = tick.and_then(|tick| tick.visits.get_mut(entry)) {
            visit.event = TraceEvent::Ticked(outcome);
            visit.reason = reason;
        }
    }

    pub(super) fn note(&mut self, node: u32, event: TraceEvent) {
        let reason = self.reason.take();
        if let Some(tick) = self.ticks.back_mut() {
            tick.visits.push(Visit {
                node,
                event,
                reason,
            });
        }
    }
}

impl<C: ?Sized + Context> Tree<C> {
    /// The tree as text, a line a node, indented; after each, what `note` says
    /// of that node number.
    ///
    /// ```
    /// use navmesh_runtime::behavior::{Status, Tree};
    ///
    /// let tree = Tree::<()>::builder("guard")
    ///     .invert("")
    ///         .action("stand", |_| Status::Running)
    ///     .end()
    ///     .build()?;
    /// let mut state = tree.state();
    /// state.tick(&tree, &mut (), 0.1);
    /// let text = tree.outline(|node| if state.is_node_running(node) { " *" } else { "" }.into());
    /// assert_eq!(text, "invert *\n  task \"stand\" *\n");
    /// # Ok::<(), navmesh_runtime::behavior::BuildError>(())
    /// ```
    pub fn outline(&self, mut note: impl FnMut(u32) -> String) -> String {
        let mut text = String::new();
        for (node, depth) in (0u32..).zip(self.depths()) {
            let _ = write!(text, "{:1$}{2}", "", depth * 2, self.node_kind(node));
            let name = self.node_name(node);
            if !name.is_empty() {
                let _ = write!(text, " {name:?}");
            }
            text += &note(node);
            text.push('\n');
        }
        text
    }
}

/// Whole microseconds, so that sums of frame times read well.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

/// Text as a JSON string.
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
