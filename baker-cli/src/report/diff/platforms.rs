//! Finds for each platform of the old file its counterparts in the new file.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec2;
use navmesh_runtime::mesh::{Layer, Platform, PlatformId, PlatformKind};
use schemars::JsonSchema;
use serde::Serialize;

use super::alignment::{Alignment, is_near, pair_nearest};
use super::edited::Replaced;
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
        let Self { old, new, .. } = *self;
        let [was, is] = [old, new].map(|layer| {
            layer
                .platforms()
                .map(PlatformRecord::from)
                .collect::<Vec<_>>()
        });
        let mut rest = Rest {
            old: Line::all(old, self.alignment.shift),
            new: Line::all(new, DVec2::ZERO),
            alignment: self.alignment,
        };
        let mut pairs = rest.unchanged();
        rest.leave_out(&pairs);
        let overlaps = rest.overlapping();
        rest.leave_out(&overlaps);
        // Nodes of one graph: the old platforms, then the new ones.
        let edges = overlaps.iter().map(|(a, b)| (*a, was.len() + b));
        for nodes in connected(was.len() + is.len(), edges) {
            let (a, b) = nodes.split_at(nodes.partition_point(|node| *node < was.len()));
            let a = a.iter().map(|id| was[*id]).collect();
            let b = b.iter().map(|id| is[*id - was.len()]).collect();
            self.platforms.add_group(a, b);
        }
        let mut moved = rest.moved();
        rest.leave_out(&moved);
        moved.sort_unstable();
        for (a, b) in &moved {
            let (old, new) = (was[*a], is[*b]);
            self.platforms.moved.push(Replaced { old, new });
        }
        self.platforms.vanished = rest.old.iter().map(|line| was[line.id]).collect();
        self.platforms.appeared = rest.new.iter().map(|line| is[line.id]).collect();
        pairs.extend(overlaps.into_iter().chain(moved));
        self.new_of = Counterparts::new(pairs.clone());
        self.old_of = Counterparts::new(pairs.into_iter().map(|(a, b)| (b, a)).collect());
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
    id: usize,
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
                id: platform.id.0 as usize,
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

/// The platforms of two layers that are not matched yet. Pairs are (old, new) numbers.
struct Rest<'a> {
    old: Vec<Line>,
    new: Vec<Line>,
    alignment: &'a Alignment,
}

impl Rest<'_> {
    fn leave_out(&mut self, pairs: &[(usize, usize)]) {
        let (old, new): (BTreeSet<_>, BTreeSet<_>) = pairs.iter().copied().unzip();
        self.old.retain(|line| !old.contains(&line.id));
        self.new.retain(|line| !new.contains(&line.id));
    }

    /// Pairs of platforms whose left ends are near each other.
    fn pairs<const N: usize>(
        &self,
        within: f64,
        order: impl Fn(&Line, &Line) -> Option<[f64; N]>,
    ) -> Vec<(usize, usize)> {
        let [old, new] = [&self.old, &self.new]
            .map(|lines| lines.iter().map(|line| line.left).collect::<Vec<_>>());
        let pairs = pair_nearest(&old, &new, within, |o, n| order(&self.old[o], &self.new[n]));
        let ids = pairs
            .into_iter()
            .map(|(o, n)| (self.old[o].id, self.new[n].id));
        ids.collect()
    }

    /// Pairs platforms whose surfaces are the same line.
    fn unchanged(&self) -> Vec<(usize, usize)> {
        let slack = self.alignment.slack;
        self.pairs(slack, |a, b| {
            // In a forged file several may be within the slack.
            let off = a.left.distance(b.left) + a.right.distance(b.right);
            a.is_same(b, slack).then_some([off])
        })
    }

    /// All pairs of platforms that overlap, of a forged file the first of each platform.
    fn overlapping(&self) -> Vec<(usize, usize)> {
        let mut by_start: Vec<&Line> = self.new.iter().collect();
        by_start.sort_by(|a, b| a.left.x.total_cmp(&b.left.x));
        let longest = by_start.iter().map(|line| line.right.x - line.left.x);
        let longest = longest.fold(0.0, f64::max);
        let mut overlapping = Vec::new();
        let slack = self.alignment.slack;
        for a in &self.old {
            let first = by_start.partition_point(|b| b.left.x < a.left.x - longest - slack);
            let near = by_start.iter().skip(first);
            let near = near.take_while(|b| b.left.x <= a.right.x + slack);
            let parts = near.filter(|b| a.overlaps(b, self.alignment));
            overlapping.extend(parts.take(MOST_PARTS).map(|b| (a.id, b.id)));
        }
        overlapping
    }

    /// Pairs platforms of the same shape, the nearest first.
    fn moved(&self) -> Vec<(usize, usize)> {
        let furthest = FURTHEST * self.alignment.spacing;
        self.pairs(furthest, |a, b| {
            let offset = b.left - a.left;
            let is_moved = a.is_moved(b, offset, self.alignment.slack);
            // This order does not depend on which file is the old one.
            let middle = b.left - offset * 0.5;
            let order = [offset.length(), offset.x.abs(), middle.x, middle.y];
            (is_moved && offset.length() <= furthest).then_some(order)
        })
    }
}
