//! The vertical half of a whole move: one flight after another.

use navmesh_runtime::mesh::MAX_LAUNCHES;

use super::Flight;

/// A take-off: where, and the vertical motion that follows it: one flight, and
/// one more for each launch in the air, in which the one before ends.
#[derive(Debug, Clone, Copy)]
pub struct TakeOff {
    /// x of the feet as the first flight starts.
    pub x: f64,
    flights: [Flight; MAX_LAUNCHES],
    count: usize,
}

impl TakeOff {
    /// A take-off with no launch in the air.
    pub fn new(x: f64, flight: Flight) -> Self {
        Self {
            x,
            flights: [flight; MAX_LAUNCHES],
            count: 1,
        }
    }

    /// Adds a launch in the air, at a time and with a speed; ignored when
    /// there is no room for more.
    #[must_use]
    pub fn then(mut self, start: f64, speed: f64) -> Self {
        let before = *self.last();
        if let Some(next) = self.flights.get_mut(self.count) {
            *next = Flight {
                y: before.height_at(start),
                start,
                speed,
                fall: before.fall,
            };
            self.count += 1;
        }
        self
    }

    /// The flights, in order; at least one.
    pub fn flights(&self) -> &[Flight] {
        &self.flights[..self.count]
    }

    /// The first flight.
    pub fn first(&self) -> &Flight {
        &self.flights[0]
    }

    /// The flight that lands.
    pub fn last(&self) -> &Flight {
        &self.flights[self.count - 1]
    }
}
