//! Where a flight leads: positions (or speeds, without air control) after each
//! time step.

use navmesh_runtime::mesh::PlatformKind;

use super::super::Spans;
use super::super::replay::top_depth;
use super::super::spans::{complement, speeds_into, unite, without};
use super::super::throw::Throw;
use super::{Gate, Referee, View};

/// Seconds between the moments at which jumps in the air are tried.
const AGAIN: f64 = 0.09;

/// One flight.
#[derive(Clone)]
pub(super) struct Flight {
    pub(super) from: u32,
    /// The height of take-off.
    pub(super) ground: f64,
    /// Positions of take-off; without air control, one point.
    pub(super) start: Spans,
    pub(super) throw: Throw,
    /// The x in which it may end.
    pub(super) window: (f64, f64),
    /// Horizontal speeds without air control.
    pub(super) speeds: (f64, f64),
    /// Whether it begins by letting go of what was climbed.
    pub(super) lets_go: bool,
    /// Remaining jumps in the air; tried with air control only.
    pub(super) launches: u8,
}

impl Referee<'_> {
    /// Follows a flight until it ends.
    pub(super) fn fly(&mut self, flight: &Flight) {
        let throw = flight.throw;
        let run = f64::from(self.profile.run_speed);
        let air_control = self.profile.air_control;
        let apex = throw.apex();
        let lowest = flight.ground + f64::from(self.profile.max_drop[1]);
        let highest = flight.ground - f64::from(self.profile.max_jump[1]);
        // With air control, positions. Without it, speeds, from which positions
        // follow.
        let mut set: Spans = if air_control {
            flight.start.clone()
        } else {
            vec![flight.speeds]
        };
        let x0 = flight.start[0].0;
        if throw.speed > 0.0 {
            set = self.under_gates(set, &throw, 0.0, x0);
        } else if flight.lets_go {
            // A body that a one-way top carries does not fall when it lets go.
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
            let mut blocked = self.blocked_at(span).clone();
            if t >= apex - 1e-9 {
                blocked.extend(self.just_beneath_tops(flight, y, y2));
                blocked = unite(blocked);
            }
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
                // One-way tops stop bodies that fall onto them.
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

    /// The times to check: every `dt`, whenever a row of tiles or the height of
    /// a platform is passed, and the apex, so that landings are exact.
    fn moments(&self, throw: &Throw, lowest: f64) -> Vec<f64> {
        let end = throw.passes(lowest + 1e-6).map_or(0.0, |t| t[1]);
        let even = (1..).map(|k| f64::from(k) * self.detail.dt);
        let mut all: Vec<f64> = even.take_while(|t| *t < end).collect();
        // An apex that passes a row by less than the lattice touches it.
        let top = throw.height(throw.apex());
        let passed = |y: &&f64| **y <= lowest + 1e-6 && (**y - top).abs() > 1e-5;
        let heights = self.heights.iter().filter(passed);
        all.extend(heights.filter_map(|y| throw.passes(*y)).flatten());
        all.push(throw.apex());
        all.retain(|t| *t > 1e-9);
        all.sort_by(f64::total_cmp);
        // Of two times close together the later one is kept: it is the exact
        // one.
        all.dedup_by(|b, a| {
            let same = *b - *a < 1e-9;
            if same {
                *a = *b;
            }
            same
        });
        all
    }

    /// Records the platforms on which a body at a height comes to rest.
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
            // A body beyond a one-way wall does not come back.
            for gate in gates {
                if gate.way == '>' && gate.at <= a + 1e-9 {
                    lo = lo.max(gate.at);
                } else if gate.way == '<' && gate.at >= b - 1e-9 {
                    hi = hi.min(gate.at);
                }
            }
            // It spreads where it was free, not through walls.
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

    /// The part of a set that continues to rise at time `t`, when heads are
    /// just below one-way ceilings.
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

    /// Feet x, open, that are closed to a body falling from `y` to `y2`: beneath
    /// the one-way tops that it was on or above, until it has fallen past them
    /// as far as it falls in a twentieth of a second from rest. An engine would
    /// support it there.
    fn just_beneath_tops(&self, flight: &Flight, y: f64, y2: f64) -> Spans {
        let deep = top_depth(self.profile);
        let highest = flight.throw.height(flight.throw.apex());
        let start = flight.start[0];
        let mut closed = Spans::new();
        for &top in &self.heights {
            let is_beneath = top + 1e-6 >= highest && top < y2 - 1e-6 && y < top + deep - 1e-6;
            if !is_beneath {
                continue;
            }
            let spans = self.one_way_x(top);
            // A body that drops through a top, or lets go beneath it, starts
            // where it is closed.
            let starts_in = spans.iter().any(|&(a, b)| a < start.1 && start.0 < b);
            let is_own = flight.throw.speed == 0.0 && starts_in && y < top + deep;
            if !(is_own && (flight.ground - top).abs() < 1e-6) {
                closed.extend(spans);
            }
        }
        closed
    }

    /// A set at time `t` without some open intervals of x.
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

/// Positions, split at one-way walls.
fn beside(set: &Spans, gates: &[Gate]) -> Spans {
    /// Positions this close to a line count as beyond it.
    const HAIR: f64 = 1e-6;
    if gates.is_empty() {
        return set.clone();
    }
    let mut lines: Vec<&Gate> = gates.iter().collect();
    lines.sort_by(|a, b| a.at.total_cmp(&b.at));
    let mut parts = Spans::new();
    for &(mut a, b) in set {
        for gate in &lines {
            // The point of the line belongs to the side from which it is
            // closed.
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
