//! Links that came, went or changed.

use std::collections::{BTreeMap, BTreeSet};

use navmesh_runtime::mesh::{Layer, Link};
use serde::Serialize;

use super::platforms::Matching;
use super::{Frame, point};

/// Cells by which both ends together may have moved for a link to be the same
/// one, changed.
const FURTHEST: f64 = 4.0;
/// Seconds that count as no difference.
const SAME_TIME: f32 = 1e-4;

/// A link.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LinkFact {
    /// Its number in its file.
    pub id: u32,
    /// jump, drop, …
    pub kind: &'static str,
    /// Feet at take-off, world units.
    pub from: [f64; 2],
    /// Feet at landing.
    pub to: [f64; 2],
    /// The platform it leaves.
    pub from_platform: u32,
    /// The platform it lands on.
    pub to_platform: u32,
    /// Seconds it takes.
    pub cost: f64,
    /// How many seconds later it may be begun.
    pub tolerance: f64,
    /// In the other file no link leads from the one platform to the other.
    pub only_way: bool,
}

/// A link before and after.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LinkChange {
    /// What changed: ends, cost, tolerance, arc.
    pub what: Vec<&'static str>,
    /// Before.
    pub old: LinkFact,
    /// After.
    pub new: LinkFact,
}

/// How many links of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct KindCounts {
    /// Only in the new file.
    pub added: u64,
    /// Only in the old file.
    pub removed: u64,
    /// In both, but not alike.
    pub changed: u64,
}

/// How the links of one agent changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct LinkDiff {
    /// Counts by kind, of kinds with a difference.
    pub kinds: BTreeMap<&'static str, KindCounts>,
    /// Only in the old file.
    pub removed: Vec<LinkFact>,
    /// Only in the new file.
    pub added: Vec<LinkFact>,
    /// In both, but not alike.
    pub changed: Vec<LinkChange>,
}

impl LinkDiff {
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }
}

pub(super) fn compare(old: &Layer, new: &Layer, frame: &Frame, matching: &Matching) -> LinkDiff {
    let mut partner = vec![None; old.links().len()];
    let mut taken = vec![false; new.links().len()];
    let order = Order::new(new.links());
    // Those that are where they were.
    for (o, a) in old.links().iter().enumerate() {
        let best = (order.near(frame.place(a.from).x, frame.slack))
            .filter(|&n| !taken[n])
            .filter(|&n| {
                let b = &new.links()[n];
                a.kind == b.kind && frame.same(a.from, b.from) && frame.same(a.to, b.to)
            })
            .min_by(|&x, &y| {
                let off = |n: usize| (new.links()[n].duration - a.duration).abs();
                off(x).total_cmp(&off(y)).then(x.cmp(&y))
            });
        if let Some(n) = best {
            taken[n] = true;
            partner[o] = Some(n);
        }
    }
    // Then those between the same platforms, not far from where they were.
    let mut near: Vec<(f64, f64, usize, usize)> = Vec::new();
    let furthest = FURTHEST * frame.spacing;
    for (o, a) in old.links().iter().enumerate() {
        if partner[o].is_some() {
            continue;
        }
        for n in order.near(frame.place(a.from).x, furthest) {
            let b = &new.links()[n];
            if taken[n] || a.kind != b.kind {
                continue;
            }
            let from = (frame.place(a.from) - b.from.as_dvec2()).length();
            let to = (frame.place(a.to) - b.to.as_dvec2()).length();
            let is_between = |before, after| matching.became(before).any(|id| id == after);
            if from + to <= furthest
                && is_between(a.from_platform, b.from_platform)
                && is_between(a.to_platform, b.to_platform)
            {
                near.push((from + to, from.max(to), o, n));
            }
        }
    }
    near.sort_by(|a, b| {
        (a.0.total_cmp(&b.0))
            .then(a.1.total_cmp(&b.1))
            .then((a.2, a.3).cmp(&(b.2, b.3)))
    });
    for (_, _, o, n) in near {
        if partner[o].is_none() && !taken[n] {
            taken[n] = true;
            partner[o] = Some(n);
        }
    }
    report(old, new, frame, matching, &partner, &taken)
}

fn report(
    old: &Layer,
    new: &Layer,
    frame: &Frame,
    matching: &Matching,
    partner: &[Option<usize>],
    taken: &[bool],
) -> LinkDiff {
    // Pairs of new platforms that a link joins, in either file.
    let joined = |layer: &Layer| -> BTreeSet<(u32, u32)> {
        (layer.links().iter())
            .map(|l| (l.from_platform.0, l.to_platform.0))
            .collect()
    };
    let joined_after = joined(new);
    let joined_before: BTreeSet<(u32, u32)> = (joined(old).into_iter())
        .flat_map(|(from, to)| ways(matching, from, to))
        .collect();
    let is_way_lost = |link: &Link| {
        !ways(matching, link.from_platform.0, link.to_platform.0)
            .iter()
            .any(|way| joined_after.contains(way))
    };
    let is_way_new =
        |link: &Link| !joined_before.contains(&(link.from_platform.0, link.to_platform.0));
    let mut diff = LinkDiff::default();
    for (o, (a, partner)) in old.links().iter().zip(partner).enumerate() {
        let Some((n, b)) = partner.and_then(|n| Some((n, new.links().get(n)?))) else {
            diff.removed.push(fact(o, a, is_way_lost(a)));
            diff.kinds.entry(a.kind.name()).or_default().removed += 1;
            continue;
        };
        let what = changes(a, b, frame);
        if !what.is_empty() {
            diff.kinds.entry(a.kind.name()).or_default().changed += 1;
            diff.changed.push(LinkChange {
                what,
                old: fact(o, a, false),
                new: fact(n, b, false),
            });
        }
    }
    for (n, b) in new.links().iter().enumerate().filter(|(n, _)| !taken[*n]) {
        diff.added.push(fact(n, b, is_way_new(b)));
        diff.kinds.entry(b.kind.name()).or_default().added += 1;
    }
    diff
}

/// The pairs of new platforms that a pair of old ones became.
fn ways(matching: &Matching, from: u32, to: u32) -> Vec<(u32, u32)> {
    let became = |id| matching.became(navmesh_runtime::mesh::PlatformId(id));
    became(from)
        .flat_map(|from| became(to).map(move |to| (from.0, to.0)))
        .collect()
}

fn changes(a: &Link, b: &Link, frame: &Frame) -> Vec<&'static str> {
    let mut what = Vec::new();
    if !(frame.same(a.from, b.from) && frame.same(a.to, b.to)) {
        what.push("ends");
    }
    if (a.duration - b.duration).abs() > SAME_TIME {
        what.push("cost");
    }
    if (a.tolerance - b.tolerance).abs() > SAME_TIME {
        what.push("tolerance");
    }
    // Where the ends moved, so did the arc.
    if what.is_empty() && !is_same_arc(a, b, frame) {
        what.push("arc");
    }
    what
}

fn is_same_arc(a: &Link, b: &Link, frame: &Frame) -> bool {
    let speed = frame.slack * 10.0;
    let same = |times: [f64; 2], speeds: [f64; 2]| {
        (times[0] - times[1]).abs() <= f64::from(SAME_TIME)
            && (speeds[0] - speeds[1]).abs() <= speed
    };
    let launches = || a.params.launches().zip(b.params.launches());
    let legs = || a.params.legs().zip(b.params.legs());
    a.params.launches().len() == b.params.launches().len()
        && a.params.legs().len() == b.params.legs().len()
        && launches().all(|(a, b)| same([a.time, b.time], [a.speed, b.speed]))
        && legs().all(|(a, b)| same([a.duration, b.duration], [a.speed, b.speed]))
}

pub(super) fn fact(id: usize, link: &Link, only_way: bool) -> LinkFact {
    LinkFact {
        id: id as u32,
        kind: link.kind.name(),
        from: point(link.from),
        to: point(link.to),
        from_platform: link.from_platform.0,
        to_platform: link.to_platform.0,
        cost: link.duration.into(),
        tolerance: link.tolerance.into(),
        only_way,
    }
}

/// Links by where they take off, from the left.
struct Order(Vec<(f64, usize)>);

impl Order {
    fn new(links: &[Link]) -> Self {
        let mut order: Vec<(f64, usize)> = (links.iter().enumerate())
            .map(|(i, link)| (f64::from(link.from.x), i))
            .collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        Self(order)
    }

    /// Indices of those that take off within `reach` of `x`.
    fn near(&self, x: f64, reach: f64) -> impl Iterator<Item = usize> {
        let first = self.0.partition_point(|(at, _)| *at < x - reach);
        (self.0[first..].iter())
            .take_while(move |(at, _)| *at <= x + reach)
            .map(|(_, i)| *i)
    }
}
