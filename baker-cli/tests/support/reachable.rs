//! An exhaustive search for what an agent can do, whatever was baked. It shares
//! no code with the baker, only its list of platforms.
//!
//! This file has its data and what needs no flight; `leave` is how a platform
//! is left, `fly` where a flight leads.

mod fly;
mod leave;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use glam::DVec2;
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, Layer, PlatformKind};

use super::replay::{body_of, point, top_depth};
use super::{Geometry, Spans};

/// Ordered pairs of platforms, by number.
pub type Pairs = BTreeSet<(u32, u32)>;

/// How strict the search is about what happens within a time step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum View {
    /// Everything it finds is possible.
    Strict,
    /// Everything it does not find is impossible (except with speeds and
    /// moments that it does not try).
    Generous,
}

/// How fine the search is.
#[derive(Debug, Clone, Copy)]
pub struct Detail {
    /// Distance between take-offs along a platform. 0 starts everywhere at
    /// once: for bodies with air control, and exact where no limit on distance
    /// applies.
    pub take_offs: f64,
    /// Number of jump speeds, evenly spaced; those whose apex is at a row of
    /// tiles are added.
    pub launches: u32,
    /// Time step in seconds.
    pub dt: f64,
}

/// A level or upright line of a platform.
#[derive(Clone, Copy)]
struct Rest {
    kind: PlatformKind,
    /// Left or upper end.
    from: DVec2,
    to: DVec2,
    platform: u32,
}

/// The side of a one-way tile that stops bodies coming back, as a line for the
/// feet.
#[derive(Clone, Copy)]
struct Gate {
    way: char,
    /// y for `v`, x for `<` and `>`.
    at: f64,
    /// How far the line goes along the other axis, open.
    span: (f64, f64),
}

/// What an agent can do. From each platform, for a fine set of jump speeds, for
/// walking off, dropping through and letting go, the x-intervals that the body
/// can occupy with air control (without: the intervals of speeds it can have)
/// are propagated over small time steps. Every platform on which it can come to
/// rest is recorded.
pub fn can_do(world: &dyn Geometry, layer: &Layer, detail: Detail, view: View) -> Pairs {
    let mut referee = Referee::new(world, layer, detail, view);
    referee.steps();
    for platform in layer.platforms() {
        let (left, right) = (point(platform.left()), point(platform.right()));
        referee.leave(platform.id.0, platform.kind, left, right);
    }
    referee.pairs
}

struct Referee<'a> {
    world: &'a dyn Geometry,
    heights: Vec<f64>,
    profile: &'a AgentProfile,
    body: DVec2,
    rests: Vec<Rest>,
    gates: Vec<Gate>,
    /// Feet x at which the upper ends of ladders carry, open, and the height.
    ladder_tops: Vec<(f64, (f64, f64))>,
    detail: Detail,
    view: View,
    /// Tolerance of overlaps.
    slack: f64,
    /// Blocked x by the heights of the feet.
    blocked: HashMap<(u64, u64), Spans>,
    pairs: Pairs,
}

impl<'a> Referee<'a> {
    fn new(world: &'a dyn Geometry, layer: &'a Layer, detail: Detail, view: View) -> Self {
        let straight = |p: navmesh_runtime::mesh::Platform<'a>| {
            let (platform, kind) = (p.id.0, p.kind);
            let is_rest = move |a: glam::Vec2, b: glam::Vec2| match kind {
                PlatformKind::Ladder | PlatformKind::Wall => a.x == b.x,
                _ => a.y == b.y,
            };
            p.surface
                .windows(2)
                .filter(move |w| is_rest(w[0], w[1]))
                .map(move |w| Rest {
                    kind,
                    from: point(w[0]),
                    to: point(w[1]),
                    platform,
                })
        };
        let profile = layer.profile();
        let body = body_of(profile);
        let rests: Vec<Rest> = layer.platforms().flat_map(straight).collect();
        let half = 0.5 * body.x;
        let gates = world.one_ways().into_iter().map(|(way, min, max)| {
            let (at, span) = match way {
                '>' => (max.x + half, (min.y, max.y + body.y)),
                '<' => (min.x - half, (min.y, max.y + body.y)),
                _ => (max.y + body.y, (min.x - half, max.x + half)),
            };
            Gate { way, at, span }
        });
        let gates: Vec<Gate> = gates.collect();
        let ladders = if profile.edges.contains(EdgeSet::LADDER) {
            world.ladders()
        } else {
            Vec::new()
        };
        let goes_on = |min: DVec2| ladders.iter().any(|l| l.0.x == min.x && l.1.y == min.y);
        let tops = ladders.iter().filter(|l| !goes_on(l.0));
        let ladder_tops = tops.map(|(min, max)| (min.y, (min.x - half, max.x + half)));
        let mut heights = world.heights();
        heights.extend(rests.iter().flat_map(|r| [r.from.y, r.to.y]));
        heights.extend(gates.iter().filter(|g| g.way == 'v').map(|g| g.at));
        let deep = top_depth(profile);
        let tops: Vec<f64> = ladder_tops.clone().map(|(y, _)| y).collect();
        let carries = |y: &f64| tops.contains(y) || !world.one_way_x(*y, body, 0.0).is_empty();
        let bottoms: Vec<f64> = world.heights().into_iter().filter(carries).collect();
        heights.extend(bottoms.iter().map(|y| y + deep));
        heights.sort_by(f64::total_cmp);
        heights.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
        Self {
            world,
            profile,
            body,
            heights,
            ladder_tops: ladder_tops.collect(),
            rests,
            gates,
            detail,
            view,
            slack: if view == View::Strict { 0.0 } else { 1e-3 },
            blocked: HashMap::new(),
            pairs: Pairs::new(),
        }
    }

    fn can(&self, edge: EdgeSet) -> bool {
        self.profile.edges.contains(edge)
    }

    /// Pairs that need no flight.
    fn steps(&mut self) {
        let mut found = Pairs::new();
        for a in &self.rests {
            for b in self.rests.iter().filter(|b| b.platform != a.platform) {
                let walks = a.kind == PlatformKind::Floor && b.kind == PlatformKind::Floor;
                let steps = if walks {
                    self.passes(a, b)
                } else {
                    self.meet(a, b)
                };
                if steps {
                    found.insert((a.platform, b.platform));
                }
            }
        }
        self.pairs.extend(found);
    }

    /// Whether the agent walks from one floor to the next through a one-way
    /// wall that splits them.
    fn passes(&self, a: &Rest, b: &Rest) -> bool {
        const NEAR: f64 = 2e-3;
        let rightwards = b.from.x > a.to.x;
        let (left, right) = if rightwards {
            (a.to, b.from)
        } else {
            (b.to, a.from)
        };
        if left.y != right.y || right.x < left.x || right.x - left.x > NEAR {
            return false;
        }
        let here: Vec<&Gate> = self
            .gates
            .iter()
            .filter(|g| g.way != 'v' && g.at > left.x - NEAR && g.at < right.x + NEAR)
            .filter(|g| g.span.0 <= left.y && left.y <= g.span.1)
            .collect();
        let against = if rightwards { '<' } else { '>' };
        // The ends of its line are only touched.
        let stops = |g: &&Gate| g.way == against && g.span.0 < left.y && left.y < g.span.1;
        let carried = self.world.supported(left.midpoint(right), self.body, 1e-6);
        carried && !here.is_empty() && !here.iter().any(stops)
    }

    /// Whether the lines of two platforms, one of them climbed, meet.
    fn meet(&self, a: &Rest, b: &Rest) -> bool {
        let near = match self.view {
            View::Strict => 2.5e-4,
            View::Generous => 5e-3,
        };
        // The points of each line nearest to the other.
        let there = a.from.clamp(b.from, b.to);
        let here = there.clamp(a.from, a.to);
        let there = here.clamp(b.from, b.to);
        let against = |g: &Gate| {
            let (from, to, along) = match g.way {
                'v' => (here.y - g.at, there.y - g.at, here.x),
                '>' => (here.x - g.at, there.x - g.at, here.y),
                _ => (g.at - here.x, g.at - there.x, here.y),
            };
            let beside = g.span.0 < along && along < g.span.1;
            beside && from >= -1e-6 && to < -1e-6
        };
        let apart = (here - there).abs();
        apart.max_element() <= near
            && !self.gates.iter().any(against)
            && !self.is_down_through_top([a.kind, b.kind], here, there)
    }

    /// Whether a step along a wall or ceiling leads down through a one-way top.
    fn is_down_through_top(&self, kinds: [PlatformKind; 2], from: DVec2, to: DVec2) -> bool {
        let holds =
            |kind: &PlatformKind| matches!(kind, PlatformKind::Wall | PlatformKind::Ceiling);
        if !kinds.iter().any(holds) || self.can(EdgeSet::DROP_THROUGH) {
            return false;
        }
        let passed = |top: &f64| from.y <= *top + 1e-6 && *top + 1e-6 < to.y;
        let tops = self.world.heights().into_iter().filter(passed);
        let mut tops = tops.flat_map(|top| self.world.one_way_x(top, self.body, 0.0));
        tops.any(|(left, right)| left < to.x && to.x < right)
    }
}

/// The pairs that the bake links.
pub fn baked(layer: &Layer) -> Pairs {
    layer
        .links()
        .iter()
        .map(|l| (l.from_platform.0, l.to_platform.0))
        .collect()
}

/// Every pair joined by a chain of pairs.
pub fn closure(pairs: &Pairs) -> Pairs {
    let mut next: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for &(a, b) in pairs {
        next.entry(a).or_default().push(b);
    }
    let mut out = Pairs::new();
    for &start in next.keys() {
        let mut seen = BTreeSet::new();
        let mut todo = vec![start];
        while let Some(at) = todo.pop() {
            for &to in next.get(&at).into_iter().flatten() {
                if seen.insert(to) {
                    todo.push(to);
                }
            }
        }
        out.extend(
            seen.into_iter()
                .filter(|to| *to != start)
                .map(|to| (start, to)),
        );
    }
    out
}
