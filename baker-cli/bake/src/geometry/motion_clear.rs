//! Whether a motion is free of obstacles, decided on continuous time.
//!
//! Between two knots of a trajectory x and y are monotone, so the body stays
//! inside the rectangle between its positions at the knots. A rectangle that
//! meets no obstacle is clear; one that does is halved, down to a length at
//! which the body moves less than the skin, where it counts as blocked. Nothing
//! is sampled, so nothing thin is missed.

use glam::DVec2;
use navmesh_runtime::mesh::Trajectory;

use crate::geometry::configuration_space::ConfigurationSpace;
use crate::geometry::interval::Interval;

/// How far a body must have fallen past the end of a one-way top before it may
/// move beneath it: the fall of a twentieth of a second from rest, `½·g·t²`,
/// which is three steps of a physics engine at 60 Hz. An engine supports a body
/// whose feet were above the top one step earlier, so with less depth the body
/// of a game would stay on the top. The bound of a quarter of the body's height
/// is for absurd gravities only.
pub fn top_depth(gravity: f64, body_height: f64) -> f64 {
    (gravity / 800.0).min(0.25 * body_height)
}

/// A motion of the feet, y down, in the free space of a body.
#[derive(Clone, Copy)]
pub struct Motion<'a> {
    pub space: &'a dyn ConfigurationSpace,
    /// The feet at the begin of the trajectory.
    pub from: DVec2,
    pub trajectory: &'a Trajectory,
    /// Whether it may drop through the one-way top that it starts on.
    pub through: bool,
}

/// The rectangle between two positions of the feet.
fn between(a: DVec2, b: DVec2) -> (Interval, Interval) {
    (Interval::between(a.x, b.x), Interval::between(a.y, b.y))
}

impl Motion<'_> {
    /// Whether no instant is blocked, passes down through a one-way top before the
    /// motion ends, moves beneath a flat one-way top that it has only just passed
    /// (see [`top_depth`]), or crosses a one-way wall or ceiling against its
    /// direction.
    pub fn is_clear(&self) -> bool {
        // The later half of a piece first: most trajectories that fail do so near
        // their end.
        (self.pieces()).all(|k| self.blocked_in(k, true).is_none()) && self.obeys_one_way()
    }

    /// The same as [`is_clear`](Self::is_clear) for a motion that overlaps no
    /// obstacle: what remains are one-way surfaces.
    pub fn obeys_one_way(&self) -> bool {
        self.pieces().all(|k| self.sinks_in(k).is_none())
            && self.pieces().all(|k| self.slips_under_in(k).is_none())
            && self.pieces().all(|k| self.against_barrier_in(k).is_none())
    }

    /// When and where the feet are first stopped, if the motion is not clear.
    pub fn first_obstruction(&self) -> Option<(f64, DVec2)> {
        self.first_obstruction_after(0.0)
    }

    /// The same, of what stops them after a time.
    pub fn first_obstruction_after(&self, begin: f64) -> Option<(f64, DVec2)> {
        let pieces = self.pieces().filter(|[_, t1]| *t1 > begin);
        let time = pieces.map(|[t0, t1]| [t0.max(begin), t1]).find_map(|k| {
            let times = [
                self.blocked_in(k, false),
                self.sinks_in(k),
                self.slips_under_in(k),
                self.against_barrier_in(k),
            ];
            times.into_iter().flatten().min_by(f64::total_cmp)
        })?;
        Some((time, self.at(time)))
    }

    /// The position of the feet.
    pub fn at(&self, time: f64) -> DVec2 {
        let offset = self.trajectory.offset(time);
        DVec2::new(self.from.x + offset.x, self.from.y - offset.y)
    }

    fn acceleration_at(&self, time: f64) -> f64 {
        let mut begin = 0.0;
        let mut found = 0.0;
        for row in self.trajectory.accelerations() {
            found = row.acceleration;
            begin += row.duration;
            if time < begin {
                break;
            }
        }
        found
    }

    /// The times before and after the end of what holds at the begin of a piece.
    /// Both coordinates are monotone in it, and 64 halvings exhaust the digits of
    /// f64.
    fn bisect(&self, t0: f64, t1: f64, holds: impl Fn(DVec2) -> bool) -> (f64, f64) {
        let (mut before, mut after) = (t0, t1);
        for _ in 0..64 {
            let middle = 0.5 * (before + after);
            let end = if holds(self.at(middle)) {
                &mut before
            } else {
                &mut after
            };
            *end = middle;
        }
        (before, after)
    }

    /// The times between neighbouring knots.
    pub fn pieces(&self) -> impl Iterator<Item = [f64; 2]> {
        let knots = self.trajectory.knots();
        let pairs = (1..knots.len()).map(move |i| [knots[i - 1], knots[i]]);
        pairs.filter(|[t0, t1]| t0 < t1)
    }

    /// A time in a piece at which the body is blocked: the first one, or with
    /// `any` the one that is found fastest.
    fn blocked_in(&self, [t0, t1]: [f64; 2], any: bool) -> Option<f64> {
        self.blocked_between((t0, self.at(t0)), (t1, self.at(t1)), any)
    }

    fn blocked_between(&self, a: (f64, DVec2), b: (f64, DVec2), any: bool) -> Option<f64> {
        let ((t0, p0), (t1, p1)) = (a, b);
        let (x, y) = between(p0, p1);
        if !self.space.overlaps(x, y) {
            return None;
        }
        let t = 0.5 * (t0 + t1);
        // Without a time between the two, the digits of f64 are exhausted.
        if x.len() + y.len() <= self.space.skin() || t <= t0 || t >= t1 {
            return Some(t);
        }
        let middle = (t, self.at(t));
        let mut halves = [(a, middle), (middle, b)];
        if any {
            halves.reverse();
        }
        let mut halves = halves.into_iter();
        halves.find_map(|(begin, end)| self.blocked_between(begin, end, any))
    }

    /// When a piece crosses a one-way wall or ceiling against its direction.
    fn against_barrier_in(&self, [t0, t1]: [f64; 2]) -> Option<f64> {
        let skin = self.space.skin();
        let (p0, p1) = (self.at(t0), self.at(t1));
        let (x, y) = between(p0, p1);
        // A line up to a skin outside the rectangle can stop the body, see
        // `OneWayBarrier::stops`.
        let [x, y] = [x, y].map(|v| v.grown(2.0 * skin));
        self.space.barriers(x, y).into_iter().find_map(|barrier| {
            let [from, to] = [p0, p1].map(|p| barrier.across(p));
            if !barrier.stops(from, to, skin) {
                return None;
            }
            let (before, after) =
                self.bisect(t0, t1, |at| barrier.stops(barrier.across(at), to, skin));
            let [a, b] = [before, after].map(|time| barrier.along(self.at(time)));
            let meets = a.max(b) > barrier.span.lo + skin && a.min(b) < barrier.span.hi - skin;
            meets.then_some(before)
        })
    }

    /// When the feet pass down through a one-way top in a piece. Landing on
    /// one, at the end of the motion, does not count.
    fn sinks_in(&self, [t0, t1]: [f64; 2]) -> Option<f64> {
        let skin = self.space.skin();
        let (p0, p1) = (self.at(t0), self.at(t1));
        // Feet that do not move down sink only through a slanted top, and only if they move
        // sideways.
        if p1.y <= p0.y && p0.x == p1.x {
            return None;
        }
        let (x, y) = between(p0, p1);
        // Vertical acceleration is 0 before the first launch, where the body
        // still walks, and at the greatest speed of fall.
        let middle = 0.5 * (t0 + t1);
        let trajectory = self.trajectory;
        let level = (trajectory.launches().first()).is_some_and(|l| l.time > middle);
        let steady = trajectory.velocity(middle).y <= -trajectory.fall.max_speed;
        let fall = if level || steady {
            0.0
        } else {
            trajectory.fall.gravity
        };
        let sideways = self.acceleration_at(middle);
        let tops = self.space.one_way_tops(x, y);
        tops.iter().find_map(|top| {
            if top.right.x <= top.left.x {
                return None;
            }
            // How far the feet are below the line of the top is a quadratic
            // a·t² + b·t + start in the time since t0.
            let slope = (top.right.y - top.left.y) / (top.right.x - top.left.x);
            let [start, end] = [p0, p1].map(|p| p.y - (top.left.y + slope * (p.x - top.left.x)));
            let a = 0.5 * (fall - slope * sideways);
            let span = t1 - t0;
            // `a` follows from the accelerations, and `b` from the depth at the end of the piece.
            let b = (end - start) / span - a * span;
            let square = b * b - 4.0 * a * start;
            // The feet end above the top or on it.
            if end <= skin {
                return None;
            }
            // On a slanted top from the start: trajectories touch slants at their knots,
            // where the feet may be below the line by rounding.
            let starts_on = !top.is_flat() && (0.0..=skin).contains(&start);
            // The feet sink where the quadratic grows: at its later root.
            let root = match a {
                _ if starts_on => 0.0,
                // Their parabola never meets the line.
                _ if square < 0.0 => return None,
                0.0 if b <= 0.0 => return None,
                0.0 => -start / b,
                _ => (-b + square.sqrt()) / (2.0 * a),
            };
            // A nanosecond absorbs the rounding of the root.
            if root < -1e-9 || root > span + 1e-9 {
                return None;
            }
            // Below the top from the start: the body came from beneath, or
            // passed it in an earlier piece.
            if root <= 1e-9 && (start > skin || (self.through && t0 == 0.0)) {
                return None;
            }
            let time = (t0 + root).clamp(t0, t1);
            let crossing = self.at(time);
            // The end of a top lets a body pass, but not where the other part of a slanted
            // one begins. A gap as wide as the body lets it pass between two level ones.
            let (mut left, mut right) = (skin, skin);
            for other in tops
                .iter()
                .filter(|other| !(top.is_flat() && other.is_flat()))
            {
                if other.right == top.left {
                    left = -skin;
                }
                if other.left == top.right {
                    right = -skin;
                }
            }
            let meets = crossing.x > top.left.x + left && crossing.x < top.right.x - right;
            meets.then_some(time)
        })
    }

    /// When the body moves beneath a flat one-way top in a piece, less than the
    /// [`top_depth`] below it, after its feet were on or above it.
    fn slips_under_in(&self, [t0, t1]: [f64; 2]) -> Option<f64> {
        let skin = self.space.skin();
        let (p0, p1) = (self.at(t0), self.at(t1));
        if p1.y <= p0.y {
            return None;
        }
        let depth = top_depth(self.trajectory.fall.gravity, self.space.body().size.y);
        let (x, _) = between(p0, p1);
        let tops = (self.space).one_way_tops(x, Interval::new(p0.y - depth, p1.y));
        tops.into_iter().find_map(|top| {
            let y = top.left.y;
            // The body drops through the top that it starts on.
            let is_own = self.through && (self.from.y - y).abs() <= skin;
            let is_beside = p0.y >= y + depth - skin || p1.y <= y + skin;
            if y != top.right.y || is_own || is_beside {
                return None;
            }
            let knots = self.trajectory.knots();
            // Between knots y is monotone, so the feet were highest at one of them.
            if !(knots.iter()).any(|t| *t <= t0 && self.at(*t).y <= y + skin) {
                return None;
            }
            // The moments at which the feet are at these heights.
            let [from, until] =
                [y + skin, y + depth - skin].map(|y| self.bisect(t0, t1, |at| at.y < y).1);
            // x is monotone too: between these times the feet stay between these two x.
            let (a, b) = (self.at(from).x, self.at(until).x);
            let meets = a.max(b) > top.left.x + skin && a.min(b) < top.right.x - skin;
            meets.then_some(from)
        })
    }
}
