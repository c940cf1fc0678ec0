//! An index of the shortest flights of a layer.
//!
//! A shortest flight turns only at convex corners of what is blocked. These are the
//! nodes. Two of them are joined where one sees the other and a path can turn at both.
//! So a shortest flight is straight from the start to a corner, over joined corners, and
//! straight to the goal. (The reduced visibility graph: H. Rohnert, "Shortest paths in
//! the plane with convex polygonal obstacles", 1986.)
//!
//! Routes between nodes are found as those on foot.

use glam::DVec2;

use super::air::Air;
use super::air_gates::Gate;
use crate::graph::contraction::Contraction;
use crate::graph::csr::pair;
use crate::graph::hierarchy::{Edge, NONE, Seed};
use crate::graph::routes::Routes;

/// The shortest flights between the corners of a layer's air. Costs are world units.
#[derive(Debug, Clone)]
pub struct FlightIndex {
    pub routes: Routes,
}

/// Greatest number of pairs of edges that are looked at to build an index, which takes
/// about 3 s. In open air with a corner every few vertices, nodes are joined with many
/// others and so are their shortcuts. Without labels a lookup is slower than a search.
const MOST_PAIRS: u64 = 1 << 24;

/// Greatest number of edges between nodes. A level with a tenth of them is beyond
/// [`MOST_PAIRS`]; this limits the memory before pairs are counted, to 20 MB.
const MOST_EDGES: usize = 1 << 20;

/// Greatest number of gates that corners look through, which takes about 2 s. Corners may
/// look across all of the air and see few others.
const MOST_GATES: usize = 1 << 26;

impl FlightIndex {
    /// Builds the index of some air. `known` is how to contract its nodes, if that is
    /// known; otherwise that is returned, too. `None` where a search is faster than an
    /// index, or one would take too long to build.
    pub fn new(
        air: &Air,
        rounding: f64,
        known: Option<&Contraction>,
    ) -> Option<(Self, Option<Contraction>)> {
        let mut seen: Vec<u64> = Vec::new();
        let (mut stack, mut near) = (Vec::new(), Vec::new());
        let mut gates = 0;
        for (from, &at) in (0..).zip(&air.corners) {
            let cell = air.cell_at(at)?;
            near.clear();
            gates += (air.look_around(at, cell, None, rounding, &mut stack, |to| near.push(to))).1;
            near.sort_unstable();
            near.dedup();
            seen.extend(
                near.iter()
                    .filter(|to| **to != from)
                    .map(|&to| pair(from, to)),
            );
            if seen.len() > MOST_EDGES || gates > MOST_GATES {
                return None;
            }
        }
        // A flight can turn at both ends only where either is such a corner to the other.
        let is_mutual = |edge: &u64| seen.binary_search(&edge.rotate_left(32)).is_ok();
        let edges: Vec<Edge> = (seen.iter().filter(|edge| is_mutual(edge)))
            .map(|&edge| {
                let [from, to] = [(edge >> 32) as u32, edge as u32];
                let [a, b] = [from, to].map(|node| air.corners[node as usize]);
                Edge {
                    from,
                    to,
                    cost: a.distance(b) as f32,
                    parts: [to, NONE],
                }
            })
            .collect();
        let (routes, found) = Routes::new(air.corners.len(), &edges, known, MOST_PAIRS)?;
        routes.labels.as_ref()?;
        Some((Self { routes }, found))
    }

    /// Replaces `seeds` by the nodes at which a shortest flight from a point in a cell may
    /// turn first. Returns whether the goal is visible from there.
    pub fn seeds(
        air: &Air,
        (cell, from): (u32, DVec2),
        goal: Option<(u32, DVec2)>,
        rounding: f64,
        stack: &mut Vec<Gate>,
        seeds: &mut Vec<Seed>,
    ) -> bool {
        seeds.clear();
        air.look_around(from, cell, goal, rounding, stack, |node| {
            let cost = air
                .corners
                .get(node as usize)
                .map_or(0.0, |at| from.distance(*at));
            seeds.push(Seed {
                node,
                cost: cost as f32,
            });
        })
        .0
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        self.routes.bytes()
    }
}
