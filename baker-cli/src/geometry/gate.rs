//! One-way walls and ceilings, as the feet meet them.

use super::Interval;
use crate::source::PassDirection;

/// The side of a one-way piece that stops bodies coming back: a level or
/// upright line for the feet, which they pass in one direction only. Touching
/// it is free, its ends are open.
///
/// Tops of platforms one jumps up through are [ledges](super::Ledge) and not
/// among them, because feet rest on those.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OneWayBarrier {
    /// Where the line is: y of a level one, x of an upright one.
    pub at: f64,
    /// How far it goes: x of a level one, y (down) of an upright one.
    pub span: Interval,
    /// The way a body may pass: down, left or right.
    pub pass: PassDirection,
}

impl OneWayBarrier {
    /// Whether the line is upright.
    pub fn is_upright(&self) -> bool {
        matches!(self.pass, PassDirection::Left | PassDirection::Right)
    }

    /// Whether feet going from one coordinate across the line to another, each
    /// known to within `skin`, go against it.
    pub fn stops(&self, from: f64, to: f64, skin: f64) -> bool {
        match self.pass {
            // Towards smaller x, or upwards, where y is smaller.
            PassDirection::Right | PassDirection::Down => {
                from >= self.at - skin && to < self.at - skin
            }
            PassDirection::Left | PassDirection::Up => {
                from <= self.at + skin && to > self.at + skin
            }
        }
    }

    /// The part of a free stretch in which feet at `x` can move about, beside
    /// an upright line.
    pub fn keeps(&self, x: f64, free: Interval) -> Interval {
        match self.pass {
            PassDirection::Right if x >= self.at => Interval::new(free.lo.max(self.at), free.hi),
            PassDirection::Left if x <= self.at => Interval::new(free.lo, free.hi.min(self.at)),
            _ => free,
        }
    }
}

/// Splits the places `x` of a free stretch at one-way walls, and calls `each`
/// with every part and what of the stretch can be reached from it.
pub fn beside_gates(
    gates: &[OneWayBarrier],
    x: Interval,
    free: Interval,
    mut each: impl FnMut(Interval, Interval),
) {
    /// Just this side of a line counts as beyond it: what starts from the
    /// line itself is told by the side it is on.
    const HAIR: f64 = 1e-6;
    let mut part = x;
    for gate in gates.iter().filter(|g| x.contains(g.at)) {
        // The side from which the line is met closed keeps the line.
        let (before, after) = match gate.pass {
            PassDirection::Right => (gate.at - HAIR, gate.at),
            _ => (gate.at, gate.at + HAIR),
        };
        let left = Interval::new(part.lo, before);
        if !left.is_empty() {
            let middle = left.middle();
            each(
                left,
                gates.iter().fold(free, |free, g| g.keeps(middle, free)),
            );
        }
        part.lo = after;
    }
    if !part.is_empty() {
        let middle = part.middle();
        each(
            part,
            gates.iter().fold(free, |free, g| g.keeps(middle, free)),
        );
    }
}
