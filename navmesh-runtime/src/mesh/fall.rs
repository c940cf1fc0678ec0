//! How bodies fall, in closed form.

/// How bodies fall: with which acceleration, and how fast at most.
///
/// A body falls freely until it is at its greatest speed and evenly from then
/// on: `y(s) = v·s − ½g·s²` while `v − g·s ≥ −w`, a straight line after it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fall {
    /// Downward acceleration, units/s², a magnitude.
    pub gravity: f64,
    /// Greatest speed downwards, units/s, a magnitude; infinite for none.
    pub max_speed: f64,
}

impl From<f64> for Fall {
    /// Free fall.
    fn from(gravity: f64) -> Self {
        Self {
            gravity,
            max_speed: f64::INFINITY,
        }
    }
}

impl Fall {
    /// How far above its launch (below: negative) a body is, `s` seconds
    /// after it left with the upward speed `v`.
    #[inline]
    pub fn height(&self, v: f64, s: f64) -> f64 {
        // When it stops to gain speed.
        let steady = (v + self.max_speed) / self.gravity;
        if s <= steady {
            s * (v - 0.5 * self.gravity * s)
        } else {
            steady.max(0.0) * (v - 0.5 * self.gravity * steady.max(0.0))
                - (s - steady.max(0.0)) * self.max_speed
        }
    }

    /// Its upward speed then.
    #[inline]
    pub fn speed(&self, v: f64, s: f64) -> f64 {
        (v - self.gravity * s).max(-self.max_speed)
    }

    /// When it is `rise` above its launch for the last time; NaN when it
    /// never is.
    #[inline]
    pub fn time_to(&self, v: f64, rise: f64) -> f64 {
        let square = v * v - 2.0 * self.gravity * rise;
        if square <= self.max_speed * self.max_speed || v <= -self.max_speed {
            if v <= -self.max_speed {
                return -rise / self.max_speed;
            }
            return (v + square.sqrt()) / self.gravity;
        }
        let steady = (v + self.max_speed) / self.gravity;
        let there = 0.5 * (v * v - self.max_speed * self.max_speed) / self.gravity;
        steady + (there - rise) / self.max_speed
    }
}
