//! Where a body without air control can be: the horizontal speeds it may have
//! taken off with, as exact intervals, narrowed slab by slab.

use super::{Launch, Limits, Node, Slabs, TakeOff, Within};
use crate::geometry::{Interval, merge, subtract};

/// The speeds with which a body has hit nothing so far; reused from one
/// take-off to the next.
#[derive(Debug, Default)]
pub(super) struct Speeds {
    left: Vec<Interval>,
    next: Vec<Interval>,
    hit: Vec<Interval>,
    nodes: Vec<Node>,
}

impl Speeds {
    /// The counterpart of [`super::Reach::run`] for one speed from take-off
    /// to landing.
    pub(super) fn run(
        &mut self,
        slabs: &Slabs,
        limits: &Limits,
        take_off: &TakeOff,
        launch: Launch,
        within: &Within,
        mut landing: impl FnMut(usize, f64, &[Node], usize),
    ) {
        let Within {
            window,
            lowest,
            tolerance,
        } = *within;
        let cuts = slabs.cuts();
        let flight = &take_off.flight;
        let apex = flight.apex();
        let rises = apex < flight.y - tolerance;
        let mut slab = slabs.slab_above(flight.y, tolerance);
        if !rises && slabs.cut_at(flight.y, tolerance).is_some() {
            slab += 1;
        }
        self.left.clear();
        self.left.push(match launch {
            Launch::OffLeft => Interval::new(-limits.run_speed, 0.0),
            Launch::OffRight => Interval::new(0.0, limits.run_speed),
            Launch::Up(_) => Interval::new(-limits.run_speed, limits.run_speed),
        });
        let mut leaving_ground = rises;
        let mut time = 0.0;
        if rises {
            while slab > 0 && cuts[slab - 1] > apex + tolerance {
                let until = flight.rising_at(cuts[slab - 1]) - flight.start;
                leaving_ground &= slabs.free_around(slab, take_off.x).is_none();
                if !leaving_ground {
                    self.narrow(slabs.blocked(slab), take_off.x, time, until);
                }
                time = until;
                slab -= 1;
            }
            if slab > 0 && (cuts[slab - 1] - apex).abs() <= tolerance {
                let top = flight.speed / flight.gravity;
                self.narrow(slabs.blocked(slab), take_off.x, time, top);
                self.places(take_off.x, top, window);
                landing(slab - 1, flight.start + top, &self.nodes, 0);
                time = top;
            }
        }
        while let Some(&y) = cuts.get(slab).filter(|y| **y <= lowest + tolerance) {
            let until = flight.falling_at(y) - flight.start;
            self.narrow(slabs.blocked(slab), take_off.x, time, until);
            self.narrow(slabs.one_way_slopes(slab), take_off.x, time, until);
            if self.left.is_empty() {
                return;
            }
            self.places(take_off.x, until, window);
            landing(slab, flight.start + until, &self.nodes, 0);
            self.narrow(slabs.one_way_floors(slab), take_off.x, until, until);
            time = until;
            slab += 1;
        }
    }

    /// Takes away the speeds that lead from `x` into one of the open
    /// intervals `blocked` at some time from `from` to `until`.
    fn narrow(&mut self, blocked: &[Interval], x: f64, from: f64, until: f64) {
        if until <= 0.0 || self.left.is_empty() {
            return;
        }
        // Only what the speeds that are left can reach.
        let (slow, fast) = (self.left[0].lo, self.left[self.left.len() - 1].hi);
        let reach = Interval::new(
            x + (slow * until).min(slow * from),
            x + (fast * until).max(fast * from),
        );
        let first = blocked.partition_point(|b| b.hi <= reach.lo);
        self.hit.clear();
        for b in blocked[first..].iter().take_while(|b| b.lo < reach.hi) {
            let per = |d: f64, t: f64| {
                if t > 0.0 || d == 0.0 {
                    d / t.max(f64::MIN_POSITIVE)
                } else {
                    d.signum() * f64::INFINITY
                }
            };
            let (lo, hi) = (b.lo - x, b.hi - x);
            self.hit.push(Interval::new(
                per(lo, from).min(per(lo, until)),
                per(hi, from).max(per(hi, until)),
            ));
        }
        if self.hit.is_empty() {
            return;
        }
        merge(&mut self.hit);
        self.next.clear();
        for speeds in &self.left {
            subtract(*speeds, &self.hit, |s| self.next.push(s));
        }
        std::mem::swap(&mut self.left, &mut self.next);
    }

    fn places(&mut self, x: f64, time: f64, window: Interval) {
        self.nodes.clear();
        for speeds in &self.left {
            let x = Interval::new(x + speeds.lo * time, x + speeds.hi * time).intersection(&window);
            if !x.is_empty() {
                self.nodes.push(Node {
                    x,
                    free: x,
                    parent: 0,
                });
            }
        }
    }
}
