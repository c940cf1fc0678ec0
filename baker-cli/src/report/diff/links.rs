//! Links that were added, removed or changed.

use std::collections::{BTreeMap, BTreeSet};

use navmesh_runtime::mesh::{Layer, Link};
use serde::Serialize;

use super::alignment::{Alignment, ByX, pair_nearest};
use super::change::{Change, named};
use super::platforms::PlatformMatching;
use crate::report::format::point;

/// A link whose ends moved by at most this many cells, taken together, is
/// reported as changed; beyond it as removed and added.
const FURTHEST: f64 = 4.0;
/// Times this close together are equal, in seconds. A frame of a game is a
/// hundred times longer, so no player sees a smaller change.
const SAME_TIME: f32 = 1e-4;

/// A link in a comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LinkRecord {
    /// Its number in its file.
    pub id: u32,
    /// The name of its kind.
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
    /// How many seconds late it may begin.
    pub tolerance: f64,
    /// Whether the agent cannot go from the one platform to the other in the other
    /// file: no link joins them, and they are no parts of one platform.
    pub only_way: bool,
}

/// How many links of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct KindCounts {
    /// Only in the new file.
    pub added: u64,
    /// Only in the old file.
    pub removed: u64,
    /// In both, but different.
    pub changed: u64,
}

/// How the links of one agent changed. A change of one is to its `ends`, `cost`
/// or `tolerance`. Another trajectory between the same ends that takes equally
/// long is not a change: nothing depends on it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct LinkDiff {
    /// Counts by kind, for kinds with a difference.
    pub kinds: BTreeMap<&'static str, KindCounts>,
    /// Only in the old file.
    pub removed: Vec<LinkRecord>,
    /// Only in the new file.
    pub added: Vec<LinkRecord>,
    /// In both, but different.
    pub changed: Vec<Change<LinkRecord>>,
}

pub(super) fn compare(
    old: &Layer,
    new: &Layer,
    alignment: &Alignment,
    matching: &PlatformMatching,
) -> LinkDiff {
    let order = new.links().iter().map(|b| f64::from(b.from.x));
    let order = ByX::new(order.zip(0..));
    let furthest = FURTHEST * alignment.spacing;
    let same_ends =
        |a: &Link, b: &Link| alignment.same(a.from, b.from) && alignment.same(a.to, b.to);
    // Whether the costs and the tolerances are the same.
    let same_times = |a: &Link, b: &Link| {
        let same = |was: f32, is: f32| (was - is).abs() <= SAME_TIME;
        [same(a.duration, b.duration), same(a.tolerance, b.tolerance)]
    };
    // Links that are in both files. Some have the ends and times of another link, of
    // which the other file may have fewer.
    let (mut kept, mut known) = (BTreeSet::new(), BTreeSet::new());
    let mut candidates = Vec::new();
    for (o, a) in old.links().iter().enumerate() {
        let [was_from, was_to] = [a.from, a.to].map(|place| alignment.place(place));
        for n in order.between(was_from.x - furthest, was_from.x + furthest) {
            let b = &new.links()[n];
            let (from, to) = (b.from.as_dvec2(), b.to.as_dvec2());
            let (from, to) = (was_from.distance(from), was_to.distance(to));
            if a.kind != b.kind || from + to > furthest {
                continue;
            }
            let is_between = |before, after| matching.became(before).any(|id| id == after);
            if same_ends(a, b) {
                // Links that are where they were come before all others.
                let off = f64::from((a.duration - b.duration).abs());
                candidates.push(([0.0, off], o, n));
                if same_times(a, b) == [true; 2] {
                    kept.insert(o);
                    known.insert(n);
                }
            } else if is_between(a.from_platform, b.from_platform)
                && is_between(a.to_platform, b.to_platform)
            {
                candidates.push(([from + to, from.max(to)], o, n));
            }
        }
    }
    let partners: BTreeMap<usize, usize> = pair_nearest(candidates).into_iter().collect();
    let taken: BTreeSet<usize> = partners.values().copied().collect();
    // Pairs of platforms of the new file that a link joins, in either file.
    let ends = |link: &Link| (link.from_platform, link.to_platform);
    let became = |link: &Link| -> Vec<_> {
        let (from, to) = ends(link);
        let became = matching.became(from);
        let pairs = became.flat_map(|from| matching.became(to).map(move |to| (from, to)));
        pairs.collect()
    };
    let joined_after: BTreeSet<_> = new.links().iter().map(ends).collect();
    let joined_before: BTreeSet<_> = old.links().iter().flat_map(became).collect();
    // Where both ends are parts of one platform, the agent walks from one to the other.
    let was: BTreeSet<_> = matching
        .pairs
        .iter()
        .map(|&(old, new)| (new, old))
        .collect();
    let walked_before = |link: &Link| {
        let parts = was.range((link.from_platform.0, 0)..=(link.from_platform.0, u32::MAX));
        parts
            .into_iter()
            .any(|&(_, old)| was.contains(&(link.to_platform.0, old)))
    };
    let mut diff = LinkDiff::default();
    for (o, a) in old.links().iter().enumerate() {
        let Some(&n) = partners.get(&o) else {
            if kept.contains(&o) {
                continue;
            }
            let is_joined = |pair: &(_, _)| pair.0 == pair.1 || joined_after.contains(pair);
            let is_only_way = !became(a).iter().any(is_joined);
            diff.removed.push(record(o, a, is_only_way));
            diff.kinds.entry(a.kind.name()).or_default().removed += 1;
            continue;
        };
        let b = &new.links()[n];
        let [same_cost, same_tolerance] = same_times(a, b);
        let what = named([
            ("ends", !same_ends(a, b)),
            ("cost", !same_cost),
            ("tolerance", !same_tolerance),
        ]);
        if !what.is_empty() {
            diff.kinds.entry(a.kind.name()).or_default().changed += 1;
            diff.changed.push(Change {
                what,
                old: record(o, a, false),
                new: record(n, b, false),
            });
        }
    }
    let links = new.links().iter().enumerate();
    for (n, b) in links.filter(|(n, _)| !taken.contains(n) && !known.contains(n)) {
        let is_only_way = !joined_before.contains(&ends(b)) && !walked_before(b);
        diff.added.push(record(n, b, is_only_way));
        diff.kinds.entry(b.kind.name()).or_default().added += 1;
    }
    diff
}

pub(super) fn record(id: usize, link: &Link, only_way: bool) -> LinkRecord {
    LinkRecord {
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
