//! Motions onto and off platforms that move by a schedule.
//!
//! For all other motions, the way of such a platform is closed, as a closed door is: nothing
//! stands, jumps or walks where it passes. So a body that waits for it is never in its way.
//! Its own motions are found by trying flights at every tick: against the platform in
//! continuous time, and against everything that does not move as for any other link.

use glam::DVec2;
use navmesh_runtime::mesh::{
    Contact, EdgeSet, MarkerId, MovingPlatform, PlatformId, PlatformKind, Rider, TICKS, Trajectory,
    Transfer,
};

use crate::agent_limits::AgentLimits;
use crate::geometry::{ConfigurationSpace, Interval, Motion};
use crate::layout::Layout;
use crate::level::Rect;
use crate::links::movers::{Mover, in_level};
use crate::surfaces::Surfaces;

/// Flights are tried with these parts of the jump speed and of the run speed, in quarters.
const LAUNCHES: [i32; 3] = [4, 3, 2];
const SPEEDS: [i32; 9] = [4, -4, 3, -3, 2, -2, 1, -1, 0];

/// Most take-offs that are tried on a straight piece of floor.
const MAX_TAKE_OFFS: usize = 40;

/// Ticks of a period at which all flights are tried. The best are then tried at every tick.
const SAMPLES: u32 = 64;

/// Most motions between a floor and a platform that are kept. Each is a node of searches.
const MAX_MOTIONS: usize = 16;

/// What the motions of one platform are searched with.
struct RideFinder<'a> {
    /// Where the body is blocked, but for the way of the platform.
    space: &'a dyn ConfigurationSpace,
    surfaces: &'a Surfaces,
    layout: &'a Layout,
    limits: &'a AgentLimits,
    rider: Rider,
    on: MovingPlatform,
}

/// A motion that may be possible at some ticks.
struct Candidate {
    transfer: Transfer,
    /// For a flight from a floor, which is the same at every tick, and the seconds until it
    /// meets something that does not move.
    flight: Option<(Trajectory, f64)>,
}

/// The platform with all motions onto and off it of an agent; `None` if it cannot ride on it.
/// `space` is where the body is blocked, but for the way of the platform.
pub fn rides(
    mover: &Mover,
    space: &dyn ConfigurationSpace,
    surfaces: &Surfaces,
    layout: &Layout,
    limits: &AgentLimits,
) -> Option<MovingPlatform> {
    // A body walks faster than the platform moves, so that a later start never arrives first.
    if mover.speed > limits.run_speed {
        return None;
    }
    let mut finder = RideFinder {
        space,
        surfaces,
        layout,
        limits,
        rider: Rider {
            body: limits.body,
            fall: limits.fall,
            speed: limits.run_speed,
            skin: layout.skin(),
            down: layout.units.y_axis.down().into(),
        },
        on: MovingPlatform {
            marker: MarkerId(mover.marker as u32),
            size: mover.size,
            one_way: mover.one_way,
            schedule: mover.schedule.clone(),
            deck: [0.0, mover.size.x],
            boards: Vec::new(),
            exits: Vec::new(),
        },
    };
    finder.on.deck = finder.deck()?;
    let mut boards = finder.walks();
    let exits = boards.iter().map(|walk| Candidate {
        transfer: walk.transfer.clone(),
        flight: None,
    });
    let mut exits: Vec<Candidate> = exits.collect();
    finder.add_flights_onto(&mut boards);
    finder.add_flights_off(&mut exits);
    let boards = finder.choose(boards, |own, tick| finder.boards_at(own, tick));
    let exits = finder.choose(exits, |own, tick| finder.exits_at(own, tick));
    let can_ride = !boards.is_empty() && !exits.is_empty();
    (finder.on.boards, finder.on.exits) = (boards, exits);
    can_ride.then_some(finder.on)
}

impl RideFinder<'_> {
    /// The left end of the top at a tick, in level pixels.
    fn at(&self, tick: f64) -> DVec2 {
        in_level(self.on.schedule.state(tick).0, self.rider.down)
    }

    /// The longest part of the top on which a body can stand at all times.
    fn deck(&self) -> Option<[f32; 2]> {
        let width = f64::from(self.on.size.x);
        let (mut blocked, mut found) = (Vec::new(), Vec::new());
        for tick in 0..self.on.schedule.period() {
            let [a, b] = [tick, tick + 1].map(|tick| self.at(tick.into()));
            if tick > 0 && a == b {
                continue;
            }
            let (x, band) = (Interval::between(a.x, b.x), Interval::between(a.y, b.y));
            let window = Interval::new(x.lo, x.hi + width);
            self.space.blocked_x(band, window, &mut found);
            blocked.extend(found.iter().map(|own| [own.lo - x.hi, own.hi - x.lo]));
        }
        blocked.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let (mut best, mut from) = ([0.0, -1.0], 0.0);
        for [lo, hi] in blocked.into_iter().chain([[width, width]]) {
            let until = f64::min(lo, width);
            if until - from > best[1] - best[0] {
                best = [from, until];
            }
            from = f64::max(from, hi);
        }
        // Rounded inwards, on the lattice.
        let ends = [self.layout.ceil(best[0]), self.layout.floor(best[1])];
        (ends[0] <= ends[1]).then(|| ends.map(|x| x as f32))
    }

    /// The level pieces of floors, with their platforms.
    fn floors(&self) -> impl Iterator<Item = (u32, DVec2, DVec2)> {
        let platforms = (0..).zip(&self.surfaces.platforms);
        let floors = platforms.filter(|(_, line)| line.kind == PlatformKind::Floor);
        floors.flat_map(|(id, line)| line.flat_segments().map(move |(a, b)| (id, a, b)))
    }

    /// The box around all that the platform passes.
    fn passed(&self) -> Rect {
        let keys = self.on.schedule.keys.iter();
        let corners = keys.map(|(_, at)| in_level(at.as_dvec2(), self.rider.down));
        let ends = corners.flat_map(|at| [at, at + self.on.size.as_dvec2()]);
        Rect::around(ends).unwrap_or(Rect::new(DVec2::ZERO, DVec2::ZERO))
    }

    /// How far from where the platform passes a motion may begin or end.
    fn reach(&self) -> Rect {
        let passed = self.passed();
        let far = self.limits.max_jump.max(self.limits.max_drop) + self.limits.body;
        Rect::new(passed.min - far, passed.max + far)
    }

    fn transfer(&self, platform: u32, floor: DVec2) -> Transfer {
        Transfer {
            platform: PlatformId(platform),
            floor: in_level(floor, self.rider.down).as_vec2(),
            deck: self.on.deck[0],
            launch: None,
            across: 0.0,
            ramp: 0.0,
            run: 0.0,
            windows: Vec::new(),
        }
    }

    /// Walks from floors beside the platform where it pauses, to the nearest place on it; and back.
    fn walks(&self) -> Vec<Candidate> {
        let (half, width) = (0.5 * self.limits.body.x, f64::from(self.on.size.x));
        let [low, high] = self.on.deck;
        let pauses = self.on.schedule.keys.windows(2);
        let pauses = pauses.filter(|pair| pair[0].1 == pair[1].1);
        let mut found: Vec<Candidate> = Vec::new();
        for stop in pauses.map(|pair| in_level(pair[0].1.as_dvec2(), self.rider.down)) {
            for (platform, a, b) in self.floors() {
                for (side, deck) in [(-half, low), (width + half, high)] {
                    let beside = stop + DVec2::new(side, 0.0);
                    let from = DVec2::new(beside.x.clamp(a.x, b.x), a.y);
                    let transfer = Transfer {
                        deck,
                        ..self.transfer(platform, from)
                    };
                    let way = Interval::between(from.x, stop.x + f64::from(deck));
                    let is_beside = (beside - from).abs().max_element() <= self.layout.quantum;
                    if is_beside
                        && found.iter().all(|known| known.transfer != transfer)
                        && !self.space.overlaps(way, Interval::at(from.y))
                    {
                        found.push(Candidate {
                            transfer,
                            flight: None,
                        });
                    }
                }
            }
        }
        found
    }

    /// Seconds until a body that took off at rest moves across at a speed. As in other motions, a
    /// tenth of the acceleration is left for steering.
    fn ramp(&self, across: f32) -> f32 {
        let most = self.limits.air_acceleration;
        most.map_or(0.0, |most| (f64::from(across.abs()) / (0.9 * most)) as f32)
    }

    /// Speeds of flights: upwards and across.
    fn speeds(&self) -> impl Iterator<Item = (f32, f32)> {
        let jumps = self.limits.jumps();
        let launches = LAUNCHES.into_iter().filter(move |_| jumps);
        let (jump, run) = (0.25 * self.limits.jump_speed, 0.25 * self.limits.run_speed);
        launches.flat_map(move |up| {
            SPEEDS.map(|across| {
                (
                    (jump * f64::from(up)) as f32,
                    (run * f64::from(across)) as f32,
                )
            })
        })
    }

    fn add_flights_onto(&self, found: &mut Vec<Candidate>) {
        let reach = self.reach();
        let step = self.layout.search_step(self.limits.body);
        for (platform, a, b) in self.floors() {
            let (left, right) = (a.x.max(reach.min.x), b.x.min(reach.max.x));
            if left > right || !(reach.min.y..=reach.max.y).contains(&a.y) {
                continue;
            }
            let count = ((right - left) / step)
                .ceil()
                .min(MAX_TAKE_OFFS as f64)
                .max(1.0);
            for number in 0..=count as u32 {
                let x = left + (right - left) * f64::from(number) / count;
                let x = self.layout.round(x).clamp(a.x, b.x);
                for (launch, across) in self.speeds() {
                    self.add_flight_onto(
                        found,
                        Transfer {
                            launch: Some(launch),
                            across,
                            ramp: self.ramp(across),
                            ..self.transfer(platform, DVec2::new(x, a.y))
                        },
                    );
                }
            }
        }
        if !self.limits.drops() || self.limits.air_acceleration.is_some() {
            return;
        }
        for (platform, line) in (0..).zip(&self.surfaces.platforms) {
            for (end, edge) in [
                (line.start(), line.edge_left),
                (line.end(), line.edge_right),
            ] {
                let Some(edge) = edge else { continue };
                for part in [4, 3, 2, 1] {
                    let speed = 0.25 * f64::from(part) * self.limits.run_speed;
                    self.add_flight_onto(
                        found,
                        Transfer {
                            launch: Some(0.0),
                            across: (speed.copysign(edge - end.x)) as f32,
                            run: ((edge - end.x).abs() / speed) as f32,
                            ..self.transfer(platform, end)
                        },
                    );
                }
            }
        }
    }

    fn add_flight_onto(&self, found: &mut Vec<Candidate>, transfer: Transfer) {
        let Some(flight) = self.on.flight_onto(&self.rider, &transfer) else {
            return;
        };
        let motion = Motion {
            space: self.space,
            from: in_level(transfer.floor.as_dvec2(), self.rider.down),
            trajectory: &flight,
            through: false,
        };
        // Whether it leads over any place where the platform passes.
        let Rect { min, max } = self.passed();
        let half = 0.5 * self.limits.body.x;
        let x = Interval::between(motion.from.x, motion.from.x + flight.end.x);
        if x.hi < min.x - half || x.lo > max.x + half {
            return;
        }
        let until = motion
            .first_obstruction()
            .map_or(f64::INFINITY, |(time, _)| time);
        found.push(Candidate {
            transfer,
            flight: Some((flight, until)),
        });
    }

    fn add_flights_off(&self, found: &mut Vec<Candidate>) {
        let reach = self.reach();
        let [low, high] = self.on.deck;
        let mut decks = [0.0, 0.25, 0.5, 0.75, 1.0]
            .map(|part| self.layout.round(f64::from(low + (high - low) * part)) as f32)
            .to_vec();
        decks.dedup();
        for (platform, a, b) in self.floors() {
            let is_near = a.x <= reach.max.x
                && b.x >= reach.min.x
                && (reach.min.y..=reach.max.y).contains(&a.y);
            for &deck in decks.iter().filter(|_| is_near) {
                for (launch, across) in self.speeds() {
                    let transfer = Transfer {
                        deck,
                        launch: Some(launch),
                        across,
                        ramp: self.ramp(across),
                        // Any place of the piece of floor where it lands.
                        ..self.transfer(platform, 0.5 * (a + b))
                    };
                    found.push(Candidate {
                        transfer,
                        flight: None,
                    });
                }
            }
        }
    }

    /// Whether a motion of this length is within the limits of the agent.
    fn is_within_limits(&self, across: f64, up: f64, launch: f32) -> bool {
        let most = if launch > 0.0 {
            self.limits.max_jump
        } else {
            self.limits.max_drop
        };
        across.abs() <= most.x && up <= most.y && -up <= self.limits.max_drop.y
    }

    /// Whether the platform stands still for a walk at the height of a floor that ends
    /// beside it.
    fn walks_at(&self, walk: &Transfer, tick: f64) -> bool {
        let end = in_level(walk.floor.as_dvec2(), self.rider.down);
        let at = self.at(tick);
        let side = if walk.floor.x < at.x as f32 {
            -0.5 * self.limits.body.x
        } else {
            f64::from(self.on.size.x) + 0.5 * self.limits.body.x
        };
        let off = (at + DVec2::new(side, 0.0) - end).abs();
        let ticks = (at.x + f64::from(walk.deck) - end.x).abs() / self.rider.speed * TICKS;
        // The platform moves at constant speed between whole ticks.
        let until = (tick + ticks).ceil();
        let stays = (0..=(until - tick) as u32).all(|i| self.at(tick + f64::from(i)) == at);
        off.max_element() <= self.layout.quantum && stays
    }

    fn boards_at(&self, own: &Candidate, tick: u32) -> bool {
        let (transfer, tick) = (&own.transfer, f64::from(tick));
        let Some((flight, until)) = &own.flight else {
            return self.walks_at(transfer, tick);
        };
        let from = transfer.floor.as_dvec2();
        let Contact::Lands(time, x) = self.on.contact(&self.rider, flight, from, tick, *until)
        else {
            return false;
        };
        let way = flight.offset(time);
        (f64::from(self.on.deck[0])..=f64::from(self.on.deck[1])).contains(&x)
            && self.is_within_limits(way.x, way.y, transfer.launch.unwrap_or(0.0))
    }

    fn exits_at(&self, own: &Candidate, tick: u32) -> bool {
        let (transfer, tick) = (&own.transfer, f64::from(tick));
        if transfer.launch.is_none() {
            return self.walks_at(transfer, tick);
        }
        let Some(flight) = self.on.flight_off(&self.rider, transfer, tick) else {
            return false;
        };
        let from = self.on.exit_start(transfer, tick);
        let to = from.x + flight.end.x;
        let line = &self.surfaces.platforms[transfer.platform.index()];
        let height = f64::from(transfer.floor.y) * self.rider.down;
        // A quarter of a body from the ends of the floor, or in the middle of a short one.
        let is_inside = line.flat_segments().any(|(a, b)| {
            let margin = (0.25 * self.limits.body.x).min(0.5 * (b.x - a.x));
            a.y == height && a.x + margin <= to && to <= b.x - margin
        });
        is_inside
            && self.is_within_limits(flight.end.x, flight.end.y, transfer.launch.unwrap_or(0.0))
            && self
                .on
                .contact(&self.rider, &flight, from, tick, f64::INFINITY)
                == Contact::Passes
            && Motion {
                space: self.space,
                from: in_level(from, self.rider.down),
                trajectory: &flight,
                through: false,
            }
            .is_clear()
    }

    /// Those of some motions that are needed, for each floor, to start at every tick at which
    /// one of them is possible, with their windows.
    fn choose(
        &self,
        candidates: Vec<Candidate>,
        is_valid: impl Fn(&Candidate, u32) -> bool,
    ) -> Vec<Transfer> {
        let edges = self.limits.edges;
        let is_allowed = |own: &Candidate| match own.transfer.launch {
            Some(speed) if speed > 0.0 => edges.contains(EdgeSet::JUMP),
            Some(_) => edges.contains(EdgeSet::DROP),
            None => edges.contains(EdgeSet::FLOOR),
        };
        let period = self.on.schedule.period();
        let stride = (period / SAMPLES).max(1) as usize;
        let mut rated: Vec<(Vec<u32>, Candidate)> = Vec::new();
        let candidates = candidates.into_iter().filter(is_allowed);
        // Each at other ticks than those before it, which differ little: so all ticks are tried.
        for (number, own) in candidates.enumerate() {
            let samples = ((number % stride) as u32..period).step_by(stride);
            let hits: Vec<u32> = samples.filter(|&tick| is_valid(&own, tick)).collect();
            if !hits.is_empty() {
                rated.push((hits, own));
            }
        }
        // Stable, so that equal ones stay in the order in which they were tried.
        rated.sort_by(|(a, x), (b, y)| {
            let floors = x.transfer.platform.cmp(&y.transfer.platform);
            floors.then(b.len().cmp(&a.len()))
        });
        let floors = rated.chunk_by(|(_, a), (_, b)| a.transfer.platform == b.transfer.platform);
        let kept = floors.map(|of_floor| cover(of_floor, period, stride as u32, &is_valid));
        kept.flatten().collect()
    }
}

/// Those of the motions of a floor that are needed, with their windows. Each has the ticks at
/// which it was tried and possible.
fn cover(
    of_floor: &[(Vec<u32>, Candidate)],
    period: u32,
    stride: u32,
    is_valid: &impl Fn(&Candidate, u32) -> bool,
) -> Vec<Transfer> {
    let mut is_covered = vec![false; period as usize];
    let mut kept: Vec<Transfer> = Vec::new();
    // First those that add most, then those that add ticks around the ones that were tried.
    let mut next = of_floor.iter();
    while kept.len() < MAX_MOTIONS {
        let gains = of_floor.iter().map(|own| {
            let new = own.0.iter().filter(|tick| !is_covered[**tick as usize]);
            (new.count(), own)
        });
        let best = gains.rev().max_by_key(|(gain, _)| *gain);
        let adds = |(hits, own): &&(Vec<u32>, Candidate)| {
            let near = hits
                .iter()
                .flat_map(|&hit| hit.saturating_sub(stride)..(hit + stride).min(period));
            let mut new = near.filter(|&tick| !is_covered[tick as usize]);
            new.any(|tick| is_valid(own, tick))
        };
        let best = best.filter(|(gain, _)| *gain > 0).map(|(_, own)| own);
        let Some((_, own)) = best.or_else(|| next.find(adds)) else {
            break;
        };
        let valid: Vec<bool> = (0..period).map(|tick| is_valid(own, tick)).collect();
        for (covered, valid) in is_covered.iter_mut().zip(&valid) {
            *covered |= valid;
        }
        kept.push(Transfer {
            windows: runs(&valid),
            ..own.transfer.clone()
        });
    }
    kept
}

/// The first and the last index of each run of `true`.
fn runs(valid: &[bool]) -> Vec<[u32; 2]> {
    let mut runs: Vec<[u32; 2]> = Vec::new();
    for (tick, _) in (0..).zip(valid).filter(|(_, valid)| **valid) {
        match runs.last_mut() {
            Some([_, last]) if *last + 1 == tick => *last = tick,
            _ => runs.push([tick, tick]),
        }
    }
    runs
}
