//! The vertical half of an arc, and when it crosses each cut.

use navmesh_runtime::mesh::Fall;

/// A body thrown up with `speed` (0 when it walks off) from height `y`
/// (y down) at time `start`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flight {
    /// Height of take-off, y down.
    pub y: f64,
    /// When it happens.
    pub start: f64,
    /// Upward speed.
    pub speed: f64,
    /// How it falls.
    pub fall: Fall,
}

impl Flight {
    /// The highest point, y down.
    pub fn apex(&self) -> f64 {
        self.y - 0.5 * self.speed * self.speed / self.fall.gravity
    }

    /// When it is there.
    pub fn apex_at(&self) -> f64 {
        self.start + self.speed / self.fall.gravity
    }

    /// The height of the feet at a time, y down.
    pub fn height_at(&self, time: f64) -> f64 {
        self.y - self.fall.height(self.speed, time - self.start)
    }

    /// When the feet pass `y` on the way up. `y` must lie between take-off
    /// and apex.
    pub fn rising_at(&self, y: f64) -> f64 {
        // (v − r) / g, written so that it does not cancel.
        let rise = self.y - y;
        let square = self.speed * self.speed - 2.0 * self.fall.gravity * rise;
        self.start + 2.0 * rise / (self.speed + square.max(0.0).sqrt())
    }

    /// When the feet pass `y` on the way down. `y` must not lie above the
    /// apex.
    pub fn falling_at(&self, y: f64) -> f64 {
        let rise = (self.y - y).min(self.y - self.apex());
        let time = self.fall.time_to(self.speed, rise);
        // At the very apex the root may be of a hair less than nothing.
        let time = if time.is_nan() {
            self.speed / self.fall.gravity
        } else {
            time
        };
        self.start + time
    }
}
