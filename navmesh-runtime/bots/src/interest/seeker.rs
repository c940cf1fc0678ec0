//! Who chooses, and what it chose.

use glam::Vec2;

use super::habits::Hysteresis;
use navmesh_runtime::mesh::AgentProfile;
use navmesh_runtime::search::Filter;

/// What one agent wants now.
#[derive(Debug, Clone)]
pub struct Seeker<'a, E> {
    /// Feet, world units.
    pub position: Vec2,
    /// What the objects of each kind count for this agent in its state: a factor
    /// for each kind. Kinds past the end count fully.
    pub weights: &'a [f32],
    /// How much the interest around an object counts beside its own; 0 or more.
    pub zone_weight: f32,
    /// How much danger counts; 0 or more.
    pub caution: f32,
    /// Seconds of travel at which an object counts half; above 0.
    pub half_time: f32,
    /// The filter of its paths.
    pub filter: &'a Filter,
    /// Its limits, when they are not those of the layer.
    pub profile: Option<&'a AgentProfile>,
    /// Its present target, and the bonus for it.
    pub habit: Hysteresis<E>,
    /// Greatest number of paths to objects that are searched for one choice.
    pub searches: usize,
}

impl<'a, E> Seeker<'a, E> {
    /// An agent at a position: zone weight ½, caution 1, half time 2 s, no present
    /// target, at most 16 searches.
    pub fn new(position: Vec2, weights: &'a [f32], filter: &'a Filter) -> Self {
        Self {
            position,
            weights,
            zone_weight: 0.5,
            caution: 1.0,
            half_time: 2.0,
            filter,
            profile: None,
            habit: Hysteresis::new(0.0),
            searches: 16,
        }
    }
}

/// What objects of a kind count: see [`Seeker::weights`].
pub fn weight(weights: &[f32], kind: usize) -> f32 {
    weights.get(kind).copied().unwrap_or(1.0)
}

/// The object that an agent chose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Target<E> {
    /// The object.
    pub id: E,
    /// Feet at which it is taken, world units.
    pub position: Vec2,
    /// Its interest after distance, context and the bonus of the present target.
    pub score: f32,
    /// The duration of the path, seconds.
    pub seconds: f64,
}

impl<E: Copy + Ord> Seeker<'_, E> {
    #[inline]
    pub(crate) fn score(&self, id: E, total: f32, seconds: f64) -> f32 {
        let near = total * (self.half_time / (self.half_time + seconds as f32));
        self.habit.score(&id, near)
    }
}
