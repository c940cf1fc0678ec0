//! The air of agents that fly: where their body is free, exactly.
//!
//! Free space is cut into trapezoids with level upper and lower sides, from left to
//! right as far as it is free. Where two of them touch is a *portal*. Everything between
//! a portal and any other point of a trapezoid is free, so paths are found from portal
//! to portal. A passage that is exactly as wide or as high as the body is a trapezoid
//! without area.

use glam::{DVec2, Vec2};

use super::bits::BitGrid;
use super::error::MeshError;
use super::grid::{Cell, Grid};
use crate::graph::components::strong_components;
use crate::graph::csr::{Buckets, CsrGraph, pair};

/// The number of no corner.
pub const NONE: u32 = u32::MAX;

/// Side of the squares by which cells are looked up, in spacings. With 2 or 8, lookups
/// take as long; memory is in proportion to the number of squares.
const SQUARE: f64 = 4.0;

/// Most entries of squares for each cell or square. Cells that do not overlap have fewer:
/// it bounds the memory that a forged file takes.
const MOST_ENTRIES: usize = 64;

/// How far outside of a cell still counts as inside, in spacings. Positions are `f32`: a
/// thousand spacings from the origin they are rounded by up to 6e-5.
const SLACK: f64 = 1e-4;

/// A part of the air: all feet positions between two heights and two straight lines.
/// World units, with y downwards whatever the direction of the world's y axis.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct AirCell {
    /// Height of the upper side.
    pub top: f32,
    /// Height of the lower side, not less than `top`.
    pub bottom: f32,
    /// Left and right end of the upper side.
    pub upper: [f32; 2],
    /// Left and right end of the lower side.
    pub lower: [f32; 2],
}

impl AirCell {
    /// Whether its numbers are those of a cell.
    fn is_valid(&self) -> bool {
        let numbers = [self.top, self.bottom].into_iter();
        let mut numbers = numbers.chain(self.upper).chain(self.lower);
        numbers.all(f32::is_finite)
            && self.top <= self.bottom
            && self.upper[0] <= self.upper[1]
            && self.lower[0] <= self.lower[1]
            && (self.top < self.bottom || self.upper == self.lower)
    }

    /// Its extent across at a height, which is clamped to the cell.
    pub fn across(&self, y: f64) -> [f64; 2] {
        let (top, bottom) = (f64::from(self.top), f64::from(self.bottom));
        let [upper, lower] = [self.upper, self.lower].map(|side| side.map(f64::from));
        if self.upper == self.lower || y <= top {
            return upper;
        }
        if y >= bottom {
            return lower;
        }
        let share = (y - top) / (bottom - top);
        [0, 1].map(|end| upper[end] + (lower[end] - upper[end]) * share)
    }

    /// Whether a level line is inside.
    fn contains(&self, [left, right]: [f64; 2], y: f64, slack: f64) -> bool {
        if y < f64::from(self.top) - slack || y > f64::from(self.bottom) + slack {
            return false;
        }
        let [low, high] = self.across(y);
        low - slack <= left && right <= high + slack
    }

    /// Its point nearest to another.
    fn nearest(&self, to: DVec2) -> DVec2 {
        let y = to.y.clamp(self.top.into(), self.bottom.into());
        let [low, high] = self.across(y);
        let level = DVec2::new(to.x.clamp(low, high), y);
        if self.upper == self.lower || level == to {
            return level;
        }
        let sides = [0, 1].map(|end| {
            let a = DVec2::new(self.upper[end].into(), self.top.into());
            let b = DVec2::new(self.lower[end].into(), self.bottom.into());
            let share = (to - a).dot(b - a) / (b - a).length_squared();
            a.lerp(b, share.clamp(0.0, 1.0))
        });
        let all = [level].into_iter().chain(sides);
        all.min_by(|a, b| a.distance_squared(to).total_cmp(&b.distance_squared(to)))
            .unwrap_or(level)
    }

    fn ends(&self, is_top: bool) -> [f32; 2] {
        if is_top { self.upper } else { self.lower }
    }
}

/// A level line at which an upper cell touches a lower one.
#[derive(Debug, Clone, Copy)]
pub struct Portal {
    pub y: f32,
    /// Left and right end.
    pub x: [f32; 2],
    /// The cell above and the one below.
    pub cells: [u32; 2],
    /// The corners of what is blocked at its ends; [`NONE`] where there is none.
    pub corners: [u32; 2],
}

/// The cells, portals and regions of a layer's air.
#[derive(Debug, Clone, Default)]
pub struct Air {
    /// From the top down, then from left to right.
    pub cells: Vec<AirCell>,
    pub portals: Vec<Portal>,
    /// The portals at the upper side of each cell, then those at the lower side.
    of_cell: [(Buckets, Vec<u32>); 2],
    /// The points at which a shortest path can turn, y downwards: convex corners of what
    /// is blocked.
    pub corners: Vec<DVec2>,
    /// The region of each cell: cells are in one region if they are connected.
    region_of: Vec<u32>,
    pub regions: u32,
    squares: Squares,
    slack: f64,
}

/// Squares of a grid, and the cells that meet each.
#[derive(Debug, Clone, Default)]
struct Squares {
    origin: DVec2,
    side: f64,
    columns: usize,
    rows: usize,
    of: (Buckets, Vec<u32>),
}

impl Squares {
    fn new(cells: &[AirCell], grid: &Grid) -> Result<Self, MeshError> {
        let side = f64::from(grid.spacing) * SQUARE;
        let count = |cells: u32| (f64::from(cells) / SQUARE).ceil() as usize + 1;
        let mut this = Self {
            origin: DVec2::new(
                grid.origin.x.into(),
                f64::from(grid.origin.y * grid.y_axis.down()),
            ),
            side,
            columns: count(grid.columns),
            rows: count(grid.rows),
            of: Default::default(),
        };
        let most = MOST_ENTRIES * (cells.len() + this.columns * this.rows);
        let entries: usize = cells.iter().map(|cell| this.around(cell).count()).sum();
        if entries > most {
            return Err(MeshError::new("air: its cells overlap"));
        }
        let items = (0..).zip(cells);
        let items = items.flat_map(|(id, cell)| this.around(cell).map(move |square| (square, id)));
        this.of = Buckets::sorted(this.columns * this.rows, items);
        Ok(this)
    }

    /// The squares that meet a cell's bounds.
    fn around(&self, cell: &AirCell) -> impl Iterator<Item = usize> + Clone + use<> {
        let min = DVec2::new(cell.upper[0].min(cell.lower[0]).into(), cell.top.into());
        let max = DVec2::new(cell.upper[1].max(cell.lower[1]).into(), cell.bottom.into());
        self.within(min, max)
    }

    fn within(&self, min: DVec2, max: DVec2) -> impl Iterator<Item = usize> + Clone + use<> {
        let [[left, top], [right, bottom]] = [min, max].map(|at| {
            let at = (at - self.origin) / self.side;
            // Casts turn numbers below zero into zero.
            [
                (at.x as usize).min(self.columns - 1),
                (at.y as usize).min(self.rows - 1),
            ]
        });
        let columns = self.columns;
        (top..=bottom).flat_map(move |row| (left..=right).map(move |at| row * columns + at))
    }

    fn cells(&self, square: usize) -> &[u32] {
        self.of.1.get(self.of.0.range(square)).unwrap_or_default()
    }
}

impl Air {
    /// Joins cells, which do not overlap.
    ///
    /// # Errors
    /// When they do, or are not in order, or hold a number that is not finite.
    pub fn new(cells: Vec<AirCell>, grid: &Grid) -> Result<Self, MeshError> {
        if !cells.iter().all(AirCell::is_valid) {
            return Err(MeshError::new("air: a cell is not a trapezoid"));
        }
        let key = |cell: &AirCell| (cell.top, cell.upper[0]);
        if !cells.is_sorted_by(|a, b| key(a) <= key(b)) {
            return Err(MeshError::new("air: its cells are not in order"));
        }
        let squares = Squares::new(&cells, grid)?;
        let mut this = Self {
            squares,
            cells,
            slack: SLACK * f64::from(grid.spacing),
            ..Self::default()
        };
        let lines = this.find_portals()?;
        this.find_corners();
        // What touches at a line cell is joined by it. A second way would double the nodes
        // of a search at every line.
        let order = |line: &u32| {
            let cell = &this.cells[*line as usize];
            (cell.top, cell.upper[0])
        };
        let is_line = |id: u32| lines.binary_search(&id).is_ok();
        this.portals.retain(|portal| {
            let next = lines.partition_point(|line| order(line) <= (portal.y, portal.x[0]));
            let line = next
                .checked_sub(1)
                .map(|last| &this.cells[lines[last] as usize]);
            let is_doubled = line.is_some_and(|l| l.top == portal.y && portal.x[1] <= l.upper[1]);
            !is_doubled || portal.cells.into_iter().any(is_line)
        });
        this.of_cell = [1, 0].map(|side| {
            let items = (0..).zip(&this.portals);
            let items = items.map(|(id, portal)| (portal.cells[side] as usize, id));
            Buckets::sorted(this.cells.len(), items)
        });
        this.find_regions();
        Ok(this)
    }

    /// Finds all portals. Returns the cells without height.
    fn find_portals(&mut self) -> Result<Vec<u32>, MeshError> {
        let cells = &self.cells;
        let is_line = |&id: &u32| {
            let cell = &cells[id as usize];
            cell.top == cell.bottom
        };
        let all = 0..cells.len() as u32;
        let (lines, starts): (Vec<u32>, Vec<u32>) = all.partition(is_line);
        let mut ends = starts.clone();
        let end = |id: &u32| {
            let cell = &cells[*id as usize];
            (cell.bottom, cell.lower[0])
        };
        ends.sort_by(|a, b| {
            let (a, b) = (end(a), end(b));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        let mut portals = Vec::new();
        for (above, below) in [(&ends, &starts), (&ends, &lines), (&lines, &starts)] {
            touching(cells, above, below, &mut portals)?;
        }
        portals.sort_by(|a: &Portal, b| {
            (a.y.total_cmp(&b.y))
                .then(a.x[0].total_cmp(&b.x[0]))
                .then(a.cells.cmp(&b.cells))
        });
        self.portals = portals;
        Ok(lines)
    }

    /// Finds at which ends of portals what is blocked has a convex corner.
    fn find_corners(&mut self) {
        let mut corners: Vec<(f32, f32)> = Vec::new();
        for id in 0..self.portals.len() {
            for end in [0, 1] {
                if self.is_corner(&self.portals[id], end) {
                    corners.push((self.portals[id].y, self.portals[id].x[end]));
                }
            }
        }
        let order = |a: &(f32, f32), b: &(f32, f32)| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1));
        corners.sort_unstable_by(order);
        corners.dedup();
        for portal in &mut self.portals {
            portal.corners = [0, 1].map(|end| {
                let at = (portal.y, portal.x[end]);
                let found = corners.binary_search_by(|corner| order(corner, &at));
                found.map_or(NONE, |corner| corner as u32)
            });
        }
        let points = corners
            .into_iter()
            .map(|(y, x)| DVec2::new(x.into(), y.into()));
        self.corners = points.collect();
    }

    /// Whether a path can turn at an end of a portal: one of the cells goes on beyond it,
    /// or the side bends towards the cells.
    fn is_corner(&self, portal: &Portal, end: usize) -> bool {
        let [above, below] = portal.cells.map(|id| &self.cells[id as usize]);
        let outwards = if end == 0 { -1.0 } else { 1.0 };
        let at = portal.x[end];
        let goes_on = |x: f32| (x - at) * outwards > 0.0;
        if goes_on(above.lower[end]) || goes_on(below.upper[end]) {
            return true;
        }
        let slope = |cell: &AirCell| {
            let height = f64::from(cell.bottom) - f64::from(cell.top);
            (f64::from(cell.lower[end]) - f64::from(cell.upper[end])) / height
        };
        let [before, after] = [above, below].map(slope);
        // A line cell has no slope; it bounds no corner that its neighbours do not bound.
        (after - before) * f64::from(outwards) > 1e-9
    }

    fn find_regions(&mut self) {
        let mut pairs: Vec<u64> = Vec::with_capacity(2 * self.portals.len());
        for portal in &self.portals {
            let [a, b] = portal.cells;
            pairs.extend([pair(a, b), pair(b, a)]);
        }
        let graph = CsrGraph::new(self.cells.len(), &mut pairs);
        let (components, count) = strong_components(&graph);
        // Numbered in the order of their first cells.
        let mut numbers = vec![NONE; count as usize];
        let mut next = 0;
        self.region_of = components;
        for region in &mut self.region_of {
            let number = &mut numbers[*region as usize];
            if *number == NONE {
                *number = next;
                next += 1;
            }
            *region = *number;
        }
        self.regions = count;
    }

    /// The portals at the upper or at the lower side of a cell.
    #[inline]
    pub fn portals_of(&self, cell: u32, is_lower: bool) -> &[u32] {
        let (ranges, list) = &self.of_cell[usize::from(is_lower)];
        list.get(ranges.range(cell as usize)).unwrap_or_default()
    }

    /// The cell that contains a level line, y downwards. Of several, the one that reaches
    /// farthest down.
    fn cell_with(&self, line: [f64; 2], y: f64) -> Option<u32> {
        let at = DVec2::new(line[0], y);
        let mut best: Option<u32> = None;
        for square in self.squares.within(at - self.slack, at + self.slack) {
            for &id in self.squares.cells(square) {
                let bottom = |id: u32| self.cells[id as usize].bottom;
                if self.cells[id as usize].contains(line, y, self.slack)
                    && best.is_none_or(|best| (bottom(id), best) > (bottom(best), id))
                {
                    best = Some(id);
                }
            }
        }
        best
    }

    /// The cell that contains a point, y downwards.
    pub fn cell_at(&self, at: DVec2) -> Option<u32> {
        self.cell_with([at.x; 2], at.y)
    }

    /// Whether all of a box is free, y downwards.
    pub fn has_box(&self, min: DVec2, max: DVec2) -> bool {
        let (mut y, line) = (min.y, [min.x, max.x]);
        loop {
            let Some(id) = self.cell_with(line, y) else {
                return false;
            };
            let cell = &self.cells[id as usize];
            let end = f64::from(cell.bottom).min(max.y);
            if !cell.contains(line, end, self.slack) {
                return false;
            }
            if max.y <= end + self.slack {
                return true;
            }
            // The cell that reaches farthest down ends here.
            if end <= y {
                return false;
            }
            y = end;
        }
    }

    /// The free position nearest to a point, y downwards, at most some distance away, and
    /// its cell.
    pub fn nearest(&self, to: DVec2, radius: f64) -> Option<(u32, DVec2)> {
        if let Some(cell) = self.cell_at(to) {
            return Some((cell, self.cells[cell as usize].nearest(to)));
        }
        let squares = self.squares.within(to - radius, to + radius);
        let near = squares.flat_map(|square| self.squares.cells(square).iter().copied());
        self.nearest_of(near, to)
            .filter(|(_, at)| at.distance(to) <= radius)
    }

    /// The position of a region that is nearest to a point, y downwards.
    pub fn nearest_in(&self, region: u32, to: DVec2) -> Option<DVec2> {
        let cells = (0..).zip(&self.region_of).filter(|(_, of)| **of == region);
        Some(self.nearest_of(cells.map(|(id, _)| id), to)?.1)
    }

    fn nearest_of(&self, cells: impl Iterator<Item = u32>, to: DVec2) -> Option<(u32, DVec2)> {
        let places = cells.map(|id| (id, self.cells[id as usize].nearest(to)));
        places.min_by(|(a, p), (b, q)| {
            (p.distance_squared(to).total_cmp(&q.distance_squared(to))).then(a.cmp(b))
        })
    }

    /// The region of a position, y downwards.
    pub fn region_at(&self, at: DVec2) -> Option<u32> {
        self.region_of.get(self.cell_at(at)? as usize).copied()
    }

    /// The same air without the inside of some boxes (their least and greatest corners, y
    /// downwards). Beside a slanted side, a little more may be missing.
    pub fn without(&self, boxes: &[[Vec2; 2]], grid: &Grid) -> Self {
        let mut heights: Vec<f32> = Vec::new();
        heights.extend(self.cells.iter().flat_map(|cell| [cell.top, cell.bottom]));
        heights.extend(boxes.iter().flat_map(|[min, max]| [min.y, max.y]));
        heights.sort_unstable_by(f32::total_cmp);
        heights.dedup();
        let mut slabs = Vec::with_capacity(heights.len());
        let (mut next, mut active): (usize, Vec<u32>) = (0, Vec::new());
        for (i, &y) in heights.iter().enumerate() {
            active.retain(|&id| self.cells[id as usize].bottom >= y);
            while self.cells.get(next).is_some_and(|cell| cell.top <= y) {
                active.push(next as u32);
                next += 1;
            }
            let top = f64::from(y);
            let below = heights.get(i + 1).map(|&below| f64::from(below));
            let mut slab = Slab {
                top,
                line: Vec::new(),
                free: Vec::new(),
            };
            let at = |y: f64| {
                let meets =
                    move |[min, max]: &&[Vec2; 2]| f64::from(min.y) < y && y < f64::from(max.y);
                boxes.iter().filter(meets)
            };
            for cell in active.iter().map(|&id| &self.cells[id as usize]) {
                let line = cell.across(top);
                cut(vec![[line, line]], at(top), |[line, _]| {
                    slab.line.push(line);
                });
                if let Some(below) = below.filter(|&below| f64::from(cell.bottom) >= below) {
                    let part = [cell.across(top), cell.across(below)];
                    cut(vec![part], at(f64::midpoint(top, below)), |part| {
                        slab.free.push(part);
                    });
                }
            }
            slab.free.sort_by(|a, b| {
                a[0][0]
                    .total_cmp(&b[0][0])
                    .then(a[1][0].total_cmp(&b[1][0]))
            });
            slab.line.sort_by(|a, b| a[0].total_cmp(&b[0]));
            slab.line.dedup_by(|next, kept| {
                let touches = next[0] <= kept[1];
                if touches {
                    kept[1] = kept[1].max(next[1]);
                }
                touches
            });
            slabs.push(slab);
        }
        Self::new(assemble(&slabs, 0.0), grid).unwrap_or_default()
    }
}

/// Takes the x of boxes out of parts of a slab.
fn cut<'a>(
    mut parts: Vec<[[f64; 2]; 2]>,
    boxes: impl Iterator<Item = &'a [Vec2; 2]>,
    each: impl FnMut([[f64; 2]; 2]),
) {
    for [min, max] in boxes {
        let [left, right] = [min.x, max.x].map(f64::from);
        let mut kept = Vec::with_capacity(parts.len() + 1);
        for part in parts {
            let outside = |side: [f64; 2]| side[1] <= left || side[0] >= right;
            if part.iter().all(|&side| outside(side)) {
                kept.push(part);
                continue;
            }
            if part.iter().all(|side| side[0] <= left) {
                kept.push(part.map(|side| [side[0], side[1].min(left)]));
            }
            if part.iter().all(|side| side[1] >= right) {
                kept.push(part.map(|side| [side[0].max(right), side[1]]));
            }
        }
        parts = kept;
    }
    parts.into_iter().for_each(each);
}

/// Adds a portal for each upper and lower cell that touch. Both lists are sorted by that
/// side's height, then from left to right.
fn touching(
    cells: &[AirCell],
    above: &[u32],
    below: &[u32],
    portals: &mut Vec<Portal>,
) -> Result<(), MeshError> {
    let side = |id: u32, is_top: bool| {
        let cell = &cells[id as usize];
        (
            if is_top { cell.top } else { cell.bottom },
            cell.ends(is_top),
        )
    };
    for (list, is_top) in [(above, false), (below, true)] {
        let overlap = list.windows(2).any(|pair| {
            let [(y, before), (at, after)] = [pair[0], pair[1]].map(|id| side(id, is_top));
            y == at && before[1] > after[0]
        });
        if overlap {
            return Err(MeshError::new("air: its cells overlap"));
        }
    }
    let (mut i, mut j) = (0, 0);
    while let (Some(&up), Some(&low)) = (above.get(i), below.get(j)) {
        let ((y, a), (at, b)) = (side(up, false), side(low, true));
        if y != at {
            if y < at {
                i += 1;
            } else {
                j += 1;
            }
            continue;
        }
        let x = [a[0].max(b[0]), a[1].min(b[1])];
        if x[0] <= x[1] {
            portals.push(Portal {
                y,
                x,
                cells: [up, low],
                corners: [NONE; 2],
            });
        }
        // The next of the side that ends first. Where both end, the next of either may
        // still touch the other in a point.
        if (a[1], b[1]) == (x[1], x[1]) {
            let touches = above
                .get(i + 1)
                .is_some_and(|&next| side(next, false).0 == y && side(next, false).1[0] <= b[1]);
            if touches { i += 1 } else { j += 1 }
        } else if a[1] < b[1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    Ok(())
}

/// The cells of a layer for which only its free vertices are known: the edges and
/// squares between them.
pub fn air_of_vertices(blocked: &BitGrid, grid: &Grid) -> Vec<AirCell> {
    let down = grid.y_axis.down();
    let mut slabs = Vec::new();
    let x = |column: u32| f64::from(grid.column_x(column));
    let free_runs = |words: &dyn Fn(usize) -> u64| {
        let mut line = BitGrid::new(blocked.columns(), 1);
        for (i, word) in line.row_mut(0).iter_mut().enumerate() {
            let width = (blocked.columns() - i as u32 * 64).min(64);
            *word = !words(i) & (u64::MAX >> (64 - width));
        }
        let runs: Vec<[f64; 2]> = line
            .runs(0)
            .map(|run| [x(run.start), x(run.end - 1)])
            .collect();
        runs
    };
    for row in 0..blocked.filled_rows() {
        let here = blocked.row(row);
        let top = f64::from(grid.row_y(row) * down);
        let below = (row + 1 < blocked.rows()).then(|| blocked.row(row + 1));
        let free = below.map_or(Vec::new(), |below| {
            let runs = free_runs(&|i| here[i] | below[i]);
            runs.into_iter().map(|run| [run, run]).collect()
        });
        slabs.push(Slab {
            top,
            line: free_runs(&|i| here[i]),
            free,
        });
    }
    assemble(&slabs, 0.0)
}

/// The free space at a height and below it, down to the next slab. Each list is sorted
/// from left to right, and its items do not overlap.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Slab {
    /// y downwards.
    pub top: f64,
    /// What is free at the height itself.
    pub line: Vec<[f64; 2]>,
    /// What is free between this height and the next: its extent at either.
    pub free: Vec<[[f64; 2]; 2]>,
}

/// Cells of free space that is known slab by slab, from the top down: as few as possible,
/// and such that each free level line at the height of a slab is within a cell. Their
/// numbers are rounded to multiples of `quantum`, if that is not 0.
pub fn assemble(slabs: &[Slab], quantum: f64) -> Vec<AirCell> {
    let mut cells: Vec<AirCell> = Vec::new();
    // The cells that end at the present height, with the sides of their last part.
    let mut open: Vec<(Wide, usize)> = Vec::new();
    let mut done: Vec<Wide> = Vec::new();
    for (i, slab) in slabs.iter().enumerate() {
        let bottom = slabs.get(i + 1).map_or(slab.top, |next| next.top);
        let first_line = done.len();
        for line in &slab.line {
            // Of sides that do not overlap, only the last that begins before it.
            let above = open.partition_point(|(cell, _)| cell.sides[1][0] <= line[0]);
            let below = slab.free.partition_point(|part| part[0][0] <= line[0]);
            let above = above.checked_sub(1).map(|last| open[last].0.sides[1]);
            let below = below.checked_sub(1).map(|last| slab.free[last][0]);
            let mut sides = [above, below].into_iter().flatten();
            if !sides.any(|side| line[1] <= side[1]) {
                done.push(Wide {
                    top: slab.top,
                    bottom: slab.top,
                    sides: [*line, *line],
                });
            }
        }
        let lines = first_line..done.len();
        let mut next = Vec::with_capacity(slab.free.len());
        let mut before = open.iter().peekable();
        for part in &slab.free {
            while before
                .next_if(|(cell, _)| cell.sides[1][0] < part[0][0])
                .is_some()
            {}
            let here = Wide {
                top: slab.top,
                bottom,
                sides: *part,
            };
            // A portal is at the end of a cell, also one to a line.
            let meets = |line: &Wide| {
                let ([low, high], [left, right]) = (part[0], line.sides[0]);
                left <= high && low <= right
            };
            let is_met = done[lines.clone()].iter().any(meets);
            let same = before
                .peek()
                .filter(|(cell, _)| !is_met && cell.goes_on(&here));
            if let Some(&&(cell, index)) = same {
                let cell = Wide {
                    bottom,
                    sides: [cell.sides[0], here.sides[1]],
                    ..cell
                };
                done[index] = cell;
                next.push((cell, index));
            } else {
                next.push((here, done.len()));
                done.push(here);
            }
        }
        open = next;
    }
    cells.extend(done.iter().filter_map(|cell| cell.rounded(quantum)));
    cells.sort_by(|a, b| {
        (a.top.total_cmp(&b.top))
            .then(a.upper[0].total_cmp(&b.upper[0]))
            .then(a.bottom.total_cmp(&b.bottom))
            .then(a.lower[0].total_cmp(&b.lower[0]))
    });
    cells
}

/// A cell before its numbers are rounded.
#[derive(Debug, Clone, Copy)]
struct Wide {
    top: f64,
    bottom: f64,
    /// The upper side, and the lower one.
    sides: [[f64; 2]; 2],
}

impl Wide {
    /// Whether another cell lies below this one, and has sides on the same lines.
    fn goes_on(&self, below: &Self) -> bool {
        let slope = |cell: &Self, end: usize| {
            (cell.sides[1][end] - cell.sides[0][end]) / (cell.bottom - cell.top)
        };
        self.top < self.bottom
            && below.top < below.bottom
            && self.sides[1] == below.sides[0]
            && [0, 1]
                .iter()
                .all(|&end| (slope(self, end) - slope(below, end)).abs() <= 1e-9)
    }

    /// `None` for a cell that is lower than the quantum and has nothing else.
    fn rounded(&self, quantum: f64) -> Option<AirCell> {
        let round = |v: f64| {
            let on_lattice = (v / quantum).round() * quantum;
            (if quantum > 0.0 { on_lattice } else { v }) as f32
        };
        let [mut upper, mut lower] = self.sides.map(|side| side.map(round));
        let (top, bottom) = (round(self.top), round(self.bottom));
        if top == bottom {
            upper = [upper[0].max(lower[0]), upper[1].min(lower[1])];
            lower = upper;
        }
        (upper[0] <= upper[1]).then_some(AirCell {
            top,
            bottom,
            upper,
            lower,
        })
    }
}

/// The vertex one step away in a direction, by columns and rows, if an agent can fly
/// there: a diagonal step cuts no corner.
#[inline]
pub fn fly_step(blocked: &BitGrid, at: Cell, [x, y]: [i32; 2]) -> Option<Cell> {
    let next = Cell::new(
        at.column.wrapping_add_signed(x),
        at.row.wrapping_add_signed(y),
    );
    let is_open = blocked.is_free(next.column, next.row)
        && blocked.is_free(next.column, at.row)
        && blocked.is_free(at.column, next.row);
    is_open.then_some(next)
}
