//! Ladders in configuration space.

use crate::geometry::interval::Interval;

/// A ladder: an upright strip of climbable cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ladder {
    /// Its extent in x.
    pub x: Interval,
    /// Its heights, y down. The body stands on the upper end.
    pub y: Interval,
}

impl Ladder {
    fn column(&self) -> [u64; 2] {
        [self.x.lo, self.x.hi].map(f64::to_bits)
    }
}

/// Joins strips of the same width that touch one above the other into ladders.
/// Sorted from left to right, then top to bottom.
pub fn join_strips(strips: impl IntoIterator<Item = Ladder>) -> Vec<Ladder> {
    let mut all: Vec<Ladder> = strips.into_iter().collect();
    // One column after another, so that strips to join are neighbours.
    all.sort_by(|a, b| (a.column().cmp(&b.column())).then(a.y.lo.total_cmp(&b.y.lo)));
    all.dedup_by(|strip, ladder| {
        let joins = strip.column() == ladder.column() && strip.y.lo <= ladder.y.hi;
        if joins {
            ladder.y = ladder.y.extended_to(strip.y.hi);
        }
        joins
    });
    all.sort_by(|a, b| (a.x.lo.total_cmp(&b.x.lo)).then(a.y.lo.total_cmp(&b.y.lo)));
    all
}
