//! Checks with slabs whether a motion is clear.

use glam::DVec2;

use crate::geometry::{Interval, Motion};
use crate::space::slabs::Slabs;

/// Whether no instant of a motion overlaps an obstacle. `None` where slabs cannot decide:
/// they count slanted ground as larger than it is, and end at their bounds. Does
/// not look at one-way surfaces.
pub fn is_clear_in_slabs(slabs: &Slabs, motion: &Motion<'_>) -> Option<bool> {
    let mut sure = true;
    for [begin, end] in motion.pieces() {
        let times = [begin, f64::midpoint(begin, end), end];
        let piece = Piece::through(times.map(|time| motion.at(time)));
        match piece.is_clear(slabs, motion.space.skin()) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => sure = false,
        }
    }
    sure.then_some(true)
}

/// A part of a motion in which x and y are monotone and have constant
/// accelerations: `begin + u · rate + u² · bend` for `u` from 0 to 1.
struct Piece {
    begin: DVec2,
    rate: DVec2,
    bend: DVec2,
    end: DVec2,
}

impl Piece {
    /// From the positions at its begin, middle and end.
    fn through([begin, middle, end]: [DVec2; 3]) -> Self {
        // Solves begin + rate + bend = end and begin + rate / 2 + bend / 4 = middle.
        let bend = 2.0 * (begin - 2.0 * middle + end);
        let rate = end - begin - bend;
        Self {
            begin,
            rate,
            bend,
            end,
        }
    }

    /// x where the piece passes the height `y`, which lies between its ends.
    fn x_at(&self, y: f64) -> f64 {
        let (rate, bend, rise) = (self.rate.y, self.bend.y, y - self.begin.y);
        // The root at which y changes in the direction of the piece, without
        // the difference of two nearly equal numbers.
        let root = (rate * rate + 4.0 * bend * rise).max(0.0).sqrt();
        let towards = (self.end.y - self.begin.y).signum();
        let sum = rate * towards + root;
        let u = if sum > 0.0 {
            (2.0 * rise * towards / sum).clamp(0.0, 1.0)
        } else {
            0.0
        };
        self.begin.x + u * (self.rate.x + u * self.bend.x)
    }

    fn is_clear(&self, slabs: &Slabs, skin: f64) -> Option<bool> {
        let (p0, p1) = (self.begin, self.end);
        let whole = Interval::between(p0.x, p1.x);
        if whole.lo < slabs.bounds.lo || whole.hi > slabs.bounds.hi {
            return None;
        }
        let hit = |slab: usize, a: f64, b: f64| {
            let blocked = slabs.blocked.get(slab);
            let next = blocked.partition_point(|o| o.hi <= a.min(b) + skin);
            blocked.get(next).is_some_and(|o| o.lo < a.max(b) - skin)
        };
        let (top, bottom) = if p0.y < p1.y { (p0, p1) } else { (p1, p0) };
        if bottom.y - top.y <= 2.0 * skin {
            // The motion is level. At a cut it is free if either side of the cut
            // is.
            let first = slabs.slab_above(0.5 * (top.y + bottom.y), skin);
            let last = slabs.slab_above(0.5 * (top.y + bottom.y), -skin);
            let is_free = (first..=last).any(|slab| !hit(slab, p0.x, p1.x));
            return is_free.then_some(true);
        }
        let (from, until) = (top.y + skin, bottom.y - skin);
        let first = slabs.cuts.partition_point(|c| *c <= from);
        let (mut above, mut x) = (from, top.x);
        let mut sure = true;
        for slab in first.. {
            let cut = slabs.cuts.get(slab).copied().unwrap_or(f64::INFINITY);
            let is_last = cut >= until;
            let below = cut.min(until);
            let next = if is_last { bottom.x } else { self.x_at(cut) };
            if hit(slab, x, next) {
                // Up to the skin, a motion may cut a corner of what is above or
                // below a cut.
                let inner = [above + skin, below - skin];
                let [a, b] = inner.map(|y| self.x_at(y));
                if inner[0] < inner[1]
                    && !slabs.is_slanted(slab, Interval::between(a, b))
                    && hit(slab, a, b)
                {
                    return Some(false);
                }
                sure = false;
            }
            if is_last {
                break;
            }
            (above, x) = (below, next);
        }
        sure.then_some(true)
    }
}
