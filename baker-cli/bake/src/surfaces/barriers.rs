//! Splits platforms where one-way walls and ceilings lie across them.

use std::cmp::Ordering;

use glam::DVec2;
use navmesh_runtime::mesh::{Direction, PlatformKind};

use crate::agent_limits::AgentLimits;
use crate::connection::{Connection, Endpoint};
use crate::geometry::{ConfigurationSpace, Interval, OneWayBarrier};
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
        let barriers = barriers_across(space, &platform);
        let mut rest = Rest::new(platform);
        for barrier in barriers {
            let Some((before, after)) = rest.split_off(&barrier, layout) else {
                continue;
            };
            if is_floor {
                // Both parts of a floor are kept, one after the other.
                let id = parts.len() as u32;
                let left = Endpoint::new(before.end(), id);
                let right = Endpoint::new(after, id + 1);
                steps.extend(if barrier.pass == Direction::Right {
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

/// The one-way barriers that a motion along a platform meets, in its direction.
fn barriers_across(space: &dyn ConfigurationSpace, line: &PlatformLine) -> Vec<OneWayBarrier> {
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
    // Of two at one place, the ascending one is first: the place itself belongs to the
    // side behind it, and to the side before the other.
    all.sort_by(|a, b| (a.at.total_cmp(&b.at)).then(b.is_ascending().cmp(&a.is_ascending())));
    all.dedup_by(|a, b| a.at == b.at && a.pass == b.pass);
    all
}

/// The two lattice points on either side of a barrier, in ascending order.
fn lattice_sides(barrier: &OneWayBarrier, layout: &Layout) -> (f64, f64) {
    if barrier.is_ascending() {
        let at = layout.ceil(barrier.at);
        (at - layout.quantum, at)
    } else {
        let at = layout.floor(barrier.at);
        (at, at + layout.quantum)
    }
}

/// What is left of a platform behind the barriers that have split it. Each point is
/// copied once, however many barriers there are.
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

    /// Splits off the part before a barrier, and returns it with the point where
    /// the part after the barrier starts. `None` when one of them would be empty.
    fn split_off(
        &mut self,
        barrier: &OneWayBarrier,
        layout: &Layout,
    ) -> Option<(PlatformLine, DVec2)> {
        let line = &self.platform;
        let (before, after) = lattice_sides(barrier, layout);
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
