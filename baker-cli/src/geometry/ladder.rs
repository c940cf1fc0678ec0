//! Ladders in configuration space.

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
    let column = |strip: &Ladder| [strip.x.lo.to_bits(), strip.x.hi.to_bits()];
    let mut all: Vec<Ladder> = strips.into_iter().collect();
    // One column after another, so that strips to join are neighbours.
    all.sort_by(|a, b| (column(a).cmp(&column(b))).then(a.top.total_cmp(&b.top)));
    all.dedup_by(|strip, ladder| {
        let joins = column(strip) == column(ladder) && strip.top <= ladder.bottom;
        if joins {
            ladder.bottom = ladder.bottom.max(strip.bottom);
        }
        joins
    });
    all.sort_by(|a, b| (a.x.lo.total_cmp(&b.x.lo)).then(a.top.total_cmp(&b.top)));
    all
}
