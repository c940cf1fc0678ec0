//! Stage 3: stretches of surface joined into platforms.

use std::collections::BTreeSet;

use glam::DVec2;
use navmesh_runtime::mesh::PlatformKind;

use super::{Layout, Limits, Stretch};
use crate::geometry::{Band, BodySpace, Interval};

/// A maximal stretch of floor the agent can walk without a break.
#[derive(Debug, Clone, PartialEq)]
pub struct Floor {
    /// What it is made of. Everything else below is said of ground to walk
    /// on; the line of a ladder or wall goes from its upper to its lower end.
    pub kind: PlatformKind,
    /// The line of the feet, left to right, on the lattice; a step is a ramp
    /// one lattice point wide.
    pub surface: Vec<DVec2>,
    /// Where support ends to the left, when the body can walk off there: it
    /// falls from exactly this x on.
    pub edge_left: Option<f64>,
    /// The same to the right.
    pub edge_right: Option<f64>,
}

impl Floor {
    /// The left lip.
    pub fn left(&self) -> DVec2 {
        self.surface[0]
    }

    /// The right lip.
    pub fn right(&self) -> DVec2 {
        self.surface[self.surface.len() - 1]
    }

    /// The height at `x`, clamped to the lips.
    pub fn height_at(&self, x: f64) -> f64 {
        let after = self.surface.partition_point(|p| p.x <= x);
        if after == 0 {
            return self.left().y;
        }
        let a = self.surface[after - 1];
        match self.surface.get(after) {
            Some(b) if a.x < x => a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x)),
            _ => a.y,
        }
    }
}

/// Joins stretches (sorted from left to right) into platforms, from left to
/// right, then top to bottom.
pub fn platforms(
    stretches: &[Stretch],
    space: &dyn BodySpace,
    layout: &Layout,
    limits: &Limits,
) -> Vec<Floor> {
    let mut floors: Vec<Floor> = chains(stretches, space, layout, limits)
        .into_iter()
        .flat_map(|chain| split_steep(chain, layout, limits))
        .filter_map(|chain| floor(&chain, layout))
        .collect();
    floors.sort_by(|a, b| {
        let (l, r) = (a.left(), b.left());
        l.x.total_cmp(&r.x).then(l.y.total_cmp(&r.y))
    });
    floors
}

/// An open chain of stretches, and where it ends.
type Chain = Vec<Stretch>;

/// Follows the surface from stretch to stretch: along slopes, over touching
/// and overlapping tops, up and down steps.
fn chains(
    stretches: &[Stretch],
    space: &dyn BodySpace,
    layout: &Layout,
    limits: &Limits,
) -> Vec<Chain> {
    let tolerance = layout.spacing * 1e-6;
    let mut done: Vec<Chain> = Vec::new();
    // Chains that may go on, by the height of their right end.
    let mut open: BTreeSet<(Ordered, usize)> = BTreeSet::new();
    for stretch in stretches {
        let start = stretch.left;
        let reach = limits.step_height + tolerance;
        // A chain along the same slope may end further right, and so higher
        // or lower, than this stretch starts.
        let margin =
            reach + (stretch.right.y - stretch.left.y).abs() + limits.body.x * limits.slope;
        let near =
            open.range((Ordered(start.y - margin), 0)..=(Ordered(start.y + margin), usize::MAX));
        let mut stale = Vec::new();
        let mut best: Option<(f64, (Ordered, usize))> = None;
        for &key in near {
            let Some(end) = done[key.1].last() else {
                continue;
            };
            if end.right.x < start.x - tolerance {
                stale.push(key);
                continue;
            }
            let gap = (height_near(end, start.x) - start.y).abs();
            let joins = if end.right.x > start.x + tolerance {
                gap <= tolerance
            } else {
                gap <= reach
                    && touching_ends_join(end, stretch, tolerance)
                    && !top_in_step(end.right, start, space, tolerance)
            };
            if joins && best.is_none_or(|(g, _)| gap < g) {
                best = Some((gap, key));
            }
        }
        for key in stale {
            open.remove(&key);
        }
        let id = match best {
            None => {
                done.push(vec![*stretch]);
                done.len() - 1
            }
            Some((_, key)) => {
                open.remove(&key);
                extend(&mut done[key.1], stretch, tolerance);
                key.1
            }
        };
        let end = done[id][done[id].len() - 1].right.y;
        open.insert((Ordered(end), id));
    }
    done
}

/// The height of a stretch at `x`, or at its nearer end.
fn height_near(stretch: &Stretch, x: f64) -> f64 {
    if x >= stretch.right.x {
        return stretch.right.y;
    }
    stretch.height_at(x.max(stretch.left.x))
}

/// Whether the surface goes on from `a` to `b`, which starts where `a` ends.
///
/// At a step one of the two bumps into it. Two flat tops that only touch are
/// the rims of a hole exactly as wide as the body, which falls in. A slope is
/// supported up to its very end by the corner it leads to.
fn touching_ends_join(a: &Stretch, b: &Stretch, tolerance: f64) -> bool {
    if a.blocked_right || b.blocked_left {
        return true;
    }
    let level = (a.right.y - b.left.y).abs() <= tolerance;
    level && !(a.is_flat() && b.is_flat())
}

/// Whether a one-way top lies across a step, or is the upper side of it and
/// goes on over the lower, where no body fits on it: whoever comes down is
/// carried by the top.
fn top_in_step(left: DVec2, right: DVec2, space: &dyn BodySpace, tolerance: f64) -> bool {
    let (high, low) = (left.y.min(right.y), left.y.max(right.y));
    if low - high <= tolerance {
        return false;
    }
    let x = left.x;
    // It reaches over what is below.
    let over = if left.y > right.y {
        -tolerance
    } else {
        tolerance
    };
    let mut any = false;
    space.one_way_ledges(Interval::new(x, x), Band::new(high, low), &mut |top| {
        let y = top.y_at(x);
        let holds = |x: f64| top.left.x < x && x < top.right.x;
        any |= holds(x + 2.0 * over) && high - tolerance < y && y < low - tolerance;
    });
    any
}

/// Adds a stretch to the end of a chain.
fn extend(chain: &mut Chain, stretch: &Stretch, tolerance: f64) {
    let Some(last) = chain.last_mut() else {
        chain.push(*stretch);
        return;
    };
    if last.right.x > stretch.left.x + tolerance {
        // Overlapping pieces of one line.
        if stretch.right.x <= last.right.x + tolerance {
            last.blocked_right |=
                stretch.blocked_right && stretch.right.x >= last.right.x - tolerance;
            return;
        }
        if last.is_flat() && stretch.is_flat() {
            last.right.x = stretch.right.x;
            last.blocked_right = stretch.blocked_right;
            return;
        }
        let mut rest = *stretch;
        rest.left = DVec2::new(last.right.x, height_near(stretch, last.right.x));
        chain.push(rest);
        return;
    }
    chain.push(*stretch);
}

/// Breaks a chain where it rises more between two neighbouring columns of
/// vertices than a step or the steepest slope does: staircases of small steps
/// can be too steep to walk.
fn split_steep(chain: Chain, layout: &Layout, limits: &Limits) -> Vec<Chain> {
    let limit = limits.step_height.max(layout.spacing * limits.slope) + layout.spacing * 1e-6;
    let mut cuts = BTreeSet::new();
    let column = |x: f64| (x - layout.area.min.x) / layout.spacing - 0.5;
    let mut steps_from = 0;
    let end = chain[chain.len() - 1].right.x;
    let first = column(chain[0].left.x).ceil().max(0.0) as u32;
    let mut previous: Option<(f64, f64)> = None;
    for c in first..layout.columns {
        let x = layout.column_x(c);
        if x > end {
            break;
        }
        while steps_from + 1 < chain.len() && chain[steps_from + 1].left.x <= x {
            steps_from += 1;
        }
        let y = height_near(&chain[steps_from], x);
        if let Some((px, py)) = previous
            && (y - py).abs() > limit
        {
            // Break at the highest of the steps between the two.
            let from = chain.partition_point(|s| s.left.x <= px);
            let highest = (from..=steps_from)
                .filter(|&i| i > 0)
                .max_by(|&a, &b| step(&chain, a).total_cmp(&step(&chain, b)).then(b.cmp(&a)));
            if let Some(at) = highest.filter(|&i| step(&chain, i) > 0.0) {
                cuts.insert(at);
            }
        }
        previous = Some((x, y));
    }
    let mut parts = Vec::with_capacity(cuts.len() + 1);
    let mut rest = chain;
    for &at in cuts.iter().rev() {
        parts.push(rest.split_off(at));
    }
    parts.push(rest);
    parts.reverse();
    parts
}

/// The height of the step before stretch `at` of a chain.
fn step(chain: &[Stretch], at: usize) -> f64 {
    (chain[at].left.y - chain[at - 1].right.y).abs()
}

/// The platform of a chain: its line on the lattice, never below the true
/// one, between lips at which the body is supported. `None` when it is
/// narrower than the lattice or outside the area.
fn floor(chain: &[Stretch], layout: &Layout) -> Option<Floor> {
    let (first, last) = (chain.first()?, chain.last()?);
    let q = layout.quantum;
    let area = layout.area;
    // A support that ends is open: its very end no longer carries.
    let mut left = layout.ceil(first.left.x);
    if !first.blocked_left && left <= first.left.x {
        left += q;
    }
    let mut right = layout.floor(last.right.x);
    if !last.blocked_right && right >= last.right.x {
        right -= q;
    }
    let edge_left = (!first.blocked_left && first.left.x >= area.min.x).then_some(first.left.x);
    let edge_right = (!last.blocked_right && last.right.x <= area.max.x).then_some(last.right.x);
    let left = left.max(layout.ceil(area.min.x));
    let right = right.min(layout.floor(area.max.x));
    if left > right {
        return None;
    }
    // At a step the body rests on the lower side until the upper one carries:
    // one lattice point further on.
    let mut chain = chain.to_vec();
    for i in 1..chain.len() {
        let rise = chain[i - 1].right.y - chain[i].left.y;
        if rise > q {
            chain[i].left.x += q;
        } else if rise < -q {
            chain[i - 1].right.x -= q;
        }
    }
    let mut surface: Vec<DVec2> = Vec::with_capacity(chain.len() + 1);
    let push = |surface: &mut Vec<DVec2>, p: DVec2| {
        let n = surface.len();
        if surface.last() == Some(&p) {
            return;
        }
        // Drop the middle of three points on one level.
        if n >= 2 && surface[n - 1].y == p.y && surface[n - 2].y == p.y {
            surface[n - 1] = p;
            return;
        }
        surface.push(p);
    };
    for stretch in &chain {
        let (from, to) = (stretch.left.x.max(left), stretch.right.x.min(right));
        if from > to {
            continue;
        }
        if stretch.is_flat() {
            let y = layout.floor(stretch.left.y + q * 1e-3);
            push(
                &mut surface,
                DVec2::new(layout.round(from).clamp(left, right), y),
            );
            push(
                &mut surface,
                DVec2::new(layout.round(to).clamp(left, right), y),
            );
            continue;
        }
        let slope = ((stretch.right.y - stretch.left.y) / (stretch.right.x - stretch.left.x)).abs();
        for x in [from, to] {
            let on = layout.round(x).clamp(left, right);
            let y = height_near(stretch, x).min(height_near(stretch, on));
            // Moving a corner onto the lattice must not sink the line.
            let lift = if on == x { 0.0 } else { slope * q };
            push(
                &mut surface,
                DVec2::new(on, layout.floor(y - lift + q * 1e-3)),
            );
        }
    }
    let inside = surface
        .iter()
        .any(|p| p.y > area.min.y && p.y <= area.max.y);
    (!surface.is_empty() && inside).then_some(Floor {
        kind: PlatformKind::Floor,
        surface,
        edge_left,
        edge_right,
    })
}

/// A finite number with a total order, as a map's key.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ordered(f64);

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}
