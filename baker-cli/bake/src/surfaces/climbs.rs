//! What climbers hold on to (ladders, upright walls and level ceilings) as
//! platforms, and the steps between these and floors.
//!
//! The feet of a body that touches geometry lie on the border of the blocked
//! region. That border is floor above the geometry, wall beside it and ceiling
//! below it, so the lines of these platforms meet at the corners of the region.
//! Slanted sides are not climbed.

use std::collections::BTreeMap;

use glam::DVec2;
use navmesh_runtime::mesh::{EdgeSet, LinkKind, PlatformKind};

use crate::agent_limits::AgentLimits;
use crate::connection::{Connection, Endpoint, reading_order};
use crate::geometry::{ConfigurationSpace, Interval, subtract};
use crate::layout::Layout;
use crate::space::slabs::Slabs;
use crate::surfaces::platform_line::PlatformLine;

/// Ladders, walls and ceilings that an agent climbs, in this order, each from
/// left to right, then top to bottom.
pub fn find_climbs(
    space: &dyn ConfigurationSpace,
    slabs: &Slabs,
    layout: &Layout,
    limits: &AgentLimits,
) -> Vec<PlatformLine> {
    let mut all = Vec::new();
    if limits.climbs(EdgeSet::LADDER) {
        all.extend(ladders(space, slabs, layout));
    }
    if limits.climbs(EdgeSet::WALL_CLIMB) {
        all.extend(walls(space, slabs, layout));
    }
    if limits.climbs(EdgeSet::CEILING_CLIMB) {
        all.extend(ceilings(space, slabs, layout));
    }
    all
}

/// The part of an upright line inside the area, on the lattice.
fn upright(kind: PlatformKind, x: f64, y: Interval, layout: &Layout) -> Option<PlatformLine> {
    let area = layout.area;
    // The ends of a wall are corners, which the body cannot hold on to.
    let corner = match kind {
        PlatformKind::Wall => layout.quantum,
        _ => 0.0,
    };
    let top = layout.ceil(y.lo.max(area.min.y) + corner);
    let bottom = layout.floor(y.hi.min(area.max.y) - corner);
    let inside = area.min.x <= x && x <= area.max.x;
    (inside && bottom - top >= layout.quantum)
        .then(|| PlatformLine::climbed(kind, DVec2::new(x, top), DVec2::new(x, bottom)))
}

/// The parts of ladders on whose middle line the body is free.
fn ladders(space: &dyn ConfigurationSpace, slabs: &Slabs, layout: &Layout) -> Vec<PlatformLine> {
    let mut all = Vec::new();
    for ladder in space.ladders() {
        let x = layout.round(ladder.x.middle());
        let cuts = &slabs.cuts;
        let first = cuts.partition_point(|c| *c <= ladder.y.lo);
        let mut free: Option<Interval> = None;
        let mut top = ladder.y.lo;
        for slab in first..=cuts.len() {
            let bottom = (cuts.get(slab)).map_or(ladder.y.hi, |c| c.min(ladder.y.hi));
            if slabs.free_around(slab, x).is_some() {
                free.get_or_insert(Interval::new(top, bottom)).hi = bottom;
            } else if let Some(run) = free.take() {
                all.extend(upright(PlatformKind::Ladder, x, run, layout));
            }
            top = bottom;
            if bottom >= ladder.y.hi {
                break;
            }
        }
        all.extend(free.and_then(|run| upright(PlatformKind::Ladder, x, run, layout)));
    }
    all
}

/// How far inside a blocked region, in cells, the obstacle itself is looked up:
/// deep enough to be inside in spite of rounding, shallow enough not to miss
/// the thinnest obstacle.
const PROBE_DEPTH: f64 = 1e-3;

/// Walls: where a free stretch of x ends at something solid, slab after slab.
fn walls(space: &dyn ConfigurationSpace, slabs: &Slabs, layout: &Layout) -> Vec<PlatformLine> {
    let inward = layout.spacing * PROBE_DEPTH;
    let cuts = &slabs.cuts;
    // Walls that reach the lower end of the slab above, by the bits of their x.
    let mut open: BTreeMap<u64, Interval> = BTreeMap::new();
    let mut all: Vec<(f64, Interval)> = Vec::new();
    for slab in 1..cuts.len() {
        let band = Interval::new(cuts[slab - 1], cuts[slab]);
        let mut next: BTreeMap<u64, Interval> = BTreeMap::new();
        let sides = slabs.blocked.get(slab).iter().flat_map(|b| {
            [
                (layout.floor(b.lo), b.lo + inward),
                (layout.ceil(b.hi), b.hi - inward),
            ]
        });
        for (x, inside) in sides.filter(|_| !slabs.is_slanted(slab)) {
            let solid = |y: f64| is_solid(space, DVec2::new(inside, y));
            if !solid(band.middle()) || slabs.free_around(slab, x).is_none() {
                continue;
            }
            let key = x.to_bits();
            let run = match open.remove(&key) {
                Some(run) if run.hi == band.lo && solid(band.lo) => Interval::new(run.lo, band.hi),
                // At a gap exactly as high as the body, only corners touch the
                // body. The walls above and below the gap are therefore
                // separate.
                Some(run) => {
                    all.push((x, run));
                    band
                }
                None => band,
            };
            next.insert(key, run);
        }
        all.extend(open.into_iter().map(|(x, run)| (f64::from_bits(x), run)));
        open = next;
    }
    all.extend(open.into_iter().map(|(x, run)| (f64::from_bits(x), run)));
    all.sort_by(|(a, s), (b, t)| a.total_cmp(b).then(s.lo.total_cmp(&t.lo)));
    all.into_iter()
        .filter_map(|(x, y)| upright(PlatformKind::Wall, x, y, layout))
        .collect()
}

/// Whether feet at `p` are inside something solid, which can be held on to;
/// hazards cannot.
fn is_solid(space: &dyn ConfigurationSpace, p: DVec2) -> bool {
    space.blocker(p).is_some_and(|blocker| !blocker.hazard)
}

/// Ceilings: positions that are blocked just above a cut and free just below
/// it.
fn ceilings(space: &dyn ConfigurationSpace, slabs: &Slabs, layout: &Layout) -> Vec<PlatformLine> {
    let area = layout.area;
    let cuts = &slabs.cuts;
    let mut all = Vec::new();
    for slab in 1..cuts.len() {
        let y = layout.ceil(cuts[slab]);
        let above = Interval::new(cuts[slab - 1], cuts[slab]);
        if slabs.is_slanted(slab) || y > area.max.y || y <= area.min.y {
            continue;
        }
        let depth = (layout.spacing * PROBE_DEPTH).min(0.5 * above.len());
        for b in slabs.blocked.get(slab) {
            subtract(*b, slabs.blocked.get(slab + 1), |x| {
                let x = Interval::new(
                    layout.ceil(x.lo.max(area.min.x) + layout.quantum),
                    layout.floor(x.hi.min(area.max.x) - layout.quantum),
                );
                if x.is_empty() {
                    return;
                }
                let solid = |x: f64| is_solid(space, DVec2::new(x, cuts[slab] - depth));
                for run in solid_runs(x, layout, solid) {
                    let (from, to) = (DVec2::new(run.lo, y), DVec2::new(run.hi, y));
                    all.push(PlatformLine::climbed(PlatformKind::Ceiling, from, to));
                }
            });
        }
    }
    all.sort_by(PlatformLine::order);
    all
}

/// The parts of a ceiling that are solid. Sampled every quarter of a cell: no
/// tile is smaller than a cell, so a hazard between two solid samples would be
/// a shape of its own, narrower than a quarter of a tile.
fn solid_runs(x: Interval, layout: &Layout, solid: impl Fn(f64) -> bool) -> Vec<Interval> {
    let parts = (x.len() / (layout.spacing * 0.25)).ceil().max(1.0);
    let at = |i: u32| x.lo + x.len() * (f64::from(i) / parts);
    // Bisects for the last solid point between a solid point and one that is
    // not solid.
    let edge = |mut inside: f64, mut outside: f64| {
        while (inside - outside).abs() > 0.25 * layout.quantum {
            let middle = 0.5 * (inside + outside);
            if solid(middle) {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        inside
    };
    let mut all = Vec::new();
    let mut open: Option<f64> = None;
    for i in 0..=parts as u32 {
        match (open, solid(at(i))) {
            (None, true) => {
                open = Some(if i == 0 {
                    x.lo
                } else {
                    layout.ceil(edge(at(i), at(i - 1))) + layout.quantum
                });
            }
            (Some(lo), false) => {
                let hi = layout.floor(edge(at(i - 1), at(i))) - layout.quantum;
                all.push(Interval::new(lo, hi));
                open = None;
            }
            _ => {}
        }
    }
    all.extend(open.map(|lo| Interval::new(lo, x.hi)));
    all.retain(|run| run.len() >= layout.quantum);
    all
}

/// The steps between climbed platforms (those from index `first` on) and
/// floors, and among climbed platforms, wherever their lines meet. Sorted by
/// platforms.
pub fn steps(
    space: &dyn ConfigurationSpace,
    platforms: &[PlatformLine],
    first: usize,
    layout: &Layout,
    limits: &AgentLimits,
) -> Vec<Connection> {
    let reach = 2.0 * layout.quantum;
    let mut all = Vec::new();
    for (i, climb) in platforms.iter().enumerate().skip(first) {
        let kind = match climb.kind {
            PlatformKind::Ladder => LinkKind::Ladder,
            PlatformKind::Wall => LinkKind::WallClimb,
            PlatformKind::Ceiling => LinkKind::CeilingClimb,
            _ => continue,
        };
        // Each pair once, by the kind that comes later: floors, ladders, walls,
        // ceilings. Two of one kind meet end to end: ladders of different
        // widths, walls and ceilings at a gap as large as the body.
        for (j, other) in platforms[..i].iter().enumerate() {
            let Some((here, there)) = meeting(climb, other, reach) else {
                continue;
            };
            let seconds = (here.distance(there) / limits.climb_speed) as f32;
            let ends = [
                Endpoint::new(here, i as u32),
                Endpoint::new(there, j as u32),
            ];
            for [from, to] in [ends, [ends[1], ends[0]]] {
                if !is_against_barrier(space, from.point(), to.point()) {
                    all.extend(Connection::steady(from, to, kind, seconds));
                }
            }
        }
    }
    all.sort_by(|a, b| {
        (a.platforms().cmp(&b.platforms())).then(reading_order(a.from.point(), b.from.point()))
    });
    all
}

/// Whether a step goes through a one-way wall or ceiling against its
/// direction.
fn is_against_barrier(space: &dyn ConfigurationSpace, from: DVec2, to: DVec2) -> bool {
    let [x, y] = [
        Interval::between(from.x, to.x),
        Interval::between(from.y, to.y),
    ];
    let mut barriers = space.barriers(x, y).into_iter();
    barriers.any(|b| b.stops(b.across(from), b.across(to), space.skin()))
}

/// Where a climbed line meets another line: a point of each, at most `reach`
/// apart along either axis.
fn meeting(climb: &PlatformLine, other: &PlatformLine, reach: f64) -> Option<(DVec2, DVec2)> {
    let (from, to) = (climb.start(), climb.end());
    let (low, high) = (other.start(), other.end());
    if low.x > to.x + reach || high.x < from.x - reach {
        return None;
    }
    let there = if other.kind == PlatformKind::Floor {
        let x = from.x.clamp(low.x, high.x);
        DVec2::new(x, other.height_at(x))
    } else {
        // Both lines are parallel to an axis, so clamping finds the nearest
        // point.
        from.clamp(low, high).clamp(from, to).clamp(low, high)
    };
    let here = there.clamp(from.min(to), from.max(to));
    let apart = (here - there).abs();
    (apart.x <= reach && apart.y <= reach).then_some((here, there))
}
