//! The blocked predicate and what follows from it.

use glam::DVec2;

use super::{Interval, Ladder, OneWayBarrier, PixelSpace, ShapeSpace};
use crate::source::{Collision, Level};

/// A range of feet heights, y down: `top` ≤ `bottom`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    /// Upper end (smaller y).
    pub top: f64,
    /// Lower end (larger y).
    pub bottom: f64,
}

impl Band {
    /// The feet heights from `top` down to `bottom`.
    pub const fn new(top: f64, bottom: f64) -> Self {
        Self { top, bottom }
    }

    /// One height.
    pub const fn at(y: f64) -> Self {
        Self { top: y, bottom: y }
    }
}

/// A stretch of surface the feet could rest on if nothing was in the way:
/// the upper side of a grown obstacle, from left to right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ledge {
    /// Left end.
    pub left: DVec2,
    /// Right end.
    pub right: DVec2,
    /// Whether it carries only bodies that come from above, and lets bodies
    /// through upwards.
    pub one_way: bool,
}

impl Ledge {
    /// Its extent in x.
    pub fn x(&self) -> Interval {
        Interval::new(self.left.x, self.right.x)
    }

    /// Its height at `x`, on the straight line through its ends.
    pub fn y_at(&self, x: f64) -> f64 {
        if self.left.y == self.right.y {
            return self.left.y;
        }
        let along = (x - self.left.x) / (self.right.x - self.left.x);
        self.left.y + (self.right.y - self.left.y) * along
    }
}

/// What is in a body's way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blocker {
    /// Whether it is a hazard rather than something solid.
    pub hazard: bool,
    /// Index into [`Level::origins`] of what it came from; `None` for
    /// bitmaps.
    pub origin: Option<u32>,
}

impl Blocker {
    /// In a word.
    pub const fn what(self) -> &'static str {
        if self.hazard {
            "a hazard"
        } else {
            "something solid"
        }
    }
}

/// The configuration space of one body in one level.
///
/// All answers treat obstacles as open sets: touching is free.
pub trait BodySpace: Sync {
    /// Width and height of the body.
    fn body(&self) -> DVec2;

    /// How deep, in world units, an overlap must be to count in
    /// [`blocked`](Self::blocked) and [`overlaps`](Self::overlaps): far below
    /// anything visible, above the rounding of f32 arcs.
    fn skin(&self) -> f64;

    /// Whether the body is blocked with its feet at `p`.
    fn blocked(&self, p: DVec2) -> bool {
        self.overlaps(Interval::new(p.x, p.x), Band::at(p.y))
    }

    /// Whether the body is blocked with its feet anywhere in a rectangle.
    fn overlaps(&self, x: Interval, y: Band) -> bool;

    /// What blocks the body with its feet at `p`.
    fn blocker(&self, p: DVec2) -> Option<Blocker>;

    /// Collects the x at which the body is blocked for some feet height
    /// strictly inside `band` (or at its one height), as merged open
    /// intervals, among those that meet `window`. Replaces `out`.
    fn blocked_x(&self, band: Band, window: Interval, out: &mut Vec<Interval>);

    /// The heights at which [`blocked_x`](Self::blocked_x) can change, sorted;
    /// where slanted geometry makes it change all the time, at most `fine`
    /// apart.
    fn cuts(&self, fine: f64) -> Vec<f64>;

    /// The heights, y down, at which there is slanted geometry, as merged
    /// intervals.
    fn slanted(&self) -> Vec<Interval>;

    /// Surfaces of the obstacles whose upper end is in `band` (top excluded,
    /// bottom included), not yet freed of what other obstacles cover.
    fn ledges(&self, band: Band, each: &mut dyn FnMut(Ledge));

    /// One-way surfaces that may meet a rectangle of feet positions.
    fn one_way_ledges(&self, x: Interval, y: Band, each: &mut dyn FnMut(Ledge));

    /// One-way walls and ceilings whose line meets a rectangle of feet
    /// positions.
    fn gates(&self, x: Interval, y: Band, each: &mut dyn FnMut(OneWayBarrier));

    /// All ladders, from left to right, then top to bottom.
    fn ladders(&self) -> Vec<Ladder>;

    /// What is left of a ledge when everything that covers it is taken away.
    /// Ends at an obstacle are reported as `blocked`.
    fn free_parts(&self, ledge: &Ledge, each: &mut dyn FnMut(FreePart));
}

/// A free part of a ledge: an extent in x, and whether each end is one at
/// which the body bumps into something (rather than one where the surface
/// ends).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FreePart {
    /// Extent in x.
    pub x: Interval,
    /// The body cannot go further left.
    pub blocked_left: bool,
    /// The body cannot go further right.
    pub blocked_right: bool,
}

impl FreePart {
    /// The free parts of `ledge` among the merged open intervals `holes`.
    pub(super) fn of(ledge: &Ledge, holes: &[Interval], each: &mut dyn FnMut(Self)) {
        let whole = ledge.x();
        super::subtract(whole, holes, |x| {
            // A point is no place to stand.
            if x.lo < x.hi {
                each(Self {
                    x,
                    blocked_left: x.lo > whole.lo,
                    blocked_right: x.hi < whole.hi,
                });
            }
        });
    }
}

/// What a body must know about the level to be placed in it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BodyShape {
    /// Width and height, world units.
    pub size: DVec2,
    /// World units in one level pixel.
    pub scale: f64,
    /// See [`BodySpace::skin`].
    pub skin: f64,
    /// Whether hazards are nothing to it.
    pub ignores_hazards: bool,
    /// Whether it climbs ladders, and so stands on their upper ends as on
    /// one-way platforms.
    pub climbs_ladders: bool,
    /// Whether it flies. Neighbouring vertices are joined both ways in the
    /// air, so one-way walls and ceilings are closed to it both ways.
    pub flies: bool,
}

/// The configuration space of a body in a level.
pub fn body_space(level: &Level, body: BodyShape) -> Box<dyn BodySpace> {
    match &level.collision {
        Collision::Shapes(pieces) => Box::new(ShapeSpace::new(pieces, body)),
        Collision::Pixels(map) => Box::new(PixelSpace::new(map, body)),
    }
}
