//! Motions onto and off platforms that move by a schedule.
//!
//! For all other motions, the way of such a platform is closed, as a closed door is: nothing
//! stands, jumps or walks where it passes. So a body that waits for it is never in its way.
//! Where a floor goes on beyond the way, a body walks across while the platform is elsewhere.
//! Its own motions are found by trying flights at every tick: against the platform in
//! continuous time, and against everything that does not move as for any other link.

use std::collections::BTreeMap;

use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{
    Contact, EdgeSet, MarkerId, MovingPlatform, PlatformId, PlatformKind, Rider, TICKS, Trajectory,
    Transfer,
};

use crate::agent_limits::AgentLimits;
use crate::geometry::{ConfigurationSpace, Interval, Motion, TopEdge, merge};
use crate::layout::Layout;
use crate::level::Rect;
use crate::links::movers::{Mover, in_level};
use crate::surfaces::Surfaces;
use crate::surfaces::platform_line::PlatformLine;

/// Flights are tried with these parts of the jump speed and of the run speed, in quarters.
const LAUNCHES: [i32; 3] = [4, 3, 2];
const SPEEDS: [i32; 9] = [4, -4, 3, -3, 2, -2, 1, -1, 0];

/// Places from which a flight is tried, in a search step: two pixels apart for most bodies.
const PLACES: f64 = 4.0;

/// Ticks of a period at which the motions that are possible at one tick are compared.
const SAMPLES: usize = 16;

/// Most motions between a floor and a platform that are kept. Each is a node of searches.
const MAX_MOTIONS: usize = 16;

/// A body that comes down on the platform less than this before it meets something else,
/// seconds, may end on either. It falls a fiftieth of a pixel in this time.
const AT_ONCE: f64 = 1e-4;

/// Half the width of a platform on which all bodies land that come down to its height: wider
/// than any level.
const EVERYWHERE: f64 = 1e7;

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
#[derive(Clone)]
struct Candidate {
    transfer: Transfer,
    /// For a flight from a floor, which is the same at every tick, and the seconds until it
    /// meets something that does not move.
    flight: Option<(Trajectory, f64)>,
}

/// The platform with all motions onto and off it of an agent; `None` if it cannot ride on it.
/// `space` is where the body is blocked, but for the way of the platform; `closed` with it.
pub fn rides(
    mover: &Mover,
    space: &dyn ConfigurationSpace,
    closed: &dyn ConfigurationSpace,
    surfaces: &Surfaces,
    layout: &Layout,
    limits: &AgentLimits,
) -> Option<MovingPlatform> {
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
            deck: MovingPlatform::NO_DECK,
            boards: Vec::new(),
            exits: Vec::new(),
        },
    };
    // A body walks faster than the platform moves, so that a later start never arrives first.
    if mover.speed <= limits.run_speed
        && let Some(deck) = finder.deck()
    {
        finder.on.deck = deck;
        finder.add_rides();
    }
    let mut crossings = finder.walks_across();
    crossings.extend(finder.flights_across(closed));
    finder.on.exits.extend(crossings);
    (!finder.on.exits.is_empty()).then_some(finder.on)
}

impl RideFinder<'_> {
    /// Finds the motions from floors onto the platform and from it to floors.
    fn add_rides(&mut self) {
        let (mut boards, mut exits) = (Vec::new(), Vec::new());
        let finder = &*self;
        let walks = finder.walks();
        for (platform, line) in (0..).zip(&self.surfaces.platforms) {
            let own = walks.iter().filter(|own| own.platform.0 == platform);
            let own = own.cloned().map(|transfer| Candidate {
                transfer,
                flight: None,
            });
            let own: Vec<Candidate> = own.collect();
            let mut drops = finder.drops(platform, line);
            drops.splice(0..0, own.clone());
            let flights = finder.flights(platform, line);
            boards.extend(FloorMotions::new(finder, true, drops, &flights).chosen());
            exits.extend(FloorMotions::new(finder, false, own, &flights).chosen());
        }
        if boards.is_empty() || exits.is_empty() {
            self.on.deck = MovingPlatform::NO_DECK;
        } else {
            (self.on.boards, self.on.exits) = (boards, exits);
        }
    }

    /// Walks from floor to floor where only the way of the platform is between them.
    fn walks_across(&self) -> Vec<Transfer> {
        let mut found = Vec::new();
        if !self.limits.edges.contains(EdgeSet::FLOOR) {
            return found;
        }
        let Rect { min, max } = self.passed();
        let near = Rect::new(min - self.limits.body, max + self.limits.body);
        let floors = (0..).zip(&self.surfaces.platforms);
        let floors = floors.filter(|(_, line)| line.kind == PlatformKind::Floor);
        let starts: Vec<_> = (floors.clone())
            .map(|(id, line)| (PlatformId(id), line.start()))
            .filter(|(_, at)| is_in(near, *at))
            .collect();
        let ends = floors.map(|(id, line)| (PlatformId(id), line.end()));
        for left in ends.filter(|(_, at)| is_in(near, *at)) {
            let beyond = starts
                .iter()
                .filter(|(_, at)| at.y == left.1.y && at.x > left.1.x);
            let right = beyond.min_by(|a, b| a.1.x.total_cmp(&b.1.x));
            if let Some(&right) = right.filter(|right| self.carries(left.1, right.1)) {
                found.extend([self.crossing(left, right), self.crossing(right, left)]);
            }
        }
        found.retain(|own| !own.windows.is_empty());
        found
    }

    /// Whether a level floor leads from a place to another to the right, free of what does not
    /// move.
    fn carries(&self, left: DVec2, right: DVec2) -> bool {
        let (way, height) = (Interval::new(left.x, right.x), left.y);
        let tops = self.space.top_edges(Interval::new(height - 1.0, height));
        let tops = tops
            .iter()
            .filter(|top| top.is_flat() && top.left.y == height);
        let mut tops: Vec<Interval> = tops.map(TopEdge::x).collect();
        merge(&mut tops);
        tops.iter().any(|top| top.lo <= way.lo && way.hi <= top.hi)
            && !self.space.overlaps(way, Interval::at(height))
    }

    /// A walk from floor to floor, with the windows in which the platform is elsewhere.
    fn crossing(&self, from: (PlatformId, DVec2), to: (PlatformId, DVec2)) -> Transfer {
        let way = to.1.x - from.1.x;
        // A drop that ends as it leaves the floor is a walk.
        let walk = Transfer {
            launch: Some(0.0),
            across: self.rider.speed.copysign(way) as f32,
            run: (way.abs() / self.rider.speed) as f32,
            ..self.transfer(to.0.0, to.1)
        };
        let start = in_level(from.1, self.rider.down);
        let windows = walk.flight(self.rider.fall, 0.0);
        let windows = windows.map(|walk| self.windows_across(&walk, start));
        Transfer {
            start: Some((from.0, start.as_vec2())),
            windows: windows.unwrap_or_default(),
            ..self.transfer(to.0.0, to.1)
        }
    }

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
            deck: self.on.deck[0].min(self.on.deck[1]),
            launch: None,
            across: 0.0,
            ramp: 0.0,
            run: 0.0,
            windows: Vec::new(),
            start: None,
        }
    }

    /// Walks from floors beside the platform where it pauses, to the nearest place on it; and back.
    fn walks(&self) -> Vec<Transfer> {
        if !self.limits.edges.contains(EdgeSet::FLOOR) {
            return Vec::new();
        }
        let (half, width) = (0.5 * self.limits.body.x, f64::from(self.on.size.x));
        let [low, high] = self.on.deck;
        let pauses = self.on.schedule.keys.windows(2);
        let pauses = pauses.filter(|pair| pair[0].1 == pair[1].1);
        let mut found: Vec<Transfer> = Vec::new();
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
                        && !found.contains(&transfer)
                        && !self.space.overlaps(way, Interval::at(from.y))
                    {
                        found.push(transfer);
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

    /// Flights from floor to floor through the way of the platform: for each two floors that no
    /// other flight joins, the one with the most ticks.
    fn flights_across(&self, closed: &dyn ConfigurationSpace) -> Vec<Transfer> {
        let mut found = Vec::new();
        let floors = (0..).zip(&self.surfaces.platforms);
        let floors = floors.map(|(id, line)| self.flights(id, line));
        let floors: Vec<Vec<Flights>> = floors.filter(|own| !own.is_empty()).collect();
        for from in &floors {
            for to in &floors {
                if from[0].transfer.platform != to[0].transfer.platform {
                    found.extend(self.flight_across(from, to, closed));
                }
            }
        }
        found
    }

    fn flight_across(
        &self,
        from: &[Flights],
        to: &[Flights],
        closed: &dyn ConfigurationSpace,
    ) -> Option<Transfer> {
        let speeds = self.speeds().count();
        let mut best: (usize, Option<Transfer>) = (0, None);
        let pairs = from
            .iter()
            .flat_map(|own| to.iter().step_by(speeds).map(move |to| (own, to)));
        let flights = pairs.filter_map(|(own, to)| self.between(own, to));
        let flights: Vec<(Transfer, Trajectory)> = flights.collect();
        if !flights
            .iter()
            .any(|(own, flight)| self.meets_way(own, flight))
        {
            return None;
        }
        for (transfer, flight) in flights {
            let start = transfer.start.map_or(Vec2::ZERO, |(_, at)| at).as_dvec2();
            let motion = Motion {
                space: self.space,
                from: in_level(start, self.rider.down),
                trajectory: &flight,
                through: false,
            };
            if !motion.is_clear() {
                continue;
            }
            if (Motion {
                space: closed,
                ..motion
            })
            .is_clear()
            {
                return None;
            }
            let windows = self.windows_across(&flight, start);
            let ticks = windows
                .iter()
                .map(|[first, last]| (last - first + 1) as usize)
                .sum();
            if ticks > best.0 {
                best = (
                    ticks,
                    Some(Transfer {
                        windows,
                        ..transfer
                    }),
                );
            }
        }
        best.1
    }

    /// A flight at one velocity from the middle of where it can begin on a floor to land on
    /// another.
    fn between(&self, own: &Flights, to: &Flights) -> Option<(Transfer, Trajectory)> {
        let (from, floor) = (&own.transfer, to.transfer.floor);
        // Most floors are too far away, or in the other direction.
        let gap = if from.across < 0.0 {
            own.from.lo - to.from.hi
        } else {
            to.from.lo - own.from.hi
        };
        let other = own.from.lo.max(to.from.lo) - own.from.hi.min(to.from.hi);
        if gap > self.limits.max_jump.x || other > gap.max(0.0) {
            return None;
        }
        let depth = self.rider.down * f64::from(floor.y - from.floor.y);
        let flight = from.flight(self.rider.fall, depth)?;
        let across = flight.end.x;
        if !self.is_within_limits(across, flight.end.y, from.launch.unwrap_or(0.0)) {
            return None;
        }
        let margin = self.margin(to.from.lo, to.from.hi);
        let low = own.from.lo.max(to.from.lo + margin - across);
        let high = own.from.hi.min(to.from.hi - margin - across);
        let x = self
            .layout
            .round(0.5 * (low + high))
            .clamp(own.from.lo, own.from.hi);
        let start = Vec2::new(x as f32, from.floor.y);
        let transfer = Transfer {
            platform: to.transfer.platform,
            floor,
            start: Some((from.platform, start)),
            ..from.clone()
        };
        (low <= high).then_some((transfer, flight))
    }

    /// Whether the box around a flight from a floor meets the box around what the platform passes.
    fn meets_way(&self, own: &Transfer, flight: &Trajectory) -> bool {
        let start = own.start.map_or(Vec2::ZERO, |(_, at)| at).as_dvec2();
        let (from, body) = (in_level(start, self.rider.down), self.limits.body);
        let speed = f64::from(own.launch.unwrap_or(0.0));
        let rise = 0.5 * speed * speed / self.rider.fall.gravity;
        let end = DVec2::new(from.x + flight.end.x, from.y - flight.end.y);
        let Rect { min, max } = self.passed();
        let half = 0.5 * body.x;
        from.x.min(end.x) <= max.x + half
            && from.x.max(end.x) >= min.x - half
            && from.y - rise <= max.y + body.y
            && from.y.max(end.y) >= min.y
    }

    /// The windows in which the platform is not in the way of a motion.
    fn windows_across(&self, motion: &Trajectory, start: DVec2) -> Vec<[u32; 2]> {
        let ticks = 0..self.on.schedule.period();
        let passes = ticks.map(|tick| {
            let until = f64::INFINITY;
            let met = self
                .on
                .contact(&self.rider, motion, start, tick.into(), until);
            met == Contact::Passes
        });
        runs(&passes.collect::<Vec<_>>())
    }

    /// All flights between the level pieces of a floor and the platform.
    fn flights(&self, platform: u32, line: &PlatformLine) -> Vec<Flights> {
        let reach = self.reach();
        let is_near = |(a, b): &(DVec2, DVec2)| {
            a.x <= reach.max.x && b.x >= reach.min.x && (reach.min.y..=reach.max.y).contains(&a.y)
        };
        let is_floor = line.kind == PlatformKind::Floor;
        // Where feet on the platform can be, and its heights, y up.
        let keys = self.on.schedule.keys.iter();
        let places = keys.map(|(_, at)| self.rider.up(at.as_dvec2()));
        let (low, high) = places.fold((DVec2::MAX, DVec2::MIN), |(low, high), at| {
            (low.min(at), high.max(at))
        });
        let [lowest, highest] = [low.y, high.y];
        let [left, right] = [low.x, high.x + f64::from(self.on.size.x)];
        let pieces = line
            .flat_segments()
            .filter(|piece| is_floor && is_near(piece));
        let flights = pieces.flat_map(|(a, b)| {
            self.speeds().map(move |(launch, across)| {
                let transfer = Transfer {
                    launch: Some(launch),
                    across,
                    ramp: self.ramp(across),
                    ..self.transfer(platform, 0.5 * (a + b))
                };
                let from = Interval::new(a.x, b.x);
                let depths = [(-a.y - lowest, 1.0), (highest + a.y, -1.0)];
                let [onto, off] = depths.map(|(depth, way)| {
                    let flight = transfer.flight(self.rider.fall, depth);
                    let ends = flight.map(|flight| Interval::between(0.0, way * flight.end.x));
                    ends.is_some_and(|ends| left - ends.hi <= from.hi && right - ends.lo >= from.lo)
                });
                Flights {
                    onto: self.on.flight_onto(&self.rider, &transfer).filter(|_| onto),
                    off,
                    transfer,
                    from,
                }
            })
        });
        flights.collect()
    }

    /// Drops onto the platform from the ends of a floor.
    fn drops(&self, platform: u32, line: &PlatformLine) -> Vec<Candidate> {
        let mut found = Vec::new();
        if !self.limits.drops() || self.limits.air_acceleration.is_some() {
            return found;
        }
        // Whether it leads over any place where the platform passes.
        let Rect { min, max } = self.passed();
        let half = 0.5 * self.limits.body.x;
        for (end, edge) in [
            (line.start(), line.edge_left),
            (line.end(), line.edge_right),
        ] {
            let Some(edge) = edge else { continue };
            for part in [4, 3, 2, 1] {
                let speed = 0.25 * f64::from(part) * self.limits.run_speed;
                let transfer = Transfer {
                    launch: Some(0.0),
                    across: (speed.copysign(edge - end.x)) as f32,
                    run: ((edge - end.x).abs() / speed) as f32,
                    ..self.transfer(platform, end)
                };
                if let Some(flight) = self.on.flight_onto(&self.rider, &transfer) {
                    let x = Interval::between(end.x, end.x + flight.end.x);
                    if x.hi >= min.x - half && x.lo <= max.x + half {
                        found.push(self.onto(transfer, flight, 0.0));
                    }
                }
            }
        }
        found
    }

    /// A flight onto the platform, as far as it is free of what does not move. `aside` is the
    /// direction off the floor of a flight from its end, or 0.
    fn onto(&self, transfer: Transfer, flight: Trajectory, aside: f64) -> Candidate {
        let motion = Motion {
            space: self.space,
            from: in_level(transfer.floor.as_dvec2(), self.rider.down),
            trajectory: &flight,
            through: false,
        };
        let mut until = motion.first_obstruction();
        let apex = f64::from(transfer.launch.unwrap_or(0.0)) / self.rider.fall.gravity;
        if aside != 0.0 && until.is_some_and(|(time, _)| time < apex) {
            // The end of a floor is rounded inwards to the lattice, so that the body overlaps a
            // ceiling that is flush with the edge.
            let mut beside = motion;
            beside.from.x += aside * 2.0 * self.layout.quantum;
            let falls = motion.first_obstruction_after(apex);
            let both = [beside.first_obstruction(), falls].into_iter().flatten();
            until = both.min_by(|a, b| a.0.total_cmp(&b.0));
        }
        let until = until.map_or(f64::INFINITY, |(time, _)| time - AT_ONCE);
        Candidate {
            transfer,
            flight: Some((flight, until)),
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

    /// How far from the ends of a floor a flight lands: a quarter of a body, or in the middle of
    /// a short one.
    fn margin(&self, left: f64, right: f64) -> f64 {
        (0.25 * self.limits.body.x).min(0.5 * (right - left))
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
        let is_inside = line.flat_segments().any(|(a, b)| {
            let margin = self.margin(a.x, b.x);
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
}

/// Flights at one velocity between a level piece of floor and the platform.
struct Flights {
    /// At any place of the floor and of the platform.
    transfer: Transfer,
    /// x of the floor.
    from: Interval,
    /// The flight onto the platform, which is the same at every tick and place; `None` if it is
    /// out of reach.
    onto: Option<Trajectory>,
    /// Whether the floor is in reach from the platform.
    off: bool,
}

/// The motions in one direction between a floor and the platform.
///
/// How high a flight is above the platform does not depend on where it begins. So at each tick
/// one flight at a velocity gives the range of places from which it lands.
struct FloorMotions<'a> {
    finder: &'a RideFinder<'a>,
    /// Whether they lead onto the platform, rather than off it.
    onto: bool,
    /// Those that begin at one place.
    fixed: Vec<Candidate>,
    flights: &'a [Flights],
    /// The platform, so wide that a body lands wherever it comes down.
    wide: MovingPlatform,
    /// Flights that were tried, by velocity and place.
    tried: BTreeMap<(usize, u64), Candidate>,
}

impl<'a> FloorMotions<'a> {
    fn new(
        finder: &'a RideFinder<'a>,
        onto: bool,
        fixed: Vec<Candidate>,
        flights: &'a [Flights],
    ) -> Self {
        let on = &finder.on;
        let wide = MovingPlatform {
            size: Vec2::new(2.0 * EVERYWHERE as f32, on.size.y),
            one_way: true,
            ..on.clone()
        };
        Self {
            finder,
            onto,
            fixed,
            flights,
            wide,
            tried: BTreeMap::new(),
        }
    }

    fn is_valid(&self, own: &Candidate, tick: u32) -> bool {
        if self.onto {
            self.finder.boards_at(own, tick)
        } else {
            self.finder.exits_at(own, tick)
        }
    }

    /// From where flights at a velocity that begin at a tick lead to where they end: x of the
    /// floor, or from the left end of the platform.
    fn range(&self, flights: &Flights, tick: u32) -> Option<Interval> {
        let RideFinder { on, rider, .. } = self.finder;
        let left = self.finder.at(tick.into()).x;
        let [low, high] = on.deck.map(f64::from);
        let range = if self.onto {
            let from = DVec2::new(left + EVERYWHERE, flights.transfer.floor.y.into());
            let flight = flights.onto.as_ref()?;
            let until = f64::INFINITY;
            let Contact::Lands(_, x) = self.wide.contact(rider, flight, from, tick.into(), until)
            else {
                return None;
            };
            let off = left - (x - EVERYWHERE);
            let Interval { lo, hi } = flights.from;
            Interval::new(lo.max(low + off), hi.min(high + off))
        } else {
            if !flights.off {
                return None;
            }
            let flight = on.flight_off(rider, &flights.transfer, tick.into())?;
            let off = left + flight.end.x;
            let Interval { lo, hi } = flights.from;
            let margin = self.finder.margin(lo, hi);
            Interval::new(low.max(lo + margin - off), high.min(hi - margin - off))
        };
        (range.lo <= range.hi).then_some(range)
    }

    /// Those that are possible at a tick: of flights at one velocity, the one from the middle of
    /// the range, or if there is none, those from its ends.
    fn at(&mut self, tick: u32) -> Vec<Candidate> {
        let fixed = self.fixed.iter().filter(|own| self.is_valid(own, tick));
        let mut found: Vec<Candidate> = fixed.cloned().collect();
        let flights = self.flights;
        let ranges = flights.iter().map(|own| self.range(own, tick));
        let ranges: Vec<Option<Interval>> = ranges.collect();
        for parts in [&[0.5][..], &[0.0, 1.0]] {
            for (number, range) in ranges.iter().enumerate() {
                let Some(range) = range else { continue };
                for part in parts {
                    let own = self.flight(number, *range, *part);
                    if self.is_valid(&own, tick) {
                        found.push(own);
                    }
                }
            }
            if !found.is_empty() {
                break;
            }
        }
        found
    }

    /// A flight from a part of a range: from a place on a lattice, if the range has any.
    fn flight(&mut self, number: usize, range: Interval, part: f64) -> Candidate {
        let (finder, flights) = (self.finder, &self.flights[number]);
        let step = finder.layout.search_step(finder.limits.body) / PLACES;
        let x = range.lo + part * range.len();
        let place = finder.layout.round((x / step).round() * step);
        let x = if (range.lo..=range.hi).contains(&place) {
            place
        } else {
            finder.layout.round(x).clamp(range.lo, range.hi)
        };
        let mut transfer = flights.transfer.clone();
        let Some(flight) = flights.onto.as_ref().filter(|_| self.onto) else {
            transfer.deck = x as f32;
            return Candidate {
                transfer,
                flight: None,
            };
        };
        transfer.floor.x = x as f32;
        let known = (number, x.to_bits());
        let Interval { lo, hi } = flights.from;
        let aside = f64::from(x == hi) - f64::from(x == lo);
        let own = self.tried.entry(known);
        own.or_insert_with(|| finder.onto(transfer, *flight, aside))
            .clone()
    }

    /// Those that are needed to start at every tick at which one of them is possible, with
    /// their windows.
    fn chosen(mut self) -> Vec<Transfer> {
        let mut kept: Vec<Transfer> = Vec::new();
        if self.fixed.is_empty() && self.flights.is_empty() {
            return kept;
        }
        let period = self.finder.on.schedule.period();
        let mut is_covered = vec![false; period as usize];
        // Ticks far apart first, so that the first motions cover most of the others. A window is
        // rarely shorter than three ticks.
        let stride = (period / SAMPLES as u32).max(1);
        let ticks = (0..stride).step_by(3);
        let ticks = ticks.flat_map(|first| (first..period).step_by(stride as usize));
        for tick in ticks {
            if kept.len() == MAX_MOTIONS {
                break;
            }
            if is_covered[tick as usize] {
                continue;
            }
            let possible = self.at(tick);
            let samples = (tick % stride..period).step_by(stride as usize);
            let samples = samples.filter(|tick| !is_covered[*tick as usize]);
            let samples: Vec<u32> = samples.collect();
            let best = possible.into_iter().rev().max_by_key(|own| {
                samples
                    .iter()
                    .filter(|tick| self.is_valid(own, **tick))
                    .count()
            });
            let Some(own) = best else { continue };
            let valid: Vec<bool> = (0..period).map(|tick| self.is_valid(&own, tick)).collect();
            for (covered, valid) in is_covered.iter_mut().zip(&valid) {
                *covered |= valid;
            }
            kept.push(Transfer {
                windows: runs(&valid),
                ..own.transfer
            });
        }
        kept
    }
}

fn is_in(area: Rect, at: DVec2) -> bool {
    area.min.cmple(at).all() && at.cmple(area.max).all()
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
