//! The part of a level that the take-offs near each other can reach.

use crate::flight::columns::Columns;
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
        let lands = |cut| landings.has_any(cut, x);
        (self.slabs).copy_part(slabs, top, bottom, x, lands, &mut self.cuts);
        (self.landings).copy_part(landings, &self.cuts, x, platform);
        let columns = Columns::new(self.slabs.bounds);
        let landings = &self.landings;
        self.is_large = landings.len() > MAX_LANDINGS;
        self.landing_columns.clear();
        if !self.is_large {
            let in_columns = |cut| landings.columns(cut, x, &columns, |_| true, |_| true);
            (self.landing_columns).extend((0..self.cuts.len()).map(in_columns));
        }
        self.columns = columns;
    }
}
