//! What an agent knows of its target.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::context::TaskContext;

/// What an agent perceives of its target, and how long it remembers.
///
/// It sees a target in a cone ahead of it, hears one that is near, and knows where the target
/// was until it forgets. With it, ready-made tasks go by what the agent knows; without it,
/// an agent always knows where its target is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Perception {
    /// How far it sees, world units.
    pub range: f32,
    /// How far from straight ahead it sees, degrees; 180 is all around.
    pub angle: f32,
    /// How near it hears the target, also through walls and behind it, world units.
    pub hearing: f32,
    /// Seconds after which it forgets the target.
    pub memory: f32,
    /// Where it perceived the target last; `None` when it has forgotten it.
    pub known: Option<Vec2>,
    /// Seconds since then: 0 while it perceives the target.
    pub age: f32,
    /// Whether it sees the target now.
    pub sees: bool,
}

impl Default for Perception {
    /// A character of a platformer: it sees somewhat more than half of a screen ahead.
    fn default() -> Self {
        Self {
            range: 240.0,
            angle: 45.0,
            hearing: 40.0,
            memory: 4.0,
            known: None,
            age: 0.0,
            sees: false,
        }
    }
}

impl Perception {
    /// Perceives the target of a view; once per frame, before the tick of the tree.
    pub fn update(&mut self, view: &impl TaskContext, dt: f32) {
        let (position, target) = (view.position(), view.target());
        let away = target.map_or(Vec2::INFINITY, |target| target - position);
        let distance = away.length();
        let least = distance * self.angle.to_radians().cos();
        let is_ahead = away.x * view.facing() >= least || self.angle >= 180.0;
        self.sees = distance <= self.range
            && is_ahead
            && target.is_some_and(|target| view.line_of_sight(position, target));
        if self.sees || distance <= self.hearing {
            (self.known, self.age) = (target, 0.0);
            return;
        }
        self.age += dt;
        if self.age > self.memory {
            self.known = None;
        }
    }

    /// Whether it perceives the target now.
    pub(crate) fn is_aware(&self) -> bool {
        self.known.is_some() && self.age == 0.0
    }
}
