//! The positions at which links may start and end.

use glam::DVec2;
use navmesh_runtime::mesh::PlatformKind;
use rayon::prelude::*;

use crate::agent_limits::AgentLimits;
use crate::connection::Endpoint;
use crate::geometry::{Interval, sort_and_dedup, subtract};
use crate::layout::Layout;
use crate::space::rows::Rows;
use crate::space::slabs::Slabs;
use crate::surfaces::platform_line::PlatformLine;

/// The endpoints of all platforms:
///
/// - on floors and ceilings: both ends, both ends of every flat segment that is not
///   shorter than half a [search step](Layout::search_step), at least one endpoint in
///   every step between these, and at least one between the ends;
/// - both ends of every gap overhead that has none of these beneath its inside,
///   because a body can only rise through it there; for bodies that drop
///   through one-way platforms, the same for gaps below;
/// - for bodies without air control, which must take off from exactly the
///   right position: two endpoints in every step, and both ends of every gap;
/// - on ladders and walls: both ends, and every corner of the slabs between them.
///
/// Measured against an exhaustive search on 21 levels, with vertices in place of the
/// positions between ends: links between vertices alone join 95.2 % of all platform
/// pairs, and with the ends of flat segments 99.2 %.
pub type Endpoints = Rows<Endpoint>;

/// Finds the endpoints of an agent's platforms, from left to right (or top to bottom)
/// on each.
pub fn find_endpoints(
    platforms: &[PlatformLine],
    layout: &Layout,
    slabs: &Slabs,
    limits: &AgentLimits,
) -> Endpoints {
    let rows = platforms.par_iter().enumerate().map(|(id, line)| {
        let id = id as u32;
        let on = |p: DVec2| {
            // Between the points of a slope, heights are off the lattice.
            Endpoint::new(DVec2::new(p.x, layout.lift(p.y)), id)
        };
        if line.kind.is_upright() {
            let heights = heights_on(line, layout, slabs).into_iter();
            return heights.map(|y| on(DVec2::new(line.start().x, y))).collect();
        }
        let mut xs = columns_on(line, layout, limits);
        if line.kind == PlatformKind::Floor {
            add_under_gaps(line, layout, slabs, limits, &mut xs);
            if limits.drops_through() {
                add_over_gaps(line, layout, slabs, limits, &mut xs);
            }
        }
        if line.kind == PlatformKind::Ceiling {
            add_beside_tops(line, layout, slabs, &mut xs);
        }
        let xs = xs.into_iter();
        xs.map(|x| on(DVec2::new(x, line.height_at(x)))).collect()
    });
    Rows::collect(rows.collect())
}

/// The x of the endpoints of a line that is not upright, sorted: its ends, both ends of
/// its longer flat segments, and positions that divide what is between into equal
/// parts. So they are the same wherever the grid lies.
fn columns_on(line: &PlatformLine, layout: &Layout, limits: &AgentLimits) -> Vec<f64> {
    let step = layout.search_step(limits.body);
    let mut ends = vec![line.start().x, line.end().x];
    for (from, to) in line.flat_segments() {
        if to.x - from.x >= 0.5 * step {
            ends.extend([from.x, to.x]);
        }
    }
    sort_and_dedup(&mut ends);
    let step = if limits.air_control { step } else { 0.5 * step };
    // At least the middle of a line: in a slot hardly wider than the body, a body that
    // takes off at a wall has no run-up, or cannot move towards it before it is above it.
    let least = if ends.len() == 2 { 2.0 } else { 1.0 };
    let mut xs = ends.clone();
    for pair in ends.windows(2) {
        let [left, right] = [pair[0], pair[1]];
        let parts = ((right - left) / step).ceil().max(least);
        let between = (1..parts as u32).map(|k| left + (right - left) * f64::from(k) / parts);
        xs.extend(between.map(|x| layout.round(x)));
    }
    sort_and_dedup(&mut xs);
    xs
}

/// The heights of the endpoints on a ladder or wall: its ends, and every corner
/// between them that is not almost the same as another.
fn heights_on(line: &PlatformLine, layout: &Layout, slabs: &Slabs) -> Vec<f64> {
    // Cuts of nearby corners that differ by rounding only would double the
    // moves to be tried. With an agent that climbs, `fixtures/organic.png` bakes in 4.7 s;
    // in 13.3 s without a limit, in 5.4 s with one quantum, and no faster with 128.
    let near = 8.0 * layout.quantum;
    let (top, bottom) = (line.start().y, line.end().y);
    let between = slabs.corners_between(top + near, bottom - near);
    let mut all = vec![top];
    all.extend(between);
    all.dedup_by(|b, a| *b - *a < near);
    all.push(bottom);
    all
}

/// Adds endpoints where the space straight below a one-way platform is free and
/// no endpoint lies over it yet. `xs` stays sorted.
fn add_over_gaps(
    line: &PlatformLine,
    layout: &Layout,
    slabs: &Slabs,
    limits: &AgentLimits,
    xs: &mut Vec<f64>,
) {
    for (from, to) in line.flat_segments() {
        let Some(cut) = slabs.cut_at(from.y, layout.tolerance()) else {
            continue;
        };
        let flat = Interval::new(from.x, to.x);
        slabs.free_within(cut + 1, flat, |free| {
            add_ends(&flat.intersection(&free), layout, limits, xs);
        });
    }
}

/// Adds endpoints on a ceiling just beside one-way platforms at its height. A
/// body that lets go over such a platform is carried by it. `xs` stays sorted.
fn add_beside_tops(line: &PlatformLine, layout: &Layout, slabs: &Slabs, xs: &mut Vec<f64>) {
    let Some(cut) = slabs.cut_at(line.start().y, layout.tolerance()) else {
        return;
    };
    let whole = Interval::new(line.start().x, line.end().x);
    subtract(whole, slabs.one_way_tops.get(cut), |part| {
        xs.extend([layout.ceil(part.lo), layout.floor(part.hi)]);
    });
    sort_and_dedup(xs);
}

/// Adds endpoints where the space straight above is free and no endpoint lies
/// under it yet. `xs` stays sorted.
fn add_under_gaps(
    line: &PlatformLine,
    layout: &Layout,
    slabs: &Slabs,
    limits: &AgentLimits,
    xs: &mut Vec<f64>,
) {
    let rise = limits.max_jump.y.max(limits.body.y);
    let tolerance = layout.tolerance();
    // What is free straight above the line, slab after slab.
    let (mut open, mut next): (Vec<Interval>, Vec<Interval>) = (Vec::new(), Vec::new());
    for (from, to) in line.flat_segments() {
        let y = from.y;
        open.clear();
        let flat = Interval::new(from.x, to.x);
        match slabs.cut_at(y, tolerance) {
            // A head that touches a one-way ceiling cannot rise.
            Some(cut) => subtract(flat, slabs.one_way_ceilings.get(cut), |x| open.push(x)),
            None => open.push(flat),
        }
        let mut slab = slabs.slab_above(y, tolerance);
        let mut top = y;
        while !open.is_empty() && top > y - rise {
            next.clear();
            for gap in &open {
                slabs.free_within(slab, *gap, |free| next.push(gap.intersection(&free)));
            }
            for gap in &next {
                add_ends(gap, layout, limits, xs);
            }
            let Some(above) = slab.checked_sub(1) else {
                break;
            };
            open.clear();
            for gap in &next {
                subtract(*gap, slabs.one_way_ceilings.get(above), |x| open.push(x));
            }
            top = slabs.cuts[above];
            slab = above;
        }
    }
}

/// Adds both ends of a gap that none of `xs` lies inside of; without air control, both
/// ends of any gap. `xs` stays sorted.
fn add_ends(gap: &Interval, layout: &Layout, limits: &AgentLimits, xs: &mut Vec<f64>) {
    let at = xs.partition_point(|x| *x <= gap.lo);
    let known = xs.get(at).is_some_and(|x| *x < gap.hi);
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
