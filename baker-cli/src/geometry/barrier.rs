//! One-way walls and ceilings in configuration space.

use glam::DVec2;

use crate::geometry::interval::Interval;
use crate::source::PassDirection;

/// The side of a one-way piece that stops a body coming back: a level or
/// upright line that the feet cross in one direction only. Touching it is
/// free, its ends are open.
///
/// Tops of one-way platforms are [`TopEdge`](super::TopEdge)s instead, because
/// feet rest on them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BarrierLine {
    /// Where the line is: y of a level one, x of an upright one.
    pub at: f64,
    /// How far it goes: x of a level one, y (down) of an upright one.
    pub span: Interval,
    /// The direction in which a body may cross it.
    pub pass: PassDirection,
}

impl BarrierLine {
    /// Whether the line is upright: a wall, not a ceiling.
    pub fn is_upright(&self) -> bool {
        matches!(self.pass, PassDirection::Left | PassDirection::Right)
    }

    /// The coordinate of a point across the line.
    pub fn across(&self, p: DVec2) -> f64 {
        if self.is_upright() { p.x } else { p.y }
    }

    /// The coordinate of a point along the line.
    pub fn along(&self, p: DVec2) -> f64 {
        if self.is_upright() { p.y } else { p.x }
    }

    /// Whether feet that move from one coordinate across the line to another
    /// are stopped by it. Both coordinates are exact to within `skin`.
    pub fn stops(&self, from: f64, to: f64, skin: f64) -> bool {
        match self.pass {
            // Back means towards smaller x, or up, where y is smaller.
            PassDirection::Right | PassDirection::Down => {
                from >= self.at - skin && to < self.at - skin
            }
            PassDirection::Left | PassDirection::Up => {
                from <= self.at + skin && to > self.at + skin
            }
        }
    }

    /// The part of a free interval that feet at `x` can reach in spite of an
    /// upright line.
    pub fn clip(&self, x: f64, free: Interval) -> Interval {
        match self.pass {
            PassDirection::Right if x >= self.at => Interval::new(free.lo.max(self.at), free.hi),
            PassDirection::Left if x <= self.at => Interval::new(free.lo, free.hi.min(self.at)),
            _ => free,
        }
    }
}

/// Clips a free interval to what feet at `x` can reach between `walls`.
pub(crate) fn clip_at_walls(walls: &[BarrierLine], x: f64, free: Interval) -> Interval {
    walls.iter().fold(free, |free, wall| wall.clip(x, free))
}

/// Splits the positions `x` inside a free interval at one-way walls. Calls
/// `each` with every part and the part of `free` that is reachable from it.
pub(crate) fn split_at_walls(
    walls: &[BarrierLine],
    x: Interval,
    free: Interval,
    mut each: impl FnMut(Interval, Interval),
) {
    // The point of a wall belongs to the side from which the wall is closed;
    // the other side ends this far away. It must be larger than the rounding
    // of f64 at any position in a level, and is invisible.
    const GAP: f64 = 1e-6;
    let mut emit = |part: Interval| {
        if !part.is_empty() {
            each(part, clip_at_walls(walls, part.middle(), free));
        }
    };
    let mut rest = x;
    for wall in walls.iter().filter(|wall| x.contains(wall.at)) {
        let (before, after) = match wall.pass {
            PassDirection::Right => (wall.at - GAP, wall.at),
            _ => (wall.at, wall.at + GAP),
        };
        emit(Interval::new(rest.lo, before));
        rest.lo = after;
    }
    emit(rest);
}
