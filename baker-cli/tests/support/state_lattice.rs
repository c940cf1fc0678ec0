//! An exhaustive search for what a body of bounded acceleration can do,
//! whatever was baked. It shares no code with the baker, only its list of
//! platforms.
//!
//! States are speeds on a lattice, and for each the exact intervals of x. In a
//! step of constant acceleration, all x of a speed move by the same distance,
//! so nothing is rounded.

use glam::DVec2;
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, Layer, PlatformKind};

use super::reachable::Pairs;
use super::replay::{body_of, point, top_depth};
use super::spans::{complement, unite, without};
use super::throw::Throw;
use super::{Geometry, Spans};

/// Seconds in a step of constant acceleration.
const STEP: f64 = 1.0 / 60.0;

/// Number of jump speeds, evenly spaced; those whose apex is at a row of tiles
/// are added.
const LAUNCHES: u32 = 16;

/// A flat piece of floor, a wall or a ceiling.
struct Rest {
    platform: u32,
    kind: PlatformKind,
    x: (f64, f64),
    y: (f64, f64),
}

/// What bounds all bodies during a part of a step, whatever their speeds.
struct Part {
    /// When it begins and ends, in seconds after the step began.
    times: [f64; 2],
    /// Feet x at which the body is free all the time.
    free: Spans,
    /// Whether the body may land at its end, whether it turns there, and where a one-way
    /// top carries it.
    lands: bool,
    turns: bool,
    tops: Spans,
    /// The feet at its end.
    y: f64,
}

struct Search<'a> {
    world: &'a dyn Geometry,
    profile: &'a AgentProfile,
    body: DVec2,
    rests: Vec<Rest>,
    /// Heights of tops.
    heights: Vec<f64>,
    pairs: Pairs,
}

/// Ordered pairs of floors, walls and ceilings between which one jump or drop leads, with
/// the layer's greatest acceleration in the air, and a speed at take-off that the run-up on
/// the platform allows; from walls and ceilings, none.
pub fn can_do_smoothly(world: &dyn Geometry, layer: &Layer) -> Pairs {
    let profile = layer.profile();
    let searched = [
        PlatformKind::Floor,
        PlatformKind::Wall,
        PlatformKind::Ceiling,
    ];
    let platforms = || (layer.platforms()).filter(|p| searched.contains(&p.kind));
    let rests = platforms().flat_map(|platform| {
        let straight = platform.surface.windows(2);
        let straight = straight.filter(|w| w[0].x == w[1].x || w[0].y == w[1].y);
        straight.map(move |w| Rest {
            platform: platform.id.0,
            kind: platform.kind,
            x: (f64::from(w[0].x), f64::from(w[1].x)),
            y: (f64::from(w[0].y), f64::from(w[1].y)),
        })
    });
    let mut search = Search {
        world,
        profile,
        body: body_of(profile),
        rests: rests.collect(),
        heights: world.heights(),
        pairs: Pairs::new(),
    };
    for platform in platforms() {
        let ends = (point(platform.left()), point(platform.right()));
        if platform.kind == PlatformKind::Floor {
            search.leave(platform.id.0, ends);
        } else {
            search.let_go(platform.id.0, platform.kind, ends);
        }
    }
    search.pairs
}

impl Search<'_> {
    fn can(&self, edge: EdgeSet) -> bool {
        self.profile.edges.contains(edge)
    }

    /// The speeds of the lattice: multiples of what a step changes.
    fn speeds(&self) -> Vec<f64> {
        let by = self.change();
        let most = (f64::from(self.profile.run_speed) / by).floor() as i32;
        (-most..=most).map(|k| f64::from(k) * by).collect()
    }

    /// The change of speed in a step.
    fn change(&self) -> f64 {
        f64::from(self.profile.air_acceleration.unwrap()) * STEP
    }

    /// All departures from a wall or ceiling: at rest across, with a jump off walls.
    fn let_go(&mut self, id: u32, kind: PlatformKind, (from, to): (DVec2, DVec2)) {
        let speeds = self.speeds();
        let heights = self.heights.iter().copied();
        let mut ys: Vec<f64> = heights.filter(|y| from.y < *y && *y < to.y).collect();
        ys.extend([from.y, to.y]);
        ys.dedup();
        for y in ys {
            let at_rest = |x: Spans| -> Vec<Spans> {
                let of = |speed: &f64| {
                    if *speed == 0.0 {
                        x.clone()
                    } else {
                        Spans::new()
                    }
                };
                speeds.iter().map(of).collect()
            };
            if self.can(EdgeSet::DROP) {
                // A one-way top carries a body that lets go over it.
                let carried = unite(self.world.one_way_x(y, self.body, 0.0));
                let falling = without(&vec![(from.x, to.x)], &carried);
                self.fly(id, y, 0.0, at_rest(falling), false);
            }
            if kind == PlatformKind::Wall && self.can(EdgeSet::JUMP) {
                for speed in self.launch_speeds(y) {
                    self.fly(id, y, speed, at_rest(vec![(from.x, to.x)]), false);
                }
            }
        }
    }

    /// All departures from a floor.
    fn leave(&mut self, id: u32, (left, right): (DVec2, DVec2)) {
        let speeds = self.speeds();
        let run_up = |speed: f64| speed * speed / (2.0 * f64::from(self.profile.acceleration));
        let own: Vec<((f64, f64), f64)> = self
            .rests
            .iter()
            .filter(|rest| rest.platform == id)
            .map(|rest| (rest.x, rest.y.0))
            .collect();
        for (x, y) in own {
            // Every x from which the run-up to the speed is on the platform.
            let starts: Vec<Spans> = speeds
                .iter()
                .map(|&speed| {
                    let behind = run_up(speed);
                    let (mut lo, mut hi) = x;
                    if speed > 0.0 {
                        lo = lo.max(left.x + behind);
                    } else if speed < 0.0 {
                        hi = hi.min(right.x - behind);
                    }
                    if lo <= hi {
                        vec![(lo, hi)]
                    } else {
                        Spans::new()
                    }
                })
                .collect();
            if self.can(EdgeSet::DROP_THROUGH) {
                self.fly(id, y, 0.0, starts.clone(), true);
            }
            if self.can(EdgeSet::JUMP) {
                for speed in self.launch_speeds(y) {
                    self.fly(id, y, speed, starts.clone(), false);
                }
            }
        }
        let out = 2.0 / 256.0;
        for (lip, past, sign) in [(left, left.x - out, -1.0), (right, right.x + out, 1.0)] {
            let p = DVec2::new(past, lip.y);
            let falls = !self.world.blocked(p, self.body, 1e-9)
                && !self.world.supported(p, self.body, 1e-3);
            if self.can(EdgeSet::DROP) && falls {
                let starts = speeds.iter().map(|&speed| {
                    let is_out = speed * sign > 0.0 && run_up(speed) <= right.x - left.x;
                    if is_out {
                        vec![(past, past)]
                    } else {
                        Spans::new()
                    }
                });
                self.fly(id, lip.y, 0.0, starts.collect(), false);
            }
        }
    }

    fn launch_speeds(&self, y: f64) -> Vec<f64> {
        let (most, gravity) = (
            f64::from(self.profile.jump_speed),
            f64::from(self.profile.gravity),
        );
        let even = (1..=LAUNCHES).map(|k| most * f64::from(k) / f64::from(LAUNCHES));
        let ceilings = self
            .rests
            .iter()
            .filter(|r| r.kind == PlatformKind::Ceiling);
        let heights = self.heights.iter().copied();
        let heights = heights.chain(ceilings.map(|rest| rest.y.0));
        let rises = heights.map(|h| y - h).filter(|r| *r > 1e-6);
        let touching = rises
            .map(|r| (2.0 * gravity * r).sqrt())
            .filter(|v| *v <= most);
        even.chain(touching).collect()
    }

    /// Follows a flight, and records the floors on which it can land. `starts`
    /// has the x for each speed.
    fn fly(&mut self, from: u32, ground: f64, launch: f64, starts: Vec<Spans>, through: bool) {
        let throw = Throw::new(self.profile, ground, launch);
        let speeds = self.speeds();
        let lowest = ground + f64::from(self.profile.max_drop[1]);
        let end = throw.passes(lowest + 1e-6).map_or(0.0, |t| t[1]);
        let moments = self.moments(&throw, lowest);
        let mut states = starts;
        let mut t = 0.0;
        while t < end && states.iter().any(|xs| !xs.is_empty()) {
            let next = t + STEP;
            let mut times = vec![t];
            times.extend(
                moments
                    .iter()
                    .copied()
                    .filter(|m| t + 1e-9 < *m && *m < next - 1e-9),
            );
            times.push(next);
            let parts = self.parts(&throw, &times, through);
            let mut after = vec![Spans::new(); speeds.len()];
            for (k, xs) in states.iter().enumerate().filter(|(_, xs)| !xs.is_empty()) {
                for to in [k.wrapping_sub(1), k, k + 1] {
                    if to < speeds.len() {
                        let ends = self.step(&throw, &parts, xs, [speeds[k], speeds[to]], from);
                        after[to].extend(ends);
                    }
                }
            }
            states = after.into_iter().map(closed_union).collect();
            t = next;
        }
    }

    /// The parts of a step between moments.
    fn parts(&self, throw: &Throw, times: &[f64], through: bool) -> Vec<Part> {
        let part = |pair: &[f64]| {
            let (y, y2) = (throw.height(pair[0]), throw.height(pair[1]));
            let falls = pair[0] >= throw.apex() - 1e-9;
            let mut blocked = self.world.blocked_x((y.min(y2), y.max(y2)), self.body, 0.0);
            if falls {
                blocked.extend(self.just_beneath(throw, y, y2, through));
            }
            let turns = (pair[1] - throw.apex()).abs() < 1e-9;
            let lands = falls || turns;
            Part {
                times: [pair[0] - times[0], pair[1] - times[0]],
                free: complement(&unite(blocked), 0.0, self.world.width()),
                lands,
                turns,
                tops: if lands {
                    unite(self.world.one_way_x(y2, self.body, 0.0))
                } else {
                    Spans::new()
                },
                y: y2,
            }
        };
        times.windows(2).map(part).collect()
    }

    /// Where the body can be after a step, from `xs`. Speeds of neighbouring
    /// places on the lattice have no opposite signs, so x rises or falls all
    /// the way.
    fn step(
        &mut self,
        throw: &Throw,
        parts: &[Part],
        xs: &Spans,
        [speed, then]: [f64; 2],
        from: u32,
    ) -> Spans {
        let rate = (then - speed) / STEP;
        let moved = |seconds: f64| (speed + 0.5 * rate * seconds) * seconds;
        let mut left = xs.clone();
        let mut d2 = 0.0;
        for part in parts {
            let d = moved(part.times[0]);
            d2 = moved(part.times[1]);
            let mut free = Spans::new();
            for (a, b) in &part.free {
                let (a, b) = (a - d.min(d2), b - d.max(d2));
                free.extend(
                    left.iter()
                        .map(|x| (x.0.max(a), x.1.min(b)))
                        .filter(|x| x.0 <= x.1),
                );
            }
            left = free;
            if part.lands {
                for rest in &self.rests {
                    // A wall is a point across, so rounding matters.
                    let reaches = |x: &(f64, f64)| {
                        (x.0 + d2).max(rest.x.0) <= (x.1 + d2).min(rest.x.1) + ROUNDING
                    };
                    let high = throw.y - part.y <= f64::from(self.profile.max_jump[1]) + 1e-6;
                    let at_height = rest.y.0 - 1e-6 < part.y && part.y < rest.y.1 + 1e-6;
                    let touches = rest.kind != PlatformKind::Ceiling || part.turns;
                    let lands = high && at_height && touches && rest.platform != from;
                    if lands && left.iter().any(reaches) {
                        self.pairs.insert((from, rest.platform));
                    }
                }
                if !part.tops.is_empty() {
                    let here: Spans = part.tops.iter().map(|t| (t.0 - d2, t.1 - d2)).collect();
                    left = without(&left, &here);
                }
            }
            if left.is_empty() {
                return left;
            }
        }
        left.iter().map(|x| (x.0 + d2, x.1 + d2)).collect()
    }

    /// Feet x, open, just beneath the one-way tops that a body falling from `y`
    /// to `y2` was on or above. A body that drops through its own top is closed
    /// out by the others only.
    fn just_beneath(&self, throw: &Throw, y: f64, y2: f64, through: bool) -> Spans {
        let deep = top_depth(self.profile);
        let highest = throw.height(throw.apex());
        let beneath = |top: &&f64| {
            let is_own = through && (throw.y - **top).abs() < 1e-6;
            **top + 1e-6 >= highest && **top < y2 - 1e-6 && y < **top + deep - 1e-6 && !is_own
        };
        let tops = self.heights.iter().filter(beneath);
        tops.flat_map(|top| self.world.one_way_x(*top, self.body, 0.0))
            .collect()
    }

    /// The apex, and the times at which a height, or the end of the space just
    /// beneath a top, is passed.
    fn moments(&self, throw: &Throw, lowest: f64) -> Vec<f64> {
        let deep = top_depth(self.profile);
        let top = throw.height(throw.apex());
        let heights = self.heights.iter().flat_map(|y| [*y, y + deep]);
        let level = self.rests.iter().filter(|r| r.kind != PlatformKind::Wall);
        let heights = heights.chain(level.map(|rest| rest.y.0));
        let passed = heights.filter(|y| *y <= lowest + 1e-6 && (*y - top).abs() > 1e-5);
        let mut all: Vec<f64> = passed.filter_map(|y| throw.passes(y)).flatten().collect();
        all.push(throw.apex());
        all.sort_by(f64::total_cmp);
        all.dedup_by(|b, a| *b - *a < 1e-9);
        all
    }
}

/// How far apart two intervals may be that count as touching. The same place,
/// reached in different ways, differs by rounding; without this, there are as many
/// intervals as ways.
const ROUNDING: f64 = 1e-7;

/// The union of closed intervals, which join where they touch.
fn closed_union(mut spans: Spans) -> Spans {
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut out = Spans::new();
    for span in spans {
        match out.last_mut() {
            Some(last) if span.0 <= last.1 + ROUNDING => last.1 = last.1.max(span.1),
            _ => out.push(span),
        }
    }
    out
}
