//! The air of agents that fly: regions of connected free vertices.

use super::bits::BitGrid;
use super::grid::Cell;
use crate::graph::csr::Buckets;

/// Regions of free vertices, and the blocked plane with rows and columns
/// exchanged.
#[derive(Debug, Clone)]
pub struct Air {
    /// The blocked plane with columns as rows, so that searches can scan up and
    /// down 64 vertices at a time.
    pub columns: BitGrid,
    by_row: Buckets,
    /// The free runs, row by row.
    runs: Vec<Run>,
    pub regions: u32,
}

/// Adjacent free vertices in a row: columns `start..end`.
#[derive(Debug, Clone, Copy)]
struct Run {
    start: u32,
    end: u32,
    region: u32,
}

impl Air {
    /// Finds the regions: sets of free vertices that are connected by steps to
    /// neighbours. A diagonal step needs the two vertices that it passes
    /// between free, so runs of adjacent rows are connected when they share a
    /// column.
    pub fn new(blocked: &BitGrid) -> Self {
        let mut by_row = Buckets::default();
        let mut runs: Vec<Run> = Vec::new();
        let mut parents: Vec<u32> = Vec::new();
        let mut above = 0;
        for row in 0..blocked.filled_rows() {
            let first = runs.len();
            let mut free_from = 0;
            let end = std::iter::once(blocked.columns()..blocked.columns());
            for run in blocked.runs(row).chain(end) {
                if free_from < run.start {
                    let id = runs.len() as u32;
                    parents.push(id);
                    runs.push(Run {
                        start: free_from,
                        end: run.start,
                        region: id,
                    });
                }
                free_from = run.end;
            }
            let (upper, lower) = runs[above..].split_at(first - above);
            let (mut i, mut j) = (0, 0);
            while let (Some(up), Some(here)) = (upper.get(i), lower.get(j)) {
                if up.start < here.end && here.start < up.end {
                    let [a, b] = [up, here].map(|run| root(&mut parents, run.region));
                    // The run that is first in reading order represents its region.
                    parents[a.max(b) as usize] = a.min(b);
                }
                // The run that ends first cannot touch any other.
                if up.end < here.end {
                    i += 1;
                } else {
                    j += 1;
                }
            }
            by_row.push(lower.len());
            above = first;
        }
        // Number the regions in reading order of their first vertex.
        let mut number = vec![0; parents.len()];
        let mut regions = 0;
        for id in 0..parents.len() as u32 {
            let top = root(&mut parents, id);
            if top == id {
                number[id as usize] = regions;
                regions += 1;
            }
            number[id as usize] = number[top as usize];
        }
        for run in &mut runs {
            run.region = number[run.region as usize];
        }
        let mut columns = BitGrid::default();
        transpose_into(blocked, &mut columns);
        Self {
            columns,
            by_row,
            runs,
            regions,
        }
    }

    /// The region of a free vertex. The result for a blocked vertex has no
    /// meaning.
    pub fn region(&self, cell: Cell) -> Option<u32> {
        let runs = self.runs(cell.row);
        let after = runs.partition_point(|run| run.start <= cell.column);
        Some(runs.get(after.checked_sub(1)?)?.region)
    }

    /// The vertex of a region that is nearest to a point. `column` and `row` may
    /// be fractional and outside the grid.
    pub fn nearest_in(&self, region: u32, column: f64, row: f64) -> Option<Cell> {
        let mut best: Option<(f64, Cell)> = None;
        let rows = self.by_row.len() as u32;
        // Visit rows by their distance from the point, until they are farther
        // away than the best vertex.
        let mut below = (row.max(0.0) as u32).min(rows);
        let mut above = below;
        loop {
            let off = |row_there: u32| (f64::from(row_there) - row).abs();
            let up = above.checked_sub(1);
            let down = (below < rows).then_some(below);
            let next = match (up, down) {
                (Some(up), Some(down)) if off(up) < off(down) => up,
                (_, Some(down)) => down,
                (Some(up), None) => up,
                (None, None) => break,
            };
            if Some(next) == up {
                above = next;
            } else {
                below = next + 1;
            }
            let off = off(next);
            if best.is_some_and(|(least, _)| off * off >= least) {
                break;
            }
            for run in self.runs(next).iter().filter(|run| run.region == region) {
                let (first, last) = (f64::from(run.start), f64::from(run.end - 1));
                let nearest = column.round().clamp(first, last);
                let distance = (nearest - column).powi(2) + off * off;
                if best.is_none_or(|(least, _)| distance < least) {
                    best = Some((distance, Cell::new(nearest as u32, next)));
                }
            }
        }
        best.map(|(_, cell)| cell)
    }

    fn runs(&self, row: u32) -> &[Run] {
        &self.runs[self.by_row.range(row as usize)]
    }
}

/// The representative of a set in a union-find forest, with path halving.
fn root(parents: &mut [u32], mut id: u32) -> u32 {
    while parents[id as usize] != id {
        let up = parents[parents[id as usize] as usize];
        parents[id as usize] = up;
        id = up;
    }
    id
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

/// Sets `turned` to `plane` with rows and columns exchanged.
pub fn transpose_into(plane: &BitGrid, turned: &mut BitGrid) {
    turned.reset(plane.rows(), plane.columns());
    let rows = plane.filled_rows();
    let mut block = [0_u64; 64];
    for top in (0..rows).step_by(64) {
        for word in 0..plane.stride() {
            let height = (rows - top).min(64);
            let mut any = 0;
            block.fill(0);
            for (i, slot) in (0..height).zip(&mut block) {
                *slot = plane.row(top + i)[word];
                any |= *slot;
            }
            if any == 0 {
                continue;
            }
            transpose(&mut block);
            let left = word as u32 * 64;
            let width = (plane.columns() - left).min(64);
            for (i, &column) in (0..width).zip(&block) {
                turned.row_mut(left + i)[(top / 64) as usize] = column;
            }
        }
    }
}

/// Transposes 64 × 64 bits: swaps two quarters, then does the same within each
/// quarter, down to single bits. (H. S. Warren, "Hacker's Delight", 7-3.)
fn transpose(block: &mut [u64; 64]) {
    let mut size = 32;
    let mut mask = u64::MAX >> 32;
    while size > 0 {
        let mut i = 0;
        while i < 64 {
            let swap = (block[i] >> size ^ block[i + size]) & mask;
            block[i] ^= swap << size;
            block[i + size] ^= swap;
            i = (i + size + 1) & !size;
        }
        size /= 2;
        mask ^= mask << size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::unit;

    fn noise(columns: u32, rows: u32, density: f64, mut state: u64) -> BitGrid {
        let mut plane = BitGrid::new(columns, rows);
        for row in 0..rows {
            for column in 0..columns {
                plane.set(column, row, unit(&mut state) < density);
            }
        }
        plane
    }

    #[test]
    fn transposing_swaps_columns_and_rows() {
        for (columns, rows) in [
            (1, 1),
            (64, 64),
            (65, 3),
            (3, 130),
            (200, 90),
            (0, 5),
            (5, 0),
        ] {
            let plane = noise(columns, rows, 0.5, 99);
            let mut turned = noise(9, 9, 0.5, 1);
            transpose_into(&plane, &mut turned);
            assert_eq!((turned.columns(), turned.rows()), (rows, columns));
            for row in 0..rows {
                for column in 0..columns {
                    assert_eq!(turned.get(row, column), plane.get(column, row));
                }
            }
            assert_eq!(turned.count_ones(), plane.count_ones());
        }
    }

    #[test]
    fn regions_are_those_a_flood_fill_finds() {
        for eighths in 0..8_u32 {
            let plane = noise(150, 40, f64::from(eighths) / 8.0, eighths.into());
            let air = Air::new(&plane);
            let free = |c: u32, r: u32| c < 150 && r < 40 && !plane.get(c, r);
            let mut seen = vec![None; 150 * 40];
            let mut found = 0;
            for start in 0..150 * 40 {
                if seen[start as usize].is_some() || !free(start % 150, start / 150) {
                    continue;
                }
                let mut open = vec![start];
                seen[start as usize] = Some(found);
                while let Some(v) = open.pop() {
                    let (c, r) = (v % 150, v / 150);
                    for (c, r) in [
                        (c + 1, r),
                        (c.wrapping_sub(1), r),
                        (c, r + 1),
                        (c, r.wrapping_sub(1)),
                    ] {
                        if free(c, r) && seen[(r * 150 + c) as usize].is_none() {
                            seen[(r * 150 + c) as usize] = Some(found);
                            open.push(r * 150 + c);
                        }
                    }
                }
                found += 1;
            }
            assert_eq!(air.regions, found);
            for v in 0..150 * 40 {
                let cell = Cell::new(v % 150, v / 150);
                if free(cell.column, cell.row) {
                    assert_eq!(air.region(cell), seen[v as usize]);
                }
            }
        }
    }
}
