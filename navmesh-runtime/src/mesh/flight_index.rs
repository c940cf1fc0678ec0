//! An index of the shortest flights of a layer.
//!
//! A shortest flight turns only at vertices diagonally beside a corner of what is
//! blocked. These are the nodes (*subgoals*). Two of them are joined where a flight
//! of the octile distance leads from one to the other without passing a third, so a
//! shortest flight is straight from the start to a node, over joined nodes, and
//! straight to the goal. (T. Uras, S. Koenig and C. Hernández, "Subgoal graphs for
//! optimal pathfinding in eight-neighbor grids", 2013.)
//!
//! "Straight" is one diagonal and one straight stretch. Routes between nodes are
//! found as those on foot.

use std::cmp::Ordering;
use std::f64::consts::SQRT_2;

use super::air::{fly_step, transpose_into};
use super::bits::BitGrid;
use super::grid::Cell;
use crate::graph::contraction::Contraction;
use crate::graph::csr::Buckets;
use crate::graph::hierarchy::{Edge, NONE, Seed};
use crate::graph::routes::Routes;

/// The shortest flights over the free vertices of a layer. Costs are in spacings.
#[derive(Debug, Clone)]
pub struct FlightIndex {
    /// The nodes, row by row, and the rows.
    pub cells: Vec<Cell>,
    by_row: Buckets,
    nodes: BitGrid,
    /// The vertices at which a straight flight stops: nodes, and what is blocked. By
    /// rows, and with rows and columns exchanged.
    stops: [BitGrid; 2],
    pub routes: Routes,
}

/// Greatest number of pairs of edges that are looked at to build an index, which takes
/// about 3 s. In open air with a corner every few vertices, nodes are joined with many
/// others and so are their shortcuts: a level of 500 × 500 generated tiles takes 50 s,
/// and its labels more memory than [`Routes`] has room for. Without them a lookup is
/// slower than a search.
const MOST_PAIRS: u64 = 1 << 24;

/// Greatest number of edges between nodes. A level with a tenth of them is beyond
/// [`MOST_PAIRS`]; this limits the memory before pairs are counted, to 20 MB.
const MOST_EDGES: usize = 1 << 20;

/// Length of the shortest flight over free vertices, in spacings.
pub fn octile(a: Cell, b: Cell) -> f64 {
    let (x, y) = (a.column.abs_diff(b.column), a.row.abs_diff(b.row));
    f64::from(x.abs_diff(y)) + SQRT_2 * f64::from(x.min(y))
}

/// The vertex at which a flight turns that is first diagonal and then straight.
pub fn turn(from: Cell, to: Cell) -> Cell {
    let (x, y) = (from.column.abs_diff(to.column), from.row.abs_diff(to.row));
    let diagonal = x.min(y);
    let [column, row] = [(from.column, to.column), (from.row, to.row)]
        .map(|(a, b)| if a < b { a + diagonal } else { a - diagonal });
    Cell::new(column, row)
}

/// A stretch of a flight between two nodes: the node to which it leads, and whether it
/// can be diagonal first, and straight first. At least one of them is free.
#[derive(Debug, Clone, Copy)]
pub struct Hop {
    pub to: u32,
    pub ways: [bool; 2],
}

impl Hop {
    /// As what an edge of the index stores. There are fewer than 2³⁰ nodes.
    fn pack(self) -> u32 {
        self.to << 2 | u32::from(self.ways[0]) << 1 | u32::from(self.ways[1])
    }

    /// What an edge of the index stores.
    pub fn unpack(stored: u32) -> Self {
        Self {
            to: stored >> 2,
            ways: [stored & 2 != 0, stored & 1 != 0],
        }
    }
}

/// Whether a straight flight leads to a greater column and row, the same, or a lesser.
pub fn direction(from: Cell, to: Cell) -> [Ordering; 2] {
    [to.column.cmp(&from.column), to.row.cmp(&from.row)]
}

/// Diagonal directions, by columns and rows.
const DIAGONALS: [[i32; 2]; 4] = [[1, 1], [1, -1], [-1, 1], [-1, -1]];

impl FlightIndex {
    /// Builds the index of a plane of blocked vertices. `known` is how to contract its
    /// nodes, if that is known; otherwise that is returned, too. `None` where a search is
    /// faster than an index, or one would take too long to build.
    pub fn new(
        blocked: &BitGrid,
        known: Option<&Contraction>,
    ) -> Option<(Self, Option<Contraction>)> {
        let mut nodes = BitGrid::new(blocked.columns(), blocked.rows());
        for row in 0..blocked.filled_rows() {
            for run in blocked.runs(row) {
                // Only the ends of a run can be corners.
                for (x, end) in [(-1, run.start), (1, run.end - 1)] {
                    for y in [-1, 1] {
                        if let Some(at) = fly_step(blocked, Cell::new(end, row), [x, y]) {
                            nodes.set(at.column, at.row, true);
                        }
                    }
                }
            }
        }
        let (mut cells, mut by_row) = (Vec::new(), Buckets::default());
        let mut stops = blocked.clone();
        for row in 0..nodes.filled_rows() {
            let before = cells.len();
            cells.extend(nodes.runs(row).flatten().map(|column| Cell { column, row }));
            by_row.push(cells.len() - before);
            for (stop, node) in stops.row_mut(row).iter_mut().zip(nodes.row(row)) {
                *stop |= node;
            }
        }
        let mut columns = BitGrid::default();
        transpose_into(&stops, &mut columns);
        let mut this = Self {
            cells,
            by_row,
            nodes,
            stops: [stops, columns],
            routes: Routes::default(),
        };
        let mut edges = Vec::new();
        for (from, &cell) in (0..).zip(&this.cells) {
            if this.cells.len().max(edges.len()) > MOST_EDGES {
                return None;
            }
            this.joined(blocked, cell, |Seed { node: to, cost }| {
                let ways = [true; 2];
                edges.push(Edge {
                    from,
                    to,
                    cost,
                    parts: [Hop { to, ways }.pack(), NONE],
                });
            });
        }
        let (mut routes, found) = Routes::new(this.cells.len(), &edges, known, MOST_PAIRS)?;
        routes.labels.as_ref()?;
        // Most shortcuts lead past a row of nodes, where one stretch is as short. A flight
        // that leads anywhere but between its ends is longer than one stretch by 0.58 or
        // more.
        routes.hierarchy.join(|from, to, cost| {
            let [a, b] = [from, to].map(|node| this.cells[node as usize]);
            if f64::from(cost) > octile(a, b) + 0.25 {
                return None;
            }
            let ways = [(a, b), (b, a)].map(|(a, b)| this.is_open(blocked, a, b));
            (ways != [false; 2]).then(|| Hop { to, ways }.pack())
        });
        this.routes = routes;
        Some((this, found))
    }

    /// Calls `see` with the nodes at which a shortest flight from a vertex may turn
    /// first: the vertex itself, if it is a node, or all that it is joined with.
    pub fn seeds(&self, blocked: &BitGrid, at: Cell, mut see: impl FnMut(Seed)) {
        if self.nodes.get(at.column, at.row) {
            let node = self.node(at);
            see(Seed { node, cost: 0.0 });
        } else {
            self.joined(blocked, at, see);
        }
    }

    /// Calls `see` with the nodes that a vertex is joined with, and the distance.
    fn joined(&self, blocked: &BitGrid, from: Cell, mut see: impl FnMut(Seed)) {
        let mut found = |to: Cell| {
            let (node, cost) = (self.node(to), octile(from, to) as f32);
            see(Seed { node, cost });
        };
        // How far a flight goes straight in each direction before a node.
        let mut clear = [[0; 2]; 2];
        for (along, clear) in [false, true].into_iter().zip(&mut clear) {
            for (forward, clear) in [false, true].into_iter().zip(clear) {
                *clear = self.straight(from, along, forward, u32::MAX, &mut found);
            }
        }
        for [x, y] in DIAGONALS {
            let (right, down) = (x > 0, y > 0);
            let mut most = [clear[0][usize::from(right)], clear[1][usize::from(down)]];
            let mut at = from;
            while let Some(next) = fly_step(blocked, at, [x, y]) {
                at = next;
                if self.nodes.get(at.column, at.row) {
                    found(at);
                    break;
                }
                // Farther along than on the diagonals before, a flight would be
                // beyond a node or behind something blocked.
                let ways = [(false, right), (true, down)];
                for ((along, forward), most) in ways.into_iter().zip(&mut most) {
                    if *most > 0 {
                        *most = self.straight(at, along, forward, *most, &mut found);
                    }
                }
            }
        }
    }

    /// How far a flight goes along a row (`along` a column), at most `most`, before
    /// it is stopped. `found` gets the node that stops it within that distance.
    #[inline]
    fn straight(
        &self,
        from: Cell,
        along: bool,
        forward: bool,
        most: u32,
        found: &mut impl FnMut(Cell),
    ) -> u32 {
        let stops = &self.stops[usize::from(along)];
        let (line, at) = if along {
            (from.column, from.row)
        } else {
            (from.row, from.column)
        };
        // Beyond either end of the line is as good as blocked.
        let (stop, clear) = if forward {
            let length = most.min(stops.columns() - at - 1);
            let stop = stops.first_in(line, at + 1..at + 1 + length);
            (stop, stop.map_or(length, |stop| stop - at - 1))
        } else {
            let length = most.min(at);
            let stop = stops.last_in(line, at - length..at);
            (stop, stop.map_or(length, |stop| at - stop - 1))
        };
        if let Some(stop) = stop {
            let cell = if along {
                Cell::new(line, stop)
            } else {
                Cell::new(stop, line)
            };
            if self.nodes.get(cell.column, cell.row) {
                found(cell);
            }
        }
        clear
    }

    /// The number of the node at a vertex.
    fn node(&self, cell: Cell) -> u32 {
        let row = self.by_row.range(cell.row as usize);
        let nodes = self.cells.get(row.clone()).unwrap_or_default();
        (row.start + nodes.partition_point(|node| node.column < cell.column)) as u32
    }

    /// The vertex at which the shortest flight between two vertices turns, if it needs
    /// to turn only once.
    pub fn direct(&self, blocked: &BitGrid, from: Cell, to: Cell) -> Option<Cell> {
        let mut ways = [(from, to), (to, from)].into_iter();
        let (first, last) = ways.find(|&(a, b)| self.is_open(blocked, a, b))?;
        Some(turn(first, last))
    }

    /// Whether a flight can lead to another vertex diagonally first, then straight.
    fn is_open(&self, blocked: &BitGrid, from: Cell, to: Cell) -> bool {
        let corner = turn(from, to);
        let forward = [from.column < to.column, from.row < to.row];
        let way = forward.map(|forward| if forward { 1 } else { -1 });
        let mut at = from;
        while at != corner {
            match fly_step(blocked, at, way) {
                Some(next) => at = next,
                None => return false,
            }
        }
        self.is_clear(blocked, corner, to)
    }

    /// Whether the vertices between two of a row or column are free.
    fn is_clear(&self, blocked: &BitGrid, a: Cell, b: Cell) -> bool {
        let (low, high) = (a.row.min(b.row), a.row.max(b.row));
        if low == high {
            let (first, last) = (a.column.min(b.column), a.column.max(b.column));
            return blocked.is_clear(low, first, last + 1);
        }
        // Stops that are not nodes are blocked.
        let mut row = low;
        while let Some(stop) = self.stops[1].first_in(a.column, row..high + 1) {
            if !self.nodes.get(a.column, stop) {
                return false;
            }
            row = stop + 1;
        }
        true
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        let planes = [&self.nodes, &self.stops[0], &self.stops[1]];
        let words: usize = planes.iter().map(|p| p.stride() * p.rows() as usize).sum();
        words * size_of::<u64>() + size_of_val(&*self.cells) + self.routes.bytes()
    }
}
