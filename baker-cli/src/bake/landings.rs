//! Where a falling body lands, by the cut it crosses.

use std::ops::Range;

use super::{Floor, Layout, Place, Places, Rows, Slabs};
use crate::geometry::Interval;

/// A place, where it is met by a falling body.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Spot {
    x: f64,
    place: u32,
    floor: u32,
}

/// A flat stretch of a platform.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Flat {
    x: Interval,
    y: f64,
    floor: u32,
}

/// Places and flat stretches by the cut at which they are landed on, from
/// left to right.
#[derive(Debug, Clone, Default)]
pub struct Landings {
    spots: Rows<Spot>,
    flats: Rows<Flat>,
}

impl Landings {
    /// Sorts the places and flat stretches of `floors` by cut.
    pub fn new(floors: &[Floor], places: &Places, layout: &Layout, slabs: &Slabs) -> Self {
        let tolerance = layout.quantum * 0.5;
        let mut spots: Vec<(usize, Spot)> = places
            .all()
            .iter()
            .zip(0..)
            .filter_map(|(p, place)| {
                let spot = Spot {
                    x: p.x,
                    place,
                    floor: p.floor,
                };
                Some((landing_cut(slabs, p, tolerance)?, spot))
            })
            .collect();
        spots.sort_by(|(a, s), (b, t)| {
            a.cmp(b)
                .then(s.x.total_cmp(&t.x))
                .then(s.place.cmp(&t.place))
        });
        let flats_of = |(floor, id): (&Floor, u32)| {
            let flat = move |p: &[glam::DVec2]| Flat {
                x: Interval::new(p[0].x, p[1].x),
                y: p[0].y,
                floor: id,
            };
            let pairs = floor
                .surface
                .windows(2)
                .filter(|p| p[0].y == p[1].y && !floor.kind.is_upright());
            pairs.map(flat).collect::<Vec<_>>()
        };
        let mut flats: Vec<(usize, Flat)> = floors
            .iter()
            .zip(0..)
            .flat_map(flats_of)
            .filter_map(|flat| Some((slabs.cut_at(flat.y, tolerance)?, flat)))
            .collect();
        flats.sort_by(|(a, f), (b, g)| a.cmp(b).then(f.x.lo.total_cmp(&g.x.lo)));
        let count = slabs.cuts().len();
        Self {
            spots: Rows::from_sorted(count, spots),
            flats: Rows::from_sorted(count, flats),
        }
    }

    /// Replaces these by those of `of` at some cuts and x, on other platforms
    /// than `floor`.
    pub fn copy_part(&mut self, of: &Self, cuts: Range<usize>, x: Interval, floor: u32) {
        let spots = |row: &[Spot]| {
            row.partition_point(|s| s.x < x.lo)..row.partition_point(|s| s.x <= x.hi)
        };
        self.spots.copy_part(
            &of.spots,
            cuts.clone(),
            |row| &row[spots(row)],
            |s| s.floor != floor,
        );
        let flats = |row: &[Flat]| {
            row.partition_point(|f| f.x.hi < x.lo)..row.partition_point(|f| f.x.lo <= x.hi)
        };
        self.flats.copy_part(
            &of.flats,
            cuts,
            |row| &row[flats(row)],
            |f| f.floor != floor,
        );
    }

    /// Calls `each` with the number of every place landed on at `cut` within
    /// `x`, and with the middle of every flat stretch's part within `x` that
    /// holds none.
    pub fn within(
        &self,
        cut: usize,
        x: Interval,
        layout: &Layout,
        mut each: impl FnMut(Result<u32, Place>),
    ) {
        let spots = self.spots.get(cut);
        let from = spots.partition_point(|s| s.x < x.lo);
        for spot in spots[from..].iter().take_while(|s| s.x <= x.hi) {
            each(Ok(spot.place));
        }
        let flats = self.flats.get(cut);
        let first = flats.partition_point(|f| f.x.hi < x.lo);
        for flat in flats[first..].iter().take_while(|f| f.x.lo <= x.hi) {
            let part = flat.x.intersection(&x);
            let at = spots.partition_point(|s| s.x < part.lo);
            if spots.get(at).is_some_and(|s| s.x <= part.hi) {
                continue;
            }
            let middle = layout.round(part.middle());
            if part.contains(middle) {
                each(Err(Place {
                    x: middle,
                    y: flat.y,
                    floor: flat.floor,
                }));
            }
        }
    }
}

/// The cut at which a body falling straight down onto a place leaves the
/// slabs that are free there: the place's own height on flat ground; above it
/// on slanted ground, whose slabs are partly filled.
fn landing_cut(slabs: &Slabs, place: &Place, tolerance: f64) -> Option<usize> {
    const MOST: usize = 64;
    let cut = slabs.cut_at(place.y, tolerance);
    let mut slab = match cut {
        Some(cut) => cut,
        None => slabs.slab_above(place.y, tolerance),
    };
    let exact = cut.is_some();
    if exact && slabs.free_around(slab, place.x).is_some() {
        return Some(slab);
    }
    for _ in 0..MOST {
        slab = slab.checked_sub(1)?;
        if slabs.free_around(slab, place.x).is_some() {
            return Some(slab);
        }
    }
    None
}
