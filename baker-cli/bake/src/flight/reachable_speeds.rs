//! Where a body without air control can be: the horizontal speeds at take-off
//! with which it has hit nothing so far, as exact intervals.

use std::ops::Range;

use crate::flight::slab_traversal::{
    Arrival, FlightWindow, Front, ReachedInterval, Start, traverse,
};
use crate::flight::take_off::Departure;
use crate::flight::vertical_motion::VerticalMotion;
use crate::geometry::{Interval, Walls, merge, subtract, within};
use crate::space::slabs::Slabs;

/// The speeds with which a body has hit nothing so far. The memory is reused
/// from one take-off to the next.
#[derive(Debug, Default)]
pub struct ReachableSpeeds {
    speeds: Vec<Interval>,
    next: Vec<Interval>,
    hit: Vec<Interval>,
    intervals: Vec<ReachedInterval>,
}

impl ReachableSpeeds {
    /// Like
    /// [`ReachableIntervals::propagate`](super::reachable_intervals::ReachableIntervals::propagate),
    /// for a body that keeps one horizontal speed from take-off to landing.
    pub fn propagate(
        &mut self,
        slabs: &Slabs,
        run_speed: f64,
        motion: &VerticalMotion,
        departure: Departure,
        window: &FlightWindow,
        arrive: impl FnMut(Arrival<'_>),
    ) {
        self.speeds.clear();
        self.speeds.push(match departure {
            Departure::WalkOffLeft => Interval::new(-run_speed, 0.0),
            Departure::WalkOffRight => Interval::new(0.0, run_speed),
            Departure::Jump(_) | Departure::DropThrough | Departure::LetGo => {
                Interval::new(-run_speed, run_speed)
            }
        });
        let start = Start::new(slabs, motion, window.tolerance);
        let mut front = SpeedFront {
            reached: self,
            slabs,
            x: motion.x,
            begin: motion.first().start,
            time: 0.0,
            window: window.x,
            leaving_ground: start.rises,
            closed: start.closed(),
            arrive,
        };
        traverse(slabs, motion, start, window, &mut front);
    }

    /// Removes the speeds that lead from `x` into one of the open intervals
    /// `blocked` at some time from `from` to `until`.
    fn narrow(&mut self, blocked: &[Interval], x: f64, from: f64, until: f64) {
        if until <= 0.0 || self.speeds.is_empty() {
            return;
        }
        // Intervals that no remaining speed can reach need no check.
        let reach = self.reach(x, from, until);
        let first = blocked.partition_point(|b| b.hi <= reach.lo);
        self.hit.clear();
        for b in blocked[first..].iter().take_while(|b| b.lo < reach.hi) {
            // Distance / time is monotone in the time, so the least and the greatest
            // speed that hits are those for the begin and the end of the time span.
            let (lo, hi) = (b.lo - x, b.hi - x);
            self.hit.push(Interval::new(
                speed_over(lo, from).min(speed_over(lo, until)),
                speed_over(hi, from).max(speed_over(hi, until)),
            ));
        }
        self.take_away_hit();
    }

    /// Removes the speeds that lead from `x` against a one-way wall at some
    /// time from `from` to `until`.
    fn narrow_at_walls(&mut self, walls: Walls<'_>, x: f64, from: f64, until: f64) {
        if until <= 0.0 || self.speeds.is_empty() {
            return;
        }
        // One pixel more than the remaining speeds can reach, for rounding.
        let reach = self.reach(x, from, until).grown(1.0);
        // The speeds between those that reach a wall at `until` and at `from` cross the
        // wall in between. `until` is above 0.
        self.hit.clear();
        for at in within(walls.right, Interval::new(reach.lo, x)) {
            let fastest = if from > 0.0 {
                (at - x) / from
            } else {
                f64::NEG_INFINITY
            };
            self.hit.push(Interval::new(fastest, (at - x) / until));
        }
        for at in within(walls.left, Interval::new(x, reach.hi)) {
            let fastest = if from > 0.0 {
                (at - x) / from
            } else {
                f64::INFINITY
            };
            self.hit.push(Interval::new((at - x) / until, fastest));
        }
        self.take_away_hit();
    }

    /// The positions that a body from `x` has at some time from `from` to
    /// `until`. There must be speeds left.
    fn reach(&self, x: f64, from: f64, until: f64) -> Interval {
        let (slow, fast) = (self.speeds[0].lo, self.speeds[self.speeds.len() - 1].hi);
        Interval::new(
            x + (slow * until).min(slow * from),
            x + (fast * until).max(fast * from),
        )
    }

    fn take_away_hit(&mut self) {
        merge(&mut self.hit);
        if self.hit.is_empty() {
            return;
        }
        self.next.clear();
        for speeds in &self.speeds {
            subtract(*speeds, &self.hit, |s| self.next.push(s));
        }
        std::mem::swap(&mut self.speeds, &mut self.next);
    }
}

/// The speed that covers a distance in some time, if need be at once.
fn speed_over(distance: f64, time: f64) -> f64 {
    if time > 0.0 || distance == 0.0 {
        distance / time.max(f64::MIN_POSITIVE)
    } else {
        distance.signum() * f64::INFINITY
    }
}

/// The [`Front`] of a body without air control.
struct SpeedFront<'a, F> {
    reached: &'a mut ReachableSpeeds,
    slabs: &'a Slabs,
    /// x of take-off.
    x: f64,
    /// Time of take-off.
    begin: f64,
    /// Seconds since take-off up to which the speeds are narrowed.
    time: f64,
    window: Interval,
    /// Whether the body rises from slanted ground, which its slab counts as
    /// blocked.
    leaving_ground: bool,
    /// The cuts whose one-way tops are closed to the falling body.
    closed: Range<usize>,
    arrive: F,
}

impl<F: FnMut(Arrival<'_>)> SpeedFront<'_, F> {
    /// Narrows the speeds to those that hit nothing in `slab` until `time`.
    fn advance(&mut self, slab: usize, time: f64, falls: bool) {
        let until = time - self.begin;
        if !self.leaving_ground || falls {
            let blocked = self.slabs.blocked.get(slab);
            self.reached.narrow(blocked, self.x, self.time, until);
        }
        if falls {
            let slopes = self.slabs.one_way_slopes.get(slab);
            self.reached.narrow(slopes, self.x, self.time, until);
            for cut in self.closed.clone() {
                let tops = self.slabs.one_way_tops.get(cut);
                self.reached.narrow(tops, self.x, self.time, until);
            }
        }
        let walls = self.slabs.walls(slab);
        self.reached
            .narrow_at_walls(walls, self.x, self.time, until);
        self.time = until;
    }

    /// Removes the speeds with which the body is inside `closed` at the present
    /// time.
    fn close(&mut self, closed: &[Interval]) {
        self.reached.narrow(closed, self.x, self.time, self.time);
    }

    fn arrive_at(&mut self, cut: usize, time: f64) {
        let (x, until) = (self.x, self.time);
        let intervals = &mut self.reached.intervals;
        intervals.clear();
        for speeds in &self.reached.speeds {
            let x = Interval::new(x + speeds.lo * until, x + speeds.hi * until)
                .intersection(&self.window);
            if !x.is_empty() {
                let (free, parent) = (x, 0);
                intervals.push(ReachedInterval { x, free, parent });
            }
        }
        (self.arrive)(Arrival {
            cut,
            time,
            intervals,
            depth: 0,
        });
    }
}

impl<F: FnMut(Arrival<'_>)> Front for SpeedFront<'_, F> {
    fn rise(&mut self, cut: usize, time: f64) -> bool {
        let slabs = self.slabs;
        let slab = cut + 1;
        self.leaving_ground &= slabs.is_slanted(slab, Interval::at(self.x))
            && slabs.free_around(slab, self.x).is_none();
        self.advance(slab, time, false);
        self.close(slabs.one_way_ceilings.get(cut));
        !self.reached.speeds.is_empty()
    }

    fn fall(&mut self, cut: usize, time: f64, lands: bool, closed: Range<usize>) -> bool {
        let slabs = self.slabs;
        self.advance(cut, time, true);
        self.closed = closed;
        if lands {
            self.arrive_at(cut, time);
        }
        self.close(slabs.one_way_tops.get(cut));
        !self.reached.speeds.is_empty()
    }

    fn open(&mut self, slab: usize, time: f64, closed: Range<usize>) -> bool {
        self.advance(slab, time, true);
        self.closed = closed;
        !self.reached.speeds.is_empty()
    }

    fn touch(&mut self, cut: usize, time: f64) {
        // The body can land only where it is free, even if it rose from slanted
        // ground.
        self.leaving_ground = false;
        self.advance(cut + 1, time, false);
        self.arrive_at(cut, time);
    }

    fn jump(&mut self, slab: usize, time: f64) -> bool {
        self.advance(slab, time, true);
        self.closed = 0..0;
        true
    }
}
