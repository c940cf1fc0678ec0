//! The positions at which a falling body lands, by the cut that its feet reach.

use glam::DVec2;
use navmesh_runtime::mesh::PlatformKind;

use crate::connection::Endpoint;
use crate::flight::endpoints::Endpoints;
use crate::flight::region::Columns;
use crate::geometry::Interval;
use crate::layout::Layout;
use crate::space::rows::Rows;
use crate::space::slabs::Slabs;
use crate::surfaces::platform_line::PlatformLine;

/// An endpoint, by the x at which a falling body meets it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Spot {
    x: f64,
    endpoint: u32,
    platform: u32,
}

/// A flat segment of a platform.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Flat {
    x: Interval,
    y: f64,
    platform: u32,
}

/// A position that can be landed on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Landing {
    pub to: Endpoint,
    /// Its index among the endpoints; `None` for a position between them.
    pub index: Option<usize>,
}

/// Endpoints and flat segments by the cut at which they are landed on, from
/// left to right.
#[derive(Debug, Clone, Default)]
pub struct LandingIndex {
    spots: Rows<Spot>,
    flats: Rows<Flat>,
}

impl LandingIndex {
    /// Sorts the endpoints and flat segments of `platforms` by cut.
    pub fn new(
        platforms: &[PlatformLine],
        endpoints: &Endpoints,
        layout: &Layout,
        slabs: &Slabs,
    ) -> Self {
        let tolerance = layout.tolerance();
        let mut spots = vec![Vec::new(); slabs.cuts.len()];
        let mut flats = vec![Vec::new(); slabs.cuts.len()];
        for (p, endpoint) in endpoints.items.iter().zip(0..) {
            let cut = match platforms[p.platform as usize].kind {
                // A body that comes to the upper end of a wall falls on to the next cut at it.
                PlatformKind::Wall => slabs.cut_at(p.y, tolerance),
                _ => landing_cut(slabs, p, tolerance),
            };
            if let Some(cut) = cut {
                let (x, platform) = (p.x, p.platform);
                spots[cut].push(Spot {
                    x,
                    endpoint,
                    platform,
                });
            }
        }
        for (line, platform) in platforms.iter().zip(0..) {
            for (from, to) in line.flat_segments() {
                if let Some(cut) = slabs.cut_at(from.y, tolerance) {
                    let (x, y) = (Interval::new(from.x, to.x), from.y);
                    flats[cut].push(Flat { x, y, platform });
                }
            }
        }
        // Stable: those at one x keep the order of endpoints and platforms.
        for row in &mut spots {
            row.sort_by(|s, t| s.x.total_cmp(&t.x));
        }
        for row in &mut flats {
            row.sort_by(|f, g| f.x.lo.total_cmp(&g.x.lo));
        }
        Self {
            spots: Rows::collect(spots),
            flats: Rows::collect(flats),
        }
    }

    /// Whether there are landings at `cut` within `x`.
    pub fn has_any(&self, cut: usize, x: Interval) -> bool {
        spots_within(self.spots.get(cut), x).next().is_some()
            || flats_within(self.flats.get(cut), x).next().is_some()
    }

    /// Replaces these landings by those of `of` at `cuts`, within `x`, and on
    /// platforms other than `platform`.
    pub fn copy_part(&mut self, of: &Self, cuts: &[usize], x: Interval, platform: u32) {
        let cuts = cuts.iter().copied();
        (self.spots).copy_part(&of.spots, cuts.clone(), |row| {
            spots_within(row, x).filter(move |spot| spot.platform != platform)
        });
        (self.flats).copy_part(&of.flats, cuts, |row| {
            flats_within(row, x).filter(move |flat| flat.platform != platform)
        });
    }

    pub fn len(&self) -> usize {
        self.spots.items.len() + self.flats.items.len()
    }

    /// The columns of the landings at `cut` that meet `x`: of the endpoints and the
    /// flat segments of platforms for which `endpoint` and `platform` say so.
    pub fn columns(
        &self,
        cut: usize,
        x: Interval,
        columns: &Columns,
        endpoint: impl Fn(usize) -> bool,
        platform: impl Fn(usize) -> bool,
    ) -> u64 {
        let mut set = 0;
        for spot in spots_within(self.spots.get(cut), x) {
            if endpoint(spot.endpoint as usize) {
                set |= columns.at(spot.x);
            }
        }
        for flat in flats_within(self.flats.get(cut), x) {
            if platform(flat.platform as usize) {
                set |= columns.set(flat.x);
            }
        }
        set
    }

    /// The endpoints and flat segments at `cut` that meet `x`, each as a platform, its x
    /// there and its height. `endpoints` are those of [`new`](Self::new).
    pub fn targets(
        &self,
        cut: usize,
        x: Interval,
        endpoints: &Endpoints,
    ) -> impl Iterator<Item = (u32, Interval, f64)> {
        let flats = flats_within(self.flats.get(cut), x);
        let flats = flats.map(|flat| (flat.platform, flat.x, flat.y));
        let spots = spots_within(self.spots.get(cut), x);
        flats.chain(spots.map(|spot| {
            let y = endpoints.items[spot.endpoint as usize].y;
            (spot.platform, Interval::at(spot.x), y)
        }))
    }

    /// Calls `each` with every endpoint that is landed on at `cut` within `x`,
    /// and with the middle of the part within `x` of every flat segment that
    /// has no endpoint there. `endpoints` are those of [`new`](Self::new).
    pub fn within(
        &self,
        cut: usize,
        x: Interval,
        endpoints: &Endpoints,
        layout: &Layout,
        mut each: impl FnMut(Landing),
    ) {
        let spots = self.spots.get(cut);
        for spot in spots_within(spots, x) {
            let index = spot.endpoint as usize;
            let (to, index) = (endpoints.items[index], Some(index));
            each(Landing { to, index });
        }
        for flat in flats_within(self.flats.get(cut), x) {
            let part = flat.x.intersection(&x);
            if spots_within(spots, part).next().is_some() {
                continue;
            }
            let middle = layout.round(part.middle());
            if part.contains(middle) {
                let to = Endpoint::new(DVec2::new(middle, flat.y), flat.platform);
                each(Landing { to, index: None });
            }
        }
    }
}

/// The endpoints of a row within `x`. Called so often that to search for the end of
/// the row as well as its start takes 1 % of a bake.
fn spots_within(row: &[Spot], x: Interval) -> impl Iterator<Item = &Spot> {
    let first = row.partition_point(|s| s.x < x.lo);
    row[first..].iter().take_while(move |s| s.x <= x.hi)
}

/// The flat segments of a row that meet `x`.
fn flats_within(row: &[Flat], x: Interval) -> impl Iterator<Item = &Flat> {
    let first = row.partition_point(|f| f.x.hi < x.lo);
    row[first..].iter().take_while(move |f| f.x.lo <= x.hi)
}

/// The cut at which a body that falls straight down onto an endpoint leaves the
/// slabs that are free there. On flat ground this is the height of the
/// endpoint; on slanted ground it is above it, because the slabs that hold the
/// ground are partly blocked. `None` in a gap exactly as high as the body, into
/// which nothing falls.
fn landing_cut(slabs: &Slabs, endpoint: &Endpoint, tolerance: f64) -> Option<usize> {
    // A slab with slanted ground is at most an eighth of a cell high, so this
    // looks 8 cells up: more than the steepest slope rises across a body.
    const MAX_SLABS: usize = 64;
    let is_free = |slab: usize| slabs.free_around(slab, endpoint.x).is_some();
    let is_slanted = |slab: usize| slabs.is_slanted(slab, Interval::at(endpoint.x));
    let cut = slabs.cut_at(endpoint.y, tolerance);
    if let Some(cut) = cut.filter(|cut| is_free(*cut)) {
        return Some(cut);
    }
    let slab = cut.unwrap_or_else(|| slabs.slab_above(endpoint.y, tolerance));
    if !is_free(slab) && !is_slanted(slab) {
        return None;
    }
    let mut above = (slab.saturating_sub(MAX_SLABS)..slab).rev();
    above
        .find(|above| is_free(*above) || !is_slanted(*above))
        .filter(|above| is_free(*above))
}
