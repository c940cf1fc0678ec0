//! Platforms that move by a schedule, and the motions onto and off them.
//!
//! Inside this file y points up. All moments are in ticks of 1/60 s on the clock of the level.

use glam::{DVec2, Vec2};

use super::error::MeshError;
use super::fall::Fall;
use super::ids::{MarkerId, PlatformId};
use super::link_check::SPEED_SLACK;
use super::platform::Platforms;
use super::profile::AgentProfile;
use super::trajectory::{Launch, Leg, Trajectory, TrajectoryParams};

/// Ticks in a second. The period of a schedule is a whole number of them.
pub const TICKS: f64 = 60.0;

/// The longest flight, seconds.
const MAX_AIR_TIME: f64 = 120.0;

/// Where a platform is at every moment: it moves at constant speed from one key to the next,
/// and begins again after the last, which is at the place of the first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Schedule {
    /// Ticks since the first key, and the position of the left end of the top, world units. A
    /// pause has two keys at one place.
    pub keys: Vec<(u32, Vec2)>,
    /// How many ticks after its first key the platform is at tick 0 of the clock.
    pub phase: u32,
}

impl Schedule {
    /// Ticks from the first key to the last.
    pub fn period(&self) -> u32 {
        self.keys.last().map_or(0, |&(tick, _)| tick)
    }

    /// The positions at which it turns or waits, of the left end of the top.
    pub fn turns(&self) -> impl Iterator<Item = Vec2> {
        let keys = self.keys.get(1..).unwrap_or_default().iter();
        let around = self.keys.iter().zip(keys.clone());
        let next = keys.skip(1).chain(self.keys.get(1));
        let turns = around.zip(next).filter(|((before, at), next)| {
            let [comes, goes] = [at.1 - before.1, next.1 - at.1].map(Vec2::normalize_or_zero);
            goes == Vec2::ZERO || comes != Vec2::ZERO && comes.dot(goes) < 0.99
        });
        turns.map(|((_, at), _)| at.1)
    }

    /// The keys before and after a moment, and the ticks since the one before.
    fn stretch(&self, tick: f64) -> Option<([(u32, Vec2); 2], f64)> {
        let period = f64::from(self.period());
        let at = (tick + f64::from(self.phase)).rem_euclid(period);
        let next = self.keys.partition_point(|&(key, _)| f64::from(key) <= at);
        // Rounding may lead to the end of the period.
        let next = next.min(self.keys.len().checked_sub(1)?);
        let ends = [*self.keys.get(next.checked_sub(1)?)?, self.keys[next]];
        Some((ends, at - f64::from(ends[0].0)))
    }

    /// Position of the left end of the top, and velocity (units/s).
    pub fn state(&self, tick: f64) -> (DVec2, DVec2) {
        let Some(([(a, from), (b, to)], since)) = self.stretch(tick) else {
            return Default::default();
        };
        let (from, to) = (from.as_dvec2(), to.as_dvec2());
        let ticks = f64::from(b - a);
        (
            from.lerp(to, (since / ticks).min(1.0)),
            (to - from) * (TICKS / ticks),
        )
    }

    /// Ticks from a moment to the next change of the velocity.
    fn until_change(&self, tick: f64) -> f64 {
        let stretch = self.stretch(tick);
        stretch.map_or(f64::INFINITY, |([(a, _), (b, _)], since)| {
            f64::from(b - a) - since
        })
    }
}

/// A motion between a floor and a moving platform, or from floor to floor through its way. It
/// begins at a whole tick in one of its windows.
#[derive(Debug, Clone, PartialEq)]
pub struct Transfer {
    /// The floor.
    pub platform: PlatformId,
    /// Feet on the floor: where a motion onto the moving platform begins and a walk off it ends.
    /// A jump off lands at this height.
    pub floor: Vec2,
    /// Feet on the moving platform, from the left end of its top: where a motion off it begins,
    /// and a walk onto it ends.
    pub deck: f32,
    /// The upward speed of a jump, units/s; 0 for a drop from the end of the floor; `None` for
    /// a walk while the platform stands.
    pub launch: Option<f32>,
    /// Velocity across, units/s, in flight and before a drop.
    pub across: f32,
    /// Seconds of the flight in which the velocity across grows from 0, evenly: 0 for an agent
    /// that changes it at once.
    pub ramp: f32,
    /// Seconds until a drop leaves the floor.
    pub run: f32,
    /// The first and the last tick of each window, counted from tick 0 of the clock, in
    /// order, within one period.
    pub windows: Vec<[u32; 2]>,
    /// Where a motion begins that crosses the way of the platform while that is elsewhere.
    pub start: Option<(PlatformId, Vec2)>,
}

impl Transfer {
    /// Whether it leads from floor to floor, across the way of the platform.
    pub fn crosses(&self) -> bool {
        self.start.is_some()
    }

    /// The flight, as far as `depth` below its begin; the duration is the time until there.
    /// `None` for a walk, or if it does not get there.
    pub fn flight(&self, fall: Fall, depth: f64) -> Option<Trajectory> {
        let (launch, run) = (f64::from(self.launch?), f64::from(self.run));
        let time = run + fall.time_to(launch, -depth);
        if !(0.0..=MAX_AIR_TIME).contains(&time) {
            return None;
        }
        let first = Launch {
            time: run,
            speed: launch,
        };
        let (across, ramp) = (f64::from(self.across), f64::from(self.ramp));
        if ramp <= 0.0 {
            let params = TrajectoryParams::new(&[first], &[]).ok()?;
            return params.trajectory(across * time, -depth, fall).ok();
        }
        // The speed of a leg of constant acceleration is its mean speed.
        let leg = Leg {
            duration: ramp,
            speed: 0.5 * across,
        };
        let (legs, way) = if time > ramp {
            (&[leg][..], across * (time - 0.5 * ramp))
        } else {
            (&[][..], 0.5 * across * time * time / ramp)
        };
        let params = TrajectoryParams::new(&[first], legs).ok()?;
        let params = params.with_start_speed(0.0).ok()?;
        params.trajectory(way, -depth, fall).ok()
    }

    /// The first tick at or after a moment at which the motion may begin, `margin` ticks inside
    /// its window, or in the middle of a shorter one.
    pub fn next_departure(&self, tick: f64, period: u32, margin: u32) -> Option<f64> {
        let length = f64::from(period);
        let tick = tick.ceil();
        let begin = (tick / length).floor() * length;
        let windows = self.windows.iter().map(|&[first, last]| {
            let margin = margin.min((last - first) / 2);
            [first + margin, last - margin].map(f64::from)
        });
        let ahead = windows.clone().find(|own| own[1] >= tick - begin);
        Some(match ahead {
            Some([first, _]) => tick.max(begin + first),
            None => begin + length + windows.clone().next()?[0],
        })
    }
}

/// A platform that moves, for one agent.
#[derive(Debug, Clone, PartialEq)]
pub struct MovingPlatform {
    /// Its marker in the level.
    pub marker: MarkerId,
    /// Width and height.
    pub size: Vec2,
    /// Whether it carries only bodies that come from above, and lets bodies through upwards.
    pub one_way: bool,
    /// Where it is.
    pub schedule: Schedule,
    /// From where to where on it a body can stand at all times, from the left end of its top;
    /// 1 and 0 for none.
    pub deck: [f32; 2],
    /// The motions from floors onto it.
    pub boards: Vec<Transfer>,
    /// The motions to floors: from it, or across its way.
    pub exits: Vec<Transfer>,
}

/// The body that rides, in the units of the platform.
#[derive(Debug, Clone, Copy)]
pub struct Rider {
    /// Width and height.
    pub body: DVec2,
    /// Gravity and greatest falling speed.
    pub fall: Fall,
    /// Speed on floors and on the moving platform.
    pub speed: f64,
    /// An overlap smaller than this does not count.
    pub skin: f64,
    /// The change of y when a point moves down by one unit.
    pub down: f64,
}

impl Rider {
    /// The body of an agent in a level.
    pub fn new(profile: &AgentProfile, down: f32) -> Self {
        let body = DVec2::from(profile.body.map(f64::from));
        Self {
            body,
            fall: Fall::from(profile),
            speed: profile.run_speed.into(),
            skin: 1e-4 * body.min_element(),
            down: down.into(),
        }
    }

    /// Feet and velocity some ticks after the begin of a flight.
    pub fn flying(&self, flight: &Trajectory, from: DVec2, ticks: f64) -> [DVec2; 2] {
        let time = ticks / TICKS;
        [
            from + self.up(flight.offset(time)),
            self.up(flight.velocity(time)),
        ]
    }

    /// Feet and velocity some ticks after the begin of a walk.
    pub fn walking(&self, from: DVec2, to: DVec2, ticks: f64) -> [DVec2; 2] {
        let gone = (ticks / TICKS * self.speed).min(from.distance(to));
        let way = (to - from).normalize_or_zero();
        [from + way * gone, way * self.speed]
    }

    /// The tick at which a body that landed at a tick, at an x of the platform, is at another.
    pub fn ready(&self, landing: (f64, f64), deck: f32) -> f64 {
        landing.0 + (landing.1 - f64::from(deck)).abs() / self.speed * TICKS
    }

    /// A point or direction with y up, in the world; and the other way round.
    pub fn up(&self, point: DVec2) -> DVec2 {
        DVec2::new(point.x, -self.down * point.y)
    }
}

/// What a body in flight first meets of a moving platform.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Contact {
    /// Nothing.
    Passes,
    /// It lands on the top after this number of seconds, at this x from its left end.
    Lands(f64, f64),
    /// It meets a side or the bottom, or is under the top when it rises.
    Hits,
}

/// A piece of a motion relative to a platform, as `a·s² + b·s + c` for s from 0 to 1.
#[derive(Clone, Copy)]
struct Parabola([f64; 3]);

impl Parabola {
    /// Through its values at 0, ½ and 1.
    fn through([start, middle, end]: [f64; 3]) -> Self {
        let a = 2.0 * (start - 2.0 * middle + end);
        Self([a, end - start - a, start])
    }

    fn at(&self, s: f64) -> f64 {
        let [a, b, c] = self.0;
        (a * s + b) * s + c
    }

    /// Where it has a value; NaN where it has not.
    fn roots(&self, value: f64) -> [f64; 2] {
        let [a, b, c] = self.0;
        let c = c - value;
        let square = (b * b - 4.0 * a * c).sqrt();
        // The root without the loss of digits of a difference.
        let q = -0.5 * (b + square.copysign(b));
        [q / a, c / q]
    }
}

impl MovingPlatform {
    /// Greatest period of a schedule, ticks: ten minutes. A bake takes time in proportion to it.
    pub const MAX_PERIOD: u32 = 10 * 60 * 60;

    /// The deck of a platform on which no body can stand.
    pub const NO_DECK: [f32; 2] = [1.0, 0.0];

    /// What a body first meets of it whose feet fly from `from` (world units) at a tick, for
    /// some seconds.
    pub fn contact(
        &self,
        rider: &Rider,
        flight: &Trajectory,
        from: DVec2,
        depart: f64,
        until: f64,
    ) -> Contact {
        let from = rider.up(from);
        let skin = rider.skin;
        let until = until.min(flight.duration);
        let half = 0.5 * rider.body.x;
        let [left, right] = [-half + skin, f64::from(self.size.x) + half - skin];
        let [bottom, top] = [skin - f64::from(self.size.y) - rider.body.y, -skin];
        let knots = flight.knots();
        let mut begin = 0.0;
        while begin < until {
            let change =
                begin + self.schedule.until_change(depart + begin * TICKS).max(1e-6) / TICKS;
            let knot = knots.iter().find(|knot| **knot > begin + 1e-9);
            let end = change.min(knot.copied().unwrap_or(until));
            let end = end.min(until);
            let middle = 0.5 * (begin + end);
            let (at, velocity) = self.schedule.state(depart + middle * TICKS);
            let (at, velocity) = (rider.up(at), rider.up(velocity));
            let offsets = [begin, middle, end]
                .map(|time| from + flight.offset(time) - at - velocity * (time - middle));
            let x = Parabola::through(offsets.map(|offset| offset.x));
            let y = Parabola::through(offsets.map(|offset| offset.y));
            let is_over = |s: f64| left < x.at(s) && x.at(s) < right;
            let falls = |s: f64| 2.0 * y.0[0] * s + y.0[1] < 0.0;
            let landings = y.roots(0.0).into_iter();
            let landing = landings
                .filter(|s| (-1e-9..=1.0).contains(s) && is_over(*s) && falls(*s))
                .min_by(f64::total_cmp);
            let hit = if self.one_way {
                None
            } else {
                let borders = [x.roots(left), x.roots(right), y.roots(bottom), y.roots(top)];
                let mut times = [0.0, 1.0, 0., 0., 0., 0., 0., 0., 0., 0.];
                for (time, root) in times[2..].iter_mut().zip(borders.into_iter().flatten()) {
                    *time = if (0.0..=1.0).contains(&root) {
                        root
                    } else {
                        0.0
                    };
                }
                times.sort_by(f64::total_cmp);
                let mut spans = times.windows(2).filter(|span| span[0] < span[1]);
                let inside = spans.find(|span| {
                    let s = 0.5 * (span[0] + span[1]);
                    is_over(s) && bottom < y.at(s) && y.at(s) < top
                });
                inside.map(|span| span[0])
            };
            match (landing, hit) {
                (Some(s), hit) if hit.is_none_or(|hit| s <= hit) => {
                    return Contact::Lands(begin + s * (end - begin), x.at(s));
                }
                (_, Some(_)) => return Contact::Hits,
                _ => begin = end,
            }
        }
        Contact::Passes
    }

    /// Where the left end of its top is at its lowest; y up.
    fn lowest(&self, rider: &Rider) -> f64 {
        let keys = self.schedule.keys.iter();
        let heights = keys.map(|(_, at)| rider.up(at.as_dvec2()).y);
        heights.fold(f64::INFINITY, f64::min)
    }

    /// The flight of a motion onto it, down to where it never is.
    pub fn flight_onto(&self, rider: &Rider, board: &Transfer) -> Option<Trajectory> {
        let depth = rider.up(board.floor.as_dvec2()).y - self.lowest(rider);
        // A jump always comes back to below its begin, so that it has an end.
        board.flight(rider.fall, depth.max(0.0) + rider.body.y)
    }

    /// When a motion onto it that begins at a tick ends, in ticks after that, and at which x
    /// from the left end of the top; `None` if it does not land.
    pub fn boarding(&self, rider: &Rider, board: &Transfer, depart: f64) -> Option<(f64, f64)> {
        let from = board.floor.as_dvec2();
        let Some(flight) = self.flight_onto(rider, board) else {
            let deck = f64::from(board.deck);
            let way = self.schedule.state(depart).0.x + deck - from.x;
            let is_walk = board.launch.is_none();
            return is_walk.then_some((way.abs() / rider.speed * TICKS, deck));
        };
        match self.contact(rider, &flight, from, depart, f64::INFINITY) {
            Contact::Lands(seconds, x) => Some((seconds * TICKS, x)),
            _ => None,
        }
    }

    /// Where a motion off it or across its way begins at a tick.
    pub fn exit_start(&self, exit: &Transfer, leave: f64) -> DVec2 {
        if let Some((_, at)) = exit.start {
            return at.as_dvec2();
        }
        self.schedule.state(leave).0 + DVec2::new(exit.deck.into(), 0.0)
    }

    /// The flight of a motion off it that begins at a tick.
    pub fn flight_off(&self, rider: &Rider, exit: &Transfer, leave: f64) -> Option<Trajectory> {
        let from = self.exit_start(exit, leave).y;
        exit.flight(rider.fall, rider.down * (f64::from(exit.floor.y) - from))
    }

    /// When a motion off it that begins at a tick ends, in ticks after that, and where.
    pub fn exiting(&self, rider: &Rider, exit: &Transfer, leave: f64) -> Option<(f64, DVec2)> {
        let (from, floor) = (self.exit_start(exit, leave), exit.floor.as_dvec2());
        if exit.launch.is_none() {
            return Some(((floor.x - from.x).abs() / rider.speed * TICKS, floor));
        }
        let flight = self.flight_off(rider, exit, leave)?;
        let to = DVec2::new(from.x + flight.end.x, floor.y);
        Some((flight.duration * TICKS, to))
    }

    /// Checks every number and index.
    ///
    /// # Errors
    /// The rule that it breaks.
    pub fn check(&self, platforms: &Platforms, profile: &AgentProfile) -> Result<(), &'static str> {
        let keys = &self.schedule.keys;
        let is_sound = |at: &Vec2| at.is_finite() && at.abs().max_element() < 1e9;
        let period = self.schedule.period();
        let are_ends = keys.len() > 1 && keys[0].0 == 0 && keys[0].1 == keys[keys.len() - 1].1;
        if !are_ends || !keys.is_sorted_by(|a, b| a.0 < b.0) || period > Self::MAX_PERIOD {
            return Err("has a schedule that is not a cycle of at most ten minutes");
        }
        let places = keys.iter().map(|(_, at)| at).chain([&self.size]);
        if !places.into_iter().all(is_sound) || self.size.min_element() <= 0.0 {
            return Err("has a coordinate that is not finite, or no size");
        }
        let [low, high] = self.deck;
        let has_room = 0.0 <= low && low <= high && high <= self.size.x;
        for transfer in self.boards.iter().chain(&self.exits) {
            if !has_room && (self.deck != Self::NO_DECK || transfer.start.is_none()) {
                return Err("has no room to stand");
            }
            let mut ends = [Some((transfer.platform, transfer.floor)), transfer.start]
                .into_iter()
                .flatten();
            let is_on = ends.all(|(on, at)| {
                is_sound(&at) && platforms.get(on).is_some_and(|on| on.spans(at.x))
            });
            let is_within = |speed: f32, most: f32| speed.abs() <= most * SPEED_SLACK;
            let is_possible = (transfer.start.is_some() || (low..=high).contains(&transfer.deck))
                && is_within(transfer.across, profile.run_speed)
                && is_within(transfer.launch.unwrap_or(0.0), profile.jump_speed)
                && transfer.launch.unwrap_or(0.0) >= 0.0
                && [transfer.run, transfer.ramp]
                    .iter()
                    .all(|time| (0.0..1e3).contains(time));
            if !is_on || !is_possible {
                return Err("has a motion that its agent cannot make");
            }
            let times: Vec<u32> = transfer.windows.iter().flatten().copied().collect();
            let are_ordered = times.is_sorted() && times.last().is_some_and(|last| *last < period);
            if !are_ordered {
                return Err("has windows that are out of order or beyond its period");
            }
        }
        Ok(())
    }
}

/// The error of a moving platform.
pub fn bad(number: usize, what: &'static str) -> MeshError {
    MeshError::of("moving platform", number, what)
}
