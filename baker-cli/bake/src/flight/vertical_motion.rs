//! The vertical part of a motion through the air. It does not depend on how the
//! body moves horizontally, so all times at which the feet cross a height are
//! known as soon as a take-off is chosen.

use navmesh_runtime::mesh::{Fall, Launch, TrajectoryParams};

use crate::agent_limits::AgentLimits;
use crate::connection::Endpoint;
use crate::flight::take_off::{Departure, TakeOff};
use crate::surfaces::platform_line::PlatformLine;

/// The vertical motion of a body thrown up with `speed` (0 when it walks off)
/// from height `y` at time `start`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VerticalFlight {
    /// Height of take-off, y down.
    pub y: f64,
    /// Time of take-off, in seconds.
    pub start: f64,
    /// Upward speed at take-off.
    pub speed: f64,
    /// Gravity and greatest falling speed.
    pub fall: Fall,
}

impl VerticalFlight {
    /// The highest point, y down.
    pub fn apex(&self) -> f64 {
        self.y - 0.5 * self.speed * self.speed / self.fall.gravity
    }

    /// The time of the highest point.
    pub fn apex_at(&self) -> f64 {
        self.start + self.speed / self.fall.gravity
    }

    /// The height of the feet at a time, y down.
    pub fn height_at(&self, time: f64) -> f64 {
        self.y - self.fall.height(self.speed, time - self.start)
    }

    /// The time at which the feet pass `y` on the way up. `y` must lie between
    /// take-off and apex.
    pub fn rising_at(&self, y: f64) -> f64 {
        // (v − √(v² − 2gh)) / g, rearranged so that no two nearly equal numbers
        // are subtracted.
        let rise = self.y - y;
        let square = self.speed * self.speed - 2.0 * self.fall.gravity * rise;
        self.start + 2.0 * rise / (self.speed + square.max(0.0).sqrt())
    }

    /// The time at which the feet pass `y` on the way down. `y` must not lie
    /// above the apex.
    pub fn falling_at(&self, y: f64) -> f64 {
        let rise = (self.y - y).min(self.y - self.apex());
        let time = self.fall.time_to(self.speed, rise);
        // At the apex, rounding can make the number under the root negative.
        let time = if time.is_nan() {
            self.speed / self.fall.gravity
        } else {
            time
        };
        self.start + time
    }
}

/// The vertical motion that follows a take-off: one flight, then one more for
/// each jump in the air. Each such jump ends the flight before it.
#[derive(Debug, Clone, Copy)]
pub struct VerticalMotion {
    /// x of the feet as the first flight starts.
    pub x: f64,
    flights: [VerticalFlight; TrajectoryParams::MAX_LAUNCHES],
    count: usize,
}

impl VerticalMotion {
    /// The motion of a take-off from an endpoint on `platform`.
    pub fn new(
        take_off: TakeOff,
        from: &Endpoint,
        platform: &PlatformLine,
        limits: &AgentLimits,
    ) -> Self {
        // A body that walks off the end of a platform falls from the moment at
        // which its trailing side has passed that end.
        let edge = match take_off.departure {
            Departure::WalkOffLeft => platform.edge_left,
            Departure::WalkOffRight => platform.edge_right,
            Departure::DropThrough
            | Departure::LetGo
            | Departure::Jump(_)
            | Departure::Thrown(_) => None,
        };
        let x = edge.unwrap_or(from.x);
        let start = (x - from.x).abs() / limits.run_speed;
        // The asset stores times as f32. Rounding here keeps the flight exactly
        // the one of the stored trajectory. Upwards, or a body that walks at its greatest
        // speed would be late.
        let rounded = start as f32;
        let is_early = f64::from(rounded) < start;
        let start = f64::from(if is_early { rounded.next_up() } else { rounded });
        let first = VerticalFlight {
            y: from.y,
            start,
            speed: f64::from(take_off.speed()),
            fall: limits.fall,
        };
        let mut motion = Self {
            x,
            flights: [first; TrajectoryParams::MAX_LAUNCHES],
            count: 1,
        };
        for jump in take_off.air_jumps() {
            let at = f64::from((start + f64::from(jump.after)) as f32);
            let before = *motion.last();
            if let Some(next) = motion.flights.get_mut(motion.count) {
                *next = VerticalFlight {
                    y: before.height_at(at),
                    start: at,
                    speed: f64::from(jump.speed),
                    fall: limits.fall,
                };
                motion.count += 1;
            }
        }
        motion
    }

    /// The same motion with every launch slower by some speed.
    #[must_use]
    pub fn slower(mut self, by: f64) -> Self {
        for i in 0..self.count {
            if let Some(before) = i.checked_sub(1) {
                self.flights[i].y = self.flights[before].height_at(self.flights[i].start);
            }
            self.flights[i].speed -= by;
        }
        self
    }

    /// When the feet are as high as those of `other` are at a time, on the same part of
    /// the motion, or when they come nearest to that height.
    pub fn when_as_high(&self, other: &Self, time: f64) -> f64 {
        let begun = other.flights().iter().rposition(|f| f.start <= time);
        let at = begun.unwrap_or(0).min(self.count - 1);
        let (ours, theirs) = (&self.flights[at], &other.flights[at]);
        let y = theirs.height_at(time);
        let when = if time < theirs.apex_at() {
            ours.rising_at(y).min(ours.apex_at())
        } else {
            ours.falling_at(y)
        };
        let end = self
            .flights()
            .get(at + 1)
            .map_or(f64::INFINITY, |f| f.start);
        when.max(ours.start).min(end)
    }

    /// The flights, in order; at least one.
    pub fn flights(&self) -> &[VerticalFlight] {
        &self.flights[..self.count]
    }

    pub fn first(&self) -> &VerticalFlight {
        &self.flights[0]
    }

    /// The flight that lands.
    pub fn last(&self) -> &VerticalFlight {
        &self.flights[self.count - 1]
    }

    /// The launches as a trajectory stores them: time and upward speed, with
    /// the first one at time `first`.
    pub fn launches(&self, first: f64) -> Vec<Launch> {
        let start = self.first().start;
        let flights = self.flights().iter();
        flights
            .map(|f| Launch {
                time: f.start - start + first,
                speed: f.speed,
            })
            .collect()
    }
}
