//! Stage 5: the positions links may leave from and land on.

use navmesh_runtime::mesh::PlatformKind;

use super::{Floor, Layout, Limits, Slabs};
use crate::geometry::{Interval, subtract};

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
/// overhead, and the points between vertices. For those that drop through
/// one-way platforms: the same over gaps below. On ladders and walls: the
/// ends, and every cut.
pub struct Places {
    all: Vec<Place>,
    /// Where each platform's places end; each from left to right.
    ends: Vec<u32>,
}

impl Places {
    /// Finds the places of `floors` for an agent.
    pub fn new(floors: &[Floor], layout: &Layout, slabs: &Slabs, limits: &Limits) -> Self {
        let mut all = Vec::new();
        let mut ends = Vec::with_capacity(floors.len());
        let mut xs = Vec::new();
        for (id, floor) in floors.iter().enumerate() {
            if floor.kind.is_upright() {
                let x = floor.left().x;
                all.extend(heights_on(floor, layout, slabs).into_iter().map(|y| Place {
                    x,
                    y,
                    floor: id as u32,
                }));
                ends.push(all.len() as u32);
                continue;
            }
            places_on(floor, layout, limits, &mut xs);
            if floor.kind == PlatformKind::Floor {
                under_gaps(floor, layout, slabs, limits, &mut xs);
                if limits.drops_through() {
                    over_gaps(floor, layout, slabs, limits, &mut xs);
                }
            }
            if floor.kind == PlatformKind::Ceiling {
                beside_tops(floor, layout, slabs, &mut xs);
            }
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
        Self { all, ends }
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

/// The heights of the places on a ladder or wall: its ends, and every cut
/// between them that is no hair's breadth from another.
fn heights_on(floor: &Floor, layout: &Layout, slabs: &Slabs) -> Vec<f64> {
    let near = 8.0 * layout.quantum;
    let (top, bottom) = (floor.left().y, floor.right().y);
    let between = slabs.cuts_between(top + near, bottom - near);
    let mut all = vec![top];
    all.extend(between);
    all.dedup_by(|b, a| *b - *a < near);
    all.push(bottom);
    all
}

/// Adds places where there is a way straight down through a one-way platform
/// that no place is over yet. `xs` stays sorted.
fn over_gaps(floor: &Floor, layout: &Layout, slabs: &Slabs, limits: &Limits, xs: &mut Vec<f64>) {
    for pair in floor.surface.windows(2) {
        let y = pair[0].y;
        let cut = slabs.cut_at(y, layout.quantum * 0.5);
        let Some(cut) = cut.filter(|_| y == pair[1].y) else {
            continue;
        };
        let flat = Interval::new(pair[0].x, pair[1].x);
        slabs.free_within(cut + 1, flat, |free| {
            add_ends(&flat.intersection(&free), layout, limits, xs);
        });
    }
}

/// Adds places on a ceiling just beside one-way platforms at its height,
/// which carry what lets go over them. `xs` stays sorted.
fn beside_tops(floor: &Floor, layout: &Layout, slabs: &Slabs, xs: &mut Vec<f64>) {
    let Some(cut) = slabs.cut_at(floor.left().y, layout.quantum * 0.5) else {
        return;
    };
    let line = Interval::new(floor.left().x, floor.right().x);
    subtract(line, slabs.one_way_floors(cut), |part| {
        xs.extend([layout.ceil(part.lo), layout.floor(part.hi)]);
    });
    xs.sort_unstable_by(f64::total_cmp);
    xs.dedup();
}

/// Adds both ends of a gap that lies over or under none of `xs`; without air
/// control, both ends of any gap. `xs` stays sorted.
fn add_ends(gap: &Interval, layout: &Layout, limits: &Limits, xs: &mut Vec<f64>) {
    let at = xs.partition_point(|x| *x < gap.lo);
    let known = xs.get(at).is_some_and(|x| *x <= gap.hi);
    let (lo, hi) = (layout.ceil(gap.lo), layout.floor(gap.hi));
    if lo > hi || (known && limits.air_control) {
        return;
    }
    for x in [hi, lo] {
        let at = xs.partition_point(|other| *other < x);
        if xs.get(at) != Some(&x) {
            xs.insert(at, x);
        }
    }
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
        let flat = Interval::new(pair[0].x, pair[1].x);
        match slabs.cut_at(y, tolerance) {
            // Heads that touch a one-way ceiling do not rise.
            Some(cut) => subtract(flat, slabs.one_way_ceilings(cut), |x| open.push(x)),
            None => open.push(flat),
        }
        let mut slab = slabs.slab_above(y, tolerance);
        let mut top = y;
        while !open.is_empty() && top > y - rise {
            next.clear();
            for sky in &open {
                slabs.free_within(slab, *sky, |free| next.push(sky.intersection(&free)));
            }
            for sky in &next {
                add_ends(sky, layout, limits, xs);
            }
            let Some(above) = slab.checked_sub(1) else {
                break;
            };
            open.clear();
            for sky in &next {
                subtract(*sky, slabs.one_way_ceilings(above), |x| open.push(x));
            }
            top = slabs.cuts()[above];
            slab = above;
        }
    }
}
