//! The second referee: works out what can be done, whatever was baked. Shares
//! no code with the baker but its list of platforms.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use glam::DVec2;
use navmesh_runtime::mesh::{AgentProfile, Layer};

use super::replay::{body_of, point};
use super::{Spans, World};

/// Ordered pairs of platforms, by number.
pub type Pairs = BTreeSet<(u32, u32)>;

/// How strict the referee is where a time step hides something.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum View {
    /// What it finds can certainly be done.
    Strict,
    /// What it does not find certainly cannot be done.
    Generous,
}

/// How finely it looks.
#[derive(Debug, Clone, Copy)]
pub struct Detail {
    /// Distance between take-offs along a platform.
    pub take_offs: f64,
    /// Launch speeds, evenly spaced; those that come to rest just at a row of
    /// tiles are added.
    pub launches: u32,
    /// Seconds between looks.
    pub dt: f64,
}

/// A flat top of a platform.
#[derive(Clone, Copy)]
struct Top {
    y: f64,
    left: f64,
    right: f64,
    platform: u32,
}

/// What can be done: from each platform, for a fine set of launch speeds and
/// walking off both ends, the x-intervals the body can occupy under full air
/// control (without: the intervals of speeds it can have) are propagated over
/// small time steps, and every platform on which it can land is noted.
pub fn can_do(world: &dyn World, layer: &Layer, detail: Detail, view: View) -> Pairs {
    let mut referee = Referee::new(world, layer, detail, view);
    for platform in layer.platforms().iter() {
        referee.leave(
            platform.id().0,
            point(platform.left()),
            point(platform.right()),
        );
    }
    referee.pairs
}

struct Referee<'a> {
    world: &'a dyn World,
    heights: Vec<f64>,
    profile: &'a AgentProfile,
    body: DVec2,
    tops: Vec<Top>,
    detail: Detail,
    view: View,
    /// How much is forgiven.
    slack: f64,
    /// Blocked x by the heights of the feet.
    blocked: HashMap<(u64, u64), Spans>,
    pairs: Pairs,
}

/// One flight.
struct Flight {
    from: u32,
    start: (f64, f64),
    y: f64,
    /// Upwards.
    speed: f64,
    /// Furthest across it may end.
    limit: f64,
    /// Speeds it may keep without air control.
    speeds: (f64, f64),
}

impl<'a> Referee<'a> {
    fn new(world: &'a dyn World, layer: &'a Layer, detail: Detail, view: View) -> Self {
        let flat = |p: navmesh_runtime::mesh::Platform<'a>| {
            let id = p.id().0;
            p.surface()
                .windows(2)
                .filter(|w| w[0].y == w[1].y)
                .map(move |w| Top {
                    y: f64::from(w[0].y),
                    left: f64::from(w[0].x),
                    right: f64::from(w[1].x),
                    platform: id,
                })
        };
        Self {
            world,
            profile: layer.profile(),
            body: body_of(layer.profile()),
            heights: world.heights(),
            tops: layer.platforms().iter().flat_map(flat).collect(),
            detail,
            view,
            slack: if view == View::Strict { 0.0 } else { 1e-3 },
            blocked: HashMap::new(),
            pairs: Pairs::new(),
        }
    }

    /// Every way of leaving a platform.
    fn leave(&mut self, id: u32, left: DVec2, right: DVec2) {
        let run = f64::from(self.profile.run_speed);
        let across = f64::from(self.profile.max_jump[0]);
        let own: Vec<Top> = self
            .tops
            .iter()
            .filter(|t| t.platform == id)
            .copied()
            .collect();
        for top in own {
            let mut starts = vec![(top.left, top.left), (top.right, top.right)];
            let count = ((top.right - top.left) / self.detail.take_offs) as u32;
            starts.extend((1..=count).map(|i| {
                let x = top.left + f64::from(i) * self.detail.take_offs;
                (x, x)
            }));
            if self.view == View::Generous && self.profile.air_control {
                // Everywhere on the stretch at once.
                starts = vec![(top.left, top.right)];
            }
            for start in starts {
                for speed in self.launch_speeds(top.y) {
                    self.fly(&Flight {
                        from: id,
                        start,
                        y: top.y,
                        speed,
                        limit: across,
                        speeds: (-run, run),
                    });
                }
            }
        }
        // Off both ends: just past the lip nothing carries any more.
        let out = 2.0 / 256.0;
        for (lip, past, speeds) in [
            (left, left.x - out, (-run, 0.0)),
            (right, right.x + out, (0.0, run)),
        ] {
            let p = DVec2::new(past, lip.y);
            if !self.world.blocked(p, self.body, 1e-9) && !self.world.supported(p, self.body, 1e-3)
            {
                let limit = f64::from(self.profile.max_drop[0]) + out;
                self.fly(&Flight {
                    from: id,
                    start: (past, past),
                    y: lip.y,
                    speed: 0.0,
                    limit,
                    speeds,
                });
            }
        }
    }

    fn launch_speeds(&self, y: f64) -> Vec<f64> {
        let (greatest, gravity) = (
            f64::from(self.profile.jump_speed),
            f64::from(self.profile.gravity),
        );
        let even = (1..=self.detail.launches)
            .map(|k| greatest * f64::from(k) / f64::from(self.detail.launches));
        let rises = self.heights.iter().map(|h| y - h);
        let touching = rises
            .filter(|r| *r > 0.0)
            .map(|r| (2.0 * gravity * r).sqrt());
        even.chain(touching.filter(|v| *v <= greatest)).collect()
    }

    fn fly(&mut self, flight: &Flight) {
        let gravity = f64::from(self.profile.gravity);
        let run = f64::from(self.profile.run_speed);
        let air_control = self.profile.air_control;
        let height = |t: f64| flight.y - (flight.speed * t - 0.5 * gravity * t * t);
        let apex = flight.speed / gravity;
        let lowest = flight.y + f64::from(self.profile.max_drop[1]);
        let highest = flight.y - f64::from(self.profile.max_jump[1]);
        let width = self.world.width();
        let slack = self.slack;
        let window = (
            (flight.start.0 - flight.limit).max(0.0),
            (flight.start.1 + flight.limit).min(width),
        );
        // With air control: places. Without: speeds, from which places follow.
        let mut set: Spans = if air_control {
            vec![flight.start]
        } else {
            vec![flight.speeds]
        };
        let x0 = flight.start.0;
        let mut t = 0.0;
        while !set.is_empty() {
            let next = self.next_look(flight, gravity, t);
            let (y, y2) = (height(t), height(next));
            if y > lowest + 1e-6 {
                return;
            }
            let span = match self.view {
                View::Generous => (y2, y2),
                View::Strict if t < apex && apex < next => (height(apex), y.max(y2)),
                View::Strict => (y.min(y2), y.max(y2)),
            };
            let blocked = self.blocked_at(span).clone();
            set = if air_control {
                let step = run * (next - t);
                let mut grown = Spans::new();
                for &(a, b) in &set {
                    let (lo, hi) = (
                        (a - step).max(window.0 - slack),
                        (b + step).min(window.1 + slack),
                    );
                    // Where it was free it spreads; through walls it does not.
                    for (fa, fb) in complement(&blocked, window.0 - 1.0, window.1 + 1.0) {
                        if fb >= a - slack && fa <= b + slack && fa.max(lo) <= fb.min(hi) {
                            grown.push((fa.max(lo), fb.min(hi)));
                        }
                    }
                }
                unite(grown)
            } else {
                let times: &[f64] = if self.view == View::Strict {
                    &[t, next]
                } else {
                    &[next]
                };
                let hits = blocked
                    .iter()
                    .map(|&(a, b)| speeds_into(a - x0, b - x0, times))
                    .collect();
                without(&set, &unite(hits))
            };
            let place = |(a, b): (f64, f64)| {
                if air_control {
                    (a, b)
                } else {
                    (x0 + a * next, x0 + b * next)
                }
            };
            if next > apex - 1e-9 {
                if y2 >= highest - 1e-6 && y2 <= lowest + 1e-6 {
                    for top in &self.tops {
                        let reached = |&s: &(f64, f64)| {
                            let (a, b) = place(s);
                            a.max(top.left).max(window.0) <= b.min(top.right).min(window.1) + slack
                        };
                        if (top.y - y2).abs() < 1e-6
                            && top.platform != flight.from
                            && set.iter().any(reached)
                        {
                            self.pairs.insert((flight.from, top.platform));
                        }
                    }
                }
                // One-way tops stop what falls onto them.
                let holes = self.world.one_way_x(y2, self.body, slack);
                if !holes.is_empty() && next > 0.0 {
                    let holes = if air_control {
                        holes
                    } else {
                        holes
                            .iter()
                            .map(|&(a, b)| ((a - x0) / next, (b - x0) / next))
                            .collect()
                    };
                    set = without(&set, &unite(holes));
                }
            }
            t = next;
        }
    }

    /// The next moment to look: after `dt`, or when a row of tiles or the top
    /// of a platform is passed on the way down, so that landings are exact.
    fn next_look(&self, flight: &Flight, gravity: f64, t: f64) -> f64 {
        let heights = self
            .tops
            .iter()
            .map(|top| top.y)
            .chain(self.heights.iter().copied());
        heights
            .filter_map(|y| {
                let square = 2.0 * gravity * (y - flight.y) + flight.speed * flight.speed;
                let at = (flight.speed + square.max(0.0).sqrt()) / gravity;
                (square >= -1e-9 && at > t + 1e-9).then_some(at)
            })
            .fold(t + self.detail.dt, f64::min)
    }

    /// Feet x at which the body, with its feet anywhere in `span`, overlaps
    /// something.
    fn blocked_at(&mut self, span: (f64, f64)) -> &Spans {
        let (world, body, slack) = (self.world, self.body, self.slack);
        let key = (span.0.to_bits(), span.1.to_bits());
        self.blocked
            .entry(key)
            .or_insert_with(|| unite(world.blocked_x(span, body, slack)))
    }
}

/// The speeds that lead into the open interval (a, b), measured from the
/// start, at one of `times`.
fn speeds_into(a: f64, b: f64, times: &[f64]) -> (f64, f64) {
    let per = |d: f64, s: f64| {
        if s > 0.0 || d == 0.0 {
            d / s.max(f64::MIN_POSITIVE)
        } else {
            d.signum() * f64::INFINITY
        }
    };
    let lo = times
        .iter()
        .map(|&s| per(a, s))
        .fold(f64::INFINITY, f64::min);
    let hi = times
        .iter()
        .map(|&s| per(b, s))
        .fold(f64::NEG_INFINITY, f64::max);
    (lo, hi)
}

/// What is left of closed intervals without open ones.
fn without(set: &Spans, holes: &Spans) -> Spans {
    let mut left = Spans::new();
    for &(a, b) in set {
        for (fa, fb) in complement(holes, a, b) {
            if fa.max(a) <= fb.min(b) {
                left.push((fa.max(a), fb.min(b)));
            }
        }
    }
    left
}

fn unite(mut spans: Spans) -> Spans {
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut out: Spans = Vec::new();
    for span in spans {
        match out.last_mut() {
            // Open spans that touch leave a point between them.
            Some(last) if span.0 < last.1 => last.1 = last.1.max(span.1),
            _ => out.push(span),
        }
    }
    out
}

fn complement(spans: &Spans, from: f64, to: f64) -> Spans {
    let mut out = Spans::new();
    let mut at = from;
    for &(a, b) in spans {
        if a >= at {
            out.push((at, a));
        }
        at = at.max(b);
    }
    if at <= to {
        out.push((at, to));
    }
    out
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
