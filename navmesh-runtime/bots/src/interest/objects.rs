//! Objects that interest agents, and areas to keep away from.

use glam::Vec2;

use super::zones::Place;
use navmesh_runtime::search::Rect;

const MOST_WORTH: f32 = 1e6;

/// Fractions of interest: sums of whole numbers do not depend on their order, so a
/// field after any changes equals a new one.
pub const WORTH_UNIT: f64 = 4096.0;

/// A number for an [`InterestField`](super::InterestField) is out of range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("interest: {0}")]
pub struct InvalidInterest(pub &'static str);

/// An object that interests agents: a coin, a powerup, another agent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interest {
    /// Its kind: a number below [`FieldSettings::kinds`](super::FieldSettings::kinds).
    pub kind: u8,
    /// Its position, world units: any point near where an agent takes it.
    pub position: Vec2,
    /// What it is worth when it is inserted, −1,000,000 to 1,000,000.
    pub worth: f32,
    /// Change of its worth per second, added every quarter of a second.
    pub growth: f32,
    /// The worth at which growth ends.
    pub limit: f32,
}

impl Interest {
    /// An object whose worth does not change.
    pub fn new(kind: u8, position: Vec2, worth: f32) -> Self {
        Self {
            kind,
            position,
            worth,
            growth: 0.0,
            limit: worth,
        }
    }

    pub(crate) fn check(&self, kinds: usize) -> Result<(), InvalidInterest> {
        if usize::from(self.kind) >= kinds {
            return Err(InvalidInterest("there are fewer kinds than that"));
        }
        let worths = [self.worth, self.limit];
        if !(self.growth.is_finite() && worths.iter().all(|worth| worth.abs() <= MOST_WORTH)) {
            return Err(InvalidInterest("worth must be within ±1,000,000"));
        }
        if !self.position.is_finite() {
            return Err(InvalidInterest("the position is not finite"));
        }
        Ok(())
    }

    /// The same object, whose worth changes by `growth` per second up to `limit`
    /// (or down to it, where `growth` is negative).
    #[must_use]
    pub fn growing(mut self, growth: f32, limit: f32) -> Self {
        (self.growth, self.limit) = (growth, limit);
        self
    }

    /// Its worth some seconds after it was inserted.
    pub(crate) fn worth_after(&self, seconds: f64) -> f32 {
        let steps = (seconds.max(0.0) / GROWTH_STEP).floor();
        let grown = f64::from(self.worth) + f64::from(self.growth) * GROWTH_STEP * steps;
        if self.growth > 0.0 {
            grown.min(f64::from(self.limit.max(self.worth))) as f32
        } else if self.growth < 0.0 {
            grown.max(f64::from(self.limit.min(self.worth))) as f32
        } else {
            self.worth
        }
    }
}

/// Seconds between two changes of a growing object: longer than a frame, so that
/// most frames change few objects.
const GROWTH_STEP: f64 = 0.25;

/// An area to keep away from for some time: the blast of a bomb, a trap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DangerArea {
    /// The area, world units.
    pub area: Rect,
    /// What is subtracted from the interest of everything inside, 0 to 1,000,000.
    pub harm: f32,
    /// Seconds of travel over which the harm spreads outward and fades, 0 or more;
    /// at most [`FieldSettings::spread`](super::FieldSettings::spread) counts.
    pub spread: f32,
    /// When it begins, on the clock of [`InterestField::update`](super::InterestField::update).
    pub starts: f64,
    /// When it ends, on the same clock. It is removed then.
    pub ends: f64,
}

impl DangerArea {
    pub(crate) fn check(&self) -> Result<(), InvalidInterest> {
        let is_area = self.area.min.is_finite() && self.area.max.is_finite();
        let is_harm = (0.0..=MOST_WORTH).contains(&self.harm) && self.spread >= 0.0;
        if !is_area || !is_harm || self.starts.is_nan() || self.ends.is_nan() {
            return Err(InvalidInterest(
                "the area must be finite, the harm within 0 to 1,000,000, the spread 0 or more",
            ));
        }
        Ok(())
    }

    pub(crate) fn is_active(&self, now: f64) -> bool {
        self.starts <= now && now < self.ends
    }
}

#[derive(Debug, Clone)]
pub struct Object<E> {
    pub id: E,
    pub interest: Interest,
    /// When it was inserted.
    pub since: f64,
    /// Its worth now.
    pub worth: i64,
    /// Where it is taken; `None` while it is set aside.
    pub place: Option<Place>,
    /// Seconds from there to the centre of the zone with every door open, infinite
    /// without a path.
    pub to_center: f32,
}

impl<E> Object<E> {
    #[inline]
    pub fn worth(&self) -> f32 {
        (self.worth as f64 / WORTH_UNIT) as f32
    }
}

/// A worth in units of [`WORTH_UNIT`].
pub fn whole(worth: f32) -> i64 {
    (f64::from(worth) * WORTH_UNIT).round() as i64
}
