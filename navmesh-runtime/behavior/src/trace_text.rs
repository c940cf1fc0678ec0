//! A tree and its trace as text and as JSON.

use std::fmt::Write as _;

use super::context::Context;
use super::node::NodeKind;
use super::trace::{Trace, TraceEvent};
use super::tree::Tree;

impl Trace {
    /// The tree after the last tick: one line per node, with its status and
    /// the reason for it. Nodes that were not ticked have no status.
    pub fn text<C: Context>(&self, tree: &Tree<C>) -> String {
        let Some(tick) = self.ticks.back() else {
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

    /// All recorded ticks as JSON, one line per tick, oldest first:
    /// `{"tree", "tick", "time", "status", "ends_turn", "visits": [{"node",
    /// "path", "event", "reason"}]}`. `reason` is left out when the node gave
    /// none.
    pub fn json_lines<C: Context>(&self, tree: &Tree<C>) -> String {
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
}

impl<C: Context> Tree<C> {
    /// The tree as indented text, one line per node; `note` returns a text to
    /// append to the line of a node number.
    ///
    /// ```
    /// use navmesh_behavior::{Status, Tree};
    ///
    /// let tree = Tree::<()>::builder("guard")
    ///     .invert("").inside(|b| b
    ///         .action("stand", |_| Status::Running))
    ///     .build()?;
    /// let mut state = tree.state();
    /// state.tick(&mut (), 0.1);
    /// let text = tree.outline(|node| if state.is_node_running(node) { " *" } else { "" }.into());
    /// assert_eq!(text, "invert *\n  task \"stand\" *\n");
    /// # Ok::<(), navmesh_behavior::BuildError>(())
    /// ```
    pub fn outline(&self, mut note: impl FnMut(u32) -> String) -> String {
        let mut text = String::new();
        let mut indents: Vec<usize> = Vec::with_capacity(self.nodes.len());
        for (number, node) in (0u32..).zip(&self.nodes) {
            let indent = node.parent.map_or(0, |parent| indents[parent] + 2);
            indents.push(indent);
            let _ = write!(text, "{:indent$}{}", "", node.kind.name());
            let registered = match &node.kind {
                NodeKind::Task(def) | NodeKind::Composite(def) => def.name.as_str(),
                _ => "",
            };
            if !node.name.is_empty() {
                let _ = write!(text, " {:?}", node.name);
            } else if !registered.is_empty() {
                let _ = write!(text, " {registered}");
            }
            text += &note(number);
            text.push('\n');
        }
        text
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
