//! Falling, in closed form.

/// The gravity and the greatest speed of a falling body.
///
/// A body falls freely until it reaches its greatest speed `w`, then continues
/// at that speed: `y(s) = v·s − ½g·s²` while `v − g·s ≥ −w`, then a straight
/// line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fall {
    /// Downward acceleration, units/s², a magnitude.
    pub gravity: f64,
    /// Greatest downward speed, units/s, a magnitude; infinite for no limit.
    pub max_speed: f64,
}

impl From<f64> for Fall {
    /// Free fall with this gravity.
    fn from(gravity: f64) -> Self {
        Self {
            gravity,
            max_speed: f64::INFINITY,
        }
    }
}

impl Fall {
    /// The height of a body above its launch, `s` seconds after a launch with
    /// upward speed `v`; negative below the launch.
    #[inline]
    pub fn height(&self, v: f64, s: f64) -> f64 {
        // The time at which it reaches its greatest speed.
        let steady = (v + self.max_speed) / self.gravity;
        if s <= steady {
            s * (v - 0.5 * self.gravity * s)
        } else {
            let steady = steady.max(0.0);
            steady * (v - 0.5 * self.gravity * steady) - (s - steady) * self.max_speed
        }
    }

    /// The upward speed of a body, `s` seconds after a launch with upward speed
    /// `v`.
    #[inline]
    pub fn speed(&self, v: f64, s: f64) -> f64 {
        (v - self.gravity * s).max(-self.max_speed)
    }

    /// Seconds until a body is `rise` above its launch for the last time; NaN
    /// when it never rises that high.
    #[inline]
    pub fn time_to(&self, v: f64, rise: f64) -> f64 {
        self.time_with(v, rise, v * v - 2.0 * self.gravity * rise)
    }

    /// [`time_to`](Self::time_to), given the square of its speed in free fall at the rise.
    #[inline]
    pub(crate) fn time_with(&self, v: f64, rise: f64, square: f64) -> f64 {
        if v <= -self.max_speed {
            // It is launched downwards, at its greatest speed from the start.
            return -rise / self.max_speed;
        }
        if square <= self.max_speed * self.max_speed {
            // Its speed there is the root of `square`: it has not reached its greatest speed.
            return (v + square.sqrt()) / self.gravity;
        }
        let steady = (v + self.max_speed) / self.gravity;
        // The height at which it reaches its greatest speed.
        let there = 0.5 * (v * v - self.max_speed * self.max_speed) / self.gravity;
        steady + (there - rise) / self.max_speed
    }
}
