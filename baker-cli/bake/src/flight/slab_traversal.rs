//! Follows a vertical motion from slab to slab.
//!
//! The vertical motion alone determines which cuts of the [`Slabs`] the feet
//! cross, and when. The horizontal positions that the body can have by then
//! depend on whether it steers in the air. A [`Front`] holds them: there is one
//! for bodies with air control and one for bodies without.

use std::ops::Range;

use crate::flight::vertical_motion::VerticalMotion;
use crate::geometry::Interval;
use crate::space::slabs::Slabs;

/// The limits of a motion through the air.
#[derive(Debug, Clone, Copy)]
pub struct FlightWindow {
    /// The values of x that the feet may have.
    pub x: Interval,
    /// The lowest height at which the body may land, y down.
    pub lowest: f64,
    /// Two heights closer together than this count as equal.
    pub tolerance: f64,
    /// How far below a one-way top that it has passed a falling body stays
    /// beside it, see [`top_depth`](crate::geometry::top_depth).
    pub top_depth: f64,
}

/// An interval of positions that the body can have at one moment.
#[derive(Debug, Clone, Copy)]
pub struct ReachedInterval {
    /// The positions, ends included.
    pub x: Interval,
    /// The free interval of the slab that they lie in.
    pub free: Interval,
    /// Index of the interval that this one was reached from, among the
    /// intervals of the previous crossing.
    pub parent: u32,
}

/// The positions of the body when its feet reach a cut at which it may land.
pub struct Arrival<'a> {
    /// The cut that the feet reach.
    pub cut: usize,
    /// The time at which they reach it.
    pub time: f64,
    /// The positions of the feet at that time, in no particular order.
    pub intervals: &'a [ReachedInterval],
    /// Number of crossings before this one.
    pub depth: usize,
}

/// The set of positions that a body can have reached, as it moves from slab to
/// slab. Methods return whether the set is not empty.
pub trait Front {
    /// The feet rise through `cut` at `time`, into the slab with the same
    /// index.
    fn rise(&mut self, cut: usize, time: f64) -> bool;

    /// The feet fall to `cut` at `time`, and then into the slab below. The body
    /// may land at the cut if `lands`. The one-way tops at the cuts `closed`
    /// stay closed in the slab below.
    fn fall(&mut self, cut: usize, time: f64, lands: bool, closed: Range<usize>) -> bool;

    /// The feet fall inside `slab`, where from `time` on only the one-way tops
    /// at the cuts `closed` are closed.
    fn open(&mut self, slab: usize, time: f64, closed: Range<usize>) -> bool;

    /// The apex of the feet lies at `cut`, where the body may land.
    fn touch(&mut self, cut: usize, time: f64);

    /// The body jumps in the air, inside `slab`.
    fn jump(&mut self, slab: usize, time: f64) -> bool;
}

/// Where a motion begins.
#[derive(Debug, Clone, Copy)]
pub struct Start {
    /// The slab above its first height when it rises, otherwise the slab below.
    pub slab: usize,
    /// The first cut whose one-way tops are closed to a motion that begins downwards:
    /// the one at its first height, unless the body begins on a top there and so falls
    /// through it.
    closed: usize,
    /// Whether it begins upwards.
    pub rises: bool,
}

impl Start {
    pub fn new(slabs: &Slabs, motion: &VerticalMotion, tolerance: f64) -> Self {
        let y = motion.first().y;
        let own = slabs.cut_at(y, tolerance);
        let rises = motion.first().apex() < y - tolerance;
        let slab = slabs.slab_above(y, tolerance) + usize::from(!rises && own.is_some());
        let beside = own.filter(|cut| {
            let tops = slabs.one_way_tops.get(*cut);
            *cut < slab && !tops.iter().any(|x| x.lo < motion.x && motion.x < x.hi)
        });
        Self {
            slab,
            closed: beside.unwrap_or(slab),
            rises,
        }
    }

    /// The cuts whose one-way tops are closed to the body.
    pub fn closed(&self) -> Range<usize> {
        if self.rises {
            0..0
        } else {
            self.closed..self.slab
        }
    }
}

/// Reports every crossing and every jump in the air of a motion to `front`, in
/// order of time, until the motion is below the window or the front is empty.
#[inline]
pub fn traverse(
    slabs: &Slabs,
    motion: &VerticalMotion,
    start: Start,
    window: &FlightWindow,
    front: &mut impl Front,
) {
    let (cuts, tolerance) = (&slabs.cuts, window.tolerance);
    let lowest = window.lowest + tolerance;
    let Start {
        mut slab,
        mut closed,
        ..
    } = start;
    let flights = motion.flights();
    for (i, flight) in flights.iter().enumerate() {
        // Only the last flight lands; the others end with a jump in the air.
        let end = flights.get(i + 1).map_or(f64::INFINITY, |f| f.start);
        let lands = end.is_infinite();
        let apex = flight.apex();
        if apex < flight.y - tolerance {
            while slab > 0 && cuts[slab - 1] > apex + tolerance {
                let time = flight.rising_at(cuts[slab - 1]);
                if time >= end {
                    break;
                }
                if !front.rise(slab - 1, time) {
                    return;
                }
                slab -= 1;
            }
            // The body has not been above the tops further up.
            closed = slab;
            // An apex exactly at a cut does not enter the slab above it.
            if lands && slab > 0 && (cuts[slab - 1] - apex).abs() <= tolerance {
                front.touch(slab - 1, flight.apex_at());
            }
        }
        while flight.apex_at() < end {
            while closed < slab && slabs.one_way_tops.get(closed).is_empty() {
                closed += 1;
            }
            let next = cuts.get(slab).copied().unwrap_or(f64::INFINITY);
            let opens = match cuts.get(closed).filter(|_| closed < slab) {
                Some(top) => top + window.top_depth,
                None => f64::INFINITY,
            };
            let y = next.min(opens);
            let time = flight.falling_at(y.min(lowest));
            if y > lowest || time >= end {
                break;
            }
            if opens <= next {
                closed += 1;
                if !front.open(slab, time, closed..slab) {
                    return;
                }
            } else {
                if !front.fall(slab, time, lands, closed..slab + 1) {
                    return;
                }
                slab += 1;
            }
        }
        if lands || flight.height_at(end) > lowest || !front.jump(slab, end) {
            return;
        }
    }
}
