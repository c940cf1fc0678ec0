//! Joins stretches into platforms.

use std::collections::BTreeSet;

use glam::DVec2;
use navmesh_runtime::mesh::PlatformKind;

use crate::agent_limits::AgentLimits;
use crate::geometry::{ConfigurationSpace, Interval};
use crate::layout::Layout;
use crate::surfaces::platform_line::PlatformLine;
use crate::surfaces::stretches::Stretch;

/// Joins stretches, ordered by [`Stretch::order`], into platforms, ordered by
/// [`PlatformLine::order`].
pub fn join_stretches(
    stretches: &[Stretch],
    space: &dyn ConfigurationSpace,
    layout: &Layout,
    limits: &AgentLimits,
) -> Vec<PlatformLine> {
    let mut platforms: Vec<PlatformLine> = chains(stretches, space, layout, limits)
        .into_iter()
        .flat_map(|chain| split_steep(chain, layout, limits))
        .filter_map(|chain| platform_line(&chain, layout))
        .collect();
    platforms.sort_by(PlatformLine::order);
    platforms
}

/// Stretches that continue each other, from left to right; at least one.
type Chain = Vec<Stretch>;

/// Follows the surface from stretch to stretch: along slopes, over touching
/// and overlapping tops, up and down steps.
fn chains(
    stretches: &[Stretch],
    space: &dyn ConfigurationSpace,
    layout: &Layout,
    limits: &AgentLimits,
) -> Vec<Chain> {
    // A millionth of a detail: above the rounding of the input, far below any
    // detail that a level contains.
    let tolerance = layout.detail * 1e-6;
    let mut done: Vec<Chain> = Vec::new();
    // Chains that may be continued, by the height of their right end: a level
    // has many stretches, but few end near any one height.
    let mut open: BTreeSet<(i64, usize)> = BTreeSet::new();
    for stretch in stretches {
        let start = stretch.left;
        let reach = limits.step_height + tolerance;
        // A chain along the same slope may end further right, and so higher
        // or lower, than this stretch starts.
        let margin =
            reach + (stretch.right.y - stretch.left.y).abs() + limits.body.x * limits.slope;
        let near =
            open.range((sort_key(start.y - margin), 0)..=(sort_key(start.y + margin), usize::MAX));
        let mut stale = Vec::new();
        let mut best: Option<(f64, (i64, usize))> = None;
        for &key in near {
            let Some(end) = done[key.1].last() else {
                continue;
            };
            if end.right.x < start.x - tolerance {
                stale.push(key);
                continue;
            }
            let gap = (end.clamped_height_at(start.x) - start.y).abs();
            let joins = if end.right.x > start.x + tolerance {
                gap <= tolerance
            } else {
                gap <= reach
                    && touching_ends_join(end, stretch, tolerance)
                    && !is_top_in_step(end.right, start, space, tolerance)
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
        open.insert((sort_key(end), id));
    }
    done
}

/// An integer that orders as [`f64::total_cmp`] does, for keys of sets.
fn sort_key(v: f64) -> i64 {
    let bits = v.to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

/// Whether the surface continues from `a` to `b`, which starts where `a` ends.
///
/// At a step one of the two is blocked by the other. Two flat tops that only
/// touch are the rims of a hole exactly as wide as the body, so the body falls
/// into it. A slope is supported up to its end by the corner it leads to.
fn touching_ends_join(a: &Stretch, b: &Stretch, tolerance: f64) -> bool {
    if a.blocked_right || b.blocked_left {
        return true;
    }
    let level = (a.right.y - b.left.y).abs() <= tolerance;
    level && !(a.is_flat() && b.is_flat())
}

/// Whether a one-way top lies across a step, or is the upper side of the step
/// and continues over the lower side where no body fits on it. A body that
/// comes down the step is carried by that top, so the body can only walk up the
/// step.
fn is_top_in_step(
    left: DVec2,
    right: DVec2,
    space: &dyn ConfigurationSpace,
    tolerance: f64,
) -> bool {
    let (high, low) = (left.y.min(right.y), left.y.max(right.y));
    if low - high <= tolerance {
        return false;
    }
    let x = left.x;
    // Towards the lower side, over which the top must reach to matter.
    let over = if left.y > right.y {
        -tolerance
    } else {
        tolerance
    };
    let tops = space.one_way_tops(Interval::at(x), Interval::new(high, low));
    tops.iter().any(|top| {
        let (y, beyond) = (top.y_at(x), x + 2.0 * over);
        let holds = top.left.x < beyond && beyond < top.right.x;
        holds && high - tolerance < y && y < low - tolerance
    })
}

/// Adds a stretch to the end of a chain.
fn extend(chain: &mut Chain, stretch: &Stretch, tolerance: f64) {
    let overlaps = |last: &&mut Stretch| last.right.x > stretch.left.x + tolerance;
    let Some(last) = chain.last_mut().filter(overlaps) else {
        chain.push(*stretch);
        return;
    };
    // The two overlap: they are pieces of one line.
    if stretch.right.x <= last.right.x + tolerance {
        last.blocked_right |= stretch.blocked_right && stretch.right.x >= last.right.x - tolerance;
    } else if last.is_flat() && stretch.is_flat() {
        last.right.x = stretch.right.x;
        last.blocked_right = stretch.blocked_right;
    } else {
        let mut rest = *stretch;
        rest.left = DVec2::new(last.right.x, stretch.clamped_height_at(last.right.x));
        chain.push(rest);
    }
}

/// Splits a chain where it rises more between two neighbouring columns of
/// vertices than a step or the steepest slope allows: a staircase of small
/// steps can be too steep to walk.
fn split_steep(chain: Chain, layout: &Layout, limits: &AgentLimits) -> Vec<Chain> {
    let limit = limits.step_height.max(layout.spacing * limits.slope) + layout.spacing * 1e-6;
    let mut cuts = BTreeSet::new();
    let mut current = 0;
    let end = chain[chain.len() - 1].right.x;
    let first = layout.column_at(chain[0].left.x).ceil().max(0.0) as u32;
    let mut previous: Option<(f64, f64)> = None;
    for c in first..layout.columns {
        let x = layout.column_x(c);
        if x > end {
            break;
        }
        while current + 1 < chain.len() && chain[current + 1].left.x <= x {
            current += 1;
        }
        let y = chain[current].clamped_height_at(x);
        if let Some((px, py)) = previous
            && (y - py).abs() > limit
        {
            // Split at the highest of the steps between the two columns.
            let from = chain.partition_point(|s| s.left.x <= px);
            let highest = (from..=current).filter(|&i| i > 0).max_by(|&a, &b| {
                step_height(&chain, a)
                    .total_cmp(&step_height(&chain, b))
                    .then(b.cmp(&a))
            });
            cuts.extend(highest.filter(|&i| step_height(&chain, i) > 0.0));
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

fn step_height(chain: &[Stretch], at: usize) -> f64 {
    (chain[at].left.y - chain[at - 1].right.y).abs()
}

/// The platform of a chain: its line on the lattice, never below the true one,
/// between ends at which the body is supported. `None` when it is narrower
/// than the lattice or outside the area.
fn platform_line(chain: &[Stretch], layout: &Layout) -> Option<PlatformLine> {
    let (first, last) = (chain.first()?, chain.last()?);
    let q = layout.quantum;
    let area = layout.area;
    // Support is an open interval: its end does not carry the body.
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
    // At a step the body rests on the lower side until the upper side carries
    // it, which is one quantum further on.
    let mut chain = chain.to_vec();
    for i in 1..chain.len() {
        let rise = chain[i - 1].right.y - chain[i].left.y;
        if rise > q {
            chain[i].left.x += q;
        } else if rise < -q {
            chain[i - 1].right.x -= q;
        }
    }
    let mut points: Vec<DVec2> = Vec::with_capacity(chain.len() + 1);
    for stretch in &chain {
        let (from, to) = (stretch.left.x.max(left), stretch.right.x.min(right));
        if from > to {
            continue;
        }
        let rise = stretch.right.y - stretch.left.y;
        let slope = (rise / (stretch.right.x - stretch.left.x)).abs();
        for x in [from, to] {
            let on = layout.round(x).clamp(left, right);
            let y = if stretch.is_flat() {
                stretch.left.y
            } else {
                let y = stretch
                    .clamped_height_at(x)
                    .min(stretch.clamped_height_at(on));
                // Moving a corner along x to the lattice must not put the line
                // below the surface.
                if on == x { y } else { y - slope * q }
            };
            push_point(&mut points, DVec2::new(on, layout.lift(y)));
        }
    }
    let inside = points.iter().any(|p| p.y > area.min.y && p.y <= area.max.y);
    (!points.is_empty() && inside).then_some(PlatformLine {
        kind: PlatformKind::Floor,
        points,
        edge_left,
        edge_right,
    })
}

/// Adds a point to a line, without repeating points or keeping the middle one
/// of three at the same height.
fn push_point(points: &mut Vec<DVec2>, p: DVec2) {
    match points.as_mut_slice() {
        [.., last] if *last == p => {}
        [.., before, last] if last.y == p.y && before.y == p.y => *last = p,
        _ => points.push(p),
    }
}
