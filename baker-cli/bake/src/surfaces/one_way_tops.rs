//! Splits stretches (straight surfaces that carry the body) where they lead
//! beneath a one-way top.
//!
//! Walking must be possible in both directions along a platform. A slope that
//! crosses a one-way top breaks this rule: a body that walks down the slope is
//! carried by the top, so it cannot reach the part beneath. That part becomes
//! a platform of its own, with a one-way step up through the top.

use glam::DVec2;
use rayon::prelude::*;

use crate::agent_limits::AgentLimits;
use crate::connection::{Connection, Endpoint, reading_order};
use crate::geometry::{ConfigurationSpace, Interval, TopEdge};
use crate::layout::Layout;
use crate::surfaces::platform_line::PlatformLine;
use crate::surfaces::stretches::Stretch;

/// Two lines whose slopes differ by less than this count as parallel. Over a
/// level of 2^20 units they diverge by about one unit.
const PARALLEL: f64 = 1e-6;

/// Greatest distance, in details of the layout, between a crossing and the platform beneath it.
/// The distance grows as the angle between the two lines shrinks; without a
/// limit, flat crossings would leave visible gaps.
const MAX_GAP: f64 = 1.0 / 64.0;

/// A place where a stretch leads beneath a one-way top.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TopCrossing {
    /// Where the two lines cross.
    at: DVec2,
    /// Whether the stretch lies beneath the top to the left of it.
    under_left: bool,
    /// The same to the right.
    under_right: bool,
    /// Distance from the crossing to the start of the part beneath.
    gap: f64,
}

/// Splits stretches where they lead beneath one-way tops. Stretches are
/// ordered by [`Stretch::order`] before and after.
pub fn split_at_tops(
    stretches: Vec<Stretch>,
    space: &dyn ConfigurationSpace,
    layout: &Layout,
) -> (Vec<Stretch>, Vec<TopCrossing>) {
    // Two flat lines do not cross, so most levels need no split.
    if stretches.iter().all(Stretch::is_flat) && !has_slanted_tops(space, layout) {
        return (stretches, Vec::new());
    }
    let (parts, crossings): (Vec<_>, Vec<_>) = stretches
        .par_iter()
        .map(|stretch| {
            let crossings = crossings(stretch, space, layout);
            (split(*stretch, &crossings), crossings)
        })
        .unzip();
    let mut parts = parts.concat();
    parts.sort_by(Stretch::order);
    (parts, crossings.concat())
}

fn has_slanted_tops(space: &dyn ConfigurationSpace, layout: &Layout) -> bool {
    let y = Interval::new(layout.area.min.y, layout.area.max.y);
    let mut tops = space.one_way_tops(layout.width(), y).into_iter();
    tops.any(|top| !top.is_flat())
}

/// The crossings of a stretch with one-way tops, from left to right.
fn crossings(
    stretch: &Stretch,
    space: &dyn ConfigurationSpace,
    layout: &Layout,
) -> Vec<TopCrossing> {
    let x = Interval::new(stretch.left.x, stretch.right.x);
    let y = Interval::between(stretch.left.y, stretch.right.y);
    let tops = space.one_way_tops(x, y).into_iter();
    let mut all: Vec<TopCrossing> = tops
        .filter_map(|top| crossing(stretch, &top, layout))
        .collect();
    all.sort_by(|a, b| reading_order(a.at, b.at));
    // Two tops that meet at their ends cross the stretch in one point.
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

fn slope(left: DVec2, right: DVec2) -> f64 {
    (right.y - left.y) / (right.x - left.x)
}

fn crossing(stretch: &Stretch, top: &TopEdge, layout: &Layout) -> Option<TopCrossing> {
    let q = layout.quantum;
    let turn = slope(stretch.left, stretch.right) - slope(top.left, top.right);
    if turn.abs() < PARALLEL {
        return None;
    }
    let x = stretch.left.x + (top.y_at(stretch.left.x) - stretch.left.y) / turn;
    let lines = [(stretch.left, stretch.right), (top.left, top.right)];
    if lines.iter().any(|(l, r)| x < l.x - q || r.x + q < x) {
        return None;
    }
    let to_left = stretch.left.x < x - q && top.left.x < x - q;
    let to_right = stretch.right.x > x + q && top.right.x > x + q;
    // y points down, so the line with the greater slope is the lower one on
    // the right side.
    let (under_left, under_right) = (to_left && turn < 0.0, to_right && turn > 0.0);
    (under_left || under_right).then(|| TopCrossing {
        at: stretch.at(x),
        under_left,
        under_right,
        // Far enough for the two lines to be two lattice points apart.
        gap: (2.0 * q * (1.0 + 1.0 / turn.abs())).min(MAX_GAP * layout.detail),
    })
}

/// Splits a stretch at its crossings. A part beneath a top ends just before
/// the crossing, so that it is not joined to the other parts there; its end
/// counts as blocked, because the body cannot walk off it.
fn split(stretch: Stretch, crossings: &[TopCrossing]) -> Vec<Stretch> {
    let mut parts = Vec::with_capacity(crossings.len() + 1);
    let mut rest = stretch;
    for crossing in crossings {
        let TopCrossing { at, gap, .. } = *crossing;
        let mut before = rest;
        let [under_left, under_right] = [crossing.under_left, crossing.under_right];
        before.right = if under_left {
            stretch.at(at.x - gap)
        } else {
            at
        };
        before.blocked_right = under_left;
        parts.push(before);
        rest.left = if under_right {
            stretch.at(at.x + gap)
        } else {
            at
        };
        rest.blocked_left = under_right;
    }
    parts.push(rest);
    parts.retain(|part| part.left.x < part.right.x);
    parts
}

/// The steps up through tops, from the platforms that begin or end at a
/// crossing to those that lead through it. Sorted by platforms.
pub fn steps_up(
    crossings: &[TopCrossing],
    platforms: &[PlatformLine],
    layout: &Layout,
    limits: &AgentLimits,
) -> Vec<Connection> {
    let sides = crossings.iter().flat_map(|crossing| {
        let left = crossing.under_left.then_some((crossing, false));
        let right = crossing.under_right.then_some((crossing, true));
        left.into_iter().chain(right)
    });
    let mut all: Vec<Connection> = sides
        .filter_map(|(crossing, right)| step_up(crossing, right, platforms, layout, limits))
        .collect();
    all.sort_by_key(Connection::platforms);
    all.dedup_by_key(|step| (step.from, step.to));
    all
}

/// The step from the part beneath a top, which lies to the `right` of a crossing or
/// to the left.
fn step_up(
    crossing: &TopCrossing,
    right: bool,
    platforms: &[PlatformLine],
    layout: &Layout,
    limits: &AgentLimits,
) -> Option<Connection> {
    let (q, at) = (layout.quantum, crossing.at);
    // Rounding to the lattice moves an end sideways by up to two quanta, and
    // with that up or down by at most as much times the steepest slope.
    let aside = crossing.gap + 2.0 * q;
    let above = 2.0 * q + aside * limits.slope;
    let near = |p: DVec2| (p.x - at.x).abs() <= aside && (p.y - at.y).abs() <= above;
    // Platforms are sorted by their left ends.
    let end = platforms.partition_point(|p| p.start().x <= at.x + aside);
    let lips = (platforms[..end].iter()).map(|p| if right { p.start() } else { p.end() });
    let (from, lip) = (0..)
        .zip(lips)
        .find(|(_, lip)| (lip.x > at.x) == right && near(*lip))?;
    let (to, upper) = (0..).zip(&platforms[..end]).find(|(i, p)| {
        let x = at.x.clamp(p.start().x, p.end().x);
        *i != from && near(DVec2::new(x, p.height_at(x)))
    })?;
    let x = if right {
        layout.floor(at.x)
    } else {
        layout.ceil(at.x)
    };
    let x = x.clamp(upper.start().x, upper.end().x);
    let landing = DVec2::new(x, layout.lift(upper.height_at(x)));
    Connection::one_way_step(Endpoint::new(lip, from), Endpoint::new(landing, to), limits)
}
