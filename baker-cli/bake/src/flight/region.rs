//! The part of a level that the take-offs near each other can reach.

use crate::flight::landing_index::LandingIndex;
use crate::geometry::Interval;
use crate::space::slabs::Slabs;

/// The part of the level around some endpoints of one platform, small enough to
/// stay in the processor's cache while every take-off from them is tried.
#[derive(Debug, Default)]
pub struct Region {
    pub slabs: Slabs,
    pub landings: LandingIndex,
    pub columns: Columns,
    /// For each cut, the columns with landings; nothing in a large region.
    pub landing_columns: Vec<u64>,
    /// Whether there are so many landings that it takes longer to note which were
    /// found than to follow every take-off to its end.
    pub is_large: bool,
    /// Memory of [`fill`](Self::fill): the cuts of the level that are kept.
    cuts: Vec<usize>,
}

/// Most landings in a region that is not large. Regions have hundreds where jumps
/// and drops have the limits of a preset. Without limits in 1000 × 1000 tiles they
/// have 100,000; to note which were found takes a fourteenth of a bake.
const MAX_LANDINGS: usize = 4096;

impl Region {
    /// Replaces the region by the part of a level within `x`, from `top` down to
    /// `bottom`, without the landings on `platform`.
    pub fn fill(
        &mut self,
        (slabs, landings): (&Slabs, &LandingIndex),
        (top, bottom): (f64, f64),
        x: Interval,
        platform: u32,
    ) {
        self.slabs.copy_part(
            slabs,
            (top, bottom),
            x,
            |cut| landings.has_any(cut, x),
            &mut self.cuts,
        );
        (self.landings).copy_part(landings, &self.cuts, x, platform);
        let columns = Columns::new(self.slabs.bounds);
        let landings = &self.landings;
        self.is_large = landings.len() > MAX_LANDINGS;
        self.landing_columns.clear();
        if !self.is_large {
            let cuts = 0..self.cuts.len();
            let sets = cuts.map(|cut| landings.columns(cut, x, &columns, |_| true, |_| true));
            self.landing_columns.extend(sets);
        }
        self.columns = columns;
    }
}

/// An interval of x in 64 columns, so that sets of them are the bits of a number.
#[derive(Debug, Clone, Copy, Default)]
pub struct Columns {
    lo: f64,
    per_unit: f64,
}

impl Columns {
    pub fn new(x: Interval) -> Self {
        Self {
            lo: x.lo,
            // A level can be as narrow as a body.
            per_unit: 64.0 / x.len().max(1.0),
        }
    }

    pub fn width(&self) -> f64 {
        1.0 / self.per_unit
    }

    /// The number of the column that holds a position. What lies outside of all
    /// columns is in the nearest one.
    fn number(&self, x: f64) -> u32 {
        (((x - self.lo) * self.per_unit) as u32).min(63)
    }

    /// The column that holds a position.
    pub fn at(&self, x: f64) -> u64 {
        1 << self.number(x)
    }

    /// The columns that an interval meets.
    pub fn set(&self, x: Interval) -> u64 {
        let (first, last) = (self.number(x.lo), self.number(x.hi));
        (u64::MAX << first) & (u64::MAX >> (63 - last))
    }

    /// The x of the columns that an interval meets, a hundredth of a column wider at
    /// either end because of rounding.
    pub fn around(&self, x: Interval) -> Interval {
        let (first, last) = (f64::from(self.number(x.lo)), f64::from(self.number(x.hi)));
        Interval::new(
            self.lo + self.width() * (first - 0.01),
            self.lo + self.width() * (last + 1.01),
        )
    }
}
