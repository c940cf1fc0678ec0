//! Where a body without air control can be: the positions and horizontal speeds at
//! take-off with which it has hit nothing so far, as exact convex sets.
//!
//! It keeps one horizontal speed, so where it is at a time is linear in both. An obstacle
//! divides a set into the states that pass it on the left and on the right.

use std::borrow::Cow;
use std::ops::Range;

use glam::DVec2;

use crate::flight::slab_traversal::{FlightWindow, Front, Start, traverse};
use crate::flight::vertical_motion::{VerticalFlight, VerticalMotion};
use crate::geometry::{Interval, Walls, within};
use crate::space::slabs::Slabs;

/// What a body may overlap by, as a part of [`FlightWindow::tolerance`], so that a set
/// without area is not lost by rounding: a sixteenth of the skin.
const SLACK: f64 = 1.0 / 64.0;

/// Take-offs that are followed at once.
pub struct Launches {
    /// Where they are: on level ground if it is more than one position.
    pub x: Interval,
    /// Their horizontal speeds.
    pub speeds: Interval,
    /// The slowest and the fastest of them upwards, if they differ. Both pass the same cuts
    /// as the motion that is followed.
    pub ends: Option<[VerticalFlight; 2]>,
}

/// States when the feet reach a cut at which the body may land.
pub struct ReachedStates<'a> {
    pub cut: usize,
    /// The time at which the motion that is followed reaches it, and how many seconds of
    /// its flight that is.
    pub time: f64,
    pub seconds: f64,
    /// x and horizontal speed at take-off: the corners of convex sets, in order.
    pub sets: &'a [Vec<DVec2>],
    /// How far from there other launches may be.
    pub room: f64,
}

/// The states with which a body has hit nothing so far. The memory is reused from one
/// take-off to the next.
#[derive(Debug, Default)]
pub struct ReachableSpeeds {
    sets: Vec<Vec<DVec2>>,
    next: Vec<Vec<DVec2>>,
}

impl ReachableSpeeds {
    /// Follows `motion` from cut to cut, and calls `arrive` with the states at each cut at
    /// which the body may land. Where the launches differ, these are all states with
    /// which one of them may get there, and more the more they differ.
    pub fn propagate(
        &mut self,
        slabs: &Slabs,
        motion: &VerticalMotion,
        launches: &Launches,
        window: &FlightWindow,
        arrive: impl FnMut(ReachedStates<'_>),
    ) {
        let Launches { x, speeds, .. } = launches;
        let mut corners = vec![DVec2::new(x.lo, speeds.lo), DVec2::new(x.hi, speeds.lo)];
        corners.extend([x.hi, x.lo].map(|x| DVec2::new(x, speeds.hi)));
        corners.dedup();
        self.sets.clear();
        self.sets.push(corners);
        let start = Start::new(slabs, motion, window.tolerance);
        let mut front = SpeedFront {
            reached: self,
            slabs,
            motion,
            launches,
            slack: SLACK * window.tolerance,
            seconds: 0.0,
            apart: 0.0,
            leaving_ground: start.rises && x.len() == 0.0,
            closed: start.closed(),
            arrive,
        };
        traverse(slabs, motion, start, window, &mut front);
    }

    /// Removes the states that lead into one of the open intervals `blocked`, more than
    /// `room` deep, at some second of `span`.
    fn keep_off(&mut self, blocked: &[Interval], span: [f64; 2], room: f64) {
        if blocked.is_empty() {
            return;
        }
        self.next.clear();
        for set in self.sets.drain(..) {
            let reach = positions(&set, span);
            let first = blocked.partition_point(|b| b.hi - room <= reach.lo);
            let holes = blocked[first..].iter().map(|b| b.grown(-room));
            let holes = holes.take_while(|hole| hole.lo < reach.hi);
            let mut lo = f64::NEG_INFINITY;
            for hole in holes.filter(|hole| hole.lo < hole.hi) {
                self.next.extend(inside(&set, span, lo, hole.lo));
                lo = hole.hi;
            }
            if lo == f64::NEG_INFINITY {
                self.next.push(set);
            } else {
                self.next.extend(inside(&set, span, lo, f64::INFINITY));
            }
        }
        std::mem::swap(&mut self.sets, &mut self.next);
    }

    /// Removes the states that lead against a one-way wall at `at`, which bodies pass in the
    /// direction of `way`, at some second of `span`.
    fn keep_to_way(&mut self, at: f64, way: f64, [from, until]: [f64; 2], room: f64, slack: f64) {
        self.next.clear();
        for set in self.sets.drain(..) {
            let reach = positions(&set, [from, until]);
            if at < reach.lo - room || reach.hi + room < at {
                self.next.push(set);
                continue;
            }
            // At the wall itself, a body is behind it.
            let behind = way * at + room - 2.0 * slack;
            let before = clip(Cow::Borrowed(&set), position_after(from, way), behind);
            let beyond = clip(Cow::Borrowed(&set), position_after(from, -way), -behind);
            let beyond =
                beyond.and_then(|set| clip(set, position_after(until, -way), room - way * at));
            self.next
                .extend([before, beyond].into_iter().flatten().map(Cow::into_owned));
        }
        std::mem::swap(&mut self.sets, &mut self.next);
    }
}

/// Where bodies in some states are during some seconds.
pub fn positions(set: &[DVec2], [from, until]: [f64; 2]) -> Interval {
    let mut all = Interval::NOTHING;
    for state in set {
        let (begin, end) = (state.x + state.y * from, state.x + state.y * until);
        all.lo = all.lo.min(begin).min(end);
        all.hi = all.hi.max(begin).max(end);
    }
    all
}

/// The states that are between `lo` and `hi` during some seconds, if any.
pub fn inside(set: &[DVec2], [from, until]: [f64; 2], lo: f64, hi: f64) -> Option<Vec<DVec2>> {
    let sides = [
        (from, -1.0, -lo),
        (from, 1.0, hi),
        (until, -1.0, -lo),
        (until, 1.0, hi),
    ];
    let mut part = Cow::Borrowed(set);
    for (seconds, sign, most) in sides {
        part = clip(part, position_after(seconds, sign), most)?;
    }
    Some(part.into_owned())
}

/// The factors of a state whose product is its position after some seconds, times `sign`.
fn position_after(seconds: f64, sign: f64) -> DVec2 {
    DVec2::new(sign, sign * seconds)
}

/// The states whose product with `normal` is at most `most`, if any. Most of the time of a
/// bake without air control is spent here, and most sets are not cut.
pub fn clip(set: Cow<'_, [DVec2]>, normal: DVec2, most: f64) -> Option<Cow<'_, [DVec2]>> {
    let is_over = |state: &DVec2| normal.dot(*state) > most;
    if !set.iter().any(is_over) {
        return Some(set);
    }
    let mut a = *set.last()?;
    let mut over_a = normal.dot(a) - most;
    let mut part = Vec::new();
    for &b in set.iter() {
        let over_b = normal.dot(b) - most;
        if over_a.min(over_b) < 0.0 && over_a.max(over_b) > 0.0 {
            part.push(a.lerp(b, over_a / (over_a - over_b)));
        }
        if over_b <= 0.0 {
            part.push(b);
        }
        (a, over_a) = (b, over_b);
    }
    (!part.is_empty()).then_some(part.into())
}

/// The [`Front`] of a body without air control.
struct SpeedFront<'a, F> {
    reached: &'a mut ReachableSpeeds,
    slabs: &'a Slabs,
    motion: &'a VerticalMotion,
    launches: &'a Launches,
    slack: f64,
    /// Seconds since take-off up to which the states are narrowed, and how much earlier or
    /// later other launches are.
    seconds: f64,
    apart: f64,
    /// Whether the body rises from slanted ground, which its slab counts as
    /// blocked.
    leaving_ground: bool,
    /// The cuts whose one-way tops are closed to the falling body.
    closed: Range<usize>,
    arrive: F,
}

impl<F: FnMut(ReachedStates<'_>)> SpeedFront<'_, F> {
    /// How far another launch may be from where the motion is in the same state.
    fn room(&self, apart: f64) -> f64 {
        let speeds = self.launches.speeds;
        self.slack + apart * speeds.lo.abs().max(speeds.hi.abs())
    }

    /// Narrows the states to those that hit nothing in `slab` until the feet are at `y`.
    fn advance(&mut self, slab: usize, y: f64, time: f64, falls: bool) {
        let slabs = self.slabs;
        let ends = self.launches.ends.iter().flatten();
        let apart = ends.fold(0.0, |most: f64, end| {
            let other = if falls {
                end.falling_at(y)
            } else {
                end.rising_at(y)
            };
            most.max((other - time).abs())
        });
        let span = [self.seconds, time - self.motion.first().start];
        let room = self.room(apart.max(self.apart));
        (self.seconds, self.apart) = (span[1], apart);
        if span[1] <= 0.0 {
            return;
        }
        if !self.leaving_ground || falls {
            self.reached.keep_off(slabs.blocked.get(slab), span, room);
        }
        if falls {
            let slopes = slabs.one_way_slopes.get(slab);
            self.reached.keep_off(slopes, span, room);
            for cut in self.closed.clone() {
                self.reached
                    .keep_off(slabs.one_way_tops.get(cut), span, room);
            }
        }
        if !slabs.has_walls() {
            return;
        }
        let Walls { right, left } = slabs.walls(slab);
        let sets = self.reached.sets.iter();
        let reach = sets.map(|set| positions(set, span));
        let reach = reach.fold(Interval::NOTHING, |all, x| {
            all.extended_to(x.lo).extended_to(x.hi)
        });
        for (walls, way) in [(right, 1.0), (left, -1.0)] {
            for &at in within(walls, reach.grown(room)) {
                (self.reached).keep_to_way(at, way, span, room, self.slack);
            }
        }
    }

    /// Removes the states in which the body is inside `closed` at the present time.
    fn close(&mut self, closed: &[Interval]) {
        let room = self.room(self.apart);
        self.reached.keep_off(closed, [self.seconds; 2], room);
    }

    fn arrive_at(&mut self, cut: usize, time: f64) {
        let room = self.room(self.apart);
        (self.arrive)(ReachedStates {
            cut,
            time,
            seconds: self.seconds,
            sets: &self.reached.sets,
            room,
        });
    }
}

impl<F: FnMut(ReachedStates<'_>)> Front for SpeedFront<'_, F> {
    fn rise(&mut self, cut: usize, time: f64) -> bool {
        let slabs = self.slabs;
        let (slab, x) = (cut + 1, self.motion.x);
        self.leaving_ground &=
            slabs.is_slanted(slab, Interval::at(x)) && slabs.free_around(slab, x).is_none();
        self.advance(slab, slabs.cuts[cut], time, false);
        self.close(slabs.one_way_ceilings.get(cut));
        !self.reached.sets.is_empty()
    }

    fn fall(&mut self, cut: usize, time: f64, lands: bool, closed: Range<usize>) -> bool {
        let slabs = self.slabs;
        self.advance(cut, slabs.cuts[cut], time, true);
        self.closed = closed;
        if lands {
            self.arrive_at(cut, time);
        }
        self.close(slabs.one_way_tops.get(cut));
        !self.reached.sets.is_empty()
    }

    fn open(&mut self, slab: usize, time: f64, closed: Range<usize>) -> bool {
        self.advance(slab, self.motion.last().height_at(time), time, true);
        self.closed = closed;
        !self.reached.sets.is_empty()
    }

    fn touch(&mut self, cut: usize, time: f64) {
        // The body can land only where it is free, even if it rose from slanted
        // ground.
        self.leaving_ground = false;
        self.advance(cut + 1, self.slabs.cuts[cut], time, false);
        self.arrive_at(cut, time);
    }

    fn jump(&mut self, slab: usize, time: f64) -> bool {
        self.advance(slab, self.motion.last().height_at(time), time, true);
        self.closed = 0..0;
        true
    }
}
