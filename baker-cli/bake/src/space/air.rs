//! Where the body of an agent that only flies is free, exactly.
//!
//! Free space is found slab by slab, between heights at which an obstacle has a corner or
//! the sides of two cross. There the sides of what is free are straight.

use navmesh_runtime::mesh::{AirCell, Slab, assemble};
use rayon::prelude::*;

use crate::geometry::{ConfigurationSpace, Interval, sort_and_dedup};
use crate::layout::Layout;

/// How often a slab is divided where sides cross. Each time, at least one crossing is no
/// longer inside; the bound is for crossings that rounding does not separate.
const MOST_DIVISIONS: u32 = 48;

/// The cells of the air within the outermost vertices of the grid.
pub fn air_cells(space: &dyn ConfigurationSpace, layout: &Layout) -> Vec<AirCell> {
    let (Some(right), Some(low)) = (layout.columns.checked_sub(1), layout.rows.checked_sub(1))
    else {
        return Vec::new();
    };
    let slabs = Finder {
        space,
        x: Interval::new(layout.column_x(0), layout.column_x(right)),
        y: Interval::new(layout.row_y(0), layout.row_y(low)),
        // What overlaps by less than the skin on both sides only touches.
        tolerance: 2.0 * space.skin(),
    };
    assemble(&slabs.find(), layout.quantum)
}

struct Finder<'a> {
    space: &'a dyn ConfigurationSpace,
    /// The feet positions that are looked at.
    x: Interval,
    y: Interval,
    tolerance: f64,
}

impl Finder<'_> {
    fn find(&self) -> Vec<Slab> {
        let mut heights = self.space.cuts(f64::INFINITY);
        heights.retain(|y| self.y.lo + self.tolerance < *y && *y < self.y.hi - self.tolerance);
        heights.extend([self.y.lo, self.y.hi]);
        sort_and_dedup(&mut heights);
        heights.dedup_by(|next, kept| *next - *kept <= self.tolerance);
        let slabs = (0..heights.len()).into_par_iter().map(|i| {
            let top = heights[i];
            let line = self.blocked(Interval::at(top), 0).unwrap_or_default();
            let mut slabs = Vec::new();
            match heights.get(i + 1) {
                Some(&bottom) => self.divide(Interval::new(top, bottom), 0, &mut slabs),
                None => slabs.push(Slab {
                    top,
                    ..Slab::default()
                }),
            }
            if let Some(first) = slabs.first_mut() {
                first.line = line.into_iter().map(|[line, _]| line).collect();
            }
            slabs
        });
        let slabs: Vec<Vec<Slab>> = slabs.collect();
        slabs.into_iter().flatten().collect()
    }

    /// Adds what is free between two heights, with more heights where sides cross.
    fn divide(&self, band: Interval, divisions: u32, slabs: &mut Vec<Slab>) {
        match self.blocked(band, divisions) {
            Ok(free) => slabs.push(Slab {
                top: band.lo,
                line: Vec::new(),
                free,
            }),
            Err(share) => {
                let middle = band.lo + band.len() * share;
                self.divide(Interval::new(band.lo, middle), divisions + 1, slabs);
                self.divide(Interval::new(middle, band.hi), divisions + 1, slabs);
            }
        }
    }

    /// What is free between two heights: left and right ends at either.
    ///
    /// # Errors
    /// Where sides cross, as a share of the band, as long as it may be divided.
    fn blocked(&self, band: Interval, divisions: u32) -> Result<Vec<[[f64; 2]; 2]>, f64> {
        let mut sections = Vec::new();
        self.space.sections(band, self.x, &mut sections);
        sections.push([Interval::new(self.x.hi, f64::INFINITY); 2]);
        let middle = |[top, bottom]: &[Interval; 2]| (top.lo + bottom.lo, top.hi + bottom.hi);
        sections.sort_unstable_by(|a, b| {
            let (a, b) = (middle(a), middle(b));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        let may_divide = divisions < MOST_DIVISIONS && band.len() > 4.0 * self.tolerance;
        // The share of the band at which a difference is zero, if its ends differ in sign.
        let crossing = |[top, bottom]: [f64; 2]| {
            let differs = top * bottom < 0.0 && top.abs().min(bottom.abs()) > self.tolerance;
            (differs && may_divide).then(|| (top / (top - bottom)).clamp(1e-6, 1.0 - 1e-6))
        };
        let mut free = Vec::new();
        let mut last = [Interval::new(f64::NEG_INFINITY, self.x.lo); 2];
        for next in sections {
            let ends = [0, 1];
            let gap = ends.map(|end| next[end].lo - last[end].hi);
            if let Some(share) = crossing(gap) {
                return Err(share);
            }
            let is_apart = gap.iter().all(|gap| *gap >= -self.tolerance);
            if is_apart {
                free.push(ends.map(|end| {
                    let (low, high) = (last[end].hi, next[end].lo);
                    if low <= high {
                        [low, high]
                    } else {
                        [f64::midpoint(low, high); 2]
                    }
                }));
                last = next;
                continue;
            }
            let by = [
                ends.map(|end| next[end].lo - last[end].lo),
                ends.map(|end| next[end].hi - last[end].hi),
            ];
            if let Some(share) = by.into_iter().find_map(crossing) {
                return Err(share);
            }
            for end in ends {
                last[end].hi = last[end].hi.max(next[end].hi);
            }
        }
        Ok(free)
    }
}
