//! Ladders in configuration space.

use std::collections::BTreeMap;

use crate::geometry::interval::Interval;

/// A ladder: an upright strip of climbable cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ladder {
    /// Its extent in x.
    pub x: Interval,
    /// Its upper end, y down, on which the body stands.
    pub top: f64,
    /// Its lower end, y down.
    pub bottom: f64,
}

impl Ladder {
    /// The x at which the feet climb.
    pub fn middle(&self) -> f64 {
        self.x.middle()
    }
}

/// Joins strips of the same width that touch one above the other into ladders.
/// Sorted from left to right, then top to bottom.
pub(super) fn join_strips(strips: impl IntoIterator<Item = Ladder>) -> Vec<Ladder> {
    let mut columns: BTreeMap<[u64; 2], Vec<Ladder>> = BTreeMap::new();
    for strip in strips {
        let key = [strip.x.lo.to_bits(), strip.x.hi.to_bits()];
        columns.entry(key).or_default().push(strip);
    }
    let mut all = Vec::new();
    for mut column in columns.into_values() {
        column.sort_by(|a, b| a.top.total_cmp(&b.top));
        let first = all.len();
        for strip in column {
            match all[first..].last_mut() {
                Some(Ladder { bottom, .. }) if strip.top <= *bottom => {
                    *bottom = bottom.max(strip.bottom);
                }
                _ => all.push(strip),
            }
        }
    }
    all.sort_by(|a, b| (a.x.lo.total_cmp(&b.x.lo)).then(a.top.total_cmp(&b.top)));
    all
}
