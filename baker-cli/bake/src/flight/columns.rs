//! Sets of columns of a region, as bits.

use crate::geometry::Interval;

/// An interval of x in 64 columns, so that sets of them are the bits of a number.
#[derive(Debug, Clone, Copy, Default)]
pub struct Columns {
    lo: f64,
    per_unit: f64,
}

impl Columns {
    pub fn new(x: Interval) -> Self {
        Self {
            lo: x.lo,
            // A level can be as narrow as a body.
            per_unit: 64.0 / x.len().max(1.0),
        }
    }

    pub fn width(&self) -> f64 {
        1.0 / self.per_unit
    }

    /// The number of the column that holds a position. What lies outside of all
    /// columns is in the nearest one.
    fn number(&self, x: f64) -> u32 {
        (((x - self.lo) * self.per_unit) as u32).min(63)
    }

    /// The column that holds a position.
    pub fn at(&self, x: f64) -> u64 {
        1 << self.number(x)
    }

    /// The columns that an interval meets.
    pub fn set(&self, x: Interval) -> u64 {
        let (first, last) = (self.number(x.lo), self.number(x.hi));
        (u64::MAX << first) & (u64::MAX >> (63 - last))
    }

    /// The x of the columns that an interval meets, a hundredth of a column wider at
    /// either end because of rounding.
    pub fn around(&self, x: Interval) -> Interval {
        let (first, last) = (f64::from(self.number(x.lo)), f64::from(self.number(x.hi)));
        Interval::new(
            self.lo + self.width() * (first - 0.01),
            self.lo + self.width() * (last + 1.01),
        )
    }
}
