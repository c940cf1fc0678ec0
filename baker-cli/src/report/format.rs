//! How reports write numbers, positions and JSON.
//!
//! JSON has one record per line, so that it can be compared line by line. Every
//! `f32` is written as the `f64` of the same value, in the shortest digits
//! that give that `f64` back: a reader in any language computes with the
//! baker's own numbers.

use std::cmp::Ordering;
use std::io::{self, Write};

use glam::Vec2;
use navmesh_runtime::mesh::YAxis;
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};

/// A whole number with commas between thousands: `1,234,567`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(String::from_utf8_lossy).collect();
    groups.join(",")
}

/// A number of things: `1 platform`, `12 platforms`.
pub fn count(number: u64, one: &str, more: &str) -> String {
    let noun = if number == 1 { one } else { more };
    format!("{} {noun}", grouped(number))
}

/// A number of links of a kind, or of edges: `1 jump`, `43 drops through`.
pub fn count_links(number: u64, kind: &str) -> String {
    let (one, more) = match kind {
        "jump" => ("jump", "jumps"),
        "drop" => ("drop", "drops"),
        "drop_through" => ("drop through", "drops through"),
        "ladder" => ("ladder link", "ladder links"),
        "portal" => ("portal link", "portal links"),
        "spring" => ("throw by a spring", "throws by springs"),
        "pass" => ("one-way step", "one-way steps"),
        "wall_climb" => ("wall climb", "wall climbs"),
        "ceiling_climb" => ("ceiling climb", "ceiling climbs"),
        "fly" => ("fly edge", "fly edges"),
        other => return format!("{} {}", grouped(number), label(other)),
    };
    count(number, one, more)
}

/// A number with at most two digits after the point.
pub fn number(v: f64) -> String {
    let rounded = (v * 100.0).round() / 100.0;
    // Avoids "-0".
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

/// A position: `24,96.5`.
pub fn position([x, y]: [f64; 2]) -> String {
    format!("{},{}", number(x), number(y))
}

/// A position in all its digits: `24,96.53125`.
pub fn exact(p: Vec2) -> String {
    // Adding 0 avoids "-0".
    format!("{},{}", p.x + 0.0, p.y + 0.0)
}

/// A position of the level for people: `24,96.53`.
pub fn place_text(p: Vec2) -> String {
    position(point(p))
}

/// Text without control characters: names come from levels and must neither move the
/// cursor of a terminal nor begin a line of their own. A GitHub workflow takes `##[`
/// for a command wherever it is in a line.
pub fn printable(text: &str) -> String {
    text.replace(char::is_control, "\u{fffd}")
        .replace("##[", "##\u{fffd}[")
}

pub fn html(text: &str) -> String {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;");
    escaped.replace('>', "&gt;").replace('"', "&quot;")
}

/// Orders lists of numbers by the first number that differs.
pub fn by_numbers<const N: usize>(a: &[f64; N], b: &[f64; N]) -> Ordering {
    let orders = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
    orders.fold(Ordering::Equal, Ordering::then)
}

/// The direction in which y grows.
pub fn y_name(axis: YAxis) -> &'static str {
    match axis {
        YAxis::Down => "down",
        YAxis::Up => "up",
    }
}

/// An outcome, and its reason if there is one: `no path: the goal is blocked`.
pub fn with_reason(outcome: &str, reason: &str) -> String {
    let separator = if reason.is_empty() { "" } else { ": " };
    format!("{outcome}{separator}{reason}")
}

/// The name of a kind as text: without underscores.
pub fn label(name: &str) -> String {
    name.replace('_', " ")
}

/// A point as JSON has it.
pub fn point(p: Vec2) -> [f64; 2] {
    [f64::from(p.x), f64::from(p.y)]
}

/// Writes JSON with a line for each value in the outer lists and objects, down to so many
/// inside each other; what is deeper stands in the line of its record.
pub fn write_json<T: Serialize + ?Sized>(
    value: &T,
    depth: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let lines = PrettyFormatter::with_indent(b" ");
    let records = Records {
        lines,
        depth,
        open: 0,
    };
    value.serialize(&mut Serializer::with_formatter(&mut *out, records))?;
    writeln!(out)
}

struct Records {
    lines: PrettyFormatter<'static>,
    /// So many containers inside each other have a line for each value.
    depth: usize,
    /// The containers that are open.
    open: usize,
}

/// Methods that call those of the formatter for the container that is open, and by how many
/// containers each opens (`+`) and closes (`-`).
macro_rules! at_depth {
    ($($method:ident($($first:ident)?) + $opens:literal - $closes:literal)*) => {
        $(fn $method<W>(&mut self, out: &mut W $(, $first: bool)?) -> io::Result<()>
        where
            W: ?Sized + Write,
        {
            self.open += $opens;
            if self.open <= self.depth {
                self.lines.$method(out $(, $first)?)?;
            } else {
                CompactFormatter.$method(out $(, $first)?)?;
            }
            self.open -= $closes;
            Ok(())
        })*
    };
}

impl Formatter for Records {
    at_depth! {
        begin_array() + 1 - 0
        begin_array_value(first) + 0 - 0
        end_array_value() + 0 - 0
        end_array() + 0 - 1
        begin_object() + 1 - 0
        begin_object_key(first) + 0 - 0
        begin_object_value() + 0 - 0
        end_object_value() + 0 - 0
        end_object() + 0 - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        let texts = [0, 999, 1000, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "1,234,567"]);
    }
}
