//! The height of a body thrown up, as the exhaustive search computes it.

use navmesh_runtime::mesh::AgentProfile;

/// A body thrown up: its height over time, y down.
#[derive(Debug, Clone, Copy)]
pub struct Throw {
    /// Where it starts.
    pub y: f64,
    /// Upward speed at the start.
    pub speed: f64,
    gravity: f64,
    /// Greatest speed of fall.
    most: f64,
}

impl Throw {
    pub fn new(profile: &AgentProfile, y: f64, speed: f64) -> Self {
        Self {
            y,
            speed,
            gravity: f64::from(profile.gravity),
            most: profile.max_fall_speed.map_or(f64::INFINITY, f64::from),
        }
    }

    /// When it is highest.
    pub fn apex(&self) -> f64 {
        self.speed / self.gravity
    }

    /// The time from which it falls at its greatest speed.
    fn even_from(&self) -> f64 {
        (self.speed + self.most) / self.gravity
    }

    pub fn height(&self, t: f64) -> f64 {
        let free = t.min(self.even_from());
        let fallen = self.y - (self.speed * free - 0.5 * self.gravity * free * free);
        if t > free {
            fallen + self.most * (t - free)
        } else {
            fallen
        }
    }

    /// When it passes a height on the way up and on the way down. The first
    /// time is negative if it started above.
    pub fn passes(&self, y: f64) -> Option<[f64; 2]> {
        let square = self.speed * self.speed + 2.0 * self.gravity * (y - self.y);
        if square < -1e-9 {
            return None;
        }
        let root = square.max(0.0).sqrt();
        let even = self.even_from();
        let mut down = (self.speed + root) / self.gravity;
        if down > even {
            down = even + (y - self.height(even)) / self.most;
        }
        Some([(self.speed - root) / self.gravity, down])
    }
}
