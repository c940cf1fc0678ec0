//! Whether an arc is clear, answered from slabs where they can.

use glam::DVec2;
use navmesh_runtime::mesh::Trajectory;

use super::Slabs;
use crate::geometry::Interval;

/// Whether no instant of `arc` from `from` overlaps an obstacle by more than
/// `skin`: the same answer as [`crate::geometry::is_clear`] gives (which also
/// looks at one-way surfaces), from slabs already at hand. `None` where only
/// the true geometry can tell, because a slab takes slanted ground as larger
/// than it is. The arc must stay within the slabs' part of the level.
pub fn slabs_clear(slabs: &Slabs, from: DVec2, arc: &Trajectory, skin: f64) -> Option<bool> {
    let at = |t: f64| {
        let offset = arc.offset(t);
        DVec2::new(from.x + offset.x, from.y - offset.y)
    };
    let knots = arc.knots();
    let mut sure = true;
    for k in knots.windows(2).filter(|k| k[0] < k[1]) {
        match piece(slabs, &at, (k[0], at(k[0])), (k[1], at(k[1])), skin) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => sure = false,
        }
    }
    sure.then_some(true)
}

/// A piece of an arc in which y is monotone and x linear.
fn piece(
    slabs: &Slabs,
    at: &impl Fn(f64) -> DVec2,
    (t0, p0): (f64, DVec2),
    (t1, p1): (f64, DVec2),
    skin: f64,
) -> Option<bool> {
    let x = Interval::new(p0.x.min(p1.x) + skin, p0.x.max(p1.x) - skin);
    let x = if x.is_empty() {
        Interval::new(x.middle(), x.middle())
    } else {
        x
    };
    let hit = |slab: usize| {
        let blocked = slabs.blocked(slab);
        let next = blocked.partition_point(|b| b.hi <= x.lo);
        blocked.get(next).is_some_and(|b| b.lo < x.hi)
    };
    let (top, bottom) = (p0.y.min(p1.y), p0.y.max(p1.y));
    if bottom - top <= 2.0 * skin {
        // Level: at a cut, being free on one side of it is enough.
        let first = slabs.slab_above(0.5 * (top + bottom), skin);
        let last = slabs.slab_above(0.5 * (top + bottom), -skin);
        return if (first..=last).any(|slab| !hit(slab)) {
            Some(true)
        } else {
            None
        };
    }
    let (top, bottom) = (top + skin, bottom - skin);
    let first = slabs.cuts().partition_point(|c| *c <= top);
    let last = slabs.cuts().partition_point(|c| *c < bottom).max(first);
    if !(first..=last).any(hit) {
        return Some(true);
    }
    if first == last {
        // All of it lies in this slab.
        return if slabs.is_slanted(first) {
            None
        } else {
            Some(false)
        };
    }
    let middle = 0.5 * (t0 + t1);
    if middle <= t0 || middle >= t1 {
        return None;
    }
    let p = at(middle);
    let later = piece(slabs, at, (middle, p), (t1, p1), skin);
    if later == Some(false) {
        return later;
    }
    match piece(slabs, at, (t0, p0), (middle, p), skin) {
        Some(true) => later,
        answer => answer,
    }
}
