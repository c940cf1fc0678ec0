//! Where a shooter aims.

use glam::Vec2;
use serde::{Deserialize, Serialize};

/// How well a shooter aims, by the speed of its target: one that stands is hit, one that runs
/// is missed by a stated distance, and in between the error is in proportion to the speed.
///
/// ```
/// use navmesh_behavior::Accuracy;
/// use navmesh_behavior::glam::Vec2;
///
/// let accuracy = Accuracy { spread: 2.0, lag: 24.0, full_speed: 120.0, lead: None };
/// let (from, runner) = (Vec2::ZERO, Vec2::new(200.0, 0.0));
/// // Numbers from 0 to 1, of the game's random generator. With 0.5, nothing is left to chance.
/// let at = accuracy.aim(from, runner, Vec2::new(60.0, 0.0), [0.5; 2]);
/// assert_eq!(at, Vec2::new(200.0 - 12.0, 0.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Accuracy {
    /// Greatest distance by chance, on each axis, world units, at any speed of the target.
    pub spread: f32,
    /// How far behind a target at full speed the middle of all shots is, world units.
    pub lag: f32,
    /// The full speed of the target, units/s. A faster one is missed by no more.
    pub full_speed: f32,
    /// The speed of a shot (units/s) that is aimed at where it meets the target, if that goes
    /// on as now; `None` for one that is aimed at where the target is. The error is added.
    pub lead: Option<f32>,
}

impl Default for Accuracy {
    /// A shooter that a running player of a platformer can escape: it misses one at 100
    /// units/s by one and a half bodies of 16 units.
    fn default() -> Self {
        Self {
            spread: 3.0,
            lag: 24.0,
            full_speed: 100.0,
            lead: None,
        }
    }
}

impl Accuracy {
    /// The point to aim at from a position, at a target with a velocity (units/s). `chance` has
    /// two random numbers from 0 to 1.
    pub fn aim(&self, from: Vec2, target: Vec2, velocity: Vec2, chance: [f32; 2]) -> Vec2 {
        let speed = velocity.length();
        let share = if self.full_speed > 0.0 {
            (speed / self.full_speed).min(1.0)
        } else {
            1.0
        };
        let behind = velocity.normalize_or_zero() * (self.lag * share);
        let spread = (Vec2::from(chance) * 2.0 - 1.0) * self.spread;
        let seconds = self
            .lead
            .and_then(|shot| meeting(target - from, velocity, shot));
        target + velocity * seconds.unwrap_or(0.0) - behind + spread
    }
}

/// Seconds until a shot of a speed meets a target that is `away` and keeps its velocity: the
/// smallest positive root of `|away + velocity·t| = shot·t`. `None` when it never does.
fn meeting(away: Vec2, velocity: Vec2, shot: f32) -> Option<f32> {
    let a = shot * shot - velocity.length_squared();
    let b = away.dot(velocity);
    let c = away.length_squared();
    // a·t² − 2b·t − c = 0
    let root = (b * b + a * c).sqrt();
    let all = if a == 0.0 {
        [-c / (2.0 * b); 2]
    } else {
        [(b - root) / a, (b + root) / a]
    };
    let ahead = all.into_iter().filter(|t| t.is_finite() && *t >= 0.0);
    ahead.min_by(f32::total_cmp)
}
