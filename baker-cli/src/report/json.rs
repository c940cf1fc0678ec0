//! Writing JSON that reads well in a diff: one item a line.
//!
//! Every `f32` is written as the `f64` it exactly is, in the shortest digits
//! that give that `f64` back, so a reader in any language computes with the
//! baker's own numbers.

use std::io::{self, Write};

use glam::Vec2;
use serde::Serialize;

/// A point as JSON has it.
pub(super) fn point(p: Vec2) -> [f64; 2] {
    [f64::from(p.x), f64::from(p.y)]
}

/// `[` and every item on a line of its own, `indent` deep, and `]`.
pub(super) fn list<T: Serialize>(
    out: &mut dyn Write,
    indent: usize,
    items: impl IntoIterator<Item = T>,
) -> io::Result<()> {
    write!(out, "[")?;
    let mut any = false;
    for item in items {
        write!(out, "{}\n{:indent$}", if any { "," } else { "" }, "")?;
        serde_json::to_writer(&mut *out, &item)?;
        any = true;
    }
    if any {
        write!(out, "\n{:1$}", "", indent.saturating_sub(1))?;
    }
    write!(out, "]")
}

/// `"key": value` on one line.
pub(super) fn entry<T: Serialize>(out: &mut dyn Write, key: &str, value: &T) -> io::Result<()> {
    write!(out, "\"{key}\": ")?;
    serde_json::to_writer(&mut *out, value)?;
    Ok(())
}
