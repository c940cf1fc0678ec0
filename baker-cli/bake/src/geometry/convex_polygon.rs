//! Convex polygons grown by a body.

use glam::DVec2;
use navmesh_runtime::mesh::Direction;

use crate::geometry::configuration_space::{Body, Side, TopEdge};
use crate::geometry::interval::Interval;
use crate::level::Rect;

/// A convex polygon with a positive area, its corners clockwise on screen
/// (y down), no three of them on a line.
#[derive(Debug, Clone, PartialEq)]
pub struct ConvexPolygon {
    /// Clockwise on screen.
    pub corners: Vec<DVec2>,
    /// The upper left corner of its bounding box.
    pub min: DVec2,
    /// The lower right corner of its bounding box.
    pub max: DVec2,
}

impl ConvexPolygon {
    /// The convex hull of `points` (at least one, in level pixels), grown by the
    /// body's box: the Minkowski sum with `[-w/2, w/2] × [0, h]`.
    pub fn grown(points: impl IntoIterator<Item = DVec2>, body: &Body) -> Self {
        let (half, height) = (0.5 * body.size.x, body.size.y);
        let mut all = Vec::new();
        for p in points {
            all.extend([-half, half].map(|x| p + DVec2::new(x, 0.0)));
            // The body is above its feet, so the feet are blocked as far below an obstacle as
            // the body is high.
            all.extend([-half, half].map(|x| p + DVec2::new(x, height)));
        }
        Self::hull(all)
    }

    /// Andrew's monotone chain (A. M. Andrew, 1979).
    fn hull(mut points: Vec<DVec2>) -> Self {
        points.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        points.dedup();
        let mut corners: Vec<DVec2> = Vec::with_capacity(points.len() + 1);
        // Left to right along the top, then back along the bottom.
        for _ in 0..2 {
            let base = corners.len();
            for &p in &points {
                while corners.len() >= base + 2 {
                    let (a, b) = (corners[corners.len() - 2], corners[corners.len() - 1]);
                    // The sine of the turn must exceed the rounding of f64, or
                    // a straight side would get corners.
                    let side = (b - a).perp_dot(p - b);
                    if side > 1e-12 * (b - a).length() * (p - b).length() {
                        break;
                    }
                    corners.pop();
                }
                corners.push(p);
            }
            // The last corner is the first of the other side.
            corners.pop();
            points.reverse();
        }
        let min = points.iter().copied().fold(DVec2::INFINITY, DVec2::min);
        let max = points.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max);
        Self { corners, min, max }
    }

    /// Its edges, clockwise on screen, so that the inside is to the right of
    /// each.
    pub fn edges(&self) -> impl Iterator<Item = (DVec2, DVec2)> {
        let n = self.corners.len();
        (0..n).map(move |i| (self.corners[i], self.corners[(i + 1) % n]))
    }

    /// Whether it is a box parallel to the axes.
    pub fn is_box(&self) -> bool {
        self.corners.len() == 4 && self.edges().all(|(a, b)| a.x == b.x || a.y == b.y)
    }

    /// The heights of its edges that are neither upright nor level.
    pub fn slants(&self) -> impl Iterator<Item = Interval> {
        let slanted = self.edges().filter(|(a, b)| a.x != b.x && a.y != b.y);
        slanted.map(|(a, b)| Interval::between(a.y, b.y))
    }

    /// Whether any of these heights are inside a band.
    pub fn is_slanted(&self, band: Interval) -> bool {
        self.slants().any(|y| y.lo < band.hi && y.hi > band.lo)
    }

    /// The edges of its upper side, from left to right.
    pub fn upper(&self, one_way: bool) -> impl Iterator<Item = TopEdge> {
        self.edges()
            .filter(|(a, b)| a.x < b.x)
            .map(move |(left, right)| TopEdge {
                left,
                right,
                one_way,
            })
    }

    /// Its upright sides and its level lower side. An edge whose ends differ by no more
    /// than `skin` across is upright or level but for the rounding of rotated shapes.
    pub fn sides(&self, skin: f64) -> impl Iterator<Item = Side> {
        self.edges().filter_map(move |(a, b)| {
            let (x, y) = (Interval::between(a.x, b.x), Interval::between(a.y, b.y));
            let (faces, at, span) = if x.len() <= skin && b.y < a.y {
                (Direction::Left, x.lo, y)
            } else if x.len() <= skin && a.y < b.y {
                (Direction::Right, x.hi, y)
            } else if y.len() <= skin && b.x < a.x {
                (Direction::Down, y.hi, x)
            } else {
                return None;
            };
            Some(Side { faces, at, span })
        })
    }

    /// The x at which its inside meets a band of heights, as an open interval:
    /// the extent of the part of the polygon inside the band.
    pub fn extent(&self, band: Interval) -> Option<Interval> {
        if self.min.y >= band.hi || band.lo >= self.max.y {
            return None;
        }
        if self.is_box() {
            return Some(Interval::new(self.min.x, self.max.x));
        }
        let mut extent = Interval::NOTHING;
        let mut take = |x: f64| extent = extent.extended_to(x);
        for (a, b) in self.edges() {
            if a.y >= band.lo && a.y <= band.hi {
                take(a.x);
            }
            for y in [band.lo, band.hi] {
                if (a.y < y) != (b.y < y) {
                    take(a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y)));
                }
            }
        }
        (extent.lo < extent.hi).then_some(extent)
    }

    /// Its extent at a height, which is clamped to the polygon, with its corners that are
    /// higher or lower by at most `slack`: a side that is level may be so but for rounding.
    pub fn section(&self, y: f64, slack: f64) -> Interval {
        let y = y.clamp(self.min.y, self.max.y);
        let mut section = Interval::NOTHING;
        for (a, b) in self.edges() {
            if (a.y - y).abs() <= slack {
                section = section.extended_to(a.x);
            }
            if (a.y < y) != (b.y < y) {
                section = section.extended_to(a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y)));
            }
        }
        section
    }

    /// Whether its inside, made smaller by `skin`, meets a rectangle. The
    /// rectangle is clipped by the half-plane of each edge in turn (Sutherland
    /// and Hodgman, 1974), which is exact for convex polygons.
    pub fn meets(&self, x: Interval, y: Interval, skin: f64) -> bool {
        if x.hi <= self.min.x + skin
            || x.lo >= self.max.x - skin
            || y.hi <= self.min.y + skin
            || y.lo >= self.max.y - skin
        {
            return false;
        }
        if self.is_box() {
            return true;
        }
        // Each edge adds one corner at most.
        let mut part = [DVec2::ZERO; 4 + MAX_CUT];
        let (min, max) = (DVec2::new(x.lo, y.lo), DVec2::new(x.hi, y.hi));
        part[..4].copy_from_slice(&Rect::new(min, max).corners());
        let mut count = 4;
        for (a, b) in self.edges().take(MAX_CUT) {
            let edge = b - a;
            let margin = skin * edge.length();
            // The cross product is the point's distance from the edge, times the edge's
            // length.
            let depth = |p: DVec2| edge.perp_dot(p - a) - margin;
            let mut next = [DVec2::ZERO; 4 + MAX_CUT];
            let mut n = 0;
            for i in 0..count {
                let (p, q) = (part[i], part[(i + 1) % count]);
                let (dp, dq) = (depth(p), depth(q));
                // Clipping a convex part adds at most one corner. `n` is compared because rounding
                // may leave a part that is not convex.
                if dp > 0.0 && n < next.len() {
                    next[n] = p;
                    n += 1;
                }
                if (dp > 0.0) != (dq > 0.0) && n < next.len() {
                    next[n] = p + (q - p) * (dp / (dp - dq));
                    n += 1;
                }
            }
            if n == 0 {
                return false;
            }
            part = next;
            count = n;
        }
        true
    }

    /// The part of a line that runs through its inside, deeper than `tolerance`: an
    /// open interval of x, or of y if the line is upright.
    pub fn covers(&self, [from, until]: [DVec2; 2], tolerance: f64) -> Option<Interval> {
        let (p, d) = (from, until - from);
        // The segment is clipped by the half-plane of each edge (Cyrus and Beck, 1978);
        // `from` and `to` are the fractions of it that remain.
        let (mut from, mut to) = (0.0f64, 1.0f64);
        for (a, b) in self.edges() {
            let edge = b - a;
            let length = edge.length();
            let at = edge.perp_dot(p - a);
            let per = edge.perp_dot(d);
            // Parallel but for rounding.
            if per.abs() <= 1e-12 * length * d.length() {
                if at <= tolerance * length {
                    return None;
                }
                continue;
            }
            // `at + per · fraction` is above 0 inside the edge, and 0 on it.
            let zero = -at / per;
            if per > 0.0 {
                from = from.max(zero);
            } else {
                to = to.min(zero);
            }
        }
        let (start, length) = if d.x == 0.0 { (p.y, d.y) } else { (p.x, d.x) };
        (from < to && (to - from) * length > tolerance)
            .then(|| Interval::new(start + length * from, start + length * to))
    }
}

/// Edges that [`ConvexPolygon::meets`] clips by. The other edges of a polygon
/// with more are ignored, so that it counts as larger than it is. An ellipse
/// with a radius of 100 pixels has about 64 edges, and the body's box adds 4.
const MAX_CUT: usize = 72;
