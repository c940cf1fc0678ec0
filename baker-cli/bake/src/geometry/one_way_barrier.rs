//! One-way walls and ceilings in configuration space.

use glam::DVec2;
use navmesh_runtime::mesh::Direction;

use crate::geometry::interval::Interval;

/// The side of a one-way piece that stops a body coming back: a level or
/// upright line that the feet cross in one direction only. Touching it is
/// free, its ends are open.
///
/// Tops of one-way platforms are [`TopEdge`](super::TopEdge)s instead, because
/// feet rest on them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OneWayBarrier {
    /// Where the line is: y of a level one, x of an upright one.
    pub at: f64,
    /// How far it goes: x of a level one, y (down) of an upright one.
    pub span: Interval,
    /// The direction in which a body may cross it.
    pub pass: Direction,
}

impl OneWayBarrier {
    /// Whether the line is upright: a wall, not a ceiling.
    pub fn is_upright(&self) -> bool {
        self.pass != Direction::Down
    }

    /// Whether it is crossed towards larger coordinates: to the right or down. Its
    /// own coordinate belongs to the side from which it is closed.
    pub fn is_ascending(&self) -> bool {
        self.pass != Direction::Left
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
        // The line counts as a skin farther back: a body that touches it, and moves by
        // less than the rounding of its position, does not cross it.
        if self.is_ascending() {
            from >= self.at - skin && to < self.at - skin
        } else {
            from <= self.at + skin && to > self.at + skin
        }
    }
}

/// One-way walls side by side: their x in ascending order, by the direction in
/// which they are passed.
#[derive(Debug, Clone, Copy)]
pub struct Walls<'a> {
    pub right: &'a [f64],
    pub left: &'a [f64],
}

impl Walls<'_> {
    /// Clips a free interval to what feet at `x` can reach between the walls.
    pub fn clip(&self, x: f64, free: Interval) -> Interval {
        // Of many walls, only the nearest on either side matter.
        let behind = self.right[..self.right.partition_point(|at| *at <= x)].last();
        let ahead = self.left[self.left.partition_point(|at| *at < x)..].first();
        Interval::new(
            behind.map_or(free.lo, |at| free.lo.max(*at)),
            ahead.map_or(free.hi, |at| free.hi.min(*at)),
        )
    }

    /// Splits the positions `x` inside a free interval at the walls. Calls
    /// `each` with every part and the part of `free` that is reachable from it.
    pub fn split(&self, x: Interval, free: Interval, mut each: impl FnMut(Interval, Interval)) {
        // The point of a wall belongs to the side from which the wall is closed;
        // the other side ends this far away. It must be larger than the rounding
        // of f64 at any position in a level, and is invisible.
        const GAP: f64 = 1e-6;
        if self.right.is_empty() && self.left.is_empty() {
            return each(x, free);
        }
        let mut emit = |part: Interval| {
            if !part.is_empty() {
                // No wall is inside the part, so every point of it reaches the same.
                each(part, self.clip(part.middle(), free));
            }
        };
        let mut right = within(self.right, x);
        let mut left = within(self.left, x);
        let mut rest = x;
        loop {
            // Of two walls at one x that for the right comes first: their point is closed
            // from both sides, so it becomes a part of its own.
            let (before, after) = match (right, left) {
                (&[at, ref others @ ..], _) if left.first().is_none_or(|left| at <= *left) => {
                    right = others;
                    (at - GAP, at)
                }
                (_, &[at, ref others @ ..]) => {
                    left = others;
                    (at, at + GAP)
                }
                _ => break,
            };
            emit(Interval::new(rest.lo, before));
            rest.lo = after;
        }
        emit(rest);
    }
}

/// The part of ascending positions that lies in `x`, ends included.
pub fn within(positions: &[f64], x: Interval) -> &[f64] {
    let from = positions.partition_point(|at| *at < x.lo);
    let to = positions.partition_point(|at| *at <= x.hi);
    // An empty interval would end before it begins.
    &positions[from..to.max(from)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// What feet at any of the parts reach is what no wall stops, each wall
        /// looked at alone.
        #[test]
        fn walls_are_split_and_clipped_as_one_by_one(
            mut right in prop::collection::vec(-20_i8..20, 0..9),
            mut left in prop::collection::vec(-20_i8..20, 0..9),
            x in (-25_i8..25, 0_i8..20),
        ) {
            right.sort_unstable();
            left.sort_unstable();
            let [right, left] = [right, left].map(|all| all.into_iter().map(f64::from).collect());
            let (right, left): (Vec<f64>, Vec<f64>) = (right, left);
            let walls = Walls { right: &right, left: &left };
            let free = Interval::new(-30.0, 30.0);
            let x = Interval::new(f64::from(x.0), f64::from(x.0) + f64::from(x.1));
            let alone = |x: f64| {
                let lo = right.iter().filter(|at| **at <= x).fold(free.lo, |a, b| a.max(*b));
                let hi = left.iter().filter(|at| **at >= x).fold(free.hi, |a, b| a.min(*b));
                Interval::new(lo, hi)
            };
            let mut parts = Vec::new();
            walls.split(x, free, |part, reached| parts.push((part, reached)));
            for (part, reached) in &parts {
                for t in [0.0, 0.5, 1.0] {
                    let x = part.lo + (part.hi - part.lo) * t;
                    prop_assert_eq!(*reached, alone(x), "{}", x);
                    prop_assert_eq!(walls.clip(x, free), alone(x));
                }
            }
            // Nothing but the gaps at the walls is left out.
            let covered: f64 = parts.iter().map(|(part, _)| part.hi - part.lo).sum();
            prop_assert!(x.hi - x.lo - covered < 1e-4, "{covered}");
        }
    }
}
