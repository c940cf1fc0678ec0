//! Recording which nodes ran in the last ticks.

use std::borrow::Cow;
use std::collections::VecDeque;

use super::status::Outcome;

/// A record of an agent's last ticks: which nodes ran, in which order, with
/// which status and for what reason.
///
/// [`TreeState::tick_traced`](super::TreeState::tick_traced) fills it.
/// [`TreeState::tick`](super::TreeState::tick) is compiled without tracing.
///
/// ```
/// use navmesh_behavior::{Trace, Tree};
///
/// let tree = Tree::<()>::builder("guard")
///     .sequence("attack").inside(|b| b
///         .condition("player near", |_| false)
///         .action("swing", |_| ()))
///     .build()?;
/// let (mut state, mut trace) = (tree.state(), Trace::new(60));
/// state.tick_traced(&mut (), 0.5, &mut trace);
/// assert_eq!(
///     trace.text(&tree),
///     "guard, tick 0 at 0.5 s: failure\n\
///      sequence \"attack\": failure\n\
///      \u{20} task \"player near\": failure\n\
///      \u{20} task \"swing\"\n"
/// );
/// # Ok::<(), navmesh_behavior::BuildError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Trace {
    capacity: usize,
    pub(crate) ticks: VecDeque<TickTrace>,
    /// How many ticks were begun in total.
    begun: u64,
    /// The reason given by the node that is running now.
    pub(crate) reason: Option<Cow<'static, str>>,
}

/// One tick of a [`Trace`].
#[derive(Debug, Clone, Default)]
pub struct TickTrace {
    /// How many ticks were traced before it.
    pub number: u64,
    /// Seconds on the agent's clock.
    pub time: f64,
    /// The root's outcome; `None` when the tick panicked.
    pub outcome: Option<Outcome>,
    /// In the order in which the nodes were ticked.
    pub visits: Vec<Visit>,
}

/// Something that happened to a node in a tick.
#[derive(Debug, Clone)]
pub struct Visit {
    pub node: u32,
    pub event: TraceEvent,
    /// The reason that the node gave, if any.
    pub reason: Option<Cow<'static, str>>,
}

#[derive(Debug, Clone, Copy)]
pub enum TraceEvent {
    /// The node was ticked. A tick that panicked leaves this at running.
    Ticked(Outcome),
    /// The node was running and was aborted.
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
        self.note(node, TraceEvent::Ticked(Outcome::RUNNING));
        self.ticks.back().map_or(0, |tick| tick.visits.len() - 1)
    }

    pub(crate) fn leave(&mut self, visit: usize, outcome: Outcome) {
        let reason = self.reason.take();
        let tick = self.ticks.back_mut();
        if let Some(visit) = tick.and_then(|tick| tick.visits.get_mut(visit)) {
            visit.event = TraceEvent::Ticked(outcome);
            visit.reason = reason;
        }
    }

    pub(crate) fn note(&mut self, node: u32, event: TraceEvent) {
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
