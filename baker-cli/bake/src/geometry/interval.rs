//! Intervals of the real line, and sorted lists of them.

/// An interval from `lo` to `hi`. Where it is used says whether it is open or
/// closed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Interval {
    /// Lower end.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
}

impl Interval {
    /// All numbers.
    pub const EVERYTHING: Self = Self::new(f64::NEG_INFINITY, f64::INFINITY);

    /// No number.
    pub const NOTHING: Self = Self::new(f64::INFINITY, f64::NEG_INFINITY);

    /// The interval from `lo` to `hi`.
    #[inline]
    pub const fn new(lo: f64, hi: f64) -> Self {
        Self { lo, hi }
    }

    /// The interval that holds one number.
    #[inline]
    pub const fn at(v: f64) -> Self {
        Self::new(v, v)
    }

    /// The interval between two numbers in any order.
    #[inline]
    pub const fn between(a: f64, b: f64) -> Self {
        Self::new(a.min(b), a.max(b))
    }

    /// Its length; negative when it is empty.
    #[inline]
    pub fn len(&self) -> f64 {
        self.hi - self.lo
    }

    /// Whether it holds no point, as a closed interval.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.lo > self.hi
    }

    /// Whether `x` lies in it, ends included.
    #[inline]
    pub fn contains(&self, x: f64) -> bool {
        self.lo <= x && x <= self.hi
    }

    /// The interval that both have in common.
    #[inline]
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        Self::new(self.lo.max(other.lo), self.hi.min(other.hi))
    }

    /// The interval made longer until it holds `x`.
    #[inline]
    #[must_use]
    pub fn extended_to(&self, x: f64) -> Self {
        Self::new(self.lo.min(x), self.hi.max(x))
    }

    /// The interval made longer by `by` at both ends.
    #[inline]
    #[must_use]
    pub fn grown(&self, by: f64) -> Self {
        Self::new(self.lo - by, self.hi + by)
    }

    /// The middle of it.
    #[inline]
    pub fn middle(&self) -> f64 {
        self.lo + 0.5 * (self.hi - self.lo)
    }
}

/// Sorts numbers, and keeps each of them once.
pub fn sort_and_dedup(numbers: &mut Vec<f64>) {
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.dedup();
}

/// Sorts **open** intervals and unites those that overlap. Two intervals that
/// only touch stay apart: the point between them is in neither.
pub fn merge(intervals: &mut Vec<Interval>) {
    // An open interval with equal ends holds no point.
    intervals.retain(|i| i.lo < i.hi);
    intervals.sort_unstable_by(|a, b| a.lo.total_cmp(&b.lo).then(a.hi.total_cmp(&b.hi)));
    intervals.dedup_by(|next, kept| {
        // Not `<=`: a body fits exactly between two obstacles that are as far apart as
        // it is wide, and there the grown obstacles touch in one point.
        let overlaps = next.lo < kept.hi;
        if overlaps {
            kept.hi = kept.hi.max(next.hi);
        }
        overlaps
    });
}

/// Calls `each` with what remains of the closed interval `from` without the
/// sorted, disjoint **open** intervals `holes`. Single points can remain.
pub fn subtract(from: Interval, holes: &[Interval], mut each: impl FnMut(Interval)) {
    let mut at = from.lo;
    let first = holes.partition_point(|h| h.hi <= from.lo);
    for hole in &holes[first..] {
        if hole.lo >= from.hi {
            break;
        }
        // Also where one point is left: the holes are open, so it belongs to neither.
        if hole.lo >= at {
            each(Interval::new(at, hole.lo));
        }
        at = hole.hi;
        if at > from.hi {
            return;
        }
    }
    if at <= from.hi {
        each(Interval::new(at, from.hi));
    }
}

/// Applies [`subtract`] to each of several intervals.
pub fn cut_out(pieces: &mut Vec<Interval>, holes: &[Interval]) {
    let meets_hole = pieces.iter().any(|piece| {
        let next = holes.partition_point(|h| h.hi <= piece.lo);
        holes.get(next).is_some_and(|h| h.lo < piece.hi)
    });
    // Without a hole in any piece the list stays as it is, which saves an allocation.
    if !meets_hole {
        return;
    }
    let mut left = Vec::with_capacity(pieces.len());
    for piece in pieces.iter() {
        subtract(*piece, holes, |x| left.push(x));
    }
    *pieces = left;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(from: (f64, f64), holes: &[(f64, f64)]) -> Vec<(f64, f64)> {
        let holes: Vec<_> = holes.iter().map(|h| Interval::new(h.0, h.1)).collect();
        let mut out = Vec::new();
        subtract(Interval::new(from.0, from.1), &holes, |i| {
            out.push((i.lo, i.hi));
        });
        out
    }

    #[test]
    fn merging_keeps_the_point_between_touching_intervals() {
        let mut list: Vec<_> = [(3.0, 4.0), (0.0, 2.0), (1.0, 3.0), (6.0, 6.0)]
            .map(|(a, b)| Interval::new(a, b))
            .into();
        merge(&mut list);
        assert_eq!(list, vec![Interval::new(0.0, 3.0), Interval::new(3.0, 4.0)]);
    }

    #[test]
    fn subtracting_open_holes_leaves_their_ends() {
        let holes = [(2.0, 3.0), (3.0, 4.0)];
        assert_eq!(
            left((0.0, 10.0), &holes),
            [(0.0, 2.0), (3.0, 3.0), (4.0, 10.0)]
        );
        assert_eq!(left((2.0, 3.0), &[(0.0, 2.0), (3.0, 5.0)]), [(2.0, 3.0)]);
        assert_eq!(left((2.0, 3.0), &[(2.0, 3.0)]), [(2.0, 2.0), (3.0, 3.0)]);
        assert_eq!(left((2.0, 3.0), &[(1.0, 4.0)]), []);
        assert_eq!(left((2.0, 2.0), &[]), [(2.0, 2.0)]);
    }
}
