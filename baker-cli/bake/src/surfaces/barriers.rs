//! Splits platforms where one-way walls, ceilings and tops lie across them.
//!
//! Floors run along tops, and drops through them are flights. Walls and ceilings are split
//! at tops for agents that do not drop through them: these climb up through a top, but not
//! back down. A ladder leads through tops in both directions, for every agent that climbs it.

use std::cmp::Ordering;

use glam::DVec2;
use navmesh_runtime::mesh::PlatformKind;

use crate::agent_limits::AgentLimits;
use crate::connection::{Connection, Endpoint};
use crate::geometry::{ConfigurationSpace, Interval, TopEdge};
use crate::layout::Layout;
use crate::surfaces::platform_line::PlatformLine;

/// Splits platforms at the one-way barriers across them. Returns the floors, ordered by
/// [`PlatformLine::order`], then the other platforms in their order; and the steps
/// through the walls on floors, sorted by platforms.
pub fn split_at_barriers(
    space: &dyn ConfigurationSpace,
    platforms: Vec<PlatformLine>,
    layout: &Layout,
    limits: &AgentLimits,
) -> (Vec<PlatformLine>, Vec<Connection>) {
    let mut parts: Vec<PlatformLine> = Vec::with_capacity(platforms.len());
    let mut steps: Vec<Connection> = Vec::new();
    for platform in platforms {
        let is_floor = platform.kind == PlatformKind::Floor;
        // A body can stand on a single point, but nothing can be climbed there.
        let least = if is_floor { 0.0 } else { layout.quantum };
        let drops_through = limits.drops_through() || platform.kind == PlatformKind::Ladder;
        let mut crossings = barriers_across(space, &platform);
        if !is_floor && !drops_through {
            crossings.extend(tops_across(space, &platform, layout));
        }
        sort_crossings(&mut crossings);
        let mut rest = Rest::new(platform);
        for crossing in crossings {
            let Some((before, after)) = rest.split_off(&crossing, layout) else {
                continue;
            };
            if is_floor {
                // Both parts of a floor are kept, one after the other.
                let id = parts.len() as u32;
                let left = Endpoint::new(before.end(), id);
                let right = Endpoint::new(after, id + 1);
                steps.extend(if crossing.ascending {
                    Connection::one_way_step(left, right, limits)
                } else {
                    Connection::one_way_step(right, left, limits)
                });
            }
            parts.extend(Some(before).filter(|part| part.length() >= least));
        }
        parts.extend(Some(rest.into_line()).filter(|part| part.length() >= least));
    }
    // Platforms are identified by their order, so the steps are renumbered.
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by(|&a, &b| floors_first(&parts[a], &parts[b]));
    let mut number = vec![0_u32; parts.len()];
    for (new, &old) in (0..).zip(&order) {
        number[old] = new;
    }
    for step in &mut steps {
        step.from.platform = number[step.from.platform as usize];
        step.to.platform = number[step.to.platform as usize];
    }
    steps.sort_by_key(Connection::platforms);
    parts.sort_by(floors_first);
    (parts, steps)
}

/// Orders floors by their place, before all other platforms.
fn floors_first(a: &PlatformLine, b: &PlatformLine) -> Ordering {
    match [a, b].map(|line| line.kind == PlatformKind::Floor) {
        [true, true] => a.order(b),
        [a_is_floor, b_is_floor] => b_is_floor.cmp(&a_is_floor),
    }
}

/// A place on a platform that is passed in one direction only.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Crossing {
    /// The coordinate along the platform.
    at: f64,
    /// Whether it is passed towards larger coordinates. The place itself belongs to the
    /// side from which it is closed.
    ascending: bool,
}

/// Sorts crossings in the direction of a platform.
fn sort_crossings(crossings: &mut Vec<Crossing>) {
    // Of two at one place, the ascending one is first: the place itself belongs to the
    // side behind it, and to the side before the other.
    crossings.sort_by(|a, b| (a.at.total_cmp(&b.at)).then(b.ascending.cmp(&a.ascending)));
    crossings.dedup();
}

/// The one-way barriers that a motion along a platform meets.
fn barriers_across(space: &dyn ConfigurationSpace, line: &PlatformLine) -> Vec<Crossing> {
    let is_upright = line.kind.is_upright();
    let heights = line.points.iter().map(|p| p.y);
    let y = heights.fold(Interval::NOTHING, |all, y| all.extended_to(y));
    let x = Interval::new(line.start().x, line.end().x);
    let mut all = space.barriers(x, y);
    all.retain(|barrier| {
        let at = if is_upright {
            line.start().x
        } else {
            line.height_at(barrier.at)
        };
        // Feet on top of a wall, or a head at its lower end, only touch it.
        let (skin, span) = (space.skin(), barrier.span);
        let is_across = span.lo < at - skin && at < span.hi - skin;
        is_across && barrier.is_upright() != is_upright
    });
    let all = all.into_iter();
    all.map(|barrier| Crossing {
        at: barrier.at,
        ascending: barrier.is_ascending(),
    })
    .collect()
}

/// The one-way tops that a climb along a wall or ceiling meets.
fn tops_across(
    space: &dyn ConfigurationSpace,
    line: &PlatformLine,
    layout: &Layout,
) -> Vec<Crossing> {
    let (from, to) = (line.start(), line.end());
    let tops = space.one_way_tops(Interval::new(from.x, to.x), Interval::new(from.y, to.y));
    let skin = space.skin();
    if line.kind.is_upright() {
        let carrying = tops_at(&tops, from.x, skin);
        // Feet on a top are above it.
        let heights = carrying.map(|top| layout.lift(top.y_at(from.x)));
        let crossings = heights.map(|at| Crossing {
            at,
            ascending: false,
        });
        return crossings.collect();
    }
    let slanted = tops.iter().filter(|top| !top.is_flat());
    let crossings = slanted.filter_map(|top| {
        let at = top.x_at(from.y);
        // Where a top leads down to the right, feet that move to the right come out above.
        let ascending = top.left.y < top.right.y;
        let meets = tops_at(&tops, at, skin).any(|other| other == top);
        meets.then_some(Crossing { at, ascending })
    });
    crossings.collect()
}

/// The tops that carry feet at `x`. The end of a top carries nothing, except where
/// another one continues it; a body fits into a gap between two level ones.
fn tops_at(tops: &[TopEdge], x: f64, skin: f64) -> impl Iterator<Item = &TopEdge> {
    let near = move |top: &&TopEdge| top.x().grown(skin).contains(x);
    tops.iter().filter(near).filter(move |top| {
        let goes_on = |other: &&TopEdge| {
            let is_gap = top.is_flat() && other.is_flat() && other != top;
            !is_gap && (other.y_at(x) - top.y_at(x)).abs() <= skin
        };
        let parts = tops.iter().filter(near).filter(goes_on);
        let all = parts.fold(Interval::NOTHING, |all, part| {
            all.extended_to(part.left.x).extended_to(part.right.x)
        });
        all.lo + skin < x && x < all.hi - skin
    })
}

/// Whether a straight step goes through a one-way wall or ceiling against its direction or,
/// unless it `drops_through`, down through a one-way top.
pub fn is_against_one_way(
    space: &dyn ConfigurationSpace,
    [from, to]: [DVec2; 2],
    drops_through: bool,
    layout: &Layout,
) -> bool {
    let skin = space.skin();
    let x = Interval::between(from.x, to.x);
    let y = Interval::between(from.y, to.y);
    let mut barriers = space.barriers(x, y).into_iter();
    if barriers.any(|b| b.stops(b.across(from), b.across(to), skin)) {
        return true;
    }
    let tops = if drops_through {
        Vec::new()
    } else {
        space.one_way_tops(x, y)
    };
    // As `Layout::lift` has it, feet this far below a top are on it.
    let slack = layout.quantum * 1e-3;
    tops_at(&tops, to.x, skin).any(|top| {
        let [before, after] = [from, to].map(|p| p.y - top.y_at(p.x));
        before <= slack && after > slack
    })
}

/// The two lattice points on either side of a crossing, in ascending order.
fn lattice_sides(crossing: &Crossing, layout: &Layout) -> (f64, f64) {
    if crossing.ascending {
        let at = layout.ceil(crossing.at);
        (at - layout.quantum, at)
    } else {
        let at = layout.floor(crossing.at);
        (at, at + layout.quantum)
    }
}

/// What is left of a platform behind the crossings that have split it. Each point is
/// copied once, however many crossings there are.
struct Rest {
    platform: PlatformLine,
    /// Where it starts: at the last barrier, and from this point on.
    start: Option<DVec2>,
    from: usize,
}

impl Rest {
    fn new(platform: PlatformLine) -> Self {
        Self {
            platform,
            start: None,
            from: 0,
        }
    }

    /// The point at a coordinate along the platform, which is not before the start.
    fn point(&self, along: f64, layout: &Layout) -> DVec2 {
        if self.platform.kind.is_upright() {
            return DVec2::new(self.platform.start().x, along);
        }
        let y = match (self.start, self.platform.points.get(self.from)) {
            (Some(a), Some(b)) if along < b.x => a.y + (b.y - a.y) * ((along - a.x) / (b.x - a.x)),
            _ => self.platform.height_at(along),
        };
        DVec2::new(along, layout.lift(y))
    }

    /// Splits off the part before a crossing, and returns it with the point where
    /// the part after the crossing starts. `None` when one of them would be empty.
    fn split_off(&mut self, crossing: &Crossing, layout: &Layout) -> Option<(PlatformLine, DVec2)> {
        let line = &self.platform;
        let (before, after) = lattice_sides(crossing, layout);
        let start = self.start.unwrap_or(line.start());
        if before < line.along(start) || after > line.along(line.end()) {
            return None;
        }
        let (end, start) = (self.point(before, layout), self.point(after, layout));
        let part = self.line(
            line.points.partition_point(|p| line.along(*p) < before),
            Some(end),
        );
        let beyond = line.points.partition_point(|p| line.along(*p) <= after);
        self.from = self.from.max(beyond);
        self.start = Some(start);
        Some((part, start))
    }

    /// The line from the start to before point `until`, then to `end`. At an
    /// `end`, and at a start that is not the platform's, nothing can be walked
    /// off.
    fn line(&self, until: usize, end: Option<DVec2>) -> PlatformLine {
        let line = &self.platform;
        let points = line.points.get(self.from..until).unwrap_or_default();
        // Between two barriers at one place, start and end are one point.
        let start = self
            .start
            .filter(|start| end.is_none_or(|end| line.along(*start) < line.along(end)));
        PlatformLine {
            kind: line.kind,
            points: (start.into_iter())
                .chain(points.iter().copied())
                .chain(end)
                .collect(),
            edge_left: line.edge_left.filter(|_| self.start.is_none()),
            edge_right: line.edge_right.filter(|_| end.is_none()),
        }
    }

    fn into_line(self) -> PlatformLine {
        self.line(self.platform.points.len(), None)
    }
}

#[cfg(test)]
#[path = "barriers_test.rs"]
mod barriers_test;
