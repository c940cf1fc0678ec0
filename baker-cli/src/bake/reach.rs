//! Where a body in the air can be: its x as exact intervals, slab by slab.
//!
//! For one vertical motion (a take-off height and a launch speed) the time at
//! which the feet cross each cut is known, so the places the body can have
//! reached by then, changing its horizontal speed at will, are a union of
//! intervals: they grow by run speed × time inside a slab's free stretch, and
//! are clipped where the next slab's stretches begin. Every interval
//! remembers the one it came from, so that a motion to any point of it can be
//! drawn afterwards.

use super::{Flight, Limits, Slabs};
use crate::geometry::{Interval, subtract};

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
pub struct Portal {
    /// Seconds after take-off.
    pub time: f64,
    /// Where the body may be.
    pub x: Interval,
    /// Where it may be until the next portal.
    pub free: Interval,
}

/// A take-off: where, how fast upwards, and when.
#[derive(Debug, Clone, Copy)]
pub struct TakeOff {
    /// x of the feet as the flight starts.
    pub x: f64,
    /// The vertical motion.
    pub flight: Flight,
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
        let cuts = slabs.cuts();
        let flight = &take_off.flight;
        let apex = flight.apex();
        let x0 = Interval::new(take_off.x, take_off.x);
        let rises = apex < flight.y - tolerance;
        // Rising, the feet leave into the slab above; falling, into the one
        // below.
        let mut slab = slabs.slab_above(flight.y, tolerance);
        if !rises && slabs.cut_at(flight.y, tolerance).is_some() {
            slab += 1;
        }
        let mut time = flight.start;
        let Some(free) = slabs.free_around(slab, take_off.x).or_else(|| {
            // On a slope the slab of the feet is partly ground; straight up
            // is free all the same.
            rises.then_some(x0)
        }) else {
            return;
        };
        self.layers.push(LayerInfo { time, start: 0 });
        self.nodes.push(Node {
            x: x0,
            free,
            parent: 0,
        });
        let mut leaving_ground = rises && slabs.free_around(slab, take_off.x).is_none();
        if rises {
            while slab > 0 && cuts[slab - 1] > apex + tolerance {
                let cut = slab - 1;
                let next_time = flight.rising_at(cuts[cut]);
                leaving_ground &= slabs.free_around(cut, take_off.x).is_none();
                let column = leaving_ground.then_some(take_off.x);
                if !self.advance(
                    slabs,
                    limits,
                    next_time - time,
                    cut,
                    next_time,
                    window,
                    None,
                    column,
                ) {
                    return;
                }
                slab = cut;
                time = next_time;
            }
            // An apex exactly at a cut does not enter the slab above it, but
            // lands there.
            if slab > 0 && (cuts[slab - 1] - apex).abs() <= tolerance {
                let top = flight.start + flight.speed / flight.gravity;
                let first = self.expand(limits, top - time, window);
                landing(
                    slab - 1,
                    top,
                    &self.nodes[first as usize..],
                    self.layers.len(),
                );
                self.nodes.truncate(first as usize);
            }
        }
        while let Some(&y) = cuts.get(slab).filter(|y| **y <= lowest + tolerance) {
            let next_time = flight.falling_at(y);
            let first = self.expand(limits, next_time - time, window);
            landing(
                slab,
                next_time,
                &self.nodes[first as usize..],
                self.layers.len(),
            );
            self.nodes.truncate(first as usize);
            let barrier = Some(slab);
            if !self.advance(
                slabs,
                limits,
                next_time - time,
                slab + 1,
                next_time,
                window,
                barrier,
                None,
            ) {
                return;
            }
            slab += 1;
            time = next_time;
        }
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
    #[allow(clippy::too_many_arguments)] // one step of one loop, not an interface
    fn advance(
        &mut self,
        slabs: &Slabs,
        limits: &Limits,
        seconds: f64,
        to: usize,
        time: f64,
        window: Interval,
        barrier: Option<usize>,
        column: Option<f64>,
    ) -> bool {
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
            }
            for piece in &pieces {
                slabs.free_within(to, *piece, |free| {
                    let x = piece.intersection(&free);
                    if !x.is_empty() {
                        add(&mut self.nodes, start, Node { x, free, parent });
                    }
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
    pub fn portals(&self, node: Node, depth: usize, time: f64, x: f64, out: &mut Vec<Portal>) {
        out.clear();
        let end = Interval::new(x, x);
        out.push(Portal {
            time,
            x: end,
            free: end,
        });
        let mut index = node.parent;
        for layer in self.layers[..depth].iter().rev() {
            let node = self.nodes[index as usize];
            out.push(Portal {
                time: layer.time,
                x: node.x,
                free: node.free,
            });
            index = node.parent;
        }
        out.reverse();
    }
}

/// Takes sorted open intervals out of each piece.
fn cut_out(pieces: &mut Vec<Interval>, holes: &[Interval]) {
    if holes.is_empty() {
        return;
    }
    let mut left = Vec::with_capacity(pieces.len());
    for piece in pieces.iter() {
        subtract(*piece, holes, |x| left.push(x));
    }
    *pieces = left;
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
