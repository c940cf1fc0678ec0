//! Rides on platforms that move: of agents that are where the clock says, and of bodies that
//! a physics engine carries.

use glam::Vec2;

use super::airborne::Airborne;
use super::body::BodyCommand;
use super::kinematics::{Runner, closing_speed};
use super::memory::BodyFlight;
use super::movement::Movement;
use super::mover::Mover;
use super::report::{AgentEvent, PathLostReason};
use super::steering::JUMP_WAIT;
use crate::mesh::{
    Layer, Platform, PlatformId, Ride, RideEnd, StepKind, TICKS, Timetable, Transfer,
};
use crate::search::Step;

/// How late a ride may begin, ticks: steps need not be whole ticks.
const LATE: f64 = 1.0;
/// How many ticks inside its window a body begins a jump: it does so within a step of its tick,
/// and lands a step late.
const MARGIN: u32 = 2;
/// For how many steps a body may not be on its platform, where that turns.
const MAX_OFF: u8 = 8;

/// An agent on a ride.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Riding {
    pub ride: Ride,
    /// The tick of the clock.
    pub tick: f64,
    pub stage: RideStage,
    /// Where it ends on a floor, and on which.
    pub to: Vec2,
    pub platform: PlatformId,
}

/// Where an agent is in a ride.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RideStage {
    /// Between the floor and the platform.
    Boarding,
    Aboard,
    /// Between the platform and the floor.
    Leaving,
}

impl Riding {
    fn new(times: &Timetable<'_>, tick: f64) -> Self {
        let stage = if tick < times.landing.0 {
            RideStage::Boarding
        } else if times.is_aboard(tick) {
            RideStage::Aboard
        } else {
            RideStage::Leaving
        };
        Self {
            ride: times.ride,
            tick,
            stage,
            to: times.end.1.as_vec2(),
            platform: times.exit.map_or(PlatformId(0), |exit| exit.platform),
        }
    }

    /// Of an agent that stands on a platform, and stays.
    pub fn standing(layer: &Layer, at: Vec2, seconds: Option<f64>) -> Option<Self> {
        let tick = seconds? * TICKS;
        let (platform, x) = layer.deck_below(at, tick, 0.0)?;
        let times = Ride::staying(platform, x, tick).timetable(layer)?;
        Some(Self::new(&times, tick))
    }

    /// Whether it is where it goes on the platform, and does not get off.
    pub fn stays(&self) -> bool {
        self.stage == RideStage::Aboard && matches!(self.ride.to, RideEnd::Aboard(_))
    }

    /// Feet and velocity now.
    pub fn state(&self, layer: &Layer) -> Option<(Vec2, Vec2)> {
        let [at, velocity] = self.ride.timetable(layer)?.state(self.tick);
        Some((at.as_vec2(), velocity.as_vec2()))
    }
}

/// Rides of agents that are where the clock says.
impl<'a> Mover<'a> {
    /// The clock after some seconds of the step, in ticks.
    fn tick(&self, left: f64) -> f64 {
        (self.until - left) * TICKS
    }

    /// Waits where a ride begins, and begins it at its tick.
    pub fn wait_for_ride(&mut self, ride: Ride, step: &Step, seconds: f64) -> f64 {
        let Some(times) = self.next_chance(ride, self.tick(seconds), 0) else {
            return 0.0;
        };
        let begin = f64::from(times.ride.depart);
        if begin > self.until * TICKS {
            return 0.0;
        }
        let (from, to) = (step.from, times.end.1.as_vec2());
        if !times.crosses() || times.first().is_some_and(|own| own.launch.is_some()) {
            self.events.push(AgentEvent::Jumped { from, to });
        }
        *self.movement = Movement::Riding(Riding::new(&times, begin));
        self.journey.route.advance();
        seconds.min((self.until - begin / TICKS).max(0.0))
    }

    /// A ride that begins now or later. Without one, it plans again.
    fn next_chance(&mut self, ride: Ride, now: f64, margin: u32) -> Option<Timetable<'a>> {
        let layer = self.layer();
        let planned = f64::from(ride.depart);
        // Its path took long to find, or it was held up. It can still go if the window is open.
        let is_late = now > planned + LATE || margin > 0;
        let later = ride.delayed(layer, now, margin).filter(|_| is_late);
        let times = later.unwrap_or(ride).timetable(layer)?;
        let period = f64::from(times.on.schedule.period());
        let ahead = f64::from(times.ride.depart) - now;
        let is_missed = times.ride.depart != ride.depart
            && planned + LATE < now
            && ahead > LATE + f64::from(margin);
        // It came too late, or the clock was set back.
        if is_missed || ahead < -LATE || ahead > period + LATE || self.settings.clock.is_none() {
            self.journey.replan();
            return None;
        }
        Some(times)
    }

    /// Goes on with a ride: it is where the clock says.
    pub fn ride(&mut self, riding: Riding, seconds: f64) -> f64 {
        let layer = self.layer();
        // Without a clock, it ends the ride that it has begun.
        let tick = if self.settings.clock.is_none() {
            riding.tick + seconds * TICKS
        } else {
            self.until * TICKS
        };
        let Some(mut times) = riding.ride.timetable(layer) else {
            return self.lose_place(seconds);
        };
        if riding.stage == RideStage::Aboard
            && let Some(next) = self.next_ride(riding.ride.platform)
        {
            let x = (times.state(riding.tick)[0] - times.on.schedule.state(riding.tick).0).x;
            let from = RideEnd::Aboard(x as f32);
            let next = Ride { from, ..next }.delayed(layer, riding.tick, 0);
            let Some(next) = next.and_then(|next| next.timetable(layer)) else {
                return self.lose_place(seconds);
            };
            times = next;
            self.journey.route.advance();
        }
        let next = Riding::new(&times, tick);
        if riding.stage == RideStage::Boarding && next.stage != RideStage::Boarding {
            let at = times.state(times.landing.0)[0].as_vec2();
            let marker = times.on.marker;
            self.events.push(AgentEvent::Boarded { marker, at });
        }
        *self.movement = Movement::Riding(next);
        if tick < times.end.0 {
            return 0.0;
        }
        if times.exit.is_none() {
            if self.journey.route.current().is_none() {
                let at = times.state(tick)[0].as_vec2();
                self.journey.arrive(at, self.events);
            }
            return 0.0;
        }
        let (to, marker) = (next.to, times.on.marker);
        *self.movement = Movement::on_platform(layer, next.platform, to, 0.0);
        if !times.crosses() {
            self.events.push(AgentEvent::GotOff { marker, at: to });
        }
        ((tick - times.end.0) / TICKS).min(seconds)
    }

    /// The ride of the next step, if it begins on this platform.
    fn next_ride(&self, platform: u16) -> Option<Ride> {
        let ride = self.journey.route.current().and_then(|step| step.ride);
        ride.filter(|ride| {
            ride.platform == platform
                && matches!(ride.from, RideEnd::Aboard(_))
                && !self.journey.waits()
        })
    }
}

/// Rides of bodies that a physics engine moves.
impl Mover<'_> {
    /// Whether the body stands on a platform that moves, or waits for one.
    pub fn is_with_platform(&self) -> bool {
        let waits = |step: &Step| {
            step.ride.is_some() && step.from.distance(self.body.position) < 2.0 * self.slop()
        };
        matches!(self.movement, Movement::Riding(_))
            || self.journey.route.current().is_some_and(waits)
    }

    /// How many ticks inside its window a body begins a motion. On a walk, it speeds up and brakes.
    fn margin(&self, motion: &Transfer) -> u32 {
        if motion.launch.is_some() {
            return MARGIN;
        }
        let profile = &self.settings.profile;
        let rest = 0.5 * (1.0 / profile.acceleration + 1.0 / profile.deceleration);
        // It walks across the way of a platform from as far beside it as it waits, to as far.
        let beside = if motion.crosses() {
            2.0 * (self.edge() as f32 + self.slop()) / profile.run_speed
        } else {
            0.0
        };
        MARGIN + ((rest * profile.run_speed + beside) * TICKS as f32).ceil() as u32
    }

    /// Where the body stands on the platform of a ride, x from the left end of the top.
    fn place_on(&self, times: &Timetable<'_>) -> Option<f64> {
        let (at, velocity) = times.on.schedule.state(self.tick(0.0));
        let off = times.rider.up(self.body.position.as_dvec2() - at);
        // Engines carry bodies a step late.
        let reach = f64::from(self.slop()) + 1.5 * velocity.y.abs() * self.memory.steps.last;
        // One that walks onto it begins beside it.
        let half = 0.5 * times.rider.body.x + self.edge() + f64::from(self.slop());
        let is_over = (-half..=f64::from(times.on.size.x) + half).contains(&off.x);
        (is_over && off.y.abs() <= reach).then_some(off.x)
    }

    /// Waits where a ride begins, and begins it at its tick.
    pub fn wait_to_board(&mut self, on: Platform<'_>, ride: Ride, step: &Step) -> BodyCommand {
        let x = self.inside(on, step.from.x.into());
        let is_there = (x - self.x()).abs() <= 0.25 * f64::from(self.slop());
        let is_slow = self.speed().abs() <= 0.05 * f64::from(self.settings.profile.run_speed);
        if !is_there || !is_slow {
            return self.run_towards(on, x, 0.0);
        }
        let now = self.tick(0.5 * self.seconds());
        let first = ride.timetable(self.layer()).and_then(|times| times.first());
        let margin = first.map_or(MARGIN, |motion| self.margin(motion));
        let Some(times) = self.next_chance(ride, now, margin) else {
            return self.still(on);
        };
        if f64::from(times.ride.depart) > self.tick(-0.5 * self.seconds()) {
            return self.still(on);
        }
        let Some((motion, (_, from))) = times.first().zip(times.begin()) else {
            self.lose(PathLostReason::Level);
            return self.still(on);
        };
        let to = times.end.1.as_vec2();
        self.journey.route.advance();
        let mut riding = Riding::new(&times, times.ride.depart.into());
        self.memory.ride_jump = None;
        if motion.launch.is_some() {
            // To where it meets the platform, or the floor beyond.
            let height = match times.board {
                Some(_) => times.state(times.landing.0)[0].y as f32,
                None => to.y,
            };
            let flight = self.flight_of(motion, from, height);
            self.memory.ride_jump = flight.map(|flight| (flight, Some(self.memory.clock)));
        } else if !times.crosses() {
            riding.stage = RideStage::Aboard;
        }
        if motion.launch.is_some() || !times.crosses() {
            self.events.push(AgentEvent::Jumped { from, to });
        }
        *self.movement = Movement::Riding(riding);
        self.steer_ride(riding)
    }

    /// The flight of a motion from a position down to a height.
    fn flight_of(&self, motion: &Transfer, from: Vec2, height: f32) -> Option<Airborne> {
        let layer = self.layer();
        let depth = f64::from(height - from.y) * self.down();
        let curve = motion.flight(layer.rider().fall, depth)?;
        let to = Vec2::new(from.x + curve.end.x as f32, height);
        Some(Airborne::new(curve, from, to, layer.grid().y_axis.down()))
    }

    /// Takes over what the body did in the last step.
    pub fn observe_ride(&mut self, mut riding: Riding) {
        let layer = self.layer();
        let Some(times) = riding.ride.timetable(layer) else {
            self.fall_off(PathLostReason::Level);
            return;
        };
        riding.tick = self.tick(0.0);
        let place = self.place_on(&times).filter(|_| !self.rises());
        let has_left = !self.body.grounded || self.rises();
        let crosses = times.crosses();
        let mut jump = self.memory.ride_jump.take();
        match (riding.stage, &mut jump) {
            (stage, Some((flight, since))) if since.is_some() && has_left => {
                let begins = flight.launches().next().map_or(0.0, |launch| launch.time);
                flight.seek(begins + self.memory.steps.last);
                *since = None;
                self.memory.flight = BodyFlight {
                    launches: 1,
                    ..BodyFlight::default()
                };
                self.memory.off = 0;
                if stage == RideStage::Leaving {
                    self.memory.flight.rode = Some(times.on.marker).filter(|_| !crosses);
                    *self.movement = Movement::Airborne(*flight, StepKind::Jump, riding.platform);
                    return;
                }
            }
            (_, Some((_, Some(_)))) => {}
            (RideStage::Boarding, _) if place.is_some() && !has_left => {
                let (marker, at) = (times.on.marker, self.body.position);
                self.events.push(AgentEvent::Boarded { marker, at });
                (riding.stage, jump) = (RideStage::Aboard, None);
            }
            (RideStage::Boarding, Some((flight, None))) => {
                flight.seek(flight.elapsed() + self.memory.steps.last);
                if !has_left || !self.follow_height(flight) {
                    self.fall_off(PathLostReason::Drift);
                    return;
                }
            }
            (RideStage::Boarding, None) => {
                self.fall_off(PathLostReason::Drift);
                return;
            }
            (RideStage::Aboard | RideStage::Leaving, _) => {
                // It may lose contact for a step, where a lift turns.
                self.memory.off = if place.is_some() || crosses && !has_left {
                    0
                } else {
                    self.memory.off.saturating_add(1)
                };
                if riding.stage == RideStage::Leaving && self.has_walked_off_to(riding) {
                    let (marker, at) = (times.on.marker, self.body.position);
                    if !crosses {
                        self.events.push(AgentEvent::GotOff { marker, at });
                    }
                    let velocity = self.speed();
                    *self.movement = Movement::Floor(
                        riding.platform,
                        Runner {
                            at: self.x(),
                            velocity,
                        },
                    );
                    return;
                }
                if self.memory.off > MAX_OFF {
                    self.fall_off(PathLostReason::Drift);
                    return;
                }
            }
        }
        self.memory.ride_jump = jump;
        *self.movement = Movement::Riding(riding);
    }

    /// Whether the body has come from the platform to the floor beside it.
    fn has_walked_off_to(&self, riding: Riding) -> bool {
        let on = self.layer().platform(riding.platform);
        on.is_some_and(|on| {
            let (at, slop) = (self.body.position, self.slop());
            self.body.grounded && on.spans(at.x) && (on.clamp(at.x).y - at.y).abs() <= slop
        })
    }

    /// The command of a body on a ride. On the platform, its velocity is relative to that.
    pub fn steer_ride(&mut self, mut riding: Riding) -> BodyCommand {
        let layer = self.layer();
        let Some(times) = riding.ride.timetable(layer) else {
            return BodyCommand::default();
        };
        match self.memory.ride_jump {
            Some((flight, Some(since))) => {
                let run = times.board.map_or(0.0, |board| f64::from(board.run));
                if self.memory.clock - since > JUMP_WAIT + 2.0 * run {
                    // The body does not jump.
                    self.memory.ride_jump = None;
                    self.fall_off(PathLostReason::Drift);
                    return BodyCommand::default();
                }
                let drops = flight.launches().all(|launch| launch.speed <= 0.0);
                if drops {
                    return BodyCommand::moving(Vec2::new(flight.velocity().x, 0.0));
                }
                return self.order(StepKind::Jump, &flight);
            }
            Some((flight, None)) => {
                return self.steer_in_air(flight, StepKind::Ride, PlatformId(u32::MAX));
            }
            None => {}
        }
        let x = match self.place_on(&times) {
            Some(x) => x,
            None if times.crosses() => 0.0,
            None => return BodyCommand::moving(self.fall_velocity()),
        };
        if riding.stage == RideStage::Leaving {
            let to = times.exit.map_or(0.0, |exit| f64::from(exit.floor.x));
            let on = layer.platform(riding.platform);
            let to = on.map_or(to, |on| self.inside(on, to));
            return self.walk_by(to - self.x());
        }
        if let Some(next) = self.next_ride(riding.ride.platform) {
            let next = Ride {
                from: RideEnd::Aboard(x as f32),
                depart: self.tick(0.0) as u32,
                ..next
            };
            self.journey.route.advance();
            riding.ride = next;
            if let Some(times) = next.timetable(layer) {
                riding = Riding {
                    tick: riding.tick,
                    stage: RideStage::Aboard,
                    ..Riding::new(&times, riding.tick)
                };
            }
            *self.movement = Movement::Riding(riding);
            return self.steer_ride(riding);
        }
        let edge = self
            .edge()
            .min(0.5 * f64::from(times.on.deck[1] - times.on.deck[0]));
        let [low, high] = times.on.deck.map(f64::from);
        let ahead = times.deck.clamp(low + edge, high - edge) - x;
        if ahead.abs() > 0.5 * f64::from(self.slop()) {
            return self.walk_by(ahead);
        }
        let Some(exit) = times.exit else {
            if self.journey.route.current().is_none() {
                self.journey.arrive(self.body.position, self.events);
            }
            return self.walk_by(ahead);
        };
        let half = 0.5 * self.seconds();
        let (now, period) = (self.tick(half), times.on.schedule.period());
        let leave = exit.next_departure(now, period, self.margin(exit));
        if leave.is_none_or(|leave| leave > self.tick(-half)) {
            return self.walk_by(ahead);
        }
        riding.stage = RideStage::Leaving;
        if exit.launch.is_some() {
            let Some(flight) = self.flight_of(exit, self.body.position, exit.floor.y) else {
                return self.walk_by(ahead);
            };
            self.memory.ride_jump = Some((flight, Some(self.memory.clock)));
        }
        *self.movement = Movement::Riding(riding);
        self.steer_ride(riding)
    }

    /// Walks by a way across on the platform, and stops.
    fn walk_by(&self, ahead: f64) -> BodyCommand {
        let profile = &self.settings.profile;
        let closing = closing_speed(
            ahead.abs(),
            0.0,
            profile.deceleration.into(),
            self.seconds(),
        );
        let speed = closing.min(profile.run_speed.into()).copysign(ahead);
        // On one that moves down, it may be in the air for a step.
        let down = if self.body.grounded {
            0.0
        } else {
            self.fall_velocity().y
        };
        BodyCommand::moving(Vec2::new(speed as f32, down))
    }
}
