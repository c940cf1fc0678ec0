//! Checks with slabs whether a motion is clear.

use glam::DVec2;
use navmesh_runtime::mesh::Trajectory;

use crate::bake::space::slabs::Slabs;
use crate::geometry::Interval;

/// Whether no instant of `trajectory`, starting with the feet at `from`,
/// overlaps an obstacle by more than `skin`. `None` where slabs cannot decide,
/// because they count slanted ground as larger than it is. Does not look at
/// one-way surfaces. The trajectory must stay within the slabs.
pub(crate) fn is_clear_in_slabs(
    slabs: &Slabs,
    from: DVec2,
    trajectory: &Trajectory,
    skin: f64,
) -> Option<bool> {
    let at = |t: f64| {
        let offset = trajectory.offset(t);
        DVec2::new(from.x + offset.x, from.y - offset.y)
    };
    let knots = trajectory.knots();
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

/// The same for a piece in which x and y are monotone.
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
        let blocked = slabs.blocked.get(slab);
        let next = blocked.partition_point(|b| b.hi <= x.lo);
        blocked.get(next).is_some_and(|b| b.lo < x.hi)
    };
    let (top, bottom) = (p0.y.min(p1.y), p0.y.max(p1.y));
    if bottom - top <= 2.0 * skin {
        // The motion is level. At a cut it is free if either side of the cut
        // is.
        let first = slabs.slab_above(0.5 * (top + bottom), skin);
        let last = slabs.slab_above(0.5 * (top + bottom), -skin);
        return if (first..=last).any(|slab| !hit(slab)) {
            Some(true)
        } else {
            None
        };
    }
    let (top, bottom) = (top + skin, bottom - skin);
    let first = slabs.cuts.partition_point(|c| *c <= top);
    let last = slabs.cuts.partition_point(|c| *c < bottom).max(first);
    if !(first..=last).any(hit) {
        return Some(true);
    }
    if first == last {
        // The piece lies in one slab and meets something there.
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
