//! The vertical half of an arc, and when it crosses each cut.

/// A body thrown up with `speed` (0 when it walks off) from height `y`
/// (y down) at time `start`, falling with `gravity`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flight {
    /// Height of take-off, y down.
    pub y: f64,
    /// When it happens.
    pub start: f64,
    /// Upward speed.
    pub speed: f64,
    /// Downward acceleration.
    pub gravity: f64,
}

impl Flight {
    /// The highest point, y down.
    pub fn apex(&self) -> f64 {
        self.y - 0.5 * self.speed * self.speed / self.gravity
    }

    /// When the feet pass `y` on the way up. `y` must lie between take-off
    /// and apex.
    pub fn rising_at(&self, y: f64) -> f64 {
        // (v − r) / g, written so that it does not cancel.
        let rise = self.y - y;
        self.start + 2.0 * rise / (self.speed + self.root(y))
    }

    /// When the feet pass `y` on the way down. `y` must not lie above the
    /// apex.
    pub fn falling_at(&self, y: f64) -> f64 {
        self.start + (self.speed + self.root(y)) / self.gravity
    }

    /// The vertical speed, either way, at `y`.
    fn root(&self, y: f64) -> f64 {
        let square = self.speed * self.speed - 2.0 * self.gravity * (self.y - y);
        square.max(0.0).sqrt()
    }
}
