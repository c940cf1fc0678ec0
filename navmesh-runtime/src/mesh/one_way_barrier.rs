//! One-way walls and ceilings, as lines that feet may cross in one direction.

use glam::{DVec2, Vec2};

use super::error::MeshError;
use super::trajectory::last_time;

/// The direction in which a [`OneWayBarrier`] may be crossed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Direction {
    /// The direction in which bodies fall.
    Down,
    /// Towards smaller x.
    Left,
    /// Towards greater x.
    Right,
}

impl Direction {
    /// Every direction. The index of a direction is its number in the asset.
    pub const ALL: [Self; 3] = [Self::Down, Self::Left, Self::Right];

    /// The name that `navbake dump` prints.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

/// A vertical or horizontal line that feet may cross in one direction only:
/// the side of a one-way wall or ceiling that stops a body on its way back.
///
/// Feet may touch the line, and its two end points do not stop them. A floor
/// that an agent can jump up through is a platform, not a barrier.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OneWayBarrier {
    /// The direction in which it may be crossed.
    pub pass: Direction,
    /// The x of a vertical line or the y of a horizontal one, world units.
    pub at: f32,
    /// The smaller coordinate of its ends: y for a vertical line, x for a
    /// horizontal one.
    pub low: f32,
    /// The larger coordinate of its ends.
    pub high: f32,
}

impl OneWayBarrier {
    /// The two ends of the line.
    pub fn ends(&self) -> [Vec2; 2] {
        [self.low, self.high].map(|along| match self.pass {
            Direction::Down => Vec2::new(along, self.at),
            Direction::Left | Direction::Right => Vec2::new(self.at, along),
        })
    }

    /// Whether feet that are `at(t)` at each time from `begin` to `end` cross
    /// the line against its direction by more than `skin`. Within that time
    /// each coordinate must only rise or only fall. `down` is the change of y
    /// when a point moves down by one unit.
    pub(crate) fn stops(
        &self,
        at: impl Fn(f64) -> DVec2,
        [begin, end]: [f64; 2],
        down: f64,
        skin: f64,
    ) -> bool {
        // Turned so that the line may be crossed towards greater numbers.
        let line = self.turned(DVec2::splat(f64::from(self.at)), down).0 - skin;
        let before = |t: f64| self.turned(at(t), down).0 < line;
        if before(begin) || !before(end) {
            return false;
        }
        let beyond = last_time([begin, end], |t| !before(t));
        let along = self.turned(at(beyond), down).1;
        f64::from(self.low) < along && along < f64::from(self.high)
    }

    /// Whether this one-way wall stops a body that moves horizontally from one
    /// point to another by less than its width, at any of the heights between
    /// the two. A crossing by up to `skin` does not count.
    pub(crate) fn is_between(&self, from: Vec2, to: Vec2, skin: f32) -> bool {
        let is_against = match self.pass {
            Direction::Down => false,
            Direction::Left => from.x <= self.at + skin && self.at + skin < to.x,
            Direction::Right => to.x < self.at - skin && self.at - skin <= from.x,
        };
        is_against && self.low < from.y.max(to.y) && from.y.min(to.y) < self.high
    }

    /// How far a point lies in the direction in which the line may be crossed,
    /// and its coordinate along the line.
    fn turned(&self, p: DVec2, down: f64) -> (f64, f64) {
        match self.pass {
            Direction::Down => (p.y * down, p.x),
            Direction::Left => (-p.x, p.y),
            Direction::Right => (p.x, p.y),
        }
    }

    /// Checks that the line is finite and has a length. `number` is its index
    /// in the layer, for the error.
    pub(crate) fn check(&self, number: usize) -> Result<(), MeshError> {
        let finite = self.at.is_finite() && self.low.is_finite() && self.high.is_finite();
        if finite && self.low < self.high {
            return Ok(());
        }
        let what = "has no length, or a coordinate that is not finite";
        Err(MeshError::of("one-way barrier", number, what))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_barrier_is_crossed_one_way_and_its_ends_are_open() {
        let barrier = |pass| OneWayBarrier {
            pass,
            at: 10.0,
            low: 0.0,
            high: 20.0,
        };
        let stops = |pass, from: [f64; 2], to: [f64; 2], down| {
            let (from, to) = (DVec2::from(from), DVec2::from(to));
            barrier(pass).stops(|t| from.lerp(to, t), [0.0, 1.0], down, 1e-3)
        };
        assert!(stops(Direction::Right, [15.0, 5.0], [5.0, 5.0], 1.0));
        assert!(!stops(Direction::Right, [5.0, 5.0], [15.0, 5.0], 1.0));
        assert!(stops(Direction::Left, [5.0, 5.0], [15.0, 5.0], 1.0));
        assert!(!stops(Direction::Left, [15.0, 5.0], [5.0, 5.0], 1.0));
        // Upwards, for both directions of y.
        assert!(stops(Direction::Down, [5.0, 15.0], [5.0, 5.0], 1.0));
        assert!(!stops(Direction::Down, [5.0, 5.0], [5.0, 15.0], 1.0));
        assert!(stops(Direction::Down, [5.0, 5.0], [5.0, 15.0], -1.0));
        assert!(!stops(Direction::Down, [5.0, 15.0], [5.0, 5.0], -1.0));
        // From the line itself; up to it; past its ends; slanted past its end.
        assert!(stops(Direction::Right, [10.0, 5.0], [9.0, 5.0], 1.0));
        assert!(!stops(Direction::Right, [15.0, 5.0], [10.0, 5.0], 1.0));
        assert!(!stops(Direction::Right, [15.0, 20.0], [5.0, 20.0], 1.0));
        assert!(!stops(Direction::Right, [15.0, 17.0], [5.0, 25.0], 1.0));
        assert!(stops(Direction::Right, [15.0, 17.0], [5.0, 21.0], 1.0));
    }
}
