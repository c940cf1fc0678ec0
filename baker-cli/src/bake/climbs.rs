//! Stage 3b: what climbers hold on to: ladders, upright walls and level
//! ceilings, as platforms, and the steps between them and the floor.
//!
//! The feet of a body that touches geometry lie on the border of the blocked
//! region, which is floor above it, walls beside it and ceilings below it; so
//! where two of these meet, their lines do. Slanted sides are not climbed.

use std::collections::BTreeMap;

use glam::DVec2;
use navmesh_runtime::mesh::{EdgeSet, LinkKind, PlatformKind, TrajectoryParams};

use super::{Connection, Floor, Layout, Limits, Place, Slabs};
use crate::geometry::{Band, BodySpace, Interval, subtract};
use crate::source::PassDirection;

/// Ladders, walls and ceilings that an agent climbs, in this order, each from
/// left to right, then top to bottom.
pub fn climbs(
    space: &dyn BodySpace,
    slabs: &Slabs,
    layout: &Layout,
    limits: &Limits,
) -> Vec<Floor> {
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
    cut_at_gates(space, all, layout)
}

/// Cuts lines where a one-way wall or ceiling lies across them: a step joins the
/// parts again, the way the gate lets pass.
fn cut_at_gates(space: &dyn BodySpace, lines: Vec<Floor>, layout: &Layout) -> Vec<Floor> {
    let mut all = Vec::with_capacity(lines.len());
    for line in lines {
        let (from, to) = (line.left(), line.right());
        let upright = line.kind.is_upright();
        let along = |p: DVec2| if upright { p.y } else { p.x };
        let across = if upright { from.x } else { from.y };
        let mut cuts: Vec<(f64, f64)> = Vec::new();
        let x = Interval::new(from.x, to.x);
        space.gates(x, Band::new(from.y, to.y), &mut |gate| {
            let skin = space.skin();
            let lies_across = gate.is_upright() != upright
                && gate.span.lo + skin < across
                && across < gate.span.hi - skin;
            if !lies_across {
                return;
            }
            // The gate itself belongs to the side it is closed from, even where
            // nothing else of the line does.
            let (begin, end) = (along(from), along(to));
            match gate.pass {
                PassDirection::Left | PassDirection::Up if begin <= gate.at && gate.at < end => {
                    let at = layout.floor(gate.at);
                    cuts.push((at, at + layout.quantum));
                }
                PassDirection::Right | PassDirection::Down if begin < gate.at && gate.at <= end => {
                    let at = layout.ceil(gate.at);
                    cuts.push((at - layout.quantum, at));
                }
                _ => {}
            }
        });
        cuts.sort_by(|a, b| a.0.total_cmp(&b.0));
        cuts.dedup();
        let point = |v: f64| {
            if upright {
                DVec2::new(across, v)
            } else {
                DVec2::new(v, across)
            }
        };
        let mut begin = along(from);
        for (end, next) in cuts.into_iter().chain([(along(to), f64::INFINITY)]) {
            if end - begin >= layout.quantum {
                all.push(Floor {
                    surface: vec![point(begin), point(end)],
                    ..line.clone()
                });
            }
            begin = begin.max(next);
        }
    }
    all
}

/// The part of an upright line inside the area, on the lattice.
fn upright(kind: PlatformKind, x: f64, y: Interval, layout: &Layout) -> Option<Floor> {
    let area = layout.area;
    // The very ends of a wall are corners, which are nothing to hold on to.
    let short = match kind {
        PlatformKind::Wall => layout.quantum,
        _ => 0.0,
    };
    let top = layout.ceil(y.lo.max(area.min.y) + short);
    let bottom = layout.floor(y.hi.min(area.max.y) - short);
    let inside = area.min.x <= x && x <= area.max.x;
    (inside && bottom - top >= layout.quantum).then(|| Floor {
        kind,
        surface: vec![DVec2::new(x, top), DVec2::new(x, bottom)],
        edge_left: None,
        edge_right: None,
    })
}

/// Ladders, where a body on their middle line is free.
fn ladders(space: &dyn BodySpace, slabs: &Slabs, layout: &Layout) -> Vec<Floor> {
    let mut all = Vec::new();
    for ladder in space.ladders() {
        let x = layout.round(ladder.middle());
        let cuts = slabs.cuts();
        let first = cuts.partition_point(|c| *c <= ladder.top);
        let mut free: Option<Interval> = None;
        let mut top = ladder.top;
        for slab in first..=cuts.len() {
            let bottom = cuts
                .get(slab)
                .map_or(ladder.bottom, |c| c.min(ladder.bottom));
            if slabs.free_around(slab, x).is_some() {
                let run = free.get_or_insert(Interval::new(top, bottom));
                run.hi = bottom;
            } else if let Some(run) = free.take() {
                all.extend(upright(PlatformKind::Ladder, x, run, layout));
            }
            top = bottom;
            if bottom >= ladder.bottom {
                break;
            }
        }
        if let Some(run) = free {
            all.extend(upright(PlatformKind::Ladder, x, run, layout));
        }
    }
    all
}

/// Walls: where a free stretch of x ends at something solid, slab after slab.
fn walls(space: &dyn BodySpace, slabs: &Slabs, layout: &Layout) -> Vec<Floor> {
    let inward = layout.spacing * 1e-3;
    let cuts = slabs.cuts();
    // What goes on from the slab above, by its x.
    let mut open: BTreeMap<u64, Interval> = BTreeMap::new();
    let mut all: Vec<(f64, Interval)> = Vec::new();
    for slab in 1..cuts.len() {
        let band = Interval::new(cuts[slab - 1], cuts[slab]);
        let mut next: BTreeMap<u64, Interval> = BTreeMap::new();
        let sides = slabs.blocked(slab).iter().flat_map(|b| {
            [
                (layout.floor(b.lo), b.lo + inward),
                (layout.ceil(b.hi), b.hi - inward),
            ]
        });
        for (x, inside) in sides.filter(|_| !slabs.is_slanted(slab)) {
            let solid = |y: f64| {
                let blocker = space.blocker(DVec2::new(inside, y));
                blocker.is_some_and(|b| !b.hazard)
            };
            if !solid(band.middle()) || slabs.free_around(slab, x).is_none() {
                continue;
            }
            let key = x.to_bits();
            // Past a gap exactly as high as the body only corners touch it:
            // what is above and what is below are two walls.
            let run = match open.remove(&key) {
                Some(run) if run.hi == band.lo && solid(band.lo) => Interval::new(run.lo, band.hi),
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

/// Ceilings: what is blocked just above a cut and free just below it.
fn ceilings(space: &dyn BodySpace, slabs: &Slabs, layout: &Layout) -> Vec<Floor> {
    let inward = layout.spacing * 1e-3;
    let area = layout.area;
    let cuts = slabs.cuts();
    let mut all = Vec::new();
    for slab in 1..cuts.len() {
        let y = layout.ceil(cuts[slab]);
        let above = Interval::new(cuts[slab - 1], cuts[slab]);
        if slabs.is_slanted(slab) || y > area.max.y || y <= area.min.y {
            continue;
        }
        for b in slabs.blocked(slab) {
            subtract(*b, slabs.blocked(slab + 1), |x| {
                let x = Interval::new(
                    layout.ceil(x.lo.max(area.min.x) + layout.quantum),
                    layout.floor(x.hi.min(area.max.x) - layout.quantum),
                );
                if x.is_empty() {
                    return;
                }
                let depth = inward.min(0.5 * above.len());
                let solid = |x: f64| {
                    let blocker = space.blocker(DVec2::new(x, cuts[slab] - depth));
                    blocker.is_some_and(|b| !b.hazard)
                };
                for run in runs(x, layout, solid) {
                    all.push(Floor {
                        kind: PlatformKind::Ceiling,
                        surface: vec![DVec2::new(run.lo, y), DVec2::new(run.hi, y)],
                        edge_left: None,
                        edge_right: None,
                    });
                }
            });
        }
    }
    all.sort_by(|a, b| {
        let (l, r) = (a.left(), b.left());
        l.x.total_cmp(&r.x).then(l.y.total_cmp(&r.y))
    });
    all
}

/// The parts of a ceiling that are solid: hazards are nothing to hold on to.
/// Looked for every quarter of the spacing, their ends to the lattice.
fn runs(x: Interval, layout: &Layout, solid: impl Fn(f64) -> bool) -> Vec<Interval> {
    let parts = (x.len() / (layout.spacing * 0.25)).ceil().max(1.0);
    let at = |i: u32| x.lo + x.len() * (f64::from(i) / parts);
    // The last solid point on the way from one to another that is not.
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

/// The steps between what is climbed (`floors` from `first` on) and the floor,
/// and between walls and ceilings, wherever their lines meet: sorted by the
/// platform they leave.
pub fn steps(
    space: &dyn BodySpace,
    floors: &[Floor],
    first: usize,
    layout: &Layout,
    limits: &Limits,
) -> Vec<Connection> {
    let reach = 2.0 * layout.quantum;
    let mut all = Vec::new();
    for (i, climb) in floors.iter().enumerate().skip(first) {
        for (j, other) in floors.iter().enumerate() {
            let kind = match (climb.kind, other.kind) {
                (PlatformKind::Ladder, PlatformKind::Floor) => LinkKind::Ladder,
                (PlatformKind::Wall, PlatformKind::Floor | PlatformKind::Ladder) => {
                    LinkKind::WallClimb
                }
                (
                    PlatformKind::Ceiling,
                    PlatformKind::Wall | PlatformKind::Floor | PlatformKind::Ladder,
                ) => LinkKind::CeilingClimb,
                // One above the other, of different widths.
                (PlatformKind::Ladder, PlatformKind::Ladder) if j < i => LinkKind::Ladder,
                // Side by side over a gap as large as the body.
                (PlatformKind::Wall, PlatformKind::Wall) if j < i => LinkKind::WallClimb,
                (PlatformKind::Ceiling, PlatformKind::Ceiling) if j < i => LinkKind::CeilingClimb,
                _ => continue,
            };
            let Some((here, there)) = meeting(climb, other, reach) else {
                continue;
            };
            let place = |floor: usize, p: DVec2| Place {
                x: p.x,
                y: p.y,
                floor: floor as u32,
            };
            let seconds = (here.distance(there) / limits.climb_speed) as f32;
            let Ok(program) = TrajectoryParams::steady(seconds) else {
                continue;
            };
            let (a, b) = (place(i, here), place(j, there));
            for (from, to) in [(a, b), (b, a)] {
                if goes_against(space, DVec2::new(from.x, from.y), DVec2::new(to.x, to.y)) {
                    continue;
                }
                all.push(Connection {
                    from,
                    to,
                    kind,
                    program,
                    duration: f64::from(seconds),
                    tolerance: TOLERANCE,
                });
            }
        }
    }
    all.sort_by(|a, b| {
        (a.from.floor.cmp(&b.from.floor))
            .then(a.to.floor.cmp(&b.to.floor))
            .then(a.from.x.total_cmp(&b.from.x))
            .then(a.from.y.total_cmp(&b.from.y))
    });
    all
}

/// Whether a step goes through a one-way wall or ceiling against its
/// direction.
fn goes_against(space: &dyn BodySpace, from: DVec2, to: DVec2) -> bool {
    let (min, max) = (from.min(to), from.max(to));
    let mut found = false;
    let x = Interval::new(min.x, max.x);
    space.gates(x, Band::new(min.y, max.y), &mut |gate| {
        let across = |p: DVec2| if gate.is_upright() { p.x } else { p.y };
        found |= gate.stops(across(from), across(to), space.skin());
    });
    found
}

/// What a step can be late by: as much as is told apart.
const TOLERANCE: f32 = 0.25;

/// Where the line of something climbed meets another line: a point of each, at
/// most `reach` apart along either axis.
fn meeting(climb: &Floor, other: &Floor, reach: f64) -> Option<(DVec2, DVec2)> {
    let (from, to) = (climb.left(), climb.right());
    let (low, high) = (other.left(), other.right());
    if low.x > to.x + reach || high.x < from.x - reach {
        return None;
    }
    let there = if other.kind == PlatformKind::Floor {
        let x = from.x.clamp(low.x, high.x);
        DVec2::new(x, other.height_at(x))
    } else {
        // The point of one straight line nearest to another.
        from.clamp(low, high).clamp(from, to).clamp(low, high)
    };
    let here = there.clamp(from.min(to), from.max(to));
    let apart = (here - there).abs();
    (apart.x <= reach && apart.y <= reach).then_some((here, there))
}
