//! Convex sets of states of a motion: position across and speed.

use glam::DVec2;

use crate::geometry::Interval;

/// Most corners of a polygon. With 8, bodies of the tests that steer at 30 Hz
/// fail three jumps in 200 that they make with 12; with 16, a bake takes up to a
/// tenth longer.
pub const MAX_CORNERS: usize = 12;

/// A convex set of states (x, speed), by its corners in order: anticlockwise
/// where speeds grow upwards.
#[derive(Debug, Default)]
pub struct Polygon {
    pub corners: Vec<DVec2>,
    /// Memory for the next corners.
    pub spare: Vec<DVec2>,
}

impl Polygon {
    /// Replaces the set by the states that an acceleration of at most `most`
    /// either way, constant for some seconds, leads into it: the states before
    /// with no acceleration, moved by every multiple from -1 to 1 of what the
    /// greatest one does.
    pub fn step_back(&mut self, seconds: f64, most: f64) {
        for state in &mut self.corners {
            state.x -= state.y * seconds;
        }
        // An edge moves to the side that it faces. A corner between edges that
        // move to different sides becomes an edge.
        let by = DVec2::new(0.5 * seconds, -1.0) * (most * seconds);
        let Some(&last) = self.corners.last() else {
            return;
        };
        self.spare.clear();
        let count = self.corners.len();
        let mut before = facing(by, last - self.corners[count.saturating_sub(2)], 1.0);
        let mut at = last;
        for &next in &self.corners {
            let after = facing(by, next - at, before);
            self.spare.push(at + before * by);
            if after != before {
                self.spare.push(at + after * by);
            }
            (at, before) = (next, after);
        }
        std::mem::swap(&mut self.corners, &mut self.spare);
    }

    /// The corners of the rectangle around the set.
    pub fn bounds(&self) -> (DVec2, DVec2) {
        let first = self.corners.first().copied().unwrap_or_default();
        let corners = self.corners.iter();
        corners.fold((first, first), |(least, most), &state| {
            let least = DVec2::new(lesser(state.x, least.x), lesser(state.y, least.y));
            let most = DVec2::new(greater(state.x, most.x), greater(state.y, most.y));
            (least, most)
        })
    }

    /// Keeps the part whose product with `normal` is at most `most`.
    pub fn cut(&mut self, normal: DVec2, most: f64) {
        let Some(&last) = self.corners.last() else {
            return;
        };
        self.spare.clear();
        let (mut a, mut over_a) = (last, normal.dot(last) - most);
        for &b in &self.corners {
            let over_b = normal.dot(b) - most;
            if (over_a < 0.0 && over_b > 0.0) || (over_a > 0.0 && over_b < 0.0) {
                self.spare.push(a.lerp(b, over_a / (over_a - over_b)));
            }
            if over_b <= 0.0 {
                self.spare.push(b);
            }
            (a, over_a) = (b, over_b);
        }
        std::mem::swap(&mut self.corners, &mut self.spare);
    }

    /// Keeps the part whose product with `normal`, and `known` added, is within a range.
    pub fn keep(&mut self, normal: DVec2, known: f64, range: Interval) {
        self.cut(normal, range.hi - known);
        self.cut(-normal, known - range.lo);
    }

    /// Leaves out the corners with the least area until few are left.
    pub fn simplify(&mut self) {
        while let &[.., before, last] = self.corners.as_slice()
            && self.corners.len() > MAX_CORNERS
        {
            let (mut before, mut at) = (before, last);
            // The corner before the one with this index; the last one before 0.
            let (mut least, mut after) = (f64::INFINITY, 0);
            for (i, &next) in self.corners.iter().enumerate() {
                let area = (at - before).perp_dot(next - at).abs();
                if area < least {
                    (least, after) = (area, i);
                }
                (before, at) = (at, next);
            }
            let count = self.corners.len();
            self.corners.remove((after + count - 1) % count);
        }
    }
}

/// The sign of the side of `by` to which an edge turns, or else `otherwise`.
fn facing(by: DVec2, edge: DVec2, otherwise: f64) -> f64 {
    let turn = by.perp_dot(edge);
    if turn == 0.0 {
        otherwise
    } else {
        turn.signum()
    }
}

/// A convex set of states, by its sides. Each side is a vector that points out of
/// the set, and its greatest product with a state of the set; the rest of the
/// arrays is 0. Coordinates are apart, so that the compiler uses vector
/// instructions: most time of a bake is spent here.
#[derive(Debug)]
pub struct StateSet {
    pub x: [f64; MAX_CORNERS],
    pub y: [f64; MAX_CORNERS],
    pub most: [f64; MAX_CORNERS],
}

impl StateSet {
    pub const EMPTY: Self = Self {
        x: [0.0; MAX_CORNERS],
        y: [0.0; MAX_CORNERS],
        most: [0.0; MAX_CORNERS],
    };

    /// Adds the sides between at most [`MAX_CORNERS`] corners to an empty set.
    pub fn fill(&mut self, corners: &[DVec2]) {
        let mut a = corners.last().copied().unwrap_or_default();
        let sides = self.x.iter_mut().zip(&mut self.y).zip(&mut self.most);
        for (((x, y), most), &b) in sides.zip(corners) {
            // A side turned clockwise points outwards, because corners are anticlockwise.
            let outwards = DVec2::new(b.y - a.y, a.x - b.x);
            (*x, *y, *most) = (outwards.x, outwards.y, outwards.dot(a));
            a = b;
        }
    }

    /// The factors `f` for which `from + f · by` lies inside.
    pub fn along(&self, from: DVec2, by: DVec2) -> Option<Interval> {
        let mut lo = [f64::NEG_INFINITY; MAX_CORNERS];
        let mut hi = [f64::INFINITY; MAX_CORNERS];
        let mut is_outside = false;
        for i in 0..MAX_CORNERS {
            let room = self.most[i] - (self.x[i] * from.x + self.y[i] * from.y);
            let rate = self.x[i] * by.x + self.y[i] * by.y;
            let factor = room / rate;
            hi[i] = if rate > 0.0 { factor } else { f64::INFINITY };
            lo[i] = if rate < 0.0 {
                factor
            } else {
                f64::NEG_INFINITY
            };
            // Unused sides have rate and room 0, so they exclude nothing.
            is_outside |= rate == 0.0 && room < 0.0;
        }
        let lo = lo.into_iter().reduce(greater).unwrap_or(f64::NAN);
        let hi = hi.into_iter().reduce(lesser).unwrap_or(f64::NAN);
        let inside = Interval::new(lo, hi);
        (!is_outside && !inside.is_empty() && inside.len().is_finite()).then_some(inside)
    }
}

/// Faster than `f64::min`, which also looks for NaN.
fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// Faster than `f64::max`, which also looks for NaN.
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
