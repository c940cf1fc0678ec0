//! Stage 4: free space cut into horizontal slabs, for the link search.
//!
//! Between two neighbouring *cuts* (heights at which something begins or
//! ends) the free stretches of x stay the same, so the search for arcs need
//! only look where an arc crosses a cut. Among boxes and pixels this is exact;
//! where geometry is slanted, slabs are thin and take as blocked what is
//! blocked anywhere in them.

use std::ops::Range;

use rayon::prelude::*;

use super::Rows;
use crate::geometry::{Band, BodySpace, Interval, OneWayBarrier, merge};

/// Free space in slabs. Slab `i` lies above cut `i` (and below cut `i - 1`);
/// the last slab lies below the last cut.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Slabs {
    cuts: Vec<f64>,
    /// Blocked intervals of each slab, open, merged.
    blocked: Rows<Interval>,
    /// One-way surfaces exactly at each cut, open, merged.
    floors: Rows<Interval>,
    /// One-way slopes inside each slab, open, merged.
    slopes: Rows<Interval>,
    /// One-way ceilings exactly at each cut, open, merged.
    ceilings: Rows<Interval>,
    /// One-way walls beside each slab, from left to right.
    gates: Rows<OneWayBarrier>,
    /// Which slabs hold slanted geometry.
    slanted: Vec<bool>,
    /// The x the feet may take at all.
    bounds: Interval,
}

impl Slabs {
    /// Cuts the free space of a body into slabs, those with slanted geometry
    /// in them at most `fine` high, and at the heights `more`. Feet stay
    /// within `bounds`.
    pub fn new(space: &dyn BodySpace, bounds: Interval, fine: f64, more: &[f64]) -> Self {
        let mut cuts = space.cuts(fine);
        if !more.is_empty() {
            cuts.extend_from_slice(more);
            cuts.sort_unstable_by(f64::total_cmp);
            cuts.dedup();
        }
        let nothing = Self {
            bounds,
            ..Self::default()
        };
        Self::at_cuts(space, cuts, &nothing)
    }

    /// The same slabs, cut at the heights `more` too.
    #[must_use]
    pub fn refined(self, space: &dyn BodySpace, more: impl IntoIterator<Item = f64>) -> Self {
        let mut cuts = self.cuts.clone();
        cuts.extend(more);
        cuts.sort_unstable_by(f64::total_cmp);
        cuts.dedup();
        if cuts.len() == self.cuts.len() {
            return self;
        }
        Self::at_cuts(space, cuts, &self)
    }

    /// The slabs between these cuts, in order. What is in `known` between or at
    /// the same cuts is taken from there.
    fn at_cuts(space: &dyn BodySpace, cuts: Vec<f64>, known: &Self) -> Self {
        let bounds = known.bounds;
        let band = |i: usize| band(&cuts, i);
        let window = bounds.grown(space.body().x);
        let known_cut = |i: usize| known.cut_at(*cuts.get(i)?, 0.0);
        let known_slab = |i: usize| {
            // Below the cut above it, or before all.
            let slab = match i.checked_sub(1) {
                Some(above) => known_cut(above)? + 1,
                None => 0,
            };
            (self::band(&known.cuts, slab) == band(i)).then_some(slab)
        };
        let blocked = rows(&cuts, &known.blocked, &known_slab, &|i| {
            let band = band(i);
            let mut out = Vec::new();
            if band.top.is_finite() && band.bottom.is_finite() {
                space.blocked_x(band, window, &mut out);
            }
            out
        });
        let floors = rows(&cuts, &known.floors, &known_cut, &|i| {
            let mut out = Vec::new();
            if let Some(&y) = cuts.get(i) {
                space.one_way_ledges(window, Band::at(y), &mut |ledge| {
                    if ledge.left.y == y && ledge.right.y == y {
                        out.push(ledge.x());
                    }
                });
            }
            merge(&mut out);
            out
        });
        let slopes = rows(&cuts, &known.slopes, &known_slab, &|i| {
            let mut out = Vec::new();
            let band = band(i);
            if band.top.is_finite() && band.bottom.is_finite() {
                space.one_way_ledges(window, band, &mut |ledge| {
                    if ledge.left.y == ledge.right.y {
                        return;
                    }
                    let along = |y: f64| {
                        let t = (y - ledge.left.y) / (ledge.right.y - ledge.left.y);
                        ledge.left.x + (ledge.right.x - ledge.left.x) * t.clamp(0.0, 1.0)
                    };
                    let (a, b) = (along(band.top), along(band.bottom));
                    out.push(Interval::new(a.min(b), a.max(b)));
                });
            }
            merge(&mut out);
            out
        });
        let everywhere = Interval::new(f64::NEG_INFINITY, f64::INFINITY);
        let ceilings = rows(&cuts, &known.ceilings, &known_cut, &|i| {
            let mut out = Vec::new();
            if let Some(&y) = cuts.get(i) {
                space.gates(everywhere, Band::at(y), &mut |gate| {
                    if !gate.is_upright() && gate.at == y {
                        out.push(gate.span);
                    }
                });
            }
            merge(&mut out);
            out
        });
        let gates = rows(&cuts, &known.gates, &known_slab, &|i| {
            let mut out = Vec::new();
            let band = band(i);
            if band.top.is_finite() && band.bottom.is_finite() {
                space.gates(everywhere, band, &mut |gate| {
                    let beside = gate.span.lo < band.bottom && gate.span.hi > band.top;
                    if gate.is_upright() && beside {
                        out.push(gate);
                    }
                });
            }
            out.sort_by(|a, b| a.at.total_cmp(&b.at));
            out
        });
        let slants = space.slanted();
        let slanted = (0..=cuts.len())
            .map(|i| {
                let band = band(i);
                let at = slants.partition_point(|s| s.hi <= band.top);
                slants.get(at).is_some_and(|s| s.lo < band.bottom)
            })
            .collect();
        Self {
            cuts,
            blocked,
            floors,
            slopes,
            ceilings,
            gates,
            slanted,
            bounds,
        }
    }

    /// Replaces these slabs by those of `of` from `top` down to `bottom`,
    /// within `x`; returns the numbers of their cuts in `of`.
    pub fn copy_part(&mut self, of: &Self, top: f64, bottom: f64, x: Interval) -> Range<usize> {
        let from = of.cuts.partition_point(|c| *c < top);
        let to = of.cuts.partition_point(|c| *c <= bottom).max(from);
        let part = |row: &[Interval]| {
            row.partition_point(|b| b.hi < x.lo)..row.partition_point(|b| b.lo <= x.hi)
        };
        let all = |_: &Interval| true;
        self.cuts.clear();
        self.cuts.extend_from_slice(&of.cuts[from..to]);
        self.blocked
            .copy_part(&of.blocked, from..to + 1, |row| &row[part(row)], all);
        self.floors
            .copy_part(&of.floors, from..to, |row| &row[part(row)], all);
        self.slopes
            .copy_part(&of.slopes, from..to + 1, |row| &row[part(row)], all);
        self.ceilings
            .copy_part(&of.ceilings, from..to, |row| &row[part(row)], all);
        self.gates
            .copy_part(&of.gates, from..to + 1, |row| row, |_| true);
        self.slanted.clear();
        self.slanted.extend_from_slice(&of.slanted[from..=to]);
        self.bounds = of.bounds.intersection(&x);
        from..to
    }

    /// Whether a slab holds slanted geometry, which it takes as larger than
    /// it is.
    pub fn is_slanted(&self, slab: usize) -> bool {
        self.slanted.get(slab).copied().unwrap_or(false)
    }

    /// Whether there are one-way surfaces at all.
    pub fn has_one_way(&self) -> bool {
        let none = self.floors.is_empty() && self.slopes.is_empty();
        !(none && self.ceilings.is_empty() && self.gates.is_empty())
    }

    /// One-way ceilings exactly at a cut: no rising body passes them.
    pub fn one_way_ceilings(&self, cut: usize) -> &[Interval] {
        self.ceilings.get(cut)
    }

    /// One-way walls beside a slab, from left to right.
    pub fn gates(&self, slab: usize) -> &[OneWayBarrier] {
        self.gates.get(slab)
    }

    /// The heights between slabs, from the top down.
    pub fn cuts(&self) -> &[f64] {
        &self.cuts
    }

    /// The cuts from `top` down to `bottom`, both included.
    pub fn cuts_between(&self, top: f64, bottom: f64) -> &[f64] {
        let from = self.cuts.partition_point(|c| *c < top);
        let to = self.cuts.partition_point(|c| *c <= bottom);
        &self.cuts[from..to.max(from)]
    }

    /// Where the feet may be at all.
    pub fn bounds(&self) -> Interval {
        self.bounds
    }

    /// The slab in which feet at `y` are when they rise from there: the one
    /// above the cut at `y`, if there is one.
    pub fn slab_above(&self, y: f64, tolerance: f64) -> usize {
        self.cuts.partition_point(|c| *c < y - tolerance)
    }

    /// The cut at height `y`, if there is one.
    pub fn cut_at(&self, y: f64, tolerance: f64) -> Option<usize> {
        let i = self.slab_above(y, tolerance);
        (self.cuts.get(i)? - y <= tolerance).then_some(i)
    }

    /// The blocked intervals of a slab.
    pub fn blocked(&self, slab: usize) -> &[Interval] {
        self.blocked.get(slab)
    }

    /// The free stretch of a slab that holds `x`, ends included.
    pub fn free_around(&self, slab: usize, x: f64) -> Option<Interval> {
        let blocked = self.blocked(slab);
        let next = blocked.partition_point(|b| b.hi <= x);
        let hi = blocked.get(next).map_or(self.bounds.hi, |b| b.lo);
        let lo = next
            .checked_sub(1)
            .map_or(self.bounds.lo, |i| blocked[i].hi);
        (lo <= x && x <= hi).then(|| Interval::new(lo.max(self.bounds.lo), hi.min(self.bounds.hi)))
    }

    /// Calls `each` with every free stretch of a slab that meets `x`.
    pub fn free_within(&self, slab: usize, x: Interval, mut each: impl FnMut(Interval)) {
        let blocked = self.blocked(slab);
        let first = blocked.partition_point(|b| b.hi < x.lo);
        let mut lo = first
            .checked_sub(1)
            .map_or(self.bounds.lo, |i| blocked[i].hi);
        for b in &blocked[first..] {
            let stretch = Interval::new(lo, b.lo.min(self.bounds.hi));
            if stretch.lo <= stretch.hi && stretch.hi >= x.lo && stretch.lo <= x.hi {
                each(stretch);
            }
            lo = b.hi;
            if lo > x.hi {
                return;
            }
        }
        let stretch = Interval::new(lo.max(self.bounds.lo), self.bounds.hi);
        if stretch.lo <= x.hi && stretch.lo <= stretch.hi {
            each(stretch);
        }
    }

    /// One-way surfaces exactly at a cut: no falling body passes them.
    pub fn one_way_floors(&self, cut: usize) -> &[Interval] {
        self.floors.get(cut)
    }

    /// One-way slopes in a slab: no falling body enters them.
    pub fn one_way_slopes(&self, slab: usize) -> &[Interval] {
        self.slopes.get(slab)
    }
}

/// The heights of slab `i` between cuts.
fn band(cuts: &[f64], i: usize) -> Band {
    let above = i.checked_sub(1).and_then(|above| cuts.get(above));
    Band::new(
        above.copied().unwrap_or(f64::NEG_INFINITY),
        cuts.get(i).copied().unwrap_or(f64::INFINITY),
    )
}

/// A row for every slab between cuts: that of `known` which `row_of` tells, or
/// else a new one.
fn rows<T: Copy + Send + Sync>(
    cuts: &[f64],
    known: &Rows<T>,
    row_of: &(dyn Fn(usize) -> Option<usize> + Sync),
    new: &(dyn Fn(usize) -> Vec<T> + Sync),
) -> Rows<T> {
    let row = |i| row_of(i).map_or_else(|| new(i), |row| known.get(row).to_vec());
    Rows::collect((0..=cuts.len()).into_par_iter().map(row).collect())
}
