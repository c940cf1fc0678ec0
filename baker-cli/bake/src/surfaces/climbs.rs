//! What climbers hold on to (ladders, upright walls and level ceilings) as
//! platforms, and the steps between these and floors.
//!
//! The feet of a body that touches geometry lie on the border of the blocked
//! region. That border is floor above the geometry, wall beside it and ceiling
//! below it, so the lines of these platforms meet at the corners of the region.
//! Slanted sides are not climbed.

use std::collections::BTreeMap;

use glam::DVec2;
use navmesh_runtime::mesh::{Direction, EdgeSet, PlatformKind, StepKind};

use crate::agent_limits::AgentLimits;
use crate::connection::{Connection, Endpoint, reading_order};
use crate::geometry::{ConfigurationSpace, Interval, merge, subtract};
use crate::layout::Layout;
use crate::surfaces::barriers::is_against_one_way;
use crate::surfaces::platform_line::PlatformLine;

/// Ladders, walls and ceilings that an agent climbs, in this order, each from
/// left to right, then top to bottom.
pub fn find_climbs(
    space: &dyn ConfigurationSpace,
    layout: &Layout,
    limits: &AgentLimits,
) -> Vec<PlatformLine> {
    let mut all = Vec::new();
    if limits.climbs(EdgeSet::LADDER) {
        let ladders = space.ladders().into_iter().map(|ladder| HeldLine {
            kind: PlatformKind::Ladder,
            at: layout.round(ladder.x.middle()),
            span: ladder.y,
        });
        all.extend(free_parts(space, ladders, layout));
    }
    let (walls, ceilings) = sides(space, layout);
    if limits.climbs(EdgeSet::WALL_CLIMB) {
        all.extend(free_parts(space, walls, layout));
    }
    if limits.climbs(EdgeSet::CEILING_CLIMB) {
        let mut ceilings = free_parts(space, ceilings, layout);
        ceilings.sort_by(PlatformLine::order);
        all.extend(ceilings);
    }
    all
}

/// A line on which feet can be held, where nothing blocks the body.
#[derive(Debug, Clone, Copy)]
struct HeldLine {
    kind: PlatformKind,
    /// x of an upright line, y of a ceiling; on the lattice.
    at: f64,
    /// How far it goes, as an open interval.
    span: Interval,
}

impl HeldLine {
    /// Its point at a coordinate along it.
    fn point(&self, along: f64) -> DVec2 {
        if self.kind.is_upright() {
            DVec2::new(self.at, along)
        } else {
            DVec2::new(along, self.at)
        }
    }

    /// A part of it as a platform: inside the area, and on the lattice.
    fn platform(&self, part: Interval, layout: &Layout) -> Option<PlatformLine> {
        let area = layout.area;
        let (x, y) = (layout.width(), Interval::new(area.min.y, area.max.y));
        let (along, is_inside) = if self.kind.is_upright() {
            (y, x.contains(self.at))
        } else {
            // Feet at the upper edge of the area are outside of it.
            (x, y.lo < self.at && self.at <= y.hi)
        };
        // The ends of walls and ceilings are corners, which the body cannot hold on to.
        let corner = match self.kind {
            PlatformKind::Ladder => 0.0,
            _ => layout.quantum,
        };
        let part = part.intersection(&along);
        let (lo, hi) = (
            layout.ceil(part.lo + corner),
            layout.floor(part.hi - corner),
        );
        (is_inside && hi - lo >= layout.quantum)
            .then(|| PlatformLine::climbed(self.kind, self.point(lo), self.point(hi)))
    }
}

/// The walls and the ceilings of all that is solid: each from left to right, then top to
/// bottom, and by height, then from left to right.
fn sides(space: &dyn ConfigurationSpace, layout: &Layout) -> (Vec<HeldLine>, Vec<HeldLine>) {
    // By their place on the lattice, so that sides that differ by rounding are one line.
    // A body in a shaft as wide as itself touches both of its walls on one line.
    let mut by_place: BTreeMap<(bool, i64), Vec<Interval>> = BTreeMap::new();
    for side in space.sides() {
        // Off the solid, never into it.
        let at = match side.faces {
            Direction::Left => layout.floor(side.at),
            _ => layout.ceil(side.at),
        };
        let place = (at / layout.quantum).round() as i64;
        let is_ceiling = side.faces == Direction::Down;
        by_place
            .entry((is_ceiling, place))
            .or_default()
            .push(side.span);
    }
    let (mut walls, mut ceilings) = (Vec::new(), Vec::new());
    for ((is_ceiling, place), mut spans) in by_place {
        let (kind, lines) = if is_ceiling {
            (PlatformKind::Ceiling, &mut ceilings)
        } else {
            (PlatformKind::Wall, &mut walls)
        };
        let at = place as f64 * layout.quantum;
        // At a gap exactly as high as the body, only corners touch it, so the walls above
        // and below are separate: open intervals that touch are not merged.
        merge(&mut spans);
        lines.extend(spans.into_iter().map(|span| HeldLine { kind, at, span }));
    }
    (walls, ceilings)
}

/// The parts of lines on which the body is free.
fn free_parts(
    space: &dyn ConfigurationSpace,
    lines: impl IntoIterator<Item = HeldLine>,
    layout: &Layout,
) -> Vec<PlatformLine> {
    let (mut all, mut covered) = (Vec::new(), Vec::new());
    for line in lines {
        let Interval { lo, hi } = line.span;
        space.covered([line.point(lo), line.point(hi)], &mut covered);
        subtract(line.span, &covered, |part| {
            all.extend(line.platform(part, layout));
        });
    }
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
            PlatformKind::Ladder => StepKind::Ladder,
            PlatformKind::Wall => StepKind::WallClimb,
            PlatformKind::Ceiling => StepKind::CeilingClimb,
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
                // Ladders lead through one-way tops.
                let drops_through = kind == StepKind::Ladder || limits.drops_through();
                let step = [from.point(), to.point()];
                if !is_against_one_way(space, step, drops_through, layout) {
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
