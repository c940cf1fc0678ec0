//! Where a body in the air can be: its x as exact intervals, slab by slab.
//!
//! For one vertical motion (a take-off height and a launch speed) the time at
//! which the feet cross each cut is known, so the places the body can have
//! reached by then, changing its horizontal speed at will, are a union of
//! intervals: they grow by run speed × time inside a slab's free stretch, and
//! are clipped where the next slab's stretches begin. Every interval
//! remembers the one it came from, so that a motion to any point of it can be
//! drawn afterwards.

use super::{Flight, Limits, Slabs, TakeOff};
use crate::geometry::{Interval, beside_gates, cut_out};

/// Places the body can be when it enters a slab.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// The places, ends included.
    pub x: Interval,
    /// The free stretch of the slab they lie in.
    pub free: Interval,
    /// Index of the node of the previous layer they are reached from.
    pub parent: u32,
}

/// All nodes at one crossing.
#[derive(Debug, Clone, Copy)]
struct LayerInfo {
    /// When the slab is entered.
    time: f64,
    /// Where its nodes start.
    start: u32,
}

/// What the propagation found, kept for drawing motions; reused from one
/// take-off to the next.
#[derive(Debug, Default)]
pub struct Reach {
    nodes: Vec<Node>,
    layers: Vec<LayerInfo>,
    scratch: Vec<Interval>,
}

/// A moment of a motion: at `time` the body is somewhere in `x`, and until
/// the next portal it stays within `free`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FunnelGate {
    /// Seconds after take-off.
    pub time: f64,
    /// Where the body may be.
    pub x: Interval,
    /// Where it may be until the next portal.
    pub free: Interval,
}

/// The slab in which a flight begins: rising, the feet leave into the one
/// above; falling, into the one below.
pub(super) fn first_slab(slabs: &Slabs, flight: &Flight, tolerance: f64) -> usize {
    let slab = slabs.slab_above(flight.y, tolerance);
    let rises = flight.apex() < flight.y - tolerance;
    slab + usize::from(!rises && slabs.cut_at(flight.y, tolerance).is_some())
}

/// What one flight of a take-off goes by.
#[derive(Clone, Copy)]
struct Step<'a> {
    slabs: &'a Slabs,
    limits: &'a Limits,
    within: &'a Within,
    flight: &'a Flight,
    /// When the next launch in the air happens; infinite for none.
    next: f64,
}

/// What a flight keeps to.
#[derive(Debug, Clone, Copy)]
pub struct Within {
    /// The x it may take.
    pub window: Interval,
    /// The lowest it may land, y down.
    pub lowest: f64,
    /// Heights closer than this are one.
    pub tolerance: f64,
}

impl Reach {
    /// Propagates a take-off and calls `landing`
    /// at every cut the feet cross on the way down, with the cut, the time,
    /// the places reached there (in no order), and how many layers there were
    /// before.
    pub fn run(
        &mut self,
        slabs: &Slabs,
        limits: &Limits,
        take_off: &TakeOff,
        within: &Within,
        mut landing: impl FnMut(usize, f64, &[Node], usize),
    ) {
        self.nodes.clear();
        self.layers.clear();
        let Within {
            window,
            lowest,
            tolerance,
        } = *within;
        let flights = take_off.flights();
        let first = &flights[0];
        let rises = first.apex() < first.y - tolerance;
        let mut slab = first_slab(slabs, first, tolerance);
        let mut time = first.start;
        let x0 = Interval::new(take_off.x, take_off.x);
        let Some(free) = slabs.free_around(slab, take_off.x).or_else(|| {
            // On a slope the slab of the feet is partly ground; straight up
            // is free all the same.
            rises.then_some(x0)
        }) else {
            return;
        };
        self.layers.push(LayerInfo { time, start: 0 });
        let gates = slabs.gates(slab).iter();
        let free = gates.fold(free, |free, gate| gate.keeps(take_off.x, free));
        self.nodes.push(Node {
            x: x0,
            free,
            parent: 0,
        });
        let mut leaving_ground = rises && slabs.free_around(slab, take_off.x).is_none();
        for (i, flight) in flights.iter().enumerate() {
            let next = flights.get(i + 1).map_or(f64::INFINITY, |f| f.start);
            let last = next.is_infinite();
            let step = Step {
                slabs,
                limits,
                within,
                flight,
                next,
            };
            let column = leaving_ground.then_some(take_off.x);
            if !self.rise(&step, &mut slab, &mut time, column) {
                return;
            }
            leaving_ground = false;
            if last {
                self.touch(&step, slab, time, &mut landing);
            }
            if !self.sink(&step, &mut slab, &mut time, last, &mut landing) {
                return;
            }
            if last || flight.height_at(next) > lowest + tolerance {
                return;
            }
            // To the launch in the air, inside one slab.
            let start = self.expand(limits, next - time, window);
            self.layers.push(LayerInfo { time: next, start });
            if self.nodes.len() == start as usize {
                return;
            }
            time = next;
        }
    }

    /// Rises from cut to cut, until the apex or the next launch. `column`:
    /// the x of a take-off from slanted ground, in whose slabs only straight
    /// up is known to be free. `false` when nowhere can be reached.
    fn rise(
        &mut self,
        step: &Step<'_>,
        slab: &mut usize,
        time: &mut f64,
        mut column: Option<f64>,
    ) -> bool {
        let Step { slabs, flight, .. } = *step;
        let cuts = slabs.cuts();
        let (apex, tolerance) = (flight.apex(), step.within.tolerance);
        if apex >= flight.y - tolerance {
            return true;
        }
        while *slab > 0 && cuts[*slab - 1] > apex + tolerance {
            let cut = *slab - 1;
            let next_time = flight.rising_at(cuts[cut]);
            if next_time >= step.next {
                return true;
            }
            column = column.filter(|x| slabs.free_around(cut, *x).is_none());
            if !self.advance(step, next_time - *time, cut, next_time, None, column) {
                return false;
            }
            *slab = cut;
            *time = next_time;
        }
        true
    }

    /// An apex exactly at a cut does not enter the slab above it, but lands
    /// there.
    fn touch(
        &mut self,
        step: &Step<'_>,
        slab: usize,
        time: f64,
        landing: &mut impl FnMut(usize, f64, &[Node], usize),
    ) {
        let (flight, within) = (step.flight, step.within);
        let apex = flight.apex();
        let at_a_cut = slab > 0
            && apex < flight.y - within.tolerance
            && (step.slabs.cuts()[slab - 1] - apex).abs() <= within.tolerance;
        if at_a_cut {
            let top = flight.apex_at();
            let first = self.expand(step.limits, top - time, within.window);
            landing(
                slab - 1,
                top,
                &self.nodes[first as usize..],
                self.layers.len(),
            );
            self.nodes.truncate(first as usize);
        }
    }

    /// Falls from cut to cut, until the lowest height or the next launch;
    /// the last flight lands on the way. `false` when nowhere can be reached.
    fn sink(
        &mut self,
        step: &Step<'_>,
        slab: &mut usize,
        time: &mut f64,
        last: bool,
        landing: &mut impl FnMut(usize, f64, &[Node], usize),
    ) -> bool {
        let (flight, within) = (step.flight, step.within);
        if flight.apex_at() >= step.next {
            return true;
        }
        let lowest = within.lowest + within.tolerance;
        while let Some(&y) = step.slabs.cuts().get(*slab).filter(|y| **y <= lowest) {
            let next_time = flight.falling_at(y);
            if next_time >= step.next {
                return true;
            }
            if last {
                let first = self.expand(step.limits, next_time - *time, within.window);
                landing(
                    *slab,
                    next_time,
                    &self.nodes[first as usize..],
                    self.layers.len(),
                );
                self.nodes.truncate(first as usize);
            }
            let barrier = Some(*slab);
            if !self.advance(step, next_time - *time, *slab + 1, next_time, barrier, None) {
                return false;
            }
            *slab += 1;
            *time = next_time;
        }
        true
    }

    /// Appends, as temporary nodes, where the body can be `seconds` after the
    /// last layer, still inside its slab.
    fn expand(&mut self, limits: &Limits, seconds: f64, window: Interval) -> u32 {
        let first = self.nodes.len() as u32;
        let start = self.layers[self.layers.len() - 1].start;
        for parent in start..first {
            let node = self.nodes[parent as usize];
            let x = node
                .x
                .grown(limits.run_speed * seconds)
                .intersection(&node.free)
                .intersection(&window);
            if !x.is_empty() {
                self.nodes.push(Node {
                    x,
                    free: node.free,
                    parent,
                });
            }
        }
        first
    }

    /// Adds the layer of the slab `to`, entered at `time`, `seconds` after
    /// the last. `false` when nowhere in it can be reached.
    fn advance(
        &mut self,
        step: &Step<'_>,
        seconds: f64,
        to: usize,
        time: f64,
        barrier: Option<usize>,
        column: Option<f64>,
    ) -> bool {
        let Step { slabs, limits, .. } = *step;
        let window = step.within.window;
        let parents = self.layers[self.layers.len() - 1].start..self.nodes.len() as u32;
        let start = parents.end;
        let mut pieces = std::mem::take(&mut self.scratch);
        for parent in parents {
            let node = self.nodes[parent as usize];
            let grown = node
                .x
                .grown(limits.run_speed * seconds)
                .intersection(&node.free)
                .intersection(&window);
            if grown.is_empty() {
                continue;
            }
            pieces.clear();
            pieces.push(grown);
            if let Some(cut) = barrier {
                cut_out(&mut pieces, slabs.one_way_floors(cut));
                cut_out(&mut pieces, slabs.one_way_slopes(to));
            } else {
                // Rising: it goes into the slab above the cut of that number.
                cut_out(&mut pieces, slabs.one_way_ceilings(to));
            }
            for piece in &pieces {
                slabs.free_within(to, *piece, |free| {
                    beside_gates(
                        slabs.gates(to),
                        piece.intersection(&free),
                        free,
                        |x, free| {
                            add(&mut self.nodes, start, Node { x, free, parent });
                        },
                    );
                });
            }
            if let Some(x) = column.filter(|x| grown.contains(*x)) {
                let x = Interval::new(x, x);
                add(&mut self.nodes, start, Node { x, free: x, parent });
            }
        }
        self.scratch = pieces;
        self.layers.push(LayerInfo { time, start });
        self.nodes.len() as u32 > start
    }

    /// The portals of a motion from take-off to the place `x` that `node`
    /// (as given to `landing`, `depth` layers in) reached at `time`.
    pub fn portals(&self, node: Node, depth: usize, time: f64, x: f64, out: &mut Vec<FunnelGate>) {
        out.clear();
        let end = Interval::new(x, x);
        out.push(FunnelGate {
            time,
            x: end,
            free: end,
        });
        let mut index = node.parent;
        for layer in self.layers[..depth].iter().rev() {
            let node = self.nodes[index as usize];
            out.push(FunnelGate {
                time: layer.time,
                x: node.x,
                free: node.free,
            });
            index = node.parent;
        }
        out.reverse();
    }
}

/// Adds a node unless its places are known already; of overlapping ones only
/// what is new is added.
fn add(nodes: &mut Vec<Node>, start: u32, mut node: Node) {
    for known in &nodes[start as usize..] {
        if known.free != node.free {
            continue;
        }
        if known.x.lo <= node.x.lo && node.x.hi <= known.x.hi {
            return;
        }
        if known.x.lo <= node.x.lo && node.x.lo <= known.x.hi {
            node.x.lo = known.x.hi;
        } else if known.x.lo <= node.x.hi && node.x.hi <= known.x.hi {
            node.x.hi = known.x.lo;
        }
    }
    nodes.push(node);
}
