//! Which platform became which.

use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{Layer, Platform, PlatformId};
use serde::Serialize;

use super::{Frame, point};

/// Cells that a platform of unchanged shape may have moved by.
const FURTHEST: f64 = 32.0;

/// A platform, by its number and its lips.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Place {
    /// Its number in its file.
    pub id: u32,
    /// Where feet stand furthest to the left, world units.
    pub left: [f64; 2],
    /// Where they stand furthest to the right.
    pub right: [f64; 2],
}

impl From<Platform<'_>> for Place {
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
    pub old: Place,
    /// After.
    pub new: Place,
}

/// Platforms that became others.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Regrouped {
    /// Before.
    pub old: Vec<Place>,
    /// After.
    pub new: Vec<Place>,
}

/// How the platforms of one agent changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PlatformDiff {
    /// Gone.
    pub vanished: Vec<Place>,
    /// New.
    pub appeared: Vec<Place>,
    /// Of the same shape, elsewhere.
    pub moved: Vec<PlatformPair>,
    /// Of another extent or shape, where they were.
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

/// A group of platforms that lie on each other, by numbers old and new.
type Group = (Vec<u32>, Vec<u32>);

/// Which platforms of the old layer are which of the new one.
#[derive(Debug, Clone, Default)]
pub(super) struct Matching {
    /// Pairs of which one is (part of) the other, sorted: old, new.
    pub(super) pairs: Vec<(u32, u32)>,
    moved: Vec<(u32, u32)>,
    groups: Vec<Group>,
    vanished: Vec<u32>,
    appeared: Vec<u32>,
}

impl Matching {
    pub(super) fn new(old: &Layer, new: &Layer, frame: &Frame) -> Self {
        let mut this = Self::default();
        let [mut left, mut over] = [old, new].map(|layer| {
            (layer.platforms().iter())
                .map(Some)
                .collect::<Vec<Option<Platform<'_>>>>()
        });
        this.unchanged(&mut left, &mut over, frame);
        this.overlapping(&mut left, &mut over, frame);
        this.displaced(&mut left, &mut over, frame);
        let ids = |rest: &[Option<Platform<'_>>]| -> Vec<u32> {
            rest.iter().flatten().map(|p| p.id().0).collect()
        };
        this.vanished = ids(&left);
        this.appeared = ids(&over);
        this.pairs.sort_unstable();
        this
    }

    /// What an old platform became.
    pub(super) fn became(&self, old: PlatformId) -> impl Iterator<Item = PlatformId> {
        let first = self.pairs.partition_point(|pair| pair.0 < old.0);
        (self.pairs[first..].iter())
            .take_while(move |pair| pair.0 == old.0)
            .map(|pair| PlatformId(pair.1))
    }

    /// New platforms that are nothing old.
    pub(super) fn appeared(&self) -> impl Iterator<Item = PlatformId> {
        self.appeared.iter().map(|id| PlatformId(*id))
    }

    pub(super) fn report(&self, old: &Layer, new: &Layer) -> PlatformDiff {
        let places = |layer: &Layer, ids: &[u32]| -> Vec<Place> {
            ids.iter().filter_map(|id| place(layer, *id)).collect()
        };
        let mut diff = PlatformDiff {
            vanished: places(old, &self.vanished),
            appeared: places(new, &self.appeared),
            moved: (self.moved.iter())
                .filter_map(|&(a, b)| pair(old, new, a, b))
                .collect(),
            ..PlatformDiff::default()
        };
        for (before, after) in &self.groups {
            let group = || Regrouped {
                old: places(old, before),
                new: places(new, after),
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

    /// Pairs those that are where they were, point by point.
    fn unchanged(
        &mut self,
        old: &mut [Option<Platform<'_>>],
        new: &mut [Option<Platform<'_>>],
        frame: &Frame,
    ) {
        let order = by_left(new);
        for slot in old.iter_mut() {
            let Some(a) = *slot else { continue };
            let x = frame.place(a.left()).x;
            let first = order.partition_point(|(left, _)| *left < x - frame.slack);
            let near = (order[first..].iter()).take_while(|(left, _)| *left <= x + frame.slack);
            for &(_, i) in near {
                if let Some(b) = new[i]
                    && is_same(&a, &b, frame)
                {
                    self.pairs.push((a.id().0, b.id().0));
                    (*slot, new[i]) = (None, None);
                    break;
                }
            }
        }
    }

    /// Gathers those that lie on each other.
    fn overlapping(
        &mut self,
        old: &mut [Option<Platform<'_>>],
        new: &mut [Option<Platform<'_>>],
        frame: &Frame,
    ) {
        let order = by_left(new);
        // How far right of its left lip the widest goes.
        let widest = (new.iter().flatten())
            .map(|p| f64::from(p.right().x - p.left().x))
            .fold(0.0, f64::max);
        // Old ones by number, new ones after them.
        let mut root: Vec<usize> = (0..old.len() + new.len()).collect();
        let mut touched = vec![false; root.len()];
        for (o, a) in old.iter().enumerate() {
            let Some(a) = a else { continue };
            let (from, to) = (frame.place(a.left()).x, frame.place(a.right()).x);
            let first = order.partition_point(|(left, _)| *left < from - widest - frame.slack);
            let near = (order[first..].iter()).take_while(|(left, _)| *left <= to + frame.slack);
            for &(_, n) in near {
                let Some(b) = new[n] else { continue };
                if overlap(a, &b, frame) {
                    self.pairs.push((a.id().0, b.id().0));
                    let (x, y) = (find(&mut root, o), find(&mut root, old.len() + n));
                    root[x.max(y)] = x.min(y);
                    touched[o] = true;
                    touched[old.len() + n] = true;
                }
            }
        }
        let mut groups: std::collections::BTreeMap<usize, Group> =
            std::collections::BTreeMap::new();
        for node in (0..root.len()).filter(|node| touched[*node]) {
            let top = find(&mut root, node);
            let group = groups.entry(top).or_default();
            if node < old.len() {
                group.0.extend(old[node].take().map(|p| p.id().0));
            } else {
                group
                    .1
                    .extend(new[node - old.len()].take().map(|p| p.id().0));
            }
        }
        self.groups.extend(groups.into_values());
    }

    /// Pairs those of one shape, the nearest first.
    fn displaced(
        &mut self,
        old: &mut [Option<Platform<'_>>],
        new: &mut [Option<Platform<'_>>],
        frame: &Frame,
    ) {
        let mut near: Vec<([f64; 4], usize, usize)> = Vec::new();
        for (o, a) in old.iter().enumerate() {
            let Some(a) = a else { continue };
            for (n, b) in new.iter().enumerate() {
                let Some(b) = b else { continue };
                let way = b.left().as_dvec2() - frame.place(a.left());
                if way.length() <= FURTHEST * frame.spacing && is_alike(a, b, way, frame) {
                    // The same order whichever file is the old one.
                    let middle = b.left().as_dvec2() - way * 0.5;
                    near.push(([way.length(), way.x.abs(), middle.x, middle.y], o, n));
                }
            }
        }
        near.sort_by(|a, b| {
            (a.0.iter().zip(&b.0))
                .map(|(a, b)| a.total_cmp(b))
                .find(|order| order.is_ne())
                .unwrap_or((a.1, a.2).cmp(&(b.1, b.2)))
        });
        for (_, o, n) in near {
            if let (Some(a), Some(b)) = (old[o], new[n]) {
                self.pairs.push((a.id().0, b.id().0));
                self.moved.push((a.id().0, b.id().0));
                (old[o], new[n]) = (None, None);
            }
        }
        self.moved.sort_unstable();
    }
}

pub(super) fn place(layer: &Layer, id: u32) -> Option<Place> {
    layer.platform(PlatformId(id)).map(Place::from)
}

fn pair(old: &Layer, new: &Layer, a: u32, b: u32) -> Option<PlatformPair> {
    Some(PlatformPair {
        old: place(old, a)?,
        new: place(new, b)?,
    })
}

/// Left lips and indices, from the left.
fn by_left(platforms: &[Option<Platform<'_>>]) -> Vec<(f64, usize)> {
    let mut order: Vec<(f64, usize)> = (platforms.iter().enumerate())
        .filter_map(|(i, p)| Some((f64::from(p.as_ref()?.left().x), i)))
        .collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    order
}

fn find(root: &mut [usize], mut node: usize) -> usize {
    while root[node] != node {
        root[node] = root[root[node]];
        node = root[node];
    }
    node
}

fn is_same(a: &Platform<'_>, b: &Platform<'_>, frame: &Frame) -> bool {
    a.surface().len() == b.surface().len()
        && (a.surface().iter().zip(b.surface())).all(|(a, b)| frame.same(*a, *b))
}

/// Whether one is the other, gone so far.
fn is_alike(a: &Platform<'_>, b: &Platform<'_>, way: DVec2, frame: &Frame) -> bool {
    a.surface().len() == b.surface().len()
        && (a.surface().iter().zip(b.surface())).all(|(a, b)| {
            let off = frame.place(*a) + way - b.as_dvec2();
            off.abs().max_element() <= frame.slack
        })
}

/// Whether one lies on the other: over some length their heights are less
/// than half a cell apart.
fn overlap(a: &Platform<'_>, b: &Platform<'_>, frame: &Frame) -> bool {
    let surface: Vec<DVec2> = a.surface().iter().map(|p| frame.place(*p)).collect();
    let (Some(first), Some(last)) = (surface.first(), surface.last()) else {
        return false;
    };
    let low = first.x.max(b.left().x.into());
    let high = last.x.min(b.right().x.into());
    let width = (last.x - first.x).min(f64::from(b.right().x - b.left().x));
    let enough = (0.25 * frame.spacing).min(0.5 * width);
    if high - low < enough - frame.slack {
        return false;
    }
    let near = |x: f64| {
        let there = b.clamp(x as f32).y;
        (height(&surface, x) - f64::from(there)).abs() <= 0.5 * frame.spacing
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
    if width <= 2.0 * frame.slack {
        // A post: one place to stand.
        return near(0.5 * (low + high));
    }
    length >= enough - frame.slack
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
