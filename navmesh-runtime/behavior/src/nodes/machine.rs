//! State machines, and the signals that their states emit.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::NodeKind;
use crate::builder::Builder;
use crate::context::Context;
use crate::node::Node;
use crate::status::{Outcome, Status};
use crate::tick::{Tick, child_of};
use crate::tree::{self, NodeInfo};

/// The signals of a state that completes: of success and of failure.
const ENDS: [&str; 2] = ["success", "failure"];

/// A signal on its way to a state machine.
#[derive(Clone, Copy)]
pub struct Signal {
    /// The nodes of the machine and of the state that follows.
    machine: usize,
    next: usize,
}

/// The states that follow one another: by the name of a state and then by a signal.
pub type Transitions = Unique<Unique<String>>;

/// A map in which nothing is there twice: serde would keep the last.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Unique<V>(BTreeMap<String, V>);

impl<V> Default for Unique<V> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl Transitions {
    /// The signals of a state and the states that follow.
    fn row(&self, state: &str) -> impl Iterator<Item = (&String, &String)> {
        self.0.get(state).into_iter().flat_map(|row| &row.0)
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Unique<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Rows<V>(PhantomData<V>);

        impl<'de, V: Deserialize<'de>> Visitor<'de> for Rows<V> {
            type Value = Unique<V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut rows = BTreeMap::new();
                while let Some((key, value)) = map.next_entry::<String, V>()? {
                    if rows.contains_key(&key) {
                        return Err(A::Error::custom(format_args!("{key:?} is there twice")));
                    }
                    rows.insert(key, value);
                }
                Ok(Unique(rows))
            }
        }
        deserializer.deserialize_map(Rows(PhantomData))
    }
}

/// Ticks the current state, which is its cursor, then goes to the state that follows from
/// its signal or its end. That is ticked next time, so a cycle cannot take for ever.
pub struct StateMachine {
    pub transitions: Transitions,
}

impl<C: Context> Node<C> for StateMachine {
    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        let (tree, at) = (tick.tree, tick.node);
        let state = child_of(tick.memory.cursors[at]).unwrap_or(at + 1);
        let outcome = tick.visit_child(state);
        let signal = tick.memory.signal.filter(|signal| signal.machine == at);
        let next = match (signal, outcome.status) {
            (Some(signal), _) => {
                tick.memory.signal = None;
                tick.abort_running(state);
                Some(signal.next)
            }
            (None, Status::Running) => {
                tick.memory.cursors[at] = state as u32;
                return outcome;
            }
            (None, status) => {
                let signal = ENDS[usize::from(status == Status::Failure)];
                next_state(&tree.nodes, &self.transitions, at, state, signal)
            }
        };
        let Some(next) = next else {
            return outcome;
        };
        tick.memory.cursors[at] = next as u32;
        let [from, to] = [state, next].map(|node| &tree.nodes[node].name);
        tick.set_reason(|| format!("{from} -> {to}"));
        Outcome::RUNNING.or_turn(outcome.ends_turn)
    }
}

/// Running, so that nothing after it runs until its state ends. Of several signals in a
/// tick the first counts: another is emitted again in the next tick, if its node is still
/// running then.
pub struct Emit {
    pub signal: String,
}

impl<C: Context> Node<C> for Emit {
    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        if let Some((_, signal)) = receiver(&tick.tree.nodes, tick.node, &self.signal) {
            tick.memory.signal.get_or_insert(signal);
        }
        tick.set_reason(|| format!("emits {}", self.signal));
        Outcome::RUNNING
    }
}

/// The state that follows a state of the node `machine`, if its transitions have a row for
/// the signal.
fn next_state(
    nodes: &[NodeInfo],
    transitions: &Transitions,
    machine: usize,
    state: usize,
    signal: &str,
) -> Option<usize> {
    let next = transitions.0.get(&*nodes[state].name)?.0.get(signal)?;
    tree::children(nodes, machine).find(|child| *nodes[*child].name == **next)
}

/// Where a signal of the node `at` goes, and the state that has emitted it: to the
/// innermost machine with a row for it.
fn receiver(nodes: &[NodeInfo], at: usize, signal: &str) -> Option<(usize, Signal)> {
    around(nodes, at).find_map(|(state, machine)| {
        let NodeKind::StateMachine { transitions } = &nodes[machine].kind else {
            return None;
        };
        let next = next_state(nodes, transitions, machine, state, signal)?;
        Some((state, Signal { machine, next }))
    })
}

/// The nodes around a node, each as a child and its parent.
fn around(nodes: &[NodeInfo], at: usize) -> impl Iterator<Item = (usize, usize)> {
    let path = std::iter::successors(Some(at), |at| nodes[*at].parent);
    path.clone().zip(path.skip(1))
}

/// Checks the states, transitions and signals of a tree. The error is that of a node, and
/// continues its path.
pub fn check(nodes: &[NodeInfo]) -> Result<(), (usize, String)> {
    let mut emitted = BTreeSet::new();
    let mut machines = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        match &node.kind {
            NodeKind::StateMachine { transitions } => {
                machines.push((at, transitions, states(nodes, at, transitions)?));
            }
            NodeKind::Emit { signal } => {
                let (state, _) = receiver(nodes, at, signal)
                    .filter(|_| !ENDS.contains(&signal.as_str()))
                    .ok_or_else(|| (at, not_received(nodes, at, signal)))?;
                emitted.insert((state, signal.as_str()));
            }
            _ => {}
        }
    }
    for (at, transitions, states) in machines {
        for (name, state) in &states {
            for (signal, _) in transitions.row(name) {
                let signal = signal.as_str();
                if !emitted.contains(&(*state, signal)) && !ENDS.contains(&signal) {
                    let what = format!(
                        ": there is a transition for the signal {signal:?}, but the state never emits it"
                    );
                    return Err((*state, what));
                }
            }
        }
        let mut reached = BTreeSet::new();
        let mut next = vec![&*nodes[at + 1].name];
        while let Some(state) = next.pop() {
            if reached.insert(state) {
                next.extend(transitions.row(state).map(|(_, next)| next.as_str()));
            }
        }
        if let Some((_, lost)) = states.iter().find(|(name, _)| !reached.contains(*name)) {
            let what = " is a state that cannot be reached; no transition from the first state leads to it";
            return Err((*lost, what.to_owned()));
        }
    }
    Ok(())
}

/// The states of a machine, by name.
fn states<'a>(
    nodes: &'a [NodeInfo],
    at: usize,
    transitions: &Transitions,
) -> Result<BTreeMap<&'a str, usize>, (usize, String)> {
    let mut states = BTreeMap::new();
    for child in tree::children(nodes, at) {
        let name = &*nodes[child].name;
        if name.is_empty() {
            let what = " is a state without a name; transitions refer to states by name";
            return Err((child, what.to_owned()));
        }
        if states.insert(name, child).is_some() {
            return Err((child, format!(": there are two states named {name:?}")));
        }
    }
    for (from, row) in &transitions.0 {
        let mut named = std::iter::once(from).chain(row.0.values());
        if let Some(state) = named.find(|state| !states.contains_key(state.as_str())) {
            let known = states.into_keys().collect::<Vec<_>>().join(", ");
            let what =
                format!(": a transition names the state {state:?}, but the states are {known}");
            return Err((at, what));
        }
    }
    Ok(states)
}

/// Why no machine may handle a signal.
fn not_received(nodes: &[NodeInfo], at: usize, signal: &str) -> String {
    if ENDS.contains(&signal) {
        return format!(
            ": a state emits {signal:?} when it completes; give the signal another name"
        );
    }
    let mut around = around(nodes, at);
    match around.find(|(_, at)| matches!(nodes[*at].kind, NodeKind::StateMachine { .. })) {
        Some((state, _)) => format!(
            ": no state machine handles the signal {signal:?} of the state {:?}; add a transition for it",
            nodes[state].name
        ),
        // Not below any state.
        None => format!(": the signal {signal:?} has no state machine around it"),
    }
}

impl<C: Context> Builder<C> {
    /// Opens a state machine: its children are its states, by their names, and the
    /// first is where it starts. A state emits signals ([`NodeKind::Emit`]), and the
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
    /// For an example, see the [guide](crate::guide#state-machines).
    pub fn state_machine(self, name: &str, rows: &[(&str, &str, &str)]) -> Self {
        let mut transitions = Transitions::default();
        let mut twice = None;
        for (state, signal, next) in rows {
            let row = transitions.0.entry((*state).to_owned()).or_default();
            let before = row.0.insert((*signal).to_owned(), (*next).to_owned());
            if before.is_some() {
                twice = Some(format!(": there are two rows for {state:?} and {signal:?}"));
            }
        }
        let mut this = self.node(name, NodeKind::StateMachine { transitions });
        if let Some(twice) = twice {
            this.note(this.last(), twice);
        }
        this
    }
}
