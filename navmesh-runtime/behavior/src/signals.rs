//! Which state follows from which signal: checks and resolves the transitions of
//! state machines when a tree is built.

use std::collections::{BTreeMap, BTreeSet};

use super::context::Context;
use super::memory::Signal;
use super::node::{self, Node, NodeKind, Transitions};
use super::tree::{Extra, StateNode};

/// The signals of a state that completes.
const ENDS: [&str; 2] = ["success", "failure"];

/// A state machine while its signals are collected.
struct Machine<'a> {
    transitions: &'a Transitions,
    states: BTreeMap<&'a str, u32>,
    /// The signals that each state emits.
    emitted: BTreeMap<&'a str, BTreeSet<&'a str>>,
}

/// Sets what the nodes of state machines need. The error is that of a node, and
/// continues its path.
pub fn resolve<C: Context>(nodes: &[Node], extras: &mut [Extra<C>]) -> Result<(), (usize, String)> {
    let mut machines = BTreeMap::new();
    // Parents come before their children.
    for (at, node) in nodes.iter().enumerate() {
        match &node.kind {
            NodeKind::StateMachine { transitions } => {
                machines.insert(at, Machine::new(nodes, at, transitions)?);
            }
            NodeKind::Emit { signal } => {
                let receiver = receiver(nodes, at, &mut machines, signal);
                extras[at] = Extra::Signal(receiver.map_err(|what| (at, what))?);
            }
            _ => {}
        }
    }
    for (at, machine) in &machines {
        extras[*at] = Extra::States(machine.check(nodes, *at)?);
    }
    Ok(())
}

/// Where the signal of a node goes: to the innermost machine with a row for it.
fn receiver<'a>(
    nodes: &'a [Node],
    at: usize,
    machines: &mut BTreeMap<usize, Machine<'a>>,
    signal: &'a str,
) -> Result<Signal, String> {
    if ENDS.contains(&signal) {
        return Err(format!(
            ": a state emits {signal:?} when it completes; give the signal another name"
        ));
    }
    let mut nearest = None;
    let around = std::iter::successors(Some(at), |at| nodes[*at].parent);
    for (child, at) in around.clone().zip(around.skip(1)) {
        let Some(machine) = machines.get_mut(&at) else {
            continue;
        };
        let state = &*nodes[child].name;
        nearest.get_or_insert(state);
        let row = machine.transitions.get(state);
        let next = row.and_then(|row| row.get(signal));
        let next = next.and_then(|next| machine.states.get(next.as_str()));
        if let Some(&next) = next {
            machine.emitted.entry(state).or_default().insert(signal);
            let machine = at as u32;
            return Ok(Signal { machine, next });
        }
    }
    Err(match nearest {
        Some(state) => format!(
            ": no state machine handles the signal {signal:?} of the state {state:?}; add a transition for it"
        ),
        // Not below any state.
        None => format!(": the signal {signal:?} has no state machine around it"),
    })
}

impl<'a> Machine<'a> {
    fn new(
        nodes: &'a [Node],
        at: usize,
        transitions: &'a Transitions,
    ) -> Result<Self, (usize, String)> {
        let mut states = BTreeMap::new();
        for child in node::children(nodes, at) {
            let name = &*nodes[child].name;
            if name.is_empty() {
                let what = " is a state without a name; transitions refer to states by name";
                return Err((child, what.to_owned()));
            }
            if states.insert(name, child as u32).is_some() {
                return Err((child, format!(": there are two states named {name:?}")));
            }
        }
        for (from, row) in transitions {
            for state in std::iter::once(from).chain(row.values()) {
                if !states.contains_key(state.as_str()) {
                    let known: Vec<_> = states.keys().copied().collect();
                    let known = known.join(", ");
                    let what = format!(
                        ": a transition names the state {state:?}, but the states are {known}"
                    );
                    return Err((at, what));
                }
            }
        }
        Ok(Self {
            transitions,
            states,
            emitted: BTreeMap::new(),
        })
    }

    /// Checks that every transition can happen and every state can be reached; the
    /// states.
    fn check(&self, nodes: &[Node], at: usize) -> Result<Box<[StateNode]>, (usize, String)> {
        let row = |state: &str| self.transitions.get(state).into_iter().flatten();
        for state in self.states.keys() {
            for (signal, _) in row(state) {
                let emitted = self.emitted.get(state);
                let is_emitted = emitted.is_some_and(|all| all.contains(signal.as_str()));
                if !is_emitted && !ENDS.contains(&signal.as_str()) {
                    let what = format!(
                        ": there is a transition for the signal {signal:?}, but the state never emits it"
                    );
                    return Err((self.states[state] as usize, what));
                }
            }
        }
        let mut reached = BTreeSet::new();
        let mut next = vec![&*nodes[at + 1].name];
        while let Some(state) = next.pop() {
            if reached.insert(state) {
                next.extend(row(state).map(|(_, to)| to.as_str()));
            }
        }
        let is_lost = |(name, _): &(&&str, &u32)| !reached.contains(*name);
        if let Some((_, lost)) = self.states.iter().find(is_lost) {
            let what = " is a state that cannot be reached; no transition from the first state leads to it";
            return Err((*lost as usize, what.to_owned()));
        }
        let states = self.states.iter().map(|(name, node)| {
            let after = ENDS.map(|end| {
                let next = self.transitions.get(*name).and_then(|row| row.get(end))?;
                self.states.get(next.as_str()).copied()
            });
            StateNode { node: *node, after }
        });
        Ok(states.collect())
    }
}
