//! Finds for each platform of the old file its counterparts in the new file.

use std::collections::BTreeMap;

use glam::DVec2;
use navmesh_runtime::mesh::{Layer, Platform, PlatformId, PlatformKind};
use schemars::JsonSchema;
use serde::Serialize;

use super::alignment::{Alignment, Matching, Replaced, is_near};
use crate::bake::tools::height_on;
use crate::report::connections::connected;
use crate::report::format::point;

/// A platform of the same shape within this many cells is reported as moved; beyond it as
/// vanished and appeared.
const FURTHEST: f64 = 32.0;
/// No platform that people draw becomes as many others.
const MOST_PARTS: usize = 1 << 12;

/// A platform in a comparison: its number and its two ends.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
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
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
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

/// For platforms of one file those of the other that are the same or a part of it, in order.
#[derive(Debug, Default)]
pub struct Counterparts(BTreeMap<PlatformId, Vec<PlatformId>>);

impl Counterparts {
    fn new(mut pairs: Vec<(usize, usize)>) -> Self {
        let mut this = Self::default();
        pairs.sort_unstable();
        for (platform, other) in pairs {
            let others = this.0.entry(PlatformId(platform as u32)).or_default();
            others.push(PlatformId(other as u32));
        }
        this
    }

    pub fn of(&self, platform: PlatformId) -> &[PlatformId] {
        self.0.get(&platform).map_or(&[], |others| others)
    }

    pub fn all(&self) -> impl Iterator<Item = (PlatformId, &[PlatformId])> {
        self.0
            .iter()
            .map(|(platform, others)| (*platform, &others[..]))
    }
}

/// The two layers of an agent, and how their platforms match.
pub struct Sides<'a> {
    pub old: &'a Layer,
    pub new: &'a Layer,
    pub alignment: &'a Alignment,
    /// What the platforms of the old layer became.
    pub new_of: Counterparts,
    /// What the platforms of the new layer were.
    pub old_of: Counterparts,
    pub platforms: PlatformDiff,
}

impl<'a> Sides<'a> {
    pub(crate) fn new(old: &'a Layer, new: &'a Layer, alignment: &'a Alignment) -> Self {
        let mut this = Self {
            old,
            new,
            alignment,
            new_of: Counterparts::default(),
            old_of: Counterparts::default(),
            platforms: PlatformDiff::default(),
        };
        // What an agent that only flies can use is compared as air.
        if [old, new].iter().any(|layer| layer.profile().edges.walks()) {
            this.match_platforms();
        }
        this
    }

    fn match_platforms(&mut self) {
        let by = self.alignment;
        let (was, is) = (
            Line::all(self.old, by.shift),
            Line::all(self.new, DVec2::ZERO),
        );
        let [starts, new_starts] =
            [&was, &is].map(|lines| lines.iter().map(|line| line.left).collect::<Vec<_>>());
        let starts = [&starts[..], &new_starts];
        let mut matching = Matching::none(was.len(), is.len());
        matching.add_nearest(starts, by.slack, |o, n| {
            let (a, b) = (&was[o], &is[n]);
            // In a forged file several may be within the slack.
            let off = a.left.distance(b.left) + a.right.distance(b.right);
            a.is_same(b, by.slack).then_some([off])
        });
        let overlaps = overlapping(&matching, &was, &is, by);
        matching.add(&overlaps);
        // Nodes of one graph: the old platforms, then the new ones.
        let edges = overlaps.iter().map(|(a, b)| (*a, was.len() + b));
        for nodes in connected(was.len() + is.len(), edges) {
            let (a, b) = nodes.split_at(nodes.partition_point(|node| *node < was.len()));
            let a = a.iter().map(|id| was[*id].record).collect();
            let b = b.iter().map(|id| is[*id - was.len()].record).collect();
            self.platforms.add_group(a, b);
        }
        // Pairs platforms of the same shape, the nearest first.
        let furthest = FURTHEST * by.spacing;
        let known = matching.pairs.len();
        matching.add_nearest(starts, furthest, |o, n| {
            let (a, b) = (&was[o], &is[n]);
            let offset = b.left - a.left;
            // This order does not depend on which file is the old one.
            let middle = b.left - offset * 0.5;
            let order = [offset.length(), offset.x.abs(), middle.x, middle.y];
            let is_near = offset.length() <= furthest;
            (is_near && a.is_moved(b, offset, by.slack)).then_some(order)
        });
        matching.pairs[known..].sort_unstable();
        for (a, b) in &matching.pairs[known..] {
            let (old, new) = (was[*a].record, is[*b].record);
            self.platforms.moved.push(Replaced { old, new });
        }
        self.platforms.vanished = matching.old.iter().map(|id| was[*id].record).collect();
        self.platforms.appeared = matching.new.iter().map(|id| is[*id].record).collect();
        let back = matching.pairs.iter().map(|(a, b)| (*b, *a)).collect();
        self.old_of = Counterparts::new(back);
        self.new_of = Counterparts::new(matching.pairs);
    }
}

impl PlatformDiff {
    /// How many changes there are.
    pub fn count(&self) -> usize {
        let regrouped = self.split.len() + self.merged.len() + self.recut.len();
        let changed = self.moved.len() + self.reshaped.len() + regrouped;
        self.vanished.len() + self.appeared.len() + changed
    }

    /// Adds platforms that overlap.
    fn add_group(&mut self, old: Vec<PlatformRecord>, new: Vec<PlatformRecord>) {
        match (&old[..], &new[..]) {
            ([], _) | (_, []) => {}
            (&[old], &[new]) => self.reshaped.push(Replaced { old, new }),
            ([_], _) => self.split.push(Replaced { old, new }),
            (_, [_]) => self.merged.push(Replaced { old, new }),
            _ => self.recut.push(Replaced { old, new }),
        }
    }
}

/// A platform in the coordinates of the new file. For ladders and walls, x and y are
/// exchanged, so that the agent moves along x on every line.
struct Line {
    record: PlatformRecord,
    kind: PlatformKind,
    points: Vec<DVec2>,
    left: DVec2,
    right: DVec2,
}

impl Line {
    fn all(layer: &Layer, shift: DVec2) -> Vec<Self> {
        let lines = layer.platforms().map(|platform| {
            let points = platform.surface.iter().map(|p| p.as_dvec2() + shift);
            let points: Vec<_> = if platform.kind.is_upright() {
                points.map(|p| DVec2::new(p.y, p.x)).collect()
            } else {
                points.collect()
            };
            Self {
                record: platform.into(),
                kind: platform.kind,
                left: points.first().copied().unwrap_or_default(),
                right: points.last().copied().unwrap_or_default(),
                points,
            }
        });
        lines.collect()
    }

    /// Whether moving this line by `offset` makes it another one.
    fn is_moved(&self, to: &Self, offset: DVec2, slack: f64) -> bool {
        let mut points = self.points.iter().zip(&to.points);
        self.kind == to.kind
            && self.points.len() == to.points.len()
            && points.all(|(a, b)| is_near(*a + offset, *b, slack))
    }

    /// Whether two lines are the same. One may have more points on it than the other.
    fn is_same(&self, other: &Self, slack: f64) -> bool {
        self.is_moved(other, DVec2::ZERO, slack)
            || self.kind == other.kind
                && is_near(self.left, other.left, slack)
                && is_near(self.right, other.right, slack)
                // Lines made of straight pieces differ most at the end of a piece.
                && self.is_on(other, slack)
                && other.is_on(self, slack)
    }

    fn is_on(&self, line: &Self, slack: f64) -> bool {
        let mut points = self.points.iter();
        points.all(|p| (height_on(&line.points, p.x) - p.y).abs() <= slack)
    }

    /// Whether two lines of one kind overlap: over a quarter of a cell (or half of the
    /// narrower one) their heights are less than half a cell apart.
    fn overlaps(&self, other: &Self, alignment: &Alignment) -> bool {
        let Alignment { slack, spacing, .. } = *alignment;
        let (low, high) = (
            self.left.x.max(other.left.x),
            self.right.x.min(other.right.x),
        );
        let width = (self.right.x - self.left.x).min(other.right.x - other.left.x);
        let enough = (0.25 * spacing).min(0.5 * width) - slack;
        if self.kind != other.kind || high - low < enough {
            return false;
        }
        let mut cuts: Vec<f64> = (self.points.iter().chain(&other.points))
            .map(|p| p.x)
            .filter(|x| low < *x && *x < high)
            .chain([low, high])
            .collect();
        cuts.sort_by(f64::total_cmp);
        let mut near = 0.0;
        for piece in cuts.windows(2) {
            let middle = 0.5 * (piece[0] + piece[1]);
            let apart = height_on(&self.points, middle) - height_on(&other.points, middle);
            if apart.abs() <= 0.5 * spacing {
                // A platform may be a single point.
                near += (piece[1] - piece[0]).max(f64::MIN_POSITIVE);
            }
        }
        near > 0.0 && near >= enough
    }
}

/// All pairs of unmatched platforms that overlap, of a forged file the first of each platform.
fn overlapping(
    matching: &Matching,
    old: &[Line],
    new: &[Line],
    by: &Alignment,
) -> Vec<(usize, usize)> {
    let mut by_start: Vec<usize> = matching.new.clone();
    by_start.sort_by(|a, b| new[*a].left.x.total_cmp(&new[*b].left.x));
    let longest = by_start.iter().map(|b| new[*b].right.x - new[*b].left.x);
    let longest = longest.fold(0.0, f64::max);
    let mut overlapping = Vec::new();
    for &o in &matching.old {
        let a = &old[o];
        let first = by_start.partition_point(|b| new[*b].left.x < a.left.x - longest - by.slack);
        let near = by_start[first..].iter();
        let near = near.take_while(|b| new[**b].left.x <= a.right.x + by.slack);
        let parts = near.filter(|b| a.overlaps(&new[**b], by));
        overlapping.extend(parts.take(MOST_PARTS).map(|b| (o, *b)));
    }
    overlapping
}
