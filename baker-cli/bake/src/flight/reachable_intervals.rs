//! The positions that a body with air control can have: exact intervals of x,
//! slab by slab.
//!
//! Inside a slab the positions grow by run speed × time within a free interval
//! of x; at a cut they are clipped by the free intervals of the next slab.
//! Every interval stores the interval from which it was reached, so that a
//! motion to any of its points can be constructed afterwards.

use std::ops::Range;

use crate::flight::funnel::FunnelGate;
use crate::flight::slab_traversal::{
    Arrival, FlightWindow, Front, ReachedInterval, Start, traverse,
};
use crate::flight::vertical_motion::VerticalMotion;
use crate::geometry::{Interval, cut_out, subtract};
use crate::space::slabs::Slabs;

/// All intervals at one crossing.
#[derive(Debug, Clone, Copy)]
struct Crossing {
    /// The time at which the slab is entered.
    time: f64,
    /// Index of the first interval.
    start: u32,
}

/// The intervals that a take-off reaches. Its memory is reused for the next
/// take-off.
#[derive(Debug, Default)]
pub struct ReachableIntervals {
    intervals: Vec<ReachedInterval>,
    crossings: Vec<Crossing>,
    /// The intervals of the last crossing as they are later, still inside their
    /// slab, each with the index of the interval that it grew from.
    grown: Vec<ReachedInterval>,
    /// Memory of [`IntervalFront::enter`].
    pieces: Vec<Interval>,
    open: Vec<Interval>,
}

impl ReachableIntervals {
    /// Propagates a take-off, and calls `arrive` at every cut that the feet
    /// reach on the way down.
    pub fn propagate(
        &mut self,
        slabs: &Slabs,
        run_speed: f64,
        motion: &VerticalMotion,
        window: &FlightWindow,
        arrive: impl FnMut(Arrival<'_>),
    ) {
        self.intervals.clear();
        self.crossings.clear();
        let start = Start::new(slabs, motion, window.tolerance);
        let slab = start.slab;
        let x = Interval::at(motion.x);
        let around = slabs.free_around(slab, motion.x);
        let stands_on_slant = start.rises && slabs.is_slanted(slab, x);
        let on_slant =
            stands_on_slant.then(|| free_on_slant(slabs, slab, motion.x, window.tolerance));
        let Some(mut free) = around.or(on_slant) else {
            return;
        };
        // A body beside a one-way top stays beside it at first.
        for cut in start.closed() {
            let from = free;
            subtract(from, slabs.one_way_tops.get(cut), |open| {
                if open.contains(motion.x) {
                    free = open;
                }
            });
        }
        self.intervals.push(ReachedInterval {
            x,
            free: slabs.walls(slab).clip(motion.x, free),
            parent: 0,
        });
        self.crossings.push(Crossing {
            time: motion.first().start,
            start: 0,
        });
        let mut front = IntervalFront {
            reached: self,
            slabs,
            has_one_way: slabs.has_one_way(),
            run_speed,
            window: window.x,
            column: around.is_none().then_some(motion.x),
            arrive,
        };
        traverse(slabs, motion, start, window, &mut front);
    }

    /// A copy for [`funnel`](Self::funnel), without the memory of the propagation.
    pub fn to_record(&self) -> Self {
        Self {
            intervals: self.intervals.clone(),
            crossings: self.crossings.clone(),
            ..Self::default()
        }
    }

    /// The gates of a motion from take-off to the position `x` inside `interval`,
    /// which was reached at `time` after `depth` crossings.
    pub fn funnel(
        &self,
        interval: ReachedInterval,
        depth: usize,
        time: f64,
        x: f64,
    ) -> Vec<FunnelGate> {
        // With room for a walk before and a fall after these.
        let mut out = Vec::with_capacity(depth + 3);
        out.push(FunnelGate::point(time, x));
        let mut index = interval.parent;
        for crossing in self.crossings[..depth].iter().rev() {
            let ReachedInterval { x, free, parent } = self.intervals[index as usize];
            out.push(FunnelGate {
                time: crossing.time,
                x,
                free,
            });
            index = parent;
        }
        out.reverse();
        out
    }
}

/// Where a body can be at first that rises from slanted ground at `x`, around which
/// its slab counts as blocked. The column straight above the feet is free, because the
/// body stood there. The lower end of a slope lies a lattice unit (twice `tolerance`)
/// from where the slab is free.
fn free_on_slant(slabs: &Slabs, slab: usize, x: f64, tolerance: f64) -> Interval {
    let beside = [x - 2.0 * tolerance, x + 2.0 * tolerance];
    let free = beside.iter().find_map(|x| slabs.free_around(slab, *x));
    free.map_or(Interval::at(x), |free| free.extended_to(x))
}

/// The [`Front`] of a body with air control.
struct IntervalFront<'a, F> {
    reached: &'a mut ReachableIntervals,
    slabs: &'a Slabs,
    has_one_way: bool,
    run_speed: f64,
    window: Interval,
    /// The x of a take-off from slanted ground, while only straight up is
    /// known to be free.
    column: Option<f64>,
    arrive: F,
}

impl<F: FnMut(Arrival<'_>)> IntervalFront<'_, F> {
    /// Lets the intervals of the last crossing grow until `time`, inside their
    /// slab.
    #[inline]
    fn grow(&mut self, time: f64) {
        let reached = &mut *self.reached;
        reached.grown.clear();
        let Some(last) = reached.crossings.last() else {
            return;
        };
        let by = self.run_speed * (time - last.time);
        let before = reached.intervals.get(last.start as usize..);
        for (interval, parent) in before.unwrap_or_default().iter().zip(last.start..) {
            let free = interval.free;
            let x = (interval.x.grown(by))
                .intersection(&free)
                .intersection(&self.window);
            if !x.is_empty() {
                reached.grown.push(ReachedInterval { x, free, parent });
            }
        }
    }

    /// Reports where the intervals have grown to when the feet reach `cut`.
    #[inline]
    fn arrive(&mut self, cut: usize, time: f64) {
        (self.arrive)(Arrival {
            cut,
            time,
            intervals: &self.reached.grown,
            depth: self.reached.crossings.len(),
        });
    }

    /// Moves all intervals, which have grown until `time`, into the slab `to`,
    /// where the one-way tops at the cuts `closed` are closed. `close` removes
    /// what is closed at the crossing. Returns whether any are left.
    #[inline]
    fn enter(
        &mut self,
        to: usize,
        time: f64,
        closed: Range<usize>,
        close: impl Fn(&mut Vec<Interval>),
    ) -> bool {
        let slabs = self.slabs;
        let ReachableIntervals {
            intervals,
            crossings,
            grown,
            pieces,
            open,
        } = &mut *self.reached;
        let start = intervals.len() as u32;
        for &ReachedInterval { x, parent, .. } in &*grown {
            if self.has_one_way {
                let walls = slabs.walls(to);
                pieces.clear();
                pieces.push(x);
                close(pieces);
                for piece in &*pieces {
                    slabs.free_within(to, *piece, |free| {
                        open.clear();
                        open.push(free);
                        for cut in closed.clone() {
                            cut_out(open, slabs.one_way_tops.get(cut));
                        }
                        for free in &*open {
                            let x = piece.intersection(free);
                            if !x.is_empty() {
                                walls.split(x, *free, |x, free| {
                                    add(intervals, start, ReachedInterval { x, free, parent });
                                });
                            }
                        }
                    });
                }
            } else {
                slabs.free_within(to, x, |free| {
                    let x = x.intersection(&free);
                    add(intervals, start, ReachedInterval { x, free, parent });
                });
            }
            if let Some(column) = self.column.filter(|column| x.contains(*column)) {
                let x = Interval::at(column);
                add(intervals, start, ReachedInterval { x, free: x, parent });
            }
        }
        crossings.push(Crossing { time, start });
        intervals.len() as u32 > start
    }
}

impl<F: FnMut(Arrival<'_>)> Front for IntervalFront<'_, F> {
    #[inline]
    fn rise(&mut self, cut: usize, time: f64) -> bool {
        let slabs = self.slabs;
        (self.column).take_if(|x| {
            !slabs.is_slanted(cut, Interval::at(*x)) || slabs.free_around(cut, *x).is_some()
        });
        self.grow(time);
        self.enter(cut, time, 0..0, |pieces| {
            cut_out(pieces, slabs.one_way_ceilings.get(cut));
        })
    }

    #[inline]
    fn fall(&mut self, cut: usize, time: f64, lands: bool, closed: Range<usize>) -> bool {
        self.column = None;
        self.grow(time);
        if lands {
            self.arrive(cut, time);
        }
        let slabs = self.slabs;
        self.enter(cut + 1, time, closed, |pieces| {
            cut_out(pieces, slabs.one_way_tops.get(cut));
            cut_out(pieces, slabs.one_way_slopes.get(cut + 1));
        })
    }

    #[inline]
    fn open(&mut self, slab: usize, time: f64, closed: Range<usize>) -> bool {
        self.grow(time);
        self.enter(slab, time, closed, |_| {})
    }

    fn touch(&mut self, cut: usize, time: f64) {
        self.grow(time);
        self.arrive(cut, time);
    }

    fn jump(&mut self, _slab: usize, time: f64) -> bool {
        self.column = None;
        self.grow(time);
        let start = self.reached.intervals.len() as u32;
        // A jump changes the vertical motion only: the body is still in the same slab and
        // interval.
        self.reached.intervals.append(&mut self.reached.grown);
        self.reached.crossings.push(Crossing { time, start });
        self.reached.intervals.len() > start as usize
    }
}

/// Adds an interval unless its positions are known already; where it overlaps
/// others, only what is new is added.
fn add(intervals: &mut Vec<ReachedInterval>, start: u32, mut new: ReachedInterval) {
    for known in &intervals[start as usize..] {
        if known.free != new.free {
            continue;
        }
        if known.x.lo <= new.x.lo && new.x.hi <= known.x.hi {
            return;
        }
        if known.x.lo <= new.x.lo && new.x.lo <= known.x.hi {
            new.x.lo = known.x.hi;
        } else if known.x.lo <= new.x.hi && new.x.hi <= known.x.hi {
            new.x.hi = known.x.lo;
        }
    }
    intervals.push(new);
}
