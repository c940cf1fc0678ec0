//! One-way walls and ceilings, as the feet meet them.

use glam::{DVec2, Vec2};

use super::MeshError;

/// Which way a [`OneWayBarrier`] may be passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Direction {
    /// The way bodies fall.
    Down,
    /// Towards smaller x.
    Left,
    /// Towards greater x.
    Right,
}

impl Direction {
    /// Every way, in the order of their numbers in the asset.
    pub const ALL: [Self; 3] = [Self::Down, Self::Left, Self::Right];

    /// The name used in dumps.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

/// The side of a one-way wall or ceiling that stops bodies coming back: an
/// upright or level line that feet cross one way only. Touching it is free, and
/// its ends are open.
///
/// Floors that one jumps up through are platforms, not gates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OneWayBarrier {
    /// The way it may be passed.
    pub pass: Direction,
    /// Where the line is: the x of an upright one, the y of a level one, world
    /// units.
    pub at: f32,
    /// Its lesser end: y of an upright one, x of a level one.
    pub low: f32,
    /// Its greater end.
    pub high: f32,
}

impl OneWayBarrier {
    /// Where the line begins and ends.
    pub fn ends(&self) -> [Vec2; 2] {
        [self.low, self.high].map(|along| match self.pass {
            Direction::Down => Vec2::new(along, self.at),
            Direction::Left | Direction::Right => Vec2::new(self.at, along),
        })
    }

    /// Whether feet cross the line against its way on a motion from one time to
    /// another, in a world where one unit downwards adds `down` to y; by no more
    /// than `skin` is no crossing. In that time either coordinate only rises or
    /// only falls.
    pub(crate) fn stops(
        &self,
        at: impl Fn(f64) -> DVec2,
        [begin, end]: [f64; 2],
        down: f64,
        skin: f64,
    ) -> bool {
        let line = self.turned(DVec2::splat(f64::from(self.at)), down).0 - skin;
        let before = |t: f64| self.turned(at(t), down).0 < line;
        if before(begin) || !before(end) {
            return false;
        }
        let (mut beyond, mut back) = (begin, end);
        for _ in 0..48 {
            let middle = f64::midpoint(beyond, back);
            if before(middle) {
                back = middle;
            } else {
                beyond = middle;
            }
        }
        let aside = self.turned(at(beyond), down).1;
        f64::from(self.low) < aside && aside < f64::from(self.high)
    }

    /// Whether a one-way wall is in the way of whoever moves across by less than
    /// a body from one point to another, at no matter which of the heights
    /// between them; by no more than `skin` is not beyond it.
    pub(crate) fn is_between(&self, from: Vec2, to: Vec2, skin: f32) -> bool {
        let is_against = match self.pass {
            Direction::Down => false,
            Direction::Left => from.x <= self.at + skin && self.at + skin < to.x,
            Direction::Right => to.x < self.at - skin && self.at - skin <= from.x,
        };
        is_against && self.low < from.y.max(to.y) && from.y.min(to.y) < self.high
    }

    /// How far a point lies in the way that the gate may be passed, and where
    /// along its line.
    fn turned(&self, p: DVec2, down: f64) -> (f64, f64) {
        match self.pass {
            Direction::Down => (p.y * down, p.x),
            Direction::Left => (-p.x, p.y),
            Direction::Right => (p.x, p.y),
        }
    }
}

/// Checks every number.
pub(super) fn check_gates(gates: &[OneWayBarrier]) -> Result<(), MeshError> {
    let makes_sense = |gate: &OneWayBarrier| gate.at.is_finite() && gate.low < gate.high;
    let bad = gates
        .iter()
        .position(|gate| !(makes_sense(gate) && gate.low.is_finite() && gate.high.is_finite()));
    bad.map_or(Ok(()), |gate| {
        Err(MeshError::OneWayBarrier { gate: gate as u32 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gate_is_passed_one_way_and_its_ends_are_open() {
        let gate = |pass| OneWayBarrier {
            pass,
            at: 10.0,
            low: 0.0,
            high: 20.0,
        };
        let stops = |pass, from: [f64; 2], to: [f64; 2], down| {
            let (from, to) = (DVec2::from(from), DVec2::from(to));
            gate(pass).stops(|t| from.lerp(to, t), [0.0, 1.0], down, 1e-3)
        };
        assert!(stops(Direction::Right, [15.0, 5.0], [5.0, 5.0], 1.0));
        assert!(!stops(Direction::Right, [5.0, 5.0], [15.0, 5.0], 1.0));
        assert!(stops(Direction::Left, [5.0, 5.0], [15.0, 5.0], 1.0));
        assert!(!stops(Direction::Left, [15.0, 5.0], [5.0, 5.0], 1.0));
        // Upwards, wherever y grows.
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
