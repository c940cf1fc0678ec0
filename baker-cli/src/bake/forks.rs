//! Stage 2b: surfaces parted where they lead beneath a one-way top.
//!
//! A slope that crosses a one-way top is two surfaces: whoever comes down it
//! is carried by the top, and only what lies above the top goes on from
//! there. What lies beneath begins anew, and leads up through the top by a
//! link of kind `pass`.

use glam::DVec2;
use rayon::prelude::*;

use super::{Connection, Floor, Layout, Limits, Place, Stretch};
use crate::geometry::{Band, BodySpace, Interval, Ledge};

/// Lines whose slopes differ by less are one line drawn twice.
const PARALLEL: f64 = 1e-6;

/// The most that a surface beneath a top begins beside it, in cells.
const MAX_GAP: f64 = 1.0 / 64.0;

/// Where a surface leads beneath a top.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fork {
    /// Where the two meet.
    at: DVec2,
    /// What is beneath lies to the right of it, not to the left.
    right: bool,
    /// How far from there it begins.
    gap: f64,
}

/// Parts stretches where they lead beneath one-way tops. Sorted from left to
/// right, then top to bottom, before and after.
pub fn part_at_tops(
    stretches: Vec<Stretch>,
    space: &dyn BodySpace,
    layout: &Layout,
) -> (Vec<Stretch>, Vec<Fork>) {
    if stretches.iter().all(Stretch::is_flat) && !has_slanted_tops(space, layout) {
        return (stretches, Vec::new());
    }
    let parted: Vec<(Vec<Stretch>, Vec<Fork>)> = stretches
        .par_iter()
        .map(|stretch| part(*stretch, &meetings(stretch, space, layout)))
        .collect();
    let (mut parts, mut forks) = (Vec::with_capacity(stretches.len()), Vec::new());
    for (part, fork) in parted {
        parts.extend(part);
        forks.extend(fork);
    }
    parts.sort_by(Stretch::order);
    (parts, forks)
}

fn has_slanted_tops(space: &dyn BodySpace, layout: &Layout) -> bool {
    let x = Interval::new(layout.area.min.x, layout.area.max.x);
    let y = Band::new(layout.area.min.y, layout.area.max.y);
    let mut any = false;
    space.one_way_ledges(x, y, &mut |ledge| any |= ledge.left.y != ledge.right.y);
    any
}

/// Where a stretch meets a top, and on which sides it is beneath it.
#[derive(Debug, Clone, Copy)]
struct Meeting {
    at: DVec2,
    under_left: bool,
    under_right: bool,
    /// How far beside it what is beneath begins: low enough below the top to
    /// tell the two apart on the lattice.
    gap: f64,
}

/// The tops that a stretch leads beneath, from left to right.
fn meetings(stretch: &Stretch, space: &dyn BodySpace, layout: &Layout) -> Vec<Meeting> {
    let x = Interval::new(stretch.left.x, stretch.right.x);
    let (a, b) = (stretch.left.y, stretch.right.y);
    let mut all: Vec<Meeting> = Vec::new();
    space.one_way_ledges(x, Band::new(a.min(b), a.max(b)), &mut |top| {
        all.extend(meeting(stretch, &top, layout));
    });
    all.sort_by(|a, b| a.at.x.total_cmp(&b.at.x).then(a.at.y.total_cmp(&b.at.y)));
    all.dedup_by(|b, a| {
        let same = b.at.x - a.at.x <= layout.quantum;
        if same {
            a.under_left |= b.under_left;
            a.under_right |= b.under_right;
            a.gap = a.gap.max(b.gap);
        }
        same
    });
    all
}

fn meeting(stretch: &Stretch, top: &Ledge, layout: &Layout) -> Option<Meeting> {
    let q = layout.quantum;
    let slope = |l: DVec2, r: DVec2| (r.y - l.y) / (r.x - l.x);
    let turn = slope(stretch.left, stretch.right) - slope(top.left, top.right);
    if turn.abs() < PARALLEL {
        return None;
    }
    let x = stretch.left.x + (top.y_at(stretch.left.x) - stretch.left.y) / turn;
    let holds = |l: DVec2, r: DVec2| l.x - q <= x && x <= r.x + q;
    if !(holds(stretch.left, stretch.right) && holds(top.left, top.right)) {
        return None;
    }
    let to_left = stretch.left.x < x - q && top.left.x < x - q;
    let to_right = stretch.right.x > x + q && top.right.x > x + q;
    // With y down, what falls more to the right is lower there.
    let (under_left, under_right) = (to_left && turn < 0.0, to_right && turn > 0.0);
    (under_left || under_right).then(|| Meeting {
        at: DVec2::new(x, stretch.height_at(x)),
        under_left,
        under_right,
        gap: (2.0 * q * (1.0 + 1.0 / turn.abs())).min(MAX_GAP * layout.spacing),
    })
}

/// The parts of a stretch between its meetings. What is beneath a top stops
/// just short of it, so that nothing joins it there, and is no lip to walk
/// off.
fn part(stretch: Stretch, meetings: &[Meeting]) -> (Vec<Stretch>, Vec<Fork>) {
    let (mut parts, mut forks) = (Vec::with_capacity(meetings.len() + 1), Vec::new());
    let mut rest = stretch;
    let point = |x: f64| DVec2::new(x, stretch.height_at(x));
    for meeting in meetings {
        let (at, gap) = (meeting.at, meeting.gap);
        let mut before = rest;
        before.right = at;
        before.blocked_right = meeting.under_left;
        if meeting.under_left {
            before.right = point(at.x - gap);
            forks.push(Fork {
                at,
                right: false,
                gap,
            });
        }
        parts.push(before);
        rest.left = at;
        rest.blocked_left = meeting.under_right;
        if meeting.under_right {
            rest.left = point(at.x + gap);
            forks.push(Fork {
                at,
                right: true,
                gap,
            });
        }
    }
    parts.push(rest);
    parts.retain(|part| part.left.x < part.right.x);
    (parts, forks)
}

/// The ways up from beneath: from the floors that begin or end at a fork to
/// those that lead through it. Sorted by the floor they leave.
pub fn ways_up(
    forks: &[Fork],
    floors: &[Floor],
    layout: &Layout,
    limits: &Limits,
) -> Vec<Connection> {
    let mut all: Vec<Connection> = Vec::new();
    for fork in forks {
        all.extend(way_up(fork, floors, layout, limits));
    }
    all.sort_by(|a, b| (a.from.floor.cmp(&b.from.floor)).then(a.to.floor.cmp(&b.to.floor)));
    all.dedup_by_key(|way| (way.from, way.to));
    all
}

fn way_up(fork: &Fork, floors: &[Floor], layout: &Layout, limits: &Limits) -> Option<Connection> {
    let q = layout.quantum;
    // The lattice takes a point or two, along the steepest slope.
    let aside = fork.gap + 2.0 * q;
    let above = 2.0 * q + aside * limits.slope;
    let near = |p: DVec2| (p.x - fork.at.x).abs() <= aside && (p.y - fork.at.y).abs() <= above;
    // Sorted by their left ends.
    let end = floors.partition_point(|f| f.left().x <= fork.at.x + aside);
    let candidates = || (0..).zip(floors.get(..end).unwrap_or(floors));
    let lip = |f: &Floor| if fork.right { f.left() } else { f.right() };
    let beyond = |p: DVec2| (p.x > fork.at.x) == fork.right && near(p);
    let (from, below) = candidates().find(|(_, f)| beyond(lip(f)))?;
    let (to, upper) = candidates().find(|(i, f)| {
        let x = fork.at.x.clamp(f.left().x, f.right().x);
        *i != from && near(DVec2::new(x, f.height_at(x)))
    })?;
    let x = if fork.right {
        layout.floor(fork.at.x)
    } else {
        layout.ceil(fork.at.x)
    };
    let x = x.clamp(upper.left().x, upper.right().x);
    let from = Place {
        x: lip(below).x,
        y: lip(below).y,
        floor: from,
    };
    let to = Place {
        x,
        y: layout.floor(upper.height_at(x) + q * 1e-3),
        floor: to,
    };
    Connection::pass(from, to, limits)
}
