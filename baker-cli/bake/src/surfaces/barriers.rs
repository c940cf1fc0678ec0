//! Splits platforms at one-way walls, and lists the barriers of a level for
//! the runtime.

use glam::DVec2;
use navmesh_runtime::mesh::{self, PlatformKind};

use crate::agent_limits::AgentLimits;
use crate::connection::{Connection, Endpoint};
use crate::geometry::{BarrierLine, ConfigurationSpace, Interval, merge};
use crate::layout::Layout;
use crate::level::PassDirection;
use crate::surfaces::platform_line::PlatformLine;

/// Splits platforms at the one-way walls that stand on them. Returns the
/// platforms, ordered by [`PlatformLine::order`], and the steps through the
/// walls, sorted by platforms.
pub fn split_at_walls(
    space: &dyn ConfigurationSpace,
    platforms: Vec<PlatformLine>,
    layout: &Layout,
    limits: &AgentLimits,
) -> (Vec<PlatformLine>, Vec<Connection>) {
    let mut parts: Vec<PlatformLine> = Vec::with_capacity(platforms.len());
    let mut steps: Vec<Connection> = Vec::new();
    for platform in platforms {
        let walls = walls_across(space, &platform);
        let mut rest = Rest::new(platform);
        for wall in walls {
            let Some((left, after)) = rest.split_off_left(&wall, layout) else {
                continue;
            };
            let id = parts.len() as u32;
            let before = Endpoint::new(left.end(), id);
            let after = Endpoint::new(after, id + 1);
            steps.extend(if wall.pass == PassDirection::Right {
                Connection::one_way_step(before, after, limits)
            } else {
                Connection::one_way_step(after, before, limits)
            });
            parts.push(left);
        }
        parts.push(rest.into_line());
    }
    // Platforms are identified by their order, so the steps are renumbered.
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by(|&a, &b| parts[a].order(&parts[b]));
    let mut number = vec![0_u32; parts.len()];
    for (new, &old) in (0..).zip(&order) {
        number[old] = new;
    }
    for step in &mut steps {
        step.from.platform = number[step.from.platform as usize];
        step.to.platform = number[step.to.platform as usize];
    }
    steps.sort_by_key(Connection::platforms);
    parts.sort_by(PlatformLine::order);
    (parts, steps)
}

/// The one-way walls that a walk along a platform meets, from left to right.
fn walls_across(space: &dyn ConfigurationSpace, platform: &PlatformLine) -> Vec<BarrierLine> {
    let heights = platform.points.iter().map(|p| p.y);
    let y = heights.fold(Interval::NOTHING, |all, y| all.extended_to(y));
    let x = Interval::new(platform.start().x, platform.end().x);
    let mut all = space.barriers(x, y);
    all.retain(|wall| {
        let y = platform.height_at(wall.at);
        // Feet on top of the wall, or a head at its lower end, only touch it.
        let across = wall.span.lo < y - space.skin() && y < wall.span.hi - space.skin();
        wall.is_upright() && across && platform.kind == PlatformKind::Floor
    });
    // Of two at one place, the one that passes to the right is first: the place itself
    // belongs to its right side, and to the left side of the other.
    let is_second = |wall: &BarrierLine| wall.pass != PassDirection::Right;
    all.sort_by(|a, b| (a.at.total_cmp(&b.at)).then(is_second(a).cmp(&is_second(b))));
    all.dedup_by(|a, b| a.at == b.at && a.pass == b.pass);
    all
}

/// The two lattice points on either side of a barrier, in ascending order. The
/// point of the barrier itself belongs to the side from which it is closed.
pub fn lattice_sides(barrier: &BarrierLine, layout: &Layout) -> (f64, f64) {
    match barrier.pass {
        PassDirection::Right | PassDirection::Down => {
            let at = layout.ceil(barrier.at);
            (at - layout.quantum, at)
        }
        PassDirection::Left | PassDirection::Up => {
            let at = layout.floor(barrier.at);
            (at, at + layout.quantum)
        }
    }
}

/// What is left of a platform to the right of the walls that have split it.
/// Each point is copied once, however many walls there are.
struct Rest {
    platform: PlatformLine,
    /// Where it starts: at the last wall, and from this point on.
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

    /// The height at `x`, which is not left of the start.
    fn height_at(&self, x: f64) -> f64 {
        let next = self.platform.points.get(self.from);
        match (self.start, next) {
            (Some(a), Some(b)) if x < b.x => a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x)),
            _ => self.platform.height_at(x),
        }
    }

    /// Splits off the part before a wall, and returns it with the point where
    /// the part after the wall starts. `None` when one of them would be empty.
    fn split_off_left(
        &mut self,
        wall: &BarrierLine,
        layout: &Layout,
    ) -> Option<(PlatformLine, DVec2)> {
        let (before, after) = lattice_sides(wall, layout);
        let start = self.start.unwrap_or(self.platform.start());
        if before < start.x || after > self.platform.end().x {
            return None;
        }
        let point = |x: f64| DVec2::new(x, layout.lift(self.height_at(x)));
        let (end, start) = (point(before), point(after));
        let points = &self.platform.points;
        let left = self.line(points.partition_point(|p| p.x < before), Some(end));
        self.from = self.from.max(points.partition_point(|p| p.x <= after));
        self.start = Some(start);
        Some((left, start))
    }

    /// The line from the start to before point `until`, then to `end`. At an
    /// `end`, and at a start that is not the platform's, nothing can be walked
    /// off.
    fn line(&self, until: usize, end: Option<DVec2>) -> PlatformLine {
        let points = self.platform.points.get(self.from..until);
        let points = points.unwrap_or_default().iter().copied();
        // Between two walls at one x, start and end are one point.
        let start = self
            .start
            .filter(|start| end.is_none_or(|end| start.x < end.x));
        PlatformLine {
            kind: self.platform.kind,
            points: start.into_iter().chain(points).chain(end).collect(),
            edge_left: self.platform.edge_left.filter(|_| self.start.is_none()),
            edge_right: self.platform.edge_right.filter(|_| end.is_none()),
        }
    }

    fn into_line(self) -> PlatformLine {
        self.line(self.platform.points.len(), None)
    }
}

/// The one-way walls and ceilings of a level in world units, where one unit
/// downwards adds `down` to y. The runtime needs them for jumps that were not
/// baked. Sorted by position and direction; those on one line that overlap are
/// merged. One-way tops are left out, because the mesh stores them as
/// platforms.
pub fn runtime_barriers(space: &dyn ConfigurationSpace, down: f32) -> Vec<mesh::OneWayBarrier> {
    let barriers = space
        .barriers(Interval::EVERYTHING, Interval::EVERYTHING)
        .into_iter();
    let barriers = barriers.filter_map(|barrier| {
        let pass = match barrier.pass {
            PassDirection::Down => mesh::Direction::Down,
            PassDirection::Left => mesh::Direction::Left,
            PassDirection::Right => mesh::Direction::Right,
            PassDirection::Up => return None,
        };
        Some((barrier.at, pass, barrier.span))
    });
    let mut all: Vec<_> = barriers.collect();
    all.sort_by(|a, b| {
        (a.0.total_cmp(&b.0))
            .then(a.1.cmp(&b.1))
            .then(a.2.lo.total_cmp(&b.2.lo))
    });
    let mut found = Vec::new();
    for line in all.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let (at, pass, _) = line[0];
        let mut spans: Vec<_> = line.iter().map(|(_, _, span)| *span).collect();
        merge(&mut spans);
        found.extend(spans.into_iter().map(|span| {
            let (at, low, high) = (at as f32, span.lo as f32, span.hi as f32);
            // Ceilings lie at a y, walls at an x.
            let (at, low, high) = if pass == mesh::Direction::Down {
                (at * down, low, high)
            } else {
                let (low, high) = (low * down, high * down);
                (at, low.min(high), low.max(high))
            };
            mesh::OneWayBarrier {
                pass,
                at,
                low,
                high,
            }
        }));
    }
    found
}

#[cfg(test)]
#[path = "barriers_test.rs"]
mod barriers_test;
