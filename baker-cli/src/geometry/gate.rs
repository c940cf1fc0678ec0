//! One-way walls and ceilings, as the feet meet them.

use super::Interval;
use crate::source::Direction;

/// The side of a one-way piece that stops bodies coming back: a level or
/// upright line for the feet, which they pass in one direction only. Touching
/// it is free, its ends are open.
///
/// Tops of platforms one jumps up through are [ledges](super::Ledge) and not
/// among them, because feet rest on those.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gate {
    /// Where the line is: y of a level one, x of an upright one.
    pub at: f64,
    /// How far it goes: x of a level one, y (down) of an upright one.
    pub span: Interval,
    /// The way a body may pass: down, left or right.
    pub pass: Direction,
}

impl Gate {
    /// Whether the line is upright.
    pub fn is_upright(&self) -> bool {
        matches!(self.pass, Direction::Left | Direction::Right)
    }

    /// Whether feet going from one coordinate across the line to another, each
    /// known to within `skin`, go against it.
    pub fn stops(&self, from: f64, to: f64, skin: f64) -> bool {
        match self.pass {
            // Towards smaller x, or upwards, where y is smaller.
            Direction::Right | Direction::Down => from >= self.at - skin && to < self.at - skin,
            Direction::Left | Direction::Up => from <= self.at + skin && to > self.at + skin,
        }
    }

    /// The part of a free stretch in which feet at `x` can move about, beside
    /// an upright line.
    pub fn keeps(&self, x: f64, free: Interval) -> Interval {
        match self.pass {
            Direction::Right if x >= self.at => Interval::new(free.lo.max(self.at), free.hi),
            Direction::Left if x <= self.at => Interval::new(free.lo, free.hi.min(self.at)),
            _ => free,
        }
    }
}
