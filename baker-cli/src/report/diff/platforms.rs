//! Finds for each platform of the old file its counterparts in the new file.

use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{Layer, Platform, PlatformId};
use serde::Serialize;

use super::alignment::{Alignment, pair_nearest};
use crate::report::format::point;
use crate::report::groups::connected;

/// A platform of the same shape within this many cells is reported as moved;
/// beyond it as vanished and appeared.
const FURTHEST: f64 = 32.0;

/// A platform in a comparison: its number and its two ends.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PlatformRecord {
    /// Its number in its file.
    pub id: u32,
    /// The leftmost position of the feet, world units.
    pub left: [f64; 2],
    /// The rightmost position of the feet.
    pub right: [f64; 2],
}

impl From<Platform<'_>> for PlatformRecord {
    fn from(platform: Platform<'_>) -> Self {
        Self {
            id: platform.id().0,
            left: point(platform.left()),
            right: point(platform.right()),
        }
    }
}

/// A platform before and after.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PlatformPair {
    /// Before.
    pub old: PlatformRecord,
    /// After.
    pub new: PlatformRecord,
}

/// Platforms that split, merged or both.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Regrouped {
    /// Before.
    pub old: Vec<PlatformRecord>,
    /// After.
    pub new: Vec<PlatformRecord>,
}

/// How the platforms of one agent changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PlatformDiff {
    /// Only in the old file.
    pub vanished: Vec<PlatformRecord>,
    /// Only in the new file.
    pub appeared: Vec<PlatformRecord>,
    /// The same shape in another place.
    pub moved: Vec<PlatformPair>,
    /// Another extent or shape in the same place.
    pub reshaped: Vec<PlatformPair>,
    /// One became several.
    pub split: Vec<Regrouped>,
    /// Several became one.
    pub merged: Vec<Regrouped>,
    /// Several became several others.
    pub recut: Vec<Regrouped>,
}

impl PlatformDiff {
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.vanished.is_empty()
            && self.appeared.is_empty()
            && self.moved.is_empty()
            && self.reshaped.is_empty()
            && self.split.is_empty()
            && self.merged.is_empty()
            && self.recut.is_empty()
    }
}

/// Platforms that overlap: numbers in the old and in the new file.
type Group = (Vec<u32>, Vec<u32>);

/// Pairs and groups of the platforms of two layers.
#[derive(Debug, Clone, Default)]
pub(super) struct PlatformMatching {
    /// Pairs (old, new) in which one is the other or a part of it, sorted.
    pub(super) pairs: Vec<(u32, u32)>,
    moved: Vec<(u32, u32)>,
    groups: Vec<Group>,
    vanished: Vec<u32>,
    appeared: Vec<u32>,
}

impl PlatformMatching {
    pub(super) fn new(old: &Layer, new: &Layer, alignment: &Alignment) -> Self {
        let mut this = Self::default();
        let [mut left, mut over] = [old, new].map(|layer| {
            (layer.platforms().iter())
                .map(Some)
                .collect::<Vec<Option<Platform<'_>>>>()
        });
        this.unchanged(&mut left, &mut over, alignment);
        this.overlapping(&mut left, &mut over, alignment);
        this.displaced(&mut left, &mut over, alignment);
        let ids = |rest: &[Option<Platform<'_>>]| -> Vec<u32> {
            rest.iter().flatten().map(|p| p.id().0).collect()
        };
        this.vanished = ids(&left);
        this.appeared = ids(&over);
        this.pairs.sort_unstable();
        this
    }

    /// The new platforms that an old platform became.
    pub(super) fn became(&self, old: PlatformId) -> impl Iterator<Item = PlatformId> {
        let first = self.pairs.partition_point(|pair| pair.0 < old.0);
        (self.pairs[first..].iter())
            .take_while(move |pair| pair.0 == old.0)
            .map(|pair| PlatformId(pair.1))
    }

    /// New platforms that match no old platform.
    pub(super) fn appeared(&self) -> impl Iterator<Item = PlatformId> {
        self.appeared.iter().map(|id| PlatformId(*id))
    }

    pub(super) fn report(&self, old: &Layer, new: &Layer) -> PlatformDiff {
        let records = |layer: &Layer, ids: &[u32]| -> Vec<PlatformRecord> {
            ids.iter().filter_map(|id| record(layer, *id)).collect()
        };
        let mut diff = PlatformDiff {
            vanished: records(old, &self.vanished),
            appeared: records(new, &self.appeared),
            moved: (self.moved.iter())
                .filter_map(|&(a, b)| pair(old, new, a, b))
                .collect(),
            ..PlatformDiff::default()
        };
        for (before, after) in &self.groups {
            let group = || Regrouped {
                old: records(old, before),
                new: records(new, after),
            };
            match (&before[..], &after[..]) {
                ([a], [b]) => diff.reshaped.extend(pair(old, new, *a, *b)),
                ([_], _) => diff.split.push(group()),
                (_, [_]) => diff.merged.push(group()),
                _ => diff.recut.push(group()),
            }
        }
        diff
    }

    /// Pairs platforms with equal surfaces.
    fn unchanged(
        &mut self,
        old: &mut [Option<Platform<'_>>],
        new: &mut [Option<Platform<'_>>],
        alignment: &Alignment,
    ) {
        let order = by_left(new);
        for slot in old.iter_mut() {
            let Some(a) = *slot else { continue };
            let x = alignment.place(a.left()).x;
            let first = order.partition_point(|(left, _)| *left < x - alignment.slack);
            let near = (order[first..].iter()).take_while(|(left, _)| *left <= x + alignment.slack);
            for &(_, i) in near {
                if let Some(b) = new[i]
                    && is_same(&a, &b, alignment)
                {
                    self.pairs.push((a.id().0, b.id().0));
                    (*slot, new[i]) = (None, None);
                    break;
                }
            }
        }
    }

    /// Groups platforms that overlap.
    fn overlapping(
        &mut self,
        old: &mut [Option<Platform<'_>>],
        new: &mut [Option<Platform<'_>>],
        alignment: &Alignment,
    ) {
        let order = by_left(new);
        // The width of the widest platform.
        let widest = (new.iter().flatten())
            .map(|p| f64::from(p.right().x - p.left().x))
            .fold(0.0, f64::max);
        // Nodes are the old platforms, then the new ones.
        let mut overlaps = Vec::new();
        for (o, a) in old.iter().enumerate() {
            let Some(a) = a else { continue };
            let (from, to) = (alignment.place(a.left()).x, alignment.place(a.right()).x);
            let first = order.partition_point(|(left, _)| *left < from - widest - alignment.slack);
            let near =
                (order[first..].iter()).take_while(|(left, _)| *left <= to + alignment.slack);
            for &(_, n) in near {
                let Some(b) = new[n] else { continue };
                if overlap(a, &b, alignment) {
                    self.pairs.push((a.id().0, b.id().0));
                    overlaps.push((o, old.len() + n));
                }
            }
        }
        let count = old.len();
        for nodes in connected(count + new.len(), overlaps) {
            if nodes.len() < 2 {
                continue;
            }
            let mut group = Group::default();
            for node in nodes {
                if node < count {
                    group.0.extend(old[node].take().map(|p| p.id().0));
                } else {
                    group.1.extend(new[node - count].take().map(|p| p.id().0));
                }
            }
            self.groups.push(group);
        }
    }

    /// Pairs platforms of the same shape, the nearest first.
    fn displaced(
        &mut self,
        old: &mut [Option<Platform<'_>>],
        new: &mut [Option<Platform<'_>>],
        alignment: &Alignment,
    ) {
        let mut candidates = Vec::new();
        for (o, a) in old.iter().enumerate() {
            let Some(a) = a else { continue };
            for (n, b) in new.iter().enumerate() {
                let Some(b) = b else { continue };
                let offset = b.left().as_dvec2() - alignment.place(a.left());
                if offset.length() <= FURTHEST * alignment.spacing
                    && is_displaced(a, b, offset, alignment)
                {
                    // This order does not depend on which file is the old one.
                    let middle = b.left().as_dvec2() - offset * 0.5;
                    let order = [offset.length(), offset.x.abs(), middle.x, middle.y];
                    candidates.push((order, o, n));
                }
            }
        }
        for (o, n) in pair_nearest(candidates) {
            if let (Some(a), Some(b)) = (old[o].take(), new[n].take()) {
                self.pairs.push((a.id().0, b.id().0));
                self.moved.push((a.id().0, b.id().0));
            }
        }
        self.moved.sort_unstable();
    }
}

pub(super) fn record(layer: &Layer, id: u32) -> Option<PlatformRecord> {
    layer.platform(PlatformId(id)).map(PlatformRecord::from)
}

fn pair(old: &Layer, new: &Layer, a: u32, b: u32) -> Option<PlatformPair> {
    Some(PlatformPair {
        old: record(old, a)?,
        new: record(new, b)?,
    })
}

/// The x of left ends and indices, sorted.
fn by_left(platforms: &[Option<Platform<'_>>]) -> Vec<(f64, usize)> {
    let mut order: Vec<(f64, usize)> = (platforms.iter().enumerate())
        .filter_map(|(i, p)| Some((f64::from(p.as_ref()?.left().x), i)))
        .collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    order
}

fn is_same(a: &Platform<'_>, b: &Platform<'_>, alignment: &Alignment) -> bool {
    a.surface().len() == b.surface().len()
        && (a.surface().iter().zip(b.surface())).all(|(a, b)| alignment.same(*a, *b))
}

/// Whether one is the other moved by an offset.
fn is_displaced(a: &Platform<'_>, b: &Platform<'_>, offset: DVec2, alignment: &Alignment) -> bool {
    a.surface().len() == b.surface().len()
        && (a.surface().iter().zip(b.surface())).all(|(a, b)| {
            let off = alignment.place(*a) + offset - b.as_dvec2();
            off.abs().max_element() <= alignment.slack
        })
}

/// Whether two platforms overlap: over a quarter of a cell (or half of the
/// narrower one) their heights are less than half a cell apart.
fn overlap(a: &Platform<'_>, b: &Platform<'_>, alignment: &Alignment) -> bool {
    let surface: Vec<DVec2> = a.surface().iter().map(|p| alignment.place(*p)).collect();
    let (Some(first), Some(last)) = (surface.first(), surface.last()) else {
        return false;
    };
    let low = first.x.max(b.left().x.into());
    let high = last.x.min(b.right().x.into());
    let width = (last.x - first.x).min(f64::from(b.right().x - b.left().x));
    let enough = (0.25 * alignment.spacing).min(0.5 * width);
    if high - low < enough - alignment.slack {
        return false;
    }
    let near = |x: f64| {
        let there = b.clamp(x as f32).y;
        (height(&surface, x) - f64::from(there)).abs() <= 0.5 * alignment.spacing
    };
    let mut cuts: Vec<f64> = (surface.iter().map(|p| p.x))
        .chain(b.surface().iter().map(|p: &Vec2| f64::from(p.x)))
        .filter(|x| low < *x && *x < high)
        .chain([low, high])
        .collect();
    cuts.sort_by(f64::total_cmp);
    let length: f64 = (cuts.windows(2))
        .filter(|pair| near(0.5 * (pair[0] + pair[1])))
        .map(|pair| pair[1] - pair[0])
        .sum();
    if width <= 2.0 * alignment.slack {
        // The platform is a single point.
        return near(0.5 * (low + high));
    }
    length >= enough - alignment.slack
}

/// The height of a line at `x`.
fn height(surface: &[DVec2], x: f64) -> f64 {
    let after = surface.partition_point(|p| p.x <= x).max(1);
    let a = surface[after - 1];
    match surface.get(after) {
        Some(b) if a.x < x => a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x)),
        _ => a.y,
    }
}
