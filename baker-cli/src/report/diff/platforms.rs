//! Finds for each platform of the old file its counterparts in the new file.

use glam::DVec2;
use navmesh_runtime::mesh::{Layer, Platform, PlatformId, PlatformKind};
use serde::Serialize;

use super::alignment::{Alignment, ByX, pair_nearest};
use super::change::Replaced;
use crate::geometry::height_on;
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
            id: platform.id.0,
            left: point(platform.left()),
            right: point(platform.right()),
        }
    }
}

/// How the platforms of one agent changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PlatformDiff {
    /// Only in the old file.
    pub vanished: Vec<PlatformRecord>,
    /// Only in the new file.
    pub appeared: Vec<PlatformRecord>,
    /// The same shape in another place.
    pub moved: Vec<Replaced<PlatformRecord>>,
    /// Another extent or shape in the same place.
    pub reshaped: Vec<Replaced<PlatformRecord>>,
    /// One became several.
    pub split: Vec<Replaced<Vec<PlatformRecord>>>,
    /// Several became one.
    pub merged: Vec<Replaced<Vec<PlatformRecord>>>,
    /// Several became several others.
    pub recut: Vec<Replaced<Vec<PlatformRecord>>>,
}

/// How the platforms of two layers match.
#[derive(Debug, Default)]
pub(super) struct PlatformMatching {
    /// Pairs (old, new) in which one is the other or a part of it, sorted.
    pub(super) pairs: Vec<(u32, u32)>,
    pub(super) diff: PlatformDiff,
}

impl PlatformMatching {
    pub(super) fn new(old: &Layer, new: &Layer, alignment: &Alignment) -> Self {
        let used = |layer: &Layer| layer.profile().edges.walks();
        // What an agent that only flies can use is compared as air.
        let is_used = used(old) || used(new);
        let mut rest = Rest {
            old: old.platforms().filter(|_| is_used).map(Some).collect(),
            new: new.platforms().filter(|_| is_used).map(Some).collect(),
            alignment,
        };
        let mut this = Self::default();
        rest.unchanged(&mut this);
        rest.overlapping(&mut this);
        rest.displaced(&mut this);
        [this.diff.vanished, this.diff.appeared] = [rest.old, rest.new].map(|platforms| {
            let platforms = platforms.into_iter().flatten();
            platforms.map(PlatformRecord::from).collect()
        });
        this.pairs.sort_unstable();
        this
    }

    pub(super) fn became(&self, old: PlatformId) -> impl Iterator<Item = PlatformId> {
        let first = self.pairs.partition_point(|pair| pair.0 < old.0);
        (self.pairs[first..].iter())
            .take_while(move |pair| pair.0 == old.0)
            .map(|pair| PlatformId(pair.1))
    }

    fn add(&mut self, old: &Platform<'_>, new: &Platform<'_>) {
        self.pairs.push((old.id.0, new.id.0));
    }
}

/// The platforms of two layers that are not matched yet.
struct Rest<'a> {
    old: Vec<Option<Platform<'a>>>,
    new: Vec<Option<Platform<'a>>>,
    alignment: &'a Alignment,
}

impl Rest<'_> {
    /// The new platforms by the x of their left ends.
    fn by_left(&self) -> ByX {
        let all = self.new.iter().zip(0..);
        ByX::new(all.filter_map(|(p, i)| Some((f64::from(p.as_ref()?.left().x), i))))
    }

    /// Pairs platforms whose surfaces are the same line.
    fn unchanged(&mut self, found: &mut PlatformMatching) {
        let (alignment, order) = (self.alignment, self.by_left());
        for slot in &mut self.old {
            let Some(a) = *slot else { continue };
            let [left, right] = [a.left(), a.right()].map(|end| alignment.place(end));
            let same = (order.between(left.x - alignment.slack, left.x + alignment.slack))
                .filter_map(|i| Some((i, self.new[i]?)))
                .filter(|(_, b)| is_same_line(&a, b, alignment))
                .map(|(i, b)| {
                    let off = b.left().as_dvec2().distance(left);
                    (i, off + b.right().as_dvec2().distance(right))
                });
            // In a forged file several may be within the slack.
            let same = same.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i);
            if let Some(b) = same.and_then(|i| self.new[i].take()) {
                found.add(&a, &b);
                *slot = None;
            }
        }
    }

    /// Groups platforms that overlap.
    fn overlapping(&mut self, found: &mut PlatformMatching) {
        let (alignment, order) = (self.alignment, self.by_left());
        // The width of the widest platform: the order is that of left ends, and a
        // platform that begins this far to the left can still overlap; ladders and
        // walls also half a cell to either side.
        let widest = (self.new.iter().flatten())
            .map(|p| f64::from(p.right().x - p.left().x))
            .fold(0.0, f64::max);
        let half = 0.5 * alignment.spacing;
        // Nodes are the old platforms, then the new ones.
        let count = self.old.len();
        let mut overlaps = Vec::new();
        for (o, a) in self.old.iter().enumerate() {
            let Some(a) = a else { continue };
            let (from, to) = (alignment.place(a.left()).x, alignment.place(a.right()).x);
            for n in order.between(from - widest - half, to + half) {
                let Some(b) = self.new[n] else { continue };
                if overlap(a, &b, alignment) {
                    found.add(a, &b);
                    overlaps.push((o, count + n));
                }
            }
        }
        for nodes in connected(count + self.new.len(), overlaps) {
            if nodes.len() < 2 {
                continue;
            }
            let (old, new) = nodes.split_at(nodes.partition_point(|node| *node < count));
            let old = old.iter().filter_map(|node| self.old[*node].take());
            let new = new.iter().filter_map(|node| self.new[*node - count].take());
            let old: Vec<_> = old.map(PlatformRecord::from).collect();
            let new: Vec<_> = new.map(PlatformRecord::from).collect();
            let diff = &mut found.diff;
            match (&old[..], &new[..]) {
                (&[old], &[new]) => diff.reshaped.push(Replaced { old, new }),
                ([_], _) => diff.split.push(Replaced { old, new }),
                (_, [_]) => diff.merged.push(Replaced { old, new }),
                _ => diff.recut.push(Replaced { old, new }),
            }
        }
    }

    /// Pairs platforms of the same shape, the nearest first.
    fn displaced(&mut self, found: &mut PlatformMatching) {
        let alignment = self.alignment;
        let mut candidates = Vec::new();
        for (o, a) in self.old.iter().enumerate() {
            let Some(a) = a else { continue };
            for (n, b) in self.new.iter().enumerate() {
                let Some(b) = b else { continue };
                let offset = b.left().as_dvec2() - alignment.place(a.left());
                if offset.length() <= FURTHEST * alignment.spacing
                    && is_moved(a, b, offset, alignment)
                {
                    // This order does not depend on which file is the old one.
                    let middle = b.left().as_dvec2() - offset * 0.5;
                    let order = [offset.length(), offset.x.abs(), middle.x, middle.y];
                    candidates.push((order, o, n));
                }
            }
        }
        for (o, n) in pair_nearest(candidates) {
            if let (Some(a), Some(b)) = (self.old[o].take(), self.new[n].take()) {
                found.add(&a, &b);
                let (old, new) = (a.into(), b.into());
                found.diff.moved.push(Replaced { old, new });
            }
        }
        found.diff.moved.sort_by_key(|pair| pair.old.id);
    }
}

fn is_moved(a: &Platform<'_>, b: &Platform<'_>, offset: DVec2, alignment: &Alignment) -> bool {
    a.kind == b.kind
        && a.surface.len() == b.surface.len()
        && (a.surface.iter().zip(b.surface)).all(|(a, b)| {
            let off = alignment.place(*a) + offset - b.as_dvec2();
            off.abs().max_element() <= alignment.slack
        })
}

/// Whether the surfaces of two platforms are the same line. One may have more
/// points on it than the other.
fn is_same_line(a: &Platform<'_>, b: &Platform<'_>, alignment: &Alignment) -> bool {
    if is_moved(a, b, DVec2::ZERO, alignment) {
        return true;
    }
    let is_floor = a.kind == PlatformKind::Floor && b.kind == PlatformKind::Floor;
    let ends = [(a.left(), b.left()), (a.right(), b.right())];
    if !is_floor || !ends.iter().all(|(a, b)| alignment.same(*a, *b)) {
        return false;
    }
    let old: Vec<DVec2> = a.surface.iter().map(|p| alignment.place(*p)).collect();
    let new: Vec<DVec2> = b.surface.iter().map(|p| p.as_dvec2()).collect();
    // Lines made of straight pieces differ most at the end of a piece.
    let is_on = |points: &[DVec2], line: &[DVec2]| {
        (points.iter()).all(|p| (height_on(line, p.x) - p.y).abs() <= alignment.slack)
    };
    is_on(&old, &new) && is_on(&new, &old)
}

/// Whether two platforms of one kind overlap: over a quarter of a cell (or half of the
/// narrower one) their heights are less than half a cell apart. Of ladders and walls the
/// heights overlap, and the sides are compared.
fn overlap(a: &Platform<'_>, b: &Platform<'_>, alignment: &Alignment) -> bool {
    if a.kind != b.kind {
        return false;
    }
    let is_upright = matches!(a.kind, PlatformKind::Ladder | PlatformKind::Wall);
    let along = |p: DVec2| if is_upright { DVec2::new(p.y, p.x) } else { p };
    let old: Vec<DVec2> = (a.surface.iter())
        .map(|p| along(alignment.place(*p)))
        .collect();
    let new: Vec<DVec2> = b.surface.iter().map(|p| along(p.as_dvec2())).collect();
    let [Some([a, b]), Some([c, d])] = [&old, &new].map(|line| ends(line)) else {
        return false;
    };
    let (low, high) = (a.max(c), b.min(d));
    let width = (b - a).min(d - c);
    let enough = (0.25 * alignment.spacing).min(0.5 * width);
    if high - low < enough - alignment.slack {
        return false;
    }
    let near = |x: f64| (height_on(&old, x) - height_on(&new, x)).abs() <= 0.5 * alignment.spacing;
    let mut cuts: Vec<f64> = (old.iter().chain(&new).map(|p| p.x))
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

/// The x at both ends of a line.
fn ends(line: &[DVec2]) -> Option<[f64; 2]> {
    Some([line.first()?.x, line.last()?.x])
}
