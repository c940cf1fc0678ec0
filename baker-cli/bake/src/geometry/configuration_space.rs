//! The configuration space of a body: what blocks and carries its feet.

use glam::DVec2;
use navmesh_runtime::mesh::Direction;

use crate::geometry::interval::Interval;
use crate::geometry::ladder::Ladder;
use crate::geometry::one_way_barrier::OneWayBarrier;

/// A line on the upper side of a grown obstacle, from left to right: the feet
/// rest on it where no other obstacle covers it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TopEdge {
    /// Left end.
    pub left: DVec2,
    /// Right end.
    pub right: DVec2,
    /// Whether it carries only bodies that come from above, and lets bodies
    /// through upwards.
    pub one_way: bool,
}

impl TopEdge {
    /// Its extent in x.
    pub fn x(&self) -> Interval {
        Interval::new(self.left.x, self.right.x)
    }

    /// Whether both ends have one height.
    pub fn is_flat(&self) -> bool {
        self.left.y == self.right.y
    }

    /// The extent in x of its part within some heights, if it is not level.
    pub fn x_within(&self, heights: Interval) -> Interval {
        let Self { left, right, .. } = self;
        let [a, b] = [heights.lo, heights.hi].map(|y| {
            let along = (y - left.y) / (right.y - left.y);
            left.x + (right.x - left.x) * along.clamp(0.0, 1.0)
        });
        Interval::between(a, b)
    }

    /// Its x at a height, on the straight line through its ends, if it is not level.
    pub fn x_at(&self, y: f64) -> f64 {
        let along = (y - self.left.y) / (self.right.y - self.left.y);
        self.left.x + (self.right.x - self.left.x) * along
    }

    /// Its height at `x`, on the straight line through its ends.
    pub fn y_at(&self, x: f64) -> f64 {
        if self.is_flat() {
            return self.left.y;
        }
        let along = (x - self.left.x) / (self.right.x - self.left.x);
        self.left.y + (self.right.y - self.left.y) * along
    }

    /// The point at `x` of the straight line through its ends.
    pub fn at(&self, x: f64) -> DVec2 {
        DVec2::new(x, self.y_at(x))
    }
}

/// A straight border of what is solid: upright, or level with the solid above it.
/// Feet on it touch the solid from outside, where no other obstacle covers it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Side {
    /// The direction in which it faces, away from the solid.
    pub faces: Direction,
    /// x of an upright side, y of a level one.
    pub at: f64,
    /// How far it goes: y (down) of an upright side, x of a level one.
    pub span: Interval,
}

/// What blocks a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blocker {
    /// Whether it is a hazard rather than something solid.
    pub hazard: bool,
    /// Index into [`Level::origins`](crate::level::Level::origins) of the
    /// object it came from; `None` for bitmaps and closed doors.
    pub origin: Option<u32>,
}

impl Blocker {
    /// A short description for messages.
    pub const fn what(self) -> &'static str {
        if self.hazard {
            "a hazard"
        } else {
            "something solid"
        }
    }
}

/// A body, and what it makes of the level.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Body {
    /// Width and height, in level pixels.
    pub size: DVec2,
    /// See [`ConfigurationSpace::skin`].
    pub skin: f64,
    /// Whether hazards do not block it.
    pub ignores_hazards: bool,
    /// Whether it climbs ladders, and so stands on their upper ends as on
    /// one-way platforms.
    pub climbs_ladders: bool,
    /// Whether it flies. Fly edges join vertices in both directions, so one-way
    /// walls and ceilings are closed to it from both sides.
    pub flies: bool,
}

/// The configuration space of one body in one level.
///
/// All positions are those of its feet, the bottom centre of its box. Heights are
/// intervals of y, which points down: from the upper end to the lower one. Obstacles
/// are open sets: touching is free.
pub trait ConfigurationSpace: Sync {
    /// The body.
    fn body(&self) -> &Body;

    /// How deep, in level pixels, an overlap must be to count in
    /// [`blocked`](Self::blocked) and [`overlaps`](Self::overlaps): more than
    /// the rounding of trajectories stored as f32, far less than is visible.
    fn skin(&self) -> f64 {
        self.body().skin
    }

    /// Whether the body is blocked with its feet at `p`.
    fn blocked(&self, p: DVec2) -> bool {
        self.overlaps(Interval::at(p.x), Interval::at(p.y))
    }

    /// Whether the body is blocked with its feet anywhere in a rectangle.
    fn overlaps(&self, x: Interval, y: Interval) -> bool;

    /// What blocks the body with its feet at `p`.
    fn blocker(&self, p: DVec2) -> Option<Blocker>;

    /// Replaces `out` by the x, among those that meet `window`, at which the
    /// body is blocked for some feet height strictly inside `band` (or at its
    /// one height), as merged open intervals.
    fn blocked_x(&self, band: Interval, window: Interval, out: &mut Vec<Interval>);

    /// Replaces `out` by what blocks the body between two heights, or at one height, and
    /// meets `window`: its extent at the upper and at the lower height. Its sides are
    /// straight between them if it has no corner there. Heights that differ by less than
    /// two skins are equal.
    fn sections(&self, band: Interval, window: Interval, out: &mut Vec<[Interval; 2]>) {
        let mut blocked = Vec::new();
        self.blocked_x(band, window, &mut blocked);
        out.clear();
        out.extend(blocked.into_iter().map(|x| [x; 2]));
    }

    /// The heights at which [`blocked_x`](Self::blocked_x) can change, sorted.
    /// Where slanted geometry makes it change continuously, they are at most
    /// `fine` apart.
    fn cuts(&self, fine: f64) -> Vec<f64>;

    /// Replaces `out` by the x, among those that meet `window`, at which there is slanted
    /// geometry in `band`, as merged intervals.
    fn slanted_x(&self, band: Interval, window: Interval, out: &mut Vec<Interval>);

    /// The top edges whose upper end is in `band` (top excluded, bottom included),
    /// whether or not other obstacles cover them.
    fn top_edges(&self, band: Interval) -> Vec<TopEdge>;

    /// The walls and ceilings of what is solid, in any order, whether or not other
    /// obstacles cover them. Slanted sides are left out.
    fn sides(&self) -> Vec<Side>;

    /// The one-way top edges that may meet a rectangle.
    fn one_way_tops(&self, x: Interval, y: Interval) -> Vec<TopEdge>;

    /// The one-way walls and ceilings whose line meets a rectangle.
    fn barriers(&self, x: Interval, y: Interval) -> Vec<OneWayBarrier>;

    /// All ladders, from left to right, then top to bottom.
    fn ladders(&self) -> Vec<Ladder>;

    /// Replaces `out` by the parts of a line that obstacles cover, as merged open
    /// intervals: of x, or of y if the line is upright. The line leads from left to
    /// right, or from top to bottom.
    fn covered(&self, line: [DVec2; 2], out: &mut Vec<Interval>);
}
