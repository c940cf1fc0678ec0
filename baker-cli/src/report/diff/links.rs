//! Links that were added, removed or changed.

use std::collections::{BTreeMap, BTreeSet};

use navmesh_runtime::mesh::{Layer, Link};
use schemars::JsonSchema;
use serde::Serialize;

use super::alignment::{Alignment, Edited, Matching};
use super::platforms::{Counterparts, Sides};
use crate::report::format::point;

/// A link whose ends moved by at most this many cells, taken together, is reported as
/// changed; beyond it as removed and added.
const FURTHEST: f64 = 4.0;
/// Times this close together are equal, in seconds. A frame of a game is a hundred times
/// longer, so no player sees a smaller change.
const SAME_TIME: f32 = 1e-4;

/// A link in a comparison.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
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

impl LinkRecord {
    /// A link of a layer by its number.
    pub(crate) fn new(id: usize, link: &Link, only_way: bool) -> Self {
        Self {
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
}

/// How many links of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
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
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct LinkDiff {
    /// Counts by kind, for kinds with a difference.
    pub kinds: BTreeMap<&'static str, KindCounts>,
    /// Only in the old file.
    pub removed: Vec<LinkRecord>,
    /// Only in the new file.
    pub added: Vec<LinkRecord>,
    /// In both, but different.
    pub changed: Vec<Edited<LinkRecord>>,
}

impl LinkDiff {
    /// Compares the links of two layers.
    pub(crate) fn new(sides: &Sides<'_>) -> Self {
        let (old, new, by) = (sides.old, sides.new, sides.alignment);
        let furthest = FURTHEST * by.spacing;
        let was: Vec<_> = old.links().iter().map(|l| by.place(l.from)).collect();
        let is: Vec<_> = new.links().iter().map(|l| l.from.as_dvec2()).collect();
        // Links that both files have. Some have the ends and times of another link, of which
        // the other file may have fewer.
        let (mut kept, mut known) = (BTreeSet::new(), BTreeSet::new());
        let mut matching = Matching::none(was.len(), is.len());
        matching.add_nearest([&was, &is], furthest, |o, n| {
            let (a, b) = (&old.links()[o], &new.links()[n]);
            let from = was[o].distance(is[n]);
            let to = by.place(a.to).distance(b.to.as_dvec2());
            if a.kind != b.kind || from + to > furthest {
                return None;
            }
            let what = changes(a, b, by);
            if what.is_empty() {
                kept.insert(o);
                known.insert(n);
            }
            if !what.contains(&"ends") {
                // Links that are where they were come before all others.
                return Some([0.0, (a.duration - b.duration).abs().into()]);
            }
            let is_between = sides.new_of.of(a.from_platform).contains(&b.from_platform)
                && sides.new_of.of(a.to_platform).contains(&b.to_platform);
            is_between.then_some([from + to, from.max(to)])
        });
        matching.pairs.sort_unstable();
        matching.old.retain(|o| !kept.contains(o));
        matching.new.retain(|n| !known.contains(n));
        let mut diff = Self {
            removed: records(old, new, &matching.old, &sides.new_of),
            added: records(new, old, &matching.new, &sides.old_of),
            ..Self::default()
        };
        for (o, n) in matching.pairs {
            let (a, b) = (&old.links()[o], &new.links()[n]);
            let what = changes(a, b, by);
            if !what.is_empty() {
                diff.kinds.entry(a.kind.name()).or_default().changed += 1;
                let (old, new) = (LinkRecord::new(o, a, false), LinkRecord::new(n, b, false));
                diff.changed.push(Edited { what, old, new });
            }
        }
        for link in &diff.removed {
            diff.kinds.entry(link.kind).or_default().removed += 1;
        }
        for link in &diff.added {
            diff.kinds.entry(link.kind).or_default().added += 1;
        }
        diff
    }
}

/// What changed of a link.
fn changes(old: &Link, new: &Link, by: &Alignment) -> Vec<&'static str> {
    let same_ends = by.same(old.from, new.from) && by.same(old.to, new.to);
    let same_cost = (old.duration - new.duration).abs() <= SAME_TIME;
    let same_tolerance = (old.tolerance - new.tolerance).abs() <= SAME_TIME;
    let all = [
        ("ends", same_ends),
        ("cost", same_cost),
        ("tolerance", same_tolerance),
    ];
    let changed = all.into_iter().filter(|(_, is_same)| !is_same);
    changed.map(|(what, _)| what).collect()
}

/// Links of a layer that the layer of the other file does not have.
fn records(
    layer: &Layer,
    other: &Layer,
    ids: &[usize],
    counterparts: &Counterparts,
) -> Vec<LinkRecord> {
    let links = other.links().iter();
    let joined: BTreeSet<_> = links
        .map(|link| (link.from_platform, link.to_platform))
        .collect();
    let records = ids.iter().map(|&id| {
        let link = &layer.links()[id];
        let ends = counterparts.of(link.to_platform);
        let is_other_way = counterparts.of(link.from_platform).iter().any(|from| {
            // Where both ends are parts of one platform, the agent walks from one to the other.
            ends.iter()
                .any(|to| from == to || joined.contains(&(*from, *to)))
        });
        LinkRecord::new(id, link, !is_other_way)
    });
    records.collect()
}
