//! The second referee: works out what can be done, whatever was baked. Shares
//! no code with the baker but its list of platforms.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use glam::DVec2;
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, Layer, PlatformKind};

use super::replay::{body_of, point};
use super::spans::{complement, speeds_into, unite, without};
use super::throw::Throw;
use super::{Spans, World};

/// Ordered pairs of platforms, by number.
pub type Pairs = BTreeSet<(u32, u32)>;

/// How strict the referee is where a time step hides something.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum View {
    /// What it finds can certainly be done.
    Strict,
    /// What it does not find certainly cannot be done (but for speeds and
    /// moments it does not look at).
    Generous,
}

/// How finely it looks.
#[derive(Debug, Clone, Copy)]
pub struct Detail {
    /// Distance between take-offs along a platform. 0 is everywhere at once:
    /// for bodies with air control, and exact where no limit on the distance
    /// of a jump or drop is met.
    pub take_offs: f64,
    /// Launch speeds, evenly spaced; those that come to rest just at a row of
    /// tiles are added.
    pub launches: u32,
    /// Seconds between looks.
    pub dt: f64,
}

/// A level or upright stretch of a platform.
#[derive(Clone, Copy)]
struct Rest {
    kind: PlatformKind,
    /// Left or upper end.
    from: DVec2,
    to: DVec2,
    platform: u32,
}

/// The side of a one-way tile that stops what comes back in, as a line for
/// the feet.
#[derive(Clone, Copy)]
struct Gate {
    way: char,
    /// y for `v`, x for `<` and `>`.
    at: f64,
    /// How far the line goes along the other axis, open.
    span: (f64, f64),
}

/// What can be done: from each platform, for a fine set of launch speeds,
/// walking off, dropping through and letting go, the x-intervals the body can
/// occupy under full air control (without: the intervals of speeds it can
/// have) are propagated over small time steps, and every platform on which it
/// can come to rest is noted.
pub fn can_do(world: &dyn World, layer: &Layer, detail: Detail, view: View) -> Pairs {
    let mut referee = Referee::new(world, layer, detail, view);
    referee.steps();
    for platform in layer.platforms().iter() {
        let (left, right) = (point(platform.left()), point(platform.right()));
        referee.leave(platform.id().0, platform.kind(), left, right);
    }
    referee.pairs
}

/// Seconds between the moments at which launches in the air are tried.
const AGAIN: f64 = 0.09;

struct Referee<'a> {
    world: &'a dyn World,
    heights: Vec<f64>,
    profile: &'a AgentProfile,
    body: DVec2,
    rests: Vec<Rest>,
    gates: Vec<Gate>,
    /// Feet x at which the upper ends of ladders carry, open, and the height.
    ladder_tops: Vec<(f64, (f64, f64))>,
    detail: Detail,
    view: View,
    /// How much is forgiven.
    slack: f64,
    /// Blocked x by the heights of the feet.
    blocked: HashMap<(u64, u64), Spans>,
    pairs: Pairs,
}

/// One flight.
#[derive(Clone)]
struct Flight {
    from: u32,
    /// The height it all began at.
    ground: f64,
    /// Where it may be at first; without air control, one point.
    start: Spans,
    throw: Throw,
    /// x within which it may end.
    window: (f64, f64),
    /// Speeds it may keep without air control.
    speeds: (f64, f64),
    /// Whether it begins by letting go of what was climbed.
    lets_go: bool,
    /// Launches in the air it has left; tried with air control only.
    launches: u8,
}

impl<'a> Referee<'a> {
    fn new(world: &'a dyn World, layer: &'a Layer, detail: Detail, view: View) -> Self {
        let straight = |p: navmesh_runtime::mesh::Platform<'a>| {
            let (platform, kind) = (p.id().0, p.kind());
            let is_rest = move |a: glam::Vec2, b: glam::Vec2| match kind {
                PlatformKind::Ladder | PlatformKind::Wall => a.x == b.x,
                _ => a.y == b.y,
            };
            p.surface()
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
        let rests: Vec<Rest> = layer.platforms().iter().flat_map(straight).collect();
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

    /// Whether one walks from one floor to the next: they were cut apart at a
    /// one-way wall, which lets bodies pass this way.
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
        // At the very ends of its line it is only touched.
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
        // The points of each that are nearest to the other.
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
        apart.max_element() <= near && !self.gates.iter().any(against)
    }

    /// Every way of leaving a platform.
    fn leave(&mut self, id: u32, kind: PlatformKind, left: DVec2, right: DVec2) {
        let own = self.rests.iter().filter(|r| r.platform == id);
        for rest in own.copied().collect::<Vec<_>>() {
            for (start, y) in self.starts(&rest) {
                let falls = match kind {
                    PlatformKind::Floor => self.can(EdgeSet::DROP_THROUGH),
                    _ => self.can(EdgeSet::DROP),
                };
                if falls {
                    self.take_off((id, kind), start, y, 0.0);
                }
                let jumps = matches!(kind, PlatformKind::Floor | PlatformKind::Wall);
                if jumps && self.can(EdgeSet::JUMP) {
                    for speed in self.launch_speeds(y) {
                        self.take_off((id, kind), start, y, speed);
                    }
                }
            }
        }
        if kind != PlatformKind::Floor || !self.can(EdgeSet::DROP) {
            return;
        }
        // Off both ends: just past the lip nothing carries any more.
        let run = f64::from(self.profile.run_speed);
        let out = 2.0 / 256.0;
        for (lip, past, speeds) in [
            (left, left.x - out, (-run, 0.0)),
            (right, right.x + out, (0.0, run)),
        ] {
            let p = DVec2::new(past, lip.y);
            let blocked = if self.profile.ignores_hazards {
                self.world.solid_at(p, self.body, 1e-9)
            } else {
                self.world.blocked(p, self.body, 1e-9)
            };
            let on_ladder = self
                .ladder_tops
                .iter()
                .any(|(y, (a, b))| (y - p.y).abs() < 1e-3 && *a < p.x && p.x < *b);
            if !blocked && !on_ladder && !self.world.supported(p, self.body, 1e-3) {
                let limit = f64::from(self.profile.max_drop[0]) + out;
                let mut flight = self.flight(id, (past, past), lip.y, 0.0, limit);
                flight.speeds = speeds;
                self.fly(&flight);
            }
        }
    }

    /// Where it takes off along a stretch, and at which height.
    fn starts(&self, rest: &Rest) -> Vec<((f64, f64), f64)> {
        let upright = rest.from.x == rest.to.x && rest.from.y != rest.to.y;
        let everywhere = self.view == View::Generous || self.detail.take_offs == 0.0;
        if everywhere && self.profile.air_control && !upright {
            // Everywhere on the stretch at once.
            return vec![((rest.from.x, rest.to.x), rest.from.y)];
        }
        let mut points = vec![rest.from, rest.to];
        if upright {
            let rows = self.heights.iter();
            let rows = rows.filter(|y| rest.from.y < **y && **y < rest.to.y);
            points.extend(rows.map(|y| DVec2::new(rest.from.x, *y)));
            // On the upper end of a ladder it stands; just below it does not.
            points.push(DVec2::new(rest.from.x, (rest.from.y + 0.01).min(rest.to.y)));
        } else {
            let count = ((rest.to.x - rest.from.x) / self.detail.take_offs) as u32;
            points.extend((1..=count).map(|i| {
                let x = rest.from.x + f64::from(i) * self.detail.take_offs;
                DVec2::new(x, rest.from.y)
            }));
        }
        points.into_iter().map(|p| ((p.x, p.x), p.y)).collect()
    }

    fn take_off(
        &mut self,
        (from, kind): (u32, PlatformKind),
        start: (f64, f64),
        y: f64,
        speed: f64,
    ) {
        let limit = if speed > 0.0 {
            self.profile.max_jump[0]
        } else {
            self.profile.max_drop[0]
        };
        let mut flight = self.flight(from, start, y, speed, f64::from(limit));
        flight.lets_go = speed == 0.0 && kind != PlatformKind::Floor;
        self.fly(&flight);
    }

    fn flight(&self, from: u32, start: (f64, f64), y: f64, speed: f64, limit: f64) -> Flight {
        let run = f64::from(self.profile.run_speed);
        Flight {
            from,
            ground: y,
            start: vec![start],
            throw: Throw::new(self.profile, y, speed),
            window: (
                (start.0 - limit).max(0.0),
                (start.1 + limit).min(self.world.width()),
            ),
            speeds: (-run, run),
            lets_go: false,
            launches: self.profile.air_jumps,
        }
    }

    fn launch_speeds(&self, y: f64) -> Vec<f64> {
        let (greatest, gravity) = (
            f64::from(self.profile.jump_speed),
            f64::from(self.profile.gravity),
        );
        let even = (1..=self.detail.launches)
            .map(|k| greatest * f64::from(k) / f64::from(self.detail.launches));
        let ceilings = self.rests.iter();
        let ceilings = ceilings.filter(|r| r.kind == PlatformKind::Ceiling);
        let rises = self.world.heights().into_iter();
        let rises = rises.chain(ceilings.map(|r| r.from.y)).map(|h| y - h);
        let touching = rises
            .filter(|r| *r > 1e-6)
            .map(|r| (2.0 * gravity * r).sqrt());
        even.chain(touching.filter(|v| *v <= greatest)).collect()
    }

    fn fly(&mut self, flight: &Flight) {
        let throw = flight.throw;
        let run = f64::from(self.profile.run_speed);
        let air_control = self.profile.air_control;
        let apex = throw.apex();
        let lowest = flight.ground + f64::from(self.profile.max_drop[1]);
        let highest = flight.ground - f64::from(self.profile.max_jump[1]);
        // With air control: places. Without: speeds, from which places follow.
        let mut set: Spans = if air_control {
            flight.start.clone()
        } else {
            vec![flight.speeds]
        };
        let x0 = flight.start[0].0;
        if throw.speed > 0.0 {
            set = self.under_gates(set, &throw, 0.0, x0);
        } else if flight.lets_go {
            // What a one-way top carries does not fall by letting go.
            set = self.take_away(set, self.one_way_x(throw.y), 0.0, x0);
        }
        let (mut t, mut launched) = (0.0, 0.0);
        for next in self.moments(&throw, lowest) {
            if set.is_empty() {
                return;
            }
            let (y, y2) = (throw.height(t), throw.height(next));
            let span = match self.view {
                View::Generous => (y2, y2),
                View::Strict => (y.min(y2), y.max(y2)),
            };
            let gates = self.gates_beside(span);
            let blocked = self.blocked_at(span).clone();
            set = if air_control {
                self.spread(&set, run * (next - t), &blocked, &gates, flight.window)
            } else {
                let times = [t, next];
                let times = if self.view == View::Strict {
                    &times[..]
                } else {
                    &times[1..]
                };
                let mut hits: Spans = blocked
                    .iter()
                    .map(|&(a, b)| speeds_into(a - x0, b - x0, times))
                    .collect();
                hits.extend(gates.iter().filter_map(|g| speeds_against(g, x0, t, next)));
                without(&set, &unite(hits))
            };
            if next > apex - 1e-9 {
                if y2 >= highest - 1e-6 && y2 <= lowest + 1e-6 {
                    let touches = (next - apex).abs() < 1e-9;
                    let places: Spans = if air_control {
                        set.clone()
                    } else {
                        let place = |s: &(f64, f64)| (x0 + s.0 * next, x0 + s.1 * next);
                        set.iter().map(place).collect()
                    };
                    self.come_to_rest(flight, y2, touches, &places);
                }
                // One-way tops stop what falls onto them.
                let holes = self.one_way_x(y2);
                set = self.take_away(set, holes, next, x0);
            } else {
                set = self.under_gates(set, &throw, next, x0);
            }
            t = next;
            let again = t - launched >= AGAIN || (t - apex).abs() < 1e-9;
            if flight.launches > 0 && air_control && again && y2 < lowest && !set.is_empty() {
                launched = t;
                for speed in self.launch_speeds(y2) {
                    self.fly(&Flight {
                        start: set.clone(),
                        throw: Throw::new(self.profile, y2, speed),
                        launches: flight.launches - 1,
                        ..*flight
                    });
                }
            }
        }
    }

    /// The moments to look at: every `dt`, whenever a row of tiles or the
    /// height of a platform is passed, and the apex, so that landings are
    /// exact.
    fn moments(&self, throw: &Throw, lowest: f64) -> Vec<f64> {
        let end = throw.passes(lowest + 1e-6).map_or(0.0, |t| t[1]);
        let even = (1..).map(|k| f64::from(k) * self.detail.dt);
        let mut all: Vec<f64> = even.take_while(|t| *t < end).collect();
        // What the apex passes by less than the lattice tells apart, it touches.
        let top = throw.height(throw.apex());
        let passed = |y: &&f64| **y <= lowest + 1e-6 && (**y - top).abs() > 1e-5;
        let heights = self.heights.iter().filter(passed);
        all.extend(heights.filter_map(|y| throw.passes(*y)).flatten());
        all.push(throw.apex());
        all.retain(|t| *t > 1e-9);
        all.sort_by(f64::total_cmp);
        // The exact ones are what matters: of two the later is kept.
        all.dedup_by(|b, a| {
            let same = *b - *a < 1e-9;
            if same {
                *a = *b;
            }
            same
        });
        all
    }

    /// Notes the platforms on which a body at a height comes to rest.
    fn come_to_rest(&mut self, flight: &Flight, y: f64, touches: bool, places: &Spans) {
        let (from, to) = flight.window;
        let slack = self.slack;
        for rest in &self.rests {
            let level = rest.from.y == rest.to.y;
            let at_height = if level {
                (rest.from.y - y).abs() < 1e-6 && (rest.kind != PlatformKind::Ceiling || touches)
            } else {
                rest.from.y <= y + slack && y <= rest.to.y + slack
            };
            let (left, right) = (rest.from.x.max(from), rest.to.x.min(to));
            let reached = |&(a, b): &(f64, f64)| a.max(left) <= b.min(right) + slack;
            if at_height && rest.platform != flight.from && places.iter().any(reached) {
                self.pairs.insert((flight.from, rest.platform));
            }
        }
    }

    /// Where the body can be after a step with full air control.
    fn spread(
        &self,
        set: &Spans,
        step: f64,
        blocked: &Spans,
        gates: &[Gate],
        window: (f64, f64),
    ) -> Spans {
        let slack = self.slack;
        let mut grown = Spans::new();
        for (a, b) in beside(set, gates) {
            let (mut lo, mut hi) = (
                (a - step).max(window.0 - slack),
                (b + step).min(window.1 + slack),
            );
            // What is beyond a one-way wall does not come back.
            for gate in gates {
                if gate.way == '>' && gate.at <= a + 1e-9 {
                    lo = lo.max(gate.at);
                } else if gate.way == '<' && gate.at >= b - 1e-9 {
                    hi = hi.min(gate.at);
                }
            }
            // Where it was free it spreads; through walls it does not.
            for (fa, fb) in complement(blocked, window.0 - 1.0, window.1 + 1.0) {
                if fb >= a - slack && fa <= b + slack && fa.max(lo) <= fb.min(hi) {
                    grown.push((fa.max(lo), fb.min(hi)));
                }
            }
        }
        unite(grown)
    }

    /// The one-way walls beside a body with its feet at a height in `span`.
    fn gates_beside(&self, span: (f64, f64)) -> Vec<Gate> {
        let slack = self.slack.max(1e-9);
        let beside =
            |g: &&Gate| g.way != 'v' && span.1 > g.span.0 + slack && span.0 < g.span.1 - slack;
        self.gates.iter().filter(beside).copied().collect()
    }

    /// What of a set goes on rising where, at time `t`, heads are just below
    /// one-way ceilings.
    fn under_gates(&self, set: Spans, throw: &Throw, t: f64, x0: f64) -> Spans {
        let y = throw.height(t);
        if throw.height(throw.apex()) > y - 1e-6 {
            return set;
        }
        let under = self.gates.iter();
        let under = under.filter(|g| g.way == 'v' && (g.at - y).abs() < 1e-6);
        let holes = under.map(|g| (g.span.0 + self.slack, g.span.1 - self.slack));
        let holes = holes.collect();
        self.take_away(set, holes, t, x0)
    }

    /// Feet x, open, at which one-way tops and the ends of ladders carry.
    fn one_way_x(&self, y: f64) -> Spans {
        let mut all = self.world.one_way_x(y, self.body, self.slack);
        let here = self.ladder_tops.iter().filter(|l| (l.0 - y).abs() < 1e-6);
        all.extend(here.map(|(_, x)| (x.0 + self.slack, x.1 - self.slack)));
        all
    }

    /// A set at time `t` without what is in open intervals of x.
    fn take_away(&self, set: Spans, holes: Spans, t: f64, x0: f64) -> Spans {
        if holes.is_empty() {
            return set;
        }
        let holes = if self.profile.air_control {
            holes
        } else if t > 0.0 {
            let speeds = |&(a, b): &(f64, f64)| ((a - x0) / t, (b - x0) / t);
            holes.iter().map(speeds).collect()
        } else if holes.iter().any(|&(a, b)| a < x0 && x0 < b) {
            return Spans::new();
        } else {
            return set;
        };
        without(&set, &unite(holes))
    }

    /// Feet x at which the body, with its feet anywhere in `span`, overlaps
    /// something.
    fn blocked_at(&mut self, span: (f64, f64)) -> &Spans {
        let (world, body, slack) = (self.world, self.body, self.slack);
        let no_hazards = self.profile.ignores_hazards;
        let key = (span.0.to_bits(), span.1.to_bits());
        self.blocked.entry(key).or_insert_with(|| {
            unite(if no_hazards {
                world.solid_x(span, body, slack)
            } else {
                world.blocked_x(span, body, slack)
            })
        })
    }
}

/// Places, taken apart at one-way walls.
fn beside(set: &Spans, gates: &[Gate]) -> Spans {
    /// Just this side of a line counts as beyond it.
    const HAIR: f64 = 1e-6;
    if gates.is_empty() {
        return set.clone();
    }
    let mut lines: Vec<&Gate> = gates.iter().collect();
    lines.sort_by(|a, b| a.at.total_cmp(&b.at));
    let mut parts = Spans::new();
    for &(mut a, b) in set {
        for gate in &lines {
            // The side from which the line is met closed keeps the line.
            let (before, after) = match gate.way {
                '>' => (gate.at - HAIR, gate.at),
                _ => (gate.at, gate.at + HAIR),
            };
            if a <= before && after <= b {
                parts.push((a, before));
                a = after;
            }
        }
        parts.push((a, b));
    }
    parts
}

/// The speeds that lead from `x` against a one-way wall between two moments.
fn speeds_against(gate: &Gate, x: f64, from: f64, until: f64) -> Option<(f64, f64)> {
    let away = gate.at - x;
    match gate.way {
        '>' if x >= gate.at => {
            let fastest = if from > 0.0 {
                away / from
            } else {
                f64::NEG_INFINITY
            };
            Some((fastest - 1e-9, away / until))
        }
        '<' if x <= gate.at => {
            let fastest = if from > 0.0 {
                away / from
            } else {
                f64::INFINITY
            };
            Some((away / until, fastest + 1e-9))
        }
        _ => None,
    }
}

/// The pairs the bake links.
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
