//! Rides on platforms that move: when a body gets on and off, and where it is in between.

use glam::{DVec2, Vec2};

use super::ids::PlatformId;
use super::layer::Layer;
use super::moving_platform::{MovingPlatform, Rider, TICKS, Transfer};

/// Where a ride begins or ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RideEnd {
    /// On a floor, by the motion of this number. Of a motion across the way of the platform,
    /// both ends have its number.
    Floor(u16),
    /// On the platform, at this x from the left end of its top.
    Aboard(f32),
}

/// A ride in a path: when the agent gets on and off a moving platform, and how.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ride {
    /// The number of the moving platform in the layer.
    pub platform: u16,
    pub from: RideEnd,
    pub to: RideEnd,
    /// The tick at which it begins.
    pub depart: u32,
    /// The tick at which the motion to a floor begins.
    pub leave: u32,
}

/// A ride with all that it refers to, and when and where its parts end.
#[derive(Debug, Clone, Copy)]
pub struct Timetable<'a> {
    pub ride: Ride,
    pub on: &'a MovingPlatform,
    pub rider: Rider,
    /// The motions from and to floors.
    pub board: Option<&'a Transfer>,
    pub exit: Option<&'a Transfer>,
    /// The tick at which the body is on the platform, and x from the left end of its top.
    pub landing: (f64, f64),
    /// Where it goes on the platform.
    pub deck: f64,
    /// The tick at which it is there.
    pub ready: f64,
    /// The tick at which it has arrived, and where.
    pub end: (f64, DVec2),
}

impl Ride {
    /// A body that stays on a platform at an x, from a tick on.
    pub fn staying(platform: u16, x: f32, tick: f64) -> Self {
        Self {
            platform,
            from: RideEnd::Aboard(x),
            to: RideEnd::Aboard(x),
            depart: tick.max(0.0) as u32,
            leave: 0,
        }
    }

    /// Its times; `None` if its layer is another one.
    pub fn timetable(self, layer: &Layer) -> Option<Timetable<'_>> {
        let rider = layer.rider();
        let on = layer.moving_platforms().get(usize::from(self.platform))?;
        let depart = f64::from(self.depart);
        let exit = match self.to {
            RideEnd::Aboard(_) => None,
            RideEnd::Floor(number) => Some(on.exits.get(usize::from(number))?),
        };
        let (board, landing) = match self.from {
            _ if exit.is_some_and(Transfer::crosses) => (None, (depart, 0.0)),
            RideEnd::Aboard(x) => (None, (depart, x.into())),
            RideEnd::Floor(number) => {
                let board = on.boards.get(usize::from(number))?;
                let (ticks, x) = on.boarding(&rider, board, depart)?;
                (Some(board), (depart + ticks, x))
            }
        };
        let deck = match (self.to, exit) {
            (RideEnd::Aboard(x), _) => x.into(),
            (_, Some(exit)) if !exit.crosses() => f64::from(exit.deck),
            _ => landing.1,
        };
        let ready = rider.ready(landing, deck as f32);
        let end = match exit {
            None => (ready, on.schedule.state(ready).0 + DVec2::new(deck, 0.0)),
            Some(exit) => {
                let leave = f64::from(self.leave);
                let (after, to) = on.exiting(&rider, exit, leave)?;
                (leave + after, to)
            }
        };
        Some(Timetable {
            ride: self,
            on,
            rider,
            board,
            exit,
            landing,
            deck,
            ready,
            end,
        })
    }

    /// The same motions, begun at the first tick after `tick` at which that is possible, some
    /// ticks inside their windows.
    pub fn delayed(self, layer: &Layer, tick: f64, margin: u32) -> Option<Self> {
        let times = self.timetable(layer)?;
        let period = times.on.schedule.period();
        let depart = match times.first() {
            Some(motion) => motion.next_departure(tick, period, margin)?,
            None => tick.ceil(),
        };
        let later = Self {
            depart: depart as u32,
            ..self
        };
        let times = later.timetable(layer)?;
        let leave = match times.exit {
            Some(exit) => exit.next_departure(times.ready, period, margin)? as u32,
            None => 0,
        };
        Some(Self { leave, ..later })
    }
}

impl<'a> Timetable<'a> {
    /// Whether it leads across the way of the platform, rather than onto it.
    pub fn crosses(&self) -> bool {
        self.exit.is_some_and(Transfer::crosses)
    }

    /// The motion that begins on a floor.
    pub fn first(&self) -> Option<&'a Transfer> {
        self.board.or(self.exit.filter(|exit| exit.crosses()))
    }

    /// The floor on which it begins, and where.
    pub fn begin(&self) -> Option<(PlatformId, Vec2)> {
        let board = self.board.map(|board| (board.platform, board.floor));
        board.or(self.exit.and_then(|exit| exit.start))
    }

    /// Whether the body is on the platform at a tick.
    pub fn is_aboard(&self, tick: f64) -> bool {
        let has_landed = self.board.is_none() || self.landing.0 <= tick;
        let has_left = self.exit.is_some() && tick >= f64::from(self.ride.leave);
        has_landed && !has_left && !self.crosses()
    }

    /// Feet and velocity (units/s) at a tick. Before it begins, it is where that is; after its
    /// end on a floor, there; on the platform, it stays.
    pub fn state(&self, tick: f64) -> [DVec2; 2] {
        let Self {
            on, rider, landing, ..
        } = self;
        let depart = f64::from(self.ride.depart);
        if let Some(board) = self.board.filter(|_| tick < landing.0) {
            let (from, since) = (board.floor.as_dvec2(), (tick - depart).max(0.0));
            let deck = on.schedule.state(depart).0 + DVec2::new(board.deck.into(), 0.0);
            return match on.flight_onto(rider, board) {
                Some(flight) => rider.flying(&flight, from, since),
                None => rider.walking(from, deck, since),
            };
        }
        if let Some(exit) = self.exit.filter(|_| !self.is_aboard(tick)) {
            let (leave, (end, to)) = (f64::from(self.ride.leave), self.end);
            let from = on.exit_start(exit, leave);
            let since = (tick.min(end) - leave).max(0.0);
            return match on.flight_off(rider, exit, leave) {
                Some(flight) => rider.flying(&flight, from, since),
                None => rider.walking(from, to, since),
            };
        }
        let (at, velocity) = on.schedule.state(tick);
        let way = self.deck - landing.1;
        let gone = ((tick - landing.0) / TICKS * rider.speed).clamp(0.0, way.abs());
        let speed = if gone < way.abs() { rider.speed } else { 0.0 };
        [
            at + DVec2::new(landing.1 + gone.copysign(way), 0.0),
            velocity + DVec2::new(speed.copysign(way), 0.0),
        ]
    }
}

impl Layer {
    /// The body of its agent on moving platforms.
    pub(crate) fn rider(&self) -> Rider {
        Rider::new(self.profile(), self.grid().y_axis.down())
    }

    /// The moving platform on whose top the feet of a body are at a tick, or are above it by at
    /// most `above`; and x from the left end of the top, where it can stand. Feet may be below
    /// or beside the top by a quarter of the body.
    pub(crate) fn deck_below(&self, at: Vec2, tick: f64, above: f64) -> Option<(u16, f32)> {
        let rider = self.rider();
        let slack = 0.25 * rider.body.min_element();
        let decks = (0..)
            .zip(self.moving_platforms())
            .filter(|(_, on)| on.deck != MovingPlatform::NO_DECK)
            .filter_map(|(number, on)| {
                let off = rider.up(at.as_dvec2() - on.schedule.state(tick).0);
                let [low, high] = on.deck.map(f64::from);
                let is_over = (low - slack..=high + slack).contains(&off.x);
                let x = off.x.clamp(low, high) as f32;
                (is_over && (-slack..=above.max(slack)).contains(&off.y))
                    .then_some((off.y, number, x))
            });
        let nearest = decks.min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map(|(_, number, x)| (number, x))
    }
}
