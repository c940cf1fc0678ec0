//! Whether a motion is free of obstacles, decided on continuous time.

use glam::DVec2;
use navmesh_runtime::mesh::Trajectory;

use super::{Band, BodySpace, Interval};

/// Whether no instant of `arc`, taking off with the feet at `from`, is
/// blocked, none but the last sinks through a one-way surface, and none goes
/// against a one-way wall or ceiling. With `through`, the one-way surface it
/// starts on lets it pass.
///
/// Between two knots of an arc x is linear and y monotone, so the body stays
/// within the rectangle of the two ends. A rectangle that meets nothing is
/// clear; one that does is halved, down to a length at which the body moves
/// less than the skin; there it counts as blocked. Nothing is sampled.
pub fn is_clear(space: &dyn BodySpace, from: DVec2, arc: &Trajectory, through: bool) -> bool {
    let at = |t: f64| {
        let offset = arc.offset(t);
        DVec2::new(from.x + offset.x, from.y - offset.y)
    };
    let knots = arc.knots();
    let pieces = knots.windows(2).filter(|k| k[0] < k[1]);
    pieces
        .clone()
        .all(|k| piece_clear(space, &at, (k[0], at(k[0])), (k[1], at(k[1]))))
        && pieces
            .into_iter()
            .all(|k| !sinks(space, from, arc, [k[0], k[1]], through))
        && knots
            .windows(2)
            .all(|k| k[0] >= k[1] || !against_gate(space, &at, [k[0], k[1]]))
}

/// Whether a piece of an arc in which x is linear and y monotone goes through
/// a one-way wall or ceiling against its direction.
fn against_gate(space: &dyn BodySpace, at: &impl Fn(f64) -> DVec2, [t0, t1]: [f64; 2]) -> bool {
    let skin = space.skin();
    let (p0, p1) = (at(t0), at(t1));
    let x = Interval::new(p0.x.min(p1.x), p0.x.max(p1.x)).grown(2.0 * skin);
    let y = Band::new(p0.y.min(p1.y) - 2.0 * skin, p0.y.max(p1.y) + 2.0 * skin);
    let mut found = false;
    space.gates(x, y, &mut |gate| {
        let across = |p: DVec2| if gate.is_upright() { p.x } else { p.y };
        let along = |p: DVec2| if gate.is_upright() { p.y } else { p.x };
        if found || !gate.stops(across(p0), across(p1), skin) {
            return;
        }
        // When it crosses: both coordinates only rise or only fall.
        let (mut before, mut after) = (t0, t1);
        for _ in 0..64 {
            let middle = 0.5 * (before + after);
            if gate.stops(across(at(middle)), across(p1), skin) {
                before = middle;
            } else {
                after = middle;
            }
        }
        let (a, b) = (along(at(before)), along(at(after)));
        found = a.max(b) > gate.span.lo + skin && a.min(b) < gate.span.hi - skin;
    });
    found
}

fn piece_clear(
    space: &dyn BodySpace,
    at: &impl Fn(f64) -> DVec2,
    (t0, p0): (f64, DVec2),
    (t1, p1): (f64, DVec2),
) -> bool {
    let x = Interval::new(p0.x.min(p1.x), p0.x.max(p1.x));
    let y = Band::new(p0.y.min(p1.y), p0.y.max(p1.y));
    if !space.overlaps(x, y) {
        return true;
    }
    if x.len() + (y.bottom - y.top) <= space.skin() {
        return false;
    }
    let middle = 0.5 * (t0 + t1);
    if middle <= t0 || middle >= t1 {
        return false;
    }
    let p = at(middle);
    // The later half first: most arcs that fail do so near their end.
    piece_clear(space, at, (middle, p), (t1, p1)) && piece_clear(space, at, (t0, p0), (middle, p))
}

/// Whether the feet pass down through a one-way surface between two knots
/// (landing on one, at the arc's end, is no passing).
fn sinks(
    space: &dyn BodySpace,
    from: DVec2,
    arc: &Trajectory,
    [t0, t1]: [f64; 2],
    through: bool,
) -> bool {
    let skin = space.skin();
    let place = |t: f64| {
        let offset = arc.offset(t);
        DVec2::new(from.x + offset.x, from.y - offset.y)
    };
    let (p0, p1) = (place(t0), place(t1));
    if p1.y <= p0.y && p0.x == p1.x {
        return false;
    }
    let x = Interval::new(p0.x.min(p1.x), p0.x.max(p1.x));
    let y = Band::new(p0.y.min(p1.y), p0.y.max(p1.y));
    // Level before its launch, and even at its greatest speed of fall.
    let middle = 0.5 * (t0 + t1);
    let level = arc.launches().first().is_some_and(|l| l.time > middle);
    let steady = arc.velocity(middle).y <= -arc.fall().max_speed;
    let fall = if level || steady {
        0.0
    } else {
        arc.fall().gravity
    };
    let mut found = false;
    space.one_way_ledges(x, y, &mut |ledge| {
        if found || ledge.right.x <= ledge.left.x {
            return;
        }
        // How far the feet are below the surface's line: a quadratic in the
        // time since t0, which grows where they sink.
        let slope = (ledge.right.y - ledge.left.y) / (ledge.right.x - ledge.left.x);
        let below = |p: DVec2| p.y - (ledge.left.y + slope * (p.x - ledge.left.x));
        let (start, end) = (below(p0), below(p1));
        let a = 0.5 * fall;
        let span = t1 - t0;
        let b = (end - start) / span - a * span;
        // Sinking crosses from not below (start of the rise of the quadratic)
        // to below, so it is the later root.
        let square = b * b - 4.0 * a * start;
        if end <= skin || square < 0.0 {
            return;
        }
        let root = if a == 0.0 {
            if b <= 0.0 {
                return;
            }
            -start / b
        } else {
            (-b + square.sqrt()) / (2.0 * a)
        };
        if root < -1e-9 || root > span + 1e-9 {
            return;
        }
        // Already below it by more than rounding at the start: it was passed
        // before, or the body came from beneath.
        if root <= 1e-9 && (start > skin || (through && t0 == 0.0)) {
            return;
        }
        let crossing = place((t0 + root).clamp(t0, t1));
        found |= crossing.x > ledge.left.x + skin && crossing.x < ledge.right.x - skin;
    });
    found
}
