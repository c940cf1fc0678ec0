//! Where a body without air control can be: the horizontal speeds it may have
//! taken off with, as exact intervals, narrowed slab by slab.

use super::reach::first_slab;
use super::{Launch, Leave, Limits, Node, Slabs, TakeOff, Within};
use crate::geometry::{Interval, OneWayBarrier, merge, subtract};
use crate::source::PassDirection;

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
        let flights = take_off.flights();
        let begin = flights[0].start;
        let mut slab = first_slab(slabs, &flights[0], tolerance);
        self.left.clear();
        self.left.push(match launch.leave {
            Leave::OffLeft => Interval::new(-limits.run_speed, 0.0),
            Leave::OffRight => Interval::new(0.0, limits.run_speed),
            Leave::Up(_) | Leave::Through | Leave::LetGo => {
                Interval::new(-limits.run_speed, limits.run_speed)
            }
        });
        let mut leaving_ground = flights[0].apex() < flights[0].y - tolerance;
        let mut time = 0.0;
        for (i, flight) in flights.iter().enumerate() {
            let next = flights.get(i + 1).map_or(f64::INFINITY, |f| f.start);
            let last = next.is_infinite();
            let apex = flight.apex();
            let rises = apex < flight.y - tolerance;
            while rises && slab > 0 && cuts[slab - 1] > apex + tolerance {
                let at = flight.rising_at(cuts[slab - 1]);
                if at >= next {
                    break;
                }
                let until = at - begin;
                leaving_ground &= slabs.free_around(slab, take_off.x).is_none();
                if !leaving_ground {
                    self.narrow(slabs.blocked(slab), take_off.x, time, until);
                }
                self.narrow_gates(slabs.gates(slab), take_off.x, time, until);
                self.narrow(slabs.one_way_ceilings(slab - 1), take_off.x, until, until);
                time = until;
                slab -= 1;
            }
            if rises && last && slab > 0 && (cuts[slab - 1] - apex).abs() <= tolerance {
                let top = flight.apex_at() - begin;
                self.narrow(slabs.blocked(slab), take_off.x, time, top);
                self.narrow_gates(slabs.gates(slab), take_off.x, time, top);
                self.places(take_off.x, top, window);
                landing(slab - 1, begin + top, &self.nodes, 0);
                time = top;
            }
            while let Some(&y) = cuts.get(slab).filter(|y| **y <= lowest + tolerance) {
                if flight.apex_at() >= next || flight.falling_at(y) >= next {
                    break;
                }
                let until = flight.falling_at(y) - begin;
                self.narrow(slabs.blocked(slab), take_off.x, time, until);
                self.narrow(slabs.one_way_slopes(slab), take_off.x, time, until);
                self.narrow_gates(slabs.gates(slab), take_off.x, time, until);
                if self.left.is_empty() {
                    return;
                }
                if last {
                    self.places(take_off.x, until, window);
                    landing(slab, begin + until, &self.nodes, 0);
                }
                self.narrow(slabs.one_way_floors(slab), take_off.x, until, until);
                time = until;
                slab += 1;
            }
            if last || flight.height_at(next) > lowest + tolerance {
                return;
            }
            // To the launch in the air, inside one slab.
            let until = next - begin;
            self.narrow(slabs.blocked(slab), take_off.x, time, until);
            self.narrow(slabs.one_way_slopes(slab), take_off.x, time, until);
            self.narrow_gates(slabs.gates(slab), take_off.x, time, until);
            time = until;
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

    /// Takes away the speeds that lead from `x` against a one-way wall at some
    /// time from `from` to `until`.
    fn narrow_gates(&mut self, gates: &[OneWayBarrier], x: f64, from: f64, until: f64) {
        for gate in gates {
            // Beyond the line at `from` and on this side of it at `until`.
            let speed = |time: f64, at_once: f64| {
                if time > 0.0 {
                    (gate.at - x) / time
                } else {
                    at_once
                }
            };
            let hit = [match gate.pass {
                PassDirection::Right if x >= gate.at => {
                    Interval::new(speed(from, f64::NEG_INFINITY), speed(until, 0.0))
                }
                PassDirection::Left if x <= gate.at => {
                    Interval::new(speed(until, 0.0), speed(from, f64::INFINITY))
                }
                _ => continue,
            }];
            self.next.clear();
            for speeds in &self.left {
                subtract(*speeds, &hit, |s| self.next.push(s));
            }
            std::mem::swap(&mut self.left, &mut self.next);
        }
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
