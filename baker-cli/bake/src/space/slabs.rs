//! Free space cut into horizontal slabs, in which moves are searched.
//!
//! Between two neighbouring *cuts* (heights at which an obstacle begins or
//! ends) the free intervals of x stay the same. So the search needs to look
//! only where a trajectory crosses a cut. Among boxes and pixels this is exact.
//! Slabs with slanted geometry are thin, and count as blocked wherever any
//! height in them is blocked.

use std::ops::Range;

use navmesh_runtime::mesh::Direction;
use rayon::prelude::*;

use crate::geometry::{ConfigurationSpace, Interval, Walls, merge, sort_and_dedup, within};
use crate::space::rows::Rows;

/// Free space in slabs, from the top down. Slab `i` lies above cut `i` and
/// below cut `i - 1`; the first and the last slab are unbounded.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Slabs {
    /// The heights between slabs, from the top down.
    pub cuts: Vec<f64>,
    /// The same without those that only divide slanted geometry; empty in a part of
    /// other slabs.
    corners: Vec<f64>,
    /// Blocked intervals of each slab, open, merged.
    pub blocked: Rows<Interval>,
    /// One-way tops exactly at each cut, open, merged: no falling body passes
    /// them.
    pub one_way_tops: Rows<Interval>,
    /// One-way slopes inside each slab, open, merged: no falling body enters
    /// them.
    pub one_way_slopes: Rows<Interval>,
    /// One-way ceilings exactly at each cut, open, merged: no rising body
    /// passes them.
    pub one_way_ceilings: Rows<Interval>,
    /// The x of one-way walls beside each slab, ascending: those that are passed
    /// to the right, and those that are passed to the left.
    walls: [Rows<f64>; 2],
    /// The x of slanted geometry in each slab, merged.
    slanted: Rows<Interval>,
    /// The x in which feet can be.
    pub bounds: Interval,
}

impl Slabs {
    /// The cuts and the corners of a space, with the heights `more`. Slabs with slanted
    /// geometry are at most `fine` high.
    pub fn heights(space: &dyn ConfigurationSpace, fine: f64, more: &[f64]) -> [Vec<f64>; 2] {
        [fine, f64::INFINITY].map(|fine| {
            let mut heights = space.cuts(fine);
            heights.extend(more);
            sort_and_dedup(&mut heights);
            heights
        })
    }

    /// Cuts the free space of a body into slabs at those of these cuts that are within `y`.
    /// Feet stay within `bounds`.
    pub fn new(
        space: &dyn ConfigurationSpace,
        bounds: Interval,
        [mut cuts, corners]: [Vec<f64>; 2],
        y: Interval,
    ) -> Self {
        cuts.retain(|cut| y.contains(*cut));
        let window = bounds.grown(space.body().size.x);
        let blocked = by_slab(&cuts, |band, out| space.blocked_x(band, window, out));
        let one_way_slopes = by_slab(&cuts, |band, out| {
            let tops = space.one_way_tops(window, band).into_iter();
            let slanted = tops.filter(|top| !top.is_flat());
            out.extend(slanted.map(|top| top.x_within(band)));
            merge(out);
        });
        let walls = [Direction::Right, Direction::Left].map(|pass| {
            by_slab(&cuts, |band, out| {
                let barriers = space.barriers(Interval::EVERYTHING, band).into_iter();
                let beside = barriers.filter(|wall| {
                    wall.pass == pass && wall.span.lo < band.hi && wall.span.hi > band.lo
                });
                out.extend(beside.map(|wall| wall.at));
                sort_and_dedup(out);
            })
        });
        let one_way_tops = by_cut(&cuts, |y, out| {
            let tops = space.one_way_tops(window, Interval::at(y)).into_iter();
            let level = tops.filter(|top| top.is_flat() && top.left.y == y);
            out.extend(level.map(|top| top.x()));
        });
        let one_way_ceilings = by_cut(&cuts, |y, out| {
            let barriers = space.barriers(Interval::EVERYTHING, Interval::at(y));
            let barriers = barriers.into_iter();
            let level = barriers.filter(|barrier| !barrier.is_upright() && barrier.at == y);
            out.extend(level.map(|ceiling| ceiling.span));
        });
        let slanted = by_slab(&cuts, |band, out| space.slanted_x(band, window, out));
        Self {
            cuts,
            corners,
            blocked,
            one_way_tops,
            one_way_slopes,
            one_way_ceilings,
            walls,
            slanted,
            bounds,
        }
    }

    /// Replaces these slabs by those of `of` from `top` down to `bottom`, within
    /// `x`. Leaves out the cuts at which nothing changes within `x`, unless
    /// `lands` says that a body may land there. Where obstacles are small, these are
    /// most cuts. `kept` receives the indices in `of` of the cuts that remain.
    pub fn copy_part(
        &mut self,
        of: &Self,
        (top, bottom): (f64, f64),
        x: Interval,
        lands: impl Fn(usize) -> bool,
        kept: &mut Vec<usize>,
    ) {
        let all = range_of(&of.cuts, top, bottom);
        let from = all.start;
        kept.clear();
        kept.extend(all.filter(|&cut| lands(cut) || of.changes_at(cut, x)));
        let cuts = kept.iter().copied();
        // The slabs around a cut that is left out have equal rows: the upper ones are taken.
        let slabs = [from].into_iter().chain(cuts.clone().map(|cut| cut + 1));
        copy(&mut self.blocked, &of.blocked, slabs.clone(), x);
        copy(
            &mut self.one_way_slopes,
            &of.one_way_slopes,
            slabs.clone(),
            x,
        );
        copy(&mut self.one_way_tops, &of.one_way_tops, cuts.clone(), x);
        copy(
            &mut self.one_way_ceilings,
            &of.one_way_ceilings,
            cuts.clone(),
            x,
        );
        for (walls, of) in self.walls.iter_mut().zip(&of.walls) {
            walls.copy_part(of, slabs.clone(), |row| within(row, x).iter());
        }
        self.cuts.clear();
        self.cuts.extend(cuts.map(|cut| of.cuts[cut]));
        copy(&mut self.slanted, &of.slanted, slabs, x);
        self.bounds = of.bounds.intersection(&x);
    }

    /// Whether the slabs above and below a cut differ within `x`, or something
    /// lies at the cut.
    fn changes_at(&self, cut: usize, x: Interval) -> bool {
        let (above, below) = (cut, cut + 1);
        let at_cut = [&self.one_way_tops, &self.one_way_ceilings];
        let in_slabs = [above, below].map(|slab| {
            self.is_slanted(slab, x) || !part(self.one_way_slopes.get(slab), x).is_empty()
        });
        in_slabs.contains(&true)
            || at_cut.iter().any(|rows| !part(rows.get(cut), x).is_empty())
            || (self.walls.iter())
                .any(|walls| within(walls.get(above), x) != within(walls.get(below), x))
            || !self.blocked_near(above, x).eq(self.blocked_near(below, x))
    }

    /// The blocked intervals of a slab, as far as they matter within `x`.
    fn blocked_near(&self, slab: usize, x: Interval) -> impl Iterator<Item = Interval> {
        // What is farther off does not matter. With 0 instead of 1, the fixtures bake
        // to the same bytes; with 1000, more cuts are kept.
        let near = x.grown(1.0);
        let row = part(self.blocked.get(slab), x).iter();
        row.map(move |blocked| blocked.intersection(&near))
    }

    /// Whether a slab holds slanted geometry within `x`, and so counts as blocked there
    /// where only a part of it is.
    pub fn is_slanted(&self, slab: usize, x: Interval) -> bool {
        !part(self.slanted.get(slab), x).is_empty()
    }

    /// Whether there are any one-way surfaces.
    pub fn has_one_way(&self) -> bool {
        !self.one_way_tops.items.is_empty()
            || !self.one_way_slopes.items.is_empty()
            || !self.one_way_ceilings.items.is_empty()
            || self.has_walls()
    }

    /// Whether there are any one-way walls.
    pub fn has_walls(&self) -> bool {
        self.walls.iter().any(|rows| !rows.items.is_empty())
    }

    /// The one-way walls beside a slab.
    #[inline]
    pub fn walls(&self, slab: usize) -> Walls<'_> {
        let [right, left] = &self.walls;
        Walls {
            right: right.get(slab),
            left: left.get(slab),
        }
    }

    /// The corners from `top` down to `bottom`, both included.
    pub fn corners_between(&self, top: f64, bottom: f64) -> &[f64] {
        &self.corners[range_of(&self.corners, top, bottom)]
    }

    /// The cuts from `top` down to `bottom`, both included.
    pub fn cuts_between(&self, top: f64, bottom: f64) -> &[f64] {
        &self.cuts[range_of(&self.cuts, top, bottom)]
    }

    /// The slab into which feet at `y` rise: the one above the cut at `y`, if
    /// there is one.
    pub fn slab_above(&self, y: f64, tolerance: f64) -> usize {
        self.cuts.partition_point(|c| *c < y - tolerance)
    }

    /// The cut at height `y`, if there is one.
    pub fn cut_at(&self, y: f64, tolerance: f64) -> Option<usize> {
        let i = self.slab_above(y, tolerance);
        (self.cuts.get(i)? - y <= tolerance).then_some(i)
    }

    /// Whether a slab is free at all of `x`, whose ends may touch obstacles.
    pub fn is_free(&self, slab: usize, x: Interval) -> bool {
        let blocked = self.blocked.get(slab);
        let next = blocked.partition_point(|b| b.hi <= x.lo);
        blocked.get(next).is_none_or(|b| b.lo >= x.hi)
    }

    /// The free interval of a slab that holds `x`, ends included.
    pub fn free_around(&self, slab: usize, x: f64) -> Option<Interval> {
        let blocked = self.blocked.get(slab);
        // Blocked intervals are open, so feet may be at their ends, even between two that touch.
        let next = blocked.partition_point(|b| b.hi <= x);
        let hi = blocked.get(next).map_or(self.bounds.hi, |b| b.lo);
        let lo = next
            .checked_sub(1)
            .map_or(self.bounds.lo, |i| blocked[i].hi);
        (lo <= x && x <= hi).then(|| Interval::new(lo.max(self.bounds.lo), hi.min(self.bounds.hi)))
    }

    /// Calls `each` with every free interval of a slab that meets `x`.
    #[inline]
    pub fn free_within(&self, slab: usize, x: Interval, mut each: impl FnMut(Interval)) {
        let blocked = self.blocked.get(slab);
        let first = blocked.partition_point(|b| b.hi < x.lo);
        let mut lo = first
            .checked_sub(1)
            .map_or(self.bounds.lo, |i| blocked[i].hi);
        for b in &blocked[first..] {
            let free = Interval::new(lo, b.lo.min(self.bounds.hi));
            if free.lo <= free.hi && free.hi >= x.lo && free.lo <= x.hi {
                each(free);
            }
            lo = b.hi;
            if lo > x.hi {
                return;
            }
        }
        let free = Interval::new(lo.max(self.bounds.lo), self.bounds.hi);
        if free.lo <= x.hi && free.lo <= free.hi {
            each(free);
        }
    }
}

/// A row for every slab between cuts, which `fill` makes from its heights. The two
/// unbounded slabs are empty.
fn by_slab<T: Copy + Send + Sync>(
    cuts: &[f64],
    fill: impl Fn(Interval, &mut Vec<T>) + Sync,
) -> Rows<T> {
    let rows = (0..=cuts.len()).into_par_iter().map(|slab| {
        let heights = band(cuts, slab);
        let mut row = Vec::new();
        if heights.lo.is_finite() && heights.hi.is_finite() {
            fill(heights, &mut row);
        }
        row
    });
    Rows::collect(rows.collect())
}

/// The same for cuts: rows of merged intervals.
fn by_cut(cuts: &[f64], fill: impl Fn(f64, &mut Vec<Interval>) + Sync) -> Rows<Interval> {
    let rows = cuts.par_iter().map(|&y| {
        let mut row = Vec::new();
        fill(y, &mut row);
        merge(&mut row);
        row
    });
    Rows::collect(rows.collect())
}

/// The indices of the heights from `top` down to `bottom`, both included.
fn range_of(heights: &[f64], top: f64, bottom: f64) -> Range<usize> {
    let from = heights.partition_point(|y| *y < top);
    from..heights.partition_point(|y| *y <= bottom).max(from)
}

fn part(row: &[Interval], x: Interval) -> &[Interval] {
    &row[row.partition_point(|b| b.hi < x.lo)..row.partition_point(|b| b.lo <= x.hi)]
}

/// Replaces rows of intervals by the given rows of others, within `x`.
fn copy(
    into: &mut Rows<Interval>,
    of: &Rows<Interval>,
    rows: impl Iterator<Item = usize>,
    x: Interval,
) {
    into.copy_part(of, rows, |row| part(row, x).iter());
}

/// The heights of slab `i` between cuts.
fn band(cuts: &[f64], i: usize) -> Interval {
    let above = i.checked_sub(1).and_then(|above| cuts.get(above));
    Interval::new(
        above.copied().unwrap_or(f64::NEG_INFINITY),
        cuts.get(i).copied().unwrap_or(f64::INFINITY),
    )
}
