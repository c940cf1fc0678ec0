//! Stage 5: the positions links may leave from and land on.

use super::{Floor, Layout, Limits, Slabs};
use crate::geometry::Interval;

/// A position on a platform.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// x of the feet, on the lattice.
    pub x: f64,
    /// y of the feet, y down.
    pub y: f64,
    /// The platform.
    pub floor: u32,
}

/// All positions of all platforms: vertices, lips, both ends of every flat
/// stretch that is not shorter than half a cell, and both ends of every gap
/// overhead that has none of these beneath it. For bodies without air
/// control, which must leave from just the right spot: both ends of every gap
/// overhead, and the points between vertices.
pub struct Places {
    all: Vec<Place>,
    /// Where each platform's places end; each from left to right.
    ends: Vec<u32>,
    /// Place numbers by the cut at which a falling body lands on them (or
    /// passes into the column of free space above them), by x.
    by_cut: Vec<u32>,
    by_cut_x: Vec<f64>,
    cut_ends: Vec<u32>,
    /// Flat stretches by the cut at their height, by x.
    flats: Vec<Flat>,
    flat_ends: Vec<u32>,
}

/// A flat stretch of a platform.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Flat {
    x: Interval,
    y: f64,
    floor: u32,
}

impl Places {
    /// Finds the places of `floors` for an agent.
    pub fn new(floors: &[Floor], layout: &Layout, slabs: &Slabs, limits: &Limits) -> Self {
        let mut all = Vec::new();
        let mut ends = Vec::with_capacity(floors.len());
        let mut xs = Vec::new();
        for (id, floor) in floors.iter().enumerate() {
            places_on(floor, layout, limits, &mut xs);
            under_gaps(floor, layout, slabs, limits, &mut xs);
            all.extend(xs.iter().map(|&x| Place {
                x,
                y: floor.height_at(x),
                floor: id as u32,
            }));
            ends.push(all.len() as u32);
        }
        // Heights off the lattice (between points of a slope) are rounded so
        // that f32 holds them; upwards, so that feet never sink in.
        for place in &mut all {
            place.y = layout.floor(place.y + layout.quantum * 1e-3);
        }
        let tolerance = layout.quantum * 0.5;
        let mut landings: Vec<(usize, f64, u32)> = all
            .iter()
            .enumerate()
            .filter_map(|(i, p)| Some((landing_cut(slabs, p, tolerance)?, p.x, i as u32)))
            .collect();
        landings.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        let mut flats: Vec<(usize, Flat)> = floors
            .iter()
            .zip(0..)
            .flat_map(|(floor, id)| flats_of(floor, id))
            .filter_map(|flat| Some((slabs.cut_at(flat.y, tolerance)?, flat)))
            .collect();
        flats.sort_by(|(a, f), (b, g)| a.cmp(b).then(f.x.lo.total_cmp(&g.x.lo)));
        let count = slabs.cuts().len();
        Self {
            all,
            ends,
            by_cut: landings.iter().map(|l| l.2).collect(),
            by_cut_x: landings.iter().map(|l| l.1).collect(),
            cut_ends: row_ends(count, landings.iter().map(|l| l.0)),
            flat_ends: row_ends(count, flats.iter().map(|f| f.0)),
            flats: flats.into_iter().map(|f| f.1).collect(),
        }
    }

    /// All places.
    pub fn all(&self) -> &[Place] {
        &self.all
    }

    /// The numbers of a platform's places.
    pub fn of_floor(&self, floor: usize) -> std::ops::Range<usize> {
        let end = |i: usize| self.ends.get(i).map_or(self.all.len(), |e| *e as usize);
        floor.checked_sub(1).map_or(0, end)..end(floor)
    }

    /// Calls `each` with the number of every place that is landed on at
    /// `cut`, between `lo` and `hi`.
    pub fn landings(&self, cut: usize, lo: f64, hi: f64, mut each: impl FnMut(usize)) {
        let range = row(&self.cut_ends, cut);
        let xs = &self.by_cut_x[range.clone()];
        let from = xs.partition_point(|x| *x < lo);
        let to = xs.partition_point(|x| *x <= hi);
        for &place in &self.by_cut[range.start + from..range.start + to.max(from)] {
            each(place as usize);
        }
    }

    /// Calls `each` with the middle of every part of a flat stretch at `cut`
    /// that lies in `x` and holds no place.
    pub fn landings_between(
        &self,
        cut: usize,
        x: Interval,
        layout: &Layout,
        mut each: impl FnMut(Place),
    ) {
        let flats = &self.flats[row(&self.flat_ends, cut)];
        let first = flats.partition_point(|f| f.x.hi < x.lo);
        for flat in flats[first..].iter().take_while(|f| f.x.lo <= x.hi) {
            let part = flat.x.intersection(&x);
            let range = row(&self.cut_ends, cut);
            let xs = &self.by_cut_x[range];
            if xs
                .get(xs.partition_point(|x| *x < part.lo))
                .is_some_and(|x| *x <= part.hi)
            {
                continue;
            }
            let middle = layout.round(part.middle());
            if part.contains(middle) {
                each(Place {
                    x: middle,
                    y: flat.y,
                    floor: flat.floor,
                });
            }
        }
    }
}

/// Where the entries of each of `count` rows end, given each entry's row.
fn row_ends(count: usize, rows: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut ends = vec![0u32; count];
    rows.for_each(|row| ends[row] += 1);
    let mut total = 0;
    for end in &mut ends {
        total += *end;
        *end = total;
    }
    ends
}

/// The entries of a row.
fn row(ends: &[u32], i: usize) -> std::ops::Range<usize> {
    let end = |i: usize| ends.get(i).map_or(0, |e| *e as usize);
    i.checked_sub(1).map_or(0, end)..end(i)
}

/// The flat stretches of a platform.
fn flats_of(floor: &Floor, id: u32) -> impl Iterator<Item = Flat> {
    floor
        .surface
        .windows(2)
        .filter(|p| p[0].y == p[1].y)
        .map(move |p| Flat {
            x: Interval::new(p[0].x, p[1].x),
            y: p[0].y,
            floor: id,
        })
}

/// The x of a platform's places, from left to right.
fn places_on(floor: &Floor, layout: &Layout, limits: &Limits, xs: &mut Vec<f64>) {
    xs.clear();
    let (left, right) = (floor.left().x, floor.right().x);
    xs.push(left);
    xs.push(right);
    for pair in floor.surface.windows(2) {
        if pair[0].y == pair[1].y && pair[1].x - pair[0].x >= 0.5 * layout.spacing {
            xs.push(pair[0].x);
            xs.push(pair[1].x);
        }
    }
    let column = |x: f64| (x - layout.area.min.x) / layout.spacing - 0.5;
    let first = column(left).floor().max(0.0) as u32;
    let last = column(right).ceil().max(-1.0) as i64;
    let between = if limits.air_control {
        0.0
    } else {
        0.5 * layout.spacing
    };
    for c in i64::from(first)..=last.min(i64::from(layout.columns) - 1) {
        let vertex = layout.column_x(c as u32);
        for x in [layout.round(vertex), layout.round(vertex + between)] {
            if left <= x && x <= right {
                xs.push(x);
            }
        }
    }
    xs.sort_unstable_by(f64::total_cmp);
    xs.dedup();
}

/// Adds places where there is a way straight up that no place is under yet:
/// a body can only rise or come down there. `xs` stays sorted.
fn under_gaps(floor: &Floor, layout: &Layout, slabs: &Slabs, limits: &Limits, xs: &mut Vec<f64>) {
    let rise = limits.max_jump.y.max(limits.body.y);
    let tolerance = layout.quantum * 0.5;
    let (mut open, mut next): (Vec<Interval>, Vec<Interval>) = (Vec::new(), Vec::new());
    for pair in floor.surface.windows(2) {
        let y = pair[0].y;
        if y != pair[1].y {
            continue;
        }
        open.clear();
        open.push(Interval::new(pair[0].x, pair[1].x));
        let mut slab = slabs.slab_above(y, tolerance);
        let mut top = y;
        while !open.is_empty() && top > y - rise {
            next.clear();
            for sky in &open {
                slabs.free_within(slab, *sky, |free| next.push(sky.intersection(&free)));
            }
            for sky in &next {
                let at = xs.partition_point(|x| *x < sky.lo);
                let known = xs.get(at).is_some_and(|x| *x <= sky.hi);
                let (lo, hi) = (layout.ceil(sky.lo), layout.floor(sky.hi));
                if lo > hi || (known && limits.air_control) {
                    continue;
                }
                for x in [hi, lo] {
                    let at = xs.partition_point(|other| *other < x);
                    if xs.get(at) != Some(&x) {
                        xs.insert(at, x);
                    }
                }
            }
            std::mem::swap(&mut open, &mut next);
            let Some(above) = slab.checked_sub(1) else {
                break;
            };
            top = slabs.cuts()[above];
            slab = above;
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
