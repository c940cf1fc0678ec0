//! Proofs that positions are free from a motion nearby that is known to be free.
//!
//! Whatever blocks a body of width `w` blocks its feet in a box of that width:
//! everywhere within half a body of each of its points. So if feet are free at
//! two positions at one height, at most `w` apart, they are free at every
//! position between the two. The same holds for two positions one above the
//! other, at most the height of the body apart.

use std::cell::Cell;

use glam::{DVec2, Vec2};

use super::free_space::{FreeSpace, ON_LINE};
use crate::mesh::{Knots, Layer, Trajectory};

/// A motion of the layer's body that the baker has checked.
pub struct NearbyMotion<'a> {
    layer: &'a Layer,
    from: Vec2,
    trajectory: &'a Trajectory,
    knots: Knots,
    /// The corners of a box that holds everything that the motion may prove to be
    /// free.
    around: [DVec2; 2],
    /// How many more boxes it looks at.
    left: Cell<u32>,
}

/// How many boxes a motion looks at. Most trajectories that it proves to be free
/// need fewer than 100. One that is almost the same as the motion would need
/// thousands, because a box must be smaller than the distance between the two.
const MOST_BOXES: u32 = 256;

/// How often the time between two knots is halved to find where the motion passes
/// a coordinate. It is exact to a ten-millionth of the distance between the two,
/// far below [`ON_LINE`].
const HALVINGS: u32 = 24;

impl<'a> NearbyMotion<'a> {
    /// A motion from a position.
    pub fn new(layer: &'a Layer, from: Vec2, trajectory: &'a Trajectory) -> Self {
        let knots = trajectory.knots();
        let down = layer.grid().y_axis.down();
        // Between two knots each coordinate only grows or only shrinks.
        let points = knots.iter().map(|&t| trajectory.position(from, down, t));
        let start = from.as_dvec2();
        let corners = points.fold([start; 2], |[min, max], p| [min.min(p), max.max(p)]);
        let body = Vec2::from(layer.profile().body).as_dvec2();
        Self {
            layer,
            from,
            trajectory,
            knots,
            around: [corners[0] - body, corners[1] + body],
            left: Cell::new(MOST_BOXES),
        }
    }

    /// Whether a box of feet positions is free, because it lies between this
    /// motion and another part of it, or a line of free vertices. May return
    /// `false` for a box that is free.
    pub fn frees(&self, space: &FreeSpace<'_>, min: DVec2, max: DVec2) -> bool {
        let Some(left) = self.left.get().checked_sub(1) else {
            return false;
        };
        self.left.set(left);
        let [low, high] = self.around;
        min.cmpge(low).all()
            && max.cmple(high).all()
            && [0, 1]
                .into_iter()
                .any(|axis| self.encloses(space, min, max, axis))
    }

    /// [`frees`](Self::frees) from the left and the right (axis 0) or from above
    /// and below (axis 1).
    fn encloses(&self, space: &FreeSpace<'_>, min: DVec2, max: DVec2, axis: usize) -> bool {
        let grid = self.layer.grid();
        let spacing = f64::from(grid.spacing);
        let slack = ON_LINE * spacing;
        let (low, high) = (min[axis], max[axis]);
        // The nearest coordinates below and above the box that are free all along
        // it.
        let (mut below, mut above) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut add = |from: f64, to: f64| {
            if to <= low + slack {
                below = below.max(from);
            }
            if from >= high - slack {
                above = above.min(to);
            }
        };
        // Vertices are in the middle of columns, and on the borders of rows.
        let (origin, inset) = (f64::from(grid.origin[axis]), [0.5, 0.0][axis]);
        let first = ((low - origin) / spacing - inset).floor();
        let last = ((high - origin) / spacing - inset).ceil();
        for line in [first, last].map(|i| origin + (i + inset) * spacing) {
            let (mut a, mut b) = (min, max);
            (a[axis], b[axis]) = (line, line);
            if space.has_box(a, b) {
                add(line, line);
            }
        }
        let body = f64::from(self.layer.profile().body[axis]);
        for knots in self.knots.windows(2) {
            let times = [knots[0], knots[1]];
            let band = [min[1 - axis], max[1 - axis]];
            match self.passage(times, band, axis, [low - body, high + body], slack) {
                Some(Passage::Along(from, to)) => {
                    if from <= low + slack && high - slack <= to {
                        return true;
                    }
                    if from <= low + slack {
                        add(to.min(low), to.min(low));
                    }
                    if to >= high - slack {
                        add(from.max(high), from.max(high));
                    }
                }
                Some(Passage::Across(from, to)) => add(from, to),
                None => {}
            }
        }
        // Less than the body by more than the rounding of positions.
        above - below <= body - 4.0 * slack
    }

    /// How the motion between two knots passes a band, which on the axis other
    /// than `axis` reaches from `band[0]` to `band[1]`. `None` as well where it is
    /// outside of `near` on `axis`.
    fn passage(
        &self,
        [begin, end]: [f64; 2],
        band: [f64; 2],
        axis: usize,
        near: [f64; 2],
        slack: f64,
    ) -> Option<Passage> {
        let down = self.layer.grid().y_axis.down();
        let at = |t: f64| self.trajectory.position(self.from, down, t);
        let (a, b) = (at(begin), at(end));
        let (first, last) = (a[1 - axis], b[1 - axis]);
        let (low, high) = (first.min(last), first.max(last));
        let (from, to) = (a[axis].min(b[axis]), a[axis].max(b[axis]));
        if begin >= end
            || low > band[0] + slack
            || high < band[1] - slack
            || from > near[1]
            || to < near[0]
        {
            return None;
        }
        if high - low <= slack {
            return Some(Passage::Along(from, to));
        }
        let reaches = |limit: f64| {
            let (mut before, mut after) = (begin, end);
            for _ in 0..HALVINGS {
                let middle = f64::midpoint(before, after);
                if (at(middle)[1 - axis] - limit) * (last - first) <= 0.0 {
                    before = middle;
                } else {
                    after = middle;
                }
            }
            at(before)[axis]
        };
        let (p, q) = (reaches(band[0]), reaches(band[1]));
        Some(Passage::Across(p.min(q), p.max(q)))
    }
}

/// How a motion passes a band.
enum Passage {
    /// Within the band, from one coordinate to another.
    Along(f64, f64),
    /// From one side of the band to the other, between two coordinates.
    Across(f64, f64),
}
